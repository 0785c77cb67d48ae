"""A forest: intervals under each other on one axis."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from .axes import DIGIT_WIDTH, STRIP_HEIGHT, Axis, Drawn, Heading, Strip, torn
from .legend import Key
from .shortening import NAME_LETTERS, isolated, room_of, told_apart


@dataclass(frozen=True)
class ForestLayout:
    """How wide a forest is, and how much of it the names take; longer names widen both."""

    width: float
    names: float


WIDE, PANEL = ForestLayout(720, 170), ForestLayout(340, 110)


@dataclass(frozen=True)
class ForestRow:
    """One labeled strip of a forest; ``top`` is its upper edge, ``focus`` makes its name bold."""

    label: str
    value: str
    top: float
    baseline: float
    strip: Strip
    focus: bool


@dataclass(frozen=True)
class Forest(Drawn):
    """Intervals under each other on one axis, with names on the left and numbers on the right."""

    name_right: float
    plot_left: float
    plot_width: float
    value_right: float
    axis_top: float
    rows: tuple[ForestRow, ...]
    axis: Axis
    axis_label: str
    axis_note: str  # where the axis is broken
    edges: str  # of the break, as a path
    bracket: str = ""  # that holds rows together, as a path


def forest(
    heading: Heading,
    rows: Sequence[tuple[str, str, Strip]],
    axis_label: str,
    *,
    focus: int | None = None,
    layout: ForestLayout = WIDE,
) -> Forest:
    """Stack strips under each other: rows are (name, number, strip), one may be in focus.

    The numbers complete the description, so that it says what the figure shows.
    """
    labels = [label for label, _, _ in rows]
    shown = told_apart(labels, NAME_LETTERS)
    names = max(layout.names, room_of(shown) + 10)
    width = layout.width + names - layout.names
    numbers = DIGIT_WIDTH * max(len(value) for _, value, _ in rows) + 8
    listed = "; ".join(
        f"{isolated(name)} {value}"
        for name, (_, value, _) in zip(told_apart(labels, 60), rows, strict=True)
    )
    axis, bottom = rows[0][2].axis, STRIP_HEIGHT * len(rows) + 6
    note = "" if axis.broken is None else axis.broken.note
    about = f"{heading.description} ({note})" if note else heading.description
    return Forest(
        heading=replace(heading, description=f"{about}: {listed}"),
        width=width,
        height=bottom + (54 if note else 40),
        name_right=names - 10,
        plot_left=names,
        plot_width=layout.width - layout.names - numbers,
        value_right=width - 4,
        axis_top=bottom,
        rows=tuple(
            ForestRow(
                isolated(name),
                value,
                top=4 + STRIP_HEIGHT * index,
                baseline=20 + STRIP_HEIGHT * index,
                strip=strip,
                focus=index == focus,
            )
            for index, (name, (_, value, strip)) in enumerate(zip(shown, rows, strict=True))
        ),
        axis=axis,
        axis_label=axis_label,
        axis_note=note,
        edges=torn(bottom) if note else "",
    )


def bracketed(figure: Forest, rows: Container[int], text: str) -> Forest:
    """Hold the rows at these places together by a bracket, which the legend calls ``text``."""
    parts = []
    for held, places in groupby(range(len(figure.rows)), key=rows.__contains__):
        if held:
            first, *rest = places
            top = figure.rows[first].top + 3
            bottom = figure.rows[(rest or [first])[-1]].top + STRIP_HEIGHT - 3
            parts.append(f"M15 {top}H10V{bottom}H15")
    if not parts:
        return figure
    legend = (*figure.heading.legend, Key("bracket", text))
    return replace(figure, bracket="".join(parts), heading=replace(figure.heading, legend=legend))
