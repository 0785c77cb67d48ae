"""Scores from battles, comparisons of two entries at a time (`metrics.families.preferences`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from ..metrics.families.preferences import STRENGTH, Battles, probability
from ..metrics.metric import Data, Metric
from .scorer import Observation, RowCounts, Scored, Scorer, built, centered

#: The most influence values that are held.
_MOST_INFLUENCE = 2**25


class PairsScorer(Scorer):
    """Win rates or strengths. The scores of some entries rest on the battles with all others.

    ``shown`` [m] are the numbers of the entries among all that took part.
    """

    def __init__(
        self,
        metric: Metric,
        data: Data,
        names: Sequence[str],
        battles: Battles | None = None,
        shown: Ints | None = None,
    ) -> None:
        super().__init__(metric, data, names)
        self.battles: Battles = built(metric, data) if battles is None else battles
        self._shown = np.arange(len(names)) if shown is None else shown

    def _keep(
        self, entries: Sequence[int], names: Sequence[str], kept: dict[Scorer, Scorer]
    ) -> Scorer:
        data, shown = self.data.keep(entries), self._shown[list(entries)]
        scorer = PairsScorer(self.metric, data, names, self.battles, shown)
        scorer._start = self._start
        return scorer

    def _take(self, rows: Ints, taken: dict[Scorer, Scorer]) -> Scorer:
        battles, data = self.battles.take(rows), self.data.take(rows)
        scorer = PairsScorer(self.metric, data, self.names, battles, self._shown)
        scorer._start = self._start
        return scorer

    @cached_property
    def _start(self) -> Floats | None:
        """The strengths of all on the whole test set, from which those of resamples are sought."""
        if self.metric.function != STRENGTH:
            return None
        met, won = self.battles.counted(np.ones((1, self.n), np.uint8))
        strengths = self.battles.pairs.strengths(met, won)[0]
        return None if np.isnan(strengths).any() else strengths

    def _scores(self, battles: Battles, counts: RowCounts) -> Floats:
        met, won = battles.counted(counts)
        if self.metric.function == STRENGTH:
            return battles.pairs.strengths(met, won, self._start)[:, self._shown]
        return battles.pairs.win_rates(met, won)[:, self._shown]

    def _observe(self) -> Observation:
        return Observation(self._scores(self.battles, np.ones((1, self.n), np.uint8))[0])

    @property
    def columns(self) -> Sequence[Ints]:
        """Who met, and who won."""
        return [self.battles.outcomes]

    def replicate(self, counts: RowCounts) -> Scored:
        """Score every entry on the resamples of ``counts``.

        One on which an entry has no score counts for none: its battles decide about the others too,
        so the entry cannot be left out in place of the resample.
        """
        values = self._scores(self.battles, counts)
        values[np.isnan(values).any(axis=1)] = np.nan
        return Scored(values, np.isnan(values))

    def randomized(self, i: int, j: int, swap: Bools) -> tuple[Floats, Floats]:
        """Score entries i and j as if each had been the other one in the battles of ``swap``."""
        once, (first, second) = np.ones((1, self.n), np.uint8), self._shown[[i, j]]
        scores = np.array([
            self._scores(self.battles.exchanged(int(first), int(second), exchanged), once)[0]
            for exchanged in swap
        ])  # fmt: skip
        return scores[:, i], scores[:, j]

    @property
    def smooth(self) -> bool:
        """Whether influence values are at hand: so many of so many entries take too much memory."""
        return self.n * self.battles.size <= _MOST_INFLUENCE

    def influence(self, units: Ints | None, most: int) -> Floats | None:
        """Return the influence values [N, m] from the derivatives of the scores."""
        if not self.smooth:
            return None
        battles, pairs = self.battles, self.battles.pairs
        met, won = battles.counted(np.ones((1, self.n), np.uint8))
        place = np.searchsorted(pairs.first * pairs.size + pairs.second, battles.outcomes // 3)
        half = battles.outcomes % 3 / 2
        slopes: Floats = np.eye(pairs.size)
        if self.metric.function == STRENGTH:
            if self._start is None:
                return None
            _, information = pairs.derivatives(met, won, self._start[None])
            slopes = np.linalg.inv(information[0])
            expected = self._start[pairs.first] - self._start[pairs.second]
            surplus = half - probability(expected)[place]
            of_sides = (surplus, -surplus)
        else:
            opponents = pairs.summed(np.ones_like(met), np.ones_like(met))[0]
            surplus = (half - (won / met)[0][place]) / met[0][place]
            of_sides = (
                surplus / opponents[pairs.first][place],
                -surplus / opponents[pairs.second][place],
            )
        belongs = np.atleast_2d(np.arange(self.n) if units is None else units)
        sides = (pairs.first[place], pairs.second[place])
        size = (int(belongs.max()) + 1, pairs.size)
        gained = sum(
            np.bincount(rows * pairs.size + side, gain, size[0] * size[1])
            for rows in belongs
            for side, gain in zip(sides, of_sides, strict=True)
        )
        return centered((np.reshape(gained, size) @ slopes)[:, self._shown])
