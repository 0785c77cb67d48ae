"""Texts and other kinds of data given in Python are scored as those of files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
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


TAGS, SPANS = [("O", "B-x")] * 40, [((0, 3, "x"),), ((4, 6, "y"),)] * 20
LABELS = [("x", "y"), ("z",)] * 20


@pytest.mark.parametrize(
    ("metric", "gold", "wrong", "message"),
    [
        ("token_f1", GOLD, 7, "A: found int; give an array or a list"),
        ("token_f1", GOLD, dict(enumerate(GOLD)), "A: found a mapping; give y_true as one of"),
        ("token_f1", GOLD, [*GOLD[1:], 7], "A: found 7 on row 40; give a text"),
        ("token_f1", GOLD, [*GOLD[1:], None], "A: found None on row 40; give a text"),
        ("token_f1", GOLD, [*GOLD[1:], np.nan], "A: found nan on row 40; give a text"),
        ("token_f1", GOLD, [["a", "b"], *GOLD[1:]], r"A: found \('a', 'b'\) on row 1; give a text"),
        ("token_accuracy", TAGS, ["OO", *TAGS[1:]], "A: found 'OO' on row 1; give a list of tags"),
        (
            "token_accuracy",
            TAGS,
            [["O", 3], *TAGS[1:]],
            r"A: found \('O', 3\) on row 1; give",
        ),
        (
            "span_f1",
            SPANS,
            [[(0, 3)], *SPANS[1:]],
            r"A: found .* on row 1; give a list of \(",
        ),
        (
            "span_f1",
            SPANS,
            [[(3, 0, "x")], *SPANS[1:]],
            "row 1; .* end is not before the start",
        ),
        ("icm", LABELS, [*LABELS[1:], "z"], "A: found 'z' on row 40; give a list of labels"),
        ("icm", LABELS, [*LABELS[1:], [3]], r"row 40: found '3', expected labels of the task"),
        ("resolved_rate", [True] * 40, ["a"] * 40, "A: found 'a' on row 1; give True or False"),
    ],
)
def test_values_of_another_form(metric: str, gold: Any, wrong: Any, message: str) -> None:
    with pytest.raises(dh.SubmissionError, match=message):
        dh.compare(gold, {"A": wrong, "B": gold}, metrics=metric)


@pytest.mark.parametrize(
    ("metric", "gold", "message"),
    [
        ("token_f1", [1] * 40, "y_true: found 1 on row 1; give a text, or a list of texts"),
        (
            "token_f1",
            [[], *GOLD[1:]],
            r"y_true: found \(\) on row 1; give a text, or a list",
        ),
        ("icm", ["x"] * 40, "y_true: found 'x' on row 1; give a list of labels"),
        ("token_accuracy", [None] * 40, "y_true: found None on row 1; give a list of tags"),
        ({"pass_at_k": {"k": 1}}, [1] * 40, "y_true: found 1 on row 1; give a text"),
    ],
)
def test_a_gold_of_another_form(metric: Any, gold: Any, message: str) -> None:
    with pytest.raises(dh.OrganizerError, match=message):
        dh.compare(gold, {"A": GOLD, "B": GOLD}, metrics=metric)


def test_arrays_hold_the_values_of_lists() -> None:
    lists = [list(tags) for tags in TAGS]
    found = dh.compare(
        np.array(lists), {"A": np.array(lists), "B": lists}, metrics="token_accuracy", resamples=100
    )
    assert [row.score for row in found["token_accuracy"].ranking] == [1.0, 1.0]
