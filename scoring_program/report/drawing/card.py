"""A card for links and messages: the verdict and the first entries, 1200 × 630."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .legend import Key, Legend, legend
from .scales import Scale, strip_scale
from .shortening import isolated, shortened, told_apart
from .text_lines import TextLine, text_lines

_LEFT, _RIGHT = 72.0, 1140.0
#: Where the strips are.
_STRIPS = (460.0, 800.0)
_ROW, _VERDICT_LINE, _SOURCE = 46.0, 42.0, 604.0
_MOST_ROWS, _MOST_LINES, _NAME_LETTERS = 5, 3, 24
#: How wide letters are on average: of the title, the verdict, headings and the source.
_TITLE_LETTER, _VERDICT_LETTER, _SMALL_LETTER = 17.0, 20.5, 12.0
#: The legend is drawn in the units of other figures, and enlarged.
_ENLARGED = 1.6


@dataclass(frozen=True)
class CardEntry:
    """An entry: (low, score, high), and how it is said and marked."""

    name: str
    span: tuple[float, float, float]
    score: str
    ranks: str
    shape: str
    focus: bool = False  # whether the card is about this one


@dataclass(frozen=True)
class CardRow:
    """An entry at its place; ``bar`` is its interval as a path, empty if there is none."""

    y: float
    baseline: float
    name: str
    bar: str
    x: float
    score: str
    ranks: str
    shape: str
    focus: bool


@dataclass(frozen=True)
class Card:
    """The card with everything at its place."""

    title: str
    description: str
    heading: str
    verdict: tuple[TextLine, ...]
    columns: TextLine  # the metric, above the scores
    ranks: str  # what the last column is called
    rows: tuple[CardRow, ...]
    legend: Legend
    enlarged: float
    legend_y: float
    source: TextLine


def card(
    texts: tuple[str, str, str],
    headings: tuple[str, str],
    entries: Sequence[CardEntry],
    keys: Sequence[Key],
) -> Card:
    """Draw the card of a competition.

    ``texts`` are its title, the verdict and the source, ``headings`` those of the scores and of the
    rank ranges. As many of the entries are drawn as have room, the first ones.
    """
    title, verdict, source = texts
    room = _RIGHT - _LEFT
    lines = text_lines(verdict, 138, _VERDICT_LINE, int(room / _VERDICT_LETTER), _MOST_LINES)
    head = 150 + _VERDICT_LINE * len(lines)
    below = legend(keys, 0, 0, room / _ENLARGED)  # as many lines as it needs at most
    legend_y = _SOURCE - 36 - _ENLARGED * below.height
    shown = entries[: min(_MOST_ROWS, int((legend_y - head - 14) / _ROW))]
    marks = {"bar", *(one.shape for one in shown)}
    below = legend([key for key in keys if key.mark in marks], 0, 0, room / _ENLARGED)
    return Card(
        title=title,
        description=verdict,
        heading=isolated(shortened(title, int(room / _TITLE_LETTER))),
        verdict=lines,
        columns=TextLine(head, shortened(headings[0], 22)),
        ranks=shortened(headings[1], 16),
        rows=_rows(shown, head + 10),
        legend=below,
        enlarged=_ENLARGED,
        legend_y=legend_y,
        source=TextLine(_SOURCE, shortened(source, int(room / _SMALL_LETTER))),
    )


def _rows(entries: Sequence[CardEntry], top: float) -> tuple[CardRow, ...]:
    within = strip_scale([value for one in entries for value in one.span])
    scale = Scale(within.low, within.high, *_STRIPS)
    names = told_apart([one.name for one in entries], _NAME_LETTERS)
    rows = []
    for place, (one, name) in enumerate(zip(entries, names, strict=True)):
        y = top + _ROW * (place + 0.5)
        low, point, high = one.span
        known = math.isfinite(low) and math.isfinite(high)
        bar = f"M{scale(low)} {y}H{scale(high)}" if known else ""
        said = (one.score, one.ranks, one.shape, one.focus)
        rows.append(CardRow(y, y + 9, isolated(name), bar, scale(point), *said))
    return tuple(rows)
