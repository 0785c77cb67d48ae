"""The draws of a bootstrap, kept for the inference that weights the units by them.

To draw them again takes as long as to score most metrics, once for every metric and slice. To keep
them takes a byte a unit and resample, so they are kept where they are few, or sure to be used.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import Ints
from ..settings.model import Settings
from .counts import DrawCounts
from .design import Design
from .shared_memory import shared_zeros

#: The most bytes that are kept if the settings ask for what uses them, and if not.
_MOST, _FEW = 2**28, 2**22


@dataclass(frozen=True, eq=False)
class KeptCounts:
    """How often each unit is drawn in each resample; only workers on this machine fill it in."""

    counts: DrawCounts  # [B, N], in memory that forked processes share
    rows: Ints | slice  # [N] a row of each unit

    @classmethod
    def of(
        cls, design: Design, resamples: int, settings: Settings, parts: int
    ) -> KeptCounts | None:
        """Return memory for the draws of one of several parts; None where they are not kept."""
        used = settings.studentized == "always" or bool(settings.slices)
        most = min(_MOST, int(settings.memory * 2**30) // 8) // parts if used else _FEW
        if settings.studentized == "never" or design.size * resamples > most:
            return None
        return cls(shared_zeros((resamples, design.size), np.uint8), design.unit_rows)

    def put(self, first: int, counts: DrawCounts) -> None:
        """Put in the draws [R, n] of all rows, from the ``first`` resample on."""
        self.counts[first : first + len(counts)] = counts[:, self.rows]

    def first(self, resamples: int) -> DrawCounts | None:
        """Return the draws [resamples, N] of the first resamples; None if nobody put them in."""
        # Every resample draws units, and all that come before one that was scored were scored.
        return self.counts[:resamples] if self.counts[resamples - 1].any() else None
