"""The cells of many lines at once, where every line has as many, parted by blanks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.arrays import Array, Bools, Floats, Ints

#: So many letters are split at once: few enough that memory is used again.
_CHUNK = 1 << 17
#: The usual blanks. Python takes some of the other control characters for blanks, too.
_BLANKS = " \t\n\r"
#: A whole number of so many digits, divided by a power of ten, is the number that Python reads.
_MOST_DIGITS = 15
#: Cells of more letters than this are none of such numbers, and are not compared here.
_LONGEST = 32
_ALL = slice(None)


class CellsOfLines:
    """The cells of some lines, ``width`` in each; ``starts`` and ``ends`` are [lines, width]."""

    def __init__(self, text: str, letters: Array, starts: Ints, ends: Ints) -> None:
        self._text = text
        self._letters = letters
        self._starts = starts
        self._ends = ends

    @classmethod
    def from_text(cls, text: str, width: int) -> CellsOfLines | None:
        """Return the cells of whole lines; None if a line has more or fewer, or odd letters."""
        letters: NDArray[np.unsignedinteger[Any]]
        if text.isascii():
            letters = np.frombuffer(text.encode("ascii"), np.uint8)
        elif any(letter.isspace() and not letter.isascii() for letter in {*text}):
            return None
        else:
            letters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        # Before the first letter, there is a blank; the last one is the end of a line.
        is_blank = np.ones(letters.size + 1, np.bool_)
        np.less_equal(letters, ord(" "), out=is_blank[1:])
        if np.count_nonzero(is_blank[1:]) > sum(map(text.count, _BLANKS)):
            return None
        changes = np.flatnonzero(is_blank[1:] != is_blank[:-1])
        starts = changes[::2]
        ends = changes[1::2]
        line_ends = np.flatnonzero(letters == ord("\n"))
        if starts.size != line_ends.size * width:
            return None
        starts = starts.reshape(-1, width)
        ends = ends.reshape(-1, width)
        if (ends[:, -1] > line_ends).any() or (starts[1:, 0] < line_ends[:-1]).any():
            return None
        return cls(text, letters, starts, ends)

    def __len__(self) -> int:
        return len(self._starts)

    def texts(self, column: int, lines: Ints | slice = _ALL) -> list[str]:
        """Return the cells of a column, of all lines or of some."""
        text = self._text
        starts = self._starts[lines, column].tolist()
        ends = self._ends[lines, column].tolist()
        return [text[start:end] for start, end in zip(starts, ends, strict=True)]

    def changes(self, column: int) -> Ints:
        """Return the lines, 0 first, whose cell differs from that of the line before."""
        by_place = self._by_place(column)
        if by_place is None:
            cells = self.texts(column)
            return np.array(
                [0, *(row for row in range(1, len(cells)) if cells[row] != cells[row - 1])]
            )
        differs: Bools = np.zeros(len(self), np.bool_)
        differs[0] = True
        for letters in by_place:
            differs[1:] |= letters[1:] != letters[:-1]
        return np.flatnonzero(differs)

    def numbers(self, column: int, *, whole: bool = False) -> Floats | None:
        """Return the numbers of a column, such as -12.5; None if a cell is written otherwise.

        ``whole`` ones are of digits alone.
        """
        by_place = self._by_place(column)
        if by_place is None:
            return None
        is_negative = by_place[0] == ord("-")
        digits = np.zeros(len(self), np.int64)
        decimals = np.zeros(len(self), np.intp)
        points = np.zeros(len(self), np.intp)
        value = np.zeros(len(self), np.int64)
        for place, letters in enumerate(by_place):
            digit = letters - ord("0")  # of other letters, 10 or more
            is_digit = digit < 10
            digits += is_digit
            is_odd = ~is_digit & (letters > 0)
            if is_odd.any():
                is_point = letters == ord(".")
                is_sign = is_negative if place == 0 else np.zeros_like(is_negative)
                if whole or (is_odd & ~is_point & ~is_sign).any():
                    return None
                points += is_point
            decimals += is_digit & (points > 0)
            value = np.where(is_digit, 10 * value + digit, value)
        if digits.min() < 1 or digits.max() > _MOST_DIGITS or points.max() > 1:
            return None
        numbers = value / 10.0 ** np.arange(_MOST_DIGITS + 1)[decimals]
        return np.asarray(np.where(is_negative, -numbers, numbers))

    def numbers_of_texts(self, column: int, *, whole: bool = False) -> Floats | None:
        """Return the numbers of a column as Python reads them; None if a cell is none.

        ``whole`` ones have no point.
        """
        numbers = self.numbers(column, whole=whole)
        if numbers is not None:
            return numbers
        texts = self.texts(column)
        if "_" in "".join(texts):  # which Python reads as a separator of digits
            return None
        try:
            return np.array([*map(float, map(int, texts) if whole else texts)])
        except (ValueError, OverflowError):
            return None

    def _by_place(self, column: int) -> list[NDArray[np.unsignedinteger[Any]]] | None:
        """Return the first letter of each cell, the second, …; 0 after its end. None if long."""
        starts = self._starts[:, column]
        lengths = self._ends[:, column] - starts
        longest = int(lengths.max())
        if longest > _LONGEST:
            return None
        # No cell is the last letter of a text, so what is read beyond it does not matter.
        last = self._letters.size - 1
        by_place = []
        for place in range(longest):
            letters = self._letters[np.minimum(starts + place, last)]
            letters[lengths <= place] = 0
            by_place.append(letters)
        return by_place


def split(text: str, width: int) -> Iterator[CellsOfLines | None]:
    """Yield the cells of some lines at a time; None, at last, if a line has not ``width``."""
    end = 0
    while end < len(text):
        start = end
        end = text.find("\n", end + _CHUNK) + 1 or len(text)
        cells = CellsOfLines.from_text(text[start:end], width)
        yield cells
        if cells is None:
            return
