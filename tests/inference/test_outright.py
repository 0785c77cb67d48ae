"""Random predictions with one enormous error are tied with nobody."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import scoring_program as dh
from scoring_program import compare_scores
from scoring_program.bootstrap.design import draw_counts
from scoring_program.core.methods import TIE_RULES
from scoring_program.inference import MetricScores, analyze
from scoring_program.inference.basis import Basis
from scoring_program.inference.comparing.reliable import behind_outright, level_alone
from scoring_program.inference.evidence import Evidence, Question
from scoring_program.metrics import Metric, resolve
from scoring_program.settings.checks import MetricSpec
from tests.arrays import made_metric, made_replicates
from tests.competitions import told

MAE = made_metric("mae", kind="numbers", greater_is_better=False, ideal=0.0, high=np.inf)
N = 200


def _unbounded(**facts: Any) -> Metric:
    """Return a metric of which nobody says what its scores mean."""
    return made_metric("own", low=-np.inf, high=np.inf, ratio_scale=False, **facts)


def scores_of(errors: np.ndarray, resamples: int, metric: Metric = MAE) -> MetricScores:
    """Return the scores of entries with absolute errors [n, m]."""
    counts = draw_counts(np.random.default_rng(3), N, resamples)
    observed = errors.mean(axis=0)
    return MetricScores(
        metric,
        [f"{i}" for i in range(errors.shape[1])],
        observed,
        made_replicates(counts @ errors / N),
        n=N,
        influence=lambda: (errors - observed) / N,
    )


def of(errors: np.ndarray, resamples: int = 2000, **settings: Any) -> Evidence:
    """Analyze entries with absolute errors [n, m]."""
    return analyze(scores_of(errors, resamples), Question(**settings))


@pytest.fixture
def errors() -> np.ndarray:
    """Four good entries, and random predictions with one cell of a million."""
    rng = np.random.default_rng(1)
    made = np.abs(rng.normal(size=(N, 5)))
    made[:, 4] = np.abs(rng.normal(scale=5, size=N))
    made[0, 4] = 1e6
    return made


def far_winners(found: Evidence) -> list[str]:
    return [told([one.sentence])[0] for one in found.cautions if one.code == "far_winner"]


def test_a_possible_winner_that_scores_far_worse_is_named_with_both_numbers() -> None:
    """On a third of the resamples its single enormous error is not drawn, so it is tied."""
    errors = np.abs(np.random.default_rng(1).normal(size=(N, 4)))
    assert far_winners(of(errors)) == []
    errors[:, 1] = errors[:, 0]
    errors[0, 1] = 1e5
    found = of(errors)
    assert found.verdict.possible_winners[1]
    leader = found.scores.leader
    (said,) = far_winners(found)
    assert said == (
        f"1 ({found.scores.score[1]:.4g}) may be as good as the leader, {leader} "
        f"({found.scores.score[leader]:.4g}), or better by mae, although its score is far worse: a "
        "few examples decide the difference, so no test excludes it. Look at these examples before "
        "you name winners."
    )


def test_that_a_few_examples_decide_is_said_of_heavy_tails_only() -> None:
    """Errors that are as large on all examples leave a score as uncertain."""
    rng = np.random.default_rng(2)
    errors = 100 + rng.normal(size=(N, 7))
    noise = rng.normal(size=N)
    errors[:, 0] += 2000 * (noise - noise.mean()) + 150
    found = of(errors)
    assert found.verdict.possible_winners[0]
    (said,) = far_winners(found)
    assert "although its score is far worse: it is so uncertain that no test excludes it." in said


@pytest.mark.parametrize("better", [False, True])
def test_where_units_are_negative_no_ratio_tells(better: bool) -> None:
    """Of values around zero, a mean may be many times another one, and says nothing."""
    units = np.random.default_rng(0).normal(size=(N, 3))
    units += np.array([0.002, 0.2, 0.2]) - units.mean(axis=0)  # the means
    metric = _unbounded(greater_is_better=better)
    found = analyze(scores_of(units, 2000, metric), Question(tie_rule="none", confidence=0.9999))
    assert found.verdict.possible_winners.all()
    assert far_winners(found) == []


@pytest.mark.parametrize("better", [False, True])
def test_a_table_of_scores_around_zero_has_no_far_winner(better: bool) -> None:
    units = np.random.default_rng(0).normal(size=(N, 3))
    units += np.array([0.002, 0.02, 0.02]) - units.mean(axis=0)
    systems = {f"{k}": units[:, k] for k in range(3)}
    compared = compare_scores(systems, greater_is_better=better, resamples=200)
    assert len(compared.possible_winners) == 3
    assert "far_winner" not in {warning.code for warning in compared.warnings}


def test_a_table_of_errors_above_zero_may_have_a_far_winner() -> None:
    units = np.abs(np.random.default_rng(1).normal(size=(N, 3)))
    units[:, 1] = units[:, 0]
    units[0, 1] = 1e5
    systems = {f"{k}": units[:, k] for k in range(3)}
    compared = compare_scores(systems, greater_is_better=False, resamples=2000)
    assert "far_winner" in {warning.code for warning in compared.warnings}


@pytest.mark.parametrize(("teams", "named"), [(5, 0), (7, 1)])
def test_a_possible_winner_outside_the_field_is_named_where_no_ratio_tells(
    teams: int, named: int
) -> None:
    """Scores around 100 in a field of at least six: what counts is their spread."""
    errors = 100 + np.random.default_rng(2).normal(size=(N, teams))
    errors[0, 0] += 2e4
    found = of(errors)
    assert found.verdict.possible_winners[0]
    assert len(far_winners(found)) == named


@pytest.mark.parametrize(
    ("metric", "named"),
    [
        (resolve([MetricSpec("ter", "ter")], None)[0], 1),
        (_unbounded(greater_is_better=False), 1),
        (_unbounded(), 0),
    ],
)
def test_an_error_is_compared_by_its_ratio_also_where_it_has_no_bounds(
    metric: Metric, named: int
) -> None:
    errors = np.abs(np.random.default_rng(1).normal(size=(N, 3)))
    errors[:, 1] = errors[:, 0]
    errors[0, 1] = 1e5
    sign = 1 if not metric.greater_is_better else -1
    found = analyze(scores_of(sign * errors, 2000, metric), Question())
    assert found.verdict.possible_winners[1]
    assert len(far_winners(found)) == named


@pytest.mark.parametrize(("lowest", "told_far"), [(0.1, True), (0.0, True), (-0.1, False)])
def test_no_score_is_so_many_times_another_where_a_unit_scores_less_than_nothing(
    lowest: float, told_far: bool
) -> None:
    """Three of 40 units put a system first; a mean of rewards is near zero by chance."""
    gains = np.full((40, 4), 0.1)
    gains[:3, 0] = 50
    gains[5, 1] = lowest
    found = dh.compare_scores(
        {f"{system}": column for system, column in enumerate(gains.T)},
        greater_is_better=True,
        resamples=999,
    )
    assert len(found.possible_winners) == 4
    assert ("far_winner" in [one.code for one in found.warnings]) == told_far


def test_an_enormous_error_buys_no_tie_under_any_rule(errors: np.ndarray) -> None:
    found = of(errors)
    for rule in TIE_RULES:
        assert not found.standing.tied[rule][4], rule
        assert not of(errors, tie_rule=rule).verdict.possible_winners[4]
    assert (found.standing.rank_low[4], found.standing.rank_high[4]) == (5, 5)
    assert found.standing.rank_high[:4].max() == 4
    assert found.standing.separated_from[4] == found.scores.leader
    assert found.distances.from_best[:4].max() < 1
    assert not [c for c in found.cautions if c.code == "enormous_errors"]


def test_it_changes_nothing_about_the_others_but_one_more_comparison(errors: np.ndarray) -> None:
    """The comparison with it takes its share of the level, an eighth of it."""
    found, without = of(errors), of(errors[:, :4], confidence=1 - 0.05 * 7 / 8)
    np.testing.assert_array_equal(found.scores.rank[:4], without.scores.rank)
    np.testing.assert_array_equal(found.standing.rank_low[:4], without.standing.rank_low)
    np.testing.assert_array_equal(
        found.verdict.possible_winners[:4], without.verdict.possible_winners
    )


def test_a_reference_named_in_advance_is_not_tied_with_it_either(errors: np.ndarray) -> None:
    for name, other in (("0", 4), ("4", 0)):
        found = of(errors, reference_entry=name)
        assert not any(tied[other] for tied in found.standing.tied.values())


def test_without_heavy_tails_the_rule_does_not_act(errors: np.ndarray) -> None:
    errors[0, 4] = 5.0
    errors[:, 4] = errors[:, 3] + 1e-3 * np.random.default_rng(0).uniform(0.5, 1.5, size=N)
    found = of(errors)  # behind on every resample, as max_t itself shows
    assert found.standing.rank_low[4] > 1


def test_too_few_resamples_are_said(errors: np.ndarray) -> None:
    # 1/(B + 1) must be below .05/(2·(5 − 1)) = 1/160.
    (caution,) = (c for c in of(errors, 159).cautions if c.code == "enormous_errors")
    assert (caution.level, caution.number) == ("amber", 160)
    assert not [c for c in of(errors, 160).cautions if c.code == "enormous_errors"]
    assert not of(errors, 160).standing.tied["max_t"][4]
    assert of(errors, 159).standing.tied["max_t"][4]


@pytest.mark.parametrize("tasks", [1, 4])
def test_the_rule_is_its_definition(tasks: int) -> None:
    """Tasks that decide together share the level."""
    rng = np.random.default_rng(5)
    errors = rng.lognormal(sigma=2, size=(N, 8)) * np.linspace(1, 4, 8)
    scores, settings = scores_of(errors, 4000), Question(baselines=("7",))
    basis = Basis.from_scores(scores, settings)
    found, star = (
        behind_outright(basis, basis.heavy_tailed, level_alone(basis, tasks)),
        -scores.replicates.values,
    )
    expected = np.zeros((8, 8), dtype=bool)
    for i in range(8):
        for j in range(8):
            turned = sum(star[:, i] - star[:, j] <= 0)
            reached = (1 + turned) / 4001 < 0.05 / (2 * tasks * 6)
            expected[i, j] = reached and basis.heavy_tailed[i, j]
    assert basis.heavy_tailed.any()
    assert 0 < expected.sum() < basis.heavy_tailed.sum() / 2
    np.testing.assert_array_equal(found, expected)
