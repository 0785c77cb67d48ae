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
    entry_of: Sequence[int]  # [k] numbers of the entries that stand for the runs' teams
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
        rows = [np.flatnonzero(everywhere[is_defined]) for is_defined in defined]
        drawn = [
            item.values[used][:, places]
            for item, used, places in zip(chosen, rows, columns, strict=True)
        ]
        values = scores.evaluate(drawn)
        combined = Replicates.from_scored(Evaluated(values, np.isnan(values)), len(values))
        if combined.lacking:
            complete = [row for row in range(len(scores.entries)) if row not in combined.lacking]
            scores = scores.keep(complete)
            drawn = [item[:, complete] for item in drawn]
            columns = [places[complete] for places in columns]
        if combined.defined is not None:
            drawn = [item[combined.defined] for item in drawn]
            rows = [used[combined.defined] for used in rows]
        undefined = combined.undefined + int(np.count_nonzero(~everywhere))
        units = cls(
            scores,
            Replicates(combined.values, undefined),
            rows,
            tasks,
            question,
            executor,
            entry_of=scores.entries,
            metrics=metrics,
            columns=columns,
            observed=scores.of_components,
            drawn=drawn,
        )
        return units._with_further_runs()

    def _with_further_runs(self) -> OverallUnits:
        """Return it with the further runs of the entries' teams that every task scores."""
        entries = set(self.scores.entries)
        entry_of = {
            run: entry for _, run, entry in self.metrics[0].rows_of_further_runs if entry in entries
        }
        rows_of_tasks = []
        for item in self.metrics:
            row_of = {run: row for row, run, _ in item.rows_of_further_runs}
            rows_of_tasks.append(row_of)
            entry_of = {run: entry for run, entry in entry_of.items() if run in row_of}
        if not entry_of:
            return self
        columns = []
        observed = []
        drawn = []
        for place, item in enumerate(self.metrics):
            row_of = rows_of_tasks[place]
            run_rows = np.array([row_of[run] for run in entry_of])
            assert item.drawn is not None
            values = item.drawn.values[self.rows[place]][:, run_rows]
            columns.append(np.append(self.columns[place], run_rows))
            observed.append(np.append(self.observed[place], item.runs.observed[run_rows]))
            drawn.append(np.concatenate([self.drawn[place], values], axis=1))
        return replace(
            self,
            entry_of=[*self.entry_of, *entry_of.values()],
            columns=columns,
            observed=observed,
            drawn=drawn,
        )

    def keep(self, places: Ints) -> OverallUnits:
        """Return some of the runs."""
        return replace(
            self,
            entry_of=[self.entry_of[place] for place in places],
            columns=[columns[places] for columns in self.columns],
            observed=[scores[places] for scores in self.observed],
            drawn=[drawn[:, places] for drawn in self.drawn],
        )

    @cached_property
    def blocks(self) -> list[int]:
        """The first component with the same resamples, for every component."""
        return [self._first_alike(task) for task in self.tasks]

    def _first_alike(self, task: ResampledPart) -> int:
        """Return the first component whose task has the same units, and the same resamples."""
        design = task.design
        for place, earlier in enumerate(self.tasks):
            drawn_alike = earlier.seed == task.seed and earlier.design.n == design.n
            same_units = _equal(earlier.design.units, design.units)
            same_strata = _equal(earlier.design.strata, design.strata)
            if drawn_alike and same_units and same_strata:
                return place
        raise ValueError("the task is of another competition")

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
        columns = (np.ix_(rows[: len(names)], rows[: len(names)]) for rows in self.columns)
        differ = [
            item.scorer.diagnostics.disagreements[block]
            for item, block in zip(self.metrics, columns, strict=True)
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
            entries=len(names) if len(runs.entry_of) > len(names) else None,
        )

    def _scored_runs(self) -> tuple[OverallUnits, Floats, Floats]:
        """Return the runs that have a score everywhere, their scores, and those on resamples."""
        first = len(self.scores.entries)
        evaluate = self.scores.evaluate
        observed = evaluate([scores[first:] for scores in self.observed])
        values = evaluate([scores[:, first:] for scores in self.drawn])
        scored = np.flatnonzero(np.isfinite(observed) & np.isfinite(values).all(axis=0))
        return (
            self.keep(np.append(np.arange(first), first + scored)),
            np.append(self.scores.observed, observed[scored]),
            np.concatenate([self.replicates.values, values[:, scored]], axis=1),
        )

    def of_runs(self, names: Sequence[str]) -> list[str]:
        """Return for every run [k] the name of the entry that stands for its team, of those [m]."""
        return [names[row] for row in rows_of(self.entry_of, self.scores.entries)]

    @property
    def strata(self) -> Ints | None:
        """The stratum [N] of each unit; None if there is only one."""
        strata = []
        number = 0
        for design in self.designs.values():
            of_block = np.zeros(design.size, np.intp) if design.strata is None else design.strata
            strata.append(of_block + number)
            number += int(of_block.max()) + 1
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
        return replace(answers, of_rows=self.tasks[place].design.grouping)

    def answers(self) -> list[ComparedAnswers]:
        """Return the answers in every task; by several components, if it has as many."""
        answers: dict[int, ComparedAnswers] = {}
        for place, item in enumerate(self.scores.components):
            in_task = self.answers_in(place)
            if (so_far := answers.get(item.part)) is not None:
                in_task = replace(so_far, layers=(*so_far.layers, *in_task.layers), right=None)
            answers[item.part] = in_task
        return list(answers.values())

    def influence(self) -> Floats | None:
        """Return the influence values [N, k]; None if a task has none, or if they take too long."""
        blocks: dict[int, Floats] = {}
        for place, first in enumerate(self.blocks):
            influence = self.influence_in(place)
            if influence is None:
                return None
            in_block = influence * slope(self.scores.evaluate, self.observed, place)
            blocks[first] = blocks[first] + in_block if first in blocks else in_block
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
            scores = [np.broadcast_to(row, (design.size, row.size)) for row in self.observed]
            for place, first in enumerate(self.blocks):
                if first == block:
                    scores[place] = self.jackknife_in(place)
            replicates.append(self.scores.evaluate(scores))
        return np.concatenate(replicates)


def _equal(first: Ints | None, second: Ints | None) -> bool:
    """Whether two arrays are equal, or neither is there."""
    if first is None or second is None:
        return first is second
    return np.array_equal(first, second)


def _in_blocks(counts: Iterator[DrawCounts], rows: Ints) -> Iterator[DrawCounts]:
    """Yield the ascending ``rows`` of counts [R, N] in blocks of one size, but for the last."""
    waiting: list[DrawCounts] = []
    drawn = number = 0
    for block in counts:
        chosen = rows[np.searchsorted(rows, drawn) : np.searchsorted(rows, drawn + len(block))]
        waiting.append(block[chosen - drawn])
        drawn = drawn + len(block)
        number = number + chosen.size
        while number >= _AT_ONCE:
            together = np.concatenate(waiting)
            yield together[:_AT_ONCE]
            waiting = [together[_AT_ONCE:]]
            number = number - _AT_ONCE
    if number:
        yield np.concatenate(waiting)
