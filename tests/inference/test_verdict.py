"""The verdict: one record that nothing contradicts, and what it verifies."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from scipy import stats

from scoring_program.inference import analyze
from scoring_program.inference.basis import MetricScores
from scoring_program.inference.comparing.reliable import Reliability
from scoring_program.inference.evidence import Evidence, Question
from tests.arrays import made_metric, made_replicates
from tests.inference.cases import ERROR_RATE, Case, answers
from tests.inference.never_contradict import copies_share_a_record, never_contradicts
from tests.sweeps import swept


def case_of(shares: tuple[float, ...], n: int = 500, seed: int = 0, **about: object) -> Case:
    """Return entries that are right on these shares of the examples, alike where they can be."""
    rng = np.random.default_rng(seed)
    difficulty = rng.uniform(size=n)
    correct = np.array([0.6 * difficulty + 0.4 * rng.uniform(size=n) < share for share in shares]).T
    return Case(correct, seed=seed, resamples=999, **about)  # type: ignore[arg-type]


def scored(theta: list[float], covariance: np.ndarray, **about: object) -> MetricScores:
    """Return scores with normal replicates, as those of a large test set."""
    rng = np.random.default_rng(1)
    drawn = rng.multivariate_normal(theta, covariance, size=2000, method="cholesky")
    names = [f"team{i:03}" for i in range(len(theta))]
    about = {"n": 2000, **about}
    return MetricScores(
        made_metric("score", low=-math.inf, high=math.inf),
        names,
        np.array(theta),
        made_replicates(drawn),
        **about,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("rule", ["max_t", "holm", "bonferroni", "none", "interval", "fdr_bh"])
@pytest.mark.parametrize("seed", swept(range(6), fast=2))
def test_no_part_of_the_evidence_contradicts_another(rule: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    m = int(rng.integers(1, 9))
    shares = tuple(np.sort(rng.choice([0.3, 0.6, 0.65, 0.7, 0.72], m))[::-1])
    case = case_of(shares, int(rng.choice([25, 120, 600])), seed)
    if rng.uniform() < 0.3 and m > 1:
        case = replace(case, correct=np.c_[case.correct, case.correct[:, 0]])
    if rng.uniform() < 0.3:
        case = replace(case, metric=ERROR_RATE)
    for question in (
        {},
        {"prizes": 1},
        {"prizes": 2},
        {"prizes": 3},
        {"baselines": ("team000",)} if case.m > 1 else {},
        {"reference_entry": f"team{case.m - 1:03}"},
    ):
        evidence = case.analyze(tie_rule=rule, **question)
        never_contradicts(evidence)
        copies_share_a_record(evidence, [case.answers])


@pytest.mark.parametrize("seed", range(8))
def test_possible_winners_have_a_joint_rank_set_that_begins_at_1(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no pair is judged alone: who is below another for all pairs at once is so for D."""
    levels: list[np.ndarray] = []
    judged = Reliability.from_basis

    def watched(*given: Any) -> Reliability:
        found = judged(*given)
        levels.append(found.alpha)
        return found

    monkeypatch.setattr(Reliability, "from_basis", watched)
    rng = np.random.default_rng(seed)
    shares = tuple(rng.choice([0.5, 0.55, 0.6, 0.65, 0.7], 4 + seed))
    found = case_of(shares, [300, 900][seed % 2], seed).analyze(prizes=2)
    assert all((level == 0.05).all() for level in levels), "every pair is reliable"
    excluded = found.standing.joint_low > 1
    assert excluded.any() or seed % 2 == 0
    assert not (found.verdict.possible_winners & excluded).any()


def test_one_entry_has_no_rival() -> None:
    found = case_of((0.7,)).analyze()
    never_contradicts(found)
    assert found.verdict.withdrawn_because == "alone"
    assert found.distances is None


def verdict_of_two(advantage: float) -> Evidence:
    """Return the verdict on two independent entries, so many standard errors apart."""
    return analyze(scored([advantage, 0.0], np.eye(2) / 2), Question())


@pytest.mark.parametrize(("advantage", "kept", "verified"), [(1.5, 2, 0), (1.8, 1, 0), (2.2, 1, 1)])
def test_a_winner_is_verified_two_sided(advantage: float, kept: int, verified: bool) -> None:
    found = verdict_of_two(advantage)
    never_contradicts(found)
    assert found.verdict.possible_winners.sum() == kept
    assert found.verdict.verified == bool(verified)
    assert found.verdict.unverified_by == (None if verified else 1)


def test_a_winner_may_be_verified_although_more_could_be_the_best() -> None:
    """Against 59 rivals, algorithm D asks for more than against the one that is closest."""
    theta = [2.6, *[0.0] * 59]
    found = analyze(scored(theta, np.eye(60) / 2), Question())
    kept = analyze(scored(theta, np.eye(60) / 2), Question(tie_rule="holm"))
    never_contradicts(found)
    assert found.verdict.verified
    assert found.verdict.possible_winners.tolist() == [True, *[False] * 59]
    assert found.standing.tied["max_t"].sum() > 1
    assert kept.verdict.possible_winners.sum() > 1
    margin = 2.6 - NormalDist().inv_cdf(0.975)
    assert found.distances is not None
    assert found.distances.near[1] == pytest.approx(margin, abs=0.15)


def test_the_correction_for_few_units_may_decide_who_is_kept() -> None:
    """T = 1.75 is above 1.645, and T̃ of ten units below it."""
    for units, kept in ((10, 2), (2000, 1)):
        found = analyze(scored([1.75, 0.0], np.eye(2) / 2, n=units), Question())
        never_contradicts(found)
        assert found.verdict.possible_winners.sum() == kept


def test_a_noisy_entry_may_be_kept_below_one_that_is_not() -> None:
    """The third moves with the leader, and the fifth by itself."""
    covariance = np.diag([0.5, 0.5, 0.5, 0.5, 9.0])
    covariance[0, 2] = covariance[2, 0] = 0.495
    found = analyze(scored([3.0, 2.5, 2.0, -2.0, -2.5], covariance), Question(prizes=3))
    never_contradicts(found)
    assert found.verdict.possible_winners.tolist() == [True, True, False, False, True]
    assert found.standing.separated_from.tolist() == [-1, -1, 0, 0, -1]


def test_a_sole_winner_by_a_rule_that_is_no_confidence_set() -> None:
    found = analyze(scored([3.0, 0.0, -1.0], np.eye(3) / 2), Question(tie_rule="none"))
    never_contradicts(found)
    assert found.verdict.possible_winners.tolist() == [True, False, False]
    assert found.verdict.confidence is None
    assert not found.verdict.verified
    assert found.distances is None


def test_a_leader_that_is_always_right() -> None:
    found = case_of((1.0, 0.7, 0.5), 200).analyze()
    never_contradicts(found)
    assert found.scores.score[found.scores.leader] == 1
    assert found.verdict.verified
    assert found.verdict.uncorrected_because == "constant"


def test_a_baseline_that_is_ahead_takes_nothing_from_the_leader() -> None:
    case = case_of((0.9, 0.7, 0.5))
    found = case.analyze(baselines=("team000",))
    never_contradicts(found)
    assert found.verdict.leaders == (1,)
    assert found.verdict.verified
    assert found.verdict.possible_winners.tolist() == [False, True, False]


def test_tied_leaders_are_never_verified() -> None:
    found = analyze(scored([3.0, 3.0, 0.0], np.eye(3) / 2), Question())
    never_contradicts(found)
    assert found.verdict.leaders == (0, 1)
    assert not found.verdict.verified
    assert found.verdict.uncorrected_because == "shared"


def test_a_copy_of_the_leader_shares_its_verdict() -> None:
    case = case_of((0.8, 0.5, 0.5))
    case = replace(case, correct=case.correct[:, [0, 0, 1, 2]])
    found = case.analyze()
    never_contradicts(found)
    copies_share_a_record(found, [case.answers])
    assert found.verdict.possible_winners.tolist() == [True, True, False, False]
    assert found.distances is not None
    for values in (found.distances.near, found.distances.from_best):
        assert values[0] == values[1]


def test_entries_that_no_resample_tells_apart_may_have_different_records() -> None:
    """One differs from a third entry on ten examples, the other on fewer: no copies of each other.

    On two resamples, their difference happens to be 0 each time.
    """
    correct = answers(20, 5, 12, best=0.95)
    near_copies = correct[:, :2].copy()
    near_copies[:8] ^= True
    case = Case(np.column_stack([correct, near_copies]), seed=12, resamples=2)
    evidence = case.analyze()
    never_contradicts(evidence)
    copies_share_a_record(evidence, [case.answers])
    pairs, winners = evidence.pairs, evidence.verdict.possible_winners
    without_difference = (pairs.observed == 0) & (pairs.standard_error == 0)
    first = pairs.first[without_difference]
    second = pairs.second[without_difference]
    assert (winners[first] != winners[second]).any()


def test_copies_with_different_records_contradict_each_other() -> None:
    case = case_of((0.8, 0.5, 0.5))
    case = replace(case, correct=case.correct[:, [0, 0, 1, 2]])
    evidence = case.analyze()
    rank_high = evidence.standing.rank_high + np.array([0, 1, 0, 0])
    different = replace(evidence, standing=replace(evidence.standing, rank_high=rank_high))
    with pytest.raises(AssertionError):
        copies_share_a_record(different, [case.answers])


@pytest.mark.parametrize(("prizes", "verified"), [(2, True), (3, False), (5, False), (None, False)])
def test_the_first_places_are_verified_against_all_others(
    prizes: int | None, verified: bool
) -> None:
    theta = [6.2, 6.0, 3.0, 2.9, 0.0]
    found = analyze(scored(theta, np.eye(5) / 2), Question(prizes=prizes))
    never_contradicts(found)
    assert found.verdict.places == (prizes if verified else None)
    if verified:
        assert found.standing.better[:2, 2:].all()


def test_places_may_narrow_the_possible_winners() -> None:
    theta = [2.4, 2.4001, 0.0, *[-0.2] * 40]
    scores = scored(theta, np.eye(43) / 2)
    alone, found = (analyze(scores, Question(prizes=prizes)) for prizes in (None, 2))
    never_contradicts(found)
    assert found.verdict.places == 2
    assert alone.verdict.possible_winners.sum() > found.verdict.possible_winners.sum() == 2


def test_a_tie_across_the_border_of_the_places_is_not_settled() -> None:
    found = analyze(scored([9.0, 3.0, 3.0, 0.0], np.eye(4) / 2), Question(prizes=2))
    never_contradicts(found)
    assert found.verdict.places is None


def naive_prizes(found: Evidence, places: int) -> tuple[set[int], set[int]]:
    """Return who is sure of a prize, and who is out, from joint rank sets and what is verified."""
    verdict, standing = found.verdict, found.standing
    winners = set(np.flatnonzero(verdict.possible_winners).tolist())
    everyone = set(np.flatnonzero(standing.rank_low).tolist())
    if places == 1:
        return (winners if len(winners) == 1 else set()), everyone - winners
    if verdict.places is not None:
        first = set(sorted(everyone, key=lambda i: -found.scores.score[i])[:places])
        return first, everyone - first
    sure = {i for i in everyone if standing.joint_high[i] <= places}
    if len(winners) == 1:
        sure |= winners
    return sure, {i for i in everyone if standing.joint_low[i] > places} - winners


@pytest.mark.parametrize("places", [1, 2, 3, 5, 9])
@pytest.mark.parametrize(
    "theta",
    [
        [6.2, 6.0, 3.0, 2.9, 0.0],
        [9.0, 3.0, 3.0, 0.0, 0.0],
        [9.0, 8.0, 8.5, 0.0, 4.0],
        [0.3, 0.2, 0.1, 0.0, 0.0],
    ],
)
def test_prizes_follow_from_joint_rank_sets_and_what_is_verified(
    theta: list[float], places: int
) -> None:
    scores = scored(theta, np.eye(5) / 2)
    found, alone = (analyze(scores, Question(prizes=prizes)) for prizes in (places, None))
    never_contradicts(found)
    prizes = found.verdict.prizes
    assert prizes is not None
    assert prizes.sure is not None
    assert prizes.out is not None
    assert alone.verdict.prizes is None
    sure, out = naive_prizes(found, places)
    assert set(np.flatnonzero(prizes.sure)) == sure
    assert set(np.flatnonzero(prizes.out)) == out
    assert prizes.confidence == 0.95
    assert prizes.reason is None
    # Prizes only widen the places, unless they are verified, too.
    if found.verdict.places is None:
        assert (found.standing.rank_low <= alone.standing.rank_low).all()
        assert (found.standing.rank_high >= alone.standing.rank_high).all()


def test_some_teams_are_sure_of_a_prize_some_may_take_one_and_some_are_out() -> None:
    found = analyze(scored([12.0, 4.0, 3.9, 0.0, -9.0], np.eye(5) / 2), Question(prizes=2))
    never_contradicts(found)
    prizes = found.verdict.prizes
    assert prizes is not None
    assert prizes.sure is not None
    assert prizes.open is not None
    assert prizes.out is not None
    assert prizes.sure.tolist() == [True, False, False, False, False]
    assert prizes.open.tolist() == [False, True, True, False, False]
    assert prizes.out.tolist() == [False, False, False, True, True]


def test_nothing_is_settled_of_prizes_without_a_confidence() -> None:
    theta, covariance = [9.0, 3.0, 0.0], np.eye(3) / 2
    for rule in ("holm", "none"):
        found = analyze(scored(theta, covariance), Question(prizes=2, tie_rule=rule))
        never_contradicts(found)
        assert found.verdict.prizes is not None
        assert found.verdict.prizes.reason == "rule"
    groups = np.repeat(np.arange(8), 50)
    found = case_of((0.95, 0.4, 0.4), 400, groups=groups).analyze(effective_groups=8.0, prizes=2)
    never_contradicts(found)
    assert found.verdict.prizes is not None
    assert found.verdict.prizes.reason == "few_groups"


def test_a_serious_caution_withdraws_the_claims() -> None:
    """Fewer than 20 groups: the bootstrap is not to be trusted."""
    groups = np.repeat(np.arange(8), 50)
    case = case_of((0.95, 0.4, 0.4), 400, groups=groups)
    found = case.analyze(effective_groups=8.0)
    never_contradicts(found)
    assert found.verdict.withdrawn_because == "few_groups"
    assert found.verdict.confidence is None


def test_a_rule_that_is_no_confidence_set_claims_none() -> None:
    case = case_of((0.9, 0.5, 0.5))
    for rule, why in (("none", "rule"), ("interval", "rule"), ("fdr_bh", "rule"), ("holm", None)):
        found = case.analyze(tie_rule=rule)
        assert found.verdict.withdrawn_because == why
        assert not found.verdict.verified
        assert found.distances is None


def naive_bars(case: Case, found: Evidence) -> tuple[list[float], list[float]]:
    """The bars of reliable pairs by their definition, entry by entry."""
    theta, star, n = case.theta, case.star, case.n
    alpha, m = 0.05, case.m

    def se(i: int, j: int) -> float:
        return float(np.std(star[i] - star[j], ddof=1))

    def shrink(t: float) -> float:
        if t <= 0:
            return t
        return float(stats.norm.isf(stats.t.sf(t * math.sqrt((n - 1) / n), n - 1)))

    def unshrink(t: float) -> float:
        if t <= 0:
            return t
        return float(stats.t.isf(stats.norm.sf(t), n - 1)) * math.sqrt(n / (n - 1))

    critical, excluded = [], []
    for i in range(m):
        others = [j for j in range(m) if j != i]
        drawn = [
            max((star[j][b] - theta[j] - star[i][b] + theta[i]) / se(i, j) for j in others)
            for b in range(len(star[0]))
        ]
        c = max(sorted(drawn)[math.ceil((1 - alpha) * (len(drawn) + 1) - 1e-9) - 1], 0.0)
        critical.append(unshrink(c))
        excluded.append(any(shrink((theta[j] - theta[i]) / se(i, j)) > c for j in others))
    z = unshrink(NormalDist().inv_cdf(1 - alpha / 2))
    leader = int(np.argmax(theta))
    ahead = min(theta[leader] - theta[j] - z * se(leader, j) for j in range(m) if j != leader)
    winners = [leader] if ahead > 0 else [i for i in range(m) if not excluded[i]]
    near, far = [], []
    for i in range(m):
        others = [j for j in range(m) if j != i]
        end = max(theta[j] - theta[i] - critical[i] * se(i, j) for j in others)
        end = max(end, 0.0, ahead if ahead > 0 and i != leader else 0.0)
        near.append(0.0 if i in winners else end)
        ends = [theta[j] - theta[i] + critical[j] * se(i, j) for j in winners if j != i]
        far.append(max(near[-1], 0.0, *ends) if ends else 0.0)
    return near, far


@pytest.mark.parametrize("seed", range(4))
def test_bars_are_those_of_the_definition(seed: int) -> None:
    shares = [(0.7, 0.69, 0.66, 0.5), (0.8, 0.6, 0.6), (0.7, 0.7, 0.7, 0.7, 0.6), (0.75, 0.71)]
    case = case_of(shares[seed], 400, seed)
    found = case.analyze(studentized="never")
    near, far = naive_bars(case, found)
    assert found.distances is not None
    np.testing.assert_allclose(found.distances.near, near, atol=1e-7)
    np.testing.assert_allclose(found.distances.from_best, far, atol=1e-7)


@pytest.mark.full
def test_a_wrong_winner_is_rarely_verified() -> None:
    """A short version of the simulation: two equal leaders and many far behind; at most .05."""
    rng, wrong, fields = np.random.default_rng(3), 0, 400
    covariance = np.eye(6) / 2
    for _ in range(fields):
        theta = rng.multivariate_normal([0, 0, -9, -9, -9, -9], covariance)
        found = analyze(scored(theta.tolist(), covariance), Question())
        wrong += found.verdict.verified
    assert wrong / fields <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / fields)
