"""Slopes: how the scores of entries moved between two parts of the data."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from .axes import Drawn, Heading
from .scales import Scale
from .shortening import NAME_LETTERS, isolated, told_apart

_WIDTH, _TOP, _LEFT, _RIGHT = 560.0, 36.0, 90.0, 300.0
#: Labels under each other are this far apart.
_LINE = 16.0


@dataclass(frozen=True)
class Moved:
    """The scores of an entry in both parts, [2] each with its interval, and how they are said."""

    name: str
    scores: tuple[float, float]
    intervals: tuple[tuple[float, float], tuple[float, float]]
    texts: tuple[str, str]
    shape: str  # styles it: what stands out has another color


@dataclass(frozen=True)
class SlopeEnd:
    """One end of a slope: its point, its interval, and its label with the line that leads to it."""

    x: float
    y: float
    low: float
    high: float
    label: str
    label_x: float
    label_y: float


@dataclass(frozen=True)
class Slope:
    """The line of one entry."""

    start: SlopeEnd
    end: SlopeEnd
    shape: str


@dataclass(frozen=True)
class Slopes(Drawn):
    """The scores of entries in two parts, joined by lines."""

    parts: tuple[str, str]
    left: float
    right: float
    slopes: tuple[Slope, ...]


def slopes(heading: Heading, parts: tuple[str, str], moved: Sequence[Moved]) -> Slopes:
    """Draw a line for each entry, from its score in the first part to that in the second.

    Better scores may be higher or lower: the axis goes up with the score. Labels that would lie on
    each other are moved apart.
    """
    height = _TOP + max(200.0, 1.5 * _LINE * len(moved)) + 24
    ends = [value for one in moved for pair in one.intervals for value in pair]
    ends += [value for one in moved for value in one.scores]
    room = 0.02 * (max(ends) - min(ends)) or 1.0
    scale = Scale(min(ends) - room, max(ends) + room, height - 24, _TOP)
    names = [isolated(name) for name in told_apart([one.name for one in moved], NAME_LETTERS)]
    places = [_apart([scale(one.scores[part]) for one in moved]) for part in (0, 1)]
    drawn = []
    for place, (one, name) in enumerate(zip(moved, names, strict=True)):
        start, end = (
            SlopeEnd(
                x=(_LEFT, _RIGHT)[part],
                y=scale(one.scores[part]),
                low=scale(one.intervals[part][0]),
                high=scale(one.intervals[part][1]),
                label=one.texts[part] if part == 0 else f"{one.texts[part]} {name}",
                label_x=(_LEFT - 14, _RIGHT + 14)[part],
                label_y=round(places[part][place] + 4, 2),
            )
            for part in (0, 1)
        )
        drawn.append(Slope(start, end, one.shape))
    return Slopes(
        heading,
        _WIDTH,
        round(max([height, *(end + 12 for end in itertools.chain(*places))]), 2),
        parts,
        _LEFT,
        _RIGHT,
        tuple(drawn),
    )


def _apart(heights: Sequence[float]) -> list[float]:
    """Return places for labels at these heights, in the same order and a line apart."""
    placed = [0.0] * len(heights)
    above = -_LINE
    for index in sorted(range(len(heights)), key=lambda index: heights[index]):
        above = placed[index] = max(heights[index], above + _LINE)
    return placed
