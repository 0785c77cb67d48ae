"""Metrics of order: rows are sorted once per entry, and resamples become running totals of counts.

Counts are transposed, [n, R]. So sorting rows copies whole lines, and every operation runs along
resamples that are adjacent in memory. All totals are integers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Array, Floats, Ints
from .metric import Evaluated

#: Number of counts that are handled at once, so that totals stay in a core's cache.
_COUNTS = 1_000_000
#: The least and the most resamples that are handled at once, and the most counts (for memory).
_NARROWEST = 8
_WIDEST = 128
_LARGEST = 1 << 24
#: Rows that are added one after the other. A cumulative sum over n / 32 rows does the rest.
_DEPTH = 32

Totals = NDArray[np.integer[Any]]


def width(n: int) -> int:
    """Return how many resamples of n rows are handled at once."""
    narrowest = max(1, min(_NARROWEST, _LARGEST // n))
    return min(_WIDEST, max(narrowest, _COUNTS // n))


class Workspace:
    """Memory for intermediate arrays, used again for every entry and slice of resamples.

    Allocating it again would take longer than computing the totals. It belongs to one scorer and
    one thread.
    """

    def __init__(self) -> None:
        self._memory: dict[str, NDArray[np.uint8]] = {}

    def array(self, name: str, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        """Return the memory of that name as an array, whose contents are undefined."""
        size = math.prod(shape) * dtype.itemsize
        memory = self._memory.get(name)
        if memory is None or memory.size < size:
            memory = self._memory[name] = np.empty(size, np.uint8)
        return memory[:size].view(dtype).reshape(shape)


class Resampled:
    """R resamples: how often each row was drawn, ``counts`` [n + 1, R], and ``draws`` [R] in all.

    The last row of the counts, of zeros, stands for "no row".
    """

    def __init__(self, counts: NDArray[np.integer], workspace: Workspace) -> None:
        self.counts: Totals = np.zeros((counts.shape[1] + 1, len(counts)), counts.dtype)
        self.counts[:-1] = counts.T
        self.draws: Floats = counts.sum(axis=1, dtype=np.int64).astype(np.float64)
        self.workspace = workspace

    @property
    def most(self) -> int:
        """The number of draws of the largest resample."""
        return int(self.draws.max(initial=0.0))


@dataclass(frozen=True, eq=False)
class Ordered:
    """A metric bound to data: prepared data of each entry, [m], and a function of these.

    ``evaluate`` takes ``entries``, or some of them, and returns their scores on resamples.
    """

    entries: tuple[Any, ...]
    evaluate: Callable[[Sequence[Any], Resampled], Evaluated]

    def keep(self, entries: Sequence[int]) -> Ordered:
        """Return the metric bound to some of the entries, in that order."""
        return replace(self, entries=tuple(self.entries[entry] for entry in entries))


class Running:
    """Running totals of counts over rows in a given order.

    ``at`` returns the line of `totals` that holds the total before the i-th row. Rows are arranged
    in columns that are totaled together. That adds whole blocks of memory, which is vectorized,
    while a cumulative sum is not.
    """

    def __init__(self, rows: Ints, n: int) -> None:
        self._columns = -(-(len(rows) + 1) // _DEPTH)
        # The total before row i is that up to row i − 1. One "no row" comes first; others fill up.
        layout = np.full(_DEPTH * self._columns, n, np.intp)
        layout[1 : len(rows) + 1] = rows
        self._layout = layout.reshape(self._columns, _DEPTH).T.reshape(-1)

    def at(self, positions: Ints) -> Ints:
        """Return the lines of `totals` that hold the totals before each of the given positions."""
        lines: Ints = positions % _DEPTH * self._columns + positions // _DEPTH
        return lines

    def arranged(self, values: Array, workspace: Workspace) -> Array:
        """Return the lines of values [n + 1, R] in the order of `totals`, [lines, R].

        The next call with values of the same type overwrites the result in the workspace.
        """
        shape = (len(self._layout), values.shape[1])
        gathered = workspace.array(f"arranged {values.dtype}", shape, values.dtype)
        return values.take(self._layout, axis=0, out=gathered, mode="clip")

    def totals(self, resampled: Resampled, most: int) -> Totals:
        """Return running totals of the counts, [lines, R], in a type that can hold ``most``.

        The next call overwrites the result in the resamples' workspace.
        """
        workspace = resampled.workspace
        counts = resampled.counts
        dtype = np.min_scalar_type(max(most, 256))
        lines: Totals = workspace.array("lines", (len(self._layout), counts.shape[1]), dtype)
        lines[...] = self.arranged(counts, workspace)
        by_depth = lines.reshape(_DEPTH, self._columns, -1)
        for k in range(1, _DEPTH):
            by_depth[k] += by_depth[k - 1]
        by_depth[:, 1:] += np.cumsum(by_depth[-1, :-1], axis=0, dtype=dtype)
        return lines


class Order:
    """The rows of one column in ascending order; rows with equal values form a group.

    ``rows`` [n] sorts the rows. For each sorted row, ``first`` [n] is the index of the first row of
    its group, and ``last`` [n] the index after the last one.
    """

    def __init__(self, values: Array) -> None:
        self.rows: Ints = np.argsort(values, kind="stable")
        arranged = values[self.rows]
        starts = np.flatnonzero(np.concatenate([[True], arranged[1:] != arranged[:-1]]))
        sizes = np.diff(np.append(starts, len(values)))
        self.first: Ints = np.repeat(starts, sizes)
        self.last: Ints = np.repeat(starts + sizes, sizes)

    @cached_property
    def tied(self) -> bool:
        """Whether any two rows have equal values."""
        return bool((self.last - self.first > 1).any())

    @cached_property
    def running(self) -> Running:
        """Running totals in this order."""
        return Running(self.rows, len(self.rows))

    @cached_property
    def groups(self) -> tuple[Ints, Ints]:
        """Lines of the totals before and after each group of equal values, [groups] each."""
        starts = np.unique(self.first)
        return self.running.at(starts), self.running.at(self.last[starts])

    @cached_property
    def lines(self) -> tuple[Ints, Ints]:
        """Lines of the totals before and after each row's group, [n] each, in the order of rows."""
        lines = []
        for bound in (self.first, self.last):
            unsorted = np.empty_like(bound)
            unsorted[self.rows] = bound
            lines.append(self.running.at(unsorted))
        return lines[0], lines[1]


def between(totals: Totals, lines: tuple[Ints, Ints], workspace: Workspace) -> Totals:
    """Return the draws between the two lines of each pair, [pairs, R].

    The next call of this function or of `around` overwrites the result in the workspace.
    """
    before, after = _ends(totals, lines, workspace)
    return np.subtract(after, before, out=after)


def around(totals: Totals, lines: tuple[Ints, Ints], workspace: Workspace) -> Totals:
    """Return the sum of the totals before and after each group: twice its average rank, minus one.

    The type of the totals must be able to hold twice the draws.
    """
    before, after = _ends(totals, lines, workspace)
    return np.add(after, before, out=after)


def _ends(totals: Totals, lines: tuple[Ints, Ints], workspace: Workspace) -> tuple[Totals, Totals]:
    def taken(rows: Ints, name: str) -> Totals:
        out = workspace.array(name, (len(rows), totals.shape[1]), totals.dtype)
        return totals.take(rows, axis=0, out=out, mode="clip")

    before = taken(lines[0], "before")
    return before, before if lines[1] is lines[0] else taken(lines[1], "after")
