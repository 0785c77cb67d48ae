"""Metrics over several tasks, on the tasks' resamples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from ..scoring.overall import OverallScores
from ..scoring.scorer import Scored, ScoredMetric
from .replicates import Replicates


@dataclass(frozen=True, eq=False)
class ResampledOverall:
    """A metric over tasks on the resamples on which every task that it needs has scores."""

    scores: OverallScores
    replicates: Replicates
    of_components: tuple[Floats, ...]  # the scores by each component, [B_used, k]
    rows: tuple[Ints, ...]  # which rows of each component's replicates are used, [B_used]


@dataclass(frozen=True, eq=False)
class HiddenOverall:
    """What h hidden runs score by each component of a metric over tasks."""

    of: tuple[int, ...]  # [h] numbers of the entries that stand for their teams
    columns: tuple[Ints, ...]  # [h] each, of the runs among the hidden runs of the task's metric
    observed: tuple[Floats, ...]  # [h] each
    of_components: tuple[Floats, ...]  # [B_used, h] each

    def keep(self, places: Ints) -> HiddenOverall:
        """Return some of the runs."""
        return HiddenOverall(
            tuple(self.of[place] for place in places),
            tuple(columns[places] for columns in self.columns),
            tuple(scores[places] for scores in self.observed),
            tuple(drawn[:, places] for drawn in self.of_components),
        )


def resample_overall(
    scores: OverallScores, replicates: Sequence[Sequence[Replicates]]
) -> ResampledOverall:
    """Combine ``replicates``, those of every task's metrics.

    Tasks with the same examples are resampled together, others independently of each other. So the
    b-th resample of one task belongs to the b-th of any other.
    """
    chosen = [replicates[item.part][item.place] for item in scores.components]
    count = min(item.drawn for item in chosen)
    defined = [_defined(item)[:count] for item in chosen]
    everywhere = np.logical_and.reduce(defined)
    rows = [np.flatnonzero(everywhere[own]) for own in defined]
    drawn = [
        item.values[used][:, component.columns]
        for item, used, component in zip(chosen, rows, scores.components, strict=True)
    ]
    values = scores.evaluate(drawn)
    combined = Replicates.from_scored(Scored(values, np.isnan(values)), len(values))
    if combined.lacking:
        kept = [row for row in range(len(scores.entries)) if row not in combined.lacking]
        scores, drawn = scores.keep(kept), [item[:, kept] for item in drawn]
    if combined.defined is not None:
        drawn = [item[combined.defined] for item in drawn]
        rows = [used[combined.defined] for used in rows]
    undefined = combined.undefined + int(np.count_nonzero(~everywhere))
    used = Replicates(combined.values, undefined, lacking=combined.lacking)
    return ResampledOverall(scores, used, tuple(drawn), tuple(rows))


def resample_hidden(
    overall: ResampledOverall,
    tasks: Sequence[Sequence[ScoredMetric]],
    replicates: Sequence[Sequence[Replicates | None]],
) -> HiddenOverall | None:
    """Combine the ``replicates`` of hidden runs, those of every task's metrics; None without any.

    Only runs count that have a score in all tasks that the metric needs.
    """
    of, hidden = dict[int, int](), []
    for component, rows in zip(overall.scores.components, overall.rows, strict=True):
        item = tasks[component.part][component.place]
        drawn = replicates[component.part][component.place]
        if item.hidden is None or drawn is None:
            return None
        of.update(zip(item.hidden.runs, item.hidden.of, strict=True))
        columns = {run: column for column, run in enumerate(item.hidden.runs)}
        hidden.append((columns, item.hidden.scorer.observed, drawn.values[rows]))
    common = set.intersection(*(set(columns) for columns, _, _ in hidden))
    runs = [run for run in sorted(common) if of[run] in overall.scores.entries]
    if not runs:
        return None
    own = [np.array([columns[run] for run in runs], np.intp) for columns, _, _ in hidden]
    observed = tuple(known[places] for places, (_, known, _) in zip(own, hidden, strict=True))
    values = tuple(drawn[:, places] for places, (_, _, drawn) in zip(own, hidden, strict=True))
    return HiddenOverall(tuple(of[run] for run in runs), tuple(own), observed, values)


def _defined(replicates: Replicates) -> Bools:
    """Return which of the drawn resamples count, [B]."""
    if replicates.defined is None:
        return np.ones(len(replicates.values), np.bool_)
    return replicates.defined
