"""Is the first row of a table its header? Proven by what stands below it, else asked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..reading.table import Table
from .facts import ColumnFacts, Sheet, label_of, number_of
from .usual_names import ENOUGH, MISSING_TEXTS, is_name_of_answers, plain_name


def sheet_of(table: Table, *, headed: bool) -> Sheet:
    """Return the columns of a table whose first row is, or is not, its header."""
    below = headed and table.header is None
    names: Sequence[str] = [""] * len(table.columns)
    if headed:
        names = table.first_row if table.header is None else table.header
    columns = []
    for place, cells in enumerate(table.columns):
        column = ColumnFacts(place, str(names[place]), cells[1:] if below else cells)
        if not column.empty:
            columns.append(column)
    rows = len(table.columns[0]) - below if table.columns else 0
    header = tuple(str(name).strip().casefold() for name in names)
    return Sheet(table.file, tuple(columns), header, headed, rows, tuple(table.nested))


def first_row_is_header(
    first: Sequence[str], below: Sheet, gold: Sheet | None = None
) -> bool | None:
    """Return whether a table's first row is its header; None if it may be either.

    ``below`` are the columns without it. Of a submission, the ``gold`` tells most.
    """
    if gold is not None:
        by_ids = _above_ids(first, below, gold)
        if by_ids is not None:
            return by_ids
    votes = [_vote(str(first[column.place]), column, gold) for column in below.columns]
    is_header = True in votes
    is_row = False in votes
    if is_header != is_row:
        return is_header
    if is_header:
        return None
    shapes = [_by_shape(str(first[column.place]), column) for column in below.columns]
    balance = shapes.count(True) - shapes.count(False)
    return balance > 0 if balance else None


def _above_ids(first: Sequence[str], below: Sheet, gold: Sheet) -> bool | None:
    """Return whether the gold's ids begin below the first row and not with it."""
    keys = [key for key in gold.columns if key.unique and not key.row_numbers]
    for column in below.columns:
        if column.words is None and 2 * column.different_count < below.rows:
            continue  # ids hardly repeat
        for key in keys:
            if _repeats_ids(column, key):
                return not key.has_text(first[column.place])
    return None


def _repeats_ids(column: ColumnFacts, key: ColumnFacts) -> bool:
    """Whether nearly all cells of a column are ids of the gold."""
    shared = np.count_nonzero(column.rows_of(key) >= 0)
    return bool(shared >= ENOUGH * column.different_count)


def _vote(cell: str, column: ColumnFacts, gold: Sheet | None) -> bool | None:
    """Return what a first cell says: it is a name, or a value of its column; or None."""
    if cell == "":
        return True if column.counts else None
    number = number_of(cell)
    if column.numeric:
        if number is None and cell not in MISSING_TEXTS:
            return True
        if number is not None and bool((column.numbers == number).any()):
            return False
        if number is not None and "." in cell:
            return False
    elif column.has_label(label_of(cell)):
        return False
    of_gold = _labels_of_gold(column, gold)
    if of_gold:
        return not any(label_of(cell) in labels for labels in of_gold)
    is_usual = is_name_of_answers(cell) or plain_name(cell) == "id"
    return True if is_usual and not column.numeric and column.shape is None else None


def _labels_of_gold(column: ColumnFacts, gold: Sheet | None) -> list[frozenset[str]]:
    """Return the labels of each gold column that has all values of a column."""
    if gold is None or not column.repeats_labels:
        return []
    return [
        truth.labels
        for truth in gold.columns
        if truth.repeats_labels and column.labels <= truth.labels
    ]


def _by_shape(cell: str, column: ColumnFacts) -> bool | None:
    """Return whether a first cell has another shape than those below; None if these have many."""
    if not cell or column.shape is None:
        return None
    return column.shape.fullmatch(cell) is None
