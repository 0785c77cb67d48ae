"""Units that no metric tells apart: on a resample, only the number of draws of all of them matters.

Where entries predict a few labels, most examples have equals: with the same label and the same
predictions of every entry. To add their draws up takes longer than to score a few metrics, but much
less than the products of studentized draws, which each metric needs. Then scoring uses them, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Floats, Ints
from ..scoring.scorer import Scorer
from ..scoring.sums_scorer import SumsScorer
from ..settings.model import Settings
from .counts import DrawCounts
from .design import Design

#: Draws of units, or of sets of them.
Counts: TypeAlias = NDArray[np.unsignedinteger[Any]]
#: Among fewer units for each set of equal ones, adding up may take longer than it spares.
_FEWEST_UNITS = 3
#: The most statistics of all units that are compared.
_MOST = 2**26


@dataclass(frozen=True, eq=False)
class EqualUnits:
    """The K sets of N units within which all are equal."""

    sets: Ints  # [N] the set of each unit, 0 … K−1
    first: Ints  # [K] the first unit of each set
    sizes: Ints  # [K] numbers of units

    @classmethod
    def of(cls, scorers: Sequence[Scorer], design: Design, settings: Settings) -> EqualUnits | None:
        """Return the sets of rows that have the same statistics in every metric, and one stratum.

        None if draws are not sure to be studentized, if slices or groups need the draws of every
        row, if the sets are many, and if some scores are not functions of sums of whole numbers
        over all rows: the last digits of other sums would depend on the order.
        """
        if settings.studentized != "always" or settings.slices or design.units is not None:
            return None
        columns = [] if design.strata is None else [design.strata]
        for part in (part for scorer in scorers for part in scorer.parts):
            if not isinstance(part, SumsScorer) or part.rows is not None:
                return None
            columns += part.sums.flat()
        columns = list({id(column): column for column in columns}.values())
        if not 0 < len(columns) * design.n <= _MOST:
            return None
        rows = np.stack(columns, axis=1)
        if rows.dtype.kind == "f":
            return None
        _, first, sets, sizes = np.unique(
            rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel(),
            return_index=True,
            return_inverse=True,
            return_counts=True,
        )
        return cls(sets, first, sizes) if _FEWEST_UNITS * sizes.size <= design.n else None

    @property
    def size(self) -> int:
        """Number K of sets."""
        return self.sizes.size

    @property
    def type(self) -> np.dtype[Any]:
        """A type for the draws of a set. A resample draws N units, so that no sum overflows."""
        return np.min_scalar_type(self.sets.size)

    def share(self, values: Floats) -> bool:
        """Whether the units of each set have the same values [N, m]."""
        return np.array_equal(values[self.first][self.sets], values)

    def add_up(self, counts: DrawCounts) -> Counts:
        """Return how often each set is drawn, [R, K], from the draws [R, N] of its units."""
        rows: Counts = np.ascontiguousarray(counts.T)
        steps, order = self._halving
        for stay, partners in steps:
            added = rows.take(stay, axis=0)
            added[: partners.size] += rows.take(partners, axis=0)
            # The draws of two units fit a byte as safely as those of one (`counts`).
            rows = added.astype(self.type, copy=False)
        return rows.take(order, axis=0).T

    @cached_property
    def _halving(self) -> tuple[list[tuple[Ints, Ints]], Ints]:
        """Steps that add rows in pairs until one of each set is left, and these rows' order.

        A step names the rows that stay, first those with a partner, and the partners. This takes a
        third of the time of `np.add.reduceat`, because most sets are small.
        """
        steps, sets = [], self.sets
        while sets.size > self.size:
            order = np.argsort(sets, kind="stable")
            starts = np.flatnonzero(np.diff(sets[order], prepend=-1))
            lengths = np.diff(starts, append=sets.size)
            is_partner = (np.arange(sets.size) - np.repeat(starts, lengths)) % 2 == 1
            partners = np.flatnonzero(is_partner)
            alone = np.setdiff1d(np.flatnonzero(~is_partner), partners - 1)
            stay = order[np.concatenate([partners - 1, alone])]
            steps.append((stay, order[partners]))
            sets = sets[stay]
        return steps, np.argsort(sets)


@dataclass(frozen=True, eq=False)
class MergedCounts:
    """How often each set of equal units is drawn."""

    units: EqualUnits
    blocks: Callable[[], Iterator[Counts]]  # which yields [R, K]
