"""The regrade certificate: how many wrong gold labels would change the order.

For the leader and a rival it is the smallest number of gold labels that, changed, draw the rival
level with the leader or put it ahead. Under accuracy, changing an example that only the leader gets
right to the rival's label moves the difference by 2/n, and no change moves it further: ⌈d/2⌉
changes are needed and suffice, where d is the difference in correct examples. There are always
enough such examples, at least d. For other metrics of labels the changes are chosen one by one,
each the one that helps the rival most. That is an upper bound of the smallest number.

Examples with the same gold label and the same two predictions are exchangeable for the scores. So
changes are chosen between such cells, and the examples within a cell by how many other entries
contradict the gold there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Array, Ints
from ..metrics import Metric
from ..scoring.scorer import Scorer
from .label_field import LabelField
from .regrade import bound_again, oriented

#: A change of a label: from the gold's, where the leader and the rival give these, to a new one.
LabelChange = tuple[int, int, int, int]
#: Scores that differ by less are level.
_LEVEL = 1e-12
#: Most changes that are looked for; a rival that needs more is far behind.
MOST_CHANGES = 1000
#: Share of the way to level that one kind of change may go at once.
_STRIDE = 0.25


@dataclass(frozen=True)
class SuspectLabel:
    """A gold label to look at again.

    ``contradicting`` counts the other entries that give the rival's label there.
    """

    example: int
    gold: str
    rival: str
    contradicting: int


@dataclass(frozen=True)
class Certificate:
    """How many of the ``candidates`` labels must be wrong for the rival to draw level.

    ``changes`` is None if more than `MOST_CHANGES` are needed, or if no change helps. ``suspects``
    holds all candidates, in the order in which to look at them.
    """

    rival: int
    changes: int | None
    exact: bool
    suspects: tuple[SuspectLabel, ...]

    @property
    def candidates(self) -> int:
        """Number of labels whose change helps the rival."""
        return len(self.suspects)


def certificate(scorer: Scorer, field: LabelField, leader: int, rival: int) -> Certificate:
    """Return the certificate of one rival; the metric must be one that `reads_labels`."""
    if is_plain_accuracy(scorer.metric):
        behind = int(field.right[leader].sum() - field.right[rival].sum())
        changes: int | None = max(0, -(-behind // 2))
        helps = field.right[leader] & ~field.right[rival]
        gold, answers = field.gold[helps].tolist(), field.predicted[rival][helps].tolist()
        moves = {(g, g, r, r) for g, r in zip(gold, answers, strict=True)}
        return Certificate(rival, changes, True, _suspects(field, leader, rival, moves))
    chosen = _greedy(scorer, field, leader, rival)
    changes = None if chosen is None else sum(chosen.values())
    return Certificate(rival, changes, False, _suspects(field, leader, rival, chosen or {}))


def is_plain_accuracy(metric: Metric) -> bool:
    """Whether the metric is the share of correct labels."""
    return metric.function == "accuracy_score" and not metric.params


def _suspects(
    field: LabelField, leader: int, rival: int, moves: Iterable[LabelChange]
) -> tuple[SuspectLabel, ...]:
    """Return the examples that the moves concern."""
    ours, theirs = field.predicted[leader], field.predicted[rival]
    others = np.delete(field.predicted, [leader, rival], axis=0)
    found = []
    for gold, own, answer, new in sorted(moves):
        rows = np.flatnonzero((field.gold == gold) & (ours == own) & (theirs == answer))
        contradicting = (others[:, rows] == new).sum(axis=0)
        labels = str(field.labels[gold]), str(field.labels[new])
        found += [
            SuspectLabel(row, *labels, count)
            for row, count in zip(rows.tolist(), contradicting.tolist(), strict=True)
        ]
    best = {suspect.example: suspect for suspect in sorted(found, key=lambda s: s.contradicting)}
    return tuple(sorted(best.values(), key=lambda s: (-s.contradicting, s.example)))


def _greedy(
    scorer: Scorer, field: LabelField, leader: int, rival: int
) -> dict[LabelChange, int] | None:
    """Return how often each change (gold, leader's, rival's, new label) is made, None if too often.

    Only examples on which the two entries differ are changed: elsewhere a label moves both scores
    alike.
    """
    cells = _Cells.of(scorer, field, leader, rival)
    counts = cells.counts.copy()
    made: dict[LabelChange, int] = {}
    behind = cells.behind(counts[None])[0]
    while behind > _LEVEL:
        if sum(made.values()) >= MOST_CHANGES:
            return None
        sources, targets = cells.changes(counts)
        tried = np.repeat(counts[None], len(sources), axis=0)
        steps = np.arange(len(sources))
        tried[steps, sources] -= 1
        tried[steps, targets] += 1
        results = cells.behind(tried)
        if not len(results) or np.nanmin(results) >= behind - _LEVEL:
            return None
        best = int(np.nanargmin(results))
        source, target = sources[best], targets[best]
        # Far from level, the same change is made several times at once, which saves most of the
        # time and loosens the bound by little.
        times = max(1, int(_STRIDE * behind / (behind - results[best])))
        times = min(times, int(counts[source]), MOST_CHANGES - sum(made.values()))
        counts[source] -= times
        counts[target] += times
        behind = cells.behind(counts[None])[0]
        move = cells.move(source, target)
        made[move] = made.get(move, 0) + times
    return made


class _Cells:
    """Examples counted by gold label, the leader's and the rival's label.

    Cells come in two layers: the examples as they are, and those whose label has been changed. The
    latter stay changed.
    """

    def __init__(self, scorer: Scorer, answers: Ints, counts: Ints, labels: Array) -> None:
        classes = len(labels)
        self._classes, self._answers = classes, answers  # [2, pairs]
        self.counts = counts  # [2 · pairs · classes]
        gold = np.tile(np.arange(classes), 2 * answers.shape[1])
        ours, theirs = np.tile(np.repeat(answers, classes, axis=1), 2)
        self._metric = scorer.metric
        self._scorer = bound_again(
            scorer, labels[gold], [labels[ours], labels[theirs]], ("leader", "rival")
        )

    @classmethod
    def of(cls, scorer: Scorer, field: LabelField, leader: int, rival: int) -> _Cells:
        both = field.predicted[[leader, rival]]
        answers, of_row = np.unique(both, axis=1, return_inverse=True)
        classes = len(field.labels)
        size = answers.shape[1] * classes
        counts = np.bincount(of_row.reshape(-1) * classes + field.gold, minlength=2 * size)
        return cls(scorer, answers, counts, field.labels)

    def behind(self, counts: Ints) -> Array:
        """Return how far the rival is behind the leader under counts [R, cells]."""
        scored = self._scorer
        parts = [part.replicate(counts) for part in scored.parts]
        values = oriented(self._metric, scored.combine(parts).values)
        return values[:, 0] - values[:, 1]

    def changes(self, counts: Ints) -> tuple[Ints, Ints]:
        """Return the cells that changes start from, and those that they lead to."""
        size = len(counts) // 2
        differ = np.repeat(self._answers[0] != self._answers[1], self._classes)
        sources = np.flatnonzero((counts[:size] > 0) & differ)
        first = sources - sources % self._classes
        every = first[:, None] + np.arange(self._classes)
        starts = np.repeat(sources, self._classes)
        ends = every.reshape(-1)
        return starts[starts != ends], size + ends[starts != ends]

    def move(self, source: int, target: int) -> LabelChange:
        """Return a change as gold, leader's, rival's and new label."""
        pair, gold = divmod(int(source), self._classes)
        ours, theirs = self._answers[:, pair].tolist()
        return gold, ours, theirs, int(target) % self._classes
