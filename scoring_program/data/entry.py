"""An entry: one submission as arrays in the order of the gold, ready to be scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..core.arrays import Array, Bools, Floats
from ..core.cells import INVENTED_NUMBER, INVENTED_TEXT, Label, different
from ..core.errors import Problems, SubmissionError
from ..core.phrases import Phrase
from ..reading.formats import KINDS
from ..reading.table import Table
from .gold import Gold, digest
from .gold_values import Labels
from .joining.expected import Expected, Target
from .joining.predictions import Column, parse_columns
from .joining.submission import examine


@dataclass(frozen=True, eq=False)
class Entry:
    """One submission, aligned: row i of every array belongs to example i of the gold."""

    name: str
    predictions: Mapping[Target, Array]  # [n], or [n, c] with one column per class
    columns: Mapping[str, Sequence[str]]  # all its columns as texts [n], if a metric reads them
    sha256: str
    notes: tuple[Phrase, ...] = ()  # how it was read, if that is unusual
    missing: int = 0  # missing predictions, which count as wrong
    by_position: bool = False  # whether its rows lack the ids that the test set has
    absent: Mapping[Target, Bools] = field(default_factory=dict)  # [n] which labels are missing
    whole: Mapping[str, Sequence[str]] | None = None  # its columns before some rows were taken

    def take(self, rows: Sequence[int]) -> Entry:
        """Return the entry on some of the examples."""
        return replace(
            self,
            predictions={target: array[rows] for target, array in self.predictions.items()},
            columns={name: [texts[row] for row in rows] for name, texts in self.columns.items()},
            absent={target: lacks[rows] for target, lacks in self.absent.items()},
        )


def align(
    table: Table, name: str, expected: Expected, gold_labels: Mapping[str, Labels], sha256: str
) -> Entry:
    """Check one submission and turn it into arrays.

    With ``missing: wrong``, ``gold_labels`` (target column → [n]) decide which label is wrong.

    Raises
    ------
    SubmissionError
        Every problem of the file, together; see `submission.examine`.
    """
    read = examine(table, expected)
    predictions = {
        target: _array(columns, target, expected.targets[target], gold_labels)
        for target, columns in read.predictions.items()
    }
    none = (None, INVENTED_TEXT, INVENTED_NUMBER)
    absent = {
        target: np.array([label in none for label in columns[0]])
        for target, columns in read.predictions.items()
        if target.kind == "labels" and not {*none}.isdisjoint(different(columns[0]))
    }
    return Entry(
        name,
        predictions,
        read.columns,
        sha256,
        read.notes,
        read.missing,
        read.by_position,
        absent=absent,
    )


def refuse_unrelated(entry: Entry, gold: Gold, file: str) -> None:
    """Raise SubmissionError if an entry's predictions have nothing to do with the gold."""
    for target, predictions in entry.predictions.items():
        if target.kind in KINDS:
            golds = gold.columns[target.column]
            defect = KINDS[target.kind].unrelated(golds, predictions.tolist())
            if defect is not None:
                raise SubmissionError(defect, file)


def from_wide(column: str, gold: Gold, expected: Expected) -> Entry:
    """Return the entry of one column of a wide table, which ``gold`` holds.

    Raises
    ------
    SubmissionError
        Every problem of the cells of this column, together.
    """
    column_of_team = Column(column, gold.columns[column], gold.places, range(gold.n))
    problems = Problems(gold.file)
    columns = {
        target: parse_columns([column_of_team], target, labels, expected, problems)
        for target, labels in expected.targets.items()
    }
    problems.raise_if_any(Phrase("Expected one prediction per example."))
    predictions = {
        target: _array(parts, target, expected.targets[target], {})
        for target, parts in columns.items()
    }
    return Entry(column, predictions, {}, digest("\n".join(column_of_team.cells).encode()))


def _array(
    columns: Sequence[Sequence[Any]],
    target: Target,
    labels: Sequence[Label],
    gold_labels: Mapping[str, Labels],
) -> Array:
    """Return a target's predictions, [n] or [n, c]."""
    if target.kind in KINDS:
        return objects(columns[0])
    if target.kind == "labels":
        (found,) = columns
        if None in found:
            wrong = wrong_labels(gold_labels[target.column], labels)
            found = [wrong[i] if label is None else label for i, label in enumerate(found)]
        return np.array(found)
    return of_numbers(np.array(columns, dtype=np.float64).T, target.kind)


def of_numbers(table: Floats, kind: str) -> Floats:
    """Return predictions of a kind, [n] or [n, c], from one column or several, [n, c]."""
    if table.shape[1] == 1:
        return np.asarray(table[:, 0])
    if kind == "probabilities":
        table = table / table.sum(axis=1, keepdims=True)  # files round numbers
    return np.ascontiguousarray(table)


def objects(values: Sequence[Any]) -> Array:
    """Return values of any kind as an array [n], also if all of them are sequences."""
    return np.fromiter(values, dtype=object, count=len(values))


def wrong_labels(gold_values: Labels, labels: Sequence[Label]) -> list[Label]:
    """Return a wrong label for every example, [n]: the next one after the gold in the sorted set.

    It stands for a missing prediction. It is one of the competition's labels, because macro
    averages would count a new class.
    """
    after = {label: labels[(i + 1) % len(labels)] for i, label in enumerate(labels)}
    return [after[label] for label in gold_values.tolist()]
