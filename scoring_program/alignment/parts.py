"""From the gold files to the parts of a competition: their metrics, and what they expect."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ..core import cells
from ..core.cells import Label
from ..core.errors import ReferenceDataError, SettingsError, SubmissionError, listed, nearest
from ..core.notes import Note
from ..metrics import Metric, resolve
from ..reading.files import DataFile
from ..settings.metric_spec import MetricSpec
from ..settings.model import Settings
from .competition import Competition, Part
from .expected import Expected, Target
from .gold import (
    PRIVATE,
    PUBLIC,
    Gold,
    Labels,
    gold_labels,
    gold_numbers,
    label_set,
    read_gold,
    target_column,
)

_FOR_CLASSES = (
    MetricSpec("accuracy", "accuracy_score"),
    MetricSpec("f1_macro", "f1_score", {"average": "macro"}),
)
_FOR_NUMBERS = (
    MetricSpec("mae", "mean_absolute_error"),
    MetricSpec("rmse", "root_mean_squared_error"),
)
#: Metrics that a wrong label in place of a missing one cannot raise.
_COUNT_ERRORS = frozenset(
    (
        "accuracy_score", "balanced_accuracy_score", "f1_score", "fbeta_score", "hamming_loss",
        "jaccard_score", "precision_score", "recall_score", "specificity_score", "zero_one_loss",
    )
)  # fmt: skip
#: The metric of a table with a score for every unit, which has no gold.
_FOR_UNITS = (MetricSpec("mean_score", "mean_score"),)
_PER_UNIT = Target("", "numbers")


def read(
    gold: Mapping[str, DataFile], beside: Path | None, chosen: Settings
) -> tuple[tuple[Part, ...], tuple[Note, ...]]:
    """Return a part without entries for every gold file, and notes.

    ``beside`` is the folder of the organizer's own metrics.
    """
    parts: list[Part] = []
    notes: list[Note] = []
    for task, file in gold.items():
        try:
            table = read_gold(file.read(), str(file.path), chosen)
        except (SubmissionError, ReferenceDataError) as error:
            told = f"ref: {error}" if isinstance(error, SubmissionError) else str(error)
            raise ReferenceDataError(f"{told}{_if_no_gold(file, gold)}") from error
        table = _in_order_of(parts, table)
        part, said = of_gold(task, table, beside, chosen, several=len(gold) > 1)
        parts.append(part)
        notes.extend((*table.notes, *said))
    if len(parts) > 1:
        parts = [_renamed(part, part.name) for part in parts]
        keys = [metric.name for part in parts for metric in part.metrics]
        if len(set(keys)) < len(keys):
            raise ReferenceDataError(
                f"ref: the names of the tasks {', '.join(gold)} are too much alike for keys of "
                "scores.txt; let them differ in ASCII letters and digits"
            )
        notes.insert(0, Note("notes.tasks", {"tasks": tuple(gold)}))
    return tuple(parts), tuple(dict.fromkeys(notes))


def _in_order_of(parts: Sequence[Part], gold: Gold) -> Gold:
    """Return a gold in the order of an earlier task that has the same examples, if there is one.

    Only rows in the same order can be resampled alike.
    """
    if gold.ids is None:
        return gold
    rows = {id: row for row, id in enumerate(gold.ids)}
    for part in parts:
        if part.gold.ids is not None and rows.keys() == set(part.gold.ids):
            return gold.take([rows[id] for id in part.gold.ids])
    return gold


def _if_no_gold(file: DataFile, gold: Mapping[str, DataFile]) -> str:
    """Return what to do where one of several files is not what it was taken for."""
    if len(gold) == 1:
        return ""
    taken = listed(each.path for each in gold.values())
    return (
        f"\nEvery data file in ref/ is taken for the gold of a task ({taken}); "
        f"if {file.path} is none, move it elsewhere"
    )


def of_gold(
    name: str,
    gold: Gold,
    beside: Path | None,
    chosen: Settings,
    *,
    several: bool = False,
    column: str | None = None,
) -> tuple[Part, tuple[Note, ...]]:
    """Return the part of one gold, without entries, and notes.

    It is one of ``several`` tasks, or ``column`` is the gold of a wide table, or neither.
    """
    specs, notes = _specs(gold, chosen, several=several)
    metrics = resolve(specs, beside)
    notes = (*notes, *_assumed_directions(specs, metrics))
    return _part(name, gold, _ranking_first(metrics, chosen), chosen, column), notes


def _assumed_directions(specs: Sequence[MetricSpec], metrics: Sequence[Metric]) -> tuple[Note, ...]:
    """Tell of formulas over errors and scores for which the settings name no direction."""
    assumed = tuple(
        metric.name
        for spec, metric in zip(specs, metrics, strict=True)
        if spec.greater_is_better is None
        and len({part.greater_is_better for part in metric.components}) > 1
    )
    return (Note("notes.assumed_direction", {"metrics": assumed}),) if assumed else ()


def of_units(gold: Gold, beside: Path | None, chosen: Settings) -> Part:
    """Return the part of a table that holds scores for every unit, without entries."""
    metrics = resolve(chosen.metrics or _FOR_UNITS, beside)
    return Part("", gold, {}, _expected(gold, {_PER_UNIT: ()}, chosen), metrics)


def _renamed(part: Part, prefix: str) -> Part:
    """Return a part whose metrics' names tell it from the other parts' metrics."""
    key = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in prefix)
    metrics = tuple(
        replace(metric, name=f"{key}_{metric.name}").redefined(label=f"{prefix}: {metric.label}")
        for metric in part.metrics
    )
    return replace(part, metrics=metrics)


def by_usage(competition: Competition) -> Competition:
    """Split the only part by Kaggle's Usage, where it has both; the private rows rank.

    Their metrics keep their names; those of the public rows are told from them.
    """
    part, *others = competition.parts
    usage = part.gold.usage
    if others or usage is None or len(set(usage)) < 2:
        return competition
    private, public = (
        part.take([row for row, value in enumerate(usage) if value == wanted])
        for wanted in (PRIVATE, PUBLIC)
    )
    note = Note("notes.usage", {"private": private.gold.n, "public": public.gold.n})
    return replace(
        competition,
        parts=(replace(private, name=PRIVATE), _renamed(replace(public, name=PUBLIC), PUBLIC)),
        notes=(*competition.notes, note),
        split_by_usage=True,
    )


def _specs(
    gold: Gold, chosen: Settings, *, several: bool = False
) -> tuple[tuple[MetricSpec, ...], tuple[Note, ...]]:
    """Return the settings' metrics or, where they name none, the usual ones for this gold.

    Of ``several`` tasks, each has the metrics whose ``column`` its gold has, and those that name
    none.
    """
    if chosen.metrics and several:
        own = [spec for spec in chosen.metrics if spec.column in (None, *gold.targets)]
        foreign = {spec.name for spec in chosen.metrics} - {spec.name for spec in own}
        kept = tuple(
            spec for spec in own if not foreign & set(re.findall(r"\w+", spec.formula or ""))
        )
        if not kept:
            raise SettingsError(f"{chosen.where('metrics')}: none of them is for {gold.file}")
        return kept, ()
    if chosen.metrics:
        return chosen.metrics, ()
    column = target_column(gold, None, "settings: metrics")
    if cells.is_quantity(gold.columns[column]):
        note = Note("notes.metrics_for_numbers", {"metrics": _both(*_FOR_NUMBERS)})
        return _FOR_NUMBERS, (note,)
    return _FOR_CLASSES, (Note("notes.metrics_for_classes", {"metrics": _both(*_FOR_CLASSES)}),)


def _both(one: MetricSpec, other: MetricSpec) -> Note:
    return Note("list", {"first": one.name, "last": other.name})


def _ranking_first(metrics: tuple[Metric, ...], chosen: Settings) -> tuple[Metric, ...]:
    if chosen.rank_by is None:
        return metrics
    names = [metric.name for metric in metrics]
    if chosen.rank_by not in names:
        raise SettingsError(
            f"{chosen.where('rank_by')}: there is no metric {chosen.rank_by!r}"
            f"{nearest(chosen.rank_by, names)}"
        )
    first = metrics[names.index(chosen.rank_by)]
    return (first, *(metric for metric in metrics if metric is not first))


def target_of(metric: Metric, gold: Gold) -> Target | None:
    """Return what a metric reads, None where it reads the whole table."""
    if metric.kind == "table":
        return None
    if metric.function == _FOR_UNITS[0].function:
        return _PER_UNIT
    if not gold.targets:
        raise ReferenceDataError(f"{gold.file}: no column with labels beside the ids; add one")
    column = target_column(gold, metric.column, f"metric {metric.name!r}")
    kind: str = metric.kind
    if kind == "gold":
        kind = "numbers" if cells.is_quantity(gold.columns[column]) else "labels"
    return Target(column, kind)


def leaves(metrics: Sequence[Metric]) -> list[Metric]:
    """Return the metrics with formulas replaced by what they are made of."""
    found: list[Metric] = []
    for metric in metrics:
        found.extend(leaves(metric.components) if metric.components else [metric])
    return found


def _part(
    name: str,
    gold: Gold,
    metrics: tuple[Metric, ...],
    chosen: Settings,
    column: str | None = None,
) -> Part:
    """Return a part without entries; ``column`` is a wide table's gold.

    It says what every submission must hold for these metrics.
    """
    targets: dict[Target, tuple[Label, ...]] = {}
    labels: dict[str, Labels] = {}
    keep_columns = False
    for metric in leaves(metrics):
        target = target_of(metric, gold)
        if target is None:
            keep_columns = True
        elif target == _PER_UNIT:
            raise SettingsError(
                f"metric {metric.name!r}: mean_score is for a table of scores for every unit, and "
                f"{gold.file} is a gold; name a metric that compares with it"
            )
        elif column is not None and target.column != column:
            raise SettingsError(
                f"metric {metric.name!r}: a wide table has one gold column, {column!r}"
            )
        elif target.kind == "numbers":
            gold_numbers(gold, target.column)
            targets[target] = ()
        else:
            labels[target.column] = gold_labels(gold, target.column, chosen)
            targets[target] = label_set(labels[target.column], chosen, gold.file)
            if chosen.labels is not None:
                _check_labels(metric, targets[target])
        if target is not None and chosen.missing == "wrong":
            _check_missing(metric, target, chosen)
    expected = replace(
        _expected(gold, targets, chosen), keep_columns=keep_columns, above=_above(metrics, gold)
    )
    return Part(name, gold, labels, expected, metrics)


def _check_missing(metric: Metric, target: Target, chosen: Settings) -> None:
    """Refuse ``missing: wrong`` where a prediction that is wrong might raise the score.

    Measures of agreement such as kappa reward labels that are wrong in a regular way, and so would
    reward who leaves predictions out.
    """
    if target.kind != "labels":
        raise SettingsError(
            f"{chosen.where('missing')}: 'wrong' is for predicted labels, and metric "
            f"{metric.name!r} needs {target.kind}; use 'error'"
        )
    if metric.call is None and metric.function not in _COUNT_ERRORS:
        raise SettingsError(
            f"{chosen.where('missing')}: 'wrong' is for metrics that count right and wrong "
            f"answers; under {metric.function} a missing answer might raise the score of "
            f"metric {metric.name!r}; use 'error'"
        )


def _check_labels(metric: Metric, listed: Sequence[Label]) -> None:
    """Refuse a metric's label that the settings do not list, so that nothing could predict it.

    scikit-learn would count a class that everybody misses. An organizer's own function may call
    anything "labels".
    """
    read_label = cells.setting_reader(listed)
    for label in (metric.params.get("labels") or ()) if metric.call is None else ():
        if read_label(label) is None:
            raise SettingsError(
                f"metric {metric.name!r}: its label {label!r} is not among the setting 'labels'; "
                f"write it {cells.AS_WRITTEN}{nearest(str(label), map(str, listed))}"
            )


def _above(metrics: Sequence[Metric], gold: Gold) -> dict[str, float]:
    """Return what the predictions of a column must be above for all metrics: column → number."""
    found: dict[str, float] = {}
    for metric in leaves(metrics):
        target = target_of(metric, gold)
        bound = metric.definition.above
        if target is not None and bound is not None:
            found[target.column] = max(bound, found.get(target.column, -math.inf))
    return found


def _expected(
    gold: Gold, targets: Mapping[Target, tuple[Label, ...]], chosen: Settings
) -> Expected:
    return Expected(
        positions=gold.positions,
        total=gold.total,
        ids=gold.ids,
        targets=targets,
        id_column=gold.id_column or "id",
        known_columns=gold.targets,
        names_are_known=gold.names_are_known,
        ids_are_implied=gold.ids_are_implied,
        ignored=gold.ignored,
        missing=chosen.missing,
        labels_are_public=chosen.labels is not None,
    )
