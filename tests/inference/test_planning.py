from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from scoring_program.inference.analysis import MetricAnalysis
from scoring_program.inference.planning import LARGEST

from .cases import Case, answers


def mean_power(case: Case, analysis: MetricAnalysis, entry: int, examples: int, a: float) -> float:
    """The mean power over all replicates of the difference, by its definition."""
    effects = case.star[analysis.reference] - case.star[entry]
    effects = effects * np.sign(analysis.differences.observed[entry])
    effects = effects / analysis.differences.standard_error[entry]
    return float(stats.norm.cdf(math.sqrt(examples / case.n) * effects - stats.norm.isf(a)).mean())


@pytest.mark.parametrize(
    ("asked", "level"), [({}, 0.05 / 3), ({"reference_entry": "team002"}, 0.05 / 6)]
)
def test_examples_needed_give_the_mean_power_asked_for(asked: dict[str, str], level: float) -> None:
    """Against a reference fixed in advance the test is two-sided."""
    planned = 0
    for seed in range(6):
        case = Case(answers(200, 4, seed, best=0.8, worst=0.7), resamples=999)
        analysis = case.analyze(**asked)
        tied = analysis.tied_with_reference.copy()
        tied[analysis.reference] = False
        assert {plan.entry for plan in analysis.planning.pairs} == set(np.flatnonzero(tied))
        for plan in analysis.planning.pairs:
            assert plan.difference == analysis.differences.observed[plan.entry]
            assert plan.standard_error == analysis.differences.standard_error[plan.entry]
            if plan.examples_needed is None:
                largest = mean_power(case, analysis, plan.entry, LARGEST * case.n, level)
                assert largest < 0.8 + 2e-3
            else:
                planned += 1
                needed = mean_power(case, analysis, plan.entry, plan.examples_needed, level)
                assert needed == pytest.approx(0.8, abs=2e-3)
    assert planned > 2


def test_no_number_beyond_a_hundred_times_the_test_set() -> None:
    """A difference that half of the resamples reverse: no test set promises to find it."""
    correct = np.zeros((400, 2), dtype=bool)
    correct[:101, 0], correct[101:201, 1] = True, True
    (plan,) = Case(correct, resamples=999).analyze().planning.pairs
    assert plan.difference > 0
    assert plan.examples_needed is None


@pytest.mark.parametrize("tie_rule", ["max_t", "bonferroni", "interval"])
def test_what_is_tied_needs_more_examples_than_there_are(tie_rule: str) -> None:
    for seed in range(20):
        case = Case(answers(500, 5, seed, best=0.82, worst=0.76), resamples=999)
        plans = case.analyze(tie_rule=tie_rule).planning.pairs
        assert all(plan.examples_needed is None or plan.examples_needed > 500 for plan in plans)


def test_smallest_separable_difference_and_resolution() -> None:
    analysis = Case(answers(200, 2, 7), resamples=999).analyze(tie_rule="interval")
    error = analysis.differences.standard_error[1]
    assert analysis.planning.smallest_separable == pytest.approx(2.4864749 * error, rel=1e-6)
    close = Case(answers(200, 2, 6, best=0.8, worst=0.79), resamples=999).analyze()
    (plan,) = close.planning.pairs
    independent = math.hypot(*close.standard_error)
    assert plan.resolution == pytest.approx(plan.standard_error / independent)
    assert plan.resolution is not None
    assert plan.resolution < 1


def test_a_copy_can_never_be_separated() -> None:
    correct = answers(50, 2, 1)
    analysis = Case(np.column_stack([correct[:, 0], correct])).analyze()
    plan = analysis.planning.pairs[0]
    assert (plan.difference, plan.standard_error) == (0, 0)
    assert plan.examples_needed is None
    assert plan.resolution == 0


def test_nothing_to_plan_for_one_entry_or_without_variation() -> None:
    assert Case(answers(50, 1, 1)).analyze().planning.pairs == ()
    assert Case(answers(50, 1, 1)).analyze().planning.smallest_separable is None
    everything_right = Case(np.ones((20, 2), dtype=bool)).analyze().planning
    assert everything_right.pairs[0].resolution is None


def test_every_pair_has_its_resolution() -> None:
    analysis = Case(answers(200, 4, 8), resamples=999).analyze()
    pairs = analysis.pairs
    for k, (i, j) in enumerate(zip(pairs.better, pairs.worse, strict=True)):
        independent = math.hypot(analysis.standard_error[i], analysis.standard_error[j])
        assert pairs.resolution[k] == pytest.approx(pairs.standard_error[k] / independent)
