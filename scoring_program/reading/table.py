"""What every format gives: columns of texts that know where in its file each row came from."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..core.errors import SubmissionError
from . import limits

#: Rows that become columns at a time: few enough for the processor's cache.
_CHUNK = 512
#: Accents on one letter; more are left in the order in which they stand.
_MOST_ACCENTS = 1000


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of texts; row i came from ``unit`` (line, record, row) ``numbers[i]``, from 1.

    ``ragged`` tells how many cells the rows of another width have, by their numbers; they are not
    among the columns. ``header`` holds the columns' names where the format itself tells them; it is
    None where the first row may be a header. ``one_hot`` says that several columns may be one
    label's classes.
    """

    file: str
    columns: Sequence[Sequence[str]]  # [c][n]
    numbers: Sequence[int]  # [n]
    header: tuple[str, ...] | None = None
    unit: str = "line"
    one_hot: bool = False
    ragged: Mapping[int, int] = field(default_factory=dict)
    emptied: int = 0  # rows that were left out, because all of their cells were empty

    @property
    def first(self) -> list[str]:
        """The cells of the first row."""
        return [column[0] for column in self.columns]

    def below_first(self) -> Table:
        """Return the table without its first row."""
        columns = [column[1:] for column in self.columns]
        return replace(self, columns=columns, numbers=self.numbers[1:])

    @property
    def places(self) -> Places:
        """Where every row is."""
        return Places(self.unit, self.numbers)

    def place(self, row: int) -> str:
        """Return where a row is ("line 12"), for messages."""
        return f"{self.unit} {self.numbers[row]}"


class Places(Sequence[str]):
    """Where rows are ("line 12"), put into words only when a message needs it."""

    def __init__(self, unit: str, numbers: Sequence[int]) -> None:
        self._unit = unit
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, row: Any) -> Any:
        return f"{self._unit} {self._numbers[row]}"

    @property
    def gap(self) -> str:
        """The first place after a row that no row came from, or nothing."""
        for before, after in itertools.pairwise(self._numbers):
            if after != before + 1:
                return f"{self._unit} {before + 1}"
        return ""

    def take(self, rows: Iterable[int]) -> Places:
        """Return where some of the rows are."""
        return Places(self._unit, [self._numbers[row] for row in rows])


class Columns:
    """Collects rows as columns, in a third of the memory that lists of rows would take.

    What spreadsheets write around a table is left out: rows of empty cells, and empty cells beyond
    the width, which the first row has or, where it ends in empty cells, the first rows fill.
    """

    def __init__(self) -> None:
        self.seen = 0
        self._columns: list[list[str]] = []
        self._left_out: list[int] = []
        self._ragged: dict[int, int] = {}
        self._emptied = 0

    @property
    def ragged(self) -> bool:
        """Whether some rows have another width."""
        return bool(self._ragged)

    def extend(self, rows: Iterable[Sequence[str]]) -> None:
        """Add rows."""
        rest = iter(rows)
        while chunk := list(itertools.islice(rest, _CHUNK)):
            if not self._columns:
                self._columns = [[] for _ in range(_width(chunk))]
            if self._columns and set(map(len, chunk)) == {len(self._columns)}:
                found = list(zip(*chunk, strict=True))
                if all(found[0]):  # so no row is empty
                    for column, cells in zip(self._columns, found, strict=True):
                        column.extend(cells)
                    self.seen += len(chunk)
                    continue
            for row in chunk:
                self._add(row)

    def _add(self, row: Sequence[str]) -> None:
        width = len(self._columns)
        if not any(row):
            self._left_out.append(self.seen)
            self._emptied += len(row) > 1
        elif len(row) < width or any(row[width:]):
            self._left_out.append(self.seen)
            self._ragged[self.seen] = len(row)
        else:
            for column, cell in zip(self._columns, row[:width], strict=True):
                column.append(cell)
        self.seen += 1

    def table(self, file: str, numbers: Sequence[int]) -> Table:
        """Return the table of all rows; ``numbers`` are those of every row that was added.

        Raises
        ------
        SubmissionError
            There are no rows.
        """
        if not self._columns:
            raise empty(file)
        ragged = {numbers[row]: cells for row, cells in self._ragged.items()}
        if self._left_out:
            left_out = set(self._left_out)
            numbers = [number for i, number in enumerate(numbers) if i not in left_out]
        return Table(file, self._columns, numbers, ragged=ragged, emptied=self._emptied)


def _width(rows: Sequence[Sequence[str]]) -> int:
    """Return the number of cells that the first row has and any of the rows fills."""
    first = next(filter(any, rows), ())
    return min(len(first), max(map(_filled, rows)))


def _filled(row: Sequence[str]) -> int:
    """Return the number of cells up to the last one with text."""
    width = len(row)
    while width and not row[width - 1]:
        width -= 1
    return width


def composed(text: str) -> str:
    """Return a text with accents composed (Unicode's NFC): macOS writes them decomposed.

    Composing sorts the accents of a letter, in quadratic time: a text with a letter of more than
    ``_MOST_ACCENTS`` is returned as it is.
    """
    if text.isascii() or (len(text) > _MOST_ACCENTS and _has_endless_accents(text)):
        return text
    return unicodedata.normalize("NFC", text)


def _has_endless_accents(text: str) -> bool:
    first = {letter: unicodedata.normalize("NFD", letter)[0] for letter in set(text)}
    accents = "".join(letter for letter in first if unicodedata.combining(first[letter]))
    if not accents:
        return False
    return any(
        run.end() - run.start() > _MOST_ACCENTS for run in re.finditer(f"[{accents}]+", text)
    )


def text(value: object) -> str:
    """Return a value as a cell holds it; None is an empty cell."""
    return "" if value is None else composed(str(value).strip())


def from_columns(
    file: str,
    columns: Iterable[Iterable[object]],
    header: Sequence[str] | None,
    unit: str,
    numbers: Sequence[int] | None = None,
) -> Table:
    """Return a table of values that are not text yet, numbered from 1 unless told otherwise.

    Without a ``header`` the first row may be one.

    Raises
    ------
    SubmissionError
        There are no rows.
    """
    cells = [[text(value) for value in column] for column in columns]
    if not cells or not cells[0]:
        raise empty(file)
    names = None if header is None else tuple(header)
    return Table(file, cells, numbers or range(1, len(cells[0]) + 1), names, unit)


def matrix_header(width: int) -> tuple[str, ...]:
    """Return the names of a matrix's columns: one holds the label, several are classes 0, 1, …"""
    return ("label",) if width == 1 else tuple(map(str, range(width)))


def too_many_cells(file: str) -> SubmissionError:
    """Return the error of a table that would not fit the memory."""
    return SubmissionError(
        f"{file}: more than {limits.MOST_CELLS} cells; send only ids and predictions"
    )


def empty(file: str) -> SubmissionError:
    """Return the error of a file without rows."""
    return SubmissionError(f"{file}: the file is empty; expected one row an example")
