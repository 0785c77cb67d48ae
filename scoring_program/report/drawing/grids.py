"""Grids of entries by entries or by ranks: shaded cells, or circles whose area is a share."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.arrays import Bools, Floats, Ints
from .axes import DIGIT_WIDTH


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


def _room(label: str) -> float:
    """Return the width that a label takes, with the swatch that may stand before it."""
    return 22 + DIGIT_WIDTH * len(label)


def matrix(
    id: str,
    title: str,
    description: str,
    classes: Ints,
    labels: Sequence[str],
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    column_label: str,
    few: bool = False,
    triangle: bool = False,
    symbols: Sequence[str] = (),
) -> Matrix:
    """Draw a grid of classes [m, m]: class 0 is blank, ``labels`` explains the others.

    Of ``few`` entries every row and column is labelled, rows by names, and ``symbols`` are written
    into the cells; of more, some rows and columns are labelled by their places.
    """
    m = len(rows)
    size = 22.0 if few else max(4.0, min(12.0, 600 / m))
    left, top = (170.0, 40.0) if few else (56.0, 40.0)
    side = m * size
    step = 1 if few else 10 if m <= 150 else 25
    labelled = [place for place in range(m) if place == 0 or (place + 1) % step == 0]
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
        width=round(left + max(side, *map(_room, (column_label, *labels))) + 12, 2),
        height=round(below + 20 * len(legend) + 4, 2),
        frame=outline,
        layers=tuple(
            Layer(shade, label, _cells(classes == shade, left, top, size))
            for shade, label in enumerate(labels, start=1)
        ),
        marks=tuple(marks),
        rows=tuple(
            Label(left - 8, round(top + (place + 0.5) * size + 4, 2), rows[place])
            for place in labelled
        ),
        columns=tuple(
            Label(round(left + (place + 0.5) * size, 2), top - 7, columns[place])
            for place in labelled
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
    rows: Sequence[str],
    tooltip: Callable[[int, int, float], str],
    column_label: str,
) -> Blobs:
    """Draw rank frequencies [m, m] (rows in the order shown) as circles whose area is the share."""
    m = len(rows)
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
        width=round(left + max(side, _room(column_label)) + 12, 2),
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
            for row, name in enumerate(rows)
        ),
        columns=tuple(
            Label(round(left + (rank + 0.5) * size, 2), top - 8, str(rank + 1)) for rank in range(m)
        ),
        column_label=Label(left, 14, column_label),
    )
