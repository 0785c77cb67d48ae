"""The metrics that score a gold: those of the settings that apply to it, or the usual ones."""

from __future__ import annotations

from collections.abc import Sequence

from ..core import cells
from ..core.errors import SettingsError, listed, nearest
from ..core.notes import Note
from ..metrics import Metric, formula, without_formulas
from ..metrics.registry import scores
from ..reading.formats import KINDS
from ..reading.formats.kind import ROWS
from ..settings.metric_spec import MetricSpec
from ..settings.model import Settings
from .gold import Gold, target_column

_FOR_CLASSES = (
    MetricSpec("accuracy", "accuracy_score"),
    MetricSpec("f1_macro", "f1_score", {"average": "macro"}),
)
_FOR_NUMBERS = (
    MetricSpec("mae", "mean_absolute_error"),
    MetricSpec("rmse", "root_mean_squared_error"),
)


def specs_of(
    gold: Gold, settings: Settings, *, several: bool = False
) -> tuple[tuple[MetricSpec, ...], tuple[Note, ...]]:
    """Return the settings' metrics or, if they name none, the default metrics for this gold.

    One of ``several`` tasks has the metrics without a ``column``, those whose column is in its
    gold, and the formulas over these.
    """
    if settings.metrics and several:
        kept = _of_task(settings.metrics, gold)
        if not kept:
            raise SettingsError(
                f"{settings.where('metrics')}: no metric applies to {gold.file}; "
                "name one whose column it has"
            )
        return kept, ()
    if settings.metrics:
        _refuse_tasks(settings.metrics, gold.file)
        return settings.metrics, ()
    if gold.kind != ROWS:
        names, params = KINDS[gold.kind].metrics, KINDS[gold.kind].params
        note = Note("notes.metrics_for_kind", {"metrics": names})
        return tuple(MetricSpec(name, name, params.get(name, {})) for name in names), (note,)
    column = target_column(gold, None, "settings: metrics")
    if cells.is_quantity(gold.columns[column]):
        note = Note("notes.metrics_for_numbers", {"metrics": _pair(*_FOR_NUMBERS)})
        return _FOR_NUMBERS, (note,)
    return _FOR_CLASSES, (Note("notes.metrics_for_classes", {"metrics": _pair(*_FOR_CLASSES)}),)


def _refuse_tasks(specs: Sequence[MetricSpec], file: str) -> None:
    """Refuse metrics that name a task where there are none."""
    for spec in specs:
        if spec.task:
            raise SettingsError(
                f"{spec.where}: metric {spec.name!r}: there are no tasks, because {file} holds all "
                "reference data; remove 'task:', or put one file for each task into ref/"
            )


def _of_task(specs: Sequence[MetricSpec], gold: Gold) -> tuple[MetricSpec, ...]:
    """Return the metrics that one task can evaluate; other formulas join several tasks."""
    kept = {spec.name: spec for spec in specs if spec.column in (None, *gold.targets)}
    while joining := [
        spec.name
        for spec in kept.values()
        if spec.formula is not None and not kept.keys() >= set(_named(spec))
    ]:
        for name in joining:
            del kept[name]
    return tuple(kept.values())


def _named(spec: MetricSpec) -> tuple[str, ...]:
    """Return the metrics that a formula names."""
    try:
        return formula.names(str(spec.formula), spec.name)
    except SettingsError as error:
        raise SettingsError(f"{spec.where}: {error}") from error


def _pair(one: MetricSpec, other: MetricSpec) -> Note:
    return Note("list", {"first": one.name, "last": other.name})


def ranking_first(
    metrics: tuple[Metric, ...], settings: Settings, *, several: bool = False
) -> tuple[Metric, ...]:
    """Return the metrics, first the one that ranks; see the setting ``rank_by``.

    Where there are ``several`` tasks, it may belong to another task, or join several.
    """
    if settings.rank_by is None:
        return metrics
    names = [metric.name for metric in metrics]
    if several and settings.rank_by in {spec.name for spec in settings.metrics} - set(names):
        return metrics  # it belongs to another task, or joins several
    if settings.rank_by not in names:
        raise SettingsError(
            f"{settings.where('rank_by')}: there is no metric {settings.rank_by!r}"
            f" among {listed(names)}{nearest(settings.rank_by, names)}"
        )
    first = metrics[names.index(settings.rank_by)]
    return (first, *(metric for metric in metrics if metric is not first))


def assumed_directions(specs: Sequence[MetricSpec], metrics: Sequence[Metric]) -> tuple[Note, ...]:
    """Return a note on formulas that mix errors and scores without a direction in the settings."""
    assumed = tuple(
        metric.name
        for spec, metric in zip(specs, metrics, strict=True)
        if spec.greater_is_better is None
        and len({part.greater_is_better for part in metric.components}) > 1
    )
    return (Note("notes.assumed_direction", {"metrics": assumed}),) if assumed else ()


def kind_of_examples(file: str, metrics: Sequence[Metric], recognized: str = ROWS) -> str:
    """Return what an example of a gold is: by its content, or else by what metrics need.

    ``recognized`` is the kind that the content of the gold, ``file`` in messages, is unmistakably.

    Raises SettingsError if the metrics need different kinds and the content does not decide.
    """
    needed = {metric.kind for metric in without_formulas(metrics)}
    if recognized in needed or needed <= {"gold"} or _scored_alike(metrics, recognized):
        return recognized
    kinds = sorted(needed & KINDS.keys())
    if len(kinds) > 1:
        raise SettingsError(
            f"settings: metrics: {file} cannot be scored by metrics of different kinds of data "
            f"({listed(kinds)}); name metrics of one kind, or say with 'task:' which tasks "
            "each one is for"
        )
    return kinds[0] if kinds else ROWS


def _scored_alike(metrics: Sequence[Metric], kind: str) -> bool:
    """Whether metrics of rows score a kind of data, too, and choose no column of a table."""
    return all(
        metric.column is None and metric.call is None and scores(metric.function, kind)
        for metric in without_formulas(metrics)
    )
