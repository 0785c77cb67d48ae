"""Random predictions with one enormous error are tied with nobody."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scoring_program.bootstrap.counts import draw_counts
from scoring_program.core.methods import TIE_RULES
from scoring_program.inference import MetricScores, analyze
from scoring_program.inference.analysis import MetricAnalysis
from scoring_program.inference.basis import Basis
from scoring_program.inference.outright import behind_outright
from scoring_program.settings.model import Settings
from tests.arrays import made_metric, made_replicates

MAE = made_metric("mae", kind="numbers", greater_is_better=False, ideal=0.0, high=np.inf)
N = 200


def scores_of(errors: np.ndarray, resamples: int) -> MetricScores:
    """Return the scores of entries with absolute errors [n, m]."""
    counts = draw_counts(np.random.default_rng(3), N, resamples)
    observed = errors.mean(axis=0)
    return MetricScores(
        MAE,
        [f"{i}" for i in range(errors.shape[1])],
        observed,
        made_replicates(counts @ errors / N),
        n=N,
        influence=lambda: (errors - observed) / N,
    )


def of(errors: np.ndarray, resamples: int = 2000, **settings: Any) -> MetricAnalysis:
    """Analyze entries with absolute errors [n, m]."""
    return analyze(scores_of(errors, resamples), Settings(**settings))


@pytest.fixture
def errors() -> np.ndarray:
    """Four good entries, and random predictions with one cell of a million."""
    rng = np.random.default_rng(1)
    made = np.abs(rng.normal(size=(N, 5)))
    made[:, 4] = np.abs(rng.normal(scale=5, size=N))
    made[0, 4] = 1e6
    return made


def test_an_enormous_error_buys_no_tie_under_any_rule(errors: np.ndarray) -> None:
    found = of(errors)
    for rule in TIE_RULES:
        assert not found.tied[rule][4], rule
        assert not of(errors, tie_rule=rule).tied_with_leader[4]
    assert (found.rank_low[4], found.rank_high[4]) == (5, 5)
    assert found.rank_high[:4].max() == 4
    assert found.separated_from[4] == found.leader
    assert found.distance[:4].max() < 1
    assert not [c for c in found.cautions if c.code == "enormous_errors"]


def test_it_changes_nothing_about_the_others_but_one_more_comparison(errors: np.ndarray) -> None:
    found, without = of(errors), of(errors[:, :4])
    np.testing.assert_array_equal(found.rank[:4], without.rank)
    np.testing.assert_array_equal(found.rank_low[:4], without.rank_low)
    np.testing.assert_array_equal(found.tied_with_leader[:4], without.tied_with_leader)


def test_a_reference_named_in_advance_is_not_tied_with_it_either(errors: np.ndarray) -> None:
    for name, other in (("0", 4), ("4", 0)):
        found = of(errors, reference_entry=name)
        assert not any(tied[other] for tied in found.tied.values())


def test_without_heavy_tails_the_rule_does_not_act(errors: np.ndarray) -> None:
    errors[0, 4] = 5.0
    errors[:, 4] = errors[:, 3] + 1e-3 * np.random.default_rng(0).uniform(0.5, 1.5, size=N)
    found = of(errors)  # behind on every resample, as max_t itself shows
    assert found.rank_low[4] > 1


def test_too_few_resamples_are_said(errors: np.ndarray) -> None:
    # 2·(5 − 1)/.05 = 160 resamples less one are needed.
    (caution,) = (c for c in of(errors, 158).cautions if c.code == "enormous_errors")
    assert (caution.level, caution.number) == ("amber", 159)
    assert not [c for c in of(errors, 159).cautions if c.code == "enormous_errors"]
    assert not of(errors, 159).tied["max_t"][4]
    assert of(errors, 158).tied["max_t"][4]


@pytest.mark.parametrize("tasks", [1, 4])
def test_the_rule_is_its_definition(tasks: int) -> None:
    """Tasks that decide together share the level."""
    rng = np.random.default_rng(5)
    errors = rng.lognormal(sigma=2, size=(N, 8)) * np.linspace(1, 4, 8)
    scores, settings = scores_of(errors, 4000), Settings(baselines=("7",))
    basis = Basis.of(scores, settings)
    found, star = behind_outright(basis, tasks), -scores.replicates.values
    expected = np.zeros((8, 8), dtype=bool)
    for i in range(8):
        for j in range(8):
            turned = sum(star[:, i] - star[:, j] <= 0)
            reached = (1 + turned) / 4001 <= 0.05 / (2 * tasks * 6)
            expected[i, j] = reached and basis.heavy_tailed[i, j]
    assert basis.heavy_tailed.any()
    assert 0 < expected.sum() < basis.heavy_tailed.sum() / 2
    np.testing.assert_array_equal(found, expected)
