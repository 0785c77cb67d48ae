from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from scoring_program.inference.comparing import draws
from scoring_program.inference.comparing.draws import Draws
from tests.arrays import all_rivals

from . import oracle
from .cases import CASES


def draws_of(statistics: np.ndarray, deviations: np.ndarray, errors: np.ndarray) -> Draws:
    return Draws(statistics, deviations, errors, all_rivals(len(deviations)))


@pytest.mark.parametrize("name", CASES)
def test_studentize_is_the_formula(name: str) -> None:
    case = CASES[name]()
    errors = oracle.errors(case.theta, case.star)
    units = case.units or case.n
    expected = oracle.studentized(case.theta, errors, units)
    found = draws.studentize(case.theta, errors, units)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(np.sign(found), np.sign(expected))


def test_shrinkage_is_that_of_a_t_test() -> None:
    # A mean of 20 numbers, bootstrap standard error: its t test's p-value, read as a normal one.
    sample = np.random.default_rng(0).normal(0.5, size=20)
    theta, error = np.array([sample.mean(), 0.0]), sample.std() / math.sqrt(20)
    found = draws.studentize(theta, np.array([[0, error], [error, 0]]), 20)
    p = stats.ttest_1samp(sample, 0, alternative="greater").pvalue
    assert stats.norm.sf(found[0, 1]) == pytest.approx(p, rel=1e-12)
    assert found[1, 0] == -theta[0] / error


def test_float_noise_between_equal_scores_is_no_difference() -> None:
    theta = np.array([0.1 + 0.2, 0.3])
    assert theta[0] != theta[1]
    assert (draws.studentize(theta, np.zeros((2, 2)), 10) == 0).all()


def test_ranks_with_a_baseline() -> None:
    # 0 is better than 2, and the baseline 1 is better than 2 and 3: only 0 counts against 2.
    rejected = np.zeros((4, 4), dtype=bool)
    rejected[0, 2] = rejected[1, 2] = rejected[1, 3] = True
    best, worst = draws.rank_bounds(rejected, rejected, np.array([True, False, True, True]))
    assert list(best) == [1, 1, 2, 1]
    assert list(worst) == [2, 2, 3, 3]


def test_tiers_begin_below_a_head_that_is_better() -> None:
    rejected = np.zeros((5, 5), dtype=bool)
    rejected[0, [2, 3, 4]] = rejected[2, 4] = True
    everyone = np.ones(5, dtype=bool)
    assert list(draws.tiers(np.arange(5), rejected, everyone)) == [1, 1, 2, 2, 3]
    assert list(draws.tiers(np.array([2, 0, 4, 1, 3]), rejected, everyone)) == [1, 2, 1, 2, 2]


def test_twins_are_put_together() -> None:
    t = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    errors = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    pairs = draws_of(t, np.zeros((3, 9)), errors)
    assert list(draws.identical_adjacent(pairs, np.arange(3))) == [0, 2, 1]
