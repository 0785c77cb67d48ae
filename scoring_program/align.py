"""Joins gold and predictions by id, checks every cell, and types the columns the metrics need.

The policies for headers, column roles, missing predictions and label sets live here, one function each.
Rows are put in the order of their ids, so that the order of lines in any file changes nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring_program.errors import Problems, ReferenceDataError, SettingsError, SubmissionError, nearest
from scoring_program.read.tables import Table, read_table
from scoring_program.settings import Settings

Array = NDArray[Any]
Label = str | int

#: Column names that hold the gold or a prediction, best first.
TARGET_NAMES = (
    "label", "labels", "y", "y_true", "gold", "target", "class", "truth",
    "prediction", "predictions", "predicted", "pred", "y_pred", "value", "answer", "category",
)  # fmt: skip
#: Column names that hold a score or the probability of the positive class, best first.
SCORE_NAMES = ("score", "scores", "probability", "proba", "prob", "confidence", "decision")
_ID_NAME = re.compile(r"ids?|idx|index|test_case|.*[_ -]ids?", re.IGNORECASE)
_INTEGER = re.compile(r"[+-]?\d+")
#: Column of a Kaggle solution that says which part of the leaderboard a row belongs to.
USAGE = "Usage"
#: Largest score or number that both platforms' score tables can hold (ten digits before the point).
_LARGEST = 1e10


@dataclass(frozen=True)
class Target:
    """What a metric reads: a target column and the kind of prediction it needs for it."""

    column: str
    kind: str  # "labels", "numbers", "scores" or "probabilities"


@dataclass(frozen=True, eq=False)
class Gold:
    """The reference data, rows in the order of their ids (or of the file, where there are none)."""

    file: str
    ids: tuple[str, ...] | None
    columns: Mapping[str, Sequence[str]]  # name → [n] texts, the id column left out
    lines: Sequence[int]  # [n] lines of the file
    targets: tuple[str, ...]  # columns that may be predicted, best first
    sha256: str

    @property
    def n(self) -> int:
        """Number of examples."""
        return len(self.lines)


@dataclass(frozen=True, eq=False)
class Entry:
    """One submission, aligned: row i of every array belongs to example i of the gold."""

    name: str
    predictions: Mapping[Target, Array]  # [n], or [n, c] where there is a column a class
    columns: Mapping[str, Sequence[str]]  # all columns as texts [n], where a metric asks for them
    sha256: str


def digest(content: bytes) -> str:
    """Return the SHA-256 of a file, as the signature shows it."""
    return hashlib.sha256(content).hexdigest()


def read_gold(content: bytes, file: str, settings: Settings) -> Gold:
    """Read the gold standard and decide which columns are ids, targets and design columns.

    Raises
    ------
    ReferenceDataError
        Malformed table, repeated or empty ids, or columns whose roles cannot be told; file and line are named.
    SettingsError
        A column named in the settings does not exist.
    """
    try:
        table = read_table(content, file)
    except SubmissionError as error:  # the same defects, but the organizer's to fix
        raise ReferenceDataError(str(error)) from error
    named = [
        name
        for name in (settings.id_column, settings.group, settings.stratify)
        if name is not None
    ]
    named += [spec.column for spec in settings.metrics if spec.column is not None]
    header, table = _gold_header(table, named)
    for row, line in zip(table.rows, table.lines, strict=True):
        if len(row) != len(header):
            raise ReferenceDataError(
                f"{file}: line {line}: {len(row)} cells where {len(header)} columns are expected; "
                "quote texts that contain the delimiter"
            )
    columns = dict(zip(header, map(list, zip(*table.rows, strict=True)), strict=True))
    for key in ("id_column", "group", "stratify"):
        name = getattr(settings, key)
        if name is not None and name not in columns:
            raise SettingsError(
                f"{settings.where(key)}: {file} has no column {name!r}{nearest(name, columns)}"
            )
    design = {settings.group, settings.stratify, USAGE}
    id_column = _id_column(columns, settings.id_column, design, file, table.lines)
    order: Sequence[int] = range(len(table))
    ids = None
    if id_column is not None:
        order = sorted(order, key=columns[id_column].__getitem__)
        ids = tuple(columns[id_column][row] for row in order)
    rest = [name for name in columns if name != id_column and name not in design]
    known = [name for name in rest if name.casefold() in TARGET_NAMES]
    known.sort(key=lambda name: TARGET_NAMES.index(name.casefold()))
    return Gold(
        file=file,
        ids=ids,
        columns={
            name: [cells[row] for row in order]
            for name, cells in columns.items()
            if name != id_column
        },
        lines=[table.lines[row] for row in order],
        targets=tuple(known + [name for name in rest if name not in known]),
        sha256=digest(content),
    )


def _gold_header(table: Table, named: Sequence[str]) -> tuple[list[str], Table]:
    """Split the header off the gold, or name the columns of a gold that has none."""
    first = list(table.rows[0])
    below = Table(table.file, table.rows[1:], table.lines[1:])
    recognised = {*TARGET_NAMES, USAGE.casefold(), "id"}
    if any(cell in named or cell.casefold() in recognised for cell in first):
        is_header = True
    else:
        texts = all(cell and not _is_number(cell) for cell in first)
        is_header = texts and not any(
            first[-1] == row[-1] for row in below.rows if len(row) == len(first)
        )
    if is_header:
        repeated = {name for name in first if first.count(name) > 1}
        if repeated or "" in first:
            what = f"the column {sorted(repeated)[0]!r} appears twice" if repeated else "an empty name"
            raise ReferenceDataError(
                f"{table.file}: line {table.lines[0]}: {what}; give every column its own name"
            )
        if not below.rows:
            raise ReferenceDataError(
                f"{table.file}: a header but no examples; add one row an example"
            )
        return first, below
    if len(first) > 2:
        raise ReferenceDataError(
            f"{table.file}: line {table.lines[0]}: {len(first)} columns without names; "
            "add a header such as 'id,label'"
        )
    return (["id", "label"] if len(first) == 2 else ["label"]), table


def _id_column(
    columns: Mapping[str, Sequence[str]],
    named: str | None,
    design: set[str | None],
    file: str,
    lines: Sequence[int],
) -> str | None:
    """Return the column that identifies the examples: the named one, "id", or a unique one like "row_id"."""
    candidates = [name for name in columns if _ID_NAME.fullmatch(name) and name not in design]
    sure = named or next((name for name in candidates if name.casefold() == "id"), None)
    if sure is None:
        unique = [name for name in candidates if len(set(columns[name])) == len(lines)]
        return unique[0] if unique else None
    seen: dict[str, int] = {}
    for value, line in zip(columns[sure], lines, strict=True):
        if not value:
            raise ReferenceDataError(f"{file}: line {line}: the id is empty; give every example one")
        if value in seen:
            raise ReferenceDataError(
                f"{file}: line {line}: the id {value!r} was already on line {seen[value]}; "
                "ids must be unique"
            )
        seen[value] = line
    return sure


def target_column(gold: Gold, column: str | None, where: str) -> str:
    """Return the target a metric scores: the one it names, the only one, or the one recognised by name.

    Raises
    ------
    SettingsError
        The named column does not exist, or there are several and none is recognised.
    """
    if column is not None:
        if column not in gold.targets:
            raise SettingsError(
                f"{where}: {gold.file} has no target column {column!r}{nearest(column, gold.targets)}"
            )
        return column
    if not gold.targets:
        raise ReferenceDataError(f"{gold.file}: no column with labels beside the ids; add one")
    if len(gold.targets) == 1 or gold.targets[0].casefold() in TARGET_NAMES:
        return gold.targets[0]
    raise SettingsError(
        f"{where}: {gold.file} has several columns ({', '.join(gold.targets)}); "
        "say which one is scored with 'column:'"
    )


def is_numeric(cells: Sequence[str]) -> bool:
    """Whether a gold column is a quantity: numbers, some with a fraction or more than 20 different ones."""
    if not all(map(_is_number, cells)):
        return False
    return not all(map(_INTEGER.fullmatch, cells)) or len(set(cells)) > 20


def gold_labels(gold: Gold, column: str) -> Array:
    """Return a target as labels, [n]: integers if every one is written as an integer, else texts.

    Raises
    ------
    ReferenceDataError
        An empty cell.
    """
    cells = gold.columns[column]
    if "" in cells:
        line = gold.lines[cells.index("")]
        raise ReferenceDataError(
            f"{gold.file}: line {line}: column {column!r} is empty; give every example a label"
        )
    if all(map(_INTEGER.fullmatch, cells)):
        return np.array(list(map(int, cells)))
    return np.array(cells)


def gold_numbers(gold: Gold, column: str) -> NDArray[np.float64]:
    """Return a target as finite numbers, [n].

    Raises
    ------
    ReferenceDataError
        A cell is not a finite number.
    """
    values = _numbers(gold.columns[column])
    for row in np.flatnonzero(~np.isfinite(values)):
        raise ReferenceDataError(
            f"{gold.file}: line {gold.lines[row]}: column {column!r} does not hold a finite number, "
            "which a metric in the settings needs; mend the cell or choose another metric"
        )
    return values


def label_set(gold_values: Array, settings: Settings, file: str) -> tuple[Label, ...]:
    """Return the labels a prediction may take, sorted: the settings' ``labels`` or those of the gold.

    Raises
    ------
    SettingsError
        The gold holds a label that the settings do not list.
    """
    present = set(gold_values.tolist())
    if settings.labels is None:
        return tuple(sorted(present))
    if gold_values.dtype.kind in "iu" and all(isinstance(label, int) for label in settings.labels):
        allowed: set[Label] = set(settings.labels)
    else:
        allowed = {str(label) for label in settings.labels}
    if not {str(label) for label in present} <= {str(label) for label in allowed}:
        raise SettingsError(
            f"{settings.where('labels')}: {file} holds labels that are not listed; list every label"
        )
    return tuple(sorted(allowed, key=lambda label: (isinstance(label, str), label)))


@dataclass(frozen=True, eq=False)
class Expected:
    """What a submission must hold: the targets, their label sets and gold (for the policy on missing)."""

    gold: Gold
    targets: Mapping[Target, tuple[Label, ...]]  # label set; empty for numbers
    labels: Mapping[str, Array]  # column → gold labels [n], for ``missing: wrong``
    missing: str
    listed_labels: bool  # whether the label set is public: listed in the settings
    keep_columns: bool = False  # whether a metric reads the submission's own columns


def align(content: bytes, file: str, name: str, expected: Expected) -> Entry:
    """Read one submission and bring it into the order of the gold.

    Raises
    ------
    SubmissionError
        Everything that is wrong with the file, together: ids that are missing, repeated or extra, wrong
        counts, unknown labels, cells that are empty or not finite numbers. No gold value is mentioned.
    """
    gold = expected.gold
    table = read_table(content, file)
    header, table = _submission_header(table, expected)
    problems = Problems(file)
    for row, line in zip(table.rows, table.lines, strict=True):
        if len(row) != len(header):
            problems.add(
                "rows of the wrong width",
                f"line {line}: {len(row)} cells found, {len(header)} expected",
            )
    problems.raise_if_any("Give every row the same columns; quote texts that contain the delimiter.")
    columns = dict(zip(header, map(list, zip(*table.rows, strict=True)), strict=True))
    rows = _join(columns, table, expected, problems)
    predictions: dict[Target, Array] = {}
    for target, labels in expected.targets.items():
        names = _prediction_columns(list(columns), target, labels, expected, file)
        arrays = [
            _typed(columns[column], table.lines, rows, column, target, labels, expected, problems)
            for column in names
        ]
        values = arrays[0] if len(arrays) == 1 else np.column_stack(arrays)
        if target.kind == "probabilities":
            _check_probabilities(values, rows, table.lines, names, problems)
        predictions[target] = values
    problems.raise_if_any(
        f"Expected {gold.n} rows, one prediction an example"
        + (", matched by id." if gold.ids is not None and _has_id(columns, expected) else ".")
    )
    return Entry(
        name=name,
        predictions=predictions,
        columns={
            column: [cells[row] if row >= 0 else "" for row in rows]
            for column, cells in columns.items()
            if expected.keep_columns
        },
        sha256=digest(content),
    )


def _submission_header(table: Table, expected: Expected) -> tuple[list[str], Table]:
    """Split the header off a submission, or name the columns of one that has none."""
    gold = expected.gold
    first = list(table.rows[0])
    below = Table(table.file, table.rows[1:], table.lines[1:])
    ids = frozenset(gold.ids or ())
    recognised = {*TARGET_NAMES, *SCORE_NAMES, "id", *(name.casefold() for name in gold.targets)}
    is_header = first[0] not in ids and (
        any(cell.casefold() in recognised for cell in first)
        or (bool(below.rows) and bool(ids) and below.rows[0][0] in ids)
    )
    if is_header:
        repeated = sorted({name for name in first if first.count(name) > 1})
        if repeated:
            raise SubmissionError(
                f"{table.file}: line {table.lines[0]}: the column {repeated[0]!r} appears twice; "
                "give every column its own name"
            )
        if not below.rows:
            raise SubmissionError(f"{table.file}: a header but no rows; add one row an example")
        return first, below
    columns = [target.column for target in expected.targets]
    if len(first) == 1 + len(columns):
        return ["id", *columns], table
    if len(first) == len(columns):
        return columns, table
    raise SubmissionError(
        f"{table.file}: line {table.lines[0]}: {len(first)} columns without names; "
        f"add a header such as '{','.join(['id', *columns])}'"
    )


def _has_id(columns: Mapping[str, Any], expected: Expected) -> str | None:
    """Return the submission's id column, if it has one."""
    return next((name for name in columns if _ID_NAME.fullmatch(name)), None)


def _join(
    columns: Mapping[str, Sequence[str]], table: Table, expected: Expected, problems: Problems
) -> list[int]:
    """Return, for every example of the gold, the row of the submission (−1 where it is missing)."""
    gold = expected.gold
    id_column = _has_id(columns, expected)
    if id_column is None or gold.ids is None:
        if len(table) != gold.n:
            line = table.lines[min(len(table), gold.n) - 1]
            problems.add(
                "difference in the number of rows",
                f"line {line}: {len(table)} rows found, {gold.n} expected",
            )
            problems.raise_if_any("Without ids, rows are matched by position; send one row an example.")
        return list(range(gold.n))
    rows: dict[str, int] = {}
    known = frozenset(gold.ids)
    for row, value in enumerate(columns[id_column]):
        if value in rows:
            problems.add(
                "duplicate ids",
                f"line {table.lines[row]}: id {value!r} was already on line {table.lines[rows[value]]}",
            )
        elif value not in known:
            problems.add("extra ids", f"line {table.lines[row]}: id {value!r} is not in the test set")
            rows[value] = row
        else:
            rows[value] = row
    found = [rows.get(value, -1) for value in gold.ids]
    if expected.missing == "error":
        for value, row in zip(gold.ids, found, strict=True):
            if row < 0:
                problems.add("missing ids", f"id {value!r} has no prediction")
    return found


def _prediction_columns(
    header: Sequence[str],
    target: Target,
    labels: Sequence[Label],
    expected: Expected,
    file: str,
) -> list[str]:
    """Return the submission's column that predicts ``target``, or its columns, one a class."""
    id_column = _has_id(dict.fromkeys(header), expected)
    rest = [name for name in header if name != id_column]
    by_name = {name.casefold(): name for name in reversed(rest)}
    if target.kind in ("scores", "probabilities"):
        if len(labels) > 1 and all(str(label) in rest for label in labels):
            return [str(label) for label in labels]
        wanted = (*SCORE_NAMES, target.column.casefold(), *TARGET_NAMES)
    else:
        wanted = (target.column.casefold(), *TARGET_NAMES)
    several = len({item.column for item in expected.targets}) > 1
    if several:
        wanted = (target.column.casefold(),)
    for name in wanted:
        if name in by_name:
            return [by_name[name]]
    if len(rest) == 1 and not several:
        return rest
    raise SubmissionError(
        f"{file}: line 1: no column {target.column!r} among {', '.join(map(repr, header))}; "
        f"expected the columns 'id' and {target.column!r}"
    )


def _typed(
    cells: Sequence[str],
    lines: Sequence[int],
    rows: Sequence[int],
    column: str,
    target: Target,
    labels: Sequence[Label],
    expected: Expected,
    problems: Problems,
) -> Array:
    """Return one column in the gold's order as labels or numbers, noting every cell that is not one."""
    read: Callable[[str], Label | None]
    if target.kind != "labels":
        values = _numbers([cells[row] if row >= 0 else "0" for row in rows])
        for i in np.flatnonzero(~(np.abs(values) < _LARGEST)):
            cell = cells[rows[i]]
            hint = " (write the decimal point as '.')" if "," in cell else ""
            problems.add(
                "cells that are not numbers" if cell else "empty cells",
                f"line {lines[rows[i]]}, column {column!r}: found {_short(cell)}, "
                f"expected a finite number below {_LARGEST:g}{hint}",
            )
        if -1 in rows:
            raise SettingsError(
                f"settings: missing: 'wrong' applies to predicted labels only, not to {target.kind}"
            )
        return values
    if all(isinstance(label, int) for label in labels):
        known_ints: dict[str, Label] = {str(label): label for label in labels}
        read = lambda cell: known_ints.get(cell, known_ints.get(_integral(cell)))  # noqa: E731
    else:
        known_texts: dict[str, Label] = {str(label): label for label in labels}
        read = known_texts.get
    wrong = _wrong_labels(expected.labels[target.column], labels) if -1 in rows else None
    choices = f"one of {', '.join(map(str, labels))}" if expected.listed_labels else "a known label"
    typed: list[Label] = []
    for i, row in enumerate(rows):
        label = read(cells[row]) if row >= 0 else wrong[i] if wrong is not None else None
        if label is None:
            problems.add(
                "unknown labels" if cells[row] else "empty cells",
                f"line {lines[row]}, column {column!r}: found {_short(cells[row])}, expected {choices}",
            )
            label = labels[0]
        typed.append(label)
    return np.array(typed)


def _wrong_labels(gold_values: Array, labels: Sequence[Label]) -> list[Label]:
    """Return a label that is wrong on every example: the one after the gold's, around the sorted set.

    It is always one of the competition's labels, so that a missing prediction invents no class.
    """
    after = {label: labels[(i + 1) % len(labels)] for i, label in enumerate(labels)}
    return [after[label] for label in gold_values.tolist()]


def _check_probabilities(
    values: Array,
    rows: Sequence[int],
    lines: Sequence[int],
    names: Sequence[str],
    problems: Problems,
) -> None:
    """Note rows that leave [0, 1] or, with a column a class, do not sum to 1 (within 1e-6·classes)."""
    table = values.reshape(len(values), -1)
    outside = ((table < 0) | (table > 1)).any(axis=1)
    for i in np.flatnonzero(outside):
        problems.add(
            "probabilities outside [0, 1]", f"line {lines[rows[i]]}, columns {', '.join(names)}"
        )
    if table.shape[1] > 1:
        total = table.sum(axis=1)
        for i in np.flatnonzero(np.abs(total - 1) > 1e-3):
            problems.add(
                "rows whose probabilities do not sum to 1",
                f"line {lines[rows[i]]}: the sum is {total[i]:.6g}",
            )


def _numbers(cells: Sequence[str]) -> NDArray[np.float64]:
    """Return the cells as float64, nan where a cell is not a number."""
    try:
        return np.array(cells, dtype=np.float64)
    except ValueError:
        return np.array([float(cell) if _is_number(cell) else np.nan for cell in cells])


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell


def _integral(cell: str) -> str:
    """Return "1" for "1.0", so that labels written by a spreadsheet or pandas are understood."""
    if not _is_number(cell):
        return cell
    value = float(cell)
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else cell


def _short(cell: str) -> str:
    """Return a cell quoted, cut to 40 characters."""
    return repr(cell if len(cell) <= 40 else cell[:39] + "…")
