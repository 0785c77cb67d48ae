"""Rank ranges of many entries: a thin line for each, so that hundreds fit one picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .axes import Drawn, Heading, Tick, nice_ticks
from .grids import PlacedText
from .scales import Scale
from .shortening import NAME_LETTERS, isolated, told_apart

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


@dataclass(frozen=True)
class RankLines:
    """All entries of one shape: their ranges, and their ranks as dots, each as one path."""

    shape: str
    ranges: str
    ranks: str


@dataclass(frozen=True)
class RankChart(Drawn):
    """Rank ranges under each other, the best entry on top; as many labels as there is room for."""

    top: float
    bottom: float
    lines: tuple[RankLines, ...]
    labels: tuple[PlacedText, ...]  # ``shade`` is 1 for the entry in focus
    ticks: tuple[Tick, ...]
    axis_label: PlacedText


def rank_chart(heading: Heading, entries: Sequence[RankedEntry], axis_label: str) -> RankChart:
    """Draw the rank ranges of ``entries``, best first."""
    size = min(max(_ALL / len(entries), _THINNEST), _THICKEST)
    last = max(entry.high for entry in entries)
    scale = Scale(1, last, _LEFT + 6, _RIGHT)
    bottom = round(_TOP + size * len(entries), 2)
    middles = [round(_TOP + (place + 0.5) * size, 2) for place in range(len(entries))]
    ticks = [1.0, *(tick for tick in nice_ticks(1, last, 7) if 1 < tick == int(tick))]
    return RankChart(
        heading=heading,
        width=_WIDTH,
        height=bottom + 20,
        top=_TOP,
        bottom=bottom,
        lines=tuple(_lines(entries, middles, scale)),
        labels=tuple(_labels(entries, middles, math.ceil(_LABEL_HEIGHT / size))),
        ticks=tuple(Tick(scale(tick), str(int(tick))) for tick in ticks),
        axis_label=PlacedText((_LEFT + _RIGHT) / 2, 10, axis_label),
    )


def _lines(
    entries: Sequence[RankedEntry], middles: Sequence[float], scale: Scale
) -> list[RankLines]:
    lines = []
    for shape in dict.fromkeys(entry.shape for entry in entries):
        own = [pair for pair in zip(entries, middles, strict=True) if pair[0].shape == shape]
        ranges = "".join(f"M{scale(entry.low)} {y}H{scale(entry.high)}" for entry, y in own)
        ranks = "".join(f"M{scale(entry.rank)} {y}h0" for entry, y in own)
        lines.append(RankLines(shape, ranges, ranks))
    return lines


def _labels(
    entries: Sequence[RankedEntry], middles: Sequence[float], step: int
) -> list[PlacedText]:
    """Return the name of every ``step``-th entry, and that of the entry in focus."""
    names = told_apart([entry.name for entry in entries], NAME_LETTERS)
    focus = next((place for place, entry in enumerate(entries) if entry.focus), None)
    shown = [
        place
        for place in range(0, len(entries), step)
        if focus is None or abs(place - focus) >= step
    ]
    return [
        PlacedText(
            _LEFT - 8,
            round(middles[place] + 4, 2),
            f"{entries[place].mark} · {isolated(names[place])}",
            shade=int(place == focus),
        )
        for place in sorted([*shown, *([] if focus is None else [focus])])
    ]
