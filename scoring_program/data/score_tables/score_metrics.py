"""The metrics of a table of scores: what the settings ask for, or one for each column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...core.errors import SettingsError, listed
from ...core.phrases import Phrase, gettext_noop
from ...metrics import REGISTRY, Metric, resolve
from ...metrics.families.unit_scores import UNIT_RANK
from ...recognize.tables_of_scores.score_columns import Roles
from ...recognize.tables_of_scores.score_names import score_key
from ...recognize.tables_of_scores.scores_rule import ScoresRecognition
from ...recognize.tables_of_scores.stated_scores import ScoreNeed
from ...settings.checks import SCORERS, MetricSpec
from ...settings.model import Settings
from .given_table import ScoreTable, columns_of_formula

_MEAN = "mean_score"


def needs_of(score_table: ScoreTable, roles: Roles) -> list[ScoreNeed]:
    """Return what the metrics need of the columns of a table; by default the mean of each.

    Raises
    ------
    SettingsError
        A metric is not one of scores, or names no column.
    """
    needs = []
    for spec in _specs_of(score_table, roles):
        if spec.formula is not None:
            continue
        # "mean_score" says how scores are aggregated, and nothing about them.
        stated_name = "" if spec.name == spec.function else spec.name
        says = stated_name if spec.column is None else spec.column
        needs.append(
            ScoreNeed(
                spec.name,
                spec.column,
                says,
                spec.greater_is_better,
                hidden=spec.show is False,
                where=spec.where,
            )
        )
    return needs


def metrics_of(
    score_table: ScoreTable, recognition: ScoresRecognition
) -> tuple[tuple[Metric, ...], tuple[Phrase, ...]]:
    """Return the metrics of a table of scores, and notes on their directions.

    Raises SettingsError if a metric is not one of scores, or names no column.
    """
    roles = recognition.roles
    assert roles is not None
    specs = _specs_of(score_table, roles)
    directions = recognition.directions
    ready = [_ready(spec, directions.get(spec.column or "")) for spec in specs]
    resolved = resolve(ready, score_table.settings_folder)
    labels = {spec.name: _label(spec) for spec in specs}
    labeled = [replace(metric, label=labels[metric.name] or metric.label) for metric in resolved]
    return tuple(labeled), _notes(specs, recognition)


def _specs_of(score_table: ScoreTable, roles: Roles) -> list[MetricSpec]:
    """Return the metrics that the settings name; else one for the mean of every column."""
    if score_table.settings.metrics:
        named = _with_columns(score_table.settings, roles)
        return [_of_column(spec, roles, score_table.file) for spec in named]
    scored = roles.scores if roles.system is not None else (None,)
    names = [(column, _MEAN if column is None else score_key(column)) for column in scored]
    return [MetricSpec(name, _MEAN, column=column) for column, name in names]


def _notes(specs: Sequence[MetricSpec], recognition: ScoresRecognition) -> tuple[Phrase, ...]:
    """Return a note on what was understood: the direction of each column, and by what."""
    told: dict[str, Phrase] = {}
    for spec in specs:
        column = spec.column or ""
        if spec.formula is not None or spec.show is False or column in told:
            continue
        better = recognition.directions[column]
        by_name = column in recognition.by_name
        unnamed = not column and spec.name == spec.function
        scores = Phrase("score") if unnamed else column or spec.name
        told[column] = Phrase(_UNDERSTOOD[better, by_name], scores=scores)
    return (Phrase("Directions: {directions}.", directions=tuple(told.values())),) if told else ()


#: What a note says of a column: whether higher is better, and whether its name says so.
_UNDERSTOOD = {
    (True, False): gettext_noop("a higher {scores} is better"),
    (False, False): gettext_noop("a lower {scores} is better"),
    (True, True): gettext_noop("a higher {scores} is better, as its name says"),
    (False, True): gettext_noop("a lower {scores} is better, as its name says"),
}


def _with_columns(settings: Settings, roles: Roles) -> list[MetricSpec]:
    """Return the metrics, and as ingredients the columns of a long table that formulas name."""
    specs = {spec.name: spec for spec in settings.metrics}
    for spec in settings.metrics:
        for name in columns_of_formula(spec):
            if roles.system is not None and name in roles.scores and name not in specs:
                specs[name] = MetricSpec(name, _MEAN, column=name, show=False, where=spec.where)
    return [*specs.values()]


def _of_column(spec: MetricSpec, roles: Roles, file: str) -> MetricSpec:
    """Return a metric of the settings with the column of its scores."""
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
    elif long and spec.name in roles.scores and spec.function == SCORERS.get(spec.name, ("",))[0]:
        # "metrics: [mae]": here the name of a metric is that of a column.
        spec = replace(spec, function=_MEAN, params={}, column=spec.column or spec.name)
    definition = REGISTRY.get(str(spec.function))
    if definition is None or not definition.of_scores:
        usable = ", ".join(name for name, registered in REGISTRY.items() if registered.of_scores)
        fault = f"{file} has no column of scores of this name"
        if definition is not None:
            fault = (
                f"{spec.function} compares predictions with reference data, but {file} holds scores"
            )
        raise SettingsError(f"{spec.where}: metric {spec.name!r}: {fault}; use {usable}")
    if not long:
        return spec
    column = spec.column or (spec.name if spec.name in roles.scores else None)
    if column is None and len(roles.scores) == 1:
        (column,) = roles.scores
    if column not in roles.scores:
        raise SettingsError(
            f"{spec.where}: metric {spec.name!r}: name one of the columns of scores of {file} "
            f"({listed(roles.scores)}) with 'column:'"
        )
    return replace(spec, column=column)


def _ready(spec: MetricSpec, better: bool | None) -> MetricSpec:
    """Return a metric with its own direction: in ranks, less is better, whatever the scores'."""
    if spec.formula is not None:
        return spec
    return replace(spec, greater_is_better=None if spec.function == UNIT_RANK else better)


def _label(spec: MetricSpec) -> str:
    """Return the name that the settings or the column give; else the function's label counts."""
    if spec.formula is not None or spec.name == spec.function:
        return ""
    return spec.column if spec.column and score_key(spec.column) == spec.name else spec.name
