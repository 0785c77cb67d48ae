"""The draws of a bootstrap, kept for the inference that weights the units by them.

To draw them again takes as long as to score most metrics, once for every metric and slice. To keep
them takes a byte a unit and resample, so they are kept where they are few, or sure to be used.
Those of equal units (`equal_units`) are added up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import Ints
from ..settings.model import Settings
from .counts import DrawCounts
from .design import Design
from .equal_units import Counts, EqualUnits
from .shared_memory import shared_zeros

#: The most bytes that are kept if the settings ask for what uses them, and if not.
_MOST, _FEW = 2**28, 2**22


@dataclass(frozen=True, eq=False)
class KeptCounts:
    """How often each unit is drawn in each resample; only workers on this machine fill it in.

    Or how often each of K sets of ``equal`` units is drawn.
    """

    counts: Counts  # [B, N or K], in memory that forked processes share
    rows: Ints | slice  # [N] a row of each unit
    equal: EqualUnits | None = None

    @classmethod
    def of(
        cls,
        design: Design,
        resamples: int,
        settings: Settings,
        parts: int,
        equal: EqualUnits | None = None,
    ) -> KeptCounts | None:
        """Return memory for the draws of one of several parts; None where they are not kept."""
        used = settings.studentized == "always" or bool(settings.slices)
        most = min(_MOST, int(settings.memory * 2**30) // 8) // parts if used else _FEW
        if settings.studentized == "never" or design.size * resamples > most:
            return None
        if equal is None:
            return cls(shared_zeros((resamples, design.size), np.uint8), design.unit_rows)
        # Sets are added up, and later multiplied, side by side.
        counts = shared_zeros((equal.size, resamples), equal.type).T
        return cls(counts, design.unit_rows, equal)

    def put(self, first: int, counts: DrawCounts) -> Counts | None:
        """Put in the draws [R, n] of all rows, from the ``first`` resample on.

        Return those [R, K] of sets of equal units, None if they are not added up.
        """
        place = slice(first, first + len(counts))
        if self.equal is None:
            self.counts[place] = counts[:, self.rows]
            return None
        merged = self.counts[place] = self.equal.add_up(counts)
        return merged

    def first(self, resamples: int) -> Counts | None:
        """Return the draws [resamples, N] of the first resamples; None if nobody put them in."""
        # Every resample draws units, and all that come before one that was scored were scored.
        return self.counts[:resamples] if self.counts[resamples - 1].any() else None
