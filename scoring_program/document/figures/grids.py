"""Figures of many numbers: a histogram, a box for each entry, and grids of shades or circles."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ...core.arrays import Bools, Floats, Ints
from ..marks import (
    DIGIT,
    Drawing,
    Ends,
    Mark,
    NamedRows,
    circle,
    group,
    line,
    name_beside,
    named_rows,
    path,
    rectangle,
    text,
    title,
    under_axis,
)
from ..scales import Scale, TickLabel, grid_lines, labeled_ticks
from ..shortening import room_of_lines

#: What hovering over a circle says: its row, its column, and its share.
Tooltip = Callable[[int, int, float], str]
_WIDTH = 320.0
_TOP = 44.0
_BOTTOM = 168.0


def histogram(
    heading: Drawing,
    data: tuple[Ints, Floats],
    observed: float,
    counted: Ends,
    mark_labels: tuple[str, str, str],
    axis_label: str,
    label: TickLabel,
) -> Drawing:
    """Draw replicates of a difference with 0, δ and 2δ marked.

    ``data`` are counts, and edges of bins. The p-value counts what lies outside the limits
    ``counted``; bars are split there.
    """
    low = min(float(data[1][0]), 0.0, 2 * observed)
    high = max(float(data[1][-1]), 0.0, 2 * observed)
    room = 0.03 * (high - low) or 1.0
    scale = Scale(low - room, high + room, 12, _WIDTH - 12)
    marks = [
        *_bars(*data, counted, scale),
        line("axis", 0, _BOTTOM, _WIDTH, _BOTTOM),
        *_marked(observed, mark_labels, scale),
        *(
            text("tick", scale(x), _BOTTOM + 15, tick)
            for x, tick in labeled_ticks(low, high, label)
        ),
    ]
    below = under_axis(_WIDTH / 2, _BOTTOM + 34, axis_label, _WIDTH)
    return heading.drawn(_WIDTH, _BOTTOM + 28 + 14 * len(below), (*marks, *below))


def _bars(counts: Ints, edges: Floats, counted: Ends, scale: Scale) -> Iterator[Mark]:
    """Yield the bars; those that the p-value counts have a color of their own."""
    upward = Scale(0, max(int(counts.max(initial=0)), 1), _BOTTOM, _TOP + 4)
    for left, right, count in zip(edges[:-1], edges[1:], counts, strict=True):
        cuts = sorted({left, right, *(limit for limit in counted if left < limit < right)})
        for start, end in itertools.pairwise(cuts if count else []):
            tail = end <= counted[0] or start >= counted[1]
            x = scale(start)
            y = upward(int(count))
            yield rectangle("tail" if tail else "bin", x, y, scale(end) - x, _BOTTOM - y)


def _marked(observed: float, labels: tuple[str, str, str], scale: Scale) -> Iterator[Mark]:
    """Yield the marks of 0, δ and 2δ with their labels."""
    places = [scale(0.0), scale(observed), scale(2 * observed)]
    # The long label δ has a line of its own; 0 and 2δ share one unless they would touch.
    heights = (30.0, 16.0, 30.0) if abs(places[2] - places[0]) >= 24 else (26.0, 12.0, 40.0)
    for kind, x, label, y in zip(
        ("zero", "observed", "double"), places, labels, heights, strict=True
    ):
        half = 4 + 3 * len(label)
        yield line(kind, x, _TOP, x, _BOTTOM)
        yield text("tick", min(max(x, half), _WIDTH - half), y, label)


# Boxes of cases -----------------------------------------------------------------------------------


#: How wide the plot is, so that a phone shows it whole, and the names at least.
_PLOT = 290.0
_NAMES = 110.0
_FIRST_ROW = 8.0
_ROW = 30.0
#: More dots than these in all would make a large file and say no more than the boxes.
MOST_DOTS = 6000
#: The ends of the thin lines and of the boxes, and the medians.
_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
#: Dots in the same of so many columns stand under each other, this far apart.
_COLUMNS = 80
_APART = 3.0


def cases(
    heading: Drawing,
    names: Sequence[str],
    scores: Floats,
    shapes: Sequence[str],
    axis_label: str,
    label: TickLabel,
) -> Drawing:
    """Draw the scores [n, k] of k entries on n cases, each from its first to its third quartile.

    The line in a box is the median, and the thin line holds nine tenths of the cases.
    """
    rows = named_rows(names, _ROW, _FIRST_ROW)
    left = max(_NAMES, rows.room + 12)
    width = left + _PLOT
    low = float(scores.min())
    high = float(scores.max())
    room = 0.03 * (high - low) or 0.5
    scale = Scale(low - room, high + room, left, width - 10)
    bottom = rows.bottom
    marks = grid_lines(scale, labeled_ticks(low, high, label), _FIRST_ROW, bottom, bottom + 15)
    for name, y, entry_scores, kind in zip(rows.names, rows.middles, scores.T, shapes, strict=True):
        cloud = [path("case", _dots(entry_scores, scale, y))] if scores.size <= MOST_DOTS else []
        fifth, first, middle, third, last = map(scale, np.quantile(entry_scores, _QUANTILES))
        box = f"M{first} {y - 7}H{third}V{y + 7}H{first}zM{middle} {y - 7}V{y + 7}"
        whiskers = path("bar range", f"M{fifth} {y}H{first}M{third} {y}H{last}")
        named = name_beside("name", left - 10, y + 4, name)
        marks.append(group(kind, *named, *cloud, whiskers, path("box", box)))
    below = under_axis((left + width) / 2, bottom + 34, axis_label, width - left)
    return heading.drawn(width, bottom + 28 + 14 * len(below), (*marks, *below))


def _dots(scores: Floats, scale: Scale, y: float) -> str:
    """Return a dot for each score; those of nearly the same score stand under each other."""
    columns = np.round((scores - scale.low) / (scale.high - scale.low) * _COLUMNS).astype(int)
    met: dict[int, int] = {}
    parts = []
    for score, column in sorted(zip(scores.tolist(), columns.tolist(), strict=True)):
        count = met[column] = met.get(column, -1) + 1
        above = (count + 1) // 2 * (1 if count % 2 else -1) * _APART
        parts.append(f"M{scale(score)} {round(y + max(-12.0, min(12.0, above)), 1)}h0")
    return "".join(parts)


# Grids --------------------------------------------------------------------------------------------


def _cells(filled: Bools, left: float, size: float, middles: Sequence[float]) -> str:
    """Return one path through all filled cells [rows, columns]; a run in a row is a thick line.

    Cells are as wide as ``size``; the ``middles`` of rows are at these heights.
    """
    parts = []
    for cells, y in zip(filled, middles, strict=True):
        edges = np.flatnonzero(np.diff(np.concatenate(([False], cells, [False])).astype(np.int8)))
        for start, end in edges.reshape(-1, 2):
            x = left + start * size
            wide = (end - start) * size
            parts.append(f"M{round(x, 2):g} {round(y, 2):g}h{round(wide, 2):g}")
    return "".join(parts)


def _room(label: str) -> float:
    """Return the width that a label takes, with the swatch that may stand before it."""
    return 22 + DIGIT * len(label)


def _room_with(rows: NamedRows, after: Sequence[str]) -> float:
    """Return how wide the widest name is, with what stands after it."""
    lines = [
        [*lines_of_name[:-1], f"{lines_of_name[-1]}{end}"]
        for lines_of_name, end in zip(rows.names, after, strict=True)
    ]
    return room_of_lines(lines)


# Many parameters because a grid of few entries has names, and one of many has none.
def matrix(
    heading: Drawing,
    classes: Ints,
    places: Sequence[str],
    column_label: str,
    legend: Sequence[str],
    *,
    names: Sequence[str] = (),
    with_places: bool = False,
    triangle: bool = False,
    symbols: Sequence[str] = (),
) -> Drawing:
    """Draw a grid of classes [m, m]: class 0 is blank, the legend explains the others.

    Of few entries every column is labeled by its place and every row by its name, with its place if
    asked, and ``symbols`` are written into the cells. A row is as high as its name. Of more, which
    have no ``names``, some rows and columns are labeled by their places. All cells of one class and
    height are a single path, so that a large map stays a small file.
    """
    m = len(places)
    few = bool(names)
    size = 22.0 if few else max(4.0, min(12.0, 600 / m))
    rows = named_rows(names or places, size)
    after = [f" {place}" if with_places and few else "" for place in places]
    left = max(170.0, _room_with(rows, after) + 8) if few else 56.0
    top = 40.0
    side = m * size
    deep = rows.bottom
    step = 1
    if not few:
        step = 10 if m <= 150 else 25
    labeled = [place for place in range(m) if place == 0 or (place + 1) % step == 0]
    corner = f"M{left:g} {top:g}v{round(deep, 2):g}h{round(side, 2):g}"
    marks = [path("frame", f"{corner}z" if triangle else f"{corner}v-{round(deep, 2):g}z")]
    baselines = [top + round(middle, 2) + 4 for middle in rows.middles]
    shades = list(enumerate(legend, start=1))
    for shade, label in shades:
        for height in sorted({*rows.heights}):
            filled = (classes == shade) & np.equal(rows.heights, height)[:, None]
            cells = _cells(filled, left, size, [top + middle for middle in rows.middles])
            marks.append(path(f"s{shade}", cells, title(label), stroke_width=height))

    def middle(place: int) -> float:
        return round((place + 0.5) * size, 2)

    if few and symbols:
        for (row, column), cell in np.ndenumerate(classes):
            if cell > 0:
                x = left + middle(column)
                marks.append(text(f"tick on{cell}", x, baselines[row], symbols[int(cell)]))
    for k in labeled:
        marks += name_beside("name", left - 8, baselines[k], rows.names[k], after[k])
    marks += [text("tick", left + middle(k), top - 7, places[k]) for k in labeled]
    marks.append(text("start", left, top - 22, column_label))
    for shade, label in shades:
        y = top + deep + 12 + 20 * (shade - 1)
        marks.append(rectangle(f"s{shade}", left, y, 14, 14))
        marks.append(text("start", left + 22, y + 11.5, label))
    widest = max(side, *map(_room, (column_label, *legend)))
    lowest = top + deep + 12 + 20 * len(shades) + 4
    return heading.drawn(round(left + widest + 12, 2), round(lowest, 2), marks)


def blob_size(m: int) -> float:
    """Return the width of a column of circles, of which there are ``m``."""
    return max(22.0, min(34.0, 480 / m))


def blob_radius(m: int, share: float) -> float:
    """Return the radius of a circle whose area is a share, among ``m`` columns."""
    return round(max(0.46 * blob_size(m) * math.sqrt(share), 0.8), 2)


def blobs(
    heading: Drawing, frequency: Floats, rows: Sequence[str], tooltip: Tooltip, column_label: str
) -> Drawing:
    """Draw rank frequencies [m, m] (rows in the order shown) as circles whose area is the share."""
    m = len(rows)
    size = blob_size(m)
    laid_out = named_rows(rows, size)
    left = max(150.0, laid_out.room + 10)
    top = 44.0
    side = m * size
    middles = [round((place + 0.5) * size, 2) for place in range(m)]
    middles_of_rows = [round(middle, 2) for middle in laid_out.middles]
    marks = []
    for lines, middle in zip(laid_out.names, middles_of_rows, strict=True):
        marks.append(line("grid", left, top + middle, left + side, top + middle))
        marks += name_beside("name", left - 10, top + middle + 4, lines)
    marks += [text("tick", left + x, top - 8, str(k)) for k, x in enumerate(middles, start=1)]
    for (row, rank), share in np.ndenumerate(frequency):
        if share > 0:
            hover = title(tooltip(row, rank + 1, float(share)))
            x = left + middles[rank]
            y = top + middles_of_rows[row]
            marks.append(circle("blob", x, y, blob_radius(m, float(share)), hover))
    marks.append(text("start", left, 14, column_label))
    width = left + max(side, _room(column_label)) + 12
    return heading.drawn(round(width, 2), round(top + laid_out.bottom + 8, 2), marks)
