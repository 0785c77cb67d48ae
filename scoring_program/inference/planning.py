"""Estimates how many examples would separate close entries, and what this test set separates.

The method is the normal approximation to the power of a test of a mean. The standard error of a
pair's difference falls with √n, and a difference δ is found with probability ``power`` if δ =
(z_{1−a} + z_power)·se. The level a is α divided by the number of comparisons with the reference
(Bonferroni), because ties are judged among all of them. It is halved if the test is two-sided,
against a reference fixed in advance. Source: Card et al. 2020, "With Little Power Comes Great
Responsibility" (the argument), any textbook (the formula).
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from ..core.arrays import Floats
from .analysis import PairPlan, Planning
from .basis import Basis
from .reference_comparisons import ReferenceComparisons

#: Probability with which the larger test set should separate the two entries.
POWER = 0.8


def plan(
    basis: Basis, errors: Floats, own_errors: Floats, against: ReferenceComparisons
) -> Planning:
    """Return the plan for the reference and the competing entries that are tied with it.

    ``errors`` [m, m] are the standard errors of differences, ``own_errors`` [m] those of the
    scores; ``against`` compares the reference with all. The pairs of competing entries say what
    this test set separates.
    """
    field, theta, reference = basis.field, basis.bootstrap.theta, against.entry
    competitors = np.flatnonzero(field.competing)
    rivals = field.order[field.competing[field.order] & (field.order != reference)]
    tied = rivals[against.tied[basis.settings.tie_rule][rivals]]
    normal = NormalDist()
    level = (1 - basis.settings.confidence) / max(rivals.size, 1) / (2 if against.fixed else 1)
    standard_errors = normal.inv_cdf(1 - level) + normal.inv_cdf(POWER)
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
                    basis.scores.n, standard_errors * error, difference
                ),
                resolution=None if np.isnan(relative) else float(relative),
            )
        )
    among = errors[np.ix_(competitors, competitors)][np.triu_indices(competitors.size, 1)]
    among = among[among > 0]
    return Planning(
        power=POWER,
        pairs=tuple(plans),
        smallest_separable=float(standard_errors * np.median(among)) if among.size else None,
    )


def resolution(error: Floats, first: Floats, second: Floats) -> Floats:
    """Return se_ij / √(se_i² + se_j²): how much the shared test set sharpens a comparison.

    1 is what independent entries would have, less is sharper; nan where neither entry varies.
    """
    independent = np.hypot(first, second)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(independent > 0, error / independent, np.nan)


def _examples_needed(n: int, separable: float, difference: float) -> int | None:
    ratio = separable / abs(difference) if difference else math.inf
    return math.ceil(n * ratio**2) if ratio < 1e6 else None
