"""Step-down max-T over every family of pairs, in one pass over the resamples.

The families:

- of entry i, "j is better than i" for all rivals j: who is above i (algorithm C; its first step,
  algorithm D, says whether i could be the best);
- of entry i, "i is better than j" for all rivals j: who is below i (algorithm C);
- all ordered pairs at once (algorithm B).

In each, the hypotheses are sorted by T̃. With M_k the maximum of the draws of the hypotheses up to
the k-th, p_k = (1 + #{M_k ≥ T̃_k}) / (B + 1), then a running maximum from the largest T̃ downward.
Rejecting where p ≤ α keeps the family-wise error. This is where #{M_k ≥ T̃_k} ≤ ⌊α(B + 1)⌋ − 1 and,
for the largest T̃, where T̃ > c, the ⌈(1 − α)(B + 1)⌉-th smallest maximum. A hypothesis with T̃ ≤ 0
is never rejected. Sources: Romano and Wolf 2005, "Exact and Approximate Stepdown Methods for
Multiple Hypothesis Testing", Journal of the American Statistical Association 100; Mogstad, Romano,
Shaikh and Wilhelm 2024, "Inference for Ranks with Applications to Mobility across Neighbourhoods
and Academic Achievement across Countries", Review of Economic Studies 91.

``competing`` [m] marks the entries that can win. An entry's rivals are those that compete: a
baseline is compared with them and changes no result of theirs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from .draws import Draws, DrawsBlock


@dataclass(frozen=True, eq=False)
class StepDown:
    """What the families show; every matrix [m, m] is indexed (better, worse)."""

    above: Bools  # i is shown better than j in the family of those above j
    below: Bools  # i is shown better than j in the family of those below i
    critical: Floats  # c [m] of those above each entry; ∞ if B is too small, −∞ without a rival
    p_better: Floats  # p of all pairs at once; 1 for T̃ < 0 and for pairs in no family


def step_down(draws: Draws, competing: Bools, alpha: float, workers: int = 1) -> StepDown:
    """Test all families at level ``alpha``; ``workers`` threads share the resamples."""
    limit = math.floor(round(alpha * (draws.resamples + 1), 9)) - 1
    entries = [EntryFamilies.of(draws, entry, competing, limit) for entry in range(draws.entries)]
    among = competing[:, None] & competing[None, :]
    joint = JointFamily.of(draws, among)
    with_baseline = JointFamily.of(draws, ~among)
    maxima = np.full(draws.deviations.shape, -np.inf)

    def add(resamples: slice) -> None:
        block = draws.block(resamples)
        room = np.empty_like(block.deviations)
        start = np.full(resamples.stop - resamples.start, -np.inf)
        for entry in entries:
            behind, maxima[entry.entry, resamples] = entry.add(block, room)
            if competing[entry.entry]:
                np.maximum(start, behind, out=start)
        joint.add(block, start, room, float(maxima[competing, resamples].max(initial=-np.inf)))
        with_baseline.add(block, with_baseline.start(block), room)

    if workers > 1:
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(add, draws.blocks()))
    else:
        for resamples in draws.blocks():
            add(resamples)
    above, below = (np.zeros((draws.entries, draws.entries), np.bool_) for _ in range(2))
    for entry in entries:
        above[entry.rivals[entry.ahead.rejected], entry.entry] = True
        below[entry.entry, entry.rivals[entry.behind.rejected]] = True
    # A difference that never varies is in no maximum: nothing that is drawn reaches it.
    certain = draws.rivals & (draws.statistics == np.inf)
    above |= certain & competing[:, None] & (limit >= 0)
    below |= certain & competing[None, :] & (limit >= 0)
    critical = np.array([critical_value(row, 1 - alpha) for row in maxima])
    p_better = np.minimum(joint.p_values(draws), with_baseline.p_values(draws))
    p_better[certain] = 1 / (draws.resamples + 1)
    return StepDown(above, below, critical, p_better)


def critical_value(maxima: Floats, confidence: float) -> float:
    """Return the ⌈confidence·(B + 1)⌉-th smallest of B maxima, ∞ if B is too small."""
    place = math.ceil(round(confidence * (maxima.size + 1), 9))
    if place > maxima.size:
        return math.inf
    return float(np.partition(maxima, place - 1)[place - 1])


def shown_above(draws: Draws, entry: int, competing: Bools, alpha: float) -> Ints:
    """Return who is shown better than one entry, at level ``alpha`` (of algorithm C, one family).

    Only the draws of its own pairs are asked for.
    """
    limit = math.floor(round(alpha * (draws.resamples + 1), 9)) - 1
    family = EntryFamilies.of(draws, entry, competing, limit)
    for resamples in draws.blocks():
        block = draws.block(resamples)
        family.add(block, np.empty_like(block.deviations))
    certain = draws.rivals[:, entry] & competing & (draws.statistics[:, entry] == np.inf)
    certain &= limit >= 0
    return np.union1d(family.rivals[family.ahead.rejected], np.flatnonzero(certain))


def against_reference(draws: Draws, reference: int, others: Ints) -> Floats:
    """Algorithm A: two-sided step-down p [len(others)] of other entries against a fixed reference.

    Not valid for a leader chosen from the same data. Source: Romano and Wolf 2005.
    """
    p = np.where(np.isinf(draws.statistics[reference, others]), 1 / (draws.resamples + 1), 1.0)
    varying = np.flatnonzero(draws.in_maximum[reference, others])
    # T̃ of the better one: only positive statistics are corrected for small samples.
    statistic = np.maximum(
        draws.statistics[reference, others[varying]], draws.statistics[others[varying], reference]
    )
    ascending = np.argsort(statistic, kind="stable")
    varying, statistic = varying[ascending], statistic[ascending]
    exceeding = np.zeros(varying.size, np.intp)
    for resamples in draws.blocks():
        block = draws.block(resamples)
        drawn = block.leads(others[varying], reference)
        drawn = np.maximum(drawn, block.trails(others[varying], reference, drawn.copy()))
        running = np.full(resamples.stop - resamples.start, -np.inf)
        exceeding += count_reached(drawn, statistic, running)
    p[varying] = step_down_p(exceeding, draws.resamples)
    return p


def count_reached(drawn: Floats, statistic: Floats, running: Floats) -> Ints:
    """Return how many running maxima reach each of the ascending statistics [k], [k].

    ``drawn`` [k, b] are the draws in that order, and become the running maxima; ``running`` [b],
    the maximum of the draws before them, becomes the maximum of all.
    """
    before = running
    for row in drawn:  # NumPy's accumulation along the first axis takes ten times as long
        before = np.maximum(before, row, out=row)
    running[:] = before
    return np.asarray(np.count_nonzero(drawn >= statistic[:, None], axis=1), np.intp)


def step_down_p(exceeding: Ints, resamples: int) -> Floats:
    """Return p [k] from how many maxima reach each of the ascending statistics."""
    p = (1 + exceeding) / (resamples + 1)
    return np.asarray(np.maximum.accumulate(p[::-1])[::-1])


@dataclass(eq=False)
class Descent:
    """One family of which only the rejections are asked: k hypotheses, their statistics ascending.

    Those before ``settled`` are not rejected, whatever is still to be drawn. They only take part in
    the maximum.
    """

    statistic: Floats  # [k]
    place: Ints  # [k]: their rows among the draws
    limit: int  # a hypothesis is rejected if no more maxima than this reach its statistic
    exceeding: Ints  # [k]
    settled: int
    lock: Lock = field(default_factory=Lock)

    @classmethod
    def of(cls, statistics: Floats, limit: int) -> Descent:
        """Begin with nothing drawn; ``statistics`` [k] are in the order of the draws' rows."""
        place = np.argsort(statistics, kind="stable")
        statistic = statistics[place]
        settled = int(np.searchsorted(statistic, 0.0, side="right")) if limit >= 0 else place.size
        return cls(statistic, place, limit, np.zeros(place.size, np.intp), settled)

    def add(self, drawn: Floats, largest: Floats) -> None:
        """Add draws [k, b] and their maxima [b]."""
        settled = self.settled
        top = int(np.searchsorted(self.statistic, largest.max(), side="right"))
        if settled >= top:
            return
        running = _largest(drawn.take(self.place[:settled], axis=0, mode="clip"))
        window = drawn.take(self.place[settled:top], axis=0, mode="clip")
        counts = count_reached(window, self.statistic[settled:top], running)
        with self.lock:
            self.exceeding[settled:top] += counts
            over = np.flatnonzero(self.exceeding > self.limit)
            self.settled = max(self.settled, int(over[-1]) + 1 if over.size else 0)

    @property
    def rejected(self) -> Ints:
        """The rows of the hypotheses that are rejected."""
        return self.place[self.settled :]


@dataclass(frozen=True, eq=False)
class EntryFamilies:
    """Both families of one entry: its rivals that may be ahead of it, and behind it."""

    entry: int
    rivals: Ints  # [k]
    ahead_from: int  # the rivals before this one are behind the entry
    ahead: Descent
    behind: Descent

    @classmethod
    def of(cls, draws: Draws, entry: int, competing: Bools, limit: int) -> EntryFamilies:
        """Begin with nothing drawn."""
        rivals = np.flatnonzero(draws.in_maximum[:, entry] & competing)
        ahead, behind = draws.statistics[rivals, entry], draws.statistics[entry, rivals]
        # Those that are behind come first, so that their draws lie together.
        order = np.argsort(ahead, kind="stable")
        rivals, ahead, behind = rivals[order], ahead[order], behind[order]
        ahead_from = int(np.searchsorted(ahead, 0.0))
        return cls(entry, rivals, ahead_from, Descent.of(ahead, limit), Descent.of(behind, limit))

    def add(self, block: DrawsBlock, room: Floats) -> tuple[Floats, Floats]:
        """Add the draws of a block, in ``room`` [m, b].

        Return the maxima [b] of how far rivals are drawn ahead: those that are behind, and all.
        """
        drawn = block.leads(self.rivals, self.entry, room)
        behind = _largest(drawn[: self.ahead_from])
        largest = _largest(drawn[self.ahead_from :])
        np.maximum(largest, behind, out=largest)
        self.ahead.add(drawn, largest)
        drawn = block.trails(self.rivals, self.entry, drawn)
        self.behind.add(drawn, _largest(drawn))
        return behind, largest


@dataclass(frozen=True, eq=False)
class JointFamily:
    """All ordered pairs of a family at once, with their p-values."""

    behind: tuple[Ints, ...]  # pairs with T̃ < 0
    first: Ints  # [k] the others, their statistics ascending
    second: Ints
    statistic: Floats
    exceeding: Ints
    lock: Lock

    @classmethod
    def of(cls, draws: Draws, pairs: Bools) -> JointFamily:
        """Begin with nothing drawn; ``pairs`` [m, m] marks the family."""
        pairs = pairs & draws.in_maximum
        behind = np.nonzero(pairs & (draws.statistics < 0))
        first, second = np.nonzero(pairs & (draws.statistics >= 0))
        order = np.argsort(draws.statistics[first, second], kind="stable")
        first, second = first[order], second[order]
        statistic = draws.statistics[first, second]
        return cls(behind, first, second, statistic, np.zeros(order.size, np.intp), Lock())

    def start(self, block: DrawsBlock) -> Floats:
        """Return the maximum [b] of the draws with T̃ < 0."""
        running = np.full(block.deviations.shape[1], -np.inf)
        first, second = self.behind
        for part in _slices(0, first.size, block.draws.entries):
            np.maximum(running, block.leads(first[part], second[part]).max(axis=0), out=running)
        return running

    def add(
        self, block: DrawsBlock, start: Floats, room: Floats, largest: float = math.inf
    ) -> None:
        """Add the draws of a block, in ``room`` [m, b].

        ``start`` [b] are the maxima of those with T̃ < 0; no draw exceeds ``largest``.
        """
        top = int(np.searchsorted(self.statistic, largest, side="right"))
        counts = np.zeros(self.statistic.size, np.intp)
        for part in _slices(0, top, block.draws.entries):
            drawn = block.leads(self.first[part], self.second[part], room)
            counts[part] = count_reached(drawn, self.statistic[part], start)
        with self.lock:
            np.add(self.exceeding, counts, out=self.exceeding)

    def p_values(self, draws: Draws) -> Floats:
        """Return p [m, m], 1 for other pairs."""
        p = np.ones((draws.entries, draws.entries))
        p[self.first, self.second] = step_down_p(self.exceeding, draws.resamples)
        return p


def _largest(drawn: Floats) -> Floats:
    """Return the maxima [b] of draws [k, b]; −∞ without draws."""
    return np.asarray(drawn.max(axis=0, initial=-np.inf))


def _slices(start: int, stop: int, size: int) -> Iterator[slice]:
    for first in range(start, stop, size):
        yield slice(first, min(first + size, stop))
