"""Which labels are confused, and which entries err alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.arrays import Floats, Ints
from .answer_field import Answers
from .label_field import LabelField


def confusion(field: LabelField) -> Ints:
    """Return how often each entry gives label p where the gold is g, [m, C (g), C (p)]."""
    classes = len(field.labels)
    cells = field.gold * classes + field.predicted
    counts = [
        np.bincount(row[~absent], minlength=classes * classes)
        for row, absent in zip(cells, field.absent, strict=True)
    ]
    return np.array(counts).reshape(len(field.names), classes, classes)


def shared_errors(answers: Answers) -> Ints:
    """Return the number of examples on which two entries give the same wrong answer, [m, m].

    The diagonal holds each entry's errors.
    """
    shared = np.zeros((len(answers.names),) * 2)
    wrong = answers.wrong
    for code in range(answers.codes):
        # Products of floats are fast, and exact for counts.
        chosen = ((answers.predicted == code) & wrong).astype(np.float32)
        shared += chosen @ chosen.T
    return shared.round().astype(np.intp)


def error_similarity(shared: Ints) -> Floats:
    """Return shared errors / errors of either entry (Jaccard) of all pairs, [m, m]; 1 if none."""
    errors = np.diag(shared)
    either = errors[:, None] + errors[None, :] - shared
    return np.where(either > 0, shared / np.maximum(either, 1), 1.0)


def clustered_order(similarity: Floats) -> Sequence[int]:
    """Return the entries in an order that puts similar ones side by side (average linkage)."""
    if len(similarity) < 3:
        return range(len(similarity))
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    distances = squareform(1 - similarity, checks=False)
    leaves: list[int] = leaves_list(linkage(distances, "average", optimal_ordering=True)).tolist()
    return leaves
