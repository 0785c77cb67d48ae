"""The front of cost against score, beside a naive loop over resamples and pairs."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest
from scipy import stats

from scoring_program.inference import MetricScores, analyze
from scoring_program.inference.evidence import Evidence, Front, Question
from tests.arrays import made_metric, made_replicates
from tests.inference.never_contradict import never_contradicts

N, RESAMPLES, ALPHA = 400, 499, 0.05
MEAN = made_metric("mean", kind="numbers", ideal=None, low=-np.inf, high=np.inf, ratio_scale=False)
COST = replace(MEAN, greater_is_better=False)


def scores_of(values: np.ndarray, costs: np.ndarray | None, seed: int) -> MetricScores:
    """Return the means of values [N, m], and of costs [N, m], on the same resamples."""
    rows = np.random.default_rng(seed).integers(0, N, size=(RESAMPLES, N))
    names = [f"s{entry}" for entry in range(values.shape[1])]

    def of(numbers: np.ndarray, metric: object) -> MetricScores:
        drawn = made_replicates(numbers[rows].mean(axis=1))
        return MetricScores(metric, names, numbers.mean(axis=0), drawn, n=N)  # type: ignore[arg-type]

    scored = of(values, MEAN)
    return scored if costs is None else replace(scored, costs=of(costs, COST))


def front_of(scores: MetricScores, costs: list[float], **asked: object) -> Front:
    named = dict(zip(scores.names, costs, strict=True))
    question = Question(costs=named, studentized="never", **asked)  # type: ignore[arg-type]
    evidence = analyze(scores, question)
    never_contradicts(evidence)
    assert evidence.verdict.front is not None
    return evidence.verdict.front


def statistic(better: float, worse: float, error: float) -> float:
    """T̃, the difference in standard errors, as of a t distribution."""
    if better == worse:
        return 0.0
    if error == 0:
        return math.copysign(math.inf, better - worse)
    t = (better - worse) / error
    if t <= 0:
        return t
    tail = stats.t.sf(t * math.sqrt((N - 1) / N), N - 1)
    return -NormalDist().inv_cdf(float(tail))


def excluded(
    theta: np.ndarray, star: np.ndarray, costs: np.ndarray, drawn: np.ndarray | None
) -> set[int]:
    """Return who is off the front, one loop a sum; ``drawn`` [m, B] are costs on the resamples."""
    m = len(theta)
    off = set()
    for i in range(m):
        family = [j for j in range(m) if j != i and (drawn is not None or costs[j] <= costs[i])]
        behind = {j: float(np.std(star[j] - star[i], ddof=1)) for j in family}
        dearer = {} if drawn is None else {j: np.std(drawn[i] - drawn[j], ddof=1) for j in family}
        maxima = []
        for b in range(star.shape[1]):
            largest = -math.inf
            for j in family:
                draw = (star[j][b] - theta[j]) - (star[i][b] - theta[i])
                largest = max(largest, draw / behind[j])
                if drawn is not None:
                    draw = (drawn[i][b] - costs[i]) - (drawn[j][b] - costs[j])
                    largest = max(largest, draw / dearer[j])
            maxima.append(largest)
        place = math.ceil((1 - ALPHA) * (len(maxima) + 1) - 1e-9) - 1
        critical = max(sorted(maxima)[place], 0.0)
        for j in family:
            is_better = statistic(theta[j], theta[i], behind[j]) > critical
            is_cheaper = True
            if drawn is not None:
                is_cheaper = statistic(costs[i], costs[j], float(dearer[j])) > critical
            if is_better and is_cheaper:
                off.add(i)
    return off


def agrees(evidence: Evidence, off: set[int]) -> None:
    """Assert that the front is that of the loop, but for what the verdict says beyond it."""
    front, verdict = evidence.verdict.front, evidence.verdict
    assert front is not None
    assert front.on is not None
    expected = np.array([entry not in off for entry in range(front.on.size)])
    expected |= verdict.possible_winners
    if not front.measured:
        no_dearer = front.costs[:, None] <= front.costs
        expected &= ~(evidence.standing.better & no_dearer).any(axis=0)
    assert front.on.tolist() == expected.tolist()


@pytest.mark.parametrize("seed", range(6))
def test_fixed_costs_are_those_of_a_naive_loop(seed: int) -> None:
    rng = np.random.default_rng(seed)
    costs = rng.integers(1, 5, size=7).astype(float)  # some are equal
    values = rng.normal(size=(N, 7)) + rng.normal(size=(N, 1)) + rng.choice([-0.2, 0.0, 0.2], 7)
    scores = scores_of(values, None, seed)
    named = dict(zip(scores.names, costs.tolist(), strict=True))
    evidence = analyze(scores, Question(costs=named, studentized="never"))
    never_contradicts(evidence)
    off = excluded(scores.observed, scores.replicates.values.T, costs, None)
    assert 0 < len(off) < 6
    agrees(evidence, off)


@pytest.mark.parametrize("seed", range(6))
def test_measured_costs_are_those_of_a_naive_loop(seed: int) -> None:
    rng = np.random.default_rng(seed)
    levels = rng.uniform(1, 5, size=5)
    hard = rng.normal(size=(N, 1))
    costs = levels + hard + rng.normal(size=(N, 5))  # hard units cost more, and score less
    values = rng.normal(size=(N, 5)) - hard + rng.choice([0, 0.3], size=5)
    scores = scores_of(values, costs, seed)
    assert scores.costs is not None
    named = dict(zip(scores.names, scores.costs.observed.tolist(), strict=True))
    evidence = analyze(scores, Question(costs=named, studentized="never"))
    never_contradicts(evidence)
    means, drawn = scores.costs.observed, scores.costs.replicates.values.T
    agrees(evidence, excluded(scores.observed, scores.replicates.values.T, means, drawn))


def test_costs_that_never_vary_are_fixed_costs() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(size=(N, 5)) + np.array([0.0, 0.5, 0.1, 0.6, 0.2])
    costs = [1.0, 2.0, 3.0, 4.0, 4.0]
    fixed = front_of(scores_of(values, None, 1), costs)
    measured = front_of(scores_of(values, np.tile(costs, (N, 1)), 1), costs)
    assert fixed.on is not None
    assert measured.on is not None
    assert fixed.on.tolist() == measured.on.tolist()
    assert not fixed.on.all()


def shifted(*levels: float) -> np.ndarray:
    """Return values [N, m] with exactly these means, and independent noise."""
    noise = np.random.default_rng(5).normal(size=(N, len(levels)))
    return noise - noise.mean(axis=0) + levels


def test_whoever_is_worse_and_dearer_is_off_and_another_is_named() -> None:
    front = front_of(scores_of(shifted(0, 1, 0.5, 2), None, 1), [1, 2, 3, 4])
    assert front.on is not None
    assert front.excluded_by is not None
    assert front.on.tolist() == [True, True, False, True]
    assert front.excluded_by.tolist() == [-1, -1, 1, -1]


def test_the_cheapest_is_on_the_front_whatever_its_score() -> None:
    front = front_of(scores_of(shifted(-5, 1, 2), None, 1), [1, 2, 3])
    assert front.on is not None
    assert front.on.all()


def test_an_equal_score_at_a_lower_cost_excludes_nobody() -> None:
    values = shifted(1, 1, 1)
    values[:, 1] = values[:, 0]  # a copy, and one of an equal mean
    values[:, 2] += values[:, 0].mean() - values[:, 2].mean()
    front = front_of(scores_of(values, None, 1), [1, 2, 3])
    assert front.on is not None
    assert front.on.all()


def test_at_equal_costs_the_better_one_excludes() -> None:
    front = front_of(scores_of(shifted(0, 1), None, 1), [2, 2])
    assert front.on is not None
    assert front.on.tolist() == [False, True]


def test_a_dear_rival_lengthens_no_quantile() -> None:
    """Thirty dear entries leave a cheap pair as it is alone."""
    values = shifted(0.15, 0, *[-1.0] * 30)
    costs = [1.0, 2.0, *[9.0] * 30]
    both = scores_of(values, None, 1)
    question = Question(costs=dict(zip(both.names, costs, strict=True)), studentized="never")
    front = analyze(both, question).verdict.front
    assert front is not None
    assert front.on is not None
    critical = NormalDist().inv_cdf(1 - ALPHA)
    error = float(np.std(both.replicates.values[:, 0] - both.replicates.values[:, 1], ddof=1))
    assert critical < 0.15 / error < 2.5  # told apart alone, and not beside thirty others
    alone = front_of(scores_of(values[:, :2], None, 1), [1, 2])
    assert alone.on is not None
    # The pair decides alone; only a possible winner stays whatever it costs.
    winners = analyze(both, question).verdict.possible_winners
    assert front.on[1] == (alone.on[1] or winners[1])


@pytest.mark.parametrize("rule", ["holm", "interval"])
def test_another_tie_rule_says_nothing(rule: str) -> None:
    front = front_of(scores_of(shifted(0, 1), None, 1), [2, 2], tie_rule=rule)
    assert (front.on, front.excluded_by, front.confidence) == (None, None, None)
    assert front.reason == "rule"


def test_a_baseline_is_never_on_the_front_and_excludes_nobody() -> None:
    scores = scores_of(shifted(0, 1, 0.5), None, 1)
    question = Question(
        costs={"s0": 3.0, "s1": 1.0, "s2": 4.0}, baselines=("s1",), studentized="never"
    )
    evidence = analyze(scores, question)
    never_contradicts(evidence)
    front = evidence.verdict.front
    assert front is not None
    assert front.on is not None
    assert front.on.tolist() == [True, False, True]


def test_a_baseline_needs_no_cost() -> None:
    scores = scores_of(shifted(0, 1, 0.5), None, 1)
    question = Question(costs={"s0": 3.0, "s2": 4.0}, baselines=("s1",), studentized="never")
    evidence = analyze(scores, question)
    never_contradicts(evidence)
    front = evidence.verdict.front
    assert front is not None
    assert math.isnan(front.costs[1])


def test_possible_winners_are_on_the_front_although_a_cheaper_one_seems_better() -> None:
    """With few rivals that cost no more, the quantile is shorter than that of the verdict."""
    values = shifted(0.13, 0, *[0.05] * 20)
    scores = scores_of(values, None, 1)
    costs = [1.0, 2.0, *[9.0] * 20]
    evidence = analyze(
        scores, Question(costs=dict(zip(scores.names, costs, strict=True)), studentized="never")
    )
    never_contradicts(evidence)
    off = excluded(scores.observed, scores.replicates.values.T, np.array(costs), None)
    front, winners = evidence.verdict.front, evidence.verdict.possible_winners
    assert front is not None
    assert front.on is not None
    assert 1 in off
    assert winners[1]
    assert front.on[1]
