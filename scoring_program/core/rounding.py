"""What only rounding tells apart counts as equal: scores are read and compared at 12 digits.

0.1 + 0.2 is 0.3 in every statistic: among the scores of units, which are read through
`without_rounding`, among those of entries, on resamples, and where numbers
are written (`core.digits`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .arrays import Array, Bools, Floats
from .digits import DIGITS

#: The largest difference that rounding makes, relative to the larger of two numbers and, where
#: parts of the numbers may cancel, to the size of these parts.
RELATIVE, ABSOLUTE = 10.0**-DIGITS, 1e-14


def negligible(first: Array | float, second: Array | float, scale: float = 0.0) -> Any:
    """Return the difference that counts as zero between two numbers, or arrays of them.

    Without this tolerance, float noise in ties among replicates moves a p-value by up to 0.085.
    ``scale`` is the size of parts that may cancel, 0 if it is not known.
    """
    larger = np.maximum(np.abs(first), np.abs(second))
    return np.maximum(RELATIVE * np.maximum(larger, np.finfo(np.float64).tiny), ABSOLUTE * scale)


def repeats(ascending: Floats, scale: float = 0.0) -> Bools:
    """Return which numbers [..., m − 1] along the last axis equal the one before, in that order."""
    with np.errstate(invalid="ignore"):
        steps = np.diff(ascending)
        sizes = np.abs(ascending[..., 1:])
        sizes *= RELATIVE
        if scale:
            np.maximum(sizes, ABSOLUTE * scale, out=sizes)
        # Of two infinities, which have no difference, the second one equals the first.
        return np.asarray((steps <= sizes) | (ascending[..., 1:] == ascending[..., :-1]))


def without_rounding(values: Floats, scale: float = 0.0) -> Floats:
    """Return numbers [...] in which those that only rounding tells apart are equal.

    They become the least of them. ``scale`` is as in `negligible`; nan stays nan.
    """
    ordered = np.sort(values, axis=None)
    if not ((np.diff(ordered) != 0) & repeats(ordered, scale)).any():
        return values
    starts = np.flatnonzero(np.append(True, ~repeats(ordered, scale)))
    least = ordered[starts]
    equal = least[np.searchsorted(least, values, side="right") - 1]
    return np.where(np.isnan(values), np.nan, equal)
