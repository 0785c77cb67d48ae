"""Examples counted by their gold label and two entries' labels, which decide the two scores.

Examples with the same three labels are exchangeable. So a change of a gold label is a move of one
example from a cell to another, and the scores after it follow from the sums of the statistics.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..core.arrays import Floats, Ints
from ..scoring.scorer import Scored, Scorer
from ..scoring.scorers import SumsScorer
from .label_field import LabelField
from .regrade import bound_again, oriented

#: With more labels than this, a changed label becomes the rival's, not any other one.
_FEW_LABELS = 12


@dataclass(frozen=True, eq=False)
class LabelCells:
    """The cells of a leader and a rival, and the moves between them that may help the rival.

    ``labels`` [3, cells] are the gold's, the leader's and the rival's labels as numbers. Move k
    changes an example of the cell ``sources[k]`` into one of the cell ``targets[k]``. Examples are
    moved once, and only if both have answered them: ``movable`` [cells] counts those.
    """

    scorer: Scorer  # of the cells as rows
    labels: Ints
    counts: Ints  # [cells]
    movable: Ints
    sources: Ints
    targets: Ints

    @classmethod
    def of(cls, scorer: Scorer, field: LabelField, leader: int, rival: int) -> LabelCells:
        """Count the examples of a field; the metric must be one that `reads_labels`."""
        rows = np.stack([field.gold, field.predicted[leader], field.predicted[rival]])
        found, of_row = np.unique(rows, axis=1, return_inverse=True)
        of_row = of_row.reshape(-1)
        answered = ~(field.absent[leader] | field.absent[rival])
        movable = np.bincount(of_row[answered], minlength=found.shape[1])
        sources, new = _moves(found, movable, len(field.labels))
        moved = np.stack([new, *found[1:, sources]])
        labels, place = np.unique(np.hstack([found, moved]), axis=1, return_inverse=True)
        place = place.reshape(-1)
        first, targets = place[: found.shape[1]], place[found.shape[1] :]
        counts = np.zeros((2, labels.shape[1]), np.intp)
        counts[0, first], counts[1, first] = np.bincount(of_row, minlength=len(first)), movable
        texts = [field.texts(row) for row in labels]
        bound = bound_again(scorer, texts[0], texts[1:], ("leader", "rival"))
        return cls(bound, labels, counts[0], counts[1], first[sources], targets)

    @cached_property
    def _columns(self) -> list[Floats]:
        """The statistics of the cells by each part of the metric, [m·K, cells]."""
        return [
            np.array(part.sums.flat(), np.float64)
            for part in self.scorer.parts
            if isinstance(part, SumsScorer)
        ]

    @cached_property
    def _changes(self) -> list[Floats]:
        """What each move adds to the sums of each part, [m·K, moves]."""
        return [columns[:, self.targets] - columns[:, self.sources] for columns in self._columns]

    def behind(self, counts: Ints) -> float:
        """Return how far the rival is behind the leader."""
        return float(self._behind(counts, None)[0])

    def behind_after(self, counts: Ints, moves: Ints) -> Floats:
        """Return how far the rival is behind after each of the moves, one at a time."""
        return self._behind(counts, moves)

    def _behind(self, counts: Ints, moves: Ints | None) -> Floats:
        """Return how far the rival is behind after each move, or as it is."""
        sums_of = [part.sums for part in self.scorer.parts if isinstance(part, SumsScorer)]
        if len(sums_of) < len(self.scorer.parts):  # the metric's function is called
            drawn = self._drawn(counts, moves)
            parts = [part.replicate(drawn) for part in self.scorer.parts]
        else:
            parts = []
            for sums, columns, changes in zip(sums_of, self._columns, self._changes, strict=True):
                total = (columns @ counts)[:, None]
                after = total if moves is None else total + changes[:, moves]
                parts.append(Scored.of(sums.finish_flat(after)))
        values = oriented(self.scorer.metric, self.scorer.combine(parts).values)
        return np.asarray(values[:, 0] - values[:, 1])

    def _drawn(self, counts: Ints, moves: Ints | None) -> Ints:
        """Return the counts after each move, [moves, cells]."""
        if moves is None:
            return counts[None]
        drawn = np.repeat(counts[None], len(moves), axis=0)
        steps = np.arange(len(moves))
        drawn[steps, self.sources[moves]] -= 1
        drawn[steps, self.targets[moves]] += 1
        return drawn


def _moves(labels: Ints, movable: Ints, classes: int) -> tuple[Ints, Ints]:
    """Return the cells that moves start from, and the new gold labels.

    ``labels`` [3, cells] are the gold's, the leader's and the rival's. Only examples on which the
    two differ are moved.
    """
    gold, ours, theirs = labels
    starts = np.flatnonzero((ours != theirs) & (movable > 0))
    if classes <= _FEW_LABELS:
        sources, new = np.repeat(starts, classes), np.tile(np.arange(classes), len(starts))
    else:
        sources, new = starts, theirs[starts]
    changed = gold[sources] != new
    return sources[changed], new[changed]
