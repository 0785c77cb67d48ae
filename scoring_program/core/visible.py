"""Texts that others wrote, such as names and cells, made visible before they are shown.

This module needs only the standard library, because the starting kit contains it.
"""

from __future__ import annotations

import re
import unicodedata

#: Characters that Unicode calls letters, marks or symbols although they show nothing, by what their
#: names have in common. The categories of the others say that they do not print.
_BLANK = re.compile(
    r"FILLER|VARIATION SELECTOR|GRAPHEME JOINER|VOWEL INHERENT|PATTERN BLANK|NULL NOTEHEAD"
)


def visible(text: str, kept: str = "") -> str:
    """Return a text in which every character is visible: others become <U+202E> and the like.

    Control characters could control a terminal, bidirectional ones reorder a line, invisible ones
    make two names look alike, and bytes that are not text cannot be written. Those ``kept`` stay.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        f"<U+{ord(letter):04X}>" if letter not in kept and _is_invisible(letter) else letter
        for letter in text
    )


def _is_invisible(letter: str) -> bool:
    if letter.isascii() or not letter.isprintable():
        return not letter.isprintable()
    return _BLANK.search(unicodedata.name(letter, "")) is not None


def cut(text: str, most: int) -> str:
    """Return at most ``most`` characters of a text, and the number of the others."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text) - most} more characters)"
