"""Panels side by side: the same entries under each other in every one of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .axes import Drawn, Heading, Tick
from .grids import PlacedText
from .scales import Scale
from .shortening import NAME_LETTERS, isolated, room_of, shortened, told_apart

_LEAST_FOR_NAMES, _PANEL, _APART = 158.0, 132.0, 20.0
_TOP, _ROW = 40.0, 22.0
#: How wide the letters above a panel are on average.
_HEADING_LETTER = 6.5
#: From the edge of a panel to the end of its scale: room for half a mark.
_INSET = 7.0


@dataclass(frozen=True)
class Span:
    """An interval with its point in data units, and how it is marked."""

    low: float
    point: float
    high: float
    shape: str


@dataclass(frozen=True)
class PanelOf:
    """One panel: its heading, its spans by row (None where the entry has none), and its axis.

    ``ticks`` are values and their labels within [low, high]; ``mark`` is the value of a line
    through all rows.
    """

    heading: str
    spans: Sequence[Span | None]
    low: float
    high: float
    ticks: Sequence[tuple[float, str]]
    mark: float | None = None


@dataclass(frozen=True)
class PlacedSpan:
    """A span at its place; ``bar`` is its interval as a path, empty if there is none."""

    x: float
    y: float
    bar: str
    shape: str


@dataclass(frozen=True)
class SidePanel:
    """A panel at its place."""

    heading: PlacedText
    ticks: tuple[Tick, ...]
    spans: tuple[PlacedSpan, ...]
    mark: float | None


@dataclass(frozen=True)
class SideBySide(Drawn):
    """Panels of the same entries."""

    top: float
    bottom: float
    tick_y: float
    rows: tuple[PlacedText, ...]
    panels: tuple[SidePanel, ...]
    axis_label: PlacedText


def side_by_side(
    heading: Heading, names: Sequence[str], panels: Sequence[PanelOf], axis_label: str
) -> SideBySide:
    """Draw panels with a row for each name."""
    bottom = _TOP + _ROW * len(names)
    labels = told_apart(names, NAME_LETTERS)
    first = max(_LEAST_FOR_NAMES, room_of(labels) + 14)
    width = first + (_PANEL + _APART) * len(panels)
    lefts = [first + (_PANEL + _APART) * number for number in range(len(panels))]
    letters = int(_PANEL / _HEADING_LETTER)
    headings = [isolated(text) for text in told_apart([one.heading for one in panels], letters)]
    return SideBySide(
        heading=heading,
        width=width,
        height=bottom + 42,
        top=_TOP - 6,
        bottom=bottom,
        tick_y=bottom + 15,
        rows=tuple(
            PlacedText(first - 12, _middle(row) + 4, isolated(name), line_y=_middle(row))
            for row, name in enumerate(labels)
        ),
        panels=tuple(map(_placed, panels, headings, lefts)),
        axis_label=PlacedText(
            (first + width) / 2, bottom + 34, shortened(axis_label, int(width / _HEADING_LETTER))
        ),
    )


def _middle(row: int) -> float:
    return _TOP + _ROW * (row + 0.5)


def _placed(panel: PanelOf, heading: str, left: float) -> SidePanel:
    scale = Scale(panel.low, panel.high, left + _INSET, left + _PANEL - _INSET)
    return SidePanel(
        PlacedText(left + _PANEL / 2, 22, heading),
        tuple(Tick(scale(value), label) for value, label in panel.ticks),
        tuple(
            PlacedSpan(scale(one.point), _middle(row), _bar(one, scale, _middle(row)), one.shape)
            for row, one in enumerate(panel.spans)
            if one is not None and math.isfinite(one.point)
        ),
        None if panel.mark is None else scale(panel.mark),
    )


def _bar(span: Span, scale: Scale, y: float) -> str:
    known = math.isfinite(span.low) and math.isfinite(span.high)
    return f"M{scale(span.low)} {y}H{scale(span.high)}" if known else ""
