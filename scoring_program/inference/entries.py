"""The entries' own scores: mean, standard error and interval of their replicates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Floats, Ints
from . import intervals
from .distributions import Replicated
from .inputs import negligible


@dataclass(frozen=True, eq=False)
class EntryIntervals:
    """Of m entries, in the metric's own sign; ends are nan where no interval can be given."""

    mean: Floats
    standard_error: Floats
    low: Floats
    high: Floats
    used: tuple[str, ...]  # the method, or "wilson" or "none" where the standard error is 0


def entry_intervals(
    observed: Floats,
    rows: Floats,
    *,
    interval: str,
    confidence: float,
    groups: int | None,
    trials: Ints | None,
    jackknife: Callable[[], Floats] | None,
) -> EntryIntervals:
    """Give each entry with score ``observed`` [m] and replicates ``rows`` [m, B] its interval.

    ``trials`` [m] are the numbers of trials where the metric is a proportion, else None. Groups
    count as trials where there are fewer of them. ``jackknife`` is called for "bca" only, where
    scores vary: of one unit nothing can be left out. An entry for which BCa does not exist has its
    percentile interval.
    """
    tail = intervals.tail_probability(confidence, groups)
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
        if trials is None or not trials[i]:
            low[i], high[i], used[i] = np.nan, np.nan, "none"
        else:
            independent = int(trials[i]) if groups is None else min(int(trials[i]), groups)
            low[i], high[i] = intervals.wilson(float(observed[i]), independent, confidence)
            used[i] = "wilson"
    return EntryIntervals(mean, spread, low, high, tuple(used))
