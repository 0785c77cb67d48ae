"""The slide: what may be told everybody, above the photo finish of the first entries."""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ..document.figures.photo_finish import Runner, finish_line, foremost, lane, ticks, track
from ..document.html import INK, environment, svg
from ..document.marks import line, text
from ..document.shortening import (
    broken,
    in_line_or_lines,
    isolated,
    letters_of,
    one_line,
    told_apart,
    whole_lines,
)
from ..report.announcement import announcement, caption_of_bars
from ..report.view import IN_SENTENCE
from .record import AnnouncedResults

#: Heights of the letters of the statement, largest first, and the most lines of it.
_STATEMENT = (64, 54, 46, 38)
_MOST_LINES = 3
#: Width of the room for texts, and of a bold and a plain letter as shares of their height.
_WIDTH = 1390
_BOLD = 0.56
_PLAIN = 0.5
#: Where the statement begins, and where the rows must end.
_TOP = 246
_BOTTOM = 764
_ROW = 48
_MOST_ROWS = 8
#: Both ends of the lanes.
_LANES = (640.0, 1130.0)
#: Heights of the letters of what stands below the statement, and of notes.
_SMALL = 26
_NOTE_HEIGHT = 20
#: Letters of a line above the distances, the scores and the places, and how high a line there is.
_HEADING_LETTERS = (36, 14, 14)
_HEADING_LINE = 26
#: Letters of a line of the title, and of the two smaller lines of a long one.
_TITLE_LETTERS = 70
_LONG_TITLE_LETTERS = 100
#: Letters of a line of a name, and of the smaller lines of a long one, which are so high.
_NAME_LETTERS = 26
_LONG_NAME_LETTERS = 28
_LONG_NAME_LINE = 26
#: Letters less where a note may stand after the name.
_NOTE_LETTERS = 6


@dataclass(frozen=True)
class Line:
    """A line of text at a height of the slide."""

    y: float
    text: str


@dataclass(frozen=True)
class SlideRow:
    """An entry of the picture: the lines of its name, its other texts, and its bar and dot."""

    y: float
    kind: str
    rank: str
    name: tuple[Line, ...]
    name_is_long: bool
    score: str
    places: str
    lane: Markup
    note: str  # what the entry is, where it does not compete


def slide(view: AnnouncedResults) -> str:
    """Return the slide as SVG, 1600 by 900."""
    size, statement = _fitted(view)
    lines = [Line(_TOP + place * size * 1.2, part) for place, part in enumerate(statement)]
    below = lines[-1].y + 20
    more = []
    for part in _below_statement(view):
        below += _SMALL * 1.4
        more.append(Line(below, part))
    headings = [
        whole_lines(words, most)
        for words, most in zip(view.finish_headings, _HEADING_LETTERS, strict=True)
    ]
    head = below + 50 + _HEADING_LINE * (max(map(len, headings)) - 1)
    rows, grid = _rows(view, head)
    missing = len(view.rows) - len(rows)
    note = " ".join(filter(None, [_caption(view), view.left_out(missing)]))
    notes = _wrapped(note, _PLAIN * _NOTE_HEIGHT, 3)
    return (
        environment()
        .get_template("announcing/slide.svg.j2")
        .render(
            ink=INK,
            language=view.language,
            title=isolated(view.title),
            title_lines=_lines_of_title(view.title),
            is_long_title=letters_of(one_line(view.title)) > _TITLE_LETTERS,
            alternative=alternative_text(view),
            sign=view.announcement.sign,
            size=size,
            statement=lines,
            more=more,
            more_kind="caution" if view.is_withdrawn else "answer",
            headings=[_above(head, lines) for lines in headings],
            lanes_start=_LANES[0],
            rows=rows,
            grid=grid,
            has_lanes=len(view.rows) > 1,
            notes=[Line(806 + 25 * place, part) for place, part in enumerate(notes)],
            source=view.source,
        )
    )


def _above(head: float, lines: Sequence[str]) -> list[Line]:
    """Return the lines of a heading, of which the last stands at the height ``head``."""
    top = head - _HEADING_LINE * (len(lines) - 1)
    return [Line(top + _HEADING_LINE * place, part) for place, part in enumerate(lines)]


def alternative_text(view: AnnouncedResults, most: int = 5) -> str:
    """Return the picture in words: the statement and the first entries with their scores."""
    shown_rows = view.rows[:most]
    names = map(isolated, told_apart([row.entry for row in shown_rows], IN_SENTENCE))
    first = []
    for name, row in zip(names, shown_rows, strict=True):
        called = f"{name} ({view.say('baseline')})" if row.baseline else name
        first.append(f"{called} {view.score(row.score)}")
    parts = [view.announcement.public]
    if len(view.rows) > 1:
        ranking = view.say(
            "The ranking by {metric} begins with {entries}.", entries=view.language.joined(first)
        )
        parts.append(ranking)
    return " ".join(parts)


def _fitted(view: AnnouncedResults) -> tuple[int, list[str]]:
    """Return the height of letters at which the statement is whole, and its lines.

    A statement with too many names gives their number instead.
    """
    in_numbers = announcement(view.podium, view.language, 0).public
    for statement in (view.announcement.public, in_numbers):
        # Fewer lines leave more room for the picture.
        for most in (_MOST_LINES - 1, _MOST_LINES):
            for size in _STATEMENT:
                lines = _wrapped(statement, _BOLD * size, most)
                if not lines[-1].endswith("…"):
                    return size, lines
    return _STATEMENT[-1], _wrapped(in_numbers, _BOLD * _STATEMENT[-1], _MOST_LINES + 1)


def _below_statement(view: AnnouncedResults) -> list[str]:
    """Return the lines below the statement: the serious cautions, or who takes the prizes."""
    letter = _PLAIN * _SMALL
    if view.is_withdrawn:
        return _wrapped(" ".join(view.serious_cautions), letter, 3)
    if view.podium.must_wait:
        return []
    # The statement names a winner with the other first ones.
    is_said = bool(view.podium.settled) and len(view.podium.possible_winners) == 1
    prizes = "" if is_said else " ".join(view.prizes())
    lines = _wrapped(prizes, letter, 2)
    if lines and lines[-1].endswith("…") and view.prize_words is not None:
        return _wrapped(view.prize_words.counts(), letter, 2)
    return lines


def _wrapped(sentences: str, letter: float, most: int) -> list[str]:
    """Return sentences in at most so many lines of letters so wide."""
    return broken(sentences, int(_WIDTH / letter), most)


def _caption(view: AnnouncedResults) -> str:
    """Say what the bars are, with their confidence unless a serious caution withdraws it."""
    if len(view.rows) < 2:
        return ""
    if not view.podium.names_winners:
        return ""
    if all(math.isnan(runner.far) for runner in _runners(view)):
        return view.without_bars
    return caption_of_bars(view.say, is_withdrawn=view.withdrawn_because is not None)


def _runners(view: AnnouncedResults) -> list[Runner]:
    """Return the entries of the picture: the possible winners and the next ones."""
    return foremost(view.all_runners, _MOST_ROWS)


def _rows(view: AnnouncedResults, head: float) -> tuple[list[SlideRow], Markup]:
    """Return the entries that have room below the head, and the lines behind them."""
    top = head + 12
    runners = _runners(view)[:_MOST_ROWS]
    called = [runner.name for runner in runners]
    baselines = {row.entry for row in view.rows if row.baseline}
    less = _NOTE_LETTERS if baselines.intersection(called) else 0
    names = in_line_or_lines(called, _NAME_LETTERS - less, _LONG_NAME_LETTERS - less)
    heights = [max(_ROW, _LONG_NAME_LINE * len(name.lines) + 8) for name in names]
    ends = list(itertools.accumulate(heights))
    runners = runners[: max(bisect.bisect_right(ends, _BOTTOM - top), 1)]
    ranks = {row.entry: view.rank(row) for row in view.rows}
    scale = track(runners, *_LANES)
    rows = []
    for place, runner in enumerate(runners):
        y = top + ends[place] - heights[place] / 2
        marks = Markup("").join(map(svg, lane(runner, scale, y, dot=10)))
        rank = ranks[runner.name]
        kind = runner.kind if view.podium.names_winners else "behind"
        name = names[place]
        lines = _around(y, name.lines)
        note = view.say("baseline") if runner.name in baselines else ""
        rows.append(
            SlideRow(y, kind, rank, lines, name.small, runner.score, runner.places, marks, note)
        )
    bottom = top + ends[len(rows) - 1]
    grid = [svg(finish_line(scale, top, bottom - top, size=9))]
    for x, label in ticks(runners, scale, view.numerals.fixed, 5):
        grid.append(svg(line("grid", x, top, x, bottom)))
        grid.append(svg(text("tick", x, bottom + 22, label)))
    return rows, Markup("").join(grid)


def _lines_of_title(title: str) -> list[Line]:
    """Return the title in one line, or in two of smaller letters."""
    is_long = letters_of(one_line(title)) > _TITLE_LETTERS
    lines = broken(title, _LONG_TITLE_LETTERS if is_long else _TITLE_LETTERS)
    first = 92 - 32 * (len(lines) - 1)
    return [
        Line(first + 32 * number, isolated(line_words)) for number, line_words in enumerate(lines)
    ]


def _around(y: float, lines: Sequence[str]) -> tuple[Line, ...]:
    """Return the lines of a name in the row around ``y``."""
    first = y + 10 - _LONG_NAME_LINE * (len(lines) - 1) / 2
    return tuple(
        Line(first + _LONG_NAME_LINE * number, isolated(words))
        for number, words in enumerate(lines)
    )
