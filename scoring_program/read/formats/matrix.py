"""AutoML's ``.solution`` and ``.predict`` files: a nameless matrix of numbers, a row an example.

One column holds labels, values or scores; several hold a class each, 0, 1, …
"""

from __future__ import annotations

from scoring_program.read.formats.encoding import decode
from scoring_program.read.limits import MOST_CELLS
from scoring_program.read.table import Table, empty, matrix_header, too_many_cells


def read(content: bytes, file: str) -> Table:
    """Read a matrix whose cells are separated by spaces, tabs or commas; blank lines are skipped.

    Raises
    ------
    SubmissionError
        The file is empty or neither UTF-8 nor UTF-16.
    """
    rows: list[list[str]] = []
    numbers: list[int] = []
    cells = 0
    for number, line in enumerate(decode(content, file).split("\n"), 1):
        if row := line.replace(",", " ").split():
            cells += len(row)
            if cells > MOST_CELLS:
                raise too_many_cells(file)
            rows.append(row)
            numbers.append(number)
    if not rows:
        raise empty(file)
    return Table(file, rows, numbers, matrix_header(len(rows[0])), one_hot=True)
