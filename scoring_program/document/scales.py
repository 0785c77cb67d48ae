"""Scales: where numbers stand; broken where a few values far off would squeeze all others."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from ..core.phrases import exact_decimals

#: Margins of a strip in percent of its width: room for half a marker.
_STRIP = (3.0, 97.0)
#: How much of a broken strip the values far off take, and the break.
_FAR, _GAP = 15.0, 6.0
#: An axis breaks where it is this many times as long as the values without those far off, and where
#: the way to these is as long as all the others together.
_SQUEEZED = 3.0
#: Fewest values that are not far off, and the largest share that may be.
_FEWEST_NEAR, _MOST_FAR = 2, 0.25


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

    @property
    def parts(self) -> tuple[Scale, ...]:
        """The scale itself."""
        return (self,)


@dataclass(frozen=True)
class BrokenScale:
    """Two scales side by side; what lies between them is not shown."""

    left: Scale
    right: Scale

    def __call__(self, value: float) -> float:
        """Return the coordinate of ``value``; what is not shown stands at the break."""
        if value <= self.left.high:
            return self.left(value)
        return self.right(value) if value >= self.right.low else self.gap

    @property
    def gap(self) -> float:
        """The coordinate of the break."""
        return round((self.left.end + self.right.start) / 2, 2)

    @property
    def omitted(self) -> tuple[float, float]:
        """What is not shown, in round numbers that lie within it."""
        low, high = self.left.high, self.right.low
        halves = (min(part.high - part.low, high - low) / 2 for part in self.parts)
        fine, coarse = (10.0 ** math.floor(math.log10(half)) for half in halves)
        return math.ceil(low / fine) * fine, math.floor(high / coarse) * coarse

    @property
    def parts(self) -> tuple[Scale, ...]:
        """Both scales."""
        return self.left, self.right


#: A scale of a column of strips.
AnyScale = Scale | BrokenScale


def strip_scale(values: Iterable[float]) -> Scale:
    """Return the scale of a column of strips that has to show all finite ``values``."""
    return _linear(values, *_STRIP)


def _linear(values: Iterable[float], start: float, end: float) -> Scale:
    finite = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
    low, high = min(finite), max(finite)
    room = 0.04 * (high - low) or max(abs(low), 1.0) * 0.05
    return Scale(low - room, high + room, start, end)


def broken_scale(near: Floats, far: Floats) -> AnyScale:
    """Return a scale for spans ``near`` each other, [k, 3], that breaks before those ``far`` off.

    A span is (low, point, high), in any order of size; what does not exist is nan. Where there are
    no points far off, or not all on one side, the scale does not break.
    """
    start, end = _STRIP
    inner = _linear(near.ravel().tolist(), start, end)
    points, ends = far[:, 1], far[np.isfinite(far)]
    above = points.size > 0 and bool((points > inner.high).all())
    below = points.size > 0 and bool((points < inner.low).all())
    if not (above or below):
        return _linear([*near.ravel().tolist(), *ends.tolist()], start, end)
    # An interval of a point far off may begin among the others.
    beyond = (ends > inner.high) if above else (ends < inner.low)
    close = [*near.ravel().tolist(), *ends[~beyond].tolist()]
    off = ends[beyond].tolist()
    if above:
        left = _linear(close, start, end - _FAR - _GAP)
        right = _linear(off, end - _FAR, end)
        return BrokenScale(left, replace(right, low=max(right.low, (left.high + min(off)) / 2)))
    left, right = _linear(off, start, start + _FAR), _linear(close, start + _FAR + _GAP, end)
    return BrokenScale(replace(left, high=min(left.high, (max(off) + right.low) / 2)), right)


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
    points, whole = spans[order, 1], float(high[-1] - low[-1])
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


def labeled_ticks(
    low: float, high: float, label: Callable[[float, int], str], most: int = 5
) -> list[tuple[float, str]]:
    """Return at most so many round numbers with their labels, which have equal decimals."""
    values = nice_ticks(low, high, most)
    decimals = exact_decimals(values)
    return [(value, label(value, decimals)) for value in values]


def nice_ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Return at most ``most`` evenly spaced round numbers in [low, high]."""
    if not high > low:
        return [low]
    magnitude = 10.0 ** math.floor(math.log10((high - low) / most))
    for factor in (1, 2, 2.5, 5, 10, 20):
        step = factor * magnitude
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if last - first < most:
            break
    return [round(index * step, 12) for index in range(first, last + 1)]
