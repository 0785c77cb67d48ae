"""Aggregates of scores that were made elsewhere, one for each unit and system.

There is no gold. The settings or the columns' names say which direction is better. The mean of
ranks within units is rank-then-aggregate (Wiesenfarth et al. 2021): the ranks are ready-made
numbers, too, so that it is a mean like any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from ...core.arrays import Array, Floats
from ..metric import Data, Definition
from ..ordered import Ordered
from .quantiles import in_order, median
from .regression import MeanError

#: The function whose numbers are not the scores but their ranks within each unit.
UNIT_RANK = "mean_unit_rank"


def score(gold: Floats, predicted: Floats, params: Mapping[str, Any]) -> Floats:
    """The given score itself."""
    return predicted.astype(np.float64)


def median_of_scores(data: Data, params: Mapping[str, Any]) -> Ordered:
    """Bind the median of each entry's scores."""
    return Ordered(tuple(in_order(y_pred.astype(np.float64)) for y_pred in data.y_preds), median)


def mean_score(y_true: Array, y_pred: Array) -> float:
    """Return the mean of an entry's scores over all units."""
    return float(np.mean(y_pred))


def median_score(y_true: Array, y_pred: Array) -> float:
    """Return the median of an entry's scores over all units."""
    return float(np.median(y_pred))


_OF_SCORES = partial(Definition, kind="numbers", greater_is_better=True, per_unit=True)

DEFINITIONS = (
    _OF_SCORES(
        "mean_score",
        "mean score",
        ratio_scale=True,
        evaluation="sums",
        build=MeanError(score),
        oracle=f"{__name__}:mean_score",
    ),
    _OF_SCORES(
        "median_score",
        "median score",
        ratio_scale=True,
        evaluation="ordered",
        build=median_of_scores,
        smooth=False,
        oracle=f"{__name__}:median_score",
    ),
    _OF_SCORES(
        UNIT_RANK,
        "mean rank within units",
        greater_is_better=False,
        evaluation="sums",
        build=MeanError(score),
        oracle=f"{__name__}:mean_score",
    ),
)
