"""The methods transcribed from their definitions, one loop a sum: slow, obvious, and independent.

θ [m] and θ* [m, B] are oriented so that higher is better; i, j are entries, b is a resample.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Judged:
    """Pairs of entries, judged by D's section "The family of i" word by word.

    ``differ`` [n, m, m] says where two entries differ, ``group`` [n] are the rows' groups or None,
    ``psi`` [N, m] their influence values, and ``right`` [n, m] says who is right, if scores are
    right or wrong. ``competing`` are the entries that can win.
    """

    theta: np.ndarray
    star: np.ndarray
    differ: np.ndarray
    psi: np.ndarray
    competing: list[int]
    alpha: float = 0.05
    group: np.ndarray | None = None
    right: np.ndarray | None = None
    undefined: bool = False
    few_groups: bool = False

    def reason(self, i: int, j: int) -> str | None:
        """Why a pair is not reliable, None if it is."""
        rows = [r for r in range(len(self.differ)) if self.differ[r, i, j]]
        if self.undefined:
            return "undefined"
        if len(rows) < 10:
            return "few"
        if self.group is not None and len({self.group[r] for r in rows}) < 10:
            return "few"
        if standard_error(self.theta, self.star, i, j) == 0:
            return "constant"
        d = self.psi[:, j] - self.psi[:, i]
        d = d - sum(d) / len(d)
        size = len(d)
        second, third, fourth = (sum(d**power) / size for power in (2, 3, 4))
        skewness, kurtosis = third / second**1.5, fourth / second**2 - 3
        by_sampling = 2.5 * math.sqrt(6) / size, 2.5 * math.sqrt(24 / size) / size
        heavy = abs(skewness) / math.sqrt(size) > max(0.1, by_sampling[0])
        heavy |= kurtosis / size > max(0.1, by_sampling[1])
        return "heavy" if heavy else None

    @property
    def level(self) -> float:
        return self.alpha / (2 * max(len(self.competing) - 1, 1))

    def judge(self, i: int, j: int) -> str | None:
        """The test that judges a pair alone, None if there is none."""
        reason, equal = self.reason(i, j), abs(self.theta[i] - self.theta[j])
        if reason == "heavy" and not self.few_groups:
            return "count"
        if reason == "constant" and equal > tolerance(self.theta, i, j):
            return "count"
        if reason == "few" and self.right is not None and self.group is None:
            return "mcnemar"
        return None

    def p_alone(self, j: int, i: int) -> float:
        """The p-value that j is better than i, by the test that judges the pair."""
        if self.judge(i, j) == "count":
            if self.theta[j] <= self.theta[i]:
                return 1.0
            near = tolerance(self.theta, i, j)
            turned = sum(d <= near for d in difference(self.star, j, i))
            return (1 + turned) / (self.star.shape[1] + 1)
        assert self.right is not None
        a = sum(self.right[r, j] and not self.right[r, i] for r in range(len(self.right)))
        b = sum(self.right[r, i] and not self.right[r, j] for r in range(len(self.right)))
        return float(stats.binom.sf(a - 1, a + b, 0.5))

    def can_act(self, i: int, j: int) -> bool:
        judge = self.judge(i, j)
        if judge == "count":
            return 1 / (self.star.shape[1] + 1) < self.level - TOLERANCE
        rows = sum(self.differ[r, i, j] for r in range(len(self.differ)))
        return judge == "mcnemar" and 0.5**rows < self.level

    def alone(self, j: int, i: int) -> bool:
        """Whether j is shown better than i by a test of this pair alone."""
        return self.judge(i, j) is not None and self.p_alone(j, i) < self.level - TOLERANCE

    def outright(self, i: int) -> bool:
        """Whether an entry is behind another one by rule D′."""
        rivals = [j for j in self.competing if j != i]
        return any(self.judge(i, j) == "count" and self.alone(j, i) for j in rivals)

    def alpha_of(self, i: int) -> float:
        u = sum(self.can_act(i, j) for j in self.competing if j != i)
        return self.alpha - u * self.level

    def family(self) -> np.ndarray:
        """The standard errors of the pairs in families, 0 for the others."""
        m = len(self.theta)
        found = np.zeros((m, m))
        for i, j in permutations(range(m), 2):
            if self.reason(i, j) is None:
                found[i, j] = standard_error(self.theta, self.star, i, j)
        return found


def algorithm_b(t: np.ndarray, deviations: np.ndarray, se: np.ndarray) -> np.ndarray:
    """The p of all pairs; those with ``se`` 0 are no hypotheses, and have a p of 1."""
    m, resamples = deviations.shape
    ascending = sorted(
        (pair for pair in permutations(range(m), 2) if se[pair] > 0), key=lambda pair: t[pair]
    )
    maximum = [-math.inf] * resamples
    p = np.ones((m, m))
    for i, j in ascending:
        for b in range(resamples):
            maximum[b] = max(maximum[b], (deviations[i, b] - deviations[j, b]) / se[i, j])
        p[i, j] = (1 + sum(value >= t[i, j] for value in maximum)) / (resamples + 1)
    largest = 0.0
    for pair in reversed(ascending):
        largest = max(largest, p[pair])
        p[pair] = largest
    return p


def algorithm_c(
    t: np.ndarray, deviations: np.ndarray, judged: Judged
) -> tuple[np.ndarray, np.ndarray]:
    """Who is shown better than whom, by the families of those above and of those below."""
    m, se = len(t), judged.family()
    above, below = (np.zeros((m, m), bool) for _ in range(2))
    for i in range(m):
        rivals = [j for j in judged.competing if j != i]
        level = judged.alpha_of(i) if i in judged.competing else judged.alpha
        for j, _ in shown_of([(j, i) for j in rivals], t, deviations, se, level):
            above[j, i] = True
        for _, j in shown_of([(i, j) for j in rivals], t, deviations, se, judged.alpha):
            below[i, j] = True
        for j in rivals:
            above[j, i] |= judged.alone(j, i)
            below[i, j] |= judged.alone(i, j)
    return above, below


def shown_of(
    pairs: list[tuple[int, int]],
    t: np.ndarray,
    deviations: np.ndarray,
    se: np.ndarray,
    alpha: float,
) -> list[tuple[int, int]]:
    """The pairs of one family that are shown, the largest statistic first, until one is not."""
    resamples, shown = deviations.shape[1], []
    left = sorted((pair for pair in pairs if se[pair] > 0), key=lambda pair: t[pair])
    while left and t[left[-1]] > 0:
        count = 0
        for b in range(resamples):
            over = [(deviations[i, b] - deviations[j, b]) / se[i, j] for i, j in left]
            count += max(over) >= t[left[-1]]
        if (1 + count) / (resamples + 1) > alpha + 1e-12:
            break
        shown.append(left.pop())
    return shown


def joint_rank_sets(rejected: np.ndarray) -> tuple[list[int], list[int]]:
    m = len(rejected)
    best = [1 + sum(rejected[i, j] for i in range(m)) for j in range(m)]
    worst = [m - sum(rejected[j, i] for i in range(m)) for j in range(m)]
    return best, worst


def algorithm_d(t: np.ndarray, deviations: np.ndarray, judged: Judged) -> list[bool]:
    """Which entries could be the best."""
    se, kept = judged.family(), []
    for i in judged.competing:
        rivals = [j for j in judged.competing if j != i]
        c = critical_value(i, rivals, deviations, se, judged.alpha_of(i))
        excluded = any(se[i, j] > 0 and t[j, i] > c for j in rivals)
        kept.append(not excluded and not any(judged.alone(j, i) for j in rivals))
    return kept


def critical_value(
    i: int, rivals: list[int], deviations: np.ndarray, se: np.ndarray, alpha: float
) -> float:
    resamples = deviations.shape[1]
    k = math.ceil((1 - alpha) * (resamples + 1) - 1e-9)
    z = [
        max(
            ((deviations[j, b] - deviations[i, b]) / se[i, j] for j in rivals if se[i, j] > 0),
            default=-math.inf,
        )
        for b in range(resamples)
    ]
    return max(sorted(z)[k - 1], 0.0) if k <= resamples else math.inf


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


def closed(low: np.ndarray, high: np.ndarray, winners: np.ndarray) -> tuple[list[int], list[int]]:
    """The closure of rank ranges: what the possible winners say of them, clause by clause."""
    count, lows, highs = int(sum(winners)), [], []
    for best, worst, wins in zip(low.tolist(), high.tolist(), winners.tolist(), strict=True):
        lows.append(1 if wins else max(best, 2))
        worst = max(worst, count) if wins else worst
        worst = 1 if wins and count == 1 else worst
        highs.append(max(worst, lows[-1]))
    return lows, highs
