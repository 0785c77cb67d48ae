"""What editors accept and refuse: frames of every library, choices and settings by pyright."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.competitions import REPOSITORY

ACCEPTED = """
import numpy as np, pandas as pd, polars as pl, pyarrow as pa
import scoring_program as dh

y, named = np.array([0, 1]), {"A": [0, 1], "B": [1, 1]}
dh.compare(y, named, "accuracy")
dh.compare(pd.Series(y), pd.DataFrame(named), ["accuracy"], slices=pd.DataFrame({"of": y}))
dh.compare(pl.Series(y), pl.DataFrame(named), {"f1_score": {"average": "macro"}})
dh.compare(pa.array(y), pa.table(named), tie_rule="holm", interval="bca", progress=True)
for scores in (pd.DataFrame(named), pl.DataFrame(named), pa.table(named), named):
    dh.compare_scores(scores, greater_is_better=True)
dh.score("input", "output", tie_rule="max_t", resamples=10)["f1"].ranking[0].score
"""
REFUSED = """
import scoring_program as dh

dh.compare([0, 1], {"A": [0, 1]}, tie_rule="max")
dh.compare([0, 1], 5)
dh.score("input", resample=10)
"""


def test_pyright_takes_frames_and_knows_choices_and_settings(tmp_path: Path) -> None:
    """It takes seconds, because it reads the types of four libraries."""
    for library in ("pyright", "polars", "pyarrow"):
        pytest.importorskip(library)
    (tmp_path / "accepted.py").write_text(ACCEPTED, encoding="utf-8")
    (tmp_path / "refused.py").write_text(REFUSED, encoding="utf-8")
    settings = json.dumps({"extraPaths": [str(REPOSITORY)]})
    (tmp_path / "pyrightconfig.json").write_text(settings, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    if not done.stdout.startswith("{"):
        pytest.skip("pyright cannot start here")
    found = json.loads(done.stdout)["generalDiagnostics"]
    errors = [(Path(one["file"]).stem, one["rule"]) for one in found]
    assert errors == [
        ("refused", "reportArgumentType"),
        ("refused", "reportArgumentType"),
        ("refused", "reportCallIssue"),
    ], found
