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

To what this test rejects in a task come the pairs that rule D′ shows there (`outright`), before the
relation is closed: no test sees through the errors that hide them. D′ has a level of its own. With
T tasks it asks for α / (2T(m − 1)), so that its pairs with one entry, in all tasks, together have
the level α/2 that they have in one. It acts only where a difference has heavy tails.

A baseline does not count in the ranks of others, and has half a rank where it lies between two. If
one of the pair is a baseline, the first case is therefore ½ + #{l: k ≻ l ≻ i}, and l are entries
that can win; the second stays as it is.

Where a team sent several runs and one stands for it, the runs of all teams take part in the test of
all tasks. Two runs of different teams are compared as if each stood for its team: l are the entries
that stand for the others, which the test covers, whichever of their runs were selected.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from .draws import Draws
from .stacked_draws import stacked
from .step_down import step_down


def shown_better(
    tasks: Sequence[Draws],
    competing: Bools,
    alpha: float,
    workers: int = 1,
    entry_of: Ints | None = None,
    outright: Bools | None = None,
) -> Bools:
    """Return which runs [k, k] are shown to have a better mean rank: the first than the second.

    ``tasks`` are the draws of the k runs in every task, on resamples that belong together. The
    first m runs are the entries, and ``competing`` [m] marks those that can win; ``entry_of`` [k]
    are the entries that stand for the runs' teams, None if every run is an entry. ``outright``
    [T, k, k] is what rule D′ shows in every task. Pairs with a baseline are a family of their own,
    and two baselines are not compared.
    """
    entry_of = np.arange(competing.size) if entry_of is None else entry_of
    can_win = competing[entry_of]
    among = can_win[:, None] & can_win[None, :]
    mixed = can_win[:, None] ^ can_win[None, :]
    families = step_down(stacked(tasks), np.tile(can_win, len(tasks)), alpha, workers)
    rejected = families.p_better <= alpha
    size = entry_of.size
    blocks = [slice(number * size, (number + 1) * size) for number in range(len(tasks))]
    of_tasks = np.array([rejected[own, own] for own in blocks])
    if outright is not None:
        of_tasks |= outright
    shown = _projected(of_tasks & among, competing, entry_of)
    if competing.all():
        return shown
    with_baseline = _projected(of_tasks & (among | mixed), competing, entry_of)
    return np.where(among, shown, mixed & with_baseline)


def _projected(rejected: Bools, competing: Bools, entry_of: Ints) -> Bools:
    """Return where the sum over tasks of LB(i, k) is positive, [k, i]; ``rejected`` [T, k, i]."""
    bounds = sum(lower_bounds(_closed(task), competing, entry_of) for task in rejected)
    return np.asarray(bounds > 0)


def _closed(relation: Bools) -> Bools:
    """Return the transitive closure of a relation [m, m]."""
    while True:
        step = relation.astype(np.float32)
        closed = relation | (step @ step > 0)
        if (closed == relation).all():
            return closed
        relation = closed


def lower_bounds(better: Bools, competing: Bools, entry_of: Ints) -> Floats:
    """Return LB [k, i], the least that rank(i) − rank(k) can be; see the module's docstring.

    ``better`` [k, i] is a transitive relation of runs; the rest is as in `shown_better`. The result
    is 0 for two runs of one team.
    """
    can_win = competing[entry_of]
    both = can_win[:, None] & can_win[None, :]
    between = _between(better.astype(np.float64), competing, entry_of)
    neither = _between((~better).astype(np.float64), competing, entry_of)
    bounds = np.where(better, between + np.where(both, 1.0, 0.5), -(1.0 + neither))
    bounds[entry_of[:, None] == entry_of[None, :]] = 0.0
    return bounds


def _between(relation: Floats, competing: Bools, entry_of: Ints) -> Floats:
    """Count the competing entries l with a relation of k to l and of l to i, [k, i].

    The entries that stand for the teams of k and i themselves are not among them.
    """
    runs = np.arange(entry_of.size)
    counts = competing[entry_of].astype(np.float64)
    entries = slice(competing.size)
    found = (relation[:, entries] * competing) @ relation[entries]
    found -= relation[:, entry_of] * (relation[entry_of, runs] * counts)
    found -= (relation[runs, entry_of] * counts)[:, None] * relation[entry_of]
    return np.asarray(found)
