"""Which entries are significantly better than others, and what this means for the ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..bootstrap.workers.forked import beside
from ..core.arrays import Bools, Floats, Ints
from ..settings.model import Settings
from . import ranks
from .basis import Basis
from .comparisons import Moments, error_matrix, moments
from .deciding import Deciding
from .draws import Draws
from .evidence import Evidence, draws_of
from .step_down import step_down

#: Draws from which on a fork pays off: 50 milliseconds.
_FORKED = 2**26


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
    shown_could_be_best: Bools  # [m]: the same of the run that is shown, not of its team
    behind_outright: Bools  # [m, m] (better, worse) (rule D′): tied under no rule
    separated_from: Ints  # [m]: who shows that an entry is not the best; −1 if it could be the best
    distance: Floats  # [m] (algorithm G)
    deciding: Deciding  # the pairs of runs that decide who could be the best

    @classmethod
    @contextmanager
    def begin(cls, basis: Basis, pairs: Moments) -> Iterator[Callable[[], Standing]]:
        """Begin to run the algorithms; yield a function that waits for what they say.

        ``pairs`` are those of all entries that are shown. Where there are hidden runs, all runs are
        tested.
        """
        every, settings = basis.of_every_run, basis.settings
        if every is not basis:
            pairs = moments(every.bootstrap, *every.field.pairs(), workers=settings.workers)
        draws = draws_of(every, error_matrix(every.observed.size, pairs))
        competing = every.field.competing
        test = partial(step_down, draws, competing, every.alpha, settings.workers)
        with beside(test, pays_off=_is_long(draws, settings)) as shown:
            yield lambda: cls._of(basis, Evidence.of(every, draws, shown()))

    @classmethod
    def _of(cls, basis: Basis, every: Evidence) -> Standing:
        """Return what is shown about the entries, or about the runs of their teams."""
        field, competing = basis.field, basis.field.competing
        deciding, found = Deciding.of(basis, every.draws, every.above), every
        if basis.scores.hidden is not None:
            found = every.of_teams(basis.entry_of, competing)
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
            shown_could_be_best=np.logical_not(every.above[:, : competing.size].any(axis=0)),
            behind_outright=found.outright,
            separated_from=_separated_from(found.above, field.order, field.leader),
            distance=found.distance,
            deciding=deciding,
        )


def _is_long(draws: Draws, settings: Settings) -> bool:
    """Return whether the algorithms take so long that another process should run them.

    NumPy's passes over the draws are too short for threads, which wait for the interpreter's lock.
    The products of studentized draws are not.
    """
    if settings.workers < 2 or settings.backend not in ("auto", "processes"):
        return False
    return draws.resampled is None and draws.entries**2 * draws.resamples >= _FORKED


def _separated_from(above: Bools, order: Ints, leader: int) -> Ints:
    """Return the leader [m] where it is shown better, else the best entry that is, else −1."""
    preferred = np.concatenate([[leader], order[order != leader]])
    first = above[preferred].argmax(axis=0)
    return np.where(above.any(axis=0), preferred[first], -1)
