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
baseline is compared with them and changes no result of theirs. Only reliable pairs are hypotheses
(`Draws.in_maximum`); `reliable` says what judges the others.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...core.arrays import Bools, Floats, Ints, Reals
from ...core.executor import HERE, Executor
from .draws import Chosen, Draws, DrawsBlock, aligned, side_by_side, without_copies

#: Hypotheses that a family steps down over before it draws again: few need few resamples.
_STEPS_AT_ONCE = 8
#: Largest relative error of a draw in single precision, which is rounded three times.
_ROUNDING = 4 * float(np.finfo(np.float32).eps)


@dataclass(frozen=True, eq=False)
class StepDown:
    """What the families show; every matrix [m, m] is indexed (better, worse)."""

    above: Bools  # i is shown better than j in the family of those above j
    below: Bools  # i is shown better than j in the family of those below i
    # c [m] of those above each entry, 0 or more; ∞ if B is too small, 0 without a rival. Where no
    # entry is shown better, which is where distances need it, that of plain draws has double
    # precision.
    critical: Floats
    p_better: Floats  # p of all pairs at once; 1 for T̃ < 0 and for pairs in no family


def step_down(
    draws: Draws,
    competing: Bools,
    alpha: float,
    executor: Executor = HERE,
    of_above: Floats | None = None,
) -> StepDown:
    """Test all families at level ``alpha``; the ``executor`` shares the resamples.

    ``of_above`` [m] are the levels of the families of those above each entry, if they are others.
    """
    # Those that compete come first, and T̃ ≥ 0 of an earlier and a later entry.
    better_than = np.count_nonzero(draws.statistics > 0, axis=1)
    order = np.lexsort((-better_than, ~competing))
    draws = draws.take(order)
    competing = competing[order]
    levels = np.full(order.size, alpha) if of_above is None else of_above[order]
    over, under = family_maxima(draws, int(competing.sum()), executor)
    above = np.zeros((order.size, order.size), np.bool_)
    below = np.zeros((order.size, order.size), np.bool_)
    critical = np.empty(order.size)
    for entry in range(order.size):
        rivals = np.flatnonzero(draws.in_maximum[entry] & competing)
        ahead = Family(
            draws, entry, rivals, True, over[0, entry], over[1, entry], float(levels[entry])
        )
        behind = Family(draws, entry, rivals, False, under[0, entry], under[1, entry], alpha)
        above[rivals, entry] = ahead.rejected()
        below[entry, rivals] = behind.rejected()
        behind_none = not above[:, entry].any()
        largest = ahead.critical_in_double() if behind_none else ahead.critical
        critical[entry] = max(largest, 0.0)
    among = competing[:, None] & competing[None, :]
    start = over[0, : np.count_nonzero(competing)].max(axis=0)
    p_better = JointFamily(draws, among).p_values(under[1], start)
    if not competing.all():
        with_baseline = JointFamily(draws, ~among)
        p_better = np.minimum(p_better, with_baseline.p_values(*with_baseline.maxima()))
    place = np.argsort(order)
    back = np.ix_(place, place)
    return StepDown(above[back], below[back], critical[place], p_better[back])


def step_down_apart(
    draws: Draws,
    fixed: Draws,
    competing: Bools,
    alpha: float,
    executor: Executor = HERE,
    of_above: Floats | None = None,
) -> StepDown:
    """Test the entries that can win by ``draws``, and baselines beside them by ``fixed``.

    So a baseline does not change what is shown of the others. The rest is as in `step_down`.
    """
    of_competing = step_down(draws, competing, alpha, executor, of_above)
    if competing.all():
        return of_competing
    reliable = fixed.in_maximum & ~(competing[:, None] & competing)
    beside = step_down(replace(fixed, reliable=reliable), competing, alpha, executor, of_above)
    return StepDown(
        above=of_competing.above | beside.above,
        below=of_competing.below | beside.below,
        critical=np.where(competing, of_competing.critical, beside.critical),
        p_better=np.minimum(of_competing.p_better, beside.p_better),
    )


def critical_value(maxima: Reals, confidence: float) -> float:
    """Return the ⌈confidence·(B + 1) − 10⁻⁹⌉-th smallest of B maxima, ∞ if B is too small."""
    place = critical_place(maxima.size, confidence)
    return float(np.partition(maxima, place)[place]) if place < maxima.size else math.inf


def critical_place(resamples: int, confidence: float) -> int:
    """Return the place of the critical value among the sorted maxima, from 0."""
    return math.ceil(confidence * (resamples + 1) - 1e-9) - 1


def shown_above(draws: Draws, entry: int, competing: Bools, alpha: float) -> Ints:
    """Return who is shown better than one entry, at level ``alpha`` (of algorithm C, one family).

    Only the draws of its own pairs are asked for.
    """
    rivals = np.flatnonzero(draws.in_maximum[:, entry] & competing)
    unshown = draws.statistics[rivals, entry] <= 0
    over_unshown = np.empty(draws.resamples, draws.deviations.dtype)
    over_every = np.empty(draws.resamples, draws.deviations.dtype)
    for resamples in draws.blocks():
        leads = draws.trails(entry, rivals, resamples)
        leads[unshown].max(axis=0, initial=-np.inf, out=over_unshown[resamples])
        leads.max(axis=0, initial=-np.inf, out=over_every[resamples])
    return rivals[Family(draws, entry, rivals, True, over_unshown, over_every, alpha).rejected()]


@dataclass(frozen=True, eq=False)
class Family:
    """The hypotheses that one entry is behind its rivals, or ahead of them, and their maxima.

    With c the critical value of all hypotheses, those with T̃ > c are rejected. With c₀ that of the
    hypotheses with T̃ < 0, which stay in every maximum, those with T̃ ≤ c₀ are not. Only what lies
    between the two is stepped down, on the few resamples that can decide.
    """

    draws: Draws
    entry: int
    rivals: Ints  # [k]
    rivals_ahead: bool  # whether the rivals are better if the hypotheses are true
    unshown: Reals  # [B] maxima over the hypotheses with T̃ < 0; some with T̃ = 0 may be among them
    every: Reals  # [B] maxima over all hypotheses
    alpha: float

    @cached_property
    def critical(self) -> float:
        """The critical value c: ∞ if B is too small, −∞ without a hypothesis."""
        return critical_value(self.every, 1 - self.alpha)

    def critical_in_double(self) -> float:
        """Return `critical` of rivals that are ahead, without the rounding of plain draws.

        Only the few resamples that are as close as rounding can have it.
        """
        rounded = self.critical
        draws = self.draws
        second = draws.has_second_scale[self.entry, self.rivals].any()
        plain = draws.deviations.dtype == np.float32 and not second
        if not (plain and math.isfinite(rounded)):
            return rounded
        # Rounded once, so that every maximum is near, smaller or larger.
        beyond = self.every - rounded
        close = _ROUNDING * abs(rounded)
        near = np.flatnonzero(np.abs(beyond) <= close)
        deviations = draws.deviations[:, near].astype(np.float64)
        draws = replace(draws, deviations=deviations, resampled=None)
        drawn = draws.trails(self.entry, self.rivals, np.arange(near.size))
        smaller = np.count_nonzero(beyond < -close)
        place = critical_place(self.every.size, 1 - self.alpha) - smaller
        return float(np.sort(drawn.max(axis=0))[place])

    def rejected(self) -> Bools:
        """Return which hypotheses are rejected, [k]."""
        pairs = (self.rivals, self.entry) if self.rivals_ahead else (self.entry, self.rivals)
        statistic = self.draws.thresholds[pairs]
        rejected = np.asarray((statistic > 0) & (statistic > self.critical))
        left = np.flatnonzero((statistic >= 0) & ~rejected)
        if not (rejected.any() and left.size):  # the largest is not rejected, or all are
            return rejected
        least = max(critical_value(self.unshown, 1 - self.alpha), 0.0)
        left = left[np.argsort(statistic[left], kind="stable")]
        open_from = int(np.searchsorted(statistic[left], least, side="right"))
        end = left.size
        # A hypothesis is rejected if no more maxima reach its statistic.
        most = math.floor(round(self.alpha * (self.every.size + 1), 9)) - 1
        while end > open_from:
            begin = max(open_from, end - _STEPS_AT_ONCE)
            exceeding = self._exceeding(left[:end], statistic[left[:end]], begin)
            not_rejected = np.flatnonzero(exceeding > most)
            first = begin
            if not_rejected.size:
                first += int(not_rejected[-1]) + 1
            rejected[left[first:end]] = True
            end = open_from if not_rejected.size else begin
        return rejected

    def _exceeding(self, left: Ints, statistic: Reals, begin: int) -> Ints:
        """Count the maxima that reach the ascending statistics [k], from that at ``begin`` on."""
        # Maxima over the hypotheses with T̃ < 0 that reach all statistics need no draws.
        certain = self.unshown >= statistic[-1]
        deciding = np.flatnonzero((self.every >= statistic[begin]) & ~certain)
        draw = self.draws.trails if self.rivals_ahead else self.draws.leads
        drawn = draw(self.entry, self.rivals[left], deciding)
        before = np.maximum(self.unshown[deciding], drawn[:begin].max(axis=0, initial=-np.inf))
        reached = count_reached(drawn[begin:], statistic[begin:], before)
        return reached + np.count_nonzero(certain)


def against_reference(draws: Draws, reference: int, opponents: Ints) -> Floats:
    """Algorithm A: two-sided step-down p [len(others)] of other entries against a fixed reference.

    Not valid for a leader chosen from the same data. Source: Romano and Wolf 2005.
    """
    p = np.where(np.isinf(draws.statistics[reference, opponents]), 1 / (draws.resamples + 1), 1.0)
    varying = np.flatnonzero(draws.varying[reference, opponents])
    # T̃ of the better one: only positive statistics are corrected for small samples.
    statistic = np.maximum(
        draws.thresholds[reference, opponents[varying]],
        draws.thresholds[opponents[varying], reference],
    )
    ascending = np.argsort(statistic, kind="stable")
    varying = varying[ascending]
    statistic = statistic[ascending]
    exceeding = np.zeros(varying.size, np.intp)
    for resamples in draws.blocks():
        drawn = draws.trails(reference, opponents[varying], resamples)
        np.maximum(drawn, draws.leads(reference, opponents[varying], resamples), out=drawn)
        running = np.full(drawn.shape[1], -np.inf, drawn.dtype)
        exceeding += count_reached(drawn, statistic, running)
    raw = (1 + exceeding) / (draws.resamples + 1)
    p[varying] = np.maximum.accumulate(raw[::-1])[::-1]
    return p


def count_reached(drawn: Reals, statistic: Reals, running: Reals) -> Ints:
    """Return how many running maxima reach each of the ascending statistics [k], [k].

    ``drawn`` [k, b] are the draws in that order, and become the running maxima; ``running`` [b],
    the maximum of the draws before them, becomes the maximum of all.
    """
    before = running
    for row in drawn:  # NumPy's accumulation along the first axis takes ten times as long
        before = np.maximum(before, row, out=row)
    running[:] = before
    return np.asarray(np.count_nonzero(drawn >= statistic[:, None], axis=1), np.intp)


# Family maxima ------------------------------------------------------------------------------------

# The maxima over the draws of every entry's families, in one pass over the resamples.
#
# Entry i has two families (`step_down`): that rivals are better than it, and that it is better
# than rivals. A draw of a pair is in four of them: Z_ij says how far i is drawn ahead of j, and
# −Z_ij the opposite. So each pair is drawn once, the better entry first, and its draws enter the
# maxima of both entries. What is behind by most is ahead by least, negated.


def family_maxima(draws: Draws, competing: int, executor: Executor = HERE) -> tuple[Reals, Reals]:
    """Return the maxima of "a rival is better than the entry" and of "it is better than a rival".

    Each are [2, m, B], over the draws of one family per entry; −∞ where there are none. First come
    those over the hypotheses with T̃ ≤ 0 in which the better entry comes first, then those over all.
    The first ``competing`` entries are everybody's rivals; the others are baselines. Both parts are
    sorted, the best first, so that T̃ ≥ 0 of an earlier and a later entry. The ``executor`` shares
    the resamples of studentized draws, whose products are long enough for threads.
    """
    drawn = draws.deviations
    above = np.empty((2, *drawn.shape), drawn.dtype)
    below = np.empty((2, *drawn.shape), drawn.dtype)
    rivals = draws.in_maximum[:, :competing]
    worse = draws.statistics[:, :competing] >= 0
    worse[:competing] = np.tri(competing, k=-1, dtype=np.bool_).T  # each pair once, ties too
    later = [side_by_side(np.flatnonzero(row)) for row in rivals & worse]
    earlier = [side_by_side(np.flatnonzero(row)) for row in (rivals & ~worse)[competing:]]

    def add(resamples: slice) -> None:
        with without_copies(resamples.stop - resamples.start):
            least_over_worse, most_over_worse, least_of_better, most_of_better = _extremes(
                DrawsBlock(draws, resamples), later, earlier
            )
        for (unshown, every), least, most in (
            (above[:, :, resamples], least_over_worse, most_of_better),
            (below[:, :, resamples], least_of_better, most_over_worse),
        ):
            # Of the unshown hypotheses, the largest draw is the smallest of the opposite, negated.
            np.maximum(most, np.negative(least, out=unshown), out=every)

    (HERE if draws.resampled is None else executor).each(add, draws.blocks())
    return above, below


def _extremes(
    block: DrawsBlock, later: Sequence[Chosen], earlier: Sequence[Chosen]
) -> tuple[Reals, Reals, Reals, Reals]:
    """Return the smallest and the largest leads [m, b] of every entry over its worse rivals.

    The third and the fourth are those of its better rivals over it. ``later`` are each entry's
    worse rivals, and ``earlier`` each baseline's better ones.
    """
    shape = block.deviations.shape
    dtype = block.deviations.dtype
    competing = len(later) - len(earlier)
    # In memory of their own: the rows of the maxima lie too far apart for a core's cache.
    least_over_worse = aligned(shape, dtype, np.inf)
    most_over_worse = aligned(shape, dtype, -np.inf)
    least_of_better = aligned(shape, dtype, np.inf)
    most_of_better = aligned(shape, dtype, -np.inf)
    for entry, worse in enumerate(later):
        least, most = block.both(entry, worse)
        least.min(axis=0, initial=np.inf, out=least_over_worse[entry])
        most.max(axis=0, initial=-np.inf, out=most_over_worse[entry])
        if entry < competing:
            for extremes, of_two, drawn in (
                (least_of_better, np.minimum, least),
                (most_of_better, np.maximum, most),
            ):
                of_worse = extremes[worse]  # a part of the extremes themselves if it is a slice
                of_two(of_worse, drawn, out=of_worse)
                if not isinstance(worse, slice):
                    extremes[worse] = of_worse
        else:
            least, most = block.both(entry, earlier[entry - competing])
            least_of_better[entry] = -most.max(axis=0, initial=-np.inf)
            most_of_better[entry] = -least.min(axis=0, initial=np.inf)
    return least_over_worse, most_over_worse, least_of_better, most_of_better


# Joint family -------------------------------------------------------------------------------------

# Step-down max-T over all pairs at once (algorithm B): how many maxima reach each statistic.
#
# The hypotheses with T̃ ≥ 0, the better entry first, are sorted by T̃. M_k, the maximum of the
# draws of all hypotheses up to the k-th, begins with that of the hypotheses with T̃ ≤ 0, and
# hardly any draw exceeds this. So for each resample, M is a staircase of a few steps, and it
# reaches those of the statistics on a step that are not above it.


#: Draws of some pairs on all resamples, or maxima of all entries, that are handled at once.
_AT_ONCE = 2**21


class JointFamily:
    """A family of ordered ``pairs`` [m, m]: its K hypotheses with T̃ ≥ 0, the better entry first.

    Where T̃ is 0, the first entry is the better.
    """

    def __init__(self, draws: Draws, pairs: Bools) -> None:
        statistics = draws.statistics
        better = (statistics > 0) | ((statistics == 0) & np.tri(len(pairs), dtype=np.bool_).T)
        first, second = np.nonzero(pairs & draws.in_maximum & better)
        ascending = np.argsort(statistics[first, second], kind="stable")
        first = first[ascending]
        second = second[ascending]
        self.draws = draws
        # [m, m] (better, worse): a hypothesis' number, ascending by T̃; −1 for the others
        self.number = np.full(pairs.shape, -1, np.intp)
        self.number[first, second] = np.arange(first.size)
        self.statistic = draws.thresholds[first, second]  # [K] ascending

    def maxima(self) -> tuple[Reals, Reals]:
        """Return the largest leads [m, B] over the worse entries, and the largest of the worse [B].

        The second are the maxima over the hypotheses with T̃ ≤ 0.
        """
        draws = self.draws
        most = np.full_like(draws.deviations, -np.inf)
        start = np.full_like(most[0], -np.inf)
        every = np.arange(draws.resamples)
        step = max(1, _AT_ONCE // draws.resamples)
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
        resamples = [np.arange(start.size)]
        hypotheses = [np.zeros(start.size, np.intp)]
        drawn = [start]
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
        resamples = resamples[order]
        begin = hypotheses[order]
        # Every resample has numbers of its own, so that one accumulation serves all of them.
        shift = resamples * (size + 1)
        reached = np.searchsorted(self.statistic, drawn[order], side="right") + shift
        reached = np.maximum.accumulate(reached) - shift
        following = np.where(np.diff(resamples, append=-1) == 0, np.append(begin[1:], 0), size)
        end = np.maximum(np.minimum(following, reached), begin)
        return begin, end

    def _rivals(self) -> Iterator[tuple[int, Ints]]:
        """Yield every entry that has worse ones in the family, with these."""
        for entry, numbers in enumerate(self.number):
            if (rivals := np.flatnonzero(numbers >= 0)).size:
                yield entry, rivals
