"""A scatter: entries by two metrics, with their intervals; the best corner is at the top right."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..numbers import exact_decimals
from .axes import Drawn, Heading, Tick, nice_ticks
from .grids import PlacedText
from .legend import LETTER
from .scales import Scale
from .shortening import NAME_LETTERS, isolated, letters_of, told_apart

_WIDTH, _HEIGHT = 640.0, 430.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 64.0, 620.0, 34.0, 370.0
_LABEL_HEIGHT = 14.0
#: How much wider a capital is, in letters.
_CAPITAL = 0.4
#: Intervals of more entries would cover each other: then only those with a label have them.
_MOST_CROSSES = 20
#: Where a label may stand beside its point: the offset of its start or end, and which of the two.
_PLACES = ((9, -7, "start"), (9, 16, "start"), (-9, -7, "end"), (-9, 16, "end"))


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
    x: tuple[float, float, float]
    y: tuple[float, float, float]
    shape: str
    labeled: bool
    front: bool
    title: str


@dataclass(frozen=True)
class PointLabel:
    """The name of an entry; ``anchor`` says which end of it stands at ``x``."""

    x: float
    y: float
    text: str
    anchor: str


@dataclass(frozen=True)
class Point:
    """An entry at its place, with its intervals as a path and its label, if it has them."""

    x: float
    y: float
    shape: str
    title: str
    cross: str
    label: PointLabel | None


@dataclass(frozen=True)
class Scatter(Drawn):
    """Entries by two metrics; ``front`` is the line through the Pareto front as a path."""

    left: float
    right: float
    top: float
    bottom: float
    columns: tuple[Tick, ...]
    rows: tuple[Tick, ...]
    column_label: PlacedText
    row_label: PlacedText
    points: tuple[Point, ...]  # the most important last, so that no other covers it
    front: str


def scatter(
    heading: Heading, across: AxisOfScatter, up: AxisOfScatter, plotted: Sequence[Plotted]
) -> Scatter:
    """Draw entries, the most important first: of labels without room, the later ones are left out.

    An axis of errors runs backward, so that the best corner is at the top right for all metrics.
    """
    crossed = [one for one in plotted if one.labeled or len(plotted) <= _MOST_CROSSES]
    x = _scale([one.x for one in plotted], [one.x for one in crossed], across, _LEFT, _RIGHT)
    y = _scale([one.y for one in plotted], [one.y for one in crossed], up, _BOTTOM, _TOP)
    labels = _labels(plotted, x, y)
    points = [
        Point(
            x(one.x[1]),
            y(one.y[1]),
            one.shape,
            one.title,
            _cross(one, x, y) if one in crossed else "",
            label,
        )
        for one, label in zip(plotted, labels, strict=True)
    ]
    front = sorted((x(one.x[1]), y(one.y[1])) for one in plotted if one.front)
    return Scatter(
        heading=heading,
        width=_WIDTH,
        height=_HEIGHT,
        left=_LEFT,
        right=_RIGHT,
        top=_TOP,
        bottom=_BOTTOM,
        columns=_ticks(x, across),
        rows=_ticks(y, up),
        column_label=PlacedText((_LEFT + _RIGHT) / 2, _BOTTOM + 40, across.label),
        row_label=PlacedText(8, 16, up.label),
        points=tuple(reversed(points)),
        front="M" + "L".join(f"{a} {b}" for a, b in front) if len(front) > 1 else "",
    )


def _scale(
    spans: Sequence[tuple[float, float, float]],
    crossed: Sequence[tuple[float, float, float]],
    axis: AxisOfScatter,
    worst: float,
    best: float,
) -> Scale:
    """Return the scale from the worst coordinate to the best that shows what is drawn."""
    shown = [span[1] for span in spans] + [end for span in crossed for end in span]
    finite = [value for value in shown if math.isfinite(value)]
    low, high = min(finite), max(finite)
    room = 0.05 * (high - low) or max(abs(low), 1.0) * 0.05
    ends = (worst, best) if axis.greater_is_better else (best, worst)
    return Scale(low - room, high + room, *ends)


def _ticks(scale: Scale, axis: AxisOfScatter) -> tuple[Tick, ...]:
    values = nice_ticks(scale.low, scale.high, 6)
    decimals = exact_decimals(values)
    return tuple(Tick(scale(value), axis.text(value, decimals)) for value in values)


def _cross(one: Plotted, x: Scale, y: Scale) -> str:
    """Return both intervals as a path; one that does not exist is left out."""
    lines = []
    if math.isfinite(one.x[0]) and math.isfinite(one.x[2]):
        lines.append(f"M{x(one.x[0])} {y(one.y[1])}H{x(one.x[2])}")
    if math.isfinite(one.y[0]) and math.isfinite(one.y[2]):
        lines.append(f"M{x(one.x[1])} {y(one.y[0])}V{y(one.y[2])}")
    return "".join(lines)


#: Left, top, right and bottom.
_Box = tuple[float, float, float, float]


def _labels(plotted: Sequence[Plotted], x: Scale, y: Scale) -> list[PointLabel | None]:
    """Return a place for each label where it covers neither a mark nor a label before it."""
    names = told_apart([one.name for one in plotted], NAME_LETTERS)
    marks = [(x(one.x[1]), y(one.y[1])) for one in plotted]
    taken: list[_Box] = [(a - 6, b - 6, a + 6, b + 6) for a, b in marks]
    labels: list[PointLabel | None] = []
    for one, name, (a, b) in zip(plotted, names, marks, strict=True):
        found = _free(name, a, b, taken) if one.labeled else None
        if found is not None:
            taken.append(_box(found))
        labels.append(found)
    return labels


def _free(name: str, x: float, y: float, taken: Sequence[_Box]) -> PointLabel | None:
    for right, down, anchor in _PLACES:
        label = PointLabel(round(x + right, 2), round(y + down, 2), isolated(name), anchor)
        box = _box(label)
        inside = box[0] >= _LEFT and box[2] <= _RIGHT and box[1] >= _TOP and box[3] <= _BOTTOM
        if inside and not any(_meets(box, other) for other in taken):
            return label
    return None


def _box(label: PointLabel) -> _Box:
    capitals = sum(letter.isupper() for letter in label.text)
    wide = LETTER * (letters_of(label.text) + _CAPITAL * capitals) + 4
    left = label.x if label.anchor == "start" else label.x - wide
    return left, label.y - _LABEL_HEIGHT + 3, left + wide, label.y + 3


def _meets(one: _Box, other: _Box) -> bool:
    across = one[0] < other[2] and other[0] < one[2]
    return across and one[1] < other[3] and other[1] < one[3]
