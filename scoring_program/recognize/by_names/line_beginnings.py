"""What ids look like, and lines that begin with them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from ...core.cells import are_integers, different, is_number
from ...core.errors import SEVERAL, quoted
from ...core.phrases import Phrase
from ...reading.table import Table
from ..usual_names import FEWEST_BEGINNINGS, UNLIKE_WORDS
from .usual_columns import differ

#: A possible defect of a file with one cell per line.
UNDIVIDED = Phrase("no delimiter (comma, semicolon, tab or |) was recognized")
_ROUNDED = re.compile(r"\d([.,]\d+)?E\+\d+", re.IGNORECASE)
_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_EXTENSION = re.compile(r"\.[a-z]\w{0,4}$")
_NUMBER = re.compile(r"\d+")
#: What may stand between an id and the prediction on one line. A dash may also be a minus sign.
_BETWEEN = re.compile(r"\s*(?:\|\|\||[-=]>|:=|\\t|[,;:|=>#/~，；：]|[-–—](?=\s))\s*|\s+")
_SPACES = re.compile(r"\s+")
_QUOTED = re.compile(r'"(?:[^"]|"")*"')


def bare_id(value: str) -> str:
    """Return an id without what software and people often change: case, quotes, folders, zeros."""
    name = value.replace("\\", "/").rpartition("/")[2].strip("'\"= ").casefold()
    name = _THOUSANDS.sub("", name)
    return _ZEROS.sub("", _EXTENSION.sub("", name.removesuffix(".0").replace(" ", "")))


def is_rounded(value: str) -> bool:
    """Whether an id is written as spreadsheets write long numbers: 1.23E+12."""
    return _ROUNDED.fullmatch(value) is not None


def are_row_numbers(ids: Sequence[str]) -> bool:
    """Whether ids are the whole numbers from 0 or 1 on, in any order."""
    numbers = sorted(map(int, ids)) if are_integers(ids) else []
    return bool(numbers) and numbers in (list(range(len(ids))), list(range(1, len(ids) + 1)))


def begin_with_ids(cells: Sequence[Any], ids: frozenset[str]) -> bool:
    """Whether more than half of the cells begin with different ids.

    Of a cell that holds several labels, it is enough that one of them does.
    """
    longest = max(map(len, ids), default=0)
    begun = set()
    for cell in different(cells) if ids else ():
        for text in cell if isinstance(cell, tuple) else (cell,):
            if isinstance(text, str) and (parts := _beginning(text, ids, longest)):
                begun.add(parts[0])
            elif text is not cell and text in ids:
                begun.add(text)
    return 2 * len(begun) > len(cells)


def with_ids_apart(table: Table, ids: frozenset[str], targets: int) -> Table:
    """Return a table of one column whose rows begin with ids as one of ids and predictions.

    There are as many columns of predictions as ``targets``; the last one has the rest of the line.
    The same must separate the two on every line, whatever it is. Ids may be written in another way
    than in the test set; then a later step says which are meant. The first row may be the name of
    the predictions. Another row that nothing divides has another width. Any other table is returned
    as it is.
    """
    cells = table.columns[0]
    if len(table.columns) != 1 or table.lines or not all(isinstance(cell, str) for cell in cells):
        return table
    longest = max(map(len, ids), default=0)
    parted = [_beginning(cell, ids, longest) for cell in cells]
    if not _are_most(parted):
        bare = {bare_id(value) for value in ids}
        ends = [_BETWEEN.search(cell) for cell in cells]
        parted = []
        for cell, end in zip(cells, ends, strict=True):
            is_id = end is not None and bare_id(cell[: end.start()]) in bare
            divided = (cell[: end.start()], end[0], cell[end.end() :]) if end and is_id else None
            parted.append(divided)
    mark = _mark({beginning[1] for beginning in parted if beginning is not None})
    if not _are_most(parted) or mark is None:
        return table
    rows: dict[int, list[str]] = {}
    ragged: dict[int, int] = {}
    for row, (cell, beginning) in enumerate(zip(cells, parted, strict=True)):
        parts = cell.split(mark or None, 1)
        if beginning:
            parts = [beginning[0], beginning[2]]
        if len(parts) > 1:
            parts = [parts[0], *parts[1].split(mark or None, targets - 1)]
        if len(parts) == 1 and cell in ids:
            parts.append("")
        elif len(parts) == 1 and row == 0 and parted[1:2] not in ([], [None]):
            parts.insert(0, "id")
        if len(parts) == 1 + targets:
            rows[row] = list(map(str.strip, parts))
        else:
            ragged[table.numbers[row]] = len(parts)
    if 2 * len(ragged) > len(cells) or table.numbers[0] in ragged:
        return table
    columns = list(map(list, zip(*rows.values(), strict=True)))
    in_quotes = [text for text in columns[-1] if text.startswith('"')]
    if mark in (",", ";", "|") and all(map(_QUOTED.fullmatch, in_quotes)):
        columns[-1] = list(map(_unquoted, columns[-1]))
    note = Phrase(
        "The lines begin with ids; what follows the first {mark} was read as the prediction.",
        mark=quoted(mark or " "),
    )
    numbers = [table.numbers[row] for row in rows]
    notes = (*table.notes, note)
    return replace(table, columns=columns, numbers=numbers, header=None, ragged=ragged, notes=notes)


def unknown_beginnings(cells: Sequence[Any]) -> tuple[str, str] | None:
    """Return the first two words of texts that all seem to begin with ids, of any test set.

    All beginnings differ. They are numbers of rows, differ in their digits only, or look unlike the
    words that follow.
    """
    # Labels mostly repeat, which is seen before each is looked at.
    if len(cells) < SEVERAL or len(different(cells)) < len(cells):
        return None
    if not all(isinstance(cell, str) for cell in cells):
        return None
    for between in (_BETWEEN, _SPACES):
        words = []
        texts = []
        for cell in cells:
            word, *behind = between.split(cell, maxsplit=1)
            words.append(word)
            texts.extend(behind)
        if 2 * len(texts) > len(cells) and differ(words) and _are_ids(words, texts, len(cells)):
            return words[0], words[1]
    return None


def _are_ids(words: Sequence[str], texts: Sequence[str], n: int) -> bool:
    """Whether different words look like ids, in front of ``texts``, as most of n have."""
    bare = [word.strip(".()[]'\"") for word in words]
    if are_integers(bare):
        return are_row_numbers(bare) and len(texts) == n
    shape, *further_shapes = {_NUMBER.sub("0", word) for word in bare}
    if not further_shapes and "0" in shape and not any(map(is_number, bare)) and len(texts) == n:
        return True
    if n < FEWEST_BEGINNINGS or not all(map(UNLIKE_WORDS.fullmatch, bare)):
        return False
    follow = [word for text in texts for word in text.split()]
    return 10 * sum(map(bool, map(UNLIKE_WORDS.fullmatch, follow))) <= len(follow)


def _beginning(cell: str, ids: frozenset[str], longest: int) -> tuple[str, str, str] | None:
    """Return the longest id that a text begins with, what follows it, and the rest.

    No id has more than ``longest`` letters.
    """
    split = None
    for between in _BETWEEN.finditer(cell):
        if between.start() > longest:
            break
        if cell[: between.start()] in ids:
            split = between
    return None if split is None else (cell[: split.start()], split[0], cell[split.end() :])


def _are_most(beginnings: Sequence[tuple[str, str, str] | None]) -> bool:
    return 2 * len({beginning[0] for beginning in beginnings if beginning}) > len(beginnings)


def _mark(separators: Collection[str]) -> str | None:
    """Return what separates ids from predictions, "" for spaces; None if it is not the same."""
    marks = {separator.strip() for separator in separators}
    if "" in marks and all(separator[:1].isspace() for separator in separators):
        return ""  # another mark belongs to the prediction
    return marks.pop() if len(marks) == 1 else None


def _unquoted(text: str) -> str:
    return text[1:-1].replace('""', '"') if text.startswith('"') else text
