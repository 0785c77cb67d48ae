"""Bytes of one data file → a table of texts that still knows the line each row came from."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from scoring_program.errors import SubmissionError

#: Delimiters that are recognised.
DELIMITERS = ",;\t|"


@dataclass(frozen=True, eq=False)
class Table:
    """Rows of texts. ``lines[i]`` is the line of the file on which row i ended (1 is the first)."""

    file: str
    rows: Sequence[Sequence[str]]
    lines: Sequence[int]

    def below_first(self) -> Table:
        """Return the table without its first row."""
        return Table(self.file, self.rows[1:], self.lines[1:])


def read_table(content: bytes, file: str) -> Table:
    """Parse the content of a delimited text file; blank lines are skipped.

    Raises
    ------
    SubmissionError
        The file is empty, is neither UTF-8 nor UTF-16, or a field exceeds the csv module's limit.
    """
    text = decode(content, file)
    delimiter = _delimiter(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    rows: list[list[str]] = []
    lines: list[int] = []
    try:
        for row in reader:
            if row and (len(row) > 1 or row[0].strip()):
                rows.append([cell.strip() for cell in row])
                lines.append(reader.line_num)
    except csv.Error as error:
        raise SubmissionError(
            f"{file}: line {reader.line_num}: {error}; expected one row of short texts a line"
        ) from error
    if not rows:
        raise SubmissionError(f"{file}: the file is empty; expected one row an example")
    return Table(file, rows, lines)


def decode(content: bytes, file: str) -> str:
    """Return the text of a file in UTF-8 or UTF-16, with or without a byte-order mark.

    Raises
    ------
    SubmissionError
        The bytes are in another encoding, or hold NUL characters.
    """
    utf16 = content[:2] in (b"\xff\xfe", b"\xfe\xff")
    try:
        text = content.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise SubmissionError(
            f"{file}: line {line}: not UTF-8 text; save the file as CSV in UTF-8"
        ) from error
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise SubmissionError(f"{file}: line {line}: a NUL character; save the file as UTF-8 text")
    return text


def _delimiter(text: str) -> str:
    """Return the delimiter that splits the first line most, the comma where none does."""
    first = text.lstrip("\r\n").split("\n", 1)[0]
    return max(DELIMITERS, key=first.count)
