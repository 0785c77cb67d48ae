"""What others wrote, with every character visible: wherever a text meets a reader.

This module needs only the standard library, because the starting kit contains it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

#: Characters that Unicode calls letters, marks or symbols although they show nothing, by what their
#: names have in common. The categories of the others say that they do not print.
_BLANK = re.compile(
    r"FILLER|VARIATION SELECTOR|GRAPHEME JOINER|VOWEL INHERENT|PATTERN BLANK|NULL NOTEHEAD"
)
#: The spaces of our own numbers and units.
_SPACES = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
#: What isolates a name of another direction from the text around it, and what ends that.
ISOLATE, ISOLATED = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"


def visible(text: str, kept: str = "") -> str:
    """Return a text in which every character is visible: others become <U+202E> and the like.

    Control characters could control a terminal, bidirectional ones reorder a line, invisible ones
    make two names look alike, and bytes that are not text cannot be written. Those ``kept`` stay.
    """
    if text.isascii() and text.isprintable():
        return text
    spelled = {c: f"<U+{ord(c):04X}>" for c in {*text} if c not in kept and _is_invisible(c)}
    return "".join(spelled.get(letter, letter) for letter in text)


@lru_cache(maxsize=4096)
def _is_invisible(letter: str) -> bool:
    is_blank = not letter.isascii() and _BLANK.search(unicodedata.name(letter, ""))
    return bool(is_blank) or not letter.isprintable()


@lru_cache(maxsize=4096)
def legible(text: str) -> str:
    """Return a text that may hold our own sentences: also its lines, spaces and isolates stay.

    An isolate that is closed turns nothing around it.
    """
    if text.isascii() and text.isprintable():
        return text
    shown = visible(text, f"\n{_SPACES}{ISOLATE}{ISOLATED}")
    if ISOLATE not in shown and ISOLATED not in shown:
        return shown
    closed = _closed(shown)
    return "".join(
        visible(letter) if letter in (ISOLATE, ISOLATED) and place not in closed else letter
        for place, letter in enumerate(shown)
    )


def _closed(text: str) -> set[int]:
    """Return the places where isolates of one line begin and end, without those of no partner."""
    closed: set[int] = set()
    opened: list[int] = []
    for place, letter in enumerate(text):
        if letter == "\n":
            opened.clear()
        elif letter == ISOLATE:
            opened.append(place)
        elif letter == ISOLATED and opened:
            closed |= {opened.pop(), place}
    return closed
