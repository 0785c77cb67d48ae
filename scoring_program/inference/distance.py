"""How far an entry is from the best one, at most (algorithm G).

The entry that is truly the best is j with confidence 1 − α only if algorithm D keeps j, and in the
same competitions no rival's deviation from it exceeds c_j standard errors. So every entry i is at
most D_i = max over kept j ≠ i of δ_ji + c_j·se_ji below the best, for all entries at once. Sources:
Hsu 1981, "Simultaneous Confidence Intervals for All Distances from the 'Best'", Annals of
Statistics 9; Edwards and Hsu 1983, "Multiple Comparisons with the Best Treatment", Journal of the
American Statistical Association 78.
"""

from __future__ import annotations

import numpy as np

from ..core.arrays import Bools, Floats


def distances(theta: Floats, rivals: Bools, widths: Floats, kept: Bools) -> Floats:
    """Return the upper ends [m] of the entries' distances from the best, in the metric's units.

    ``theta`` [m] are oriented scores. ``widths`` [m, m] are c_j·se_ji, and ``kept`` [m] marks the
    competing entries that could be the best. The end is 0 for an entry without a kept rival, and ∞
    where B is too small for a critical value.
    """
    ends = theta[:, None] - theta[None, :] + widths
    ends[~(rivals & kept[:, None])] = 0.0
    return np.asarray(np.maximum(ends.max(axis=0), 0.0))
