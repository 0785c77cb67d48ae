"""The bootstrap distribution of one difference."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ...inference.analysis import Histogram
from ..numbers import exact_decimals
from .axes import Drawn, Heading, Tick, nice_ticks
from .scales import Scale


@dataclass(frozen=True)
class Bar:
    """A rectangle of a histogram; ``tail`` marks the part that the p-value counts."""

    x: float
    y: float
    width: float
    height: float
    tail: bool


@dataclass(frozen=True)
class Mark:
    """A vertical mark with a label above it."""

    x: float
    label: str
    label_x: float
    label_y: float
    kind: str


@dataclass(frozen=True)
class HistogramFigure(Drawn):
    """The bootstrap distribution of one difference."""

    note: str  # what the description says in numbers
    top: float
    bottom: float
    bars: tuple[Bar, ...]
    marks: tuple[Mark, ...]
    ticks: tuple[Tick, ...]
    tick_y: float
    axis_label: str
    label_y: float
    middle: float


def histogram(
    heading: Heading,
    note: str,
    data: Histogram,
    counted: tuple[float, float],
    mark_labels: tuple[str, str, str],
    axis_label: str,
    text: Callable[[float, int], str],
) -> HistogramFigure:
    """Draw replicates of a difference with 0, δ and 2δ marked.

    The p-value counts what lies outside the limits ``counted``; bars are split there.
    """
    width, height, top, bottom = 320.0, 210.0, 44.0, 168.0
    low = min(float(data.edges[0]), 0.0, 2 * data.observed)
    high = max(float(data.edges[-1]), 0.0, 2 * data.observed)
    room = 0.03 * (high - low) or 1.0
    scale = Scale(low - room, high + room, 12, width - 12)
    tallest = max(int(data.counts.max(initial=0)), 1)
    ticks = nice_ticks(low, high)
    decimals = exact_decimals(ticks)
    return HistogramFigure(
        heading=heading,
        note=note,
        width=width,
        height=height,
        top=top,
        bottom=bottom,
        bars=tuple(_bars(data, counted, scale, Scale(0, tallest, bottom, top + 4))),
        marks=tuple(_marks(data.observed, mark_labels, scale, width)),
        ticks=tuple(Tick(scale(tick), text(tick, decimals)) for tick in ticks),
        tick_y=bottom + 15,
        axis_label=axis_label,
        label_y=bottom + 34,
        middle=width / 2,
    )


def _bars(
    data: Histogram, counted: tuple[float, float], scale: Scale, upward: Scale
) -> Iterator[Bar]:
    """Yield the bars, split at the limits ``counted``."""
    for left, right, count in zip(data.edges[:-1], data.edges[1:], data.counts, strict=True):
        if not count:
            continue
        cuts = sorted({left, right, *(limit for limit in counted if left < limit < right)})
        y = upward(int(count))
        for start, end in itertools.pairwise(cuts):
            x = scale(start)
            tail = bool(end <= counted[0] or start >= counted[1])
            yield Bar(x, y, round(scale(end) - x, 2), round(upward.start - y, 2), tail)


def _marks(
    observed: float, labels: tuple[str, str, str], scale: Scale, width: float
) -> Iterator[Mark]:
    """Yield the marks of 0, δ and 2δ with their labels."""
    places = [scale(0.0), scale(observed), scale(2 * observed)]
    # The long label δ has a line of its own; 0 and 2δ share one unless they would touch.
    heights = (30.0, 16.0, 30.0) if abs(places[2] - places[0]) >= 24 else (26.0, 12.0, 40.0)
    kinds = ("zero", "observed", "double")
    for x, label, y, kind in zip(places, labels, heights, kinds, strict=True):
        half = 4 + 3 * len(label)
        yield Mark(x, label, min(max(x, half), width - half), y, kind)
