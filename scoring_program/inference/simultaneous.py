"""Confidence intervals of many scores that all hold at once.

The scores of k cells, such as entries within slices, are put on a scale on which the size of a
score says little about its standard error: y = asin √((s − low) / (high − low)) for a metric with
two bounds, the logarithm of the distance from the bound for a metric with one, y = s for others.
With c the quantile of the largest |y* − y| / sd(y*) over all cells, the intervals are y ± c′·sd(y*)
on that scale, c′ the critical value of the t distribution that corresponds to c for the units of
the cell. On the scores' own scale, the largest of hundreds of deviations is that of a score close
to its bound, and the intervals cover far too little. Sources: Romano and Wolf 2005 (single step);
Efron and Tibshirani 1994, chapter 12 (transformations).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Floats
from .ranks import unshrunk
from .step_down import critical_value


@dataclass(frozen=True, eq=False)
class CellScores:
    """Scores [k] of cells with the same number of resampled units, and their replicates [B, k]."""

    score: Floats
    replicates: Floats
    units: int


def simultaneous_intervals(
    cells: Sequence[CellScores], bounds: tuple[float, float], confidence: float
) -> list[tuple[Floats, Floats]]:
    """Return the lower and upper ends [k] of every item; all cells share the resamples.

    ``bounds`` are those of the metric, possibly infinite. Ends are nan where a score never varies,
    or lies on the only bound in some resample.
    """
    centers, errors = [], []
    largest = np.full(len(cells[0].replicates) if cells else 0, -np.inf)
    for item in cells:
        center, drawn = _stretched(item.score, bounds), _stretched(item.replicates, bounds)
        with np.errstate(invalid="ignore"):
            error = drawn.std(axis=0, ddof=1)
        error[~(error > 1e-12 * np.maximum(np.abs(center), 1e-300))] = np.nan
        varies = np.isfinite(error) & np.isfinite(center)
        error[~varies] = np.nan
        deviations = np.abs(drawn[:, varies] - center[varies]) / error[varies]
        np.maximum(largest, deviations.max(axis=1, initial=-np.inf), out=largest)
        centers.append(center)
        errors.append(error)
    found = []
    critical = critical_value(largest, confidence)
    for item, center, error in zip(cells, centers, errors, strict=True):
        width = float(unshrunk(np.array([critical]), item.units)[0]) * error
        ends = [_shrunk(center + side * width, bounds) for side in (-1.0, 1.0)]
        found.append((np.fmin(*ends), np.fmax(*ends)))
    return found


def _stretched(scores: Floats, bounds: tuple[float, float]) -> Floats:
    """Return scores on the scale of the module's docstring."""
    low, high = bounds
    with np.errstate(divide="ignore"):
        if np.isfinite(low) and np.isfinite(high):
            share = np.clip((scores - low) / (high - low), 0.0, 1.0)
            return np.asarray(np.arcsin(np.sqrt(share)))
        if np.isfinite(low):
            return np.asarray(np.log(np.maximum(scores - low, 0.0)))
        if np.isfinite(high):
            return np.asarray(np.log(np.maximum(high - scores, 0.0)))
    return np.asarray(scores)


def _shrunk(values: Floats, bounds: tuple[float, float]) -> Floats:
    """Return scores from values on the scale of the module's docstring."""
    low, high = bounds
    if np.isfinite(low) and np.isfinite(high):
        share = np.square(np.sin(np.clip(values, 0.0, np.pi / 2)))
        return np.asarray(low + (high - low) * share)
    if np.isfinite(low):
        return np.asarray(low + np.exp(values))
    if np.isfinite(high):
        return np.asarray(high - np.exp(values))
    return values
