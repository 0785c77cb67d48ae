"""Win rates and Bradley-Terry strengths of entries, from comparisons of two of them at a time.

A *battle* is one comparison: two entries, and which was preferred. A tie counts as half a win for
both. Of a resample, the scores need only the wins within each pair of entries, so all resamples are
scored together.

Win rate: the mean, over the opponents met, of the share of battles won against each. Strength: the
maximum-likelihood estimate β of P(i is preferred to j) = 1 / (1 + exp(β_j − β_i)), natural
log-odds with mean 0 over the entries (Bradley and Terry 1952, "Rank analysis of incomplete block
designs"). It exists where the directed graph of wins is strongly connected (Ford 1957, "Solution of
a ranking problem from binary comparisons").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.arrays import Array, Floats, Ints
from ..metric import Data, Definition

#: What an entry's array holds for a battle: 0 if it took no part; 1, 2 or 3 if it was on the left
#: and lost, tied or won; 4, 5 or 6 the same on the right.
ABSENT = 0
LEFT = 1
RIGHT = 4
_LOST = 0
_WON = 2  # half wins

#: Newton's steps end where no strength changes by more than this, or after so many.
_CLOSE = 1e-11
_MOST_STEPS = 100
#: The longest step of a strength, which keeps Newton's method from overshooting.
_LONGEST_STEP = 2.0
#: Scores are rounded to so many decimals, so that equal records are exact ties: win rates, and
#: strengths, of which the solutions of equations on other processors differ in later ones.
_DECIMALS = 12
_OF_STRENGTHS = 10
#: Numbers of Hessians in memory at once.
_HELD = 4_000_000


class Battles:
    """n battles among M = ``size`` entries, numbered from 0.

    ``left`` and ``right`` [n] met, and ``halves`` [n] are the half wins of the left one: 0, 1 for a
    tie, 2.
    """

    def __init__(self, left: Ints, right: Ints, halves: Ints, size: int) -> None:
        self.left = left
        self.right = right
        self.halves = halves
        self.size = size
        swapped = left > right
        first, second = np.where(swapped, (right, left), (left, right))
        half_wins_of_first = np.where(swapped, _WON - halves, halves)
        # What tells battles apart, [n]: the pair, and the half wins of its first entry.
        self.outcomes: Ints = (first * size + second) * (_WON + 1) + half_wins_of_first
        # The P pairs of entries that met, the smaller number first, [P] each.
        self.pairs: tuple[Ints, Ints] = np.divmod(np.unique(self.outcomes // (_WON + 1)), size)
        # The order of the battles by outcomes, where each outcome begins in it, where each pair
        # begins among the outcomes, and what an outcome counts as a win of the pair's first.
        order = np.argsort(self.outcomes, kind="stable")
        values, starts = np.unique(self.outcomes[order], return_index=True)
        of_pairs = np.unique(values // (_WON + 1), return_index=True)[1]
        self._cells = order, starts, of_pairs, values % (_WON + 1) / _WON
        # The order of both sides of all pairs by entries, those entries, and where each begins.
        sides = np.concatenate(self.pairs)
        of_sides = np.argsort(sides, kind="stable")
        self._sides = of_sides, *np.unique(sides[of_sides], return_index=True)

    @classmethod
    def from_arrays(cls, arrays: Sequence[Array]) -> Battles:
        """Return the battles of the entries' arrays, [n] each; see `LEFT` and `RIGHT`."""
        n = len(arrays[0])
        left = np.zeros(n, np.intp)
        right = np.zeros(n, np.intp)
        halves = np.zeros(n, np.intp)
        for entry, codes in enumerate(arrays):
            on_right = codes >= RIGHT
            right[on_right] = entry
            on_left = (codes >= LEFT) & ~on_right
            left[on_left] = entry
            halves[on_left] = codes[on_left] - LEFT
        return cls(left, right, halves, len(arrays))

    def take(self, rows: Ints) -> Battles:
        """Return some of the battles."""
        return Battles(self.left[rows], self.right[rows], self.halves[rows], self.size)

    def exchanged(self, i: int, j: int, swap: NDArray[np.bool_]) -> Battles:
        """Return the battles with i and j exchanged where ``swap`` [n] is True."""
        number = np.arange(self.size)
        number[[i, j]] = j, i
        left = np.where(swap, number[self.left], self.left)
        right = np.where(swap, number[self.right], self.right)
        return Battles(left, right, self.halves, self.size)

    def counted(self, counts: NDArray[np.integer]) -> tuple[Floats, Floats]:
        """Return the battles and the wins of the first within each pair, [R, P] each.

        ``counts`` [R, n] say how often each battle was drawn. Half wins are halves.
        """
        order, starts, of_pairs, wins = self._cells
        drawn = np.add.reduceat(counts[:, order], starts, axis=1, dtype=np.float64)
        met = np.add.reduceat(drawn, of_pairs, axis=1)
        return met, np.add.reduceat(drawn * wins, of_pairs, axis=1)

    def summed(self, of_first: Floats, of_second: Floats) -> Floats:
        """Add up what pairs [R, P] give their first and second entries, [R, M]."""
        order, entries, starts = self._sides
        sums = np.zeros((len(of_first), self.size))
        of_sides = np.concatenate([of_first, of_second], axis=1)
        sums[:, entries] = np.add.reduceat(of_sides[:, order], starts, axis=1)
        return sums

    def win_rates(self, met: Floats, won: Floats) -> Floats:
        """Return win rates [R, M] from battles and wins of the first, [R, P] each.

        One is nan if the entry met nobody.
        """
        happened = met > 0
        rate = np.divide(won, met, out=np.zeros_like(won), where=happened)
        total = self.summed(rate, np.where(happened, 1.0 - rate, 0.0))
        opponents = self.summed(*2 * (happened.astype(np.float64),))
        with np.errstate(invalid="ignore"):
            return np.round(total / opponents, _DECIMALS)

    def connected(self, met: Floats, won: Floats) -> bool:
        """Whether the wins, [P], lead from every entry to every other: then strengths exist."""
        beaten = np.zeros((self.size, self.size), np.bool_)
        (first, second) = self.pairs
        beaten[first, second] = won > 0
        beaten[second, first] = met > won
        return _reaches_all(beaten) and _reaches_all(beaten.T)

    def strengths(self, met: Floats, won: Floats, start: Floats | None = None) -> Floats:
        """Return strengths [R, M] from battles and wins of the first, [R, P] each.

        They are nan on resamples where they do not exist. ``start`` [M] is a first guess.
        """
        strengths = np.full((len(met), self.size), np.nan)
        # Most resamples have wins wherever the whole test set has them.
        first_won = (won > 0) == (won[0] > 0)
        second_won = (met > won) == (met[0] > won[0])
        usual = first_won.all(axis=1) & second_won.all(axis=1)
        exist = np.full(len(met), self.connected(met[0], won[0]))
        for row in np.flatnonzero(~usual):
            exist[row] = self.connected(met[row], won[row])
        rows = np.flatnonzero(exist)
        step = max(1, _HELD // self.size**2)
        for begin in range(0, rows.size, step):
            few = rows[begin : begin + step]
            strengths[few] = self._newton(met[few], won[few], start)
        return np.round(strengths, _OF_STRENGTHS)

    def _newton(self, met: Floats, won: Floats, start: Floats | None) -> Floats:
        """Return the maximum of each likelihood, by Newton's method; nan where it does not end."""
        beta = np.tile(np.zeros(self.size) if start is None else start, (len(met), 1))
        left = np.arange(len(met))  # which have not converged
        for _ in range(_MOST_STEPS):
            surplus, hessian = self.derivatives(met[left], won[left], beta[left])
            step = np.linalg.solve(hessian, surplus[:, :, None])[:, :, 0]
            longest = np.abs(step).max(axis=1)
            step *= np.minimum(1.0, _LONGEST_STEP / np.maximum(longest, _CLOSE))[:, None]
            beta[left] += step
            left = left[longest > _CLOSE]
            if not left.size:
                break
        beta[left] = np.nan
        return np.asarray(beta - beta.mean(axis=1, keepdims=True))

    def derivatives(self, met: Floats, won: Floats, beta: Floats) -> tuple[Floats, Floats]:
        """Return the gradient [R, M] and the information [R, M, M] of the log-likelihoods.

        The information has no inverse, because a constant added to all strengths changes nothing,
        so it is returned with a constant added to all its elements.
        """
        first, second = self.pairs
        share = probability(beta[:, first] - beta[:, second])
        surplus = won - met * share
        weight = met * share * (1.0 - share)
        hessian = np.full((len(met), self.size, self.size), 1.0 / self.size)
        hessian[:, first, second] -= weight
        hessian[:, second, first] -= weight
        diagonal = np.arange(self.size)
        hessian[:, diagonal, diagonal] += self.summed(weight, weight)
        return self.summed(surplus, -surplus), hessian


def probability(difference: Floats) -> Floats:
    """Return how probable a preference is, given a difference of strengths."""
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * difference))


def _reaches_all(edges: NDArray[np.bool_]) -> bool:
    """Whether the edges [M, M] lead from the first node to every other."""
    reached = edges[0].copy()
    before = 0
    reached[0] = True
    while before < (now := int(np.count_nonzero(reached))):
        before = now
        reached |= edges[reached].any(axis=0)
    return before == len(edges)


def bound(data: Data, params: Mapping[str, Any]) -> Battles:
    """Return the battles of the entries."""
    return Battles.from_arrays(data.y_preds)


_OF_BATTLES = partial(
    Definition,
    kind="numbers",
    greater_is_better=True,
    per_unit=True,
    evaluation="pairs",
    build=bound,
    oracle=f"{__name__}:bound",
)
STRENGTH = "bradley_terry"
DEFINITIONS = (
    _OF_BATTLES("win_rate", "win rate", ideal=1, low=0, high=1, ratio_scale=True),
    _OF_BATTLES(STRENGTH, "Bradley-Terry strength"),
)
