"""Binds the metrics of a competition's parts to every entry's predictions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from ..alignment.competition import Competition, Part
from ..alignment.entry import Entry, objects
from ..alignment.gold import Gold, gold_numbers, gold_weights
from ..alignment.requirements import target_of
from ..core.arrays import Array
from ..core.errors import MetricError, SubmissionError
from ..core.phrases import Phrase
from ..metrics import Metric
from ..metrics.calls import infer_type
from ..metrics.statistics import Counting
from ..reading.formats import KINDS
from .bind import HERE, bind, compose
from .scored_metric import ScoredMetric
from .scorer import Failure, Scorer

#: What a participant's log calls the submissions of the field.
_ANOTHER = Phrase("another submission")
#: What everybody's messages call a submission that they do not name.
SUBMISSION = Phrase("this submission")


#: Name of a metric → entry → why the metric cannot score it.
Failures = dict[str, dict[int, Failure]]


def bind_parts(
    competition: Competition, counting: Counting = HERE
) -> tuple[tuple[ScoredMetric, ...], ...]:
    """Bind every part's metrics once. A formula shares the scorers of the metrics that it names.

    Raises SubmissionError or MetricError as `bind` does.
    """
    names = names_in_messages(competition)
    return tuple(_bind_part(part, part.metrics, names, {}, counting) for part in competition.parts)


def bind_where_possible(
    competition: Competition,
) -> tuple[tuple[tuple[ScoredMetric, ...], ...], Failures]:
    """Bind every metric to the entries that it fits, and say why it does not fit the others.

    A metric that fits no entry is left out.
    """
    failures: Failures = {}
    bound = []
    names = [SUBMISSION] * len(competition.names)
    for part in competition.parts:
        shared: dict[tuple[int, ...], dict[str, Scorer]] = {}
        found: list[ScoredMetric] = []
        for metric in part.metrics:
            failed = failures[metric.name] = {}
            for entry in part.present:
                try:
                    _bind_part(part.only([entry]), [metric], names, {})
                except (SubmissionError, MetricError) as failure:
                    failed[entry] = failure
            fitting = tuple(entry for entry in part.present if entry not in failed)
            if fitting:
                done = shared.setdefault(fitting, {})
                found.extend(_bind_part(part.only(fitting), [metric], names, done))
        bound.append(tuple(found))
    return tuple(bound), failures


def _bind_part(
    part: Part,
    metrics: Sequence[Metric],
    names: Sequence[str],
    done: dict[str, Scorer],
    counting: Counting = HERE,
) -> tuple[ScoredMetric, ...]:
    """Bind metrics to the entries of a part. ``done`` maps names to bound metrics."""
    of_present = [names[entry] for entry in part.present]
    of_part = partial(_bound_to_predictions, part=part, names=of_present, counting=counting)
    return tuple(ScoredMetric(_bound(metric, of_part, done), part.present) for metric in metrics)


def names_in_messages(competition: Competition) -> tuple[str, ...]:
    """Return what a message may call the entries, [m]. Participants must not learn them."""
    if competition.focus is None:
        return competition.names
    rows = range(len(competition.names))
    return tuple(SUBMISSION if row == competition.focus else _ANOTHER for row in rows)


def _bound(metric: Metric, of_part: Callable[[Metric], Scorer], done: dict[str, Scorer]) -> Scorer:
    """Bind a metric, and those that its formula names. ``done`` maps names to bound metrics."""
    if metric.name not in done:
        if metric.components:
            scorers = [_bound(component, of_part, done) for component in metric.components]
            done[metric.name] = compose(metric, scorers)
        else:
            done[metric.name] = of_part(metric)
    return done[metric.name]


def _bound_to_predictions(
    metric: Metric, part: Part, names: Sequence[str], counting: Counting
) -> Scorer:
    gold = part.gold
    target = target_of(metric, gold)
    weights = None if metric.sample_weight is None else gold_weights(gold, metric)
    to_data = partial(bind, metric, names=names, counting=counting, weights=weights)
    if target is None:
        ids = {gold.id_column or "id": np.array(gold.ids or range(gold.n))}
        solution = {**ids, **_typed_columns(gold)}
        y_preds = [{**ids, **_typed_columns(entry)} for entry in part.entries if entry]
        return to_data(solution, y_preds)
    predictions = [entry.predictions[target] for entry in part.entries if entry]
    if metric.definition.per_unit:
        return to_data(np.zeros(gold.n), predictions)
    labels = part.expected.targets[target]
    if target.kind == "numbers":
        return to_data(gold_numbers(gold, target.column), predictions)
    label_set = np.array(labels) if labels else None
    if target.kind in KINDS:
        return to_data(objects(gold.columns[target.column]), predictions, label_set)
    return to_data(part.labels[target.column], predictions, label_set)


def _typed_columns(of: Gold | Entry) -> dict[str, Array]:
    """Return columns with the types that pandas infers from the whole file."""
    # An array of fixed width would take the memory of the longest cell for every row.
    columns = {name: np.array(texts, dtype=object) for name, texts in of.columns.items()}
    if of.whole is None:
        return {name: infer_type(column) for name, column in columns.items()}
    return {
        name: column.astype(infer_type(np.array(of.whole[name], dtype=object)).dtype)
        for name, column in columns.items()
    }
