"""Pairs of entries whose difference is decided by few units: heavy-tailed pairs.

The bootstrap's difference of a pair is nearly Σ_u (w_u − 1)·d_u, with d_u the difference of the two
entries' influence values (`scoring.influence`). Its distribution is as skewed as that of d over √N,
and has its excess kurtosis over N. Where these are large, a standard error that is the same on
every resample misleads.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import Bools, Floats
from .unit_influence import UnitInfluence

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
    def of(cls, influence: UnitInfluence) -> Tails:
        """Return the tails of all pairs of entries; what noise adds to the moments is left out."""
        units = len(influence.values)
        second, third, fourth = _moments(influence.values)
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


def _moments(influence: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the mean second, third and fourth powers of the differences of all pairs, [m, m]."""
    units = len(influence)
    scale = np.nanmax(np.abs(influence), initial=0.0) or 1.0
    x = influence / scale
    squares = x * x
    own = (squares.mean(axis=0), (squares * x).mean(axis=0), (squares * squares).mean(axis=0))
    xx, xxy = x.T @ x / units, squares.T @ x / units
    xxxy, xxyy = (squares * x).T @ x / units, squares.T @ squares / units
    sums = [moment[:, None] + sign * moment for moment, sign in zip(own, (1, -1, 1), strict=True)]
    second = sums[0] - 2.0 * xx
    third = sums[1] - 3.0 * (xxy - xxy.T)
    fourth = sums[2] - 4.0 * (xxxy + xxxy.T) + 6.0 * xxyy
    for i, j in np.argwhere(np.triu(second < _CANCELLED * sums[0], 1)):
        difference = x[:, i] - x[:, j]
        square = difference * difference
        second[i, j] = second[j, i] = square.mean()
        third[i, j] = (square * difference).mean()
        third[j, i] = -third[i, j]
        fourth[i, j] = fourth[j, i] = (square * square).mean()
    np.fill_diagonal(second, 0.0)
    return second * scale**2, third * scale**3, fourth * scale**4
