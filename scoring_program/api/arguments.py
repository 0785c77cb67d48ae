"""The metrics of calls in Python as the settings hold them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ..core.errors import SettingsError
from ..metrics import organizer
from ..metrics.organizer import is_file
from ..metrics.registry import REGISTRY, direction_by_name, find
from ..settings.checks import SCORERS, MetricSpec, suggestion
from .types import Metrics


def of_settings(metrics: Metrics) -> list[Any]:
    """Return metrics as the settings' key ``metrics`` holds them.

    Raises
    ------
    SettingsError
        A value is not a metric.
    """
    if isinstance(metrics, Sequence) and not isinstance(metrics, str):
        return [_one(metric) for metric in metrics]
    return [_one(metrics)]


def _one(metric: Any) -> Any:
    if isinstance(metric, str):
        return _named(metric)
    if isinstance(metric, Mapping):
        return _mapped(metric)
    if hasattr(metric, "_score_func"):  # what scikit-learn's make_scorer returns
        return _scorer(metric, metric._score_func.__name__)
    if not callable(metric):
        raise SettingsError(
            f"metrics: {metric!r} is not a metric; give a scorer's name such as 'f1_macro', a "
            "function, or a mapping as in the settings"
        )
    # Of a bare function, a higher value is better, as in scikit-learn.
    spec = _function(metric)
    if isinstance(spec, MetricSpec) and getattr(spec.call, "greater_is_better", None) is None:
        words = spec.name.casefold().split("_")
        if "neg" not in words and any(direction_by_name(word) is False for word in words if word):
            raise SettingsError(
                f"metrics: {spec.name!r} is called like an error, but of a function alone, a "
                f"higher value is better; give {{'name': {spec.name!r}, 'function': {spec.name}, "
                "'greater_is_better': False}, or True"
            )
    return spec


def _named(name: str) -> Any:
    """Return a metric that is known by its name."""
    if name in SCORERS or find(name) is not None:
        return name
    from sklearn import metrics as library

    if not hasattr(library, name) and name in library.get_scorer_names():
        return _scorer(library.get_scorer(name), name.removeprefix("neg_"))
    metric_names = {*library.__all__, *REGISTRY, *organizer.installed_names()}
    if name.removeprefix("sklearn.metrics.") in metric_names or is_file(name):
        return name
    raise SettingsError(f"metrics: there is no metric {name!r}{suggestion(name, metric_names)}")


def _scorer(scorer: Any, name: str) -> Any:
    spec = _function(scorer._score_func, name, scorer._kwargs)
    if isinstance(spec, MetricSpec):
        return _own(scorer._score_func, name, scorer._kwargs, better=scorer._sign > 0)
    return spec


def _mapped(metric: Mapping[str, Any]) -> Any:
    function = metric.get("function")
    if not callable(function):
        return dict(metric)
    keys = {"name", "function", "params", "greater_is_better", "kind"}
    if unknown := set(metric) - keys:
        raise SettingsError(
            f"metrics: unknown key {min(unknown)!r} next to a function; known keys are "
            f"{', '.join(sorted(keys))}"
        )
    better = metric.get("greater_is_better", getattr(function, "greater_is_better", None))
    function_metric = _function(function, metric.get("name"), metric.get("params"), better=better)
    if isinstance(function_metric, MetricSpec) and better is None:
        raise SettingsError(
            f"metrics: {function_metric.name!r}: is a higher score better, or a lower one? Add "
            "'greater_is_better': True, or False, to the mapping"
        )
    kind = {"kind": metric["kind"]} if "kind" in metric else {}
    if isinstance(function_metric, MetricSpec):
        return replace(function_metric, **kind)
    return {**function_metric, **kind}


def _function(
    function: Callable[..., Any],
    name: str | None = None,
    params: Mapping[str, Any] | None = None,
    *,
    better: bool | None = None,
) -> Any:
    """Return a function of scikit-learn by its name, so that fast sums apply, or any other."""
    from sklearn import metrics as library

    if isinstance(function, partial) and not function.args and not params:
        return _function(function.func, name, function.keywords, better=better)
    function_name = _name(function)
    if getattr(library, function_name, None) is not function:
        return _own(function, name or function_name, params, better=better)
    item = {"name": name or function_name, "function": function_name, "params": dict(params or {})}
    return item if better is None else {**item, "greater_is_better": better}


def _name(function: Callable[..., Any]) -> str:
    """Return a function's name, that of the function inside a partial, or "metric"."""
    inner = getattr(function, "func", function)
    name = str(getattr(inner, "__name__", type(inner).__name__))
    return name if name.isidentifier() else "metric"  # a lambda's is no name


def _own(
    call: Callable[..., Any], name: str, params: Mapping[str, Any] | None, *, better: bool | None
) -> MetricSpec:
    function = getattr(call, "__qualname__", name)
    return MetricSpec(
        name=name, function=function, params=dict(params or {}), greater_is_better=better, call=call
    )
