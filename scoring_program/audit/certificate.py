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
and that both have answered, are changed; examples on which they agree might help, too. Of examples
that are exchangeable for the scores (see `label_cells`), those are changed whose gold most other
entries contradict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..core.arrays import Floats, Ints
from ..metrics import Metric
from ..scoring.scorer import Scorer
from .label_cells import LabelCells
from .label_field import LabelField

#: A change of a label: from the gold's, where the leader and the rival give these, to a new one.
LabelChange = tuple[int, int, int, int]
#: Metrics that follow from the number of correct labels, without parameters.
_ACCURACIES = ("accuracy_score", "zero_one_loss")
#: Scores that differ by less are level.
_LEVEL = 1e-12
#: Most changes that are looked for; a rival that needs more is far behind.
MOST_CHANGES = 1000
#: Share of the way to level that changes may go at once.
_STRIDE = 0.25
#: For so many possible moves, one more is made at once.
_CELLS_PER_MOVE = 40


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
    cells = LabelCells.of(scorer, field, leader, rival)
    counts, movable = cells.counts.copy(), cells.movable.copy()
    made: dict[LabelChange, int] = {}
    behind = cells.behind(counts)
    while behind > _LEVEL:
        moves = np.flatnonzero(movable[cells.sources] > 0)
        gains = behind - cells.behind_after(counts, moves)
        chosen = _chosen(gains, cells.sources[moves], movable, behind)
        if not chosen or sum(made.values()) + sum(chosen.values()) > MOST_CHANGES:
            return None
        for place, times in chosen.items():
            source, target = cells.sources[moves[place]], cells.targets[moves[place]]
            movable[source] -= times
            counts[source] -= times
            counts[target] += times
            gold, own, answer = cells.labels[:, source].tolist()
            change = (gold, own, answer, int(cells.labels[0, target]))
            made[change] = made.get(change, 0) + times
        behind = cells.behind(counts)
    return made


def _chosen(gains: Floats, sources: Ints, movable: Ints, behind: float) -> dict[int, int]:
    """Return how often to make which of the moves at once: the best one, or a share of the way.

    Far from level, several times the same move and, among many cells, several moves save most of
    the time and loosen the bound by little.
    """
    chosen: dict[int, int] = {}
    left, used = _STRIDE * behind, set()
    most = 1 + len(gains) // _CELLS_PER_MOVE
    for place in np.argsort(-np.nan_to_num(gains, nan=-np.inf), kind="stable").tolist():
        gain, source = float(gains[place]), int(sources[place])
        if not gain > _LEVEL or (chosen and gain > left) or len(chosen) >= most:
            break
        if source not in used:
            times = min(int(movable[source]), max(1, int(left / gain)))
            chosen[place] = times
            used.add(source)
            left -= times * gain
    return chosen
