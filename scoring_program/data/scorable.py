"""Whether the gold gives every metric a value, whatever is predicted; asked before any upload is.

Each metric says in the registry what a gold must hold (`Definition.gold_defect`). If it does not,
nobody can be scored, and the organizer has to change the gold or the metric. Public and private
rows are scored apart, so each of them needs what the metric needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ..core.arrays import Ints
from ..core.errors import ReferenceDataError
from ..metrics.metric import Data, GoldDefect, Metric, with_labels_of_data, without_formulas
from ..reading.formats import KINDS
from ..recognize.expected import Expected, Target
from .entry import Labels, gold_events, gold_numbers, gold_weights, objects
from .gold import PRIVATE, PUBLIC, Gold
from .targets import target_of


def refuse_unscorable(
    metrics: Sequence[Metric], gold: Gold, labels: Mapping[str, Labels], expected: Expected
) -> None:
    """Raise ReferenceDataError if a metric, or one in a formula, has no value on this gold.

    ``labels`` are those of the gold's target columns. The message names the file, and the first
    line that is at fault.
    """
    for metric in without_formulas(metrics):
        target = target_of(metric, gold)
        if metric.gold_defect is None or metric.per_unit or target is None:
            continue
        data = _data(metric, target, gold, labels, expected)
        for usage, rows in _rows_scored_together(gold):
            if metric.sample_weight is not None:
                rows = rows[gold_weights(gold, metric)[rows] > 0]
            defect = _defect(metric, data.take(rows))
            if defect is not None:
                raise ReferenceDataError(_told(metric, target, defect, gold, usage, rows))


def _data(
    metric: Metric,
    target: Target,
    gold: Gold,
    labels: Mapping[str, Labels],
    expected: Expected,
) -> Data:
    """Return what a metric reads of the gold, without entries."""
    labels_of_task = expected.targets[target]
    label_set = np.array(labels_of_task) if labels_of_task else None
    if target.kind == "numbers":
        events = None if metric.event is None else gold_events(gold, metric.event)
        numbers = gold_numbers(gold, target.column, any_size=metric.gold_order_only)
        return Data(numbers, (), events=events)
    if target.kind in KINDS:
        return Data(objects(gold.columns[target.column]), (), label_set)
    return Data(labels[target.column], (), label_set)


def _rows_scored_together(gold: Gold) -> Iterator[tuple[str, Ints]]:
    """Yield all rows and, if they are scored apart, the public and the private ones."""
    yield "", np.arange(gold.n)
    usages = {*(gold.usage or ())}
    if usages >= {PUBLIC, PRIVATE}:
        of_row = np.array(gold.usage)
        for usage in (PUBLIC, PRIVATE):
            yield usage, np.flatnonzero(of_row == usage)


def _defect(metric: Metric, data: Data) -> GoldDefect | None:
    """Return why a metric has no value on a gold; None if it has one."""
    assert metric.gold_defect is not None
    if not data.n:  # no row has any weight
        return GoldDefect(
            ("only rows of weight 0", "only rows of weight 0"), "Give some a positive weight."
        )
    params = metric.all_params
    if metric.kind in ("labels", "scores", "probabilities"):
        params = {**with_labels_of_data(params, data)}
    return metric.gold_defect(data, params)


def _told(
    metric: Metric, target: Target, defect: GoldDefect, gold: Gold, usage: str, rows: Ints
) -> str:
    """Return the message to the organizer about the rows of a gold that are scored together."""
    several_targets = len(gold.targets) > 1 and gold.names_are_public
    file = f"column {target.column!r} of {gold.file}" if several_targets else gold.file
    single, several = defect.what
    if defect.rows is None:
        holder = f"The {usage} rows of {file} hold" if usage else f"{file} holds"
        return f"{holder} {single}, so {metric.label} {defect.so}. {defect.remedy}"
    wrong = rows[defect.rows].tolist()
    where = f"{file}, {gold.places[gold.first_of(wrong)]}"
    if len(wrong) > 1:
        where = f"{where}, and {len(wrong) - 1} more"
    what = single if len(wrong) == 1 else several
    return f"{metric.label} {defect.rule}, and {len(wrong)} of {rows.size} {what} ({where}). " + (
        defect.remedy
    )
