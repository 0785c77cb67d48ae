"""Slopes: how the scores of entries moved between two parts of the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..marks import Drawing, Heading, circle, group, line, text
from ..scales import Scale
from ..shortening import NAME_LETTERS, isolated, told_apart

_WIDTH, _TOP = 560.0, 36.0
#: Where the parts stand, their labels beside them, and which end of these.
_SIDES = ((90.0, 76.0, "end"), (300.0, 314.0, "start"))
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


def slopes(heading: Heading, parts: tuple[str, str], moved: Sequence[Moved]) -> Drawing:
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
    marks = [text("tick", side[0], 16, part) for side, part in zip(_SIDES, parts, strict=True)]
    for place, (one, name) in enumerate(zip(moved, names, strict=True)):
        y = [scale(score) for score in one.scores]
        drawn = [line("bar slope", _SIDES[0][0], y[0], _SIDES[1][0], y[1])]
        said = one.texts[0], f"{one.texts[1]} {name}"
        for part, (x, beside, anchor) in enumerate(_SIDES):
            low, high = map(scale, one.intervals[part])
            at = round(places[part][place] + 4, 2)
            drawn += [line("bar", x, low, x, high), circle("mark", x, y[part], 3.75)]
            drawn.append(text("", beside, at, said[part], anchor))
        marks.append(group(one.shape, *drawn))
    return Drawing(heading, _WIDTH, max(height, *(max(end) + 12 for end in places)), tuple(marks))


def _apart(heights: Sequence[float]) -> list[float]:
    """Return places for labels at these heights, in the same order and a line apart."""
    placed = [0.0] * len(heights)
    above = -_LINE
    for index in sorted(range(len(heights)), key=lambda index: heights[index]):
        above = placed[index] = max(heights[index], above + _LINE)
    return placed
