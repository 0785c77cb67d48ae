"""Statistics of metrics on labels that look at one class at a time.

For each class c and entry, a row has three indicators: gold and prediction are c (tp), the
prediction is c (predicted), the gold is c (true).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from ...core.arrays import Array, Floats, Ints, distinct
from ...core.cells import AS_WRITTEN, INVENTED_NUMBER, INVENTED_TEXT
from ...core.errors import MetricError
from ...core.phrases import Phrase
from ..metric import Data, Evaluated
from ..sums import Scattered, Sums

#: With more classes, the rows of each are listed.
_MANY = 256


def class_sums(
    data: Data,
    classes: Array,
    finish: Callable[[Floats], Evaluated],
    slopes: Callable[[Floats], Floats] | None = None,
) -> Sums:
    """Return 3·C + 1 statistics of every entry: tp, predicted and true of each class, and drawn.

    ``slopes`` are the derivatives of ``finish``, if it has any (`Sums`).
    """
    if (classes.dtype.kind in "US") != (data.y_true.dtype.kind in "US"):
        raise MetricError(
            "the settings' labels are texts and those of the reference data are whole numbers, or "
            f"the reverse: write texts {AS_WRITTEN}"
        )
    kinds = {array.dtype.kind for array in (classes, data.y_true, *data.y_preds)}
    if classes.size > _MANY and (kinds <= {*"iub"} or kinds == {"U"}):
        return Sums(_scattered_columns(data, classes), finish, slopes=slopes)
    true = tuple(data.y_true == label for label in classes)
    drawn = (np.ones(data.n, np.bool_),)
    columns = []
    for y_pred in data.y_preds:
        predicted = tuple(y_pred == label for label in classes)
        tp = tuple(p & t for p, t in zip(predicted, true, strict=True))
        columns.append(tp + predicted + true + drawn)
    return Sums(tuple(columns), finish)


def _scattered_columns(data: Data, classes: Array) -> tuple[tuple[Any, ...], ...]:
    """Return the statistics of `class_sums` by the rows where they are not zero."""
    labels, places = np.unique(classes, return_index=True)
    drawn = np.ones(data.n, np.bool_)

    def numbers(values: Array) -> Ints:
        """Return the class of every row, −1 if it is none of them."""
        near = np.searchsorted(labels, values).clip(max=labels.size - 1)
        return np.where(labels[near] == values, places[near], -1)

    def indicators(numbers: Ints) -> tuple[Scattered, ...]:
        rows = np.argsort(numbers, kind="stable")
        ends = np.searchsorted(numbers[rows], np.arange(classes.size + 1))
        return tuple(Scattered(rows[first:last], data.n) for first, last in pairwise(ends))

    gold = numbers(data.y_true)
    true, columns = indicators(gold), []
    for y_pred in data.y_preds:
        own = numbers(y_pred)
        tp = indicators(np.where(own == gold, own, -1))
        columns.append((*tp, *indicators(own), *true, drawn))
    return tuple(columns)


def split(sums: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the sums tp, predicted and true, [m, C, R] each, from those of `class_sums`."""
    size = (sums.shape[1] - 1) // 3
    return sums[:, :size], sums[:, size : 2 * size], sums[:, 2 * size : 3 * size]


def label_set(data: Data) -> Array:
    """Return the sorted labels in gold and predictions (the settings may list more).

    An open answer that is no label makes no class.
    """
    arrays = (data.y_true, *data.y_preds)
    if data.y_true.dtype.kind in "iub" and all(a.dtype.kind in "iub" for a in arrays):
        labels = distinct(np.concatenate([distinct(a) for a in arrays]))
        return np.asarray(labels[labels != INVENTED_NUMBER])
    every: set[Any] = set()
    for array in arrays:
        every.update(array.tolist())
    every.discard(INVENTED_TEXT)
    try:
        return np.array(sorted(every))
    except TypeError as mixed:
        raise MetricError(Phrase("gold and predictions mix numbers and text as labels")) from mixed
