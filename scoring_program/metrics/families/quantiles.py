"""Metrics that pick a value by its rank: medians and the largest error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ...core.arrays import Floats, Ints
from ..metric import ERROR, Data, Evaluated, defined
from ..ordered import Ordered, Resampled, Running


@dataclass(frozen=True, eq=False)
class Sorted:
    """A number of each row of one entry in ascending order, and their rows, [n]."""

    values: Floats
    rows: Ints
    running: Running


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
    """Sort a number of each row, [n]."""
    rows = np.argsort(values, kind="stable")
    return Sorted(values[rows], rows, Running(rows, len(rows)))


def median(entries: Sequence[Sorted], resampled: Resampled) -> Evaluated:
    """Return the median of each entry's numbers: of an even number, the mean of the middle two."""
    n = resampled.draws.astype(np.int64)
    values = []
    for numbers in entries:
        totals = numbers.running.totals(resampled, resampled.most)
        # The k-th draw in order (from 0) belongs to the last row with at most k draws before it.
        low, high = ((totals <= k).sum(axis=0) - 1 for k in ((n - 1) // 2, n // 2))
        values.append((numbers.values[low] + numbers.values[high]) / 2.0)
    return defined(np.array(values))


def _largest(entries: Sequence[Sorted], resampled: Resampled) -> Evaluated:
    values = []
    for errors in entries:
        from_above = (resampled.counts.take(errors.rows[::-1], axis=0) > 0).argmax(axis=0)
        values.append(errors.values[len(errors.values) - 1 - from_above])
    return defined(np.array(values))


_ERROR = partial(ERROR, kind="numbers", evaluation="ordered", smooth=False)

DEFINITIONS = (
    _ERROR("median_absolute_error", "median absolute error", build=median_absolute_error),
    _ERROR("max_error", "largest error", build=max_error, extreme=True),
)
