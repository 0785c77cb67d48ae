"""Influence values: how much a score changes if one unit is drawn once more.

With w_u draws of unit u, a smooth score is θ(w) ≈ θ + Σ_u (w_u − 1)·ℓ_u. The influence values ℓ_u
of N units sum to zero. From them follow the standard error of a score on any resample, and whether
few units decide it. Source: Efron and Tibshirani 1994, *An Introduction to the Bootstrap*, ch. 21.
"""

from __future__ import annotations

import numpy as np

from ..core.arrays import Array, Floats, Ints
from ..metrics.sums import Sums

#: The step of a numerical derivative, relative to the size of what is changed.
STEP = 1e-5
#: The most numbers that the derivatives hold at once.
_HELD = 4_000_000


def of_units(rows: Floats, units: Ints | None) -> Floats:
    """Add up the influence values of rows [n, m] within units; return them [N, m], centered."""
    if units is None:
        return centered(rows)
    size = int(units.max()) + 1
    return centered(np.stack([np.bincount(units, row, minlength=size) for row in rows.T], axis=1))


def centered(influence: Floats) -> Floats:
    """Subtract each entry's mean: a resample always draws the same number of units."""
    return np.asarray(influence - influence.mean(axis=0))


def of_jackknife(observed: Floats, left_out: Floats) -> Floats:
    """Return the influence values [N, m] from the scores without each unit, [N, m]."""
    size = len(left_out)
    return centered((observed - left_out) * ((size - 1) / size))


def of_sums(sums: Sums, totals: Floats, units: Ints | None) -> Floats:
    """Return the influence values [N, m] of a function of sums: its gradient times the statistics.

    ``totals`` [m·K] are the sums on the whole test set.
    """
    slopes = _gradient(sums, totals)
    rows = np.zeros((len(sums.columns[0][0]), len(sums.columns)))
    for entry, columns in enumerate(sums.columns):
        for slope, column in zip(slopes[entry], columns, strict=True):
            if slope != 0:
                rows[:, entry] += slope * column
    return of_units(rows, units)


def _gradient(sums: Sums, totals: Floats) -> Floats:
    """Return the derivatives [m, K] of the scores with respect to their sums, by differences."""
    m, size = sums.shape
    sizes = np.array([np.abs(column, dtype=np.float64).sum() for column in sums.flat()])
    steps = STEP * np.where(sizes > 0, sizes, 1.0).reshape(m, size)
    base = totals.reshape(m, size)
    slopes = np.empty((m, size))
    at_once = max(1, _HELD // (2 * m * size))
    for first in range(0, size, at_once):
        changed = np.arange(first, min(first + at_once, size))
        moved = np.repeat(base[:, :, None], 2 * changed.size, axis=2)
        for place, k in enumerate(changed):
            moved[:, k, 2 * place] += steps[:, k]
            moved[:, k, 2 * place + 1] -= steps[:, k]
        with np.errstate(all="ignore"):
            values = sums.finish(moved).values
        slopes[:, changed] = (values[:, ::2] - values[:, 1::2]) / (2 * steps[:, changed])
    return slopes


def of_places(contribution: Array, units: Ints | None) -> Floats:
    """Return the influence values [N, m] from what each row contributes, ψ [n, m], mean zero."""
    return of_units(np.asarray(contribution) / len(contribution), units)
