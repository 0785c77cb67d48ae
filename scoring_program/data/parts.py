"""From gold files to the parts of a competition: metrics, and what these ask of submissions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..core import cells
from ..core.cells import Label
from ..core.errors import ReferenceDataError, SettingsError, SubmissionError, listed, nearest
from ..core.phrases import Phrase
from ..metrics import Metric, formula, resolve, without_formulas
from ..metrics.families.unit_scores import UNIT_RANK
from ..metrics.kinds.text_metrics import misreads
from ..metrics.organizer import file_function
from ..metrics.registry import scores
from ..reading.files import DataFile
from ..reading.formats import KINDS, kind_of, readers
from ..reading.formats.kind import ROWS
from ..reading.limits import most_of
from ..settings.checks import ANY, MetricSpec
from ..settings.model import FOR_SCORES, Settings
from .competition import Part, check_columns, in_order_of, named_by_task, refuse_copies, settings_of
from .entry import Labels, gold_labels, gold_numbers, gold_weights, label_set
from .gold import Gold, preferences_in_ref, read_gold, refuse_usage, target_column
from .joining.columns import name_preferences
from .joining.expected import Expected, Target
from .joining.submission import Entry


def read(
    gold: Mapping[str, DataFile], settings_folder: Path | None, settings: Settings
) -> tuple[tuple[Part, ...], tuple[Phrase, ...]]:
    """Return a part without entries for every gold file, and notes.

    ``settings_folder`` holds the organizer's own metrics.
    """
    parts: list[Part] = []
    notes: list[Phrase] = []
    several = len(gold) > 1
    reader = None
    if settings.reader is not None:
        reader, _ = file_function(settings.reader, settings_folder, settings.where("reader"))
        # Gold and submissions are alike.
        reader = replace(reader, of_folders=any(file.holds for file in gold.values()))
    for task, file in gold.items():
        own = settings_of(task, [*gold], settings) if several else settings
        metrics = resolve([spec for spec in own.metrics if not spec.formula], settings_folder)
        try:
            content, path = file.read(), str(file.path)
            if reader is None:
                recognized = kind_of(content, path, settings.described(gold=True))
                kind = kind_of_examples(path, metrics, recognized=recognized)
            else:
                kind = _kind_of_reader(metrics, own)
            table = read_gold(content, path, own, kind=kind, reader=reader)
            if several:
                refuse_usage(path, table.usage or ())
        except (SubmissionError, ReferenceDataError) as error:
            message = f"ref: {error}" if isinstance(error, SubmissionError) else str(error)
            raise ReferenceDataError(f"{message}{_if_no_gold(file, gold)}") from error
        table = in_order_of(parts, table)
        part, part_notes = of_gold(task, table, settings_folder, own, several=several)
        parts.append(replace(part, reader=reader))
        notes.extend((*table.notes, *part_notes))
    if several:
        refuse_copies(parts)
        check_columns(parts, settings)
        notes.insert(
            0, Phrase("Tasks, one file of reference data each: {tasks}.", tasks=tuple(gold))
        )
    return named_by_task(parts, "ref"), tuple(dict.fromkeys(notes))


def _kind_of_reader(metrics: Sequence[Metric], settings: Settings) -> str:
    """Return the kind of data that a reader makes; refuse metrics that cannot count it."""
    kind = readers.KIND.name
    if not metrics:
        raise SettingsError(
            f"{settings.where('reader')}: no metric is known for what a reader of your own makes; "
            "name one in 'metrics' with 'statistics:' and 'function:'"
        )
    for metric in without_formulas(metrics):
        if metric.statistics is None or metric.kind not in ("gold", kind):
            raise SettingsError(
                f"metric {metric.name!r}: only functions of your own can score what the setting "
                "'reader' makes; give it 'statistics: my_metric.py:counts' and 'function: "
                "my_metric.py:score'"
            )
    return kind


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
) -> tuple[Part, tuple[Phrase, ...]]:
    """Return the part of one gold, without entries, and notes.

    ``several``: there are other tasks. ``column``: the gold's column in a wide table.
    """
    specs, notes = specs_of(gold, settings, several=several)
    metrics = resolve(specs, settings_folder, gold.kind)
    notes = (*notes, *assumed_directions(specs), *normalizing(metrics))
    metrics = ranking_first(metrics, settings, several=several)
    expected, labels = expected_of_metrics(metrics, gold, settings, column)
    return Part(name, gold, labels, expected, metrics), notes


def of_scores(
    name: str,
    units: Gold,
    metrics: tuple[Metric, ...],
    settings: Settings,
    entries: tuple[Entry | None, ...],
) -> Part:
    """Return the part of scores that were made elsewhere; ``units`` stands for the gold."""
    return Part(name, units, {}, expected_of_examples(units, {}, settings), metrics, entries)


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
) -> tuple[tuple[MetricSpec, ...], tuple[Phrase, ...]]:
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
        note = Phrase(
            "The settings name no metric. The form of the reference data suggests {metrics}.",
            metrics=names,
        )
        return tuple(MetricSpec(name, name, params.get(name, {})) for name in names), (note,)
    column = target_column(gold, None, "settings: metrics")
    if cells.is_quantity(gold.columns[column]):
        note = Phrase(
            "The settings name no metric. The reference data hold numbers, so {metrics} are shown.",
            metrics=_pair(*_FOR_NUMBERS),
        )
        return _FOR_NUMBERS, (note,)
    return _FOR_CLASSES, (
        Phrase(
            "The settings name no metric. The reference data hold classes, so {metrics} are shown.",
            metrics=_pair(*_FOR_CLASSES),
        ),
    )


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


def _pair(one: MetricSpec, other: MetricSpec) -> Phrase:
    return Phrase("{first} and {last}", first=one.name, last=other.name)


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


def assumed_directions(specs: Sequence[MetricSpec]) -> tuple[Phrase, ...]:
    """Return a note on functions from Python of which no direction was stated."""
    assumed = tuple(
        spec.name for spec in specs if spec.call is not None and spec.greater_is_better is None
    )
    note = Phrase(
        "A higher value of {metrics} counts as better, because the call in Python gave a function "
        "and no direction. To state one, give a mapping with name, function and greater_is_better.",
        metrics=assumed,
    )
    return (note,) if assumed else ()


def normalizing(metrics: Sequence[Metric]) -> tuple[Phrase, ...]:
    """Return a note on the normalization of exact match, which changes figures published without.

    Answers in other languages than English, or inflected forms, may differ in just what it drops.
    """
    used = any(metric.function == "exact_match" for metric in without_formulas(metrics))
    note = Phrase(
        "Exact match (SQuAD) ignores case, punctuation and the articles a, an and the. The metric "
        "string_match compares texts as they are."
    )
    return (note,) if used else ()


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


#: Metrics that a wrong label in place of a missing one cannot raise.
_COUNT_ERRORS = frozenset(
    (
        "accuracy_score", "balanced_accuracy_score", "f1_score", "fbeta_score", "hamming_loss",
        "jaccard_score", "precision_score", "recall_score", "specificity_score", "zero_one_loss",
    )
)  # fmt: skip


def expected_of_metrics(
    metrics: Sequence[Metric], gold: Gold, settings: Settings, column: str | None = None
) -> tuple[Expected, dict[str, Labels]]:
    """Return what every submission must hold, and the labels of the gold's columns.

    ``column`` is the gold's column in a wide table.
    """
    if settings.missing in FOR_SCORES:
        raise SettingsError(
            f"{settings.where('missing')}: {settings.missing!r} is for tables of scores, and "
            f"{gold.file} holds reference data; use error or wrong"
        )
    targets: dict[Target, tuple[Label, ...]] = {}
    labels: dict[str, Labels] = {}
    for metric in without_formulas(metrics):
        target = target_of(metric, gold)
        if metric.sample_weight is not None:
            gold_weights(gold, metric)
        if target is None:
            continue
        _check_column(metric, target, gold, column)
        if target not in targets:
            if target.kind == "numbers":
                gold_numbers(gold, target.column)
                targets[target] = ()
            elif target.kind in KINDS:
                targets[target] = _labels_of_kind(gold, target, settings)
            else:
                labels[target.column] = gold_labels(gold, target.column, settings)
                targets[target] = label_set(labels[target.column], settings, gold.file)
        if target.kind in KINDS:
            _check_types(metric, targets[target])
            _check_texts(metric, target, gold)
        elif target.kind != "numbers":
            _check_labels(metric, targets[target], listed=settings.listed_labels is not None)
        if settings.missing == "wrong":
            _check_missing(metric, target, settings)
        if settings.labels == ANY:
            _check_open(metric, target, settings)
    expected = replace(
        expected_of_examples(gold, targets, settings),
        keep_columns=any(target_of(metric, gold) is None for metric in without_formulas(metrics)),
        above=_above(metrics, gold),
        shapes=_shapes(gold, targets, metrics),
        most=_most(gold, targets, metrics),
    )
    return expected, labels


def target_of(metric: Metric, gold: Gold) -> Target | None:
    """Return what a metric reads; None if it reads the whole table."""
    if metric.kind == "table":
        return None
    if metric.per_unit:
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


def _check_column(metric: Metric, target: Target, gold: Gold, column: str | None) -> None:
    """Refuse a metric that the gold cannot give: of scores, or of another column."""
    if metric.per_unit:
        if name_preferences(gold.targets):
            raise preferences_in_ref(gold)
        raise SettingsError(
            f"metric {metric.name!r}: {metric.function} needs a table of "
            f"{'scores per unit' if metric.of_scores else 'preferences'}, but "
            f"{gold.file} holds reference data; name a metric that compares with them"
        )
    if column is not None and target.column != column:
        raise SettingsError(
            f"metric {metric.name!r}: the wide table has only one column of reference data, "
            f"{column!r}; name this one"
        )


def expected_of_examples(
    gold: Gold, targets: Mapping[Target, tuple[Label, ...]], settings: Settings
) -> Expected:
    """Return what the examples alone ask for, with these targets."""
    scored = {target.column for target in targets}
    beside = {name: of for name, of in gold.columns.items() if name not in scored}
    return Expected(
        positions=gold.positions,
        total=gold.total,
        ids=gold.ids,
        targets=targets,
        id_column=gold.id_column or "id",
        known_columns=gold.targets,
        beside=beside if gold.names_are_known else {},
        names_are_known=gold.names_are_known,
        ids_are_implied=gold.ids_are_implied,
        ignored=gold.ignored,
        usage_is_secret=gold.usage is not None,
        missing=settings.missing,
        extra_ids=settings.extra_ids,
        kind=gold.kind,
        labels_are_public=settings.listed_labels is not None,
        labels_are_open=settings.labels == ANY,
    )


def _labels_of_kind(gold: Gold, target: Target, settings: Settings) -> tuple[Label, ...]:
    """Return the labels that predictions of a kind of data may use; empty if any may."""
    labels = sorted(KINDS[target.kind].labels(gold.columns[target.column]))
    return label_set(np.array(labels), settings, gold.file) if labels else ()


def _shapes(
    gold: Gold, targets: Iterable[Target], metrics: Sequence[Metric]
) -> dict[str, tuple[Any, ...]]:
    """Return what predictions of each column must match: column → [n]; see `ExampleKind`."""
    found = {}
    for target in targets:
        if target.kind in KINDS:
            shapes = tuple(map(KINDS[target.kind].shape, gold.columns[target.column]))
            for metric in without_formulas(metrics):
                demand = metric.demand
                if demand is not None and target_of(metric, gold) == target:
                    shapes = tuple(demand(shape, metric.all_params) for shape in shapes)
            if any(shape is not None for shape in shapes):
                found[target.column] = shapes
    return found


def _most(
    gold: Gold, targets: Iterable[Target], metrics: Sequence[Metric]
) -> dict[str, dict[str, int]]:
    """Return how much one prediction of each column may hold: column → what → number."""
    costly = {
        target_of(metric, gold)
        for metric in without_formulas(metrics)
        if metric.statistics is not None and metric.statistics.costly
    }
    return {
        target.column: {
            noun: most_of(
                max(map(count, gold.columns[target.column])), least, costly=target in costly
            )
            for noun, (count, least) in KINDS[target.kind].sizes.items()
        }
        for target in targets
        if target.kind in KINDS
    }


def _above(metrics: Sequence[Metric], gold: Gold) -> dict[str, float]:
    """Return the bounds that predictions must exceed for all metrics: column → number."""
    least: dict[str, float] = {}
    for metric in without_formulas(metrics):
        target = target_of(metric, gold)
        bound = metric.above
        if target is not None and bound is not None:
            least[target.column] = max(bound, least.get(target.column, -math.inf))
    return least


def _check_types(metric: Metric, known: Sequence[Label]) -> None:
    """Refuse a metric of types that the gold does not have: they would count nothing."""
    for name in (metric.params.get("types") or ()) if metric.call is None else ():
        if str(name) not in map(str, known):
            raise SettingsError(
                f"metric {metric.name!r}: the reference data hold nothing of its type {name!r}"
                f"{nearest(str(name), map(str, known))}"
            )


def _check_texts(metric: Metric, target: Target, gold: Gold) -> None:
    """Refuse a metric of texts that leaves out what the references consist of."""
    of_texts = target.kind == "text" and metric.call is None
    if of_texts and (why := misreads(str(metric.function), gold.columns[target.column])):
        raise SettingsError(f"metric {metric.name!r}: {why}")


def _check_labels(metric: Metric, known: Sequence[Label], *, listed: bool) -> None:
    """Refuse a metric's label that no submission may predict: neither gold nor settings have it.

    scikit-learn would count a class that every submission misses. A parameter ``labels`` of an
    organizer's own function may mean anything.
    """
    read_label = cells.setting_reader(known)
    for label in (metric.params.get("labels") or ()) if metric.call is None else ():
        if read_label(label) is not None:
            continue
        if listed:
            raise SettingsError(
                f"metric {metric.name!r}: the setting 'labels' does not list its label {label!r}; "
                f"write it {cells.AS_WRITTEN}{nearest(str(label), map(str, known))}"
            )
        raise SettingsError(
            f"metric {metric.name!r}: the reference data hold nothing of its label {label!r}; "
            f"write it {cells.AS_WRITTEN} or, if predictions may use it, list all labels in the "
            "setting 'labels'"
        )


def _check_open(metric: Metric, target: Target, settings: Settings) -> None:
    """Refuse ``labels: any`` where an answer that is no label would make a class, or raise a score.

    Numbers are no labels, and a function of the organizer's may take an empty text for a wrong one.
    """
    by_sums = metric.function in _COUNT_ERRORS and metric.evaluation == "sums"
    if target.kind != "numbers" and not (target.kind == "labels" and (metric.call or by_sums)):
        raise SettingsError(
            f"{settings.where('labels')}: 'any' is for metrics that count right and wrong labels, "
            f"such as accuracy_score and f1_score; metric {metric.name!r} is none of these"
        )


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
