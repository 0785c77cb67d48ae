"""Metrics on labels: accuracy, its losses, and balanced accuracy."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from ...core.arrays import Floats
from ..metric import ERROR, SHARE, Data, Evaluated, defined
from ..sums import Sums
from .class_sums import class_sums, label_set, split


def accuracy(data: Data, params: Mapping[str, Any]) -> Sums:
    """Statistics of accuracy: a prediction is right; the row was drawn."""
    drawn = np.ones(data.n, np.bool_)
    return Sums(tuple((data.y_true == y_pred, drawn) for y_pred in data.y_preds), _share)


def errors(data: Data, params: Mapping[str, Any]) -> Sums:
    """Statistics of the zero-one loss. With one label per row, it is also the Hamming loss.

    Errors are counted, because 1 − accuracy would round a few errors of many rows.
    """
    drawn = np.ones(data.n, np.bool_)
    return Sums(tuple((data.y_true != y_pred, drawn) for y_pred in data.y_preds), _share)


def _share(sums: Floats) -> Evaluated:
    return defined(sums[:, 0] / sums[:, 1])


def balanced_accuracy(data: Data, params: Mapping[str, Any]) -> Sums:
    """Statistics of the mean recall over the classes that the resample's gold holds."""
    classes = label_set(data)
    return class_sums(data, classes, partial(_balanced, adjusted=bool(params["adjusted"])))


def _balanced(sums: Floats, adjusted: bool) -> Evaluated:
    tp, _, true = split(sums)
    counted = true > 0
    recalls = np.divide(tp, true, out=np.zeros_like(tp), where=counted)
    number = counted.sum(axis=1)
    values = recalls.sum(axis=1) / number
    if adjusted:
        chance = 1.0 / number
        with np.errstate(invalid="ignore", divide="ignore"):
            values = (values - chance) / (1.0 - chance)
        values = np.where(number > 1, values, np.nan)
    return defined(values)


def balanced_bounds(data: Data, params: Mapping[str, Any]) -> tuple[float, float]:
    """Return 0 and 1; or −1 and 1 if adjusted for chance, the least value with two classes."""
    return (-1.0 if params.get("adjusted") else 0.0), 1.0


_ACCURACY = partial(SHARE, kind="labels", evaluation="sums")
_LOSS = partial(ERROR, kind="labels", high=1, evaluation="sums")

DEFINITIONS = (
    _ACCURACY("accuracy_score", "accuracy", build=accuracy),
    _LOSS("zero_one_loss", "zero-one loss", build=errors),
    _LOSS("hamming_loss", "Hamming loss", build=errors),
    _ACCURACY(
        "balanced_accuracy_score",
        "balanced accuracy",
        build=balanced_accuracy,
        params={"adjusted": False},
        bounds=balanced_bounds,
    ),
)
