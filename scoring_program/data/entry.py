"""Gold and submissions as arrays: the gold's labels, numbers and weights, and each entry beside."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core import cells
from ..core.arrays import (
    Array,
    Bools,
    Coded,
    Floats,
    coded,
)
from ..core.cells import Label, different, is_invented
from ..core.errors import Problems, ReferenceDataError, SettingsError, SubmissionError
from ..core.phrases import Phrase
from ..metrics import Metric
from ..reading.formats import KINDS
from ..reading.table import FileRows, Table
from ..recognize.expected import Expected, Target
from ..recognize.of_kinds import label_columns
from ..recognize.words_of_cells import event_of, is_sentinel
from ..settings.model import Settings
from .binder import Binder
from .gold import Gold, digest, in_several_spellings, other_columns
from .joining.predictions import Column, parse_columns
from .joining.submission import Entry

Labels = NDArray[np.str_] | NDArray[np.int64]

#: Fewer examples may all be right.
_FEW = 10
_OR_NOT_SCORED = (
    " or, if examples without an answer do not count, state 'reference: {not_scored: \"\"}'"
)
_LACKS_ONE = "; one that lacks an answer of several then counts for no metric"
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
    listed = settings.listed_labels
    called = gold.name_for_messages(column)
    if (place := gold.empty_place(column)) is not None:
        raise ReferenceDataError(
            f"{gold.file}: {place}: {called} is empty; give every example a label{_OR_NOT_SCORED}"
        )
    distinct = different(values)
    unlisted = settings.labels is None
    several = tuple(distinct)
    # They are probably no pairs of classes.
    if unlisted and len(several) > 10 and all(map(_DECIMAL_COMMA.fullmatch, several)):
        raise ReferenceDataError(
            f"{gold.file}: {gold.places[0]}: {called} holds numbers with decimal commas, which a "
            "metric would take for classes; write the decimal point as '.' and choose a metric of "
            "numbers or, if these are classes, list them in the setting 'labels'"
        )
    may_be_numbers = unlisted and len(several) > 20 and cells.are_numbers(several)
    if may_be_numbers and not cells.are_integers(several):
        raise ReferenceDataError(
            f"{gold.file}: {called} holds {len(several)} different numbers with fractions, which a "
            "metric would take for classes; choose a metric of numbers, say which 'task' or "
            "'column' each metric scores or, if these are classes, list them in the setting "
            "'labels'"
        )
    if unlisted and cells.are_texts(values):
        raise ReferenceDataError(
            f"{gold.file}: {called} holds {len(several)} different texts in {len(values)} rows, "
            f"which a metric would take for classes; {cells.AS_TEXTS}; if these are classes, list "
            "them in the setting 'labels'"
        )
    if listed is None and (instead := label_columns.of_cells(several)):
        raise ReferenceDataError(
            f"{gold.file}: {called} holds equally long lists of flags (0 or 1), as if one for each "
            f"label; {instead}; if these are names of classes, list them in the setting 'labels', "
            "in quotes"
        )
    if listed is None and (spellings := in_several_spellings(distinct)):
        raise ReferenceDataError(
            f"{gold.file}: {called} holds {spellings}; write it in one or, if these are different "
            "classes, list all labels in the setting 'labels', in quotes"
        )
    of_texts = any(isinstance(label, str) for label in listed or ())
    if of_texts or not cells.are_integers(several):
        return np.array(values, dtype=np.str_)
    of_cell = {value: int(value) for value in distinct}
    if isinstance(values, Coded):
        return np.asarray(values.map(of_cell.get), np.int64)
    return np.fromiter(map(of_cell.__getitem__, values), np.int64, len(values))


def gold_numbers(gold: Gold, column: str, *, any_size: bool = False) -> Floats:
    """Return a target as numbers, [n]; of ``any_size``, or below 1e10.

    Raises
    ------
    ReferenceDataError
        A cell is empty, or not a finite number of that size, or a dot may separate thousands.
    """
    values = gold.numbers(column)
    called = gold.name_for_messages(column)
    if cells.may_have_thousands(gold.columns[column]):
        raise ReferenceDataError(
            f"{gold.file}: {called}: a dot may separate thousands, because some numbers are whole, "
            "and all others have three digits after a dot; remove the separators or, if the dots "
            "are decimal points, write one in every number, as 950.0"
        )
    negative = values[values < 0].tolist()
    if negative and all(map(is_sentinel, negative)):
        raise ReferenceDataError(
            f"{gold.file}: {called}: the only negative numbers are such as -999, which often stand "
            "for a missing one; remove these rows, or write the correct numbers"
        )
    largest = math.inf if any_size else cells.LARGEST
    good = np.abs(values) < largest
    if not good.all():
        row = gold.first_of(np.flatnonzero(~good).tolist())
        where = f"{gold.file}: {gold.places[row]}: {called}"
        if not gold.columns[column][row]:
            several = _LACKS_ONE if len(gold.roles.answers) > 1 else ""
            raise ReferenceDataError(
                f"{where} is empty; give every example a number{_OR_NOT_SCORED}{several}"
            )
        if np.isfinite(values[row]):
            raise ReferenceDataError(
                f"{where} holds a number of {cells.LARGEST:g} or more, and leaderboards have ten "
                "digits before the decimal point; write all numbers in a larger unit, such as "
                "millions, in the reference data and in submissions"
            )
        below = "" if any_size else f" below {largest:g}"
        raise ReferenceDataError(
            f"{where} does not hold a finite number{below}, which a metric needs; fix the cell, "
            "write the decimal point as '.', or choose another metric; if a word there says that "
            "an example has no answer and does not count, state 'reference: {not_scored: [WORD]}'"
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
        hint = other_columns(column, gold.columns) if gold.names_are_public else ""
        raise SettingsError(
            f"metric {metric.name!r}: sample_weight: {gold.file} has no column {column!r}{hint}"
        )
    values = gold.numbers(column)
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


def are_events(values: Sequence[Any]) -> bool:
    """Whether a column may say which times end with an event: some cells do, and others do not."""
    answers = {event_of(str(cell)) for cell in different(values)}
    return answers == {True, False}


def gold_events(gold: Gold, column: str) -> Bools:
    """Return which times end with an event, as the gold's ``column`` says, [n].

    Raises
    ------
    SettingsError
        There is no such column.
    ReferenceDataError
        A cell is neither 1 or true, an event, nor 0 or false, a censored time.
    """
    if column not in gold.columns:
        hint = other_columns(column, gold.columns) if gold.names_are_public else ""
        raise SettingsError(
            f"settings: reference: event: {gold.file} has no column {column!r}{hint}"
        )
    events = [event_of(str(cell)) for cell in gold.columns[column]]
    unclear = [row for row, event in enumerate(events) if event is None]
    if unclear:
        raise ReferenceDataError(
            f"{gold.file}: {gold.places[gold.first_of(unclear)]}: column {column!r} does not say "
            "whether the time ends with an event; write 1 or true if it does, and 0 or false if it "
            "is censored"
        )
    return np.array(events, np.bool_)


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
    listed: set[Label] = {
        of_type(label) if as_present is None else as_present for label, as_present in pairs
    }
    if not present <= listed:
        raise SettingsError(
            f"{settings.where('labels')}: {file} holds a label that is not listed; list every "
            f"label, {cells.AS_WRITTEN}"
        )
    return tuple(sorted(listed))


# Entries ------------------------------------------------------------------------------------------


def align(
    table: Table,
    name: str,
    expected: Expected,
    gold_labels: Mapping[str, Labels],
    sha256: str,
    binder: Binder | None = None,
) -> Entry:
    """Check one submission and turn it into arrays.

    With ``missing: wrong``, ``gold_labels`` (target column → [n]) decide which label is wrong. The
    ``binder`` says what the columns of rows hold; without one, their names do.

    Raises
    ------
    SubmissionError
        Every problem of the file, together; see `submission.examine`.
    """
    if binder is None:
        from .joining.sent_columns import examine_as_stated  # late: where columns are stated

        read = examine_as_stated(table, expected, name, sha256)
    else:
        read = binder.examine(table, expected, name, sha256)
    predictions = {}
    absent = {}
    columns: Any
    for target, columns in read.predictions.items():
        predictions[target] = _array(columns, target, expected, gold_labels)
        if target.kind != "labels":
            continue
        none = {label for label in different(columns[0]) if label is None or is_invented(label)}
        if none:
            absent[target] = np.array([label in none for label in columns[0]])
    return replace(read, predictions=predictions, absent=absent)


def unpacked(entry: Entry) -> Entry:
    """Return an entry whose labels by code are arrays of predictions."""
    if not entry.packed:
        return entry
    # The type of an array of texts follows from the longest one that occurs.
    arrays = {target: np.array(labels) for target, labels in entry.packed.items()}
    return replace(entry, predictions={**entry.predictions, **arrays}, packed={})


def refuse_unrelated(entry: Entry, gold: Gold, file: str) -> None:
    """Raise SubmissionError if an entry's predictions have nothing to do with the gold."""
    for target, predictions in entry.predictions.items():
        if target.kind in KINDS:
            golds = gold.columns[target.column]
            defect = KINDS[target.kind].unrelated(golds, predictions.tolist())
            if defect is not None:
                raise SubmissionError(defect, file)


def refuse_copied(entry: Entry, gold: Gold, gold_labels: Mapping[str, Labels], file: str) -> None:
    """Raise SubmissionError if the gold may lie beside what an entry predicts.

    It may where all predictions of a target are right, and some columns of the file are not read.
    """
    if not entry.unread:
        return
    for target, predictions in entry.predictions.items():
        right: Any = gold_labels.get(target.column, gold.columns[target.column])
        if target.kind == "numbers":
            right = cells.numbers(right)
        if gold.n >= _FEW and predictions.tolist() == [*right]:
            defect = Phrase(
                "all predictions in the column {column} are right, so it may be a copy of the "
                "correct answers, and other columns were not read; call what you predict {column}, "
                "and leave other columns out",
                column=repr(target.column),
            )
            raise SubmissionError(defect, file)


def from_wide(column: str, gold: Gold, expected: Expected) -> Entry:
    """Return the entry of one column of a wide table, which ``gold`` holds.

    Raises
    ------
    SubmissionError
        Every problem of the cells of this column, together.
    """
    problems = Problems(gold.file)
    team = [Column(column, gold.columns[column], gold.places, range(gold.n))]
    columns = {}
    for target in expected.targets:
        columns[target] = parse_columns(team, target, expected, problems)
    problems.raise_if_any(Phrase("Expected one prediction per example."))
    predictions = {}
    for target, parsed in columns.items():
        predictions[target] = _array(parsed, target, expected, {})
    return Entry(column, predictions, FileRows(), digest("\n".join(team[0].cells).encode()))


def _array(
    columns: Sequence[Any], target: Target, expected: Expected, gold_labels: Mapping[str, Labels]
) -> Array:
    """Return a target's predictions, [n] or [n, c]."""
    if target.kind in KINDS:
        return objects(columns[0])
    if target.kind != "labels":
        return of_numbers(np.array(columns, dtype=np.float64).T, target.kind)
    (labels,) = columns
    if None in labels:
        wrong = wrong_labels(gold_labels[target.column], expected.targets[target])
        labels = [wrong[i] if label is None else label for i, label in enumerate(labels)]
    return np.array(labels)


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
