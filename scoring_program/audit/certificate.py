"""The regrade certificate: how many wrong gold labels would change the order.

For the leader and a rival it is the smallest number of gold labels that, changed, draw the rival
level with the leader or put it ahead. Under accuracy, changing an example that only the leader gets
right to the rival's label moves the difference by 2/n, and no change moves it further: ⌈d/2⌉
changes are needed and suffice, where d is the difference in correct examples. There are at least d
examples that only the leader gets right. Where the rival sent no answer to some of them, a change
there moves the difference by 1/n only. With c examples that the rival did answer, max(⌈d/2⌉, d − c)
changes are needed and suffice.

For other metrics of labels the changes are chosen one by one, each the one that helps the rival
most. That is an upper bound of the smallest number. Only examples on which the two entries differ,
and that both have answered, are changed; examples on which they agree might help, too.

Examples with the same gold label and the same two predictions are exchangeable for the scores. So
changes are chosen between such cells, and the examples within a cell by how many other entries
contradict the gold there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..core.arrays import Array, Ints
from ..metrics import Metric
from ..scoring.scorer import Scorer
from .label_field import LabelField
from .regrade import bound_again, oriented

#: A change of a label: from the gold's, where the leader and the rival give these, to a new one.
LabelChange = tuple[int, int, int, int]
#: Metrics that follow from the number of correct labels, without parameters.
_ACCURACIES = ("accuracy_score", "zero_one_loss")
#: Scores that differ by less are level.
_LEVEL = 1e-12
#: Most changes that are looked for; a rival that needs more is far behind.
MOST_CHANGES = 1000
#: Share of the way to level that one kind of change may go at once.
_STRIDE = 0.25


@dataclass(frozen=True)
class SuspectLabel:
    """A gold label to look at again.

    ``new`` is the label that would help the rival, which ``contradicting`` other entries give, too.
    ``counted`` says whether it is one of those that together draw the rival level.
    """

    example: int
    gold: str
    new: str
    contradicting: int
    counted: bool


@dataclass(frozen=True)
class Certificate:
    """How many of the ``candidates`` labels must be wrong for the rival to draw level.

    ``changes`` is None if more than `MOST_CHANGES` are needed, or if no change helps. ``suspects``
    holds all candidates, in the order in which to look at them; as many as ``changes`` of them are
    counted, and changing these draws the rival level.
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
    if is_accuracy(scorer.metric):
        return _exact(field, leader, rival)
    chosen = _greedy(scorer, field, leader, rival)
    changes = None if chosen is None else sum(chosen.values())
    return Certificate(rival, changes, False, _suspects(field, leader, rival, chosen or {}))


def is_accuracy(metric: Metric) -> bool:
    """Whether the metric is the share of correct labels, or of wrong ones."""
    return metric.function in _ACCURACIES and not metric.params


def _exact(field: LabelField, leader: int, rival: int) -> Certificate:
    behind = int(field.right[leader].sum() - field.right[rival].sum())
    helps = field.right[leader] & field.wrong[rival]
    half = -(-behind // 2)
    changes = max(0, half, behind - int(np.count_nonzero(helps)))
    cells = zip(field.gold[helps].tolist(), field.predicted[rival][helps].tolist(), strict=True)
    moves = Counter((gold, gold, answer, answer) for gold, answer in cells)
    suspects = _suspects(field, leader, rival, moves)
    # Each of them helps alike, so those that most others contradict are counted.
    suspects = tuple(
        replace(suspect, counted=place < changes) for place, suspect in enumerate(suspects)
    )
    return Certificate(rival, changes, True, suspects)


def _suspects(
    field: LabelField, leader: int, rival: int, moves: Mapping[LabelChange, int]
) -> tuple[SuspectLabel, ...]:
    """Return the examples of the cells that the moves concern, as often as each move is made.

    Where several moves concern a cell, the labels that help are dealt out from the most frequent
    one on.
    """
    ours, theirs = field.predicted[leader], field.predicted[rival]
    answered = ~(field.absent[leader] | field.absent[rival])
    others = np.delete(field.predicted, [leader, rival], axis=0)
    others[np.delete(field.absent, [leader, rival], axis=0)] = -1
    found: list[SuspectLabel] = []
    of_cells: dict[tuple[int, int, int], list[tuple[int, int]]] = {}
    for (gold, own, answer, new), times in sorted(moves.items()):
        of_cells.setdefault((gold, own, answer), []).append((times, new))
    for (gold, own, answer), made in of_cells.items():
        cell = answered & (field.gold == gold) & (ours == own) & (theirs == answer)
        left = np.flatnonzero(cell)
        for place, (times, new) in enumerate(sorted(made, reverse=True), start=1):
            count = (others[:, left] == new).sum(axis=0)
            order = np.argsort(-count, kind="stable")
            taken = order if place == len(made) else order[:times]
            labels = str(field.labels[gold]), str(field.labels[new])
            found += [
                SuspectLabel(int(left[row]), *labels, int(count[row]), counted=rank < times)
                for rank, row in enumerate(taken)
            ]
            left = np.delete(left, taken)
    return tuple(sorted(found, key=lambda s: (-s.contradicting, s.example)))


def _greedy(
    scorer: Scorer, field: LabelField, leader: int, rival: int
) -> dict[LabelChange, int] | None:
    """Return how often each change is made; None if too many are needed, or if none helps."""
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
    latter stay changed. Examples without an answer of both belong to them from the beginning, so
    that they are never changed.
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
        fixed = field.absent[leader] | field.absent[rival]
        cell = of_row.reshape(-1) * classes + field.gold + size * fixed
        counts = np.bincount(cell, minlength=2 * size)
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
