"""What a metric is: an entry of the registry, and the metric that settings ask for."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from ..core.arrays import Array, Bools, Floats

#: What a metric wants predicted. ``gold``: whatever the gold holds; ``table``: every column of
#: the file.
Kind = Literal["labels", "scores", "probabilities", "numbers", "gold", "table"]
#: How the metric is evaluated on a resample; `scoring` has one scorer for each.
Evaluation = Literal["sums", "ordered", "called", "formula"]


@dataclass(frozen=True, eq=False)
class Data:
    """One gold column and the predictions of m entries, aligned: what a metric is bound to.

    ``y_true`` has shape [n]; each of ``y_preds`` [n] or, for several classes, [n, c] in the order
    of ``labels``; for Kaggle's functions they are tables instead, column → [n]. ``labels`` is the
    sorted set of valid labels, or None where it is not known.
    """

    y_true: Any
    y_preds: tuple[Any, ...]
    labels: Array | None = None

    @property
    def n(self) -> int:
        """Number of examples."""
        table = isinstance(self.y_true, Mapping)
        return len(next(iter(self.y_true.values())) if table else self.y_true)

    def keep(self, entries: Sequence[int]) -> Data:
        """Return the data of some entries, in that order."""
        return replace(self, y_preds=tuple(self.y_preds[entry] for entry in entries))


@dataclass(frozen=True)
class Definition:
    """What is known of a metric: an entry of the registry, or what settings make of one.

    ``build`` binds the metric to data and parameters: it returns `sums.Sums` or `ordered.Ordered`,
    as ``evaluation`` says; it is None for a metric that is called.
    """

    function: str | None  # in sklearn.metrics unless ``oracle`` says otherwise; None for a formula
    label: str  # short name for people
    kind: Kind
    greater_is_better: bool
    ideal: float | None = None  # the score of a perfect system, None if there is none
    low: float = -math.inf
    high: float = math.inf
    ratio_scale: bool = False  # zero means "none", so that a coefficient of variation makes sense
    evaluation: Evaluation = "called"
    build: Callable[[Data, Mapping[str, Any]], Any] | None = None
    params: Mapping[str, Any] = field(default_factory=dict)  # those that ``build`` knows → defaults
    oracle: str = ""  # "module:function" that defines the value, where it is not sklearn.metrics
    #: Predictions must be above this.
    above: float | None = None
    #: Parameters that the data give the oracle unless the settings do: the whole label set, so
    #: that a class which is not drawn is still a class.
    context: Callable[[Data], Mapping[str, Any]] | None = None
    #: The label that one score per row stands for. Where there is a column for each of two labels,
    #: that label's column is taken.
    positive: Callable[[Data, Mapping[str, Any]], Any] | None = None
    #: The lower and the upper bound, where they depend on the data or the parameters.
    bounds: Callable[[Data, Mapping[str, Any]], tuple[float, float]] | None = None


@dataclass(frozen=True)
class Metric:
    """A metric as the settings ask for it."""

    name: str  # its key in scores.txt
    definition: Definition  # as these settings leave it: its label, its direction, its bounds
    description: str  # function, parameters and column in one line
    params: Mapping[str, Any] = field(default_factory=dict)  # those of the settings
    column: str | None = None  # the target column, None where there is one only
    formula: str | None = None
    #: The metrics that a formula names, in the order of its text.
    components: tuple[Metric, ...] = ()
    #: The organizer's or a package's function; None for scikit-learn's and ours.
    call: Callable[..., Any] | None = field(default=None, repr=False, compare=False)

    @property
    def function(self) -> str | None:
        """The function's name, None for a formula."""
        return self.definition.function

    @property
    def label(self) -> str:
        """The short name for people."""
        return self.definition.label

    @property
    def kind(self) -> Kind:
        """What the metric wants predicted."""
        return self.definition.kind

    @property
    def greater_is_better(self) -> bool:
        """Whether a higher score is the better one."""
        return self.definition.greater_is_better

    @property
    def ideal(self) -> float | None:
        """The score of a perfect system, None if there is none."""
        return self.definition.ideal

    @property
    def low(self) -> float:
        """The lower bound of the score, −inf if it has none."""
        return self.definition.low

    @property
    def high(self) -> float:
        """The upper bound of the score, +inf if it has none."""
        return self.definition.high

    @property
    def ratio_scale(self) -> bool:
        """Whether a quotient of two scores means something."""
        return self.definition.ratio_scale

    @property
    def all_params(self) -> dict[str, Any]:
        """The settings' parameters, and the defaults of those that the statistics know."""
        return {**self.definition.params, **self.params}

    def redefined(self, **changes: Any) -> Metric:
        """Return the metric with some fields of its definition changed."""
        return replace(self, definition=replace(self.definition, **changes))


@dataclass(frozen=True, eq=False)
class Evaluated:
    """Scores made from statistics, and which of them cannot be taken as they are; each [m, R].

    ``undefined`` marks a value that is a convention (a ``zero_division`` value) or nan.
    ``inexact`` marks values that rounding may have spoilt: they are computed again from the rows
    themselves.
    """

    values: Floats
    undefined: Bools
    inexact: Bools | None = None


def defined(values: Floats) -> Evaluated:
    """Return values that are undefined exactly where they are nan."""
    return Evaluated(values, np.isnan(values))


def describe(function: str, params: Mapping[str, Any], column: str | None) -> str:
    """Return a metric's function, parameters and column in one readable string."""
    listed = ", ".join(f"{key}={_plain(value)}" for key, value in sorted(params.items()))
    return f"{function}({listed})" + (f" of {column}" if column else "")


def _plain(value: Any) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(_plain(item) for item in value) + "]"
    return str(value)
