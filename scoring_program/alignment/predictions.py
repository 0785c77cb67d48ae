"""From the cells of prediction columns to labels or numbers, with every wrong cell reported."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..core import cells
from ..core.cells import Label
from ..core.errors import Problems, listed, quoted
from ..reading.formats import KINDS
from . import diagnosis
from .expected import Expected, Target

#: The sum of a row's probabilities may differ from 1 by this much, because files have few digits.
PROBABILITY_TOLERANCE = 1e-3


@dataclass(frozen=True, eq=False)
class Column:
    """One column of a file. Example i is in row ``rows[i]``, which is −1 if it is missing."""

    name: str
    cells: Sequence[Any]
    places: Sequence[str]  # of every row
    rows: Sequence[int]  # [n]

    def place(self, i: int) -> str:
        """Return the place of example i, for messages."""
        return f"{self.places[self.rows[i]]}, column {self.name!r}"

    def of_examples(self, values: Sequence[Any], missing: Any) -> list[Any]:
        """Return the examples' values, [n], from those of the rows."""
        if -1 in self.rows:
            return [values[row] if row >= 0 else missing for row in self.rows]
        return list(map(values.__getitem__, self.rows))  # twice as fast

    def in_order(self, examples: Iterable[int]) -> list[int]:
        """Return examples in the order of the file: the order of the gold is secret."""
        return sorted(examples, key=self.rows.__getitem__)


def parse_columns(
    columns: Sequence[Column],
    target: Target,
    labels: Sequence[Label],
    expected: Expected,
    problems: Problems,
) -> list[list[Any]]:
    """Return a target's columns as labels or numbers; report every wrong cell as a problem.

    If labels are needed and there is one column per class, the label is the class with the highest
    number. Of equal numbers, the first class counts.
    """
    if target.kind in KINDS:
        return [_as_examples(columns[0], target, labels, expected, problems)]
    if target.kind == "labels" and len(columns) == 1:
        return [_as_labels(columns[0], labels, expected, problems)]
    found = [_as_numbers(column, problems) for column in columns]
    if target.kind == "labels":
        _check_choices(columns, found, problems)
        rows = zip(columns[0].rows, zip(*found, strict=True), strict=True)
        return [[labels[of.index(max(of))] if row >= 0 else None for row, of in rows]]
    if target.kind == "probabilities":
        _check_probabilities(columns, found, problems)
    if target.kind == "numbers" and target.column in expected.above:
        _check_above(expected.above[target.column], columns[0], found[0], problems)
    return found


def _check_choices(
    columns: Sequence[Column], found: Sequence[Sequence[float]], problems: Problems
) -> None:
    """Report rows of zeros, which choose no class."""
    empty = [i for i, row in enumerate(zip(*found, strict=True)) if not any(row)]
    for i in columns[0].in_order(i for i in empty if columns[0].rows[i] >= 0):
        problems.add(
            "row(s) of zeros, which choose no class",
            f"{columns[0].places[columns[0].rows[i]]}: found 0 in all of {len(columns)} columns",
            "Give the class that you predict the highest number of its row.",
        )


def _as_numbers(column: Column, problems: Problems) -> list[float]:
    of_row = cells.numbers(column.cells)
    values = column.of_examples(of_row, 0.0)
    if cells.are_acceptable(values):
        return values
    bad = (i for i, value in enumerate(values) if not cells.acceptable(value))
    for i in column.in_order(bad):
        cell = column.cells[column.rows[i]]
        problems.add(
            "cell(s) without a finite number" if cell else "empty cell(s)",
            f"{column.place(i)}: found {quoted(cell)}, "
            f"expected a finite number below {cells.LARGEST:g}{diagnosis.of_number(cell)}",
        )
    return values


def _as_labels(
    column: Column, labels: Sequence[Label], expected: Expected, problems: Problems
) -> list[Label | None]:
    read = cells.label_reader(labels) if labels else _any_label
    known = {cell: read(cell) for cell in set(column.cells)}
    of_row = list(map(known.__getitem__, column.cells))
    found = column.of_examples(of_row, None)
    if all(label is not None for label in known.values()):
        return found
    public = f"one of {listed(labels)}" if expected.labels_are_public else ""
    bad = (i for i, row in enumerate(column.rows) if row >= 0 and found[i] is None)
    nowhere = not any(label is not None for label in known.values())
    remedy = diagnosis.of_labels(known, labels) if nowhere else ""
    for i in column.in_order(bad):
        cell = column.cells[column.rows[i]]
        is_missing = diagnosis.is_missing(cell) and not remedy
        problems.add(
            "unknown label(s)" if cell else "empty cell(s)",
            f"{column.place(i)}: found {quoted(cell)}, "
            f"expected {public or 'one of the labels of the task, in the same spelling'}"
            f"{'; a prediction is missing here' if is_missing else ''}",
            remedy,
        )
    return found


def _as_examples(
    column: Column, target: Target, labels: Sequence[Label], expected: Expected, problems: Problems
) -> list[Any]:
    """Return the cells of a kind of data; each must fit the shape of its example."""
    kind = KINDS[target.kind]
    known = frozenset(map(str, labels))
    shapes = expected.shapes.get(target.column) or [None] * expected.n
    found = [column.cells[row] if row >= 0 else kind.absent for row in column.rows]
    wrong = {
        i: defect
        for i, row in enumerate(column.rows)
        if row >= 0 and (defect := kind.problem(found[i], shapes[i], known))
    }
    for i in column.in_order(wrong):
        problems.add("unusable prediction(s)", f"{column.places[column.rows[i]]}: {wrong[i]}")
    return found


def _any_label(cell: str) -> str | None:
    """Return a cell as a label if the labels are unknown. An empty cell is not a label."""
    return cell or None


def _check_probabilities(
    columns: Sequence[Column], found: Sequence[Sequence[float]], problems: Problems
) -> None:
    """Report rows outside [0, 1] and, with one column per class, rows that do not sum to 1."""
    rows = list(zip(*found, strict=True))
    for i in columns[0].in_order(range(len(rows))):
        row = rows[i]
        if not (min(row) >= 0 and max(row) <= 1) and all(map(cells.acceptable, row)):
            problems.add(
                "row(s) with probabilities outside [0, 1]",
                f"{columns[0].place(i)}: found {listed(f'{value:g}' for value in row)}",
                "Write probabilities between 0 and 1: apply softmax or sigmoid to other scores.",
            )
        elif len(columns) > 1 and abs(sum(row) - 1) > PROBABILITY_TOLERANCE:
            problems.add(
                "row(s) of probabilities that do not sum to 1",
                f"{columns[0].place(i)}: the sum is {sum(row):.6g}",
                "Divide each row by its sum, and write more digits.",
            )


def _check_above(bound: float, column: Column, values: Sequence[float], problems: Problems) -> None:
    """Report numbers for which a metric is undefined, such as one with a logarithm."""
    for i in column.in_order(i for i, value in enumerate(values) if value <= bound):
        problems.add(
            f"number(s) of {bound:g} or less",
            f"{column.place(i)}: found {values[i]:g}, expected a number above {bound:g}",
        )
