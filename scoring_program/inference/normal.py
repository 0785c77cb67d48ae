"""Scores whose draws are normal, because no resample of units repeats how they came about.

The variance V of the scores is estimated, draws are N(0, V), and a statistic T has the t
distribution with few degrees of freedom. There are three cases, the *sources* of V.

**Seeds.** Runs of a method differ by their seeds, and are few. With x_isu the contribution of unit
u to run s of method i, U is the covariance over the n units of the means over runs, divided by n;
s_i² the variance of the S_i scores of runs; and r_i the residual variance of the two-way layout of
runs and units. What seeds add to the variance of a mean is A_i(g) = max(0, g_i − r_i/n)/S_i, and
V = U + diag(A(s²)). The degrees of freedom of a difference are Satterthwaite's, the fewer of those
with g = s² and with g = max(s², s̄²), s̄² being the pooled variance: with s² alone, a steady method
among loud ones is lost. Source of the degrees of freedom: Satterthwaite 1946, "An Approximate
Distribution of Estimates of Variance Components", Biometrics Bulletin 2.

**Folds** of a cross-validation share training data: see `core.folds`.

**Crossed** groups: preferences belong to prompts and to judges at once, and V = V_prompt + V_judge
− V_line: the influence values of the lines, clustered by prompt, by judge and by line, each times
G/(G − 1). Of a difference, V is never below the larger of the first two, and T has min(G*_prompt,
G*_judge) − 1 degrees of freedom. Both keep the level where a judge has many of the lines. Sources:
Cameron, Gelbach and Miller 2011, "Robust Inference With Multiway Clustering", Journal of Business
and Economic Statistics 29; Carter, Schnepel and Steigerwald 2017 (G*), Review of Economics and
Statistics 99.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from ..core.exact import products_of_pairs
from ..core.folds import Folds
from ..core.grouping import Grouping

#: The sources of the variance.
SEEDS = "seeds"
FOLDS = "folds"
CROSSED = "crossed"
#: Fewer runs of a method do not say how much its seeds matter.
FEWEST_RUNS = 3
#: Fewer degrees of freedom give a t distribution without a meaning.
_LEAST_FREEDOM = 0.5


@dataclass(frozen=True, eq=False)
class NormalDraws:
    """The variance of m scores, and what their differences are tested by.

    ``variances`` and ``freedom`` are those of the differences, and on the diagonal those of the
    scores.
    """

    source: str  # "seeds", "folds" or "crossed"
    covariance: Floats  # V [m, m], by which scores are drawn
    variances: Floats  # [m, m], by which T is divided, and which may be larger
    freedom: Floats  # [m, m] degrees of freedom of T
    seed_share: Floats | None = None  # [m, m] of ``variances``, what comes from seeds
    parts: PartsOfVariance | None = None  # of seeds

    @classmethod
    def of_seeds(
        cls, runs: RunsOfMethods, competing: Bools, of_units: Grouping | None = None
    ) -> NormalDraws:
        """Return the variance of the mean scores of methods.

        ``competing`` [m] are the methods whose variances are pooled, and ``of_units`` says how many
        equal units each row stands for. A method with too few runs varies by units alone.
        """
        grouping = Grouping(len(runs.contributions)) if of_units is None else of_units
        weights = grouping.numbers
        n = grouping.examples
        sizes = runs.sizes
        starts = np.cumsum(runs.sizes) - runs.sizes
        means = np.add.reduceat(runs.contributions, starts, axis=1) / sizes
        weighted = means * weights[:, None]
        covariance = products_of_pairs(weighted, means, competing) / ((n - 1) * n)
        has_runs = sizes >= FEWEST_RUNS
        freedom_of_runs = np.maximum(sizes - 1, 1)
        residuals = np.square(runs.contributions - np.repeat(means, sizes, axis=1))
        # Added up row by row, so that no run changes the digits of another one.
        total = (residuals * weights[:, None]).sum(axis=0)
        noise = np.add.reduceat(total, starts) / (freedom_of_runs * (n - 1))
        score = np.add.reduceat(runs.scores, starts) / sizes
        spread = np.square(runs.scores - np.repeat(score, sizes))
        variance = np.where(has_runs, np.add.reduceat(spread, starts) / freedom_of_runs, 0.0)
        pooled_over = has_runs & competing
        pooled = np.average(variance[pooled_over], weights=freedom_of_runs[pooled_over])
        by_seeds, freedom = _with_seeds(covariance, variance, noise, sizes, n)
        wider = np.where(has_runs, np.maximum(variance, pooled), 0.0)
        _, fewer = _with_seeds(covariance, wider, noise, sizes, n)
        of_seeds = _of_sums(by_seeds)
        variances = _of_pairs(covariance) + of_seeds
        share = np.divide(of_seeds, variances, out=np.zeros_like(variances), where=variances > 0)
        return cls(
            SEEDS,
            covariance + np.diag(by_seeds),
            variances,
            np.maximum(np.minimum(freedom, fewer), 1.0),
            share,
            PartsOfVariance(
                _of_pairs(covariance), noise / n, by_seeds, variance, float(pooled), sizes, n
            ),
        )

    @classmethod
    def of_folds(cls, scores: Floats, folds: Folds, competing: Bools | None = None) -> NormalDraws:
        """Return the variance of the means of fold scores [rk, m].

        Entries that are not ``competing`` [m] do not change that of the others.
        """
        deviations = scores - scores.mean(axis=0)
        covariance = products_of_pairs(deviations, deviations, competing)
        covariance *= folds.variance_factor / (len(scores) - 1)
        freedom = np.full(covariance.shape, float(folds.degrees_of_freedom))
        return cls(FOLDS, covariance, _of_pairs(covariance), freedom)

    @classmethod
    def of_crossed_groups(
        cls, influence: Floats, columns: Sequence[Ints], competing: Bools | None = None
    ) -> NormalDraws:
        """Return the variance by the influence values [n, m] of the lines.

        ``columns`` are the numbers [n] of the lines' groups in both columns. Entries that are not
        ``competing`` [m] do not change that of the others.
        """
        of_columns = [_clustered(influence, numbers, competing) for numbers in columns]
        of_lines = _clustered(influence, np.arange(len(influence)), competing)
        covariance = of_columns[0] + of_columns[1] - of_lines
        variances = np.maximum.reduce([_of_pairs(part) for part in (covariance, *of_columns)])
        fewest = min(_groups_in_effect(numbers) for numbers in columns)
        freedom = np.full(covariance.shape, max(fewest - 1, _LEAST_FREEDOM))
        return cls(CROSSED, covariance, variances, freedom)

    @property
    def errors(self) -> Floats:
        """Standard errors [m, m] of the differences; 0 on the diagonal."""
        errors = np.sqrt(self.variances)
        np.fill_diagonal(errors, 0.0)
        return np.asarray(errors)

    @property
    def score_errors(self) -> Floats:
        """Standard errors [m] of the scores."""
        return np.asarray(np.sqrt(self.variances.diagonal()))

    @property
    def scaled_errors(self) -> Floats:
        """The errors [m, m] as a bootstrap of ν + 1 units would have them.

        Its variance is that of ν degrees of freedom times ν/(ν + 1), which `draws.studentize` and
        `draws.unshrunk` allow for.
        """
        return np.asarray(self.errors * np.sqrt(self.freedom / (self.freedom + 1)))

    def keep(self, entries: Ints) -> NormalDraws:
        """Return the same of some entries."""
        block = np.ix_(entries, entries)
        return replace(
            self,
            covariance=self.covariance[block],
            variances=self.variances[block],
            freedom=self.freedom[block],
            seed_share=None if self.seed_share is None else self.seed_share[block],
            parts=None if self.parts is None else self.parts.keep(entries),
        )

    def replicates(self, observed: Floats, resamples: int, seed: int, competing: Bools) -> Floats:
        """Draw scores [B, m] around the ``observed`` ones; negative eigenvalues count as 0.

        The symmetric root is the only one, so that draws are the same in every library. The entries
        that cannot win are drawn last, given the others, which they do not change.
        """
        rng = np.random.default_rng(seed)
        first = np.flatnonzero(competing)
        last = np.flatnonzero(~competing)
        drawn = np.zeros((resamples, observed.size))
        among = self.covariance[np.ix_(first, first)]
        drawn[:, first] = rng.normal(size=(resamples, first.size)) @ _root(among)
        if last.size:
            across = self.covariance[np.ix_(first, last)]
            slopes = np.linalg.pinv(among, hermitian=True) @ across
            conditional = self.covariance[np.ix_(last, last)] - across.T @ slopes
            independent = rng.normal(size=(resamples, last.size)) @ _root(conditional)
            drawn[:, last] = drawn[:, first] @ slopes + independent
        return np.asarray(observed + drawn)


@dataclass(frozen=True, eq=False)
class RunsOfMethods:
    """The runs of m methods, k in all, those of one method after each other."""

    contributions: Floats  # x [n, k] of units, centered for every run
    scores: Floats  # [k]
    sizes: Ints  # S [m]


@dataclass(frozen=True, eq=False)
class PartsOfVariance:
    """What makes the variances of means over runs, to say what more units or runs would change."""

    units: Floats  # [m, m] what units add to the variances of differences
    noise: Floats  # [m] r/n, the part of a run's variance that units and runs share
    seeds: Floats  # [m] A(s²), what seeds add to the variances of the means
    spread: Floats  # [m] s²
    pooled: float  # s̄²
    sizes: Ints  # [m] S
    n: int

    def of_pair(self, pair: tuple[int, int], times: float, runs: int) -> tuple[float, float]:
        """Return the variance of a difference, and its degrees of freedom, with more of either.

        That is with so many ``times`` the units, and with ``runs`` runs of each of the two methods
        or, where a method has more already, as many as now.
        """
        entries = list(pair)
        sizes = np.maximum(self.sizes[entries], runs)
        fewer = self.sizes[entries] / sizes
        shared = self.noise[entries] / self.sizes[entries]
        units = max(float(self.units[pair] - (shared * (1 - fewer)).sum()), 0.0) / times
        variance = units + float((self.seeds[entries] * fewer).sum())
        noise = self.noise[entries] / times
        spread = np.maximum(self.spread[entries] - self.noise[entries] + noise, 0.0)
        freedom = []
        for by_runs in (spread, np.maximum(spread, self.pooled)):
            added = np.maximum(by_runs - noise, 0.0) / sizes
            squares = np.square(by_runs / sizes) / np.maximum(sizes - 1, 1)
            below = units**2 / (self.n * times - 1) + float(squares.sum())
            total = (units + float(added.sum())) ** 2
            freedom.append(total / below if below > 0 else 1.0)
        return variance, max(min(freedom), 1.0)

    def keep(self, entries: Ints) -> PartsOfVariance:
        """Return the same of some entries."""
        return replace(
            self,
            units=self.units[np.ix_(entries, entries)],
            noise=self.noise[entries],
            seeds=self.seeds[entries],
            spread=self.spread[entries],
            sizes=self.sizes[entries],
        )


def _with_seeds(
    covariance: Floats, variance: Floats, noise: Floats, sizes: Ints, n: int
) -> tuple[Floats, Floats]:
    """Return what seeds add to the variances [m], and the degrees of freedom [m, m].

    ``variance`` [m] are those of the runs' scores, g, and ``noise`` [m] the residual ones, r.
    """
    by_seeds = np.maximum(variance - noise / n, 0.0) / sizes
    of_runs = np.square(variance / sizes) / np.maximum(sizes - 1, 1)
    from_units = _of_pairs(covariance)
    spread = np.square(from_units) / (n - 1) + _of_sums(of_runs)
    total = np.square(from_units + _of_sums(by_seeds))
    return by_seeds, np.divide(total, spread, out=np.ones_like(total), where=spread > 0)


def _of_pairs(covariance: Floats) -> Floats:
    """Return the variances [m, m] of differences, and on the diagonal those of the scores.

    They are 0 where only rounding makes one.
    """
    variance = covariance.diagonal()
    of_pairs = variance[:, None] + variance - 2 * covariance
    rounded = 1e-12 * (np.abs(variance[:, None]) + np.abs(variance))
    of_pairs = np.where(of_pairs > rounded, of_pairs, 0.0)
    np.fill_diagonal(of_pairs, variance)
    return np.asarray(of_pairs)


def _of_sums(values: Floats) -> Floats:
    """Return the sums [m, m] of two values, and on the diagonal the values."""
    sums = values[:, None] + values
    np.fill_diagonal(sums, values)
    return np.asarray(sums)


def _clustered(influence: Floats, groups: Ints, competing: Bools | None) -> Floats:
    """Return the variance [m, m] where the influence values of a group [n] vary together."""
    sums = np.zeros((int(groups.max()) + 1, influence.shape[1]))
    np.add.at(sums, groups, influence)
    count = len(sums)
    return np.asarray(products_of_pairs(sums, sums, competing) * (count / max(count - 1, 1)))


def _groups_in_effect(groups: Ints) -> float:
    """Return G* = (Σ n_g)² / Σ n_g² of the lines in each group."""
    lines = np.bincount(groups).astype(np.float64)
    return float(lines.sum() ** 2 / np.square(lines).sum())


def _root(covariance: Floats) -> Floats:
    """Return the symmetric root of a covariance; negative eigenvalues count as 0."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T)
