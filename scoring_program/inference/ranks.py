"""Ranks, and which of them are possible.

The statistics of `step_down`, and what follows from what is shown (algorithms C, E and F). Entries
are oriented so that higher is better; δ_ij = θ_i − θ_j is how far i is ahead of j, se_ij the
standard deviation of δ*_ij.

``competing`` [m] marks the entries that can win. The others (baselines) are compared with them and
do not change their results.
"""

from __future__ import annotations

import math

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from .draws import Draws
from .inputs import negligible

#: Replicates of all entries that are ranked at once: half a megabyte.
_AT_ONCE = 2**16


def studentize(theta: Floats, errors: Floats, units: int, shrunk: Bools | None = None) -> Floats:
    """Return T̃ [m, m], the studentized differences with the small-sample correction.

    ``errors`` [m, m] holds se_ij, ``units`` is N, the number of resampled examples or groups. For T
    = δ/se > 0, T̃ = Φ̄⁻¹(F̄_{t, N−1}(T·√((N−1)/N))). This maps the statistic from a t to a normal
    distribution, which shrinks it; T ≤ 0 stays. (Without it, the family-wise error at m = 20, n =
    50 is .109 instead of .045.) se = 0 gives 0 if δ = 0, and otherwise ±∞. Only the pairs that
    ``shrunk`` [m, m] marks are shrunk, if it is given.
    """
    difference = theta[:, None] - theta[None, :]
    difference[np.abs(difference) <= negligible(theta[:, None], theta[None, :])] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(difference == 0, 0.0, difference / errors)
    shrinks = np.isfinite(statistic) & (statistic > 0)
    if shrunk is not None:
        shrinks &= shrunk
    if units > 1 and shrinks.any():
        from scipy.special import ndtri, stdtr  # a fifth of a second; not needed for one entry

        scaled = statistic[shrinks] * math.sqrt((units - 1) / units)
        statistic[shrinks] = -ndtri(stdtr(units - 1, -scaled))
    return statistic


def unshrunk(statistics: Floats, units: int) -> Floats:
    """Return the T of each T̃ [...], the inverse of what `studentize` does to T > 0."""
    found = np.array(statistics, np.float64)
    shrinks = np.isfinite(found) & (found > 0)
    if units > 1 and shrinks.any():
        from scipy.special import ndtr, stdtrit  # like the import in `studentize`

        quantile = -stdtrit(units - 1, ndtr(-found[shrinks]))
        found[shrinks] = quantile * math.sqrt(units / (units - 1))
    return found


def rank_bounds(above: Bools, below: Bools, competing: Bools) -> tuple[Ints, Ints]:
    """Return the best and worst rank [m] of each entry, from what is shown about its rivals.

    ``above`` and ``below`` [m, m] are indexed (better, worse): who is shown better than an entry,
    and what it is shown better than. The two are families of their own for a rank range (algorithm
    C), and the same matrix, algorithm B's, for joint rank sets (C′). A baseline's ranks are those
    that it would have if it were the only baseline.
    """
    rivals = int(np.count_nonzero(competing))
    best = 1 + np.count_nonzero(above[competing, :], axis=0)
    beaten = np.count_nonzero(below[:, competing], axis=1)
    worst = np.where(competing, rivals, rivals + 1) - beaten
    return best.astype(np.intp), worst.astype(np.intp)


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
    identical = (draws.statistics == 0) & (draws.errors == 0)
    identical = identical[np.ix_(order, order)]
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
    counts = np.zeros(entries * entries, np.intp)
    places, rows = np.arange(1, entries), np.arange(0, counts.size, entries)
    step = max(1, _AT_ONCE // entries)
    for start in range(0, resamples, step):
        drawn = np.ascontiguousarray(-replicates[:, start : start + step].T)
        order = np.argsort(drawn, axis=1)  # best first; the order of ties changes nothing
        ordered = np.take_along_axis(drawn, order, axis=1)
        before = places if competing.all() else np.cumsum(competing[order[:, :-1]], axis=1)
        # Rivals before the first of those that tie, and 0 at the others, which take the same.
        ahead = np.zeros(order.shape, np.intp)
        np.multiply(before, ordered[:, 1:] != ordered[:, :-1], out=ahead[:, 1:])
        np.maximum.accumulate(ahead, axis=1, out=ahead)
        ahead += rows[order]
        counts += np.bincount(ahead.ravel(), minlength=counts.size)
    return counts.reshape(entries, entries) / float(resamples)
