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
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.arrays import Array, Bools, Floats, Ints
from ..metric import Data, Definition

#: What an entry's array holds for a battle: 0 if it took no part; 1, 2 or 3 if it was on the left
#: and lost, tied or won; 4, 5 or 6 the same on the right.
LEFT = 1
RIGHT = 4
_LOST = 0
_WON = 2  # half wins

#: Newton's steps end where no strength changes by more than this, or after so many.
_CLOSE = 1e-11
_MOST_STEPS = 100
#: The longest step of a strength, which keeps Newton's method from overshooting.
_LONGEST_STEP = 2.0
#: Steps from the strengths on the whole test set end one step after no strength has changed by more
#: than this, or where one is longer than this share of the step before.
_CLOSER = 1e-13
_SHORTER = 0.5
#: Scores are rounded to so many decimals, so that equal records are exact ties: win rates, and
#: strengths, of which the solutions of equations on other processors differ in later ones.
_DECIMALS = 12
_OF_STRENGTHS = 10
#: Numbers of Hessians in memory at once.
_HELD = 4_000_000
#: So many battles of each outcome are added up in layers.
_LAYERS = 32


class OutcomeTotals:
    """How often each of C outcomes was drawn, from how often each of n battles was.

    The k-th battles of all outcomes are a *layer*. The outcomes are in the order of their numbers
    of battles, the largest first, so a layer is of the first outcomes, and is added to their totals
    at once. The battles beyond the layers, of few outcomes, are added up outcome by outcome.
    """

    def __init__(self, outcomes: Ints) -> None:
        values, numbers, sizes = np.unique(outcomes, return_inverse=True, return_counts=True)
        largest_first = np.argsort(-sizes, kind="stable")
        sizes = sizes[largest_first]
        rank = np.empty(sizes.size, np.intp)
        rank[largest_first] = np.arange(sizes.size)
        by_outcome = np.argsort(rank[numbers], kind="stable")
        # The layer of each battle in this order.
        layers = np.arange(by_outcome.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        in_layers = layers < _LAYERS
        by_layer = np.argsort(layers[in_layers], kind="stable")
        #: What is counted, [C].
        self.outcomes: Ints = values[largest_first]
        self._order = np.concatenate([by_outcome[in_layers][by_layer], by_outcome[~in_layers]])
        self._sizes: list[int] = np.bincount(layers[in_layers]).tolist()  # of the layers
        beyond = sizes[sizes > _LAYERS] - _LAYERS
        self._starts_beyond = np.cumsum(beyond) - beyond

    def __call__(self, counts: NDArray[np.integer]) -> Ints:
        """Return the totals [C, R] of draws [R, n]."""
        # Battle by battle, of which each is a row that is contiguous in memory.
        drawn = np.take(np.ascontiguousarray(counts.T), self._order, axis=0)
        # The smallest type that holds any total, because memory takes most of the time.
        whole = np.result_type(counts.dtype, np.uint32)
        totals: Ints = np.zeros((self.outcomes.size, len(counts)), whole)
        first = 0
        for size in self._sizes:
            totals[:size] += drawn[first : first + size]
            first += size
        starts = self._starts_beyond
        if starts.size:
            totals[: starts.size] += np.add.reduceat(drawn[first:], starts, axis=0, dtype=whole)
        return totals


@dataclass(frozen=True, eq=False)
class Peak:
    """Where the likelihood of a number of battles is largest.

    ``strengths`` [M], and the pseudo-``inverse`` [M, M] of its information there.
    """

    strengths: Floats
    inverse: Floats
    battles: float


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
        # The entries that are first, and second, in a pair, and where each begins: the pairs are in
        # the order of their first entries, and have another order by their second ones.
        first, second = self.pairs
        self._by_second = np.argsort(second, kind="stable")
        self._firsts = np.unique(first, return_index=True)
        self._seconds = np.unique(second[self._by_second], return_index=True)

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

    def exchanged(self, i: int, j: int, swap: Bools) -> Battles:
        """Return the battles with i and j exchanged where ``swap`` [n] is True."""
        number = np.arange(self.size)
        number[[i, j]] = j, i
        left = np.where(swap, number[self.left], self.left)
        right = np.where(swap, number[self.right], self.right)
        return Battles(left, right, self.halves, self.size)

    def of_either(self) -> Ints:
        """Return the number of battles in which one of two entries took part, or both, [M, M].

        Of an entry and itself it is 0.
        """
        places = np.concatenate([self.left, self.right])
        opponents = np.concatenate([self.right, self.left])
        met = np.bincount(places * self.size + opponents, minlength=self.size**2)
        met = met.reshape(self.size, self.size)
        total = met.sum(axis=1)
        either: Ints = total[:, None] + total - met
        np.fill_diagonal(either, 0)
        return either

    def counted(self, counts: NDArray[np.integer]) -> tuple[Floats, Floats]:
        """Return the battles and the wins of the first within each pair, [R, P] each.

        ``counts`` [R, n] say how often each battle was drawn. Half wins are halves.
        """
        of_outcomes = self._totals(counts)
        of_none = np.zeros((1, len(counts)), of_outcomes.dtype)
        lost, tied, won = np.concatenate([of_outcomes, of_none])[self._outcomes_of_pairs]
        tied_or_won = tied + won
        met = np.ascontiguousarray((lost + tied_or_won).T, np.float64)
        half_wins = np.ascontiguousarray((tied_or_won + won).T, np.float64)
        return met, half_wins / _WON

    @cached_property
    def _outcomes_of_pairs(self) -> Ints:
        """The place of each outcome of a pair, [3, P], among those that are counted, or behind."""
        first, second = self.pairs
        outcomes = self._totals.outcomes
        pair, half = np.divmod(outcomes, _WON + 1)
        places = np.full((_WON + 1, first.size), outcomes.size)
        places[half, np.searchsorted(first * self.size + second, pair)] = np.arange(outcomes.size)
        return places

    @cached_property
    def _totals(self) -> OutcomeTotals:
        return OutcomeTotals(self.outcomes)

    def summed(self, of_first: Floats, of_second: Floats) -> Floats:
        """Add up what pairs [R, P] give their first and second entries, [R, M]."""
        sums = np.zeros((len(of_first), self.size))
        entries, starts = self._firsts
        sums[:, entries] = np.add.reduceat(of_first, starts, axis=1)
        entries, starts = self._seconds
        by_second = np.take(of_second, self._by_second, axis=1)
        sums[:, entries] += np.add.reduceat(by_second, starts, axis=1)
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

    def connected(self, met: Floats, won: Floats) -> Bools:
        """Whether wins, [R, P], lead from every entry to every other, [R]: then strengths exist."""
        first_won = won > 0
        second_won = met > won
        return self._reaches_all(first_won, second_won) & self._reaches_all(second_won, first_won)

    def _reaches_all(self, to_second: Bools, to_first: Bools) -> Bools:
        """Whether the edges within pairs [R, P] lead from the first entry to every other, [R]."""
        first, second = self.pairs
        edges = np.zeros((len(to_second), self.size, self.size), np.bool_)
        edges[:, first, second] = to_second
        edges[:, second, first] = to_first
        reached = edges[:, 0].copy()
        reached[:, 0] = True
        before = 0
        while before < (now := int(np.count_nonzero(reached))):
            before = now
            reached |= (edges & reached[:, :, None]).any(axis=1)
        return np.asarray(reached.all(axis=1))

    def peak(self, met: Floats, won: Floats) -> Peak | None:
        """Return where the likelihood of the battles, [1, P] each, is largest; None if nowhere."""
        (strengths,) = self.strengths(met, won)
        if np.isnan(strengths).any():
            return None
        _, information = self.derivatives(met, won, strengths[None])
        # Less what was added to the information, or rounding errors would move all strengths alike.
        inverse = np.linalg.inv(information[0]) - 1.0 / self.size
        return Peak(strengths, inverse, float(met.sum()))

    def strengths(self, met: Floats, won: Floats, peak: Peak | None = None) -> Floats:
        """Return strengths [R, M] from battles and wins of the first, [R, P] each.

        They are nan on resamples where they do not exist. They are sought from those at ``peak``.
        """
        strengths = np.full((len(met), self.size), np.nan)
        step = max(1, _HELD // self.size**2)
        for begin in range(0, len(met), step):
            few = np.arange(begin, min(begin + step, len(met)))
            few = few[self.connected(met[few], won[few])]
            if peak is not None:
                strengths[few] = self._near(met[few], won[few], peak)
                few = few[np.isnan(strengths[few, 0])]
            if few.size:
                start = None if peak is None else peak.strengths
                strengths[few] = self._newton(met[few], won[few], start)
        return np.round(strengths, _OF_STRENGTHS)

    def _near(self, met: Floats, won: Floats, peak: Peak) -> Floats:
        """Return the maximum of each likelihood; nan where steps do not shorten fast enough.

        The steps are Newton's with the information at ``peak``, divided by the share of battles, in
        place of that of each likelihood (the chord method, Ortega and Rheinboldt 1970, ch. 7). They
        are more than Newton's, but need no information and no solution of equations. With
        odds e_i = exp(β_i), entry i is expected to win Σ_j met_ij · e_i / (e_i + e_j).
        """
        first, second = self.pairs
        met_of_both = np.zeros((len(met), self.size, self.size))
        met_of_both[:, first, second] = met
        met_of_both[:, second, first] = met
        wins = self.summed(won, met - won)
        share = met.sum(axis=1, keepdims=True) / peak.battles
        beta = np.tile(peak.strengths, (len(met), 1))
        terms = np.empty_like(met_of_both)
        before = np.full(len(met), np.inf)
        pending = np.full(len(met), True)  # neither close nor given up
        close = ~pending
        last = False
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            while not last:
                last = not pending.any()
                odds = np.exp(beta)
                np.add(odds[:, :, None], odds[:, None, :], out=terms)
                np.divide(met_of_both, terms, out=terms)
                surplus = wins - odds * terms.sum(axis=2)
                step = surplus @ peak.inverse / share
                beta += step
                longest = np.abs(step).max(axis=1)
                close |= pending & (longest <= _CLOSER)
                pending &= ~close & (longest <= _SHORTER * before)
                before = longest
        beta[~close] = np.nan
        return np.asarray(beta - beta.mean(axis=1, keepdims=True))

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
