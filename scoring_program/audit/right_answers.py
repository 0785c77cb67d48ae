"""Who is right where: on single examples, in each class, in each slice; and what is confused.

Shares of right answers have intervals that hold for all entries and classes, or slices, at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ..bootstrap.counts import DrawCounts
from ..core.arrays import Floats, Ints
from ..inference.slice_evidence import CellScores, simultaneous_intervals
from .answer_field import Answers, LabelField


@dataclass(frozen=True, eq=False)
class ExampleCounts:
    """How many entries get each example right, and what the examples tell apart.

    In ``only_one`` and ``all_but_one`` each example stands with the entry that differs.
    ``separating`` counts the examples on which some possible winners are right and some are wrong.
    All other examples add the same to the scores of the possible winners.
    """

    entries_right: Ints  # [n]
    nobody: tuple[int, ...]  # examples that no entry gets right
    only_one: tuple[tuple[int, int], ...]  # (example, the one entry that gets it right)
    all_but_one: tuple[tuple[int, int], ...]  # (example, the one entry that gets it wrong)
    separating: int
    winners: int  # how many can still win


def count_examples(answers: Answers, possible_winners: Sequence[int]) -> ExampleCounts:
    """Count right entries per example; ``possible_winners`` numbers entries."""
    right = answers.right
    counts = right.sum(axis=0)
    only, but = np.flatnonzero(counts == 1), np.flatnonzero(counts == len(right) - 1)
    if len(right) == 2:
        but = but[:0]  # they are the same
    winners = right[list(possible_winners)].sum(axis=0)
    return ExampleCounts(
        counts,
        tuple(np.flatnonzero(counts == 0).tolist()),
        tuple(zip(only.tolist(), right[:, only].argmax(axis=0).tolist(), strict=True)),
        tuple(zip(but.tolist(), right[:, but].argmin(axis=0).tolist(), strict=True)),
        int(np.count_nonzero((winners > 0) & (winners < len(possible_winners)))),
        len(possible_winners),
    )


@dataclass(frozen=True, eq=False)
class Shares:
    """The share of right, or wrong, predictions of each entry in each part, and its interval.

    A part that some resample does not draw, or on which an entry's share never varies, has no
    interval there (nan).
    """

    sizes: Ints  # [k]: examples in each part
    share: Floats  # [m, k]
    low: Floats
    high: Floats

    @property
    def others(self) -> Shares:
        """The shares of all other predictions: of wrong ones, where these are of right ones."""
        return Shares(self.sizes, 1 - self.share, 1 - self.high, 1 - self.low)


def shares_right(
    field: Answers, parts: Sequence[Ints], counts: Iterable[DrawCounts], confidence: float
) -> Shares:
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
    return Shares(np.array([rows.size for rows in parts]), share, low, high)


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

    @property
    def rows(self) -> list[tuple[int, int, int]]:
        """The gold label, the given one and their count of each pair."""
        columns = (self.gold.tolist(), self.given.tolist(), self.counts.tolist())
        return list(zip(*columns, strict=True))


def confusion(field: LabelField, entries: Sequence[int]) -> Confusion:
    """Count the pairs of gold and given labels of some entries; what is absent is not given."""
    chosen = list(entries)
    cells = (field.gold * len(field.labels) + field.predicted[chosen])[~field.absent[chosen]]
    pairs, counts = np.unique(cells, return_counts=True)
    gold, given = np.divmod(pairs, len(field.labels))
    return Confusion(gold, given, counts)
