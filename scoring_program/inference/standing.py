"""Which entries are significantly better than others, and what this means for the ranks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from . import ranks
from .basis import Basis
from .comparisons import Comparisons, error_matrix
from .distance import distances
from .draws import Draws
from .outright import behind_outright
from .step_down import StepDown, step_down
from .studentized import StudentizedErrors


@dataclass(frozen=True, eq=False)
class Standing:
    """What the algorithms in `step_down` and `ranks` say about m entries."""

    draws: Draws
    step_down: StepDown
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
        """Run the algorithms; ``compared`` holds all pairs."""
        field, competing = basis.field, basis.field.competing
        errors = error_matrix(field.order.size, compared)
        draws = draws_of(basis, errors)
        shown = step_down(draws, competing, basis.alpha, basis.settings.workers)
        outright = behind_outright(basis)
        above = shown.above | (outright & competing[:, None] & draws.rivals)
        below = shown.below | (outright & competing[None, :] & draws.rivals)
        rank_low, rank_high = ranks.rank_bounds(above, below, competing)
        kept = rank_low == 1
        widths = _widths(draws, shown.critical, basis.scores.units)
        rejected = shown.p_better <= basis.alpha
        joint_low, joint_high = ranks.rank_bounds(rejected, rejected, competing)
        order = ranks.identical_adjacent(draws, field.order)
        return cls(
            draws,
            shown,
            above,
            below,
            rank_low,
            rank_high,
            joint_low,
            joint_high,
            ranks.tiers(order, rejected, competing),
            could_be_best=kept,
            behind_outright=outright & draws.rivals,
            separated_from=_separated_from(above, field.order, field.leader),
            distance=distances(basis.bootstrap.theta, draws.rivals, widths, kept & competing),
        )


def _separated_from(above: Bools, order: Ints, leader: int) -> Ints:
    """Return the leader [m] where it is shown better, else the best entry that is, else −1."""
    preferred = np.concatenate([[leader], order[order != leader]])
    first = above[preferred].argmax(axis=0)
    return np.where(above.any(axis=0), preferred[first], -1)


def draws_of(basis: Basis, errors: Floats) -> Draws:
    """Return the draws, and the statistics on their scale; ``errors`` [m, m] are plain."""
    theta, units, deviations = basis.bootstrap.theta, basis.scores.units, basis.bootstrap.deviations
    rivals, resampled = basis.field.rivals, StudentizedErrors.of(basis, errors)
    if resampled is None:
        return Draws(ranks.studentize(theta, errors, units), deviations, errors, rivals)
    statistics = ranks.studentize(theta, resampled.errors, units, resampled.row < 0)
    return Draws(statistics, deviations, errors, rivals, resampled)


def _widths(draws: Draws, critical: Floats, units: int) -> Floats:
    """Return c_j·se_ji [m, m], the critical values [m] in the metric's units."""
    resampled = draws.resampled
    plain = np.broadcast_to(ranks.unshrunk(critical, units)[:, None], draws.errors.shape)
    errors, scale = draws.errors, plain
    if resampled is not None:
        own = resampled.row >= 0
        errors, scale = resampled.errors, np.where(own, critical[:, None], plain)
    with np.errstate(invalid="ignore"):
        return np.where(draws.errors > 0, scale * errors, 0.0)
