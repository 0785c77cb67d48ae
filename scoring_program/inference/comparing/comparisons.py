"""Compares pairs of entries: their differences, with intervals and p-values.

Differences are oriented so that positive means that the first entry is better. Whether few units
decide them follows from the units' influence values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from statistics import NormalDist

import numpy as np

from ...bootstrap.design import DrawCounts
from ...core.arrays import Bools, Floats, Ints
from ...core.exact import ExactSums
from ...core.executor import HERE, Executor
from ...core.grouping import Grouping
from ...core.rounding import negligible
from ..evidence import CORRECTIONS, Comparisons, Moments
from .distributions import Bootstrap, Distribution, Replicated, t_tail, t_tail_quantile

#: Bytes of replicates of differences that are given to a thread at a time. Measured: with fewer,
#: threads wait for each other too often.
_BYTES_AT_ONCE = 2**23


def moments(
    bootstrap: Bootstrap, first: Ints, second: Ints, *, executor: Executor = HERE
) -> Moments:
    """Return the moments of the entries ``first`` [k] over the entries ``second`` [k].

    The ``executor`` shares the pairs.
    """
    theta = bootstrap.theta
    tolerance = negligible(theta[first], theta[second])
    mean = np.empty(first.size)
    error = np.empty(first.size)

    def fill(pairs: slice) -> None:
        mean[pairs], error[pairs] = bootstrap.moments(first[pairs], second[pairs])

    _in_blocks(fill, first.size, bootstrap, executor)
    error[error <= tolerance] = 0.0
    return Moments(first, second, theta[first] - theta[second], mean, error, tolerance)


def compare(
    bootstrap: Bootstrap, pairs: Moments, *, interval: str, tail: float, executor: Executor = HERE
) -> Comparisons:
    """Add intervals and p-values to the moments of k pairs.

    ``interval`` is "standard_error"; any other value means percentile intervals, because of the
    three methods BCa covers differences worst. ``tail`` is the probability outside on each side.
    The ``executor`` shares the pairs.
    """
    low = np.empty(pairs.first.size)
    high = np.empty(pairs.first.size)
    one_sided = np.empty(pairs.first.size)

    def fill(part: slice) -> None:
        moments_of_part = (pairs.mean[part], pairs.standard_error[part])
        distribution = bootstrap.differences(pairs.first[part], pairs.second[part], moments_of_part)
        tolerance = pairs.tolerance[part]
        if interval == "standard_error":
            ends = standard_error(pairs.mean[part], pairs.standard_error[part], tail)
        else:
            ends = percentile(distribution, tail)
        for side, end in zip((low, high), ends, strict=True):
            side[part] = np.where(np.abs(end) <= tolerance, 0.0, end)
        one_sided[part] = one_sided_bootstrap(distribution, pairs.observed[part], tolerance)

    _in_blocks(fill, pairs.first.size, bootstrap, executor)
    return Comparisons(**vars(pairs), low=low, high=high, p_one_sided=one_sided)


def _in_blocks(
    fill: Callable[[slice], None], size: int, bootstrap: Bootstrap, executor: Executor
) -> None:
    """Call a function with slices of consecutive pairs that together are all of them."""
    at_once = bootstrap.pairs_at_once
    step = at_once * max(1, _BYTES_AT_ONCE // (at_once * bootstrap.resamples * bootstrap.width))

    def fill_each(start: int) -> None:
        for first in range(start, min(start + step, size), at_once):
            fill(slice(first, first + at_once))

    executor.each(fill_each, range(0, size, step))


def skewness(bootstrap: Bootstrap, comparisons: Moments) -> Floats:
    """Return the skewness [k] of the replicates of differences; 0 if the standard error is 0."""
    replicates = bootstrap.replicates
    third = np.empty(comparisons.first.size)
    for pair, (first, second) in enumerate(zip(comparisons.first, comparisons.second, strict=True)):
        centered = replicates[first] - replicates[second] - comparisons.mean[pair]
        third[pair] = np.mean(centered * centered * centered)
    cubes = comparisons.standard_error**3
    return np.divide(third, cubes, out=np.zeros(third.size), where=cubes > 0)


def error_matrix(entries: int, comparisons: Moments) -> Floats:
    """Return the standard errors of all pairs as a symmetric matrix [m, m], 0 on the diagonal."""
    matrix = np.zeros((entries, entries))
    matrix[comparisons.first, comparisons.second] = comparisons.standard_error
    matrix[comparisons.second, comparisons.first] = comparisons.standard_error
    return matrix


# Intervals ----------------------------------------------------------------------------------------

# Confidence intervals from the bootstrap replicates of k quantities. Sources: Efron and
# Tibshirani 1994, *An Introduction to the Bootstrap*, chapters 13 and 14; Nava-Muñoz's thesis
# (INFOTEC), section 3.2.3; Hesterberg 2015, "What Teachers Should Know About the Bootstrap"
# (expanded percentiles); Wilson 1927.


NORMAL = NormalDist()
#: With two groups, the tail may be smaller than any double, and 0 has no normal quantile.
_LEAST_TAIL = float(np.finfo(np.float64).tiny)


def tail_probability(confidence: float, groups: int | None = None) -> float:
    """Return α/2, the probability that an interval leaves out on each side.

    If G whole groups are resampled, it is the smaller α′/2 = Φ(−√(G/(G−1))·t_{α/2, G−1}) of the
    expanded percentile interval. This corrects two errors: the bootstrap's variance is (G−1)/G of
    the unbiased one, and a normal quantile replaces a t quantile. With 20 groups, it raises the
    coverage of a 95% interval from .92 to .95. Needs two groups or more.
    """
    tail = (1 - confidence) / 2
    if groups is None:
        return tail
    t = float(t_tail_quantile(groups - 1, np.array(tail)))
    quantile = -math.sqrt(groups / (groups - 1)) * t
    if quantile > -5:
        return NORMAL.cdf(quantile)
    # Before Python 3.13, NormalDist computes 1 + erf, which loses all digits towards −8.3.
    return max(math.erfc(-quantile / math.sqrt(2)) / 2, _LEAST_TAIL)


def quantiles(distribution: Distribution, levels: Sequence[float]) -> Floats:
    """Return quantiles [len(levels), k], linearly interpolated as by ``np.quantile``."""
    last = distribution.resamples - 1
    places = [last * level for level in levels]
    below = [min(max(math.floor(place), 0), last) for place in places]
    above = [min(place + 1, last) for place in below]
    needed = sorted({*below, *above})
    ordered = dict(zip(needed, distribution.order_statistics(needed), strict=True))
    return np.stack(
        [
            _interpolate(ordered[i], ordered[j], place - i)
            for place, i, j in zip(places, below, above, strict=True)
        ]
    )


def _interpolate(low: Floats, high: Floats, weight: float) -> Floats:
    # From the nearer end, like NumPy, so that rounding never moves the result out of [low, high].
    step = high - low
    return high - step * (1 - weight) if weight >= 0.5 else low + step * weight


def percentile(distribution: Distribution, tail: float) -> tuple[Floats, Floats]:
    """Return lower and upper ends [k] of the percentile intervals of k quantities."""
    low, high = quantiles(distribution, (tail, 1 - tail))
    return low, high


def standard_error(mean: Floats, deviation: Floats, tail: float) -> tuple[Floats, Floats]:
    """Return lower and upper ends [k] of mean ± z·sd, the mean and sd [k] of the replicates.

    z is the normal quantile of ``tail``, so groups widen this interval as they widen a percentile
    interval. The tables of Nava-Muñoz, Graff and Escalante (2023, 2024) hold these intervals.
    """
    margin = -NORMAL.inv_cdf(tail) * deviation
    return mean - margin, mean + margin


def bca(
    replicates: Floats, observed: float, jackknife: Floats, tail: float
) -> tuple[float, float] | None:
    """Return the bias-corrected and accelerated interval of one quantity.

    ``replicates`` [B]; ``jackknife`` [N] is the quantity with one unit left out at a time; nan,
    for undefined, is ignored. Replicates equal to the observed value count half, which discrete
    metrics need. None if all replicates are on one side of it, because then no correction exists.
    Source: Efron and Tibshirani 1994, equations 14.9–14.15.
    """
    tolerance = negligible(replicates, observed)
    below = np.count_nonzero(replicates < observed - tolerance)
    share = (below + np.count_nonzero(replicates <= observed + tolerance)) / (2 * replicates.size)
    if not 0 < share < 1:
        return None
    bias = NORMAL.inv_cdf(share)
    defined = jackknife[np.isfinite(jackknife)]
    influence = defined.mean() - defined if defined.size else np.zeros(1)
    squares = float(np.sum(influence**2))
    acceleration = float(np.sum(influence**3)) / (6 * squares**1.5) if squares > 0 else 0.0
    normal = NORMAL.inv_cdf(tail)  # 1 − tail may round to 1, which has no quantile
    levels = []
    for shifted in (bias + normal, bias - normal):
        scale = 1 - acceleration * shifted
        # As the scale falls to 0, the level reaches the end of the distribution and stays there.
        level = NORMAL.cdf(bias + shifted / scale) if scale > 0 else float(shifted > 0)
        levels.append(level)
    low, high = quantiles(Replicated(replicates[None, :]), levels)[:, 0]
    return float(low), float(high)


def wilson(score: float, trials: int, confidence: float) -> tuple[float, float]:
    """Return the Wilson score interval of a proportion whose replicates are all equal.

    Source: Wilson 1927; SciPy's ``proportion_ci`` has it for whole numbers of successes only.
    """
    squared = NORMAL.inv_cdf((1 - confidence) / 2) ** 2 / trials
    center = (score + squared / 2) / (1 + squared)
    half = math.sqrt(squared * (score * (1 - score) + squared / 4)) / (1 + squared)
    return 0.0 if score <= 0 else center - half, 1.0 if score >= 1 else center + half


# Significance -------------------------------------------------------------------------------------

# Tests of the difference between two entries, each with a p-value that is never 0. Sources:
# Berg-Kirkpatrick, Burkett and Klein 2012 (shifted bootstrap), as used by Nava-Muñoz, Graff and
# Escalante 2023, section 4.5; Arguello's lecture on significance tests (bootstrap-shift, Fisher's
# randomization); Dietterich 1998 (McNemar); Fagerland, Lydersen and Laake 2013 (mid-p).


#: Booleans in a chunk of random swaps: 4 MiB.
_SWAPS_AT_ONCE = 2**22


def one_sided_bootstrap(distribution: Distribution, observed: Floats, tolerance: Floats) -> Floats:
    """Return p [k] that the first entry is better: (1 + #{δ* ≥ 2δ − tol}) / (B + 1); 1 if δ ≤ 0.

    ``distribution`` holds the replicates δ* of the k differences; ``observed`` [k] are the
    differences δ on the whole test set. "≥" and the tolerance make two identical entries equal,
    with p = 1.
    """
    p = (1 + distribution.at_least(2 * observed - tolerance)) / (distribution.resamples + 1)
    return np.where(observed > 0, p, 1.0)


def one_sided_behind(distribution: Distribution, observed: Floats, tolerance: Floats) -> Floats:
    """Return p [k] that the second entry is better: `one_sided_bootstrap` of the entries exchanged.

    The arguments are those of the entries as they are.
    """
    p = (1 + distribution.at_most(2 * observed + tolerance)) / (distribution.resamples + 1)
    return np.where(observed < 0, p, 1.0)


def two_sided_bootstrap(
    distribution: Distribution, mean: Floats, observed: Floats, tolerance: Floats
) -> Floats:
    """Return the two-sided bootstrap-shift p [k]: (1 + #{|δ* − mean| ≥ |δ| − tol}) / (B + 1).

    ``mean`` [k] are the replicates' means; the rest as above.
    """
    least = np.abs(observed) - tolerance
    reached = distribution.at_least(mean + least) + distribution.at_most(mean - least)
    return np.where(least > 0, (1 + reached) / (distribution.resamples + 1), 1.0)


def grouped(
    observed: Floats, error: Floats, counted: Floats, groups: float | Floats, *, two_sided: bool
) -> Floats:
    """Return p [k] from the t distribution, for differences ``observed`` of whole groups.

    ``error`` [k] are bootstrap standard errors, and ``groups`` is G*, the effective number of
    groups. With few of them, counted p-values are too small: corrected ones keep a best entry in
    .72 to .87 instead of .95. T = δ/se·√((G* − 1)/G*), because the bootstrap's variance lacks this
    factor, has G* − 1 degrees of freedom. Where nothing varies, the p is ``counted`` [k].
    """
    least = 1e-6
    freedom = np.maximum(groups - 1, least) if np.ndim(groups) else max(groups - 1, least)
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = observed / error * np.sqrt(freedom / (freedom + 1))
    tail = t_tail(freedom, np.abs(statistic))
    p = np.minimum(2 * tail, 1.0) if two_sided else np.where(observed > 0, tail, 1.0)
    return np.where((error > 0) & (counted < 1), p, counted)


def reached(statistic: Floats, observed: float, tolerance: float) -> Ints:
    """Count on how many of a chunk of swaps the ``statistic`` [R] is defined and reached, [3].

    It is positive where the first entry is better, and is reached one-sided and two-sided.
    ``observed`` and ``tolerance`` are as above.
    """
    marked = (
        ~np.isnan(statistic),
        statistic >= observed - tolerance,
        np.abs(statistic) >= abs(observed) - tolerance,
    )
    return np.array([np.count_nonzero(marks) for marks in marked])


def randomization(counts: Ints, *, exact: bool) -> Floats:
    """Return the p-values [2, k], one-sided and two-sided, of Fisher's paired randomization test.

    ``counts`` [3, k] are the sums of `reached` over all swaps. Swaps on which the statistic is
    undefined are left out; without any other, p is 1. If the swaps were enumerated (see `swaps`),
    the observed assignment is among them and the p-value is ``exact``; otherwise it is
    (1 + #) / (B + 1).
    """
    extra = 0 if exact else 1
    defined = np.maximum(counts[0], 1)
    return np.where(counts[0] > 0, (extra + counts[1:]) / (extra + defined), 1.0)


def enumerable(units: int, resamples: int) -> bool:
    """Return whether the number of swaps of N units, 2^N, does not exceed ``resamples``."""
    return units < 63 and 2**units <= resamples


def swaps(rng: np.random.Generator, units: int, resamples: int) -> Iterator[Bools]:
    """Yield chunks [R, N] of swaps: all 2^N of them if `enumerable`, else B random ones."""
    every = enumerable(units, resamples)
    total = 2**units if every else resamples
    step = max(1, _SWAPS_AT_ONCE // units)
    for start in range(0, total, step):
        stop = min(start + step, total)
        if every:
            yield (np.arange(start, stop)[:, None] >> np.arange(units)) & 1 == 1
        else:
            yield rng.integers(0, 2, size=(stop - start, units), dtype=np.bool_)


def mcnemar(only_first: int, only_second: int) -> tuple[float, float]:
    """Return the exact and the mid-p two-sided p-value of McNemar's test.

    ``only_first`` and ``only_second`` count the examples that only one of the two entries gets
    right. Prefer this test if these are few (fewer than 20 together). The mid-p value is twice the
    smaller one-sided one, so it is 1 if the counts are equal.
    """
    from scipy.special import bdtr  # a fifth of a second; only if the test is requested

    trials = only_first + only_second
    fewer = min(only_first, only_second)
    cumulative = float(bdtr(fewer, trials, 0.5))
    probability = cumulative - (float(bdtr(fewer - 1, trials, 0.5)) if fewer else 0.0)
    return min(1.0, 2 * cumulative), min(1.0, 2 * cumulative - probability)


# Corrections --------------------------------------------------------------------------------------

# Families [Nava-Muñoz, Graff, Escalante 2024, sections 4.6 and 5; Nava-Muñoz's thesis, table
# 4.5]: ``leader`` holds the comparisons of the leader with all others, ``row`` those of one entry
# with all ranked below it (one family per row), ``all`` all pairs.


ADJUSTMENTS = tuple(correction for correction in CORRECTIONS if correction != "none")


def adjust(p_values: Floats, family: Ints) -> Mapping[str, Floats]:
    """Return correction → adjusted p [k]; ``family`` [k] numbers the family of each p-value.

    Members of family −1 are in no family and get nan. The adjusted p-values of a family are those
    of statsmodels' ``multipletests``, to the last digit. That function takes one family per call,
    and every Holm adjustment runs a full garbage collection. On the example, these calls took a
    fifth of the command's time and the import a third; with 134 entries, the rows took seconds.
    """
    adjusted = {correction: np.full(p_values.shape, np.nan) for correction in ADJUSTMENTS}
    members = np.flatnonzero(family >= 0)
    if not members.size:
        return adjusted
    members = members[np.lexsort((p_values[members], family[members]))]
    _, row, sizes = np.unique(family[members], return_inverse=True, return_counts=True)
    column = np.arange(members.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    # One family per row. The padding of short rows comes after their p-values and changes none.
    ascending = np.ones((sizes.size, sizes.max()))
    ascending[row, column] = p_values[members]
    size = sizes[:, None]
    place = np.arange(ascending.shape[1])
    holm = np.maximum.accumulate(ascending * np.maximum(size - place, 1), axis=1)
    # Benjamini and Hochberg: the smallest p · size / place of this p-value and all larger ones.
    scaled = np.where(place < size, ascending / ((place + 1) / size), np.inf)
    fdr_bh = np.minimum.accumulate(scaled[:, ::-1], axis=1)[:, ::-1]
    by_correction = {"bonferroni": ascending * size, "holm": holm, "fdr_bh": fdr_bh}
    for correction, values in by_correction.items():
        adjusted[correction][members] = np.minimum(values, 1.0)[row, column]
    return adjusted


# Influence ----------------------------------------------------------------------------------------

# The influence values of the oriented scores, and their estimate from the draws of the resamples.
#
# The values of most metrics follow from their definition or the jackknife (`scoring.scorer`). The
# jackknife calls a function once more for every unit. Where that would take too long, the
# covariance of a unit's draws with the replicates estimates its value: θ* ≈ θ + Σ_u (w_u − 1)·ℓ_u,
# so that cov(w_u, θ*) is ℓ_u less the mean of all. That takes no further call.
#
# Over B resamples, the estimate for a pair has Monte Carlo noise of variance se²/B, se being the
# standard error of the pair's difference. The N values have the sum of squares se², their noise
# adds N·se²/B. A unit that decides a difference has a value of about se, far above its noise; sums
# of powers over all units are freed from the noise (`tails`, `studentized`). Source: Efron 2014,
# "Estimation and Accuracy after Model Selection", JASA 109 (the infinitesimal jackknife of a
# bootstrap); Wager, Hastie and Efron 2014, "Confidence Intervals for Random Forests", JMLR 15 (its
# Monte Carlo noise).


#: √N/B up to which the sums over N units are known: the noise left in them is about so large.
_MOST_NOISE = 0.1
#: Numbers of draws that are multiplied at once: 32 megabytes.
_AT_ONCE = 2**22
#: Decimals of skewness and excess kurtosis.
_DECIMALS = 9
#: Influence values whose powers are added up at once: half a megabyte, which stays in the cache.
_BLOCK = 2**16


@dataclass(frozen=True, eq=False)
class UnitInfluence:
    """Influence values [N, m], centered; higher is better. nan for an entry that has none.

    ``noise`` is the Monte Carlo noise's share of a pair's sum of squares: 0 if they are exact.
    ``of_rows`` says how many equal units each row of values stands for; None if for itself.
    """

    values: Floats
    noise: float = 0.0
    of_rows: Grouping | None = None

    @property
    def grouping(self) -> Grouping:
        """How many equal units each row of values stands for."""
        return Grouping(len(self.values)) if self.of_rows is None else self.of_rows

    @property
    def units(self) -> int:
        """Number of units."""
        return self.grouping.examples

    def take(self, rows: Ints) -> UnitInfluence:
        """Return the values of some rows."""
        return replace(self, values=self.values[rows], of_rows=self.grouping.take(rows))

    def blocks(self) -> Iterator[tuple[Floats, Floats]]:
        """Yield some rows at a time: their values [b, m], and how often these count, [b, 1]."""
        step = max(1, _BLOCK // self.values.shape[1])
        sizes = self.grouping.sizes
        for first in range(0, len(self.values), step):
            rows = slice(first, first + step)
            weights = np.ones((1, 1))  # a single number is multiplied faster than a column
            if sizes is not None:
                weights = sizes[rows, None].astype(np.float64)
            yield self.values[rows], weights

    @cached_property
    def tails(self) -> tuple[Floats, Floats]:
        """Skewness and excess kurtosis of the sums of all pairs' differences, [m, m] each.

        They are 0 where nothing differs. The skewness is that of the first entry's lead over the
        second, so it is antisymmetric. nan for an entry without influence values.
        """
        moments = _moments(self)
        differ = moments[0] - self.noise * moments[0] != 0
        # So many decimals are the same on every processor, although BLAS adds up the powers.
        skewness, kurtosis = (shape.round(_DECIMALS) for shape in self._shape(*moments))
        return np.where(differ, skewness, 0.0), np.where(differ, kurtosis, 0.0)

    @property
    def heavy(self) -> Bools:
        """Which pairs have heavy tails, [m, m]; never one without influence values."""
        return _are_heavy(*self.tails, self.units)

    @property
    def heavy_scores(self) -> Bools:
        """Which entries' own scores few units decide, [m]; none without influence values."""
        return _are_heavy(*self.tails_of_scores, self.units)

    @cached_property
    def tails_of_scores(self) -> tuple[Floats, Floats]:
        """Skewness and excess kurtosis of the sums of every entry's values, [m] each.

        nan for an entry without influence values, and for a score that does not vary.
        """
        moments = np.zeros((3, self.values.shape[1]))
        for values, weights in self.blocks():
            square = values * values
            for moment, powers in zip(
                moments, (square, square * values, square * square), strict=True
            ):
                moment += (powers * weights).sum(axis=0) / self.units
        return self._shape(*moments)

    def _shape(self, second: Floats, third: Floats, fourth: Floats) -> tuple[Floats, Floats]:
        """Return skewness over √N and excess kurtosis over N, without what noise adds to them."""
        noise = self.noise * second
        second = second - noise
        fourth = fourth - 6.0 * second * noise - 3.0 * noise**2
        with np.errstate(divide="ignore", invalid="ignore"):
            skewness = third / second**1.5 / np.sqrt(self.units)
            return skewness, (fourth / second**2 - 3.0) / self.units

    @classmethod
    def of_draws(cls, counts: Iterator[DrawCounts], replicates: Floats) -> UnitInfluence | None:
        """Estimate the values from the draws of the units, [R, N] each, and replicates [m, B].

        Equal entries get equal values. None if there are too few resamples, see `needed_resamples`.
        """
        first = next(counts)
        units = first.shape[1]
        resamples = replicates.shape[1]
        if resamples < needed_resamples(units):
            return None
        distinct, same = np.unique(replicates, axis=0, return_inverse=True)
        deviations = distinct - distinct.mean(axis=1, keepdims=True)
        total = np.zeros((units, len(distinct)))
        done = 0
        step = max(1, _AT_ONCE // units)
        for block in chain([first], counts):
            for start in range(0, len(block), step):
                drawn = block[start : start + step].astype(np.float64)
                # The same on every processor: there are as many sums as draws.
                sums = ExactSums(deviations[:, done : done + len(drawn)])
                total += sums(drawn).T
                done += len(drawn)
        total -= total.mean(axis=0)
        return cls(total[:, same.reshape(-1)] / resamples, units / (units + resamples))


def needed_resamples(units: int) -> int:
    """Return the fewest resamples whose draws tell the influence of so many units."""
    return math.ceil(math.sqrt(units) / _MOST_NOISE)


# Heavy tails --------------------------------------------------------------------------------------

# Pairs of entries whose difference is decided by few units: heavy-tailed pairs.
#
# The bootstrap's difference of a pair is nearly Σ_u (w_u − 1)·d_u, with d_u the difference of the
# two entries' influence values (`scoring.scorer`). Its distribution is as skewed as that of d
# over √N, and has its excess kurtosis over N. Where these are large, a standard error that is the
# same on every resample misleads.
#
# Few units show some of both by chance: N normal values have a skewness of standard deviation
# √(6/N) and an excess kurtosis of √(24/N). Of 20 normal differences, .32 would be called
# heavy-tailed by `LIMIT` alone, and no far end could be given for them (check 14). So a pair has
# heavy tails only beyond what sampling gives.


#: From this skewness over √N, or this excess kurtosis over N, on, tails matter.
LIMIT = 0.1
#: Sampling alone hardly gives more than so many standard deviations.
_SAMPLING = 2.5
#: Moments that are so much smaller than those of the two entries are computed from the differences.
_CANCELLED = 1e-3


def tail_limits(units: int) -> tuple[float, float]:
    """Return the limits of skewness over √N and of excess kurtosis over N, of N ``units``."""
    skewness = math.sqrt(6) / units
    kurtosis = math.sqrt(24 / units) / units
    return max(LIMIT, _SAMPLING * skewness), max(LIMIT, _SAMPLING * kurtosis)


def _are_heavy(skewness: Floats, kurtosis: Floats, units: int) -> Bools:
    most_skewness, most_kurtosis = tail_limits(units)
    return np.asarray((np.abs(skewness) > most_skewness) | (kurtosis > most_kurtosis))


def _moments(influence: UnitInfluence) -> tuple[Floats, Floats, Floats]:
    """Return the mean second, third and fourth powers of the differences of all pairs, [m, m]."""
    units = influence.units
    m = influence.values.shape[1]
    scale = max(
        np.nanmax(np.abs(values), initial=0.0) for values, _ in influence.blocks()
    ) or 1.0  # fmt: skip
    powers = np.zeros((3, m))
    xx, xxy, xxxy, xxyy = np.zeros((4, m, m))
    for values, weights in influence.blocks():
        x = values / scale
        squares = x * x
        cubes = squares * x
        weighted = squares * weights
        powers += [(part * weights).sum(axis=0) for part in (squares, cubes, squares * squares)]
        xx += (x * weights).T @ x
        xxy += weighted.T @ x
        xxxy += (cubes * weights).T @ x
        xxyy += weighted.T @ squares
    for total in (powers, xx, xxy, xxxy, xxyy):
        total /= units
    sums = [
        moment[:, None] + sign * moment for moment, sign in zip(powers, (1, -1, 1), strict=True)
    ]
    second = sums[0] - 2.0 * xx
    third = sums[1] - 3.0 * (xxy - xxy.T)
    fourth = sums[2] - 4.0 * (xxxy + xxxy.T) + 6.0 * xxyy
    sizes = influence.grouping.numbers
    for i, j in np.argwhere(np.triu(second < _CANCELLED * sums[0], 1)):
        difference = (influence.values[:, i] - influence.values[:, j]) / scale
        square = difference * difference
        second[i, j] = second[j, i] = (square * sizes).sum() / units
        third[i, j] = (square * difference * sizes).sum() / units
        third[j, i] = -third[i, j]
        fourth[i, j] = fourth[j, i] = (square * square * sizes).sum() / units
    np.fill_diagonal(second, 0.0)
    return second * scale**2, third * scale**3, fourth * scale**4
