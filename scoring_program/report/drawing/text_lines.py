"""Texts on lines below each other, each at its baseline."""

from __future__ import annotations

from dataclasses import dataclass

from .shortening import broken


@dataclass(frozen=True)
class TextLine:
    """A line of text; ``y`` is its baseline."""

    y: float
    text: str


def text_lines(
    text: str, first: float, height: float, letters: int, most: int = 2
) -> tuple[TextLine, ...]:
    """Return a text in up to ``most`` lines, one at least, the first one's baseline at ``first``.

    ``height`` is that of a line, which has room for so many ``letters``.
    """
    return tuple(
        TextLine(round(first + height * number, 2), line)
        for number, line in enumerate(broken(text, letters, most) or [""])
    )
