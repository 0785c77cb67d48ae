"""Intervals of entries: under each other, side by side, as slopes, and by two metrics.

A forest has a row for each entry on one axis, and of many entries, a chart has a thin line each.
Panels stand side by side, slopes lead from one part to another, and a scatter has two axes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import groupby

from ..marks import (
    DIGIT,
    LETTER,
    Drawing,
    Ends,
    Key,
    Mark,
    Plotted,
    Span,
    circle,
    group,
    line,
    mark,
    path,
    shape,
    text,
    title,
)
from ..scales import (
    STRIP_HEIGHT,
    Axis,
    Scale,
    TickLabel,
    Ticks,
    gap,
    grid,
    grid_lines,
    labeled_ticks,
    nice_ticks,
    placed,
    tick_labels,
)
from ..shortening import NAME_LETTERS, isolated, letters_of, room_of, shortened, told_apart

#: How wide a forest is, and how much of it the names take; longer names widen both.
WIDE = (720.0, 170.0)
PANEL = (340.0, 110.0)


def forest(
    heading: Drawing,
    entries: Sequence[Plotted],
    axis: Axis,
    axis_label: str,
    *,
    layout: Ends = WIDE,
    held: Set[int] = frozenset(),
    held_by: str = "",
) -> Drawing:
    """Stack intervals under each other; what is said of an entry is its number and its tooltip.

    A bracket, which the legend calls ``held_by``, holds the rows at the places ``held`` together.
    The numbers complete the description, so that it says what the figure shows.
    """
    labels = [one.name for one in entries]
    numbers = [one.said[0] for one in entries]
    shown = told_apart(labels, NAME_LETTERS)
    names = max(layout[1], room_of(shown) + 10)
    width = layout[0] + names - layout[1]
    plot = layout[0] - layout[1] - DIGIT * max(map(len, numbers)) - 8
    listed = "; ".join(
        f"{isolated(name)} {number}"
        for name, number in zip(told_apart(labels, 60), numbers, strict=True)
    )
    scale = axis.scale
    note = axis.note
    bottom = STRIP_HEIGHT * len(entries) + 6
    about = f"{heading.description} ({note})" if note else heading.description
    keys = (*heading.legend, Key("bracket", held_by)) if held else heading.legend

    def part(top: float, height: float, *inside: Mark, overflow: str | None = None) -> Mark:
        drawn = {"y": top or None, "width": plot, "height": height, "overflow": overflow}
        return mark("svg", "", *inside, x=names, **drawn)

    marks = [path("held", "".join(_brackets(held, len(entries))))] if held else []
    marks.append(part(0, bottom, *grid(axis, bottom)))
    middle = STRIP_HEIGHT / 2
    for place, (one, name) in enumerate(zip(entries, shown, strict=True)):
        top = 4 + STRIP_HEIGHT * place
        baseline = 20 + STRIP_HEIGHT * place
        named = text("name focus" if one.focus else "name", names - 10, baseline, isolated(name))
        at, bar = placed(scale, one.spans[0])
        drawn = [mark("svg", "", shape(one.shape), x=at, y=middle, overflow="visible")]
        if bar is not None:
            drawn.insert(0, line("bar", bar[0], middle, bar[1], middle))
        plotted = part(top, STRIP_HEIGHT, *drawn)
        number = text("value", width - 4, baseline, one.said[0])
        marks.append(group(one.shape, title(one.said[1]), named, plotted, number))
    under = [mark("line", "axis", x2="100%", y1=0.5, y2=0.5), *tick_labels(axis, 16)]
    said = zip((34, 48), filter(None, (axis_label, note)), strict=False)
    under += [text("tick", "50%", y, one) for y, one in said]
    marks.append(part(bottom, 40, *under, overflow="visible"))
    if scale.beyond is not None:
        marks.append(part(0, bottom, gap(scale, bottom), overflow="visible"))
    heading = replace(heading, description=f"{about}: {listed}", legend=keys)
    return heading.drawn(width, bottom + (54 if note else 40), marks)


def _brackets(held: Set[int], rows: int) -> Iterator[str]:
    """Yield a bracket for each run of rows that are held."""
    for is_held, places in groupby(range(rows), key=held.__contains__):
        if is_held:
            first, *rest = places
            top = STRIP_HEIGHT * first + 7
            bottom = STRIP_HEIGHT * ((rest or [first])[-1] + 1) + 1
            yield f"M15 {top}H10V{bottom}H15"


# Rank chart ---------------------------------------------------------------------------------------


_WIDTH = 720.0
_LEFT = 220.0
_RIGHT = 696.0
_TOP = 26.0
#: Height of a line: as much as all of them share, between these two.
_ALL = 1000.0
_THINNEST = 4.0
_THICKEST = 16.0
_LABEL_HEIGHT = 12.0


def rank_chart(heading: Drawing, entries: Sequence[Plotted], axis_label: str) -> Drawing:
    """Draw the rank ranges of ``entries``, best first; as many have labels as there is room for.

    What is said of an entry is its mark in the margin.
    """
    size = min(max(_ALL / len(entries), _THINNEST), _THICKEST)
    last = max(high for entry in entries for _, _, high in entry.spans)
    scale = Scale(1, last, _LEFT + 6, _RIGHT)
    bottom = round(_TOP + size * len(entries), 2)
    middles = [round(_TOP + (place + 0.5) * size, 2) for place in range(len(entries))]
    marks = []
    for tick in [1.0, *(tick for tick in nice_ticks(1, last, 7) if 1 < tick == int(tick))]:
        x = scale(tick)
        label = str(int(tick))
        marks.append(path("grid", f"M{x} {_TOP}V{bottom}"))
        marks.append(mark("text", "tick", label, x=x, y=_TOP, dy=-4))
        marks.append(mark("text", "tick", label, x=x, y=bottom, dy=14))
    placed = [(*entry.spans[0], y) for entry, y in zip(entries, middles, strict=True)]
    for kind in dict.fromkeys(entry.shape for entry in entries):
        own = [at for at, entry in zip(placed, entries, strict=True) if entry.shape == kind]
        ranges = "".join(f"M{scale(low)} {y}H{scale(high)}" for low, _, high, y in own)
        ranks = "".join(f"M{scale(rank)} {y}h0" for _, rank, _, y in own)
        marks.append(group(kind, path("bar range", ranges), path("bar rank", ranks)))
    names = told_apart([entry.name for entry in entries], NAME_LETTERS)
    step = math.ceil(_LABEL_HEIGHT / size)
    focus = next((place for place, entry in enumerate(entries) if entry.focus), -math.inf)
    for place, (entry, name) in enumerate(zip(entries, names, strict=True)):
        if entry.focus or (place % step == 0 and abs(place - focus) >= step):
            styled = "tick name focus" if entry.focus else "tick name"
            said = f"{' '.join(entry.said)} · {isolated(name)}"
            marks.append(text(styled, _LEFT - 8, round(middles[place] + 4, 2), said))
    marks.append(text("tick", (_LEFT + _RIGHT) / 2, 10, axis_label))
    return heading.drawn(_WIDTH, bottom + 20, marks)


# Panels -------------------------------------------------------------------------------------------


_LEAST_FOR_NAMES = 158.0
_PANEL = 132.0
_APART = 20.0
_FIRST_ROW = 40.0
_ROW = 22.0
#: How wide the letters above a panel are on average.
_HEADING_LETTER = 6.5
#: From the edge of a panel to the end of its scale: room for half a mark.
_INSET = 7.0
#: A heading, the interval of each row with the shape that marks it (None where the entry has none),
#: and the value of a line through all rows, if there is one.
Panel = tuple[str, Sequence[tuple[Span, str] | None], float | None]


def side_by_side(
    heading: Drawing,
    names: Sequence[str],
    panels: Sequence[Panel],
    limits: Ends,
    ticks: Ticks,
    axis_label: str,
) -> Drawing:
    """Draw panels with a row for each name; all have the same ``ticks`` within the ``limits``."""
    bottom = _FIRST_ROW + _ROW * len(names)
    middles = [_FIRST_ROW + _ROW * (row + 0.5) for row in range(len(names))]
    labels = told_apart(names, NAME_LETTERS)
    first = max(_LEAST_FOR_NAMES, room_of(labels) + 14)
    width = first + (_PANEL + _APART) * len(panels)
    headings = told_apart([said for said, _, _ in panels], int(_PANEL / _HEADING_LETTER))
    named = zip(labels, middles, strict=True)
    marks = [text("name", first - 12, y + 4, isolated(name)) for name, y in named]
    for number, ((_, spans, ruled), said) in enumerate(zip(panels, headings, strict=True)):
        left = first + (_PANEL + _APART) * number
        scale = Scale(*limits, left + _INSET, left + _PANEL - _INSET)
        marks.append(text("tick", left + _PANEL / 2, 22, isolated(said)))
        marks += grid_lines(scale, ticks, _FIRST_ROW - 6, bottom, bottom + 15)
        if ruled is not None:
            marks.append(path("rule", f"M{scale(ruled)} {_FIRST_ROW - 6}V{bottom}"))
        for span, y in zip(spans, middles, strict=True):
            if span is not None and math.isfinite(span[0][1]):
                (low, point, high), kind = span
                known = math.isfinite(low) and math.isfinite(high)
                bar = [path("bar", f"M{scale(low)} {y}H{scale(high)}")] if known else []
                marks.append(group(kind, *bar, group("", shape(kind), at=(scale(point), y))))
    label = shortened(axis_label, int(width / _HEADING_LETTER))
    marks.append(text("tick", (first + width) / 2, bottom + 34, label))
    return heading.drawn(width, bottom + 42, marks)


# Slopes -------------------------------------------------------------------------------------------


_SLOPES = 560.0
_HIGHEST = 36.0
#: Where the parts stand, their labels beside them, and which end of these.
_SIDES = ((90.0, 76.0, "end"), (300.0, 314.0, "start"))
#: Labels under each other are this far apart.
_LINE = 16.0


def slopes(heading: Drawing, parts: tuple[str, str], moved: Sequence[Plotted]) -> Drawing:
    """Draw a line for each entry, from its score in the first part to that in the second.

    Better scores may be higher or lower: the axis goes up with the score. What is said of an entry
    are its two scores. Labels that would lie on each other are moved apart.
    """
    height = _HIGHEST + max(200.0, 1.5 * _LINE * len(moved)) + 24
    ends = [value for one in moved for span in one.spans for value in span]
    room = 0.02 * (max(ends) - min(ends)) or 1.0
    scale = Scale(min(ends) - room, max(ends) + room, height - 24, _HIGHEST)
    names = [isolated(name) for name in told_apart([one.name for one in moved], NAME_LETTERS)]
    places = [_moved_apart([scale(one.spans[part][1]) for one in moved]) for part in (0, 1)]
    marks = [text("tick", side[0], 16, part) for side, part in zip(_SIDES, parts, strict=True)]
    for place, (one, name) in enumerate(zip(moved, names, strict=True)):
        y = [scale(score) for _, score, _ in one.spans]
        drawn = [line("bar slope", _SIDES[0][0], y[0], _SIDES[1][0], y[1])]
        said = one.said[0], f"{one.said[1]} {name}"
        for part, (x, beside, anchor) in enumerate(_SIDES):
            low, _, high = map(scale, one.spans[part])
            at = round(places[part][place] + 4, 2)
            drawn += [line("bar", x, low, x, high), circle("mark", x, y[part], 3.75)]
            drawn.append(text("", beside, at, said[part], anchor))
        marks.append(group(one.shape, *drawn))
    return heading.drawn(_SLOPES, max(height, *(max(end) + 12 for end in places)), marks)


def _moved_apart(heights: Sequence[float]) -> list[float]:
    """Return places for labels at these heights, in the same order and a line apart."""
    placed = [0.0] * len(heights)
    above = -_LINE
    for index in sorted(range(len(heights)), key=lambda index: heights[index]):
        above = placed[index] = max(heights[index], above + _LINE)
    return placed


# Scatter -----------------------------------------------------------------------------------------


#: The size of a scatter, where its axes begin and end, and how high a label is.
_SIZE = (640.0, 430.0)
_ACROSS = (64.0, 620.0)
_UP = (370.0, 34.0)
_LABEL = 14.0
#: How much wider a capital is, in letters.
_CAPITAL = 0.4
#: Intervals of more entries would cover each other: then only those with a label have them.
_MOST_CROSSES = 20
#: Where a label may stand beside its point: the offset of its start or end, and which of the two.
_PLACES = ((9, -7, "start"), (9, 16, "start"), (-9, -7, "end"), (-9, 16, "end"))
#: Left, top, right and bottom.
_Box = tuple[float, float, float, float]
#: One metric: what its axis is called, whether more is better, and the label of a tick.
AxisOfScatter = tuple[str, bool, TickLabel]


def scatter(
    heading: Drawing,
    across: AxisOfScatter,
    up: AxisOfScatter,
    plotted: Sequence[Plotted],
    *,
    ticks_across: Ticks | None = None,
    lines: Callable[[Scale, Scale], Sequence[Mark]] | None = None,
) -> Drawing:
    """Draw entries, the most important first: of labels without room, the later ones are left out.

    An axis of errors runs backward, so that the best corner is at the top right for all metrics.
    Entries in focus have labels, and what is said of them shows where one hovers. A line joins the
    entries at the front, unless ``lines`` draws others under the entries, on the two scales.
    ``ticks_across`` are other ticks than round numbers.
    """
    crossed = [one for one in plotted if one.focus or len(plotted) <= _MOST_CROSSES]
    (left, right) = _ACROSS
    (bottom, top) = _UP
    x = _scale(plotted, crossed, 0, _ACROSS if across[1] else _ACROSS[::-1])
    y = _scale(plotted, crossed, 1, _UP if up[1] else _UP[::-1])
    ticks = ticks_across or labeled_ticks(x.low, x.high, across[2], 6)
    marks = grid_lines(x, ticks, top, bottom, bottom + 16)
    for value, label in labeled_ticks(y.low, y.high, up[2], 6):
        marks.append(path("grid", f"M{left} {y(value)}H{right}"))
        marks.append(mark("text", "tick name", label, x=left - 8, y=y(value), dy=4))
    marks.append(text("tick", (left + right) / 2, bottom + 40, across[0]))
    marks.append(text("start", 8, 16, up[0]))
    points = [(x(one.spans[0][1]), y(one.spans[1][1])) for one in plotted]
    front = sorted(at for one, at in zip(plotted, points, strict=True) if one.front)
    if lines is not None:
        marks += lines(x, y)
    elif len(front) > 1:
        marks.append(path("front", "M" + "L".join(f"{a} {b}" for a, b in front)))
    names = told_apart([one.name for one in plotted], NAME_LETTERS)
    taken: list[_Box] = [(a - 6, b - 6, a + 6, b + 6) for a, b in points]
    drawn = []
    for one, name, point in zip(plotted, map(isolated, names), points, strict=True):
        cross = _cross(one, x, y) if one in crossed else ""
        parts = [title(one.said[0]), *([path("bar cross", cross)] if cross else [])]
        parts.append(group("", shape(one.shape), at=point))
        if one.focus and (free := _free(name, point, taken)) is not None:
            parts.append(free[0])
            taken.append(free[1])
        drawn.append(group(one.shape, *parts))
    # The most important come last, so that no other covers them.
    return heading.drawn(*_SIZE, (*marks, *reversed(drawn)))


def _scale(plotted: Sequence[Plotted], crossed: Sequence[Plotted], axis: int, ends: Ends) -> Scale:
    """Return the scale of an axis that shows what is drawn, from the first end to the other."""
    shown = [one.spans[axis][1] for one in plotted]
    shown += [end for one in crossed for end in one.spans[axis]]
    finite = [value for value in shown if math.isfinite(value)]
    low = min(finite)
    high = max(finite)
    room = 0.05 * (high - low) or max(abs(low), 1.0) * 0.05
    return Scale(low - room, high + room, *ends)


def _cross(one: Plotted, x: Scale, y: Scale) -> str:
    """Return both intervals as a path; one that does not exist is left out."""
    (left, across, right), (low, up, high) = one.spans
    lines = []
    if math.isfinite(left) and math.isfinite(right):
        lines.append(f"M{x(left)} {y(up)}H{x(right)}")
    if math.isfinite(low) and math.isfinite(high):
        lines.append(f"M{x(across)} {y(low)}V{y(high)}")
    return "".join(lines)


def _free(name: str, point: tuple[float, float], taken: Sequence[_Box]) -> tuple[Mark, _Box] | None:
    """Return a label beside a point with its box, where it covers neither a mark nor a label."""
    (low, high) = _ACROSS
    (bottom, top) = _UP
    wide = LETTER * (letters_of(name) + _CAPITAL * sum(letter.isupper() for letter in name)) + 4
    for right, down, anchor in _PLACES:
        x = point[0] + right
        y = point[1] + down
        left = x if anchor == "start" else x - wide
        box = left, y - _LABEL + 3, left + wide, y + 3
        inside = low <= left and box[2] <= high and top <= box[1] and box[3] <= bottom
        if inside and not any(
            box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]
            for other in taken
        ):
            return text("called", x, y, name, anchor), box
    return None
