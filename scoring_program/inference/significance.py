"""Tests of the difference between two entries, each with a p-value that is never 0.

Differences are oriented so that positive means that the first entry is better. Sources:
Berg-Kirkpatrick, Burkett and Klein 2012 (shifted bootstrap), as used by Nava-Muñoz, Graff and
Escalante 2023, section 4.5; Arguello's lecture on significance tests (bootstrap-shift, Fisher's
randomization); Dietterich 1998 (McNemar); Fagerland, Lydersen and Laake 2013 (mid-p).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Bools, Floats
from .distributions import Distribution

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


def one_sided_bootstrap_shift(
    distribution: Distribution, mean: Floats, observed: Floats, tolerance: Floats
) -> Floats:
    """Return the one-sided bootstrap-shift p [k]: (1 + #{δ* − mean ≥ δ − tol}) / (B + 1)."""
    reached = distribution.at_least(mean + (observed - tolerance))
    return np.asarray((1 + reached) / (distribution.resamples + 1), dtype=np.float64)


def grouped(
    observed: Floats, error: Floats, counted: Floats, groups: float, *, two_sided: bool
) -> Floats:
    """Return p [k] from the t distribution, for differences ``observed`` of whole groups.

    ``error`` [k] are bootstrap standard errors, and ``groups`` is G*, the effective number of
    groups. With few of them, counted p-values are too small: corrected ones keep a best entry in
    .72 to .87 instead of .95. T = δ/se·√((G* − 1)/G*), because the bootstrap's variance lacks this
    factor, has G* − 1 degrees of freedom. Where nothing varies, the p is ``counted`` [k].
    """
    from scipy.special import stdtr  # a fifth of a second; only grouped designs need it

    freedom = max(groups - 1, 1e-6)
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = observed / error * math.sqrt(freedom / (freedom + 1))
    tail = stdtr(freedom, -np.abs(statistic))
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


def randomization(
    statistic: Callable[[Bools], Floats],
    observed: float,
    units: int,
    resamples: int,
    rng: np.random.Generator,
    tolerance: float = 0.0,
) -> Randomization:
    """Run the randomization test of one pair.

    ``statistic`` maps swaps [R, N] to the differences [R] after the two entries' predictions were
    swapped on the marked units.
    """
    test = Randomization(observed, tolerance, enumerable(units, resamples))
    for swap in swaps(rng, units, resamples):
        test.add(statistic(swap))
    return test


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
