"""Metrics that pick a value by its rank: the median absolute error and the largest error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from scoring_program.metrics.metric import Data, Finished, Floats, Ints, defined
from scoring_program.metrics.ordered import Ordered, Totals, largest_total, running_totals

#: The errors of one entry in ascending order, and the rows they belong to.
_Errors = tuple[Floats, Ints]


def median_absolute_error(data: Data, params: Mapping[str, Any]) -> Ordered:
    """Bind the median of |gold − predicted|: the mean of the two middle ones of an even number."""
    return Ordered(partial(_median, _sorted_errors(data)))


def max_error(data: Data, params: Mapping[str, Any]) -> Ordered:
    """Bind the largest |gold − predicted|."""
    return Ordered(partial(_largest, _sorted_errors(data)))


def _sorted_errors(data: Data) -> list[_Errors]:
    found = []
    for y_pred in data.y_preds:
        errors = np.abs(data.y_true.astype(np.float64) - y_pred)
        rows = np.argsort(errors, kind="stable")
        found.append((errors[rows], rows))
    return found


def _median(entries: Sequence[_Errors], counts: Totals) -> Finished:
    most = largest_total(counts)
    values = []
    for errors, rows in entries:
        upto = running_totals(counts[rows], most)[1:]
        n = upto[-1].astype(np.int64)
        # The k-th draw in order (from 0) belongs to the first row that k draws do not reach.
        low = (upto <= (n - 1) // 2).sum(axis=0)
        high = (upto <= n // 2).sum(axis=0)
        values.append((errors[low] + errors[high]) / 2.0)
    return defined(np.array(values))


def _largest(entries: Sequence[_Errors], counts: Totals) -> Finished:
    values = []
    for errors, rows in entries:
        from_above = (counts[rows[::-1]] > 0).argmax(axis=0)
        values.append(errors[len(errors) - 1 - from_above])
    return defined(np.array(values))
