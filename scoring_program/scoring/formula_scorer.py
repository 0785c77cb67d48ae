"""Scores from arithmetic over the scores of other metrics (`metrics.formula`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from ..core.errors import MetricError
from ..metrics import formula
from ..metrics.metric import Metric
from .diagnostics import Diagnostics
from .influence import STEP
from .scorer import Failure, Observation, RowCounts, Scored, Scorer


class FormulaScorer(Scorer):
    """Scores from arithmetic over the scores of other metrics (`metrics.formula`)."""

    def __init__(self, metric: Metric, scorers: Sequence[Scorer]) -> None:
        if {(scorer.n, scorer.m) for scorer in scorers} != {(scorers[0].n, scorers[0].m)}:
            raise MetricError(f"metric {metric.name!r}: its metrics are bound to different data")
        super().__init__(metric, scorers[0].data, scorers[0].names)
        self._scorers = tuple(scorers)

    def _keep(
        self, entries: Sequence[int], names: Sequence[str], kept: dict[Scorer, Scorer]
    ) -> Scorer:
        scorers = [scorer.keep(entries, names, kept) for scorer in self._scorers]
        return FormulaScorer(self.metric, scorers)

    def _take(self, rows: Ints, taken: dict[Scorer, Scorer]) -> Scorer:
        return FormulaScorer(self.metric, [scorer.take(rows, taken) for scorer in self._scorers])

    @property
    def parts(self) -> tuple[Scorer, ...]:
        """The scorers of all metrics that the formula needs, also through other formulas."""
        return tuple(part for scorer in self._scorers for part in scorer.parts)

    def combine(self, parts: Sequence[Scored]) -> Scored:
        """Evaluate the formula on every resample of its parts."""
        values = {}
        undefined = np.zeros(parts[0].undefined.shape, np.bool_)
        first = 0
        for component, scorer in zip(self.metric.components, self._scorers, strict=True):
            last = first + len(scorer.parts)
            scored = scorer.combine(parts[first:last])
            first = last
            values[component.name] = scored.values
            undefined |= scored.undefined
        result = formula.evaluate(str(self.metric.formula), values)
        return Scored(result, undefined | np.isnan(result))

    def _observe(self) -> Observation:
        found = [scorer.observation for scorer in self._scorers]
        failures: dict[int, Failure] = {}
        for each in reversed(found):  # the first metric's failure is reported
            failures.update(each.failures)
        return Observation(self._evaluate([each.values for each in found]), failures)

    def _evaluate(self, values: Sequence[Floats]) -> Floats:
        named = {
            part.name: value for part, value in zip(self.metric.components, values, strict=True)
        }
        return formula.evaluate(str(self.metric.formula), named)

    def replicate(self, counts: RowCounts) -> Scored:
        """Score every entry on the resamples of ``counts``."""
        return self.combine([part.replicate(counts) for part in self.parts])

    def jackknife(self, units: Ints | None = None) -> Floats:
        """Return the formula's scores [N, m] without each row or unit."""
        return self._evaluate([scorer.jackknife(units) for scorer in self._scorers])

    @property
    def smooth(self) -> bool:
        """Whether the scores of all its metrics are smooth."""
        return all(scorer.smooth for scorer in self._scorers)

    def influence(self, units: Ints | None, most: int) -> Floats | None:
        """Return the influence values [N, m] by the chain rule, from those of the metrics."""
        values = [scorer.observation.values for scorer in self._scorers]
        total: Floats | float = 0.0
        for place, scorer in enumerate(self._scorers):
            found = scorer.influence(units, most)
            if found is None:
                return None
            step = STEP * np.maximum(np.abs(values[place]), STEP)
            moved = [
                self._evaluate([*values[:place], values[place] + change, *values[place + 1 :]])
                for change in (step, -step)
            ]
            total = total + found * ((moved[0] - moved[1]) / (2 * step))
        return np.asarray(total)

    def randomized(self, i: int, j: int, swap: Bools) -> tuple[Floats, Floats]:
        """Score entries i and j with predictions exchanged in every column of the formula."""
        pairs = [scorer.randomized(i, j, swap) for scorer in self._scorers]
        return self._evaluate([a for a, _ in pairs]), self._evaluate([b for _, b in pairs])

    @cached_property
    def diagnostics(self) -> Diagnostics:
        """The smallest minority, and the disagreements of all columns of the formula."""
        return _together([scorer.diagnostics for scorer in self._scorers])

    def between(self, own: int, other: Scorer, theirs: int) -> Diagnostics:
        """Return the diagnostics of an entry and one of another scorer of the same formula."""
        assert isinstance(other, FormulaScorer)
        both = zip(self._scorers, other._scorers, strict=True)
        return _together([ours.between(own, scorer, theirs) for ours, scorer in both])


def _together(found: Sequence[Diagnostics]) -> Diagnostics:
    """Return the diagnostics of a formula from those of its metrics."""
    minorities = [each.minority for each in found if each.minority is not None]
    differ = np.maximum.reduce([each.disagreements for each in found])
    return Diagnostics(min(minorities, default=None), differ, None)
