"""Which entries are behind another one although errors of enormous size hide it (rule D′).

One enormous error inflates the standard error of every difference from its entry. T collapses, and
algorithm D and Holm's correction alike call the entry tied, although it is behind on every
resample.
So j also counts as shown better than i where i reaches j on so few resamples that
(1 + #{δ*_ji ≤ 0}) / (B + 1) ≤ α / (2(m − 1)), and the difference has heavy tails.

Beside few groups it does not act: an entry may be ahead in every one of them by chance. With it,
`max_t` keeps a truly best entry in .86 of simulated competitions of 6 groups, and in .97 without it
(checks 28 and 20 of the simulations).

Where T tasks decide together, every task takes its share of the level: the m − 1 rivals of an entry
in T tasks are one family, and the limit is α / (2T(m − 1)). With it, a best entry is kept in .98
of simulated competitions of 4 or 8 tasks with log-normal errors; with α / (2(m − 1)) in each task,
in .95 and .93 (checks 11, log-normal errors).
"""

from __future__ import annotations

import numpy as np

from ..core.arrays import Bools
from .basis import Basis
from .inputs import negligible

#: Beside a smaller effective number of groups, the rule does not act.
FEW_GROUPS = 20
#: Numbers of differences in memory at once: 32 megabytes.
_AT_ONCE = 2**22


def level(basis: Basis, tasks: int = 1) -> float:
    """Return α / (2T(m − 1)), m being the number of entries that can win."""
    return basis.alpha / (2 * tasks * max(int(np.count_nonzero(basis.field.competing)) - 1, 1))


def needed_resamples(basis: Basis, tasks: int = 1) -> int | None:
    """Return the resamples that the rule needs; None if it can act, or has nothing to act on."""
    limit, among = level(basis, tasks), np.ix_(basis.field.competing, basis.field.competing)
    if basis.bootstrap.resamples + 1 >= 1 / limit or not _concerned(basis)[among].any():
        return None
    return int(np.ceil(round(1 / limit, 6))) - 1


def _concerned(basis: Basis) -> Bools:
    """Return the pairs [m, m] that the rule is for."""
    groups = basis.scores.groups_in_effect
    few = groups is not None and groups < FEW_GROUPS
    return np.zeros_like(basis.heavy_tailed) if few else basis.heavy_tailed


def behind_outright(basis: Basis, tasks: int = 1) -> Bools:
    """Return [m, m], indexed (better, worse): pairs in which the worse one is behind outright."""
    bootstrap, found, limit = (
        basis.bootstrap,
        np.zeros_like(basis.heavy_tailed),
        level(basis, tasks),
    )
    ahead = bootstrap.theta[:, None] > bootstrap.theta[None, :]
    better, worse = np.nonzero(_concerned(basis) & ahead)
    if not better.size or 1 / (bootstrap.resamples + 1) > limit:
        return found
    tolerance = negligible(bootstrap.theta[better], bootstrap.theta[worse])
    step = max(1, _AT_ONCE // bootstrap.resamples)
    for start in range(0, better.size, step):
        pairs = slice(start, start + step)
        drawn = bootstrap.differences(better[pairs], worse[pairs])
        p = (1 + drawn.at_most(tolerance[pairs])) / (bootstrap.resamples + 1)
        found[better[pairs], worse[pairs]] = p <= limit
    return found
