"""A metric over several tasks on their resamples, and the units behind its scores.

A score over tasks is a function of the entry's scores in the tasks. So its influence values are
those of the tasks, times the derivatives of the function. Tasks whose resamples are the same share
their units. The units of other tasks are drawn independently of each other, like strata, so a block
of units stands for each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from ..bootstrap.design import Design, DrawCounts
from ..bootstrap.resample import ResampledPart
from ..core.arrays import Bools, Floats, Ints
from ..core.executor import Executor
from ..metrics.metric import Evaluated
from ..scoring.diagnostics import ComparedAnswers, Diagnostics
from ..scoring.overall import OverallScores
from ..scoring.scorer import Replicates, ScoredMetric, slope
from .basis import MetricScores, influence_of, rows_of
from .evidence import Question

#: Resamples whose draws of units are put side by side at once.
_AT_ONCE = 256


@dataclass(frozen=True, eq=False)
class OverallUnits:
    """A metric over tasks on the resamples on which every task that it needs has scores.

    The units are those of all these tasks, N together. What they do to scores is told of k runs:
    of the m entries and, after them, of the other runs of their teams that every task scores.
    Sequences have an item per component.
    """

    scores: OverallScores  # of the entries
    replicates: Replicates  # of the entries
    rows: Sequence[Ints]  # which rows of each component's replicates are used, [B_used]
    tasks: Sequence[ResampledPart]
    question: Question
    executor: Executor
    of: Sequence[int]  # [k] numbers of the entries that stand for the runs' teams
    metrics: Sequence[ScoredMetric]  # the task's metric, of the runs
    columns: Sequence[Ints]  # [k] rows of the runs in the scorers
    observed: Sequence[Floats]  # [k]
    drawn: Sequence[Floats]  # the scores on the resamples, [B_used, k]

    @classmethod
    def from_tasks(
        cls,
        scores: OverallScores,
        parts: Sequence[ResampledPart],
        question: Question,
        executor: Executor,
    ) -> OverallUnits:
        """Combine the replicates of the tasks' metrics.

        Tasks with the same examples are resampled together, others independently of each other. So
        the b-th resample of one task belongs to the b-th of any other.
        """
        tasks = [parts[item.part] for item in scores.components]
        with_rows = [
            item.of_entries(task.metrics[item.place])
            for task, item in zip(tasks, scores.components, strict=True)
        ]
        metrics = [metric for metric, _ in with_rows]
        columns = [rows for _, rows in with_rows]
        chosen = [item.replicates for item in metrics]
        count = min(item.drawn for item in chosen)
        defined = [
            (np.ones(count, np.bool_) if item.defined is None else item.defined)[:count]
            for item in chosen
        ]
        everywhere = np.logical_and.reduce(defined)
        rows = [np.flatnonzero(everywhere[own]) for own in defined]
        drawn = [
            item.values[used][:, places]
            for item, used, places in zip(chosen, rows, columns, strict=True)
        ]
        values = scores.evaluate(drawn)
        combined = Replicates.from_scored(Evaluated(values, np.isnan(values)), len(values))
        if combined.lacking:
            kept = [row for row in range(len(scores.entries)) if row not in combined.lacking]
            scores = scores.keep(kept)
            drawn = [item[:, kept] for item in drawn]
            columns = [places[kept] for places in columns]
        if combined.defined is not None:
            drawn = [item[combined.defined] for item in drawn]
            rows = [used[combined.defined] for used in rows]
        undefined = combined.undefined + int(np.count_nonzero(~everywhere))
        used = Replicates(combined.values, undefined)
        own = scores.entries, metrics, columns, scores.of_components, drawn
        return cls(scores, used, rows, tasks, question, executor, *own)._with_other_runs()

    def _with_other_runs(self) -> OverallUnits:
        """Return it with the further runs of the entries' teams that every task scores."""
        rows_of_tasks = [
            {run: row for row, run, _ in item.rows_of_further_runs} for item in self.metrics
        ]
        shown = set(self.scores.entries)
        runs = {
            run: entry
            for _, run, entry in self.metrics[0].rows_of_further_runs
            if entry in shown and all(run in rows for rows in rows_of_tasks)
        }
        if not runs:
            return self
        rows_in = [np.array([rows[run] for run in runs]) for rows in rows_of_tasks]
        observed = []
        drawn = []
        for item, at, used, scores, values in zip(
            self.metrics, rows_in, self.rows, self.observed, self.drawn, strict=True
        ):
            assert item.drawn is not None
            observed.append(np.append(scores, item.runs.observed[at]))
            drawn.append(np.concatenate([values, item.drawn.values[used][:, at]], axis=1))
        return replace(
            self,
            of=[*self.of, *runs.values()],
            columns=[np.append(own, at) for own, at in zip(self.columns, rows_in, strict=True)],
            observed=observed,
            drawn=drawn,
        )

    def keep(self, places: Ints) -> OverallUnits:
        """Return some of the runs."""
        return replace(
            self,
            of=[self.of[place] for place in places],
            columns=[columns[places] for columns in self.columns],
            observed=[scores[places] for scores in self.observed],
            drawn=[drawn[:, places] for drawn in self.drawn],
        )

    @cached_property
    def blocks(self) -> list[int]:
        """The first component with the same resamples, for every component."""

        def same(one: Any, other: Any) -> bool:
            """Whether two tasks have the same units, and the same resamples of them."""
            ours = one.design
            theirs = other.design
            pairs = ((ours.units, theirs.units), (ours.strata, theirs.strata))
            drawn_alike = one.seed == other.seed and ours.n == theirs.n
            return drawn_alike and all(np.array_equal(*pair) for pair in pairs)

        tasks = self.tasks
        return [next(k for k, task in enumerate(tasks) if same(task, own)) for own in tasks]

    @property
    def designs(self) -> dict[int, Design]:
        """The first component of every block of units, and how its units are drawn."""
        return {first: self.tasks[first].design for first in sorted(set(self.blocks))}

    def counts(self) -> Iterator[DrawCounts]:
        """Yield how often each unit is drawn, [R, N], on the resamples of the replicates."""
        for blocks in zip(*map(self.draws_in, self.designs), strict=True):
            yield np.concatenate(blocks, axis=1)

    def draws_in(self, place: int) -> Iterator[DrawCounts]:
        """Yield how often each unit of the task of one component is drawn, [R, N of the task].

        The blocks of all tasks have the same sizes.
        """
        counts = self.tasks[place].unit_counts(self.metrics[place].replicates)
        return _in_blocks(counts, self.rows[place])

    def metric_scores(
        self, names: Sequence[str], teams: Sequence[str], lacking: Sequence[int]
    ) -> MetricScores:
        """Return the inputs of the analysis of the runs; the entries are called ``names`` [m]."""
        designs = [task.design for task in self.tasks]
        smallest = min(designs, key=lambda design: design.effective_groups or design.size)
        columns = (np.ix_(own[: len(names)], own[: len(names)]) for own in self.columns)
        differ = [
            item.scorer.diagnostics.disagreements[both]
            for item, both in zip(self.metrics, columns, strict=True)
        ]
        sizes = [design.size for design in self.designs.values()]
        runs, observed, values = self._scored_runs()
        return MetricScores(
            self.scores.metric,
            runs.of_runs(names),
            observed,
            replace(self.replicates, values=values),
            n=smallest.n,
            groups=smallest.groups,
            diagnostics=Diagnostics(None, np.sum(differ, axis=0), None),
            jackknife=runs.jackknife,
            influence=runs.influence,
            smooth=all(item.runs.smooth for item in self.metrics),
            effective_groups=smallest.effective_groups,
            strata=self.strata,
            counts=self.counts,
            teams=runs.of_runs(teams),
            answers=runs.answers(),
            blocks=np.repeat(np.arange(len(sizes)), sizes),
            lacking=lacking,
            entries=len(names) if len(runs.of) > len(names) else None,
        )

    def _scored_runs(self) -> tuple[OverallUnits, Floats, Floats]:
        """Return the runs that have a score everywhere, their scores, and those on resamples."""
        first = len(self.scores.entries)
        evaluate = self.scores.evaluate
        observed = evaluate([own[first:] for own in self.observed])
        values = evaluate([own[:, first:] for own in self.drawn])
        scored = np.flatnonzero(np.isfinite(observed) & np.isfinite(values).all(axis=0))
        return (
            self.keep(np.append(np.arange(first), first + scored)),
            np.append(self.scores.observed, observed[scored]),
            np.concatenate([self.replicates.values, values[:, scored]], axis=1),
        )

    def of_runs(self, names: Sequence[str]) -> list[str]:
        """Return for every run [k] the name of the entry that stands for its team, of those [m]."""
        return [names[row] for row in rows_of(self.of, self.scores.entries)]

    @property
    def strata(self) -> Ints | None:
        """The stratum [N] of each unit; None if there is only one."""
        strata = []
        number = 0
        for design in self.designs.values():
            own = np.zeros(design.size, np.intp) if design.strata is None else design.strata
            strata.append(own + number)
            number += int(own.max()) + 1
        return np.concatenate(strata) if number > 1 else None

    def task_scores(self, names: Sequence[str]) -> list[MetricScores]:
        """Return what runs score by each of the metrics that a metric over tasks combines.

        The entries are called ``names``, and the other runs like them. An entry that a task lacks
        scores there what the overall score takes for it or, if it is `behind_all`, as
        the worst of the others.
        """
        scores = []
        for place, item in enumerate(self.scores.components):
            design = self.tasks[place].design
            behind = self.behind_all(place)
            observed = self.observed[place]
            drawn = self.drawn[place]
            if behind.any():
                better = item.metric.greater_is_better
                present = observed[: len(names)]
                present = present[np.isfinite(present)]
                worst = present.min() if better else present.max()
                observed = np.where(behind, worst, observed)
                drawn = np.where(behind, worst, drawn)
            scores.append(
                MetricScores(
                    item.metric,
                    self.of_runs(names),
                    observed,
                    Replicates(drawn, 0),
                    n=design.n,
                    groups=design.groups,
                    jackknife=partial(self.jackknife_in, place),
                    influence=partial(self.influence_in, place),
                    smooth=self.metrics[place].runs.smooth,
                    effective_groups=design.effective_groups,
                    strata=design.strata,
                    counts=partial(self.draws_in, place),
                    answers=(self.answers_in(place),),
                )
            )
        return scores

    def behind_all(self, place: int) -> Bools:
        """Return which runs [k] are behind all others by one component, because they lack its task.

        That is so where the metric has no worst value; no test compares them there.
        """
        return ~np.isfinite(self.observed[place])

    def answers_in(self, place: int) -> ComparedAnswers:
        """Return the answers by which two runs differ in the task of one component."""
        answers = self.metrics[place].runs.answers.keep(self.columns[place].tolist())
        return replace(answers, units=self.tasks[place].design.units)

    def answers(self) -> list[ComparedAnswers]:
        """Return the answers in every task; by several components, if it has as many."""
        answers: dict[int, ComparedAnswers] = {}
        for place, item in enumerate(self.scores.components):
            own = self.answers_in(place)
            if (known := answers.get(item.part)) is not None:
                own = replace(known, layers=(*known.layers, *own.layers), right=None)
            answers[item.part] = own
        return list(answers.values())

    def influence(self) -> Floats | None:
        """Return the influence values [N, k]; None if a task has none, or if they take too long."""
        blocks: dict[int, Floats] = {}
        for place, first in enumerate(self.blocks):
            influence = self.influence_in(place)
            if influence is None:
                return None
            own = influence * slope(self.scores.evaluate, self.observed, place)
            blocks[first] = blocks[first] + own if first in blocks else own
        return np.concatenate([blocks[first] for first in sorted(blocks)])

    def influence_in(self, place: int) -> Floats | None:
        """Return the influence values by one component, [N of its task, k]; None without any."""
        item = self.metrics[place]
        design = self.tasks[place].design
        influence = influence_of(item, design, self.question, self.executor)()
        return None if influence is None else influence[:, self.columns[place]]

    def jackknife_in(self, place: int) -> Floats:
        """Return the scores by one component without each unit, [N of its task, k].

        No unit changes who is `behind_all`: their number is always the same.
        """
        left_out = self.metrics[place].runs.jackknife(self.tasks[place].design.units)
        return np.where(self.behind_all(place), 0.0, left_out[:, self.columns[place]])

    def jackknife(self) -> Floats:
        """Return the scores [N, k] without each unit; the other blocks keep theirs."""
        replicates = []
        for block, design in self.designs.items():
            scores = [np.broadcast_to(own, (design.size, own.size)) for own in self.observed]
            for place, first in enumerate(self.blocks):
                if first == block:
                    scores[place] = self.jackknife_in(place)
            replicates.append(self.scores.evaluate(scores))
        return np.concatenate(replicates)


def _in_blocks(counts: Iterator[DrawCounts], rows: Ints) -> Iterator[DrawCounts]:
    """Yield the ascending ``rows`` of counts [R, N] in blocks of one size, but for the last."""
    held: list[DrawCounts] = []
    drawn = number = 0
    for block in counts:
        own = rows[np.searchsorted(rows, drawn) : np.searchsorted(rows, drawn + len(block))]
        held.append(block[own - drawn])
        drawn = drawn + len(block)
        number = number + own.size
        while number >= _AT_ONCE:
            together = np.concatenate(held)
            yield together[:_AT_ONCE]
            held = [together[_AT_ONCE:]]
            number = number - _AT_ONCE
    if number:
        yield np.concatenate(held)
