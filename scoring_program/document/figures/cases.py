"""The scores of every entry on single cases: a box for each entry and, of few cases, dots."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...core.arrays import Floats
from ..marks import Drawing, Heading, group, path, text
from ..scales import Scale, labeled_ticks
from ..shortening import NAME_LETTERS, isolated, room_of, told_apart

#: How wide the plot is, so that a phone shows it whole, and the names at least.
_PLOT, _NAMES = 290.0, 110.0
_TOP, _ROW = 8.0, 30.0
#: More dots than these in all would make a large file and say no more than the boxes.
MOST_DOTS = 6000
#: The ends of the thin lines and of the boxes, and the medians.
_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
#: Dots in the same of so many columns stand under each other, this far apart.
_COLUMNS, _APART = 80, 3.0


def cases(
    heading: Heading,
    names: Sequence[str],
    scores: Floats,
    shapes: Sequence[str],
    axis_label: str,
    label: Callable[[float, int], str],
) -> Drawing:
    """Draw the scores [n, k] of k entries on n cases, each from its first to its third quartile.

    The line in a box is the median, and the thin line holds nine tenths of the cases.
    """
    shown = told_apart(names, NAME_LETTERS)
    left = max(_NAMES, room_of(shown) + 12)
    width = left + _PLOT
    low, high = float(scores.min()), float(scores.max())
    room = 0.03 * (high - low) or 0.5
    scale = Scale(low - room, high + room, left, width - 10)
    bottom = _TOP + _ROW * len(names)
    marks = []
    for value, said in labeled_ticks(low, high, label):
        marks.append(path("grid", f"M{scale(value)} {_TOP}V{bottom}"))
        marks.append(text("tick", scale(value), bottom + 15, said))
    for place, (name, own, kind) in enumerate(zip(shown, scores.T, shapes, strict=True)):
        y = _TOP + _ROW * (place + 0.5)
        cloud = [path("case", _dots(own, scale, y))] if scores.size <= MOST_DOTS else []
        fifth, first, middle, third, last = map(scale, np.quantile(own, _QUANTILES))
        box = f"M{first} {y - 7}H{third}V{y + 7}H{first}zM{middle} {y - 7}V{y + 7}"
        whiskers = path("bar range", f"M{fifth} {y}H{first}M{third} {y}H{last}")
        named = text("name", left - 10, y + 4, isolated(name))
        marks.append(group(kind, named, *cloud, whiskers, path("box", box)))
    marks.append(text("tick", (left + width) / 2, bottom + 34, axis_label))
    return Drawing(heading, width, bottom + 42, tuple(marks))


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
