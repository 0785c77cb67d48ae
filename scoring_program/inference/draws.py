"""Standardized draws of the differences of all pairs: what every max-T algorithm takes.

T̃_ij says how far entry i is ahead of entry j, in standard errors. A resample draws the same
quantity under the hypothesis that the two are equal: Z_ij = (R_i − R_j) / scale, R = θ* − θ. The
scale is se_ij, the standard deviation of the replicates, which is the same on every resample.
`ResampledErrors` give, for the pairs that they number, a second scale, the standard error that the
resample itself estimates (bootstrap-t). The larger of the two draws counts, so that Z_ji is −Z_ij
only where there is one scale.

Where scores are counts, R is a whole number of examples. Single precision holds it exactly, in half
the memory and the time; only its product with 1 / scale is rounded, to seven digits.

Algorithms walk over blocks of resamples, so that m(m−1) draws of all resamples never lie in memory,
and the standard errors of a block are computed once. Afterwards they ask for the draws of some
pairs on the few resamples that can decide.

A pair with `in_maximum` False takes part in no maximum: an entry with itself, two runs of one team
(which are not `rivals` at all), and two entries whose difference does not vary.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Bools, Floats, Ints, Reals
from .fast_rows import LINE, aligned, without_copies

#: Bytes of a block [m, b]: a core's cache holds it with what is made of it.
_AT_ONCE = 2**19
#: What draws and statistics are rounded by, relatively: in double and in single precision.
_ROUNDED = (1e-11, 4 * float(np.finfo(np.float32).eps))
#: Consecutive rows or columns, or chosen ones.
Chosen: TypeAlias = slice | Ints


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
        """[m, m], symmetric: the row of a pair among the ratios; −1 for pairs with one scale."""

    def ratios(self, rows: Chosen, resamples: Chosen) -> NDArray[np.float32]:
        """Return se / se* [rows, b] of some rows on some resamples."""


@dataclass(frozen=True, eq=False)
class _OfSome:
    """The standard errors of the pairs of some entries."""

    source: ResampledErrors
    errors: Floats
    row: Ints

    @property
    def reason(self) -> str:
        return self.source.reason

    def ratios(self, rows: Chosen, resamples: Chosen) -> NDArray[np.float32]:
        return self.source.ratios(rows, resamples)


@dataclass(frozen=True, eq=False)
class Draws:
    """Statistics T̃, and draws Z of the same quantities if all entries were equal."""

    statistics: Floats  # T̃ [m, m]
    deviations: Reals  # R [m, B], as multiples of ``unit``
    errors: Floats  # se [m, m], 0 on the diagonal
    rivals: Bools  # [m, m], symmetric: pairs that may be compared; False on the diagonal
    resampled: ResampledErrors | None = None
    unit: float = 1.0

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
    def inverse_errors(self) -> Reals:
        """What turns `deviations` into standard errors: unit / se [m, m], 0 where se is 0."""
        inverse = np.zeros_like(self.errors)
        np.divide(self.unit, self.errors, out=inverse, where=self.errors > 0)
        return inverse.astype(self.deviations.dtype)

    @cached_property
    def thresholds(self) -> Reals:
        """What draws of the pairs must be to reach T̃, [m, m]: less by what both are rounded by.

        So a draw that equals T̃, as draws of counts do, reaches it.
        """
        found = self.statistics.astype(self.deviations.dtype)
        rounded = _ROUNDED[found.dtype == np.float32] * np.abs(found)
        return np.subtract(found, rounded, out=found, where=np.isfinite(found))

    def take(self, entries: Ints) -> Draws:
        """Return the draws of the pairs of some entries, in their order."""
        kept, found = np.ix_(entries, entries), self.resampled
        if found is not None:
            row = found.row[kept]
            found = _OfSome(found, found.errors[kept], row) if (row >= 0).any() else None
        return Draws(
            self.statistics[kept],
            self.deviations[entries],
            self.errors[kept],
            self.rivals[kept],
            found,
            self.unit,
        )

    def blocks(self) -> Iterator[slice]:
        """Yield slices of consecutive resamples that together are all of them."""
        step = max(1, _AT_ONCE // self.entries // LINE) * LINE // self.deviations.itemsize
        for start in range(0, self.resamples, step):
            yield slice(start, min(start + step, self.resamples))

    def block(self, resamples: slice) -> DrawsBlock:
        """Return the draws of all pairs on b consecutive resamples."""
        found = self.resampled
        ratios = None if found is None else found.ratios(slice(None), resamples)
        shape = self.entries, resamples.stop - resamples.start
        deviations = aligned(shape, self.deviations.dtype)
        deviations[:] = self.deviations[:, resamples]
        return DrawsBlock(self, deviations, ratios)

    def leads(self, entry: int, rivals: Ints, resamples: Ints) -> Reals:
        """Return Z [k, b] of an entry over its ``rivals`` [k] on chosen resamples [b].

        Only pairs that are `in_maximum` have a meaning.
        """
        return self._larger(self._plain(entry, rivals, resamples), entry, rivals, resamples)

    def trails(self, entry: int, rivals: Ints, resamples: Ints) -> Reals:
        """Return Z [k, b] of the ``rivals`` [k] over an entry; the rest is as in `leads`."""
        behind = self._plain(entry, rivals, resamples)
        np.negative(behind, out=behind)
        return self._larger(behind, entry, rivals, resamples)

    def _plain(self, entry: int, rivals: Ints, resamples: Ints) -> Reals:
        """Return the draws of `leads` by the plain scale."""
        ahead = self._chosen(rivals, resamples)
        with without_copies(resamples.size):
            np.subtract(self.deviations[entry].take(resamples), ahead, out=ahead)
            ahead *= self.inverse_errors[entry, rivals][:, None]
        return ahead

    def _chosen(self, entries: Ints, resamples: Ints) -> Reals:
        """Return R [k, b] of some entries on chosen resamples, in memory of its own."""
        first, end = entries.min(initial=self.entries), entries.max(initial=-1) + 1
        if end - first > 2 * entries.size:
            # Numbers in the flattened array: faster than two lists of indices.
            return self.deviations.ravel().take(entries[:, None] * self.resamples + resamples)
        # Twice as fast, although nobody asked for some of these rows.
        rows: Reals = self.deviations[first:end].take(resamples, axis=1)
        return rows[_side_by_side(entries - first)]

    def _larger(self, plain: Reals, entry: int, rivals: Ints, resamples: Ints) -> Reals:
        """Return the draws by the scale that makes them larger, in the memory of ``plain``."""
        if self.resampled is not None:
            row = self.resampled.row[entry, rivals]
            own = np.flatnonzero(row >= 0)
            _enlarge(plain, own, self.resampled.ratios(row[own], resamples))
        return plain


@dataclass(frozen=True, eq=False)
class DrawsBlock:
    """The draws of all pairs on b consecutive resamples."""

    draws: Draws
    deviations: Reals  # R [m, b]
    ratios: NDArray[np.float32] | None  # se / se* [rows, b]

    def leads(self, first: Ints, second: Ints | int) -> Reals:
        """Return Z [k, b] of the pairs (first, second): how far ``first`` [k] is drawn ahead.

        ``second`` is [k], or one entry. Only pairs that are `Draws.in_maximum` have a meaning.
        """
        ahead = self.deviations[first]
        ahead -= self.deviations[second]
        ahead *= self.draws.inverse_errors[first, second][:, None]
        if self.draws.resampled is not None and self.ratios is not None:
            row = self.draws.resampled.row[first, second]
            own = np.flatnonzero(row >= 0)
            _enlarge(ahead, own, self.ratios[row[own]])
        return ahead

    def both(self, entry: int, rivals: Chosen) -> tuple[Reals, Reals]:
        """Return Z [k, b] of an entry over rivals, and of them over it, negated.

        Of one scale they are the same: memory that the next call uses again.
        """
        inverse_errors = self.draws.inverse_errors[entry, rivals]
        room = self._rooms[0][: inverse_errors.size]
        ahead = np.subtract(self.deviations[entry], self.deviations[rivals], out=room)
        ahead *= inverse_errors[:, None]
        if self.draws.resampled is None or self.ratios is None:
            return ahead, ahead
        row = self.draws.resampled.row[entry, rivals]
        if not (row >= 0).any():
            return ahead, ahead
        # A pair with one scale takes any ratio, and then its draw again.
        least, ratios = self._rooms[1][: row.size], self.ratios[_side_by_side(row)]
        scaled = np.multiply(ahead, ratios, out=self._rooms[2][: row.size])
        plain = np.flatnonzero(row < 0)
        scaled[plain] = ahead[plain]
        np.minimum(ahead, scaled, out=least)
        return least, np.maximum(ahead, scaled, out=ahead)

    @cached_property
    def _rooms(self) -> tuple[Reals, ...]:
        """Memory for the draws of an entry: used again, it stays in a core's cache."""
        shape, dtype = self.deviations.shape, self.deviations.dtype
        return tuple(aligned(shape, dtype) for _ in range(1 if self.ratios is None else 3))


def _side_by_side(rows: Ints) -> Chosen:
    """Return rows as a slice, which needs no copies, if they lie side by side in this order."""
    if rows.size and rows[0] >= 0 and (np.diff(rows) == 1).all():
        return slice(int(rows[0]), int(rows[-1]) + 1)
    return rows


def _enlarge(draws: Reals, rows: Ints, ratios: NDArray[np.float32]) -> None:
    """Multiply some ``rows`` of ``draws`` [k, b] by their ratios where that makes them larger."""
    draws[rows] = np.maximum(draws[rows], draws[rows] * ratios)


def all_rivals(entries: int) -> Bools:
    """Return [m, m]: every entry is a rival of every other."""
    return ~np.eye(entries, dtype=np.bool_)
