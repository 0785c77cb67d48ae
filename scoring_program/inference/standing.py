"""Which entries are significantly better than others, and what this means for the ranks."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.arrays import Bools, Floats, Ints
from . import ranks
from .basis import Basis
from .comparisons import Comparisons, error_matrix
from .draws import Draws, all_rivals


@dataclass(frozen=True, eq=False)
class Standing:
    """The results of the algorithms in `ranks` for m entries."""

    draws: Draws
    p_better: Floats  # [m, m] for "one entry is better than another" (algorithm B)
    rank_low: Ints  # [m]: best rank of the simultaneous rank set (algorithm C)
    rank_high: Ints
    tier: Ints  # [m]: 1 is the best (algorithm E)
    could_be_best: Bools  # [m] (algorithm D)

    @classmethod
    def of(cls, basis: Basis, compared: Comparisons) -> Standing:
        """Run the algorithms; ``compared`` holds all pairs."""
        bootstrap, field, competing = basis.bootstrap, basis.field, basis.field.competing
        errors = error_matrix(field.order.size, compared)
        statistics = ranks.studentize(bootstrap.theta, errors, basis.scores.units)
        draws = Draws(statistics, bootstrap.deviations, errors, all_rivals(field.order.size))
        p_better = ranks.better(draws, competing)
        rejected = p_better <= basis.alpha
        rank_low, rank_high = ranks.rank_sets(rejected, competing)
        return cls(
            draws,
            p_better,
            rank_low,
            rank_high,
            ranks.tiers(ranks.identical_adjacent(draws, field.order), rejected, competing),
            ranks.possible_winners(draws, competing, basis.settings.confidence),
        )
