"""Other rankings of the same scores: how much of a ranking is the choice of the scheme.

The schemes are those of Wiesenfarth et al. 2021, "Methods and open-source toolkit for analyzing and
visualizing challenge results": aggregate-then-rank by the mean and by the median,
rank-then-aggregate by the mean of the ranks within units, and test-then-rank by the number of
significant pairwise wins. The last one jumps where a p-value passes the level, and resampled units
occur twice, which no test allows for. So it has no interval.
"""

from __future__ import annotations

import math
import warnings

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from .analysis import RankingSchemes
from .corrections import adjust

#: Of more entries the page shows no schemes: the number of tests grows with its square.
MOST_ENTRIES = 100


def ranking_schemes(
    scores: Floats,
    entries: Ints,
    *,
    greater_is_better: bool,
    confidence: float,
    units: Ints | None = None,
) -> RankingSchemes:
    """Rank ``entries`` by their scores on units, [n, k], in four ways.

    ``units`` [n] gives the group of each row. Then the tests compare the means of groups.
    """
    losses = -scores if greater_is_better else scores
    values = {
        "mean": np.array([math.fsum(column) / len(column) for column in scores.T]),
        "median": np.median(scores, axis=0),
        "mean_rank": np.array([(losses < own[:, None]).sum(axis=1).mean() + 1 for own in losses.T]),
        "wins": wins(_group_means(-losses, units), round(1 - confidence, 12)),
    }
    sign = 1.0 if greater_is_better else -1.0
    higher_is_better = {"mean": sign, "median": sign, "mean_rank": -1.0, "wins": 1.0}
    return RankingSchemes(
        entries,
        values,
        {scheme: _ranks(higher_is_better[scheme] * of) for scheme, of in values.items()},
    )


def wins(scores: Floats, alpha: float) -> Floats:
    """Return how many others each entry beats significantly, [k]; higher scores [n, k] are better.

    One-sided Wilcoxon signed-rank tests of all ordered pairs by SciPy, with the normal
    approximation, adjusted by Holm as one family.
    """
    k = scores.shape[1]
    better = np.ones((k, k))  # p-value of "the first of two is better"
    for i in range(k - 1):
        differences = scores[:, i, None] - scores[:, i + 1 :]
        better[i, i + 1 :], better[i + 1 :, i] = _wilcoxon(differences), _wilcoxon(-differences)
    pairs: Bools = ~np.eye(k, dtype=np.bool_)
    better[pairs] = adjust(better[pairs], np.zeros(k * (k - 1), np.intp))["holm"]
    found: Floats = np.count_nonzero((better <= alpha) & pairs, axis=1).astype(np.float64)
    return found


def _wilcoxon(differences: Floats) -> Floats:
    """Return one-sided p-values [k] that differences [n, k] are above zero; 1 where all are zero.

    Zero differences are left out (Wilcoxon's method). There is no continuity correction.
    """
    from scipy import stats  # only tables of scores need it, and its import takes long

    found = np.ones(differences.shape[1])
    vary = differences.any(axis=0)
    if vary.any():
        with warnings.catch_warnings():  # of few units; the page's cautions say so
            warnings.simplefilter("ignore")
            found[vary] = stats.wilcoxon(
                differences[:, vary],
                alternative="greater",
                method="approx",
                correction=False,
                axis=0,
            ).pvalue
    return found


def _group_means(scores: Floats, units: Ints | None) -> Floats:
    """Return the means of scores [n, k] within groups."""
    if units is None:
        return scores
    sizes = np.bincount(units)
    return np.array([np.bincount(units, column) / sizes for column in scores.T]).T


def _ranks(values: Floats) -> Ints:
    """Return 1 + the number of higher values, [k]."""
    return np.asarray(1 + np.count_nonzero(values[:, None] > values, axis=0), np.intp)
