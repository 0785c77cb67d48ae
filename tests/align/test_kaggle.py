"""A Kaggle competition's own metric file, used unchanged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scoring_program.cli import main
from tests.align.test_parts import usage_case
from tests.read.variants import SCORES

METRIC = """
import pandas as pd


class ParticipantVisibleError(Exception):
    pass


def score(solution: pd.DataFrame, submission: pd.DataFrame, row_id_column_name: str) -> float:
    if list(solution.columns) != list(submission.columns):
        raise ParticipantVisibleError("The columns differ from the sample submission's.")
    del solution[row_id_column_name], submission[row_id_column_name]
    return float((solution["label"].to_numpy() == submission["label"].to_numpy()).mean())
"""
SETTINGS = (
    "metrics: [{name: score, function: 'kaggle.py:score', greater_is_better: true, "
    "params: {row_id_column_name: id}}]\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = usage_case().write(tmp_path)
    (made / "ref" / "scoring.yaml").write_text(SETTINGS)
    (made / "ref" / "kaggle.py").write_text(METRIC)
    return made


def run(folder: Path) -> int:
    output = str(folder / "output")
    return main([str(folder), output, "--resamples", "100", "--workers", "1"])


def test_kaggles_function_scores_both_parts(folder: Path) -> None:
    assert run(folder) == 0
    flat = json.loads((folder / "output" / "scores.json").read_text())
    assert flat["score.One"] == round(SCORES["Two"], 10)
    assert flat["public_score.One"] == round(SCORES["One"], 10)


def test_participant_sees_what_kaggle_would_show(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "res" / "One.csv"
    path.write_bytes(path.read_bytes().replace(b"id,label", b"id,Label"))
    assert run(folder) == 0
    results = json.loads((folder / "output" / "results.json").read_text())
    (unusable,) = results["unusable"]
    assert unusable["entry"] == "One"
    assert "The columns differ from the sample submission's." in unusable["reason"]
