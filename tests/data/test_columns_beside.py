"""Columns beside the answers: two of one name, one to fill in, and answers that are stated."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tests.competitions import Folder, write_csv

_CHANCE = random.Random(5)
_N = 80
_FINE = ["OTHER", "INSULT", "ABUSE", "OTHER"] * (_N // 4)
_TEXTS = [f"tweet number {_CHANCE.random()}" for _ in range(_N)]


def _coarse(label: str) -> str:
    return "OTHER" if label == "OTHER" else "OFFENSE"


def _without_header(folder: Folder) -> Folder:
    """Write GermEval-2018's form: a text and two labels a line, of which the first two are one."""
    lines = [f"{text}\t{_coarse(fine)}\t{fine}\n" for text, fine in zip(_TEXTS, _FINE, strict=True)]
    (folder.input / "ref").mkdir(parents=True)
    (folder.input / "res").mkdir()
    (folder.input / "ref" / "test.txt").write_text("".join(lines))
    for number in range(2):
        chance = random.Random(number)
        guesses = [chance.choice((fine, "OTHER")) for fine in _FINE]
        predicted = [
            f"{text}\t{_coarse(guess)}\t{guess}\n"
            for text, guess in zip(_TEXTS, guesses, strict=True)
        ]
        (folder.input / "res" / f"team{number}.txt").write_text("".join(predicted))
    return folder


@pytest.mark.parametrize("stated", ["", "reference: {header: false}\n"])
def test_equal_labels_in_a_first_row_are_no_names_of_columns(
    stated: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = _without_header(Folder(tmp_path))
    folder.settings(f"metrics: [{{f1_score: {{average: macro}}}}]\n{stated}")
    assert folder.run() == 2
    message = capsys.readouterr().err
    assert "two columns are called" not in message
    assert "answer: 2" in message
    assert "answer: 3" in message


def _to_fill_in(folder: Folder) -> Folder:
    """Write RUSSE-2018's form: what participants send is the gold with one column filled in."""
    numbers = [str(row) for row in range(_N)]
    columns: dict[str, Any] = {
        "context_id": numbers,
        "gold_sense": _FINE,
        "predicted_sense": [""] * _N,
        "positions": [f"{row}-{row + 5}" for row in range(_N)],
    }
    write_csv(folder.input / "ref" / "gold.csv", columns)
    for number in range(2):
        chance = random.Random(number)
        guesses = [chance.choice((fine, "INSULT")) for fine in _FINE]
        places = [f"{row}-{row + 6}" for row in range(_N)]
        filled = {**columns, "predicted_sense": guesses, "positions": places}
        write_csv(folder.input / "res" / f"team{number}.csv", filled)
    return folder


def test_answers_that_are_stated_end_the_question_which_column_is_scored(tmp_path: Path) -> None:
    folder = _to_fill_in(Folder(tmp_path))
    folder.settings("metrics: [accuracy]\nreference: {columns: {answer: gold_sense}}\n")
    assert folder.run() == 0
    chance = random.Random(0)
    right = sum(chance.choice((fine, "INSULT")) == fine for fine in _FINE)
    assert folder.scores()["accuracy.team0"] == pytest.approx(right / _N)


def test_an_empty_column_of_the_gold_is_no_other_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = _to_fill_in(Folder(tmp_path))
    folder.settings("metrics: [accuracy]\n")
    folder.run()
    assert "have the column 'predicted_sense'" not in capsys.readouterr().err
