"""The definition of a metric in the registry, and the metric that the settings make of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Array, Bools, Floats, Ints, distinct
from ..core.cells import AS_WRITTEN, setting_reader
from ..core.errors import MetricError, SettingsError
from ..core.grouping import Grouping
from ..core.phrases import Phrase
from ..reading.formats import KINDS
from ..recognize.words_of_cells import is_positive
from .frames import KaggleFrame

#: The kind of prediction that a metric needs: one of `OF_ROWS`, a kind of data of
#: `reading.formats`, ``gold`` (the same kind as the gold) or ``table`` (every column of the file).
Kind = str
OF_ROWS = ("labels", "scores", "probabilities", "numbers")
#: The kinds that an organizer's function may state.
STATED_KINDS = (*OF_ROWS, *KINDS)
#: How a metric is evaluated on a resample. `scoring` has one scorer for each way.
Evaluation = Literal["sums", "items", "ordered", "pairs", "called", "formula"]


def take(array: Any, rows: Ints) -> Any:
    """Return the rows of an array, of a data frame, or of every column of a table."""
    if isinstance(array, KaggleFrame):
        return array.take(rows)
    if isinstance(array, Mapping):
        return {name: column[rows] for name, column in array.items()}
    return array[rows]


@dataclass(frozen=True, eq=False)
class Data:
    """The data that a metric is bound to: a gold column and the aligned predictions of m entries.

    ``y_true`` has the shape [n]. Each of ``y_preds`` has the shape [n] or, with one column per
    class, [n, c] in the order of ``labels``. For Kaggle's functions they are a `KaggleFrame` each.
    ``labels`` is the sorted set of valid labels, or None if it is unknown. A row of ``weights`` [n]
    w counts as w rows; None if every row counts once. A row stands for as many equal examples as
    ``sizes`` [n] say; None if it stands for itself (`grouping`). Where ``y_true`` are times,
    ``events`` [n] say which of them end with an event; the others are censored. None if all of them
    do.
    """

    y_true: Any
    y_preds: tuple[Any, ...]
    labels: Array | None = None
    weights: Floats | None = None
    sizes: Ints | None = None
    events: Bools | None = None

    @property
    def n(self) -> int:
        """Number of rows."""
        if isinstance(self.y_true, Mapping):
            return len(next(iter(self.y_true.values())))
        return len(self.y_true)

    @property
    def grouping(self) -> Grouping:
        """The examples that the rows stand for."""
        return Grouping(self.n, sizes=self.sizes)

    def take(self, rows: Ints) -> Data:
        """Return the data of some rows."""
        y_preds = tuple(take(y_pred, rows) for y_pred in self.y_preds)
        weights = None if self.weights is None else self.weights[rows]
        sizes = None if self.sizes is None else self.sizes[rows]
        events = None if self.events is None else self.events[rows]
        y_true = take(self.y_true, rows)
        return replace(
            self, y_true=y_true, y_preds=y_preds, weights=weights, sizes=sizes, events=events
        )

    def drawn(self, counts: NDArray[np.integer]) -> tuple[Ints, Floats | None]:
        """Return the rows of a resample that draws row r counts[r] times, and their weights.

        Without weights, a row that was drawn twice is there twice. With weights, every row is there
        once, unless its weight is zero.
        """
        if self.weights is None:
            return np.repeat(np.arange(self.n), counts), None
        weights = counts * self.weights
        rows = np.flatnonzero(weights)
        return rows, weights[rows]

    def keep(self, entries: Sequence[int]) -> Data:
        """Return the data of some entries, in that order."""
        return replace(self, y_preds=tuple(self.y_preds[entry] for entry in entries))


@dataclass(frozen=True)
class GoldDefect:
    """Why a gold gives a metric no value, for the message to the organizer (`data.scorable`).

    If some rows are at fault, ``rows`` are these, ``rule`` is what the metric asks of every row
    ("divides by the correct numbers"), and ``what`` says what is wrong with one row and with
    several. Else the gold as a whole is: it holds ``what`` ("only one class"), the same for one and
    for several, ``so`` the metric "has no value".
    """

    what: tuple[str, str]
    remedy: str
    so: str = "has no value"
    rows: Ints | None = None
    rule: str = ""


@dataclass(frozen=True)
class ExampleStatistics:
    """A metric from statistics of single examples, which `statistics.count_sums` binds to data.

    ``count`` takes golds and predictions of some examples, [n] each, and the parameters. It returns
    the numbers that each example counts, [n, k], which depend on this example only.
    ``score`` takes sums of counts, float64 [k, …], and the parameters, and returns scores […]; nan
    where the metric is undefined. Both are functions of a module, so that other processes find
    them. ``libraries`` are what they import; they come with the extra ``extra``. ``counter`` is
    what messages call ``count`` if it is another function of the organizer than the metric's.
    ``costly``: counting takes far more time than the square of what an example holds.
    ``count_several`` counts several metrics of these statistics at once: it takes their functions'
    names, golds and predictions, and returns the columns of ``count`` of one metric after the
    other, [n, metrics · k]. No parameters change what they count.

    Where the evaluation is "items", ``count`` returns an object for each example, and ``score``
    does not count: the metric's function takes these objects, and how often each was drawn.
    """

    count: Callable[[Sequence[Any], Sequence[Any], Mapping[str, Any]], Any]
    score: Callable[[Floats, Mapping[str, Any]], Floats]
    libraries: tuple[str, ...] = ()
    extra: str = ""
    counter: str | None = None
    costly: bool = False
    count_several: Callable[[Sequence[str], Sequence[Any], Sequence[Any]], Any] | None = None


def count_each(
    function: Callable[[Any, Any, Mapping[str, Any]], Sequence[float]],
    golds: Sequence[Any],
    predictions: Sequence[Any],
    params: Mapping[str, Any],
) -> Sequence[Sequence[float]]:
    """Count examples one by one: ``function(gold, prediction, params)`` returns k numbers."""
    pairs = zip(golds, predictions, strict=True)
    return [function(gold, prediction, params) for gold, prediction in pairs]


def ratio(sums: Floats, params: Mapping[str, Any]) -> Floats:
    """Return the first sum divided by the second; nan where that is zero."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(sums[1] != 0, sums[0] / sums[1], np.nan))


@dataclass(frozen=True)
class Definition:
    """The facts about a metric: an entry of the registry, possibly changed by the settings.

    ``build`` binds the metric to data and parameters. It returns `sums.Sums`, `ordered.Ordered` or
    `preferences.Battles`, as ``evaluation`` says. For a metric of what single examples count,
    ``statistics`` take its place. Both are None for a metric that is called.
    """

    function: str | None  # in sklearn.metrics unless ``oracle`` says otherwise; None for a formula
    label: str  # short name for people
    kind: Kind
    greater_is_better: bool
    ideal: float | None = None  # the score of a perfect system; None if there is none
    low: float = -math.inf
    high: float = math.inf
    ratio_scale: bool = False  # zero means "none", so a coefficient of variation makes sense
    evaluation: Evaluation = "called"
    build: Callable[[Data, Mapping[str, Any]], Any] | None = None
    statistics: ExampleStatistics | None = None
    defaults: Mapping[str, Any] = field(default_factory=dict)  # of the parameters of these
    oracle: str = ""  # "module:function" that defines the value, if not in sklearn.metrics
    #: Parameter → the words it may be, where they are not those of scikit-learn.
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: Whether the metric aggregates scores of units that were made elsewhere. There is no gold.
    per_unit: bool = False
    #: Returns what a prediction of the kind must match, from what the gold asks (`ExampleKind`) and
    #: the parameters: enough samples. None if the metric asks nothing more.
    demand: Callable[[Any, Mapping[str, Any]], Any] | None = None
    #: Predictions must exceed this bound.
    above: float | None = None
    #: Returns parameters of the oracle or the statistics that depend on the data, unless the
    #: settings give them: the whole label set, because a class that is not drawn is still a class.
    context: Callable[[Data], Mapping[str, Any]] | None = None
    #: When the settings must say which of two labels a score refers to: if a row has one score
    #: ("single"), or even if it has one of each label ("always"). None if scores have no label.
    positive: Literal["single", "always"] | None = None
    #: Returns what each row contributes to each entry's score of order, ψ [n, m] with mean zero:
    #: the score changes by ψ_r / n if row r is drawn once more. None if it does not fit the data.
    places: Callable[[Data, Mapping[str, Any]], Floats | None] | None = None
    #: Whether the score changes smoothly with the draws. That of a median or a largest value jumps.
    smooth: bool = True
    #: The score of predictions that tell nothing. One that is surely worse has the wrong direction.
    no_skill: float | None = None
    #: Whether the score is the largest value of any row. No resampling knows how that one varies.
    extreme: bool = False
    #: Returns the variance [n, m] of what each row counts that is due to its repeated samples; nan
    #: where it cannot be estimated. None if a row is no mean over samples.
    sample_variance: Callable[[Data, Mapping[str, Any]], Floats] | None = None
    #: Returns why the metric has no value on a gold, whatever is predicted; None if it has one. It
    #: gets data without entries, and the parameters. None if the metric has a value on every gold.
    gold_defect: Callable[[Data, Mapping[str, Any]], GoldDefect | None] | None = None
    #: Whether the metric has no value for predictions that are all equal.
    needs_different_predictions: bool = False
    #: Whether only the order of predictions counts, so that numbers of any size are used as they
    #: are; and whether the same holds for the gold's numbers.
    order_only: bool = False
    gold_order_only: bool = False
    #: Whether correct numbers may be times, some of which are censored (`Metric.event`).
    reads_events: bool = False
    #: Returns the lower and the upper bound, if they depend on the data or the parameters.
    bounds: Callable[[Data, Mapping[str, Any]], tuple[float, float]] | None = None

    @property
    def of_scores(self) -> bool:
        """Whether the metric aggregates a column of scores of units."""
        return self.per_unit and self.evaluation != "pairs"

    def named(self, name: str, description: str, **facts: Any) -> Metric:
        """Return the metric that the settings make of it, with changed or further ``facts``."""
        return Metric(**{**vars(self), "name": name, "description": description, **facts})


#: What most metrics have in common: a score from 0 to 1, of which 1 is perfect, or an error.
SHARE = partial(Definition, greater_is_better=True, ideal=1, low=0, high=1, ratio_scale=True)
ERROR = partial(Definition, greater_is_better=False, ideal=0, low=0, ratio_scale=True)


@dataclass(frozen=True, kw_only=True)
class Metric(Definition):
    """A metric as the settings ask for it; they may change its label, direction and bounds."""

    name: str  # its key in scores.txt
    description: str  # function, parameters and column in one line
    params: Mapping[str, Any] = field(default_factory=dict)  # those of the settings
    column: str | None = None  # the target column; None for the only one
    sample_weight: str | None = None  # the gold's column of weights; None if all rows count once
    event: str | None = None  # the gold's column of events; None if no time is censored
    formula: str | None = None
    #: The metrics that a formula names, in the order of its text.
    components: tuple[Metric, ...] = ()
    #: The organizer's or a package's function; None for scikit-learn's and ours.
    call: Callable[..., Any] | None = field(default=None, repr=False, compare=False)
    silent: bool = False  # whether what ``call`` prints is dropped
    #: Its name and label in messages about predictions, where it is computed on secret parts of the
    #: rows: no message may tell on which part an upload failed. None if there are no such parts.
    called_on_secret_rows: tuple[str, str] | None = None

    @property
    def name_in_messages(self) -> str:
        """What messages about predictions call it."""
        return self.name if self.called_on_secret_rows is None else self.called_on_secret_rows[0]

    @property
    def label_in_messages(self) -> str:
        """Its label in messages about predictions."""
        return self.label if self.called_on_secret_rows is None else self.called_on_secret_rows[1]

    @property
    def scale(self) -> float:
        """The size of scores whose parts may cancel: that of a finite bound; 0 without one."""
        bounds = (abs(bound) for bound in (self.low, self.high) if math.isfinite(bound))
        return max([*bounds, *(component.scale for component in self.components)], default=0.0)

    @property
    def worst(self) -> float:
        """The worst value, infinite if the metric is not bounded there."""
        return float(self.low if self.greater_is_better else self.high)

    @property
    def reads_frames(self) -> bool:
        """Whether it is a function that Kaggle's signature says is given data frames."""
        return bool(getattr(self.call, "kaggle", False))

    @property
    def all_params(self) -> dict[str, Any]:
        """The settings' parameters, and defaults for the others that ``build`` needs."""
        return {**self.defaults, **self.params}


@dataclass(frozen=True, eq=False)
class Evaluated:
    """Scores of m entries on R resamples, and which need care; [m, R] each, or [R, m] of scorers.

    ``undefined`` marks values that are nan or a convention (``zero_division``). ``inexact`` marks
    values with possibly large rounding errors. They are computed again from the rows.
    """

    values: Floats
    undefined: Bools
    inexact: Bools | None = None

    @property
    def transposed(self) -> Evaluated:
        """The scores and which are undefined, as scorers have them, [R, m]."""
        return Evaluated(self.values.T, self.undefined.T)


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


def with_events(metrics: Sequence[Metric], column: str | None) -> tuple[Metric, ...]:
    """Return the metrics; those of times read the gold's ``column`` of events, also in formulas."""
    if column is None:
        return tuple(metrics)
    reading = []
    for metric in metrics:
        components = with_events(metric.components, column)
        if metric.reads_events and metric.call is None:
            described = f"{metric.description}, events in {column}"
            metric = replace(metric, event=column, description=described)
        reading.append(replace(metric, components=components))
    return tuple(reading)


def without_formulas(metrics: Sequence[Metric]) -> list[Metric]:
    """Return the metrics, with every formula replaced by the metrics that it names."""
    plain: list[Metric] = []
    for metric in metrics:
        plain.extend(without_formulas(metric.components) if metric.components else [metric])
    return plain


def classes_of(data: Data) -> Array:
    """Return the sorted classes that scores refer to: the label set or, if unknown, the gold's."""
    return distinct(data.y_true) if data.labels is None else np.sort(data.labels)


def with_labels_of_data(params: Mapping[str, Any], data: Data) -> Mapping[str, Any]:
    """Return a metric's parameters with the labels of the data instead of those in the settings.

    A label that is not in the data stays, and the metric refuses it. Raises MetricError if two of
    ``labels`` mean the same label.
    """
    named = [key for key in ("pos_label", "labels") if params.get(key) is not None]
    if not named:
        return params
    read = setting_reader(classes_of(data).tolist())

    def found(value: Any) -> Any:
        label = read(value)
        return value if label is None else label

    changed = dict(params)
    for key in named:
        value = params[key]
        if not isinstance(value, (list, tuple)):
            changed[key] = found(value)
            continue
        changed[key] = [found(item) for item in value]
        if len(set(map(str, changed[key]))) < len(value):
            raise MetricError(f"{key}={value!r} names a label twice; name each once")
    return changed


def positive_label(data: Data) -> Any:
    """Return the label that scores [n] refer to: the larger of two labels."""
    classes = classes_of(data)
    if len(classes) > 2:
        raise MetricError(
            Phrase(
                "there are more than two labels, but only one score per row; send one column per "
                "label, with the label as its name"
            )
        )
    return classes[-1]


class UnknownLabel(MetricError):
    """Scores of an entry may refer to either of two labels; those of most: ask the ``question``."""

    def __init__(self, metric: Metric) -> None:
        super().__init__(
            Phrase(
                "it is not known which of the two labels the scores refer to; name their column "
                "after that label, or send a column for each label"
            )
        )
        self.question = SettingsError(
            f"{metric.function}: it is not known which of the two labels the scores refer to; name "
            f"it in each such metric, as in {metric.function}: {{pos_label: yes}}, {AS_WRITTEN}"
        )


def with_positive_last(metric: Metric, data: Data) -> tuple[Metric, Data]:
    """Return a metric without ``pos_label``, and data whose positive label sorts last.

    So every function of scikit-learn takes it for the positive one; most have no ``pos_label``. If
    it is named, it stands against all others. Of scores [n, c], a metric that is no sum over the
    columns gets those of the positive label.

    Raises MetricError if ``pos_label`` is no label of the data, and UnknownLabel if nothing says
    which of two labels scores refer to: neither is 1 or true.
    """
    classes = classes_of(data)
    pos_label = metric.params.get("pos_label")
    params = {key: value for key, value in metric.params.items() if key != "pos_label"}
    plain = replace(metric, params=params)
    if len(classes) > 2 and pos_label is None:
        return plain, data
    positive = classes[-1] if pos_label is None else pos_label
    if positive not in classes.tolist():
        raise MetricError(
            f"pos_label={pos_label!r} is not a label of the data: write it {AS_WRITTEN}; tasks "
            "with other labels need a metric of their own, with 'task'"
        )
    is_sure = pos_label is not None or len(classes) < 2 or is_positive(str(positive))
    asked = metric.positive == "always" or any(y.ndim == 1 for y in data.y_preds)
    if asked and not is_sure:
        raise UnknownLabel(metric)
    place = classes.tolist().index(positive)
    if len(classes) > 2 or place < len(classes) - 1:
        params.pop("labels", None)
        y_true = (data.y_true == positive).astype(np.intp)
        data = replace(data, y_true=y_true, labels=np.arange(2))

    def of_positive(y_pred: Floats) -> Floats:
        if y_pred.ndim == 1 or len(classes) < 2:
            return y_pred
        if metric.kind == "scores" or metric.build is None:
            return y_pred[:, place]
        against = np.delete(y_pred, place, axis=1).sum(axis=1)
        return np.stack([against, y_pred[:, place]], axis=1)

    return plain, replace(data, y_preds=tuple(map(of_positive, data.y_preds)))
