"""Scores whose draws are normal, because no resample of units repeats how they came about.

Runs of a method differ by their seeds, and are few: the variance V of the methods' mean scores is
estimated from them, draws are N(0, V), and a statistic T has the t distribution with few degrees of
freedom.

With x_isu the contribution of unit u to run s of method i, U is the covariance over the n units of
the means over runs, divided by n; s_i² the variance of the S_i scores of runs; and r_i the residual
variance of the two-way layout of runs and units. What seeds add to the variance of a mean is
A_i(g) = max(0, g_i − r_i/n)/S_i, and V = U + diag(A(s²)). The degrees of freedom of a difference
are Satterthwaite's, the fewer of those with g = s² and with g = max(s², s̄²), s̄² being the pooled
variance: with s² alone, a steady method among loud ones is lost. Source of the degrees of freedom:
Satterthwaite 1946, "An Approximate Distribution of Estimates of Variance Components", Biometrics
Bulletin 2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import Bools, Floats, Ints

#: Fewer runs of a method do not say how much its seeds matter.
FEWEST_RUNS = 3


@dataclass(frozen=True, eq=False)
class NormalDraws:
    """The variance of m scores, and what their differences are tested by."""

    covariance: Floats  # V [m, m]
    errors: Floats  # [m, m] standard errors of the differences; 0 on the diagonal
    freedom: Floats  # [m, m] degrees of freedom of T; on the diagonal, those of the scores
    seed_share: Floats  # [m, m] of the variance of a difference, what comes from seeds

    @classmethod
    def of_seeds(
        cls, runs: RunsOfMethods, competing: Bools, weights: Ints | None = None
    ) -> NormalDraws:
        """Return the variance of the mean scores of methods.

        ``competing`` [m] are the methods whose variances are pooled, and ``weights`` [n] say how
        many equal units each row stands for. A method with too few runs varies by units alone.
        """
        rows = len(runs.contributions)
        weights = np.ones(rows, np.intp) if weights is None else weights
        n = int(weights.sum())
        sizes, starts = runs.sizes, np.cumsum(runs.sizes) - runs.sizes
        means = np.add.reduceat(runs.contributions, starts, axis=1) / sizes
        covariance = (means.T * weights) @ means / ((n - 1) * n)
        known = sizes >= FEWEST_RUNS
        others = np.maximum(sizes - 1, 1)
        residuals = np.square(runs.contributions - np.repeat(means, sizes, axis=1))
        noise = np.add.reduceat(weights @ residuals, starts) / (others * (n - 1))
        score = np.add.reduceat(runs.scores, starts) / sizes
        spread = np.square(runs.scores - np.repeat(score, sizes))
        variance = np.where(known, np.add.reduceat(spread, starts) / others, 0.0)
        pooled_over = known & competing
        pooled = np.average(variance[pooled_over], weights=others[pooled_over])
        by_seeds, freedom = _with_seeds(covariance, variance, noise, sizes, n)
        wider = np.where(known, np.maximum(variance, pooled), 0.0)
        _, fewer = _with_seeds(covariance, wider, noise, sizes, n)
        from_units = _of_pairs(covariance)
        of_seeds = _of_sums(by_seeds)
        total = from_units + of_seeds
        np.fill_diagonal(total, 0.0)
        share = np.divide(of_seeds, total, out=np.zeros_like(total), where=total > 0)
        return cls(
            covariance + np.diag(by_seeds),
            np.sqrt(total),
            np.maximum(np.minimum(freedom, fewer), 1.0),
            share,
        )

    @property
    def scaled_errors(self) -> Floats:
        """The errors [m, m] as a bootstrap of ν + 1 units would have them.

        Its variance is that of ν degrees of freedom times ν/(ν + 1), which `draws.studentize` and
        `draws.unshrunk` allow for.
        """
        return np.asarray(self.errors * np.sqrt(self.freedom / (self.freedom + 1)))

    def keep(self, entries: Ints) -> NormalDraws:
        """Return the same of some entries."""
        kept = np.ix_(entries, entries)
        return NormalDraws(
            self.covariance[kept], self.errors[kept], self.freedom[kept], self.seed_share[kept]
        )

    def replicates(self, observed: Floats, resamples: int, seed: int, competing: Bools) -> Floats:
        """Draw scores [B, m] around the ``observed`` ones; negative eigenvalues count as 0.

        The symmetric root is the only one, so that draws are the same in every library. The entries
        that cannot win are drawn last, given the others, which they do not change.
        """
        rng = np.random.default_rng(seed)
        first, last = np.flatnonzero(competing), np.flatnonzero(~competing)
        drawn = np.zeros((resamples, observed.size))
        among = self.covariance[np.ix_(first, first)]
        drawn[:, first] = rng.normal(size=(resamples, first.size)) @ _root(among)
        if last.size:
            across = self.covariance[np.ix_(first, last)]
            slopes = np.linalg.pinv(among, hermitian=True) @ across
            rest = self.covariance[np.ix_(last, last)] - across.T @ slopes
            own = rng.normal(size=(resamples, last.size)) @ _root(rest)
            drawn[:, last] = drawn[:, first] @ slopes + own
        return np.asarray(observed + drawn)


@dataclass(frozen=True, eq=False)
class RunsOfMethods:
    """The runs of m methods, k in all, those of one method after each other."""

    contributions: Floats  # x [n, k] of units, centered for every run
    scores: Floats  # [k]
    sizes: Ints  # S [m]


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
    """Return the variances [m, m] of differences, and on the diagonal those of the scores."""
    variance = np.diag(covariance)
    of_pairs = variance[:, None] + variance - 2 * covariance
    rounded = 1e-12 * (variance[:, None] + variance)
    of_pairs = np.where(of_pairs > rounded, of_pairs, 0.0)
    np.fill_diagonal(of_pairs, variance)
    return np.asarray(of_pairs)


def _of_sums(values: Floats) -> Floats:
    """Return the sums [m, m] of two values, and on the diagonal the values."""
    sums = values[:, None] + values
    np.fill_diagonal(sums, values)
    return np.asarray(sums)


def _root(covariance: Floats) -> Floats:
    """Return the symmetric root of a covariance; negative eigenvalues count as 0."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T)
