"""Metrics that are called: a library's or an organizer's function, on the rows of a resample.

An organizer's own metric from statistics is called, too. ``statistics: my_metric.py:counts`` is
called with the gold and the prediction of one example and returns k numbers. ``function:
my_metric.py:score`` is called with k sums and returns one number. With ``sums: false`` the first
returns any object, and the second is called on every resample, with the objects of all examples and
how often each was drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Array, Floats, Ints
from ..core.errors import MetricError, SettingsError, Stopped, SubmissionError, outline
from ..core.phrases import Phrase, gettext_noop
from ..reading.formats.readers import VISIBLE_ERROR, Record, message_of
from ..reading.table import FileRows
from .frames import KaggleFrame
from .metric import Data, Metric
from .organizer import ROW_ID, silenced
from .registry import function_of, parameters
from .statistics import CountingFailed, failing_at

#: Errors by which a library says that a metric is undefined. Older versions of scikit-learn raise
#: an index error for the average precision if a class was not drawn.
_REFUSALS = (ValueError, ArithmeticError, IndexError)
#: What is said of a function that failed.
FAILED = gettext_noop(
    "metric {metric}: {function} failed on {where}: {place}; --debug shows all of it"
)
#: What ids are called where nothing says it.
_USUAL_ID = "id"
#: Weights are used if pairs of gold and prediction repeat at least so often on average.
_REPEATS = 4


class Call:
    """A function with its parameters. It is given read-only arrays and must return one number.

    If a library's function refuses a resample or returns nan, the metric is undefined there. Of an
    organizer's function, anything but a number is an error, which says where it lies.
    """

    def __init__(self, metric: Metric, data: Data) -> None:
        context = {} if metric.context is None else metric.context(data)
        self.metric = metric
        self.params = {**context, **metric.params}

    @property
    def name(self) -> str:
        """What messages call the function."""
        return str(self.metric.function)

    def __call__(
        self,
        y_true: Array,
        y_pred: Array,
        where: str,
        *,
        strict: bool = False,
        weights: Ints | Floats | None = None,
    ) -> float:
        """Score one entry on the given rows. ``where`` names entry and resample in messages.

        With ``strict``, a library's refusal is an error, too: the whole test set must have a score.
        ``weights`` says how many rows each given row stands for, if the function takes weights.
        Raises MetricError, or SubmissionError with a message for the participant.
        """
        call = self.metric.call
        weighing = {} if weights is None else {"sample_weight": weights}
        try:
            value = self._call(_read_only(y_true), _read_only(y_pred), weighing)
        except BaseException as error:
            if isinstance(error, (KeyboardInterrupt, Stopped, SettingsError)):
                raise
            if type(error).__name__ == VISIBLE_ERROR:
                raise SubmissionError(
                    "metric {metric} on {where}: {message}",
                    metric=repr(self.metric.name_in_messages),
                    where=where,
                    message=message_of(error),
                ) from error
            if call is None and not strict and isinstance(error, _REFUSALS):
                return math.nan
            place = outline(error, getattr(call, "path", None))
            place = f"{place}{_hint(error)}"
            raise failed(self.metric.name_in_messages, self.name, where, place) from error
        return number_of(
            value,
            self.metric.name_in_messages,
            self.name,
            where,
            or_nan=call is None and not strict,
        )

    @property
    def is_weighable(self) -> bool:
        """Whether a row of weight w counts as w rows, so that equal rows are passed once.

        This holds for every metric of labels in scikit-learn that takes weights, because it depends
        only on the confusion matrix. An organizer's function promises it by ``sample_weight``.
        """
        function = self.metric.call
        if function is None:
            if self.metric.kind != "labels":
                return False
            function = function_of(self.name, self.metric.oracle)
        elif self.metric.reads_frames:
            return False
        return "sample_weight" in parameters(function)

    def _call(self, y_true: Any, y_pred: Any, weights: Mapping[str, Ints | Floats]) -> Any:
        # Participants read the log, and undefined values are counted, so warnings are dropped.
        call = self.metric.call
        with silenced(output=self.metric.silent):
            if self.metric.reads_frames:
                params = {key: v for key, v in self.params.items() if key != ROW_ID}
                assert call is not None
                return call(y_true.data.copy(), y_pred.data.copy(), y_true.row_id, **params)
            function = call or function_of(self.name, self.metric.oracle)
            return function(y_true, y_pred, **self.params, **weights)


def failed(metric: str, function: str, where: str, place: str) -> MetricError:
    """Return the error about a function that failed at ``place`` in its code."""
    return MetricError(
        FAILED,
        metric=repr(metric),
        function=function,
        where=where,
        place=place,
    )


def number_of(value: Any, metric: str, name: str, where: str, *, or_nan: bool = False) -> float:
    """Return what the function ``name`` of a metric returned as a number.

    With ``or_nan``, infinity becomes nan. Raises MetricError if it is not one finite number.
    """
    try:
        array = np.asarray(value)
    except Exception:  # it is not even an array
        array = np.array(None)
    masked = np.ma.isMaskedArray(value)  # a mean over masked values only
    if array.ndim != 0 or array.dtype.kind not in "biuf" or masked:
        kind = f"an array of shape {array.shape}" if array.ndim else type(value).__name__
        kind = "nothing; end it with 'return'" if value is None else kind
        raise MetricError(
            "metric {metric}: {function} must return one number; on {where} it returned {found}",
            metric=repr(metric),
            function=name,
            where=where,
            found=kind,
        )
    number = float(array)
    if math.isfinite(number) or or_nan:
        return number if math.isfinite(number) else math.nan
    raise MetricError(
        "metric {metric}: {function} returned {number} on {where}; it must return a finite "
        "number for every resample",
        metric=repr(metric),
        function=name,
        number=number,
        where=where,
    )


@dataclass(frozen=True, eq=False)
class Cells:
    """The distinct pairs of gold and prediction of one entry, [k] each, and each row's pair."""

    y_true: Array
    y_pred: Array
    of_row: Ints  # [n]

    @classmethod
    def from_predictions(cls, y_true: Array, y_pred: Array) -> Cells | None:
        """Find the pairs; None if rows do not hold labels, or pairs repeat too rarely."""
        if not isinstance(y_pred, np.ndarray) or y_pred.ndim != 1 or y_true.ndim != 1:
            return None
        _, gold = np.unique(y_true, return_inverse=True)
        _, guess = np.unique(y_pred, return_inverse=True)
        pairs = gold * (guess.max() + 1) + guess
        _, rows, of_row = np.unique(pairs, return_index=True, return_inverse=True)
        if len(rows) * _REPEATS > len(pairs):
            return None
        return cls(y_true[rows], y_pred[rows], of_row)

    def drawn(self, counts: NDArray[np.integer] | Floats) -> tuple[Array, Array, Ints | Floats]:
        """Return gold, prediction and count of the pairs in a resample.

        ``counts`` [n] are how often rows were drawn, or these times their weights.
        """
        times = np.bincount(self.of_row, counts, minlength=len(self.y_true))
        if counts.dtype.kind != "f":
            times = times.astype(np.intp)
        drawn_pairs = times > 0
        return self.y_true[drawn_pairs], self.y_pred[drawn_pairs], times[drawn_pairs]


def _read_only(array: Any) -> Any:
    """Return a read-only view of an array, or of every column of a table.

    Of a data frame, the function gets a copy.
    """
    if isinstance(array, KaggleFrame):
        return array
    if isinstance(array, Mapping):
        return {name: _read_only(column) for name, column in array.items()}
    array.flags.writeable = False
    # A view of a read-only array cannot be made writable again.
    view = array.view()
    view.flags.writeable = False
    return view


def _hint(error: BaseException) -> str:
    if "read-only" in message_of(error):
        return " (a metric must not change its arguments; let it work on a copy)"
    if isinstance(error, TypeError) and "positional argument" in message_of(error):
        return " (it is called with y_true, y_pred and the parameters in the settings)"
    return ""


def with_frames(metric: Metric, data: Data, id_column: str | None, places: Ints | None) -> Data:
    """Return data whose rows of files are the data frames that Kaggle's function is given.

    The parameter ``row_id_column_name`` says which column holds the ids; without it, the
    ``id_column`` of the reference data does. ``places`` [n] say where each example stands in them;
    None where it stands. A mapping of texts is a whole file.
    """
    row_id = str(metric.params.get(ROW_ID, id_column or _USUAL_ID))

    placed = np.arange(data.n) if places is None else places

    def frame_of(table: Any, ids: Array) -> KaggleFrame:
        if isinstance(table, FileRows):
            return KaggleFrame.of_file(table, row_id, ids, placed)
        if isinstance(table, Mapping):
            return KaggleFrame.of_file(FileRows(table, range(data.n)), row_id, ids, placed)
        return KaggleFrame.of_target(table, row_id, ids, placed)

    y_true = frame_of(data.y_true, placed)
    y_preds = tuple(frame_of(y_pred, y_true[row_id]) for y_pred in data.y_preds)
    return replace(data, y_true=y_true, y_preds=y_preds)


def infer_type(column: Array) -> Array:
    """Return texts as numbers if all of them are numbers, as pandas.read_csv does.

    Call it on whole columns only: a resample may lack the cell that makes a column one of texts.
    """
    for kind in (np.int64, np.float64):
        try:
            return column.astype(kind)
        except ValueError:
            continue
        except OverflowError:  # longer integers than these stay text
            break
    return column


# An organizer's statistics ------------------------------------------------------------------------

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
    """Return what an organizer's function returns for one example, as an array of a ``dtype``.

    The function may change what it is given: records and arrays are copies.
    """
    gold, prediction = (v.value if isinstance(v, Record) else v for v in (gold, prediction))
    prediction = prediction.copy() if isinstance(prediction, np.ndarray) else prediction
    try:
        counts = function(gold, prediction)
        return counts if dtype is None else np.asarray(counts, dtype)
    except BaseException as error:
        if isinstance(error, (KeyboardInterrupt, Stopped, SettingsError)):
            raise
        place = outline(error, getattr(function, "path", None))
        raise CountingFailed(position, failing_at(place)) from error


def own_score(
    function: Callable[..., Any], metric: str, name: str, sums: Floats, params: Mapping[str, Any]
) -> Floats:
    """Return the scores of sums [k, …] by an organizer's function, float64 […].

    A function takes arrays if it returns one number for each column [k], and the same for some of
    them alone. Else it is called on every column. Where it fails, or does not return one finite
    number, the score is nan. ``name`` is what messages call it.

    Raises
    ------
    MetricError
        It fails on every column.
    """
    columns = sums.reshape(len(sums), -1)

    def alone(place: int) -> float:
        where = "sums of statistics"
        try:
            value = function(columns[:, place].copy(), **params)
        except BaseException as error:
            if isinstance(error, (KeyboardInterrupt, Stopped, SettingsError)):
                raise
            place_of_error = outline(error, getattr(function, "path", None))
            raise failed(metric, name, where, place_of_error) from error
        return number_of(value, metric, name, where)

    with silenced(output=True):
        values = _scored_at_once(function, columns, params, alone)
        if values is None:
            values = np.full(columns.shape[1], np.nan)
            failures: list[MetricError] = []
            for place in range(len(values)):
                try:
                    values[place] = alone(place)
                except MetricError as failure:
                    failures.append(failure)
            if len(failures) == len(values) > 0:
                raise failures[0]
    return values.reshape(sums.shape[1:])


def _scored_at_once(
    function: Callable[..., Any],
    columns: Floats,
    params: Mapping[str, Any],
    alone: Callable[[int], float],
) -> Floats | None:
    """Return the scores of all columns from one call; None if the function takes no arrays."""
    try:
        values = np.asarray(function(columns.copy(), **params), np.float64)
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
            value = alone(place)
        except MetricError:
            value = math.nan
        defined = math.isfinite(value)
        if defined != math.isfinite(values[place]) or (
            defined and abs(values[place] - value) > _ROUNDING * max(1.0, abs(value))
        ):
            return None
    values = np.where(np.isfinite(values), values, np.nan)
    return None if np.isnan(values).all() else values
