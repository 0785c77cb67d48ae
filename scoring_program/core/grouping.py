"""What the rows of a test set stand for: equal examples of each row, and units of several rows.

A row is an example, unless many examples are equal and one row stands for all of them. A unit is
what is resampled: a row, or a group of rows that is drawn whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import Array, Floats, Ints, chunks


@dataclass(frozen=True, eq=False)
class Grouping:
    """The examples that n rows stand for, and the N units that the rows belong to.

    ``units`` [n] numbers the unit of each row, 0 … N−1, or is [2, n] where a row belongs to a group
    of each of two columns; None if every row is a unit. ``sizes`` [n] says how many equal examples
    each row stands for; None if for itself.
    """

    n: int
    units: Ints | None = None
    sizes: Ints | None = None

    @property
    def examples(self) -> int:
        """Number of examples."""
        return self.n if self.sizes is None else int(self.sizes.sum())

    @property
    def size(self) -> int:
        """Number N of units."""
        return self.n if self.units is None else int(self.units.max()) + 1

    @property
    def columns(self) -> Ints:
        """The unit of each row, [1, n], or both of its groups, [2, n]."""
        return np.atleast_2d(np.arange(self.n) if self.units is None else self.units)

    @property
    def numbers(self) -> Ints:
        """How many examples each row stands for, [n], not to be written to."""
        return np.broadcast_to(np.intp(1), (self.n,)) if self.sizes is None else self.sizes

    @property
    def of_units(self) -> Grouping:
        """That of the units as N rows, each of which is a unit."""
        return self if self.units is None else Grouping(self.size)

    def take(self, rows: Ints | slice) -> Grouping:
        """Return that of some rows; the units keep their numbers."""
        n = len(range(self.n)[rows]) if isinstance(rows, slice) else rows.size
        units = None if self.units is None else self.units[..., rows]
        return Grouping(n, units, None if self.sizes is None else self.sizes[rows])

    def to_rows(self, of_units: Array) -> Array:
        """Return for every row [..., n] what is given for every unit [..., N]."""
        return of_units if self.units is None else of_units[..., self.units]

    def tally(self, marked: Any) -> Any:
        """Count the examples of the True rows of ``marked`` [n, …]."""
        if self.sizes is None:
            return np.count_nonzero(marked, axis=0)
        counts = np.zeros(marked.shape[1:], np.intp)
        for rows in chunks(self.n):
            counts += self.sizes[rows] @ marked[rows]
        return counts

    def total(self, column: Array) -> float:
        """Return the sum of a column [n] over the examples."""
        if self.sizes is None:
            return float(np.sum(column, dtype=np.float64))
        return float((self.sizes * column).sum())

    def influence(self, rows: Floats, out: Floats | None = None) -> Floats:
        """Add up the influence values of rows [n, m] within units; return them [N, m], centered.

        Where a row stands for equal ones, they may be written to ``out`` [n, m], which may be the
        ``rows`` themselves.
        """
        if self.units is not None:
            return centered(np.stack([np.bincount(self.units, row) for row in rows.T], axis=1))
        if self.sizes is None:
            return centered(rows)
        mean = _totals_of(rows, self.sizes) / self.sizes.sum()
        return np.asarray(np.subtract(rows, mean, out=out))


def _totals_of(rows: Floats, sizes: Ints) -> Floats:
    """Return the sums [m] of rows [n, m], as often as ``sizes`` [n] say."""
    totals = np.zeros(rows.shape[1])
    for some in chunks(len(rows)):
        weighted = sizes[some, None] * rows[some]
        weighted[0] += totals  # so that one row after the other is added, however many there are
        totals = weighted.sum(axis=0)
    return totals


def centered(influence: Floats) -> Floats:
    """Subtract each entry's mean: a resample always draws the same number of units."""
    return np.asarray(influence - influence.mean(axis=0))
