"""Delimited text: CSV, TSV and their kin, and one label a line."""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Sequence
from typing import Any

from scoring_program.errors import SubmissionError
from scoring_program.read.formats.encoding import decode
from scoring_program.read.limits import MOST_CELLS
from scoring_program.read.table import Table, empty, too_many_cells

#: Delimiters that are recognised; of two that fit alike, the first: commas are also decimal.
DELIMITERS = "\t;|,"

#: Lines that are looked at to find the delimiter.
_SAMPLE = 20
#: A first line by which spreadsheets tell each other the delimiter.
_TOLD = re.compile(r"sep=(.)\r?\n")


def read(content: bytes, file: str) -> Table:
    """Read CSV or TSV with any of `DELIMITERS`; blank lines are skipped.

    Raises
    ------
    SubmissionError
        The file is empty, is neither UTF-8 nor UTF-16, or a field exceeds the csv module's limit.
    """
    text = decode(content, file)
    told = _TOLD.match(text)
    body = text[told.end() :] if told else text
    return _parse(body, file, told[1] if told else _delimiter(body), 1 if told else 0)


def read_text(content: bytes, file: str) -> Table:
    """Read a text with a label a line, or with columns if a delimiter splits all lines alike.

    Raises SubmissionError as `read` does.
    """
    text = decode(content, file)
    fitting = [delimiter for delimiter in DELIMITERS if len(set(_widths(text, delimiter))) == 1]
    width, delimiter = max(
        ((_widths(text, delimiter)[0], delimiter) for delimiter in reversed(fitting)),
        default=(1, ""),
    )
    if width > 1:
        return _parse(text, file, delimiter, 0)
    lines = [(line.strip(), i) for i, line in enumerate(text.split("\n"), 1)]
    rows = [([line], i) for line, i in lines if line]
    if not rows:
        raise empty(file)
    return Table(file, [row for row, _ in rows], [i for _, i in rows])


def _parse(text: str, file: str, delimiter: str, skipped: int) -> Table:
    if text.count(delimiter) + text.count("\n") + text.count("\r") > MOST_CELLS:
        raise too_many_cells(file)
    how: dict[str, Any] = {"delimiter": delimiter, "skipinitialspace": True}
    reader = csv.reader(io.StringIO(text, newline=""), **how)
    try:
        rows = list(reader)
    except csv.Error as error:
        raise SubmissionError(
            f"{file}: line {reader.line_num + skipped}: {error}; "
            "expected one row of short texts a line"
        ) from error
    numbers: Sequence[int] = range(skipped + 1, skipped + len(rows) + 1)
    if reader.line_num > len(rows):  # some cells hold line ends
        reader = csv.reader(io.StringIO(text, newline=""), **how)
        numbers = [reader.line_num + skipped for _ in reader]
    if not text.isascii() or " " in text or ("\t" in text and delimiter != "\t"):
        rows = [[cell.strip() for cell in row] for row in rows]
    if not all(map(any, rows)):
        kept = [i for i, row in enumerate(rows) if len(row) > 1 or any(row)]
        rows, numbers = [rows[i] for i in kept], [numbers[i] for i in kept]
    if not rows:
        raise empty(file)
    return Table(file, rows, numbers)


def _delimiter(text: str) -> str:
    """Return the delimiter that splits the first lines alike, or else the first line most."""
    return max(reversed(DELIMITERS), key=lambda delimiter: _fit(_widths(text, delimiter)))


def _fit(widths: list[int]) -> tuple[bool, int]:
    """Return how well a delimiter fits: whether it splits all lines alike, and how often."""
    first = widths[0] if widths else 0
    return first > 1 and len(set(widths)) == 1, first


def _widths(text: str, delimiter: str) -> list[int]:
    """Return the number of cells in each of the first lines that are not blank."""
    sample = itertools.islice(io.StringIO(text, newline=""), _SAMPLE)
    try:
        return [len(row) for row in csv.reader(sample, delimiter=delimiter) if row]
    except csv.Error:
        return []
