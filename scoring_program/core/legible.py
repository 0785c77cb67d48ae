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
ISOLATE = "\N{FIRST STRONG ISOLATE}"
ISOLATED = "\N{POP DIRECTIONAL ISOLATE}"


def visible(text: str, allowed: str = "") -> str:
    """Return a text in which every character is visible: others become <U+202E> and the like.

    Control characters could control a terminal, bidirectional ones reorder a line, invisible ones
    make two names look alike, and bytes that are not text cannot be written. Those ``allowed``
    stay.
    """
    if text.isascii() and text.isprintable():
        return text
    spelled = {c: f"<U+{ord(c):04X}>" for c in {*text} if c not in allowed and _is_invisible(c)}
    return "".join(spelled.get(letter, letter) for letter in text)


@lru_cache(maxsize=4096)
def _is_invisible(letter: str) -> bool:
    is_blank = not letter.isascii() and _BLANK.search(unicodedata.name(letter, ""))
    return bool(is_blank) or not letter.isprintable()


#: A word as letters alone make it.
_WORD = re.compile(r"[^\W\d_]+")


def mixes_scripts(text: str) -> bool:
    """Whether a word has letters of two scripts, of which one may look like the other's."""
    return any(len({*filter(None, map(_script, word))}) > 1 for word in _WORD.findall(text))


def with_code_points(text: str) -> str:
    """Return a text whose words of letters of two scripts have other letters than ASCII spelled."""

    def spelled(word: re.Match[str]) -> str:
        if not mixes_scripts(word[0]):
            return word[0]
        return "".join(c if c.isascii() else f"<U+{ord(c):04X}>" for c in word[0])

    return text if text.isascii() else _WORD.sub(spelled, text)


def _script(letter: str) -> str:
    """Return the script of a letter as its name says it; none of those of East Asia.

    These are written together, and with other letters.
    """
    is_east_asian = unicodedata.east_asian_width(letter) in "WFH"
    if is_east_asian and unicodedata.category(letter) in ("Lo", "Lm"):
        return ""
    return unicodedata.name(letter, "").partition(" ")[0]


@lru_cache(maxsize=4096)
def legible(text: str) -> str:
    """Return a text that may hold our own sentences: also its lines, spaces and isolates stay.

    An isolate that is closed turns nothing around it.
    """
    if text.isascii() and text.isprintable():
        return text
    spelled = visible(text, f"\n{_SPACES}{ISOLATE}{ISOLATED}")
    if ISOLATE not in spelled and ISOLATED not in spelled:
        return spelled
    closed = _closed(spelled)
    return "".join(
        visible(letter) if letter in (ISOLATE, ISOLATED) and place not in closed else letter
        for place, letter in enumerate(spelled)
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
