"""The leader's score corrected for its selection: other people's numbers, and coverage."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import truncnorm

from scoring_program.inference.comparing.judge import corrected_score, hybrid

# By R's package winference, of independent estimates of which the leader's has standard error 1
# (its bisection ends at 1e-7):
#
#     ci_hybrid_equal_tailed(estimates, st_errs)
#     q_max_absnorm(length(estimates), 1 - 0.005)
BY_R = [
    ([3, 2.5, 1], 3.14349157988, (-0.116060669194, 4.858239597095)),
    ([1, 0.9, 0.8, 0.7, -3], 3.28996287495, (-2.28721623008, 2.12136723742)),
    ([8, 4], 3.02296247083, (6.01071400520, 9.98077903848)),
]


@pytest.mark.parametrize(("scores", "reach", "interval"), BY_R)
def test_the_interval_is_that_of_the_method_s_own_package(
    scores: list[float], reach: float, interval: tuple[float, float]
) -> None:
    independent = np.eye(len(scores))[0]
    found = hybrid(np.array(scores, float), independent, 0, reach, 0.05)
    assert (found.low, found.high) == pytest.approx(interval, abs=2e-7)
    assert found.low < found.estimate < found.high


def test_the_estimate_is_the_median_unbiased_one() -> None:
    """Given selection, the leader is below its score in half of all repetitions."""
    covariance = np.array([1.0, 0.4])
    found = hybrid(np.array([2.0, 1.5]), covariance, 0, 3.0, 0.05)
    limit = (1.5 - 0.4 * 2.0) / (1 - 0.4)
    mean = found.estimate
    drawn = truncnorm(max(limit, mean - 3.0) - mean, 3.0, loc=mean)
    assert drawn.cdf(2.0) == pytest.approx(0.5, abs=1e-9)


def test_a_rival_that_moves_more_than_the_leader_limits_from_above() -> None:
    theta, covariance = np.array([2.0, 1.9]), np.array([1.0, 1.5])
    found = hybrid(theta, covariance, 0, 3.0, 0.05)
    most = (1.9 - 1.5 * 2.0) / (1 - 1.5)
    drawn = truncnorm(-3.0, min(most - found.low, 3.0), loc=found.low)
    level = (0.05 - 0.005) / (1 - 0.005)
    assert drawn.cdf(2.0) == pytest.approx(1 - level / 2, abs=1e-9)


def test_a_copy_of_the_leader_changes_nothing() -> None:
    rng = np.random.default_rng(1)
    theta = np.array([0.8, 0.75, 0.6])
    replicates = theta[:, None] + rng.normal(0, 0.02, (3, 2000))
    alone = corrected_score(theta, replicates, 0, 0.05)
    copied = corrected_score(theta[[0, 0, 1, 2]], replicates[[0, 0, 1, 2]], 0, 0.05)
    assert alone is not None
    assert alone == copied


@pytest.mark.parametrize("behind", [0.0, 1e-15, 1e-9])
def test_a_score_beside_the_leader_s_leaves_no_interval(behind: float) -> None:
    """Such as that of another run of the leader's team."""
    found = hybrid(np.array([2.0, 2.0 - behind]), np.array([1.0, 0.4]), 0, 3.0, 0.05)
    assert 2.0 - 3.0 <= found.low <= found.estimate <= found.high
    assert found.high - found.low < 0.01


def test_there_is_none_of_a_score_that_does_not_vary_or_of_few_resamples() -> None:
    theta, rng = np.array([1.0, 0.5]), np.random.default_rng(2)
    replicates = theta[:, None] + rng.normal(0, 0.1, (2, 500))
    constant = replicates.copy()
    constant[0] = 1.0
    assert corrected_score(theta, constant, 0, 0.05) is None
    assert corrected_score(theta, replicates[:, :100], 0, 0.05) is None


def test_counts_of_equal_systems_are_not_corrected_too_little() -> None:
    """A sole leader of 30 is ahead by an example: without this, 64% of estimates are too high."""
    rng, examples = np.random.default_rng(5), 200
    above = fields = 0
    while fields < 400:
        theta = rng.binomial(examples, 0.8, 30) / examples
        leader = int(theta.argmax())
        if np.count_nonzero(theta == theta[leader]) > 1:
            continue
        variance = 0.16 / examples * np.eye(30)[leader]
        found = hybrid(theta, variance, leader, 3.6, 0.05, ahead=0.5 / examples)
        above += found.estimate > 0.8
        fields += 1
    assert 0.44 <= above / fields <= 0.58


@pytest.mark.full
@pytest.mark.parametrize("entries", [2, 10])
def test_it_covers_and_is_neither_too_high_nor_too_low(entries: int) -> None:
    """A short version of the simulation: 300 fields of equal systems; uncorrected .93 and .83."""
    rng = np.random.default_rng(entries)
    fields, units, covered, above = 300, 200, 0, 0
    for _ in range(fields):
        values = rng.normal(0, 1, units)[:, None] + rng.normal(0, 1, (units, entries))
        theta = values.mean(axis=0)
        drawn = rng.multinomial(units, np.full(units, 1 / units), 400) @ values / units
        found = corrected_score(theta, drawn.T, int(theta.argmax()), 0.05)
        assert found is not None
        covered += found.low <= 0 <= found.high
        above += found.estimate > 0
    assert 0.92 <= covered / fields <= 0.98
    assert 0.42 <= above / fields <= 0.58
