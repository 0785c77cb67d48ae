"""Which entries are the same or err alike: what was seen, without a probability.

A probability would need a model of how many errors two entries share that were built apart. Two
honest teams that use the same model or the same training data share far more than independent
ones, and no data of a competition tell how many. So the pairs are compared with each other, and
with pairs that the organizer knows to be alike.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..core.arrays import Floats, Ints
from ..data.competition import Competition
from ..data.entry import Entry
from .answer_field import Answers

#: Tukey's outer fence, in distances between the quartiles: what lies above it is far outside
#: (Exploratory Data Analysis, 1977, section 2D).
FAR_OUTSIDE = 3.0


@dataclass(frozen=True)
class IdenticalEntries:
    """Entries with the same predictions in all parts; ``files`` says whether their files are, too.

    At least two teams are among them.
    """

    names: tuple[str, ...]
    files: bool


@dataclass(frozen=True)
class ErrorPair:
    """Two entries, on how many examples they give the same wrong answer, and the errors of each."""

    entries: tuple[int, int]
    shared: int
    errors: tuple[int, int]

    @property
    def either(self) -> int:
        """The number of different errors that the two make: one that they share counts once."""
        return sum(self.errors) - self.shared

    @property
    def share(self) -> float:
        """Shared errors as a share of those that either makes (Jaccard)."""
        return self.shared / self.either


@dataclass(frozen=True)
class ErrorPairs:
    """The pairs of a field, and those of the yardstick; the closest pairs first."""

    pairs: tuple[ErrorPair, ...]
    yardstick: tuple[ErrorPair, ...]

    @cached_property
    def quartiles(self) -> tuple[float, float]:
        """Between which shares the middle half of the field's pairs lies; raises without pairs."""
        low, high = np.percentile([pair.share for pair in self.pairs], (25, 75))
        return float(low), float(high)

    @property
    def fence(self) -> float:
        """The share above which a pair lies far outside the field's spread; if 1 or more, none."""
        low, high = self.quartiles
        return high + FAR_OUTSIDE * (high - low)

    @cached_property
    def far_outside(self) -> tuple[ErrorPair, ...]:
        """The pairs that lie far outside the field's spread; none where there is only one."""
        return tuple(pair for pair in self.pairs if self.fence < pair.share)


def identical_entries(competition: Competition) -> tuple[IdenticalEntries, ...]:
    """Return the groups of entries with identical predictions, in the order of the entries."""
    predictions: dict[str, tuple[tuple[str, str], ...]] = defaultdict(tuple)
    files: dict[str, tuple[str, ...]] = defaultdict(tuple)
    for part in competition.parts:
        for entry in filter(None, part.entries):
            predictions[entry.name] += ((part.name, _digest(entry)),)
            files[entry.name] += (entry.sha256,)
    groups = defaultdict(list)
    for name, content in predictions.items():
        groups[content].append(name)
    return tuple(
        IdenticalEntries(tuple(names), len({files[name] for name in names}) == 1)
        for names in groups.values()
        if len({competition.teams.get(name, name) for name in names}) > 1
    )


def _digest(entry: Entry) -> str:
    """Return a hash of what an entry predicts; one of its columns if no target is read."""
    digest = hashlib.sha256()
    for target, array in entry.predictions.items():
        digest.update(repr((target.column, target.kind, array.tolist())).encode())
    for name, texts in sorted(entry.columns.items()):
        digest.update(repr((name, list(texts))).encode())
    return digest.hexdigest()


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


def closest_first(shared: Ints, pairs: Iterable[tuple[int, int]]) -> tuple[ErrorPair, ...]:
    """Return those of the ``pairs`` that make errors; ``shared`` [m, m] as of `shared_errors`."""
    errors = np.diag(shared).tolist()
    listed = [
        ErrorPair((i, j), int(shared[i, j]), (errors[i], errors[j]))
        for i, j in pairs
        if errors[i] or errors[j]
    ]
    return tuple(sorted(listed, key=lambda pair: (-pair.share, -pair.shared, pair.entries)))


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
