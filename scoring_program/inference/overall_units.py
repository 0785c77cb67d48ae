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

from ..bootstrap.design import DrawCounts
from ..bootstrap.resample import ResampledPart
from ..core.arrays import Floats, Ints
from ..core.executor import Executor
from ..metrics.metric import Evaluated
from ..metrics.sums import STEP
from ..scoring.diagnostics import ComparedAnswers, Diagnostics
from ..scoring.overall import OverallScores
from ..scoring.scorer import Replicates, ScoredMetric, Scorer
from .basis import MetricScores, RunScores, influence_of
from .evidence import Question

#: Resamples whose draws of units are put side by side at once.
_AT_ONCE = 256


@dataclass(frozen=True, eq=False)
class OverallUnits:
    """A metric over tasks on the resamples on which every task that it needs has scores.

    The units are those of all these tasks, N together.
    """

    scores: OverallScores
    replicates: Replicates
    of_components: Sequence[Floats]  # the scores by each component, [B_used, k]
    rows: Sequence[Ints]  # which rows of each component's replicates are used, [B_used]
    tasks: Sequence[ResampledPart]
    question: Question
    executor: Executor

    @classmethod
    def from_tasks(
        cls,
        scores: OverallScores,
        tasks: Sequence[ResampledPart],
        question: Question,
        executor: Executor,
    ) -> OverallUnits:
        """Combine the replicates of the tasks' metrics.

        Tasks with the same examples are resampled together, others independently of each other. So
        the b-th resample of one task belongs to the b-th of any other.
        """
        chosen = [tasks[item.part].metrics[item.place].replicates for item in scores.components]
        count = min(item.drawn for item in chosen)
        defined = [
            (np.ones(count, np.bool_) if item.defined is None else item.defined)[:count]
            for item in chosen
        ]
        everywhere = np.logical_and.reduce(defined)
        rows = [np.flatnonzero(everywhere[own]) for own in defined]
        drawn = [
            item.values[used][:, component.columns]
            for item, used, component in zip(chosen, rows, scores.components, strict=True)
        ]
        values = scores.evaluate(drawn)
        combined = Replicates.from_scored(Evaluated(values, np.isnan(values)), len(values))
        if combined.lacking:
            kept = [row for row in range(len(scores.entries)) if row not in combined.lacking]
            scores, drawn = scores.keep(kept), [item[:, kept] for item in drawn]
        if combined.defined is not None:
            drawn = [item[combined.defined] for item in drawn]
            rows = [used[combined.defined] for used in rows]
        undefined = combined.undefined + int(np.count_nonzero(~everywhere))
        used = Replicates(combined.values, undefined, lacking=combined.lacking)
        return cls(scores, used, drawn, rows, tasks, question, executor)

    @cached_property
    def tasks_of(self) -> list[ResampledPart]:
        """The task of every component."""
        return [self.tasks[item.part] for item in self.scores.components]

    @cached_property
    def metrics_of(self) -> list[ScoredMetric]:
        """The task's metric of every component."""
        return [self.tasks[item.part].metrics[item.place] for item in self.scores.components]

    @cached_property
    def blocks(self) -> list[int]:
        """The first component with the same resamples, for every component."""
        return [
            next(first for first, task in enumerate(self.tasks_of) if _drawn_together(task, own))
            for own in self.tasks_of
        ]

    @property
    def strata(self) -> Ints | None:
        """The stratum [N] of each unit; None if there is only one."""
        strata, number = [], 0
        for first in sorted(set(self.blocks)):
            design = self.tasks_of[first].design
            own = np.zeros(design.size, np.intp) if design.strata is None else design.strata
            strata.append(own + number)
            number += int(own.max()) + 1
        return np.concatenate(strata) if number > 1 else None

    @property
    def blocks_of_units(self) -> Ints:
        """The block [N] of each unit: units of one block are resampled together."""
        sizes = [self.tasks_of[first].design.size for first in sorted(set(self.blocks))]
        return np.repeat(np.arange(len(sizes)), sizes)

    def counts(self) -> Iterator[DrawCounts]:
        """Yield how often each unit is drawn, [R, N], on the resamples of the replicates."""
        of_tasks = [self.draws_in(first) for first in sorted(set(self.blocks))]
        for blocks in zip(*of_tasks, strict=True):
            yield np.concatenate(blocks, axis=1)

    def draws_in(self, place: int) -> Iterator[DrawCounts]:
        """Yield how often each unit of the task of one component is drawn, [R, N of the task].

        The blocks of all tasks have the same sizes.
        """
        counts = self.tasks_of[place].unit_counts(self.metrics_of[place].replicates)
        return _in_blocks(counts, self.rows[place])

    def metric_scores(
        self, names: Sequence[str], teams: Sequence[str], lacking: Sequence[int]
    ) -> MetricScores:
        """Return the inputs of the analysis of the entries, called ``names`` [m]."""
        scores, of_entries = self.scores, self.of_entries()
        designs = [task.design for task in self.tasks_of]
        smallest = min(designs, key=lambda design: design.effective_groups or design.size)
        columns = (np.ix_(item.columns, item.columns) for item in scores.components)
        differ = [
            item.scorer.diagnostics.disagreements[both]
            for item, both in zip(self.metrics_of, columns, strict=True)
        ]
        return MetricScores(
            scores.metric,
            names,
            scores.observed,
            self.replicates,
            n=smallest.n,
            groups=smallest.groups,
            diagnostics=Diagnostics(None, np.sum(differ, axis=0), None),
            jackknife=of_entries.jackknife,
            influence=of_entries.influence,
            smooth=of_entries.smooth,
            effective_groups=smallest.effective_groups,
            strata=self.strata,
            counts=self.counts,
            teams=teams,
            hidden=self._hidden_scores(),
            answers=of_entries.answers(),
            blocks=self.blocks_of_units,
            lacking=lacking,
        )

    def _hidden_scores(self) -> RunScores | None:
        """Return the scores of the hidden runs by the metric over tasks, None without any."""
        hidden = self.of_hidden()
        if hidden is None:
            return None
        evaluate = self.scores.evaluate
        observed, values = evaluate(hidden.observed), evaluate(hidden.of_components)
        scored = np.flatnonzero(np.isfinite(observed) & np.isfinite(values).all(axis=0))
        if not scored.size:
            return None
        hidden = hidden.keep(scored)
        return RunScores(
            hidden.entry_rows,
            observed[scored],
            values[:, scored],
            jackknife=hidden.jackknife,
            influence=hidden.influence,
            answers=hidden.answers(),
        )

    def of_entries(self) -> UnitScores:
        """Return the units' part in the scores of the entries that are shown."""
        return UnitScores(
            self,
            self.scores.entries,
            [item.scorer for item in self.metrics_of],
            [item.replicates for item in self.metrics_of],
            [item.columns for item in self.scores.components],
            self.scores.of_components,
            self.of_components,
        )

    def of_hidden(self) -> UnitScores | None:
        """Return the same of the hidden runs that every task scores; None without any."""
        hidden = [item.hidden for item in self.metrics_of if item.hidden is not None]
        drawn = [runs.drawn for runs in hidden if runs.drawn is not None]
        if len(drawn) < len(self.metrics_of):
            return None
        of = {run: entry for own in hidden for run, entry in zip(own.runs, own.of, strict=True)}
        columns = [{run: column for column, run in enumerate(own.runs)} for own in hidden]
        common = sorted(set.intersection(*map(set, columns)))
        runs = [run for run in common if of[run] in self.scores.entries]
        if not runs:
            return None
        places = [np.array([column[run] for run in runs], np.intp) for column in columns]
        return UnitScores(
            self,
            [of[run] for run in runs],
            [own.scorer for own in hidden],
            drawn,
            places,
            [own.scorer.observed[at] for own, at in zip(hidden, places, strict=True)],
            [
                own.values[rows][:, at]
                for own, rows, at in zip(drawn, self.rows, places, strict=True)
            ],
        )


@dataclass(frozen=True, eq=False)
class UnitScores:
    """What the units do to the scores of some runs; most sequences have an item per component."""

    units: OverallUnits
    of: Sequence[int]  # [k] numbers of the entries that stand for the runs' teams
    scorers: Sequence[Scorer]
    replicates: Sequence[Replicates]
    columns: Sequence[Ints]  # [k] rows of the runs in the scorers
    observed: Sequence[Floats]  # [k]
    of_components: Sequence[Floats]  # [B_used, k]

    @property
    def entry_rows(self) -> Ints:
        """The rows [k] of `of` in the scores over tasks."""
        row_of = {entry: row for row, entry in enumerate(self.units.scores.entries)}
        return np.array([row_of[entry] for entry in self.of], np.intp)

    def keep(self, places: Ints) -> UnitScores:
        """Return some of the runs."""
        return replace(
            self,
            of=[self.of[place] for place in places],
            columns=[columns[places] for columns in self.columns],
            observed=[scores[places] for scores in self.observed],
            of_components=[drawn[:, places] for drawn in self.of_components],
        )

    @property
    def smooth(self) -> bool:
        """Whether the scores of all components are smooth."""
        return all(scorer.smooth for scorer in self.scorers)

    def answers_in(self, place: int) -> ComparedAnswers:
        """Return the answers by which two runs differ in the task of one component."""
        answers = self.scorers[place].answers.keep(self.columns[place].tolist())
        return replace(answers, units=self.units.tasks_of[place].design.units)

    def answers(self) -> list[ComparedAnswers]:
        """Return the answers in every task; by several components, if it has as many."""
        answers: dict[int, ComparedAnswers] = {}
        for place, item in enumerate(self.units.scores.components):
            own = self.answers_in(place)
            if (known := answers.get(item.part)) is not None:
                own = replace(known, layers=(*known.layers, *own.layers), right=None)
            answers[item.part] = own
        return list(answers.values())

    def influence(self) -> Floats | None:
        """Return the influence values [N, k]; None if a task has none, or if they take too long."""
        blocks: dict[int, Floats] = {}
        for place, first in enumerate(self.units.blocks):
            influence = self.influence_in(place)
            if influence is None:
                return None
            own = influence * self._slope(place)
            blocks[first] = blocks[first] + own if first in blocks else own
        return np.concatenate([blocks[first] for first in sorted(blocks)])

    def influence_in(self, place: int) -> Floats | None:
        """Return the influence values by one component, [N of its task, k]; None without any."""
        units, scorer, drawn = self.units, self.scorers[place], self.replicates[place]
        design = units.tasks_of[place].design
        influence = influence_of(scorer, design, drawn, units.question, units.executor)()
        return None if influence is None else influence[:, self.columns[place]]

    def jackknife_in(self, place: int) -> Floats:
        """Return the scores by one component without each unit, [N of its task, k]."""
        left_out = self.scorers[place].jackknife(self.units.tasks_of[place].design.units)
        return left_out[:, self.columns[place]]

    def jackknife(self) -> Floats:
        """Return the scores [N, k] without each unit; the other blocks keep theirs."""
        replicates = []
        for block in sorted(set(self.units.blocks)):
            size = self.units.tasks_of[block].design.size
            scores = [np.broadcast_to(own, (size, own.size)) for own in self.observed]
            for place, first in enumerate(self.units.blocks):
                if first == block:
                    scores[place] = self.jackknife_in(place)
            replicates.append(self.units.scores.evaluate(scores))
        return np.concatenate(replicates)

    def _slope(self, place: int) -> Floats:
        """Return the derivatives [k] with respect to the scores by one component."""
        step = STEP * np.maximum(np.abs(self.observed[place]), STEP)
        above, below = list(self.observed), list(self.observed)
        above[place], below[place] = self.observed[place] + step, self.observed[place] - step
        evaluate = self.units.scores.evaluate
        return np.asarray((evaluate(above) - evaluate(below)) / (2 * step))


def _in_blocks(counts: Iterator[DrawCounts], rows: Ints) -> Iterator[DrawCounts]:
    """Yield the ascending ``rows`` of counts [R, N] in blocks of one size, but for the last."""
    held: list[DrawCounts] = []
    drawn = number = 0
    for block in counts:
        own = rows[np.searchsorted(rows, drawn) : np.searchsorted(rows, drawn + len(block))]
        held.append(block[own - drawn])
        drawn, number = drawn + len(block), number + own.size
        while number >= _AT_ONCE:
            together = np.concatenate(held)
            yield together[:_AT_ONCE]
            held, number = [together[_AT_ONCE:]], number - _AT_ONCE
    if number:
        yield np.concatenate(held)


def _drawn_together(one: ResampledPart, other: ResampledPart) -> bool:
    """Whether two tasks have the same units, and the same resamples of them."""
    ours, theirs = one.design, other.design
    same = one.seed == other.seed and ours.n == theirs.n
    return same and _equal(ours.units, theirs.units) and _equal(ours.strata, theirs.strata)


def _equal(one: Ints | None, other: Ints | None) -> bool:
    if one is None or other is None:
        return one is other
    return bool(np.array_equal(one, other))


# Task scores --------------------------------------------------------------------------------------

# The scores of several tasks, as the inputs of their tests on resamples that belong together.


def task_scores(
    units: OverallUnits, names: Sequence[str], hidden: UnitScores | None
) -> list[MetricScores]:
    """Return what runs score by each of the metrics that a metric over tasks combines.

    The runs are the entries, called ``names``, and after them the ``hidden`` ones. An entry that a
    task lacks scores there what the overall score takes for it.
    """
    shown = units.of_entries()
    scores = []
    for place, item in enumerate(units.scores.components):
        design, behind = units.tasks_of[place].design, None
        if hidden is not None:
            behind = RunScores(
                hidden.entry_rows,
                hidden.observed[place],
                hidden.of_components[place],
                jackknife=partial(hidden.jackknife_in, place),
                influence=partial(hidden.influence_in, place),
                answers=(hidden.answers_in(place),),
            )
        of_entries = MetricScores(
            item.metric,
            names,
            units.scores.of_components[place],
            Replicates(units.of_components[place], 0),
            n=design.n,
            groups=design.groups,
            jackknife=partial(shown.jackknife_in, place),
            influence=partial(shown.influence_in, place),
            smooth=shown.scorers[place].smooth,
            effective_groups=design.effective_groups,
            strata=design.strata,
            counts=partial(units.draws_in, place),
            hidden=behind,
            answers=(shown.answers_in(place),),
        )
        scores.append(of_entries.of_every_run())
    return scores
