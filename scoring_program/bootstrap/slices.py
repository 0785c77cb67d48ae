"""Slices of the test set: the examples that share a value of a column, such as a language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Ints
from ..core.errors import MetricError, SettingsError
from ..data.competition import Part
from ..scoring.scorer import ScoredMetric, Scorer
from ..settings.model import Settings
from .design import Design

#: A slice of fewer units has scores, but no inference.
FEWEST_UNITS = 30
#: A column with more values holds no slices.
_MOST_VALUES = 100


@dataclass(frozen=True, eq=False)
class Slice:
    """The examples with one value in a column of the reference data; an empty cell is no value.

    ``rows`` [n] are their numbers in the part, ``units`` [N] those of their units in its design.
    ``design`` is that of the slice alone.
    """

    column: str
    value: str
    rows: Ints
    units: Ints
    design: Design

    @property
    def is_large(self) -> bool:
        """Whether the slice holds enough units for inference."""
        return self.units.size >= FEWEST_UNITS

    def take(self, metrics: Sequence[ScoredMetric]) -> tuple[ScoredMetric | None, ...]:
        """Return the part's metrics on these rows; None where one has no meaning on them."""
        taken: dict[Scorer, Scorer] = {}
        kept: list[ScoredMetric | None] = []
        for item in metrics:
            try:
                scorer = item.scorer.take(self.rows, taken)
                hidden = None if item.hidden is None else item.hidden.take(self.rows, taken)
                kept.append(ScoredMetric(scorer, item.entries, hidden))
            except MetricError:
                kept.append(None)
        return tuple(kept)


def slices_of(part: Part, design: Design, settings: Settings) -> list[Slice]:
    """Return the slices of a part, by column in the order of the settings and then by value.

    Raises
    ------
    SettingsError
        A column holds what is predicted, only one value, or too many values.
    """
    slices: list[Slice] = []
    for column in dict.fromkeys(settings.slices):
        _check_not_predicted(part, column, settings)
        values = np.array(part.gold.columns[column], dtype=np.str_)
        names = [str(name) for name in np.unique(values) if name]
        if not 2 <= len(names) <= _MOST_VALUES:
            raise SettingsError(
                f"{settings.where('slices')}: the column {column!r} holds {len(names)} value(s); "
                f"choose a column with 2 to {_MOST_VALUES} values"
            )
        slices += [_slice(column, name, np.flatnonzero(values == name), design) for name in names]
    return slices


def _check_not_predicted(part: Part, column: str, settings: Settings) -> None:
    """Refuse a column of correct answers, of which the results within slices would tell much."""
    if any(target.column == column for target in part.expected.targets):
        raise SettingsError(
            f"{settings.where('slices')}: the column {column!r} holds what is predicted; choose "
            "another column (the audit shows the results of each class)"
        )


def _slice(column: str, value: str, rows: Ints, design: Design) -> Slice:
    units, numbers = rows, None
    if design.units is not None:
        units, numbers = np.unique(design.units[rows], return_inverse=True)
    strata = None if design.strata is None else design.strata[units]
    return Slice(column, value, rows, units, Design(rows.size, numbers, strata))
