"""Metrics of probabilities and decision values that are sums: log loss, Brier, hinge, D² log loss.

Probabilities are [n] for the positive (larger) of two labels, or [n, c] in the order of the sorted
label set. Every resample has the whole label set: a class that is not drawn is still a class.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from ...core.arrays import Array, Floats
from ...core.errors import MetricError
from ..gold_needs import two_classes, two_classes_of_probabilities
from ..metric import ERROR, Data, Definition, Evaluated, classes_of, defined, positive_label
from ..sums import Sums, means_of


def log_loss(data: Data, params: Mapping[str, Any]) -> Sums:
    """Bind −log(probability of the gold label). Probabilities stay an epsilon away from 0 and 1."""
    return means_of(data.n, _log_losses(data))


def d2_log_loss(data: Data, params: Mapping[str, Any]) -> Sums:
    """Bind 1 − log loss / log loss of the resample's class frequencies."""
    classes = tuple(data.y_true == label for label in classes_of(data))
    return Sums(tuple((losses, *classes) for losses in _log_losses(data)), _share_explained)


def _share_explained(sums: Floats) -> Evaluated:
    losses = sums[:, 0]
    drawn = sums[:, 1:]
    n = drawn.sum(axis=1)
    shares = drawn / n[:, None]
    logs = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    entropy = -(drawn * logs).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = 1.0 - losses / entropy
    # If a class is not drawn, scikit-learn computes the frequencies.
    return Evaluated(values, np.isnan(values), (drawn == 0).any(axis=1) | (n < 2))


def _log_losses(data: Data) -> Iterator[Floats]:
    small = np.finfo(np.float64).eps
    for y_pred in data.y_preds:
        table = np.clip(_table(data, y_pred), small, 1.0 - small)
        yield -np.log(table[np.arange(data.n), _columns_of(data)])


def brier(data: Data, params: Mapping[str, Any]) -> Sums:
    """Bind the Brier score: the squared distance from probability 1 of the gold label."""

    def squares(y_pred: Floats) -> Floats:
        if y_pred.ndim == 1:
            return np.asarray(np.square(y_pred - (data.y_true == positive_label(data))))
        certain = np.eye(y_pred.shape[1])[_columns_of(data)]
        halved = 0.5 if y_pred.shape[1] == 2 else 1.0
        return np.asarray(halved * np.square(y_pred - certain).sum(axis=1))

    return means_of(data.n, map(squares, data.y_preds))


def brier_bounds(data: Data, params: Mapping[str, Any]) -> tuple[float, float]:
    """Return 0 and the score of a certain mistake. scikit-learn halves it for two classes."""
    halved = params.get("scale_by_half", "auto")
    if halved == "auto" and params.get("pos_label") is not None:
        halved = True  # one class against the others, see `with_positive_last`
    elif halved == "auto" and not data.y_preds:
        halved = len(classes_of(data)) == 2
    elif halved == "auto":
        halved = all(y_pred.ndim == 1 or y_pred.shape[1] == 2 for y_pred in data.y_preds)
    return 0.0, 1.0 if halved else 2.0


def hinge(data: Data, params: Mapping[str, Any]) -> Sums:
    """Bind the hinge loss max(0, 1 − margin) of decision values [n] or [n, c]."""
    drawn = np.ones(data.n, np.bool_)
    columns: list[tuple[Array, ...]] = []
    for y_pred in data.y_preds:
        if y_pred.ndim == 1:
            positive = data.y_true == positive_label(data)
            loss = np.maximum(0.0, 1.0 - np.where(positive, y_pred, -y_pred))
            # If only one class is drawn, scikit-learn treats it as the negative one.
            columns.append((loss, np.maximum(0.0, 1.0 + y_pred), positive, drawn))
        else:
            rows = np.arange(data.n)
            gold = _columns_of(data)
            rival_scores = y_pred.copy()
            rival_scores[rows, gold] = -np.inf
            margin = y_pred[rows, gold] - rival_scores.max(axis=1)
            loss = np.maximum(0.0, 1.0 - margin)
            columns.append((loss, loss, np.zeros(data.n, np.bool_), drawn))
    return Sums(tuple(columns), _hinge)


def _hinge(sums: Floats) -> Evaluated:
    loss, as_negative, positive, n = np.moveaxis(sums, 1, 0)
    return defined(np.where(positive == n, as_negative, loss) / n)


def every_class(data: Data) -> Mapping[str, Any]:
    """Return scikit-learn's parameter for the whole label set."""
    return {"labels": classes_of(data).tolist()}


def positive_class(data: Data) -> Mapping[str, Any]:
    """Return scikit-learn's parameter: the positive class for [n], all classes for [n, c]."""
    if any(y_pred.ndim == 2 for y_pred in data.y_preds):
        return every_class(data)
    return {"pos_label": positive_label(data)}


def class_arguments(arguments: Collection[str], data: Data) -> Mapping[str, Any]:
    """Return the label set and the positive label, if a function takes them as arguments."""
    arguments_of_classes = {**every_class(data), **positive_class(data)}
    return {key: value for key, value in arguments_of_classes.items() if key in arguments}


def _table(data: Data, y_pred: Floats) -> Floats:
    """Return probabilities of every class, [n, c]."""
    if y_pred.ndim == 2:
        if y_pred.shape[1] != len(classes_of(data)):
            raise MetricError(
                "{number} probabilities per row for {labels} labels; give one for each label",
                number=y_pred.shape[1],
                labels=len(classes_of(data)),
            )
        return y_pred
    positive_label(data)
    return np.stack([1.0 - y_pred, y_pred], axis=1)


def _columns_of(data: Data) -> Any:
    return np.searchsorted(classes_of(data), data.y_true)


_NAMED: Mapping[str, Any] = {"pos_label": None}
_LOSS = partial(
    ERROR,
    evaluation="sums",
    defaults=_NAMED,
    context=every_class,
    positive="single",
    gold_defect=two_classes_of_probabilities,
)

DEFINITIONS = (
    _LOSS("log_loss", "log loss", "probabilities", build=log_loss),
    _LOSS(
        "brier_score_loss",
        "Brier score",
        "probabilities",
        high=2,
        build=brier,
        context=positive_class,
        positive="always",
        bounds=brier_bounds,
    ),
    Definition(
        "d2_log_loss_score",
        "D² log loss",
        "probabilities",
        greater_is_better=True,
        ideal=1,
        high=1,
        evaluation="sums",
        build=d2_log_loss,
        defaults=_NAMED,
        context=every_class,
        positive="single",
        gold_defect=two_classes,
    ),
    _LOSS("hinge_loss", "hinge loss", "scores", build=hinge),
)
