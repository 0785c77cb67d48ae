from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from scoring_program.inference import MetricScores, analyze
from scoring_program.inference.comparing import comparisons, distributions
from scoring_program.inference.comparing.distributions import Replicated
from scoring_program.inference.evidence import Question
from tests.arrays import T_QUANTILE_ERROR, made_replicates

from .cases import ACCURACY, Case, answers

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("resamples", [1, 2, 3, 10, 199, 1000])
@pytest.mark.parametrize("tail", [0.025, 0.05, 0.0, 0.3, 0.49])
def test_quantiles_are_numpys(resamples: int, tail: float) -> None:
    rows = np.concatenate([RNG.normal(size=(3, resamples)), RNG.integers(0, 4, (2, resamples))])
    levels = (tail, 1 - tail)
    expected = np.quantile(rows, levels, axis=1)
    np.testing.assert_array_equal(comparisons.quantiles(Replicated(rows), levels), expected)


@pytest.mark.parametrize("resamples", [1000, 2000, 9999, 10_000])
@pytest.mark.parametrize("places", [[0], [249, 250], [24, 25, -26, -25], [7, 480, 520, -1]])
def test_order_statistics_are_those_of_sorted_rows(resamples: int, places: list[int]) -> None:
    """Also where the first replicates mislead about the others, and where most are equal."""
    normal = np.random.default_rng(3).normal(size=(4, resamples))
    ascending = np.sort(normal[:1])
    shapes = {
        "normal": normal,
        "skewed": np.exp(3 * normal),
        "ascending": np.concatenate([normal, ascending]),
        "descending": np.concatenate([ascending[:, ::-1], normal]),
        "first all below": normal + 9 * (np.arange(resamples) >= resamples // 16),
        "ties": np.rint(5 * normal) / 5,
        "constant": np.concatenate([normal, np.zeros((1, resamples))]),
        "infinite": np.where(normal < 2.1, normal, np.inf),
    }
    wanted = [place % resamples for place in places]
    for name, rows in shapes.items():
        found = Replicated(rows).order_statistics(wanted)
        expected = np.sort(rows, axis=1).T[wanted]
        np.testing.assert_array_equal(found, expected, err_msg=name)
        size = len(rows)
        with np.errstate(invalid="ignore"):
            deviation = rows.std(axis=1)
            mean = rows.mean(axis=1)
        for moments in (
            (mean, deviation),
            (mean, np.zeros(size)),
            (np.full(size, -3.0), deviation),
            (np.full(size, 3.0), deviation),
            (mean, 9 * deviation),
        ):
            by_moments = Replicated(rows, moments).order_statistics(wanted)
            np.testing.assert_array_equal(by_moments, expected, err_msg=name)


def test_known_moments_save_the_search_where_tails_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a normal distribution, and of one that is a little skewed."""
    normal = np.random.default_rng(4).normal(size=(20, 10_000))
    rows = np.concatenate([normal, np.exp(0.1 * normal)])
    monkeypatch.setattr(distributions, "_limits", lambda *_: pytest.fail("searched"))
    moments = (rows.mean(axis=1), rows.std(axis=1))
    found = Replicated(rows, moments).order_statistics([249, 250, 9749, 9750])
    np.testing.assert_array_equal(found, np.sort(rows, axis=1).T[[249, 250, 9749, 9750]])


def test_standard_error_interval() -> None:
    low, high = comparisons.standard_error(np.array([0.7]), np.array([0.1]), 0.025)
    assert low[0] == pytest.approx(0.7 - 1.959963984540054 * 0.1, abs=1e-15)
    assert high[0] == pytest.approx(0.7 + 1.959963984540054 * 0.1, abs=1e-15)


@pytest.mark.parametrize("groups", [2, 5, 20, 1000])
def test_expanded_percentile(groups: int) -> None:
    tail = comparisons.tail_probability(0.95, groups)
    expected = np.sqrt(groups / (groups - 1)) * stats.t.ppf(0.025, groups - 1)
    # Quantiles are compared, because a tail as small as Φ(−18) enlarges an error of its quantile.
    assert stats.norm.ppf(tail) == pytest.approx(expected, rel=1e-10 + T_QUANTILE_ERROR)
    assert tail < comparisons.tail_probability(0.95) == pytest.approx(0.025)


@pytest.mark.parametrize("statistic", [np.mean, stats.gmean, np.max])
def test_bca_is_scipys_on_the_same_replicates(statistic: Any) -> None:
    sample = np.random.default_rng(1).gamma(1.5, size=40)
    rows = np.random.default_rng(2).integers(0, 40, size=(2000, 40))
    replicates = statistic(sample[rows], axis=1)
    jackknife = np.array([statistic(np.delete(sample, i)) for i in range(40)])
    found = comparisons.bca(replicates, statistic(sample), jackknife, 0.025)
    oracle = stats.bootstrap(
        (sample,),
        statistic,
        n_resamples=0,
        method="BCa",
        bootstrap_result=SimpleNamespace(bootstrap_distribution=replicates),
    ).confidence_interval
    assert found == pytest.approx((oracle.low, oracle.high), rel=1e-12)


@pytest.mark.parametrize("groups", [2, 3])
@pytest.mark.parametrize("confidence", [0.95, 0.99, 0.999])
def test_intervals_of_the_fewest_groups(groups: int, confidence: float) -> None:
    tail = comparisons.tail_probability(confidence, groups)
    replicates = np.linspace(0, 1, 101)
    for jackknife in (np.array([0.4, 0.6]), np.array([0.2, 0.5, 0.5]), np.array([0.8, 0.5, 0.5])):
        for observed in (0.3, 0.5, 0.7):
            found = comparisons.bca(replicates, observed, jackknife, tail)
            assert found is not None
            assert 0 <= found[0] <= observed <= found[1] <= 1
    low, high = comparisons.standard_error(np.array([0.5]), np.array([0.1]), tail)
    assert np.isfinite([low, high]).all()
    # A double holds 37 standard errors, of the 90 that two groups need at 99%.
    widened = np.sqrt(groups / (groups - 1)) * stats.t.isf((1 - confidence) / 2, groups - 1)
    assert (high - low)[0] == pytest.approx(2 * 0.1 * min(widened, 37.5), rel=0.01)


def test_bca_without_skewness_or_bias_is_the_percentile_interval() -> None:
    replicates = np.linspace(-1, 1, 1001)
    found = comparisons.bca(replicates, 0.0, np.array([-1.0, 0.0, 1.0, np.nan]), 0.025)
    assert found == pytest.approx((-0.95, 0.95), abs=1e-12)


def test_bca_does_not_exist_where_all_replicates_lie_on_one_side() -> None:
    assert comparisons.bca(np.array([0.5, 0.6]), 0.7, np.array([0.6, 0.7]), 0.025) is None


def test_bca_of_entries_but_not_of_differences() -> None:
    case = Case(answers(60, 3, 5), resamples=999)
    bca, percentile = case.analyze(interval="bca", jackknife=case.jackknife), case.analyze()
    assert bca.intervals.used == ("bca",) * 3
    for i in range(3):
        expected = comparisons.bca(
            case.values[:, i], case.observed[i], case.jackknife()[:, i], (1 - 0.95) / 2
        )
        assert (bca.intervals.low[i], bca.intervals.high[i]) == expected
    np.testing.assert_array_equal(bca.differences.low, percentile.differences.low)


def test_bca_falls_back_on_the_percentile_interval() -> None:
    scores = MetricScores(
        ACCURACY,
        ("a", "b"),
        np.array([0.8, 0.45]),
        made_replicates(np.array([[0.9, 0.4], [0.95, 0.5], [1.0, 0.45]])),
        n=30,
        jackknife=lambda: np.array([[0.8, 0.4], [0.7, 0.5]]),
    )
    evidence = analyze(scores, Question(interval="bca"))
    assert evidence.intervals.used == ("percentile", "bca")


@pytest.mark.parametrize(
    ("score", "trials", "expected"),
    # Closed form of Wilson 1927 at the ends: n/(n + z²) and z²/(n + z²).
    [(1.0, 20, (20 / 23.841458820694124, 1.0)), (0.0, 20, (0.0, 1 - 20 / 23.841458820694124))],
)
def test_wilson(score: float, trials: int, expected: Any) -> None:
    assert comparisons.wilson(score, trials, 0.95) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
@pytest.mark.parametrize(("successes", "trials"), [(0, 1), (1, 1), (7, 9), (35, 50), (2.5, 5)])
def test_wilson_as_statsmodels_has_it(successes: float, trials: int, confidence: float) -> None:
    found = comparisons.wilson(successes / trials, trials, confidence)
    oracle = proportion_confint(successes, trials, 1 - confidence, method="wilson")
    assert found == pytest.approx(oracle, abs=1e-14)
    assert (found[0] == 0, found[1] == 1) == (successes == 0, successes == trials)


def test_perfect_accuracy_has_a_wilson_interval_over_the_resampled_units() -> None:
    rows = Case(np.ones((24, 1), dtype=bool)).analyze()
    groups = Case(np.ones((24, 1), dtype=bool), groups=np.repeat(np.arange(6), 4)).analyze()
    assert rows.intervals.used == groups.intervals.used == ("wilson",)
    assert rows.intervals.low[0] == pytest.approx(24 / (24 + 3.841458820694124))
    assert groups.intervals.low[0] == pytest.approx(6 / (6 + 3.841458820694124))
