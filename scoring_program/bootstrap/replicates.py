"""Replicates: scores on resamples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from ..scoring.scorer import Scored


@dataclass(frozen=True, eq=False)
class Replicates:
    """Scores of m entries on the resamples on which every entry has one; values [B_used, m].

    ``undefined`` counts the resamples that are left out because the metric has no value for some
    entry. ``defined`` [B] marks the others among all drawn resamples; None if all are used.
    ``zero_divisions`` [m] counts, for each entry, the used resamples on which its score is the
    ``zero_division`` value; None if there are none.
    """

    values: Floats
    undefined: int
    zero_divisions: Ints | None = None
    defined: Bools | None = None

    @classmethod
    def of(cls, scored: Scored, drawn: int) -> Replicates:
        """Keep those of the first ``drawn`` resamples on which every entry has a score."""
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
        """Number of resamples drawn, including those on which the metric is undefined."""
        return len(self.values) + self.undefined
