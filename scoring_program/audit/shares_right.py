"""How often each entry is right in each part of the examples, with intervals that hold at once.

The parts are the classes (the share is the recall of a class) or the slices of the test set.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ..bootstrap.counts import DrawCounts
from ..core.arrays import Floats, Ints
from ..inference.slice_evidence import CellScores, simultaneous_intervals
from .answer_field import Answers


@dataclass(frozen=True, eq=False)
class SharesRight:
    """The share of right predictions of each entry in each part, [m, k], and its interval.

    A part that some resample does not draw, or on which an entry's share never varies, has no
    interval there (nan).
    """

    sizes: Ints  # [k]: examples in each part
    share: Floats
    low: Floats
    high: Floats


def shares_right(
    field: Answers, parts: Sequence[Ints], counts: Iterable[DrawCounts], confidence: float
) -> SharesRight:
    """Return shares with intervals that cover all m × k true shares at once.

    ``parts`` are the numbers of the examples in each, and ``counts`` [R, n] say how often resamples
    draw the examples. See `inference.slice_evidence` for the method.
    """
    right = [field.right[:, rows].T.astype(np.float32) for rows in parts]
    drawn: list[list[Floats]] = [[] for _ in parts]
    for block in counts:
        for of_part, rows, found in zip(right, parts, drawn, strict=True):
            weights = block[:, rows].astype(np.float32)
            with np.errstate(invalid="ignore"):
                shares = (weights @ of_part) / weights.sum(axis=1, keepdims=True)
            found.append(shares.astype(np.float64))
    cells = [
        CellScores(of_part.mean(axis=0, dtype=np.float64), np.concatenate(found), rows.size)
        for of_part, rows, found in zip(right, parts, drawn, strict=True)
        if rows.size
    ]
    ends = iter(simultaneous_intervals(cells, (0.0, 1.0), confidence))
    of_cells = iter(cells)
    missing = np.full(len(field.names), np.nan)
    columns = [
        (next(of_cells).score, *next(ends)) if rows.size else (missing,) * 3 for rows in parts
    ]
    share, low, high = (np.stack(values, axis=1) for values in zip(*columns, strict=True))
    return SharesRight(np.array([rows.size for rows in parts]), share, low, high)
