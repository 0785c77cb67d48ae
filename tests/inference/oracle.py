"""The methods transcribed from their definitions, one loop a sum: slow, obvious, and independent.

θ [m] and θ* [m, B] are oriented so that higher is better; i, j are entries, b is a resample.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations

import numpy as np
from scipy import stats

TOLERANCE = 1e-12


def difference(star: np.ndarray, i: int, j: int) -> np.ndarray:
    return np.array([star[i][b] - star[j][b] for b in range(len(star[i]))])


def tolerance(theta: np.ndarray, i: int, j: int) -> float:
    return TOLERANCE * max(abs(theta[i]), abs(theta[j]), np.finfo(float).tiny)


def standard_error(theta: np.ndarray, star: np.ndarray, i: int, j: int) -> float:
    error = np.std(difference(star, i, j), ddof=1)
    return 0.0 if error <= tolerance(theta, i, j) else error


def errors(theta: np.ndarray, star: np.ndarray) -> np.ndarray:
    m = len(theta)
    matrix = np.zeros((m, m))
    for i, j in permutations(range(m), 2):
        matrix[i, j] = standard_error(theta, star, i, j)
    return matrix


def one_sided(theta: np.ndarray, star: np.ndarray, i: int, j: int) -> float:
    delta = theta[i] - theta[j]
    if delta <= 0:
        return 1.0
    reached = [d >= 2 * delta - tolerance(theta, i, j) for d in difference(star, i, j)]
    return (1 + sum(reached)) / (len(reached) + 1)


def to_adjust(theta: np.ndarray, star: np.ndarray, i: int, j: int, groups: int | None) -> float:
    """The one-sided p that corrections adjust: from the t distribution beside groups."""
    counted, error = one_sided(theta, star, i, j), standard_error(theta, star, i, j)
    if groups is None or error == 0 or counted == 1:
        return counted
    statistic = (theta[i] - theta[j]) / error * math.sqrt((groups - 1) / groups)
    return float(stats.t.sf(statistic, groups - 1))


def two_sided(theta: np.ndarray, star: np.ndarray, i: int, j: int) -> float:
    delta, replicates = abs(theta[i] - theta[j]), difference(star, i, j)
    mean = np.mean(replicates)
    reached = [abs(d - mean) >= delta - tolerance(theta, i, j) for d in replicates]
    return (1 + sum(reached)) / (len(reached) + 1)


def percentile(values: np.ndarray, confidence: float) -> tuple[float, float]:
    tail = (1 - confidence) / 2
    return np.quantile(values, tail), np.quantile(values, 1 - tail)


def bonferroni(p: Sequence[float]) -> list[float]:
    return [min(1.0, len(p) * value) for value in p]


def holm(p: Sequence[float]) -> list[float]:
    adjusted, largest = [0.0] * len(p), 0.0
    for k, at in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        largest = max(largest, (len(p) - k) * p[at])
        adjusted[at] = min(1.0, largest)
    return adjusted


def fdr_bh(p: Sequence[float]) -> list[float]:
    adjusted, smallest = [0.0] * len(p), 1.0
    for k, at in reversed(list(enumerate(sorted(range(len(p)), key=p.__getitem__)))):
        smallest = min(smallest, len(p) / (k + 1) * p[at])
        adjusted[at] = smallest
    return adjusted


ADJUST = {"bonferroni": bonferroni, "holm": holm, "fdr_bh": fdr_bh}


def studentized(theta: np.ndarray, se: np.ndarray, units: int) -> np.ndarray:
    from scipy import stats

    m = len(theta)
    matrix = np.zeros((m, m))
    for i, j in permutations(range(m), 2):
        delta = theta[i] - theta[j]
        if se[i, j] == 0:
            matrix[i, j] = 0.0 if delta == 0 else math.copysign(math.inf, delta)
            continue
        t = delta / se[i, j]
        if t > 0:
            t = stats.norm.isf(stats.t.sf(t * math.sqrt((units - 1) / units), units - 1))
        matrix[i, j] = t
    return matrix


def algorithm_a(
    t: np.ndarray, deviations: np.ndarray, se: np.ndarray, reference: int, others: list[int]
) -> list[float]:
    resamples = deviations.shape[1]
    two_sided = {j: max(t[reference, j], t[j, reference]) for j in others}
    k_of = sorted(others, key=lambda j: -two_sided[j])
    p, largest = {}, 0.0
    for k, entry in enumerate(k_of):
        count = 0
        for b in range(resamples):
            over = [
                abs(deviations[reference, b] - deviations[j, b]) / se[reference, j]
                for j in k_of[k:]
                if se[reference, j] > 0
            ]
            count += max(over, default=-math.inf) >= two_sided[entry]
        largest = max(largest, (1 + count) / (resamples + 1))
        p[entry] = largest
    for entry in others:
        if t[reference, entry] == 0 and se[reference, entry] == 0:
            p[entry] = 1.0
    return [p[entry] for entry in others]


def algorithm_b(t: np.ndarray, deviations: np.ndarray, se: np.ndarray) -> np.ndarray:
    m, resamples = deviations.shape
    ascending = sorted(permutations(range(m), 2), key=lambda pair: t[pair])
    maximum = [-math.inf] * resamples
    p = np.ones((m, m))
    for i, j in ascending:
        if se[i, j] > 0:
            for b in range(resamples):
                scaled = (deviations[i, b] - deviations[j, b]) / se[i, j]
                maximum[b] = max(maximum[b], scaled)
        p[i, j] = (1 + sum(value >= t[i, j] for value in maximum)) / (resamples + 1)
    largest = 0.0
    for pair in reversed(ascending):
        largest = max(largest, p[pair])
        p[pair] = largest
    for i, j in ascending:
        if t[i, j] == 0 and se[i, j] == 0:
            p[i, j] = 1.0
    return p


def algorithm_c(
    t: np.ndarray, deviations: np.ndarray, se: np.ndarray, alpha: float
) -> tuple[list[int], list[int]]:
    m = len(t)
    low, high = [1] * m, [m] * m
    for i in range(m):
        rivals = [j for j in range(m) if j != i]
        low[i] += shown_of([(j, i) for j in rivals], t, deviations, se, alpha)
        high[i] -= shown_of([(i, j) for j in rivals], t, deviations, se, alpha)
    return low, high


def shown_of(
    pairs: list[tuple[int, int]],
    t: np.ndarray,
    deviations: np.ndarray,
    se: np.ndarray,
    alpha: float,
) -> int:
    """How many pairs of one family are shown, the largest statistic first, until one is not."""
    resamples, left, shown = deviations.shape[1], sorted(pairs, key=lambda pair: t[pair]), 0
    while left and t[left[-1]] > 0:
        count = 0
        for b in range(resamples):
            over = [
                (deviations[i, b] - deviations[j, b]) / se[i, j] for i, j in left if se[i, j] > 0
            ]
            count += max(over, default=-math.inf) >= t[left[-1]]
        if (1 + count) / (resamples + 1) > alpha + 1e-12:
            break
        left.pop()
        shown += 1
    return shown


def joint_rank_sets(rejected: np.ndarray) -> tuple[list[int], list[int]]:
    m = len(rejected)
    best = [1 + sum(rejected[i, j] for i in range(m)) for j in range(m)]
    worst = [m - sum(rejected[j, i] for i in range(m)) for j in range(m)]
    return best, worst


def algorithm_d(
    t: np.ndarray, deviations: np.ndarray, se: np.ndarray, confidence: float
) -> list[bool]:
    m = len(t)
    kept = []
    for i in range(m):
        lead = max((t[j, i] for j in range(m) if j != i), default=-math.inf)
        kept.append(lead <= 0 or lead <= critical_value(i, deviations, se, confidence))
    return kept


def critical_value(i: int, deviations: np.ndarray, se: np.ndarray, confidence: float) -> float:
    m, resamples = deviations.shape
    place = math.ceil(round(confidence * (resamples + 1), 9))
    rivals = [j for j in range(m) if j != i and se[i, j] > 0]
    z = [
        max(((deviations[j, b] - deviations[i, b]) / se[i, j] for j in rivals), default=-math.inf)
        for b in range(resamples)
    ]
    return sorted(z)[place - 1] if place <= resamples else math.inf


def algorithm_e(order: list[int], rejected: np.ndarray) -> list[int]:
    head, number, tier = order[0], 1, {}
    for i in order:
        if rejected[head, i]:
            head, number = i, number + 1
        tier[i] = number
    return [tier[i] for i in range(len(order))]


def algorithm_f(star: np.ndarray) -> np.ndarray:
    m, resamples = star.shape
    frequency = np.zeros((m, m))
    for b in range(resamples):
        for i in range(m):
            frequency[i, sum(star[j, b] > star[i, b] for j in range(m))] += 1
    return frequency / resamples
