"""Metrics on numbers: sums of errors or of squared deviations, medians and the largest error."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...core.arrays import Floats, Ints
from ...core.errors import MetricError
from ...core.phrases import Phrase
from .. import gold_needs
from ..metric import ERROR, Data, Definition, Evaluated, defined
from ..ordered import Ordered, Resampled, Running
from ..sums import CANCELLED, Sums, centered, means_of

#: A number of each row of one entry in ascending order, and their rows, [n]; running totals.
Sorted = tuple[Floats, Ints, Running]
#: An error of each row, [n], from gold, predictions and the metric's parameters.
Error = Callable[[Floats, Floats, Mapping[str, Any]], Floats]


def mean_error(data: Data, params: Mapping[str, Any], error: Error, root: bool = False) -> Sums:
    """Bind the mean of an error of each row, or its root; raise MetricError if it is undefined."""
    gold = data.y_true.astype(np.float64)
    return means_of(data.n, (error(gold, y_pred, params) for y_pred in data.y_preds), root)


def absolute(gold: Floats, predicted: Floats, params: Mapping[str, Any]) -> Floats:
    """|gold − predicted|."""
    return np.abs(gold - predicted)


def squared(gold: Floats, predicted: Floats, params: Mapping[str, Any]) -> Floats:
    """(gold − predicted)²."""
    return np.square(gold - predicted)


def percentage(gold: Floats, predicted: Floats, params: Mapping[str, Any]) -> Floats:
    """|gold − predicted| / |gold|, with a denominator of at least one epsilon."""
    least = float(np.finfo(np.float64).eps)
    return np.asarray(np.abs(gold - predicted) / np.maximum(np.abs(gold), least))


def squared_log(gold: Floats, predicted: Floats, params: Mapping[str, Any]) -> Floats:
    """(log(1 + gold) − log(1 + predicted))²."""
    if (gold <= -1).any() or (predicted <= -1).any():
        raise MetricError(Phrase("a logarithmic error needs gold and predictions above −1"))
    difference: Floats = np.log1p(gold) - np.log1p(predicted)
    return difference * difference


def pinball(gold: Floats, predicted: Floats, params: Mapping[str, Any]) -> Floats:
    """The quantile loss α·max(d, 0) + (1 − α)·max(−d, 0) of d = gold − predicted."""
    alpha = float(params["alpha"])
    return np.where(gold >= predicted, alpha, alpha - 1.0) * (gold - predicted)


def poisson(gold: Floats, predicted: Floats, params: Mapping[str, Any]) -> Floats:
    """The Poisson deviance 2·(gold·log(gold / predicted) − gold + predicted)."""
    if (gold < 0).any() or (predicted <= 0).any():
        raise MetricError(Phrase("the Poisson deviance needs gold ≥ 0 and predictions > 0"))
    ratio = np.log(gold / predicted, out=np.zeros_like(gold), where=gold > 0)
    return 2.0 * (gold * ratio - gold + predicted)


def gamma(gold: Floats, predicted: Floats, params: Mapping[str, Any]) -> Floats:
    """The Gamma deviance 2·(log(predicted / gold) + gold / predicted − 1)."""
    if (gold <= 0).any() or (predicted <= 0).any():
        raise MetricError(Phrase("the Gamma deviance needs gold and predictions > 0"))
    return 2.0 * (np.log(predicted / gold) + gold / predicted - 1.0)


def _explained(data: Data, params: Mapping[str, Any], free: bool) -> Sums:
    """Bind 1 − residual / total sum of squares; ``free`` subtracts the residuals' mean first."""
    drawn = np.ones(data.n, np.bool_)
    gold = data.y_true.astype(np.float64)
    around = centered(gold)
    columns = []
    for y_pred in data.y_preds:
        residual = centered(gold - y_pred) if free else gold - y_pred
        columns.append((around, around * around, residual, residual * residual, drawn))
    finish = partial(_share_explained, free=free)
    return Sums(tuple(columns), finish, exchangeable=not free)


def _share_explained(sums: Floats, free: bool) -> Evaluated:
    y, yy, r, rr, n = np.moveaxis(sums, 1, 0)
    total = yy - y * y / n
    residual = rr - r * r / n if free else rr
    with np.errstate(invalid="ignore", divide="ignore"):
        values = 1.0 - residual / total
    inexact = ~(total > CANCELLED * yy)
    if free:
        # Of a constant residual only rounding is left, so scikit-learn's function decides.
        inexact |= ~((residual > CANCELLED * rr) | (rr == 0))
    return Evaluated(values, np.isnan(values), inexact)


def median_absolute_error(data: Data, params: Mapping[str, Any]) -> Ordered:
    """Bind the median of |gold − predicted|: of an even number, the mean of the middle two."""
    return Ordered(_sorted_errors(data), median)


def max_error(data: Data, params: Mapping[str, Any]) -> Ordered:
    """Bind the largest |gold − predicted|."""
    return Ordered(_sorted_errors(data), _largest)


def _sorted_errors(data: Data) -> tuple[Sorted, ...]:
    gold = data.y_true.astype(np.float64)
    return tuple(in_order(np.abs(gold - y_pred)) for y_pred in data.y_preds)


def in_order(values: Floats) -> Sorted:
    """Sort a number of each row, [n]: return the sorted ones, their rows, and running totals."""
    rows = np.argsort(values, kind="stable")
    return values[rows], rows, Running(rows, len(rows))


def median(entries: Sequence[Sorted], resampled: Resampled) -> Evaluated:
    """Return the median of each entry's numbers: of an even number, the mean of the middle two."""
    n = resampled.draws.astype(np.int64)
    values = []
    for numbers, _, running in entries:
        totals = running.totals(resampled, resampled.most)
        # The k-th draw in order (from 0) belongs to the last row with at most k draws before it.
        low, high = ((totals <= k).sum(axis=0) - 1 for k in ((n - 1) // 2, n // 2))
        values.append((numbers[low] + numbers[high]) / 2.0)
    return defined(np.array(values))


def _largest(entries: Sequence[Sorted], resampled: Resampled) -> Evaluated:
    values = []
    for errors, rows, _ in entries:
        from_above = (resampled.counts.take(rows[::-1], axis=0) > 0).argmax(axis=0)
        values.append(errors[len(errors) - 1 - from_above])
    return defined(np.array(values))


def _of_error(name: str, label: str, error: Error, root: bool = False, **facts: Any) -> Definition:
    build = partial(mean_error, error=error, root=root)
    return ERROR(name, label, "numbers", evaluation="sums", build=build, **facts)


_LOGARITHMIC: Mapping[str, Any] = {"above": -1, "gold_defect": gold_needs.above_minus_one}
_EXPLAINED = partial(
    Definition,
    kind="numbers",
    greater_is_better=True,
    ideal=1,
    high=1,
    evaluation="sums",
    gold_defect=gold_needs.different_numbers,
)
_JUMPING = partial(ERROR, kind="numbers", evaluation="ordered", smooth=False)

DEFINITIONS = (
    _of_error("mean_absolute_error", "MAE", absolute),
    _of_error("mean_squared_error", "MSE", squared),
    _of_error("root_mean_squared_error", "RMSE", squared, root=True),
    _of_error(
        "mean_absolute_percentage_error", "MAPE", percentage, gold_defect=gold_needs.without_zero
    ),
    _of_error("mean_squared_log_error", "MSLE", squared_log, **_LOGARITHMIC),
    _of_error("root_mean_squared_log_error", "RMSLE", squared_log, root=True, **_LOGARITHMIC),
    _of_error("mean_pinball_loss", "pinball loss", pinball, defaults={"alpha": 0.5}),
    _of_error(
        "mean_poisson_deviance",
        "Poisson deviance",
        poisson,
        above=0,
        gold_defect=gold_needs.not_negative,
    ),
    _of_error(
        "mean_gamma_deviance", "Gamma deviance", gamma, above=0, gold_defect=gold_needs.positive
    ),
    _EXPLAINED("r2_score", "R²", build=partial(_explained, free=False)),
    _EXPLAINED(
        "explained_variance_score", "explained variance", build=partial(_explained, free=True)
    ),
    _JUMPING("median_absolute_error", "median absolute error", build=median_absolute_error),
    _JUMPING("max_error", "largest error", build=max_error, extreme=True),
)
