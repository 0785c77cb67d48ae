"""Metrics on labels that need the sums of one class at a time: correct, predicted and true.

For each class c and entry three indicators of a row: gold and prediction are c (tp), the
prediction is c (predicted), the gold is c (true). Which classes take part, what a zero division
gives and how classes are averaged follow scikit-learn's `precision_recall_fscore_support` and
`jaccard_score`, on every resample: without ``labels``, a class takes part if the resample's gold
or predictions hold it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..alignment.cells import AS_WRITTEN
from ..core.arrays import Array, Floats
from ..core.errors import MetricError, nearest
from .metric import Data, Evaluated, defined
from .sums import Sums

_AVERAGES = ("binary", "micro", "macro", "weighted")
#: A metric of one class: numerator and denominator from tp, predicted, true and the draws' total.
Ratio = Callable[[Floats, Floats, Floats, Floats], tuple[Floats, Floats]]


def accuracy(data: Data, params: Mapping[str, Any]) -> Sums:
    """Statistics of accuracy: a prediction is right; the row was drawn."""
    drawn = np.ones(data.n, np.bool_)
    return Sums(tuple((data.y_true == y_pred, drawn) for y_pred in data.y_preds), _share)


def errors(data: Data, params: Mapping[str, Any]) -> Sums:
    """Statistics of the zero-one loss, which for one label a row is the Hamming loss too.

    Errors are counted, as 1 − accuracy would round few of many rows.
    """
    drawn = np.ones(data.n, np.bool_)
    return Sums(tuple((data.y_true != y_pred, drawn) for y_pred in data.y_preds), _share)


def _share(sums: Floats) -> Evaluated:
    return defined(sums[:, 0] / sums[:, 1])


def balanced_accuracy(data: Data, params: Mapping[str, Any]) -> Sums:
    """Statistics of the mean recall over the classes that the resample's gold holds."""
    classes = label_set(data)
    return per_class(data, classes, partial(_balanced, adjusted=bool(params["adjusted"])))


def _balanced(sums: Floats, adjusted: bool) -> Evaluated:
    tp, _, true = _split(sums)
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
    """Return 0 and 1; adjusted for chance, as little as −1 where two classes are drawn."""
    return (-1.0 if params.get("adjusted") else 0.0), 1.0


@dataclass(frozen=True)
class Averaged:
    """A ratio per class, averaged as ``params["average"]`` says; what the registry builds with."""

    ratio: Callable[[Mapping[str, Any]], Ratio]

    def __call__(self, data: Data, params: Mapping[str, Any]) -> Sums:
        """Bind the ratio to data; raise MetricError where scikit-learn refuses the parameters."""
        average = params["average"]
        if average not in _AVERAGES:
            raise MetricError(
                f"average={average!r} is none of {', '.join(_AVERAGES)}"
                f"{nearest(str(average), _AVERAGES)}"
            )
        present = label_set(data)
        if average == "binary":
            if len(present) > 2:
                raise MetricError(
                    f"average='binary' needs two labels, and the data hold {len(present)}: set "
                    "average to macro, micro or weighted, or name the labels"
                )
            if params["pos_label"] not in present.tolist() and len(present) == 2:
                raise MetricError(
                    f"pos_label={params['pos_label']!r} is none of the data's two labels: name the "
                    "class of interest, as in f1_score: {pos_label: yes}, "
                    f"{AS_WRITTEN}, or set average: macro"
                )
            classes = np.array([params["pos_label"]])
        elif params["labels"] is not None:
            classes = np.array(params["labels"])
            if len({type(label) for label in params["labels"]}) > 1:
                raise MetricError("the settings' labels are texts as well as numbers")
        else:
            classes = present
        finish = partial(
            _averaged,
            ratio=self.ratio(params),
            average=average,
            chosen=average == "binary" or params["labels"] is not None,
            zero_division=_zero_division(params["zero_division"]),
        )
        return per_class(data, classes, finish)


def _averaged(
    sums: Floats, ratio: Ratio, average: str, chosen: bool, zero_division: float
) -> Evaluated:
    """Average a ratio of [m, C, R] sums over the classes."""
    tp, predicted, true = _split(sums)
    total = sums[:, -1:]
    counted = np.ones(tp.shape, np.bool_) if chosen else (predicted + true) > 0
    if average == "micro":
        tp, predicted, true = (part.sum(axis=1, keepdims=True) for part in (tp, predicted, true))
        total = total * counted.sum(axis=1, keepdims=True)
        counted = np.ones(tp.shape, np.bool_)
    numerator, denominator = ratio(tp, predicted, true, total)
    empty = (denominator == 0) & counted
    if not empty.any():
        values = np.divide(numerator, denominator, out=np.zeros_like(tp), where=counted)
        return defined(_mean(values, true if average == "weighted" else None, counted))
    values = np.divide(numerator, denominator, out=np.zeros_like(tp), where=denominator != 0)
    values[empty] = 0.0 if math.isnan(zero_division) else zero_division
    if math.isnan(zero_division):
        counted = counted & ~empty
    means = _mean(values, true if average == "weighted" else None, counted)
    return Evaluated(means, empty.any(axis=1))


def _mean(values: Floats, weights: Floats | None, counted: Array) -> Floats:
    """Average [m, C, R] over the classes that count; unweighted where all weights are zero."""
    if values.shape[1] == 1:
        return np.where(counted[:, 0], values[:, 0], np.nan)
    shares = counted.astype(np.float64)
    if weights is not None:
        weighted = weights * shares
        none = weighted.sum(axis=1, keepdims=True) == 0
        shares = np.where(none, shares, weighted)
    total = shares.sum(axis=1)
    with np.errstate(invalid="ignore"):
        means: Floats = (values * shares).sum(axis=1) / np.where(total == 0, np.nan, total)
    return means


def _zero_division(setting: Any) -> float:
    if setting == "warn":
        return 0.0
    if isinstance(setting, str) or (setting not in (0, 1) and not math.isnan(setting)):
        raise MetricError(f"zero_division={setting!r} is none of 0, 1, nan")
    return float(setting)


def precision(params: Mapping[str, Any]) -> Ratio:
    """tp / predicted."""
    return _precision


def _precision(tp: Floats, predicted: Floats, true: Floats, total: Floats) -> tuple[Floats, Floats]:
    return tp, predicted


def recall(params: Mapping[str, Any]) -> Ratio:
    """tp / true."""
    return _recall


def _recall(tp: Floats, predicted: Floats, true: Floats, total: Floats) -> tuple[Floats, Floats]:
    return tp, true


def specificity(params: Mapping[str, Any]) -> Ratio:
    """True negatives / negatives."""
    return _specificity


def _specificity(
    tp: Floats, predicted: Floats, true: Floats, total: Floats
) -> tuple[Floats, Floats]:
    return total - predicted - true + tp, total - true


def f_beta(params: Mapping[str, Any]) -> Ratio:
    """(1 + β²)·tp / (β²·true + predicted); recall for an infinite β."""
    beta = float(params.get("beta", 1.0))
    square = beta * beta  # infinite, where a power would raise an error
    return _recall if math.isinf(square) else partial(_f_beta, square=square)


def _f_beta(
    tp: Floats, predicted: Floats, true: Floats, total: Floats, square: float
) -> tuple[Floats, Floats]:
    return (1.0 + square) * tp, square * true + predicted


def jaccard(params: Mapping[str, Any]) -> Ratio:
    """tp / (true + predicted − tp)."""
    return _jaccard


def _jaccard(tp: Floats, predicted: Floats, true: Floats, total: Floats) -> tuple[Floats, Floats]:
    return tp, true + predicted - tp


def per_class(data: Data, classes: Array, finish: Callable[[Floats], Evaluated]) -> Sums:
    """Lay out 3·C + 1 statistics of every entry: tp, predicted, true of each class; drawn."""
    if (classes.dtype.kind in "US") != (data.y_true.dtype.kind in "US"):
        raise MetricError(
            "the settings' labels are texts and the gold's are whole numbers, or the reverse: "
            f"write texts {AS_WRITTEN}"
        )
    true = tuple(data.y_true == label for label in classes)
    drawn = (np.ones(data.n, np.bool_),)
    columns = []
    for y_pred in data.y_preds:
        predicted = tuple(y_pred == label for label in classes)
        tp = tuple(p & t for p, t in zip(predicted, true, strict=True))
        columns.append(tp + predicted + true + drawn)
    return Sums(tuple(columns), finish)


def _split(sums: Floats) -> tuple[Floats, Floats, Floats]:
    size = (sums.shape[1] - 1) // 3
    return sums[:, :size], sums[:, size : 2 * size], sums[:, 2 * size : 3 * size]


def label_set(data: Data) -> Array:
    """Return the sorted labels that gold or predictions hold (the settings' set may hold more)."""
    arrays = (data.y_true, *data.y_preds)
    if data.y_true.dtype.kind in "iub" and all(a.dtype.kind in "iub" for a in arrays):
        return np.unique(np.concatenate([np.unique(a) for a in arrays]))
    found: set[Any] = set()
    for array in arrays:
        found.update(array.tolist())
    try:
        return np.array(sorted(found))
    except TypeError as mixed:
        raise MetricError("gold and predictions mix numbers and text as labels") from mixed
