"""Before a competition: how many test examples separate teams that are so and so far apart.

The standard error of a difference between two entries shrinks with the square root of the test
set. A pilot of N examples estimates it, with an error of its own. So the number of examples is
chosen by assurance: it is the smallest n for which the power to settle a pair, whoever is ahead,
averaged over bootstrap estimates of the standard error, reaches the target (O'Hagan, Stevens and
Campbell 2005; see `inference.planning`). The pilot is two serious baselines: one that gives every
example the same answer errs unlike any entry, and about doubles the number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from ..core.arrays import Floats
from ..inference.planning import POWER, mean_power
from ..metrics import Metric

#: Differences that are planned for, in hundredths of the metric's scale.
POINTS = (1, 2, 5)
#: A plan for a test set of more than this many times the pilot is no plan.
_MOST_TIMES = 1000


@dataclass(frozen=True)
class SizeNeeded:
    """Examples needed to separate two entries; None if no feasible number suffices."""

    difference: float
    examples: int | None


def influences(score: float, jackknife: Floats) -> Floats:
    """Return influence values ψ [N] of a score from its jackknife [N]: (N − 1)(θ − θ₋ᵣ).

    Source: Efron and Tibshirani 1994, chapter 11.
    """
    size = len(jackknife)
    return np.asarray((size - 1) * (score - jackknife))


def pilot_errors(influence: Floats, counts: Floats) -> Floats:
    """Return the standard error that each resample of the pilot estimates, [R].

    ``influence`` [N] belongs to the difference of two entries, ``counts`` [R, N] say how often each
    example is drawn.
    """
    size = len(influence)
    mean = counts @ influence / size
    return np.asarray(np.sqrt(np.maximum(counts @ influence**2 / size - mean**2, 0.0) / size))


def one_point(metric: Metric, score: float) -> float:
    """Return a hundredth of a metric's scale: of its range or, if it has none, of a score."""
    width = metric.high - metric.low
    return (width if math.isfinite(width) else abs(score)) / 100


def examples_needed(
    errors: Floats, pilot: int, level: float, point: float = 0.01
) -> list[SizeNeeded]:
    """Return the examples needed for differences of each of `POINTS`.

    ``errors`` [R] are standard errors of a difference in a pilot of ``pilot`` examples. ``level``
    is that of one comparison. ``point`` is one point in the metric's own units.
    """
    critical = NormalDist().inv_cdf(1 - level)

    def power(n: float, difference: float) -> float:
        with np.errstate(divide="ignore"):
            return mean_power(np.sqrt(n / pilot) * difference / errors, critical)

    found = []
    for points in POINTS:
        difference = points * point
        low, high = 1, pilot * _MOST_TIMES
        if power(high, difference) < POWER:
            found.append(SizeNeeded(difference, None))
            continue
        while low < high:
            middle = (low + high) // 2
            if power(middle, difference) >= POWER:
                high = middle
            else:
                low = middle + 1
        found.append(SizeNeeded(difference, low))
    return found


def smallest_separable(errors: Floats, level: float) -> float:
    """Return the difference that a test set of the pilot's size separates with the same power."""
    critical = NormalDist().inv_cdf(1 - level)
    low, high = 0.0, 20.0 * float(errors.max())
    for _ in range(60):
        middle = (low + high) / 2
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.where(errors > 0, middle / errors, np.inf)
        low, high = (low, middle) if mean_power(ratios, critical) >= POWER else (middle, high)
    return high
