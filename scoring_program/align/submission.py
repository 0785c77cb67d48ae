"""One submission: joined to the test set by id, checked cell by cell, its problems told together.

No message mentions a gold value: submissions are their authors' own, the gold is the competition's.
Nothing here needs more than the standard library or any gold, so that a participant can run it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring_program.align import cells
from scoring_program.align.cells import Label
from scoring_program.align.columns import (
    column_of_ids,
    prediction_columns,
    submission_header,
    submission_id_column,
)
from scoring_program.errors import Problems, SubmissionError
from scoring_program.read.table import Table

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
    """What a submission must hold, and the policies for what it lacks.

    Its n examples are known by ``ids`` or, where a submission has none, by their ``positions``
    among the ``total`` rows of the test set, which may hold ``ignored`` ones too.
    """

    positions: Sequence[int]  # [n]
    total: int
    ids: tuple[str, ...] | None  # [n]
    targets: Mapping[Target, tuple[Label, ...]]  # its label set; empty where any value will do
    id_column: str = "id"
    known_columns: tuple[str, ...] = ()  # names of the gold's columns, which a header may repeat
    ignored: frozenset[str] = frozenset()
    missing: str = "error"  # or "wrong"
    labels_are_public: bool = False  # listed in the settings, so that messages may list them
    keep_columns: bool = False  # whether a metric reads the submission's own columns

    @property
    def n(self) -> int:
        """Number of examples."""
        return len(self.positions)

    @property
    def columns(self) -> list[str]:
        """Names of the columns that are predicted."""
        return list(dict.fromkeys(target.column for target in self.targets))


@dataclass(frozen=True, eq=False)
class Submission:
    """A submission without defects, in the order of the examples.

    ``predictions`` holds for every target its columns, each [n]; a label that is missing and may be
    is None.
    """

    predictions: Mapping[Target, Sequence[Sequence[Any]]]
    columns: Mapping[str, Sequence[str]]  # its own columns as texts [n], if they are kept


@dataclass(frozen=True, eq=False)
class Column:
    """One column of a file; example i is in row ``rows[i]``, −1 if it is missing."""

    name: str
    cells: Sequence[str]
    places: Sequence[str]  # of every row
    rows: Sequence[int]  # [n]

    def place(self, i: int) -> str:
        """Return where example i is, for messages."""
        return f"{self.places[self.rows[i]]}, column {self.name!r}"

    def in_order(self, examples: Iterable[int]) -> list[int]:
        """Return examples in the order of the file, which tells nothing of the gold's order."""
        return sorted(examples, key=self.rows.__getitem__)


def examine(table: Table, expected: Expected) -> Submission:
    """Check one submission and bring it into the order of the examples.

    Raises
    ------
    SubmissionError
        All that is wrong with the file, together: missing, repeated and extra ids, wrong counts,
        unknown labels, cells that are empty or not finite numbers, improper probabilities.
    """
    targets = expected.columns
    problems = Problems(table.file)
    header, table = submission_header(
        table, targets, expected.known_columns, frozenset(expected.ids or ())
    )
    if set(map(len, table.rows)) != {len(header)}:
        for i, row in enumerate(table.rows):
            if len(row) != len(header):
                problems.add(
                    "rows of the wrong width",
                    f"{table.place(i)}: {len(row)} cells found, {len(header)} expected",
                )
    problems.raise_if_any("Give every row the same columns; quote texts that hold the delimiter.")
    columns = dict(zip(header, zip(*table.rows, strict=True), strict=True))
    places = _Places(table)
    id_column = submission_id_column(header, expected.id_column) or column_of_ids(
        columns, expected.ids or (), targets
    )
    by_id = expected.ids is not None and id_column is not None
    if by_id and id_column is not None:
        rows = _by_id(columns[id_column], places, expected, problems)
    else:
        rows = _by_position(places, expected, problems)
    predictions = {}
    for target, labels in expected.targets.items():
        names = prediction_columns(
            header, target.column, target.kind, list(map(str, labels)), only=len(targets) == 1
        )
        if not names:
            raise SubmissionError(
                f"{table.file}: {table.unit} 1: no column {target.column!r} among "
                f"{', '.join(map(repr, header))}; expected a header such as "
                f"'{','.join([expected.id_column, *targets])}'"
            )
        found = [Column(name, columns[name], places, rows) for name in names]
        predictions[target] = typed(found, target, labels, expected, problems)
    problems.raise_if_any(
        f"Expected {expected.n if by_id else expected.total} rows, one prediction an example, "
        f"matched by {'id' if by_id else 'position'}."
    )
    return Submission(
        predictions,
        {
            name: [values[row] if row >= 0 else "" for row in rows]
            for name, values in columns.items()
            if expected.keep_columns
        },
    )


class _Places(Sequence[str]):
    """Where every row of a table is, put into words only when a message needs it."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def __len__(self) -> int:
        return len(self._table.rows)

    def __getitem__(self, row: Any) -> Any:
        return self._table.place(row)


def _by_position(places: Sequence[str], expected: Expected, problems: Problems) -> Sequence[int]:
    """Match rows by position; their number must agree."""
    if len(places) != expected.total:
        problems.add(
            "wrong number of rows",
            f"{places[len(places) - 1]} is the last: {len(places)} rows, {expected.total} expected",
        )
        problems.raise_if_any("Without ids, rows are matched by position: send one row an example.")
    return expected.positions


def _by_id(
    ids: Sequence[str], places: Sequence[str], expected: Expected, problems: Problems
) -> Sequence[int]:
    """Return the row of every example, −1 where it is missing and may be."""
    known = expected.ids or ()
    rows = dict(zip(ids, range(len(ids)), strict=True))
    if len(rows) == len(ids) == len(known) and all(map(rows.__contains__, known)):
        return list(map(rows.__getitem__, known))
    lookup = {*known, *expected.ignored}
    rows = {}
    for row, value in enumerate(ids):
        if value in rows:
            problems.add(
                "duplicate ids",
                f"{places[row]}: id {_short(value)} was already on {places[rows[value]]}",
            )
            continue
        rows[value] = row
        if value not in lookup:
            problems.add("extra ids", f"{places[row]}: id {_short(value)} is not in the test set")
    if expected.missing == "error":
        for value in sorted(known):  # the order of the examples may follow the gold
            if value not in rows:
                problems.add("missing ids", f"id {value!r} has no row")
    return [rows.get(value, -1) for value in known]


def typed(
    columns: Sequence[Column],
    target: Target,
    labels: Sequence[Label],
    expected: Expected,
    problems: Problems,
) -> list[list[Any]]:
    """Return a target's columns as labels or numbers, noting every cell that is not one.

    Where labels are wanted and there is a column a class, the label is the class with the highest
    number, of equal ones the first.
    """
    if target.kind == "labels" and len(columns) == 1:
        return [_as_labels(columns[0], labels, expected, problems)]
    found = [_as_numbers(column, problems) for column in columns]
    if target.kind == "labels":
        rows = zip(columns[0].rows, zip(*found, strict=True), strict=True)
        return [[labels[of.index(max(of))] if row >= 0 else None for row, of in rows]]
    if target.kind == "probabilities":
        _check_probabilities(columns, found, problems)
    return found


def _as_numbers(column: Column, problems: Problems) -> list[float]:
    texts = [column.cells[row] if row >= 0 else "0" for row in column.rows]
    values = cells.numbers(texts)
    bad = (i for i, value in enumerate(values) if not cells.acceptable(value))
    for i in column.in_order(bad):
        hint = "; write the decimal point as '.'" if "," in texts[i] else ""
        problems.add(
            "cells that are not finite numbers" if texts[i] else "empty cells",
            f"{column.place(i)}: found {_short(texts[i])}, "
            f"expected a finite number below {cells.LARGEST:g}{hint}",
        )
    return values


def _as_labels(
    column: Column, labels: Sequence[Label], expected: Expected, problems: Problems
) -> list[Label | None]:
    read = cells.label_reader(labels) if labels else _any_label
    known = {cell: read(cell) for cell in set(column.cells)}
    found = [None if row < 0 else known[column.cells[row]] for row in column.rows]
    if all(label is not None for label in known.values()):
        return found
    listed = f"one of {', '.join(map(str, labels))}" if expected.labels_are_public else ""
    bad = (i for i, row in enumerate(column.rows) if row >= 0 and found[i] is None)
    for i in column.in_order(bad):
        cell = column.cells[column.rows[i]]
        problems.add(
            "unknown labels" if cell else "empty cells",
            f"{column.place(i)}: found {_short(cell)}, "
            f"expected {listed or 'one of the labels that the task names'}",
        )
    return found


def _any_label(cell: str) -> str | None:
    """Return a cell as a label where the labels are not known; an empty cell is none."""
    return cell or None


def _check_probabilities(
    columns: Sequence[Column], found: Sequence[Sequence[float]], problems: Problems
) -> None:
    """Note rows that leave [0, 1] or, with a column a class, do not sum to 1."""
    rows = list(zip(*found, strict=True))
    for i in columns[0].in_order(range(len(rows))):
        row = rows[i]
        if not (min(row) >= 0 and max(row) <= 1) and all(map(cells.acceptable, row)):
            problems.add(
                "probabilities outside [0, 1]",
                f"{columns[0].place(i)}: found {', '.join(f'{value:g}' for value in row)}",
            )
        if len(columns) > 1 and abs(sum(row) - 1) > PROBABILITY_TOLERANCE:
            problems.add(
                "rows whose probabilities do not sum to 1",
                f"{columns[0].place(i)}: the sum is {sum(row):.6g}",
            )


def _short(cell: str) -> str:
    """Return a cell quoted, cut to 40 characters."""
    return repr(cell if len(cell) <= 40 else cell[:39] + "…")
