"""What every format gives: a table of texts that knows where in its file each row came from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from scoring_program.errors import SubmissionError
from scoring_program.read import limits


@dataclass(frozen=True, eq=False)
class Table:
    """Rows of texts; row i came from ``unit`` (line, record, row) ``numbers[i]``, counted from 1.

    ``header`` holds the columns' names where the format itself tells them; it is None where the
    first row may be a header. ``one_hot`` says that several columns may be one label's classes.
    """

    file: str
    rows: Sequence[Sequence[str]]
    numbers: Sequence[int]
    header: tuple[str, ...] | None = None
    unit: str = "line"
    one_hot: bool = False

    def below_first(self) -> Table:
        """Return the table without its first row."""
        return replace(self, rows=self.rows[1:], numbers=self.numbers[1:])

    def place(self, row: int) -> str:
        """Return where a row is ("line 12"), for messages."""
        return f"{self.unit} {self.numbers[row]}"


def text(value: object) -> str:
    """Return a value as a cell holds it; None is an empty cell."""
    return "" if value is None else str(value).strip()


def from_rows(
    file: str, rows: Iterable[Sequence[object]], header: Sequence[str], unit: str
) -> Table:
    """Return a table of values that are not text yet, numbered from 1.

    Raises
    ------
    SubmissionError
        There are no rows.
    """
    cells = [[text(value) for value in row] for row in rows]
    if not cells:
        raise empty(file)
    return Table(file, cells, range(1, len(cells) + 1), tuple(header), unit)


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
