"""Column roles: which row is a header, which column identifies, which is predicted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from scoring_program.align.cells import is_number
from scoring_program.errors import ReferenceDataError, SubmissionError
from scoring_program.read.table import Table

#: Column names that hold the gold or a prediction, best first.
TARGET_NAMES = (
    "label", "labels", "y", "y_true", "gold", "target", "class", "truth",
    "prediction", "predictions", "predicted", "pred", "y_pred", "value", "answer", "category",
)  # fmt: skip
#: Column names that hold a score or the probability of the positive class, best first.
SCORE_NAMES = ("score", "scores", "probability", "proba", "prob", "confidence", "decision")
#: Column of a Kaggle solution that says which part of the leaderboard a row belongs to.
USAGE = "Usage"

_DIGITS = re.compile(r"\d")
_ID_NAME = re.compile(r"ids?|idx|index|test_case|.*[_ -]ids?", re.IGNORECASE)


def is_id_name(name: str) -> bool:
    """Whether a column of this name may identify examples ("id", "row_id", "index")."""
    return _ID_NAME.fullmatch(name) is not None


def gold_header(table: Table, named: Collection[str]) -> tuple[list[str], Table]:
    """Split the header off the gold, or name the columns of a gold that has none.

    A first row is a header if it holds a known name or one of ``named``, or if all its cells are
    texts, its last cell does not occur again below and its first is no id like those below. Some
    formats tell the names themselves.

    Raises
    ------
    ReferenceDataError
        Repeated or empty names, no rows below the header, or three and more columns without names.
    """
    if table.header is not None:
        return list(table.header), table
    first = list(table.rows[0])
    below = table.below_first()
    recognised = {*TARGET_NAMES, USAGE.casefold(), "id"}
    if any(cell in named or cell.casefold() in recognised for cell in first):
        is_header = True
    else:
        texts = all(cell and not is_number(cell) for cell in first)
        again = any(row and row[-1] == first[-1] for row in below.rows)
        is_header = texts and not again and not _is_next(first[0], below.rows)
    if is_header:
        where = f"{table.file}: {table.place(0)}"
        if "" in first:
            raise ReferenceDataError(f"{where}: a column without a name; name every column")
        if repeated := _repeated(first):
            raise ReferenceDataError(f"{where}: two columns are called {repeated!r}; rename one")
        if not below.rows:
            raise ReferenceDataError(f"{where}: a header but no examples; add one row an example")
        return first, below
    if len(first) > 2:
        raise ReferenceDataError(
            f"{table.file}: {table.place(0)}: {len(first)} columns without names; "
            "add a header such as 'id,label'"
        )
    return (["id", "label"] if len(first) == 2 else ["label"]), table


def _is_next(cell: str, rows: Sequence[Sequence[str]]) -> bool:
    """Whether a cell is written like the first cell below it but for its digits (x007, x008)."""
    if not rows or not _DIGITS.search(cell):
        return False
    return _DIGITS.sub("0", cell) == _DIGITS.sub("0", rows[0][0])


def gold_id_column(
    columns: Mapping[str, Sequence[str]], named: str | None, design: Collection[str | None]
) -> str | None:
    """Return the id column: the named one, one called "id", or else a unique one like "row_id".

    ``design`` columns (groups, strata) are never ids, whatever their name.
    """
    candidates = [name for name in columns if is_id_name(name) and name not in design]
    for name in (named, *candidates):
        if name is not None and (name == named or name.casefold() == "id"):
            return name
    unique = (name for name in candidates if len(set(columns[name])) == len(columns[name]))
    return next(unique, None)


def submission_header(
    table: Table, targets: Sequence[str], known: Collection[str], ids: Collection[str]
) -> tuple[list[str], Table]:
    """Split the header off a submission, or name the columns of one that has none.

    ``targets`` are the columns to be predicted, ``known`` further names of the gold's columns. A
    first row whose first cell is an id of the test set is never a header.

    Some formats tell the names themselves.

    Raises
    ------
    SubmissionError
        Repeated names, no rows below the header, or unnamed columns whose roles cannot be told.
    """
    if table.header is not None:
        return list(table.header), table
    first = list(table.rows[0])
    below = table.below_first()
    where = f"{table.file}: {table.place(0)}"
    recognised = {*TARGET_NAMES, *SCORE_NAMES, "id", *(name.casefold() for name in known)}
    names_something = any(cell.casefold() in recognised for cell in first)
    ids_start_below = bool(below.rows) and below.rows[0][0] in ids
    if first[0] not in ids and (names_something or ids_start_below):
        if repeated := _repeated(first):
            raise SubmissionError(f"{where}: two columns are called {repeated!r}; rename one")
        if not below.rows:
            raise SubmissionError(f"{where}: a header but no rows; add one row an example")
        return first, below
    if len(first) == 1 + len(targets):
        return ["id", *targets], table
    if len(first) == len(targets):
        return list(targets), table
    raise SubmissionError(
        f"{where}: {len(first)} columns without names; "
        f"add a header such as '{','.join(['id', *targets])}'"
    )


def submission_id_column(header: Sequence[str], gold: str) -> str | None:
    """Return a submission's id column: called as in the gold, or "id", or else like an id."""
    candidates = [name for name in header if is_id_name(name) or name == gold]
    for wanted in (gold.casefold(), "id"):
        for name in candidates:
            if name.casefold() == wanted:
                return name
    return candidates[0] if candidates else None


def column_of_ids(
    columns: Mapping[str, Sequence[str]], ids: Collection[str], targets: Collection[str]
) -> str | None:
    """Return the column that holds ids of the test set under a name that does not say so.

    More than half of its cells are different known ids. Columns named as predictions are none,
    because labels may be written like ids; without one the first row may be no header at all.
    """
    taken = {*TARGET_NAMES, *SCORE_NAMES, *(name.casefold() for name in targets)}
    if not any(name.casefold() in taken for name in columns):
        return None
    for name, values in columns.items():
        if name.casefold() not in taken and 2 * len(set(values) & set(ids)) > len(values):
            return name
    return None


def prediction_columns(
    header: Sequence[str], column: str, kind: str, classes: Sequence[str], *, only: bool
) -> list[str]:
    """Return the submission's column for a target, or its columns, one a class; empty if none fits.

    ``only`` says that no other target is predicted, so that a column under any usual name will do.
    """
    rest = [name for name in header if not is_id_name(name)]
    by_name = {name.casefold(): name for name in reversed(rest)}
    by_class = list(classes) if len(classes) > 1 and set(classes) <= set(rest) else []
    wanted: tuple[str, ...] = (column.casefold(), *(TARGET_NAMES if only else ()))
    if kind in ("scores", "probabilities"):
        if by_class:
            return by_class
        wanted = (*(SCORE_NAMES if only else ()), *wanted)
    for name in wanted:
        if name in by_name:
            return [by_name[name]]
    return rest if only and len(rest) == 1 else by_class


def _repeated(names: Sequence[str]) -> str | None:
    return next((name for name, count in Counter(names).items() if count > 1), None)
