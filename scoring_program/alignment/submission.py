"""One submission: joined to the test set by id, with every cell checked and all problems reported.

No message shows a gold value: participants read the messages. This module needs neither the gold
nor more than the standard library, so that participants can run it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.errors import ENOUGH, Problems, SubmissionError, counted, listed, quoted
from ..core.notes import Note
from ..reading.table import Table
from . import diagnosis
from .columns import (
    UNDIVIDED,
    column_of_ids,
    column_of_unknown_ids,
    is_id_name,
    prediction_columns,
    rival_columns,
    submission_header,
    submission_id_column,
)
from .expected import BY_CLASS, Expected, Target
from .predictions import Column, parse_columns


@dataclass(frozen=True, eq=False)
class Submission:
    """A submission without defects, in the order of the examples.

    ``predictions`` maps every target to its columns, [n] each. A missing label is None, if missing
    predictions are allowed.
    """

    predictions: Mapping[Target, Sequence[Sequence[Any]]]
    columns: Mapping[str, Sequence[str]]  # all its columns as texts [n], if a metric reads them
    notes: tuple[Note, ...] = ()  # how it was read, if that is unusual
    missing: int = 0  # examples without a prediction, if that is allowed


def examine(table: Table, expected: Expected) -> Submission:
    """Check one submission and sort it like the examples.

    Raises
    ------
    SubmissionError
        Every problem of the file, together: missing, duplicate and extra ids, wrong counts, unknown
        labels, empty cells, cells without a finite number, and improper probabilities.
    """
    problems = Problems(table.file)
    columns, table = _columns(table, expected, problems)
    problems.rows = len(table.numbers)
    id_column = _id_column(columns, expected)
    if id_column is None:
        rows = _by_position(columns, table, expected, problems)
    else:
        rows = _by_id(id_column, columns, table, expected, problems)
    predictions, used = {}, []
    for target, labels in expected.targets.items():
        names = _names(columns, id_column, target, expected, table)
        found = [
            Column(expected.public_name(name), columns[name], table.places, rows) for name in names
        ]
        predictions[target] = parse_columns(found, target, labels, expected, problems)
        used.extend(names)
    by_id = id_column is not None
    problems.raise_if_any(
        f"Expected {expected.n if by_id else expected.total} rows, one prediction per example, "
        f"matched by {'id' if by_id else 'position'}."
    )
    if not by_id:
        _refuse_unknown_ids(columns, used, expected, table)
    kept = columns if expected.keep_columns else {}
    texts = {
        name: [values[row] if row >= 0 else "" for row in rows] for name, values in kept.items()
    }
    notes = _notes(columns, id_column, used, expected, table)
    missing = 0 if expected.lists_findings else rows.count(-1)
    return Submission(predictions, texts, notes, missing)


def roles(table: Table, expected: Expected) -> tuple[str | None, tuple[str, ...], tuple[Note, ...]]:
    """Return the column of the ids, those of the predictions, and notes on them, by `examine`.

    Raises SubmissionError where the names say too little.
    """
    columns, table = _columns(table, expected, Problems(table.file))
    id_column = _id_column(columns, expected)
    used = tuple(
        name
        for target in expected.targets
        for name in _names(columns, id_column, target, expected, table)
    )
    return id_column, used, _notes(columns, id_column, used, expected, table)


def _columns(
    table: Table, expected: Expected, problems: Problems
) -> tuple[dict[str, Sequence[str]], Table]:
    """Return the columns by name and the table below its header."""
    for number, width in table.ragged.items():
        problems.add(
            "row(s) of the wrong width",
            f"{table.row_noun} {number}: {width} cells found, {len(table.columns)} expected",
            diagnosis.of_widths(table.ragged.values(), len(table.columns)),
        )
    if len(table.ragged) >= len(table.numbers) - 1:  # nothing is left to check
        problems.rows = len(table.ragged)
        problems.raise_if_any(f"Expected a header such as {expected.header}, and rows like it.")
    header, table = split_header(table, expected)
    return dict(zip(header, table.columns, strict=True)), table


def split_header(table: Table, expected: Expected) -> tuple[list[str], Table]:
    """Return the columns' names and the table below them; see `submission_header`."""
    known = (*expected.known_columns, expected.id_column)
    return submission_header(table, expected.columns, known, expected.known_ids, expected.header)


def _id_column(columns: Mapping[str, Sequence[str]], expected: Expected) -> str | None:
    """Return the column that matches rows by id; None if they are matched by position."""
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
    labels = expected.targets[target]
    classes = list(map(str, labels))
    only = len(expected.columns) == 1
    names = prediction_columns(
        list(columns), id_column, target.column, target.kind, classes, only=only
    )
    if not names:
        by_class = target.kind in BY_CLASS and len(labels) > 2 and expected.labels_are_public
        column = expected.public_name(target.column)
        lacking = "column for each class" if by_class else f"column {column!r}"
        raise SubmissionError(
            f"{table.file}: {table.row_noun} 1: there is no {lacking} among "
            f"{listed(map(quoted, columns))}; rename the one that holds the predictions, or write "
            f"a header such as {expected.header}"
        )
    return names


def _notes(
    columns: Mapping[str, Sequence[str]],
    id_column: str | None,
    used: Sequence[str],
    expected: Expected,
    table: Table,
) -> tuple[Note, ...]:
    """Return notes on what is unusual: how rows were matched, what was left out or scored."""
    notes = [*table.notes]
    if id_column is None:
        has_ids = any(map(is_id_name, columns))
        notes.append(Note("notes.without_gold_ids" if has_ids else "notes.by_position"))
    elif expected.may_exceed:
        beyond = {*columns[id_column]} - expected.known_ids - expected.ignored
        if beyond:
            notes.append(Note("notes.not_in_test_set", {"count": len(beyond)}))
    if table.empty_rows:
        notes.append(Note("notes.emptied"))
    if len(expected.columns) == 1:
        rivals = rival_columns(list(columns), used, expected.columns[0])
        if rivals:
            read, others = (tuple(map(quoted, group)) for group in (used, rivals))
            notes.append(Note("notes.columns", {"read": read, "others": others}))
    return tuple(notes)


def _refuse_unknown_ids(
    columns: Mapping[str, Sequence[str]], used: Sequence[str], expected: Expected, table: Table
) -> None:
    """Refuse to match rows by position if a column seems to hold their ids."""
    if expected.ids is None or (expected.ids_are_implied and any(" " in i for i in expected.ids)):
        return  # there are no ids, or the column of ids may be one of texts
    rest = {name: values for name, values in columns.items() if name not in used}
    name = column_of_unknown_ids(rest, expected.columns)
    if name is not None:
        raise SubmissionError(
            f"{table.file}: column {quoted(name)} looks like ids, but hardly any of them is in the "
            f"test set; write the ids of the test set into a column {expected.public_id_column!r}, "
            "or leave the column out to match rows by position"
        )


def _by_position(
    columns: Mapping[str, Sequence[str]], table: Table, expected: Expected, problems: Problems
) -> Sequence[int]:
    """Match rows by position. Their number must be right, and ids, if any, must differ."""
    places = table.places
    rows = len(places)
    problems.raise_if_any("Without ids, rows are matched by position, so every row counts.")
    noun = table.row_noun if table.lines else "row"
    if rows != expected.total:
        last = f" and {places[rows - 1]} is the last" if rows > 1 else ""
        raise SubmissionError(
            f"{problems.file}: {counted(rows, f'{noun}(s)')}, {expected.total} expected\n"
            f"  - {places[0]} is the first{last}"
            f"{f'; {places.gap} is empty' if places.gap else ''}\n"
            f"Without ids, {noun}s are matched by position: send one {noun} per example."
            f"{_undivided(columns, table, expected)}"
            f"{diagnosis.of_counts(columns, places, expected)}"
        )
    if expected.ids is None and "id" in columns:
        _rows_of(columns["id"], places, problems)
        problems.raise_if_any("Give every row its own id; write the decimal point as '.'.")
    return expected.positions


def _undivided(columns: Mapping[str, Sequence[str]], table: Table, expected: Expected) -> str:
    """Return a hint for a text with one cell per line, if the test set has ids."""
    is_text = table.header is None and table.row_noun == "line"
    if expected.ids is None or len(columns) > 1 or not is_text:
        return ""
    (cells,) = columns.values()
    if 2 * sum(cell.split(" ")[0] in expected.known_ids for cell in cells) > len(cells):
        return (
            f"\nThe rows begin with ids, but {UNDIVIDED}: put a comma or a tab between the id and "
            f"the prediction, and write a header such as {expected.header} as the first line."
        )
    return (
        f"\nIf the rows do have ids: {UNDIVIDED}; write a header such as {expected.header} as the "
        "first line."
    )


def _refuse_other_ids(
    id_column: str, columns: Mapping[str, Sequence[str]], table: Table, expected: Expected
) -> None:
    """Refuse a file with hardly any id of the test set, and say what may have happened."""
    why = diagnosis.of_ids(id_column, columns, expected, len(table.ragged))
    if not why:
        return
    ids = columns[id_column]
    known = {*expected.known_ids, *expected.ignored}
    examples = [
        f"  - {table.place(row)}: id {quoted(ids[row])}"
        for row, value in enumerate(ids)
        if value not in known
    ]
    raise SubmissionError(
        "\n".join(
            [
                f"{table.file}: {len(examples)} of {counted(len(ids), 'id(s)')} "
                f"{'is' if len(examples) == 1 else 'are'} not in the test set",
                *examples[:ENOUGH],
                f"{why[0].upper()}{why[1:]}.",
                f"Expected {expected.n} rows, one prediction per example, matched by id.",
            ]
        )
    )


def _by_id(
    id_column: str,
    columns: Mapping[str, Sequence[str]],
    table: Table,
    expected: Expected,
    problems: Problems,
) -> Sequence[int]:
    """Return the row of every example; −1 for one that is missing, if that is allowed."""
    ids, places = columns[id_column], table.places
    if ids == expected.ids_in_file:  # most files have this order
        return expected.positions
    known = expected.ids or ()
    rows = dict(zip(ids, range(len(ids)), strict=True))
    if len(rows) == len(ids) == len(known):
        found = [rows.get(value, -1) for value in known]
        if -1 not in found:
            return found
    _refuse_other_ids(id_column, columns, table, expected)
    rows = _rows_of(ids, places, problems)
    extra = set() if expected.may_exceed else rows.keys() - {*known, *expected.ignored}
    # Implied ids may be a column of the gold that is secret.
    public_ids = () if expected.ids_are_implied else sorted(known)  # the gold's order is secret
    by_bare_id = {diagnosis.bare(value): value for value in public_ids} if extra else {}
    for value, row in rows.items():
        if value in extra:
            similar = by_bare_id.get(diagnosis.bare(value))
            hint = f"; did you mean {quoted(similar)}?" if similar else ""
            problems.add(
                "extra id(s)",
                f"{places[row]}: id {quoted(value)} is not in the test set{hint}",
                "Write every id as the test set does."
                if hint
                else "Remove the rows whose ids are not in the test set.",
            )
    is_usual = 2 * len(extra) < len(ids)  # else all ids may be written in another way
    meant = set() if is_usual else {by_bare_id.get(diagnosis.bare(value)) for value in extra}
    lacking = [value for value in known if value not in rows and value not in meant]
    # The ids of rows of the wrong width are unknown.
    required = expected.missing == "error" and not expected.lists_findings
    if required and len(lacking) > len(table.ragged):
        remedy = "Add a row for every example that has none."
        for value in sorted(lacking) if public_ids else ():
            problems.add("missing id(s)", f"id {quoted(value)} has no row", remedy, has_row=False)
        if not public_ids:
            detail = f"{len(lacking)} of {expected.n} examples have no row"
            problems.add("gap(s)", detail, remedy, has_row=False)
    return [rows.get(value, -1) for value in known]


def _rows_of(ids: Sequence[str], places: Sequence[str], problems: Problems) -> dict[str, int]:
    """Return the first row of every id; report the others as problems."""
    rows: dict[str, int] = {}
    for row, value in enumerate(ids):
        if rows.setdefault(value, row) != row:
            problems.add(
                "duplicate id(s)",
                f"{places[row]}: id {quoted(value)} was already on {places[rows[value]]}",
                "Keep one row for each id.",
            )
    return rows
