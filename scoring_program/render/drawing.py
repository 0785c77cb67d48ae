"""Where everything in a figure is drawn, worked out here; the templates only print it.

Strips (one interval in a table row) have coordinates in percent of their width, so that they fit
any column. Whole figures have coordinates in the units of their own view box. Names are shortened
where a figure has a fixed gutter; tables show them in full.
"""

from __future__ import annotations

import itertools
import math
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from scoring_program.analysis import Bools, Floats, Histogram, Ints
from scoring_program.render.numbers import exact_decimals

#: Margins of a strip in percent of its width: room for half a marker.
_STRIP = (3.0, 97.0)
_STRIP_HEIGHT = 24
#: A strip may become this narrow; a digit of a tick and a letter of a name are at most this wide.
_NARROW_STRIP, _DIGIT_WIDTH, _LETTER_WIDTH = 150.0, 7.0, 8.0


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
    """A labelled place on an axis."""

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


@dataclass(frozen=True)
class ForestLayout:
    """How wide a forest is, and how much of it the names take."""

    width: float
    names: float


WIDE, PANEL = ForestLayout(720, 170), ForestLayout(340, 110)


@dataclass(frozen=True)
class ForestRow:
    """One labelled strip of a forest; ``top`` is its upper edge, ``focus`` makes its name bold."""

    label: str
    value: str
    top: float
    baseline: float
    strip: Strip
    focus: bool


@dataclass(frozen=True)
class Forest:
    """Intervals under each other on one axis, with names on the left and numbers on the right."""

    id: str
    title: str
    description: str
    width: float
    height: float
    name_right: float
    plot_left: float
    plot_width: float
    value_right: float
    axis_top: float
    rows: tuple[ForestRow, ...]
    axis: Axis
    axis_label: str


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
class HistogramFigure:
    """The bootstrap distribution of one difference."""

    id: str
    title: str
    description: str
    width: float
    height: float
    top: float
    bottom: float
    bars: tuple[Bar, ...]
    marks: tuple[Mark, ...]
    ticks: tuple[Tick, ...]
    tick_y: float
    axis_label: str
    label_y: float
    middle: float


@dataclass(frozen=True)
class Layer:
    """All cells of one class as a single path, so that a large map stays a small file."""

    shade: int
    label: str
    path: str


@dataclass(frozen=True)
class Label:
    """Text at a place; ``line_y`` is where its row's line runs, ``shade`` what it stands on."""

    x: float
    y: float
    text: str
    line_y: float = 0.0
    shade: int = 0


@dataclass(frozen=True)
class Matrix:
    """A grid of shaded cells: all pairs, or the rank frequencies of many entries."""

    id: str
    title: str
    description: str
    width: float
    height: float
    frame: str  # outline as a path
    layers: tuple[Layer, ...]
    marks: tuple[Label, ...]
    rows: tuple[Label, ...]
    columns: tuple[Label, ...]
    column_label: Label
    legend: tuple[Label, ...]  # under the grid, one a layer; ``line_y`` is the top of its swatch
    legend_left: float


@dataclass(frozen=True)
class Blob:
    """A circle whose area is a share."""

    x: float
    y: float
    radius: float
    title: str


@dataclass(frozen=True)
class Blobs:
    """Rank frequencies of few entries: one row an entry, one column a rank."""

    id: str
    title: str
    description: str
    width: float
    height: float
    left: float
    right: float
    bottom: float
    blobs: tuple[Blob, ...]
    rows: tuple[Label, ...]
    columns: tuple[Label, ...]
    column_label: Label


Figure = Forest | HistogramFigure | Matrix | Blobs


def shortened(name: str, letters: int) -> str:
    """Return ``name`` on one line, cut with an ellipsis where it is wider than so many letters.

    A wide East Asian character counts as two.
    """
    line = " ".join(name.split())
    if len(_fitting(line, letters)) == len(line):
        return line
    return (_fitting(line, letters - 1) or line[:1]).rstrip() + "…"


def _fitting(line: str, room: int) -> str:
    """Return the beginning of ``line`` that is no wider than so many letters."""
    for index, character in enumerate(line):
        room -= 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if room < 0:
            return line[:index]
    return line


def told_apart(names: Sequence[str], letters: int) -> list[str]:
    """Return every name shortened; those that would look the same keep their ends too."""
    cut = [shortened(name, letters) for name in names]
    alike = Counter(cut)
    return [
        short if alike[short] == 1 or not short.endswith("…") else _middle_cut(name, letters)
        for name, short in zip(names, cut, strict=True)
    ]


def _middle_cut(name: str, letters: int) -> str:
    line, half = " ".join(name.split()), (letters - 1) // 2
    start, end = _fitting(line, letters - 1 - half), _fitting(line[::-1], half)[::-1]
    return f"{start.rstrip()}…{end.lstrip()}"


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
    """Return the axis of a scale; ``text`` formats a tick with so many decimals.

    As many ticks, up to five, as have room for their labels in the narrowest strip.
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
        if apart / 100 * _NARROW_STRIP >= widest * _DIGIT_WIDTH:
            break
    return Axis(id, ticks, marked)


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


def forest(
    id: str,
    title: str,
    description: str,
    rows: Sequence[tuple[str, str, Strip]],
    axis_label: str,
    *,
    focus: int | None = None,
    layout: ForestLayout = WIDE,
) -> Forest:
    """Stack strips under each other: rows are (name, number, strip), one may be in focus.

    The numbers complete the description, so that it says what the figure shows.
    """
    letters = int((layout.names - 10) / _LETTER_WIDTH)
    names = told_apart([label for label, _, _ in rows], letters)
    numbers = _DIGIT_WIDTH * max(len(value) for _, value, _ in rows) + 8
    listed = "; ".join(f"{shortened(label, 60)} {value}" for label, value, _ in rows)
    return Forest(
        id=id,
        title=title,
        description=f"{description}: {listed}",
        width=layout.width,
        height=_STRIP_HEIGHT * len(rows) + 46,
        name_right=layout.names - 10,
        plot_left=layout.names,
        plot_width=layout.width - layout.names - numbers,
        value_right=layout.width - 4,
        axis_top=_STRIP_HEIGHT * len(rows) + 6,
        rows=tuple(
            ForestRow(
                name,
                value,
                top=4 + _STRIP_HEIGHT * index,
                baseline=20 + _STRIP_HEIGHT * index,
                strip=strip,
                focus=index == focus,
            )
            for index, (name, (_, value, strip)) in enumerate(zip(names, rows, strict=True))
        ),
        axis=rows[0][2].axis,
        axis_label=axis_label,
    )


def histogram(
    id: str,
    title: str,
    description: str,
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
    observed = data.observed
    low = min(float(data.edges[0]), 0.0, 2 * observed)
    high = max(float(data.edges[-1]), 0.0, 2 * observed)
    room = 0.03 * (high - low) or 1.0
    scale = Scale(low - room, high + room, 12, width - 12)
    tallest = max(int(data.counts.max(initial=0)), 1)
    upward = Scale(0, tallest, bottom, top + 4)
    bars = []
    for left, right, count in zip(data.edges[:-1], data.edges[1:], data.counts, strict=True):
        if not count:
            continue
        cuts = sorted({left, right, *(limit for limit in counted if left < limit < right)})
        y = upward(int(count))
        for start, end in itertools.pairwise(cuts):
            x = scale(start)
            bars.append(
                Bar(
                    x,
                    y,
                    round(scale(end) - x, 2),
                    round(bottom - y, 2),
                    tail=end <= counted[0] or start >= counted[1],
                )
            )
    ticks = nice_ticks(low, high)
    decimals = exact_decimals(ticks)
    places = [scale(0.0), scale(observed), scale(2 * observed)]
    # The long label δ has a line of its own; 0 and 2δ share one unless they would touch.
    heights = (30.0, 16.0, 30.0) if abs(places[2] - places[0]) >= 24 else (26.0, 12.0, 40.0)
    return HistogramFigure(
        id=id,
        title=title,
        description=description,
        width=width,
        height=height,
        top=top,
        bottom=bottom,
        bars=tuple(bars),
        marks=tuple(
            Mark(x, label, min(max(x, 4 + 3 * len(label)), width - 4 - 3 * len(label)), y, kind)
            for x, label, y, kind in zip(
                places, mark_labels, heights, ("zero", "observed", "double"), strict=True
            )
        ),
        ticks=tuple(Tick(scale(tick), text(tick, decimals)) for tick in ticks),
        tick_y=bottom + 15,
        axis_label=axis_label,
        label_y=bottom + 34,
        middle=width / 2,
    )


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _cells(chosen: Bools, left: float, top: float, size: float) -> str:
    """Return one path over all chosen cells [rows, columns]; a run in a row is one rectangle."""
    parts = []
    for row, line in enumerate(chosen):
        edges = np.flatnonzero(np.diff(np.concatenate(([False], line, [False])).astype(np.int8)))
        for start, end in edges.reshape(-1, 2):
            x, y, wide = left + start * size, top + row * size, (end - start) * size
            parts.append(
                f"M{_number(x)} {_number(y)}h{_number(wide)}v{_number(size)}h-{_number(wide)}z"
            )
    return "".join(parts)


def matrix(
    id: str,
    title: str,
    description: str,
    classes: Ints,
    labels: Sequence[str],
    names: Sequence[str],
    *,
    column_label: str,
    triangle: bool = False,
    symbols: Sequence[str] = (),
) -> Matrix:
    """Draw a grid of classes [m, m]: class 0 is blank, ``labels`` explains the others.

    Up to 30 names are written out on the left and numbered on top; more are numbered on both sides.
    ``symbols`` are written into the cells of few entries.
    """
    m = len(names)
    few = m <= 30
    size = 22.0 if few else max(4.0, min(12.0, 600 / m))
    left, top = (170.0, 40.0) if few else (56.0, 40.0)
    side = m * size
    step = 1 if few else 10 if m <= 150 else 25
    numbered = [rank for rank in range(1, m + 1) if rank == 1 or rank % step == 0]
    written = told_apart(names, 17) if few else []
    rows = [
        Label(
            left - 8,
            round(top + (rank - 0.5) * size + 4, 2),
            f"{written[rank - 1]} {rank}" if few else str(rank),
        )
        for rank in numbered
    ]
    below = top + side + 12
    legend = [
        Label(
            left + 22, below + 20 * place + 11.5, label, line_y=below + 20 * place, shade=place + 1
        )
        for place, label in enumerate(labels)
    ]
    marks = [
        Label(
            round(left + (column + 0.5) * size, 2),
            round(top + (row + 0.5) * size + 4, 2),
            symbols[int(shade)],
            shade=int(shade),
        )
        for (row, column), shade in np.ndenumerate(classes)
        if few and symbols and shade > 0
    ]
    corner = f"M{_number(left)} {_number(top)}v{_number(side)}h{_number(side)}"
    outline = f"{corner}z" if triangle else f"{corner}v-{_number(side)}z"
    return Matrix(
        id=id,
        title=title,
        description=description,
        width=round(left + side + 12, 2),
        height=round(below + 20 * len(legend) + 4, 2),
        frame=outline,
        layers=tuple(
            Layer(shade, label, _cells(classes == shade, left, top, size))
            for shade, label in enumerate(labels, start=1)
        ),
        marks=tuple(marks),
        rows=tuple(rows),
        columns=tuple(
            Label(round(left + (rank - 0.5) * size, 2), top - 7, str(rank)) for rank in numbered
        ),
        column_label=Label(left, top - 22, column_label),
        legend=tuple(legend),
        legend_left=left,
    )


def blobs(
    id: str,
    title: str,
    description: str,
    frequency: Floats,
    names: Sequence[str],
    tooltip: Callable[[int, int, float], str],
    column_label: str,
) -> Blobs:
    """Draw rank frequencies [m, m] (rows in the order shown) as circles whose area is the share."""
    m = len(names)
    size = max(22.0, min(34.0, 480 / m))
    left, top = 150.0, 44.0
    side = m * size
    circles = [
        Blob(
            round(left + (rank + 0.5) * size, 2),
            round(top + (row + 0.5) * size, 2),
            round(max(0.46 * size * math.sqrt(share), 0.8), 2),
            tooltip(row, rank + 1, float(share)),
        )
        for (row, rank), share in np.ndenumerate(frequency)
        if share > 0
    ]
    return Blobs(
        id=id,
        title=title,
        description=description,
        width=round(left + side + 12, 2),
        height=round(top + side + 8, 2),
        left=left,
        right=round(left + side, 2),
        bottom=round(top + side, 2),
        blobs=tuple(circles),
        rows=tuple(
            Label(
                left - 10,
                round(top + (row + 0.5) * size + 4, 2),
                name,
                line_y=round(top + (row + 0.5) * size, 2),
            )
            for row, name in enumerate(told_apart(names, 17))
        ),
        columns=tuple(
            Label(round(left + (rank + 0.5) * size, 2), top - 8, str(rank + 1)) for rank in range(m)
        ),
        column_label=Label(left, 14, column_label),
    )
