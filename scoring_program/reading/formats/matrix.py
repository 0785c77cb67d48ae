"""AutoML's ``.solution`` and ``.predict`` files: numbers without a header, one row per example.

A single column holds labels, values or scores. Several columns are the classes 0, 1, …
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..limits import MOST_CELLS
from ..table import Columns, Table, matrix_header, too_many_cells_error
from .raw import Content


def read(content: Content) -> Table:
    """Read a matrix with cells separated by spaces, tabs or commas. Blank lines are skipped.

    Raises
    ------
    SubmissionError
        The file is empty or neither UTF-8 nor UTF-16.
    """
    columns = Columns()
    columns.extend(_rows(content.text, content.file))
    table = columns.table(content.file, range(1, columns.seen + 1))
    return replace(table, header=matrix_header(len(table.columns)), one_hot=True)


def _rows(text: str, file: str) -> Iterator[list[str]]:
    cells = 0
    for line in text.split("\n"):
        row = line.replace(",", " ").split()
        cells += len(row)
        if cells > MOST_CELLS:
            raise too_many_cells_error(file)
        yield row
