"""The leader's score corrected for its selection: other people's numbers, and coverage."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import truncnorm

import scoring_program as dh
from scoring_program.inference.comparing.corrected import (
    SelectedShares,
    corrected_score,
    corrected_share,
    hybrid,
)
from tests.sweeps import swept

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


@pytest.mark.parametrize("metric", ["accuracy_score", "mean_absolute_error"])
def test_a_copy_of_the_leader_changes_nothing(metric: str) -> None:
    rng = np.random.default_rng(1)
    y_true = np.arange(200) % 2
    answers = np.where(
        rng.random((200, 3)) < [0.8, 0.75, 0.6], y_true[:, None], 1 - y_true[:, None]
    )
    noise = 0.0 if metric == "accuracy_score" else rng.normal(size=(200, 3))
    entries = {f"{entry}": (answers + noise)[:, entry] for entry in range(3)}
    found = dh.compare(y_true, entries, metrics=metric, resamples=999)
    copied = dh.compare(
        y_true, {**entries, "copy": entries[found.leader]}, metrics=metric, resamples=999
    )
    corrected, beside_a_copy = (one.record["leader_corrected"] for one in (found, copied))
    assert corrected["ci"] is not None
    assert corrected == beside_a_copy


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
    leader = np.arange(2) == 0
    for values in (constant, replicates[:, :100]):
        assert corrected_score(theta, values, 0, 0.05) is None
        shares = SelectedShares(theta, values, 0, 200, leader)
        assert corrected_share(shares, 0.05, grouped=False) is None


@pytest.mark.parametrize("of_group", swept([1, 8]))
def test_counts_of_equal_systems_are_not_corrected_too_little(of_group: int) -> None:
    """A sole leader of 30 is ahead by an example: without this, 64% of estimates are too high.

    Where groups of 8 or so are resampled, shares are no counts on the resamples.
    """
    rng, units, entries = np.random.default_rng(5), 200, 30
    sizes = np.ones(units) if of_group == 1 else np.tile([of_group - 4, of_group + 4], units // 2)
    examples = int(sizes.sum())
    above = fields = 0
    while fields < 300:
        right = rng.binomial(sizes.astype(int)[:, None], 0.8, (units, entries))
        theta = right.sum(axis=0) / examples
        leader = int(theta.argmax())
        if np.count_nonzero(theta == theta[leader]) > 1:
            continue
        drawn = rng.multinomial(units, np.full(units, 1 / units), 200)
        values = ((drawn @ right) / (drawn @ sizes)[:, None]).T
        shares = SelectedShares(theta, values, leader, examples, np.arange(entries) == leader)
        found = corrected_share(shares, 0.05, grouped=of_group > 1)
        assert found is not None
        above += found.estimate > 0.8
        fields += 1
    assert 0.42 <= above / fields <= 0.58


def test_shares_of_errors_are_corrected_like_shares_of_right_answers() -> None:
    rng = np.random.default_rng(3)
    y_true = np.arange(150) % 2
    right = rng.random((150, 6)) < 0.9
    entries = {
        f"{entry}": np.where(column, y_true, 1 - y_true) for entry, column in enumerate(right.T)
    }
    of_right, of_wrong = (
        dh.compare(y_true, entries, metrics=metric, resamples=999).record["leader_corrected"]
        for metric in ("accuracy_score", "zero_one_loss")
    )
    assert of_wrong["estimate"] == pytest.approx(1 - of_right["estimate"], abs=1e-9)
    assert of_wrong["ci"] == pytest.approx([1 - end for end in of_right["ci"][::-1]], abs=1e-9)


def test_an_interval_of_shares_lies_between_none_and_all() -> None:
    """Of 40 examples the leader gets all but one right; a rival 38."""
    rng = np.random.default_rng(4)
    theta = np.array([39, 38, 30]) / 40
    values = rng.binomial(40, theta[:, None], (3, 999)) / 40
    found = corrected_share(
        SelectedShares(theta, values, 0, 40, np.arange(3) == 0), 0.05, grouped=False
    )
    assert found is not None
    assert 0.7 < found.low < found.estimate < found.high <= 1


def test_where_few_units_decide_a_score_it_is_not_corrected() -> None:
    rng = np.random.default_rng(6)
    for tails, given in ((rng.normal(size=(100, 5)), True), (rng.standard_t(2, (100, 5)), False)):
        entries = {f"{entry}": column for entry, column in enumerate(tails.T)}
        found = dh.compare_scores(entries, greater_is_better=True, resamples=999)
        corrected = found.record["leader_corrected"]
        assert (corrected["ci"] is not None) == given
        assert corrected["reason"] == (None if given else "heavy_tails")


def test_a_lucky_leader_s_error_counts_as_the_median_of_all() -> None:
    """Its own is a fifth of theirs: the interval is as wide as if it were not."""
    rng = np.random.default_rng(7)
    theta = np.array([1.0, 0.2, 0.1, 0.0])
    usual = rng.normal(0, 0.1, (4, 999))
    lucky = usual * np.array([0.2, 1, 1, 1])[:, None]
    wide, narrow = (corrected_score(theta, theta[:, None] + one, 0, 0.05) for one in (usual, lucky))
    assert wide is not None
    assert narrow is not None
    assert narrow.high - narrow.low == pytest.approx(wide.high - wide.low, rel=0.05)


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
