"""A Kaggle competition's own metric file, used unchanged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scoring_program.commands.score import main
from tests.competitions import write_csv
from tests.data.test_tasks import usage_case
from tests.reading.variants import SCORES

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


def test_a_column_has_one_type_in_both_parts(tmp_path: Path) -> None:
    """A label in words among the public rows makes the private ones texts, too."""
    rows = [(f"x{i}", "12"[i % 2], "Public" if i < 20 else "Private") for i in range(40)]
    rows[3] = ("x3", "none", "Public")
    answers = {
        "One": {key: label for key, label, _ in rows},
        "Two": {key: label for key, label, _ in rows},
    }
    answers["One"]["x30"] = "none"
    answers["Two"]["x30"] = answers["Two"]["x32"] = "2"
    (tmp_path / "ref").mkdir()
    (tmp_path / "res").mkdir()
    write_csv(
        tmp_path / "ref" / "solution.csv",
        dict(zip(("id", "label", "Usage"), zip(*rows, strict=True), strict=True)),
    )
    for team, labels in answers.items():
        write_csv(
            tmp_path / "res" / f"{team}.csv", {"id": list(labels), "label": list(labels.values())}
        )
    (tmp_path / "ref" / "scoring.yaml").write_text(SETTINGS)
    (tmp_path / "ref" / "kaggle.py").write_text(METRIC)
    assert run(tmp_path) == 0
    flat = json.loads((tmp_path / "output" / "scores.json").read_text())
    assert [flat["score.One"], flat["score.Two"]] == [0.95, 0.9]
    assert [flat["public_score.One"], flat["public_score.Two"]] == [1.0, 1.0]


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


READS = {
    "by key": "submission['label']",
    "as an attribute": "submission.label",
    "in a list": "submission[['label']].iloc[:, 0]",
    "after taking it away": "submission.pop('label')",
}


def reading(how: str) -> str:
    return (
        "def score(solution, submission, row_id_column_name):\n"
        f"    found = {how}\n"
        "    return float((solution['label'].to_numpy() == found.to_numpy()).mean())\n"
    )


@pytest.mark.parametrize("how", READS)
def test_column_that_a_submission_lacks_is_the_participants(
    folder: Path, capsys: pytest.CaptureFixture[str], how: str
) -> None:
    (folder / "ref" / "kaggle.py").write_text(reading(READS[how]))
    for path in (folder / "res").iterdir():
        if path.name != "One.csv":
            path.unlink()
    path = folder / "res" / "One.csv"
    content = path.read_bytes()
    assert run(folder) == 0
    path.write_bytes(content.replace(b"id,label", b"id,Label"))
    assert run(folder) == 1
    said = capsys.readouterr().err
    assert said.startswith("The submission cannot be scored:")
    assert "has no column 'label'; its columns are 'id', 'Label'" in said


@pytest.mark.parametrize(
    "how",
    [
        "submission['lable']",  # a slip of the organizer's
        "{}['label']",
        "(submission.pop('label'), submission['label'])[1]",
        "submission['label'].no_such_method()",
    ],
)
def test_other_failures_are_the_organizers(
    folder: Path, capsys: pytest.CaptureFixture[str], how: str
) -> None:
    (folder / "ref" / "kaggle.py").write_text(reading(how))
    assert run(folder) == 2
    assert "failed on the whole test set" in capsys.readouterr().err
