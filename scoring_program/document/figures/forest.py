"""A forest: intervals under each other on one axis; of many entries, rank ranges as thin lines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import groupby

from ..marks import DIGIT, Drawing, Heading, Key, Mark, group, mark, path, text, title
from ..scales import STRIP_HEIGHT, Scale, Strip, bar_and_point, gap, grid, nice_ticks, tick_labels
from ..shortening import NAME_LETTERS, isolated, room_of, told_apart

#: How wide a forest is, and how much of it the names take; longer names widen both.
WIDE, PANEL = (720.0, 170.0), (340.0, 110.0)


def forest(
    heading: Heading,
    rows: Sequence[tuple[str, str, Strip]],
    axis_label: str,
    *,
    focus: int | None = None,
    layout: tuple[float, float] = WIDE,
    held: Set[int] = frozenset(),
    held_by: str = "",
) -> Drawing:
    """Stack strips under each other: rows are (name, number, strip), one may be in ``focus``.

    A bracket, which the legend calls ``held_by``, holds the rows at the places ``held`` together.
    The numbers complete the description, so that it says what the figure shows.
    """
    labels = [label for label, _, _ in rows]
    shown = told_apart(labels, NAME_LETTERS)
    names = max(layout[1], room_of(shown) + 10)
    width = layout[0] + names - layout[1]
    plot = layout[0] - layout[1] - DIGIT * max(len(value) for _, value, _ in rows) - 8
    listed = "; ".join(
        f"{isolated(name)} {value}"
        for name, (_, value, _) in zip(told_apart(labels, 60), rows, strict=True)
    )
    axis, bottom = rows[0][2].axis, STRIP_HEIGHT * len(rows) + 6
    note = "" if axis.broken is None else axis.broken[1]
    about = f"{heading.description} ({note})" if note else heading.description
    keys = (*heading.legend, Key("bracket", held_by)) if held else heading.legend

    def part(top: float, height: float, *inside: Mark, overflow: str | None = None) -> Mark:
        drawn = {"y": top or None, "width": plot, "height": height, "overflow": overflow}
        return mark("svg", "", *inside, x=names, **drawn)

    marks = [path("held", "".join(_brackets(held, len(rows))))] if held else []
    marks.append(part(0, bottom, *grid(axis, bottom)))
    for place, (name, (_, value, strip)) in enumerate(zip(shown, rows, strict=True)):
        top, baseline = 4 + STRIP_HEIGHT * place, 20 + STRIP_HEIGHT * place
        named = text(
            "name focus" if place == focus else "name", names - 10, baseline, isolated(name)
        )
        plotted = part(top, STRIP_HEIGHT, *bar_and_point(strip))
        number = text("value", width - 4, baseline, value)
        marks.append(group(strip.shape, title(strip.title), named, plotted, number))
    under = [mark("line", "axis", x2="100%", y1=0.5, y2=0.5), *tick_labels(axis, 16)]
    said = zip((34, 48), filter(None, (axis_label, note)), strict=False)
    under += [text("tick", "50%", y, one) for y, one in said]
    marks.append(part(bottom, 40, *under, overflow="visible"))
    if axis.broken is not None:
        marks.append(part(0, bottom, gap(axis.broken[0], bottom), overflow="visible"))
    heading = replace(heading, description=f"{about}: {listed}", legend=keys)
    return Drawing(heading, width, bottom + (54 if note else 40), tuple(marks))


def _brackets(held: Set[int], rows: int) -> Iterator[str]:
    """Yield a bracket for each run of rows that are held."""
    for is_held, places in groupby(range(rows), key=held.__contains__):
        if is_held:
            first, *rest = places
            top, bottom = STRIP_HEIGHT * first + 7, STRIP_HEIGHT * ((rest or [first])[-1] + 1) + 1
            yield f"M15 {top}H10V{bottom}H15"


# Rank chart ---------------------------------------------------------------------------------------


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
