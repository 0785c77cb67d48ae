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
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from .inputs import negligible


@dataclass(frozen=True, eq=False)
class Studentized:
    """The inputs of the algorithms: statistics, and deviations with their standard errors."""

    statistics: Floats  # T̃ [m, m]
    deviations: Floats  # R [m, B]
    errors: Floats  # se [m, m], 0 on the diagonal

    @property
    def resamples(self) -> int:
        """Number of resamples, B."""
        return int(self.deviations.shape[1])


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


def against_reference(pairs: Studentized, reference: int, others: Ints) -> Floats:
    """Algorithm A: two-sided step-down p [len(others)] of other entries against a fixed reference.

    Not valid for a leader chosen from the same data. Source: Romano and Wolf 2005.
    """
    statistic, error = np.abs(pairs.statistics[reference, others]), pairs.errors[reference, others]
    deviations = pairs.deviations
    descending = np.argsort(-statistic, kind="stable")
    running = np.full(pairs.resamples, -np.inf)
    exceeding = np.empty(others.size)
    for k in descending[::-1]:
        if error[k] > 0:
            scaled = np.abs(deviations[reference] - deviations[others[k]]) / error[k]
            np.maximum(running, scaled, out=running)
        exceeding[k] = np.count_nonzero(running >= statistic[k])
    p = (1 + exceeding) / (pairs.resamples + 1)
    p[descending] = np.maximum.accumulate(p[descending])
    p[_identical(statistic, error)] = 1.0
    return p


def step_down(pairs: Studentized, hypotheses: Bools) -> Floats:
    """Algorithm B: p [m, m] that i is better than j, simultaneously over all marked pairs (i, j).

    ``hypotheses`` [m, m] marks the pairs of the family; p is 1 elsewhere and for identical entries.
    Rejecting where p ≤ α keeps the family-wise error. Sources: Romano and Wolf 2005; Mogstad
    and others 2024.
    """
    first, second = np.nonzero(hypotheses)
    statistic, error = pairs.statistics[first, second], pairs.errors[first, second]
    deviations = pairs.deviations
    ascending = np.argsort(statistic, kind="stable")
    running, scaled = np.full(pairs.resamples, -np.inf), np.empty(pairs.resamples)
    reached = np.empty(pairs.resamples, dtype=np.bool_)
    exceeding = np.empty(statistic.size)
    for k in ascending:
        if error[k] > 0:
            np.subtract(deviations[first[k]], deviations[second[k]], out=scaled)
            np.divide(scaled, error[k], out=scaled)
            np.maximum(running, scaled, out=running)
        exceeding[k] = np.count_nonzero(np.greater_equal(running, statistic[k], out=reached))
    p = (1 + exceeding) / (pairs.resamples + 1)
    descending = ascending[::-1]
    p[descending] = np.maximum.accumulate(p[descending])
    p[_identical(statistic, error)] = 1.0
    matrix = np.ones(pairs.errors.shape)
    matrix[first, second] = p
    return matrix


def _identical(statistic: Floats, error: Floats) -> Bools:
    # The maximum leaves them out; otherwise all their replicates would reach the statistic 0.
    return np.asarray((statistic == 0) & (error == 0))


def better(pairs: Studentized, competing: Bools) -> Floats:
    """Run algorithm B over the entries that can win, and separately over pairs with a baseline."""
    distinct = ~np.eye(competing.size, dtype=np.bool_)
    among = competing[:, None] & competing[None, :]
    p = step_down(pairs, among & distinct)
    if not competing.all():
        others = step_down(pairs, ~among & distinct)
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


def possible_winners(pairs: Studentized, competing: Bools, confidence: float) -> Bools:
    """Algorithm D (the tie rule ``max_t``): which entries [m] could be the best.

    Entry i stays unless some rival's lead over it exceeds c_i, the quantile of the largest
    studentized deviation of any rival from i. Entries that no rival is ahead of always stay.
    Source: Mogstad and others 2024, one-sided marginal confidence set for rank 1.
    """
    leads = np.where(competing[:, None], pairs.statistics, -np.inf)
    np.fill_diagonal(leads, -np.inf)
    largest = leads.max(axis=0)
    maxima = max_deviations(pairs, competing)
    critical = np.array([critical_value(row, confidence) for row in maxima])
    return np.asarray((largest <= 0) | (largest <= critical), dtype=np.bool_)


def max_deviations(pairs: Studentized, competing: Bools) -> Floats:
    """Return Z [m, B], the maxima over rivals j ≠ i of (R_j − R_i) / se_ij; −∞ without a rival."""
    deviations, errors = pairs.deviations, pairs.errors
    maxima = np.full(deviations.shape, -np.inf)
    scaled = np.empty(pairs.resamples)
    for i in range(len(deviations)):
        for j in range(i):
            if errors[i, j] > 0:
                np.subtract(deviations[j], deviations[i], out=scaled)
                np.divide(scaled, errors[i, j], out=scaled)
                if competing[j]:
                    np.maximum(maxima[i], scaled, out=maxima[i])
                if competing[i]:
                    np.negative(scaled, out=scaled)
                    np.maximum(maxima[j], scaled, out=maxima[j])
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


def identical_adjacent(pairs: Studentized, order: Ints) -> Ints:
    """Return ``order`` with identical entries next to each other, so that they share a tier."""
    identical = _identical(pairs.statistics, pairs.errors)[np.ix_(order, order)]
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
