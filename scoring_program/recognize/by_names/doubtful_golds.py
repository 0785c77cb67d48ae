"""Golds of texts and of repeated samples that may mean two things: the organizer is asked."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from ...core import cells
from ...core.errors import ReferenceDataError
from ...reading.formats import FORMATS, samples
from ...reading.formats.kind import FileDescription
from ...reading.table import LINE, Table
from ..of_kinds.roles_by_name import is_id
from ..of_kinds.sample_columns import outcome
from ..of_kinds.text_columns import has_usual
from ..open_questions import OpenReading
from ..texts_rule import SOURCE_AND_REFERENCE, ask_about_references
from .line_beginnings import unknown_beginnings

_DIGITS = re.compile(r"\d+")


def names_are_doubtful(table: Table, described: FileDescription) -> bool:
    """Whether the names that a gold of texts has from its first line may be an example.

    They are not usual, nothing is ``described``, and the line stands neither above numbers nor
    above ids and few texts. Two columns that no line names are doubtful, too, if the first cannot
    be ids: they may be sources and their references.
    """
    if described.columns or described.header is not None or described.references:
        return False
    # Numbered columns of references have become one column of tuples.
    single = {name: values for name, values in table.named.items() if not _are_joined(values)}
    is_csv = table.label == FORMATS["csv"].label
    if table.header is None or not is_csv:
        return False
    if _is_nameless(table):
        return len(table.columns) == SOURCE_AND_REFERENCE and _are_texts_that_recur(table)
    if has_usual(single):
        return False
    above_numbers = any(
        not cells.is_number(name) and cells.are_numbers(values) for name, values in single.items()
    )
    first = table.header[0]
    above_ids = not _DIGITS.search(first) and all(map(_DIGITS.search, map(str, table.columns[0])))
    last = table.columns[-1]
    repeat = len(table.columns) == 2 and len({*last}) < len(last)
    return not above_numbers and not (above_ids and repeat)


def _is_nameless(table: Table) -> bool:
    """Whether no line names the columns: the first one is an example, and the reader named them."""
    return len(table.numbers) > 0 and table.numbers[0] == 1


def _are_texts_that_recur(table: Table) -> bool:
    """Whether the first column holds no ids: most cells have several words, and one comes again."""
    values = table.columns[0]
    of_words = sum(" " in cell.strip() for cell in values)
    return len({*values}) < len(values) and 2 * of_words > len(values)


def _are_joined(values: Sequence[Any]) -> bool:
    """Whether cells hold several references each."""
    return any(isinstance(cell, tuple) for cell in values)


def refuse_beginnings(table: Table) -> None:
    """Refuse plain lines of texts that begin with what may be ids: they would count as words.

    Raises ReferenceDataError.
    """
    plain = table.row_noun == LINE or table.file.casefold().endswith(".txt")
    if len(table.columns) > 1 or table.numbers[0] > 1 or not plain:
        return
    # Of several references, the first.
    lines = [cell if isinstance(cell, str) else cell[0] for cell in table.columns[0]]
    if unknown_beginnings(lines) and not cells.are_numbers(" ".join(lines).split()):
        raise ReferenceDataError(
            f"{table.file}: every line begins with what may be an id, which would be scored as a "
            "word. If it is one: 'reference: {columns: [id, text], separator: whitespace, header: "
            "false}' or, of several references, write CSV below a header such as "
            "'id,reference_1,reference_2'. If it belongs to the text: 'reference: {format: lines}'"
        )


def ask_about_columns(table: Table) -> None:
    """Raise OpenReading where nothing names the columns of texts, of which several are there."""
    is_nameless = _is_nameless(table)
    columns = []
    for name, values in zip(table.header or (), table.columns, strict=True):
        below = [*map(str, values)]
        columns.append(below if is_nameless else [name, *below])
    several = len(columns) > SOURCE_AND_REFERENCE or is_nameless
    question = ask_about_references(table.file, columns) if several else None
    if question is not None:
        raise OpenReading(question)


def ask_for_answers(table: Table, stated: Collection[str]) -> None:
    """Refuse a gold of repeated samples without answers, if a column of numbers may hold them.

    Samples that are ones and zeros would be taken for outcomes, and nobody would see the mistake.
    Raises ReferenceDataError.
    """
    if samples.ANSWER in stated or any(table.named.get(samples.ANSWER, [True])):
        return
    for name, values in table.named.items():
        is_named = name in (samples.ANSWER, *stated) or is_id(name)
        if not is_named and all(outcome(cell) is not None for cell in values):
            raise ReferenceDataError(
                f"{table.file}: the column {name!r} may hold the correct answers. If it does, call "
                f"it 'label'. If it does not, name it in the settings, such as 'group: {name}', or "
                "remove it"
            )
