"""Gold and submissions as arrays: the gold's labels, numbers and weights, and each entry beside."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core import cells
from ..core.arrays import Array, Coded, Floats, coded
from ..core.cells import INVENTED_NUMBER, INVENTED_TEXT, Label, different
from ..core.errors import Problems, ReferenceDataError, SettingsError, SubmissionError
from ..core.phrases import Phrase
from ..metrics import Metric
from ..reading.formats import KINDS
from ..reading.table import Table
from ..settings.model import Settings
from .gold import Gold, digest, in_several_spellings, other_columns
from .joining.expected import Expected, Target
from .joining.predictions import Column, parse_columns
from .joining.submission import Entry, examine
from .score_tables.score_names import SENTINELS

Labels = NDArray[np.str_] | NDArray[np.int64]


_DECIMAL_COMMA = re.compile(r"-?\d+,\d+")


def gold_labels(gold: Gold, column: str, settings: Settings) -> Labels:
    """Return a target as labels, [n]: integers if all cells are integers, else texts.

    If the settings list a label as a text, all labels are texts.

    Raises
    ------
    ReferenceDataError
        A cell is empty; or the cells are texts, many different numbers with decimal commas or
        fractions, or one whole number in several spellings, and the settings list no labels.
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
    if settings.listed_labels is None and (one := in_several_spellings(distinct)):
        raise ReferenceDataError(
            f"{gold.file}: {gold.name_for_messages(column)} holds {one}; write it in one or, if "
            "these are different classes, list all labels in the setting 'labels', in quotes"
        )
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
        A cell is empty, or not a finite number below 1e10, or a dot may separate thousands.
    """
    values = np.array(cells.numbers(gold.columns[column]))
    if cells.may_have_thousands(gold.columns[column]):
        raise ReferenceDataError(
            f"{gold.file}: {gold.name_for_messages(column)}: a dot may separate thousands, because "
            "some numbers are whole, and all others have three digits after a dot; remove the "
            "separators or, if the dots are decimal points, write one in every number, as 950.0"
        )
    if SENTINELS.issuperset(negative := values[values < 0].tolist()) and negative:
        raise ReferenceDataError(
            f"{gold.file}: {gold.name_for_messages(column)}: the only negative numbers are such as "
            "-999, which often stand for a missing one; remove these rows, or write the correct "
            "numbers"
        )
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


# Entries ------------------------------------------------------------------------------------------


def align(
    table: Table, name: str, expected: Expected, gold_labels: Mapping[str, Labels], sha256: str
) -> Entry:
    """Check one submission and turn it into arrays.

    With ``missing: wrong``, ``gold_labels`` (target column → [n]) decide which label is wrong.

    Raises
    ------
    SubmissionError
        Every problem of the file, together; see `submission.examine`.
    """
    read = examine(table, expected, name, sha256)
    columns_of: Mapping[Target, Any] = read.predictions
    predictions = {
        target: _array(columns, target, expected.targets[target], gold_labels)
        for target, columns in columns_of.items()
    }
    none = (None, INVENTED_TEXT, INVENTED_NUMBER)
    absent = {
        target: np.array([label in none for label in columns[0]])
        for target, columns in columns_of.items()
        if target.kind == "labels" and not {*none}.isdisjoint(different(columns[0]))
    }
    return replace(read, predictions=predictions, absent=absent)


def refuse_unrelated(entry: Entry, gold: Gold, file: str) -> None:
    """Raise SubmissionError if an entry's predictions have nothing to do with the gold."""
    for target, predictions in entry.predictions.items():
        if target.kind in KINDS:
            golds = gold.columns[target.column]
            defect = KINDS[target.kind].unrelated(golds, predictions.tolist())
            if defect is not None:
                raise SubmissionError(defect, file)


def from_wide(column: str, gold: Gold, expected: Expected) -> Entry:
    """Return the entry of one column of a wide table, which ``gold`` holds.

    Raises
    ------
    SubmissionError
        Every problem of the cells of this column, together.
    """
    column_of_team = Column(column, gold.columns[column], gold.places, range(gold.n))
    problems = Problems(gold.file)
    columns = {
        target: parse_columns([column_of_team], target, labels, expected, problems)
        for target, labels in expected.targets.items()
    }
    problems.raise_if_any(Phrase("Expected one prediction per example."))
    predictions = {
        target: _array(parts, target, expected.targets[target], {})
        for target, parts in columns.items()
    }
    return Entry(column, predictions, {}, digest("\n".join(column_of_team.cells).encode()))


def _array(
    columns: Sequence[Sequence[Any]],
    target: Target,
    labels: Sequence[Label],
    gold_labels: Mapping[str, Labels],
) -> Array:
    """Return a target's predictions, [n] or [n, c]."""
    if target.kind in KINDS:
        return objects(columns[0])
    if target.kind == "labels":
        (found,) = columns
        if None in found:
            wrong = wrong_labels(gold_labels[target.column], labels)
            found = [wrong[i] if label is None else label for i, label in enumerate(found)]
        return np.array(found)
    return of_numbers(np.array(columns, dtype=np.float64).T, target.kind)


def of_numbers(table: Floats, kind: str) -> Floats:
    """Return predictions of a kind, [n] or [n, c], from one column or several, [n, c]."""
    if table.shape[1] == 1:
        return np.asarray(table[:, 0])
    if kind == "probabilities":
        table = table / table.sum(axis=1, keepdims=True)  # files round numbers
    return np.ascontiguousarray(table)


def objects(values: Sequence[Any]) -> Array:
    """Return values of any kind as an array [n], also if all of them are sequences."""
    return np.fromiter(values, dtype=object, count=len(values))


def wrong_labels(gold_values: Labels, labels: Sequence[Label]) -> list[Label]:
    """Return a wrong label for every example, [n]: the next one after the gold in the sorted set.

    It stands for a missing prediction. It is one of the competition's labels, because macro
    averages would count a new class.
    """
    after = {label: labels[(i + 1) % len(labels)] for i, label in enumerate(labels)}
    return [after[label] for label in gold_values.tolist()]
