"""Agreement of labels beyond chance: Matthews' correlation and Cohen's kappa."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from ...core.arrays import Floats
from ..metric import Data, Definition, Evaluated, defined
from ..sums import Sums
from .class_sums import class_sums, label_set


def matthews(data: Data, params: Mapping[str, Any]) -> Sums:
    """Bind Matthews' correlation, for any number of classes (Gorodkin 2004, R_K)."""
    return class_sums(data, label_set(data), _matthews)


def _matthews(sums: Floats) -> Evaluated:
    tp, predicted, true = np.split(sums[:, :-1], 3, axis=1)
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
    true = [data.y_true == label for label in classes]
    columns = []
    for y_pred in data.y_preds:
        predicted = [y_pred == label for label in classes]
        columns.append(tuple(t & p for t in true for p in predicted))
    power = {"linear": 1.0, "quadratic": 2.0}[params["weights"]]
    return Sums(tuple(columns), partial(_weighted_kappa, size=len(classes), power=power))


def _kappa(sums: Floats) -> Evaluated:
    tp, predicted, true = np.split(sums[:, :-1], 3, axis=1)
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
    _AGREEMENT("matthews_corrcoef", "MCC", build=matthews),
    _AGREEMENT("cohen_kappa_score", "Cohen's kappa", build=kappa, params={"weights": None}),
)
