"""Scales and axes: where numbers stand; broken where a few far off would squeeze all others."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from ..core.phrases import exact_decimals
from .marks import DIGIT, Mark, Span, mark, path, text

#: Formats a tick, given its value and its decimals.
TickLabel = Callable[[float, int], str]
#: Places or values with their labels.
Ticks = Sequence[tuple[float, str]]
#: Margins of a strip in percent of its width: room for half a marker.
_STRIP = (3.0, 97.0)
#: How much of a broken strip the values far off take, and the break.
_FAR = 15.0
_GAP = 6.0
#: An axis breaks where it is this many times as long as the values without those far off, and where
#: the way to these is as long as all the others together.
_SQUEEZED = 3.0
#: Fewest values that are not far off, and the largest share that may be.
_FEWEST_NEAR = 2
_MOST_FAR = 0.25


@dataclass(frozen=True)
class Scale:
    """A linear map from data units in [low, high] to coordinates in [start, end].

    A broken one goes on ``beyond`` its end, and what lies between the two is not shown.
    """

    low: float
    high: float
    start: float
    end: float
    beyond: Scale | None = None

    def __call__(self, value: float) -> float:
        """Return the coordinate of ``value``, rounded to a hundredth of a unit.

        What is not shown stands at the break.
        """
        if self.beyond is not None and value > self.high:
            return self.beyond(value) if value >= self.beyond.low else self.gap
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 2)

    @property
    def parts(self) -> tuple[Scale, ...]:
        """The scale itself, or what lies before and beyond its break."""
        return (self,) if self.beyond is None else (replace(self, beyond=None), self.beyond)

    @property
    def gap(self) -> float:
        """The coordinate of the break."""
        return round((self.end + self.parts[-1].start) / 2, 2)

    @property
    def omitted(self) -> tuple[float, float]:
        """What is not shown, in round numbers that lie within it."""
        low = self.high
        high = self.parts[-1].low
        halves = (min(part.high - part.low, high - low) / 2 for part in self.parts)
        fine, coarse = (10.0 ** math.floor(math.log10(half)) for half in halves)
        return math.ceil(low / fine) * fine, math.floor(high / coarse) * coarse


def strip_scale(values: Iterable[float]) -> Scale:
    """Return the scale of a column of strips that has to show all finite ``values``."""
    return _linear(values, *_STRIP)


def _linear(values: Iterable[float], start: float, end: float) -> Scale:
    finite = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
    low = min(finite)
    high = max(finite)
    room = 0.04 * (high - low) or max(abs(low), 1.0) * 0.05
    return Scale(low - room, high + room, start, end)


def broken_scale(near: Floats, far: Floats) -> Scale:
    """Return a scale for spans ``near`` each other, [k, 3], that breaks before those ``far`` off.

    A span is (low, point, high), in any order of size; what does not exist is nan. Where there are
    no points far off, or not all on one side, the scale does not break.
    """
    start, end = _STRIP
    inner = _linear(near.ravel().tolist(), start, end)
    points = far[:, 1]
    ends = far[np.isfinite(far)]
    whole = _linear([*near.ravel().tolist(), *ends.tolist()], start, end)
    above = points.size > 0 and bool((points > inner.high).all())
    below = points.size > 0 and bool((points < inner.low).all())
    if not (above or below):
        return whole
    # An interval of a point far off may begin among the others, or on their other side.
    beyond = (ends > inner.high) if above else (ends < inner.low)
    close = [*near.ravel().tolist(), *ends[~beyond].tolist()]
    off = ends[beyond].tolist()
    if above:
        left = _linear(close, start, end - _FAR - _GAP)
        right = _linear(off, end - _FAR, end)
        right = replace(right, low=max(right.low, (left.high + min(off)) / 2))
    else:
        left = _linear(off, start, start + _FAR)
        right = _linear(close, start + _FAR + _GAP, end)
        left = replace(left, high=min(left.high, (max(off) + right.low) / 2))
    # Where such an interval is as long as the distance, nothing lies between the two parts.
    return replace(left, beyond=right) if left.high < right.low else whole


def far_off(spans: Floats, fixed: Bools, counted: Bools) -> Bools:
    """Return which of the spans (low, point, high), [k, 3], would squeeze all others, [k].

    They lie together on one side. None of them is ``fixed`` [k]; of those that are ``counted`` [k],
    they are at most one or a quarter.
    """
    spans = np.where(np.isfinite(spans), spans, spans[:, 1:2])
    upward = np.argsort(spans[:, 1], kind="stable")
    most = max(1, int(_MOST_FAR * counted.sum()))
    cuts = [_cut(spans, order, fixed, counted, most) for order in (upward, upward[::-1])]
    order, (_, near) = max(zip((upward, upward[::-1]), cuts, strict=True), key=lambda cut: cut[1])
    far = np.zeros(len(spans), dtype=np.bool_)
    far[order[near:]] = True
    return far


def _cut(spans: Floats, order: Ints, fixed: Bools, counted: Bools, most: int) -> tuple[float, int]:
    """Return how much of the axis the last spans in ``order`` take, and how many come before them.

    That is (0, all) where none is far off.
    """
    low = np.minimum.accumulate(spans[order].min(axis=1))
    high = np.maximum.accumulate(spans[order].max(axis=1))
    points = spans[order, 1]
    whole = float(high[-1] - low[-1])
    best = (0.0, len(order))
    for near in range(len(order) - 1, _FEWEST_NEAR - 1, -1):
        far = order[near:]
        if fixed[far].any() or counted[far].sum() > most:
            break
        length = float(high[near - 1] - low[near - 1])
        way = max(points[near] - high[near - 1], low[near - 1] - points[near])
        if length > 0 and way >= length and whole >= _SQUEEZED * length:
            best = max(best, (whole / length, near))
    return best


def labeled_ticks(low: float, high: float, label: TickLabel, most: int = 5) -> Ticks:
    """Return at most so many round numbers with their labels, which have equal decimals."""
    values = nice_ticks(low, high, most)
    decimals = exact_decimals(values)
    return [(value, label(value, decimals)) for value in values]


def grid_lines(scale: Scale, ticks: Ticks, top: float, bottom: float, below: float) -> list[Mark]:
    """Return a line from ``top`` to ``bottom`` at each of the ticks, and its label ``below``."""
    marks = []
    for value, label in ticks:
        marks.append(path("grid", f"M{scale(value)} {top}V{bottom}"))
        marks.append(text("tick", scale(value), below, label))
    return marks


def nice_ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Return at most ``most`` evenly spaced round numbers in [low, high]."""
    if not high > low:
        return [low]
    magnitude = 10.0 ** math.floor(math.log10((high - low) / most))
    for factor in (1, 2, 2.5, 5, 10, 20):
        step = factor * magnitude
        first = math.ceil(low / step - 1e-9)
        last = math.floor(high / step + 1e-9)
        if last - first < most:
            break
    digits = max(12, 2 - math.floor(math.log10(magnitude)))
    return [round(index * step, digits) for index in range(first, last + 1)]


# Axes ---------------------------------------------------------------------------------------------


STRIP_HEIGHT = 24
#: A strip may become this narrow.
_NARROW_STRIP = 112.0
#: Round numbers that an axis may have: at most so many, of which every so many has a tick.
_DENSITIES = ((5, 1), (4, 1), (3, 1), (2, 1), (5, 2), (5, 3), (5, 4))
#: A part of an axis that is narrower, in percent of a strip, has one tick, with a short label.
_NARROW_PART = 50.0
_SHORT_LABEL = 6


@dataclass(frozen=True)
class Axis:
    """Ticks in percent of the width with their labels, and the reference line, if there is one.

    ``note`` says where the scale breaks. Strips under one axis share its grid, which is drawn once
    under its ``id``.
    """

    id: str
    scale: Scale
    ticks: tuple[tuple[float, str], ...]
    reference: float | None = None
    note: str = ""


def drawn_axis(
    id: str, scale: Scale, reference: float | None, label: TickLabel, note: str = ""
) -> Axis:
    """Return the axis of a scale; ``label`` formats a tick, given its value and its decimals.

    It has two to five ticks: as many as have room for their labels in the narrowest strip. The part
    beyond a break has one, if there is room. ``note`` says where the axis breaks.
    """
    (wide,) = (part for part in scale.parts if not _is_narrow(part))
    first_with_room: tuple[tuple[float, str], ...] | None = None
    for parts, (most, every) in itertools.product((scale.parts, (wide,)), _DENSITIES):
        ticks = tuple(tick for part in parts for tick in _ticks(part, most, every, label))
        if not _have_room(ticks):
            continue
        # One tick alone gives no scale.
        if sum(wide.start <= place <= wide.end for place, _ in ticks) > 1:
            break
        if first_with_room is None:
            first_with_room = ticks
    else:
        ticks = ticks if first_with_room is None else first_with_room
    return Axis(id, scale, ticks, None if reference is None else scale(reference), note)


def _have_room(ticks: Ticks) -> bool:
    """Return whether the labels of ticks stand beside each other in the narrowest strip."""
    widest = max((len(label) for _, label in ticks), default=0) + 1
    apart = min((b[0] - a[0] for a, b in itertools.pairwise(ticks)), default=math.inf)
    return apart / 100 * _NARROW_STRIP >= widest * DIGIT


def _is_narrow(part: Scale) -> bool:
    return part.end - part.start < _NARROW_PART


def _ticks(part: Scale, most: int, every: int, label: TickLabel) -> Iterator[tuple[float, str]]:
    """Yield the ticks of a part of an axis; a narrow one has one, if its label is short."""
    span = part.high - part.low
    low = part.low + 0.02 * span
    high = part.high - 0.02 * span
    values = [_roundest(low, high)] if _is_narrow(part) else _thinned(low, high, most, every)
    decimals = exact_decimals(values)
    for value in values:
        tick = label(value, decimals)
        if not _is_narrow(part) or len(tick) <= _SHORT_LABEL:
            yield part(value), tick


def _thinned(low: float, high: float, most: int, every: int) -> list[float]:
    """Return every so many of at most ``most`` round numbers: with the roundest, or both ends."""
    values = nice_ticks(low, high, most)
    first = min(range(len(values)), key=lambda place: exact_decimals(values[place : place + 1]))
    thinned = values[first % every :: every]
    return thinned if len(thinned) > 1 else [values[0], *values[1:][-1:]]


def _roundest(low: float, high: float) -> float:
    """Return the number in [low, high] with the fewest digits, nearest to the middle."""
    middle = (low + high) / 2
    unit = 10.0 ** math.ceil(math.log10(max(abs(low), abs(high))))
    while not low <= round(middle / unit) * unit <= high:
        unit /= 10
    return round(round(middle / unit) * unit, 12)


def placed(scale: Scale, span: Span) -> tuple[str, tuple[str, str] | None]:
    """Return where a point stands and the ends of its interval, if it has one, in percent."""
    low, point, high = span
    exists = math.isfinite(low) and math.isfinite(high)
    center = scale(point) if math.isfinite(point) else 50.0
    return f"{center}%", (f"{scale(low)}%", f"{scale(high)}%") if exists else None


def strip(axis: Axis, span: Span, kind: str, dots: Iterable[float] = ()) -> Mark:
    """Return an interval in a table, with the shape of entries of a kind, under its axis.

    The ``dots`` are values that the point sums up. The cells beside it, or another table, say the
    same.
    """
    center, bar = placed(axis.scale, span)
    used = [mark("use", href=f"#{axis.id}")]
    if bar is not None:
        used.append(mark("line", "bar", x1=bar[0], x2=bar[1]))
    used += [mark("circle", "run", cx=f"{axis.scale(value)}%", cy=20, r=1.75) for value in dots]
    used.append(mark("use", href=f"#mark-{kind}", x=center))
    if axis.scale.beyond is not None:
        used.append(mark("use", href=f"#{axis.id}-gap"))
    return mark("svg", f"strip {kind}", *used, aria_hidden="true")


def above_strips(axis: Axis) -> tuple[Mark, ...]:
    """Return what heads a column of strips: its labels, what they share, and where it breaks."""
    shared = [mark("g", "", *grid(axis, STRIP_HEIGHT), id=axis.id)]
    if axis.scale.beyond is not None:
        shared.append(mark("g", "", gap(axis.scale, STRIP_HEIGHT), id=f"{axis.id}-gap"))
    inside = (mark("defs", "", *shared), *tick_labels(axis, 12))
    ticks = mark("svg", "ticks strip", *inside, aria_hidden="true")
    return (mark("span", "broken", axis.note), ticks) if axis.note else (ticks,)


def grid(shared: Axis, height: float) -> list[Mark]:
    """Return the lines of an axis behind its strips."""
    places = [("grid", f"{place}%") for place, _ in shared.ticks]
    if shared.reference is not None:
        places.append(("rule", f"{shared.reference}%"))
    return [mark("line", kind, x1=place, x2=place, y2=height) for kind, place in places]


def gap(scale: Scale, height: float) -> Mark:
    """Return the break of a scale: paper between two torn edges, over what runs through it."""
    edge = "l2 3-2 3" * int(height / 6)
    torn = path("edge", f"M-4 0{edge}M2 0{edge}")
    paper = path("gap", f"M-3 0h6v{height:g}h-6z")
    return mark("svg", "", paper, torn, x=f"{scale.gap}%", overflow="visible")


def tick_labels(shared: Axis, y: float) -> list[Mark]:
    """Return the labels of an axis."""
    return [text("tick", f"{place}%", y, label) for place, label in shared.ticks]
