"""From gold files to the parts of a competition: metrics, and what submissions must hold."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..core import cells
from ..core.cells import Label
from ..core.errors import ReferenceDataError, SettingsError, SubmissionError, listed, nearest
from ..core.notes import Note
from ..metrics import Metric, formula, resolve
from ..metrics.registry import scores
from ..metrics.unit_scores import UNIT_RANK
from ..reading.files import DataFile
from ..reading.formats import KINDS, kind_of
from ..reading.formats.kind import ROWS
from ..settings.metric_spec import MetricSpec
from ..settings.model import Settings
from ..settings.values import FOR_SCORES
from .competition import Competition, Part
from .entry import Entry
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
#: What names of copies say.
_COPY = re.compile(r"(?:^|[\W_])(?:copy|backup|bak|old)(?:$|[\W_\d])", re.IGNORECASE)


def read(
    gold: Mapping[str, DataFile], settings_folder: Path | None, settings: Settings
) -> tuple[tuple[Part, ...], tuple[Note, ...]]:
    """Return a part without entries for every gold file, and notes.

    ``settings_folder`` holds the organizer's own metrics.
    """
    parts: list[Part] = []
    notes: list[Note] = []
    metrics = resolve([each for each in settings.metrics if not each.formula], settings_folder)
    for task, file in gold.items():
        try:
            content, path = file.read(), str(file.path)
            kind = kind_of_examples(path, metrics, recognized=kind_of(content, path))
            table = read_gold(content, path, settings, kind=kind)
        except (SubmissionError, ReferenceDataError) as error:
            message = f"ref: {error}" if isinstance(error, SubmissionError) else str(error)
            raise ReferenceDataError(f"{message}{_if_no_gold(file, gold)}") from error
        table = _in_order_of(parts, table)
        part, part_notes = of_gold(task, table, settings_folder, settings, several=len(gold) > 1)
        parts.append(part)
        notes.extend((*table.notes, *part_notes))
    if len(parts) > 1:
        _refuse_copies(parts)
        _check_columns(parts, settings)
        notes.insert(0, Note("notes.tasks", {"tasks": tuple(gold)}))
    return named_by_task(parts, "ref"), tuple(dict.fromkeys(notes))


def named_by_task(parts: Sequence[Part], where: str) -> tuple[Part, ...]:
    """Return parts with their tasks in front of their metrics' names; a single one unchanged.

    Raises
    ------
    ReferenceDataError
        Two tasks' names give the same keys in scores.txt. The message starts with ``where``.
    """
    if len(parts) < 2:
        return tuple(parts)
    renamed = tuple(_renamed(part, part.name) for part in parts)
    keys = [metric.name for part in renamed for metric in part.metrics]
    if len(set(keys)) < len(keys):
        raise ReferenceDataError(
            f"{where}: the names of the tasks {', '.join(part.name for part in parts)} give the "
            "same keys in scores.txt; use names that differ in ASCII letters or digits"
        )
    return renamed


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
            f"({listed(kinds)}); name metrics of one kind"
        )
    return kinds[0] if kinds else ROWS


def _scored_alike(metrics: Sequence[Metric], kind: str) -> bool:
    """Whether metrics of rows score a kind of data, too, and choose no column of a table."""
    return all(
        metric.column is None and metric.call is None and scores(metric.function, kind)
        for metric in without_formulas(metrics)
    )


def _refuse_copies(parts: Sequence[Part]) -> None:
    """Refuse a task that is a copy of another: an old version, or a backup of the reference data.

    Its file holds the same ids, and a name that begins with the other's, or the same labels and a
    name that says so.
    """
    for one, other in itertools.permutations(parts, 2):
        same_ids = one.gold.ids is not None and {*one.gold.ids} == {*(other.gold.ids or ())}
        longer = re.match(rf"{re.escape(one.name)}[\W_]", other.name, re.IGNORECASE)
        same = [*one.gold.columns.values()] == [*other.gold.columns.values()]
        if same_ids and (longer or (same and _COPY.search(other.name))):
            raise ReferenceDataError(
                f"ref: {one.gold.file} and {other.gold.file} hold the same ids, and every data "
                f"file in ref/ is read as the reference data of a task: remove {other.gold.file} "
                "if it is a copy, or give the tasks names of which none begins with the other"
            )


def _check_columns(parts: Sequence[Part], settings: Settings) -> None:
    """Refuse a metric of a column that no task has."""
    columns = {column for part in parts for column in part.gold.targets}
    for spec in settings.metrics:
        if spec.column is not None and spec.column not in columns:
            raise SettingsError(
                f"{spec.where}: metric {spec.name!r}: no task has its column {spec.column!r}"
                f"{nearest(spec.column, columns)}"
            )


def _in_order_of(parts: Sequence[Part], gold: Gold) -> Gold:
    """Sort a gold like that of an earlier task with the same examples, if there is one.

    Only rows in the same order can be resampled together.
    """
    if gold.ids is None:
        return gold
    rows = {id: row for row, id in enumerate(gold.ids)}
    for part in parts:
        if part.gold.ids is not None and rows.keys() == set(part.gold.ids):
            return gold.take([rows[id] for id in part.gold.ids])
    return gold


def _if_no_gold(file: DataFile, gold: Mapping[str, DataFile]) -> str:
    """Return the remedy for a file that may not be the gold of a task."""
    if len(gold) == 1:
        return ""
    taken = listed(each.path for each in gold.values())
    return (
        f"\nEvery data file in ref/ is read as the reference data of a task ({taken}); "
        f"if {file.path} is not, move it elsewhere"
    )


def of_gold(
    name: str,
    gold: Gold,
    settings_folder: Path | None,
    settings: Settings,
    *,
    several: bool = False,
    column: str | None = None,
) -> tuple[Part, tuple[Note, ...]]:
    """Return the part of one gold, without entries, and notes.

    ``several``: there are other tasks. ``column``: the gold's column in a wide table.
    """
    specs, notes = _specs(gold, settings, several=several)
    metrics = resolve(specs, settings_folder, gold.kind)
    notes = (*notes, *_assumed_directions(specs, metrics))
    metrics = ranking_first(metrics, settings, several=several)
    return _part(name, gold, metrics, settings, column), notes


def _assumed_directions(specs: Sequence[MetricSpec], metrics: Sequence[Metric]) -> tuple[Note, ...]:
    """Return a note on formulas that mix errors and scores without a direction in the settings."""
    assumed = tuple(
        metric.name
        for spec, metric in zip(specs, metrics, strict=True)
        if spec.greater_is_better is None
        and len({part.greater_is_better for part in metric.components}) > 1
    )
    return (Note("notes.assumed_direction", {"metrics": assumed}),) if assumed else ()


def of_scores(
    name: str,
    units: Gold,
    metrics: tuple[Metric, ...],
    settings: Settings,
    entries: tuple[Entry | None, ...],
) -> Part:
    """Return the part of scores that were made elsewhere; ``units`` stands for the gold."""
    return Part(name, units, {}, _expected(units, {}, settings), metrics, entries)


def _renamed(part: Part, prefix: str) -> Part:
    """Return a part with its name in front of its metrics' names, which makes them unique."""
    key = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in prefix)
    metrics = tuple(
        replace(metric, name=f"{key}_{metric.name}").redefined(label=f"{prefix}: {metric.label}")
        for metric in part.metrics
    )
    return replace(part, metrics=metrics, prefix=f"{key}_")


def by_usage(competition: Competition) -> Competition:
    """Split the only part into private and public rows (Kaggle's Usage), if it has both.

    The private rows rank, and their metrics keep their names. Those of the public rows get a
    prefix.
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
            f"{nearest(settings.rank_by, names)}"
        )
    first = metrics[names.index(settings.rank_by)]
    return (first, *(metric for metric in metrics if metric is not first))


def target_of(metric: Metric, gold: Gold) -> Target | None:
    """Return what a metric reads; None if it reads the whole table."""
    if metric.kind == "table":
        return None
    if metric.definition.per_unit:
        kind = "ranks" if metric.function == UNIT_RANK else "numbers"
        return Target(metric.column or "", kind)
    if not gold.targets:
        raise ReferenceDataError(f"{gold.file}: there is no column with labels; add one")
    column = target_column(gold, metric.column, f"metric {metric.name!r}")
    needed = metric.kind
    if needed in KINDS and gold.kind != needed:
        raise SettingsError(
            f"metric {metric.name!r} scores data of the kind {needed!r}, but {gold.file} holds "
            f"{gold.kind!r}; name a metric for these"
        )
    if needed == "gold" and gold.kind != ROWS:
        needed = gold.kind
    elif needed == "gold":
        needed = "numbers" if cells.is_quantity(gold.columns[column]) else "labels"
    return Target(column, needed)


def without_formulas(metrics: Sequence[Metric]) -> list[Metric]:
    """Return the metrics, with every formula replaced by the metrics that it names."""
    found: list[Metric] = []
    for metric in metrics:
        found.extend(without_formulas(metric.components) if metric.components else [metric])
    return found


def _part(
    name: str,
    gold: Gold,
    metrics: tuple[Metric, ...],
    settings: Settings,
    column: str | None = None,
) -> Part:
    """Return a part without entries, with what every submission must hold for its metrics.

    ``column`` is the gold's column in a wide table.
    """
    if settings.missing in FOR_SCORES:
        raise SettingsError(
            f"{settings.where('missing')}: {settings.missing!r} is for tables of scores, and "
            f"{gold.file} holds reference data; use error or wrong"
        )
    targets: dict[Target, tuple[Label, ...]] = {}
    labels: dict[str, Labels] = {}
    keep_columns = False
    for metric in without_formulas(metrics):
        target = target_of(metric, gold)
        if target is None:
            keep_columns = True
        elif metric.definition.per_unit:
            raise SettingsError(
                f"metric {metric.name!r}: {metric.function} needs a table of scores per unit, but "
                f"{gold.file} holds reference data; name a metric that compares with them"
            )
        elif column is not None and target.column != column:
            raise SettingsError(
                f"metric {metric.name!r}: the wide table has only one column of reference data, "
                f"{column!r}; name this one"
            )
        elif target.kind == "numbers":
            gold_numbers(gold, target.column)
            targets[target] = ()
        elif target.kind in KINDS:
            targets[target] = _labels_of_kind(gold, target, settings)
            _check_types(metric, targets[target])
        else:
            labels[target.column] = gold_labels(gold, target.column, settings)
            targets[target] = label_set(labels[target.column], settings, gold.file)
            if settings.labels is not None:
                _check_labels(metric, targets[target])
        if target is not None and settings.missing == "wrong":
            _check_missing(metric, target, settings)
    expected = replace(
        _expected(gold, targets, settings),
        keep_columns=keep_columns,
        above=_above(metrics, gold),
        shapes=_shapes(gold, targets),
    )
    return Part(name, gold, labels, expected, metrics)


def _labels_of_kind(gold: Gold, target: Target, settings: Settings) -> tuple[Label, ...]:
    """Return the labels that predictions of a kind of data may use; empty if any may."""
    found = sorted(KINDS[target.kind].labels(gold.columns[target.column]))
    return label_set(np.array(found), settings, gold.file) if found else ()


def _check_types(metric: Metric, known: Sequence[Label]) -> None:
    """Refuse a metric of types that the gold does not have: they would count nothing."""
    for name in (metric.params.get("types") or ()) if metric.call is None else ():
        if str(name) not in map(str, known):
            raise SettingsError(
                f"metric {metric.name!r}: the reference data hold nothing of its type {name!r}"
                f"{nearest(str(name), map(str, known))}"
            )


def _shapes(gold: Gold, targets: Iterable[Target]) -> dict[str, tuple[Any, ...]]:
    """Return what predictions of each column must match: column → [n]; see `ExampleKind`."""
    found = {}
    for target in targets:
        if target.kind in KINDS:
            shapes = tuple(map(KINDS[target.kind].shape, gold.columns[target.column]))
            if any(shape is not None for shape in shapes):
                found[target.column] = shapes
    return found


def _check_missing(metric: Metric, target: Target, settings: Settings) -> None:
    """Refuse ``missing: wrong`` where a prediction that is wrong might raise the score.

    Measures of agreement such as kappa reward labels that are wrong in a regular way, and so would
    reward who leaves predictions out.
    """
    if target.kind in KINDS and KINDS[target.kind].absent is not None:
        return
    if target.kind != "labels":
        raise SettingsError(
            f"{settings.where('missing')}: 'wrong' is for predicted labels, and metric "
            f"{metric.name!r} needs {target.kind}; use 'error'"
        )
    if metric.call is None and metric.function not in _COUNT_ERRORS:
        raise SettingsError(
            f"{settings.where('missing')}: 'wrong' is for metrics that count right and wrong "
            f"answers; under {metric.function} a missing answer might raise the score of "
            f"metric {metric.name!r}; use 'error'"
        )


def _check_labels(metric: Metric, listed: Sequence[Label]) -> None:
    """Refuse a metric's label that the settings do not list: no submission may predict it.

    scikit-learn would count a class that every submission misses. A parameter ``labels`` of an
    organizer's own function may mean anything.
    """
    read_label = cells.setting_reader(listed)
    for label in (metric.params.get("labels") or ()) if metric.call is None else ():
        if read_label(label) is None:
            raise SettingsError(
                f"metric {metric.name!r}: the setting 'labels' does not list its label {label!r}; "
                f"write it {cells.AS_WRITTEN}{nearest(str(label), map(str, listed))}"
            )


def _above(metrics: Sequence[Metric], gold: Gold) -> dict[str, float]:
    """Return the bounds that predictions must exceed for all metrics: column → number."""
    found: dict[str, float] = {}
    for metric in without_formulas(metrics):
        target = target_of(metric, gold)
        bound = metric.definition.above
        if target is not None and bound is not None:
            found[target.column] = max(bound, found.get(target.column, -math.inf))
    return found


def _expected(
    gold: Gold, targets: Mapping[Target, tuple[Label, ...]], settings: Settings
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
        missing=settings.missing,
        kind=gold.kind,
        labels_are_public=settings.labels is not None,
    )
