"""Estimates how many examples would settle close pairs, and what this test set separates.

The power is that of showing that one of two entries is better, *whoever is ahead*: a larger test
set may also show that the entry behind is the better one. The standard error of a difference falls
with √n. So a true difference δ is settled on n' examples with probability Φ(√(n'/n)·δ/se − c) +
Φ(−√(n'/n)·δ/se − c), c being the critical value of the tie rule, one-sided:

- `max_t`: the larger one of the two entries' families (algorithm D), in standard errors; for a pair
  that is judged alone, that of its own test;
- `bonferroni`, and the steps of `holm` and `fdr_bh` that ask for most: z at α divided by the number
  of comparisons with the reference;
- `none`: z at α; `interval`: z at α/2.

Against a reference fixed in advance tests are two-sided, and max-T's own family is unknown here, so
that Bonferroni's value bounds it.

The true difference is not known. With the observed one in its place, a promised power of .80 turned
out to be .66, and .53 for the quarter of the pairs with the least. So the number of examples is by
*assurance*: the least with which the mean power over the bootstrap distribution of the difference
is `POWER`. Sources: Card et al. 2020, "With Little Power Comes Great Responsibility" (the
argument); O'Hagan, Stevens and Campbell 2005, "Assurance in Clinical Trial Design", Pharmaceutical
Statistics 4.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from ..core.arrays import Bools, Floats, median
from .basis import Basis
from .comparing.distributions import negligible, normal_tail
from .comparing.reliable import level_alone
from .comparing.standing import ReferenceComparisons, Tested
from .evidence import Evidence, PairPlan, Planning, SampleShares

#: Probability with which the larger test set should separate the two entries.
POWER = 0.8
#: The largest test set that is considered, in sizes of this one.
LARGEST = 100
#: Quantiles that stand for the replicates of a difference.
_QUANTILES = 200


def plan(
    basis: Basis,
    standing: Tested,
    own_errors: Floats,
    against: ReferenceComparisons,
    tied: Bools,
) -> Planning:
    """Return the plan for the reference and the competing entries that are tied with it.

    ``own_errors`` [m] are the standard errors of the scores; ``against`` compares the reference
    with all, and ``tied`` [m] are tied with it by the verdict. The pairs of competing entries say
    what this test set separates.
    """
    field, theta, reference = basis.field, basis.bootstrap.theta, against.entry
    competitors = np.flatnonzero(field.competing)
    rivals = field.order[field.competing[field.order] & (field.order != reference)]
    planned = tied & _by_shown_runs(basis, standing, against)
    errors = standing.draws.errors
    critical = _critical(basis, standing, rivals.size, fixed=against.fixed)
    plans = []
    for entry in rivals[planned[rivals]]:
        error = errors[reference, entry]
        advantage = _advantage(basis.bootstrap.replicates, reference, entry)
        relative = resolution(error, own_errors[reference], own_errors[entry])
        plans.append(
            PairPlan(
                entry=int(entry),
                difference=float(theta[reference] - theta[entry]),
                standard_error=float(error),
                examples_needed=_examples_needed(
                    basis.scores.n, _effects(advantage, error), float(critical[reference, entry])
                ),
                other_ahead=float(np.mean(advantage < 0)),
                resolution=None if np.isnan(relative) else float(relative),
            )
        )
    pairs = tuple(competitors[places] for places in np.triu_indices(competitors.size, 1))
    varies = errors[pairs] > 0
    least = (critical[pairs] + NormalDist().inv_cdf(POWER))[varies] * errors[pairs][varies]
    separable = float(median(least)) if least.size else math.inf
    return Planning(POWER, tuple(plans), separable if math.isfinite(separable) else None)


def level(rule: str, alpha: float, comparisons: int) -> float:
    """Return the level of one of so many one-sided comparisons with a leader, under a tie rule.

    That of max-T is a bound: its own depends on how the entries' scores are correlated.
    """
    if rule in ("none", "interval"):
        return alpha if rule == "none" else alpha / 2
    return alpha / max(comparisons, 1)


def mean_power(effects: Floats, critical: float) -> float:
    """Return the mean power to settle pairs whose true differences are ``effects`` [k].

    They and the critical value are in standard errors on the test set that is planned.
    """
    return float(np.mean(normal_tail(critical - effects) + normal_tail(critical + effects)))


def _critical(basis: Basis, standing: Tested, comparisons: int, *, fixed: bool) -> Floats:
    """Return what differences of pairs [m, m] must exceed, in standard errors."""
    question, errors = basis.question, standing.draws.errors
    one = level(question.tie_rule, question.alpha, comparisons)
    if fixed and question.tie_rule != "interval":
        one /= 2
    normal = NormalDist()
    if fixed or question.tie_rule != "max_t":
        return np.full(errors.shape, normal.inv_cdf(1 - one))
    shown = slice(len(errors))  # the other runs are hidden
    widths = standing.contest.widths[shown, shown]
    alone = normal.inv_cdf(1 - level_alone(basis.of_every_run))
    limits = np.full(errors.shape, alone)
    in_family = standing.draws.in_maximum
    np.divide(np.maximum(widths, widths.T), errors, out=limits, where=in_family)
    return limits


def _by_shown_runs(basis: Basis, standing: Tested, against: ReferenceComparisons) -> Bools:
    """Return which entries [m] are tied with the reference by the runs that are shown.

    A plan is about these runs. There is none where a hidden run is shown better than the leader's,
    or is all that keeps an entry tied.
    """
    rule, kept = basis.question.tie_rule, standing.shown_could_be_best
    tied = against.tied[rule]
    if against.fixed:
        return tied
    return np.asarray(tied & kept[against.entry] & (kept | (rule != "max_t")))


def resolution(error: Floats, first: Floats, second: Floats) -> Floats:
    """Return se_ij / √(se_i² + se_j²): how much the shared test set sharpens a comparison.

    1 is what independent entries would have, less is sharper; nan where neither entry varies.
    """
    independent = np.hypot(first, second)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(independent > 0, error / independent, np.nan)


def _advantage(replicates: Floats, first: int, second: int) -> Floats:
    """Return how far an entry is ahead of another on every resample, [B]; float noise is 0."""
    ours, theirs = replicates[first], replicates[second]
    advantage = ours - theirs
    return np.where(np.abs(advantage) <= negligible(ours, theirs), 0.0, advantage)


def _effects(advantage: Floats, error: float) -> Floats:
    """Return quantiles of the replicates of a difference, in standard errors.

    They are empty if the difference does not vary.
    """
    if error == 0:
        return np.empty(0)
    effects = np.sort(advantage) / error
    count = min(_QUANTILES, effects.size)
    return effects[((np.arange(count) + 0.5) * effects.size / count).astype(np.intp)]


def _examples_needed(n: int, effects: Floats, critical: float) -> int | None:
    """Return the least number of examples whose mean power is `POWER`; None above the `LARGEST`."""

    def enough(examples: int) -> bool:
        return mean_power(math.sqrt(examples / n) * effects, critical) >= POWER

    if not effects.size or not enough(LARGEST * n):
        return None
    # The mean power grows with the number of examples, whoever is ahead.
    too_few, most = 0, LARGEST * n
    while most - too_few > 1:
        middle = (too_few + most) // 2
        too_few, most = (too_few, middle) if enough(middle) else (middle, most)
    return most


# Sample shares ------------------------------------------------------------------------------------

# How much of an interval comes from an example's repeated samples, and how much from the
# examples.
#
# The variance of a mean over n examples splits into that between examples and that within them,
# over their samples (Miller 2024, "Adding Error Bars to Evals"): se² = (between + within /
# samples) / n. f times as many samples leave se² − w·(1 − 1/f), where w is the part within; f
# times as many examples leave se² / f, which is never more.


def sample_shares(variance: Floats, evidence: Evidence) -> SampleShares | None:
    """Return the shares of the squared standard errors that come from the samples, at most 1.

    ``variance`` [n, m] is that of what each example counts, over its samples. Two entries' samples
    are independent of each other. A share is nan where a variance is, or where nothing varies. None
    where there are no standard errors.
    """
    if evidence.intervals is None or evidence.differences is None:
        return None
    within = variance.sum(axis=0) / len(variance) ** 2
    return SampleShares(
        of_score=_share(within, evidence.intervals.standard_error),
        of_difference=_share(
            within + within[evidence.scores.reference], evidence.differences.standard_error
        ),
    )


def shortened(share: float, factor: float = 2.0) -> float:
    """Return by which share an interval is shorter with ``factor`` times as many samples."""
    return 1.0 - float(np.sqrt(1.0 - share * (1.0 - 1.0 / factor)))


def _share(within: Floats, standard_error: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(standard_error > 0, within / np.square(standard_error), np.nan)
    return np.minimum(share, 1.0)
