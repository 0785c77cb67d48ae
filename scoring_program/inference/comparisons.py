"""Differences between pairs of entries: mean, standard error, interval, p-values."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Floats, Ints
from . import intervals, significance
from .inputs import Bootstrap, negligible

#: Bytes of replicates of differences in memory at once. Measured: with fewer, threads wait for each
#: other too often; with more, memory access is slower.
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


def moments(bootstrap: Bootstrap, first: Ints, second: Ints, *, workers: int = 1) -> Moments:
    """Return the moments of the entries ``first`` [k] over the entries ``second`` [k].

    ``workers`` threads share the pairs.
    """
    theta = bootstrap.theta
    tolerance = negligible(theta[first], theta[second])
    mean, error = (np.empty(first.size) for _ in range(2))

    def fill(pairs: slice) -> None:
        mean[pairs], error[pairs] = bootstrap.moments(first[pairs], second[pairs])

    _in_blocks(fill, first.size, bootstrap, workers)
    error[error <= tolerance] = 0.0
    return Moments(first, second, theta[first] - theta[second], mean, error, tolerance)


def compare(
    bootstrap: Bootstrap, pairs: Moments, *, interval: str, tail: float, workers: int = 1
) -> Comparisons:
    """Add intervals and p-values to the moments of k pairs.

    ``interval`` is "standard_error"; any other value means percentile intervals, because of the
    three methods BCa covers differences worst. ``tail`` is the probability outside on each side.
    ``workers`` threads share the pairs.
    """
    low, high, one_sided = (np.empty(pairs.first.size) for _ in range(3))

    def fill(part: slice) -> None:
        distribution = bootstrap.differences(pairs.first[part], pairs.second[part])
        tolerance = pairs.tolerance[part]
        if interval == "standard_error":
            ends = intervals.standard_error(pairs.mean[part], pairs.standard_error[part], tail)
        else:
            ends = intervals.percentile(distribution, tail)
        for side, found in zip((low, high), ends, strict=True):
            side[part] = np.where(np.abs(found) <= tolerance, 0.0, found)
        one_sided[part] = significance.one_sided_bootstrap(
            distribution, pairs.observed[part], tolerance
        )

    _in_blocks(fill, pairs.first.size, bootstrap, workers)
    return Comparisons(**vars(pairs), low=low, high=high, p_one_sided=one_sided)


def _in_blocks(
    fill: Callable[[slice], None], size: int, bootstrap: Bootstrap, workers: int
) -> None:
    """Call a function with slices of consecutive pairs that together are all of them."""
    step = max(1, _BYTES_AT_ONCE // (bootstrap.resamples * bootstrap.width))
    blocks = [slice(start, start + step) for start in range(0, size, step)]
    if workers > 1 and len(blocks) > 1:
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(fill, blocks))
    else:
        for block in blocks:
            fill(block)


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
