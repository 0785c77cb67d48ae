"""The numbers that outputs may show: as they are, or rounded for participants.

Every digit of a score tells something about the gold, so participants who may see the scores only
get as many as they need. Whatever they are shown comes from here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..core.cells import LARGEST
from ..inference.evidence import Evidence
from .findings import Findings

_DIGITS = 4
#: Score tables hold so many decimals.
_MOST_DECIMALS = 10


@dataclass(frozen=True)
class Grid:
    """The multiples of ``step`` · 10^−``decimals``; ``step`` is 1, 2 or 5."""

    step: int
    decimals: int

    @property
    def unit(self) -> float:
        """The distance of neighbors."""
        return float(self.step * 10.0**-self.decimals)

    def nearest(self, value: float) -> float:
        """Return the nearest multiple; nan stays nan."""
        return round(self.step * round(float(value) / self.step, self.decimals), self.decimals)


@dataclass(frozen=True)
class ShownScore:
    """A score with the ends of its interval, nan where there is none, as outputs may show it."""

    score: float
    low: float
    high: float
    grid: Grid | None  # None if nothing is rounded


def shown_score(findings: Findings, evidence: Evidence, entry: int) -> ShownScore:
    """Return what the outputs may show of an entry's score by one metric."""
    low, score, high = evidence.span(entry)
    if not findings.scores_only:
        return ShownScore(score, low, high, None)
    grid = _four_digits(evidence, score)
    if findings.settings.precision == "digits":
        return ShownScore(grid.nearest(score), grid.nearest(low), grid.nearest(high), grid)
    grid = max(grid, _not_below(evidence.standard_error(entry)), key=lambda one: one.unit)
    # The distances are rounded, not the ends: the ends lie elsewhere on the grid than the score,
    # so that three roundings together would tell the score on a grid three times as fine.
    middle, metric = grid.nearest(score), evidence.metric
    below, above = grid.nearest(score - low), grid.nearest(high - score)
    low, high = max(middle - below, metric.low), min(middle + above, metric.high)
    return ShownScore(middle, low, high, grid)


def shown_distance(findings: Findings, evidence: Evidence, entry: int) -> float:
    """Return what the outputs may show of an entry's distance from the best, an upper bound.

    The score of the best is rounded, and the rounded score taken from it: so the distance does not
    tell the score on a finer grid. The two roundings take at most one unit from the distance, which
    is added. A distance of 0 would tell a verified winner from one that is nearly verified, so
    there is none.
    """
    return shown_bar(findings, evidence, entry)[1]


def shown_bar(findings: Findings, evidence: Evidence, entry: int) -> tuple[float, float]:
    """Return the least and the most that an entry may be behind the best, rounded outward.

    The least is 0 for possible winners, and nan where there are no bars.
    """
    bars, farthest = evidence.distances, evidence.distance(entry)
    nearest = math.nan if bars is None else float(bars.near[entry])
    own = shown_score(findings, evidence, entry)
    if own.grid is None:
        return nearest, farthest
    sign = 1 if evidence.metric.greater_is_better else -1
    score, unit = float(evidence.scores.score[entry]), own.grid.unit
    near, far = (
        abs(own.grid.nearest(score + sign * distance) - own.score)
        for distance in (nearest, farthest)
    )
    # Python's max returns its first argument beside nan.
    return own.grid.nearest(max(near - unit, 0.0)), own.grid.nearest(far + unit)


def _four_digits(evidence: Evidence, score: float) -> Grid:
    """Return four decimals, or four significant digits where scores may exceed 1."""
    largest = max(abs(evidence.metric.low), abs(evidence.metric.high))
    if largest <= 1 or not 0 < abs(score) < LARGEST:
        return Grid(1, _DIGITS)
    return Grid(1, min(_DIGITS - 1 - math.floor(math.log10(abs(score))), _MOST_DECIMALS))


def _not_below(error: float) -> Grid:
    """Return the finest grid whose unit is not below a standard error."""
    if not 0 < error < LARGEST:
        return Grid(1, _MOST_DECIMALS)
    decimals = min(-math.floor(math.log10(error)), _MOST_DECIMALS)
    grids = (Grid(step, place) for place in (decimals, decimals - 1) for step in (1, 2, 5))
    return next(grid for grid in grids if grid.unit >= error)
