"""The maxima over the draws of every entry's families, in one pass over the resamples.

Entry i has two families (`step_down`): that rivals are better than it, and that it is better than
rivals. A draw of a pair is in four of them: Z_ij says how far i is drawn ahead of j, and −Z_ij the
opposite. So each pair is drawn once, the better entry first, and its draws enter the maxima of both
entries. What is behind by most is ahead by least, negated.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ..core.arrays import Bools, Reals
from .draws import Chosen, Draws, DrawsBlock
from .fast_rows import aligned, without_copies

#: The smallest and the largest leads over, or of, some rivals of every entry; [m, b] each.
_Extremes: TypeAlias = tuple[Reals, Reals]


@dataclass(frozen=True, eq=False)
class Maxima:
    """The maxima [m, B] over the draws of one family per entry; −∞ where there are none."""

    unshown: Reals  # over the hypotheses with T̃ ≤ 0 in which the better entry comes first
    every: Reals  # over all hypotheses

    def put(self, resamples: slice, least: Reals, shown: Reals) -> None:
        """Put in the maxima on some resamples: over the hypotheses that are shown, [m, b].

        Those over the unshown ones are the smallest draws of the opposite, ``least``, negated.
        """
        unshown = np.negative(least, out=self.unshown[:, resamples])
        np.maximum(shown, unshown, out=self.every[:, resamples])

    def of(self, entry: int) -> tuple[Reals, Reals]:
        """Return both maxima of an entry, [B] each."""
        return self.unshown[entry], self.every[entry]


def family_maxima(draws: Draws, competing: int, workers: int = 1) -> tuple[Maxima, Maxima]:
    """Return the maxima of "a rival is better than the entry" and of "it is better than a rival".

    The first ``competing`` entries are everybody's rivals; the others are baselines. Both parts are
    sorted, the best first, so that T̃ ≥ 0 of an earlier and a later entry. ``workers`` threads share
    the resamples of studentized draws, whose products are long enough for threads.
    """
    above, below = (Maxima(*(np.empty_like(draws.deviations) for _ in range(2))) for _ in range(2))
    later, earlier = _rivals(draws, competing)

    def add(resamples: slice) -> None:
        with without_copies(resamples.stop - resamples.start):
            least_over_worse, most_over_worse, least_of_better, most_of_better = _extremes(
                draws.block(resamples), later, earlier
            )
        above.put(resamples, least_over_worse, most_of_better)
        below.put(resamples, least_of_better, most_over_worse)

    if workers > 1 and draws.resampled is not None:
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(add, draws.blocks()))
    else:
        for resamples in draws.blocks():
            add(resamples)
    return above, below


def _extremes(
    block: DrawsBlock, later: Sequence[Chosen], earlier: Sequence[Chosen]
) -> tuple[Reals, Reals, Reals, Reals]:
    """Return the smallest and the largest leads [m, b] of every entry over its worse rivals.

    The third and the fourth are those of its better rivals over it. The rivals are `_rivals`.
    """
    drawn, competing = block.deviations, len(later) - len(earlier)
    # In memory of their own: the rows of `Maxima` lie too far apart for a core's cache.
    least_over_worse, most_over_worse, least_of_better, most_of_better = (
        aligned(drawn.shape, drawn.dtype, start) for start in (np.inf, -np.inf, np.inf, -np.inf)
    )
    for entry, worse in enumerate(later):
        least, most = block.both(entry, worse)
        least.min(axis=0, initial=np.inf, out=least_over_worse[entry])
        most.max(axis=0, initial=-np.inf, out=most_over_worse[entry])
        if entry < competing:
            _extend((least_of_better, most_of_better), worse, least, most)
        else:
            least, most = block.both(entry, earlier[entry - competing])
            least_of_better[entry] = -most.max(axis=0, initial=-np.inf)
            most_of_better[entry] = -least.min(axis=0, initial=np.inf)
    return least_over_worse, most_over_worse, least_of_better, most_of_better


def _rivals(draws: Draws, competing: int) -> tuple[list[Chosen], list[Chosen]]:
    """Return each entry's worse rivals, and each baseline's better ones."""
    rivals = draws.in_maximum[:, :competing]
    worse = draws.statistics[:, :competing] >= 0
    worse[:competing] = np.tri(competing, k=-1, dtype=np.bool_).T  # each pair once, ties too
    later = [_chosen(row) for row in rivals & worse]
    return later, [_chosen(row) for row in (rivals & ~worse)[competing:]]


def _chosen(marked: Bools) -> Chosen:
    """Return the marked entries; as a slice, which needs no copies, if they lie side by side."""
    entries = np.flatnonzero(marked)
    if entries.size and entries.size == entries[-1] - entries[0] + 1:
        return slice(int(entries[0]), int(entries[-1]) + 1)
    return entries


def _extend(extremes: _Extremes, entries: Chosen, least: Reals, most: Reals) -> None:
    """Add the smaller and the larger of a draw's scales [k, b] to the extremes of the entries."""
    for kept, of_two, drawn in zip(extremes, (np.minimum, np.maximum), (least, most), strict=True):
        own = kept[entries]  # a part of ``kept`` itself if the entries are a slice
        of_two(own, drawn, out=own)
        if not isinstance(entries, slice):
            kept[entries] = own
