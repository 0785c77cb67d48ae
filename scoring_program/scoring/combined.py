"""Scorers that combine the scores of others: formulas, means over runs, and worst values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import compress, islice

import numpy as np

from ..core.arrays import Array, Bools, Floats, Ints
from ..core.errors import SettingsError
from ..core.grouping import Grouping
from ..metrics import formula
from ..metrics.metric import Data, Evaluated, Metric
from .diagnostics import AnswerLayer, ComparedAnswers, Diagnostics
from .scorer import Failure, Observation, RowCounts, Scorer, Successors, slope


class FormulaScorer(Scorer):
    """Scores from arithmetic over the scores of other metrics (`metrics.formula`).

    ``scorers`` are those of ``metric.components``, in their order.
    """

    def __init__(self, metric: Metric, scorers: Sequence[Scorer]) -> None:
        super().__init__(metric, scorers[0].data, scorers[0].names)
        self.inner = tuple(scorers)

    def _keep(self, entries: Sequence[int], names: Sequence[str], successors: Successors) -> Scorer:
        scorers = [scorer.keep(entries, names, successors) for scorer in self.inner]
        return FormulaScorer(self.metric, scorers)

    def _take(self, rows: Ints, successors: Successors) -> Scorer:
        return FormulaScorer(self.metric, [scorer.take(rows, successors) for scorer in self.inner])

    def combine(self, parts: Sequence[Evaluated]) -> Evaluated:
        """Evaluate the formula on every resample of its parts."""
        left = iter(parts)
        scored = [scorer.combine([*islice(left, len(scorer.parts))]) for scorer in self.inner]
        result = self._evaluate([evaluated.values for evaluated in scored])
        undefined = [evaluated.undefined for evaluated in scored]
        return Evaluated(result, np.logical_or.reduce([*undefined, np.isnan(result)]))

    def _observe(self) -> Observation:
        observations = [scorer.observation for scorer in self.inner]
        failures: dict[int, Failure] = {}
        for observation in reversed(observations):  # the first metric's failure is reported
            failures.update(observation.failures)
        return Observation(
            self._evaluate([observation.values for observation in observations]), failures
        )

    def _evaluate(self, values: Sequence[Floats]) -> Floats:
        named = {
            part.name: value for part, value in zip(self.metric.components, values, strict=True)
        }
        return formula.evaluate(str(self.metric.formula), named)

    @property
    def without_value(self) -> Bools:
        """Whether a formula has no value for an entry for which all its metrics have one, [m]."""
        inner = [scorer for scorer in self.inner if isinstance(scorer, FormulaScorer)]
        defined = np.isfinite([scorer.observation.values for scorer in self.inner])
        formula_fails = defined.all(axis=0) & ~np.isfinite(self.observation.values)
        inner_fail = [scorer.without_value for scorer in inner]
        return np.asarray(np.any([formula_fails, *inner_fail], axis=0))

    def jackknife(self, units: Ints | None = None) -> Floats:
        """Return the formula's scores [N, m] without each row or unit."""
        return self._evaluate([scorer.jackknife(units) for scorer in self.inner])

    def influence(self, units: Ints | None, most: int) -> Floats | None:
        """Return the influence values [N, m] by the chain rule, from those of the metrics."""
        values = [scorer.observation.values for scorer in self.inner]
        total: Floats | float = 0.0
        for place, scorer in enumerate(self.inner):
            influence = scorer.influence(units, most)
            if influence is None:
                return None
            total = total + influence * slope(self._evaluate, values, place)
        return np.asarray(total)

    def randomized(self, i: int, j: int, swap: Bools) -> tuple[Floats, Floats]:
        """Score entries i and j with predictions exchanged in every column of the formula."""
        pairs = [scorer.randomized(i, j, swap) for scorer in self.inner]
        return self._evaluate([a for a, _ in pairs]), self._evaluate([b for _, b in pairs])

    @cached_property
    def diagnostics(self) -> Diagnostics:
        """The smallest minority, and the disagreements of all columns of the formula."""
        return _together([scorer.diagnostics for scorer in self.inner])

    @cached_property
    def answers(self) -> ComparedAnswers:
        """The answers in all columns of the formula."""
        layers: list[AnswerLayer] = []
        for scorer in self.inner:
            layers += scorer.answers.layers
        return ComparedAnswers(tuple(layers))


def _together(diagnostics: Sequence[Diagnostics]) -> Diagnostics:
    """Return the diagnostics of a formula from those of its metrics."""
    minorities = [item.minority for item in diagnostics if item.minority is not None]
    differ = np.maximum.reduce([item.disagreements for item in diagnostics])
    averaged = any(item.averaged for item in diagnostics)
    return Diagnostics(min(minorities, default=None), differ, None, averaged=averaged)


# Mean scorer --------------------------------------------------------------------------------------


class MeanScorer(Scorer):
    """Scores of m teams: means over the entries of a scorer, which are their runs.

    The runs of a team follow each other, ``sizes`` [m] in number.
    """

    def __init__(self, runs: Scorer, sizes: Sequence[int], names: Sequence[str]) -> None:
        super().__init__(runs.metric, runs.data, names)
        self.inner = (runs,)
        self.runs = runs
        self.sizes = np.array(sizes, np.intp)
        self._starts = np.cumsum(self.sizes) - self.sizes

    def _keep(self, entries: Sequence[int], names: Sequence[str], successors: Successors) -> Scorer:
        sizes = [int(self.sizes[team]) for team in entries]
        rows = [row for team in entries for row in self._rows(team)]
        of_runs = [name for name, size in zip(names, sizes, strict=True) for _ in range(size)]
        return MeanScorer(self.runs.keep(rows, of_runs, successors), sizes, names)

    def _rows(self, team: int) -> range:
        start = int(self._starts[team])
        return range(start, start + int(self.sizes[team]))

    def _take(self, rows: Ints, successors: Successors) -> Scorer:
        return MeanScorer(self.runs.take(rows, successors), self.sizes.tolist(), self.names)

    def columns_of(self, entries: Sequence[int]) -> Sequence[Array] | None:
        """Return what the scores of some teams' runs know of each row, [n] each."""
        return self.runs.columns_of([row for team in entries for row in self._rows(team)])

    def combine(self, parts: Sequence[Evaluated]) -> Evaluated:
        """Average the scores of each team's runs on every resample."""
        scored = self.runs.combine(parts)
        undefined = np.logical_or.reduceat(scored.undefined, self._starts, axis=1)
        return Evaluated(self._means(scored.values), undefined)

    def _means(self, values: Floats) -> Floats:
        """Return the means [..., m] of values of runs [..., k]."""
        return np.asarray(np.add.reduceat(values, self._starts, axis=-1) / self.sizes)

    def _observe(self) -> Observation:
        observation = self.runs.observation
        teams = np.repeat(np.arange(self.m), self.sizes).tolist()
        failures: dict[int, Failure] = {}
        for row in sorted(observation.failures):
            failures.setdefault(teams[row], observation.failures[row])
        # Exactly summed, so that the order of the runs makes no difference.
        sums = [math.fsum(scores) for scores in self.run_scores]
        return Observation(np.array(sums) / self.sizes, failures)

    @property
    def run_scores(self) -> tuple[Floats, ...]:
        """The scores [S] of every team's runs, in the order of their names."""
        return tuple(np.split(self.runs.observation.values, self._starts[1:]))

    def jackknife(self, units: Ints | None = None) -> Floats:
        """Return the means [N, m] of the runs' scores without each row or unit."""
        return self._means(self.runs.jackknife(units))

    def influence(self, units: Ints | None, most: int) -> Floats | None:
        """Return the influence values [N, m]: means of those of the runs."""
        influence = self.runs.influence(units, most)
        return None if influence is None else self._means(influence)

    @cached_property
    def diagnostics(self) -> Diagnostics:
        """What the data can show about the runs of each team, in the case that shows most.

        Two teams disagree where the runs do that disagree most. A team has as many errors as its
        runs on average, and as many trials as the run with the fewest.
        """
        diagnostics = self.runs.diagnostics
        differ = np.maximum.reduceat(diagnostics.disagreements, self._starts, axis=0)
        differ = np.maximum.reduceat(differ, self._starts, axis=1)
        np.fill_diagonal(differ, 0)
        errors = trials = None
        if diagnostics.errors is not None:
            errors = np.add.reduceat(diagnostics.errors, self._starts) // self.sizes
        if diagnostics.trials is not None:
            trials = np.minimum.reduceat(diagnostics.trials, self._starts)
        alone = diagnostics.correct is not None and (self.sizes == 1).all()
        correct = diagnostics.correct if alone else None
        return Diagnostics(
            diagnostics.minority, differ, correct, trials, errors, diagnostics.averaged
        )

    @cached_property
    def answers(self) -> ComparedAnswers:
        """The means of what the runs of each team answered or, if known, of what that counts."""
        answers = self.runs.answers
        if (self.sizes == 1).all():
            return answers
        return ComparedAnswers(tuple(self._averaged(layer) for layer in answers.layers))

    def _averaged(self, layer: AnswerLayer) -> AnswerLayer:
        """Return the mean of each team's runs, [n, K] each."""
        if layer.counts is not None:
            of_runs = [np.stack(columns, axis=1) for columns in layer.counts]
        else:
            of_runs = _as_numbers(layer.answers)
        means = []
        for team in range(self.m):
            of_team = [of_runs[run] for run in self._rows(team)]
            means.append(np.mean(of_team, axis=0))
        return AnswerLayer(means)


def _as_numbers(answers: Sequence[Array]) -> list[Array]:
    """Return real numbers [n, …] as they are; of other answers, a random number stands for each.

    So two teams have the same mean where their runs answered the same, however often each.
    """
    if all(answer.dtype.kind == "f" for answer in answers):
        return list(answers)
    every = np.concatenate([answer.ravel() for answer in answers])
    if every.dtype.kind == "O":
        every = np.array([repr(answer) for answer in every])
    codes = np.unique(every, return_inverse=True)[1]
    numbers = np.random.default_rng(0).random(int(codes.max()) + 1)[codes]
    parts = np.split(numbers, np.cumsum([answer.size for answer in answers])[:-1])
    return [part.reshape(answer.shape) for part, answer in zip(parts, answers, strict=True)]


# Worst scorer -------------------------------------------------------------------------------------


class WorstScorer(Scorer):
    """The scores of another scorer's entries, and the worst value for those without predictions.

    ``rows`` [m] are the entries' rows in the ``scored`` one, −1 for the worst value; it is None if
    nobody has predictions. ``data`` holds the gold, and the predictions that there are. The
    ``worst`` value is that of the metric, infinite if it is not bounded there, unless it is given.
    """

    def __init__(
        self,
        metric: Metric,
        data: Data,
        names: Sequence[str],
        scored: Scorer | None,
        rows: Sequence[int],
        worst: float | None = None,
    ) -> None:
        super().__init__(metric, data, names)
        self.inner = () if scored is None else (scored,)
        self._scored = scored
        self._rows = np.array(rows, np.intp)
        self._has = self._rows >= 0
        self.worst = metric.worst if worst is None else worst

    def _keep(self, entries: Sequence[int], names: Sequence[str], successors: Successors) -> Scorer:
        rows = self._rows[list(entries)]
        scored = None
        has = rows >= 0
        if self._scored is not None and has.any():
            scored = self._scored.keep(rows[has].tolist(), [*compress(names, has)], successors)
            if has.all():
                return scored
        rows[has] = np.arange(np.count_nonzero(has))
        data = self.data.keep(()) if scored is None else scored.data
        return WorstScorer(self.metric, data, names, scored, rows.tolist(), self.worst)

    def _take(self, rows: Ints, successors: Successors) -> Scorer:
        scored = None if self._scored is None else self._scored.take(rows, successors)
        data = self.data.take(rows)
        return WorstScorer(self.metric, data, self.names, scored, self._rows.tolist(), self.worst)

    def combine(self, parts: Sequence[Evaluated]) -> Evaluated:
        """Put the worst value beside the scores on every resample."""
        if self._scored is None:
            return super().combine(parts)
        scored = self._scored.combine(parts)
        undefined = self._filled(scored.undefined, 0.0).astype(np.bool_)
        return Evaluated(self._filled(scored.values, self.worst), undefined)

    def _filled(self, numbers: Array, value: float) -> Floats:
        """Return numbers [..., m], those of the scored entries and one for the others."""
        every = np.full((*numbers.shape[:-1], self.m), value)
        every[..., self._has] = numbers[..., self._rows[self._has]]
        return every

    def _observe(self) -> Observation:
        if self._scored is None:
            return Observation(np.full(self.m, self.worst))
        observation = self._scored.observation
        place = np.flatnonzero(self._has)
        failures = {int(place[row]): failure for row, failure in observation.failures.items()}
        return replace(
            observation, values=self._filled(observation.values, self.worst), failures=failures
        )

    def replicate(self, counts: RowCounts) -> Evaluated:
        """Score every entry on the resamples of ``counts``."""
        if self._scored is not None:
            return super().replicate(counts)
        shape = len(counts), self.m
        return Evaluated(np.full(shape, self.worst), np.zeros(shape, np.bool_))

    @property
    def smooth(self) -> bool:
        """Whether the scores of those who have predictions are smooth."""
        return self._scored is None or super().smooth

    def influence(self, units: Ints | None, most: int) -> Floats | None:
        """Return the influence values [N, m]; no unit changes the worst value."""
        if self._scored is None:
            return np.zeros((Grouping(self.n, units).size, self.m))
        influence = self._scored.influence(units, most)
        return None if influence is None else self._filled(influence, 0.0)

    def randomized(self, i: int, j: int, swap: Bools) -> tuple[Floats, Floats]:
        """Raise SettingsError: there is nothing to exchange."""
        raise SettingsError("tests: 'randomization' needs the predictions of every submission")

    @cached_property
    def diagnostics(self) -> Diagnostics:
        """What the data can show about predictions; who has none differs from the others."""
        differ = np.full((self.m, self.m), self.n)
        differ[np.ix_(~self._has, ~self._has)] = 0
        if self._scored is None:
            return Diagnostics(None, differ, None)
        diagnostics = self._scored.diagnostics
        rows = self._rows[self._has]
        differ[np.ix_(self._has, self._has)] = diagnostics.disagreements[np.ix_(rows, rows)]
        return Diagnostics(diagnostics.minority, differ, None, averaged=diagnostics.averaged)

    @cached_property
    def answers(self) -> ComparedAnswers:
        """The answers; who has none has a column more, and so differs from the others.

        Of a share of examples that are right, the worst value says that none is.
        """
        if self._scored is None:
            return ComparedAnswers((AnswerLayer([np.zeros(self.n)] * self.m),))
        layers = []
        for layer in self._scored.answers.layers:
            cells = max(array[:1].size for array in layer.answers)
            nothing = np.zeros((self.n, cells + 1))
            layers.append(
                AnswerLayer([layer.answers[row] if row >= 0 else nothing for row in self._rows])
            )
        right = self._scored.answers.right
        if right is not None:
            right = self._filled(right, 0.0).astype(np.bool_)
        return ComparedAnswers(tuple(layers), right)
