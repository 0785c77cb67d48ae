"""Metrics of order: rows are sorted once for each entry, resamples are running totals of counts.

Counts are handled transposed, [n, R], so that rows can be put in order by copying whole lines and
every operation runs along resamples that lie side by side in memory. All totals are integers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring_program.metrics.metric import Array, Finished, Floats, Ints

#: Resamples handled at a time: the counts of a few thousand rows then stay in a core's cache.
WIDTH = 128
#: Rows that are totalled one after the other before the blocks of rows are.
_STEP = 16

Totals = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Ordered:
    """A metric bound to data: scores [m, R] from counts [n, R]."""

    evaluate: Callable[[Totals], Finished]


@dataclass(frozen=True, eq=False)
class Order:
    """The rows of one column in ascending order; rows with equal values form a group.

    ``rows`` [n] puts rows in order; of the sorted rows, ``first`` [n] is the first of each one's
    group and ``last`` [n] the one after its last.
    """

    rows: Ints
    first: Ints
    last: Ints

    @property
    def tied(self) -> bool:
        """Whether any two rows have equal values."""
        return bool((self.last - self.first > 1).any())

    @property
    def starts(self) -> Ints:
        """The first row of each group, [groups], in order."""
        return np.unique(self.first)


def order_of(values: Array) -> Order:
    """Sort a column [n]."""
    rows = np.argsort(values, kind="stable")
    arranged = values[rows]
    starts = np.flatnonzero(np.concatenate([[True], arranged[1:] != arranged[:-1]]))
    sizes = np.diff(np.append(starts, len(values)))
    return Order(rows, np.repeat(starts, sizes), np.repeat(starts + sizes, sizes))


def running_totals(counts: Totals, most: int) -> Totals:
    """Return Σ_{k < i} counts[k] for i = 0 … n, [n + 1, R], in the narrowest type that holds ``most``.

    Blocks of rows are totalled side by side, which vectorises where a cumulative sum does not.
    """
    n, width = counts.shape
    dtype = np.uint16 if most < 1 << 16 else np.uint32 if most < 1 << 32 else np.uint64
    blocks = -(-n // _STEP)
    padded = np.zeros((blocks * _STEP + 1, width), dtype)
    padded[1 : n + 1] = counts
    inner = padded[1:].reshape(blocks, _STEP, width)
    for k in range(1, _STEP):
        inner[:, k] += inner[:, k - 1]
    if blocks > 1:
        ends = running_totals(inner[:-1, -1], most) if blocks > 2 * _STEP else None
        if ends is not None:
            inner[1:] += ends[1:, None]
        else:
            for block in range(1, blocks):
                inner[block] += inner[block - 1, -1]
    return padded[: n + 1]


def twice_midranks(counts: Totals, order: Order, most: int) -> Totals:
    """Return 2·(average rank) of every sorted row's copies, [n, R]; ``counts`` are in that order.

    Of a row that is not drawn it is where the row would stand; it takes no part in any sum.
    """
    # Twice a rank is at most 2·most + 1, so the totals' type must hold that.
    totals = running_totals(counts, 2 * most + 1)
    ranks = totals[order.first] if order.tied else totals[:-1].copy()
    ranks += totals[order.last] if order.tied else totals[1:]
    ranks += 1
    return ranks


def group_sums(counts: Totals, starts: Ints) -> Floats:
    """Sum sorted counts over each group of equal values, float64 [groups, R]."""
    return np.add.reduceat(counts.astype(np.float64), starts, axis=0)


def largest_total(counts: Totals) -> int:
    """Return the largest number of draws of any resample in counts [n, R]."""
    return int(counts.sum(axis=0, dtype=np.int64).max(initial=0))
