"""The influence values of the oriented scores, and their estimate from the draws of the resamples.

The values of most metrics follow from their definition or the jackknife (`scoring.influence`). The
jackknife calls a function once more for every unit. Where that would take too long, the covariance
of a unit's draws with the replicates estimates its value: θ* ≈ θ + Σ_u (w_u − 1)·ℓ_u, so that
cov(w_u, θ*) is ℓ_u less the mean of all. That takes no further call.

Over B resamples, the estimate for a pair has Monte Carlo noise of variance se²/B, se being the
standard error of the pair's difference. The N values have the sum of squares se², their noise adds
N·se²/B. A unit that decides a difference has a value of about se, far above its noise; sums of
powers over all units are freed from the noise (`heavy_tails`, `studentized`).
Source: Efron 2014, "Estimation and Accuracy after Model Selection", JASA 109 (the infinitesimal
jackknife of a bootstrap); Wager, Hastie and Efron 2014, "Confidence Intervals for Random Forests",
JMLR 15 (its Monte Carlo noise).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np

from ..bootstrap.counts import DrawCounts
from ..core.arrays import Floats

#: √N/B up to which the sums over N units are known: the noise left in them is about so large.
_MOST_NOISE = 0.1
#: Numbers of draws that are multiplied at once: 32 megabytes.
_AT_ONCE = 2**22


@dataclass(frozen=True, eq=False)
class UnitInfluence:
    """Influence values [N, m], centered; higher is better. nan for an entry that has none.

    ``noise`` is the Monte Carlo noise's share of a pair's sum of squares: 0 if they are exact.
    """

    values: Floats
    noise: float = 0.0

    @classmethod
    def of_draws(cls, counts: Iterator[DrawCounts], replicates: Floats) -> UnitInfluence | None:
        """Estimate the values from the draws of the units, [R, N] each, and replicates [m, B].

        Equal entries get equal values. None if there are too few resamples, see `needed_resamples`.
        """
        first = next(counts)
        units, resamples = first.shape[1], replicates.shape[1]
        if resamples < needed_resamples(units):
            return None
        distinct, same = np.unique(replicates, axis=0, return_inverse=True)
        deviations = np.ascontiguousarray((distinct - distinct.mean(axis=1, keepdims=True)).T)
        total = np.zeros((units, len(distinct)))
        done, step = 0, max(1, _AT_ONCE // units)
        for block in chain([first], counts):
            for start in range(0, len(block), step):
                drawn = block[start : start + step].astype(np.float64)
                total += drawn.T @ deviations[done : done + len(drawn)]
                done += len(drawn)
        total -= total.mean(axis=0)
        return cls(total[:, same.reshape(-1)] / resamples, units / (units + resamples))


def needed_resamples(units: int) -> int:
    """Return the fewest resamples whose draws tell the influence of so many units."""
    return math.ceil(math.sqrt(units) / _MOST_NOISE)
