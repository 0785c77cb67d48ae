"""Which entries could have the best mean rank, from tests of single tasks (projection).

A mean rank jumps where two entries are close, so its bootstrap distribution is no guide. But tests
within the tasks bound the ranks, and the bounds of the tasks add up.

Claim. Let a relation k ≻ i of one task contain only pairs with θ_k > θ_i, closed transitively. With
rank(i) = 1 + #{l: θ_l > θ_i}, the difference rank(i) − rank(k) is at least

    LB(i, k) = 1 + #{l: k ≻ l ≻ i}                              if k ≻ i,
    LB(i, k) = −(1 + #{l: neither k ≻ l nor l ≻ i})             otherwise, over l ≠ i, k.

Proof. If k ≻ i, then θ_k > θ_i, and the difference is #{l: θ_k ≥ θ_l > θ_i}. This set holds k and
every l with k ≻ l ≻ i. Otherwise, if θ_k ≥ θ_i, the difference is at least 0. If θ_i > θ_k, it is
−#{l: θ_i ≥ θ_l > θ_k}. This set holds i itself; any other member l has θ_l > θ_k and θ_i ≥ θ_l, so
neither k ≻ l nor l ≻ i. ∎

One step-down test (algorithm B) over the ordered pairs of all tasks together shows only true
relations with confidence 1 − α, and true relations stay true when they are closed. So with this
confidence all bounds hold at once. Then k has a better mean rank than i wherever the sum of
LB(i, k) over the tasks is positive. Because the scores themselves satisfy every relation that is
shown, the entry with the best observed mean rank is never dropped.

A baseline does not count in the ranks of others, and has half a rank where it lies between two. If
one of the pair is a baseline, the first case is therefore ½ + #{l: k ≻ l ≻ i}, and l are entries
that can win; the second stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.arrays import Bools, Floats
from .draws import Draws
from .step_down import step_down


def shown_better(tasks: Sequence[Draws], competing: Bools, alpha: float, workers: int = 1) -> Bools:
    """Return which entries [m, m] are shown to have a better mean rank: k than i.

    ``tasks`` are the draws of the m entries in every task, on resamples that belong together.
    ``competing`` [m] marks the entries that can win; pairs with a baseline are a family of their
    own, and two baselines are not compared.
    """
    among = competing[:, None] & competing[None, :]
    mixed = competing[:, None] ^ competing[None, :]
    families = step_down(_stacked(tasks), np.tile(competing, len(tasks)), alpha, workers)
    rejected = families.p_better <= alpha
    size = competing.size
    blocks = [slice(number * size, (number + 1) * size) for number in range(len(tasks))]
    of_tasks = np.array([rejected[own, own] for own in blocks])
    shown = _projected(of_tasks & among, competing)
    if competing.all():
        return shown
    return np.where(among, shown, mixed & _projected(of_tasks & (among | mixed), competing))


def _stacked(tasks: Sequence[Draws]) -> Draws:
    """Return the draws of all tasks as those of one, in which only pairs of one task are rivals."""
    entries, resamples = tasks[0].entries, min(task.resamples for task in tasks)
    size = entries * len(tasks)
    statistics, errors = np.zeros((size, size)), np.zeros((size, size))
    rivals = np.zeros((size, size), np.bool_)
    for number, task in enumerate(tasks):
        own = slice(number * entries, (number + 1) * entries)
        statistics[own, own], errors[own, own] = task.statistics, task.errors
        rivals[own, own] = task.rivals
    deviations = np.concatenate([task.deviations[:, :resamples] for task in tasks])
    return Draws(statistics, deviations, errors, rivals)


def _projected(rejected: Bools, competing: Bools) -> Bools:
    """Return where the sum over tasks of LB(i, k) is positive, [k, i]; ``rejected`` [T, k, i]."""
    bounds = sum(lower_bounds(_closed(task), competing) for task in rejected)
    return np.asarray(bounds > 0)


def _closed(relation: Bools) -> Bools:
    """Return the transitive closure of a relation [m, m]."""
    while True:
        step = relation.astype(np.float32)
        closed = relation | (step @ step > 0)
        if (closed == relation).all():
            return closed
        relation = closed


def lower_bounds(better: Bools, competing: Bools) -> Floats:
    """Return LB [k, i], the least that rank(i) − rank(k) can be; see the module's docstring.

    ``better`` [k, i] is a transitive relation; the diagonal of the result is 0.
    """
    shown, unshown = better.astype(np.float64), (~better).astype(np.float64)
    weights = competing.astype(np.float64)
    both = competing[:, None] & competing[None, :]
    between = (shown * weights) @ shown + np.where(both, 1.0, 0.5)
    # Where k is not shown to be better than i, both i and k themselves are counted.
    neither = (unshown * weights) @ unshown - weights[:, None] - weights[None, :]
    bounds = np.where(better, between, -(1.0 + neither))
    np.fill_diagonal(bounds, 0.0)
    return bounds
