"""A scatter: entries by two metrics, with their intervals; the best corner is at the top right."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ..marks import LETTER, Drawing, Heading, Mark, Plotted, group, mark, path, shape, text, title
from ..scales import Scale, grid_lines, labeled_ticks
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
#: Left, top, right and bottom.
_Box = tuple[float, float, float, float]
#: One metric: what its axis is called, whether more is better, and the label of a tick.
AxisOfScatter = tuple[str, bool, Callable[[float, int], str]]


def scatter(
    heading: Heading, across: AxisOfScatter, up: AxisOfScatter, plotted: Sequence[Plotted]
) -> Drawing:
    """Draw entries, the most important first: of labels without room, the later ones are left out.

    An axis of errors runs backward, so that the best corner is at the top right for all metrics.
    Entries in focus have labels, and what is said of them shows where one hovers.
    """
    crossed = [one for one in plotted if one.focus or len(plotted) <= _MOST_CROSSES]
    x = _scale(plotted, crossed, 0, (_LEFT, _RIGHT) if across[1] else (_RIGHT, _LEFT))
    y = _scale(plotted, crossed, 1, (_BOTTOM, _TOP) if up[1] else (_TOP, _BOTTOM))
    marks = grid_lines(x, labeled_ticks(x.low, x.high, across[2], 6), _TOP, _BOTTOM, _BOTTOM + 16)
    for value, label in labeled_ticks(y.low, y.high, up[2], 6):
        marks.append(path("grid", f"M{_LEFT} {y(value)}H{_RIGHT}"))
        marks.append(mark("text", "tick name", label, x=_LEFT - 8, y=y(value), dy=4))
    marks.append(text("tick", (_LEFT + _RIGHT) / 2, _BOTTOM + 40, across[0]))
    marks.append(text("start", 8, 16, up[0]))
    points = [(x(one.spans[0][1]), y(one.spans[1][1])) for one in plotted]
    front = sorted(at for one, at in zip(plotted, points, strict=True) if one.front)
    if len(front) > 1:
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
    return Drawing(heading, _WIDTH, _HEIGHT, (*marks, *reversed(drawn)))


def _scale(
    plotted: Sequence[Plotted], crossed: Sequence[Plotted], axis: int, ends: tuple[float, float]
) -> Scale:
    """Return the scale of an axis that shows what is drawn, from the first end to the other."""
    shown = [one.spans[axis][1] for one in plotted]
    shown += [end for one in crossed for end in one.spans[axis]]
    finite = [value for value in shown if math.isfinite(value)]
    low, high = min(finite), max(finite)
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
    capitals = sum(letter.isupper() for letter in name)
    wide = LETTER * (letters_of(name) + _CAPITAL * capitals) + 4
    for right, down, anchor in _PLACES:
        x, y = point[0] + right, point[1] + down
        left = x if anchor == "start" else x - wide
        box = left, y - _LABEL_HEIGHT + 3, left + wide, y + 3
        inside = box[0] >= _LEFT and box[2] <= _RIGHT and box[1] >= _TOP and box[3] <= _BOTTOM
        if inside and not any(
            box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]
            for other in taken
        ):
            return text("called", x, y, name, anchor), box
    return None
