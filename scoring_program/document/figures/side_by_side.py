"""Panels side by side: the same entries under each other in every one of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..marks import Drawing, Heading, Mark, group, path, shape, text
from ..scales import Scale
from ..shortening import NAME_LETTERS, isolated, room_of, shortened, told_apart

_LEAST_FOR_NAMES, _PANEL, _APART = 158.0, 132.0, 20.0
_TOP, _ROW = 40.0, 22.0
#: How wide the letters above a panel are on average.
_HEADING_LETTER = 6.5
#: From the edge of a panel to the end of its scale: room for half a mark.
_INSET = 7.0

#: An interval with its point, (low, point, high), and the shape that marks it.
Span = tuple[tuple[float, float, float], str]


@dataclass(frozen=True)
class Panel:
    """One panel: its heading, its spans by row (None where the entry has none), and its axis.

    ``ticks`` are values and their labels within the ``limits``; ``mark`` is the value of a line
    through all rows.
    """

    heading: str
    spans: Sequence[Span | None]
    limits: tuple[float, float]
    ticks: Sequence[tuple[float, str]]
    mark: float | None = None


def side_by_side(
    heading: Heading, names: Sequence[str], panels: Sequence[Panel], axis_label: str
) -> Drawing:
    """Draw panels with a row for each name."""
    bottom = _TOP + _ROW * len(names)
    labels = told_apart(names, NAME_LETTERS)
    first = max(_LEAST_FOR_NAMES, room_of(labels) + 14)
    width = first + (_PANEL + _APART) * len(panels)
    headings = told_apart([one.heading for one in panels], int(_PANEL / _HEADING_LETTER))
    marks = [
        text("name", first - 12, _middle(row) + 4, isolated(name))
        for row, name in enumerate(labels)
    ]
    for number, (panel, said) in enumerate(zip(panels, headings, strict=True)):
        left = first + (_PANEL + _APART) * number
        marks += [text("tick", left + _PANEL / 2, 22, isolated(said)), *_panel(panel, left, bottom)]
    label = shortened(axis_label, int(width / _HEADING_LETTER))
    marks.append(text("tick", (first + width) / 2, bottom + 34, label))
    return Drawing(heading, width, bottom + 42, tuple(marks))


def _middle(row: int) -> float:
    return _TOP + _ROW * (row + 0.5)


def _panel(panel: Panel, left: float, bottom: float) -> Iterator[Mark]:
    scale = Scale(*panel.limits, left + _INSET, left + _PANEL - _INSET)
    for value, label in panel.ticks:
        yield path("grid", f"M{scale(value)} {_TOP - 6}V{bottom}")
        yield text("tick", scale(value), bottom + 15, label)
    if panel.mark is not None:
        yield path("rule", f"M{scale(panel.mark)} {_TOP - 6}V{bottom}")
    for row, span in enumerate(panel.spans):
        if span is None or not math.isfinite(span[0][1]):
            continue
        (low, point, high), kind = span
        known, y = math.isfinite(low) and math.isfinite(high), _middle(row)
        bar = [path("bar", f"M{scale(low)} {y}H{scale(high)}")] if known else []
        yield group(kind, *bar, group("", shape(kind), at=(scale(point), y)))
