"""Metrics on numbers that are sums of errors, or of squared deviations from the gold's mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ...core.arrays import Floats
from ...core.errors import MetricError
from ...core.phrases import Phrase
from ..metric import ERROR, Data, Definition, Evaluated, defined
from ..sums import CANCELLED, Sums, centered

#: An error of each row, [n], from gold, predictions and the metric's parameters.
Error = Callable[[Floats, Floats, Mapping[str, Any]], Floats]


@dataclass(frozen=True)
class MeanError:
    """The mean of an error of each row, or the root of this mean; a ``build`` of definitions."""

    error: Error
    root: bool = False

    def __call__(self, data: Data, params: Mapping[str, Any]) -> Sums:
        """Bind the error to data; raise MetricError if it is undefined."""
        drawn = np.ones(data.n, np.bool_)
        gold = data.y_true.astype(np.float64)
        columns = tuple((self.error(gold, y_pred, params), drawn) for y_pred in data.y_preds)
        return Sums(columns, partial(mean, root=self.root))


def mean(sums: Floats, root: bool) -> Evaluated:
    """Divide the first of two sums by the second, the draws; nan where nothing was drawn."""
    with np.errstate(invalid="ignore"):
        means = sums[:, 0] / sums[:, 1]
    # If errors are subtracted from their total, rounding may leave a negative number.
    return defined(np.sqrt(np.maximum(means, 0.0)) if root else means)


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


@dataclass(frozen=True)
class Explained:
    """1 − (residual / total sum of squares). ``free`` subtracts the residuals' mean first."""

    free: bool

    def __call__(self, data: Data, params: Mapping[str, Any]) -> Sums:
        """Bind the share of variance explained to data."""
        drawn = np.ones(data.n, np.bool_)
        gold = data.y_true.astype(np.float64)
        around = centered(gold)
        columns = []
        for y_pred in data.y_preds:
            residual = gold - y_pred
            if self.free:
                residual = centered(residual)
            columns.append((around, around * around, residual, residual * residual, drawn))
        finish = partial(_explained, free=self.free)
        return Sums(tuple(columns), finish, exchangeable=not self.free)


def _explained(sums: Floats, free: bool) -> Evaluated:
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


_ERROR = partial(ERROR, kind="numbers", evaluation="sums")
_EXPLAINED = partial(
    Definition, kind="numbers", greater_is_better=True, ideal=1, high=1, evaluation="sums"
)

DEFINITIONS = (
    _ERROR("mean_absolute_error", "MAE", build=MeanError(absolute)),
    _ERROR("mean_squared_error", "MSE", build=MeanError(squared)),
    _ERROR("root_mean_squared_error", "RMSE", build=MeanError(squared, root=True)),
    _ERROR("mean_absolute_percentage_error", "MAPE", build=MeanError(percentage)),
    _ERROR("mean_squared_log_error", "MSLE", build=MeanError(squared_log), above=-1),
    _ERROR(
        "root_mean_squared_log_error", "RMSLE", build=MeanError(squared_log, root=True), above=-1
    ),
    _ERROR("mean_pinball_loss", "pinball loss", build=MeanError(pinball), params={"alpha": 0.5}),
    _ERROR("mean_poisson_deviance", "Poisson deviance", build=MeanError(poisson), above=0),
    _ERROR("mean_gamma_deviance", "Gamma deviance", build=MeanError(gamma), above=0),
    _EXPLAINED("r2_score", "R²", build=Explained(free=False)),
    _EXPLAINED("explained_variance_score", "explained variance", build=Explained(free=True)),
)
