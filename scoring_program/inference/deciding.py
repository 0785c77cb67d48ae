"""Which comparisons decide whether teams may be the best, apart from those with the leader.

Algorithm D asks of every run, shown or hidden, whether a run of another team is better. A team may
be the best if one of its runs may be. So two runs decide about it: the run of the team with the
least evidence against it, and the run of another team that is this evidence. The page does not
compare them if one is hidden, or if a third entry excludes the team.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import Bools, Ints
from .basis import Basis
from .draws import Draws
from .runs_of_teams import runs_of


@dataclass(frozen=True, eq=False)
class Deciding:
    """The pairs of runs that decide about k teams; runs are those of `Basis.of_every_run`."""

    better: Ints  # [k] the evidence against the team: a run that is ahead
    worse: Ints  # [k] the run of the team

    @classmethod
    def of(cls, basis: Basis, draws: Draws, above: Bools) -> Deciding:
        """Find the pairs; ``draws`` and ``above`` (algorithm C) are those of every run.

        A team that its shown run keeps depends on no hidden run of its own. Where the leader
        excludes a run, no other evidence is needed.
        """
        field, leader = basis.of_every_run.field, basis.field.leader
        among = field.rivals & field.competing[:, None]
        ahead = np.where(among, draws.statistics, -np.inf)
        strength = ahead.max(axis=0)
        strongest = np.where(above[leader], leader, ahead.argmax(axis=0))
        beaten: Bools = np.logical_or.reduce(above[field.competing], axis=0)
        shown, found = basis.observed.size, []
        for entry, runs in enumerate(runs_of(basis.entry_of, shown)):
            least = runs[np.lexsort((strength[runs], beaten[runs]))[0]]
            worse = int(least if beaten[entry] else entry)
            better = int(strongest[worse])
            concerned = beaten[worse] or max(better, worse) >= shown
            if basis.field.competing[entry] and strength[worse] > 0 and concerned:
                found.append((better, worse))
        pairs = np.array(found, np.intp).reshape(-1, 2)
        return cls(pairs[:, 0], pairs[:, 1])
