"""One submission: joined to the test set by id, checked cell by cell, its problems told together.

No message mentions a gold value: submissions are their authors' own, the gold is the competition's.
Nothing here needs more than the standard library or any gold, so that a participant can run it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from scoring_program.align import cells
from scoring_program.align.cells import Label
from scoring_program.align.columns import (
    column_of_ids,
    column_of_unknown_ids,
    is_id_name,
    prediction_columns,
    rival_columns,
    submission_header,
    submission_id_column,
)
from scoring_program.errors import Problems, SubmissionError, counted, listed, quoted
from scoring_program.notes import Note
from scoring_program.read.table import Places, Table

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
    ids_are_implied: bool = False  # by the cells of the gold's column, not by its name
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

    @cached_property
    def known_ids(self) -> frozenset[str]:
        """The ids of the examples, none where they have none."""
        return frozenset(self.ids or ())

    @cached_property
    def ids_in_file(self) -> list[str] | None:
        """The ids in the order of the test set's rows, None where some of those are ignored."""
        if self.ids is None or self.n < self.total:
            return None
        row_of = dict(zip(self.positions, self.ids, strict=True))
        return [row_of[position] for position in range(self.n)]


@dataclass(frozen=True, eq=False)
class Submission:
    """A submission without defects, in the order of the examples.

    ``predictions`` holds for every target its columns, each [n]; a label that is missing and may be
    is None.
    """

    predictions: Mapping[Target, Sequence[Sequence[Any]]]
    columns: Mapping[str, Sequence[str]]  # its own columns as texts [n], if they are kept
    notes: tuple[Note, ...] = ()  # what its sender should know of how it was read


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
    problems = Problems(table.file)
    columns, table = _columns(table, expected, problems)
    id_column = _id_column(columns, expected)
    if id_column is None:
        rows = _by_position(columns, table.places, expected, problems)
    else:
        rows = _by_id(columns[id_column], table.places, expected, problems)
    predictions, chosen = {}, []
    for target, labels in expected.targets.items():
        names = _names(columns, id_column, target, expected, table)
        found = [Column(name, columns[name], table.places, rows) for name in names]
        predictions[target] = typed(found, target, labels, expected, problems)
        chosen.extend(names)
    by_id = id_column is not None
    problems.raise_if_any(
        f"Expected {expected.n if by_id else expected.total} rows, one prediction an example, "
        f"matched by {'id' if by_id else 'position'}."
    )
    if not by_id:
        _refuse_unknown_ids(columns, chosen, expected, table)
    kept = columns if expected.keep_columns else {}
    texts = {
        name: [values[row] if row >= 0 else "" for row in rows] for name, values in kept.items()
    }
    return Submission(predictions, texts, _notes(columns, id_column, chosen, expected, table))


def _columns(
    table: Table, expected: Expected, problems: Problems
) -> tuple[dict[str, Sequence[str]], Table]:
    """Return the columns by name and the table below its header."""
    for number, width in table.ragged.items():
        problems.add(
            "row(s) of the wrong width",
            f"{table.unit} {number}: {width} cells found, {len(table.columns)} expected",
        )
    problems.raise_if_any(
        "Give every row the same columns; quote texts that hold the delimiter, "
        "and write the decimal point as '.'."
    )
    header, table = split_header(table, expected)
    return dict(zip(header, table.columns, strict=True)), table


def split_header(table: Table, expected: Expected) -> tuple[list[str], Table]:
    """Return the columns' names and the table below them; errors as in `submission_header`."""
    known = (*expected.known_columns, expected.id_column)
    return submission_header(table, expected.columns, known, expected.known_ids)


def _id_column(columns: Mapping[str, Sequence[str]], expected: Expected) -> str | None:
    """Return the column by which rows are matched, None where they are matched by position."""
    if expected.ids is None:
        return None
    named = submission_id_column(
        list(columns), expected.id_column, implied=expected.ids_are_implied
    )
    return named or column_of_ids(columns, expected.known_ids, expected.columns)


def _names(
    columns: Mapping[str, Sequence[str]],
    id_column: str | None,
    target: Target,
    expected: Expected,
    table: Table,
) -> list[str]:
    """Return the columns that hold the predictions of a target."""
    classes = list(map(str, expected.targets[target]))
    only = len(expected.columns) == 1
    names = prediction_columns(
        list(columns), id_column, target.column, target.kind, classes, only=only
    )
    if not names:
        raise SubmissionError(
            f"{table.file}: {table.unit} 1: no column {target.column!r} among "
            f"{listed(map(quoted, columns))}; expected a header such as "
            f"'{','.join([expected.id_column, *expected.columns])}'"
        )
    return names


def _notes(
    columns: Mapping[str, Sequence[str]],
    id_column: str | None,
    chosen: Sequence[str],
    expected: Expected,
    table: Table,
) -> tuple[Note, ...]:
    """Return what is not as usual: how rows were matched, which were left out, what was scored."""
    notes = []
    if id_column is None:
        has_ids = any(map(is_id_name, columns))
        notes.append(Note("notes.without_gold_ids" if has_ids else "notes.by_position"))
    if table.emptied:
        notes.append(Note("notes.emptied"))
    if len(expected.columns) == 1:
        rivals = rival_columns(list(columns), chosen, expected.columns[0])
        if rivals:
            read, others = (tuple(map(quoted, group)) for group in (chosen, rivals))
            notes.append(Note("notes.columns", {"read": read, "others": others}))
    return tuple(notes)


def _refuse_unknown_ids(
    columns: Mapping[str, Sequence[str]], chosen: Sequence[str], expected: Expected, table: Table
) -> None:
    """Refuse to match rows by position where a column seems to say which examples they are."""
    if expected.ids is None or (expected.ids_are_implied and any(" " in i for i in expected.ids)):
        return  # there are no ids, or what is taken for them are texts
    rest = {name: values for name, values in columns.items() if name not in chosen}
    name = column_of_unknown_ids(rest, expected.columns)
    if name is not None:
        raise SubmissionError(
            f"{table.file}: column {quoted(name)} looks like ids, but hardly any of them is in the "
            f"test set; write the ids as the test set has them, in a column "
            f"{expected.id_column!r}, or leave the column out to have rows matched by position"
        )


def _by_position(
    columns: Mapping[str, Sequence[str]],
    places: Places,
    expected: Expected,
    problems: Problems,
) -> Sequence[int]:
    """Match rows by position; their number must agree, and ids must differ where there are any."""
    rows = len(places)
    if rows != expected.total:
        last = f" and {places[rows - 1]} is the last" if rows > 1 else ""
        raise SubmissionError(
            f"{problems.file}: {counted(rows, 'row(s)')}, {expected.total} expected\n"
            f"  - {places[0]} is the first{last}"
            f"{f'; {places.gap} is empty' if places.gap else ''}\n"
            "Without ids, rows are matched by position: send one row an example."
        )
    if expected.ids is None and "id" in columns:
        _rows_of(columns["id"], places, problems)
        problems.raise_if_any("Every row needs an id of its own; write the decimal point as '.'.")
    return expected.positions


def _by_id(
    ids: Sequence[str], places: Sequence[str], expected: Expected, problems: Problems
) -> Sequence[int]:
    """Return the row of every example, −1 where it is missing and may be."""
    if ids == expected.ids_in_file:  # as most files have them: no need to search
        return expected.positions
    known = expected.ids or ()
    rows = dict(zip(ids, range(len(ids)), strict=True))
    if len(rows) == len(ids) == len(known):
        found = [rows.get(value, -1) for value in known]
        if -1 not in found:
            return found
    rows = _rows_of(ids, places, problems)
    extra = rows.keys() - {*known, *expected.ignored}
    # Where the ids are only taken for such, they are a column of the gold that nobody may see.
    shown = () if expected.ids_are_implied else sorted(known)  # not in the order of the gold
    meant = {_bare(value): value for value in shown} if extra else {}
    for value, row in rows.items():
        if value in extra:
            similar = meant.get(_bare(value))
            hint = f"; did you mean {quoted(similar)}?" if similar else ""
            problems.add(
                "extra id(s)", f"{places[row]}: id {quoted(value)} is not in the test set{hint}"
            )
    if expected.missing == "error":
        for value in shown:
            if value not in rows:
                problems.add("missing id(s)", f"id {quoted(value)} has no row")
        lacking = expected.n - len(rows) + len(extra)
        if lacking and not shown:
            problems.add("gap(s)", f"{lacking} of {expected.n} examples have no row")
    return [rows.get(value, -1) for value in known]


def _rows_of(ids: Sequence[str], places: Sequence[str], problems: Problems) -> dict[str, int]:
    """Return the first row of every id, noting the others."""
    rows: dict[str, int] = {}
    for row, value in enumerate(ids):
        if rows.setdefault(value, row) != row:
            problems.add(
                "duplicate id(s)",
                f"{places[row]}: id {quoted(value)} was already on {places[rows[value]]}",
            )
    return rows


def _bare(value: str) -> str:
    """Return an id without what software and people change: case, quotes, folders, zeros."""
    name = value.replace("\\", "/").rpartition("/")[2].strip("'\" ").casefold()
    return name.removesuffix(".0").lstrip("0")


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
    of_row = cells.numbers(column.cells)
    values = [of_row[row] if row >= 0 else 0.0 for row in column.rows]
    if cells.are_acceptable(values):
        return values
    bad = (i for i, value in enumerate(values) if not cells.acceptable(value))
    for i in column.in_order(bad):
        cell = column.cells[column.rows[i]]
        problems.add(
            "cell(s) without a finite number" if cell else "empty cell(s)",
            f"{column.place(i)}: found {quoted(cell)}, "
            f"expected a finite number below {cells.LARGEST:g}{_hint(cell)}",
        )
    return values


def _as_labels(
    column: Column, labels: Sequence[Label], expected: Expected, problems: Problems
) -> list[Label | None]:
    read = cells.label_reader(labels) if labels else _any_label
    known = {cell: read(cell) for cell in set(column.cells)}
    of_row = [known[cell] for cell in column.cells]
    found = [of_row[row] if row >= 0 else None for row in column.rows]
    if all(label is not None for label in known.values()):
        return found
    public = f"one of {listed(labels)}" if expected.labels_are_public else ""
    bad = (i for i, row in enumerate(column.rows) if row >= 0 and found[i] is None)
    for i in column.in_order(bad):
        cell = column.cells[column.rows[i]]
        problems.add(
            "unknown label(s)" if cell else "empty cell(s)",
            f"{column.place(i)}: found {quoted(cell)}, "
            f"expected {public or 'one of the labels that the task names, in the same letters'}",
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
                "row(s) with probabilities outside [0, 1]",
                f"{columns[0].place(i)}: found {listed(f'{value:g}' for value in row)}",
            )
        if len(columns) > 1 and abs(sum(row) - 1) > PROBABILITY_TOLERANCE:
            problems.add(
                "row(s) of probabilities that do not sum to 1",
                f"{columns[0].place(i)}: the sum is {sum(row):.6g}",
            )


def _hint(cell: str) -> str:
    """Return what is wrong with a cell that people read as a number."""
    if "," in cell:
        return "; write the decimal point as '.', and nothing between thousands"
    odd = next((letter for letter in cell if not letter.isascii()), "")
    return f"; {odd!r} is no ASCII character, however it looks" if odd else ""
