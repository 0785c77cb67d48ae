"""How well each entry finds each class, with intervals that hold for all of them at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..bootstrap.counts import DrawCounts
from ..core.arrays import Floats, Ints
from ..inference.step_down import critical_value
from .label_field import LabelField


@dataclass(frozen=True, eq=False)
class ClassRecalls:
    """Recall of each entry in each class, [m, C], and its simultaneous interval.

    A class that some resample does not draw, or on which an entry's recall never varies, has no
    interval there (nan).
    """

    sizes: Ints  # [C]: examples of each class
    recall: Floats
    low: Floats
    high: Floats


def class_recalls(
    field: LabelField, counts: Iterable[DrawCounts], confidence: float
) -> ClassRecalls:
    """Return recalls with intervals that cover all m × C true recalls at once.

    ``counts`` [R, n] say how often resamples draw the examples. The intervals are recall ± c·se,
    where c is the quantile of the largest standardized deviation over all entries and classes
    (Romano and Wolf 2005, single step).
    """
    classes = range(len(field.labels))
    rows = [np.flatnonzero(field.gold == label) for label in classes]
    right = [field.right[:, members].T.astype(np.float32) for members in rows]
    blocks = []
    for block in counts:
        found = []
        for members, of_class in zip(rows, right, strict=True):
            drawn = block[:, members].astype(np.float32)
            with np.errstate(invalid="ignore"):
                found.append((drawn @ of_class) / drawn.sum(axis=1, keepdims=True))
        blocks.append(np.stack(found, axis=2))
    replicates = np.concatenate(blocks).astype(np.float64)  # [B, m, C]
    sizes = np.array([len(members) for members in rows])
    with np.errstate(invalid="ignore"):
        recall = np.stack([of_class.sum(axis=0) for of_class in right], axis=1) / sizes
    error = replicates.std(axis=0, ddof=1)
    varies = np.isfinite(error) & (error > 0)
    deviations = np.abs(replicates - recall)[:, varies] / error[varies]
    width = np.full(recall.shape, np.nan)
    if varies.any():
        width[varies] = critical_value(deviations.max(axis=1), confidence) * error[varies]
    low, high = np.maximum(recall - width, 0.0), np.minimum(recall + width, 1.0)
    return ClassRecalls(sizes, recall, low, high)
