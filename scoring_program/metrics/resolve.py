"""From the settings' metric entries to metrics: names, parameters, formulas and files."""

from __future__ import annotations

import inspect
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..core.errors import SettingsError, nearest
from ..settings.metric_spec import MetricSpec
from . import formula, organizer, parameters
from .functions import definition_of, function_of
from .metric import Definition, Metric, describe
from .registry import REGISTRY

#: Averages over classes that change what a metric is called: "macro F1".
_AVERAGES = ("macro", "micro", "weighted", "samples")


def resolve(specs: Sequence[MetricSpec], folder: Path | None) -> tuple[Metric, ...]:
    """Return one metric for every entry of the settings, in their order.

    ``folder`` is where an organizer's file (``my_metric.py:score``) lies. Raises SettingsError
    for an unknown function or parameter, a direction that nothing tells, and a formula that is
    not one.
    """
    by_name: dict[str, MetricSpec] = {}
    for spec in specs:
        if spec.name in by_name:
            raise SettingsError(f"two metrics are called {spec.name!r}: give each its own name")
        by_name[spec.name] = spec
    done: dict[str, Metric] = {}
    for spec in specs:
        try:
            _resolve(spec, by_name, done, folder, ())
        except SettingsError as error:
            raise SettingsError(f"{spec.where}: {error}") from error
    return _distinctly_labelled([done[spec.name] for spec in specs])


def _distinctly_labelled(metrics: Sequence[Metric]) -> tuple[Metric, ...]:
    """Return the metrics, those that share a label under their names in the settings."""
    count = Counter(metric.label for metric in metrics)
    return tuple(
        metric if count[metric.label] == 1 else replace(metric, label=metric.name)
        for metric in metrics
    )


def _resolve(
    spec: MetricSpec,
    specs: Mapping[str, MetricSpec],
    done: dict[str, Metric],
    folder: Path | None,
    above: tuple[str, ...],
) -> Metric:
    """Resolve a metric and those that its formula names; ``above`` are the formulas around."""
    if spec.name in above:
        chain = " → ".join([*above, spec.name])
        raise SettingsError(f"metric {spec.name!r} is defined by itself: {chain}")
    if spec.name not in done:
        if (spec.formula is None) == (spec.function is None):
            raise SettingsError(f"metric {spec.name!r} needs either a function or a formula")
        if spec.formula is not None:
            parts = []
            for name in formula.names(spec.formula, spec.name):
                if name not in specs:
                    known = nearest(name, specs)
                    raise SettingsError(
                        f"the formula of metric {spec.name!r} names {name!r}, which is not a "
                        f"metric of these settings{known}"
                    )
                parts.append(_resolve(specs[name], specs, done, folder, (*above, spec.name)))
            done[spec.name] = _of_formula(spec, tuple(parts))
        elif organizer.is_file(str(spec.function)):
            done[spec.name] = _of_file(spec, folder)
        else:
            done[spec.name] = _of_library(spec)
    return done[spec.name]


def _of_library(spec: MetricSpec) -> Metric:
    function = str(spec.function).removeprefix("sklearn.metrics.")
    row = REGISTRY.get(function) or definition_of(function, spec.greater_is_better, spec.name)
    if "sample_weight" in spec.params:
        raise SettingsError(
            f"metric {spec.name!r}: sample_weight cannot be set here; the bootstrap weighs the rows"
        )
    for key in spec.params:
        if key not in row.params and key not in (known := _parameters(row, function)):
            raise SettingsError(
                f"metric {spec.name!r}: {function} has no parameter {key!r}{nearest(key, known)}"
            )
    parameters.check(
        spec.name, {key: value for key, value in spec.params.items() if key in row.params}
    )
    # A parameter that the statistics do not know leaves the metric to the library's own function.
    way = row.way if all(key in row.params for key in spec.params) else "any"
    better = row.greater_is_better
    if row.ideal is not None and spec.greater_is_better not in (None, better):
        raise SettingsError(
            f"metric {spec.name!r}: greater_is_better contradicts {function}, for which "
            f"{'higher' if better else 'lower'} is better"
        )
    return _metric(spec, row, way=way, function=function)


def _parameters(row: Definition, function: str) -> Sequence[str]:
    """Return the parameters that a metric may have: those of the function that defines it."""
    if row.build is not None and row.oracle:
        return tuple(row.params)
    return list(inspect.signature(function_of(function, row.oracle)).parameters)[2:]


def _metric(spec: MetricSpec, row: Definition, way: Any, function: str) -> Metric:
    average = spec.params.get("average")
    counted = spec.params.get("normalize", True) is False  # a number of examples, not a share
    return Metric(
        name=spec.name,
        label=f"{average} {row.label}" if average in _AVERAGES else row.label,
        kind=row.kind,
        greater_is_better=row.greater_is_better
        if spec.greater_is_better is None
        else spec.greater_is_better,
        ideal=None if counted and row.greater_is_better else row.ideal,
        low=row.low,
        high=math.inf if counted else row.high,
        ratio_scale=row.ratio_scale,
        way=way,
        column=spec.column,
        function=function,
        params=dict(spec.params),
        definition=describe(function, spec.params, spec.column),
        row=row,
    )


def _of_file(spec: MetricSpec, folder: Path | None) -> Metric:
    loaded = organizer.load(str(spec.function), folder, spec.name)
    better = loaded.greater_is_better if spec.greater_is_better is None else spec.greater_is_better
    if better is None:
        raise SettingsError(
            f"metric {spec.name!r}: say whether a higher value of {spec.function} is better, with "
            "greater_is_better: true or false"
        )
    return Metric(
        name=spec.name,
        label=spec.name,
        kind=loaded.kind,
        greater_is_better=better,
        ideal=None,
        low=-math.inf,
        high=math.inf,
        ratio_scale=False,
        way="any",
        column=spec.column,
        function=spec.function,
        params=dict(spec.params),
        definition=describe(str(spec.function), spec.params, spec.column)
        + f" [sha256 {loaded.sha256[:12]}]",
        call=loaded.function,
    )


def _of_formula(spec: MetricSpec, parts: tuple[Metric, ...]) -> Metric:
    text = str(spec.formula)
    if spec.greater_is_better is None and not any(part.greater_is_better for part in parts):
        raise SettingsError(
            f"metric {spec.name!r} is made of errors only: say whether a higher value of the "
            "formula is better, with greater_is_better: true or false"
        )
    return Metric(
        name=spec.name,
        label=spec.name,
        kind="gold",
        greater_is_better=True if spec.greater_is_better is None else spec.greater_is_better,
        ideal=None,
        low=-math.inf,
        high=math.inf,
        ratio_scale=False,
        way="formula",
        column=None,
        function=None,
        params={},
        definition=f"{text}, where "
        + "; ".join(f"{part.name} = {part.definition}" for part in parts),
        formula=text,
        components=parts,
    )
