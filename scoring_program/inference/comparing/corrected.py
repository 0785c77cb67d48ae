"""The leader's score, corrected for its selection: inference on winners (hybrid confidence sets).

Whoever comes first was partly lucky, so the leader's observed score is too good on average. Given
that it came first, x_L ≥ x_j for every rival, its score is normal and truncated to [V_lo, V_up],
which the rivals' scores determine. The hybrid set first assumes that all scores lie within c_β
standard errors of their true values, at the price of β = α/10, which bounds its length where the
second is close. Estimate and ends solve F(μ) = ½, 1 − q/2 and q/2 with q = (α − β)/(1 − β), F(μ)
being the distribution function of the truncated normal at x_L. Source: Andrews, Kitagawa and
McCloskey 2024, "Inference on Winners", Quarterly Journal of Economics 139, sections III and V.

The method takes the covariance as known. That of the data is not, and a lucky leader has a small
one: plain, the sets cover .59 to .90 instead of .95 beside few examples, accuracies of .95 and
heavy tails (docs/explanation/method/checks.md, 11). So

- shares of right answers are compared on the scale of y = arcsin √x, on which all have the same
  variance, 1/(4n), whatever their score (Anscombe 1948). Where several lead, there is no corrected
  score, so a sole leader was ahead by an example at least: a normal score that stands for such
  counts is ahead by half of one;
- other scores have the median of all standard errors at least, and where few units decide them,
  there is none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.arrays import Bools, Floats, Ints, median
from ..evidence import CorrectedScore
from ..normal import FOLDS, SEEDS
from .comparisons import LIMIT, UnitInfluence
from .standing import Contest
from .step_down import critical_place, critical_value

#: Fewer examples, or a smaller effective number of groups, are too few for a normal distribution.
_FEW_UNITS = 30
_FEW_GROUPS = 20
#: A corrected interval shorter than this share of the plain one: the second is too close.
SHORT = 0.5
#: Below this distance of b_j from 1, a rival moves with the leader and truncates nothing.
_TOGETHER = 1e-9
_STEPS = 100


def leader_corrected(
    contest: Contest,
    runs_of_teams: Sequence[Ints],
    leads: Bools,
    plain: tuple[float, float],
    withdrawn: str | None,
) -> tuple[CorrectedScore | None, str | None]:
    """Return the leader's corrected score in the metric's own sign, or why there is none.

    ``runs_of_teams`` [T] are the runs of every team that competes, best first; ``leads`` [T] says
    which teams have the best score. ``plain`` is the interval of that score, and ``withdrawn`` says
    why no confidence is stated; None if one is.
    """
    scores = contest.basis.scores
    every = contest.every
    alpha = contest.basis.question.alpha
    groups = scores.groups_in_effect
    resamples = every.bootstrap.resamples
    first = [runs_of_teams[team][0] for team in np.flatnonzero(leads).tolist()]
    for reason, holds in (
        (withdrawn, withdrawn is not None),
        ("shared", any(contest.draws.errors[first[0], run] > 0 for run in first[1:])),
        (scores.normal_source, scores.normal_source in (SEEDS, FOLDS)),
        ("not_smooth", not scores.smooth),
        ("few_units", scores.units < _FEW_UNITS if groups is None else groups < _FEW_GROUPS),
        ("undefined", scores.replicates.undefined > 0),
        ("few_resamples", critical_place(resamples, 1 - alpha / 10) >= resamples),
    ):
        if holds:
            return None, reason
    runs = np.concatenate(runs_of_teams)
    # Files that are identical to the leader's are left out.
    leader = int(contest.theta[runs].argmax())
    errors = contest.draws.errors[runs[leader], runs]
    same = (contest.theta[runs] == contest.theta[runs[leader]]) & (errors == 0)
    same[leader] = False
    runs = runs[~same]
    theta = contest.theta[runs]
    leader = int(theta.argmax())
    replicates = every.bootstrap.replicates[runs]
    metric = scores.metric
    if are_shares(contest):
        lacking = 0.0 if metric.greater_is_better else 1.0  # θ of wrong answers is their share, −
        of_leader = np.isin(runs, runs_of_teams[int(leads.argmax())])
        shares = SelectedShares(theta + lacking, replicates + lacking, leader, scores.n, of_leader)
        corrected = corrected_share(shares, alpha, grouped=scores.groups is not None)
        moved = -lacking
    elif every.deciding_influence is not None and are_heavy(every.deciding_influence, runs, leader):
        return None, "heavy_tails"
    else:
        corrected = corrected_score(theta, replicates, leader, alpha)
        moved = 0.0
    if corrected is None:
        return None, "constant"
    if corrected.high - corrected.low < SHORT * (plain[1] - plain[0]):
        return None, "close"
    oriented = np.array([corrected.low, corrected.estimate, corrected.high]) + moved
    in_own_sign = oriented if metric.greater_is_better else -oriented[::-1]
    low, estimate, high = np.clip(in_own_sign, metric.low, metric.high).tolist()
    return CorrectedScore(estimate, low, high), None


def are_shares(contest: Contest) -> bool:
    """Whether the score of every run that could lead is a share of examples, right or wrong."""
    answers = contest.every.scores.answers
    return len(answers) == 1 and bool(answers[0].have_right[contest.competing].all())


def are_heavy(influence: UnitInfluence, runs: Ints, leader: int) -> bool:
    """Whether few units decide the score of the leader, or that of the median of the ``runs``.

    ``leader`` is its place among the runs. The limits are those of long tails: what sampling alone
    gives to few units is no reason to trust a standard error that they may have made too small.
    """
    skewness, kurtosis = (tails[runs] for tails in influence.tails_of_scores)
    size = np.fmax(np.abs(skewness), kurtosis)
    size = np.where(np.isfinite(size), size, 0.0)
    return bool(max(size[leader], median(size)) > LIMIT)


# Scales -------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Spreads:
    """How the scores of k runs vary over the resamples, and with the leader's."""

    errors: Floats  # [k] their standard deviations
    correlation: Floats  # [k] with the leader's score, 0 for a score that does not vary
    # c_β: so many standard errors hold every score's deviation, jointly, with confidence 1 − β; ∞
    # if B is small. It is the ⌈(1 − β)·(B + 1)⌉-th smallest of max_j |R_bj| / sd_j.
    reach: float

    @classmethod
    def from_replicates(
        cls, theta: Floats, replicates: Floats, leader: int, alpha: float
    ) -> Spreads:
        """Return the spreads of oriented scores ``theta`` [k] with ``replicates`` [k, B]."""
        errors = np.zeros(theta.size)
        largest = np.zeros(replicates.shape[1])
        for run, (score, row) in enumerate(zip(theta, replicates, strict=True)):  # stays in a cache
            errors[run] = row.std(ddof=1)
            if errors[run] > 0:
                np.maximum(largest, np.abs(row - score) / errors[run], out=largest)
        deviations = replicates - replicates.mean(axis=1, keepdims=True)
        # By NumPy, which adds in the same order on every processor.
        products = (deviations * deviations[leader]).sum(axis=1)
        covariance = products / (replicates.shape[1] - 1)
        product = errors * errors[leader]
        correlation = np.divide(covariance, product, out=np.zeros(theta.size), where=product > 0)
        return cls(errors, correlation, critical_value(largest, 1 - alpha / 10))


def corrected_score(
    theta: Floats, replicates: Floats, leader: int, alpha: float
) -> CorrectedScore | None:
    """Correct the oriented score of the ``leader`` for having been selected.

    ``theta`` [k] are the oriented scores of all runs that could have led, ``replicates`` [k, B]
    those on the resamples; the leader's is the largest. A standard error counts as the median of
    all at least. None if the leader's score does not vary, or if B is too small for c_β.
    """
    spreads = Spreads.from_replicates(theta, replicates, leader, alpha)
    if spreads.errors[leader] <= 0 or not math.isfinite(spreads.reach):
        return None
    errors = np.maximum(spreads.errors, median(spreads.errors))
    covariance = spreads.correlation * errors * errors[leader]
    covariance[leader] = errors[leader] ** 2
    return hybrid(theta, covariance, leader, spreads.reach, alpha)


@dataclass(frozen=True, eq=False)
class SelectedShares:
    """The shares of n examples that k runs get right, and which of them came first."""

    observed: Floats  # [k]
    replicates: Floats  # [k, B]
    leader: int
    examples: int  # n
    of_leader: Bools  # [k] the runs of the leader's team, with which it may tie


def corrected_share(
    shares: SelectedShares, alpha: float, *, grouped: bool
) -> CorrectedScore | None:
    """Correct the leader's share of right answers for having been selected.

    Where whole groups are resampled, the examples count for as many independent ones as the
    bootstrap's variance says, all runs together: n_e = Σ x(1 − x) / Σ V, and n at most. None if the
    leader's score does not vary, or if B is too small for c_β.
    """
    observed = shares.observed
    leader = shares.leader
    n = shares.examples
    spreads = Spreads.from_replicates(observed, shares.replicates, leader, alpha)
    if spreads.errors[leader] <= 0 or not math.isfinite(spreads.reach):
        return None
    effective = float(n)
    if grouped:
        of_rows = float((observed * (1 - observed)).sum())
        effective = min(effective, of_rows / float(np.square(spreads.errors).sum()))
    half = 1 / (2 * n)
    needed = observed + np.where(shares.of_leader, -half, half)
    needed[leader] = observed[leader]
    variance = 1 / (4 * effective + 2)
    covariance = spreads.correlation * variance
    covariance[leader] = variance
    corrected = hybrid(_angle(needed, effective), covariance, leader, spreads.reach, alpha)
    return CorrectedScore(
        _share(corrected.estimate, effective),
        _share(corrected.low, effective),
        _share(corrected.high, effective),
    )


def _angle(share: Floats, n: float) -> Floats:
    """Return arcsin √((n·x + 3/8) / (n + 3/4)) of shares (Anscombe 1948)."""
    root = (n * share + 0.375) / (n + 0.75)
    return np.asarray(np.arcsin(np.sqrt(np.clip(root, 0.0, 1.0))))


def _share(angle: float, n: float) -> float:
    """Return the share with this angle, from 0 to 1."""
    sine = math.sin(min(max(angle, 0.0), math.pi / 2))
    return min(max(((n + 0.75) * sine * sine - 0.375) / n, 0.0), 1.0)


# Hybrid -------------------------------------------------------------------------------------------


def hybrid(
    theta: Floats,
    covariance: Floats,
    leader: int,
    reach: float,
    alpha: float,
) -> CorrectedScore:
    """Return the hybrid estimate and set from ``covariance`` [k] with the leader, and c_β.

    ``theta`` [k] holds the leader's score and, of the others, what it had to exceed.
    """
    variance = float(covariance[leader])
    score = float(theta[leader])
    sd = math.sqrt(variance)
    slope = covariance / variance
    apart = 1 - slope
    with np.errstate(divide="ignore", invalid="ignore"):
        limits = (theta - slope * score) / apart
    lower = float(limits[apart > _TOGETHER].max(initial=-math.inf))
    upper = float(limits[apart < -_TOGETHER].min(initial=math.inf))

    def below(mean: float) -> float:
        """Return F: the probability of a lower score of the leader, of true score ``mean``."""
        least = max(lower, mean - reach * sd)
        most = min(upper, mean + reach * sd)
        low, here, high = ((end - mean) / sd for end in (least, score, most))
        whole = _mass(low, high)
        # Nothing is left where another score ties with the leader's.
        return _mass(low, here) / whole if whole > 0 else 1.0

    level = (alpha - alpha / 10) / (1 - alpha / 10)
    bracket = (score - reach * sd, score + reach * sd)
    solutions = [_solve(below, target, *bracket) for target in (0.5, 1 - level / 2, level / 2)]
    return CorrectedScore(*solutions)


def _mass(low: float, high: float) -> float:
    """Return Φ(high) − Φ(low), of the tail in which both are small, so that digits are kept."""
    left = -high if low > 0 else low
    right = -low if low > 0 else high
    return (math.erfc(-right / math.sqrt(2)) - math.erfc(-left / math.sqrt(2))) / 2


def _solve(below: Callable[[float], float], target: float, low: float, high: float) -> float:
    """Return where the decreasing function ``below`` is ``target``, by bisection."""
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if below(middle) > target:
            low = middle
        else:
            high = middle
    return (low + high) / 2
