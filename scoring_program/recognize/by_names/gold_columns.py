"""The columns of a gold by their names: ids, answers, and the split into public and private rows.

Where the rule for rows has decided, its decisions have the same form.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...core import cells
from ...core.errors import ReferenceDataError, quoted
from ...reading.formats import KINDS, texts
from ...reading.formats.kind import ROWS
from ...reading.table import NamedColumns, Table
from ..of_kinds.roles_by_name import DataField, is_id
from ..of_kinds.text_columns import has_usual
from ..tables_of_scores.score_names import (
    AN_ID,
    SAMPLE_NAMES,
    SYSTEM_NAMES,
    TASK_NAMES,
    UNIT_NAMES,
    asks,
    looks_like,
    plain_name,
)
from ..usual_names import (
    SCORE_NAMES,
    SPLIT_WORDS,
    TARGET_NAMES,
    USAGE,
    USAGE_NAMES,
    WINNER,
    is_nameless,
)
from .line_beginnings import are_row_numbers
from .usual_columns import PREDICTION_NAMES, differ, names_of_targets, usual_first

_PARTS = frozenset(SPLIT_WORDS.values())


@dataclass(frozen=True)
class GoldStatements:
    """What the settings say about the columns of a gold.

    ``design`` are groups, strata and slices, ``group`` is the only column of groups, and ``beside``
    are strata, slices, weights and events. Metrics name those that are ``scored``, and maybe all
    that they score.
    """

    id_column: str | None = None
    design: tuple[str, ...] = ()
    group: Any = None
    beside: tuple[str, ...] = ()
    scored: frozenset[str] = frozenset()
    names_all_scored: bool = False
    names_systems: bool = False


@dataclass(frozen=True)
class GoldColumns:
    """The columns of a gold by their roles, and what was decided with them.

    ``answers`` may be predicted, and ``unnamed_answers`` are those of metrics that name no column;
    None if it is not clear which. ``called`` maps the columns that the settings name to what the
    file calls them.
    """

    id_column: str | None = None
    answers: tuple[str, ...] = ()
    unnamed_answers: str | None = None
    #: Whether the cells, and no name, say which column holds the ids.
    ids_by_cells: bool = False
    #: Whether the names of columns may be an example, which stays secret.
    names_may_be_example: bool = False
    #: Whether the settings name the columns in their order, and the file names none.
    names_are_stated: bool = False
    called: Mapping[str, str] = field(default_factory=dict)
    #: Column → what the file calls it, by name or by number, and what the reader of a kind says of
    #: its columns and its format; see `Table`.
    in_file: Mapping[str, Any] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)
    form: str = ""


def columns_of_gold(
    table: Table, statements: GoldStatements, kind: str, *, wide: bool = False
) -> GoldColumns:
    """Return the roles of the columns of a gold below its header, whose examples are of a kind.

    In a ``wide`` table, with one column per team, a column of ids that is not called so must be the
    first, and hold texts or whole numbers that can be no predictions.

    Raises ReferenceDataError if that first column may be either.
    """
    id_column, by_cells = _id_column(table, statements, kind, wide=wide)
    answers = _answers(table, statements, kind, id_column)
    return replace(
        facts_of_names(table),
        id_column=id_column,
        answers=answers,
        unnamed_answers=unnamed_answers(answers, table.named, kind),
        ids_by_cells=by_cells,
    )


def facts_of_names(table: Table) -> GoldColumns:
    """Return what is known of the names of a gold's columns, before they have roles.

    Those that may be an example are secret, so that their numbers stand for them.
    """
    in_file = table.in_file
    if not table.names_are_public:
        in_file = {name: number for number, name in enumerate(in_file, 1)}
    return GoldColumns(
        names_may_be_example=not table.names_are_public,
        names_are_stated=table.untitled,
        called=table.stated,
        in_file=in_file,
        fields=table.fields,
        form=table.form,
    )


def with_other_answers(
    columns: GoldColumns, table: Table, statements: GoldStatements, kind: str
) -> GoldColumns:
    """Return the roles of a gold's columns with all that may be predicted behind the answers."""
    able = _answers(table, statements, kind, columns.id_column)
    answers = (*columns.answers, *(name for name in able if name not in columns.answers))
    return replace(
        facts_of_names(table),
        id_column=columns.id_column,
        answers=answers,
        unnamed_answers=columns.unnamed_answers,
    )


def _answers(
    table: Table, statements: GoldStatements, kind: str, id_column: str | None
) -> tuple[str, ...]:
    """Return the columns that may be predicted, first those with the usual names of targets.

    A column of strata, slices, weights or events is a target only if a metric names it or it is
    called like a target.
    """
    columns = table.named
    names = [name for name in columns if name not in {id_column, statements.group, USAGE}]
    fitting = _of_kind({name: columns[name] for name in names}, kind)
    beside = {*statements.beside} - statements.scored
    able = [name for name in fitting if name not in beside or name.casefold() in TARGET_NAMES]
    return tuple(usual_first(able, kind, table.stated))


def _of_kind(columns: NamedColumns, kind: str) -> list[str]:
    """Return the columns that hold what the kind's examples hold: others are beside them.

    A kind whose values are texts says nothing about its columns.
    """
    if kind not in KINDS:
        return list(columns)
    wanted = KINDS[kind].wanted
    fitting = [name for name, values in columns.items() if wanted(values[0], True) is None]
    return fitting or list(columns)


def unnamed_answers(answers: Sequence[str], columns: NamedColumns, kind: str) -> str | None:
    """Return the answers of metrics that name no column: the only ones, or of a usual name.

    None if there are none, if several may be meant, or if the only ones are texts of rows.
    """
    if not answers:
        return None
    first = answers[0]
    name = first.casefold()
    if len(answers) > 1:
        return first if name in (*names_of_targets(kind), *SCORE_NAMES) else None
    return None if hold_texts(answers, columns, kind) else first


def answers_among_teams(columns: Sequence[str]) -> str | None:
    """Return the gold among the columns of all teams, usual names first; None if none is one."""
    first = next(iter(columns), None)
    return first if first is not None and first.casefold() in TARGET_NAMES else None


def hold_texts(answers: Sequence[str], columns: NamedColumns, kind: str) -> bool:
    """Whether the only answers of rows, of no usual name, are another text in nearly every row."""
    if len(answers) != 1 or kind != ROWS or answers[0].casefold() in PREDICTION_NAMES:
        return False
    return cells.are_texts(columns[answers[0]])


# Ids ----------------------------------------------------------------------------------------------


def _id_column(
    table: Table, statements: GoldStatements, kind: str, *, wide: bool
) -> tuple[str | None, bool]:
    """Return the id column, and whether only its cells, not its name, say that it is one.

    Of two columns of texts with names that are not usual, the first one may hold the ids, and so
    may the only one beside columns of ones and zeros.
    """
    context = {*statements.design, *statements.beside, USAGE}
    id_column = id_column_by_name(table.named, statements.id_column, context)
    if id_column is not None:
        return id_column, False
    unnamed = kind == texts.KIND.name and not has_usual(table.named)
    if (unnamed or (kind != ROWS and table.classes)) and len(table.named) == 2:
        name, values = next(iter(table.named.items()))
        words = {cell for cell in values if isinstance(cell, str) and cell and " " not in cell}
        if name not in {*context, *statements.scored} and len(words) == len(values):
            id_column = name
    elif kind == ROWS and not table.one_hot:
        id_column = _implied_id_column(table.named, context, statements.scored)
    if wide and id_column is not None and not _names_rows(id_column, table):
        id_column = None
    return id_column, id_column is not None


def id_column_by_name(
    columns: NamedColumns, stated: str | None, context: Collection[str | None]
) -> str | None:
    """Return the id column: the stated one, one called "id", or else a unique one like "row_id".

    Columns of the ``context`` (groups, strata) are never ids, whatever their names.
    """
    candidates = [name for name in columns if is_id(name) and name not in context]
    usual = DataField("id", ("id",)).among(candidates)
    return stated or usual or next(filter(lambda name: differ(columns[name]), candidates), None)


def _implied_id_column(
    columns: NamedColumns, context: Collection[str | None], scored: Collection[str]
) -> str | None:
    """Return the first column of words, or else of texts, that identify the examples.

    It is neither a column of the ``context`` nor ``scored`` nor called like a target, and has no
    fractions. Another column must be left to predict: one that is scored or called like a target,
    has repeated cells, or holds numbers while the ids are texts.
    """
    names = [name for name in columns if name not in context and not is_nameless(name)]
    targets = {name for name in names if name in scored or name.casefold() in PREDICTION_NAMES}
    candidates = []
    for name in names:
        values = columns[name]
        are_texts = not cells.are_numbers(values)
        are_ids = differ(values) and all(values) and (are_texts or cells.are_integers(values))
        if not are_ids or name in targets:
            continue
        beside = [column for column in names if column != name]
        may_be_predicted = any(
            column in targets or not differ(columns[column]) for column in beside
        )
        numbers_beside = are_texts and any(cells.are_numbers(columns[column]) for column in beside)
        if may_be_predicted or numbers_beside:
            candidates.append(name)
    for name in candidates:
        if not any(" " in cell for cell in columns[name]):
            return name
    return candidates[0] if candidates else None


def _names_rows(column: str, table: Table) -> bool:
    """Whether a column of a wide table names the rows: it is the first, with texts of its own.

    A first column of whole numbers that are all different names them, too. Raises
    ReferenceDataError if neither its name nor its cells tell it from predictions.
    """
    (first, values), *beside = table.named.items()
    if column != first:
        return False
    predictions = [cells_of for _, cells_of in beside]
    whole = cells.are_integers(values)  # `_implied_id_column` has seen that they differ
    if not whole:
        words = {*values}
        numbers = any(cells.is_number(word.replace(",", ".")) for word in words)
        if numbers or not all(words.isdisjoint(cells_of) for cells_of in predictions):
            return False
    named = plain_name(column) in UNIT_NAMES or looks_like(column, values) == AN_ID
    counts = are_row_numbers(values) and not any(map(are_row_numbers, predictions))
    # Classes are repeated, and no text predicts numbers.
    repeat = all(2 * len({*cells_of}) <= len(cells_of) for cells_of in predictions)
    if named or counts or repeat:
        return True
    if not whole and all(map(cells.are_numbers, predictions)):
        return True
    raise ReferenceDataError(
        f"{table.file}: the first column, {column!r}, may hold ids, or predictions. If it holds "
        f"ids, say so {asks({'id_column': column})}\n"
        "If it holds predictions, put a column 'id' in front that numbers the rows."
    )


# The form of columns ------------------------------------------------------------------------------


def one_hot(columns: Sequence[Sequence[str]]) -> list[list[float]]:
    """Return the rows of columns if each holds one 1 among zeros, which names a class."""
    rows = [cells.numbers(row) for row in zip(*columns, strict=True)]
    return rows if all(sorted(row) == [0] * (len(row) - 1) + [1] for row in rows) else []


def are_flags(values: Sequence[str]) -> bool:
    """Whether a column holds zeros and ones."""
    return {*cells.numbers([*cells.different(values)])} <= {0, 1}


def columns_of_single_values(
    table: Table, statements: GoldStatements, wanted: Sequence[str], kind: str, *, wide: bool
) -> Iterable[str]:
    """Return the columns that must be no lists: all if any of them may be what is predicted.

    All columns of a ``wide`` table may be systems, unless one names the systems, or who won.
    """
    if not wide:
        names = {*map(str.casefold, table.header or ())}
        usual = names & {*SCORE_NAMES, *names_of_targets(kind)}
        return wanted if usual or statements.names_all_scored else table.nested
    called = {*map(plain_name, table.header or ())}
    long = statements.names_systems or not called.isdisjoint({*SYSTEM_NAMES, WINNER})
    roles = {*SYSTEM_NAMES, *UNIT_NAMES, *SAMPLE_NAMES, *TASK_NAMES}
    nested = [name for name in table.nested if not long or plain_name(name) in roles]
    return [*wanted, *nested]


def usage_column(table: Table, stated: Collection[str]) -> str | None:
    """Return the column that is Kaggle's Usage, in any letters, or Hugging Face's split.

    Under another name than "Usage", all its cells must be usages, and no setting may have
    ``stated`` it. Raises ReferenceDataError if some are "public" and "private", and some are not.
    """
    if USAGE in table.named:
        return USAGE
    usages = {}
    for name, values in table.named.items():
        if name in stated or name.casefold() not in USAGE_NAMES:
            continue
        words = [str(value).casefold() for value in values]
        strange = next((row for row, word in enumerate(words) if word not in _PARTS), None)
        if strange is None:
            usages[name.casefold()] = name
        elif {"public", "private"} <= {*words}:
            raise ReferenceDataError(
                f"{table.file}: {table.place(strange)}: the column {name!r} says which rows are "
                f"public and which are private, but found {quoted(str(values[strange]))}; write "
                "public, private or ignored on every row, or give the column another name"
            )
    return next((usages[wanted] for wanted in USAGE_NAMES if wanted in usages), None)
