"""Estimates how many examples would separate close entries, and what this test set separates.

The power is the normal approximation to that of a test of a mean. The standard error of a pair's
difference falls with √n, and a true difference δ is found on n' examples with probability Φ(√(n'/n)
·δ/se − z_{1−a}). The level a is α divided by the number of comparisons with the reference
(Bonferroni), because ties are judged among all of them. It is halved if the test is two-sided,
against a reference fixed in advance.

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

from ..core.arrays import Bools, Floats
from .analysis import PairPlan, Planning
from .basis import Basis
from .reference_comparisons import ReferenceComparisons
from .standing import Standing

#: Probability with which the larger test set should separate the two entries.
POWER = 0.8
#: The largest test set that is considered, in sizes of this one.
LARGEST = 100
#: Quantiles that stand for the replicates of a difference.
_QUANTILES = 200


def plan(
    basis: Basis, standing: Standing, own_errors: Floats, against: ReferenceComparisons
) -> Planning:
    """Return the plan for the reference and the competing entries that are tied with it.

    ``own_errors`` [m] are the standard errors of the scores; ``against`` compares the reference
    with all. The pairs of competing entries say what this test set separates.
    """
    field, theta, reference = basis.field, basis.bootstrap.theta, against.entry
    competitors = np.flatnonzero(field.competing)
    rivals = field.order[field.competing[field.order] & (field.order != reference)]
    errors, tied = standing.draws.errors, rivals[_planned(basis, standing, against)[rivals]]
    normal = NormalDist()
    level = (1 - basis.settings.confidence) / max(rivals.size, 1) / (2 if against.fixed else 1)
    critical = normal.inv_cdf(1 - level)
    plans = []
    for entry in tied:
        difference, error = float(theta[reference] - theta[entry]), float(errors[reference, entry])
        relative = resolution(errors[reference, entry], own_errors[reference], own_errors[entry])
        plans.append(
            PairPlan(
                entry=int(entry),
                difference=difference,
                standard_error=error,
                examples_needed=_examples_needed(
                    basis.scores.n, _effects(basis, reference, int(entry), error), critical
                ),
                resolution=None if np.isnan(relative) else float(relative),
            )
        )
    among = errors[np.ix_(competitors, competitors)][np.triu_indices(competitors.size, 1)]
    among = among[among > 0]
    separable = (critical + normal.inv_cdf(POWER)) * float(np.median(among)) if among.size else None
    return Planning(POWER, tuple(plans), separable)


def _planned(basis: Basis, standing: Standing, against: ReferenceComparisons) -> Bools:
    """Return which entries [m] are tied with the reference by the runs that are shown.

    A plan is about these runs. There is none where a hidden run is shown better than the leader's,
    or is all that keeps an entry tied.
    """
    rule, kept = basis.settings.tie_rule, standing.shown_could_be_best
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


def _effects(basis: Basis, reference: int, entry: int, error: float) -> Floats:
    """Return quantiles of the replicates of the difference, in standard errors.

    They are oriented so that the observed difference is positive; empty if nothing varies.
    """
    theta, replicates = basis.bootstrap.theta, basis.bootstrap.replicates
    if error == 0 or theta[reference] == theta[entry]:
        return np.empty(0)
    ahead = 1.0 if theta[reference] > theta[entry] else -1.0
    effects = np.sort(ahead * (replicates[reference] - replicates[entry])) / error
    count = min(_QUANTILES, effects.size)
    return effects[((np.arange(count) + 0.5) * effects.size / count).astype(np.intp)]


def _examples_needed(n: int, effects: Floats, critical: float) -> int | None:
    """Return the least number of examples whose mean power is `POWER`; None above the `LARGEST`."""
    from scipy.special import ndtr  # a fifth of a second; only if entries are tied

    def enough(examples: int) -> bool:
        return bool(np.mean(ndtr(math.sqrt(examples / n) * effects - critical)) >= POWER)

    if not effects.size or not enough(LARGEST * n):
        return None
    # The mean power grows with the number of examples where most effects are positive.
    too_few, most = 0, LARGEST * n
    while most - too_few > 1:
        middle = (too_few + most) // 2
        too_few, most = (too_few, middle) if enough(middle) else (middle, most)
    return most
