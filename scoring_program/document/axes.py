"""Axes and the strips under them: where numbers stand, in percent of a column's width."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..core.phrases import exact_decimals
from .marks import DIGIT, Mark, line, mark, path, shape, text
from .scales import AnyScale, BrokenScale, Scale, nice_ticks

STRIP_HEIGHT = 24
#: A strip may become this narrow.
_NARROW_STRIP = 112.0
#: Round numbers that an axis may have: at most so many, of which every so many has a tick.
_DENSITIES = ((5, 1), (4, 1), (3, 1), (2, 1), (5, 2), (5, 3), (5, 4))
#: A part of an axis that is narrower, in percent of a strip, has one tick, with a short label.
_NARROW_PART, _SHORT_LABEL = 50.0, 6


@dataclass(frozen=True)
class Axis:
    """Ticks in percent of the width with their labels, and the reference line, if there is one.

    Where the axis is ``broken``, it says at which place, and what is said of it. Strips under one
    axis share its grid, which is drawn once under its ``id``.
    """

    id: str
    ticks: tuple[tuple[float, str], ...]
    reference: float | None
    broken: tuple[float, str] | None = None


@dataclass(frozen=True)
class Strip:
    """An interval with its point: percent of the width. ``shape`` is the status that styles it."""

    low: float | None
    high: float | None
    point: float
    shape: str
    title: str
    axis: Axis


def drawn_axis(
    id: str,
    scale: AnyScale,
    reference: float | None,
    label: Callable[[float, int], str],
    note: str = "",
) -> Axis:
    """Return the axis of a scale; ``label`` formats a tick, given its value and its decimals.

    It has two to five ticks: as many as have room for their labels in the narrowest strip. The part
    beyond a break has one, if there is room. ``note`` says where the axis breaks.
    """
    marked = None if reference is None else scale(reference)
    candidates = [
        tuple(
            tick
            for part in scale.parts
            if beyond or not _is_narrow(part)
            for tick in _ticks(part, most, every, label)
        )
        for beyond in (True, False)
        for most, every in _DENSITIES
    ]
    roomy = [ticks for ticks in candidates if _have_room(ticks)]
    (wide,) = (part for part in scale.parts if not _is_narrow(part))
    # One tick alone gives no scale.
    telling = [
        ticks for ticks in roomy if sum(wide.start <= place <= wide.end for place, _ in ticks) > 1
    ]
    ticks = (telling or roomy or candidates[-1:])[0]
    gap = scale.gap if isinstance(scale, BrokenScale) else None
    return Axis(id, ticks, marked, None if gap is None else (gap, note))


def _have_room(ticks: Sequence[tuple[float, str]]) -> bool:
    """Return whether the labels of ticks stand beside each other in the narrowest strip."""
    widest = max((len(label) for _, label in ticks), default=0) + 1
    apart = min((b[0] - a[0] for a, b in itertools.pairwise(ticks)), default=math.inf)
    return apart / 100 * _NARROW_STRIP >= widest * DIGIT


def _is_narrow(part: Scale) -> bool:
    return part.end - part.start < _NARROW_PART


def _ticks(
    part: Scale, most: int, every: int, label: Callable[[float, int], str]
) -> Iterator[tuple[float, str]]:
    """Yield the ticks of a part of an axis; a narrow one has one, if its label is short."""
    span = part.high - part.low
    low, high = part.low + 0.02 * span, part.high - 0.02 * span
    values = [_roundest(low, high)] if _is_narrow(part) else _thinned(low, high, most, every)
    decimals = exact_decimals(values)
    for value in values:
        said = label(value, decimals)
        if not _is_narrow(part) or len(said) <= _SHORT_LABEL:
            yield part(value), said


def _thinned(low: float, high: float, most: int, every: int) -> list[float]:
    """Return every so many of at most ``most`` round numbers: with the roundest, or both ends."""
    values = nice_ticks(low, high, most)
    first = min(range(len(values)), key=lambda place: exact_decimals(values[place : place + 1]))
    kept = values[first % every :: every]
    return kept if len(kept) > 1 else [values[0], *values[1:][-1:]]


def _roundest(low: float, high: float) -> float:
    """Return the number in [low, high] with the fewest digits, nearest to the middle."""
    middle, unit = (low + high) / 2, 10.0 ** math.ceil(math.log10(max(abs(low), abs(high))))
    while not low <= round(middle / unit) * unit <= high:
        unit /= 10
    return round(round(middle / unit) * unit, 12)


def rank_axis(id: str, scale: Scale, last: int) -> Axis:
    """Return the axis of the ranks 1 … ``last``: its first and its last rank are labeled."""
    return Axis(id, ((scale(1), "1"), (scale(last), str(last))), None)


def drawn_strip(
    scale: AnyScale, shared: Axis, low: float, point: float, high: float, *, shape: str, title: str
) -> Strip:
    """Return one interval drawn on ``scale``; an interval that does not exist is left out."""
    exists = math.isfinite(low) and math.isfinite(high)
    return Strip(
        low=scale(low) if exists else None,
        high=scale(high) if exists else None,
        point=scale(point) if math.isfinite(point) else 50.0,
        shape=shape,
        title=title,
        axis=shared,
    )


def grid(shared: Axis, height: float) -> list[Mark]:
    """Return the lines of an axis behind its strips."""
    places = [("grid", f"{place}%") for place, _ in shared.ticks]
    if shared.reference is not None:
        places.append(("rule", f"{shared.reference}%"))
    return [mark("line", kind, x1=place, x2=place, y2=height) for kind, place in places]


def gap(place: float, height: float) -> Mark:
    """Return the break of an axis: paper between two torn edges, over what runs through it."""
    edge = "l2 3-2 3" * int(height / 6)
    torn = path("edge", f"M-4 0{edge}M2 0{edge}")
    paper = path("gap", f"M-3 0h6v{height:g}h-6z")
    return mark("svg", "", paper, torn, x=f"{place}%", overflow="visible")


def bar_and_point(one: Strip) -> list[Mark]:
    """Return a strip's interval, if it has one, and its point."""
    middle = STRIP_HEIGHT / 2
    held = mark("svg", "", shape(one.shape), x=f"{one.point}%", y=middle, overflow="visible")
    if one.low is None:
        return [held]
    return [line("bar", f"{one.low}%", middle, f"{one.high}%", middle), held]


def tick_labels(shared: Axis, y: float) -> list[Mark]:
    """Return the labels of an axis."""
    return [text("tick", f"{place}%", y, label) for place, label in shared.ticks]
