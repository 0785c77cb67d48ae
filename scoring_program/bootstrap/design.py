"""What is drawn with replacement: examples or whole groups of them, with or without strata.

Examples may belong to two columns of groups that are *crossed*, as preferences belong to prompts
and to judges. Then the groups of both are drawn independently, and an example counts as often as
its two groups were drawn, multiplied (Owen 2007, "The pigeonhole bootstrap", Annals of Applied
Statistics 1). The variance of a mean is not understated; the part that is due to single examples
counts up to three times. The groups of both columns are the units, and the columns their strata.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import Ints
from ..core.errors import ReferenceDataError, SettingsError
from ..data.competition import Part
from ..settings.model import Settings
from .counts import Counts, draw_counts, draw_set_counts

#: The kind of examples whose groups may be crossed; see `Gold.kind`.
_CROSSED = "battles"


@dataclass(frozen=True, eq=False)
class Design:
    """What is drawn with replacement: rows, or the units 0 … N−1 that rows belong to.

    ``units`` [n] gives each row's unit (a group that is drawn whole), or [2, n] those of both
    columns of crossed groups, which are their strata; None if every row is a unit. ``strata`` [N]
    gives each unit's stratum; each resample draws as many units from a stratum as it holds.
    ``sizes`` [n] says how many equal rows each row stands for (`distinct_rows`); None if it stands
    for itself.
    """

    n: int
    units: Ints | None = None
    strata: Ints | None = None
    sizes: Ints | None = None

    @property
    def examples(self) -> int:
        """Number of examples: of rows, each as often as its size says."""
        return self.n if self.sizes is None else int(self.sizes.sum())

    @property
    def size(self) -> int:
        """Number N of units."""
        return self.n if self.units is None else int(self.units.max()) + 1

    @property
    def is_crossed(self) -> bool:
        """Whether every row belongs to two groups."""
        return self.units is not None and self.units.ndim > 1

    @property
    def unit_rows(self) -> Ints | slice:
        """The numbers [N] of a row of each unit, which is drawn as often; not of crossed groups."""
        assert not self.is_crossed
        return slice(None) if self.units is None else np.unique(self.units, return_index=True)[1]

    @property
    def groups(self) -> int | None:
        """Number of groups, None if rows are drawn; of crossed ones, in the column that decides."""
        return None if self.units is None else self._sizes.size

    @property
    def effective_groups(self) -> float | None:
        """G* = (Σ n_g)² / Σ n_g² of the groups' sizes n_g, None if rows are drawn.

        Uneven groups count for less than their number: that of the rows in the largest decides.
        """
        return None if self.units is None else _effective(self._sizes)

    @property
    def _sizes(self) -> Ints:
        """The groups' sizes; of crossed ones, those that count for fewer groups."""
        assert self.units is not None
        sizes = (np.unique(own, return_counts=True)[1] for own in np.atleast_2d(self.units))
        return min(sizes, key=_effective)

    @property
    def type(self) -> np.dtype[Any]:
        """A type for the draws of a row: no row is drawn more often than there are rows."""
        return np.dtype(np.uint8) if self.sizes is None else np.min_scalar_type(self.sizes.sum())

    def draw(self, rng: np.random.Generator, resamples: int) -> Counts:
        """Draw how often each row occurs in each resample, [resamples, n]."""
        counts = self.draw_units(rng, resamples)
        if self.units is None:
            return counts
        if self.is_crossed:
            first, second = self.units
            return np.multiply(counts[:, first], counts[:, second], dtype=np.uint16)
        return counts[:, self.units]

    def draw_units(self, rng: np.random.Generator, resamples: int) -> Counts:
        """Draw how often each unit occurs in each resample, [resamples, N]."""
        if self.strata is None:
            return self._drawn(rng, np.arange(self.size), resamples)
        counts = np.empty((resamples, self.size), self.type)
        for stratum in np.unique(self.strata):
            members = np.flatnonzero(self.strata == stratum)
            counts[:, members] = self._drawn(rng, members, resamples)
        return counts

    def _drawn(self, rng: np.random.Generator, members: Ints, resamples: int) -> Counts:
        if self.sizes is None:
            return draw_counts(rng, members.size, resamples)
        return draw_set_counts(rng, self.sizes[members], resamples).astype(self.type)


def _effective(sizes: Ints) -> float:
    """Return how many groups of equal size count for as much as groups of these sizes."""
    return float(sizes.sum(dtype=np.float64) ** 2 / np.square(sizes, dtype=np.float64).sum())


def design_of(part: Part, settings: Settings) -> Design:
    """Return the design of a part: rows or whole groups, with or without strata.

    Raises
    ------
    ReferenceDataError
        A group or a stratum is missing.
    SettingsError
        There is only one group or one stratum, or a group belongs to several strata; or groups are
        crossed where that has no meaning.
    """
    n = part.gold.n
    units = strata = None
    if part.gold.sizes is not None:
        return Design(n, sizes=part.gold.sizes)
    if isinstance(settings.group, tuple):
        return _crossed(part, settings, settings.group)
    if settings.group is not None:
        units = _codes(part, settings, "group", settings.group)
    if settings.stratify is not None:
        strata = _codes(part, settings, "stratify", settings.stratify)
        if units is not None:
            row_of = np.unique(units, return_index=True)[1]
            if (strata != strata[row_of][units]).any():
                raise SettingsError(
                    f"{settings.where('stratify')}: a group of {settings.group!r} belongs to "
                    f"several strata of {settings.stratify!r}; choose strata that hold whole groups"
                )
            strata = strata[row_of]
    return Design(n, units, strata)


def _crossed(part: Part, settings: Settings, columns: tuple[str, ...]) -> Design:
    """Return the design of two columns of groups that are drawn independently."""
    if part.gold.kind != _CROSSED:
        raise SettingsError(
            f"{settings.where('group')}: two columns are for preferences, and {part.gold.file} "
            "holds none; name one column"
        )
    for key in ("stratify", "slices", "tests"):
        if getattr(settings, key):
            raise SettingsError(
                f"{settings.where(key)}: there are no {key} where 'group' names two columns; "
                "remove one of the two settings"
            )
    first, second = (_codes(part, settings, "group", name) for name in columns)
    sizes = [int(own.max()) + 1 for own in (first, second)]
    return Design(part.gold.n, np.array([first, second + sizes[0]]), np.repeat([0, 1], sizes))


def _codes(part: Part, settings: Settings, key: str, name: str) -> Ints:
    """Return the numbers 0, 1, … of a design column's values, [n]."""
    if (place := part.gold.empty_place(name)) is not None:
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
