"""Competitions in folders, which the command ``deadheat score`` scores in this process."""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from scoring_program.commands import score


def scored(tables: Mapping[str, pd.DataFrame], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return what results.json says by the first metric; ``tables`` are named as in the folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, table in tables.items():
            path = folder / "input" / file
            path.parent.mkdir(parents=True, exist_ok=True)
            table.to_csv(path, index=False)
        statement = folder / "input/ref/scoring.yaml"
        statement.parent.mkdir(exist_ok=True)
        statement.write_text(json.dumps(settings))  # JSON is YAML, too
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            status = score.main([str(folder / "input"), str(folder / "output")])
        assert status == 0, printed.getvalue()
        results = json.loads((folder / "output/results.json").read_text())
    metric: dict[str, Any] = results["metrics"][0]
    return metric
