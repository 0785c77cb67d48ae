"""Scores whose draws are normal, because no resample of units repeats how they came about.

Folds of a cross-validation share training data (`core.folds`), and preferences belong to prompts
and to judges at once. The variance V of the scores is known in both cases. Draws are N(0, V), and a
statistic T has the t distribution with few degrees of freedom.

Of crossed groups, V = V_prompt + V_judge − V_line: the influence values of the lines, clustered by
prompt, by judge and by line, each times G/(G − 1). Of a difference, V is never below the larger of
the first two, and T has min(G*_prompt, G*_judge) − 1 degrees of freedom. Both keep the level where
a judge has many of the lines. Sources: Cameron, Gelbach and Miller 2011, "Robust Inference With
Multiway Clustering", Journal of Business and Economic Statistics 29; Carter, Schnepel and
Steigerwald 2017 (G*), Review of Economics and Statistics 99.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Floats, Ints
from ..core.folds import Folds

#: Fewer degrees of freedom give a t distribution without a meaning.
_LEAST_FREEDOM = 0.5


@dataclass(frozen=True, eq=False)
class NormalDraws:
    """The variance of m scores, and what their differences are tested by."""

    covariance: Floats  # V [m, m]
    errors: Floats  # [m, m] standard errors of the differences; 0 on the diagonal
    freedom: float  # degrees of freedom of T

    @classmethod
    def of_folds(cls, scores: Floats, folds: Folds) -> NormalDraws:
        """Return the variance of the means of fold scores [rk, m]."""
        covariance = np.atleast_2d(np.cov(scores, rowvar=False)) * folds.variance_factor
        return cls(covariance, _of_differences(covariance), folds.degrees_of_freedom)

    @classmethod
    def of_crossed_groups(cls, influence: Floats, columns: Sequence[Ints]) -> NormalDraws:
        """Return the variance by the influence values [n, m] of the lines.

        ``columns`` are the numbers [n] of the lines' groups in both columns.
        """
        of_columns = [_clustered(influence, numbers) for numbers in columns]
        of_lines = _clustered(influence, np.arange(len(influence)))
        covariance = of_columns[0] + of_columns[1] - of_lines
        errors = np.maximum.reduce([_of_differences(of) for of in (covariance, *of_columns)])
        freedom = min(_groups_in_effect(numbers) for numbers in columns) - 1
        return cls(covariance, errors, max(freedom, _LEAST_FREEDOM))

    @property
    def scaled_errors(self) -> Floats:
        """The errors [m, m] as a bootstrap of ν + 1 units would have them.

        Its variance is that of ν degrees of freedom times ν/(ν + 1), which `draws.studentize` and
        `draws.unshrunk` allow for.
        """
        return self.errors * math.sqrt(self.freedom / (self.freedom + 1))

    def keep(self, entries: Ints) -> NormalDraws:
        """Return the same of some entries."""
        kept = np.ix_(entries, entries)
        return NormalDraws(self.covariance[kept], self.errors[kept], self.freedom)

    def replicates(self, observed: Floats, resamples: int, seed: int) -> Floats:
        """Draw scores [B, m] around the ``observed`` ones; negative eigenvalues count as 0.

        The symmetric root is the only one, so that draws are the same in every library.
        """
        values, vectors = np.linalg.eigh(self.covariance)
        root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
        drawn = np.random.default_rng(seed).normal(size=(resamples, observed.size))
        return np.asarray(observed + drawn @ root)


def _clustered(influence: Floats, groups: Ints) -> Floats:
    """Return the variance [m, m] where the influence values of a group [n] vary together."""
    sums = np.zeros((int(groups.max()) + 1, influence.shape[1]))
    np.add.at(sums, groups, influence)
    count = len(sums)
    return np.asarray(sums.T @ sums * (count / max(count - 1, 1)))


def _of_differences(covariance: Floats) -> Floats:
    """Return the standard errors [m, m] of differences, 0 where only rounding makes one."""
    variance = np.diag(covariance)
    of_pairs = variance[:, None] + variance - 2 * covariance
    rounded = 1e-12 * (np.abs(variance[:, None]) + np.abs(variance))
    return np.sqrt(np.where(of_pairs > rounded, of_pairs, 0.0))


def _groups_in_effect(groups: Ints) -> float:
    """Return G* = (Σ n_g)² / Σ n_g² of the lines in each group."""
    lines = np.bincount(groups).astype(np.float64)
    return float(lines.sum() ** 2 / np.square(lines).sum())
