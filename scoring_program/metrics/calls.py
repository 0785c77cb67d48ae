"""Metrics that are called: a library's or an organizer's function, on the rows of one resample."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Array, Ints
from ..core.errors import MetricError, SettingsError, Stopped, SubmissionError, outline
from .functions import function_of, parameters
from .metric import Data, Kind, Metric
from .organizer import silenced

#: The name of Kaggle's exception whose text the participant may see; matched by name, because every
#: competition's file defines or imports its own.
_VISIBLE = "ParticipantVisibleError"
#: How a library says that a metric is undefined; an index error comes from older scikit-learn, for
#: the average precision where a class was not drawn.
_REFUSALS = (ValueError, ArithmeticError, IndexError)
#: Times that a pair of gold and prediction must repeat on average for weights to pay.
_REPEATS = 4


@dataclass(frozen=True)
class Call:
    """A function with its parameters, given arrays it cannot change and asked for one number.

    A library's function that refuses a resample or returns nan leaves the metric undefined there.
    An organizer's must return a number wherever it is called; anything else is an error.
    """

    metric: str
    name: str
    oracle: str = ""
    own: Callable[..., Any] | None = None  # the organizer's, or a package's
    params: Mapping[str, Any] = field(default_factory=dict)

    def __call__(
        self,
        y_true: Array,
        y_pred: Array,
        where: str,
        *,
        strict: bool = False,
        weights: Ints | None = None,
    ) -> float:
        """Score one entry on the rows given; ``where`` names entry and resample in messages.

        ``strict`` makes an error of a library's refusal too (the whole test set must have a score).
        ``weights`` says how many rows each of those given stands for, where `weighable`.
        Raises MetricError, or SubmissionError for a message meant for the participant.
        """
        weighing = {} if weights is None else {"sample_weight": weights}
        try:
            value = self._call(_locked(y_true), _locked(y_pred), weighing)
        except BaseException as error:
            if isinstance(error, (KeyboardInterrupt, Stopped, SettingsError)):
                raise
            if type(error).__name__ == _VISIBLE:
                raise SubmissionError(
                    f"metric {self.metric!r} on {where}: {_text(error)}"
                ) from error
            if self.own is None and not strict and isinstance(error, _REFUSALS):
                return math.nan
            place = outline(error, getattr(self.own, "path", None))
            raise MetricError(
                f"metric {self.metric!r}: {self.name} failed on {where}: {place}{_hint(error)}; "
                "--debug shows all of it"
            ) from error
        return self._number(value, where, strict)

    def weighable(self, kind: Kind) -> bool:
        """Return whether a row of weight w counts as w rows: then equal rows are passed once.

        So it is with every metric of labels in scikit-learn that takes weights: it depends on a
        confusion matrix alone. Of an organizer's function its ``sample_weight`` says so.
        """
        function = self.own
        if function is None:
            if kind != "labels":
                return False
            function = function_of(self.name, self.oracle)
        elif getattr(function, "kaggle", False):
            return False
        return "sample_weight" in parameters(function)

    def _call(self, y_true: Array, y_pred: Array, weights: Mapping[str, Ints]) -> Any:
        # Participants read the log, and undefined values are counted: no warning about each.
        with silenced():
            if getattr(self.own, "kaggle", False):
                assert self.own is not None
                return self.own(*_frames(y_true, y_pred, self.params), **_without_id(self.params))
            function = self.own or function_of(self.name, self.oracle)
            return function(y_true, y_pred, **self.params, **weights)

    def _number(self, value: Any, where: str, strict: bool) -> float:
        try:
            array = np.asarray(value)
        except Exception:  # no array can be made of it, let alone a number
            array = np.array(None)
        masked = np.ma.isMaskedArray(value)  # all of it, or a mean would be no array any more
        if array.ndim != 0 or array.dtype.kind not in "biuf" or masked:
            found = f"an array of shape {array.shape}" if array.ndim else type(value).__name__
            raise MetricError(
                f"metric {self.metric!r}: {self.name} must return one number; on {where} it "
                f"returned {found}"
            )
        number = float(array)
        if math.isfinite(number) or (self.own is None and not strict):
            return number if math.isfinite(number) else math.nan
        raise MetricError(
            f"metric {self.metric!r}: {self.name} returned {number} on {where}; it must return a "
            "finite number for every resample"
        )


def call_of(metric: Metric, data: Data) -> Call:
    """Return the safe call of a metric's function, on rows of these data."""
    definition = metric.definition
    context = {} if definition.context is None else definition.context(data)
    params = {**context, **metric.params}
    return Call(metric.name, str(metric.function), definition.oracle, metric.call, params)


@dataclass(frozen=True, eq=False)
class Cells:
    """The distinct pairs of gold and prediction of one entry, [k] each, and which each row has."""

    y_true: Array
    y_pred: Array
    of_row: Ints  # [n]

    @classmethod
    def of(cls, y_true: Array, y_pred: Array) -> Cells | None:
        """Find the pairs; None where rows are no labels or repeat too seldom to gain by it."""
        if not isinstance(y_pred, np.ndarray) or y_pred.ndim != 1 or y_true.ndim != 1:
            return None
        _, gold = np.unique(y_true, return_inverse=True)
        _, guess = np.unique(y_pred, return_inverse=True)
        pairs = gold * (guess.max() + 1) + guess
        _, rows, of_row = np.unique(pairs, return_index=True, return_inverse=True)
        if len(rows) * _REPEATS > len(pairs):
            return None
        return cls(y_true[rows], y_pred[rows], of_row)

    def drawn(self, counts: NDArray[np.integer]) -> tuple[Array, Array, Ints]:
        """Return gold, prediction and number of the pairs that a resample holds."""
        times = np.bincount(self.of_row, counts, minlength=len(self.y_true)).astype(np.intp)
        held = times > 0
        return self.y_true[held], self.y_pred[held], times[held]


def _locked(array: Any) -> Any:
    """Return an array, or every column of a table, as what cannot be written to."""
    if isinstance(array, Mapping):
        return {name: _locked(column) for name, column in array.items()}
    array.flags.writeable = False
    # Of a view without rights of its own nobody can take the lock off again.
    view = array.view()
    view.flags.writeable = False
    return view


def take(array: Any, rows: Ints) -> Any:
    """Return the rows of an array, or of every column of a table."""
    if isinstance(array, Mapping):
        return {name: column[rows] for name, column in array.items()}
    return array[rows]


def _hint(error: BaseException) -> str:
    if "read-only" in _text(error):
        return " (a metric must not change its arguments; let it work on a copy)"
    return ""


def _text(error: BaseException) -> str:
    """Return an exception's text; an organizer's own exception may fail to give one."""
    try:
        return str(error)
    except Exception:
        return ""


def _without_id(params: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in params.items() if key != "row_id_column_name"}


def _frames(y_true: Any, y_pred: Any, params: Mapping[str, Any]) -> tuple[Any, Any, str]:
    """Return Kaggle's solution and submission frames and the name of their identifier column.

    Identifiers are numbered anew: a row drawn twice is two rows.
    """
    # The only place that imports pandas, because only Kaggle's functions are given data frames.
    import pandas

    row_id = str(params.get("row_id_column_name", "id"))
    frames = []
    for table in (y_true, y_pred):
        columns = table if isinstance(table, Mapping) else {"target": table}
        frame = pandas.DataFrame(
            {name: _unlocked(column) for name, column in columns.items() if name != row_id}
        )
        frame.insert(0, row_id, np.arange(len(frame)))
        frames.append(frame)
    return frames[0], frames[1], row_id


def _unlocked(column: Array) -> Array:
    return column.astype(object) if column.dtype.kind in "US" else column.copy()


def as_read(data: Data) -> Data:
    """Type the texts of tables, see `typed`; columns that are objects have been read."""

    def table_as_read(table: Any) -> Any:
        if not isinstance(table, Mapping):
            return table
        return {
            name: typed(column) if column.dtype.kind in "US" else column
            for name, column in table.items()
        }

    y_preds = tuple(map(table_as_read, data.y_preds))
    return Data(table_as_read(data.y_true), y_preds, data.labels)


def typed(column: Array) -> Array:
    """Return text as numbers where all of it reads as numbers, as pandas.read_csv does.

    Of whole columns only: a resample may lack the cell that makes a column text.
    """
    for kind in (np.int64, np.float64):
        try:
            return column.astype(kind)
        except ValueError:
            continue
        except OverflowError:  # longer integers than these stay text
            break
    return column
