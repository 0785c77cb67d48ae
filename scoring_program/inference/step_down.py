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
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..core.arrays import Bools, Floats, Ints, Reals
from .draws import Draws
from .family_maxima import family_maxima
from .joint_family import JointFamily

#: Hypotheses that a family steps down over before it draws again: few need few resamples.
_STEPS_AT_ONCE = 8
#: Largest relative error of a draw in single precision, which is rounded three times.
_ROUNDING = 4 * float(np.finfo(np.float32).eps)


@dataclass(frozen=True, eq=False)
class StepDown:
    """What the families show; every matrix [m, m] is indexed (better, worse)."""

    above: Bools  # i is shown better than j in the family of those above j
    below: Bools  # i is shown better than j in the family of those below i
    # c [m] of those above each entry; ∞ if B is too small, −∞ without a rival. Where no entry is
    # shown better, which is where distances need it, that of plain draws has double precision.
    critical: Floats
    p_better: Floats  # p of all pairs at once; 1 for T̃ < 0 and for pairs in no family


def step_down(draws: Draws, competing: Bools, alpha: float, workers: int = 1) -> StepDown:
    """Test all families at level ``alpha``; ``workers`` threads share the resamples."""
    order = best_first(draws, competing)
    found = _best_first(draws.take(order), competing[order], alpha, workers)
    place = np.argsort(order)
    back = np.ix_(place, place)
    critical = found.critical[place]
    return StepDown(found.above[back], found.below[back], critical, found.p_better[back])


def best_first(draws: Draws, competing: Bools) -> Ints:
    """Return the entries [m] that compete, then the baselines; T̃ ≥ 0 of an earlier and a later."""
    better_than = np.count_nonzero(draws.statistics > 0, axis=1)
    return np.lexsort((-better_than, ~competing))


def _best_first(draws: Draws, competing: Bools, alpha: float, workers: int) -> StepDown:
    """Test all families of entries that are in the order `best_first`."""
    of_above, of_below = family_maxima(draws, int(competing.sum()), workers)
    above, below = (np.zeros((draws.entries, draws.entries), np.bool_) for _ in range(2))
    critical = np.empty(draws.entries)
    for entry in range(draws.entries):
        rivals = np.flatnonzero(draws.in_maximum[entry] & competing)
        ahead = Family(draws, entry, rivals, True, *of_above.of(entry), alpha)
        behind = Family(draws, entry, rivals, False, *of_below.of(entry), alpha)
        above[rivals, entry], below[entry, rivals] = ahead.rejected(), behind.rejected()
        behind_none = not above[:, entry].any()
        critical[entry] = ahead.critical_in_double() if behind_none else ahead.critical
    # A difference that never varies is in no maximum: nothing that is drawn reaches it.
    certain = draws.rivals & (draws.statistics == np.inf)
    shown = certain & (_most_exceeding(draws.resamples, alpha) >= 0)
    above |= shown & competing[:, None]
    below |= shown & competing[None, :]
    among = competing[:, None] & competing[None, :]
    start = of_above.unshown[: np.count_nonzero(competing)].max(axis=0)
    p_better = JointFamily.of(draws, among).p_values(of_below.every, start)
    if not competing.all():
        with_baseline = JointFamily.of(draws, ~among)
        p_better = np.minimum(p_better, with_baseline.p_values(*with_baseline.maxima()))
    p_better[certain] = 1 / (draws.resamples + 1)
    return StepDown(above, below, critical, p_better)


def _most_exceeding(resamples: int, alpha: float) -> int:
    """Return ⌊α(B + 1)⌋ − 1: a hypothesis is rejected if no more maxima reach its statistic."""
    return math.floor(round(alpha * (resamples + 1), 9)) - 1


def critical_value(maxima: Reals, confidence: float) -> float:
    """Return the ⌈confidence·(B + 1)⌉-th smallest of B maxima, ∞ if B is too small."""
    place = _place(maxima.size, confidence)
    return float(np.partition(maxima, place)[place]) if place < maxima.size else math.inf


def _place(resamples: int, confidence: float) -> int:
    """Return the place of the critical value among the sorted maxima, from 0."""
    return math.ceil(round(confidence * (resamples + 1), 9)) - 1


def shown_above(draws: Draws, entry: int, competing: Bools, alpha: float) -> Ints:
    """Return who is shown better than one entry, at level ``alpha`` (of algorithm C, one family).

    Only the draws of its own pairs are asked for.
    """
    rivals = np.flatnonzero(draws.in_maximum[:, entry] & competing)
    unshown = draws.statistics[rivals, entry] <= 0
    over_unshown, over_every = (np.empty(draws.resamples, draws.deviations.dtype) for _ in range(2))
    for resamples in draws.blocks():
        leads = draws.block(resamples).leads(rivals, entry)
        leads[unshown].max(axis=0, initial=-np.inf, out=over_unshown[resamples])
        leads.max(axis=0, initial=-np.inf, out=over_every[resamples])
    shown = Family(draws, entry, rivals, True, over_unshown, over_every, alpha).rejected()
    certain = draws.rivals[:, entry] & competing & (draws.statistics[:, entry] == np.inf)
    certain &= _most_exceeding(draws.resamples, alpha) >= 0
    return np.union1d(rivals[shown], np.flatnonzero(certain))


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
        rounded, draws = self.critical, self.draws
        plain = draws.resampled is None and draws.deviations.dtype == np.float32
        if not (plain and math.isfinite(rounded)):
            return rounded
        # Rounded once, so that every maximum is near, smaller or larger.
        beyond, close = self.every - rounded, _ROUNDING * abs(rounded)
        near = np.flatnonzero(np.abs(beyond) <= close)
        draws = replace(draws, deviations=draws.deviations[:, near].astype(np.float64))
        drawn = draws.trails(self.entry, self.rivals, np.arange(near.size))
        smaller = np.count_nonzero(beyond < -close)
        place = _place(self.every.size, 1 - self.alpha) - smaller
        return float(np.sort(drawn.max(axis=0))[place])

    def rejected(self) -> Bools:
        """Return which hypotheses are rejected, [k]."""
        pairs = (self.rivals, self.entry) if self.rivals_ahead else (self.entry, self.rivals)
        statistic = self.draws.thresholds[pairs]
        found = np.asarray((statistic > 0) & (statistic > self.critical))
        left = np.flatnonzero((statistic >= 0) & ~found)
        if not (found.any() and left.size):  # the largest is not rejected, or all are
            return found
        least = max(critical_value(self.unshown, 1 - self.alpha), 0.0)
        left = left[np.argsort(statistic[left], kind="stable")]
        open_from, end = int(np.searchsorted(statistic[left], least, side="right")), left.size
        while end > open_from:
            begin = max(open_from, end - _STEPS_AT_ONCE)
            exceeding = self._exceeding(left[:end], statistic[left[:end]], begin)
            most = _most_exceeding(self.every.size, self.alpha)
            kept = np.flatnonzero(exceeding > most)
            found[left[begin + (int(kept[-1]) + 1 if kept.size else 0) : end]] = True
            end = open_from if kept.size else begin
        return found

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


def against_reference(draws: Draws, reference: int, others: Ints) -> Floats:
    """Algorithm A: two-sided step-down p [len(others)] of other entries against a fixed reference.

    Not valid for a leader chosen from the same data. Source: Romano and Wolf 2005.
    """
    p = np.where(np.isinf(draws.statistics[reference, others]), 1 / (draws.resamples + 1), 1.0)
    varying = np.flatnonzero(draws.in_maximum[reference, others])
    # T̃ of the better one: only positive statistics are corrected for small samples.
    statistic = np.maximum(
        draws.thresholds[reference, others[varying]], draws.thresholds[others[varying], reference]
    )
    ascending = np.argsort(statistic, kind="stable")
    varying, statistic = varying[ascending], statistic[ascending]
    exceeding = np.zeros(varying.size, np.intp)
    for resamples in draws.blocks():
        block = draws.block(resamples)
        fixed = np.full_like(varying, reference)
        drawn = block.leads(others[varying], reference)
        np.maximum(drawn, block.leads(fixed, others[varying]), out=drawn)
        running = np.full(drawn.shape[1], -np.inf, drawn.dtype)
        exceeding += count_reached(drawn, statistic, running)
    p[varying] = step_down_p(exceeding, draws.resamples)
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


def step_down_p(exceeding: Ints, resamples: int) -> Floats:
    """Return p [k] from how many maxima reach each of the ascending statistics."""
    p = (1 + exceeding) / (resamples + 1)
    return np.asarray(np.maximum.accumulate(p[::-1])[::-1])
