"""Parts side by side: a panel of entries for each, or slopes of scores between two of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..marks import Drawing, Heading, Mark, circle, group, line, path, shape, text
from ..scales import Scale
from ..shortening import NAME_LETTERS, isolated, room_of, shortened, told_apart

_LEAST_FOR_NAMES, _PANEL, _APART = 158.0, 132.0, 20.0
_TOP, _ROW = 40.0, 22.0
#: How wide the letters above a panel are on average.
_HEADING_LETTER = 6.5
#: From the edge of a panel to the end of its scale: room for half a mark.
_INSET = 7.0

#: An interval with its point, (low, point, high), and the shape that marks it.
Span = tuple[tuple[float, float, float], str]


@dataclass(frozen=True)
class Panel:
    """One panel: its heading, its spans by row (None where the entry has none), and its axis.

    ``ticks`` are values and their labels within the ``limits``; ``mark`` is the value of a line
    through all rows.
    """

    heading: str
    spans: Sequence[Span | None]
    limits: tuple[float, float]
    ticks: Sequence[tuple[float, str]]
    mark: float | None = None


def side_by_side(
    heading: Heading, names: Sequence[str], panels: Sequence[Panel], axis_label: str
) -> Drawing:
    """Draw panels with a row for each name."""
    bottom = _TOP + _ROW * len(names)
    labels = told_apart(names, NAME_LETTERS)
    first = max(_LEAST_FOR_NAMES, room_of(labels) + 14)
    width = first + (_PANEL + _APART) * len(panels)
    headings = told_apart([one.heading for one in panels], int(_PANEL / _HEADING_LETTER))
    marks = [
        text("name", first - 12, _middle(row) + 4, isolated(name))
        for row, name in enumerate(labels)
    ]
    for number, (panel, said) in enumerate(zip(panels, headings, strict=True)):
        left = first + (_PANEL + _APART) * number
        marks += [text("tick", left + _PANEL / 2, 22, isolated(said)), *_panel(panel, left, bottom)]
    label = shortened(axis_label, int(width / _HEADING_LETTER))
    marks.append(text("tick", (first + width) / 2, bottom + 34, label))
    return Drawing(heading, width, bottom + 42, tuple(marks))


def _middle(row: int) -> float:
    return _TOP + _ROW * (row + 0.5)


def _panel(panel: Panel, left: float, bottom: float) -> Iterator[Mark]:
    scale = Scale(*panel.limits, left + _INSET, left + _PANEL - _INSET)
    for value, label in panel.ticks:
        yield path("grid", f"M{scale(value)} {_TOP - 6}V{bottom}")
        yield text("tick", scale(value), bottom + 15, label)
    if panel.mark is not None:
        yield path("rule", f"M{scale(panel.mark)} {_TOP - 6}V{bottom}")
    for row, span in enumerate(panel.spans):
        if span is None or not math.isfinite(span[0][1]):
            continue
        (low, point, high), kind = span
        known, y = math.isfinite(low) and math.isfinite(high), _middle(row)
        bar = [path("bar", f"M{scale(low)} {y}H{scale(high)}")] if known else []
        yield group(kind, *bar, group("", shape(kind), at=(scale(point), y)))


# Slopes -------------------------------------------------------------------------------------------


_WIDTH, _FIRST = 560.0, 36.0
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
    height = _FIRST + max(200.0, 1.5 * _LINE * len(moved)) + 24
    ends = [value for one in moved for pair in one.intervals for value in pair]
    ends += [value for one in moved for value in one.scores]
    room = 0.02 * (max(ends) - min(ends)) or 1.0
    scale = Scale(min(ends) - room, max(ends) + room, height - 24, _FIRST)
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
