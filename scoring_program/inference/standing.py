"""Which entries are significantly better than others, and what this means for the ranks."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.arrays import Bools, Ints
from . import ranks
from .basis import Basis
from .comparisons import Comparisons, error_matrix
from .draws import Draws, all_rivals
from .step_down import StepDown, step_down


@dataclass(frozen=True, eq=False)
class Standing:
    """What the algorithms in `step_down` and `ranks` say about m entries."""

    draws: Draws
    step_down: StepDown
    rank_low: Ints  # [m]: best rank of the rank range (algorithm C)
    rank_high: Ints
    joint_low: Ints  # [m]: best rank of the joint rank set (algorithm C′)
    joint_high: Ints
    tier: Ints  # [m]: 1 is the best (algorithm E)
    could_be_best: Bools  # [m] (algorithm D): the rank range includes 1

    @classmethod
    def of(cls, basis: Basis, compared: Comparisons) -> Standing:
        """Run the algorithms; ``compared`` holds all pairs."""
        bootstrap, field, competing = basis.bootstrap, basis.field, basis.field.competing
        errors = error_matrix(field.order.size, compared)
        statistics = ranks.studentize(bootstrap.theta, errors, basis.scores.units)
        draws = Draws(statistics, bootstrap.deviations, errors, all_rivals(field.order.size))
        shown = step_down(draws, competing, basis.alpha, basis.settings.workers)
        rank_low, rank_high = ranks.rank_bounds(shown.above, shown.below, competing)
        rejected = shown.p_better <= basis.alpha
        joint_low, joint_high = ranks.rank_bounds(rejected, rejected, competing)
        order = ranks.identical_adjacent(draws, field.order)
        return cls(
            draws,
            shown,
            rank_low,
            rank_high,
            joint_low,
            joint_high,
            ranks.tiers(order, rejected, competing),
            could_be_best=rank_low == 1,
        )
