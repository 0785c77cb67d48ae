"""Differences between pairs of entries: mean, standard error, interval, p-values."""

from __future__ import annotations

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
class Comparisons:
    """The advantage of the first entry over the second in k pairs, [k] each."""

    first: Ints
    second: Ints
    observed: Floats
    mean: Floats
    standard_error: Floats  # exactly 0 if it is only float noise
    low: Floats  # exactly 0 if it is only float noise; the same holds for ``high``
    high: Floats
    p_one_sided: Floats  # for "the first entry is better"
    tolerance: Floats  # a smaller difference between the two counts as none


def compare(
    bootstrap: Bootstrap,
    first: Ints,
    second: Ints,
    *,
    interval: str,
    tail: float,
    workers: int = 1,
) -> Comparisons:
    """Compare the entries ``first`` [k] with the entries ``second`` [k].

    ``interval`` is "standard_error"; any other value means percentile intervals, because of the
    three methods BCa covers differences worst. ``tail`` is the probability outside on each side.
    ``workers`` threads share the pairs.
    """
    theta = bootstrap.theta
    observed = theta[first] - theta[second]
    tolerance = negligible(theta[first], theta[second])
    mean, error, low, high, one_sided = (np.empty(first.size) for _ in range(5))

    def fill(pairs: slice) -> None:
        distribution = bootstrap.differences(first[pairs], second[pairs])
        mean[pairs], error[pairs] = distribution.moments()
        error[pairs][error[pairs] <= tolerance[pairs]] = 0.0
        if interval == "standard_error":
            ends = intervals.standard_error(mean[pairs], error[pairs], tail)
        else:
            ends = intervals.percentile(distribution, tail)
        for side, found in zip((low, high), ends, strict=True):
            side[pairs] = np.where(np.abs(found) <= tolerance[pairs], 0.0, found)
        one_sided[pairs] = significance.one_sided_bootstrap(
            distribution, observed[pairs], tolerance[pairs]
        )

    step = max(1, _BYTES_AT_ONCE // (bootstrap.resamples * bootstrap.width))
    blocks = [slice(start, start + step) for start in range(0, first.size, step)]
    if workers > 1 and len(blocks) > 1:
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(fill, blocks))
    else:
        for block in blocks:
            fill(block)
    return Comparisons(
        first,
        second,
        observed,
        mean,
        error,
        low,
        high,
        one_sided,
        tolerance,
    )


def skewness(bootstrap: Bootstrap, comparisons: Comparisons) -> Floats:
    """Return the skewness [k] of the replicates of differences; 0 if the standard error is 0."""
    centered = bootstrap.replicates[comparisons.first] - bootstrap.replicates[comparisons.second]
    centered -= comparisons.mean[:, None]
    third: Floats = np.einsum("kb,kb->k", centered * centered, centered) / bootstrap.resamples
    cubes = comparisons.standard_error**3
    return np.divide(third, cubes, out=np.zeros(third.size), where=cubes > 0)


def error_matrix(entries: int, comparisons: Comparisons) -> Floats:
    """Return the standard errors of all pairs as a symmetric matrix [m, m], 0 on the diagonal."""
    matrix = np.zeros((entries, entries))
    matrix[comparisons.first, comparisons.second] = comparisons.standard_error
    matrix[comparisons.second, comparisons.first] = comparisons.standard_error
    return matrix
