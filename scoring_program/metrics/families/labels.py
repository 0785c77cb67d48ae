"""Metrics on labels: accuracy, its losses, balanced accuracy, and agreement beyond chance.

Metrics that look at one class at a time share statistics. For each class c and entry, a row has
three indicators: gold and prediction are c (tp), the prediction is c (predicted), the gold is c
(true).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from ...core.arrays import Array, Floats, Ints, distinct
from ...core.cells import AS_WRITTEN, INVENTED_NUMBER, INVENTED_TEXT
from ...core.errors import MetricError, SettingsError
from ...core.phrases import Phrase
from ..metric import ERROR, SHARE, Data, Definition, Evaluated, defined
from ..sums import Scattered, Sums, means_of

#: With more classes, the rows of each are listed.
_MANY = 256


def class_sums(
    data: Data,
    classes: Array,
    finish: Callable[[Floats], Evaluated],
    slopes: Callable[[Floats], Floats] | None = None,
) -> Sums:
    """Return 3·C + 1 statistics of every entry: tp, predicted and true of each class, and drawn.

    ``slopes`` are the derivatives of ``finish``, if it has any (`Sums`). Raises MetricError if the
    classes are texts and the gold holds numbers, or the reverse.
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

    An open answer that is no label makes no class. Raises MetricError if labels mix numbers and
    texts.
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


def accuracy(data: Data, params: Mapping[str, Any]) -> Sums:
    """Statistics of accuracy: a prediction is right; the row was drawn."""
    return means_of(data.n, (data.y_true == y_pred for y_pred in data.y_preds))


def errors(data: Data, params: Mapping[str, Any]) -> Sums:
    """Statistics of the zero-one loss. With one label per row, it is also the Hamming loss.

    Errors are counted, because 1 − accuracy would round a few errors of many rows.
    """
    return means_of(data.n, (data.y_true != y_pred for y_pred in data.y_preds))


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


def matthews(data: Data, params: Mapping[str, Any]) -> Sums:
    """Bind Matthews' correlation, for any number of classes (Gorodkin 2004, R_K)."""
    return class_sums(data, label_set(data), _matthews)


def _matthews(sums: Floats) -> Evaluated:
    tp, predicted, true = split(sums)
    n = sums[:, -1]
    covariance = tp.sum(axis=1) * n - (true * predicted).sum(axis=1)
    variances = (n * n - (predicted * predicted).sum(axis=1)) * (n * n - (true * true).sum(axis=1))
    values = np.divide(
        covariance, np.sqrt(variances), out=np.zeros_like(covariance), where=variances != 0
    )
    return Evaluated(values, variances == 0)


def kappa(data: Data, params: Mapping[str, Any]) -> Sums:
    """Bind Cohen's kappa; ``weights`` is None, "linear" or "quadratic".

    Where all that is drawn of the gold is of one class, it tells nothing and has no value. There
    scikit-learn gives 0 to whoever errs, and no value (0/0) to whoever does not; so the best
    entries would be those that have none.

    With weights it needs the whole confusion matrix, because a class that is not drawn changes the
    distances of the others.
    """
    classes = label_set(data)
    if params["weights"] is None:
        return class_sums(data, classes, _kappa)
    if classes.dtype.kind in "US" and len(classes) > 2:
        raise SettingsError(
            "cohen_kappa_score: weights need the order of the classes, which their names do not "
            "tell; state it, as in {weights: quadratic, labels: [low, mid, high]}"
        )
    true = [data.y_true == label for label in classes]
    columns = []
    for y_pred in data.y_preds:
        predicted = [y_pred == label for label in classes]
        columns.append(tuple(t & p for t in true for p in predicted))
    power = {"linear": 1.0, "quadratic": 2.0}[params["weights"]]
    return Sums(tuple(columns), partial(_weighted_kappa, size=len(classes), power=power))


def _kappa(sums: Floats) -> Evaluated:
    tp, predicted, true = split(sums)
    n = sums[:, -1]
    wrong = n - tp.sum(axis=1)
    expected = n - (true * predicted).sum(axis=1) / n
    return _one_less(wrong, np.where(_single(true), 0.0, expected))


def _weighted_kappa(sums: Floats, size: int, power: float) -> Evaluated:
    confusion = sums.reshape(len(sums), size, size, -1)
    true, predicted = confusion.sum(axis=2), confusion.sum(axis=1)
    place = np.cumsum((true + predicted) > 0, axis=1)
    distance = np.abs(place[:, :, None] - place[:, None]) ** power
    wrong = (distance * confusion).sum(axis=(1, 2))
    expected = (distance * true[:, :, None] * predicted[:, None]).sum(axis=(1, 2))
    return _one_less(wrong, np.where(_single(true), 0.0, expected / true.sum(axis=1)))


def _single(true: Floats) -> Any:
    """Whether all that is drawn of the gold is of one class."""
    return (true > 0).sum(axis=1) == 1


def _one_less(wrong: Floats, expected: Floats) -> Evaluated:
    with np.errstate(invalid="ignore", divide="ignore"):
        values = 1.0 - wrong / expected
    return defined(np.where(expected == 0, np.nan, values))


_ACCURACY = partial(SHARE, kind="labels", evaluation="sums")
_LOSS = partial(ERROR, kind="labels", high=1, evaluation="sums")

_AGREEMENT = partial(
    Definition,
    kind="labels",
    greater_is_better=True,
    ideal=1,
    low=-1,
    high=1,
    evaluation="sums",
    no_skill=0,
)

DEFINITIONS = (
    _ACCURACY("accuracy_score", "accuracy", build=accuracy),
    _LOSS("zero_one_loss", "zero-one loss", build=errors),
    _LOSS("hamming_loss", "Hamming loss", build=errors),
    _ACCURACY(
        "balanced_accuracy_score",
        "balanced accuracy",
        build=balanced_accuracy,
        defaults={"adjusted": False},
        bounds=balanced_bounds,
    ),
    _AGREEMENT("matthews_corrcoef", "MCC", build=matthews),
    _AGREEMENT("cohen_kappa_score", "Cohen's kappa", build=kappa, defaults={"weights": None}),
)
