"""What is drawn with replacement: examples or whole groups of them, with or without strata."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import Ints
from ..core.errors import ReferenceDataError, SettingsError
from ..data.competition import Part
from ..settings.model import Settings
from .counts import Counts, draw_counts, draw_set_counts


@dataclass(frozen=True, eq=False)
class Design:
    """What is drawn with replacement: rows, or the units 0 … N−1 that rows belong to.

    ``units`` [n] gives each row's unit (a group that is drawn whole); None if every row is a unit.
    ``strata`` [N] gives each unit's stratum; each resample draws as many units from a stratum as it
    holds. ``sizes`` [n] says how many equal rows each row stands for (`distinct_rows`); None if it
    stands for itself.
    """

    n: int
    units: Ints | None = None
    strata: Ints | None = None
    sizes: Ints | None = None

    @property
    def size(self) -> int:
        """Number N of units."""
        return self.n if self.units is None else int(self.units.max()) + 1

    @property
    def unit_rows(self) -> Ints | slice:
        """The numbers [N] of a row of each unit."""
        return slice(None) if self.units is None else np.unique(self.units, return_index=True)[1]

    @property
    def effective_groups(self) -> float | None:
        """G* = (Σ n_g)² / Σ n_g² of the groups' sizes n_g, None if rows are drawn.

        Uneven groups count for less than their number: that of the rows in the largest decides.
        """
        if self.units is None:
            return None
        sizes = np.bincount(self.units).astype(np.float64)
        return float(sizes.sum() ** 2 / np.square(sizes).sum())

    @property
    def type(self) -> np.dtype[Any]:
        """A type for the draws of a row: no row is drawn more often than there are rows."""
        return np.dtype(np.uint8) if self.sizes is None else np.min_scalar_type(self.sizes.sum())

    def draw(self, rng: np.random.Generator, resamples: int) -> Counts:
        """Draw how often each row occurs in each resample, [resamples, n]."""
        if self.strata is None:
            counts = self._drawn(rng, np.arange(self.size), resamples)
        else:
            counts = np.empty((resamples, self.size), self.type)
            for stratum in np.unique(self.strata):
                members = np.flatnonzero(self.strata == stratum)
                counts[:, members] = self._drawn(rng, members, resamples)
        return counts if self.units is None else counts[:, self.units]

    def _drawn(self, rng: np.random.Generator, members: Ints, resamples: int) -> Counts:
        if self.sizes is None:
            return draw_counts(rng, members.size, resamples)
        return draw_set_counts(rng, self.sizes[members], resamples).astype(self.type)


def design_of(part: Part, settings: Settings) -> Design:
    """Return the design of a part: rows or whole groups, with or without strata.

    Raises
    ------
    ReferenceDataError
        A group or a stratum is missing.
    SettingsError
        There is only one group or one stratum, or a group belongs to several strata.
    """
    n = part.gold.n
    units = strata = None
    if settings.group is not None:
        units = _codes(part, settings, "group")
    if settings.stratify is not None:
        strata = _codes(part, settings, "stratify")
        if units is not None:
            row_of = np.unique(units, return_index=True)[1]
            if (strata != strata[row_of][units]).any():
                raise SettingsError(
                    f"{settings.where('stratify')}: a group of {settings.group!r} belongs to "
                    f"several strata of {settings.stratify!r}; choose strata that hold whole groups"
                )
            strata = strata[row_of]
    return Design(n, units, strata)


def _codes(part: Part, settings: Settings, key: str) -> Ints:
    """Return the numbers 0, 1, … of a design column's values, [n]."""
    name = getattr(settings, key)
    if "" in part.gold.columns[name]:
        place = part.gold.places[list(part.gold.columns[name]).index("")]
        raise ReferenceDataError(
            f"{part.gold.file}: {place}: column {name!r} is empty; give every row a value"
        )
    values, codes = np.unique(np.array(part.gold.columns[name]), return_inverse=True)
    if len(values) < 2:
        raise SettingsError(
            f"{settings.where(key)}: the column {name!r} holds only one value; "
            "choose a column with at least two values, or leave the setting out"
        )
    return codes
