"""The values of the gold: labels, numbers and weights, and the labels that are allowed."""

from __future__ import annotations

import re
from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from ..core import cells
from ..core.arrays import Coded, Floats, coded
from ..core.cells import Label, different
from ..core.errors import (
    ReferenceDataError,
    SettingsError,
)
from ..metrics import Metric
from ..settings.model import Settings
from .gold import Gold, other_columns

Labels = NDArray[np.str_] | NDArray[np.int64]


_DECIMAL_COMMA = re.compile(r"-?\d+,\d+")


def gold_labels(gold: Gold, column: str, settings: Settings) -> Labels:
    """Return a target as labels, [n]: integers if all cells are integers, else texts.

    If the settings list a label as a text, all labels are texts.

    Raises
    ------
    ReferenceDataError
        A cell is empty; or the cells are texts, or many different numbers with decimal commas or
        fractions, and the settings list no labels.
    """
    values = gold.columns[column]
    if (place := gold.empty_place(column)) is not None:
        raise ReferenceDataError(
            f"{gold.file}: {place}: {gold.name_for_messages(column)} is empty; give every example "
            "a label"
        )
    distinct = different(values)
    if settings.labels is None and _are_decimals(distinct):
        raise ReferenceDataError(
            f"{gold.file}: {gold.places[0]}: {gold.name_for_messages(column)} holds numbers "
            "with decimal commas, which a metric would take for classes; write the decimal "
            "point as '.' and choose a metric of numbers or, if these are classes, list them "
            "in the setting 'labels'"
        )
    if settings.labels is None and _are_fractions(distinct):
        raise ReferenceDataError(
            f"{gold.file}: {gold.name_for_messages(column)} holds {len(distinct)} different "
            "numbers with fractions, which a metric would take for classes; choose a metric of "
            "numbers, say which 'task' or 'column' each metric scores or, if these are classes, "
            "list them in the setting 'labels'"
        )
    if settings.labels is None and cells.are_texts(values):
        raise ReferenceDataError(
            f"{gold.file}: {gold.name_for_messages(column)} holds {len(distinct)} different "
            f"texts in {len(values)} rows, which a metric would take for classes; "
            f"{cells.AS_TEXTS}; if these are classes, list them in the setting 'labels'"
        )
    listed = settings.listed_labels or ()
    if any(isinstance(label, str) for label in listed) or not cells.are_integers([*distinct]):
        return np.array(values, dtype=np.str_)
    of_cell = {value: int(value) for value in distinct}
    if isinstance(values, Coded):
        return np.asarray(values.map(of_cell.get), np.int64)
    return np.fromiter(map(of_cell.__getitem__, values), np.int64, len(values))


def _are_decimals(different: Collection[str]) -> bool:
    """Whether different labels are probably numbers with decimal commas, not pairs of classes."""
    return len(different) > 10 and all(map(_DECIMAL_COMMA.fullmatch, different))


def _are_fractions(different: Collection[str]) -> bool:
    """Whether different labels are probably measurements, and no classes."""
    values = tuple(different)
    return len(values) > 20 and cells.are_numbers(values) and not cells.are_integers(values)


def gold_numbers(gold: Gold, column: str) -> Floats:
    """Return a target as numbers, [n].

    Raises
    ------
    ReferenceDataError
        A cell is empty, or not a finite number below 1e10.
    """
    values = np.array(cells.numbers(gold.columns[column]))
    good = np.abs(values) < cells.LARGEST
    if not good.all():
        row = gold.first_of(np.flatnonzero(~good).tolist())
        where = f"{gold.file}: {gold.places[row]}: {gold.name_for_messages(column)}"
        if not gold.columns[column][row]:
            raise ReferenceDataError(f"{where} is empty; give every example a number")
        raise ReferenceDataError(
            f"{where} does not hold a finite number below {cells.LARGEST:g}, which a metric needs; "
            "fix the cell, write the decimal point as '.', or choose another metric"
        )
    return values


def gold_weights(gold: Gold, metric: Metric) -> Floats:
    """Return the weights of the examples for a metric that names their column, [n].

    Raises
    ------
    SettingsError
        There is no such column.
    ReferenceDataError
        A weight is not a finite number of 0 or more, or all are 0.
    """
    column = str(metric.sample_weight)
    if column not in gold.columns:
        hint = other_columns(column, gold.columns) if gold.names_are_known else ""
        raise SettingsError(
            f"metric {metric.name!r}: sample_weight: {gold.file} has no column {column!r}{hint}"
        )
    values = np.array(cells.numbers(gold.columns[column]))
    good = (values >= 0) & (values < cells.LARGEST)
    if not good.all():
        row = gold.first_of(np.flatnonzero(~good).tolist())
        raise ReferenceDataError(
            f"{gold.file}: {gold.places[row]}: column {column!r} does not hold a "
            f"weight; write a finite number of 0 or more, below {cells.LARGEST:g}"
        )
    if not values.any():
        raise ReferenceDataError(
            f"{gold.file}: every weight in the column {column!r} is 0; give the examples that "
            "count a positive weight"
        )
    return values


def label_set(gold_values: Labels, settings: Settings, file: str) -> tuple[Label, ...]:
    """Return the labels that a prediction may have, sorted: the setting ``labels`` or the gold's.

    Raises
    ------
    SettingsError
        The gold holds a label that the settings do not list.
    """
    codes = coded(gold_values)
    present: set[Label] = {*(gold_values.tolist() if codes is None else codes.present)}
    if settings.listed_labels is None:
        return tuple(sorted(present))
    read = cells.setting_reader(list(present))
    of_type = str if gold_values.dtype.kind == "U" else int
    pairs = ((label, read(label)) for label in settings.listed_labels)
    listed: set[Label] = {of_type(label) if own is None else own for label, own in pairs}
    if not present <= listed:
        raise SettingsError(
            f"{settings.where('labels')}: {file} holds a label that is not listed; list every "
            f"label, {cells.AS_WRITTEN}"
        )
    return tuple(sorted(listed))
