"""A forest: intervals under each other on one axis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import groupby

from ..marks import DIGIT, Drawing, Heading, Key, Mark, group, mark, path, text, title
from ..scales import STRIP_HEIGHT, Strip, bar_and_point, gap, grid, tick_labels
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
