"""The influence values of the oriented scores, and their estimate from the draws of the resamples.

The values of most metrics follow from their definition or the jackknife (`scoring.scorer`). The
jackknife calls a function once more for every unit. Where that would take too long, the covariance
of a unit's draws with the replicates estimates its value: θ* ≈ θ + Σ_u (w_u − 1)·ℓ_u, so that
cov(w_u, θ*) is ℓ_u less the mean of all. That takes no further call.

Over B resamples, the estimate for a pair has Monte Carlo noise of variance se²/B, se being the
standard error of the pair's difference. The N values have the sum of squares se², their noise adds
N·se²/B. A unit that decides a difference has a value of about se, far above its noise; sums of
powers over all units are freed from the noise (`Tails`, `studentized`).
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

from ...bootstrap.counts import DrawCounts
from ...core.arrays import Bools, Floats, Ints

#: √N/B up to which the sums over N units are known: the noise left in them is about so large.
_MOST_NOISE = 0.1
#: Numbers of draws that are multiplied at once: 32 megabytes.
_AT_ONCE = 2**22
#: Influence values whose powers are added up at once: half a megabyte, which stays in the cache.
_BLOCK = 2**16


@dataclass(frozen=True, eq=False)
class UnitInfluence:
    """Influence values [N, m], centered; higher is better. nan for an entry that has none.

    ``noise`` is the Monte Carlo noise's share of a pair's sum of squares: 0 if they are exact.
    ``sizes`` [N] say how many equal units each row of values stands for; None if for itself.
    """

    values: Floats
    noise: float = 0.0
    sizes: Ints | None = None

    @property
    def units(self) -> int:
        """Number of units."""
        return len(self.values) if self.sizes is None else int(self.sizes.sum())

    def blocks(self) -> Iterator[tuple[Floats, Floats]]:
        """Yield some rows at a time: their values [b, m], and how often these count, [b, 1]."""
        step = max(1, _BLOCK // self.values.shape[1])
        for first in range(0, len(self.values), step):
            values = self.values[first : first + step]
            if self.sizes is None:
                yield values, np.ones((1, 1))
            else:
                yield values, self.sizes[first : first + step, None].astype(np.float64)

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


# Heavy tails --------------------------------------------------------------------------------------

# Pairs of entries whose difference is decided by few units: heavy-tailed pairs.
#
# The bootstrap's difference of a pair is nearly Σ_u (w_u − 1)·d_u, with d_u the difference of the
# two entries' influence values (`scoring.scorer`). Its distribution is as skewed as that of d
# over √N, and has its excess kurtosis over N. Where these are large, a standard error that is the
# same on every resample misleads.


#: From this skewness over √N, or this excess kurtosis over N, a pair has heavy tails.
LIMIT = 0.1
#: Moments that are so much smaller than those of the two entries are computed from the differences.
_CANCELLED = 1e-3


@dataclass(frozen=True, eq=False)
class Tails:
    """The shape of the sum of N differences, for all pairs, [m, m]; 0 where nothing differs.

    ``skewness`` is that of the first entry's lead over the second, so it is antisymmetric. nan for
    an entry without influence values.
    """

    skewness: Floats
    kurtosis: Floats

    @classmethod
    def from_influence(cls, influence: UnitInfluence) -> Tails:
        """Return the tails of all pairs of entries; what noise adds to the moments is left out."""
        units = influence.units
        second, third, fourth = _moments(influence)
        noise = influence.noise * second
        second = second - noise
        fourth = fourth - 6.0 * second * noise - 3.0 * noise**2
        with np.errstate(divide="ignore", invalid="ignore"):
            skewness = third / second**1.5 / np.sqrt(units)
            kurtosis = (fourth / second**2 - 3.0) / units
        differ = second != 0
        return cls(np.where(differ, skewness, 0.0), np.where(differ, kurtosis, 0.0))

    @property
    def heavy(self) -> Bools:
        """Which pairs have heavy tails, [m, m]; never one without influence values."""
        return np.asarray((np.abs(self.skewness) > LIMIT) | (self.kurtosis > LIMIT))


def heavy_scores(influence: UnitInfluence) -> Bools:
    """Return which entries' own scores few units decide, [m]; none without influence values."""
    units = influence.units
    second, third, fourth = np.zeros((3, influence.values.shape[1]))
    for values, weights in influence.blocks():
        square = values * values
        second += (square * weights).sum(axis=0) / units
        third += (square * values * weights).sum(axis=0) / units
        fourth += (square * square * weights).sum(axis=0) / units
    noise = influence.noise * second
    with np.errstate(divide="ignore", invalid="ignore"):
        skewness = third / (second - noise) ** 1.5 / np.sqrt(units)
        fourth = fourth - 6.0 * (second - noise) * noise - 3.0 * noise**2
        kurtosis = (fourth / (second - noise) ** 2 - 3.0) / units
    return np.asarray((np.abs(skewness) > LIMIT) | (kurtosis > LIMIT))


def _moments(influence: UnitInfluence) -> tuple[Floats, Floats, Floats]:
    """Return the mean second, third and fourth powers of the differences of all pairs, [m, m]."""
    units, m = influence.units, influence.values.shape[1]
    scale = max(
        np.nanmax(np.abs(values), initial=0.0) for values, _ in influence.blocks()
    ) or 1.0  # fmt: skip
    own = np.zeros((3, m))
    xx, xxy, xxxy, xxyy = np.zeros((4, m, m))
    for values, weights in influence.blocks():
        x = values / scale
        squares = x * x
        cubes, weighted = squares * x, squares * weights
        own += [(part * weights).sum(axis=0) for part in (squares, cubes, squares * squares)]
        xx += (x * weights).T @ x
        xxy += weighted.T @ x
        xxxy += (cubes * weights).T @ x
        xxyy += weighted.T @ squares
    own, xx, xxy, xxxy, xxyy = (total / units for total in (own, xx, xxy, xxxy, xxyy))
    sums = [moment[:, None] + sign * moment for moment, sign in zip(own, (1, -1, 1), strict=True)]
    second = sums[0] - 2.0 * xx
    third = sums[1] - 3.0 * (xxy - xxy.T)
    fourth = sums[2] - 4.0 * (xxxy + xxxy.T) + 6.0 * xxyy
    sizes = 1 if influence.sizes is None else influence.sizes
    for i, j in np.argwhere(np.triu(second < _CANCELLED * sums[0], 1)):
        difference = (influence.values[:, i] - influence.values[:, j]) / scale
        square = difference * difference
        second[i, j] = second[j, i] = (square * sizes).sum() / units
        third[i, j] = (square * difference * sizes).sum() / units
        third[j, i] = -third[i, j]
        fourth[i, j] = fourth[j, i] = (square * square * sizes).sum() / units
    np.fill_diagonal(second, 0.0)
    return second * scale**2, third * scale**3, fourth * scale**4
