"""What a metric is: a row of the registry, and the metric that settings ask for."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from ..core.arrays import Array, Bools, Floats

#: What a metric wants predicted. ``gold``: whatever the gold holds; ``table``: every column of
#: the file.
Kind = Literal["labels", "scores", "probabilities", "numbers", "gold", "table"]
#: How the metric is evaluated on a resample; `score.bind` has one scorer for each.
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


@dataclass(frozen=True)
class Definition:
    """One row of the registry: what is known of a metric before it meets settings or data."""

    name: str  # the function's name, in sklearn.metrics unless ``oracle`` says otherwise
    label: str  # short name for people
    kind: Kind
    greater_is_better: bool
    ideal: float | None
    low: float = -math.inf
    high: float = math.inf
    ratio_scale: bool = False  # zero means "none", so that a coefficient of variation makes sense
    evaluation: Evaluation = "called"
    build: Callable[[Data, Mapping[str, Any]], Any] | None = (
        None  # its statistics; None for ``called``
    )
    params: Mapping[str, Any] = field(default_factory=dict)  # those that ``build`` knows → defaults
    oracle: str = ""  # "module:function" that defines the value, where it is not sklearn.metrics
    #: Predictions must be above this.
    above: float | None = None
    #: Parameters that the data give the oracle unless the settings do: the whole label set, so
    #: that a class which is not drawn is still a class.
    context: Callable[[Data], Mapping[str, Any]] | None = None
    #: The label that one score a row stands for: of columns for two labels its own is taken.
    positive: Callable[[Data, Mapping[str, Any]], Any] | None = None
    #: The lower and the upper bound, where they depend on the data or the parameters.
    bounds: Callable[[Data, Mapping[str, Any]], tuple[float, float]] | None = None


@dataclass(frozen=True)
class Metric:
    """A metric as the settings ask for it."""

    name: str
    label: str
    kind: Kind
    greater_is_better: bool
    ideal: float | None
    low: float
    high: float
    ratio_scale: bool
    evaluation: Evaluation
    column: str | None
    function: str | None
    params: Mapping[str, Any]
    description: str
    formula: str | None = None
    #: The metrics that a formula names, in the order of its text.
    components: tuple[Metric, ...] = ()
    definition: Definition | None = field(default=None, repr=False, compare=False)
    #: The organizer's function; None for the metrics of libraries.
    call: Callable[..., Any] | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, eq=False)
class Evaluated:
    """Scores made from statistics, with what was found on the way; each of shape [m, R].

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
    """Return a metric's definition in one readable string, for the signature."""
    listed = ", ".join(f"{key}={_plain(value)}" for key, value in sorted(params.items()))
    return f"{function}({listed})" + (f" of {column}" if column else "")


def _plain(value: Any) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(_plain(item) for item in value) + "]"
    return str(value)
