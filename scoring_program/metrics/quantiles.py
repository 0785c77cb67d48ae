"""Metrics that pick a value by its rank: the median absolute error and the largest error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..core.arrays import Floats, Ints
from .metric import Data, Definition, Evaluated, defined
from .ordered import Ordered, Resampled, Running


@dataclass(frozen=True, eq=False)
class _Errors:
    """The absolute errors of one entry in ascending order, and their rows, [n]."""

    sizes: Floats
    rows: Ints
    running: Running


def median_absolute_error(data: Data, params: Mapping[str, Any]) -> Ordered:
    """Bind the median of |gold − predicted|: of an even number, the mean of the middle two."""
    return Ordered(_sorted_errors(data), _median)


def max_error(data: Data, params: Mapping[str, Any]) -> Ordered:
    """Bind the largest |gold − predicted|."""
    return Ordered(_sorted_errors(data), _largest)


def _sorted_errors(data: Data) -> tuple[_Errors, ...]:
    found = []
    for y_pred in data.y_preds:
        errors = np.abs(data.y_true.astype(np.float64) - y_pred)
        rows = np.argsort(errors, kind="stable")
        found.append(_Errors(errors[rows], rows, Running(rows, data.n)))
    return tuple(found)


def _median(entries: Sequence[_Errors], resampled: Resampled) -> Evaluated:
    n = resampled.draws.astype(np.int64)
    values = []
    for errors in entries:
        totals = errors.running.totals(resampled, resampled.most)
        # The k-th draw in order (from 0) belongs to the last row with at most k draws before it.
        low, high = ((totals <= k).sum(axis=0) - 1 for k in ((n - 1) // 2, n // 2))
        values.append((errors.sizes[low] + errors.sizes[high]) / 2.0)
    return defined(np.array(values))


def _largest(entries: Sequence[_Errors], resampled: Resampled) -> Evaluated:
    values = []
    for errors in entries:
        from_above = (resampled.counts.take(errors.rows[::-1], axis=0) > 0).argmax(axis=0)
        values.append(errors.sizes[len(errors.sizes) - 1 - from_above])
    return defined(np.array(values))


_ERROR = partial(
    Definition,
    kind="numbers",
    greater_is_better=False,
    ideal=0,
    low=0,
    ratio_scale=True,
    evaluation="ordered",
    smooth=False,
)

DEFINITIONS = (
    _ERROR("median_absolute_error", "median absolute error", build=median_absolute_error),
    _ERROR("max_error", "largest error", build=max_error),
)
