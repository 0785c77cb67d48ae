"""A card for links and messages: the verdict and the photo finish of the first, 1200 × 630."""

from __future__ import annotations

from collections.abc import Sequence

from ..marks import Drawing, Heading, Mark, group, lines_of_text, path, rectangle, text
from ..shortening import isolated, shortened, told_apart
from .photo_finish import Runner, finish_line, lane, track

_WIDTH, _HEIGHT = 1200.0, 630.0
_LEFT, _RIGHT = 72.0, 1140.0
#: Where the lanes are, and where the scores end.
_LANES, _SCORES = (430.0, 770.0), 950.0
_ROW, _VERDICT_LINE, _SOURCE = 46.0, 42.0, 604.0
_MOST_ROWS, _MOST_LINES, _NAME_LETTERS = 6, 3, 24
#: How wide letters are on average: of the title, the verdict, headings and the source.
_TITLE_LETTER, _VERDICT_LETTER, _SMALL_LETTER = 17.0, 20.5, 12.0


def card(
    heading: Heading,
    says: tuple[str, str],
    source: str,
    headings: tuple[str, str, str],
    runners: Sequence[Runner],
) -> Drawing:
    """Draw the card of a competition, which ``says`` its verdict and a note of one line, if any.

    ``headings`` are those of the distances, the scores and the places. As many of the entries are
    drawn as have room, the first ones.
    """
    room = _RIGHT - _LEFT
    head, verdict = 138.0, list[Mark]()
    for said, most in zip(says, (_MOST_LINES, 1), strict=True):
        if said:
            lines = lines_of_text(
                "says", _LEFT, head, said,
                height=_VERDICT_LINE, letters=int(room / _VERDICT_LETTER), most=most,
            )  # fmt: skip
            verdict += lines
            head += _VERDICT_LINE * len(lines)
    head += 20
    shown = runners[: min(_MOST_ROWS, int((_SOURCE - 34 - head - 12) / _ROW))]
    scale, top, deep = track(shown, *_LANES), head + 12, _ROW * len(shown)
    marks = [
        rectangle("paper", 0, 0, _WIDTH, _HEIGHT),
        path("chequers", "".join(f"M0 {y}h15v15h-15zM15 {y}m0 15h15v15h-15z" for y in _CHEQUERS)),
        text("heading", _LEFT, 82, isolated(shortened(heading.title, int(room / _TITLE_LETTER)))),
        *verdict,
        text("column", _LANES[0], head, shortened(headings[0], 30)),
        text("column number", _SCORES, head, shortened(headings[1], 12)),
        text("column number", _RIGHT, head, shortened(headings[2], 14)),
        finish_line(scale, top, deep, size=8),
    ]
    names = told_apart([one.name for one in shown], _NAME_LETTERS)
    for place, (one, name) in enumerate(zip(shown, names, strict=True)):
        y = top + _ROW * (place + 0.5)
        named = text("entry focus" if one.focus else "entry", _LEFT, y + 9, isolated(name))
        score = text("entry number", _SCORES, y + 9, one.score)
        places = text("entry number", _RIGHT, y + 9, one.places)
        marks.append(group(one.kind, named, *lane(one, scale, y, dot=8), score, places))
    marks.append(text("column", _LEFT, _SOURCE, shortened(source, int(room / _SMALL_LETTER))))
    return Drawing(heading, _WIDTH, _HEIGHT, tuple(marks))


_CHEQUERS = range(0, 630, 30)
