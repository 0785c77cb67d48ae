"""What the metrics of a gold ask of submissions; see `Expected`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..core import cells
from ..core.cells import Label
from ..core.errors import ReferenceDataError, SettingsError, nearest
from ..metrics import Metric, without_formulas
from ..metrics.unit_scores import UNIT_RANK
from ..reading.formats import KINDS
from ..reading.formats.kind import ROWS
from ..settings.model import Settings
from ..settings.values import FOR_SCORES
from .expected import Expected, Target
from .gold import Gold, Labels, gold_labels, gold_numbers, gold_weights, label_set, target_column

#: Metrics that a wrong label in place of a missing one cannot raise.
_COUNT_ERRORS = frozenset(
    (
        "accuracy_score", "balanced_accuracy_score", "f1_score", "fbeta_score", "hamming_loss",
        "jaccard_score", "precision_score", "recall_score", "specificity_score", "zero_one_loss",
    )
)  # fmt: skip


def of_metrics(
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
        if target.kind == "numbers":
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
        if settings.missing == "wrong":
            _check_missing(metric, target, settings)
    expected = replace(
        of_examples(gold, targets, settings),
        keep_columns=any(target_of(metric, gold) is None for metric in without_formulas(metrics)),
        above=_above(metrics, gold),
        shapes=_shapes(gold, targets, metrics),
    )
    return expected, labels


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


def _check_column(metric: Metric, target: Target, gold: Gold, column: str | None) -> None:
    """Refuse a metric that the gold cannot give: of scores, or of another column."""
    if metric.definition.per_unit:
        raise SettingsError(
            f"metric {metric.name!r}: {metric.function} needs a table of scores per unit, but "
            f"{gold.file} holds reference data; name a metric that compares with them"
        )
    if column is not None and target.column != column:
        raise SettingsError(
            f"metric {metric.name!r}: the wide table has only one column of reference data, "
            f"{column!r}; name this one"
        )


def of_examples(
    gold: Gold, targets: Mapping[Target, tuple[Label, ...]], settings: Settings
) -> Expected:
    """Return what the examples alone ask for, with these targets."""
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


def _labels_of_kind(gold: Gold, target: Target, settings: Settings) -> tuple[Label, ...]:
    """Return the labels that predictions of a kind of data may use; empty if any may."""
    found = sorted(KINDS[target.kind].labels(gold.columns[target.column]))
    return label_set(np.array(found), settings, gold.file) if found else ()


def _shapes(
    gold: Gold, targets: Iterable[Target], metrics: Sequence[Metric]
) -> dict[str, tuple[Any, ...]]:
    """Return what predictions of each column must match: column → [n]; see `ExampleKind`."""
    found = {}
    for target in targets:
        if target.kind in KINDS:
            shapes = tuple(map(KINDS[target.kind].shape, gold.columns[target.column]))
            for metric in without_formulas(metrics):
                demand = metric.definition.demand
                if demand is not None and target_of(metric, gold) == target:
                    shapes = tuple(demand(shape, metric.all_params) for shape in shapes)
            if any(shape is not None for shape in shapes):
                found[target.column] = shapes
    return found


def _above(metrics: Sequence[Metric], gold: Gold) -> dict[str, float]:
    """Return the bounds that predictions must exceed for all metrics: column → number."""
    found: dict[str, float] = {}
    for metric in without_formulas(metrics):
        target = target_of(metric, gold)
        bound = metric.definition.above
        if target is not None and bound is not None:
            found[target.column] = max(bound, found.get(target.column, -math.inf))
    return found


def _check_types(metric: Metric, known: Sequence[Label]) -> None:
    """Refuse a metric of types that the gold does not have: they would count nothing."""
    for name in (metric.params.get("types") or ()) if metric.call is None else ():
        if str(name) not in map(str, known):
            raise SettingsError(
                f"metric {metric.name!r}: the reference data hold nothing of its type {name!r}"
                f"{nearest(str(name), map(str, known))}"
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
