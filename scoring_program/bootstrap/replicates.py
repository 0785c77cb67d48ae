"""Replicates: scores on resamples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from ..scoring.scorer import Scored


@dataclass(frozen=True, eq=False)
class Replicates:
    """Scores of m entries on the resamples on which every entry has one; values [B_used, m].

    ``undefined`` counts the resamples left out because the metric has no value for some entry, and
    ``defined`` [B] marks the others among all that were drawn, None where all are used;
    ``zero_divisions`` [m] those among the rest on which a ``zero_division`` value stands for each
    entry, None where there are none.
    """

    values: Floats
    undefined: int
    zero_divisions: Ints | None = None
    defined: Bools | None = None

    @classmethod
    def of(cls, scored: Scored, drawn: int) -> Replicates:
        """Take the first ``drawn`` resamples, of them those on which every entry has a score."""
        values, undefined = scored.values[:drawn], scored.undefined[:drawn]
        if not undefined.any():
            return cls(values, 0)
        defined: Bools = np.logical_not(np.isnan(values).any(axis=1))
        left_out = len(values) - int(np.count_nonzero(defined))
        zero_divisions = np.count_nonzero(undefined[defined], axis=0)
        return cls(
            values[defined] if left_out else values,
            left_out,
            zero_divisions if zero_divisions.any() else None,
            defined if left_out else None,
        )

    @property
    def drawn(self) -> int:
        """Number of resamples drawn, those on which the metric is undefined included."""
        return len(self.values) + self.undefined
