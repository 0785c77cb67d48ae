"""A scatter: entries by two metrics, with their intervals; the best corner is at the top right."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..marks import LETTER, Drawing, Heading, Mark, group, mark, path, shape, text, title
from ..scales import Scale, labeled_ticks
from ..shortening import NAME_LETTERS, isolated, letters_of, told_apart

_WIDTH, _HEIGHT = 640.0, 430.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 64.0, 620.0, 34.0, 370.0
_LABEL_HEIGHT = 14.0
#: How much wider a capital is, in letters.
_CAPITAL = 0.4
#: Intervals of more entries would cover each other: then only those with a label have them.
_MOST_CROSSES = 20
#: Where a label may stand beside its point: the offset of its start or end, and which of the two.
_PLACES = ((9, -7, "start"), (9, 16, "start"), (-9, -7, "end"), (-9, 16, "end"))
#: An interval with its point: low, point, high.
_Span = tuple[float, float, float]
#: Left, top, right and bottom.
_Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class AxisOfScatter:
    """One metric: what its axis is called, its direction, and the label of a tick."""

    label: str
    greater_is_better: bool
    text: Callable[[float, int], str]


@dataclass(frozen=True)
class Plotted:
    """An entry: (low, score, high) by each metric, how it is marked, and what hovering says."""

    name: str
    x: _Span
    y: _Span
    shape: str
    labeled: bool
    front: bool
    title: str


def scatter(
    heading: Heading, across: AxisOfScatter, up: AxisOfScatter, plotted: Sequence[Plotted]
) -> Drawing:
    """Draw entries, the most important first: of labels without room, the later ones are left out.

    An axis of errors runs backward, so that the best corner is at the top right for all metrics.
    """
    crossed = [one for one in plotted if one.labeled or len(plotted) <= _MOST_CROSSES]
    x = _scale([one.x for one in plotted], [one.x for one in crossed], across, _LEFT, _RIGHT)
    y = _scale([one.y for one in plotted], [one.y for one in crossed], up, _BOTTOM, _TOP)
    marks = []
    for value, label in labeled_ticks(x.low, x.high, across.text, 6):
        marks.append(path("grid", f"M{x(value)} {_TOP}V{_BOTTOM}"))
        marks.append(text("tick", x(value), _BOTTOM + 16, label))
    for value, label in labeled_ticks(y.low, y.high, up.text, 6):
        marks.append(path("grid", f"M{_LEFT} {y(value)}H{_RIGHT}"))
        marks.append(mark("text", "tick name", label, x=_LEFT - 8, y=y(value), dy=4))
    marks.append(text("tick", (_LEFT + _RIGHT) / 2, _BOTTOM + 40, across.label))
    marks.append(text("start", 8, 16, up.label))
    front = sorted((x(one.x[1]), y(one.y[1])) for one in plotted if one.front)
    if len(front) > 1:
        marks.append(path("front", "M" + "L".join(f"{a} {b}" for a, b in front)))
    drawn = []
    for one, called in zip(plotted, _labels(plotted, x, y), strict=True):
        cross = _cross(one, x, y) if one in crossed else ""
        middle = group("", shape(one.shape), at=(x(one.x[1]), y(one.y[1])))
        crosses = [path("bar cross", cross)] if cross else []
        named = [] if called is None else [called]
        drawn.append(group(one.shape, title(one.title), *crosses, middle, *named))
    # The most important come last, so that no other covers them.
    return Drawing(heading, _WIDTH, _HEIGHT, (*marks, *reversed(drawn)))


def _scale(
    spans: Sequence[_Span], crossed: Sequence[_Span], axis: AxisOfScatter, worst: float, best: float
) -> Scale:
    """Return the scale from the worst coordinate to the best that shows what is drawn."""
    shown = [span[1] for span in spans] + [end for span in crossed for end in span]
    finite = [value for value in shown if math.isfinite(value)]
    low, high = min(finite), max(finite)
    room = 0.05 * (high - low) or max(abs(low), 1.0) * 0.05
    ends = (worst, best) if axis.greater_is_better else (best, worst)
    return Scale(low - room, high + room, *ends)


def _cross(one: Plotted, x: Scale, y: Scale) -> str:
    """Return both intervals as a path; one that does not exist is left out."""
    lines = []
    if math.isfinite(one.x[0]) and math.isfinite(one.x[2]):
        lines.append(f"M{x(one.x[0])} {y(one.y[1])}H{x(one.x[2])}")
    if math.isfinite(one.y[0]) and math.isfinite(one.y[2]):
        lines.append(f"M{x(one.x[1])} {y(one.y[0])}V{y(one.y[2])}")
    return "".join(lines)


def _labels(plotted: Sequence[Plotted], x: Scale, y: Scale) -> list[Mark | None]:
    """Return a label for each entry where it covers neither a mark nor a label before it."""
    names = told_apart([one.name for one in plotted], NAME_LETTERS)
    points = [(x(one.x[1]), y(one.y[1])) for one in plotted]
    taken: list[_Box] = [(a - 6, b - 6, a + 6, b + 6) for a, b in points]
    labels: list[Mark | None] = []
    for one, name, point in zip(plotted, map(isolated, names), points, strict=True):
        free = _free(name, point, taken) if one.labeled else None
        if free is not None:
            taken.append(free[1])
        labels.append(None if free is None else free[0])
    return labels


def _free(name: str, point: tuple[float, float], taken: Sequence[_Box]) -> tuple[Mark, _Box] | None:
    """Return a label beside a point with its box, in the first place that is free."""
    capitals = sum(letter.isupper() for letter in name)
    wide = LETTER * (letters_of(name) + _CAPITAL * capitals) + 4
    for right, down, anchor in _PLACES:
        x, y = point[0] + right, point[1] + down
        left = x if anchor == "start" else x - wide
        box = left, y - _LABEL_HEIGHT + 3, left + wide, y + 3
        inside = box[0] >= _LEFT and box[2] <= _RIGHT and box[1] >= _TOP and box[3] <= _BOTTOM
        if inside and not any(_meets(box, other) for other in taken):
            return text("called", x, y, name, anchor), box
    return None


def _meets(one: _Box, other: _Box) -> bool:
    across = one[0] < other[2] and other[0] < one[2]
    return across and one[1] < other[3] and other[1] < one[3]
