"""Delimited text: CSV, TSV and the like, texts with one label per line, matrices of numbers."""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from ...core.cells import is_number
from ...core.phrases import Phrase, counted
from ..limits import MOST_CELLS
from ..table import (
    Columns,
    Table,
    empty_file_error,
    matrix_header,
    place_of,
    shared,
    table_of_rows,
    too_many_cells_error,
)
from .fields import as_described
from .kind import WHITESPACE, Content

if TYPE_CHECKING:
    from ...core.arrays import CellBlock

#: Delimiters that are recognized. If two fit equally, the first wins: a comma may be decimal.
DELIMITERS = "\t;|,"
#: The delimiter is found in at most so many lines of at most so many characters together.
_SAMPLE = 20
_LONGEST_SAMPLE = 2**16
#: The most bytes of the first line of a plain file.
LONGEST_HEADER = 1 << 16
#: How many columns a file of label sets has, if nothing says more.
_ID_AND_SET = 2
#: Changes the cells of a row.
_Row: TypeAlias = Callable[[list[str]], list[str]]
#: A first line with which spreadsheets state the delimiter.
_DELIMITER_LINE = re.compile(r'sep=([^"\r])\r?\n')


def read(content: Content, *, sets: bool = False) -> Table:
    """Read CSV or TSV with any of `DELIMITERS`, or a table with spaces. Blank lines are skipped.

    The description may state the separator, and what the columns are called. Where it states a
    separator and the last column holds ``sets``, they are the rest of the line, or nothing, unless
    it states the numbers of some columns only.

    Raises
    ------
    SubmissionError
        The file is empty or neither UTF-8 nor UTF-16, a quote is never closed, or a field exceeds
        the csv module's limit. A quote that is opened in the last line may stay open. Or a stated
        column is absent.
    """
    described = content.described
    lines = None
    if content.packed and not described.says_something:
        lines = plain_lines(content.data)
    if lines is not None:
        from ...core.arrays import columns_of, with_few_by_code  # late: kits lack NumPy

        if columns := columns_of(*lines):
            rows = range(1, len(columns[0]) + 1)
            return Table(content.file, with_few_by_code(columns), rows)
    text = content.text
    separator = described.separator
    skipped = 0
    if separator is not None:
        width = len(described.stated) or _ID_AND_SET
        numbers = [column for column in described.stated.values() if isinstance(column, int)]
        sets = sets and max(numbers, default=0) <= width  # else the columns are counted
        row = partial(_with_set, width=width, separator=separator) if sets else None
        table = _stated(content, separator, row)
        if separator == WHITESPACE and not sets:
            _refuse_spaces(table, described.read_columns)
        return as_described(table, described, gold=content.gold)
    if first_line := _DELIMITER_LINE.match(text):
        text = text[first_line.end() :]
        separator = first_line[1]
        skipped = 1
    elif _is_spaced(text):
        text = text.replace("\t", " ")
        separator = " "
    delimiter = separator or _delimiter(text)
    return as_described(_parse(content, text, delimiter, skipped), described, gold=content.gold)


def _stated(content: Content, separator: str, row: _Row | None) -> Table:
    """Read a table whose separator is stated; ``row`` changes the cells of each."""
    text = content.text
    if len(separator) == 1:
        return _parse(content, text, separator, 0, row)
    between = None if separator == WHITESPACE else separator
    if len(text.split(between)) > MOST_CELLS:
        raise too_many_cells_error(content.file)
    rows = (_stripped(line.split(between)) for line in text.split("\n"))
    return table_of_rows(content.file, map(row, rows) if row else rows)


def _stripped(cells: Iterable[str]) -> list[str]:
    return [*map(str.strip, cells)]


def _refuse_spaces(table: Table, stated: Collection[str | int]) -> None:
    """Raise SubmissionError where numbers of columns may count the words of a cell."""
    numbers = [column for column in stated if isinstance(column, int)]
    most = max(numbers, default=0)
    widths = {table.numbers[0]: len(table.columns)} if table.numbers else {}
    strange = [row for row in {**widths, **table.ragged}.items() if row[1] != most]
    if not numbers or not strange:
        return
    number, width = strange[0]
    raise table.refusal(
        "{file}: {place}: {cells} found, {expected} expected: spaces separate them, so no cell may "
        "hold one (organizers: if tabs separate the cells, state {tab}; if there are more columns, "
        "name all of them in their order)",
        place=place_of(table.row_noun, number),
        cells=counted(width, Phrase("cell", "cells")),
        expected=most,
        tab='separator: "\\t"',
    )


def _with_set(cells: list[str], width: int, separator: str) -> list[str]:
    """Return the cells of a row; the labels in its last column may be several cells, or none."""
    if not any(cells):
        return []
    between = separator if separator in "|;," else "|"
    if separator == WHITESPACE:
        between = " "
    last = between.join(filter(None, cells[width - 1 :]))
    return [*cells[: width - 1], *[""] * (width - 1 - len(cells)), last]


def has_columns(data: bytes, delimiters: str = DELIMITERS) -> bool:
    """Whether a delimiter splits all of the first lines of a text, or its first line states one."""
    head = data[:_LONGEST_SAMPLE].decode("utf-8-sig", "replace")
    if _DELIMITER_LINE.match(head):
        return True
    more = "\n" if len(data) > len(head) else ""  # the last line may be cut
    return any(_fit(_widths(head + more, delimiter))[0] for delimiter in delimiters)


def read_text(content: Content) -> Table:
    """Read one label per line, or columns if a delimiter splits all lines into as many cells.

    Raises SubmissionError as `read` does.
    """
    text = content.text
    file = content.file
    delimiter = _delimiter(text)
    if _fit(_widths(text, delimiter))[0]:
        return _parse(content, text, delimiter)
    lines = [(line.strip(), i) for i, line in enumerate(text.split("\n"), 1)]
    if not any(line for line, _ in lines):
        raise empty_file_error(file)
    return Table(file, [[line for line, _ in lines if line]], [i for line, i in lines if line])


def read_matrix(content: Content) -> Table:
    """Read numbers without a header, one row per example: AutoML's ``.solution``, ``.predict``.

    A single column holds labels, values or scores. Several columns are the classes 0, 1, …
    Spaces, tabs or commas separate cells. Blank lines are skipped.

    Raises
    ------
    SubmissionError
        The file is empty or neither UTF-8 nor UTF-16.
    """
    table = table_of_rows(content.file, _cells_of_matrix(content.text, content.file))
    return replace(table, header=matrix_header(len(table.columns)), one_hot=True)


def _cells_of_matrix(text: str, file: str) -> Iterator[list[str]]:
    cells = 0
    for line in text.split("\n"):
        row = line.replace(",", " ").split()
        cells += len(row)
        if cells > MOST_CELLS:
            raise too_many_cells_error(file)
        yield row


def _parse(
    content: Content,
    text: str,
    delimiter: str,
    skipped: int = 0,
    row: _Row | None = None,
) -> Table:
    file = content.file
    if text.count(delimiter) + text.count("\n") + text.count("\r") > MOST_CELLS:
        raise too_many_cells_error(file)
    if row is None and text.isascii() and (plain := _plain_columns(text, delimiter)):
        return Table(file, plain, range(skipped + 1, skipped + len(plain[0]) + 1))
    dialect: dict[str, Any] = {"delimiter": delimiter, "skipinitialspace": True}
    if delimiter == "\t" and _quotes_are_characters(text):
        dialect["quoting"] = csv.QUOTE_NONE
    reader = csv.reader(io.StringIO(text, newline=""), **dialect)
    rows: Iterable[list[str]] = reader
    if not text.isascii() or " " in text or ("\t" in text and delimiter != "\t"):
        rows = map(_stripped, reader)
    columns = Columns()
    try:
        columns.extend(map(row, rows) if row else rows)
    except csv.Error as error:
        too_long = Phrase("field larger than field limit ({limit})", limit=csv.field_size_limit())
        first = _ends(text, dialect)[0][-1] + 1
        raise content.refusal(
            "{file}: line {line}: {error}; close the quote that is opened on this line"
            if first < reader.line_num
            else "{file}: line {line}: {error}; write shorter texts",
            line=first + skipped,
            error=too_long if str(error) == too_long else str(error),
        ) from error
    numbers: Sequence[int] = range(skipped + 1, skipped + columns.seen + 1)
    if reader.line_num > columns.seen or columns.ragged:  # some cells may hold line ends
        ends, opened = _ends(text, dialect)
        if opened:
            raise content.refusal(
                "{file}: line {line}: the quote that is opened here is never closed; close it, "
                "or double a quote that belongs to a quoted text",
                line=opened + skipped,
            )
        numbers = [end + skipped for end in ends[1:]]
    return columns.table(file, numbers)


@dataclass(frozen=True)
class PlainText:
    """A plain file: its lines, each with a line end, of which the first holds names; see `plain`.

    What a look at its cells takes follows their number.
    """

    lines: bytes
    delimiter: str

    @property
    def first_line(self) -> bytes:
        """The line above the cells, without its end."""
        return self.lines[: self.lines.find(b"\n")]

    @property
    def header(self) -> tuple[str, ...] | None:
        """The cells of the first line; None if it is too long, or if one is empty."""
        from ...core.arrays import columns_of  # late: kits lack NumPy

        line = self.first_line
        names = None
        if len(line) <= LONGEST_HEADER:
            names = columns_of(line + b"\n", self.delimiter)
        return None if names is None else tuple(name[0] for name in names)

    def blocks(self) -> Iterator[CellBlock]:
        """Yield the cells below the first line, as `core.arrays.scan` does."""
        from ...core.arrays import scan  # late: kits lack NumPy

        return scan(self.lines, self.delimiter, len(self.first_line) + 1)

    @property
    def may_have_thousands(self) -> bool:
        """Whether all dots may separate thousands, or belong to ids; see `may_have_thousands`."""
        if b"." not in self.lines:
            return False
        # A number at the end of a line whose dot separates none.
        mark = re.escape(self.delimiter.encode())
        decimal = rb'%s(?!"?-?[1-9]\d{0,2}\.\d{3}"?\n)[^\n.]*\.' % mark
        return not re.compile(decimal).search(self.lines, len(self.first_line))


def plain(data: bytes) -> PlainText | None:
    """Return the text of a plain file; None if it is none, as `plain_lines` says."""
    lines = plain_lines(data)
    return None if lines is None else PlainText(*lines)


def plain_lines(data: bytes, delimiter: str = "") -> tuple[bytes, str] | None:
    """Return the lines of a plain file, each with a line end, and their delimiter.

    None if the file holds what `_parse` strips, composes or leaves out: anything but ASCII, spaces,
    a line that states the delimiter. None also if it has too many cells. Quotes may stand anywhere,
    and lines may be of any width.
    """
    if not data.isascii():
        return None
    if not delimiter:
        head = data[: _LONGEST_SAMPLE + 1].decode()
        delimiter = "" if _DELIMITER_LINE.match(head) else _delimiter(head)
    if data[: data.find(b"\n") + 1].endswith(b"\r\n"):
        data = data.replace(b"\r\n", b"\n")
    unusual = {*" \r\t\0"} - {delimiter}
    mark = delimiter.encode()
    if delimiter not in {*DELIMITERS} or any(letter.encode() in data for letter in unusual):
        return None
    if len(data) > MOST_CELLS and data.count(mark) + data.count(b"\n") > MOST_CELLS:
        return None
    return data if data.endswith(b"\n") else data + b"\n", delimiter


def _plain_columns(text: str, delimiter: str) -> Sequence[Sequence[str]] | None:
    """Return the columns of a plain text as the csv module reads them, in a third of its time.

    None if a cell is empty, quoted or longer than the module allows, if the text is not plain, or
    if two lines have another number of cells.
    """
    lines = plain_lines(text.encode(), delimiter)
    if lines is None or b'"' in lines[0]:
        return None
    text = lines[0].decode()
    between = {first + last for first in (delimiter, "\n") for last in (delimiter, "\n")}
    if text[0] in (delimiter, "\n") or any(empty in text for empty in between):
        return None
    half = csv.field_size_limit() // 2
    if any("\n" not in text[start : start + half] for start in range(0, len(text) - half, half)):
        return None
    of_cells = bytes(letter for letter in range(128) if chr(letter) not in (delimiter, "\n"))
    width = text.count(delimiter, 0, text.find("\n")) + 1
    marks = delimiter * (width - 1) + "\n"
    if lines[0].translate(None, of_cells) != (marks * text.count("\n")).encode():
        return None
    cells = text[:-1].replace("\n", delimiter).split(delimiter)
    return [shared(cells[place::width], {}) for place in range(width)]


def _quotes_are_characters(text: str) -> bool:
    """Whether quotes belong to the texts between tabs: read as CSV, they would join lines.

    A text may begin with the words that somebody says. If every line has as many tabs, no cell
    holds a line end.
    """
    if '"' not in text:
        return False
    lines = [line for line in io.StringIO(text, newline="") if line.strip()]
    if len({line.count("\t") for line in lines}) != 1:
        return False
    reader = csv.reader(lines, delimiter="\t", skipinitialspace=True, strict=True)
    try:
        return sum(1 for _ in reader) < len(lines)
    except csv.Error:  # a quote stays open, or a text goes on behind the one that closes it
        return True


def _ends(text: str, dialect: Mapping[str, Any]) -> tuple[list[int], int]:
    """Return the line on which each row ends, after a 0, and the line of an open quote, or 0.

    Rows after a row that cannot be read are left out.
    """
    # The empty line at the end becomes a row of its own unless a quote is open.
    reader = csv.reader(itertools.chain(io.StringIO(text, newline=""), [""]), **dialect)
    ends = [0]
    last: Sequence[str] = []
    try:
        for row in reader:
            ends.append(reader.line_num)
            last = row
    except csv.Error:
        return ends, 0
    end = ends.pop() - 1
    if not last:
        return ends, 0
    swallowed = sum(1 for _ in io.StringIO(last[-1], newline=""))
    return ends, end - max(swallowed - 1, 0)


def _delimiter(text: str) -> str:
    """Return the delimiter that splits the first lines into as many cells each.

    If none does, it is the delimiter that splits the first line into the most cells.
    """
    return max(DELIMITERS, key=lambda delimiter: _fit(_widths(text, delimiter)))


def _is_spaced(text: str) -> bool:
    """Whether spaces, and no delimiter, split the first lines into as many cells.

    Labels and texts hold spaces, too. So a column must hold numbers below its name.
    """
    if _fit(_widths(text, _delimiter(text)))[0]:
        return False
    lines = [line.split() for line in text[:_LONGEST_SAMPLE].split("\n")[:_SAMPLE]]
    first, *below = [line for line in lines if line] or [[]]
    if len(text) > _LONGEST_SAMPLE or text.count("\n") > _SAMPLE:
        below = below[:-1]  # it may be cut
    return (
        len(below) > 1
        and len(first) > 2
        and all(len(line) == len(first) for line in below)
        and any(
            not is_number(name) and all(map(is_number, column))
            for name, *column in zip(first, *below, strict=True)
        )
    )


def _fit(widths: list[int]) -> tuple[bool, int]:
    """Return whether a delimiter splits all lines into as many cells, and into how many."""
    first = widths[0] if widths else 0
    return first > 1 and len(set(widths)) == 1, first


def _widths(text: str, delimiter: str) -> list[int]:
    """Return the number of cells in each of the first lines that are not blank."""
    head = text[:_LONGEST_SAMPLE]
    if len(head) < len(text):  # the last line may be cut
        head = head[: max(head.rfind("\n"), head.rfind("\r")) + 1] or head
    sample = itertools.islice(io.StringIO(head, newline=""), _SAMPLE)
    try:
        rows = csv.reader(sample, delimiter=delimiter)
        return [len(row) for row in rows if len(row) > 1 or any(map(str.strip, row))]
    except csv.Error:
        return []
