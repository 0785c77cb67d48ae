"""What the tests show about entries: which are better than which, and how far behind the best.

Where a team sent several runs and one stands for it, every run is tested (`runs_of_teams`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from . import ranks
from .basis import Basis
from .distance import distances
from .draws import Draws
from .outright import behind_outright
from .runs_of_teams import of_least_beaten, of_most_beating, runs_of
from .step_down import StepDown
from .studentized import StudentizedErrors


@dataclass(frozen=True, eq=False)
class Evidence:
    """What is shown about m entries; every matrix [m, m] is indexed (better, worse)."""

    draws: Draws
    p_better: Floats  # [m, m] of all pairs at once (algorithm B)
    above: Bools  # i is shown better than j (algorithm C, the families of j)
    below: Bools  # j is shown worse than i (algorithm C, the families of i)
    joint_above: Bools  # the same, of all pairs at once (algorithm B)
    joint_below: Bools
    outright: Bools  # j is behind i outright (rule D′)
    distance: Floats  # [m] from the best, at most (algorithm G)

    @classmethod
    def of(cls, basis: Basis, draws: Draws, shown: StepDown) -> Evidence:
        """Return what is shown about all entries; ``shown`` is what their ``draws`` show."""
        competing, theta = basis.field.competing, basis.bootstrap.theta
        outright = behind_outright(basis) & draws.rivals
        above = shown.above | (outright & competing[:, None])
        below = shown.below | (outright & competing[None, :])
        kept = competing & ~above[competing].any(axis=0)
        widths = _widths(draws, shown.critical, basis.scores.units)
        rejected = np.asarray(shown.p_better <= basis.alpha)
        distance = distances(theta, draws.rivals, widths, kept)
        return cls(draws, shown.p_better, above, below, rejected, rejected, outright, distance)

    def of_teams(self, entry_of: Ints, competing: Bools) -> Evidence:
        """Return what is shown about the teams of runs.

        ``entry_of`` [k] are the entries, the first m runs, that stand for the runs' teams;
        ``competing`` [m] marks those that can win.
        """
        m = competing.size
        teams = runs_of(entry_of, m)
        return Evidence(
            self.draws.take(np.arange(m)),
            self.p_better[:m, :m],
            above=of_least_beaten(self.above, teams, competing),
            below=of_most_beating(self.below, teams, competing),
            joint_above=of_least_beaten(self.joint_above, teams, competing),
            joint_below=of_most_beating(self.joint_below, teams, competing),
            outright=of_least_beaten(self.outright, teams, competing),
            distance=np.array([self.distance[runs].min() for runs in teams]),
        )


def draws_of(basis: Basis, errors: Floats) -> Draws:
    """Return the draws, and the statistics on their scale; ``errors`` [m, m] are plain."""
    theta, units, rivals = basis.bootstrap.theta, basis.scores.units, basis.field.rivals
    deviations, unit = basis.bootstrap.deviations
    resampled = StudentizedErrors.of(basis, errors)
    if resampled is None:
        statistics = ranks.studentize(theta, errors, units)
        return Draws(statistics, deviations, errors, rivals, unit=unit)
    statistics = ranks.studentize(theta, resampled.errors, units, resampled.row < 0)
    return Draws(statistics, deviations, errors, rivals, resampled, unit)


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
