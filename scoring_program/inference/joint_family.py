"""Step-down max-T over all pairs at once (algorithm B): how many maxima reach each statistic.

The hypotheses with T̃ ≥ 0, the better entry first, are sorted by T̃. M_k, the maximum of the draws
of all hypotheses up to the k-th, begins with that of the hypotheses with T̃ ≤ 0, and hardly any draw
exceeds this. So for each resample, M is a staircase of a few steps, and it reaches those of the
statistics on a step that are not above it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Bools, Floats, Ints, Reals
from .draws import Draws

#: Draws of some pairs on all resamples, or maxima of all entries, that are handled at once.
_AT_ONCE = 2**21


@dataclass(frozen=True, eq=False)
class JointFamily:
    """A family of ordered pairs: its hypotheses with T̃ ≥ 0, the better entry first."""

    draws: Draws
    number: Ints  # [m, m] (better, worse): a hypothesis' number, ascending by T̃; −1 for the others
    statistic: Reals  # [K] ascending: `Draws.thresholds`

    @classmethod
    def of(cls, draws: Draws, pairs: Bools) -> JointFamily:
        """Return the family of ``pairs`` [m, m]; where T̃ is 0, the first entry is the better."""
        statistics = draws.statistics
        better = (statistics > 0) | ((statistics == 0) & np.tri(len(pairs), dtype=np.bool_).T)
        first, second = np.nonzero(pairs & draws.in_maximum & better)
        ascending = np.argsort(statistics[first, second], kind="stable")
        first, second = first[ascending], second[ascending]
        number = np.full(pairs.shape, -1, np.intp)
        number[first, second] = np.arange(first.size)
        return cls(draws, number, draws.thresholds[first, second])

    def maxima(self) -> tuple[Reals, Reals]:
        """Return the largest leads [m, B] over the worse entries, and the largest of the worse [B].

        The second are the maxima over the hypotheses with T̃ ≤ 0.
        """
        draws = self.draws
        most = np.full_like(draws.deviations, -np.inf)
        start = np.full_like(most[0], -np.inf)
        every, step = np.arange(draws.resamples), max(1, _AT_ONCE // draws.resamples)
        for entry, rivals in self._rivals():
            for part in (rivals[k : k + step] for k in range(0, rivals.size, step)):
                ahead, behind = (draw(entry, part, every) for draw in (draws.leads, draws.trails))
                np.maximum(most[entry], ahead.max(axis=0), out=most[entry])
                np.maximum(start, behind.max(axis=0), out=start)
        return most, start

    def p_values(self, most: Reals, start: Reals) -> Floats:
        """Return p [m, m], 1 for T̃ < 0 and for other pairs, given the `maxima`.

        ``most`` [m, B] may hold more than the family's, as long as that does not exceed ``start``
        [B].
        """
        raw = (1 + self._reached(most, start)) / (self.draws.resamples + 1)
        p = np.append(np.maximum.accumulate(raw[::-1])[::-1], 1.0)[self.number]
        return np.where(self.draws.statistics == 0, np.minimum(p, p.T), p)

    def _reached(self, most: Reals, start: Reals) -> Ints:
        """Return how many of the running maxima reach each statistic, [K]."""
        changes = np.zeros(self.statistic.size + 1, np.intp)
        step = max(1, _AT_ONCE // len(most))
        for first in range(0, start.size, step):
            resamples = slice(first, first + step)
            steps = self._steps(most[:, resamples], start[resamples], first)
            begin, end = self._of_steps(*steps)
            changes += np.bincount(begin, minlength=changes.size)
            changes -= np.bincount(end, minlength=changes.size)
        return np.cumsum(changes)[:-1]

    def _steps(self, most: Reals, start: Reals, first: int) -> tuple[Ints, Ints, Reals]:
        """Return where M may rise: resamples, hypotheses and draws, from the ``first`` resample on.

        M begins at the hypothesis 0 with ``start`` [b]. A draw below its own statistic reaches none
        of those that follow.
        """
        resamples, hypotheses, drawn = (
            [np.arange(start.size)],
            [np.zeros(start.size, np.intp)],
            [start],
        )
        for entry, rivals in self._rivals():
            exceeding = np.flatnonzero(most[entry] > start)
            if not exceeding.size:
                continue
            numbers = self.number[entry, rivals]
            possible = self.statistic[numbers] <= most[entry, exceeding].max()
            numbers = numbers[possible]
            leads = self.draws.leads(entry, rivals[possible], exceeding + first)
            least = np.maximum(start[exceeding], self.statistic[numbers][:, None])
            row, column = np.nonzero(leads >= least)
            resamples.append(exceeding[column])
            hypotheses.append(numbers[row])
            drawn.append(leads[row, column])
        return np.concatenate(resamples), np.concatenate(hypotheses), np.concatenate(drawn)

    def _of_steps(self, resamples: Ints, hypotheses: Ints, drawn: Reals) -> tuple[Ints, Ints]:
        """Return where the ranges begin and end in which M reaches the statistics."""
        size = self.statistic.size
        # The sort is stable, and puts the start of a resample before a draw of the hypothesis 0.
        order = np.argsort(resamples * size + hypotheses, kind="stable")
        resamples, begin = resamples[order], hypotheses[order]
        # Every resample has numbers of its own, so that one accumulation serves all of them.
        own = resamples * (size + 1)
        reached = np.searchsorted(self.statistic, drawn[order], side="right") + own
        reached = np.maximum.accumulate(reached) - own
        following = np.where(np.diff(resamples, append=-1) == 0, np.append(begin[1:], 0), size)
        end = np.maximum(np.minimum(following, reached), begin)
        return begin, end

    def _rivals(self) -> Iterator[tuple[int, Ints]]:
        """Yield every entry that has worse ones in the family, with these."""
        for entry, numbers in enumerate(self.number):
            if (rivals := np.flatnonzero(numbers >= 0)).size:
                yield entry, rivals
