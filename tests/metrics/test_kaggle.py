"""Metrics that were written for Kaggle, with what they import there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import log_loss

from scoring_program.commands.score import main
from scoring_program.metrics import kaggle_metric_utilities as kaggle

#: As published metrics are written: the signature, the imports and the calls.
METRIC = """
import pandas as pd
import pandas.api.types
import sklearn.metrics
import kaggle_metric_utilities
from kaggle_metric_utilities import HostVisibleError

class ParticipantVisibleError(Exception):
    pass

def score(solution: pd.DataFrame, submission: pd.DataFrame, row_id_column_name: str) -> float:
    del solution[row_id_column_name], submission[row_id_column_name]
    for col in submission.columns:
        if not pandas.api.types.is_numeric_dtype(submission[col]):
            raise ParticipantVisibleError(f"Submission column {col} must be a number")
    kaggle_metric_utilities.verify_valid_probabilities(submission, "submission")
    return kaggle_metric_utilities.safe_call_score(
        sklearn.metrics.log_loss, solution.values, submission.values
    )
"""
SETTINGS = """
layout: single
resamples: 100
metrics:
  - {name: loss, function: "metric.py:score", greater_is_better: false}
"""


def made(folder: Path, predicted: np.ndarray) -> np.ndarray:
    gold = np.eye(3)[np.arange(30) % 3].astype(int)
    for place, values in (("ref", gold), ("res", predicted)):
        (folder / place).mkdir()
        rows = [f"{i},{','.join(map(str, row))}" for i, row in enumerate(values)]
        name = "solution.csv" if place == "ref" else "me.csv"
        (folder / place / name).write_text("\n".join(["id,a,b,c", *rows]))
    (folder / "ref" / "metric.py").write_text(METRIC)
    (folder / "ref" / "scoring.yaml").write_text(SETTINGS)
    return gold


def test_a_metric_with_kaggles_own_imports(tmp_path: Path) -> None:
    predicted = np.full((30, 3), 0.25)
    predicted[:, 1] = 0.5
    gold = made(tmp_path, predicted)
    assert main([str(tmp_path), str(tmp_path / "out")]) == 0
    scores = dict(
        line.split(": ") for line in (tmp_path / "out" / "scores.txt").read_text().splitlines()
    )
    assert float(scores["loss"]) == pytest.approx(log_loss(gold, predicted))


def test_a_participant_reads_why_probabilities_are_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made(tmp_path, np.full((30, 3), 0.5))
    assert main([str(tmp_path), str(tmp_path / "out")]) == 1
    assert "Probabilities in submission do not add to one." in capsys.readouterr().err


@pytest.mark.parametrize("name", ["HostVisibleError", "ParticipantVisibleError"])
def test_whom_a_metric_tells_is_kept(name: str) -> None:
    """Metrics define the classes themselves; no text is changed into one for participants."""
    for declared in (getattr(kaggle, name), type(name, (Exception,), {})):

        def metric(solution: object, submission: object, declared: type[Exception]) -> float:
            raise declared("The weights are broken")

        with pytest.raises(Exception, match="The weights are broken") as raised:
            kaggle.safe_call_score(metric, np.array([1, 2]), np.array([1, 2]), declared=declared)
        assert raised.type is declared


def test_a_text_for_the_host_reaches_no_participant(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made(tmp_path, np.full((30, 3), 0.25))
    path = tmp_path / "ref" / "metric.py"
    start = METRIC[: METRIC.index("    del solution")]
    path.write_text(
        f"{start}    return kaggle_metric_utilities.safe_call_score(broken, solution, submission)\n"
        "def broken(solution, submission):\n    raise HostVisibleError('secret weights')\n"
    )
    assert main([str(tmp_path), str(tmp_path / "out")]) != 0
    assert "secret weights" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "answers", "shown"),
    [
        ("The shapes differ", [1.5, 2], True),
        ("The value 7 is unknown", [1, 7], False),
        ("The value \N{SUPERSCRIPT TWO} is unknown", [1, 7], False),
        ("The shapes differ", ["cat", "dog"], False),
        ("The label cat is unknown", ["cat", "dog"], False),
        ("The shapes differ", [True, False], True),
        ("The label TRUE is unknown", [True, False], False),
        ("The label false is unknown", [True, False], False),
        ("Found false labels", [1, 0], True),
    ],
)
def test_errors_that_may_hold_an_answer_are_withheld(
    text: str, answers: list[object], shown: bool
) -> None:
    frame = pytest.importorskip("pandas").DataFrame({"y": answers})
    for solution in (frame, np.array(answers)):
        assert kaggle.treat_as_participant_error(text, solution) is shown
