"""Differences between pairs of entries: mean, standard error, interval, p-values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring_program.analysis import Floats, Ints
from scoring_program.infer import intervals, significance
from scoring_program.infer.inputs import Bootstrap, negligible

#: Replicates, or tallies, of differences held at once: 1 MiB, which stays in a core's cache.
_NUMBERS_AT_ONCE = 2**17


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Of k pairs, [k] each: the advantage of the first entry over the second."""

    first: Ints
    second: Ints
    observed: Floats
    mean: Floats
    standard_error: Floats  # exactly 0 where it is nothing but float noise
    skewness: Floats  # of the replicates; 0 where the standard error is
    low: Floats
    high: Floats
    p_one_sided: Floats  # that the first entry is better
    p_two_sided: Floats
    tolerance: Floats  # what counts as no difference between the two


def compare(
    bootstrap: Bootstrap, first: Ints, second: Ints, *, interval: str, tail: float
) -> Comparisons:
    """Compare the entries ``first`` [k] with the entries ``second`` [k].

    ``interval`` is "standard_error", or anything else for percentile intervals (of the three
    methods ``bca`` covers differences worst); ``tail`` the probability outside on each side.
    """
    theta = bootstrap.theta
    observed = theta[first] - theta[second]
    tolerance = negligible(theta[first], theta[second])
    columns: dict[str, Floats] = {
        name: np.empty(first.size)
        for name in ("mean", "error", "low", "high", "one_sided", "two_sided")
    }
    columns["skewness"] = np.zeros(first.size)
    counts = bootstrap.counts
    step = max(1, _NUMBERS_AT_ONCE // (bootstrap.resamples if counts is None else counts.size))
    for start in range(0, first.size, step):
        block = slice(start, start + step)
        rows, times = _differences(bootstrap, first[block], second[block])
        mean, spread, third = _moments(rows, times)
        spread[spread <= tolerance[block]] = 0.0
        if interval == "standard_error":
            low, high = intervals.standard_error(mean, spread, tail)
        else:
            low, high = intervals.percentile(rows, tail, times)
        columns["mean"][block], columns["error"][block] = mean, spread
        columns["low"][block], columns["high"][block] = low, high
        columns["one_sided"][block] = significance.one_sided_bootstrap(
            rows, observed[block], tolerance[block], times
        )
        columns["two_sided"][block] = significance.two_sided_bootstrap(
            rows, mean, observed[block], tolerance[block], times
        )
        np.divide(third, spread**3, out=columns["skewness"][block], where=spread > 0)
    return Comparisons(
        first,
        second,
        observed,
        columns["mean"],
        columns["error"],
        columns["skewness"],
        columns["low"],
        columns["high"],
        columns["one_sided"],
        columns["two_sided"],
        tolerance,
    )


def _differences(bootstrap: Bootstrap, first: Ints, second: Ints) -> tuple[Floats, Ints | None]:
    """Return the replicates of k differences, [k, B]; or their values, [k, V], and how often."""
    if bootstrap.counts is not None:
        return bootstrap.counts.differences(first, second)
    return bootstrap.replicates[first] - bootstrap.replicates[second], None


def _moments(rows: Floats, times: Ints | None) -> tuple[Floats, Floats, Floats]:
    """Return mean, standard deviation and third central moment [k] of replicates or tallies."""
    weights = 1 if times is None else times
    resamples = rows.shape[1] if times is None else times.sum(axis=1)
    mean = np.sum(weights * rows, axis=1) / resamples
    centred = rows - mean[:, None]
    squares = centred * centred * weights
    variance = np.sum(squares, axis=1) / (resamples - 1)
    return mean, np.sqrt(variance), np.sum(squares * centred, axis=1) / resamples


def error_matrix(entries: int, comparisons: Comparisons) -> Floats:
    """Return the standard errors of all pairs as a symmetric matrix [m, m], 0 on the diagonal."""
    matrix = np.zeros((entries, entries))
    matrix[comparisons.first, comparisons.second] = comparisons.standard_error
    matrix[comparisons.second, comparisons.first] = comparisons.standard_error
    return matrix
