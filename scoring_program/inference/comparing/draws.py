"""Standardized draws of the differences of all pairs: what every max-T algorithm takes.

T̃_ij says how far entry i is ahead of entry j, in standard errors. A resample draws the same
quantity under the hypothesis that the two are equal: Z_ij = (R_i − R_j) / scale, R = θ* − θ. The
scale is se_ij, the standard deviation of the replicates, which is the same on every resample.
`ResampledErrors` give, for the pairs that they number, a second scale, the standard error that the
resample itself estimates (bootstrap-t). The larger of the two draws counts, so that Z_ji is −Z_ij
only where there is one scale.

Where scores are counts, R is a whole number of examples. Single precision holds it exactly, in half
the memory and the time; only its product with 1 / scale is rounded, to seven digits.

Algorithms walk over blocks of resamples, so that m(m−1) draws of all resamples never lie in memory,
and the standard errors of a block are computed once. Afterwards they ask for the draws of some
pairs on the few resamples that can decide.

A pair with `in_maximum` False takes part in no maximum over the families: an entry with itself, two
runs of one team (which are not `rivals` at all), two entries whose difference does not vary, and
any other pair that is not reliable (`reliable`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ...core.arrays import Array, Bools, Floats, Ints, Reals
from ...core.rounding import negligible, repeats
from .distributions import normal_tail, normal_tail_quantile, t_tail, t_tail_quantile

#: Bytes of a block [m, b]: rows so long that it hardly matters that NumPy begins each anew; fewer
#: where the ratios of all pairs lie in memory beside them.
_AT_ONCE = 2**21
_WITH_RATIOS = 2**19
#: What draws and statistics are rounded by, relatively: in double and in single precision.
_ROUNDED = (1e-11, 4 * float(np.finfo(np.float32).eps))
#: Consecutive rows or columns, or chosen ones.
Chosen: TypeAlias = slice | Ints
#: Arrays in single precision.
Singles: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class ResampledErrors:
    """The standard errors se* of the differences of some pairs that each resample estimates."""

    reason: str  # why they are used: a key of the page's texts
    errors: Floats  # [m, m]: what the statistics of these pairs are divided by
    row: Ints  # [m, m], symmetric: the row of a pair among the ratios; −1 for pairs with one scale
    #: Returns se / se* [rows, b] of some rows on some resamples.
    ratios: Callable[[Chosen, Chosen], Singles]


@dataclass(frozen=True, eq=False)
class Draws:
    """Statistics T̃, and draws Z of the same quantities if all entries were equal."""

    statistics: Floats  # T̃ [m, m]
    deviations: Reals  # R [m, B], as multiples of ``unit``
    errors: Floats  # se [m, m], 0 on the diagonal
    rivals: Bools  # [m, m], symmetric: pairs that may be compared; False on the diagonal
    resampled: ResampledErrors | None = None
    unit: float = 1.0
    reliable: Bools | None = None  # [m, m], symmetric: the pairs of the families; None for all
    wide: Floats | None = None  # [m, m] what T is divided by, where that is not ``errors``

    @property
    def entries(self) -> int:
        """Number of entries, m."""
        return int(self.deviations.shape[0])

    @property
    def resamples(self) -> int:
        """Number of resamples, B."""
        return int(self.deviations.shape[1])

    @property
    def why(self) -> str | None:
        """Why draws have a second scale; None if they have not."""
        return None if self.resampled is None else self.resampled.reason

    @property
    def has_second_scale(self) -> Bools:
        """Which pairs [m, m] have a second scale."""
        if self.resampled is None:
            return np.zeros(self.errors.shape, np.bool_)
        return np.asarray(self.resampled.row >= 0)

    @property
    def studentized(self) -> int:
        """Number of pairs with a second scale."""
        return int(np.count_nonzero(self.has_second_scale)) // 2

    @cached_property
    def varying(self) -> Bools:
        """Which pairs [m, m] of rivals have a difference that varies."""
        return np.asarray(self.rivals & (self.errors > 0))

    @cached_property
    def in_maximum(self) -> Bools:
        """Which pairs [m, m] are in the families, and so in maxima over pairs."""
        return self.varying if self.reliable is None else self.varying & self.reliable

    @cached_property
    def inverse_errors(self) -> Reals:
        """What turns `deviations` into standard errors: unit / se [m, m], 0 where se is 0."""
        inverse = np.zeros_like(self.errors)
        np.divide(self.unit, self.errors, out=inverse, where=self.errors > 0)
        return inverse.astype(self.deviations.dtype)

    @cached_property
    def thresholds(self) -> Reals:
        """What draws of the pairs must be to reach T̃, [m, m]: less by what both are rounded by.

        So a draw that equals T̃, as draws of counts do, reaches it.
        """
        thresholds = self.statistics.astype(self.deviations.dtype)
        rounded = _ROUNDED[thresholds.dtype == np.float32] * np.abs(thresholds)
        return np.subtract(thresholds, rounded, out=thresholds, where=np.isfinite(thresholds))

    def take(self, entries: Ints) -> Draws:
        """Return the draws of the pairs of some entries, in their order."""
        block = np.ix_(entries, entries)
        resampled = self.resampled
        if resampled is not None:
            errors = resampled.errors[block]
            row = resampled.row[block]
            resampled = replace(resampled, errors=errors, row=row) if (row >= 0).any() else None
        return Draws(
            self.statistics[block],
            self.deviations[entries],
            self.errors[block],
            self.rivals[block],
            resampled,
            self.unit,
            None if self.reliable is None else self.reliable[block],
            None if self.wide is None else self.wide[block],
        )

    def among(self, entries: Ints, every: Draws) -> Draws:
        """Return these draws, of the pairs of some ``entries`` of ``every``, in its numbers.

        Other pairs have their statistics and errors from it, and are in no maximum.
        """
        block = np.ix_(entries, entries)
        statistics = every.statistics.copy()
        errors = every.errors.copy()
        reliable = np.zeros(errors.shape, np.bool_)
        deviations = np.zeros((every.entries, self.resamples), self.deviations.dtype)
        statistics[block] = self.statistics
        errors[block] = self.errors
        reliable[block] = self.in_maximum
        deviations[entries] = self.deviations
        resampled = self.resampled
        if resampled is not None:
            row = np.full(errors.shape, -1, np.intp)
            wide = errors.copy()
            row[block] = resampled.row
            wide[block] = resampled.errors
            resampled = replace(resampled, errors=wide, row=row)
        scale = None if every.wide is None else every.wide.copy()
        if scale is not None and self.wide is not None:
            scale[block] = self.wide
        return Draws(
            statistics, deviations, errors, every.rivals, resampled, self.unit, reliable, scale
        )

    def blocks(self) -> Iterator[slice]:
        """Yield slices of consecutive resamples that together are all of them."""
        size = _AT_ONCE if self.resampled is None else _WITH_RATIOS
        step = max(1, size // self.entries // LINE) * LINE // self.deviations.itemsize
        for start in range(0, self.resamples, step):
            yield slice(start, min(start + step, self.resamples))

    def leads(self, entry: int, rivals: Ints, resamples: Chosen) -> Reals:
        """Return Z [k, b] of an entry over its ``rivals`` [k] on chosen resamples [b].

        Only pairs that are `varying` have a meaning.
        """
        return self._larger(self._plain(entry, rivals, resamples), entry, rivals, resamples)

    def trails(self, entry: int, rivals: Ints, resamples: Chosen) -> Reals:
        """Return Z [k, b] of the ``rivals`` [k] over an entry; the rest is as in `leads`."""
        behind = self._plain(entry, rivals, resamples)
        np.negative(behind, out=behind)
        return self._larger(behind, entry, rivals, resamples)

    def _plain(self, entry: int, rivals: Ints, resamples: Chosen) -> Reals:
        """Return the draws of `leads` by the plain scale."""
        ahead = self._chosen(rivals, resamples)
        of_entry = self.deviations[entry]
        of_entry = of_entry[resamples] if isinstance(resamples, slice) else of_entry.take(resamples)
        with without_copies(of_entry.size):
            np.subtract(of_entry, ahead, out=ahead)
            ahead *= self.inverse_errors[entry, rivals][:, None]
        return ahead

    def _chosen(self, entries: Ints, resamples: Chosen) -> Reals:
        """Return R [k, b] of some entries on chosen resamples, in memory of its own."""
        if isinstance(resamples, slice):
            return self.deviations[:, resamples][entries]
        first = entries.min(initial=self.entries)
        end = entries.max(initial=-1) + 1
        if end - first > 2 * entries.size:
            # Numbers in the flattened array: faster than two lists of indices.
            return self.deviations.ravel().take(entries[:, None] * self.resamples + resamples)
        # Twice as fast, although nobody asked for some of these rows.
        rows: Reals = self.deviations[first:end].take(resamples, axis=1)
        return rows[side_by_side(entries - first)]

    def _larger(self, plain: Reals, entry: int, rivals: Ints, resamples: Chosen) -> Reals:
        """Return the draws by the scale that makes them larger, in the memory of ``plain``."""
        if self.resampled is not None:
            row = self.resampled.row[entry, rivals]
            with_ratio = np.flatnonzero(row >= 0)
            _enlarge(plain, with_ratio, self.resampled.ratios(row[with_ratio], resamples))
        return plain


class DrawsBlock:
    """The draws of all pairs on b consecutive resamples."""

    def __init__(self, draws: Draws, resamples: slice) -> None:
        resampled = draws.resampled
        dtype = draws.deviations.dtype
        shape = draws.entries, resamples.stop - resamples.start
        self.draws = draws
        self.deviations = aligned(shape, dtype)  # R [m, b]
        self.deviations[:] = draws.deviations[:, resamples]
        # se / se* [rows, b]
        self.ratios = None if resampled is None else resampled.ratios(slice(None), resamples)
        # Memory for the draws of an entry: used again, it stays in a core's cache.
        self._rooms = [aligned(shape, dtype) for _ in range(1 if resampled is None else 3)]

    def both(self, entry: int, rivals: Chosen) -> tuple[Reals, Reals]:
        """Return Z [k, b] of an entry over rivals, and of them over it, negated.

        Of one scale they are the same: memory that the next call uses again.
        """
        inverse_errors = self.draws.inverse_errors[entry, rivals]
        room = self._rooms[0][: inverse_errors.size]
        ahead = np.subtract(self.deviations[entry], self.deviations[rivals], out=room)
        ahead *= inverse_errors[:, None]
        if self.draws.resampled is None or self.ratios is None:
            return ahead, ahead
        row = self.draws.resampled.row[entry, rivals]
        if not (row >= 0).any():
            return ahead, ahead
        # A pair with one scale takes any ratio, and then its draw again.
        least = self._rooms[1][: row.size]
        ratios = self.ratios[side_by_side(row)]
        scaled = np.multiply(ahead, ratios, out=self._rooms[2][: row.size])
        plain = np.flatnonzero(row < 0)
        scaled[plain] = ahead[plain]
        np.minimum(ahead, scaled, out=least)
        return least, np.maximum(ahead, scaled, out=ahead)


def side_by_side(rows: Ints) -> Chosen:
    """Return rows as a slice, which needs no copies, if they lie side by side in this order."""
    if rows.size and rows[0] >= 0 and (np.diff(rows) == 1).all():
        return slice(int(rows[0]), int(rows[-1]) + 1)
    return rows


def _enlarge(draws: Reals, rows: Ints, ratios: Singles) -> None:
    """Multiply some ``rows`` of ``draws`` [k, b] by their ratios where that makes them larger."""
    draws[rows] = np.maximum(draws[rows], draws[rows] * ratios)


# Fast rows ----------------------------------------------------------------------------------------

# What makes NumPy twice as fast where a row or a column is combined with every row of a block.


#: Bytes in a line of a core's cache.
LINE = 64
#: NumPy's buffer is a multiple of so many numbers.
_BUFFER = 16


def aligned(shape: tuple[int, ...], dtype: DTypeLike, value: float = 0.0) -> Array:
    """Return an array full of a value, in memory that begins with a line of the cache.

    If a row is a number of whole lines, every row begins with one.
    """
    size = prod(shape)
    line = LINE // np.dtype(dtype).itemsize
    memory: Array = np.empty(size + line - 1, dtype)
    begin = -(memory.ctypes.data // memory.itemsize) % line
    array = memory[begin : begin + size].reshape(shape)
    array.fill(value)
    return array


@contextmanager
def without_copies(length: int) -> Iterator[None]:
    """Keep NumPy from copying what it combines with rows of this length, in this thread alone.

    Where two or more rows fit NumPy's buffer, it fills the buffer with copies of the row or the
    column, to pass over several rows at once. This takes as long as the work itself.
    """
    before = np.setbufsize(max(length // 2 // _BUFFER, 1) * _BUFFER)
    try:
        yield
    finally:
        np.setbufsize(before)


# Ranks --------------------------------------------------------------------------------------------

# The statistics of `step_down`, and what follows from what is shown: ranks, and which of them are
# possible (algorithms C, E and F). Entries are oriented so that higher is better;
# δ_ij = θ_i − θ_j is how far i is ahead of j, se_ij the standard deviation of δ*_ij.
#
# ``competing`` [m] marks the entries that can win. The others (baselines) are compared with them
# and do not change their results.


#: Replicates of all entries that are ranked at once: half a megabyte.
_RANKED_AT_ONCE = 2**16


def studentize(
    theta: Floats, errors: Floats, units: int | Floats, shrunk: Bools | None = None
) -> Floats:
    """Return T̃ [m, m], the studentized differences with the small-sample correction.

    ``errors`` [m, m] holds se_ij, ``units`` is N, the number of resampled examples or groups. For T
    = δ/se > 0, T̃ = Φ̄⁻¹(F̄_{t, N−1}(T·√((N−1)/N))). This maps the statistic from a t to a normal
    distribution, which shrinks it; T ≤ 0 stays. (Without it, the family-wise error at m = 20, n =
    50 is .109 instead of .045.) se = 0 gives 0 if δ = 0, and otherwise ±∞. Only the pairs that
    ``shrunk`` [m, m] marks are shrunk, if it is given. Of normal draws, ``units`` [m, m] are those
    of each pair.
    """
    difference = theta[:, None] - theta[None, :]
    difference[np.abs(difference) <= negligible(theta[:, None], theta[None, :])] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(difference == 0, 0.0, difference / errors)
    shrinks = np.isfinite(statistic) & (statistic > 0)
    if shrunk is not None:
        shrinks &= shrunk
    pair_units = units[shrinks] if isinstance(units, np.ndarray) else units
    if shrinks.any() and np.all(pair_units > 1):
        scaled = statistic[shrinks] * np.sqrt((pair_units - 1) / pair_units)
        statistic[shrinks] = normal_tail_quantile(t_tail(pair_units - 1, scaled))
    return statistic


def unshrunk(statistics: Floats, units: int | Floats) -> Floats:
    """Return the T of each T̃ [...], the inverse of what `studentize` does to T > 0."""
    widened = np.array(statistics, np.float64)
    shrinks = np.isfinite(widened) & (widened > 0)
    pair_units = units[shrinks] if isinstance(units, np.ndarray) else units
    if shrinks.any() and np.all(pair_units > 1):
        quantile = t_tail_quantile(pair_units - 1, normal_tail(widened[shrinks]))
        widened[shrinks] = quantile * np.sqrt(pair_units / (pair_units - 1))
    return widened


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


def rank_frequencies(
    replicates: Floats, competing: Bools, scale: float = 0.0, *, counted: bool = False
) -> Floats:
    """Algorithm F: the share [m, m] of resamples in which entry i takes rank r + 1.

    Ties share the better rank; what only rounding tells apart is a tie (`core.rounding`, there
    ``scale``), but of scores that are ``counted``, which are never rounded apart. This is a
    bootstrap frequency and not the probability of being the best: among 20 equal teams, the leader
    takes rank 1 in .36 of the resamples, but the probability is .05.
    """
    entries, resamples = replicates.shape
    counts = np.zeros(entries * entries, np.intp)
    places = np.arange(1, entries)
    rows = np.arange(0, counts.size, entries)
    step = max(1, _RANKED_AT_ONCE // entries)
    for start in range(0, resamples, step):
        drawn = np.ascontiguousarray(-replicates[:, start : start + step].T)
        order = np.argsort(drawn, axis=1)  # best first; the order of ties changes nothing
        ordered = np.take_along_axis(drawn, order, axis=1)
        before = places if competing.all() else np.cumsum(competing[order[:, :-1]], axis=1)
        # Rivals before the first of those that tie, and 0 at the others, which take the same.
        ahead = np.zeros(order.shape, np.intp)
        equal = ordered[:, 1:] == ordered[:, :-1] if counted else repeats(ordered, scale)
        np.multiply(before, ~equal, out=ahead[:, 1:])
        np.maximum.accumulate(ahead, axis=1, out=ahead)
        ahead += rows[order]
        counts += np.bincount(ahead.ravel(), minlength=counts.size)
    return counts.reshape(entries, entries) / float(resamples)


# Runs of teams ------------------------------------------------------------------------------------

# What is true of teams follows from what is shown about their runs. Where a team sent several
# runs and one stands for it, every run is tested. A team is shown better than a run if one of its
# own runs is, and worse if all of its runs are. A team's range of ranks reaches from the best
# rank of any of its runs to the best of their worst ranks, so it may be the best team if one of
# its runs may be. With only one run of each team in the tests, the one selected on the same data,
# a truly best team is kept in .84, .76 and .61 of competitions of 9 × 5, 9 × 20 and 1 × 50 runs;
# with all, in .91 or more.
#
# Matrices are indexed (better, worse). ``competing`` [m] marks the teams that can win.


def runs_of(entry_of: Ints, entries: int) -> list[Ints]:
    """Return every team's runs, given the entries [k] that stand for the teams of the runs."""
    return [np.flatnonzero(entry_of == entry) for entry in range(entries)]


def of_least_beaten(better: Bools, teams: list[Ints], competing: Bools) -> Bools:
    """Return, for each team, the teams with a run that is better than its run least beaten."""
    ahead = np.array([better[runs].any(axis=0) for runs in teams])  # [team, run]
    beaten = np.count_nonzero(ahead[competing], axis=0)
    return ahead[:, [runs[beaten[runs].argmin()] for runs in teams]]


def of_most_beating(better: Bools, teams: list[Ints], competing: Bools) -> Bools:
    """Return, for each team, the teams all of whose runs are worse than its run that beats most."""
    behind = np.array([better[:, runs].all(axis=1) for runs in teams]).T  # [run, team]
    beats = np.count_nonzero(behind[:, competing], axis=1)
    return behind[[runs[beats[runs].argmax()] for runs in teams]]
