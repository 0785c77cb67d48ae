"""Rows that no metric tells apart: only how often all of them together are drawn matters.

Where entries predict a few labels, most rows have equals: with the same outcomes of every entry by
every metric. How often each distinct row is drawn is multinomial, too, and takes no longer to draw
for a million rows than for a thousand. The draws may be kept for the inference that weights the
units by them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Array, Floats, Ints
from ..core.pool import shared_zeros
from ..metrics.sums import scattered, smallest
from ..scoring.scorer import Scorer
from ..settings.model import Settings
from .counts import Counts, DrawCounts, generator_of_chunk
from .design import Design

#: To draw the count of a distinct row takes as long as to draw those of so many rows, and fewer
#: rows are drawn in a moment anyway.
_COST, _FEW_ROWS = 32, 20_000
#: The same where draws are studentized, which takes far longer, and as long for each distinct row.
_COST_OF_STUDENTIZED = 3
#: The most statistics of all rows that are compared, and the most numbers in a table of them.
_MOST, _TABLE = 2**28, 2**22
#: The most bytes of draws that are kept if the settings ask for what uses them, and if not.
_MOST_KEPT, _FEW_KEPT = 2**28, 2**22


@dataclass(frozen=True, eq=False)
class DistinctRows:
    """The K sets of N rows within which all are equal."""

    sets: Ints  # [N] the set of each row, 0 … K−1
    first: Ints  # [K] the first row of each set
    sizes: Ints  # [K] numbers of rows

    @classmethod
    def from_design(
        cls, scorers: Sequence[Scorer], design: Design, settings: Settings
    ) -> DistinctRows | None:
        """Return the sets of rows that have the same statistics in every metric, and one stratum.

        None if slices or groups need the draws of every row, if the sets are too many to pay off,
        and if some scores are not functions of sums of whole numbers over all rows. The choice
        depends on the data, never on a measured time.
        """
        studentized = settings.studentized == "always"
        cost = _COST_OF_STUDENTIZED if studentized else _COST
        few = design.n < _FEW_ROWS and not studentized and design.sizes is None
        if few or settings.slices or design.units is not None:
            return None
        columns: list[Array] = [] if design.strata is None else [design.strata]
        for part in (part for scorer in scorers for part in scorer.parts):
            if part.columns is None or part.rows is not None:
                return None
            columns += part.columns
        columns = list({id(column): column for column in columns}.values())
        if not 0 < len(columns) * design.n <= _MOST or any(
            scattered(c) is not None for c in columns
        ):
            return None
        whole = [smallest(column) for column in columns if (column[:64] % 1 == 0).all()]
        if len(whole) < len(columns) or any(column.dtype.kind == "f" for column in whole):
            return None
        sets = _numbered(whole, design.n // cost if design.sizes is None else design.n)
        if sets is None:
            return None
        sizes = np.bincount(sets, design.sizes).astype(np.intp)
        first = np.empty(sizes.size, np.intp)
        first[sets[::-1]] = np.arange(sets.size)[::-1]  # of one set, the last assignment stays
        return cls(sets, first, sizes)

    @property
    def size(self) -> int:
        """Number K of sets."""
        return self.sizes.size

    def share(self, values: Floats) -> bool:
        """Whether the rows of each set have the same values [N, m]."""
        return np.array_equal(values[self.first][self.sets], values)

    def design(self, of_rows: Design) -> Design:
        """Return what is drawn instead of rows: the sets, each with its size."""
        strata = None if of_rows.strata is None else of_rows.strata[self.first]
        return Design(self.size, strata=strata, sizes=self.sizes)

    def take(self, scorers: Sequence[Scorer]) -> dict[Scorer, Scorer]:
        """Return what scores the draws of sets, for each scorer of the draws of rows."""
        taken: dict[Scorer, Scorer] = {}
        for scorer in scorers:
            scorer.take(self.first, taken)
        for one in taken.values():
            one.rows = None
        return taken

    def of_units(self, counts: Counts, numbers: Sequence[int], seed: int) -> DrawCounts:
        """Return how often each row is drawn, [R, N], given the draws [R, K] of sets.

        ``numbers`` [R] are those of the resamples. Within a set, all rows are drawn alike.
        """
        order, starts = np.argsort(self.sets, kind="stable"), np.cumsum(self.sizes) - self.sizes
        found = np.empty((len(counts), self.sets.size), np.uint8)
        for row, number, drawn in zip(found, numbers, counts, strict=True):
            rng = generator_of_chunk(seed, number, 1)
            places = np.repeat(starts, drawn) + rng.integers(0, np.repeat(self.sizes, drawn))
            row[order] = np.bincount(places, minlength=self.sets.size)
        return found


@dataclass(frozen=True, eq=False)
class MergedCounts:
    """How often each set of equal units is drawn."""

    units: DistinctRows
    blocks: Callable[[], Iterator[Counts]]  # which yields [R, K]


@dataclass(frozen=True, eq=False)
class KeptCounts:
    """How often each unit, or each set of equal rows, is drawn in each resample.

    To draw them again takes as long as to score most metrics, once for every metric and slice, so
    they are kept where they are few, or sure to be used. Only workers on this machine fill it in.
    """

    counts: Counts  # [B, N or K], in memory that forked processes share
    rows: Ints | slice  # [N] a row of each unit

    @classmethod
    def from_design(
        cls, design: Design, resamples: int, settings: Settings, parts: int
    ) -> KeptCounts | None:
        """Return memory for the draws of one of several parts; None where they are not kept."""
        used = settings.studentized == "always" or bool(settings.slices)
        most = min(_MOST_KEPT, int(settings.memory * 2**30) // 8) // parts if used else _FEW_KEPT
        needed = design.size * resamples * design.type.itemsize
        if settings.studentized == "never" or needed > most or design.is_crossed:
            return None
        if design.sizes is None:
            return cls(shared_zeros((resamples, design.size), design.type), design.unit_rows)
        # They are later multiplied set by set.
        return cls(shared_zeros((design.size, resamples), design.type).T, slice(None))

    def put(self, first: int, counts: Counts) -> None:
        """Put in the draws [R, n] of all rows, from the ``first`` resample on."""
        self.counts[first : first + len(counts)] = counts[:, self.rows]

    def first(self, resamples: int) -> Counts | None:
        """Return the draws [resamples, N] of the first resamples; None if nobody put them in."""
        # Every resample draws units, and all that come before one that was scored were scored.
        return self.counts[:resamples] if self.counts[resamples - 1].any() else None


def _numbered(columns: Sequence[Array], most: int) -> Ints | None:
    """Return the number of each row's values, 0 … K−1 in their order; None if K exceeds ``most``.

    Numbers of what the columns so far hold are combined with the next one, and only now and then
    made the smallest possible. So nothing is sorted unless a column's values lie far apart.
    """
    codes, size = np.zeros(len(columns[0]), np.int64), 1
    for column in columns:
        low = int(column.min())
        width = int(column.max()) - low + 1
        if size * width > _TABLE:
            codes, size = _smallest(codes, size)
            if size > most:
                return None
        codes, size = codes * width + (column.astype(np.int64) - low), size * width
    codes, size = _smallest(codes, size)
    return codes if size <= most else None


def _smallest(codes: Ints, size: int) -> tuple[Ints, int]:
    """Number codes below ``size`` without gaps, in their order; return also how many there are."""
    if size > _TABLE:
        values, codes = np.unique(codes, return_inverse=True)
        return codes, values.size
    held = np.bincount(codes, minlength=size) > 0
    return (np.cumsum(held) - 1)[codes], int(np.count_nonzero(held))
