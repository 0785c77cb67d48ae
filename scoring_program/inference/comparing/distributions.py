"""Bootstrap distributions of k quantities, as intervals and p-values need them.

The scores and replicates of one metric are a `Bootstrap`. The differences of its entries are
`Replicated`, numbers that are sorted, or `CountedDifferences`, if scores are counts out of n.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from statistics import NormalDist
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...core.arrays import Array, Bools, Floats, Ints, Reals

# Normal and t -------------------------------------------------------------------------------------

# Tails of the normal and of Student's t distribution, without SciPy: importing scipy.special
# takes longer than scoring one submission. They agree with it to about 12 digits. Student's t is
# integrated in y, y² = ν·log(1 + t²/ν): there, its density is that of the normal distribution
# times √(x / (1 − e^−x)), x = y²/ν, which is smooth and hardly varies.


_NORMAL = NormalDist()
#: exp(−y²/2) adds nothing to a tail beyond y² = y₀² + this.
_NEGLIGIBLE = 84.0
#: Nodes of Gauss's quadrature. With 24, tails are off by less than 1e-9 of them, with 32 by 1e-12.
_NODES = 32
#: Steps of Newton's method, which doubles the digits with each.
_STEPS = 6
#: What stands for ∞, whose square can be computed with, and for 0, whose logarithm can.
_GREAT = 1e150
_LEAST = 1e-300


def normal_tail(x: Floats) -> Floats:
    """Return the probabilities [...] that a standard normal variable exceeds ``x`` [...]."""
    return _mapped(map(math.erfc, (math.sqrt(0.5) * x).ravel().tolist()), x) / 2


def normal_tail_quantile(p: Floats) -> Floats:
    """Return what a standard normal variable exceeds with probabilities ``p`` [...]; ∞ for 0."""
    inverse = _NORMAL.inv_cdf
    return _mapped((-inverse(tail) if tail > 0 else math.inf for tail in p.ravel().tolist()), p)


def t_tail(freedom: float | Floats, t: Floats) -> Floats:
    """Return the probabilities [...] that Student's t exceeds ``t`` [...], none of it negative."""
    if isinstance(freedom, np.ndarray):
        from scipy.special import stdtr  # a fifth of a second; few competitions need it

        return np.asarray(stdtr(freedom, -t))
    y = np.sqrt(freedom * np.log1p(np.square(np.minimum(t, _GREAT)) / freedom))
    return _tail(freedom, y)[0]


def t_tail_quantile(freedom: float | Floats, p: Floats) -> Floats:
    """Return what Student's t exceeds with probabilities ``p`` [...] of at most .5; ∞ for 0."""
    if isinstance(freedom, np.ndarray):
        from scipy.special import stdtrit  # as above

        return np.where(p > 0, -stdtrit(freedom, np.maximum(p, _LEAST)), np.inf)
    distinct, places = np.unique(np.maximum(p, _LEAST), return_inverse=True)
    y = normal_tail_quantile(distinct)
    for _ in range(_STEPS):
        tail, density = _tail(freedom, y)
        y = np.maximum(y + np.log(np.maximum(tail, _LEAST) / distinct) * tail / density, 0.0)
    with np.errstate(over="ignore"):
        t = np.sqrt(freedom * np.expm1(np.square(y) / freedom))
    return np.where(p > 0, t[places].reshape(p.shape), np.inf)


def _tail(freedom: float, y: Floats) -> tuple[Floats, Floats]:
    """Return the tails beyond ``y`` [...], and the densities there.

    The integral over the half line, which is a probability of one half, divides by all constants.
    """
    start = np.append(y.ravel(), 0.0)
    length = _NEGLIGIBLE / (start + np.sqrt(np.square(start) + _NEGLIGIBLE))
    nodes, weights = _gauss()
    total = np.zeros_like(start)
    for node, weight in zip(nodes, weights, strict=True):
        total += weight * _density(freedom, start + node * length)
    total *= length
    constant = 2 * total[-1]
    return (total[:-1] / constant).reshape(y.shape), _density(freedom, y) / constant


@cache
def _gauss() -> tuple[Floats, Floats]:
    """Return Gauss's nodes from 0 to 1 and their weights: Legendre's polynomial by Newton's method.

    ``np.polynomial`` has them, too, and takes longer to import than all that is computed here. An
    eigenvalue problem, after Golub and Welsch (1969), has other last digits on other processors.
    Source: Press, Teukolsky, Vetterling and Flannery 2007, *Numerical Recipes*, section 4.6.
    """
    x = np.array([math.cos(math.pi * (k + 0.75) / (_NODES + 0.5)) for k in range(_NODES)])
    for _ in range(_STEPS):
        lower = np.ones(_NODES)
        value = x
        for degree in range(2, _NODES + 1):
            higher = ((2 * degree - 1) * x * value - (degree - 1) * lower) / degree
            lower = value
            value = higher
        slope = _NODES * (x * value - lower) / (x * x - 1)
        x = x - value / slope
    return (x + 1) / 2, 1 / ((1 - x * x) * np.square(slope))


def _density(freedom: float, y: Floats) -> Floats:
    """Return what the density at ``y`` [...] is proportional to."""
    x = np.maximum(np.square(y) / freedom, np.finfo(np.float64).tiny)
    return np.asarray(np.exp(-freedom * x / 2) * np.sqrt(x / -np.expm1(-x)))


def _mapped(values: Iterable[float], like: Floats) -> Floats:
    return np.fromiter(values, np.float64, like.size).reshape(like.shape)


# Replicates ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Replicated:
    """B replicates of each of k quantities, ``rows`` [k, B].

    Where their tails begin is found faster with their ``moments``: mean and standard deviation, [k]
    each, if these are known.
    """

    rows: Floats
    moments: tuple[Floats, Floats] | None = None

    @property
    def resamples(self) -> int:
        """Number of replicates, B."""
        return int(self.rows.shape[1])

    def order_statistics(self, places: Sequence[int]) -> Floats:
        """Return what stands at ascending places 0 … B−1 of the sorted replicates, [places, k]."""
        middle = self.resamples // 2
        low = [place for place in places if place < middle]
        high = [place - self.resamples for place in places if place >= middle]  # from the end
        smallest = max(low, default=-1) + 1
        largest = -min(high, default=0)
        if self.resamples < _SHORT or max(smallest, largest) > self.resamples // _GROUP:
            # NumPy sorts with the processor's vector instructions.
            return np.sort(self.rows, axis=1).T[list(places)]
        ordered = np.empty((len(self.rows), len(places)))
        in_tails = np.array(low + high)
        for values, tails in zip(ordered, self._tails(smallest, largest), strict=True):
            values[:] = tails.take(in_tails)
        return np.asarray(ordered.T)

    def _tails(self, smallest: int, largest: int) -> Iterator[Floats]:
        """Yield the sorted tails of each row: so many of the smallest and the largest, or more.

        Where the replicates are as normal as most are, their moments say where the tails begin.
        Elsewhere the groups do.
        """
        if self.moments is None:
            yield from _within(self.rows, *_limits(self.rows, smallest, largest))
            return
        mean, deviation = self.moments
        least = mean + _expected(smallest, self.resamples) * deviation
        most = mean - _expected(largest, self.resamples) * deviation
        by_moments = _within(self.rows, least[:, None], most[:, None])
        for row, tails in enumerate(by_moments):
            below = np.count_nonzero(tails <= least[row])
            above = np.count_nonzero(tails >= most[row])
            if below >= smallest and above >= largest:
                yield tails
            else:
                alone = self.rows[row : row + 1]
                yield from _within(alone, *_limits(alone, smallest, largest))

    def at_least(self, thresholds: Floats) -> Ints:
        """Count the replicates that reach the thresholds [k], [k]."""
        return _count_true(self.rows >= thresholds[:, None])

    def at_most(self, thresholds: Floats) -> Ints:
        """Count the replicates that do not exceed the thresholds [k], [k]."""
        return _count_true(self.rows <= thresholds[:, None])


def _count_true(flags: Bools) -> Ints:
    """Count the true ones of each row of flags [k, B], [k]: row by row in half the time."""
    return np.array([np.count_nonzero(row) for row in flags], np.intp)


# Tails --------------------------------------------------------------------------------------------


#: Fewer replicates are sorted, because that takes less time than the search for their tails.
_SHORT = 2000
#: The replicates are in groups of so many, whose least and largest say where the tails end.
_GROUP = 16
#: So many times the values of a tail are expected beyond the limit that the moments give: enough
#: for distributions that are a little skewed.
_MORE = 1.5


def _limits(rows: Floats, smallest: int, largest: int) -> tuple[Floats, Floats]:
    """Return limits [k, 1] of tails of rows [k, B] that hold so many of the smallest and largest.

    Where the least values of so many groups are at most a limit, at least as many values are. So
    the k-th of the least values limits the lower tail of k values.
    """
    size = rows.shape[1] // _GROUP
    groups = rows[:, : _GROUP * size].reshape(len(rows), _GROUP, size)
    least = np.full((len(rows), 1), -np.inf)
    most = np.full((len(rows), 1), np.inf)
    if smallest:
        least[:, 0] = np.partition(groups.min(axis=1), smallest - 1, axis=1)[:, smallest - 1]
    if largest:
        most[:, 0] = np.partition(groups.max(axis=1), size - largest, axis=1)[:, size - largest]
    return least, most


def _expected(count: int, resamples: int) -> float:
    """Return a normal quantile below which more than ``count`` of so many replicates are likely."""
    return _NORMAL.inv_cdf(_MORE * max(count, 1) / resamples)


def _within(rows: Floats, least: Floats, most: Floats) -> Iterator[Floats]:
    """Yield what of each row is at most ``least`` or at least ``most``, sorted: only that is."""
    inside = rows <= least
    np.logical_or(inside, rows >= most, out=inside)
    for row, is_inside in zip(rows, inside, strict=True):
        tails = row.take(np.flatnonzero(is_inside))
        tails.sort()
        yield tails


# Counted ------------------------------------------------------------------------------------------

# Fast differences of scores that are counts, such as accuracy, which is a count out of n.
#
# Counts need one or two bytes where floating-point numbers need eight. The moments of the
# differences of two such scores follow from sums over all entries at once. A quantile or a
# p-value follows from counting, a few times, how many replicates reach a value. This takes a
# fifth of the time of sorting.


#: Largest relative distance of a score from count / n: the rounding errors of its computation.
_ROUNDING = 4 * float(np.finfo(np.float64).eps)
#: Replicates per entry that are tested first, because most metrics are not counts.
_SAMPLE = 16
#: Largest count; differences of larger ones may not fit 32-bit integers.
_LARGEST = 2**30
#: Largest count up to which single precision holds every one.
_LARGEST_SINGLE = 2**24
#: Words of eight bytes, each 0 or 1, that can be added before a byte overflows.
_WORDS = 255
#: Resamples whose counts are multiplied at a time.
_COLUMNS = 2048
#: Bytes of booleans that are written and added up at a time.
_FLAGS = 2**20

Small = NDArray[np.unsignedinteger[Any]]


@dataclass(frozen=True, eq=False)
class CountedReplicates:
    """Replicates [m, B] as counts out of n: (lowest + above) / n, and (highest − below) / n."""

    n: int
    above: Small  # [m, B]
    below: Small  # [m, B]; both are small enough that their sums fit
    lowest: Ints  # [m]
    highest: Ints  # [m]
    size: int  # largest number of values that differences span

    @classmethod
    def from_replicates(cls, replicates: Floats, n: int) -> CountedReplicates | None:
        """Return the replicates as counts; None if they are not counts or span too many values."""
        if _whole(replicates[:, :_SAMPLE], n) is None or (counts := _whole(replicates, n)) is None:
            return None
        lowest = counts.min(axis=1)
        highest = counts.max(axis=1)
        spread = highest - lowest
        size = 2 * int(spread.max()) + 1
        if size > replicates.shape[1]:
            return None
        small = np.min_scalar_type(size)
        above = (counts - lowest[:, None]).astype(small)
        below = spread.astype(small)[:, None] - above
        return cls(n, above, below, lowest.astype(np.intp), highest.astype(np.intp), size)

    def deviations(self, theta: Floats) -> NDArray[np.float32] | None:
        """Return how far the counts [m, B] are from those of the scores ``theta`` [m].

        Single precision holds them exactly. None if the scores are not counts.
        """
        whole = _whole(theta[:, None], self.n)
        if whole is None:
            return None
        least = self.lowest - whole[:, 0]
        most = self.highest - whole[:, 0]
        if max(np.abs(least).max(), np.abs(most).max()) > _LARGEST_SINGLE:
            return None
        return self.above.astype(np.float32) + least.astype(np.float32)[:, None]

    @cached_property
    def sums(self) -> tuple[Ints, Floats, Floats]:
        """Origins o [m] near the means of ``above``, and sums of x = ``above`` − o over replicates.

        Σ x_i [m], and for all pairs Σ x_i·x_j [m, m]: integers, and so exact.
        """
        origins = np.rint(self.above.mean(axis=1)).astype(np.intp)
        entries, resamples = self.above.shape
        total = np.zeros(entries)
        products = np.zeros((entries, entries))
        for start in range(0, resamples, _COLUMNS):
            centered = self.above[:, start : start + _COLUMNS].astype(np.float64)
            centered -= origins[:, None]
            total += centered.sum(axis=1)
            products += centered @ centered.T
        return origins, total, products


@dataclass(frozen=True, eq=False)
class CountedDifferences:
    """B replicates of the advantages of the entries ``first`` [k] over ``second`` [k]."""

    counts: CountedReplicates
    first: Ints
    second: Ints

    @property
    def resamples(self) -> int:
        """Number of replicates, B."""
        return int(self.counts.above.shape[1])

    @cached_property
    def _least(self) -> Ints:
        """The counts [k] that ``_values`` start from."""
        return self.counts.lowest[self.first] - self.counts.highest[self.second]

    @cached_property
    def _values(self) -> Small:
        """The differences' counts above ``_least``, [k, B]."""
        values = self.counts.below.take(self.second, axis=0)
        for entry, pairs in _by_first(self.first):
            values[pairs] += self.counts.above[entry]
        return values

    @cached_property
    def moments(self) -> tuple[Floats, Floats]:
        """Mean and standard deviation (ddof 1), [k] each."""
        i = self.first
        j = self.second
        resamples = self.resamples
        n = self.counts.n
        origins, total, products = self.counts.sums
        starts = origins + self.counts.lowest
        # Raw moments of x_i − x_j.
        mean = (total[i] - total[j]) / resamples
        squares = products.diagonal()
        square = (squares[i] - 2 * products[i, j] + squares[j]) / resamples
        variance = np.maximum(square - mean * mean, 0.0) * resamples / (resamples - 1)
        return (starts[i] - starts[j] + mean) / n, np.sqrt(variance) / n

    def order_statistics(self, places: Sequence[int]) -> Floats:
        """Return the sorted replicates at ascending places 0 … B−1, [places, k]."""
        mean, deviation = self.moments
        ordered = np.empty((len(places), self.first.size), np.intp)
        # More than `place` replicates are at most `high`; no more than `place` are at most `low`.
        low = np.full(self.first.size, -1)
        high = np.full(self.first.size, self.counts.size - 1)
        up_to_high = np.full(self.first.size, self.resamples)
        for number, place in enumerate(places):
            reopened = up_to_high <= place
            low[reopened] = high[reopened]
            high[reopened] = self.counts.size - 1
            up_to_high[reopened] = self.resamples
            # Start at a normal quantile, double the steps, then halve the range.
            quantile = NormalDist().inv_cdf((place + 0.5) / self.resamples)
            start = np.rint((mean + quantile * deviation) * self.counts.n).astype(np.intp)
            trial = np.clip(start - self._least, low + 1, high - 1)
            step = 1
            while (searched := np.flatnonzero(high - low > 1)).size:
                tried = trial[searched]
                everything = searched.size == high.size
                up_to = self._up_to(tried, None if everything else searched)
                enough = up_to > place
                below = searched[enough]
                beyond = searched[~enough]
                high[below] = tried[enough]
                up_to_high[below] = up_to[enough]
                low[beyond] = tried[~enough]
                onwards = tried + np.where(enough, -step, step)
                inside = (low[searched] < onwards) & (onwards < high[searched])
                halfway = (low[searched] + high[searched]) // 2
                trial[searched] = np.where(inside, onwards, halfway)
                step *= 2
            ordered[number] = high
        return np.asarray((ordered + self._least) / self.counts.n)

    def at_least(self, thresholds: Floats) -> Ints:
        """Count the replicates that reach the thresholds [k], [k]."""
        lowest = np.ceil(thresholds * self.counts.n) - self._least
        return self.resamples - self._up_to(np.clip(lowest - 1, -1, self.counts.size))

    def at_most(self, thresholds: Floats) -> Ints:
        """Count the replicates that do not exceed the thresholds [k], [k]."""
        highest = np.floor(thresholds * self.counts.n) - self._least
        return self._up_to(np.clip(highest, -1, self.counts.size))

    def _up_to(self, bounds: Array, pairs: Ints | None = None) -> Ints:
        """Count the values of (some of) the pairs up to the bounds −1 … size; [k] or [pairs]."""
        limits = np.maximum(bounds, 0).astype(self._values.dtype)[:, None]
        counted = np.empty(bounds.size, np.intp)
        for start in range(0, bounds.size, len(self._flags)):
            part = slice(start, start + len(self._flags))
            values = self._values[part] if pairs is None else self._values.take(pairs[part], axis=0)
            flags = self._flags[: len(values)]
            np.less_equal(values, limits[part], out=flags[:, : self.resamples])
            # Add bytes of 0 and 1 eight at a time: three times as fast as count_nonzero, and
            # another thread can work at the same time.
            words = flags.view(np.uint64).reshape(len(flags), -1, _WORDS)
            counted[part] = words.sum(axis=2).view(np.uint8).sum(axis=1, dtype=np.intp)
        return np.where(bounds < 0, 0, counted)

    @cached_property
    def _flags(self) -> Bools:
        """Memory for one boolean per difference, [rows, B padded with zeros to whole words].

        Few enough rows that they stay in a core's cache.
        """
        step = 8 * _WORDS
        width = -(-self.resamples // step) * step
        flags = np.empty((min(self.first.size, max(1, _FLAGS // width)), width), np.bool_)
        flags[:, self.resamples :] = False
        return flags


def _whole(values: Floats, n: int) -> NDArray[np.int32] | None:
    """Return values · n as integers; None unless all are small integers up to rounding."""
    counts = np.empty(values.shape, np.int32)
    for row, whole_row in zip(values, counts, strict=True):
        scaled = row * n
        whole = np.rint(scaled)
        sizes = np.abs(whole)
        if (np.abs(scaled - whole) > _ROUNDING * sizes).any() or (sizes > _LARGEST).any():
            return None
        whole_row[:] = whole
    return counts


#: B replicates of each of k quantities.
Distribution: TypeAlias = Replicated | CountedDifferences


# Oriented -----------------------------------------------------------------------------------------


#: Bytes of differences that are in memory at once: of counts, and of other scores.
_SEARCHED = 2**23
_ORDERED = 2**20


class Bootstrap:
    """Scores and replicates oriented so that higher is better; one row per entry.

    They are ``theta`` [m] and ``replicates`` [m, B], rows contiguous. The scores may be counts out
    of n ``examples``, if that is not None.
    """

    def __init__(self, theta: Floats, replicates: Floats, examples: int | None = None) -> None:
        self.theta = theta
        self.replicates = replicates
        self.entries = theta.size
        self.resamples = int(replicates.shape[1])
        # The replicates as counts; None if the metric does not count examples.
        self.counts: CountedReplicates | None = None
        if examples is not None:
            self.counts = CountedReplicates.from_replicates(replicates, examples)
        # Bytes of a replicate of a difference, and the pairs whose differences are in memory at
        # once. A core's cache holds numbers while they are ordered. Counts are searched in many
        # passes, each of which is cheaper for many pairs.
        compared = replicates if self.counts is None else self.counts.above
        self.width = compared.itemsize
        room = _ORDERED if self.counts is None else _SEARCHED
        self.pairs_at_once = max(1, room // (self.resamples * self.width))

    @classmethod
    def oriented(
        cls, theta: Floats, rows: Floats, *, greater_is_better: bool, examples: int | None = None
    ) -> Bootstrap:
        """Negate the scores [m] and the replicates [m, B] of a metric where lower is better."""
        sign = 1 if greater_is_better else -1
        return cls(sign * theta, rows if greater_is_better else -rows, examples)

    def differences(
        self, first: Ints, second: Ints, moments: tuple[Floats, Floats] | None = None
    ) -> Distribution:
        """Return the distributions of the advantages of entries ``first`` over ``second``, [k].

        Their ``moments``, where they are known, save time.
        """
        if self.counts is not None:
            return CountedDifferences(self.counts, first, second)
        return Replicated(_differences(self.replicates, first, second), moments)

    def moments(self, first: Ints, second: Ints) -> tuple[Floats, Floats]:
        """Return mean and standard deviation (ddof 1) of `differences`, [k] each."""
        if self.counts is not None:
            return CountedDifferences(self.counts, first, second).moments
        means, centered = self._centered
        differences = _differences(centered, first, second)
        squares = np.einsum("kb,kb->k", differences, differences)
        return means[first] - means[second], np.sqrt(squares / (self.resamples - 1))

    @cached_property
    def _centered(self) -> tuple[Floats, Floats]:
        """The means [m] of the replicates, and the replicates less them [m, B]."""
        means = self.replicates.mean(axis=1)
        return means, self.replicates - means[:, None]

    @cached_property
    def deviations(self) -> tuple[Reals, float]:
        """R = θ* − θ [m, B] as multiples of a unit, and the unit."""
        counts = self.counts
        counted = None if counts is None else counts.deviations(self.theta)
        if counts is None or counted is None:
            return self.replicates - self.theta[:, None], 1.0
        return counted, 1 / counts.n


def _differences(rows: Floats, first: Ints, second: Ints) -> Floats:
    """Return rows[first] − rows[second], [k, B]: no row is copied before."""
    differences = np.empty((first.size, rows.shape[1]))
    pairs = zip(first.tolist(), second.tolist(), differences, strict=True)
    for better, worse, difference in pairs:
        np.subtract(rows[better], rows[worse], out=difference)
    return differences


def _by_first(first: Ints) -> Iterator[tuple[int, slice]]:
    """Yield runs of pairs with the same first entry: its row then stays in the core's cache."""
    ends = np.flatnonzero(np.diff(first, append=-1)) + 1
    for start, end in pairwise([0, *ends.tolist()]):
        yield int(first[start]), slice(start, end)
