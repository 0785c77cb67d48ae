"""The metrics of a competition's parts, bound to every entry's predictions."""

from __future__ import annotations

import numpy as np

from ..alignment.competition import Competition, Part
from ..alignment.entry import Entry
from ..alignment.gold import Gold, gold_numbers
from ..alignment.parts import target_of
from ..core.arrays import Array
from ..metrics import Metric
from ..metrics.calls import typed
from ..reading.layout import SINGLE
from .bind import bind, compose
from .scorer import Scorer

#: What a participant's log calls the submissions of the packed field.
_ANOTHER = "another submission"


def bind_parts(competition: Competition) -> tuple[tuple[Scorer, ...], ...]:
    """Bind every part's metrics, each once: one that a formula names too is bound for both.

    Raises SubmissionError or MetricError as `bind` does.
    """
    names = names_in_messages(competition)
    bound = []
    for part in competition.parts:
        done: dict[str, Scorer] = {}
        bound.append(tuple(_bound(metric, part, names, done) for metric in part.metrics))
    return tuple(bound)


def names_in_messages(competition: Competition) -> tuple[str, ...]:
    """Return what a message may call the entries, [m]: a participant learns no rival's name."""
    if competition.focus is None:
        return competition.names
    rows = range(len(competition.names))
    return tuple(SINGLE if row == competition.focus else _ANOTHER for row in rows)


def _bound(metric: Metric, part: Part, names: tuple[str, ...], done: dict[str, Scorer]) -> Scorer:
    """Bind a metric, and those that its formula names; ``done`` holds by name what is bound."""
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
        solution = {**ids, **_as_read(gold)}
        y_preds = [{**ids, **_as_read(entry)} for entry in part.entries]
        return bind(metric, solution, y_preds, names=names)
    predictions = [entry.predictions[target] for entry in part.entries]
    labels = part.expected.targets[target]
    if target.kind == "numbers":
        numbers = gold_numbers(gold, target.column) if target.column else np.zeros(gold.n)
        return bind(metric, numbers, predictions, names=names)
    return bind(metric, part.labels[target.column], predictions, np.array(labels), names=names)


def _as_read(of: Gold | Entry) -> dict[str, Array]:
    """Return columns typed as pandas reads the whole file, of whichever rows they are."""
    # An array of fixed width would take the memory of the longest cell for every row.
    columns = {name: np.array(texts, dtype=object) for name, texts in of.columns.items()}
    if of.whole is None:
        return {name: typed(column) for name, column in columns.items()}
    return {
        name: column.astype(typed(np.array(of.whole[name], dtype=object)).dtype)
        for name, column in columns.items()
    }
