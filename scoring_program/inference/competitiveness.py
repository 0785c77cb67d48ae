"""Measures of how close a competition was, as in the papers.

Sources: Nava-Muñoz, Graff, Escalante 2024, table 6; Nava-Muñoz's thesis, sections 5.4 and 5.5.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from ..core.arrays import Floats
from ..metrics import Metric
from .analysis import Competitiveness


def competitiveness(
    metric: Metric,
    scores: Floats,
    n: int,
    *,
    ties_with_winner: Mapping[str, int],
    ties_between_competitors: Mapping[str, int],
) -> Competitiveness:
    """Return the measures for the scores [m] of the entries that can win (m ≥ 1)."""
    m = scores.size
    return Competitiveness(
        n=n,
        m=m,
        ties_with_winner=ties_with_winner,
        possible_comparisons=m * (m - 1) // 2,
        ties_between_competitors=ties_between_competitors,
        winner_minus_median=winner_minus_median(scores, greater_is_better=metric.greater_is_better),
        cv_percent=coefficient_of_variation(scores) if metric.ratio_scale else None,
        ppi_percent=possible_improvement(metric, scores),
    )


def _winning(scores: Floats, *, greater_is_better: bool) -> float:
    return float(scores.max() if greater_is_better else scores.min())


def winner_minus_median(scores: Floats, *, greater_is_better: bool) -> float | None:
    """Return |winner − median| of the scores [m]; None with fewer than two entries."""
    if scores.size < 2:
        return None
    return abs(_winning(scores, greater_is_better=greater_is_better) - float(np.median(scores)))


def coefficient_of_variation(scores: Floats) -> float | None:
    """Return CV = 100·s/mean of the scores [m], s with ddof 1; None for one entry or mean 0."""
    if scores.size < 2 or scores.mean() == 0:
        return None
    return float(100 * scores.std(ddof=1) / scores.mean())


def possible_improvement(metric: Metric, scores: Floats) -> float | None:
    """Return PPI, the possible improvement: 100·|ideal − winner| / range of the metric.

    For an unbounded error metric with ideal 0, PPI is the winner's error, in the metric's units.
    None if the metric has no ideal, or has no bounds and an ideal other than 0.
    """
    if metric.ideal is None:
        return None
    distance = abs(metric.ideal - _winning(scores, greater_is_better=metric.greater_is_better))
    extent = metric.high - metric.low
    if math.isfinite(extent):
        return 100 * distance / extent
    return distance if metric.ideal == 0 and not metric.greater_is_better else None
