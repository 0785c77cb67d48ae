"""One submission: joined to the gold by id, checked cell by cell, its problems reported together.

No message mentions a gold value: submissions are their authors' own, the gold is the competition's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring_program.align import cells
from scoring_program.align.cells import Label, Labels, Numbers
from scoring_program.align.columns import is_id_name, prediction_columns, submission_header
from scoring_program.align.gold import Gold, digest
from scoring_program.errors import Problems, SubmissionError
from scoring_program.read.tables import read_table

#: How far from 1 the probabilities of a row may sum before they are scaled to 1: files keep few
#: digits.
PROBABILITY_TOLERANCE = 1e-3


@dataclass(frozen=True)
class Target:
    """What a metric reads: a target column and the kind of prediction it needs for it."""

    column: str
    kind: str  # "labels", "numbers", "scores" or "probabilities"


@dataclass(frozen=True, eq=False)
class Expected:
    """What a submission must hold, and the policies for what it lacks."""

    gold: Gold
    targets: Mapping[Target, tuple[Label, ...]]  # its label set; empty for numbers
    labels: Mapping[str, Labels]  # target column → gold labels [n], for ``missing``
    missing: str = "error"  # or "wrong"
    labels_are_public: bool = False  # listed in the settings, so that messages may list them
    keep_columns: bool = False  # whether a metric reads the submission's own columns


@dataclass(frozen=True, eq=False)
class Entry:
    """One submission, aligned: row i of every array belongs to example i of the gold."""

    name: str
    predictions: Mapping[Target, NDArray[Any]]  # [n], or [n, c] where there is a column a class
    columns: Mapping[str, Sequence[str]]  # its own columns as texts [n], where a metric reads them
    sha256: str


@dataclass(frozen=True, eq=False)
class _Column:
    """One column of a submission; example i is in row ``rows[i]``, −1 if it is missing."""

    name: str
    cells: Sequence[str]
    lines: Sequence[int]
    rows: Sequence[int]

    def place(self, i: int) -> str:
        return f"line {self.lines[self.rows[i]]}, column {self.name!r}"


def align(content: bytes, file: str, name: str, expected: Expected) -> Entry:
    """Read one submission and bring it into the order of the gold.

    Raises
    ------
    SubmissionError
        All that is wrong with the file, together: missing, repeated and extra ids, wrong counts,
        unknown labels, cells that are empty or not finite numbers, improper probabilities.
    """
    gold = expected.gold
    targets = list(dict.fromkeys(target.column for target in expected.targets))
    header, table = submission_header(
        read_table(content, file), targets, gold.targets, frozenset(gold.ids or ())
    )
    problems = Problems(file)
    for row, line in zip(table.rows, table.lines, strict=True):
        if len(row) != len(header):
            problems.add(
                "rows of the wrong width",
                f"line {line}: {len(row)} cells found, {len(header)} expected",
            )
    problems.raise_if_any("Give every row the same columns; quote texts that hold the delimiter.")
    columns = dict(zip(header, zip(*table.rows, strict=True), strict=True))
    id_column = next(filter(is_id_name, header), None)
    if gold.ids is None or id_column is None:
        rows = _by_position(table.lines, expected, problems)
    else:
        rows = _by_id(columns[id_column], table.lines, expected, problems)
    predictions = {}
    for target, labels in expected.targets.items():
        classes = [str(label) for label in labels]
        names = prediction_columns(
            header, target.column, target.kind, classes, only=len(targets) == 1
        )
        if not names:
            raise SubmissionError(
                f"{file}: line 1: no column {target.column!r} among "
                f"{', '.join(map(repr, header))}; expected a header such as "
                f"'{','.join(['id', *targets])}'"
            )
        found = [_Column(column, columns[column], table.lines, rows) for column in names]
        predictions[target] = _typed(found, target, labels, expected, problems)
    problems.raise_if_any(
        f"Expected {gold.n} rows, one prediction an example, "
        f"matched by {'position' if gold.ids is None or id_column is None else 'id'}."
    )
    return Entry(
        name=name,
        predictions=predictions,
        columns={
            column: [values[row] if row >= 0 else "" for row in rows]
            for column, values in columns.items()
            if expected.keep_columns
        },
        sha256=digest(content),
    )


def from_wide(column: str, expected: Expected) -> Entry:
    """Take one team's column of a wide table, whose other columns are in ``expected.gold``.

    Raises
    ------
    SubmissionError
        As `align` does, for the cells of this column.
    """
    gold = expected.gold
    found = _Column(column, gold.columns[column], gold.lines, range(gold.n))
    problems = Problems(gold.file)
    predictions = {
        target: _typed([found], target, labels, expected, problems)
        for target, labels in expected.targets.items()
    }
    problems.raise_if_any("Expected one prediction an example.")
    return Entry(column, predictions, {}, digest("\n".join(found.cells).encode()))


def _by_position(lines: Sequence[int], expected: Expected, problems: Problems) -> Sequence[int]:
    """Match rows by position; their number must agree."""
    n = expected.gold.n
    if len(lines) != n:
        problems.add(
            "wrong number of rows", f"line {lines[-1]} is the last: {len(lines)} rows, {n} expected"
        )
        problems.raise_if_any("Without ids, rows are matched by position: send one row an example.")
    return range(n)


def _by_id(
    ids: Sequence[str], lines: Sequence[int], expected: Expected, problems: Problems
) -> Sequence[int]:
    """Return the row of every example of the gold, −1 where it is missing and may be."""
    known = expected.gold.ids or ()
    lookup = frozenset(known)
    rows: dict[str, int] = {}
    for row, value in enumerate(ids):
        if value in rows:
            problems.add(
                "duplicate ids",
                f"line {lines[row]}: id {_short(value)} was already on line {lines[rows[value]]}",
            )
            continue
        rows[value] = row
        if value not in lookup:
            problems.add(
                "extra ids", f"line {lines[row]}: id {_short(value)} is not in the test set"
            )
    if expected.missing == "error":
        for value in known:
            if value not in rows:
                problems.add("missing ids", f"id {value!r} has no row")
    return [rows.get(value, -1) for value in known]


def _typed(
    columns: Sequence[_Column],
    target: Target,
    labels: Sequence[Label],
    expected: Expected,
    problems: Problems,
) -> NDArray[Any]:
    """Return a target's predictions, [n] or [n, c], noting every cell that is not one."""
    if target.kind == "labels":
        return _as_labels(columns[0], target, labels, expected, problems)
    table = np.column_stack([_as_numbers(column, problems) for column in columns])
    if target.kind == "probabilities":
        _check_probabilities(columns, table, problems)
        if len(columns) > 1 and not problems.counts:
            table /= table.sum(axis=1, keepdims=True)  # what files round off
    return table[:, 0] if len(columns) == 1 else table


def _as_numbers(column: _Column, problems: Problems) -> Numbers:
    texts = [column.cells[row] if row >= 0 else "0" for row in column.rows]
    values = cells.numbers(texts)
    for i in np.flatnonzero(~cells.acceptable(values)).tolist():
        hint = "; write the decimal point as '.'" if "," in texts[i] else ""
        problems.add(
            "cells that are not finite numbers" if texts[i] else "empty cells",
            f"{column.place(i)}: found {_short(texts[i])}, "
            f"expected a finite number below {cells.LARGEST:g}{hint}",
        )
    return values


def _as_labels(
    column: _Column,
    target: Target,
    labels: Sequence[Label],
    expected: Expected,
    problems: Problems,
) -> Labels:
    read: Callable[[str], Label | None] = cells.label_reader(labels)
    listed = f"one of {', '.join(map(str, labels))}" if expected.labels_are_public else ""
    wrong = _wrong_labels(expected.labels[target.column], labels) if min(column.rows) < 0 else []
    typed: list[Label] = []
    for i, row in enumerate(column.rows):
        label = wrong[i] if row < 0 else read(column.cells[row])
        if label is None:
            problems.add(
                "unknown labels" if column.cells[row] else "empty cells",
                f"{column.place(i)}: found {_short(column.cells[row])}, "
                f"expected {listed or 'one of the labels that the task names'}",
            )
            label = labels[0]
        typed.append(label)
    return np.array(typed)


def _wrong_labels(gold_values: Labels, labels: Sequence[Label]) -> list[Label]:
    """Return a label that is wrong on every example, [n]: the gold's successor in the sorted set.

    It stands for a missing prediction. Being one of the competition's labels, it invents no class
    that macro averages would count.
    """
    after = {label: labels[(i + 1) % len(labels)] for i, label in enumerate(labels)}
    return [after[label] for label in gold_values.tolist()]


def _check_probabilities(columns: Sequence[_Column], table: Numbers, problems: Problems) -> None:
    """Note rows that leave [0, 1] or, with a column a class, do not sum to 1."""
    for i in np.flatnonzero(((table < 0) | (table > 1)).any(axis=1)).tolist():
        problems.add(
            "probabilities outside [0, 1]",
            f"{columns[0].place(i)}: found {', '.join(f'{value:g}' for value in table[i])}",
        )
    if len(columns) > 1:
        totals = table.sum(axis=1)
        for i in np.flatnonzero(np.abs(totals - 1) > PROBABILITY_TOLERANCE).tolist():
            problems.add(
                "rows whose probabilities do not sum to 1",
                f"{columns[0].place(i)}: the sum is {totals[i]:.6g}",
            )


def _short(cell: str) -> str:
    """Return a cell quoted, cut to 40 characters."""
    return repr(cell if len(cell) <= 40 else cell[:39] + "…")
