from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from scoring_program.inference import ranks

from . import oracle
from .cases import CASES, Case, answers


@pytest.mark.parametrize("name", CASES)
def test_distances_are_the_formula(name: str) -> None:
    case = CASES[name]()
    analysis = case.analyze()
    errors = oracle.errors(case.theta, case.star)
    units, deviations = case.units or case.n, case.star - case.theta[:, None]
    t = ranks.studentize(case.theta, errors, units)
    kept = [j for j, may in enumerate(oracle.algorithm_d(t, deviations, errors, 0.95)) if may]
    for i in range(case.m):
        ends = [0.0]
        for j in set(kept) - {i}:
            critical = oracle.critical_value(j, deviations, errors, 0.95)
            if critical > 0:  # back through the shrinkage
                p = stats.norm.sf(critical)
                critical = stats.t.isf(p, units - 1) * math.sqrt(units / (units - 1))
            width = critical * errors[i, j] if errors[i, j] > 0 else 0.0
            ends.append(case.theta[j] - case.theta[i] + width)
        assert analysis.distance[i] == pytest.approx(max(ends), rel=1e-9)


def test_unshrunk_is_the_inverse_of_the_shrinkage() -> None:
    theta, errors = np.array([2.5, 0.0]), np.array([[0, 1.0], [1, 0]])
    shrunk = ranks.studentize(theta, errors, 12)
    assert shrunk[0, 1] < 2.5
    np.testing.assert_allclose(ranks.unshrunk(shrunk, 12), [[0, 2.5], [-2.5, 0]], rtol=1e-9)
    assert list(ranks.unshrunk(np.array([math.inf, -math.inf]), 12)) == [math.inf, -math.inf]


def test_the_only_possible_winner_is_at_no_distance() -> None:
    correct = answers(300, 4, 3)
    correct[:, 0] = True
    analysis = Case(correct).analyze()
    assert list(analysis.tied_with_leader) == [True, False, False, False]
    assert analysis.distance[0] == 0
    assert (analysis.distance[1:] > analysis.score[0] - analysis.score[1:]).all()


def test_a_baseline_has_no_distance_and_changes_none() -> None:
    case = Case(answers(100, 5, 2))
    found = case.analyze(baselines=("team001",)).distance
    kept = [0, 2, 3, 4]
    without = Case(case.correct[:, kept], names=tuple(case.labels[i] for i in kept)).analyze()
    assert np.isnan(found[1])
    np.testing.assert_allclose(found[kept], without.distance, rtol=1e-12)


def test_a_margin_marks_what_is_practically_best() -> None:
    case = Case(answers(400, 6, 1))
    assert case.analyze().practically_best is None
    distance = case.analyze().distance
    found = case.analyze(margin=float(np.median(distance))).practically_best
    assert found is not None
    assert list(found) == list(distance <= np.median(distance))
    assert 0 < found.sum() < 6
