"""The metrics of a table of scores: what the settings ask for, or one for each column."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from ..core.errors import ReferenceDataError, SettingsError, listed
from ..core.notes import Note
from ..metrics import REGISTRY, Metric, resolve
from ..metrics.functions import direction_by_name
from ..metrics.unit_scores import UNIT_RANK
from ..settings.metric_spec import LONGEST_KEY, MetricSpec
from ..settings.model import Settings
from .score_roles import Roles

_MEAN = "mean_score"


@dataclass(frozen=True, eq=False)
class ScoreMetrics:
    """The metrics, and for each column of scores whether a higher one is better."""

    metrics: tuple[Metric, ...]
    directions: Mapping[str, bool]
    notes: tuple[Note, ...] = ()


def metrics_of(
    roles: Roles,
    settings: Settings,
    settings_folder: Path | None,
    file: str,
    stated: Mapping[str, bool] = MappingProxyType({}),
) -> ScoreMetrics:
    """Return the metrics of a table of scores; by default the mean of every column.

    The direction of a column comes from the settings, from what a call in Python ``stated``, or
    from its name: that of a known metric, or one that ends as scikit-learn's scores and errors do.
    The column of a wide table has no name.

    Raises
    ------
    SettingsError
        A metric is not one of scores, names no column, or has no direction or two.
    ReferenceDataError
        There are no metrics in the settings, and a column's name does not state its direction.
    """
    notes: tuple[Note, ...] = ()
    if settings.metrics:
        specs = [_of_column(spec, roles, file, stated) for spec in settings.metrics]
    elif roles.system is None:
        specs = [MetricSpec(_MEAN, _MEAN, greater_is_better=stated.get("", True))]
        notes = () if stated else (Note("notes.higher_assumed"),)
    else:
        specs = _by_default(roles, file, stated)
    directions: dict[str, bool] = {}
    for spec in specs:
        if spec.formula is None:
            column, better = spec.column or "", _direction(spec)
            if directions.setdefault(column, better) != better:
                raise SettingsError(
                    f"{spec.where}: metric {spec.name!r}: another metric of the same scores says "
                    "the opposite about greater_is_better; a score has one direction"
                )
    found = resolve([_ready(spec) for spec in specs], settings_folder)
    labels = {spec.name: _label(spec) for spec in specs}
    labeled = (metric.redefined(label=labels[metric.name] or metric.label) for metric in found)
    return ScoreMetrics(tuple(labeled), directions, notes)


def _by_default(roles: Roles, file: str, stated: Mapping[str, bool]) -> list[MetricSpec]:
    """Return the mean of every column; raise ReferenceDataError if a direction is unknown."""
    better = {column: stated.get(column, direction_by_name(column)) for column in roles.scores}
    unknown = [column for column in roles.scores if better[column] is None]
    if not unknown:
        return [
            MetricSpec(_key(column), _MEAN, greater_is_better=better[column], column=column)
            for column in roles.scores
        ]
    lines = [f"{file}: is a higher score better in {listed(map(repr, unknown))}?"]
    lines += ["Say it in ref/scoring.yaml:", "metrics:"]
    for column in roles.scores:
        higher = {True: "true", False: "false", None: "true   # or false"}[better[column]]
        lines += [f"  - name: {_key(column)}", f"    function: {_MEAN}"]
        lines += [f"    column: {column}"] * (_key(column) != column)
        lines.append(f"    greater_is_better: {higher}")
    raise ReferenceDataError("\n".join(lines))


def _of_column(spec: MetricSpec, roles: Roles, file: str, stated: Mapping[str, bool]) -> MetricSpec:
    """Return a metric of the settings with the column of scores and their direction, if known."""
    if spec.formula is not None:
        return spec
    if spec.task:
        raise SettingsError(
            f"{spec.where}: metric {spec.name!r}: a table of scores has the same metrics in every "
            "task; remove 'task:'"
        )
    long = roles.system is not None
    if long and spec.function in roles.scores:  # "metrics: [dice]"
        spec = replace(spec, function=_MEAN, column=spec.column or spec.function)
    definition = REGISTRY.get(str(spec.function))
    if definition is None or not definition.per_unit:
        known = ", ".join(name for name, each in REGISTRY.items() if each.per_unit)
        raise SettingsError(
            f"{spec.where}: metric {spec.name!r}: {spec.function} compares predictions with "
            f"reference data, but {file} holds scores; use {known}"
        )
    if not long:
        return _directed(spec, stated)
    column = spec.column or (spec.name if spec.name in roles.scores else None)
    if column is None and len(roles.scores) == 1:
        (column,) = roles.scores
    if column not in roles.scores:
        raise SettingsError(
            f"{spec.where}: metric {spec.name!r}: name one of the columns of scores of {file} "
            f"({listed(roles.scores)}) with 'column:'"
        )
    return _directed(replace(spec, column=column), stated)


def _directed(spec: MetricSpec, stated: Mapping[str, bool]) -> MetricSpec:
    better = spec.greater_is_better
    if better is None:
        better = stated.get(spec.column or "")
    return replace(spec, greater_is_better=better)


def _direction(spec: MetricSpec) -> bool:
    better = spec.greater_is_better
    if better is None:
        better = direction_by_name(spec.column or spec.name)
    if better is None:
        raise SettingsError(
            f"{spec.where}: metric {spec.name!r}: say whether a higher score is better, with "
            "greater_is_better: true or false"
        )
    return better


def _ready(spec: MetricSpec) -> MetricSpec:
    """Return a metric with its own direction: in ranks, less is better, whatever the scores'."""
    if spec.formula is not None:
        return spec
    return replace(spec, greater_is_better=None if spec.function == UNIT_RANK else _direction(spec))


def _label(spec: MetricSpec) -> str:
    """Return the name that the settings or the column give; else the function's label counts."""
    if spec.formula is not None or spec.name == spec.function:
        return ""
    return spec.column if spec.column and _key(spec.column) == spec.name else spec.name


def _key(column: str) -> str:
    """Return a column's name as a key of scores.txt."""
    plain = re.sub(r"[^A-Za-z0-9_.-]+", "_", column).strip("_")[:LONGEST_KEY]
    return plain if plain[:1].isalpha() else f"score_{plain}"[:LONGEST_KEY]
