"""Axes and the strips under them: where numbers stand, in percent of a column's width."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ..numbers import exact_decimals
from .legend import Key

#: Width of a digit or sign of a tick or number, in the units of a figure.
DIGIT_WIDTH = 7.0
#: Margins of a strip in percent of its width: room for half a marker.
_STRIP = (3.0, 97.0)
#: A strip may become this narrow.
_NARROW_STRIP = 112.0


@dataclass(frozen=True)
class Heading:
    """What a figure is called: its id on the page, its title, and what it shows in words.

    ``legend`` explains its marks where the figure stands alone.
    """

    id: str
    title: str
    description: str
    legend: tuple[Key, ...] = ()


@dataclass(frozen=True)
class Scale:
    """A linear map from data units in [low, high] to coordinates in [start, end]."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return the coordinate of ``value``, rounded to a hundredth of a unit."""
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 2)


@dataclass(frozen=True)
class Tick:
    """A labeled place on an axis."""

    position: float
    label: str


@dataclass(frozen=True)
class Axis:
    """Ticks in percent of the width, and the place of the reference line, if there is one.

    Strips under one axis share its grid, which is drawn once under its ``id``.
    """

    id: str
    ticks: tuple[Tick, ...]
    reference: float | None


@dataclass(frozen=True)
class Strip:
    """An interval with its point: percent of the width. ``shape`` is the status that styles it."""

    low: float | None
    high: float | None
    point: float
    shape: str
    title: str
    axis: Axis


def nice_ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Return at most ``most`` evenly spaced round numbers in [low, high]."""
    if not high > low:
        return [low]
    magnitude = 10.0 ** math.floor(math.log10((high - low) / most))
    for factor in (1, 2, 2.5, 5, 10, 20):
        step = factor * magnitude
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if last - first < most:
            return [round(index * step, 12) for index in range(first, last + 1)]
    return [low, high]


def strip_scale(values: Iterable[float]) -> Scale:
    """Return the scale of a column of strips that has to show all finite ``values``."""
    finite = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
    low, high = min(finite), max(finite)
    room = 0.04 * (high - low) or max(abs(low), 1.0) * 0.05
    return Scale(low - room, high + room, *_STRIP)


def axis(id: str, scale: Scale, reference: float | None, text: Callable[[float, int], str]) -> Axis:
    """Return the axis of a scale; ``text`` formats a tick, given its value and its decimals.

    It has up to five ticks: as many as have room for their labels in the narrowest strip.
    """
    span = scale.high - scale.low
    marked = None if reference is None else scale(reference)
    for most in (5, 4, 3, 2):
        values = nice_ticks(scale.low + 0.02 * span, scale.high - 0.02 * span, most)
        decimals = exact_decimals(values)
        ticks = tuple(Tick(scale(value), text(value, decimals)) for value in values)
        widest = max((len(tick.label) for tick in ticks), default=0) + 1
        apart = min(
            (b.position - a.position for a, b in itertools.pairwise(ticks)), default=math.inf
        )
        if apart / 100 * _NARROW_STRIP >= widest * DIGIT_WIDTH:
            break
    return Axis(id, ticks, marked)


def rank_axis(id: str, scale: Scale, last: int) -> Axis:
    """Return the axis of the ranks 1 … ``last``: its first and its last rank are labeled."""
    return Axis(id, (Tick(scale(1), "1"), Tick(scale(last), str(last))), None)


def strip(
    scale: Scale, shared: Axis, low: float, point: float, high: float, *, shape: str, title: str
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
