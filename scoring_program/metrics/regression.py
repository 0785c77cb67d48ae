"""Metrics on numbers that are sums of errors: each row's error, and the row was drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from scoring_program.metrics.metric import Data, Finished, Floats, defined
from scoring_program.metrics.sums import Sums


@dataclass(frozen=True)
class MeanError:
    """The mean of an error of each row, or the mean's root; what the registry builds with."""

    error: Callable[[Floats, Floats], Floats]  # of gold and predictions, [n] each
    root: bool = False

    def __call__(self, data: Data, params: Mapping[str, Any]) -> Sums:
        """Bind the error to data."""
        drawn = np.ones(data.n, np.bool_)
        gold = data.y_true.astype(np.float64)
        columns = tuple((self.error(gold, y_pred), drawn) for y_pred in data.y_preds)
        return Sums(columns, partial(_mean, root=self.root))


def _mean(sums: Floats, root: bool) -> Finished:
    means = sums[:, 0] / sums[:, 1]
    return defined(np.sqrt(means) if root else means)


def absolute(gold: Floats, predicted: Floats) -> Floats:
    """|gold − predicted|."""
    return np.abs(gold - predicted)


def squared(gold: Floats, predicted: Floats) -> Floats:
    """(gold − predicted)²."""
    return np.square(gold - predicted)
