"""The photo finish: how far behind the best every entry may truly be.

The finish line stands where an entry is as good as the best. A bar reaches it exactly where its
entry is a possible winner; of any other it stops visibly short. A dot is a distance as observed.
The same lanes are drawn in the rows of a table, in percent of a column's width, and in a figure;
and in letters on a terminal.
"""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...core.phrases import exact_decimals
from ..marks import Drawing, Mark, Place, group, line, lines_of_text, mark, path, rectangle, text
from ..scales import Scale, TickLabel, Ticks, nice_ticks
from ..shortening import (
    SizedName,
    broken,
    in_line_or_lines,
    in_lines,
    isolated,
    letters_of,
    told_apart,
    whole_lines,
)

#: The axis is at most this many times as long as the bars of the possible winners and the next one,
#: which counts for at most as many times what the possible winners do, if these have bars.
_LONGEST = 2.0
#: A bar that does not reach the line is drawn at least this share of the axis short of it.
_SHORT = 0.035
#: Beyond this share of the axis there is an arrow instead of a dot.
_EDGE = 0.95
#: So many others stand beside the possible winners in any case.
_NEXT = 3
#: A column and a page of a paper, in points; the type is 8 points high.
COLUMN = 237.6
PAGE = 496.8
_LETTER = 4.4
_CAPITAL = 1.4
_ROW = 14.0
_HEAD = 14.0
#: The height of a further line of text.
_LINE = 9.0
#: Letters of a line of a heading beside the lanes, and of a name in a column and on a page.
_HEADING = 10
_NAME_IN_COLUMN = 16
_NAME_ON_PAGE = 24
#: The card, in pixels.
_WIDTH = 1200.0
_HEIGHT = 630.0
_LEFT = 72.0
_RIGHT = 1140.0
#: Where the lanes are, and where the scores end.
_LANES = (430.0, 770.0)
_SCORES = 950.0
_CARD_ROW = 46.0
_VERDICT_LINE = 42.0
_SOURCE = 604.0
#: The height of what is said below the entries.
_BELOW = 34.0
_MOST_ROWS = 6
_MOST_LINES = 3
_NOTE_LINES = 2
_NAME_LETTERS = 24
#: Letters of a line above the distances, the scores and the places, and how high lines there are.
_ON_CARD = (30, 12, 14)
_HEADING_LINE = 24.0
_TITLE_LINE = 34.0
#: Of a longer name, a line holds so many letters, and is so high.
_LONG_NAME_LETTERS = 28
_LONG_NAME_LINE = 20.0
#: How wide letters are on average: of the title, the verdict, headings and the source.
_TITLE_LETTER = 17.0
_VERDICT_LETTER = 20.5
_SMALL_LETTER = 12.0


@dataclass(frozen=True)
class Runner:
    """An entry: how far it is behind the best, in the metric's units, and what stands beside it.

    ``near`` and ``far`` are the least and the most that it may truly be behind: nan where it has no
    bar, and ∞ where there is no upper limit. A baseline may be ahead: its distance is negative.
    """

    name: str
    observed: float
    near: float
    far: float
    distance: str
    score: str
    places: str
    winner: bool = False
    focus: bool = False

    @property
    def kind(self) -> str:
        """How it is styled."""
        return "tied" if self.winner else "behind"

    @property
    def end(self) -> float:
        """The farthest from the best that is drawn of it, if it has no arrow."""
        return max((e for e in (self.observed, self.near, self.far) if math.isfinite(e)), default=0)


Runners = Sequence[Runner]
#: What stands above the distances, the scores and the places.
Headings = tuple[str, str, str]


def foremost(runners: Runners, most: int) -> list[Runner]:
    """Return all possible winners, those in focus, and the first others up to ``most`` in all."""
    followers = [runner for runner in runners if not (runner.winner or runner.focus)]
    first_followers = followers[: max(_NEXT, most - (len(runners) - len(followers)))]
    return [
        runner for runner in runners if runner.winner or runner.focus or runner in first_followers
    ]


def track(runners: Runners, start: float, end: float) -> Scale:
    """Return the scale of distances, from the farthest that is shown at ``start`` to the best.

    It is scaled to the possible winners and the next entry, and has room for baselines ahead.
    """
    close = max((runner.end for runner in runners if runner.winner), default=0.0)
    after = min(
        (runner.end for runner in runners if not runner.winner and runner.observed > 0), default=0.0
    )
    longest = max((runner.end for runner in runners), default=0.0)
    reach = max(close, min(after, _LONGEST * close) if close else after)
    reach = min(longest, _LONGEST * reach) or longest or 1.0
    ahead = min([0.0, *(runner.observed for runner in runners if math.isfinite(runner.observed))])
    return Scale(1.04 * reach, 1.04 * ahead, start, end)


def is_beyond(runner: Runner, scale: Scale) -> bool:
    """Return whether an entry is too far behind for its dot: it has an arrow with its number.

    A possible winner is only where its distance is infinite: the axis holds all of them, and their
    bars reach the line.
    """
    if runner.winner:
        return math.isinf(runner.observed)
    return max(runner.observed, runner.near) > _EDGE * scale.low


def bar_of(runner: Runner, scale: Scale) -> tuple[float, float] | None:
    """Return the far and the near end of a bar as it is drawn; None where there is none."""
    if math.isnan(runner.far) or is_beyond(runner, scale):
        return None
    near = max(runner.near, _SHORT * (scale.low - scale.high)) if runner.near > 0 else 0.0
    return max(near, min(runner.far, scale.low)), near


def dot_of(runner: Runner, scale: Scale) -> float | None:
    """Return the distance at which a dot is drawn; None where there is an arrow, or no distance.

    A bar is drawn short of the line where its entry is not a possible winner, so the dot of a very
    small distance is drawn at the end of its bar: a dot lies in its bar.
    """
    if is_beyond(runner, scale) or not math.isfinite(runner.observed):
        return None
    bar = bar_of(runner, scale)
    return runner.observed if bar is None else min(max(runner.observed, bar[1]), bar[0])


def lane(runner: Runner, scale: Scale, y: Place, unit: str = "", *, dot: float = 4.0) -> list[Mark]:
    """Return the bar and the dot of an entry, or its arrow.

    Coordinates have a ``unit``: "%" of the width of a column, or none in a figure.
    """

    def place(distance: float) -> Place:
        return f"{scale(distance):g}{unit}" if unit else scale(distance)

    marks = []
    bar = bar_of(runner, scale)
    beyond = is_beyond(runner, scale)
    if bar is not None:
        marks.append(line("bar", place(bar[0]), y, place(bar[1]), y))
    if beyond or runner.far > scale.low:
        words = [mark("text", "start called", runner.distance, x=10, dy=".35em")] if beyond else []
        arrow = path("arrow", "M5-3.5 1 0 5 3.5")
        attributes = {"x": place(scale.low), "y": y, "overflow": "visible"}
        marks.append(mark("svg", "", arrow, *words, **attributes))
    drawn_at = dot_of(runner, scale)
    if drawn_at is not None:
        marks.append(mark("circle", "mark dot", cx=place(drawn_at), cy=y, r=dot))
    return marks


def finish_line(scale: Scale, y: Place, height: Place, unit: str = "", *, size: float = 4) -> Mark:
    """Return the chequered strip behind which all distances lie; its squares have a ``size``."""
    squares = {"stroke_width": size, "stroke_dasharray": size}
    columns = [
        mark(
            "line", "chequers", x1=middle, x2=middle, y2="100%", stroke_dashoffset=begins, **squares
        )
        for middle, begins in ((size / 2, None), (1.5 * size, size))
    ]
    x = f"{scale(0.0):g}{unit}" if unit else scale(0.0)
    return mark("svg", "", *columns, x=x, y=y, width=2 * size, height=height, overflow="visible")


def ticks(runners: Runners, scale: Scale, label: TickLabel, most: int) -> Ticks:
    """Return the places and the labels of round distances, that of the finish line among them.

    Where no distance but 0 is known, as among identical entries, the scale has no other label.
    """
    values = nice_ticks(0.0, scale.low, most) if any(runner.end for runner in runners) else [0.0]
    decimals = exact_decimals(values)
    return [(scale(value), label(value, decimals if value else 0)) for value in values]


def column(
    id: str, runners: Runners, label: TickLabel
) -> tuple[tuple[Mark, ...], Callable[[Runner], Mark]]:
    """Return what heads a column of lanes, in percent of its width, and the lane of an entry.

    Above the lanes are the labels of distances. Lanes share its lines, drawn once by its ``id``.
    """
    scale = track(runners, 3.0, 95.0)
    labels = ticks(runners, scale, label, 4)
    lines = [mark("line", "grid", x1=f"{x:g}%", x2=f"{x:g}%", y2="100%") for x, _ in labels]
    lines.append(finish_line(scale, 0, "100%", "%"))
    shared_lines = mark("defs", "", mark("g", "", *lines, id=id))
    above = [text("tick", f"{x:g}%", 12, tick) for x, tick in labels]

    def row(runner: Runner) -> Mark:
        drawn = lane(runner, scale, "50%", "%")
        use = mark("use", href=f"#{id}")
        return mark("svg", f"lane {runner.kind}", use, *drawn, aria_hidden="true")

    return (mark("svg", "ticks lane", shared_lines, *above, aria_hidden="true"),), row


# Long because it is one picture, from its headings down.
def photo_finish(
    about: Drawing, runners: Runners, headings: Headings, label: TickLabel, more: str, width: float
) -> Drawing:
    """Draw a figure of a paper; it has no title: the verdict is its caption.

    ``headings`` stand above the distances, the scores and the places; ``more`` says which entries
    are left out. No word is cut: headings, names and the note have as many lines as they need.
    """
    letters = _NAME_ON_PAGE if width > COLUMN else _NAME_IN_COLUMN
    names = in_lines([runner.name for runner in runners], letters)
    left = max(_wide(part) for lines in names for part in lines) + 12
    above = [whole_lines(heading, _HEADING) for heading in headings[1:]]
    beside = ([runner.score for runner in runners], [runner.places for runner in runners])
    scores, places = (
        max(map(letters_of, [*lines, *column])) for lines, column in zip(above, beside, strict=True)
    )
    right = width - _LETTER * places - 10
    end = right - _LETTER * scores - 18
    first = whole_lines(headings[0], int((end + 8 - left) / 4))
    head = _HEAD + _LINE * (max(map(len, (first, *above))) - 1)
    heights = [max(_ROW, _LINE * len(lines) + 5) for lines in names]
    bottom = head + sum(heights)
    scale = track(runners, left + 2, end)
    marks = [mark("rect", "paper", width="100%", height="100%")]
    for x, tick in ticks(runners, scale, label, min(6, max(2, int((end - left) / 36)))):
        marks.append(line("grid", x, head, x, bottom))
        marks.append(text("tick", x, bottom + 11, tick))
    marks.append(finish_line(scale, head, bottom - head))
    marks += _lines("start", left, head - 5, first)
    marks += _lines("value muted", right, head - 5, above[0])
    marks += _lines("value muted", width - 1, head - 5, above[1])
    top = head
    for runner, lines, height in zip(runners, names, heights, strict=True):
        y = top + height / 2
        lowest = y + 3 + _LINE * (len(lines) - 1) / 2
        named = _lines("name focus" if runner.focus else "name", left - 6, lowest, lines)
        score = text("value", right, y + 3, runner.score)
        places_of = text("value", width - 1, y + 3, runner.places)
        marks.append(
            group(runner.kind, *named, *lane(runner, scale, y, dot=2.75), score, places_of)
        )
        top += height
    notes = whole_lines(more, int((width - left) / 4)) if more else []
    lowest = bottom + 14 + _LINE * len(notes)
    marks += _lines("start", left, lowest, notes)
    return about.drawn(width, lowest + 5 if notes else bottom + 15, marks, "pt")


def _wide(name: str) -> float:
    """Return about how wide a line of a name is, in points."""
    return _LETTER * letters_of(name) + _CAPITAL * sum(map(str.isupper, name))


def _lines(kind: str, x: float, lowest: float, lines: Sequence[str]) -> list[Mark]:
    """Return lines of text, the last one's baseline at ``lowest``."""
    highest = lowest - _LINE * (len(lines) - 1)
    return [
        text(kind, x, round(highest + _LINE * place, 2), isolated(words))
        for place, words in enumerate(lines)
    ]


def in_letters(runners: Runners, columns: int = 60) -> list[str]:
    """Return the lanes as lines of plain letters, for a terminal."""
    names = told_apart([runner.name for runner in runners], 16)
    widest = max(map(letters_of, names))
    scores = max(letters_of(runner.score) for runner in runners)
    places = max(letters_of(runner.places) for runner in runners)
    room = columns - widest - scores - places - 6
    scale = track(runners, 0, room - 1)
    finish = round(scale(0.0))
    lines = []
    for runner, name in zip(runners, names, strict=True):
        cells = [" "] * (room + 1)
        bar = bar_of(runner, scale)
        if bar is not None:
            last = finish if runner.winner else min(round(scale(bar[1])), finish - 2)
            cells[round(scale(bar[0])) : last] = "-" * (last - round(scale(bar[0])))
        drawn_at = dot_of(runner, scale)
        if is_beyond(runner, scale):
            cells[: len(runner.distance) + 2] = f"< {runner.distance}"
        elif drawn_at is not None:
            dot = round(scale(drawn_at))
            # Only of a possible winner do bar and dot reach the line.
            last = finish - 1 if runner.winner or bar is None else finish - 3
            cells[dot + 1 if runner.observed < 0 else min(dot, last)] = "o"
        cells[finish] = "|"
        padded = name + " " * (widest - letters_of(name))
        drawn = "".join(cells)[: room + 1]
        lines.append(
            f"{padded}  {drawn} {runner.score:>{scores}}  {runner.places:>{places}}".rstrip()
        )
    return lines


def has_room_on_card(sentence: str) -> bool:
    """Whether a card has room for the whole verdict."""
    letters = int((_RIGHT - _LEFT) / _VERDICT_LETTER)
    return len(whole_lines(sentence, letters)) <= _MOST_LINES


# Many parameters because a card has these parts.
def card(
    heading: Drawing,
    says: tuple[str, str],
    source: str,
    headings: Headings,
    runners: Runners,
    below: Callable[[int], str],
) -> Drawing:
    """Draw the card of a competition, which ``says`` its verdict and a note of two lines, if any.

    ``headings`` are those of the distances, the scores and the places. As many of the entries are
    drawn as have room, the first ones; ``below`` says what stands under so many of them.
    """
    room = _RIGHT - _LEFT
    title = broken(heading.title, int(room / _TITLE_LETTER))
    head = 138.0 + _TITLE_LINE * (len(title) - 1)
    verdict = list[Mark]()
    for sentence, most in zip(says, (_MOST_LINES, _NOTE_LINES), strict=True):
        if sentence:
            lines = lines_of_text(
                "says", _LEFT, head, sentence,
                height=_VERDICT_LINE, letters=int(room / _VERDICT_LETTER), most=most,
            )  # fmt: skip
            verdict += lines
            head += _VERDICT_LINE * len(lines)
    above = [whole_lines(words, most) for words, most in zip(headings, _ON_CARD, strict=True)]
    head += 20 + _HEADING_LINE * (max(map(len, above)) - 1)
    letters = int(room / _SMALL_LETTER)
    # How many lines there are below does not depend on how many entries there are above.
    lines_below = len(whole_lines(below(1), letters))
    sources = whole_lines(source, letters)
    bottom = _SOURCE - 34 - _BELOW - _HEADING_LINE * (lines_below + len(sources) - 2)
    top = head + 12
    called = [runner.name for runner in runners[:_MOST_ROWS]]
    names = in_line_or_lines(called, _NAME_LETTERS, _LONG_NAME_LETTERS)
    heights = [
        _CARD_ROW if len(name.lines) <= 2 else _LONG_NAME_LINE * len(name.lines) + 14
        for name in names
    ]
    ends = list(itertools.accumulate(heights))
    with_room = bisect.bisect_right(ends, bottom - top)
    drawn_runners = runners[: max(with_room, 1)]
    scale = track(drawn_runners, *_LANES)
    deep = ends[len(drawn_runners) - 1]
    marks = [
        rectangle("paper", 0, 0, _WIDTH, _HEIGHT),
        path("chequers", "".join(f"M0 {y}h15v15h-15zM15 {y}m0 15h15v15h-15z" for y in _CHEQUERS)),
        *(
            text("heading", _LEFT, 82 + _TITLE_LINE * number, isolated(words))
            for number, words in enumerate(title)
        ),
        *verdict,
        *_ending_at("column", _LANES[0], head, above[0]),
        *_ending_at("column number", _SCORES, head, above[1]),
        *_ending_at("column number", _RIGHT, head, above[2]),
        finish_line(scale, top, deep, size=8),
    ]
    for place, runner in enumerate(drawn_runners):
        y = top + ends[place] - heights[place] / 2
        named = _on_card("entry focus" if runner.focus else "entry", y, names[place])
        score = text("entry number", _SCORES, y + 9, runner.score)
        places = text("entry number", _RIGHT, y + 9, runner.places)
        marks.append(group(runner.kind, *named, *lane(runner, scale, y, dot=8), score, places))
    if sentence := below(len(drawn_runners)):
        marks += lines_of_text(
            "column", _LEFT, top + deep + 30, sentence, height=_HEADING_LINE, letters=letters
        )
    marks += _ending_at("column", _LEFT, _SOURCE, sources)
    return heading.drawn(_WIDTH, _HEIGHT, marks)


def _ending_at(kind: str, x: float, lowest: float, lines: Sequence[str]) -> list[Mark]:
    """Return the lines of a heading, or of the source, the last one's baseline at ``lowest``."""
    highest = lowest - _HEADING_LINE * (len(lines) - 1)
    return [
        text(kind, x, highest + _HEADING_LINE * number, words) for number, words in enumerate(lines)
    ]


def _on_card(kind: str, y: float, name: SizedName) -> list[Mark]:
    """Return the lines of a name in the row around ``y``."""
    if not name.small:
        return [text(kind, _LEFT, y + 9, isolated(name.lines[0]))]
    first = y + 7 - _LONG_NAME_LINE * (len(name.lines) - 1) / 2
    return [
        text(f"{kind} long", _LEFT, round(first + _LONG_NAME_LINE * number, 2), isolated(words))
        for number, words in enumerate(name.lines)
    ]


_CHEQUERS = range(0, 630, 30)
