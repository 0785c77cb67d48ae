"""Metrics on labels: accuracy, its losses, agreement beyond chance, and ratios of one class.

Metrics that look at one class at a time share statistics. For each class c and entry, a row has
three indicators: gold and prediction are c (tp), the prediction is c (predicted), the gold is c
(true).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from ...core.arrays import Array, Floats, Ints, distinct
from ...core.cells import AS_WRITTEN, INVENTED_NUMBER, is_invented
from ...core.errors import MetricError, SettingsError, nearest
from ...core.phrases import Phrase
from ..gold_needs import (
    class_of_interest,
    class_of_no_interest,
    two_classes,
    two_classes_if_adjusted,
)
from ..metric import ERROR, SHARE, Data, Definition, Evaluated, defined
from ..sums import STEP, Scattered, Sums, means_of

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
    true = indicators(gold)
    columns = []
    for y_pred in data.y_preds:
        predicted = numbers(y_pred)
        tp = indicators(np.where(predicted == gold, predicted, -1))
        columns.append((*tp, *indicators(predicted), *true, drawn))
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
        return np.asarray(labels[labels > INVENTED_NUMBER])
    every: set[Any] = set()
    for array in arrays:
        every.update(array.tolist())
    every = {label for label in every if not is_invented(label)}
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
    true = confusion.sum(axis=2)
    predicted = confusion.sum(axis=1)
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
    gold_defect=two_classes,
)


# Ratios of one class ------------------------------------------------------------------------------

# Ratios of one class, averaged over classes: precision, recall, specificity, F-beta, Jaccard.
#
# On every resample, scikit-learn's `precision_recall_fscore_support` and `jaccard_score` define
# which classes count, the value of a zero division, and how classes are averaged. Without
# ``labels``, a class counts if the resample's gold or predictions hold it.


#: Sums of some entries that are averaged at once: what is made of them stays in a core's cache.
_AT_ONCE = 2**18
_AVERAGES = ("binary", "micro", "macro", "weighted")
#: The parameters and their defaults.
_PARAMS: Mapping[str, Any] = {
    "labels": None,
    "pos_label": 1,
    "average": "binary",
    "zero_division": "warn",
}
#: A metric of one class: numerator and denominator from tp, predicted, true and the draws' total.
Ratio = Callable[[Floats, Floats, Floats, Floats], tuple[Floats, Floats]]


def _bound(data: Data, params: Mapping[str, Any], ratio: Ratio) -> Sums:
    """Bind a ratio per class, averaged as ``params["average"]`` says.

    Raises MetricError if scikit-learn refuses the parameters.
    """
    ratio = with_beta(ratio, params)
    average = params["average"]
    if average not in _AVERAGES:
        raise MetricError(
            f"average={average!r} is not one of {', '.join(_AVERAGES)}"
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
                f"pos_label={params['pos_label']!r} is not one of the data's two labels: name "
                "the class of interest, as in f1_score: {pos_label: yes}, "
                f"{AS_WRITTEN}, or set average: macro"
            )
        classes = np.array([params["pos_label"]])
    elif params["labels"] is not None:
        classes = np.array(params["labels"])
        if len({type(label) for label in params["labels"]}) > 1:
            raise MetricError(
                "the settings' labels mix texts and numbers; write all of them as texts"
            )
    else:
        classes = present
    finish = partial(
        averaged,
        ratio=ratio,
        average=average,
        fixed_classes=average == "binary" or params["labels"] is not None,
        zero_division=zero_division(params["zero_division"]),
    )
    slopes = partial(
        _slopes, ratio=ratio, average=average, fixed_classes=params["labels"] is not None
    )
    return class_sums(data, classes, finish, slopes)


def averaged(
    sums: Floats, ratio: Ratio, average: str, fixed_classes: bool, zero_division: float
) -> Evaluated:
    """Average a ratio of the sums of `class_sums`, [m, 3·C + 1, R], over the classes."""
    step = max(1, _AT_ONCE // max(sums[0].size, 1))
    if step < len(sums):
        parts = [
            averaged(sums[k : k + step], ratio, average, fixed_classes, zero_division)
            for k in range(0, len(sums), step)
        ]
        return Evaluated(
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.undefined for part in parts]),
        )
    tp, predicted, true = split(sums)
    total = sums[:, -1:]
    counted = np.ones(tp.shape, np.bool_) if fixed_classes else (predicted + true) > 0
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


def _slopes(sums: Floats, ratio: Ratio, average: str, fixed_classes: bool) -> Floats:
    """Return the derivatives [m, 3·C + 1] of `averaged` with respect to the sums [m, 3·C + 1].

    A class's sums change its own ratio only, so those of all classes are moved at once. Its share
    of a weighted mean follows its ``true``.
    """
    parts = [*split(sums[:, :, None]), sums[:, -1:, None]]
    counted = np.ones(parts[0].shape, np.bool_) if fixed_classes else (parts[1] + parts[2]) > 0
    shares = counted * (parts[2] if average == "weighted" else 1.0)
    if average == "micro":
        number = counted.sum(axis=1, keepdims=True)
        sums_of_classes = [(part * counted).sum(axis=1, keepdims=True) for part in parts[:3]]
        shares = np.ones_like(parts[3])
        parts = [*sums_of_classes, parts[3] * number]
    whole = shares.sum(axis=1, keepdims=True)

    def value(moved: Sequence[Floats]) -> Floats:
        numerator, denominator = ratio(*moved)
        return np.divide(
            numerator, denominator, out=np.zeros(parts[0].shape), where=denominator != 0
        )

    def slope(place: int) -> Floats:
        step = STEP * np.maximum(parts[place], 1.0)
        before = parts[:place]
        after = parts[place + 1 :]
        above = value([*before, parts[place] + step, *after])
        below = value([*before, parts[place] - step, *after])
        slopes: Floats = (above - below) / (2 * step) * shares / whole
        return slopes

    tp, predicted, true, total = map(slope, range(4))
    if average == "weighted":
        values = value(parts)
        mean = (values * shares).sum(axis=1, keepdims=True) / whole
        true = true + counted * (values - mean) / whole
    if average == "micro":
        tp, predicted, true = (part * counted for part in (tp, predicted, true))
        total = total * number
    by_class = np.concatenate([tp, predicted, true, total.sum(axis=1, keepdims=True)], axis=1)
    return by_class[:, :, 0]


def _mean(values: Floats, weights: Floats | None, counted: Array) -> Floats:
    """Average [m, C, R] over the classes that count; unweighted if all weights are zero."""
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


def zero_division(setting: Any) -> float:
    """Return the value of a zero division by scikit-learn's parameter of this name."""
    return 0.0 if setting == "warn" else float(setting)


def with_beta(ratio: Callable[..., Any], params: Mapping[str, Any]) -> Ratio:
    """Return a ratio, of which `f_beta` needs a parameter."""
    return partial(ratio, beta=float(params.get("beta", 1.0))) if ratio is f_beta else ratio


def precision(tp: Floats, predicted: Floats, true: Floats, total: Floats) -> tuple[Floats, Floats]:
    """tp / predicted."""
    return tp, predicted


def recall(tp: Floats, predicted: Floats, true: Floats, total: Floats) -> tuple[Floats, Floats]:
    """tp / true."""
    return tp, true


def specificity(
    tp: Floats, predicted: Floats, true: Floats, total: Floats
) -> tuple[Floats, Floats]:
    """True negatives / negatives."""
    return total - predicted - true + tp, total - true


def f_beta(
    tp: Floats, predicted: Floats, true: Floats, total: Floats, beta: float = 1.0
) -> tuple[Floats, Floats]:
    """(1 + β²)·tp / (β²·true + predicted); recall for an infinite β."""
    square = beta * beta  # infinite, where a power would raise an error
    if math.isinf(square):
        return tp, true
    return (1.0 + square) * tp, square * true + predicted


def jaccard(tp: Floats, predicted: Floats, true: Floats, total: Floats) -> tuple[Floats, Floats]:
    """tp / (true + predicted − tp)."""
    return tp, true + predicted - tp


def specificity_score(
    y_true: Array, y_pred: Array, sample_weight: Floats | None = None, **params: Any
) -> float:
    """Return the recall of the examples outside a class, averaged like scikit-learn's recall."""
    from sklearn.metrics import multilabel_confusion_matrix

    average = params.get("average", "binary")
    labels = [params.get("pos_label", 1)] if average == "binary" else params.get("labels")
    setting = params.get("zero_division", "warn")
    instead = 0.0 if setting == "warn" else float(setting)
    confusion = multilabel_confusion_matrix(
        y_true, y_pred, labels=labels, sample_weight=sample_weight
    )
    negatives = confusion[:, 0].sum(axis=1)
    right = confusion[:, 0, 0]
    weights = confusion[:, 1].sum(axis=1)
    if average == "micro":
        right = right.sum()[None]
        negatives = negatives.sum()[None]
        weights = np.ones(1)
    values = [r / t if t else instead for r, t in zip(right, negatives, strict=True)]
    defined = [
        (value, weight if average == "weighted" else 1.0)
        for value, weight in zip(values, weights, strict=True)
        if not math.isnan(value)
    ]
    if not defined:
        return math.nan
    total = sum(weight for _, weight in defined)
    if total == 0:
        return float(np.mean([value for value, _ in defined]))
    return float(sum(value * weight for value, weight in defined) / total)


_RATIO = partial(
    SHARE, kind="labels", evaluation="sums", defaults=_PARAMS, gold_defect=class_of_interest
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
        gold_defect=two_classes_if_adjusted,
    ),
    _AGREEMENT("matthews_corrcoef", "MCC", build=matthews),
    _AGREEMENT("cohen_kappa_score", "Cohen's kappa", build=kappa, defaults={"weights": None}),
    _RATIO("precision_score", "precision", build=partial(_bound, ratio=precision)),
    _RATIO("recall_score", "recall", build=partial(_bound, ratio=recall)),
    _RATIO(
        "specificity_score",
        "specificity",
        build=partial(_bound, ratio=specificity),
        oracle=f"{__name__}:specificity_score",
        gold_defect=class_of_no_interest,
    ),
    _RATIO("f1_score", "F1", build=partial(_bound, ratio=f_beta)),
    _RATIO(
        "fbeta_score",
        "F-beta",
        build=partial(_bound, ratio=f_beta),
        defaults={**_PARAMS, "beta": 1.0},
    ),
    _RATIO("jaccard_score", "Jaccard", build=partial(_bound, ratio=jaccard)),
)
