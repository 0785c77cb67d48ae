"""Scores of teams that are the means over their runs, on the same resamples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from ..core.errors import SettingsError
from .diagnostics import Diagnostics
from .scorer import Failure, Observation, RowCounts, Scored, Scorer


class MeanScorer(Scorer):
    """Scores of m teams: means over the entries of a scorer, which are their runs.

    The runs of a team follow each other, ``sizes`` [m] in number.
    """

    def __init__(self, runs: Scorer, sizes: Sequence[int], names: Sequence[str]) -> None:
        super().__init__(runs.metric, runs.data, names)
        self._runs = runs
        self._sizes = np.array(sizes, np.intp)
        self._starts = np.cumsum(self._sizes) - self._sizes

    @property
    def m(self) -> int:
        """Number of teams."""
        return self._sizes.size

    def _keep(
        self, entries: Sequence[int], names: Sequence[str], kept: dict[Scorer, Scorer]
    ) -> Scorer:
        sizes = [int(self._sizes[team]) for team in entries]
        rows = [row for team in entries for row in self._rows(team)]
        of_runs = [name for name, size in zip(names, sizes, strict=True) for _ in range(size)]
        return MeanScorer(self._runs.keep(rows, of_runs, kept), sizes, names)

    def _rows(self, team: int) -> range:
        start = int(self._starts[team])
        return range(start, start + int(self._sizes[team]))

    def _take(self, rows: Ints, taken: dict[Scorer, Scorer]) -> Scorer:
        return MeanScorer(self._runs.take(rows, taken), self._sizes.tolist(), self.names)

    @property
    def parts(self) -> tuple[Scorer, ...]:
        """The scorers of the runs that are evaluated on counts."""
        return self._runs.parts

    def combine(self, parts: Sequence[Scored]) -> Scored:
        """Average the scores of each team's runs on every resample."""
        scored = self._runs.combine(parts)
        undefined = np.logical_or.reduceat(scored.undefined, self._starts, axis=1)
        return Scored(self._means(scored.values), undefined)

    def _means(self, values: Floats) -> Floats:
        """Return the means [..., m] of values of runs [..., k]."""
        return np.asarray(np.add.reduceat(values, self._starts, axis=-1) / self._sizes)

    def _observe(self) -> Observation:
        found = self._runs.observation
        failures: dict[int, Failure] = {}
        means = np.empty(self.m)
        for team in range(self.m):
            # Exactly summed, so that the order of the runs makes no difference.
            means[team] = math.fsum(found.values[row] for row in self._rows(team))
            failed = [found.failures[row] for row in self._rows(team) if row in found.failures]
            if failed:
                failures[team] = failed[0]
        return Observation(means / self._sizes, failures)

    def replicate(self, counts: RowCounts) -> Scored:
        """Score every team on the resamples of ``counts``."""
        return self.combine([part.replicate(counts) for part in self.parts])

    def jackknife(self, units: Ints | None = None) -> Floats:
        """Return the means [N, m] of the runs' scores without each row or unit."""
        return self._means(self._runs.jackknife(units))

    @property
    def smooth(self) -> bool:
        """Whether the runs' scores are smooth."""
        return self._runs.smooth

    def influence(self, units: Ints | None, most: int) -> Floats | None:
        """Return the influence values [N, m]: means of those of the runs."""
        found = self._runs.influence(units, most)
        return None if found is None else self._means(found)

    def randomized(self, i: int, j: int, swap: Bools) -> tuple[Floats, Floats]:
        """Raise SettingsError; `mean_runs` refuses the test before."""
        raise SettingsError("tests: 'randomization' needs single submissions")

    @cached_property
    def diagnostics(self) -> Diagnostics:
        """What the data can show about the runs of each team, in the case that shows most.

        Two teams disagree where the runs do that disagree most. A team has as many errors as its
        runs on average, and as many trials as the run with the fewest.
        """
        found = self._runs.diagnostics
        differ = np.maximum.reduceat(found.disagreements, self._starts, axis=0)
        differ = np.maximum.reduceat(differ, self._starts, axis=1)
        np.fill_diagonal(differ, 0)
        errors = trials = None
        if found.errors is not None:
            errors = np.add.reduceat(found.errors, self._starts) // self._sizes
        if found.trials is not None:
            trials = np.minimum.reduceat(found.trials, self._starts)
        alone = found.correct is not None and (self._sizes == 1).all()
        return Diagnostics(found.minority, differ, found.correct if alone else None, trials, errors)
