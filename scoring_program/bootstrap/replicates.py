"""Replicates: scores on resamples, also by metrics over several tasks, on the tasks' resamples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from ..scoring.overall import OverallScores
from ..scoring.scorer import Scored, ScoredMetric

#: Share of the resamples on which an entry may lack a score where every entry lacks some. If fewer
#: than two lack so few, an entry may lack twice as many as the second of them.
_FEW = 0.1


@dataclass(frozen=True, eq=False)
class Replicates:
    """Scores of m entries on the resamples that count, on which each has one; values [B_used, m].

    ``undefined`` counts the resamples that do not count, because the metric has no value there.
    ``defined`` [B] marks the others among all drawn resamples; None if all are used.
    ``zero_divisions`` [m] counts, for each entry, the used resamples on which its score is the
    ``zero_division`` value; None if there are none. ``lacking`` are the entries that were scored
    but have no score on some resamples that count, and so are not among the m: row → how many.
    """

    values: Floats
    undefined: int
    zero_divisions: Ints | None = None
    defined: Bools | None = None
    lacking: Mapping[int, int] = field(default_factory=dict)

    @classmethod
    def from_scored(cls, scored: Scored, drawn: int, needed: int | None = None) -> Replicates:
        """Choose the resamples that count, of the first ``drawn``, and the entries that stay.

        One entry must not take resamples from the others. So a resample counts if some entry has a
        score there, or the entry ``needed``, and an entry that lacks a score on one that counts
        goes. If all entries would go, those resamples count on which every entry has a score that
        lacks one on few.
        """
        values, undefined = scored.values[:drawn], scored.undefined[:drawn]
        if not undefined.any():
            return cls(values, 0)
        without = np.isnan(values)
        defined = np.logical_not(without.all(axis=1) if needed is None else without[:, needed])
        missed = np.count_nonzero(without[defined], axis=0)
        if missed.all():
            few = missed <= _FEW * np.count_nonzero(defined)
            if np.count_nonzero(few) < min(2, len(missed)):
                few = missed <= 2 * np.sort(missed)[:2][-1]
            defined = np.logical_not(without[:, few].any(axis=1))
        return cls._on(values, undefined, None if defined.all() else defined)

    @classmethod
    def beside(cls, scored: Scored, others: Replicates) -> Replicates:
        """Keep the resamples that count for ``others``, and the runs with a score on all of them.

        So hidden runs take no resamples from the entries that are shown.
        """
        drawn = others.drawn
        return cls._on(scored.values[:drawn], scored.undefined[:drawn], others.defined)

    @classmethod
    def _on(cls, values: Floats, undefined: Bools, defined: Bools | None) -> Replicates:
        """Keep the ``defined`` resamples, None for all, and the entries with a score on each."""
        left_out = 0 if defined is None else int(np.count_nonzero(~defined))
        if defined is not None:
            values, undefined = values[defined], undefined[defined]
        missed = np.count_nonzero(np.isnan(values), axis=0)
        if missed.any():
            values, undefined = values[:, missed == 0], undefined[:, missed == 0]
        zero_divisions = np.count_nonzero(undefined, axis=0)
        return cls(
            values,
            left_out,
            zero_divisions if zero_divisions.any() else None,
            defined,
            {int(row): int(missed[row]) for row in np.flatnonzero(missed)},
        )

    def take(self, columns: Sequence[int]) -> Replicates:
        """Return the replicates of some entries; none of them is `lacking`."""
        zero = self.zero_divisions
        return replace(
            self,
            values=self.values[:, columns],
            zero_divisions=None if zero is None else zero[columns],
        )

    @property
    def drawn(self) -> int:
        """Number of resamples drawn, including those on which the metric is undefined."""
        return len(self.values) + self.undefined


# Overall ------------------------------------------------------------------------------------------


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
