"""Which columns name a row on both sides, and which row of a file is which example.

A key is a tuple of columns. Ids are compared as texts: 0001 is not 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product, repeat

import numpy as np

from ..core.arrays import Ints
from ..core.errors import listed, quoted
from ..core.phrases import Phrase
from .answer_columns import FITS, fit_of_answers
from .facts import ColumnFacts, Sheet, same_values
from .open_questions import Option, Unusable, no_such_column
from .statements import BY_KEY, BY_POSITION, ID, NUMBERS, SCORES, ColumnName, Need, Stated
from .usual_names import (
    COMMON,
    COMMON_OF_SEVERAL,
    ENOUGH,
    KEY_AMONG,
    LONGEST_KEY_OF_COLUMNS,
    SUM_TOLERANCE,
    is_name_of_answers,
    is_name_of_ids,
    is_nameless,
    plain_name,
)

RowKey = tuple[ColumnFacts, ...]


@dataclass(frozen=True, eq=False)
class Join:
    """Columns of the gold and of a file that name the same rows; none if they join by position.

    ``rows`` [n] is the file's row of each example, −1 if it has none. ``repeated`` is an id that
    stands twice in the file.
    """

    gold: RowKey
    file: RowKey
    rows: Ints
    repeated: str | None = None
    how: str = "proven"

    @cached_property
    def matched(self) -> int:
        """How many examples have a row."""
        return int(np.count_nonzero(self.rows >= 0))

    @property
    def counted(self) -> bool:
        """Whether both sides count their rows: that says no more than their order does."""
        return all(column.counts for column in (*self.gold, *self.file))

    @property
    def same_names(self) -> bool:
        """Whether the file calls its key as the gold does."""
        pairs = zip(self.gold, self.file, strict=True)
        return all(plain_name(g.name) == plain_name(f.name) != "" for g, f in pairs)


class UnsureKey(Unusable):
    """Columns that name the rows together may repeat the answers, for all that one file tells."""


def join_of(
    gold: Sheet,
    file: Sheet,
    stated: Stated,
    needs: Sequence[Need],
    proven_key: RowKey | None = None,
) -> Join:
    """Return how a file joins the gold.

    The ``needs`` say which columns may be answers and predictions. Most files join by the
    ``proven_key``, if there is one: its columns are no answers.

    Raises
    ------
    UnsureKey
        The file has the gold's order, and columns of both may be a key or answers.
    Unusable
        No columns name the same rows, or they may in several ways, or an id stands twice.
    """
    if stated.join == BY_POSITION:
        return _by_position(gold, file, stated, needs)
    joins = _stated_joins(gold, file, stated)
    if joins is None:
        joins = _without_row_numbers(_joins(gold, file, needs, proven_key))
    most = max((join.matched for join in joins), default=0)
    joins = [join for join in joins if join.matched == most]
    if _orders(joins) > 1:
        joins = [join for join in joins if join.same_names] or joins
    if _orders(joins) > 1:
        raise _several_keys(file, joins)
    if not joins:
        if stated.join == BY_KEY:
            raise Unusable(Phrase("no column holds the ids of the test set"))
        return _by_position(gold, file, stated, needs)
    best = max(joins, key=_likeness)
    if best.repeated is not None:
        raise Unusable(Phrase("the id {id} stands twice", id=quoted(best.repeated)))
    return best


def _likeness(join: Join) -> tuple[bool, bool]:
    """Return what orders joins that map the rows alike: no answers, then the same names."""
    are_answers = any(is_name_of_answers(column.name) for column in join.gold)
    return (not are_answers, join.same_names)


def key_from_settings(sheet: Sheet, names: Sequence[ColumnName]) -> RowKey | None:
    """Return the columns of a stated key; None if one does not exist."""
    columns = []
    for name in names:
        column = sheet.column(name)
        if column is None:
            return None
        columns.append(column)
    return tuple(columns)


def names_every_row(key: RowKey, rows: int) -> bool:
    """Whether the cells of a key differ in every row."""
    if len(key) == 1:
        return key[0].unique
    seen: set[tuple[str, ...]] = set()
    for cells in zip(*(column.texts for column in key), strict=True):
        if cells in seen:  # most columns that are no key repeat soon
            return False
        seen.add(cells)
    return len(seen) == rows


def keys_of_several(gold: Sheet, able: Sequence[ColumnFacts]) -> list[RowKey]:
    """Return the shortest keys of several columns, one of them called like an id.

    Each names every row. Only the first `KEY_AMONG` columns are tried.
    """
    parts = able[:KEY_AMONG]
    for size in range(2, LONGEST_KEY_OF_COLUMNS + 1):
        keys = [key for key in combinations(parts, size) if _names_rows(key, gold.rows)]
        if keys:
            return keys
    return []


def _names_rows(key: RowKey, rows: int) -> bool:
    """Whether a key names every row, and one of its columns is called like an id."""
    is_called_so = any(is_name_of_ids(column.name) for column in key)
    return is_called_so and names_every_row(key, rows)


# Joins by what both sides hold --------------------------------------------------------------------


def _joins(
    gold: Sheet, file: Sheet, needs: Sequence[Need], proven_key: RowKey | None
) -> list[Join]:
    """Return all joins by the fewest columns that name every row of the gold.

    Raises
    ------
    UnsureKey
        Several columns may name the rows, or be a copy of the answers.
    """
    able = [column for column in gold.columns if not column.numeric or column.integers]
    single = []
    for key in able:
        if key.unique:
            for column in file.columns:
                join = _joined_by_one(key, column)
                if join is not None:
                    single.append(join)
    if any(not join.counted for join in single):
        return single
    parts = [c for c in able if not c.unique and not is_name_of_answers(c.name)]
    for size in range(2, LONGEST_KEY_OF_COLUMNS + 1):
        joins = _joins_of_several(gold, file, parts, size)
        named_alike = [join for join in joins if join.same_names]
        if named_alike:
            return named_alike
        by_proven = [join for join in joins if join.gold == proven_key]
        if by_proven:
            return by_proven
        in_order = [join for join in joins if _is_in_order(join, file)]
        if any(_may_be_answers(column, needs) for join in in_order for column in join.gold):
            raise _unsure_key(file, in_order[0])
        if joins:
            return joins
    return single


def _is_in_order(join: Join, file: Sheet) -> bool:
    """Whether a file has the gold's rows in the gold's order.

    In another order, what it repeats of the gold is no copy of answers that stands beside them.
    """
    return file.rows == len(join.rows) and bool((join.rows == np.arange(file.rows)).all())


def _may_be_answers(column: ColumnFacts, needs: Sequence[Need]) -> bool:
    return any(fit_of_answers(column, need) == FITS for need in needs)


def _unsure_key(file: Sheet, join: Join) -> UnsureKey:
    columns = [file.statement(column) for column in join.file]
    return UnsureKey(
        Phrase(
            "its columns {columns} may name the examples together, or repeat the answers",
            columns=listed(repr(column.called) for column in join.file),
        ),
        (
            Option(
                {
                    "reference": {"columns": {ID: [column.called for column in join.gold]}},
                    "submissions": {"columns": {ID: columns}},
                },
                Phrase("they name the examples"),
            ),
            Option(
                {"submissions": {"join": BY_POSITION}},
                Phrase("the rows are in the order of the reference data"),
            ),
        ),
    )


def _joined_by_one(
    gold: ColumnFacts, file: ColumnFacts, common: float = COMMON, *, key_is_stated: bool = False
) -> Join | None:
    """Return the join by one column on both sides; None if too little is in common."""
    different = file.different_count
    most = max(len(gold), different)
    if min(len(gold), different) < common * most:
        return None
    if different < ENOUGH * len(file) and not key_is_stated:
        return None
    rows = file.rows_of(gold)
    shared = int(np.count_nonzero(rows >= 0))
    if not shared or shared < common * most:
        return None
    if file.row_numbers and shared < len(gold) and not key_is_stated:
        return None  # 0 … n − 1 is never 1 … n
    repeated = _repeated(file.texts) if different < len(file) else None
    how = "stated" if key_is_stated else "proven"
    return Join((gold,), (file,), rows, repeated, how)


def _joins_of_several(
    gold: Sheet, file: Sheet, able: Sequence[ColumnFacts], size: int
) -> list[Join]:
    usable = {column.place: _usable(column, file) for column in able}
    joins = []
    for key in combinations([column for column in able if usable[column.place]], size):
        possible = 1
        for column in key:
            possible *= len(column.different)
        if possible < gold.rows or not names_every_row(key, gold.rows):
            continue
        for columns in product(*(usable[column.place] for column in key)):
            if len({*columns}) == size:
                join = _joined_by_several(key, columns, COMMON_OF_SEVERAL)
                if join is not None:
                    joins.append(join)
    return joins


def _usable(gold: ColumnFacts, file: Sheet) -> list[ColumnFacts]:
    """Return the columns of a file that may be a column of the key."""
    return [
        column
        for column in file.columns
        if column.share_of_texts(gold.different) >= COMMON_OF_SEVERAL
    ]


def _joined_by_several(
    gold: RowKey, file: RowKey, common: float, *, key_is_stated: bool = False
) -> Join | None:
    ids = [*zip(*(column.texts for column in gold), strict=True)]
    keys = [*zip(*(column.texts for column in file), strict=True)]
    row_of = {key: row for row, key in enumerate(keys)}
    rows = np.fromiter(map(row_of.get, ids, repeat(-1)), np.intp, len(ids))
    matched = int(np.count_nonzero(rows >= 0))
    if not matched or matched < common * max(len(ids), len(row_of)):
        return None
    if len(row_of) < ENOUGH * len(keys) and not key_is_stated:
        return None
    repeated = _repeated([" ".join(key) for key in keys]) if len(row_of) < len(keys) else None
    return Join(gold, file, rows, repeated, "stated" if key_is_stated else "proven")


def _repeated(texts: Iterable[str]) -> str | None:
    """Return the first text that occurs once more."""
    shared = set()
    for text in texts:
        if text in shared:
            return text
        shared.add(text)
    return None


def _without_row_numbers(joins: list[Join]) -> list[Join]:
    """Return the joins but those by row numbers, which every rank and every index repeats."""
    by_numbers = [join for join in joins if join.gold[0].row_numbers]
    by_ids = [join for join in joins if join not in by_numbers]
    if by_ids or not by_numbers:
        return by_ids
    named_alike = [join for join in by_numbers if join.same_names]
    if named_alike or all(join.counted for join in by_numbers):
        return named_alike
    columns = [join.file[0] for join in by_numbers]
    likely = next((column for column in columns if not column.index), columns[0])
    raise Unusable(
        Phrase(
            "its column {column} holds row numbers, which may be the ids, a rank or an index",
            column=repr(likely.called),
        ),
        (
            Option(
                {"submissions": {"columns": {ID: _name(likely)}}},
                Phrase("they are the ids of the test set"),
            ),
            Option(
                {"submissions": {"join": BY_POSITION}},
                Phrase("they are not, and the rows are in the order of the reference data"),
            ),
        ),
    )


def _name(column: ColumnFacts) -> ColumnName:
    return column.place + 1 if is_nameless(column.name) else column.name


def _orders(joins: Sequence[Join]) -> int:
    """Return in how many ways joins map the rows, of which the first two count."""
    differ = any(not np.array_equal(joins[0].rows, join.rows) for join in joins[1:])
    return 1 + differ if joins else 0


def _several_keys(file: Sheet, joins: Sequence[Join]) -> Unusable:
    names = dict.fromkeys(repr(column.called) for join in joins for column in join.file)
    options = []
    for join in joins:
        columns = [file.statement(column) for column in join.file]
        options.append(
            Option(
                {"submissions": {"columns": {ID: columns[0] if len(columns) == 1 else columns}}},
                Phrase("it names the examples"),
            )
        )
    return Unusable(
        Phrase(
            "its columns {columns} hold ids of the test set, and put its rows in different orders",
            columns=listed(names),
        ),
        tuple(options),
    )


# Joins that settings state ------------------------------------------------------------------------


def _stated_joins(gold: Sheet, file: Sheet, stated: Stated) -> list[Join] | None:
    """Return the joins by the stated columns; None if the settings state none.

    A key that is stated on one side only has the same names on the other, or is found by contents.

    Raises
    ------
    Unusable
        The file lacks a stated column, or shares no id with the gold.
    """
    if not (stated.gold_id or stated.submissions_id):
        return None
    if stated.submissions_id:
        return [_join_of_stated_file(gold, file, stated)]
    key = key_from_settings(gold, stated.gold_id)
    if key is None:
        return []  # refused before, as the gold's fault
    columns = key_from_settings(file, [column.called for column in key]) if gold.headed else None
    if columns is not None:
        join = _joined(key, columns)
        if join is not None:
            return [join]
    joins = []
    if len(key) == 1:
        of_columns = [_joined_by_one(key[0], column) for column in file.columns]
        joins = [join for join in of_columns if join is not None]
    else:
        for choice in product(*(_usable(column, file) for column in key)):
            if len({*choice}) == len(key):
                join = _joined_by_several(key, choice, COMMON)
                if join is not None:
                    joins.append(join)
    if len(key) == 1 and key[0].row_numbers:
        return _without_row_numbers(joins)
    return joins


def _join_of_stated_file(gold: Sheet, file: Sheet, stated: Stated) -> Join:
    columns = key_from_settings(file, stated.submissions_id)
    if columns is None:
        missing = [name for name in stated.submissions_id if file.column(name) is None]
        raise no_such_column(file, missing)
    key = key_from_settings(gold, stated.gold_id or stated.submissions_id)
    if key is not None and names_every_row(key, gold.rows):
        join = _joined(key, columns)
        if join is not None:
            return join
    joins = [] if stated.gold_id else _joins_by_contents(gold, columns)
    if joins:
        return max(joins, key=lambda join: join.matched)
    raise Unusable(
        Phrase(
            "its column {columns} holds none of the ids of the test set",
            "its columns {columns} hold none of the ids of the test set",
            count=len(columns),
            columns=listed(repr(column.called) for column in columns),
        )
    )


def _joins_by_contents(gold: Sheet, file: RowKey) -> list[Join]:
    """Return the joins of a file's stated key by gold columns of any names that repeat it."""
    if len(file) == 1:
        unique = [column for column in gold.columns if column.unique]
        joins = [_joined_by_one(key, file[0], COMMON, key_is_stated=True) for key in unique]
    else:
        repeated = [_repeated_columns(column, gold) for column in file]
        keys = [key for key in product(*repeated) if len({*key}) == len(file)]
        joins = [
            _joined_by_several(key, file, COMMON, key_is_stated=True)
            for key in keys
            if names_every_row(key, gold.rows)
        ]
    return [join for join in joins if join is not None]


def _repeated_columns(column: ColumnFacts, gold: Sheet) -> list[ColumnFacts]:
    """Return the gold columns of which a column of a file may be a copy, as part of a key."""
    return [
        truth
        for truth in gold.columns
        if column.share_of_texts(truth.different) >= COMMON_OF_SEVERAL
    ]


def _joined(gold: RowKey, file: RowKey, common: float = 0) -> Join | None:
    if len(gold) != len(file):
        return None
    if len(gold) == 1:
        return _joined_by_one(gold[0], file[0], common, key_is_stated=True)
    return _joined_by_several(gold, file, common, key_is_stated=True)


# Joins by position --------------------------------------------------------------------------------


def _by_position(gold: Sheet, file: Sheet, stated: Stated, needs: Sequence[Need]) -> Join:
    if file.rows != gold.rows:
        raise Unusable(
            Phrase(
                "no column holds the ids of the test set, and it has {rows} rows for {examples}",
                rows=file.rows,
                examples=gold.rows,
            )
        )
    if stated.join != BY_POSITION:
        _refuse_unmatched_keys(gold, file, needs)
    _refuse_other_order(gold, file)
    how = "stated" if stated.join == BY_POSITION else "proven"
    return Join((), (), np.arange(gold.rows), None, how)


def _refuse_unmatched_keys(gold: Sheet, file: Sheet, needs: Sequence[Need]) -> None:
    """Raise Unusable if a side has ids that the other lacks.

    A file of nothing but predictions, one column of each target, can be joined in no other way,
    whatever ids the gold has.
    """
    needs_labels = any(need.kind not in (NUMBERS, SCORES) for need in needs)
    sides = [(gold, Phrase("the reference data")), (file, Phrase("the file"))]
    targets = {repr(need.answer) for need in needs if need.answer is not None}
    if len(file.columns) == len(targets):
        return
    if holds_only_predictions(file):
        sides = sides[1:]
    for sheet, side in sides:
        for column in sheet.columns:
            if not column.unique or column.counts or (column.numeric and not column.integers):
                continue
            is_only = not any(
                beside is not column and (beside.numeric or needs_labels)
                for beside in sheet.columns
            )
            if is_only:
                continue
            name = repr(column.called)
            raise Unusable(
                Phrase(
                    "the column {column} of {side} names rows, and no column of the other side "
                    "repeats it",
                    column=name,
                    side=side,
                ),
                (
                    Option(
                        {"submissions": {"join": BY_POSITION}},
                        Phrase("the rows are in the order of the reference data"),
                    ),
                ),
            )


def holds_only_predictions(file: Sheet) -> bool:
    """Whether a file is one column beside an index, or one of each class.

    Without a header, numbers that count may be the first half of others: 0,5 and 1,5.
    """
    columns = [column for column in file.columns if not (file.headed and column.counts)]
    return len(columns) == 1 or sum_to_one(columns)


def sum_to_one(columns: Sequence[ColumnFacts]) -> bool:
    """Whether columns are numbers whose sum is 1 in nearly every row."""
    if len(columns) < 2 or not all(column.numeric and column.full for column in columns):
        return False
    sums = np.sum([np.nan_to_num(column.numbers) for column in columns], axis=0)
    return bool((np.abs(sums - 1) < SUM_TOLERANCE).mean() >= ENOUGH)


def _refuse_other_order(gold: Sheet, file: Sheet) -> None:
    """Raise Unusable if a column of many values that both sides hold is in another order."""
    for truth in gold.columns:
        if truth.counts or (truth.numeric and not truth.integers):
            continue
        if len(truth.different) <= max(3, gold.rows / 5):
            continue
        for column in file.columns:
            if truth.numeric:
                repeats = column.integers and _same_set(column, truth)
            else:
                repeats = column.share_of_texts(truth.different) >= COMMON_OF_SEVERAL
            if repeats and not same_values(truth, column):
                raise Unusable(
                    Phrase(
                        "its column {column} holds what {gold} of the reference data does, in "
                        "another order",
                        column=repr(column.called),
                        gold=repr(truth.called),
                    )
                )


def _same_set(first: ColumnFacts, second: ColumnFacts) -> bool:
    """Whether columns of numbers hold the same different ones."""
    return first.label_count == second.label_count and first.labels == second.labels
