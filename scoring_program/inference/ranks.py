"""Infers which entries could be the best, and which ranks are possible.

Algorithms A to F. Sources: Mogstad, Romano, Shaikh and Wilhelm 2024, "Inference for Ranks with
Applications to Mobility across Neighbourhoods and Academic Achievement across Countries", Review of
Economic Studies 91 (B, C, D); Romano and Wolf 2005, "Exact and Approximate Stepdown Methods for
Multiple Hypothesis Testing", Journal of the American Statistical Association 100 (A, B). Entries
are oriented so that higher is better; δ_ij = θ_i − θ_j is how far i is ahead of j, R = θ* − θ the
deviations of the replicates, se_ij the standard deviation of δ*_ij. A pair with se_ij = 0 takes
part in no maximum over replicates.

``competing`` [m] marks the entries that can win. The others (baselines) are compared with them and
do not change their results.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from .draws import Draws
from .inputs import negligible


def studentize(theta: Floats, errors: Floats, units: int) -> Floats:
    """Return T̃ [m, m], the studentized differences with the small-sample correction.

    ``errors`` [m, m] holds se_ij, ``units`` is N, the number of resampled examples or groups. For T
    = δ/se > 0, T̃ = Φ̄⁻¹(F̄_{t, N−1}(T·√((N−1)/N))). This maps the statistic from a t to a normal
    distribution, which shrinks it; T ≤ 0 stays. (Without it, the family-wise error at m = 20, n =
    50 is .109 instead of .045.) se = 0 gives 0 if δ = 0, and otherwise ±∞.
    """
    difference = theta[:, None] - theta[None, :]
    difference[np.abs(difference) <= negligible(theta[:, None], theta[None, :])] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(difference == 0, 0.0, difference / errors)
    shrinks = np.isfinite(statistic) & (statistic > 0)
    if units > 1 and shrinks.any():
        from scipy.special import ndtri, stdtr  # a fifth of a second; not needed for one entry

        scaled = statistic[shrinks] * math.sqrt((units - 1) / units)
        statistic[shrinks] = -ndtri(stdtr(units - 1, -scaled))
    return statistic


def critical_value(maxima: Floats, confidence: float) -> float:
    """Return the ⌈confidence·(B + 1)⌉-th smallest of B maxima, ∞ if B is too small."""
    place = math.ceil(round(confidence * (maxima.size + 1), 9))
    if place > maxima.size:
        return math.inf
    return float(np.partition(maxima, place - 1)[place - 1])


def against_reference(draws: Draws, reference: int, others: Ints) -> Floats:
    """Algorithm A: two-sided step-down p [len(others)] of other entries against a fixed reference.

    Not valid for a leader chosen from the same data. Source: Romano and Wolf 2005.
    """
    statistic = np.abs(draws.statistics[reference, others])
    ascending = np.argsort(statistic, kind="stable")
    sorted_others, in_maximum = others[ascending], draws.in_maximum[reference, others[ascending]]
    exceeding = np.zeros(others.size, np.intp)
    for resamples in draws.blocks():
        drawn = np.abs(draws.block(resamples).leads(sorted_others, reference))
        drawn[~in_maximum] = -np.inf
        running = _running_maximum(drawn, np.full(drawn.shape[1], -np.inf))
        exceeding += np.count_nonzero(running >= statistic[ascending, None], axis=1)
    p = np.empty(others.size)
    p[ascending] = _step_down_p(exceeding, draws.resamples)
    p[_identical(draws)[reference, others]] = 1.0
    return p


def step_down(draws: Draws, hypotheses: Bools) -> Floats:
    """Algorithm B: p [m, m] that i is better than j, simultaneously over all marked pairs (i, j).

    ``hypotheses`` [m, m] marks the pairs of the family; p is 1 elsewhere, for identical entries,
    and where i is behind j. Rejecting where p ≤ α keeps the family-wise error. Sources: Romano and
    Wolf 2005; Mogstad and others 2024.
    """
    first, second = np.nonzero(hypotheses)
    ascending = np.argsort(draws.statistics[first, second], kind="stable")
    first, second = first[ascending], second[ascending]
    statistic, in_maximum = draws.statistics[first, second], draws.in_maximum[first, second]
    behind = int(np.searchsorted(statistic, 0.0))
    exceeding = np.zeros(statistic.size, np.intp)
    for resamples in draws.blocks():
        block = draws.block(resamples)
        running = np.full(resamples.stop - resamples.start, -np.inf)
        for pairs in _slices(0, behind, draws.entries):
            kept = in_maximum[pairs]
            if kept.any():
                drawn = block.leads(first[pairs][kept], second[pairs][kept])
                np.maximum(running, drawn.max(axis=0), out=running)
        for pairs in _slices(behind, statistic.size, draws.entries):
            drawn = block.leads(first[pairs], second[pairs])
            drawn[~in_maximum[pairs]] = -np.inf
            running = _running_maximum(drawn, running)[-1].copy()
            exceeding[pairs] += np.count_nonzero(drawn >= statistic[pairs, None], axis=1)
    p_values = _step_down_p(exceeding, draws.resamples)
    p_values[:behind] = 1.0
    p = np.ones((draws.entries, draws.entries))
    p[first, second] = p_values
    p[_identical(draws)] = 1.0
    return p


def _slices(start: int, stop: int, size: int) -> Iterator[slice]:
    for first in range(start, stop, size):
        yield slice(first, min(first + size, stop))


def _running_maximum(drawn: Floats, before: Floats) -> Floats:
    """Replace the rows of draws [k, b] by the maxima of themselves, the rows above and ``before``.

    One call a row: NumPy's accumulation along the first axis takes ten times as long.
    """
    for row in drawn:
        before = np.maximum(before, row, out=row)
    return drawn


def _step_down_p(exceeding: Ints, resamples: int) -> Floats:
    """Return p from how many maxima reach each statistic, for statistics in ascending order."""
    p = (1 + exceeding) / (resamples + 1)
    return np.asarray(np.maximum.accumulate(p[::-1])[::-1])


def _identical(draws: Draws) -> Bools:
    # The maximum leaves them out; otherwise all their replicates would reach the statistic 0.
    return np.asarray((draws.statistics == 0) & (draws.errors == 0))


def better(draws: Draws, competing: Bools) -> Floats:
    """Run algorithm B over the entries that can win, and separately over pairs with a baseline."""
    among = competing[:, None] & competing[None, :]
    p = step_down(draws, among & draws.rivals)
    if not competing.all():
        others = step_down(draws, ~among & draws.rivals)
        p = np.where(among, p, others)
    return p


def rank_sets(rejected: Bools, competing: Bools) -> tuple[Ints, Ints]:
    """Algorithm C: best and worst rank [m] of each entry, valid for all entries at once.

    ``rejected`` [m, m]: i is better than j by algorithm B. A baseline's ranks are those that it
    would have if it were the only baseline. Source: Mogstad and others 2024.
    """
    rivals = int(np.count_nonzero(competing))
    best = 1 + np.count_nonzero(rejected[competing, :], axis=0)
    beaten = np.count_nonzero(rejected[:, competing], axis=1)
    worst = np.where(competing, rivals, rivals + 1) - beaten
    return best.astype(np.intp), worst.astype(np.intp)


def possible_winners(draws: Draws, competing: Bools, confidence: float) -> Bools:
    """Algorithm D (the tie rule ``max_t``): which entries [m] could be the best.

    Entry i stays unless some rival's lead over it exceeds c_i, the quantile of the largest
    studentized deviation of any rival from i. Entries that no rival is ahead of always stay.
    Source: Mogstad and others 2024, one-sided marginal confidence set for rank 1.
    """
    leads = np.where(draws.rivals & competing[:, None], draws.statistics, -np.inf)
    largest = leads.max(axis=0)
    maxima = max_deviations(draws, competing)
    critical = np.array([critical_value(row, confidence) for row in maxima])
    return np.asarray((largest <= 0) | (largest <= critical), dtype=np.bool_)


def max_deviations(draws: Draws, competing: Bools) -> Floats:
    """Return Z [m, B], the maxima over rivals j ≠ i of (R_j − R_i) / se_ij; −∞ without a rival."""
    rivals = draws.in_maximum & competing[:, None]
    maxima = np.full(draws.deviations.shape, -np.inf)
    for resamples in draws.blocks():
        block = draws.block(resamples)
        for i in range(draws.entries):
            if (others := np.flatnonzero(rivals[:, i])).size:
                maxima[i, resamples] = block.leads(others, i).max(axis=0)
    return maxima


def tiers(order: Ints, rejected: Bools, competing: Bools) -> Ints:
    """Algorithm E: the tier [m] of each entry, 1 for the best.

    Going down ``order``, a new tier begins with the first entry that is significantly worse than
    the head of the current tier. The guarantee is between consecutive heads. A baseline's tier
    is one more than the number of heads that are better than it.
    """
    heads: list[int] = []
    tier = np.empty(order.size, dtype=np.intp)
    for entry in order[competing[order]]:
        if not heads or rejected[heads[-1], entry]:
            heads.append(int(entry))
        tier[entry] = len(heads)
    for baseline in np.flatnonzero(~competing):
        tier[baseline] = 1 + np.count_nonzero(rejected[heads, baseline])
    return tier


def identical_adjacent(draws: Draws, order: Ints) -> Ints:
    """Return ``order`` with identical entries next to each other, so that they share a tier."""
    identical = _identical(draws)[np.ix_(order, order)]
    return order[np.argsort(identical.argmax(axis=1), kind="stable")]


def ranks(theta: Floats, competing: Bools) -> Ints:
    """Return the rank [m] of each entry: 1 + the number of entries that can win and are better."""
    ahead = theta[competing][:, None] > theta[None, :]
    return np.asarray(1 + np.count_nonzero(ahead, axis=0), dtype=np.intp)


def rank_frequencies(replicates: Floats, competing: Bools) -> Floats:
    """Algorithm F: the share [m, m] of resamples in which entry i takes rank r + 1.

    Ties share the better rank. This is a bootstrap frequency and not the probability of being the
    best: among 20 equal teams, the leader takes rank 1 in .36 of the resamples, but the probability
    is .05.
    """
    entries, resamples = replicates.shape
    rivals = replicates[competing]
    counts = []
    for row in replicates:
        # Adding small integers is twice as fast as counting along the first axis.
        ahead = np.add.reduce(rivals > row, axis=0, dtype=np.uint16)
        counts.append(np.bincount(ahead, minlength=entries))
    return np.array(counts, dtype=np.float64) / float(resamples)
