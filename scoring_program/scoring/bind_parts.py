"""Binds the metrics of a competition's parts to every entry's predictions."""

from __future__ import annotations

import numpy as np

from ..alignment.competition import Competition, Part
from ..alignment.entry import Entry
from ..alignment.gold import Gold, gold_numbers
from ..alignment.parts import target_of
from ..core.arrays import Array
from ..metrics import Metric
from ..metrics.calls import infer_type
from ..reading.layout import SINGLE
from .bind import bind, compose
from .scorer import Scorer

#: What a participant's log calls the submissions of the field.
_ANOTHER = "another submission"


def bind_parts(competition: Competition) -> tuple[tuple[Scorer, ...], ...]:
    """Bind every part's metrics once. A formula shares the scorers of the metrics that it names.

    Raises SubmissionError or MetricError as `bind` does.
    """
    names = names_in_messages(competition)
    bound = []
    for part in competition.parts:
        done: dict[str, Scorer] = {}
        bound.append(tuple(_bound(metric, part, names, done) for metric in part.metrics))
    return tuple(bound)


def names_in_messages(competition: Competition) -> tuple[str, ...]:
    """Return what a message may call the entries, [m]. Participants must not learn them."""
    if competition.focus is None:
        return competition.names
    rows = range(len(competition.names))
    return tuple(SINGLE if row == competition.focus else _ANOTHER for row in rows)


def _bound(metric: Metric, part: Part, names: tuple[str, ...], done: dict[str, Scorer]) -> Scorer:
    """Bind a metric, and those that its formula names. ``done`` maps names to bound metrics."""
    if metric.name not in done:
        if metric.components:
            scorers = [_bound(component, part, names, done) for component in metric.components]
            done[metric.name] = compose(metric, scorers)
        else:
            done[metric.name] = _bound_to_predictions(metric, part, names)
    return done[metric.name]


def _bound_to_predictions(metric: Metric, part: Part, names: tuple[str, ...]) -> Scorer:
    gold = part.gold
    target = target_of(metric, gold)
    if target is None:
        ids = {gold.id_column or "id": np.array(gold.ids or range(gold.n))}
        solution = {**ids, **_typed_columns(gold)}
        y_preds = [{**ids, **_typed_columns(entry)} for entry in part.entries]
        return bind(metric, solution, y_preds, names=names)
    predictions = [entry.predictions[target] for entry in part.entries]
    if metric.definition.per_unit:
        return bind(metric, np.zeros(gold.n), predictions, names=names)
    labels = part.expected.targets[target]
    if target.kind == "numbers":
        return bind(metric, gold_numbers(gold, target.column), predictions, names=names)
    return bind(metric, part.labels[target.column], predictions, np.array(labels), names=names)


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
