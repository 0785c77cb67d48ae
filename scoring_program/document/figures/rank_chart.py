"""Rank ranges of many entries: a thin line for each, so that hundreds fit one picture."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..marks import Drawing, Heading, Mark, group, mark, path, text
from ..scales import Scale, nice_ticks
from ..shortening import NAME_LETTERS, isolated, told_apart

_WIDTH, _LEFT, _RIGHT, _TOP = 720.0, 220.0, 696.0, 26.0
#: Height of a line: as much as all of them share, between these two.
_ALL, _THINNEST, _THICKEST = 1000.0, 4.0, 16.0
_LABEL_HEIGHT = 12.0


@dataclass(frozen=True)
class RankedEntry:
    """An entry: its mark in the margin, its name, its rank and rank range, and how it stands."""

    mark: str
    name: str
    low: int
    rank: int
    high: int
    shape: str
    focus: bool


def rank_chart(heading: Heading, entries: Sequence[RankedEntry], axis_label: str) -> Drawing:
    """Draw the rank ranges of ``entries``, best first; as many have labels as there is room for."""
    size = min(max(_ALL / len(entries), _THINNEST), _THICKEST)
    last = max(entry.high for entry in entries)
    scale = Scale(1, last, _LEFT + 6, _RIGHT)
    bottom = round(_TOP + size * len(entries), 2)
    middles = [round(_TOP + (place + 0.5) * size, 2) for place in range(len(entries))]
    marks = []
    for tick in [1.0, *(tick for tick in nice_ticks(1, last, 7) if 1 < tick == int(tick))]:
        x, label = scale(tick), str(int(tick))
        marks.append(path("grid", f"M{x} {_TOP}V{bottom}"))
        marks.append(mark("text", "tick", label, x=x, y=_TOP, dy=-4))
        marks.append(mark("text", "tick", label, x=x, y=bottom, dy=14))
    for shape in dict.fromkeys(entry.shape for entry in entries):
        own = [pair for pair in zip(entries, middles, strict=True) if pair[0].shape == shape]
        ranges = "".join(f"M{scale(entry.low)} {y}H{scale(entry.high)}" for entry, y in own)
        ranks = "".join(f"M{scale(entry.rank)} {y}h0" for entry, y in own)
        marks.append(group(shape, path("bar range", ranges), path("bar rank", ranks)))
    marks += _labels(entries, middles, math.ceil(_LABEL_HEIGHT / size))
    marks.append(text("tick", (_LEFT + _RIGHT) / 2, 10, axis_label))
    return Drawing(heading, _WIDTH, bottom + 20, tuple(marks))


def _labels(entries: Sequence[RankedEntry], middles: Sequence[float], step: int) -> Iterator[Mark]:
    """Yield the name of every ``step``-th entry, and that of the entry in focus."""
    names = told_apart([entry.name for entry in entries], NAME_LETTERS)
    focus = next((place for place, entry in enumerate(entries) if entry.focus), None)
    for place, (entry, name) in enumerate(zip(entries, names, strict=True)):
        near = focus is not None and abs(place - focus) < step
        if place == focus or (place % step == 0 and not near):
            kind = "tick name focus" if place == focus else "tick name"
            said = f"{entry.mark} · {isolated(name)}"
            yield text(kind, _LEFT - 8, round(middles[place] + 4, 2), said)
