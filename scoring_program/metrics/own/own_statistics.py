"""An organizer's own metric from statistics: what one example counts, and the score of sums.

``statistics: my_metric.py:counts`` is called with the gold and the prediction of one example and
returns k numbers. ``function: my_metric.py:score`` is called with k sums and returns one number.
With ``sums: false`` the first returns any object, and the second is called on every resample, with
the objects of all examples and how often each was drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.arrays import Array, Floats
from ...core.errors import MetricError, SettingsError, Stopped, outline
from ...core.phrases import Phrase
from ...reading.formats.record import Record
from ..calls import failed, number_of
from ..statistics import CountingFailed, failing_at
from .organizer import silenced

#: The difference between a score of an array and one of its columns that rounding may make.
_ROUNDING = 1e-9


def own_counts(
    function: Callable[..., Any],
    golds: Sequence[Any],
    predictions: Sequence[Any],
    params: Mapping[str, Any],
) -> list[Floats]:
    """Return the counts of all examples by an organizer's function, [n][k].

    Raises CountingFailed if the function fails, or does not return as many finite numbers for every
    example, the same ones each time.
    """

    def count(position: int, gold: Any, prediction: Any) -> Floats:
        counts: Floats = _counted(function, position, gold, prediction, np.float64)
        if counts.ndim != 1 or not len(counts) or not np.isfinite(counts).all():
            raise CountingFailed(position, Phrase("it must return a sequence of finite numbers"))
        return counts

    rows: list[Floats] = []
    with silenced(output=True):
        for position, (gold, prediction) in enumerate(zip(golds, predictions, strict=True)):
            counts = count(position, gold, prediction)
            if not rows and not np.array_equal(counts, count(0, gold, prediction)):
                raise CountingFailed(0, Phrase("called twice, it returned different numbers"))
            if rows and len(counts) != len(rows[0]):
                raise CountingFailed(
                    position,
                    Phrase(
                        "it returned {number} numbers, and {other} for another example; return "
                        "as many for each",
                        number=len(counts),
                        other=len(rows[0]),
                    ),
                )
            rows.append(counts)
    return rows


def own_items(
    function: Callable[..., Any],
    golds: Sequence[Any],
    predictions: Sequence[Any],
    params: Mapping[str, Any],
) -> Array:
    """Return the objects that an organizer's function makes of all examples, [n, 1].

    Raises CountingFailed if the function fails.
    """
    items = np.empty((len(golds), 1), object)
    with silenced(output=True):
        for position, (gold, prediction) in enumerate(zip(golds, predictions, strict=True)):
            items[position, 0] = _counted(function, position, gold, prediction)
    return items


def _counted(
    function: Callable[..., Any], position: int, gold: Any, prediction: Any, dtype: Any = None
) -> Any:
    """Return what an organizer's function returns for one example, as an array of a ``dtype``."""
    gold, prediction = (v.value if isinstance(v, Record) else v for v in (gold, prediction))
    try:
        counts = function(gold, prediction)
        return counts if dtype is None else np.asarray(counts, dtype)
    except BaseException as error:
        if isinstance(error, (KeyboardInterrupt, Stopped, SettingsError)):
            raise
        place = outline(error, getattr(function, "path", None))
        raise CountingFailed(position, failing_at(place)) from error


@dataclass(frozen=True)
class OwnScore:
    """Scores sums with an organizer's function, on arrays of sums where the function takes them."""

    metric: str
    name: str
    function: Callable[..., Any]

    def __call__(self, sums: Floats, params: Mapping[str, Any]) -> Floats:
        """Return the scores of sums [k, …], float64 […].

        A function takes arrays if it returns one number for each column [k], and the same for some
        of them alone. Else it is called on every column. Where it fails, or does not return one
        finite number, the score is nan.

        Raises
        ------
        MetricError
            It fails on every column.
        """
        columns = sums.reshape(len(sums), -1)
        with silenced(output=True):
            values = self._at_once(columns, params)
            if values is None:
                values = self._one_by_one(columns, params)
        return values.reshape(sums.shape[1:])

    def _at_once(self, columns: Floats, params: Mapping[str, Any]) -> Floats | None:
        """Return the scores of all columns from one call; None if the function takes no arrays."""
        try:
            values = np.asarray(self.function(columns.copy(), **params), np.float64)
        except (KeyboardInterrupt, Stopped, SettingsError):
            raise
        except BaseException:
            return None
        if values.shape != columns.shape[1:]:
            return None
        doubtful = ~np.isfinite(values)
        doubtful[:: max(1, len(values) // 4)] = True
        for place in np.flatnonzero(doubtful).tolist():
            try:
                alone = self._one(columns[:, place], params)
            except MetricError:
                alone = math.nan
            defined = math.isfinite(alone)
            if defined != math.isfinite(values[place]) or (
                defined and abs(values[place] - alone) > _ROUNDING * max(1.0, abs(alone))
            ):
                return None
        values = np.where(np.isfinite(values), values, np.nan)
        return None if np.isnan(values).all() else values

    def _one_by_one(self, columns: Floats, params: Mapping[str, Any]) -> Floats:
        """Return the scores of all columns from a call on each; raise if none has one."""
        values = np.full(columns.shape[1], np.nan)
        failures: list[MetricError] = []
        for place, column in enumerate(columns.T):
            try:
                values[place] = self._one(column, params)
            except MetricError as failure:
                failures.append(failure)
        if len(failures) == len(values) > 0:
            raise failures[0]
        return values

    def _one(self, sums: Floats, params: Mapping[str, Any]) -> float:
        where = "sums of statistics"
        try:
            value = self.function(sums.copy(), **params)
        except BaseException as error:
            if isinstance(error, (KeyboardInterrupt, Stopped, SettingsError)):
                raise
            place = outline(error, getattr(self.function, "path", None))
            raise failed(self.metric, self.name, where, place) from error
        return number_of(value, self.metric, self.name, where)
