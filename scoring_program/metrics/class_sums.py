"""Statistics of metrics on labels that look at one class at a time.

For each class c and entry, a row has three indicators: gold and prediction are c (tp), the
prediction is c (predicted), the gold is c (true).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.arrays import Array, Floats
from ..core.cells import AS_WRITTEN
from ..core.errors import MetricError
from ..core.phrases import Phrase
from .metric import Data, Evaluated
from .sums import Sums


def class_sums(data: Data, classes: Array, finish: Callable[[Floats], Evaluated]) -> Sums:
    """Return 3·C + 1 statistics of every entry: tp, predicted and true of each class, and drawn."""
    if (classes.dtype.kind in "US") != (data.y_true.dtype.kind in "US"):
        raise MetricError(
            "the settings' labels are texts and those of the reference data are whole numbers, or "
            f"the reverse: write texts {AS_WRITTEN}"
        )
    true = tuple(data.y_true == label for label in classes)
    drawn = (np.ones(data.n, np.bool_),)
    columns = []
    for y_pred in data.y_preds:
        predicted = tuple(y_pred == label for label in classes)
        tp = tuple(p & t for p, t in zip(predicted, true, strict=True))
        columns.append(tp + predicted + true + drawn)
    return Sums(tuple(columns), finish)


def split(sums: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the sums tp, predicted and true, [m, C, R] each, from those of `class_sums`."""
    size = (sums.shape[1] - 1) // 3
    return sums[:, :size], sums[:, size : 2 * size], sums[:, 2 * size : 3 * size]


def label_set(data: Data) -> Array:
    """Return the sorted labels in gold and predictions (the settings may list more)."""
    arrays = (data.y_true, *data.y_preds)
    if data.y_true.dtype.kind in "iub" and all(a.dtype.kind in "iub" for a in arrays):
        return np.unique(np.concatenate([np.unique(a) for a in arrays]))
    found: set[Any] = set()
    for array in arrays:
        found.update(array.tolist())
    try:
        return np.array(sorted(found))
    except TypeError as mixed:
        raise MetricError(Phrase("gold and predictions mix numbers and text as labels")) from mixed
