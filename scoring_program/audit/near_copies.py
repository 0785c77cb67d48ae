"""How many errors two entries share: what was seen, without a probability.

A probability would need a model of how many errors two entries share that were built apart. Two
honest teams that use the same model or the same training data share far more than independent
ones, and no data of a competition tell how many. So the pairs are compared with each other, and
with pairs that the organizer knows to be alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..core.arrays import Ints

#: Tukey's outer fence, in distances between the quartiles: what lies above it is far outside
#: (Exploratory Data Analysis, 1977, section 2D).
FAR_OUTSIDE = 3.0


@dataclass(frozen=True)
class ErrorPair:
    """Two entries, on how many examples they give the same wrong answer, and the errors of each."""

    entries: tuple[int, int]
    shared: int
    errors: tuple[int, int]

    @property
    def either(self) -> int:
        """The number of different errors that the two make: one that they share counts once."""
        return sum(self.errors) - self.shared

    @property
    def share(self) -> float:
        """Shared errors as a share of those that either makes (Jaccard)."""
        return self.shared / self.either


@dataclass(frozen=True)
class ErrorPairs:
    """The pairs of a field, and those of the yardstick; the closest pairs first."""

    pairs: tuple[ErrorPair, ...]
    yardstick: tuple[ErrorPair, ...]

    @cached_property
    def quartiles(self) -> tuple[float, float]:
        """Between which shares the middle half of the field's pairs lies; raises without pairs."""
        low, high = np.percentile([pair.share for pair in self.pairs], (25, 75))
        return float(low), float(high)

    @property
    def fence(self) -> float:
        """The share above which a pair lies far outside the field's spread; if 1 or more, none."""
        low, high = self.quartiles
        return high + FAR_OUTSIDE * (high - low)

    @cached_property
    def far_outside(self) -> tuple[ErrorPair, ...]:
        """The pairs that lie far outside the field's spread; none where there is only one."""
        return tuple(pair for pair in self.pairs if self.fence < pair.share)


def closest_first(shared: Ints, pairs: Iterable[tuple[int, int]]) -> tuple[ErrorPair, ...]:
    """Return those of the ``pairs`` that make errors; ``shared`` [m, m] as of `shared_errors`."""
    errors = np.diag(shared).tolist()
    found = [
        ErrorPair((i, j), int(shared[i, j]), (errors[i], errors[j]))
        for i, j in pairs
        if errors[i] or errors[j]
    ]
    return tuple(sorted(found, key=lambda pair: (-pair.share, -pair.shared, pair.entries)))
