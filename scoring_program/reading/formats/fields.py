"""The columns of a table by their names, as they are stated or as a kind of data decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...core.errors import SubmissionError, listed, quoted
from ...core.phrases import Phrase, counted
from ...recognize.of_kinds.roles_by_name import (
    DataField,
    is_above_numbers,
    may_hold_names,
    names_columns,
    predicted_elsewhere,
)
from ..table import Table, empty_file_error, place_of
from .kind import FileDescription


def cells_of(
    table: Table, names: Mapping[str, str], fields: Iterable[DataField], lacking: Any
) -> Iterator[tuple[Any, ...]]:
    """Yield the cells of each row in the order of the fields, by the `roles` of their names.

    A field that no column has is ``lacking`` in every row.
    """
    nothing = [lacking] * len(table.numbers)
    of_fields = (table.named[names[f.role]] if f.role in names else nothing for f in fields)
    return zip(*of_fields, strict=True)


def headed(
    table: Table,
    is_header: Callable[[Sequence[str]], object],
    example: str = "",
    usual: Mapping[int, Sequence[str]] | None = None,
    *,
    may_be_empty: bool = False,
) -> Table:
    """Return a table whose header is known: by the format, in the first row, or by the width.

    ``usual`` maps a number of columns to what they are called where nothing names them. The table
    ``may_be_empty`` if a file may list nothing.

    Raises
    ------
    SubmissionError
        There are no rows below the header, two columns share a name, or there is no header; then
        ``example`` is one.
    """
    if table.header is not None:
        return table
    first = table.first_row
    if is_header(first):
        refuse_repeated(table, filter(None, first))
        if not (table.numbers[1:] or table.ragged or may_be_empty):
            raise empty_file_error(table.file)
        return table.titled()
    if usual and len(first) in usual:
        return replace(table, header=tuple(usual[len(first)]), nameless=True)
    raise table.refusal(
        "{file}: {place}: expected a header such as {header}; found {names}",
        place=table.place(0),
        header=example,
        names=listed(map(quoted, first)),
    )


def repeated_name(names: Iterable[str]) -> str | None:
    """Return the first of the names that is there twice."""
    return next((name for name, count in Counter(names).items() if count > 1), None)


def refuse_repeated(table: Table, names: Iterable[str]) -> None:
    """Raise SubmissionError if one of the names in the first row is there twice."""
    if repeated := repeated_name(names):
        defect = Phrase("two columns are called {name}; rename one", name=quoted(repeated))
        raise table.refusal("{file}: {place}: {defect}", place=table.place(0), defect=defect)


def refuse_ragged(table: Table) -> None:
    """Raise SubmissionError for the first row of another width."""
    for number, width in table.ragged.items():
        raise table.refusal(
            "{file}: {place}: {width} cells found, {expected} expected; quote texts that hold "
            "the delimiter",
            place=place_of(table.row_noun, number),
            width=width,
            expected=len(table.columns),
        )


def as_described(table: Table, described: FileDescription, *, gold: bool = False) -> Table:
    """Return a table whose columns are called as its description says.

    The first row is a header if the description says so, or if it holds a stated name. Columns that
    only numbers state have a header of usual names, or of texts above numbers. Names that are
    numbers, which a row may hold, too, must all be there.

    Raises
    ------
    SubmissionError
        A stated column is absent, two columns share a name, or the first row has another width; or
        that of the ``gold`` may hold names or an example.
    """
    first = table.first_row
    if table.header is not None or not (described.named or described.header):
        return table
    is_header = _first_row_is_header(table, described, gold=gold)
    if is_header is False and not isinstance(described.columns, Mapping):
        return _headed_in_order(table, described)
    if is_header is not False:
        refuse_repeated(table, filter(None, first))
    roles = roles_of(first, described, table.file, table.place(0))
    header = {place: roles.get(place, name) for place, name in enumerate(first)}
    unnamed: dict[str, Sequence[str]] = {}
    if is_header is False:
        without_role = [place for place in header if place not in roles]
        unnamed = {f"{place + 1}": table.columns[place] for place in without_role}
        header = {place: role for place, role in header.items() if place in roles}
    else:
        names_of_roles = {role: first[place] for place, role in roles.items()}
        if not (gold or described.names_all):
            _refuse_other_places(table, described, names_of_roles)
        table = replace(table.below_first(), stated=names_of_roles)
    taken = {*map(str.casefold, roles.values())}
    header = {i: name for i, name in header.items() if i in roles or name.casefold() not in taken}
    if described.names_all:
        return _with_roles_alone(table, roles, first, is_header)
    columns = [table.columns[place] for place in header]
    return replace(table, header=tuple(header.values()), columns=columns, unnamed=unnamed)


def _first_row_is_header(table: Table, described: FileDescription, *, gold: bool) -> bool | None:
    """Whether the first row is a header; None if the stated names decide, which it has to hold.

    Raises SubmissionError if that of the ``gold`` may hold names or an example.
    """
    stated = described.named
    in_order = not isinstance(described.columns, Mapping)
    by_number = in_order or all(isinstance(place, int) for place in stated.values())
    if described.header is not None or not by_number:
        return described.header
    places = {name: place for place, name in enumerate(stated, 1)} if in_order else stated
    above_numbers = not in_order and any(map(is_above_numbers, table.columns))
    is_header = above_numbers or names_columns(table.columns, places)
    if gold and not is_header and may_hold_names(table.columns, places):
        raise table.refusal(
            "{file}: {place}: the line may hold column names or an example. If it holds names, "
            "leave it out by 'skip_lines: 1' in 'reference' and in 'submissions'. If it holds "
            "an example, write 'header: false' in 'reference'",
            place=table.place(0),
        )
    return is_header


def _headed_in_order(table: Table, described: FileDescription) -> Table:
    """Return a table without a header, whose columns have the stated names in their order.

    Raises SubmissionError if there are more or fewer of them.
    """
    stated = described.named
    first = table.first_row
    if len(first) == len(stated):
        return replace(table, header=tuple(stated), untitled=True)
    raise table.refusal(
        "{file}: {place}: {columns} found, {width} expected; quote texts that hold the "
        "delimiter, and write a header such as {header} as the first line",
        place=table.place(0),
        columns=counted(len(first), Phrase("column", "columns")),
        width=len(stated),
        header=f"'{','.join(stated)}'",
    )


def _with_roles_alone(
    table: Table, roles: Mapping[int, str], first: Sequence[str], is_header: bool | None
) -> Table:
    """Return a table of the columns that have roles, with what the ``first`` row calls others."""
    left_out = []
    columns = {}
    for place, cells in enumerate(table.columns):
        if place in roles:
            columns[roles[place]] = cells
        else:
            left_out.append(_called(first[place], place, is_header))
    return replace(table.with_columns(columns), left_out=tuple(left_out))


def _called(name: str, place: int, is_header: bool | None) -> str:
    """Return what messages call a column: its name or, without one, its number from 1."""
    if is_header is not False and name.strip():
        return quoted(name)
    return Phrase("column {number}", number=place + 1)


def _refuse_other_places(
    table: Table, described: FileDescription, names_of_roles: Mapping[str, str]
) -> None:
    """Refuse a header whose column of a stated number is called unlike predictions beside it."""
    stated = described.named
    numbered = [role for role, column in stated.items() if isinstance(column, int)]
    moved = predicted_elsewhere(table.first_row, names_of_roles, numbered)
    if moved is not None:
        role, predicted = moved
        raise table.refusal(
            "{file}: the predictions should be in column {number}, which is called {name}, but "
            "another one is called {other}; leave it out, or put it there. Organizers: if "
            "{name} counts in all files, state this name in the place of the number",
            number=stated[role],
            name=quoted(names_of_roles[role]),
            other=quoted(predicted),
        )


def roles_of(
    names: Sequence[str], described: FileDescription, file: str, place: Phrase
) -> dict[int, str]:
    """Return where the stated columns are, from 0 → what they are called.

    Raises SubmissionError, which says the ``place`` of the names, where one is absent, or one is
    stated twice.
    """
    of_columns: dict[int, str] = {}
    folded = [name.casefold() for name in names]
    for role, column in described.named.items():
        where: int | None = None
        if isinstance(column, int):
            where = column - 1 if column <= len(names) else None
        elif column in names:
            where = names.index(column)
        elif column.casefold() in folded:
            where = folded.index(column.casefold())
        if where is None:
            every = listed(map(repr, described.named.values()))
            remedy = Phrase("every file needs the columns {columns}", columns=every)
            lacking = Phrase("column {column}", column=repr(column))
            raise no_column_error(file, place, lacking, names, remedy)
        if where in of_columns:
            raise SubmissionError(
                "{file}: the column {column} is stated both as {role} and as {other} (organizers: "
                "state a column of its own for each under 'columns' in scoring.yaml)",
                file=file,
                column=quoted(names[where]),
                role=repr(of_columns[where]),
                other=repr(role),
            )
        of_columns[where] = role
    return of_columns


def no_column_error(
    file: str, place: Phrase, lacking: Phrase, names: Iterable[str], remedy: Phrase
) -> SubmissionError:
    """Return the error for a column that is not among the names of a file."""
    return SubmissionError(
        "{file}: {place}: there is no {lacking} among {names}; {remedy}",
        file=file,
        place=place,
        lacking=lacking,
        names=listed(map(quoted, names)),
        remedy=remedy,
    )
