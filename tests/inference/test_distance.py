from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from scoring_program.inference.comparing import draws
from tests.arrays import T_QUANTILE_ERROR

from . import oracle
from .cases import CASES, Case, answers


@pytest.mark.parametrize("name", CASES)
def test_distances_are_the_formula(name: str) -> None:
    case = CASES[name]()
    evidence = case.analyze()
    judged = case.judged
    units, deviations = case.units or case.n, case.star - case.theta[:, None]
    family = judged.family()
    if case.m == 1:
        assert evidence.distances is None
        return
    kept = np.flatnonzero(evidence.verdict.possible_winners).tolist()
    level, correct = 0.05 / (2 * (case.m - 1)), case.correct
    for i in range(case.m):
        ends = [0.0]
        for j in set(kept) - {i}:
            rivals, alpha = [k for k in range(case.m) if k != j], judged.alpha_of(j)
            critical = oracle.critical_value(j, rivals, deviations, family, alpha)
            if critical > 0:  # back through the shrinkage
                p = stats.norm.sf(critical)
                critical = stats.t.isf(p, units - 1) * math.sqrt(units / (units - 1))
            if family[i, j] > 0:
                end = case.theta[j] - case.theta[i] + critical * family[i, j]
            else:  # judged alone
                only = int((correct[:, j] & ~correct[:, i]).sum())
                differ = int((correct[:, j] != correct[:, i]).sum())
                few = case.groups is None and differ < 10
                misses = case.n - only
                limit = stats.beta.ppf(1 - level, only + 1, misses) if misses else 1.0
                end = limit if few else math.inf
            ends.append(end)
        ends = ends if kept != [i] else [0.0]
        expected = max(*ends, evidence.distances.near[i])
        assert evidence.distances.from_best[i] == pytest.approx(
            expected, rel=1e-9 + T_QUANTILE_ERROR
        )


@pytest.mark.parametrize(("ours", "theirs"), [(9, 0), (8, 1)])
def test_the_least_distance_of_a_pair_judged_alone_is_that_of_the_exact_limit(
    ours: int, theirs: int
) -> None:
    """Two entries differ on nine examples, and McNemar's test at α/2 shows which is better."""
    right = np.repeat(np.random.default_rng(5).random((300, 1)) < 0.7, 2, axis=1)
    right[:9] = [[True, False]] * ours + [[False, True]] * theirs
    found = Case(right, resamples=399).analyze()
    assert found.distances is not None
    share = stats.binomtest(ours, 9, alternative="greater").proportion_ci(0.975).low
    assert found.distances.near[1] == pytest.approx((2 * share - 1) * 9 / 300, rel=1e-9)


def test_unshrunk_is_the_inverse_of_the_shrinkage() -> None:
    theta, errors = np.array([2.5, 0.0]), np.array([[0, 1.0], [1, 0]])
    shrunk = draws.studentize(theta, errors, 12)
    assert shrunk[0, 1] < 2.5
    np.testing.assert_allclose(draws.unshrunk(shrunk, 12), [[0, 2.5], [-2.5, 0]], rtol=1e-9)
    assert list(draws.unshrunk(np.array([math.inf, -math.inf]), 12)) == [math.inf, -math.inf]


def test_the_only_possible_winner_is_at_no_distance() -> None:
    correct = answers(300, 4, 3)
    correct[:, 0] = True
    evidence = Case(correct).analyze()
    assert list(evidence.verdict.possible_winners) == [True, False, False, False]
    assert evidence.distances.from_best[0] == 0
    assert (
        evidence.distances.from_best[1:] > evidence.scores.score[0] - evidence.scores.score[1:]
    ).all()


def test_a_baseline_has_no_distance_and_changes_none() -> None:
    case = Case(answers(100, 5, 2))
    found = case.analyze(baselines=("team001",)).distances.from_best
    kept = [0, 2, 3, 4]
    without = Case(case.correct[:, kept], names=tuple(case.labels[i] for i in kept)).analyze()
    assert np.isnan(found[1])
    np.testing.assert_allclose(found[kept], without.distances.from_best, rtol=1e-12)


def test_a_margin_marks_what_is_practically_best() -> None:
    case = Case(answers(400, 6, 1))
    assert case.analyze().distances.practically_best is None
    distance = case.analyze().distances.from_best
    found = case.analyze(margin=float(np.median(distance))).distances.practically_best
    assert found is not None
    assert list(found) == list(distance <= np.median(distance))
    assert 0 < found.sum() < 6
