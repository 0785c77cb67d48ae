"""Classes: those that scores and parameters refer to, and the one of a single score per row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..core.arrays import Array, distinct
from ..core.cells import AS_WRITTEN, setting_reader
from ..core.errors import MetricError
from ..core.phrases import Phrase
from .metric import Data


def classes_of(data: Data) -> Array:
    """Return the sorted classes that scores refer to: the label set or, if unknown, the gold's."""
    return distinct(data.y_true) if data.labels is None else np.sort(data.labels)


def with_labels_of_data(params: Mapping[str, Any], data: Data) -> Mapping[str, Any]:
    """Return a metric's parameters with the labels of the data instead of those in the settings.

    A label that is not in the data stays, and the metric refuses it. Raises MetricError if two of
    ``labels`` mean the same label.
    """
    named = [key for key in ("pos_label", "labels") if params.get(key) is not None]
    if not named:
        return params
    read = setting_reader(classes_of(data).tolist())

    def found(value: Any) -> Any:
        label = read(value)
        return value if label is None else label

    changed = dict(params)
    for key in named:
        value = params[key]
        if not isinstance(value, (list, tuple)):
            changed[key] = found(value)
            continue
        changed[key] = [found(item) for item in value]
        if len(set(map(str, changed[key]))) < len(value):
            raise MetricError(f"{key}={value!r} names a label twice; name each once")
    return changed


def positive_label(data: Data, params: Mapping[str, Any]) -> Any:
    """Return the label that scores [n] refer to: pos_label, or the larger of two labels."""
    given = params.get("pos_label")
    classes = classes_of(data)
    if given is not None:
        if given not in classes.tolist():
            raise MetricError(
                f"pos_label={given!r} is not a label of the data: write it {AS_WRITTEN}"
            )
        return given
    if len(classes) > 2:
        raise MetricError(
            Phrase(
                "there are more than two labels, but only one score per row; send one column per "
                "label, with the label as its name"
            )
        )
    return classes[-1]


def precision_label(data: Data, params: Mapping[str, Any]) -> Any:
    """Return the label of the average precision: pos_label, 1, or the larger of two labels."""
    if params.get("pos_label") is None and 1 in classes_of(data).tolist():
        return 1
    return positive_label(data, params)


def take_positive_column(data: Data, positive: Any) -> Data:
    """Replace scores of two labels, [n, 2], by those of the positive label, [n]."""
    place = classes_of(data).tolist().index(positive)
    taken = (y_pred[:, place] if y_pred.ndim == 2 else y_pred for y_pred in data.y_preds)
    return replace(data, y_preds=tuple(taken))
