"""Standardized draws of the differences of all pairs: what every max-T algorithm takes.

T̃_ij says how far entry i is ahead of entry j, in standard errors. A resample draws the same
quantity under the hypothesis that the two are equal: Z_ij = (R_i − R_j) / scale, R = θ* − θ. The
scale is se_ij, the standard deviation of the replicates, which is the same on every resample.
`ResampledErrors` give, for the pairs that they number, a second scale, the standard error that the
resample itself estimates (bootstrap-t). The larger of the two draws counts, so that Z_ji is −Z_ij
only where there is one scale.

Algorithms walk over blocks of resamples. In each block they ask for the draws of whatever pairs
they need, as often as they need them, and add what they count. So one pass serves all of them,
m(m−1) draws of all resamples never lie in memory, and the standard errors of a block are computed
once.

A pair with `in_maximum` False takes part in no maximum: an entry with itself, two runs of one team
(which are not `rivals` at all), and two entries whose difference does not vary.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Bools, Floats, Ints

#: Numbers of a block [m, b]: a megabyte, which a core's cache holds with what is made of it.
_AT_ONCE = 2**17


class ResampledErrors(Protocol):
    """The standard errors se* of the differences of some pairs that each resample estimates."""

    @property
    def errors(self) -> Floats:
        """[m, m]: the standard errors that the statistics of these pairs are divided by."""

    @property
    def reason(self) -> str:
        """Why they are used: a key of the page's texts."""

    @property
    def row(self) -> Ints:
        """[m, m], symmetric: the row of a pair in `block`; −1 for pairs with one scale."""

    def block(self, resamples: slice) -> NDArray[np.float32]:
        """Return se / se* [rows, b] on consecutive resamples."""


@dataclass(frozen=True, eq=False)
class _OfFirst:
    """The standard errors of the pairs of the first entries, of those of more."""

    source: ResampledErrors
    errors: Floats
    row: Ints

    @property
    def reason(self) -> str:
        return self.source.reason

    def block(self, resamples: slice) -> NDArray[np.float32]:
        return self.source.block(resamples)


@dataclass(frozen=True, eq=False)
class Draws:
    """Statistics T̃, and draws Z of the same quantities if all entries were equal."""

    statistics: Floats  # T̃ [m, m]
    deviations: Floats  # R [m, B]
    errors: Floats  # se [m, m], 0 on the diagonal
    rivals: Bools  # [m, m], symmetric: pairs that may be compared; False on the diagonal
    resampled: ResampledErrors | None = None

    @property
    def entries(self) -> int:
        """Number of entries, m."""
        return int(self.deviations.shape[0])

    @property
    def resamples(self) -> int:
        """Number of resamples, B."""
        return int(self.deviations.shape[1])

    @property
    def why(self) -> str | None:
        """Why draws have a second scale; None if they have not."""
        return None if self.resampled is None else self.resampled.reason

    @property
    def studentized(self) -> int:
        """Number of pairs with a second scale."""
        return 0 if self.resampled is None else int(np.count_nonzero(self.resampled.row >= 0)) // 2

    @cached_property
    def in_maximum(self) -> Bools:
        """Which pairs [m, m] take part in maxima over pairs."""
        return np.asarray(self.rivals & (self.errors > 0))

    @cached_property
    def inverse_errors(self) -> Floats:
        """1 / se [m, m], 0 where se is 0."""
        return np.divide(1, self.errors, out=np.zeros_like(self.errors), where=self.errors > 0)

    def first(self, entries: int) -> Draws:
        """Return the draws of the pairs of the first entries."""
        kept, found = (slice(entries), slice(entries)), self.resampled
        if found is not None:
            row = found.row[kept]
            found = _OfFirst(found, found.errors[kept], row) if (row >= 0).any() else None
        return Draws(
            self.statistics[kept],
            self.deviations[:entries],
            self.errors[kept],
            self.rivals[kept],
            found,
        )

    def blocks(self) -> Iterator[slice]:
        """Yield slices of consecutive resamples that together are all of them."""
        step = max(1, _AT_ONCE // self.entries)
        for start in range(0, self.resamples, step):
            yield slice(start, min(start + step, self.resamples))

    def block(self, resamples: slice) -> DrawsBlock:
        """Return the draws of all pairs on b consecutive resamples."""
        found = None if self.resampled is None else self.resampled.block(resamples)
        return DrawsBlock(self, np.ascontiguousarray(self.deviations[:, resamples]), found)


@dataclass(frozen=True, eq=False)
class DrawsBlock:
    """The draws of all pairs on b consecutive resamples."""

    draws: Draws
    deviations: Floats  # R [m, b]
    ratios: NDArray[np.float32] | None  # se / se* [rows, b]

    def leads(self, first: Ints, second: Ints | int, room: Floats | None = None) -> Floats:
        """Return Z [k, b] of the pairs (first, second): how far ``first`` [k] is drawn ahead.

        ``second`` is [k], or one entry. Only pairs that are `Draws.in_maximum` have a meaning. The
        draws take the first rows of ``room`` [at least k, b], if given: memory that is used again
        costs less.
        """
        room = None if room is None else room[: first.size]
        # With another mode than "raise", NumPy writes into ``room`` without a copy between.
        ahead = self.deviations.take(first, axis=0, out=room, mode="clip")
        ahead -= self.deviations[second]
        ahead *= self.draws.inverse_errors[first, second][:, None]
        if self.draws.resampled is not None and self.ratios is not None:
            row = self.draws.resampled.row[first, second]
            own = np.flatnonzero(row >= 0)
            places = slice(None) if own.size == row.size else own
            studentized = ahead[places] * self.ratios[row[own]]
            ahead[places] = np.maximum(ahead[places], studentized)
        return ahead

    def trails(self, first: Ints, second: int, leads: Floats) -> Floats:
        """Return Z [k, b] of the pairs (second, first), given the ``leads`` of (first, second).

        The leads may be overwritten.
        """
        if self.ratios is None:
            return np.negative(leads, out=leads)
        return self.leads(np.full_like(first, second), first)


def all_rivals(entries: int) -> Bools:
    """Return [m, m]: every entry is a rival of every other."""
    return ~np.eye(entries, dtype=np.bool_)
