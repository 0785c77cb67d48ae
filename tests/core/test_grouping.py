"""Rows that stand for several equal examples count like these, and units hold their rows."""

from __future__ import annotations

import numpy as np
import pytest

from scoring_program.core.grouping import Grouping, centered

SIZES = np.array([3, 1, 2])
#: Three rows that stand for six examples, and the six as rows of their own.
MERGED = Grouping(3, sizes=SIZES)
APART = Grouping(6)


def repeated(column: np.ndarray) -> np.ndarray:
    return np.repeat(column, SIZES, axis=0)


def test_rows_with_sizes_are_as_many_examples() -> None:
    assert MERGED.examples == APART.examples == 6
    assert (MERGED.size, APART.size) == (3, 6)  # a row is a unit, whatever it stands for
    assert MERGED.numbers.tolist() == [3, 1, 2]
    assert APART.numbers.tolist() == [1] * 6


def test_sums_are_those_over_the_examples() -> None:
    column = np.array([0.5, 2.0, -1.0])
    marked = np.array([[True, False], [False, False], [True, True]])
    assert MERGED.total(column) == APART.total(repeated(column)) == 1.5
    assert MERGED.tally(marked).tolist() == APART.tally(repeated(marked)).tolist() == [5, 2]


def test_influence_is_centered_over_the_examples() -> None:
    values = np.array([[1.0, 0.0], [4.0, 6.0], [0.0, 3.0]])
    expected = centered(repeated(values))
    np.testing.assert_allclose(repeated(MERGED.influence(values)), expected, atol=1e-15)
    np.testing.assert_allclose(APART.influence(repeated(values)), expected, atol=1e-15)


def test_sums_over_many_rows_are_those_of_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(size=(50, 4))
    sizes = rng.integers(1, 9, 50)
    grouping = Grouping(50, sizes=sizes)
    expected = values - (sizes[:, None] * values).sum(axis=0) / sizes.sum()
    marked = values > 0
    monkeypatch.setattr("scoring_program.core.arrays._CHUNK", 7)
    np.testing.assert_array_equal(grouping.influence(values), expected)
    np.testing.assert_array_equal(grouping.tally(marked), sizes @ marked)
    np.testing.assert_array_equal(grouping.influence(values, out=values), expected)
    np.testing.assert_array_equal(values, expected)


def test_influence_of_a_unit_is_that_of_its_rows() -> None:
    grouping = Grouping(4, units=np.array([1, 0, 1, 1]))
    values = np.array([[1.0], [2.0], [3.0], [4.0]])
    assert grouping.influence(values).tolist() == [[-3.0], [3.0]]  # 2 and 8, less their mean


@pytest.mark.parametrize("rows", [slice(1, 3), np.array([1, 2])])
def test_some_rows_keep_their_sizes_and_units(rows: slice | np.ndarray) -> None:
    assert MERGED.take(rows).sizes is not None
    assert MERGED.take(rows).numbers.tolist() == [1, 2]
    assert APART.take(rows).n == 2
    crossed = Grouping(3, units=np.array([[0, 1, 0], [2, 3, 3]]))
    assert crossed.take(rows).columns.tolist() == [[1, 0], [3, 3]]


def test_rows_are_drawn_as_often_as_their_unit() -> None:
    counts = np.array([[2, 0], [1, 1]])
    grouping = Grouping(3, units=np.array([1, 0, 1]))
    assert grouping.to_rows(counts).tolist() == [[0, 2, 0], [1, 1, 1]]
    assert Grouping(2).to_rows(counts) is counts


def test_units_are_rows_of_their_own() -> None:
    assert MERGED.of_units is MERGED
    of_units = Grouping(4, units=np.array([1, 0, 1, 1])).of_units
    assert (of_units.n, of_units.units, of_units.examples) == (2, None, 2)
