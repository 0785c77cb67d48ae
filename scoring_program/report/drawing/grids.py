"""Grids of entries by entries or by ranks: shaded cells, or circles whose area is a share."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.arrays import Bools, Floats, Ints
from .axes import DIGIT_WIDTH, Drawn, Heading
from .shortening import room_of


@dataclass(frozen=True)
class Layer:
    """All cells of one class as a single path, so that a large map stays a small file."""

    shade: int
    label: str
    path: str


@dataclass(frozen=True)
class GridLabels:
    """What stands around a grid: at its rows and columns, above these, and in its legend."""

    rows: Sequence[str]
    columns: Sequence[str]
    column_label: str
    legend: Sequence[str] = ()  # of the classes from 1 on


@dataclass(frozen=True)
class PlacedText:
    """Text at a place; ``line_y`` is where its row's line runs, ``shade`` what it stands on."""

    x: float
    y: float
    text: str
    line_y: float = 0.0
    shade: int = 0


@dataclass(frozen=True)
class Matrix(Drawn):
    """A grid of shaded cells: all pairs, or the rank frequencies of many entries."""

    frame: str  # outline as a path
    size: float  # of a cell: how thick the lines of the layers are
    layers: tuple[Layer, ...]
    marks: tuple[PlacedText, ...]
    rows: tuple[PlacedText, ...]
    columns: tuple[PlacedText, ...]
    column_label: PlacedText
    legend: tuple[
        PlacedText, ...
    ]  # under the grid, one a layer; ``line_y`` is the top of its swatch
    legend_left: float


@dataclass(frozen=True)
class Blob:
    """A circle whose area is a share."""

    x: float
    y: float
    radius: float
    title: str


@dataclass(frozen=True)
class Blobs(Drawn):
    """Rank frequencies of few entries: one row per entry, one column per rank."""

    left: float
    right: float
    bottom: float
    blobs: tuple[Blob, ...]
    rows: tuple[PlacedText, ...]
    columns: tuple[PlacedText, ...]
    column_label: PlacedText


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _cells(filled: Bools, left: float, top: float, size: float) -> str:
    """Return one path through all filled cells [rows, columns]; a run in a row is a thick line."""
    parts = []
    for row, line in enumerate(filled):
        edges = np.flatnonzero(np.diff(np.concatenate(([False], line, [False])).astype(np.int8)))
        for start, end in edges.reshape(-1, 2):
            x, y, wide = left + start * size, top + (row + 0.5) * size, (end - start) * size
            parts.append(f"M{_number(x)} {_number(y)}h{_number(wide)}")
    return "".join(parts)


def _room(label: str) -> float:
    """Return the width that a label takes, with the swatch that may stand before it."""
    return 22 + DIGIT_WIDTH * len(label)


def matrix(
    heading: Heading,
    classes: Ints,
    labels: GridLabels,
    *,
    few: bool = False,
    triangle: bool = False,
    symbols: Sequence[str] = (),
) -> Matrix:
    """Draw a grid of classes [m, m]: class 0 is blank, the legend explains the others.

    Of ``few`` entries every row and column is labeled, rows by names, and ``symbols`` are written
    into the cells; of more, some rows and columns are labeled by their places.
    """
    m = len(labels.rows)
    size = 22.0 if few else max(4.0, min(12.0, 600 / m))
    left, top = (max(170.0, room_of(labels.rows) + 8), 40.0) if few else (56.0, 40.0)
    side = m * size
    step = 1 if few else 10 if m <= 150 else 25
    labeled = [place for place in range(m) if place == 0 or (place + 1) % step == 0]
    legend = _legend(labels.legend, left, top + side + 12)
    corner = f"M{_number(left)} {_number(top)}v{_number(side)}h{_number(side)}"
    outline = f"{corner}z" if triangle else f"{corner}v-{_number(side)}z"
    widest = max(side, *map(_room, (labels.column_label, *labels.legend)))
    return Matrix(
        heading=heading,
        width=round(left + widest + 12, 2),
        height=round(top + side + 12 + 20 * len(legend) + 4, 2),
        frame=outline,
        size=size,
        layers=tuple(
            Layer(shade, label, _cells(classes == shade, left, top, size))
            for shade, label in enumerate(labels.legend, start=1)
        ),
        marks=_marks(classes, symbols, left, top, size) if few else (),
        rows=tuple(
            PlacedText(left - 8, round(top + (place + 0.5) * size + 4, 2), labels.rows[place])
            for place in labeled
        ),
        columns=tuple(
            PlacedText(round(left + (place + 0.5) * size, 2), top - 7, labels.columns[place])
            for place in labeled
        ),
        column_label=PlacedText(left, top - 22, labels.column_label),
        legend=legend,
        legend_left=left,
    )


def _legend(labels: Sequence[str], left: float, top: float) -> tuple[PlacedText, ...]:
    """Return the lines of the legend, with the tops and shades of their swatches."""
    tops = (top + 20 * place for place in range(len(labels)))
    return tuple(
        PlacedText(left + 22, above + 11.5, label, line_y=above, shade=shade)
        for shade, (label, above) in enumerate(zip(labels, tops, strict=True), start=1)
    )


def _marks(
    classes: Ints, symbols: Sequence[str], left: float, top: float, size: float
) -> tuple[PlacedText, ...]:
    """Return the symbols in the cells that are not blank."""
    return tuple(
        PlacedText(
            round(left + (column + 0.5) * size, 2),
            round(top + (row + 0.5) * size + 4, 2),
            symbols[int(shade)],
            shade=int(shade),
        )
        for (row, column), shade in np.ndenumerate(classes)
        if symbols and shade > 0
    )


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
) -> Blobs:
    """Draw rank frequencies [m, m] (rows in the order shown) as circles whose area is the share."""
    m = len(rows)
    size = blob_size(m)
    left, top = max(150.0, room_of(rows) + 10), 44.0
    side = m * size
    circles = [
        Blob(
            round(left + (rank + 0.5) * size, 2),
            round(top + (row + 0.5) * size, 2),
            blob_radius(m, float(share)),
            tooltip(row, rank + 1, float(share)),
        )
        for (row, rank), share in np.ndenumerate(frequency)
        if share > 0
    ]
    return Blobs(
        heading=heading,
        width=round(left + max(side, _room(column_label)) + 12, 2),
        height=round(top + side + 8, 2),
        left=left,
        right=round(left + side, 2),
        bottom=round(top + side, 2),
        blobs=tuple(circles),
        rows=tuple(
            PlacedText(
                left - 10,
                round(top + (row + 0.5) * size + 4, 2),
                name,
                line_y=round(top + (row + 0.5) * size, 2),
            )
            for row, name in enumerate(rows)
        ),
        columns=tuple(
            PlacedText(round(left + (rank + 0.5) * size, 2), top - 8, str(rank + 1))
            for rank in range(m)
        ),
        column_label=PlacedText(left, 14, column_label),
    )
