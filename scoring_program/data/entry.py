"""Gold and submissions as arrays: the gold's labels, numbers and weights, and each entry beside.

A usual file is read without a careful look at every cell: an id and predictions in every line.
Whatever is unusual in a file, such as spaces, other spellings or any defect, is left to
`submission`, which understands it and has the messages.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core import cells
from ..core.arrays import (
    Array,
    Bools,
    CellBlock,
    Coded,
    Floats,
    Ints,
    Unusual,
    Words,
    coded,
    columns_of,
    places_among,
    scan,
    words,
)
from ..core.cells import Label, different, is_invented
from ..core.errors import Problems, ReferenceDataError, SettingsError, SubmissionError
from ..core.phrases import Phrase
from ..metrics import Metric
from ..reading.formats import KINDS, label_sets
from ..reading.formats.delimited import plain_lines
from ..reading.formats.kind import ROWS
from ..reading.table import FileRows, Table
from ..recognize.tables_of_scores.score_names import SENTINELS
from ..recognize.usual_names import EVENTS
from ..settings.model import Settings
from .binder import Binder
from .gold import Gold, digest, in_several_spellings, other_columns
from .joining.expected import BY_CLASS, Expected, Target
from .joining.predictions import Column, parse_columns
from .joining.sent_columns import examine_as_stated
from .joining.submission import Entry, roles

Labels = NDArray[np.str_] | NDArray[np.int64]

#: Fewer examples may all be right.
_FEW = 10
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
            f"{gold.file}: {place}: {called} is empty; give every example a label"
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
    if listed is None and (instead := label_sets.of_cells(several)):
        raise ReferenceDataError(
            f"{gold.file}: {called} holds equally long lists of flags (0 or 1), as if one for each "
            f"label; {instead}; if these are names of classes, list them in the setting 'labels', "
            "in quotes"
        )
    if listed is None and (one := in_several_spellings(distinct)):
        raise ReferenceDataError(
            f"{gold.file}: {called} holds {one}; write it in one or, if these are different "
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
    values = np.array(cells.numbers(gold.columns[column]))
    called = gold.name_for_messages(column)
    if cells.may_have_thousands(gold.columns[column]):
        raise ReferenceDataError(
            f"{gold.file}: {called}: a dot may separate thousands, because some numbers are whole, "
            "and all others have three digits after a dot; remove the separators or, if the dots "
            "are decimal points, write one in every number, as 950.0"
        )
    if SENTINELS.issuperset(negative := values[values < 0].tolist()) and negative:
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
            raise ReferenceDataError(f"{where} is empty; give every example a number")
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


def are_events(values: Sequence[Any]) -> bool:
    """Whether a column may say which times end with an event: some cells do, and others do not."""
    answers = {EVENTS.get(str(cell).casefold()) for cell in different(values)}
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
        hint = other_columns(column, gold.columns) if gold.names_are_known else ""
        raise SettingsError(
            f"settings: reference: event: {gold.file} has no column {column!r}{hint}"
        )
    events = [EVENTS.get(str(cell).casefold()) for cell in gold.columns[column]]
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
    listed: set[Label] = {of_type(label) if own is None else own for label, own in pairs}
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
    look = examine_as_stated if binder is None else binder.examine
    read = look(table, expected, name, sha256)
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
    for target, predictions in entry.predictions.items() if entry.unread else ():
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
    columns = {of: parse_columns(team, of, expected, problems) for of in expected.targets}
    problems.raise_if_any(Phrase("Expected one prediction per example."))
    predictions = {target: _array(of, target, expected, {}) for target, of in columns.items()}
    return Entry(column, predictions, FileRows(), digest("\n".join(team[0].cells).encode()))


def _array(
    columns: Sequence[Any], target: Target, expected: Expected, gold_labels: Mapping[str, Labels]
) -> Array:
    """Return a target's predictions, [n] or [n, c]."""
    if target.kind in KINDS:
        return objects(columns[0])
    if target.kind != "labels":
        return of_numbers(np.array(columns, dtype=np.float64).T, target.kind)
    (found,) = columns
    if None in found:
        wrong = wrong_labels(gold_labels[target.column], expected.targets[target])
        found = [wrong[i] if label is None else label for i, label in enumerate(found)]
    return np.array(found)


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


# Usual files --------------------------------------------------------------------------------------


_MOST_LABELS = 255  # what a byte tells apart
#: The most letters of a label, of a number, and of what is around a cell: quotes, and what ends it.
_LONGEST_LABEL = 8
_LONGEST_NUMBER = 32
_AROUND_CELL = 4
#: The roles of columns follow from their names; so many lines below them stand for all.
_HEAD = 3
_LONGEST_HEADER = 1 << 16
_NUMBERS = frozenset(("numbers", *BY_CLASS))
#: How far from 1 a sum of probabilities may be, whatever the order in which its terms are added.
_TOLERATED = cells.PROBABILITY_TOLERANCE - 1e-9


class _Roles(NamedTuple):
    """Where the predictions are in a usual file, whose first column holds the ids, and notes.

    ``order`` are the columns after the first, those of the target, from 0.
    """

    order: tuple[int, ...]
    notes: tuple[Phrase, ...]
    header: tuple[str, ...]


class UsualFile(NamedTuple):
    """Predictions [n] or [n, c], notes, and what the columns of the ids and of these are called."""

    predictions: Array
    notes: tuple[Phrase, ...]
    id_column: str
    columns: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class QuickReader:
    """Reads usual CSV files for one test set, of ids and one target.

    What that takes follows the test set, whatever lies in the file.
    """

    target: Target
    labels: tuple[Label, ...]
    known: Words | None  # the labels, if these are predicted
    ids: Words  # in the order of the test set
    rows: Ints  # [n] place of every example in the order of the ids
    head: Expected  # for the first examples alone
    #: By header, once they are known: most files have the same.
    known_roles: dict[tuple[bytes, str], _Roles | None] = field(default_factory=dict)

    @classmethod
    def from_expected(cls, expected: Expected) -> QuickReader | None:
        """Return the reader for a test set; None if no file for it is usual."""
        of_rows = expected.kind == ROWS and not expected.keep_columns and len(expected.targets) == 1
        if not of_rows or expected.ids is None or not _HEAD <= expected.n == expected.total:
            return None
        ((target, labels),) = expected.targets.items()
        known = words([*map(str, labels)]) if target.kind == "labels" else None
        few = known is not None and len(known) <= _MOST_LABELS and len(known.numbers) == 1
        ids = words(expected.ids) if few or target.kind in _NUMBERS else None
        if ids is None:
            return None
        rows = np.asarray(expected.positions, np.intp)
        order = np.empty_like(rows)
        order[rows] = np.arange(len(rows))
        ids = ids.take(order)
        known_ids = tuple(ids[:_HEAD])
        head = range(_HEAD)
        first = replace(expected, ids=known_ids, positions=head, total=_HEAD, missing="error")
        return cls(target, labels, known, ids, rows, first)

    def read(self, content: bytes, file: str) -> UsualFile | None:
        """Return the predictions as `entry.align` would; None if the file is unusual."""
        found = plain_lines(content) if len(content) <= self._longest else None
        if found is None:
            return None
        lines, delimiter = found
        try:
            order, notes, header = self._roles(lines, delimiter, file)
            if self.known is None and len(order) == 1 and _may_have_thousands(lines, delimiter):
                return None
            below = scan(lines, delimiter, lines.find(b"\n") + 1)
            predictions = self._predictions(self._by_id(below, len(order))[[*order]])
        except Unusual:
            return None
        columns = tuple(header[1 + place] for place in order)
        return UsualFile(predictions, notes, header[0], columns)

    def _by_id(self, below: Iterable[CellBlock], columns: int) -> Array:
        """Return the codes of labels [1, n], or numbers [c, n], in the order of the ids.

        Raises Unusual if the ids below the header are not those of the test set, or a cell is no
        label.
        """
        found = np.empty((columns, len(self.ids)), np.float64 if self.known is None else np.uint8)
        is_read = np.zeros(len(self.ids), np.bool_)
        row = 0
        for block in below:
            places: slice | Ints = slice(row, row + len(block))
            ids = block.words(0)
            if ids != self.ids[places]:
                places = self.ids.places_of(ids)
            if self.known is None:
                found[:, places] = block.numbers()
            else:
                labels = self.known.numbers[0]
                cells_of = block.words(1).numbers
                codes = places_among(labels, cells_of[0]) if len(cells_of) == 1 else None
                if codes is None:
                    raise Unusual
                found[0, places] = codes
            is_read[places] = True
            row += len(block)
        if row != len(self.ids) or not is_read.all():
            raise Unusual
        return found

    @cached_property
    def _longest(self) -> int:
        """The bytes of the longest usual file."""
        of_cells = _LONGEST_LABEL + _AROUND_CELL
        if self.target.kind != "labels":
            of_cells = max(1, len(self.labels)) * (_LONGEST_NUMBER + _AROUND_CELL)
        of_examples = len(self.rows) * (2 * _AROUND_CELL + of_cells)
        return self.ids.numbers.nbytes + of_examples + _LONGEST_HEADER

    def _roles(self, lines: bytes, delimiter: str, file: str) -> _Roles:
        """Return the roles of the columns: the first must hold the ids, the others predictions.

        Raises Unusual if they do not.
        """
        header = lines[: lines.find(b"\n")], delimiter
        if header not in self.known_roles:
            head = lines[:_LONGEST_HEADER].split(b"\n")[: _HEAD + 1]
            columns = columns_of(b"\n".join([*head, b""]), delimiter)
            self.known_roles[header] = self._roles_of(columns, file) if columns else None
        if (known := self.known_roles[header]) is None:
            raise Unusual
        return known

    def _roles_of(self, found: Sequence[Words], file: str) -> _Roles | None:
        columns = [[*column] for column in found]
        labels = {*map(str, self.labels)}
        header = [column[0] for column in columns]
        of_words = self.target.kind == "labels"
        may_be_example = header[0] in self.ids or (of_words and not labels.isdisjoint(header))
        if len(found[0]) <= _HEAD or may_be_example:
            return None
        try:
            id_column, names, notes = roles(Table(file, columns, range(1, _HEAD + 2)), self.head)
        except SubmissionError:
            return None
        # A lone column of scores may be of the class of its name.
        is_odd = len(names) > 1 if of_words else len(names) == 1 and names[0] in labels
        if id_column != header[0] or {*names} != {*header[1:]} or is_odd:
            return None
        return _Roles(tuple(map(header[1:].index, names)), notes, tuple(header))

    def _predictions(self, found: Array) -> Array:
        """Return what every example is predicted, [n] or [n, c], from codes or numbers [c, n].

        Raises Unusual if some numbers are wrong.
        """
        if self.known is not None:
            # The type of an array of texts follows from the longest one that occurs.
            return np.array(Coded(found[0, self.rows], self.labels))
        largest = self.head.bound(self.target)
        above = self.head.above.get(self.target.column, -largest)
        if not (np.abs(found) < largest).all() or found.min() <= above:
            raise Unusual
        if self.target.kind == "probabilities":
            apart = len(found) > 1 and (np.abs(found.sum(axis=0) - 1) > _TOLERATED).any()
            if apart or found.min() < 0 or found.max() > 1:
                raise Unusual
        return of_numbers(np.ascontiguousarray(found[:, self.rows]).T, self.target.kind)


def _may_have_thousands(lines: bytes, delimiter: str) -> bool:
    """Whether all dots may separate thousands, or belong to ids; see `may_have_thousands`."""
    if b"." not in lines:
        return False
    # A number at the end of a line whose dot separates none.
    decimal = rb'%s(?!"?-?[1-9]\d{0,2}\.\d{3}"?\n)[^\n.]*\.' % re.escape(delimiter.encode())
    return not re.compile(decimal).search(lines, lines.find(b"\n"))
