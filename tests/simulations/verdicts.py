"""The verdict: winners and places that are verified, bars, and the leader's corrected score.

Where a claim is about a rule, scores are normal with a known covariance, and so are the draws; the
bootstrap of examples comes beside it. True scores are in standard errors of one score.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from statistics import NormalDist
from unittest import mock

import numpy as np

from scoring_program.inference import MetricScores, analyze
from scoring_program.inference.comparing import corrected as corrected_module
from scoring_program.inference.comparing.corrected import hybrid
from scoring_program.inference.comparing.standing import Contest
from scoring_program.inference.evidence import Evidence, Question
from tests.arrays import made_replicates

from . import families, scales
from .simulate import ALPHA, MEAN

#: So far behind that an entry never comes first.
FAR = -12.0
M = 10
#: Of the plain interval's length: a shorter corrected one is not given.
_SHORT = corrected_module.SHORT
Z = NormalDist().inv_cdf(1 - ALPHA / 2)


@dataclass(frozen=True)
class Scores:
    """Normal scores: their true values [m], and a factor [m, f] of their covariance."""

    truth: np.ndarray
    factor: np.ndarray

    def deviations(self, rng: np.random.Generator, size: int) -> np.ndarray:
        return rng.normal(size=(size, self.factor.shape[1])) @ self.factor.T

    def draw(self, rng: np.random.Generator, resamples: int) -> MetricScores:
        observed = self.truth + self.deviations(rng, 1)[0]
        values = made_replicates(observed + self.deviations(rng, resamples))
        return MetricScores(MEAN, [f"{i:03}" for i in range(observed.size)], observed, values, 2000)


def two_equal(m: int = M, spread: float = 1.0) -> Scores:
    """Two equal entries, the second with ``spread`` as large a standard error; others are far."""
    return Scores(np.array([0.0, 0.0, *[FAR] * (m - 2)]), np.diag([1.0, spread, *[1.0] * (m - 2)]))


def border(places: int = 2, m: int = M, spread: float = 1.0, ahead: float = 0.0) -> Scores:
    """The last of the first places is ``ahead`` of one rival by so many standard errors.

    That rival has ``spread`` as large a standard error; the others are far on either side.
    """
    error, far = np.sqrt(1 + spread**2), FAR * spread
    inside = [-far] * (places - 1) + [ahead * error]
    spreads = [*[1.0] * places, spread, *[1.0] * (m - places - 1)]
    return Scores(np.array([*inside, 0.0, *[far] * (m - places - 1)]), np.diag(spreads))


def level(m: int = M) -> Scores:
    """Equal and independent entries."""
    return Scores(np.zeros(m), np.eye(m))


def graded(m: int = M) -> Scores:
    """Entries a third of a standard error apart."""
    return Scores(-np.arange(m) / 3, np.eye(m))


def behind(ahead: float, near: int, m: int) -> Scores:
    """One best entry, ``near`` others so many standard errors of the difference behind, or far."""
    truth = np.append(ahead * np.sqrt(2), np.where(np.arange(1, m) <= near, 0.0, FAR))
    return Scores(truth, np.eye(m))


def near_copies() -> Scores:
    """The best with ten near-copies, all equal, and an independent rival that is as good."""
    factor = np.zeros((12, 12))
    factor[:11, 0] = factor[11, 11] = 1
    factor[range(1, 11), range(1, 11)] = 0.1
    return Scores(np.zeros(12), factor)


def mean_of_rivals() -> Scores:
    """The best is the mean of two rivals and has ten near-copies, all equal: the worst found."""
    factor = np.zeros((13, 12))
    factor[:11, :2] = 0.5
    factor[range(1, 11), range(2, 12)] = 0.1
    factor[11, 0] = factor[12, 1] = 1
    return Scores(np.zeros(13), factor)


#: Draws one competition's scores, or all of its evidence, from a generator and a number.
Make = Callable[[np.random.Generator, int], Evidence]


def normal(scores: Scores, resamples: int = 999, prizes: int | None = None) -> Make:
    """Analyze normal scores."""
    question = Question(prizes=prizes)
    return lambda rng, _: analyze(scores.draw(rng, resamples), question)


def one_against_a_team(runs: int = 50, resamples: int = 999, prizes: int | None = None) -> Make:
    """One run, and a team of equal ones, of which the best is shown and the others are not.

    Of several ``prizes``, the first ones but one go to other teams, which are far ahead.
    """
    sure = (prizes or 1) - 1

    def make(rng: np.random.Generator, _: int) -> Evidence:
        truth = np.where(np.arange(sure + 1 + runs) < sure, -FAR, 0.0)
        every = Scores(truth, np.eye(truth.size)).draw(rng, resamples)
        observed, values = np.asarray(every.observed), every.replicates.values
        shown = np.append(np.arange(sure + 1), sure + 1 + observed[sure + 1 :].argmax())
        order = np.append(shown, np.setdiff1d(np.arange(truth.size), shown))
        stand_for = np.append(shown, np.full(order.size - shown.size, shown[-1]))
        teams = replace(
            every,
            names=[every.names[run] for run in stand_for.tolist()],
            observed=observed[order],
            replicates=made_replicates(values[:, order]),
            entries=shown.size,
        )
        return analyze(teams, Question(prizes=prizes))

    return make


def measured(n: int, truth: tuple[float, ...], prizes: int | None = None) -> Make:
    """Means of independent normal values, by the bootstrap of n examples."""

    def make(rng: np.random.Generator, _: int) -> Evidence:
        sample = scales.Sample(truth + rng.normal(size=(n, len(truth))), np.ones(n))
        return sample.analyze(rng, "auto", 999, prizes)

    return make


def answered(n: int, accuracy: tuple[float, ...], **settings: int) -> Make:
    """Right and wrong answers to n questions, through the whole program."""

    def make(rng: np.random.Generator, number: int) -> Evidence:
        right = rng.random((n, len(accuracy))) < accuracy
        return families.answered(right, settings=settings).analyze(number, 999)

    return make


def winners(sets: int, seed: int, make: Make) -> dict[str, float]:
    """How often a winner is verified, where the first entries are equally good, and one is lost.

    The first one is given as the best, as if it were ahead by nothing.
    """
    rng, found = np.random.default_rng(seed), np.zeros(4)
    for number in range(sets):
        evidence = make(rng, number)
        verdict, by_d = evidence.verdict, evidence.standing.tied["max_t"]
        missed = not verdict.possible_winners[0]
        found += [verdict.verified and missed, verdict.verified, missed, not by_d[0]]
    wrong, equal, lost, by_d_alone = (found / sets).tolist()
    return {
        "wrong winner verified": wrong,
        "one of the equal ones verified": equal,
        "best lost": lost,
        "best lost by D alone": by_d_alone,
        "lost beyond D alone, or 5%": lost - max(by_d_alone, ALPHA),
    }


def named(sets: int, seed: int, scores: Scores) -> dict[str, float]:
    """How often the best one, which is the first, is named as the winner; and by D alone."""
    rng, found = np.random.default_rng(seed), np.zeros(3)
    for number in range(sets):
        evidence = normal(scores)(rng, number)
        by_d = evidence.standing.tied["max_t"]
        sole = np.count_nonzero(evidence.verdict.possible_winners) == 1
        found += [
            sole and evidence.verdict.possible_winners[0],
            by_d[0] and np.count_nonzero(by_d) == 1,
            evidence.verdict.verified and not evidence.verdict.possible_winners[0],
        ]
    return dict(
        zip(("named", "named by D alone", "wrong winner verified"), found / sets, strict=True)
    )


# The first places ---------------------------------------------------------------------------------


def random_covariance(rng: np.random.Generator, *, winner: bool) -> tuple[Scores, int]:
    """Return 3 to 8 entries of any covariance, some of them far behind or ahead, and K.

    The first K are the best, although the others that are not far away are equal to them. K is 1
    for a ``winner``.
    """
    m = int(rng.integers(3, 9))
    places = 1 if winner else int(rng.integers(2, m))
    factor = rng.normal(size=(m, int(rng.integers(1, m + 1)))) * rng.lognormal(size=(m, 1))
    factor = np.column_stack([factor, np.diag(np.full(m, rng.choice([0.05, 0.5, 1.0])))])
    far = rng.random(m) < rng.choice([0.0, 0.5])
    scale = 12 * np.linalg.norm(factor, axis=1).max()
    truth = np.where(far, np.where(np.arange(m) < places, scale, -scale), 0.0)
    return Scores(truth, factor), places


def wrong_places(scores: Scores, places: int, draws: int, rng: np.random.Generator) -> float:
    """How often the first K of normal scores are verified, and are not the best K."""
    theta = scores.truth + scores.deviations(rng, draws)
    covariance = scores.factor @ scores.factor.T
    variance = np.diag(covariance)
    errors = np.sqrt(np.maximum(variance[:, None] + variance - 2 * covariance, 0))
    order = np.argsort(-theta, axis=1)
    wrong = (order[:, :places] >= places).any(axis=1)
    verified = np.ones(draws, np.bool_)
    for inside in order[:, :places].T:
        for outside in order[:, places:].T:
            ahead = np.take_along_axis(theta, inside[:, None], 1)
            ahead = (ahead - np.take_along_axis(theta, outside[:, None], 1))[:, 0]
            verified &= ahead > Z * errors[inside, outside]
    return float((wrong & verified).mean())


def first_places(
    sets: int, seed: int, covariances: int = 750, *, winner: bool = False
) -> dict[str, float]:
    """The rule for the first K, with ``sets`` draws from each covariance; the worst one anew."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(covariances):
        scores, places = random_covariance(rng, winner=winner)
        found.append(((scores, places), wrong_places(scores, places, sets, rng)))
    worst, _ = max(found, key=lambda one: one[1])
    anew = np.mean([wrong_places(*worst, sets, rng) for _ in range(20)])
    mean = np.mean([rate for _, rate in found])
    return {"worst covariance": float(anew), "mean of the covariances": float(mean)}


def opposed_pairs() -> Scores:
    """Two of four equal entries are given as the first; two pairs move in opposition."""
    factor = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]]) + 0.0
    return Scores(np.zeros(4), np.column_stack([factor, 0.01 * np.eye(4)]))


def places(sets: int, seed: int, make: Make, prizes: int = 2) -> dict[str, float]:
    """How often the first ``prizes`` are verified, and wrong, through the inference.

    The first entries are given as the first, as if the last of them were ahead by nothing.
    """
    rng, found = np.random.default_rng(seed), np.zeros(3)
    for number in range(sets):
        evidence = make(rng, number)
        verified = evidence.verdict.places == prizes
        right = {*evidence.scores.order[:prizes].tolist()} == {*range(prizes)}
        jointly = (evidence.standing.joint_high[:prizes] <= prizes).all()
        found += np.array([verified and not right, verified and right, jointly], float)
    wrong, right_ones, jointly_right = (found / sets).tolist()
    return {
        "wrong places verified": wrong,
        "right places verified": right_ones,
        "right places by joint rank sets": jointly_right,
    }


# The corrected score ------------------------------------------------------------------------------


def corrected_by_the_rule(sets: int, seed: int, scores: Scores) -> dict[str, float]:
    """Hybrid sets for the leader, whoever it is, with the known covariance."""
    rng = np.random.default_rng(seed)
    covariance = scores.factor @ scores.factor.T
    sd = np.sqrt(np.diag(covariance))
    largest = np.abs(scores.deviations(rng, 20_000) / sd).max(axis=1)
    reach = float(np.quantile(largest, 1 - ALPHA / 10))
    return _corrections(_hybrid_sets(rng, sets, scores, covariance, reach), sets)


#: Of a competition: the leader's true score, its plain interval, and the corrected score or None.
Correction = tuple[float, tuple[float, float], tuple[float, float, float] | None]


def _hybrid_sets(
    rng: np.random.Generator, sets: int, scores: Scores, covariance: np.ndarray, reach: float
) -> Iterator[Correction]:
    for theta in scores.truth + scores.deviations(rng, sets):
        leader = int(theta.argmax())
        sd = float(np.sqrt(covariance[leader, leader]))
        found = hybrid(theta, covariance[leader], leader, reach, ALPHA)
        plain = (float(theta[leader] - Z * sd), float(theta[leader] + Z * sd))
        yield float(scores.truth[leader]), plain, (found.estimate, found.low, found.high)


def corrected(sets: int, seed: int, make: Make, truth: tuple[float, ...]) -> dict[str, float]:
    """The program's corrected scores, those that it withholds as too close too, and plain ones."""
    rng = np.random.default_rng(seed)

    def observed() -> Iterator[Correction]:
        for number in range(sets):
            evidence = make(rng, number)
            leader, own = evidence.scores.leader, evidence.verdict.corrected
            assert evidence.intervals is not None
            plain = evidence.intervals.low[leader], evidence.intervals.high[leader]
            ends = None if own is None else (own.estimate, own.low, own.high)
            yield truth[leader], plain, ends

    with mock.patch.object(corrected_module, "SHORT", 0.0):
        return _corrections(observed(), sets)


def _corrections(found: Iterator[Correction], sets: int) -> dict[str, float]:
    """Count; an interval that is so much shorter than the plain one is computed, but not given."""
    computed = covered = above = given = covered_given = plainly = 0.0
    for truth, (low, high), ends in found:
        plainly += low <= truth <= high
        if ends is None:
            continue
        covers = ends[1] <= truth <= ends[2]
        computed += 1
        covered += covers
        above += ends[0] > truth
        if ends[2] - ends[1] >= _SHORT * (high - low):
            given += 1
            covered_given += covers
    return {
        "coverage": covered / max(computed, 1),
        "estimate above the truth": above / max(computed, 1),
        "corrected": given / sets,
        "coverage where given": covered_given / max(given, 1),
        "coverage of the plain interval": plainly / sets,
    }


# Bars ---------------------------------------------------------------------------------------------


def _never_ahead(_: Contest, __: np.ndarray, rivals: np.ndarray) -> np.ndarray:
    return np.full(rivals.size, -np.inf)


def bars(sets: int, seed: int, make: Make, truth: tuple[float, ...]) -> dict[str, float]:
    """How often all far ends hold and the first entry, a best one, may win; and near ends.

    Of blocks of entries with one true score, near ends of the worst one count.
    """
    true = np.array(truth)
    distance = true.max() - true
    near = np.zeros(true.size)

    def holds(evidence: Evidence) -> bool:
        assert evidence.distances is not None
        far = (evidence.distances.from_best >= distance - 1e-12).all()
        return bool(far and evidence.verdict.possible_winners[0])

    rng, verified = np.random.default_rng(seed), 0
    for number in range(sets):
        evidence = make(rng, number)
        assert evidence.distances is not None
        verified += holds(evidence)
        near += evidence.distances.near <= distance + 1e-12
    rng, alone = np.random.default_rng(seed), 0
    with mock.patch.object(Contest, "ahead_by", _never_ahead):
        for number in range(sets):
            alone += holds(make(rng, number))
    blocks = [near[true == score].mean() / sets for score in np.unique(true)]
    return {
        "far ends and a best one": alone / sets,
        "with verified winners": verified / sets,
        "near ends": float(min(blocks)),
    }
