"""What only rounding tells apart counts as equal: scores are read and compared at 12 digits.

0.1 + 0.2 is 0.3 in every statistic: among the scores of units, which are read through
`without_rounding`, among those of entries, on resamples, and where numbers
are written (`core.digits`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .arrays import Array, Bools, Floats, Ints
from .digits import DIGITS

#: The largest difference that rounding makes, relative to the larger of two numbers and, where
#: parts of the numbers may cancel, to the size of these parts.
RELATIVE = 10.0**-DIGITS
ABSOLUTE = 1e-14


def negligible(first: Array | float, second: Array | float, scale: float = 0.0) -> Any:
    """Return the difference that counts as zero between two numbers, or arrays of them.

    Without this tolerance, float noise in ties among replicates moves a p-value by up to 0.085.
    ``scale`` is the size of parts that may cancel, 0 if it is not known.
    """
    larger = np.maximum(np.abs(first), np.abs(second))
    return np.maximum(RELATIVE * np.maximum(larger, np.finfo(np.float64).tiny), ABSOLUTE * scale)


def repeats(ascending: Floats, scale: float = 0.0) -> Bools:
    """Return which numbers [..., m − 1] along the last axis equal the one before, in that order."""
    with np.errstate(invalid="ignore", over="ignore"):
        steps = np.diff(ascending)
        sizes = np.abs(ascending[..., 1:])
        sizes *= RELATIVE
        if scale:
            np.maximum(sizes, ABSOLUTE * scale, out=sizes)
        # A number is no infinity. Of two infinities, which have no difference, the second one
        # equals the first.
        near = (steps <= sizes) & np.isfinite(steps)
        return np.asarray(near | (ascending[..., 1:] == ascending[..., :-1]))


def without_rounding(values: Floats, scale: float = 0.0) -> Floats:
    """Return numbers [...] in which those that only rounding tells apart are equal.

    They become the least of them. ``scale`` is as in `negligible`; nan stays nan.
    """
    ordered = np.sort(values, axis=None)
    if not ((np.diff(ordered) != 0) & repeats(ordered, scale)).any():
        return values
    starts = np.where(np.append(True, ~repeats(ordered, scale)), np.arange(ordered.size), 0)
    least = ordered[np.maximum.accumulate(starts)]
    # Few of many numbers are nearly equal to others: only these are looked for.
    differ = (ordered != least) & ~np.isnan(ordered)
    nearly_equal = ordered[differ]
    place = np.searchsorted(nearly_equal, values).clip(max=nearly_equal.size - 1)
    return np.where(nearly_equal[place] == values, least[differ][place], values)


# Ranks --------------------------------------------------------------------------------------------


def counted_ahead(losses: Floats, rivals: Bools) -> tuple[Ints, Ints]:
    """Return how many rivals have smaller losses, and how many no larger ones, [..., m] each.

    The losses [..., m] are compared along the last axis, and ``rivals`` [m] marks those that
    count. So a rival counts itself among those with no larger loss.
    """
    order = np.argsort(losses, axis=-1, kind="stable")
    ascending = np.take_along_axis(losses, order, axis=-1)
    same = repeats(ascending)
    counting = rivals[order]
    upto = np.cumsum(counting, axis=-1, dtype=np.intp)
    ahead: Ints = upto - counting
    # Equal losses share the rivals ahead of the first of them, and those up to the last.
    ahead[..., 1:][same] = 0
    ahead = np.maximum.accumulate(ahead, axis=-1)
    upto[..., :-1][same] = losses.shape[-1]
    upto = np.minimum.accumulate(upto[..., ::-1], axis=-1)[..., ::-1]
    placed = np.empty_like(ahead), np.empty_like(ahead)
    for counts, in_order in zip(placed, (ahead, upto), strict=True):
        np.put_along_axis(counts, order, in_order, axis=-1)
    return placed


def average_ranks(losses: Floats) -> Floats:
    """Return the ranks [..., m] of losses along the last axis; 1 is the smallest.

    Equal losses share the average of the ranks that they take, as in `scipy.stats.rankdata` (Demšar
    2006, "Statistical comparisons of classifiers over multiple data sets").
    """
    ahead, upto = counted_ahead(losses, np.ones(losses.shape[-1], np.bool_))
    return (ahead + upto + 1) / 2
