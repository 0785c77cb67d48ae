"""What only rounding tells apart is equal; everything else stays as it is."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from scoring_program.core.digits import significant
from scoring_program.core.rounding import negligible, repeats, without_rounding


def test_numbers_that_only_rounding_tells_apart_become_the_least_of_them() -> None:
    values = np.array([[0.1 + 0.2, math.nan, 5.0], [0.3, 0.3 + 1e-9, -0.3]])
    found = without_rounding(values)
    assert found[0, 0] == found[1, 0] == 0.3
    assert math.isnan(found[0, 1])
    assert found[1].tolist() == [0.3, 0.3 + 1e-9, -0.3]


def test_numbers_without_any_such_pair_are_not_copied() -> None:
    values = np.array([3.0, 1.0, math.nan, 1.0, 2.0])
    assert without_rounding(values) is values
    assert without_rounding(np.empty(0)).size == 0


def test_of_many_numbers_only_those_that_change_are_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """To look every number up among all others takes longer than all else in a large table."""
    values = np.random.default_rng(3).random(5000)
    values[:7] = values[-7:] * (1 + 4e-16) + 1e-16
    expected = values.copy()
    for place in range(7):  # by pairs, as the definition reads
        expected[[place, -7 + place]] = min(values[place], values[-7 + place])
    sizes = []
    whole = np.searchsorted

    def searching(ascending: np.ndarray, *given: Any) -> Any:
        sizes.append(ascending.size)
        return whole(ascending, *given)

    monkeypatch.setattr(np, "searchsorted", searching)
    np.testing.assert_array_equal(without_rounding(values), expected)
    assert 0 < sum(sizes) <= 7


def test_parts_that_cancel_leave_an_absolute_error() -> None:
    values = np.array([0.1 + 0.2 - 0.3, 0.0])
    assert without_rounding(values).tolist() == values.tolist()
    assert without_rounding(values, scale=1.0).tolist() == [0.0, 0.0]


def test_repeats_look_along_the_last_axis() -> None:
    ascending = np.array([[-np.inf, -np.inf, 0.0, 0.3, 0.1 + 0.2], [-2.0, -1.0, 1.0, 1.0, np.nan]])
    assert repeats(ascending).tolist() == [[True, False, False, True], [False, False, True, False]]


def test_what_is_negligible_is_relative_to_the_larger_number() -> None:
    assert negligible(1.0, -2.0) == 2e-12
    assert negligible(0.0, 0.0) < 1e-300
    assert negligible(0.0, 0.0, scale=100.0) == 1e-12


def test_numbers_are_written_without_the_digits_that_rounding_decides() -> None:
    assert significant(0.1 + 0.2) == 0.3
    assert significant(0.05235000000000001) == 0.05235
    assert math.isnan(significant(math.nan))
    assert significant(math.inf) == math.inf
