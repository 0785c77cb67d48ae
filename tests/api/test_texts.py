"""Texts given in Python are scored as those of files."""

from __future__ import annotations

from pathlib import Path

import pytest

import scoring_program as dh

GOLD = ["the first text", "", "another one of them", "and the last"] * 10
NORTH = ["a first text", "", "another of them", "the last"] * 10
SOUTH = ["first", "x", "one of them all", "and the last"] * 10


def test_lists_of_texts_give_the_numbers_of_files(tmp_path: Path) -> None:
    for name, texts in (("ref/gold", GOLD), ("res/north", NORTH), ("res/south", SOUTH)):
        path = tmp_path / f"{name}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    (tmp_path / "ref" / "scoring.yaml").write_text("metrics: [token_f1, exact_match]\n")
    files = dh.score(tmp_path, None, resamples=200)
    lists = dh.compare(
        GOLD, {"north": NORTH, "south": SOUTH}, metrics=["token_f1", "exact_match"], resamples=200
    )
    for metric in ("token_f1", "exact_match"):
        assert lists[metric].ranking == files[metric].ranking
    assert lists.leader == "north"


def test_lists_of_references() -> None:
    several = [[text, f"{text} again"] for text in GOLD]
    again = [f"{text} again" for text in GOLD]
    result = dh.compare(several, {"one": GOLD, "two": again}, metrics="exact_match", resamples=100)
    assert [row.score for row in result["exact_match"].ranking] == [1.0, 1.0]


def test_a_wrong_number_of_texts() -> None:
    with pytest.raises(dh.SubmissionError, match="north: 39 predictions for 40 examples"):
        dh.compare(GOLD, {"north": NORTH[1:], "south": SOUTH}, metrics="token_f1")
