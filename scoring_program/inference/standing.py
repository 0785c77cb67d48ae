"""Which entries are significantly better than others, and what this means for the ranks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from . import ranks
from .basis import Basis
from .comparisons import Comparisons, compare
from .draws import Draws
from .evidence import Evidence


@dataclass(frozen=True, eq=False)
class Standing:
    """What the algorithms in `step_down` and `ranks` say about m entries.

    If an entry stands for a team of several runs, this is true of the team.
    """

    draws: Draws
    p_better: Floats  # [m, m] (algorithm B)
    above: Bools  # [m, m]: i is shown better than j (algorithm C, the families of j)
    below: Bools  # [m, m]: j is shown worse than i (algorithm C, the families of i)
    rank_low: Ints  # [m]: best rank of the rank range (algorithm C)
    rank_high: Ints
    joint_low: Ints  # [m]: best rank of the joint rank set (algorithm C′)
    joint_high: Ints
    tier: Ints  # [m]: 1 is the best (algorithm E)
    could_be_best: Bools  # [m] (algorithm D): the rank range includes 1
    behind_outright: Bools  # [m, m] (better, worse) (rule D′): tied under no rule
    separated_from: Ints  # [m]: who shows that an entry is not the best; −1 if it could be the best
    distance: Floats  # [m] (algorithm G)

    @classmethod
    def of(cls, basis: Basis, compared: Comparisons) -> Standing:
        """Run the algorithms; ``compared`` holds all pairs of entries that are shown."""
        field, competing = basis.field, basis.field.competing
        if basis.scores.hidden is None:
            found = Evidence.of(basis, compared)
        else:
            found = _of_every_run(basis).of_teams(basis.entry_of, competing)
        rank_low, rank_high = ranks.rank_bounds(found.above, found.below, competing)
        joint_low, joint_high = ranks.rank_bounds(found.joint_above, found.joint_below, competing)
        order = ranks.identical_adjacent(found.draws, field.order)
        return cls(
            found.draws,
            found.p_better,
            found.above,
            found.below,
            rank_low,
            rank_high,
            joint_low,
            joint_high,
            ranks.tiers(order, found.p_better <= basis.alpha, competing),
            could_be_best=rank_low == 1,
            behind_outright=found.outright,
            separated_from=_separated_from(found.above, field.order, field.leader),
            distance=found.distance,
        )


def _of_every_run(basis: Basis) -> Evidence:
    """Test the entries that are shown and the hidden runs."""
    every = basis.of_every_run
    # Only the standard errors are of interest; the interval is the cheapest one.
    compared = compare(
        every.bootstrap,
        *every.field.pairs(),
        interval="standard_error",
        tail=basis.tail,
        workers=basis.settings.workers,
    )
    return Evidence.of(every, compared)


def _separated_from(above: Bools, order: Ints, leader: int) -> Ints:
    """Return the leader [m] where it is shown better, else the best entry that is, else −1."""
    preferred = np.concatenate([[leader], order[order != leader]])
    first = above[preferred].argmax(axis=0)
    return np.where(above.any(axis=0), preferred[first], -1)
