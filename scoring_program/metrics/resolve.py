"""From the metrics in the settings to `Metric` objects: names, parameters, formulas and files."""

from __future__ import annotations

import inspect
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from ..core.errors import SettingsError, listed, nearest
from ..reading.formats.kind import ROWS
from ..recognize.parameter_names import takes_answers, takes_predictions
from ..settings.checks import AVERAGES, LONG_FORM, SAMPLE_WEIGHT, MetricSpec, shown
from . import formula, organizer
from .calls import own_counts, own_items, own_score
from .kinds.multilabel import KIND as LABEL_SETS
from .metric import Definition, Evaluation, ExampleStatistics, Metric, describe
from .organizer import OwnFunction
from .registry import definition_of, find, function_of, parameters, scores
from .statistics import require


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _scalar(value: Any) -> bool:
    return isinstance(value, (str, int, float))


def _labels(value: Any) -> bool:
    return value is None or (
        isinstance(value, (list, tuple)) and len(value) > 0 and all(map(_scalar, value))
    )


def _zero_division(value: Any) -> bool:
    return value == "warn" or (_number(value) and (value in (0, 1) or math.isnan(value)))


#: Parameter → a test of its value, and what the value must be.
_CHECKS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "labels": (_labels, "a list of labels"),
    "types": (_labels, "a list of types"),
    "pos_label": (lambda value: value is None or _scalar(value), "one label"),
    "zero_division": (_zero_division, "warn, 0, 1 or .nan"),
    "adjusted": (lambda value: isinstance(value, bool), "true or false"),
    "beta": (lambda value: _number(value) and value >= 0, "a number of 0 or more"),
    "alpha": (lambda value: _number(value) and 0 <= value <= 1, "a number from 0 to 1"),
    "k": (
        lambda value: value is None or (isinstance(value, int) and value >= 1),
        "a whole number of 1 or more",
    ),
}
#: Parameter → the words it may be.
_WORDS: Mapping[str, tuple[str | None, ...]] = {
    "average": ("binary", "micro", "macro", "weighted", "samples"),
    "multi_class": ("raise", "ovr", "ovo"),
    "weights": (None, "linear", "quadratic"),
}


def _check_parameters(
    metric: str, params: Mapping[str, Any], choices: Mapping[str, tuple[str, ...]]
) -> None:
    """Raise SettingsError for a value that scikit-learn would refuse, or that is no choice."""
    allowed = {**_WORDS, **choices}
    for key, value in params.items():
        if key in allowed and value not in allowed[key]:
            words = ["null" if word is None else word for word in allowed[key]]
            raise SettingsError(
                f"metric {metric!r}: {key}={shown(value)} is not one of {', '.join(words)}"
                f"{nearest(str(value), words)}"
            )
        if key in _CHECKS and not _CHECKS[key][0](value):
            raise SettingsError(
                f"metric {metric!r}: {key}={shown(value)} cannot be used; expected "
                f"{_CHECKS[key][1]}"
            )


def resolve(
    specs: Sequence[MetricSpec], folder: Path | None, kind: str = ROWS, *, hidden: bool = False
) -> tuple[Metric, ...]:
    """Return one metric for every specification in the settings that is shown, in their order.

    With ``hidden``, also those that are ingredients of formulas alone. ``folder`` holds an
    organizer's file (``my_metric.py:score``). ``kind`` is what an example is; functions that score
    several kinds of data score this one. Raises SettingsError for an unknown function, parameter or
    direction, and for an invalid formula.
    """
    by_name: dict[str, MetricSpec] = {}
    specs = [_of_kind(spec, kind) for spec in specs]
    for spec in specs:
        if spec.name in by_name:
            raise SettingsError(f"two metrics are called {spec.name!r}: give each its own name")
        by_name[spec.name] = spec
    resolver = _Resolver(by_name, folder)
    for spec in specs:
        try:
            resolver.resolve(spec)
        except SettingsError as error:
            raise SettingsError(f"{spec.where}: {error}") from error
    reported = [resolver.done[spec.name] for spec in specs if hidden or spec.show is not False]
    count = Counter(metric.label for metric in reported)
    return tuple(  # metrics that share a label get their names as labels
        metric if count[metric.label] == 1 else replace(metric, label=metric.name)
        for metric in reported
    )


def _of_kind(spec: MetricSpec, kind: str) -> MetricSpec:
    """Return a metric with the kind of data that it scores, if its function scores several.

    An average over samples needs several labels for each.
    """
    if spec.kind is None and spec.call is None:
        wanted = LABEL_SETS if spec.params.get("average") == "samples" else kind
        if scores(spec.function, wanted):
            return replace(spec, kind=wanted)
    return spec


class _Resolver:
    """Resolves the metrics of some settings, whose files lie in ``folder``; `done` are those."""

    def __init__(self, specs: Mapping[str, MetricSpec], folder: Path | None) -> None:
        self.specs = specs
        self.folder = folder
        self.done: dict[str, Metric] = {}

    def resolve(self, spec: MetricSpec, above: tuple[str, ...] = ()) -> Metric:
        """Resolve a metric and those that its formula names. ``above`` are the formulas around."""
        if spec.name in above:
            chain = " → ".join([*above, spec.name])
            raise SettingsError(
                f"metric {spec.name!r} is defined by itself: {chain}; remove it "
                "from one of these formulas"
            )
        if spec.name not in self.done:
            if (spec.formula is None) == (spec.function is None):
                raise SettingsError(f"metric {spec.name!r} needs either a function or a formula")
            if spec.formula is not None:
                parts = self._parts(spec, spec.formula, above)
                self.done[spec.name] = of_formula(spec, parts)
            else:
                self.done[spec.name] = self._of_function(spec)
        return self.done[spec.name]

    def _parts(self, spec: MetricSpec, text: str, above: tuple[str, ...]) -> tuple[Metric, ...]:
        """Resolve the metrics that a formula names; ``text`` is the formula of the metric."""
        parts = []
        for name in formula.names(text, spec.name):
            if name not in self.specs:
                raise self._unknown(name, spec.name)
            parts.append(self.resolve(self.specs[name], (*above, spec.name)))
        hidden = [part.name for part in parts if self.specs[part.name].show is False]
        if hidden and spec.greater_is_better is None:
            raise SettingsError(
                f"metric {spec.name!r} combines {listed(hidden)}, which are not shown and need no "
                "direction: say whether a higher value is better, with greater_is_better: true or "
                "false beside its formula"
            )
        return tuple(parts)

    def _unknown(self, name: str, metric: str) -> SettingsError:
        """Return the error that the formula of a metric names what is no metric."""
        candidates = [candidate for candidate in self.specs if candidate != metric]
        choice = f" ({listed(candidates)})" if candidates else ""
        remedy = nearest(name, candidates)
        remedy = remedy or "; add it to 'metrics', with 'show: false' if it is an ingredient alone"
        return SettingsError(
            f"the formula of metric {metric!r} names {name!r}, which is not a metric of these "
            f"settings{choice}{remedy}"
        )

    def _of_function(self, spec: MetricSpec) -> Metric:
        """Return the metric of a function; its parameter sample_weight names a column."""
        params = dict(spec.params)
        weight = params.pop(SAMPLE_WEIGHT, None)
        own_function = self._own_function(spec)
        plain = replace(spec, params=params)
        metric = _of_library(plain) if own_function is None else self._of_own(plain, own_function)
        return metric if weight is None else _weighted(metric, weight)

    def _own_function(self, spec: MetricSpec) -> OwnFunction | None:
        """Return a metric's function from Python, a file or a package; None for others."""
        function = str(spec.function)
        if spec.call is not None:
            # As in scikit-learn, a function that says nothing else is a score.
            return OwnFunction(spec.call, True, "gold", "from Python", silent=False)
        if organizer.is_file(function):
            return organizer.load(function, self.folder, spec.name)
        return (
            None if find(function, spec.kind) else organizer.installed_function(function, spec.name)
        )

    def _of_own(self, spec: MetricSpec, own_function: OwnFunction) -> Metric:
        better = spec.greater_is_better
        if better is None:
            better = own_function.greater_is_better
        if better is None and spec.show is False:
            better = True  # nobody asks
        if better is None:
            raise SettingsError(
                f"metric {spec.name!r}: say whether a higher value of {spec.function} is better, "
                "with greater_is_better: true or false"
            )
        if spec.statistics is None:
            _refuse_swapped(spec.name, str(spec.function), own_function.call)
        if spec.kind is not None:
            organizer.check_kind(spec.kind, spec.name, f"kind: {spec.kind!r}")
        label = own_function.label or spec.name
        kind = spec.kind or own_function.kind
        definition = Definition(
            spec.function,
            label,
            kind,
            better,
            own_function.ideal,
            own_function.low,
            own_function.high,
        )
        origin = own_function.origin
        if spec.statistics is not None:
            counts = self._counts(spec)
            evaluation: Evaluation = "items" if spec.sums is False else "sums"
            origin = f"of {evaluation} of {spec.statistics}, {counts.origin}; {origin}"
            statistics = ExampleStatistics(
                partial(own_counts if evaluation == "sums" else own_items, counts.call),
                partial(own_score, own_function.call, spec.name, str(spec.function)),
                counter=str(spec.statistics),
            )
            definition = replace(definition, evaluation=evaluation, statistics=statistics)
        return definition.named(
            spec.name,
            f"{describe(str(spec.function), spec.params, spec.column)} [{origin}]",
            params=dict(spec.params),
            column=spec.column,
            call=own_function.call,
            silent=own_function.silent,
        )

    def _counts(self, spec: MetricSpec) -> OwnFunction:
        """Return the organizer's function that counts one example."""
        reference = str(spec.statistics)
        if not organizer.is_file(reference):
            raise SettingsError(
                f"metric {spec.name!r}: statistics: expected a file and its function, such as "
                f"my_metric.py:counts; found {reference!r}"
            )
        counter = organizer.load(reference, self.folder, spec.name)
        _refuse_swapped(spec.name, reference, counter.call)
        return counter


def _weighted(metric: Metric, column: Any) -> Metric:
    """Return a metric with the column of the reference data that holds its examples' weights.

    They are the parameter ``sample_weight`` of scikit-learn: a row of weight w counts as w rows. A
    resample that draws it c times counts it c·w times. So sums of statistics become weighted sums;
    a function that is called takes c·w as ``sample_weight``.

    Raises
    ------
    SettingsError
        ``column`` is not a name, or the metric has no meaning for weights.
    """
    if not isinstance(column, str):
        raise SettingsError(
            f"metric {metric.name!r}: sample_weight: expected the name of a column of the "
            f"reference data; found {column!r}"
        )
    if not _takes_weights(metric):
        raise SettingsError(
            f"metric {metric.name!r}: {metric.function} cannot weight examples; remove "
            "sample_weight, or write a function of your own with a parameter sample_weight"
        )
    # Totals over sorted rows are integers, so a metric of order is called.
    return replace(
        metric,
        evaluation="called" if metric.evaluation == "ordered" else metric.evaluation,
        places=None,
        sample_variance=None,  # that of a row that counts once
        description=f"{metric.description}, weighted by {column}",
        sample_weight=column,
    )


def _takes_weights(metric: Metric) -> bool:
    """Whether a metric is defined for weights: by sums of counts, or by a function with weights."""
    if metric.statistics is not None:
        return metric.evaluation != "items"
    if metric.call is not None:
        kaggle = getattr(metric.call, "kaggle", False)
        return not kaggle and "sample_weight" in parameters(metric.call)
    function = _of_a_library(metric, str(metric.function))
    return function is not None and "sample_weight" in parameters(function)


def _of_a_library(definition: Definition, function: str) -> Callable[..., Any] | None:
    """Return the function that defines a metric; None if its own sums alone do, as of ICM."""
    try:
        return function_of(function, definition.oracle)
    except AttributeError:
        return None


def _of_library(spec: MetricSpec) -> Metric:
    function = str(spec.function).removeprefix("sklearn.metrics.")
    definition = find(function, spec.kind) or definition_of(
        function, True if spec.show is False else spec.greater_is_better, spec.name
    )
    if spec.kind not in (None, definition.kind):
        raise SettingsError(
            f"metric {spec.name!r}: {function} scores {definition.kind}, not {spec.kind}; remove "
            "'kind:'"
        )
    for_build = {key: value for key, value in spec.params.items() if key in definition.defaults}
    for_function = [key for key in spec.params if key not in for_build]
    for key in for_function:
        parameter_names = _parameters(definition, function)
        if key not in parameter_names:
            hint = nearest(key, parameter_names)
            if key in LONG_FORM:
                value = spec.params[key]
                hint = f"; it stands beside the function: {{function: {function}, {key}: {value}}}"
            raise SettingsError(f"metric {spec.name!r}: {function} has no parameter {key!r}{hint}")
    _check_parameters(spec.name, for_build, definition.choices)
    if definition.statistics is not None:
        require(spec.name, definition.statistics)
    # With a parameter that ``build`` does not know, the library's function is called.
    evaluation = definition.evaluation if len(for_build) == len(spec.params) else "called"
    better = definition.greater_is_better
    if definition.ideal is not None and spec.greater_is_better not in (None, better):
        raise SettingsError(
            f"metric {spec.name!r}: greater_is_better contradicts {function}, for which "
            f"{'higher' if better else 'lower'} is better"
        )
    average = spec.params.get("average")
    counted = spec.params.get("normalize", True) is False  # a number of examples, not a share
    return definition.named(
        spec.name,
        describe(function, spec.params, spec.column),
        function=function,
        label=f"{average} {definition.label}" if average in AVERAGES else definition.label,
        greater_is_better=better if spec.greater_is_better is None else spec.greater_is_better,
        ideal=None if counted and better else definition.ideal,
        high=math.inf if counted else definition.high,
        evaluation=evaluation,
        params=dict(spec.params),
        column=spec.column,
    )


def _parameters(definition: Definition, function: str) -> Sequence[str]:
    """Return the parameters that a metric may have: those of its defining function."""
    if definition.statistics is not None or (definition.build is not None and definition.oracle):
        return tuple(definition.defaults)
    called = _of_a_library(definition, function)
    return () if called is None else tuple(inspect.signature(called).parameters)[2:]


def _refuse_swapped(metric: str, function: str, call: Callable[..., Any]) -> None:
    """Refuse a function whose parameters say that predictions come first: the gold is passed so."""
    try:
        first, second, *_ = (name.casefold() for name in parameters(call))
    except (TypeError, ValueError):  # it has others, or does not tell
        return
    if takes_predictions(first) and takes_answers(second):
        raise SettingsError(
            f"metric {metric!r}: the parameters of {function} are {first}, {second}, but it is "
            f"called with the correct answers first; write it with {second}, {first}"
        )


def _bounds_of(text: str, name: str, components: Sequence[Metric]) -> Mapping[str, formula.Bounds]:
    """Return the bounds of what a formula names, in the order of its text: ``components``."""
    return dict(zip(formula.names(text, name), map(_bounds, components), strict=True))


def _bounds(metric: Metric) -> formula.Bounds:
    """Return the bounds of a metric's scores; of a formula, those that follow from its parts."""
    text = metric.formula
    if text is None:
        return metric.low, metric.high
    return formula.directions(text, _bounds_of(text, metric.name, metric.components))[1]


def of_formula(spec: MetricSpec, components: tuple[Metric, ...]) -> Metric:
    """Return the metric of a formula over these metrics, in the order of its text.

    Scores that the formula only adds up make a score. Raises SettingsError if nothing says whether
    a higher value is better: some are errors, or the formula does not surely rise with each.
    """
    text = str(spec.formula)
    better = spec.greater_is_better
    if better is None:
        signs = formula.directions(text, _bounds_of(text, spec.name, components))[0]
        falling = [name for name in sorted(signs) if signs[name] == -1]
        unsure = [name for name in sorted(signs) if signs[name] == 0]
        errors = [item for item in components if not item.greater_is_better]
        if errors or falling or unsure:
            why = "combines scores and errors"
            if len(errors) == len(components):
                why = "has a formula of errors only"
            elif not errors and falling:
                why = f"subtracts or divides by {listed(map(repr, falling))}"
            elif not errors:
                why = f"may rise or fall where {listed(map(repr, unsure))} rises"
            raise SettingsError(
                f"metric {spec.name!r} {why}: say whether a higher value is better, with "
                "greater_is_better: true or false beside its formula in 'metrics'"
            )
    definition = Definition(None, spec.name, "gold", better is not False, evaluation="formula")
    where = "; ".join(f"{item.name} = {item.description}" for item in components)
    described = f"{text}, where {where}"
    return definition.named(spec.name, described, formula=text, components=components)
