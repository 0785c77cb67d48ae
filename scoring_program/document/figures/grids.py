"""Grids of entries by entries or by ranks: shaded cells, or circles whose area is a share."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.arrays import Bools, Floats, Ints
from ..marks import DIGIT, Drawing, Heading, circle, line, path, rectangle, text, title
from ..shortening import room_of


@dataclass(frozen=True)
class GridLabels:
    """What stands around a grid: at its rows and columns, above these, and in its legend."""

    rows: Sequence[str]
    columns: Sequence[str]
    column_label: str
    legend: Sequence[str] = ()  # of the classes from 1 on


def _cells(filled: Bools, left: float, top: float, size: float) -> str:
    """Return one path through all filled cells [rows, columns]; a run in a row is a thick line."""
    parts = []
    for row, cells in enumerate(filled):
        edges = np.flatnonzero(np.diff(np.concatenate(([False], cells, [False])).astype(np.int8)))
        for start, end in edges.reshape(-1, 2):
            x, y, wide = left + start * size, top + (row + 0.5) * size, (end - start) * size
            parts.append(f"M{round(x, 2):g} {round(y, 2):g}h{round(wide, 2):g}")
    return "".join(parts)


def _room(label: str) -> float:
    """Return the width that a label takes, with the swatch that may stand before it."""
    return 22 + DIGIT * len(label)


def matrix(
    heading: Heading,
    classes: Ints,
    labels: GridLabels,
    *,
    few: bool = False,
    triangle: bool = False,
    symbols: Sequence[str] = (),
) -> Drawing:
    """Draw a grid of classes [m, m]: class 0 is blank, the legend explains the others.

    Of ``few`` entries every row and column is labeled, rows by names, and ``symbols`` are written
    into the cells; of more, some rows and columns are labeled by their places. All cells of one
    class are a single path, so that a large map stays a small file.
    """
    m = len(labels.rows)
    size = 22.0 if few else max(4.0, min(12.0, 600 / m))
    left, top = max(170.0, room_of(labels.rows) + 8) if few else 56.0, 40.0
    side = m * size
    step = 1 if few else 10 if m <= 150 else 25
    labeled = [place for place in range(m) if place == 0 or (place + 1) % step == 0]
    corner = f"M{left:g} {top:g}v{round(side, 2):g}h{round(side, 2):g}"
    marks = [path("frame", f"{corner}z" if triangle else f"{corner}v-{round(side, 2):g}z")]
    shades = list(enumerate(labels.legend, start=1))
    for shade, label in shades:
        cells = _cells(classes == shade, left, top, size)
        marks.append(path(f"s{shade}", cells, title(label), stroke_width=size))

    def middle(place: int) -> float:
        return round((place + 0.5) * size, 2)

    for (row, column), cell in np.ndenumerate(classes) if few and symbols else ():
        if cell > 0:
            x, y = left + middle(column), top + middle(row) + 4
            marks.append(text(f"tick on{cell}", x, y, symbols[int(cell)]))
    marks += [text("name", left - 8, top + middle(k) + 4, labels.rows[k]) for k in labeled]
    marks += [text("tick", left + middle(k), top - 7, labels.columns[k]) for k in labeled]
    marks.append(text("start", left, top - 22, labels.column_label))
    for shade, label in shades:
        y = top + side + 12 + 20 * (shade - 1)
        marks += [
            rectangle(f"s{shade}", left, y, 14, 14),
            text("start", left + 22, y + 11.5, label),
        ]
    widest = max(side, *map(_room, (labels.column_label, *labels.legend)))
    height = top + side + 12 + 20 * len(shades) + 4
    return Drawing(heading, round(left + widest + 12, 2), round(height, 2), tuple(marks))


def blob_size(m: int) -> float:
    """Return the width of a column of circles, of which there are ``m``."""
    return max(22.0, min(34.0, 480 / m))


def blob_radius(m: int, share: float) -> float:
    """Return the radius of a circle whose area is a share, among ``m`` columns."""
    return round(max(0.46 * blob_size(m) * math.sqrt(share), 0.8), 2)


def blobs(
    heading: Heading,
    frequency: Floats,
    rows: Sequence[str],
    tooltip: Callable[[int, int, float], str],
    column_label: str,
) -> Drawing:
    """Draw rank frequencies [m, m] (rows in the order shown) as circles whose area is the share."""
    m = len(rows)
    size = blob_size(m)
    left, top, side = max(150.0, room_of(rows) + 10), 44.0, m * size
    middles = [round((place + 0.5) * size, 2) for place in range(m)]
    marks = []
    for name, middle in zip(rows, middles, strict=True):
        marks.append(line("grid", left, top + middle, left + side, top + middle))
        marks.append(text("name", left - 10, top + middle + 4, name))
    marks += [text("tick", left + x, top - 8, str(k)) for k, x in enumerate(middles, start=1)]
    for (row, rank), share in np.ndenumerate(frequency):
        if share > 0:
            said = title(tooltip(row, rank + 1, float(share)))
            x, y = left + middles[rank], top + middles[row]
            marks.append(circle("blob", x, y, blob_radius(m, float(share)), said))
    marks.append(text("start", left, 14, column_label))
    width = left + max(side, _room(column_label)) + 12
    return Drawing(heading, round(width, 2), round(top + side + 8, 2), tuple(marks))
