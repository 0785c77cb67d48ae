"""Intervals of entries: under each other, side by side, as slopes, and by two metrics.

A forest has a row for each entry on one axis, and of many entries, a chart has a thin line each.
Panels stand side by side, slopes lead from one part to another, and a scatter has two axes.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace

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
    lines_of_text,
    mark,
    name_beside,
    named_rows,
    path,
    shape,
    text,
    title,
    under_axis,
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
from ..shortening import (
    in_lines,
    isolated,
    letters_of,
    whole,
)

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
    bracketed: Set[int] = frozenset(),
    bracket_label: str = "",
) -> Drawing:
    """Stack intervals under each other; the texts of an entry are its number and its tooltip.

    A bracket, which the legend calls ``bracket_label``, holds the rows at the places ``bracketed``
    together. The numbers complete the description, so that it says what the figure shows.
    """
    labels = [entry.name for entry in entries]
    numbers = [entry.texts[0] for entry in entries]
    rows = named_rows(labels, STRIP_HEIGHT)
    room = max(layout[1], rows.room + 10)
    width = layout[0] + room - layout[1]
    plot = layout[0] - layout[1] - DIGIT * max(map(len, numbers)) - 8
    description = "; ".join(
        f"{isolated(name)} {number}" for name, number in zip(whole(labels), numbers, strict=True)
    )
    scale = axis.scale
    note = axis.note
    bottom = rows.bottom + 6
    about = f"{heading.description} ({note})" if note else heading.description
    keys = (*heading.legend, Key("bracket", bracket_label)) if bracketed else heading.legend

    def part(top: float, height: float, *inside: Mark, overflow: str | None = None) -> Mark:
        drawn = {"y": top or None, "width": plot, "height": height, "overflow": overflow}
        return mark("svg", "", *inside, x=room, **drawn)

    marks = [path("held", "".join(_brackets(bracketed, rows.tops)))] if bracketed else []
    marks.append(part(0, bottom, *grid(axis, bottom)))
    for place, (entry, name) in enumerate(zip(entries, rows.names, strict=True)):
        top = rows.tops[place] + 4
        middle = rows.heights[place] / 2
        baseline = top + middle + 4
        named = name_beside("name focus" if entry.focus else "name", room - 10, baseline, name)
        x, bar = placed(scale, entry.spans[0])
        drawn = [mark("svg", "", shape(entry.shape), x=x, y=middle, overflow="visible")]
        if bar is not None:
            drawn.insert(0, line("bar", bar[0], middle, bar[1], middle))
        plotted = part(top, rows.heights[place], *drawn)
        number = text("value", width - 4, baseline, entry.texts[0])
        marks.append(group(entry.shape, title(entry.texts[1]), *named, plotted, number))
    under = [mark("line", "axis", x2="100%", y1=0.5, y2=0.5), *tick_labels(axis, 16)]
    # The lines are centered below the axis, and may be as wide as the numbers beside it allow.
    below = under_axis("50%", 34, axis_label, plot + 2 * (width - room - plot))
    if note:
        below += under_axis("50%", 34 + 14 * len(below), note, width)
    marks.append(part(bottom, 40, *under, *below, overflow="visible"))
    if scale.beyond is not None:
        marks.append(part(0, bottom, gap(scale, bottom), overflow="visible"))
    heading = replace(heading, description=f"{about}: {description}", legend=keys)
    return heading.drawn(width, bottom + 26 + 14 * max(len(below), 1), marks)


def _brackets(bracketed: Set[int], tops: Sequence[float]) -> Iterator[str]:
    """Yield a bracket for each run of rows that are held, which begin at ``tops``."""
    for is_bracketed, places in itertools.groupby(range(len(tops) - 1), key=bracketed.__contains__):
        if is_bracketed:
            run = list(places)
            top = tops[run[0]] + 7
            bottom = tops[run[-1] + 1] + 1
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

    The texts of an entry are its mark in the margin.
    """
    size = min(max(_ALL / len(entries), _THINNEST), _THICKEST)
    last = max(high for entry in entries for _, _, high in entry.spans)
    scale = Scale(1, last, _LEFT + 6, _RIGHT)
    names = in_lines([entry.name for entry in entries])
    labeled = _with_labels(entries, size)
    heights = [size] * len(entries)
    for place in labeled:
        # A label goes on beside the rows around it, which have none.
        if len(names[place]) > 1:
            beside = size * (_label_step(size) - 1)
            heights[place] = max(size, _LABEL_HEIGHT * len(names[place]) + 4 - beside)
    tops = list(itertools.accumulate(heights, initial=0.0))
    bottom = round(_TOP + tops[-1], 2)
    middles = [
        round(_TOP + top + height / 2, 2) for top, height in zip(tops, heights, strict=False)
    ]
    marks = []
    for tick in [1.0, *(tick for tick in nice_ticks(1, last, 7) if 1 < tick == int(tick))]:
        x = scale(tick)
        label = str(int(tick))
        marks.append(path("grid", f"M{x} {_TOP}V{bottom}"))
        marks.append(mark("text", "tick", label, x=x, y=_TOP, dy=-4))
        marks.append(mark("text", "tick", label, x=x, y=bottom, dy=14))
    placed = [(*entry.spans[0], y) for entry, y in zip(entries, middles, strict=True)]
    for kind in dict.fromkeys(entry.shape for entry in entries):
        placed_of_kind = [
            row for row, entry in zip(placed, entries, strict=True) if entry.shape == kind
        ]
        ranges = "".join(f"M{scale(low)} {y}H{scale(high)}" for low, _, high, y in placed_of_kind)
        ranks = "".join(f"M{scale(rank)} {y}h0" for _, rank, _, y in placed_of_kind)
        marks.append(group(kind, path("bar range", ranges), path("bar rank", ranks)))
    for place in labeled:
        entry = entries[place]
        styled = "tick name focus" if entry.focus else "tick name"
        lines = list(map(isolated, names[place]))
        lines[0] = f"{' '.join(entry.texts)} · {lines[0]}"
        first = middles[place] + 4 - _LABEL_HEIGHT * (len(lines) - 1) / 2
        for number, words in enumerate(lines):
            marks.append(text(styled, _LEFT - 8, round(first + _LABEL_HEIGHT * number, 2), words))
    marks.append(text("tick", (_LEFT + _RIGHT) / 2, 10, axis_label))
    return heading.drawn(_WIDTH, bottom + 20, marks)


def _label_step(size: float) -> int:
    """Return how many rows of this height a label of one line takes."""
    return math.ceil(_LABEL_HEIGHT / size)


def _with_labels(entries: Sequence[Plotted], size: float) -> list[int]:
    """Return the places of entries that have labels: those in focus, and others not near them."""
    step = _label_step(size)
    focus = next((place for place, entry in enumerate(entries) if entry.focus), -math.inf)
    return [
        place
        for place, entry in enumerate(entries)
        if entry.focus or (place % step == 0 and abs(place - focus) >= step)
    ]


# Panels -------------------------------------------------------------------------------------------


_LEAST_FOR_NAMES = 158.0
_PANEL = 132.0
_APART = 20.0
_ROW = 22.0
#: How wide the letters above a panel are on average, and how high a line of them is.
_HEADING_LETTER = 6.5
_HEADING_LINE = 14.0
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
    headings = in_lines([label for label, _, _ in panels], int(_PANEL / _HEADING_LETTER))
    highest = 22 + _HEADING_LINE * (max(map(len, headings)) - 1)
    rows = named_rows(names, _ROW, highest + 18)
    middles = rows.middles
    top = rows.tops[0]
    bottom = rows.bottom
    first = max(_LEAST_FOR_NAMES, rows.room + 14)
    width = first + (_PANEL + _APART) * len(panels)
    marks = []
    for name, y in zip(rows.names, middles, strict=True):
        marks += name_beside("name", first - 12, y + 4, name)
    for number, ((_, spans, ruled), panel_heading) in enumerate(zip(panels, headings, strict=True)):
        left = first + (_PANEL + _APART) * number
        scale = Scale(*limits, left + _INSET, left + _PANEL - _INSET)
        # Headings end on one line, above their panels.
        lowest = highest - _HEADING_LINE * (len(panel_heading) - 1)
        for number_of_line, words in enumerate(panel_heading):
            y = lowest + _HEADING_LINE * number_of_line
            marks.append(text("tick", left + _PANEL / 2, y, isolated(words)))
        marks += grid_lines(scale, ticks, top - 6, bottom, bottom + 15)
        if ruled is not None:
            marks.append(path("rule", f"M{scale(ruled)} {top - 6}V{bottom}"))
        for span, y in zip(spans, middles, strict=True):
            if span is not None and math.isfinite(span[0][1]):
                (low, point, high), kind = span
                has_bar = math.isfinite(low) and math.isfinite(high)
                bar = [path("bar", f"M{scale(low)} {y}H{scale(high)}")] if has_bar else []
                marks.append(group(kind, *bar, group("", shape(kind), origin=(scale(point), y))))
    below = under_axis((first + width) / 2, bottom + 34, axis_label, width - first)
    return heading.drawn(width, bottom + 28 + 14 * len(below), (*marks, *below))


# Slopes -------------------------------------------------------------------------------------------


_SLOPES = 560.0
_SLOPES_ON_PHONE = 332.0
_HIGHEST = 36.0
#: Where the parts stand.
_SIDES = (90.0, 300.0)
#: From a part to the labels beside it.
_BESIDE = 14.0
#: Labels under each other are this far apart, and the lines of one.
_LINE = 16.0
_FURTHER_LINE = 13.0
_BETWEEN_LABELS = 7.0
#: Letters of a line of a name where a page has room.
_LETTERS_BESIDE_SLOPES = 48
#: Letters of a line on a phone at least.
_FEWEST_ON_PHONE = 8
#: How wide a letter of a label is at most, on average.
_LABEL_LETTER = 7.2
#: Room for the heading over the first part, and for a slope, on a phone.
_LEAST_LEFT = 76.0
_SHORTEST_SLOPE = 60.0


def slopes(
    heading: Drawing, parts: tuple[str, str], moved: Sequence[Plotted], *, narrow: bool = False
) -> Drawing:
    """Draw a line for each entry, from its score in the first part to that in the second.

    Better scores may be higher or lower: the axis goes up with the score. The texts of an entry are
    its two scores. Labels that would lie on each other are moved apart. A ``narrow`` picture is as
    wide as a phone shows, and its lines are as long as the names leave them.
    """
    labels = _labels_of_slopes(moved, narrow=narrow)
    sizes = [
        _LINE if len(lines) == 1 else _FURTHER_LINE * len(lines) + _BETWEEN_LABELS
        for _, lines in labels
    ]
    height = _HIGHEST + max(200.0, 1.5 * sum(sizes)) + 24
    ends = [value for entry in moved for span in entry.spans for value in span]
    room = 0.02 * (max(ends) - min(ends)) or 1.0
    scale = Scale(min(ends) - room, max(ends) + room, height - 24, _HIGHEST)
    places = []
    for part, sizes_of_part in enumerate(([_LINE] * len(moved), sizes)):
        heights = [scale(entry.spans[part][1]) for entry in moved]
        places.append(_moved_apart(heights, sizes_of_part))
    sides = _sides_on_phone(labels) if narrow else _SIDES
    marks = [
        text("tick name", sides[0] + _BESIDE, 16, parts[0]),
        text("start", sides[1] - _BESIDE, 16, parts[1]),
    ]
    for place, entry in enumerate(moved):
        y = [scale(score) for _, score, _ in entry.spans]
        drawn = [line("bar slope", sides[0], y[0], sides[1], y[1])]
        for part, (x, to_label, anchor) in enumerate(
            zip(sides, (-_BESIDE, _BESIDE), ("end", "start"), strict=True)
        ):
            low, _, high = map(scale, entry.spans[part])
            baseline = round(places[part][place] + 4, 2)
            drawn += [line("bar", x, low, x, high), circle("mark", x, y[part], 3.75)]
            for number, words in enumerate(labels[place][part]):
                y_of_line = round(baseline + _FURTHER_LINE * number, 2)
                drawn.append(text("", x + to_label, y_of_line, words, anchor))
        marks.append(group(entry.shape, *drawn))
    width = _SLOPES_ON_PHONE
    if not narrow:
        beside = max(_widest_in_plot(lines) for _, lines in labels)
        width = max(_SLOPES, sides[1] + _BESIDE + beside)
    lowest = [place + size for place, size in zip(places[1], sizes, strict=True)]
    return heading.drawn(width, max(height, max(places[0]) + 12, max(lowest) - _LINE + 12), marks)


def _labels_of_slopes(
    moved: Sequence[Plotted], *, narrow: bool
) -> list[tuple[list[str], list[str]]]:
    """Return the lines beside the first part, and those beside the second, with the names.

    On a phone, a line is as long as the picture has room for; a page has room for longer ones.
    """
    before = max(_room_of_label(entry.texts[0]) for entry in moved)
    room = _SLOPES_ON_PHONE - _left_on_phone(before) - _SHORTEST_SLOPE - _BESIDE
    labels = []
    for entry, name in zip(moved, whole([entry.name for entry in moved]), strict=True):
        letters = _LETTERS_BESIDE_SLOPES
        lines = _scored(entry.texts[1], name, letters)
        while narrow and letters > _FEWEST_ON_PHONE and _widest_in_plot(lines) > room:
            letters -= 1
            lines = _scored(entry.texts[1], name, letters)
        labels.append(([entry.texts[0]], lines))
    return labels


def _scored(score: str, name: str, letters: int) -> list[str]:
    """Return a score and the name after it, in lines of so many letters of the name."""
    ((first, *further),) = in_lines([name], letters)
    return [f"{score} {isolated(first)}", *map(isolated, further)]


def _widest_in_plot(lines: Sequence[str]) -> float:
    """Return how wide the widest of these lines is."""
    return max(map(_room_in_plot, lines))


def _left_on_phone(before: float) -> float:
    """Return where the first part stands, beside labels that are so wide."""
    return max(before + _BESIDE, _LEAST_LEFT)


def _sides_on_phone(labels: Sequence[tuple[list[str], list[str]]]) -> Ends:
    """Return where the parts stand, so that a phone shows their labels whole."""
    before = _room_of_labels([first for first, _ in labels])
    after = _room_of_labels([second for _, second in labels])
    left = _left_on_phone(before)
    right = _SLOPES_ON_PHONE - after - _BESIDE
    return left, min(max(right, left + _SHORTEST_SLOPE), _SLOPES_ON_PHONE - _LEAST_LEFT)


def _moved_apart(heights: Sequence[float], sizes: Sequence[float]) -> list[float]:
    """Return places for labels at these heights, in the same order, each below all of the last."""
    placed = [0.0] * len(heights)
    free = 0.0
    for index in sorted(range(len(heights)), key=lambda index: heights[index]):
        placed[index] = max(heights[index], free)
        free = placed[index] + sizes[index]
    return placed


def _room_of_labels(labels: Sequence[Sequence[str]]) -> float:
    """Return how wide the widest line of these labels is at most."""
    return max(_room_of_label(words) for lines in labels for words in lines)


def _room_of_label(label: str) -> float:
    """Return how wide a label is at most; capitals are wider."""
    capitals = sum(letter.isupper() for letter in label)
    return _LABEL_LETTER * (letters_of(label) + _CAPITAL * capitals) + 4


# Scatter -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PlotArea:
    """The size of a scatter, and where its axes begin and end."""

    size: tuple[float, float]
    across: Ends
    up: Ends

    def lower_by(self, down: float) -> PlotArea:
        """Return the area with more room above it."""
        (width, height) = self.size
        (bottom, top) = self.up
        return PlotArea((width, height + down), self.across, (bottom + down, top + down))


#: As wide as a page, and as wide as a phone shows.
WIDE_AREA = PlotArea((640.0, 430.0), (64.0, 620.0), (370.0, 34.0))
NARROW_AREA = PlotArea((332.0, 340.0), (52.0, 322.0), (286.0, 34.0))
#: How high a label is, and how much of an axis a tick takes with its number.
_LABEL = 14.0
_TICK_ROOM = 90.0
#: How much wider a capital is, in letters.
_CAPITAL = 0.4
#: How wide the letters of an axis are on average.
_AXIS_LETTER = 6.0
#: Intervals of more entries would cover each other: then only those with a label have them.
_MOST_CROSSES = 20
#: How wide the letters below a figure are at most, where they explain numbers.
_KEY_LETTER = 7.0
#: Where the names in the key of numbers begin.
_KEY_INDENT = 28.0
#: A name of more lines would cover too much of a plot.
_MOST_IN_PLOT = 2
#: The baseline of a label that is as high as its point, below it.
_BESIDE_POINT = 4
#: Where a label may stand beside its point: the offset of its start, middle or end.
_PLACES = (
    (9, -7, "start"), (9, 16, "start"), (-9, -7, "end"), (-9, 16, "end"),
    (11, _BESIDE_POINT, "start"), (-11, _BESIDE_POINT, "end"),
    (0, -11, "middle"), (0, 20, "middle"),
)  # fmt: skip
#: Where the others have no room, a thin line leads to a label so far above or below its point, to
#: the start, the middle or the end of it.
_FARTHER = (26.0, 40.0, 54.0, 68.0, 82.0, 96.0)
_LEANING = ((14, "start"), (-14, "end"), (0, "middle"), (40, "start"), (-40, "end"))
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
    area: PlotArea = WIDE_AREA,
    ticks_across: Ticks | None = None,
    lines: Callable[[Scale, Scale], Sequence[Mark]] | None = None,
) -> Drawing:
    """Draw entries, the most important first: of labels without room, the later ones are left out.

    Where names have several lines, who has no room for one, or a name of more lines than two, has a
    number instead, which a key below the figure explains.

    An axis of errors runs backward, so that the best corner is at the top right for all metrics.
    Entries in focus have labels, and their texts show where one hovers. A line joins the
    entries at the front, unless ``lines`` draws others under the entries, on the two scales.
    ``ticks_across`` are other ticks than round numbers.
    """
    crossed = [entry for entry in plotted if entry.focus or len(plotted) <= _MOST_CROSSES]
    label_up = lines_of_text(
        "start", 8, 16, up[0], height=_LABEL, letters=int((area.size[0] - 8) / _AXIS_LETTER)
    )
    area = area.lower_by(_LABEL * (len(label_up) - 1))
    (left, right) = area.across
    (bottom, top) = area.up
    x = _scale(plotted, crossed, 0, area.across if across[1] else area.across[::-1])
    y = _scale(plotted, crossed, 1, area.up if up[1] else area.up[::-1])
    room = round((right - left) / _TICK_ROOM)
    ticks = ticks_across or labeled_ticks(x.low, x.high, across[2], room)
    marks = grid_lines(x, ticks, top, bottom, bottom + 16)
    for value, label in labeled_ticks(y.low, y.high, up[2], 6):
        marks.append(path("grid", f"M{left} {y(value)}H{right}"))
        marks.append(mark("text", "tick name", label, x=left - 8, y=y(value), dy=4))
    middle = (left + right) / 2
    room_below = 2 * min(middle, area.size[0] - middle)
    label_across = under_axis(middle, bottom + 40, across[0], room_below)
    marks += [*label_across, *label_up]
    points = [(x(entry.spans[0][1]), y(entry.spans[1][1])) for entry in plotted]
    front = sorted(point for entry, point in zip(plotted, points, strict=True) if entry.front)
    if lines is not None:
        marks += lines(x, y)
    elif len(front) > 1:
        marks.append(path("front", "M" + "L".join(f"{a} {b}" for a, b in front)))
    (labels, numbered) = _labels(plotted, points, area)
    drawn = []
    for place, (entry, point) in enumerate(zip(plotted, points, strict=True)):
        cross = _cross(entry, x, y) if entry in crossed else ""
        parts = [title(entry.texts[0]), *([path("bar cross", cross)] if cross else [])]
        parts.append(group("", shape(entry.shape), origin=point))
        drawn.append(group(entry.shape, *parts, *labels.get(place, ())))
    (width, height) = area.size
    height = height + _LABEL * (len(label_across) - 1)
    (explained, height) = _key_of_numbers(numbered, height, width)
    marks += explained
    # The most important come last, so that no other covers them.
    return heading.drawn(width, height, (*marks, *reversed(drawn)))


def line_of_equals(x: Scale, y: Scale) -> list[Mark]:
    """Return the line where both values are equal, if it lies in the picture."""
    low = max(x.low, y.low)
    high = min(x.high, y.high)
    if low >= high:
        return []
    return [path("rule", f"M{x(low)} {y(low)}L{x(high)} {y(high)}")]


def _scale(plotted: Sequence[Plotted], crossed: Sequence[Plotted], axis: int, ends: Ends) -> Scale:
    """Return the scale of an axis that shows what is drawn, from the first end to the other."""
    values = [entry.spans[axis][1] for entry in plotted]
    values += [end for entry in crossed for end in entry.spans[axis]]
    finite = [value for value in values if math.isfinite(value)]
    low = min(finite)
    high = max(finite)
    room = 0.05 * (high - low) or max(abs(low), 1.0) * 0.05
    return Scale(low - room, high + room, *ends)


def _cross(entry: Plotted, x: Scale, y: Scale) -> str:
    """Return both intervals as a path; one that does not exist is left out."""
    (left, across, right), (low, up, high) = entry.spans
    lines = []
    if math.isfinite(left) and math.isfinite(right):
        lines.append(f"M{x(left)} {y(up)}H{x(right)}")
    if math.isfinite(low) and math.isfinite(high):
        lines.append(f"M{x(across)} {y(low)}V{y(high)}")
    return "".join(lines)


def _labels(
    plotted: Sequence[Plotted], points: Sequence[tuple[float, float]], area: PlotArea
) -> tuple[dict[int, list[Mark]], list[str]]:
    """Return the labels of entries in focus by their place, and the names that numbers stand for.

    Where no name has several lines, who has no room has no label.
    """
    places = [place for place, entry in enumerate(plotted) if entry.focus]
    names = in_lines([plotted[place].name for place in places])
    are_long = any(len(lines) > 1 for lines in names)
    taken: list[_Box] = [(a - 6, b - 6, a + 6, b + 6) for a, b in points]
    labels: dict[int, list[Mark]] = {}
    numbered: list[str] = []
    for place, name in zip(places, names, strict=True):
        is_short = len(name) <= _MOST_IN_PLOT
        free = _free(name, points[place], taken, area) if is_short else None
        if free is None and are_long:
            free = _free([str(len(numbered) + 1)], points[place], taken, area)
            if free is not None:
                numbered.append(plotted[place].name)
        if free is not None:
            (labels[place], box) = free
            taken.append(box)
    return labels, numbered


def _key_of_numbers(names: Sequence[str], top: float, width: float) -> tuple[list[Mark], float]:
    """Return the lines that say whose numbers stand beside the marks, and where they end."""
    if not names:
        return [], top
    letters = int((width - 2 * _KEY_INDENT) / _KEY_LETTER)
    marks = list[Mark]()
    y = round(top + _LABEL / 2, 2)
    for number, lines in enumerate(in_lines(names, letters), start=1):
        marks.append(text("start", 8, y, str(number)))
        for words in lines:
            marks.append(text("start", _KEY_INDENT, y, isolated(words)))
            y = round(y + _LABEL, 2)
    return marks, y


def _free(
    name: Sequence[str], point: tuple[float, float], taken: Sequence[_Box], area: PlotArea
) -> tuple[list[Mark], _Box] | None:
    """Return a label beside a point with its box, where it covers neither a mark nor a label."""
    (low, high) = area.across
    (bottom, top) = area.up
    wide = _widest_in_plot(name)
    deep = _LABEL * (len(name) - 1)
    for right, down, anchor, is_far in _label_places():
        x = point[0] + right
        y = point[1] + down
        left = {"start": x, "middle": x - wide / 2, "end": x - wide}[anchor]
        # Lines go on below the point's height, end above it, or are in the middle beside it.
        first = y if down > _BESIDE_POINT else y - deep
        if down == _BESIDE_POINT:
            first = y - deep / 2
        box = left, first - _LABEL + 3, left + wide, first + deep + 3
        inside = low <= left and box[2] <= high and top <= box[1] and box[3] <= bottom
        if inside and not any(_overlap(box, taken_box) for taken_box in taken):
            label = [
                text("called", round(x, 2), round(first + _LABEL * line, 2), words, anchor)
                for line, words in enumerate(map(isolated, name))
            ]
            if not is_far:
                return label, box
            end = box[1] if down > 0 else box[3]
            lead = path("lead", f"M{point[0]} {point[1]}L{round(x, 2)} {round(end, 2)}")
            return [lead, *label], box
    return None


def _room_in_plot(words: str) -> float:
    """Return how wide a line of a label beside a point is."""
    return LETTER * (letters_of(words) + _CAPITAL * sum(map(str.isupper, words))) + 4


def _label_places() -> Iterator[tuple[float, float, str, bool]]:
    """Yield where a label may stand, the nearest first, and whether a line must lead to it."""
    for right, down, anchor in _PLACES:
        yield right, down, anchor, False
    for farther in _FARTHER:
        for right, anchor in _LEANING:
            yield right, -farther, anchor, True
            yield right, farther + _LABEL - 3, anchor, True


def _overlap(first: _Box, second: _Box) -> bool:
    """Return whether two boxes have a place in common."""
    across = first[0] < second[2] and second[0] < first[2]
    up = first[1] < second[3] and second[1] < first[3]
    return across and up
