"""One submission votes on nothing: what it alone would decide is asked, whatever reads it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from scoring_program.data import source
from tests.competitions import Folder, write_csv

_CHANCE = random.Random(3)
_N = 90
_IDS = [str(10001 + row) for row in range(_N)]
_TARGETS = [("Atheism", "Feminist Movement", "Climate")[row % 3] for row in range(_N)]
_STANCES = _CHANCE.choices(("FAVOR", "AGAINST", "NONE"), k=_N)
_WEEKS: dict[str, list[Any]] = {
    "city": ["sj"] * 45 + ["iq"] * 45,
    "year": [2008 + row % 45 // 15 for row in range(_N)],
    "week": [1 + row % 15 for row in range(_N)],
}
_CASES = [_CHANCE.randrange(90) for _ in range(_N)]


def _stances(folder: Folder, *teams: str) -> Folder:
    """Write SemEval-2016's stances: files repeat the target of each tweet."""
    ids = {"ID": _IDS, "Target": _TARGETS}
    write_csv(folder.input / "ref" / "gold.csv", {**ids, "Stance": _STANCES})
    for number, team in enumerate(teams):
        chance = random.Random(number)
        guesses = [chance.choice((stance, "NONE")) for stance in _STANCES]
        write_csv(folder.input / "res" / f"{team}.csv", {**ids, "Stance": guesses})
    folder.settings("metrics: [f1_macro]\n")
    return folder


def test_a_column_that_is_given_is_not_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = _stances(Folder(tmp_path), "north")
    assert folder.run() == 2
    asked = capsys.readouterr().err
    assert "Is it what is predicted, or was it given?" in asked
    assert "reference: {columns: {answer: Stance}}  # texts" in asked
    folder.settings("metrics: [f1_macro]\nreference: {columns: {answer: Stance}}\n")
    assert folder.run() == 0
    assert folder.scores()["f1_macro"] < 1


def test_nor_is_it_where_other_processes_read_large_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such files have no say in what the reference data mean."""
    monkeypatch.setattr(source, "_SMALL", 0)
    folder = _stances(Folder(tmp_path), "north", "south", "west")
    assert folder.run() == 1
    told = capsys.readouterr().err
    assert "it repeats a column of the reference data in every row, so that this may" in told
    assert "'reference: {columns: {answer: Stance}}'" in told
    folder.settings("metrics: [f1_macro]\nreference: {columns: {answer: Stance}}\n")
    assert folder.run() == 0
    assert folder.scores()["f1_macro"] < 1


@pytest.mark.parametrize("size", [0, source._SMALL])
def test_columns_that_name_the_examples_together_are_asked_for(
    size: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(source, "_SMALL", size)
    folder = Folder(tmp_path)
    write_csv(folder.input / "ref" / "gold.csv", {**_WEEKS, "cases": _CASES})
    rows = list(range(_N))
    _CHANCE.shuffle(rows)
    sent = {name: [cells[row] for row in rows] for name, cells in _WEEKS.items()}
    guesses = [_CASES[row] + 1 for row in rows]
    write_csv(folder.input / "res" / "predictions.csv", {**sent, "cases": guesses})
    answer = "metrics: [mean_absolute_error]\nreference: {columns: {answer: cases%s}}\n"
    folder.settings(answer % "")
    assert folder.run() != 0
    assert "reference: {columns: {id: [city, year, week]}}" in capsys.readouterr().err
    folder.settings(answer % ", id: [city, year, week]")
    assert folder.run() == 0
    assert folder.scores()["mean_absolute_error"] == 1


_FROZEN = (
    "reference: {file: gold.csv, columns: {id: ID, answer: Stance}, header: true}\n"
    "submissions: {columns: {id: ID, prediction: Stance}, header: true, join: key}\n"
)


@pytest.mark.parametrize("frozen", ["", _FROZEN])
@pytest.mark.parametrize("teams", [(), ("north", "south", "west")])
def test_a_file_of_what_was_given_holds_no_prediction(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], teams: tuple[str, ...], frozen: str
) -> None:
    """The reason names the column that is missing, and no cell of another one."""
    folder = _stances(Folder(tmp_path), *teams)
    given = {"ID": _IDS, "Target": _TARGETS}
    write_csv(folder.input / "res" / "east.csv", given)
    metric = "metrics: [{name: f1, function: f1_macro, column: Stance}]\n"
    folder.settings(metric + frozen)
    assert folder.run() == int(not teams)
    told = capsys.readouterr().err
    reason = "it has no prediction of 'Stance': its only column, 'Target', repeats a column of the"
    if frozen:
        reason = "there is no column 'Stance'"
    assert reason in told
    assert "unknown labels" not in told


@pytest.mark.parametrize("teams", [(), ("north", "south", "west")])
def test_a_prediction_of_another_column_by_its_name_is_not_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], teams: tuple[str, ...]
) -> None:
    """Both columns hold 0 and 1, so that the cells cannot tell which one is predicted."""
    folder = Folder(tmp_path)
    chance = random.Random(5)
    columns = {name: chance.choices("01", k=_N) for name in ("humor", "irony")}
    write_csv(folder.input / "ref" / "gold.csv", {"id": _IDS, **columns})
    for team in teams:
        guesses = chance.choices("01", k=_N)
        write_csv(folder.input / "res" / f"{team}.csv", {"id": _IDS, "humor": guesses})
    guesses = chance.choices("01", k=_N)
    write_csv(folder.input / "res" / "east.csv", {"id": _IDS, "irony": guesses})
    folder.settings("metrics: [{name: hits, function: accuracy, column: humor}]\n")
    assert folder.run() == int(not teams)
    assert "it has no column 'humor', and its column 'irony' may be" in capsys.readouterr().err
