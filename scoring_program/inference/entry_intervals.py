"""Mean, standard error and interval of each entry's score."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import Floats
from . import intervals
from .basis import Basis
from .distributions import Replicated
from .inputs import negligible


@dataclass(frozen=True, eq=False)
class EntryIntervals:
    """Intervals of m entries, in the metric's own sign; nan if an entry has no interval."""

    mean: Floats
    standard_error: Floats
    low: Floats
    high: Floats
    used: tuple[str, ...]  # the method, or "wilson" or "none" where the standard error is 0


def entry_intervals(basis: Basis) -> EntryIntervals:
    """Return the interval of each entry's score.

    If the standard error is 0, a proportion gets its Wilson interval; if there are fewer groups
    than trials, the groups count as trials. The jackknife is called only for "bca", and only if
    scores vary, because a single unit cannot be left out. An entry without a BCa interval gets its
    percentile interval.
    """
    observed, rows, tail = basis.observed, basis.rows, basis.tail
    interval, jackknife = basis.settings.interval, basis.scores.jackknife
    mean, spread = rows.mean(axis=1), rows.std(axis=1, ddof=1)
    spread[spread <= negligible(observed, mean)] = 0.0
    used = [interval if interval != "bca" else "percentile"] * observed.size
    if interval == "standard_error":
        low, high = intervals.standard_error(mean, spread, tail)
    else:
        low, high = intervals.percentile(Replicated(rows), tail)
    if interval == "bca" and jackknife is not None and (spread > 0).any():
        left_out = jackknife()
        for i in np.flatnonzero(spread > 0):
            ends = intervals.bca(rows[i], float(observed[i]), left_out[:, i], tail)
            if ends is not None:
                (low[i], high[i]), used[i] = ends, "bca"
    for i in np.flatnonzero(spread == 0):
        low[i], high[i], used[i] = _interval_of_constant(basis, int(i))
    return EntryIntervals(mean, spread, low, high, tuple(used))


def _interval_of_constant(basis: Basis, entry: int) -> tuple[float, float, str]:
    """Return the interval of an entry whose score is the same on every resample, and its name."""
    trials, score = int(basis.scores.trials[entry]), float(basis.observed[entry])
    if trials == 0:
        return np.nan, np.nan, "none"
    return *intervals.wilson(score, trials, basis.settings.confidence), "wilson"
