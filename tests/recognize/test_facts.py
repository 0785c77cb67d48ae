"""Facts of columns are the same, however their cells are kept."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from scoring_program.core.arrays import coded_cells, words
from scoring_program.recognize.facts import ColumnFacts, label_of, number_of, same_values
from scoring_program.recognize.rows_rule import recognize_rows
from scoring_program.recognize.statements import Need

from .columns import BINARY, COLORS, FLAG, HUGE, IDS, NUMBERED_IDS, PRICES, RANK, noisy, table

FACTS = (
    "different", "different_count", "missing", "empty", "full", "unique", "numeric", "integers",
    "like_numbers", "row_numbers", "counts", "labels", "label_count", "repeats_labels",
)  # fmt: skip


def column(cells: Sequence[str]) -> ColumnFacts:
    return ColumnFacts(0, "", cells)


@pytest.mark.parametrize(
    "cells",
    [IDS, NUMBERED_IDS, COLORS, BINARY, PRICES, RANK, HUGE, [*PRICES[1:], "nan"], ["TRUE", "no"]],
)
def test_words_and_codes_have_the_facts_of_their_texts(cells: list[str]) -> None:
    plain = column(cells)
    for packed in (words(cells), coded_cells(cells)):
        assert packed is not None
        other = column(packed)
        for fact in FACTS:
            assert getattr(other, fact) == getattr(plain, fact), fact
        assert np.array_equal(other.numbers, plain.numbers, equal_nan=True)
        assert other.share_of_labels({"1", "red"}) == plain.share_of_labels({"1", "red"})
        assert same_values(other, plain)
        codes, labels = other.codes()
        assert [labels[code] for code in codes.tolist()] == [*map(label_of, cells)]


def test_facts_of_numbers_by_their_letters_make_no_text_of_each() -> None:
    cells = [*(f"{number / 7:.3f}" for number in range(400)), "-0.5", "1e300"]
    numbers = column(words(cells))  # type: ignore[arg-type]
    for fact in ("numeric", "integers", "missing", "different_count", "label_count", "unique"):
        assert getattr(numbers, fact) == getattr(column(cells), fact), fact
    assert np.array_equal(numbers.numbers, [*map(float, cells)])
    assert not {"texts", "different"} & vars(numbers).keys()


@pytest.mark.parametrize("odd", ["1_0", "inf", "nan", "1e999", "x"])
def test_what_is_no_finite_number_is_none_by_its_letters(odd: str) -> None:
    cells = [*PRICES, odd]
    numbers = column(words(cells))  # type: ignore[arg-type]
    assert np.array_equal(numbers.numbers, [*map(float, PRICES), np.nan], equal_nan=True)
    assert numbers.numeric == column(cells).numeric == (odd == "nan")


@pytest.mark.parametrize(
    ("cells", "label"),
    [
        (("1", "1.0", "01", "+1", "TRUE", "True", "1e0"), "1"),
        (("0", "-0", "0.0", "false"), "0"),
        (("-1", "-1.0"), "-1"),
        (("0.5", ".5", "5e-1"), "0.5"),
        (("yes",), "yes"),
        (("Yes",), "Yes"),
        (("12345678901234567891",), "12345678901234567891"),
    ],
)
def test_a_label_is_the_same_however_a_number_is_written(cells: Sequence[str], label: str) -> None:
    assert {*map(label_of, cells)} == {label}


@pytest.mark.parametrize("cell", ["nan", "inf", "1_000", "", "0,5", "85 %", "1e999", "t", "n/a"])
def test_what_is_no_finite_number(cell: str) -> None:
    assert number_of(cell) is None


@pytest.mark.parametrize(
    ("cells", "share"),
    [(["85 %", "0,5", "1,234.00", "$3", "x"], 0.8), (["A1", "B2", "e17", "no"], 0.0)],
)
def test_what_its_author_may_take_for_a_number(cells: list[str], share: float) -> None:
    assert column(cells).like_numbers == share


def test_long_columns_join_as_a_table_of_all_texts_would() -> None:
    chance = random.Random(5)
    n = 12_000
    ids = [f"example_{number:06d}" for number in chance.sample(range(10**6), n)]
    label = [chance.choice(("no", "yes")) for _ in ids]
    kept = chance.sample(range(n), n - 40)
    whole = chance.sample(range(n), n)
    files = {}
    for name, rows in (("a", kept), ("b", whole), ("c", list(range(n)))):
        columns = {"id": [ids[row] for row in rows], "p": [label[row] for row in rows]}
        files[name] = table(name, columns)
    gold = table("gold.csv", {"id": ids, "label": label})
    outcome = recognize_rows(gold, files, [Need("accuracy_score", "labels")])
    for name, rows in (("a", kept), ("b", whole), ("c", list(range(n)))):
        row_of = {ids[example]: row for row, example in enumerate(rows)}
        assert outcome.bindings[name].rows.tolist() == [row_of.get(cell, -1) for cell in ids]


def test_equal_values_are_seen_beyond_the_first_rows() -> None:
    assert same_values(column(FLAG), column([f"{cell}.0" for cell in FLAG]))
    assert not same_values(column(FLAG), column([*FLAG[:-1], "9"]))
    assert not same_values(column(COLORS), column(noisy(COLORS, share=0.05)))
    rows = np.array([1, -1, 0])
    assert same_values(column(["a", "x", "b"]), column(["b", "a"]), rows)
    assert not same_values(column(["a", "x", "a"]), column(["b", "a"]), rows)
