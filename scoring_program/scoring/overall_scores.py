"""Scores by a metric over several tasks, from the scores of the metrics that it combines.

The same function serves the scores on the whole test sets and those on resamples.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from ..metrics import Metric, formula
from . import mean_rank
from .scored_metric import ScoredMetric

#: Methods that compare an entry with the others, and so say nothing of one alone.
RELATIVE = (mean_rank.FUNCTION, "mean_standardized")


@dataclass(frozen=True, eq=False)
class Component:
    """A task's metric as a part of a metric over tasks.

    ``columns`` [k] are the rows of the entries in the task's scorer. An entry that the task lacks
    may have those of the worst entry.
    """

    part: int  # number of the task
    place: int  # of the metric among those of the task
    metric: Metric
    columns: Ints


@dataclass(frozen=True, eq=False)
class OverallScores:
    """A metric over tasks, and the k entries that have a score by it."""

    metric: Metric
    entries: tuple[int, ...]  # their numbers in the competition, [k]
    components: tuple[Component, ...]
    competing: Bools  # [k]
    observed: Floats  # [k]
    of_components: tuple[Floats, ...]  # what the entries score by each component, [k]

    def evaluate(self, drawn: Sequence[Floats]) -> Floats:
        """Return the scores [..., k] from those by each of the components [..., k]."""
        return _evaluate(self.metric, self.components, drawn, self.of_components, self.competing)

    def keep(self, rows: Sequence[int]) -> OverallScores:
        """Return the scores of some of the entries."""
        kept = list(rows)
        return replace(
            self,
            entries=tuple(self.entries[row] for row in kept),
            components=tuple(replace(item, columns=item.columns[kept]) for item in self.components),
            competing=self.competing[kept],
            observed=self.observed[kept],
            of_components=tuple(scores[kept] for scores in self.of_components),
        )


def overall_scores(
    metric: Metric,
    tasks: Sequence[Sequence[ScoredMetric]],
    competing: Sequence[bool],
    *,
    worst_if_missing: bool,
) -> OverallScores | None:
    """Bind a metric over tasks to the scores of every task; None if no competing entry has one.

    ``competing`` [m] marks the entries of the competition that can win. An entry that some task
    lacks has no score or, with ``worst_if_missing``, counts there as a copy of the worst entry.
    """
    needed = [
        (part, place, item)
        for part, scored in enumerate(tasks)
        for place, item in enumerate(scored)
        if item.metric.name in {leaf.name for leaf in _leaves(metric, tasks)}
    ]
    present = [set(item.entries) for _, _, item in needed]
    found = set.union(*present) if worst_if_missing else set.intersection(*present)
    entries = tuple(sorted(found))
    can_win = np.array([competing[entry] for entry in entries], np.bool_)
    if not can_win.any() or not all(present):
        return None
    components = tuple(
        Component(part, place, item.metric, _columns(item, entries)) for part, place, item in needed
    )
    scores = tuple(
        item.observed[component.columns]
        for component, (_, _, item) in zip(components, needed, strict=True)
    )
    observed = _evaluate(metric, components, scores, scores, can_win)
    if metric.function == mean_rank.FUNCTION:
        metric = mean_rank.bounded(metric, can_win)
    bound = OverallScores(metric, entries, components, can_win, observed, scores)
    return _defined(bound)


def _defined(bound: OverallScores) -> OverallScores | None:
    """Leave out the entries for which a formula has no value."""
    kept = np.flatnonzero(np.isfinite(bound.observed))
    if not bound.competing[kept].any():
        return None
    return bound if kept.size == bound.observed.size else bound.keep(kept.tolist())


def _leaves(metric: Metric, tasks: Sequence[Sequence[ScoredMetric]]) -> list[Metric]:
    """Return the metrics of tasks that a metric over tasks combines, through formulas too."""
    known = {item.metric.name for scored in tasks for item in scored}
    found: list[Metric] = []
    for component in metric.components:
        found.extend([component] if component.name in known else _leaves(component, tasks))
    return found


def _columns(item: ScoredMetric, entries: Sequence[int]) -> Ints:
    """Return each entry's row in the scorer, or the worst entry's if it has none."""
    row_of = {entry: row for row, entry in enumerate(item.entries)}
    worst = int(np.argmax(mean_rank.losses(item.metric, item.observed)))
    return np.array([row_of.get(entry, worst) for entry in entries], np.intp)


def _evaluate(
    metric: Metric,
    components: Sequence[Component],
    drawn: Sequence[Floats],
    observed: Sequence[Floats],
    competing: Bools,
) -> Floats:
    named = {item.metric.name: scores for item, scores in zip(components, drawn, strict=True)}
    if metric.function == "mean":
        return np.asarray(np.mean([named[item.name] for item in metric.components], axis=0))
    if metric.function == "mean_standardized":
        fixed = {
            item.metric.name: scores for item, scores in zip(components, observed, strict=True)
        }
        standardized = [
            _standardized(item, named[item.name], fixed[item.name][competing])
            for item in metric.components
        ]
        return np.asarray(np.mean(standardized, axis=0))
    if metric.function == mean_rank.FUNCTION:
        losses = [mean_rank.losses(item, named[item.name]) for item in metric.components]
        return mean_rank.mean_ranks(losses, competing)
    return _of_formula(metric, named)


def _of_formula(metric: Metric, named: Mapping[str, Floats]) -> Floats:
    text = str(metric.formula)
    values = {
        name: named[item.name] if item.name in named else _of_formula(item, named)
        for name, item in zip(formula.names(text, metric.name), metric.components, strict=True)
    }
    return formula.evaluate(text, values)


def _standardized(metric: Metric, scores: Floats, of_rivals: Floats) -> Floats:
    """Return (score − median) / MAD, with the sign that makes more better.

    Median and MAD are those of the competing entries on the whole test set, fixed: a spread that
    varied with the resample would let one absurd entry erase a task. Where the MAD is 0, the
    standard deviation takes its place; where this is 0 too, all are equal.
    """
    center = float(np.median(of_rivals))
    spread = float(np.median(np.abs(of_rivals - center))) or float(of_rivals.std())
    return -mean_rank.losses(metric, scores - center) / (spread or 1.0)
