"""Which examples decide between the entries, and which are too hard for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Ints
from .answer_field import Answers


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
