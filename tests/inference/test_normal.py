"""Variances of crossed groups, by loops, and draws that have them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from scoring_program.inference import analyze
from scoring_program.inference.basis import MetricScores, drawn_normally
from scoring_program.inference.evidence import Evidence, Question
from scoring_program.inference.normal import FOLDS, NormalDraws
from tests.arrays import made_metric, made_replicates
from tests.inference.never_contradict import never_contradicts


def lines(n: int = 60, m: int = 3, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return influence values [n, m], and the prompt and the judge of every line."""
    rng = np.random.default_rng(seed)
    influence = rng.normal(size=(n, m)) / n
    return influence, np.arange(n) % 12, rng.permutation(np.arange(n) % 5)


def by_loops(influence: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """The one-way variance: G/(G − 1) times the squares of the groups' sums."""
    m, count = influence.shape[1], len(set(groups.tolist()))
    variance = np.zeros((m, m))
    for group in set(groups.tolist()):
        total = np.zeros(m)
        for line in range(len(influence)):
            if groups[line] == group:
                total += influence[line]
        variance += np.outer(total, total)
    return variance * count / (count - 1)


def of_pair(variance: np.ndarray, i: int, j: int) -> float:
    return float(variance[i, i] + variance[j, j] - 2 * variance[i, j])


def test_the_variance_of_crossed_groups_is_made_of_three_one_way_variances() -> None:
    influence, prompts, judges = lines()
    found = NormalDraws.of_crossed_groups(influence, (prompts, judges))
    of_prompts, of_judges = by_loops(influence, prompts), by_loops(influence, judges)
    expected = of_prompts + of_judges - by_loops(influence, np.arange(len(influence)))
    np.testing.assert_allclose(found.covariance, expected)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        candidates = (of_pair(of, i, j) for of in (expected, of_prompts, of_judges))
        assert found.errors[i, j] == pytest.approx(math.sqrt(max(candidates)))
        assert found.errors[j, i] == found.errors[i, j]
    # Twelve judges with unequal numbers of lines: (Σ n)² / Σ n² of the fewer in effect.
    sizes = np.array([np.count_nonzero(judges == judge) for judge in range(5)])
    np.testing.assert_allclose(found.freedom, sizes.sum() ** 2 / (sizes**2).sum() - 1)


def test_draws_have_the_variance_and_identical_entries_the_same_draws() -> None:
    influence, prompts, judges = lines(m=2)
    influence = influence[:, [0, 1, 0]]
    normal = NormalDraws.of_crossed_groups(influence, (prompts, judges))
    drawn = normal.replicates(np.array([1.0, 2.0, 1.0]), 200_000, 4, np.ones(3, np.bool_))
    eigenvalues, vectors = np.linalg.eigh(normal.covariance)
    clipped = (vectors * np.maximum(eigenvalues, 0)) @ vectors.T
    np.testing.assert_allclose(np.cov(drawn, rowvar=False), clipped, atol=0.02 * clipped.max())
    np.testing.assert_allclose(drawn[:, 0], drawn[:, 2], atol=1e-12)
    assert normal.errors[0, 2] == 0


def judged(
    advantage: float, freedom: float, wide: float = 1.0, groups: int | None = None
) -> Evidence:
    """Return the evidence on two entries whose difference has the standard error ``wide``.

    That of its draws is 1.
    """
    covariance = np.eye(2) / 2
    variances = np.where(np.eye(2), covariance, wide**2)
    scores = MetricScores(
        made_metric("score", low=-math.inf, high=math.inf),
        ["A", "B"],
        np.array([advantage, 0.0]),
        made_replicates(np.zeros((20_000, 2))),
        n=500,
        groups=groups,
    )
    normal = NormalDraws(FOLDS, covariance, variances, np.full((2, 2), freedom))
    found = analyze(drawn_normally(scores, normal, 0, np.ones(2, np.bool_)), Question())
    never_contradicts(found)
    return found


@pytest.mark.parametrize("freedom", [3.0, 7.5, 40.0])
@pytest.mark.parametrize("wide", [1.0, 1.6])
def test_tests_take_the_t_distribution_and_the_wider_error(freedom: float, wide: float) -> None:
    one_sided, two_sided = (wide * stats.t.isf(tail, freedom) for tail in (0.05, 0.025))
    for factor in (0.95, 1.05):
        found = judged(factor * one_sided, freedom, wide)
        assert found.verdict.possible_winners[1] == (factor < 1)
        assert not found.verdict.verified
    for factor in (0.97, 1.03):
        assert judged(factor * two_sided, freedom, wide).verdict.verified == (factor > 1)
    # A bar ends where the one-sided test does: δ − t·error.
    found = judged(2 * two_sided, freedom, wide)
    assert found.distances is not None
    assert found.distances.near[1] == pytest.approx(2 * two_sided - one_sided, rel=0.03)


@pytest.mark.parametrize("groups", [None, 25])
def test_an_interval_takes_the_t_distribution(groups: int | None) -> None:
    """Groups do not widen it once more: the degrees of freedom know of them."""
    found = judged(0.0, 4.0, groups=groups)
    assert found.intervals is not None
    half = stats.t.isf(0.025, 4) * math.sqrt(0.5)
    assert found.intervals.low[0] == pytest.approx(-half)
    assert found.intervals.high[0] == pytest.approx(half)
    assert found.pairs is not None
    assert found.pairs.high[0] == pytest.approx(stats.t.isf(0.025, 4))
