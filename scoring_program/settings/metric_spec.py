"""The key ``metrics``: the metrics' names, their definitions and their keys in scores.txt."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import yaml

from ..core.errors import SettingsError, nearest
from .checks import Check, each, flag, parameters, text, unexpected
from .metric_names import SCORERS

_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.@-]*")
#: Codabench stores leaderboard keys in a column of this width.
LONGEST_KEY = 36
#: Keys in scores.txt that belong to no metric.
RESERVED_KEYS = frozenset(
    {
        "n_examples", "n_teams", "n_tied_with_leader", "duration",
        "rank", "tied_with_leader", "distance_from_best", "difference_from_leader", "p_value",
    }
)  # fmt: skip
#: The parameter of scikit-learn's functions that the reference data give as a column.
SAMPLE_WEIGHT = "sample_weight"
#: Keys of the long form of a metric.
LONG_FORM: Mapping[str, Check] = {
    "name": text,
    "function": text,
    "params": parameters,
    "formula": text,
    "greater_is_better": flag,
    "column": text,
    "task": each(text),
    "statistics": text,
    "sums": flag,
    "show": flag,
    "kind": text,
    SAMPLE_WEIGHT: text,
}


@dataclass(frozen=True)
class MetricSpec:
    """A metric in the settings: a function with parameters, or a formula over other metrics."""

    name: str
    function: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    formula: str | None = None
    greater_is_better: bool | None = None
    column: str | None = None
    task: tuple[str, ...] = ()  # the tasks that it scores; empty for all that it applies to
    statistics: str | None = None  # what one example counts; then ``function`` scores the sums
    sums: bool | None = None  # False: ``function`` scores what is counted of each example itself
    show: bool | None = None  # False: only an ingredient of formulas, which needs no direction
    kind: str | None = None  # the kind of prediction or of data that a function needs
    where: str = field(default="settings", compare=False)  # file and line, for messages
    call: Callable[..., Any] | None = field(default=None, repr=False)  # a function from Python

    @property
    def weight_column(self) -> str | None:
        """The column of the reference data with the examples' weights."""
        column = self.params.get(SAMPLE_WEIGHT)
        return column if isinstance(column, str) else None


def keys_of(metric: str) -> tuple[str, str, str]:
    """Return the keys in scores.txt that belong to a metric: its score and its interval."""
    return metric, f"{metric}_ci_low", f"{metric}_ci_high"


def as_dict(spec: MetricSpec) -> dict[str, Any]:
    """Return a metric's settings as results.json records them."""
    return {
        key: value
        for key, value in vars(spec).items()
        if key not in ("where", "call") and value not in (None, {}, ())
    }


def read_metrics(value: Any, lines: Mapping[str, str]) -> tuple[MetricSpec, ...]:
    """Read the value of ``metrics``; ``lines`` says where each metric was set.

    Raises
    ------
    SettingsError
        A metric that is malformed, or whose keys of scores.txt are taken.
    ValueError
        No metric at all.
    """
    items = value if isinstance(value, list) else [value]
    if not items:
        raise ValueError("at least one metric")
    specs: list[MetricSpec] = []
    taken = set(RESERVED_KEYS)
    for index, item in enumerate(items):
        where = lines.get(f"metrics[{index}]", lines.get("metrics", "settings"))
        spec = _read_metric(item, where)
        if spec.name in {other.name for other in specs}:
            raise SettingsError(
                f"{where}: two metrics are called {spec.name!r}; give one of them another name, as "
                f"in {{name: {spec.name}_2, function: {spec.function or '…'}, params: {{…}}}}"
            )
        keys = set(keys_of(spec.name))
        if clash := min(keys & taken, default=None):
            raise SettingsError(
                f"{where}: the metric {spec.name!r} would need the key {clash!r} of scores.txt, "
                "which is taken; give it another 'name'"
            )
        taken |= keys
        specs.append(spec)
    if all(spec.show is False for spec in specs):
        raise ValueError("at least one metric with 'show: true'")
    return tuple(specs)


def _read_metric(item: Any, where: str) -> MetricSpec:
    """Read one item of ``metrics``: a name, a name with parameters, or the long form.

    A call from Python may have made a `MetricSpec` of it already.
    """
    if isinstance(item, MetricSpec):
        spec = item
    elif isinstance(item, str):
        spec = MetricSpec(name=item, function=item, where=where)
    elif isinstance(item, dict) and {"name", "function"} & item.keys():
        spec = _read_long_form({"name": _name_of(item.get("function")), **item}, where)
    elif (
        isinstance(item, dict) and len(named := [key for key in item if key not in LONG_FORM]) == 1
    ):
        ((name, params),) = [(key, item[key]) for key in named]
        if params is not None and not isinstance(params, dict):
            raise SettingsError(f"{where}: write the parameters of {name!r} as {{key: value}}")
        beside = {key: value for key, value in item.items() if key != name}
        long_form = {"name": str(name), "function": str(name), "params": params or {}, **beside}
        spec = _read_long_form(long_form, where)
    else:
        raise SettingsError(
            f"{where}: write a metric as 'f1_score', as 'f1_score: {{average: macro}}', "
            "or with 'name:' and 'function:'"
        )
    spec = _named_as_scikit_learn_does(spec)
    _check_name(spec.name, where)
    return spec


def _name_of(function: Any) -> str:
    """Return the name of a metric that has none: that of its function."""
    return str(function).removeprefix("sklearn.metrics.").rpartition(":")[2]


def _named_as_scikit_learn_does(spec: MetricSpec) -> MetricSpec:
    """Return a metric with the function that the name of a scorer stands for."""
    if spec.function is None or spec.function not in SCORERS or spec.call is not None:
        return spec
    function, params = SCORERS[spec.function]
    name = spec.name.removeprefix("neg_") if spec.name == spec.function else spec.name
    return replace(spec, name=name, function=function, params={**params, **spec.params})


def _check_name(name: str, where: str) -> None:
    if not _KEY.fullmatch(name) or len(name) > LONGEST_KEY or yaml.safe_load(name) != name:
        raise SettingsError(
            f"{where}: the metric name {name!r} becomes a key in scores.txt; use at most "
            f"{LONGEST_KEY} ASCII letters, digits, '_', '-', '.' or '@', start with a letter or "
            "'_', do not use a special word of YAML, and name the function with 'function:'"
        )


def _read_long_form(item: Mapping[str, Any], where: str) -> MetricSpec:
    values: dict[str, Any] = {}
    for key, value in item.items():
        if key not in LONG_FORM:
            meant = nearest(str(key), LONG_FORM)
            remedy = meant or "; a parameter of the function goes under 'params:'"
            raise SettingsError(f"{where}: unknown key {str(key)!r}{remedy}")
        try:
            values[key] = LONG_FORM[key](value)
        except ValueError as error:
            raise unexpected(where, key, error, value) from None
    if ("function" in values) == ("formula" in values):
        raise SettingsError(
            f"{where}: metric {values['name']!r} needs either 'function:' or 'formula:'"
        )
    own = ":" in values.get("function", "")
    if ("statistics" in values and not own) or ("kind" in values and "formula" in values):
        key = "statistics" if "statistics" in values else "kind"
        raise SettingsError(
            f"{where}: metric {values['name']!r}: '{key}:' goes with a function of your own, "
            "such as 'function: my_metric.py:score'"
        )
    if "sums" in values and "statistics" not in values:
        raise SettingsError(
            f"{where}: metric {values['name']!r}: 'sums:' goes with 'statistics:', which counts "
            "one example"
        )
    if SAMPLE_WEIGHT in values:  # the parameter may also stand outside of 'params:'
        values["params"] = {**values.get("params", {}), SAMPLE_WEIGHT: values.pop(SAMPLE_WEIGHT)}
    if "formula" in values and SAMPLE_WEIGHT in values.get("params", {}):
        raise SettingsError(
            f"{where}: metric {values['name']!r}: '{SAMPLE_WEIGHT}:' goes with a function; give it "
            "to the metrics that the formula names"
        )
    return MetricSpec(**values, where=where)
