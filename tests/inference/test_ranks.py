from __future__ import annotations

import math
import tracemalloc

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


def test_ranks_count_better_entries_that_can_win() -> None:
    theta = np.array([0.5, 0.7, 0.7, 0.2, 0.1])
    competing = np.array([True, False, True, True, False])
    assert list(draws.ranks(theta, competing)) == [2, 1, 1, 3, 4]


@pytest.mark.parametrize("at_once", [2**16, 12])
@pytest.mark.parametrize("baselines", [[], [1], [0, 4]])
def test_rank_frequencies_count_every_resample(
    monkeypatch: pytest.MonkeyPatch, at_once: int, baselines: list[int]
) -> None:
    """Of whole numbers, many of which tie; two resamples at a time, or all."""
    monkeypatch.setattr(draws, "_RANKED_AT_ONCE", at_once)
    replicates = np.random.default_rng(4).integers(0, 4, (5, 51)).astype(float)
    competing = ~np.isin(np.arange(5), baselines)
    expected = np.zeros((5, 5))
    for drawn in replicates.T:
        for entry, score in enumerate(drawn):
            expected[entry, np.count_nonzero(drawn[competing] > score)] += 1
    found = draws.rank_frequencies(replicates, competing)
    np.testing.assert_allclose(found, expected / 51, rtol=1e-12)


def test_rank_frequencies_of_many_resamples_take_little_memory() -> None:
    replicates = np.random.default_rng(4).normal(size=(50, 20_000))
    tracemalloc.start()
    try:
        draws.rank_frequencies(replicates, np.ones(50, bool))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < replicates.nbytes


def test_one_unit_says_nothing_about_shrinkage() -> None:
    theta, errors = np.array([0.5, 0.25]), np.array([[0.0, 0.125], [0.125, 0.0]])
    assert draws.studentize(theta, errors, 1).tolist() == [[0, 2], [-2, 0]]
    assert draws.unshrunk(np.array([2.0, -2.0]), 1).tolist() == [2, -2]


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
