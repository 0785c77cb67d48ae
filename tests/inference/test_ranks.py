from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from scoring_program.inference import ranks
from scoring_program.inference.draws import Draws, all_rivals

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
    found = ranks.studentize(case.theta, errors, units)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(np.sign(found), np.sign(expected))


def test_shrinkage_is_that_of_a_t_test() -> None:
    # A mean of 20 numbers, bootstrap standard error: its t test's p-value, read as a normal one.
    sample = np.random.default_rng(0).normal(0.5, size=20)
    theta, error = np.array([sample.mean(), 0.0]), sample.std() / math.sqrt(20)
    found = ranks.studentize(theta, np.array([[0, error], [error, 0]]), 20)
    p = stats.ttest_1samp(sample, 0, alternative="greater").pvalue
    assert stats.norm.sf(found[0, 1]) == pytest.approx(p, rel=1e-12)
    assert found[1, 0] == -theta[0] / error


def test_float_noise_between_equal_scores_is_no_difference() -> None:
    theta = np.array([0.1 + 0.2, 0.3])
    assert theta[0] != theta[1]
    assert (ranks.studentize(theta, np.zeros((2, 2)), 10) == 0).all()


@pytest.mark.parametrize(
    ("resamples", "confidence", "place"),
    [(199, 0.95, 190), (10_000, 0.95, 9501), (19_999, 0.95, 19_000), (19, 0.95, 19)],
)
def test_critical_value(resamples: int, confidence: float, place: int) -> None:
    values = np.random.default_rng(0).permutation(np.arange(1.0, resamples + 1))
    assert ranks.critical_value(values, confidence) == place


def test_too_few_resamples_for_a_critical_value() -> None:
    assert ranks.critical_value(np.zeros(18), 0.95) == math.inf


def test_algorithm_d_critical_values() -> None:
    case = CASES["ordinary"]()
    errors = oracle.errors(case.theta, case.star)
    deviations = case.star - case.theta[:, None]
    pairs = draws_of(ranks.studentize(case.theta, errors, case.n), deviations, errors)
    maxima = ranks.max_deviations(pairs, np.ones(case.m, dtype=bool))
    critical = [ranks.critical_value(row, 0.95) for row in maxima]
    for i in range(case.m):
        z = [
            max((deviations[j, b] - deviations[i, b]) / errors[i, j] for j in range(6) if j != i)
            for b in range(case.resamples)
        ]
        assert critical[i] == pytest.approx(sorted(z)[189], rel=1e-12)


def test_baselines_are_no_rivals() -> None:
    case = CASES["ordinary"]()
    deviations = case.star - case.theta[:, None]
    errors = oracle.errors(case.theta, case.star)
    competing = np.array([False, True, True, False, True, True])
    pairs = draws_of(np.zeros((6, 6)), deviations, errors)
    maxima = ranks.max_deviations(pairs, competing)
    for i in range(6):
        rivals = [j for j in (1, 2, 4, 5) if j != i]
        expected = [
            max((deviations[j, b] - deviations[i, b]) / errors[i, j] for j in rivals)
            for b in range(case.resamples)
        ]
        np.testing.assert_allclose(maxima[i], expected, rtol=1e-12)


def test_rank_sets_with_a_baseline() -> None:
    # 0 is better than 2, and the baseline 1 is better than 2 and 3: only 0 counts against 2.
    rejected = np.zeros((4, 4), dtype=bool)
    rejected[0, 2] = rejected[1, 2] = rejected[1, 3] = True
    best, worst = ranks.rank_sets(rejected, np.array([True, False, True, True]))
    assert list(best) == [1, 1, 2, 1]
    assert list(worst) == [2, 2, 3, 3]


def test_a_certain_difference_is_certain() -> None:
    # Entry 0 is ahead of entry 1 by the same amount on every resample.
    star = np.random.default_rng(0).normal(size=(1, 199))
    deviations = np.vstack([star, star])
    pairs = draws_of(np.array([[0, math.inf], [-math.inf, 0]]), deviations, np.zeros((2, 2)))
    everyone = np.ones(2, dtype=bool)
    p = ranks.better(pairs, everyone)
    assert (p[0, 1], p[1, 0]) == (1 / 200, 1)
    assert list(ranks.possible_winners(pairs, everyone, 0.95)) == [True, False]
    assert list(ranks.against_reference(pairs, 1, np.array([0]))) == [1 / 200]


def test_tiers_begin_below_a_head_that_is_better() -> None:
    rejected = np.zeros((5, 5), dtype=bool)
    rejected[0, [2, 3, 4]] = rejected[2, 4] = True
    everyone = np.ones(5, dtype=bool)
    assert list(ranks.tiers(np.arange(5), rejected, everyone)) == [1, 1, 2, 2, 3]
    assert list(ranks.tiers(np.array([2, 0, 4, 1, 3]), rejected, everyone)) == [1, 2, 1, 2, 2]


def test_twins_are_put_together() -> None:
    t = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    errors = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    pairs = draws_of(t, np.zeros((3, 9)), errors)
    assert list(ranks.identical_adjacent(pairs, np.arange(3))) == [0, 2, 1]
