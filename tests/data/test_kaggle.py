"""A Kaggle competition's own metric file, used unchanged."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from scoring_program.commands.score import main
from tests.competitions import write_csv
from tests.data.test_tasks import usage_case
from tests.reading.variants import SCORES
from tests.sweeps import swept

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


@pytest.mark.parametrize("how", swept(READS, fast=2))
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


# The frames are those of pandas itself ------------------------------------------------------------

#: Saves the frames of its first call beside itself.
SAVES = """
from pathlib import Path

KEPT = Path(__file__).parent


def score(solution, submission, row_id_column_name):
    for name, frame in (("solution", solution), ("submission", submission)):
        if not (KEPT / f"{name}.pickle").exists():
            frame.to_pickle(KEPT / f"{name}.pickle")
    assert row_id_column_name == "row_id"
    return float((solution["label"] == submission["label"]).mean())
"""
NAMED = "metrics: [{{name: score, function: 'kaggle.py:score', greater_is_better: {better}, \
params: {{row_id_column_name: row_id}}}}]\nresamples: 100\n"


def competition(folder: Path, solution: str, metric: str, **submissions: str) -> Path:
    (folder / "ref").mkdir()
    (folder / "res").mkdir()
    (folder / "ref" / "solution.csv").write_text(solution)
    (folder / "ref" / "scoring.yaml").write_text(NAMED.format(better="true"))
    (folder / "ref" / "kaggle.py").write_text(metric)
    for name, text in submissions.items():
        (folder / "res" / f"{name}.csv").write_text(text)
    return folder


def lines(header: str, rows: Iterable[Iterable[object]]) -> str:
    return "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"


@pytest.mark.parametrize("usages", [("Public", "Private", "Ignored"), ()])
def test_the_whole_test_set_is_scored_on_the_frames_of_pandas(
    tmp_path: Path, usages: tuple[str, ...]
) -> None:
    """Types, empty cells, truth values, ids and order are those of pandas.read_csv."""
    pandas = pytest.importorskip("pandas")
    notes = ["", "NA", '"seen, twice"', "null", '"a ""word"""', "7"]
    rows: list[list[object]] = [
        [
            f"1.2.{i}_C{i % 3}",
            ("True", "False")[i % 3 == 0],
            i % 4 or "",
            notes[i % 6]
            if i % 6 not in (2, 4)
            else f'"{notes[i % 6].replace(chr(34), 2 * chr(34))}"',
            i % 2,
            f"0{i}",
        ]
        for i in reversed(range(40))
    ]
    header = "row_id,flag,count,note,label,code"
    if usages:
        header = f"{header},Usage"
        rows = [[*row, usages[place % 3]] for place, row in enumerate(rows)]
    guesses = [[row[4], row[0], ("True", "")[i % 5 == 0], i / 4] for i, row in enumerate(rows)]
    answers = lines("label,row_id,sure,weight", guesses[7:] + guesses[:7])
    folder = competition(tmp_path, lines(header, rows), SAVES, One=answers, Two=answers)
    assert run(folder) == 0
    solution = pandas.read_csv(folder / "ref" / "solution.csv")
    if usages:
        solution = solution[solution.Usage == "Private"].drop(columns="Usage")
    solution = solution.reset_index(drop=True)
    submission = pandas.read_csv(folder / "res" / "One.csv")
    by_id = submission.set_index("row_id", drop=False).loc[solution.row_id]
    saved = folder / "ref"
    pandas.testing.assert_frame_equal(pandas.read_pickle(saved / "solution.pickle"), solution)
    pandas.testing.assert_frame_equal(
        pandas.read_pickle(saved / "submission.pickle"), by_id.reset_index(drop=True)
    )


#: The rows of a whole patient count more, and the ids say which these are.
READS_IDS = """
import numpy as np

def score(solution, submission, row_id_column_name):
    ids = solution[row_id_column_name]
    assert ids.tolist() == submission[row_id_column_name].tolist()
    whole = ids.str.endswith("_all")
    weight = np.where(whole, 7, 1)
    right = solution["label"].to_numpy() == submission["label"].to_numpy()
    return float((right * weight).sum() / weight.sum())
"""
#: Joins by ids, which must tell the rows apart.
JOINS = """
def score(solution, submission, row_id_column_name):
    both = solution.merge(submission, on=row_id_column_name, validate="one_to_one")
    return float((both["label_x"] == both["label_y"]).mean())
"""
PATIENTS = [
    (f"{i}_{part}", (i + place) % 2) for i in range(15) for place, part in enumerate(("all", "a"))
]


def is_right(key: str, kind: str) -> bool:
    """Whether an entry that knows rows of a kind is right about a row."""
    return key.endswith(f"_{kind}") or key < "12"


def of_patients(folder: Path, metric: str) -> Path:
    """Write a competition in which one entry is right about whole patients, one about parts."""
    answers = {}
    for kind in ("all", "a"):
        rows = []
        for key, label in PATIENTS:
            rows.append((key, label if is_right(key, kind) else 1 - label))
        answers[kind] = lines("row_id,label", rows)
    solution = lines("row_id,label", PATIENTS)
    return competition(folder, solution, metric, whole=answers["all"], parts=answers["a"])


def test_a_metric_that_reads_its_ids_gets_them_on_resamples_too(tmp_path: Path) -> None:
    folder = of_patients(tmp_path, READS_IDS)
    assert run(folder) == 0
    results = json.loads((folder / "output" / "results.json").read_text())
    (metric,) = results["metrics"]
    weights = {key: 7 if key.endswith("_all") else 1 for key, _ in PATIENTS}
    for entry in metric["entries"]:
        kind = {"whole": "all", "parts": "a"}[entry["entry"]]
        right = sum(weight for key, weight in weights.items() if is_right(key, kind))
        expected = right / sum(weights.values())
        assert entry["score"] == pytest.approx(expected)
        assert entry["mean"] == pytest.approx(expected, abs=0.05)
        assert entry["ci"][0] < entry["score"] < entry["ci"][1]
    assert metric["undefined_resamples"] == 0


def test_a_metric_that_joins_by_ids_works_on_resamples(tmp_path: Path) -> None:
    folder = of_patients(tmp_path, JOINS)
    assert run(folder) == 0
    (metric,) = json.loads((folder / "output" / "results.json").read_text())["metrics"]
    assert metric["undefined_resamples"] == 0
    assert metric["resamples"] == 100


#: Reads its ids, and looks up every row by its own.
LOOKS_UP = """
class ParticipantVisibleError(Exception):
    pass

def score(solution, submission, row_id_column_name):
    if solution[row_id_column_name].duplicated().any():
        raise ParticipantVisibleError("An id is there twice.")
    whole = solution[row_id_column_name].astype(str).str.endswith("_all")
    right = solution["label"] == submission["label"]
    return float(right[whole].mean()) if whole.any() else 0.0
"""


@pytest.mark.parametrize("language", ["en", "es", "pt"])
def test_a_metric_that_refuses_repeated_ids_gets_its_scores_alone(
    tmp_path: Path, language: str
) -> None:
    folder = of_patients(tmp_path, LOOKS_UP)
    settings = folder / "ref" / "scoring.yaml"
    settings.write_text(f"{settings.read_text()}language: {language}\ntitle: Patients\n")
    assert run(folder) == 0
    results = json.loads((folder / "output" / "results.json").read_text())
    (metric,) = results["metrics"]
    right = sum(key.endswith("_all") and is_right(key, "a") for key, _ in PATIENTS) / 15
    assert [row["score"] for row in metric["entries"]] == pytest.approx([1.0, right])
    for row in metric["entries"]:
        assert (row["ci"], row["standard_error"], row["difference"]) == (None, None, None)
        assert row["rank_range"] == [1, 2]
    assert metric["resamples"] == 0
    assert metric["verdict"]["confidence"] is None
    assert metric["verdict"]["withdrawn_because"] == "repeated_ids"
    (caution,) = [one for one in results["warnings"] if one["code"] == "repeated_ids"]
    assert "raises an error if an id is there twice" in caution["message"]
    assert "Where results.json has null, nothing is known" in caution["message"]
    page = (folder / "output" / "detailed_results.html").read_text()
    wanted = {"en": "an id is there twice", "es": "un identificador aparece dos veces"}
    wanted["pt"] = "um identificador aparece duas vezes"
    assert wanted[language] in page
    assert "nan" not in page.casefold().split()


def test_one_submission_to_a_metric_that_refuses_repeated_ids(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = of_patients(tmp_path, LOOKS_UP)
    (folder / "res" / "whole.csv").unlink()
    assert run(folder) == 0
    (metric,) = json.loads((folder / "output" / "results.json").read_text())["metrics"]
    assert metric["entries"][0]["ci"] is None
    assert "This submission scores score 0.2000." in capsys.readouterr().out
