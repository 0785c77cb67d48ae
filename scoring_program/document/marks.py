"""A drawing is a heading and marks: shapes, lines and texts, each with the kind that styles it.

Coordinates are in the units of the drawing or, such as "40%", in percent of what holds the mark.
The styles of the kinds are in ``figure.css.j2``.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from .shortening import (
    broken,
    in_lines,
    isolated,
    letters_of,
    room_of_lines,
    whole_lines,
)

Place = float | str
#: Both ends of an interval, or of anything else on a line.
Ends = tuple[float, float]
#: Width of a digit or sign of a number, and of a letter of a key on average.
DIGIT = 7.0
LETTER = 6.5
#: Room for the mark before the text of a key, between keys, and for a line of them.
_MARK = 30.0
_APART = 20.0
_LINE = 20.0


@dataclass(frozen=True)
class Mark:
    """An element of SVG: its tag, its attributes, and the marks and texts inside."""

    tag: str
    attributes: Mapping[str, Place]
    inside: tuple[Mark | str, ...] = ()


@dataclass(frozen=True)
class Key:
    """A mark of a figure, by the name that draws and styles it, and what it means.

    A ``note`` has no mark. ``size`` is the radius of a mark that is as large as in the figure.
    """

    mark: str
    text: str
    size: float = 0.0


#: An interval with its point: low, point, high.
Span = tuple[float, float, float]


@dataclass(frozen=True)
class Plotted:
    """An entry of a figure: a span on each of its axes, and its shape, which styles it.

    ``texts`` stand beside it: a mark, its scores, or what hovering says. One in ``focus`` is named
    in any case, and one at the ``front`` is not exceeded by any other.
    """

    name: str
    spans: tuple[Span, ...]
    shape: str
    texts: tuple[str, ...] = ()
    focus: bool = False
    front: bool = False


@dataclass(frozen=True)
class Drawing:
    """A figure: its id on the page, its title, what it shows in words, and what is drawn of it.

    ``legend`` explains its marks where it stands alone. ``marks`` stand from the back to the front,
    and ``unit`` is that of its size where it has one, such as "pt" in a paper.
    """

    id: str
    title: str
    description: str
    legend: tuple[Key, ...] = ()
    width: float = 0.0
    height: float = 0.0
    marks: tuple[Mark, ...] = ()
    unit: str = ""

    def drawn(self, width: float, height: float, marks: Iterable[Mark], unit: str = "") -> Drawing:
        """Return the figure with its size and its marks."""
        return replace(self, width=width, height=height, marks=tuple(marks), unit=unit)


def mark(tag: str, kind: str = "", *inside: Mark | str, **attributes: Place | None) -> Mark:
    """Return a mark; an attribute without a value is left out, and ``_`` in its name is ``-``."""
    all_attributes = {"class": kind or None, **attributes}
    named = {
        name.replace("_", "-"): value for name, value in all_attributes.items() if value is not None
    }
    return Mark(tag, named, inside)


def rectangle(kind: str, x: Place, y: Place, width: Place, height: Place) -> Mark:
    """Return a rectangle by its upper left corner."""
    return mark("rect", kind, x=x, y=y, width=width, height=height)


def line(kind: str, x1: Place, y1: Place, x2: Place, y2: Place) -> Mark:
    """Return a straight line."""
    return mark("line", kind, x1=x1, x2=x2, y1=y1, y2=y2)


def path(kind: str, d: str, *inside: Mark, **attributes: Place | None) -> Mark:
    """Return a path; ``d`` is SVG's."""
    return mark("path", kind, *inside, d=d, **attributes)


def circle(kind: str, x: Place, y: Place, radius: float, *inside: Mark) -> Mark:
    """Return a circle by its middle."""
    return mark("circle", kind, *inside, cx=x, cy=y, r=radius)


def text(kind: str, x: Place, y: Place, words: str, anchor: str | None = None) -> Mark:
    """Return a line of text; its kind, or ``anchor``, says which part of it stands at ``x``."""
    return mark("text", kind, words, x=x, y=y, text_anchor=anchor)


def lines_of_text(
    kind: str,
    x: Place,
    first: float,
    words: str,
    *,
    height: float,
    letters: int,
    most: int | None = None,
) -> list[Mark]:
    """Return a text in up to ``most`` lines, one at least, the first one's baseline at ``first``.

    Without a limit, no word is cut. ``height`` is that of a line, which has room for so many
    ``letters``.
    """
    lines = whole_lines(words, letters) if most is None else broken(words, letters, most) or [""]
    return [
        text(kind, x, round(first + height * k, 2), line_words)
        for k, line_words in enumerate(lines)
    ]


#: How far two lines of a long name are apart, which have room in any row, and more of them.
_OF_TWO_LINES = 10.0
_OF_MORE_LINES = 12.0
#: What is free above and below more lines than two.
_AROUND_LINES = 8.0


@dataclass(frozen=True)
class NamedRows:
    """The rows of a figure: the lines of their names, how high they are, and where they begin.

    The last of the ``tops`` is where the last row ends.
    """

    names: Sequence[Sequence[str]]
    heights: Sequence[float]
    tops: Sequence[float]

    @property
    def room(self) -> float:
        """How wide the widest name is."""
        return room_of_lines(self.names)

    @property
    def bottom(self) -> float:
        """Where the last row ends."""
        return self.tops[-1]

    @property
    def middles(self) -> list[float]:
        """The heights of the middles of the rows."""
        return [top + height / 2 for top, height in zip(self.tops, self.heights, strict=False)]


def named_rows(names: Sequence[str], least: float, first: float = 0) -> NamedRows:
    """Return rows that are as high as their whole names, and ``least``; the first is at ``first``.

    A name of one line or two has room in any row.
    """
    names_in_lines = in_lines(names)
    heights = [
        least if len(lines) <= 2 else max(least, _OF_MORE_LINES * len(lines) + _AROUND_LINES)
        for lines in names_in_lines
    ]
    tops = list(itertools.accumulate(heights, initial=first))
    if len({*heights}) == 1:
        # Sums of many heights would be rounded.
        tops = [first + heights[0] * place for place in range(len(heights) + 1)]
    return NamedRows(names_in_lines, heights, tops)


def name_beside(
    kind: str, x: Place, baseline: float, lines: Sequence[str], after: str = ""
) -> list[Mark]:
    """Return the name of a row in one line or several, which are smaller, around its baseline.

    What stands ``after`` the name is no part of it, and keeps its place after a name from the right
    to the left.
    """
    (*first_lines, last) = map(isolated, lines)
    texts = [*first_lines, f"{last}{after}"]
    if len(texts) == 1:
        return [text(kind, x, baseline, texts[0])]
    height = _OF_TWO_LINES if len(texts) == 2 else _OF_MORE_LINES
    first = baseline - height * (len(texts) - 1) / 2
    return [
        text(f"{kind} small", x, first + height * number, words)
        for number, words in enumerate(texts)
    ]


#: Letters of what an axis is called are at most this wide on average; its lines are so high.
_AXIS_LETTER = 6.0
_AXIS_LINE = 14.0


def under_axis(x: Place, first: float, words: str, room: float) -> list[Mark]:
    """Return what an axis is called, centered at ``x``, in as many lines as the room asks for."""
    letters = int(room / _AXIS_LETTER)
    return lines_of_text("tick", x, first, words, height=_AXIS_LINE, letters=letters)


def group(
    kind: str, *inside: Mark, origin: tuple[float, float] | None = None, size: float = 1
) -> Mark:
    """Return marks that share a kind; ``origin`` is where theirs is, ``size`` enlarges them."""
    enlarged = f" scale({size:g})" if size != 1 else ""
    moved = None if origin is None else f"translate({origin[0]:g} {origin[1]:g}){enlarged}"
    return mark("g", kind, *inside, transform=moved)


def title(words: str) -> Mark:
    """Return what hovering over the mark that holds it says."""
    return mark("title", "", words)


#: The shapes of entries, around the origin. Most entries have a dot.
_SHAPES = {
    "leader": path("mark", "M0-6.5 6.5 0 0 6.5-6.5 0z"),
    "tied": mark("circle", "mark ring", r=4.75),
    "ahead": path("mark", "M0-6 5.5 4.5h-11z"),
    "reference": path("mark", "M-4.5-4.5h9v9h-9z"),
    "red": path("mark", "M0-7 7.5 6h-15z"),
    "plain": path("mark", "M0-4.5v9"),
    "amber": path("mark ring", "M0-6.5 7 5.5H-7z"),
}
_DOT = mark("circle", "mark", r=3.75)
_RANGE = path("bar range", "M-9 0H9"), path("bar rank", "M-4 0h0")
_SWATCH = "M-7-7H7V7H-7z"
_SLOPE = path("bar slope", "M-9 5L9-5")
#: What a key shows that is no shape of an entry.
_OF_KEYS = {
    "bar": path("bar", "M-9 0H9"),
    "bracket": path("held", "M3-8H-2V8H3"),
    "rule": path("rule", "M0-8V8"),
    "equal": path("rule", "M-8 8L8-8"),
    "bin": path("bin", _SWATCH),
    "tail": path("tail", _SWATCH),
    **{f"line-{kind}": group(kind, _SLOPE) for kind in ("ahead", "behind")},
    **{f"range-{kind}": group(kind, *_RANGE) for kind in ("tied", "ahead", "behind")},
    "cross": path("bar cross", "M-9 0H9M0-8V8"),
    "front": path("front", "M-9-5 0 0 9 6"),
}


def shape(kind: str) -> Mark:
    """Return the shape of entries of a kind, around the origin."""
    return _SHAPES.get(kind, _DOT)


def key_mark(key: Key) -> Mark | None:
    """Return the mark of a key around the origin; a note has none."""
    if key.mark == "note":
        return None
    if key.mark == "blob":
        return mark("circle", "blob", r=key.size)
    return _OF_KEYS.get(key.mark) or group(key.mark, shape(key.mark))


def legend(keys: Iterable[Key], left: float, top: float, right: float) -> tuple[list[Mark], float]:
    """Place keys side by side between ``left`` and ``right``, in as many lines as they need.

    A key that is wider takes lines of its own, so that no word is cut. Returns the marks and their
    height.
    """
    placed: list[Mark] = []
    x = left
    middle = top + _LINE / 2
    for key in keys:
        drawn = key_mark(key)
        before = 0.0 if drawn is None else _MARK
        lines = whole_lines(key.text, int((right - left - before) / LETTER))
        wide = before + LETTER * max(map(letters_of, lines))
        if x > left and x + wide > right:
            x = left
            middle = middle + _LINE
        inside = () if drawn is None else (drawn,)
        placed.append(group("", *inside, origin=(x + 12, middle)))
        for number, words in enumerate(lines):
            if number > 0:
                middle = middle + _LINE
            placed.append(text("start", x + before, middle + 4, words))
        x = round(x + wide + _APART, 2)
    return placed, middle + _LINE / 2 - top if placed else 0.0
