"""Confidence intervals of many scores that all hold at once.

The scores of k cells, such as entries within slices, are put on a scale on which the size of a
score says little about its standard error: y = asin √((s − low) / (high − low)) for a metric with
two bounds, the logarithm of the distance from the bound for a metric with one, y = s for others.
With c the quantile of the largest |y* − y| / sd(y*) over all cells, the intervals are y ± c′·sd(y*)
on that scale, c′ the critical value of the t distribution that corresponds to c for the units of
the cell. A share that no resample changes has the Wilson interval with c in the place of the normal
quantile. On the scores' own scale, the largest of hundreds of deviations is that of a score close
to its bound, and the intervals cover far too little. Sources: Romano and Wolf 2005 (single step);
Efron and Tibshirani 1994, chapter 12 (transformations).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from .inputs import negligible
from .intervals import wilson
from .ranks import unshrunk
from .step_down import critical_value


@dataclass(frozen=True, eq=False)
class CellScores:
    """Scores [k] of cells with the same number of resampled units, and their replicates [B, k].

    ``trials`` [k] are the independent ones of which the scores are shares, 0 if they are not.
    """

    score: Floats
    replicates: Floats
    units: int
    trials: Ints | None = None

    @cached_property
    def constant(self) -> Bools:
        """Which scores [k] are the same on every resample."""
        spread = self.replicates.std(axis=0, ddof=1)
        return np.asarray(spread <= negligible(self.score, self.score))


def simultaneous_intervals(
    cells: Sequence[CellScores], bounds: tuple[float, float], confidence: float
) -> list[tuple[Floats, Floats]]:
    """Return the lower and upper ends [k] of every item; all cells share the resamples.

    ``bounds`` are those of the metric, possibly infinite. Ends are nan where a score never varies
    and is no share, or lies on the only bound in some resample.
    """
    centers, errors = [], []
    largest = np.full(len(cells[0].replicates) if cells else 0, -np.inf)
    for item in cells:
        center, drawn = _stretched(item.score, bounds), _stretched(item.replicates, bounds)
        with np.errstate(invalid="ignore"):
            error = drawn.std(axis=0, ddof=1)
        varies = np.isfinite(error) & np.isfinite(center) & ~item.constant
        error[~varies] = np.nan
        deviations = np.abs(drawn[:, varies] - center[varies]) / error[varies]
        np.maximum(largest, deviations.max(axis=1, initial=-np.inf), out=largest)
        centers.append(center)
        errors.append(error)
    found = []
    critical = critical_value(largest, confidence)
    if math.isfinite(critical):
        level = math.erf(critical / math.sqrt(2))
    else:  # B is too small, or no score varies: Bonferroni
        level = 1 - (1 - confidence) / max(sum(item.score.size for item in cells), 1)
    for item, center, error in zip(cells, centers, errors, strict=True):
        width = float(unshrunk(np.array([critical]), item.units)[0]) * error
        ends = [_shrunk(center + side * width, bounds) for side in (-1.0, 1.0)]
        low, high = np.fmin(*ends), np.fmax(*ends)
        shares = np.zeros(item.score.size, np.intp) if item.trials is None else item.trials
        for cell in np.flatnonzero(item.constant & (shares > 0)):
            low[cell], high[cell] = wilson(float(item.score[cell]), int(shares[cell]), level)
        found.append((low, high))
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
