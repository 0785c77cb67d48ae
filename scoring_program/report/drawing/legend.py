"""Legends: what the marks of a figure mean, in lines that fit its width."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .shortening import letters_of, shortened

#: A letter of a key is at most this wide on average.
LETTER = 6.5
#: Room for the mark before the text of a key, between keys, and for a line of them.
_MARK, _APART, _LINE = 30.0, 20.0, 20.0


@dataclass(frozen=True)
class Key:
    """A mark of a figure, by the name that draws and styles it, and what it means.

    A ``note`` has no mark. ``size`` is the radius of a mark that is as large as in the figure.
    """

    mark: str
    text: str
    size: float = 0.0


@dataclass(frozen=True)
class PlacedKey:
    """A key at its place: the middle of its mark, and the start of its text's baseline."""

    mark: str
    size: float
    text: str
    x: float
    y: float
    text_x: float
    text_y: float


@dataclass(frozen=True)
class Legend:
    """All keys of a figure at their places."""

    keys: tuple[PlacedKey, ...]
    height: float


def legend(keys: Iterable[Key], left: float, top: float, right: float) -> Legend:
    """Place keys side by side between ``left`` and ``right``, in as many lines as they need."""
    placed: list[PlacedKey] = []
    x, line = left, 0
    for key in keys:
        before = 0.0 if key.mark == "note" else _MARK
        text = shortened(key.text, int((right - left - before) / LETTER))
        wide = before + LETTER * letters_of(text)
        if x > left and x + wide > right:
            x, line = left, line + 1
        y = top + _LINE * line + _LINE / 2
        placed.append(PlacedKey(key.mark, key.size, text, x + 12, y, x + before, y + 4))
        x = round(x + wide + _APART, 2)
    return Legend(tuple(placed), _height(placed, top))


def _height(placed: Sequence[PlacedKey], top: float) -> float:
    return placed[-1].y + _LINE / 2 - top if placed else 0.0
