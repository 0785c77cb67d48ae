from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from scoring_program.inference.evidence import Evidence
from scoring_program.inference.planning import LARGEST
from scoring_program.pipeline import run
from tests.sweeps import swept

from .cases import Case, answers

EXAMPLE = Path(__file__).parents[2] / "example" / "input"


def mean_power(case: Case, evidence: Evidence, entry: int, examples: int, critical: float) -> float:
    """The mean power over all replicates of the difference, by its definition."""
    leader = evidence.scores.leader
    error = evidence.from_leader.standard_error[entry]
    powers = []
    for replicate in case.star[leader] - case.star[entry]:
        effect = math.sqrt(examples / case.n) * replicate / error
        powers.append(stats.norm.cdf(effect - critical) + stats.norm.cdf(-effect - critical))
    return float(np.mean(powers))


def max_t_critical(case: Case, first: int, second: int) -> float:
    """The larger quantile of the two entries' largest deficits, where no tail is shrunk away."""
    deviations = case.star - case.theta[:, None]
    quantiles = []
    for entry in (first, second):
        rivals = [other for other in range(len(deviations)) if other != entry]
        draws = [deviations[other] - deviations[entry] for other in rivals]
        maxima = np.sort(np.max([draw / draw.std(ddof=1) for draw in draws], axis=0))
        quantiles.append(maxima[math.ceil(0.95 * (maxima.size + 1)) - 1])
    largest = stats.t.isf(stats.norm.sf(max(quantiles)), case.n - 1)
    return float(largest * math.sqrt(case.n / (case.n - 1)))


@pytest.mark.parametrize(
    ("asked", "level"),
    swept(
        [
            ({}, None),
            ({"reference_entry": "team002"}, None),
            ({"tie_rule": "none"}, 0.05),
            ({"tie_rule": "interval"}, 0.05 / 2),
            ({"tie_rule": "holm"}, 0.05 / 3),
            ({"tie_rule": "bonferroni"}, 0.05 / 3),
            ({"reference_entry": "team002", "tie_rule": "holm"}, 0.05 / 3),
        ],
        fast=2,
    ),
)
def test_examples_needed_settle_the_pair_with_the_mean_power_asked_for(
    asked: dict[str, str], level: float | None
) -> None:
    """Whoever is ahead, by the rule's critical value; of the leader, whatever the reference is."""
    planned = 0
    for seed in range(4):
        case = Case(answers(200, 4, seed, best=0.8, worst=0.7), resamples=999)
        evidence = case.analyze(**asked)
        tied = evidence.verdict.possible_winners.copy()
        leader = evidence.scores.leader
        tied[leader] = False
        assert {plan.entry for plan in evidence.plan} == set(np.flatnonzero(tied))
        for plan in evidence.plan:
            if level is None:
                critical = max_t_critical(case, leader, plan.entry)
            else:
                critical = float(stats.norm.isf(level))
            assert plan.difference == evidence.from_leader.observed[plan.entry]
            assert plan.standard_error == evidence.from_leader.standard_error[plan.entry]
            ahead = case.star[plan.entry] - case.star[leader] > 1e-9
            assert plan.other_ahead == pytest.approx(ahead.mean())
            if plan.examples_needed is None:
                largest = mean_power(case, evidence, plan.entry, LARGEST * case.n, critical)
                assert largest < 0.8 + 2e-3
            else:
                planned += 1
                needed = mean_power(case, evidence, plan.entry, plan.examples_needed, critical)
                assert needed == pytest.approx(0.8, abs=2e-3)
    assert planned > 2


def two_right(first: int, second: int, n: int = 400) -> Case:
    """Two entries that are right on examples of their own: so many of ``n``."""
    correct = np.zeros((n, 2), dtype=bool)
    correct[:first, 0], correct[first : first + second, 1] = True, True
    return Case(correct, resamples=9999)


def test_a_difference_that_half_of_the_resamples_reverse_is_settled_either_way() -> None:
    """z is about 0: Φ(c/√(f + 1)) = .6 for c = 1.645, so f = 41 times the test set."""
    case = two_right(101, 100)
    (plan,) = case.analyze(tie_rule="none").plan
    assert plan.difference > 0
    assert plan.other_ahead == pytest.approx(0.46, abs=0.05)
    assert plan.examples_needed == pytest.approx(41 * 400, rel=0.1)


def test_the_closest_pair_of_the_example_is_settled_at_about_39_times_the_test_set() -> None:
    """Counting only the resamples that confirm the leader, not even 100 times would do."""
    evaluation, _ = run(EXAMPLE)
    evidence = evaluation.findings.evidence[0]
    (closest, _) = evidence.plan
    assert evidence.names[closest.entry] == "CIMATMTYGTO"
    assert closest.examples_needed == pytest.approx(39 * 2182, rel=0.1)
    assert closest.other_ahead == pytest.approx(0.16, abs=0.02)


def test_leaders_that_share_the_first_place_can_be_settled() -> None:
    (plan,) = two_right(100, 100).analyze(tie_rule="none").plan
    assert plan.difference == 0
    assert plan.examples_needed == pytest.approx(41 * 400, rel=0.1)


def test_no_number_beyond_a_hundred_times_the_test_set() -> None:
    """Sixty equal entries: c is above 2.6, so that no hundred test sets settle a pair."""
    correct = np.tile(np.eye(60, dtype=bool), (20, 1))
    evidence = Case(correct, resamples=999).analyze(tie_rule="bonferroni")
    assert len(evidence.plan) == 59
    assert {plan.examples_needed for plan in evidence.plan} == {None}


def test_a_verified_winner_needs_no_plan() -> None:
    """Nobody else is a possible winner, although algorithm D alone would keep many."""
    rng = np.random.default_rng(3)
    right = np.arange(2000)[:, None] < np.array([1467, *[1400] * 29])
    correct = rng.permuted(right, axis=0)
    evidence = Case(correct, resamples=999).analyze()
    assert evidence.standing.tied["max_t"].sum() > 1
    assert evidence.verdict.verified
    assert evidence.plan == ()


def test_a_pair_that_is_judged_alone_is_planned_at_its_own_level() -> None:
    """Two entries that differ on 8 examples are in no family of the other's."""
    rng = np.random.default_rng(5)
    first = rng.random(400) < 0.8
    near = first.copy()
    near[np.flatnonzero(first)[:5]], near[np.flatnonzero(~first)[:3]] = False, True
    case = Case(np.column_stack([first, near, rng.random((400, 2)) < 0.6]), resamples=999)
    evidence = case.analyze()
    (plan,) = evidence.plan
    critical = float(stats.norm.isf(0.05 / 6))
    assert plan.examples_needed is not None
    needed = mean_power(case, evidence, 1, plan.examples_needed, critical)
    assert needed == pytest.approx(0.8, abs=5e-3)


@pytest.mark.parametrize("tie_rule", swept(["max_t", "bonferroni", "interval"]))
def test_what_is_tied_needs_more_examples_than_there_are(tie_rule: str) -> None:
    for seed in range(20):
        case = Case(answers(500, 5, seed, best=0.82, worst=0.76), resamples=999)
        plans = case.analyze(tie_rule=tie_rule).plan
        assert all(plan.examples_needed is None or plan.examples_needed > 500 for plan in plans)


def test_smallest_separable_difference_and_resolution() -> None:
    for rule, critical in (("none", 1.6448536), ("interval", 1.9599640)):
        evidence = Case(answers(200, 2, 7), resamples=999).analyze(tie_rule=rule)
        least = (critical + 0.8416212) * evidence.differences.standard_error[1]
        assert evidence.smallest_separable == pytest.approx(least, rel=1e-6)
    close = Case(answers(200, 2, 6, best=0.8, worst=0.79), resamples=999).analyze()
    (plan,) = close.plan
    independent = math.hypot(*close.intervals.standard_error)
    assert plan.resolution == pytest.approx(plan.standard_error / independent)
    assert plan.resolution is not None
    assert plan.resolution < 1


def test_a_copy_can_never_be_separated() -> None:
    correct = answers(50, 2, 1)
    evidence = Case(np.column_stack([correct[:, 0], correct])).analyze()
    plan = evidence.plan[0]
    assert (plan.difference, plan.standard_error) == (0, 0)
    assert plan.examples_needed is None
    assert plan.resolution == 0


def test_nothing_to_plan_for_one_entry_or_without_variation() -> None:
    assert Case(answers(50, 1, 1)).analyze().plan == ()
    assert Case(answers(50, 1, 1)).analyze().smallest_separable is None
    everything_right = Case(np.ones((20, 2), dtype=bool)).analyze().plan
    assert everything_right[0].resolution is None


def test_every_pair_has_its_resolution() -> None:
    evidence = Case(answers(200, 4, 8), resamples=999).analyze()
    pairs = evidence.pairs
    for k, (i, j) in enumerate(zip(pairs.better, pairs.worse, strict=True)):
        independent = math.hypot(
            evidence.intervals.standard_error[i], evidence.intervals.standard_error[j]
        )
        assert pairs.resolution[k] == pytest.approx(pairs.standard_error[k] / independent)
