"""Compares pairs of entries: their differences, with intervals and p-values.

Differences are oriented so that positive means that the first entry is better.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from ...core.arrays import Bools, Floats, Ints
from ...core.executor import HERE, Executor
from ..evidence import CORRECTIONS
from .distributions import Bootstrap, Distribution, Replicated, negligible, t_tail, t_tail_quantile

#: Bytes of replicates of differences that are given to a thread at a time. Measured: with fewer,
#: threads wait for each other too often.
_BYTES_AT_ONCE = 2**23


@dataclass(frozen=True, eq=False)
class Moments:
    """The advantage of the first entry over the second in k pairs, [k] each."""

    first: Ints
    second: Ints
    observed: Floats
    mean: Floats
    standard_error: Floats  # exactly 0 if it is only float noise
    tolerance: Floats  # a smaller difference between the two counts as none


@dataclass(frozen=True, eq=False)
class Comparisons(Moments):
    """The same with intervals and p-values, [k] each."""

    low: Floats  # exactly 0 if it is only float noise; the same holds for ``high``
    high: Floats
    p_one_sided: Floats  # for "the first entry is better"


def moments(
    bootstrap: Bootstrap, first: Ints, second: Ints, *, executor: Executor = HERE
) -> Moments:
    """Return the moments of the entries ``first`` [k] over the entries ``second`` [k].

    The ``executor`` shares the pairs.
    """
    theta = bootstrap.theta
    tolerance = negligible(theta[first], theta[second])
    mean, error = (np.empty(first.size) for _ in range(2))

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
    low, high, one_sided = (np.empty(pairs.first.size) for _ in range(3))

    def fill(part: slice) -> None:
        distribution = bootstrap.differences(pairs.first[part], pairs.second[part])
        tolerance = pairs.tolerance[part]
        if interval == "standard_error":
            ends = standard_error(pairs.mean[part], pairs.standard_error[part], tail)
        else:
            ends = percentile(distribution, tail)
        for side, found in zip((low, high), ends, strict=True):
            side[part] = np.where(np.abs(found) <= tolerance, 0.0, found)
        one_sided[part] = one_sided_bootstrap(distribution, pairs.observed[part], tolerance)

    _in_blocks(fill, pairs.first.size, bootstrap, executor)
    return Comparisons(**vars(pairs), low=low, high=high, p_one_sided=one_sided)


def _in_blocks(
    fill: Callable[[slice], None], size: int, bootstrap: Bootstrap, executor: Executor
) -> None:
    """Call a function with slices of consecutive pairs that together are all of them."""
    own = bootstrap.pairs_at_once
    step = own * max(1, _BYTES_AT_ONCE // (own * bootstrap.resamples * bootstrap.width))

    def fill_each(start: int) -> None:
        for first in range(start, min(start + step, size), own):
            fill(slice(first, first + own))

    executor.each(fill_each, range(0, size, step))


def skewness(bootstrap: Bootstrap, comparisons: Moments) -> Floats:
    """Return the skewness [k] of the replicates of differences; 0 if the standard error is 0."""
    replicates, third = bootstrap.replicates, np.empty(comparisons.first.size)
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
    below = np.count_nonzero(replicates < observed)
    share = (below + np.count_nonzero(replicates <= observed)) / (2 * replicates.size)
    if not 0 < share < 1:
        return None
    bias = NORMAL.inv_cdf(share)
    acceleration = _acceleration(jackknife)
    normal = NORMAL.inv_cdf(tail)  # 1 − tail may round to 1, which has no quantile
    levels = []
    for shifted in (bias + normal, bias - normal):
        scale = 1 - acceleration * shifted
        # As the scale falls to 0, the level reaches the end of the distribution and stays there.
        level = NORMAL.cdf(bias + shifted / scale) if scale > 0 else float(shifted > 0)
        levels.append(level)
    low, high = quantiles(Replicated(replicates[None, :]), levels)[:, 0]
    return float(low), float(high)


def _acceleration(jackknife: Floats) -> float:
    defined = jackknife[np.isfinite(jackknife)]
    if not defined.size:
        return 0.0
    influence = defined.mean() - defined
    squares = float(np.sum(influence**2))
    return float(np.sum(influence**3)) / (6 * squares**1.5) if squares > 0 else 0.0


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
    observed: Floats, error: Floats, counted: Floats, groups: float, *, two_sided: bool
) -> Floats:
    """Return p [k] from the t distribution, for differences ``observed`` of whole groups.

    ``error`` [k] are bootstrap standard errors, and ``groups`` is G*, the effective number of
    groups. With few of them, counted p-values are too small: corrected ones keep a best entry in
    .72 to .87 instead of .95. T = δ/se·√((G* − 1)/G*), because the bootstrap's variance lacks this
    factor, has G* − 1 degrees of freedom. Where nothing varies, the p is ``counted`` [k].
    """
    freedom = max(groups - 1, 1e-6)
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = observed / error * math.sqrt(freedom / (freedom + 1))
    tail = t_tail(freedom, np.abs(statistic))
    p = np.minimum(2 * tail, 1.0) if two_sided else np.where(observed > 0, tail, 1.0)
    return np.where((error > 0) & (counted < 1), p, counted)


@dataclass
class Randomization:
    """Fisher's paired randomization test, which receives the statistic in chunks of random swaps.

    ``observed`` and ``tolerance`` as above. Swaps on which the statistic is undefined are left out.
    If the swaps were enumerated (see `swaps`), the observed assignment is among them and the
    p-value is exact; otherwise it is (1 + #) / (B + 1).
    """

    observed: float
    tolerance: float
    exact: bool
    defined: int = 0
    at_least: int = 0
    at_least_two_sided: int = 0

    def add(self, statistic: Floats) -> None:
        """Count the statistics [R] of one chunk, positive where the first entry is better."""
        self.defined += int(np.count_nonzero(~np.isnan(statistic)))
        self.at_least += int(np.count_nonzero(statistic >= self.observed - self.tolerance))
        least = abs(self.observed) - self.tolerance
        self.at_least_two_sided += int(np.count_nonzero(np.abs(statistic) >= least))

    @property
    def one_sided(self) -> float:
        """P-value against "the first entry is better"."""
        return self._p_value(self.at_least)

    @property
    def two_sided(self) -> float:
        """P-value against "the entries differ"."""
        return self._p_value(self.at_least_two_sided)

    def _p_value(self, count: int) -> float:
        extra = 0 if self.exact else 1
        return (extra + count) / (extra + self.defined)


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

    trials, fewer = only_first + only_second, min(only_first, only_second)
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
    for correction, values in _adjusted_rows(ascending, sizes[:, None]).items():
        adjusted[correction][members] = np.minimum(values, 1.0)[row, column]
    return adjusted


def _adjusted_rows(ascending: Floats, size: Ints) -> Mapping[str, Floats]:
    """Adjust rows of p-values [families, k], of which the first ``size`` [families, 1] count."""
    place = np.arange(ascending.shape[1])
    holm = np.maximum.accumulate(ascending * np.maximum(size - place, 1), axis=1)
    # Benjamini and Hochberg: the smallest p · size / place of this p-value and all larger ones.
    scaled = np.where(place < size, ascending / ((place + 1) / size), np.inf)
    fdr_bh = np.minimum.accumulate(scaled[:, ::-1], axis=1)[:, ::-1]
    return {"bonferroni": ascending * size, "holm": holm, "fdr_bh": fdr_bh}
