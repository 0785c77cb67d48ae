"""Is the first row of a gold its header? Its names and the cells below say it, or it is asked."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from ...core.cells import AS_TEXTS, are_integers, are_numbers, are_texts, is_number
from ...core.errors import ReferenceDataError
from ...reading.formats import fields
from ...reading.table import Table
from ..of_kinds.roles_by_name import is_id
from ..usual_names import TARGET_NAMES, USAGE, WINNER, WORDS_OF_A_NAME, is_nameless
from .line_beginnings import UNDIVIDED
from .usual_columns import differ

_DIGITS = re.compile(r"\d")


def without_index(table: Table, named: Collection[str]) -> Table:
    """Return the table without the index of a data frame, if that is its first column.

    The columns in ``named`` stay.
    """
    if table.header is not None or len(table.columns) < 2 or table.first_row[0] in named:
        return table
    numbers = table.columns[0][1:]
    without_first = replace(table, columns=table.columns[1:])
    is_index = is_nameless(table.first_row[0]) and are_integers(numbers) and differ(numbers)
    return (
        without_first
        if is_index and _is_header(without_first.first_row, without_first.below_first(), named)
        else table
    )


def headed_gold(table: Table, named: Collection[str], *, is_doubtful: bool = False) -> Table:
    """Return the gold with a header: its first row or, without one, the usual names.

    A first row is a header if it holds a known name or one of ``named``. Of several columns, it is
    also a header if all its cells are texts, the first no sentence, its last cell does not occur
    below, and its first cell is not an id like those below. Some formats state the names. Where it
    ``is_doubtful`` whether they are an example, they are asked for. Names that may be an example
    are not public, so that no message shows them.

    Raises
    ------
    ReferenceDataError
        Names are repeated or empty, there are no rows below the header, three or more columns have
        no names, or the first row may be a header or an example.
    """
    if table.header is not None:
        if is_doubtful and not {*table.header} & {*named}:
            if len(table.header) < 3:
                columns = "id, text" if len(table.header) > 1 else "text"
                raise ReferenceDataError(
                    f"{table.file}: the first line may hold column names or an example. If it "
                    "holds names, say so: 'reference: {header: true}'. If it holds an example: "
                    f"'reference: {{columns: [{columns}], header: false}}'"
                )
            raise ReferenceDataError(
                f"{table.file}: the first line may hold column names or an example. If it holds "
                "names, name the column to score with 'column:'. If it holds an example, say which "
                "column it is, such as 'reference: {columns: {label: 2}, header: false}', and the "
                "same for 'submissions'"
            )
        return table
    first = table.first_row
    below = table.below_first()
    where = f"{table.file}: {table.place(0)}"
    sure = _is_header(first, below, named)
    if sure or _may_be_header(first, below):
        if "" in first:
            raise ReferenceDataError(f"{where}: a column has no name; name every column")
        if repeated := fields.repeated_name(first):
            called = f"are called {repeated!r}" if sure else "have one name"
            raise ReferenceDataError(f"{where}: two columns {called}; rename one")
        if not below.numbers:
            raise ReferenceDataError(
                f"{where}: there is a header but no example; add one row per example"
            )
        if not sure:
            _refuse_doubt(table, below.columns[-1])
        return replace(below, header=tuple(first), names_are_public=sure)
    if len(first) > 2:
        raise ReferenceDataError(
            f"{where}: {len(first)} columns have no names; {_name_all(len(first))}"
        )
    names = ("id", "label") if len(first) == 2 else ("label",)
    return replace(table, header=names, nameless=True)


#: What to do about a gold with one cell per line that may hold more.
OF_SEVERAL_CELLS = (
    "If spaces separate cells, or some lines are no rows, describe the file in the settings, such "
    "as 'reference: {columns: [id, label], separator: whitespace, comment: \"#\"}', or with "
    "'skip_lines: 1'"
)


def _refuse_doubt(table: Table, cells: Sequence[str]) -> None:
    """Refuse a gold whose first row, of unknown texts, may be a header or an example.

    Of several columns, it is a header if the last one's ``cells`` below come again, and the first
    cell is no sentence.
    """
    first = table.first_row
    where = f"{table.file}: {table.place(0)}"
    narrow = len(first) == 1
    all_differ = differ(cells)
    if not (narrow or all_differ or len(first[0].split()) > WORDS_OF_A_NAME):
        return
    if are_texts(cells) and not (narrow and is_id(first[0].partition(" ")[0])):
        raise ReferenceDataError(
            f"{table.file}: nearly every row holds another text; {AS_TEXTS}; if these are labels, "
            "add a header such as 'id,label'"
        )
    if narrow and not (all_differ and " " in first[0]):
        raise ReferenceDataError(
            f"{where}: the line may hold the name of the column or an example. If it holds a name, "
            "call the column 'label'. If it holds an example, put a line 'label' in front, or say "
            f"so: 'reference: {{columns: [label]}}'. {OF_SEVERAL_CELLS}"
        )
    if narrow:
        raise ReferenceDataError(
            f"{where}: {UNDIVIDED}; the line may hold column names or an example. "
            f"{OF_SEVERAL_CELLS}"
        )
    raise ReferenceDataError(
        f"{where}: the line may hold column names or an example. If it holds names, call the ids "
        "'id' and the target 'label', or name both in the settings. If not, "
        f"{_name_all(len(first))}"
    )


def _name_all(number: int) -> str:
    """Return how to name columns, for messages to organizers."""
    names = ["id", *(f"c{place}" for place in range(2, number)), "label"]
    return (
        f"add a header such as '{','.join(names)}', with the delimiter of the rows, or name the "
        f"columns in their order in the settings: 'reference: {{columns: [{', '.join(names)}]}}'"
    )


def _is_header(first: Sequence[str], below: Table, named: Collection[str]) -> bool:
    """Whether a first row is certainly a header: it holds a known name or a text above numbers."""
    usual = {
        *TARGET_NAMES,
        USAGE.casefold(),
        *((WINNER,) if len(first) > 2 else ()),
    }
    for cell, cells in zip(first, below.columns, strict=True):
        # A sentence may end like the name of an id column.
        is_called_so = is_id(cell) and " " not in cell
        is_name = is_called_so or cell in named or cell.casefold() in usual
        if is_name and cell not in cells:
            return True
        if cells and not is_number(cell) and are_numbers(cells):
            return True
    return False


def _may_be_header(first: Sequence[str], below: Table) -> bool:
    """Whether a first row of unknown texts differs from the rows below it."""
    texts = all(cell and not is_number(cell) for cell in first)
    again = first[-1] in below.columns[-1]
    # An id differs from the first one below it only in its digits (x007, x008).
    ids = [_DIGITS.sub("0", cell) for cell in (first[0], *below.columns[0][:1])]
    is_next = len(ids) > 1 and ids[0] == ids[1] and _DIGITS.search(first[0])
    return texts and not again and not is_next
