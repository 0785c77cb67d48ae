"""What the data can show, whatever the scores: disagreements, rare classes, shares of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Array, Bools, Ints
from ..metrics.metric import Data, Metric


@dataclass(frozen=True, eq=False)
class Diagnostics:
    """How much the data can say: what warnings and McNemar's test need.

    ``minority`` is the number of examples of the rarest class, None for numbers and for accuracy,
    whose errors are what counts; ``disagreements`` [m, m] counts rows on which predictions differ;
    ``correct`` [n, m] says for accuracy which predictions are right, else None; ``trials`` [m] is
    of how many rows a score is the share where it is one (accuracy, recall of one class), else
    None.
    """

    minority: int | None
    disagreements: Ints
    correct: Bools | None
    trials: Ints | None = None

    @classmethod
    def of(cls, metric: Metric, data: Data) -> Diagnostics:
        """Look at the gold and the predictions of one metric."""
        table = metric.kind == "table"
        y_preds = _numbered(data.y_preds) if table else data.y_preds
        m = len(y_preds)
        differ = np.zeros((m, m), np.intp)
        for i in range(m):
            for j in range(i):
                differ[i, j] = differ[j, i] = _disagreements(y_preds[i], y_preds[j])
        if table:
            return cls(None, differ, None)
        correct = None
        minority = None
        if metric.function == "accuracy_score":
            correct = np.stack([data.y_true == y_pred for y_pred in data.y_preds], axis=1)
        elif metric.kind != "numbers" and data.y_true.dtype.kind in "iubUS":
            minority = _minority(metric, data)
        return cls(minority, differ, correct, _trials(metric, data))


def _numbered(tables: Sequence[Mapping[str, Array]]) -> list[Array]:
    """Return tables of texts as numbers that are equal where the texts are; [n, columns] each.

    A column that a table lacks holds nothing in it.
    """
    codes: dict[str, int] = {}
    columns = sorted({name for table in tables for name in table})
    n = len(next(iter(tables[0].values())))
    numbered = [np.full((n, len(columns)), -1, np.intp) for _ in tables]
    for table, numbers in zip(tables, numbered, strict=True):
        for place, name in enumerate(columns):
            if name in table:
                texts = map(str, table[name].tolist())
                numbers[:, place] = [codes.setdefault(text, len(codes)) for text in texts]
    return numbered


def _disagreements(first: Array, second: Array) -> int:
    """Count the rows on which predictions differ; all, where only one has a score of each label."""
    if first.ndim != second.ndim:
        return len(first)
    unequal = first != second
    return int(np.count_nonzero(unequal.any(axis=1) if unequal.ndim == 2 else unequal))


def _trials(metric: Metric, data: Data) -> Ints | None:
    """Count the rows of which each entry's score is a share, [m]; None where it is not a share."""
    if metric.definition.evaluation != "sums":
        return None
    known = metric.all_params
    if metric.function in ("accuracy_score", "zero_one_loss", "hamming_loss"):
        return np.full(len(data.y_preds), data.n)
    if known.get("average") != "binary":
        return None
    positive = known["pos_label"]
    if metric.function == "precision_score":
        return np.array([np.count_nonzero(y_pred == positive) for y_pred in data.y_preds])
    if metric.function == "recall_score":
        return np.full(len(data.y_preds), np.count_nonzero(data.y_true == positive))
    if metric.function == "specificity_score":
        return np.full(len(data.y_preds), np.count_nonzero(data.y_true != positive))
    return None


def _minority(metric: Metric, data: Data) -> int:
    """Count the gold's rarest class: of those the metric looks at, or of all."""
    present, sizes = np.unique(data.y_true, return_counts=True)
    of_interest = metric.all_params.get("labels")
    if of_interest is not None:
        size = dict(zip(present.tolist(), sizes.tolist(), strict=True))
        return int(min(size.get(label, 0) for label in of_interest))
    return int(sizes.min())
