"""Which labels are confused, and which entries err alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Floats, Ints
from .answer_field import Answers
from .label_field import LabelField


@dataclass(frozen=True, eq=False)
class Confusion:
    """How often the label ``given`` meets the gold ``gold``, for the k pairs that occur; [k] each.

    Labels are numbers.
    """

    gold: Ints
    given: Ints
    counts: Ints

    @property
    def errors(self) -> Ints:
        """The counts of wrong labels, 0 for right ones; [k]."""
        return np.where(self.gold == self.given, 0, self.counts)


def confusion(field: LabelField, entries: Sequence[int]) -> Confusion:
    """Count the pairs of gold and given labels of some entries; what is absent is not given."""
    chosen = list(entries)
    cells = (field.gold * len(field.labels) + field.predicted[chosen])[~field.absent[chosen]]
    pairs, counts = np.unique(cells, return_counts=True)
    gold, given = np.divmod(pairs, len(field.labels))
    return Confusion(gold, given, counts)


def shared_errors(answers: Answers) -> Ints:
    """Return the number of examples on which two entries give the same wrong answer, [m, m].

    The diagonal holds each entry's errors.
    """
    from scipy.sparse import csr_array

    m, n = answers.predicted.shape
    entry, row = np.nonzero(answers.wrong)
    _, cell = np.unique(row * answers.codes + answers.predicted[entry, row], return_inverse=True)
    ones = np.ones(len(entry), np.int32)
    given = csr_array((ones, (entry, cell.reshape(-1))), shape=(m, max(1, m * n)))
    return np.asarray((given @ given.T).toarray(), np.intp)


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
