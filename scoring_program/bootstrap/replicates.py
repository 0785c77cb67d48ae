"""Replicates: scores on resamples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from ..scoring.scorer import Scored

#: Share of the resamples on which an entry may lack a score where every entry lacks some. If fewer
#: than two lack so few, an entry may lack twice as many as the second of them.
_FEW = 0.1


@dataclass(frozen=True, eq=False)
class Replicates:
    """Scores of m entries on the resamples that count, on which each has one; values [B_used, m].

    ``undefined`` counts the resamples that do not count, because the metric has no value there.
    ``defined`` [B] marks the others among all drawn resamples; None if all are used.
    ``zero_divisions`` [m] counts, for each entry, the used resamples on which its score is the
    ``zero_division`` value; None if there are none. ``lacking`` are the entries that were scored
    but have no score on some resamples that count, and so are not among the m: row → how many.
    """

    values: Floats
    undefined: int
    zero_divisions: Ints | None = None
    defined: Bools | None = None
    lacking: Mapping[int, int] = field(default_factory=dict)

    @classmethod
    def from_scored(cls, scored: Scored, drawn: int, needed: int | None = None) -> Replicates:
        """Choose the resamples that count, of the first ``drawn``, and the entries that stay.

        One entry must not take resamples from the others. So a resample counts if some entry has a
        score there, or the entry ``needed``, and an entry that lacks a score on one that counts
        goes. If all entries would go, those resamples count on which every entry has a score that
        lacks one on few.
        """
        values, undefined = scored.values[:drawn], scored.undefined[:drawn]
        if not undefined.any():
            return cls(values, 0)
        without = np.isnan(values)
        defined = np.logical_not(without.all(axis=1) if needed is None else without[:, needed])
        missed = np.count_nonzero(without[defined], axis=0)
        if missed.all():
            few = missed <= _FEW * np.count_nonzero(defined)
            if np.count_nonzero(few) < min(2, len(missed)):
                few = missed <= 2 * np.sort(missed)[:2][-1]
            defined = np.logical_not(without[:, few].any(axis=1))
            missed = np.count_nonzero(without[defined], axis=0)
        stay = missed == 0
        if not stay.all():
            values, undefined = values[:, stay], undefined[:, stay]
        left_out = len(values) - int(np.count_nonzero(defined))
        zero_divisions = np.count_nonzero(undefined[defined], axis=0)
        return cls(
            values[defined] if left_out else values,
            left_out,
            zero_divisions if zero_divisions.any() else None,
            defined if left_out else None,
            {int(row): int(missed[row]) for row in np.flatnonzero(~stay)},
        )

    @classmethod
    def beside(cls, scored: Scored, others: Replicates) -> Replicates:
        """Keep the resamples that count for ``others``, and the runs with a score on all of them.

        So hidden runs take no resamples from the entries that are shown.
        """
        values, undefined = scored.values[: others.drawn], scored.undefined[: others.drawn]
        if others.defined is not None:
            values, undefined = values[others.defined], undefined[others.defined]
        missed = np.count_nonzero(np.isnan(values), axis=0)
        lacking = {int(row): int(missed[row]) for row in np.flatnonzero(missed)}
        if lacking:
            values, undefined = values[:, missed == 0], undefined[:, missed == 0]
        zero_divisions = np.count_nonzero(undefined, axis=0)
        return cls(
            values,
            others.undefined,
            zero_divisions if zero_divisions.any() else None,
            others.defined,
            lacking,
        )

    def take(self, columns: Sequence[int]) -> Replicates:
        """Return the replicates of some entries; none of them is `lacking`."""
        zero = self.zero_divisions
        return replace(
            self,
            values=self.values[:, columns],
            zero_divisions=None if zero is None else zero[columns],
        )

    @property
    def drawn(self) -> int:
        """Number of resamples drawn, including those on which the metric is undefined."""
        return len(self.values) + self.undefined
