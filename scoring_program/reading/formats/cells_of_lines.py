"""The cells of many lines at once, where every line has as many, parted by blanks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.arrays import Array, Bools, Floats, Ints, Reals

#: So many letters are split at once: few enough that memory is used again.
_CHUNK = 1 << 17
#: The usual blanks. Python takes some of the other control characters for blanks, too.
_BLANKS = " \t\n\r"
#: A whole number of so many digits, divided by a power of ten, is the number that Python reads.
_MOST_DIGITS = 15
_POWERS_OF_TEN = 10.0 ** np.arange(_MOST_DIGITS + 1)
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
        # Whatever comes before a blank, from the one before it on, is a cell or nothing.
        ends: Ints = np.flatnonzero(letters <= ord(" "))
        blanks = letters[ends]
        number_of_blanks = sum(np.count_nonzero(blanks == ord(blank)) for blank in _BLANKS)
        if number_of_blanks < blanks.size:
            return None
        line_ends = ends[blanks == ord("\n")]
        starts: Ints = np.concatenate([[0], ends[:-1] + 1])
        is_cell = starts < ends
        if not is_cell.all():
            starts = starts[is_cell]
            ends = ends[is_cell]
        if starts.size != line_ends.size * width:
            return None
        cells = cls(text, letters, starts.reshape(-1, width), ends.reshape(-1, width))
        ends_late = cells._ends[:, -1] > line_ends
        begins_early = cells._starts[1:, 0] < line_ends[:-1]
        return None if ends_late.any() or begins_early.any() else cells

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
        differs: Bools = np.ones(len(self), np.bool_)
        (by_place[:, 1:] != by_place[:, :-1]).any(axis=0, out=differs[1:])
        return np.flatnonzero(differs)

    def numbers(self, column: int, *, whole: bool = False) -> Floats | None:
        """Return the numbers of a column, such as -12.5; None if a cell is written otherwise.

        ``whole`` ones are of digits alone.
        """
        by_place = self._by_place(column)
        if by_place is None:
            return None
        digits = by_place - ord("0")  # of other letters, 10 or more
        is_digit = digits < 10
        is_point = by_place == ord(".")
        is_negative = by_place[0] == ord("-")
        # Sums of bytes are fast, and a cell has few letters.
        number_of_digits = is_digit.sum(axis=0, dtype=np.uint8)
        points = is_point.sum(axis=0, dtype=np.uint8)
        is_odd = (by_place > 0) & ~is_digit & ~is_point
        is_odd[0] &= ~is_negative
        if is_odd.any() or (whole and (is_negative.any() or points.any())):
            return None
        if number_of_digits.min() < 1 or number_of_digits.max() > _MOST_DIGITS or points.max() > 1:
            return None
        value = np.zeros(len(self), np.int64)
        for place, is_digit_here in enumerate(is_digit):
            value = np.where(is_digit_here, 10 * value + digits[place], value)
        numbers = value.astype(np.float64)
        if points.any():
            decimals = np.zeros(len(self), np.intp)
            is_decimal = np.zeros(len(self), np.bool_)
            for place, is_digit_here in enumerate(is_digit):
                is_decimal |= is_point[place]
                decimals += is_digit_here & is_decimal
            numbers /= _POWERS_OF_TEN[decimals]
        return np.negative(numbers, out=numbers, where=is_negative)

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

    def _by_place(self, column: int) -> NDArray[np.unsignedinteger[Any]] | None:
        """Return the letters of each cell [longest, lines]; 0 after its end. None if long."""
        starts = self._starts[:, column].copy()  # side by side in memory
        lengths = self._ends[:, column] - starts
        longest = int(lengths.max())
        if longest > _LONGEST:
            return None
        places = np.arange(longest)[:, None]
        # No cell is the last letter of a text, so what is read beyond it does not matter.
        by_place: NDArray[np.unsignedinteger[Any]]
        by_place = self._letters[np.minimum(starts + places, self._letters.size - 1)]
        by_place[places >= lengths] = 0
        return np.asarray(by_place)


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


def joined(parts: Sequence[Reals]) -> Reals:
    """Return the numbers of the parts of a file, one after another."""
    return np.concatenate(parts)


def equal_to_next(numbers: Reals, starts: Sequence[int], *, rising: bool) -> list[int] | None:
    """Return which numbers are equal to the next one of their stretch; None if they are unordered.

    Stretches begin at ``starts``. In order, the numbers of each fall, or are ``rising``.
    """
    before = numbers[:-1]
    after = numbers[1:]
    is_within: Bools = np.ones(before.size, np.bool_)
    is_within[np.asarray(starts[1:], np.intp) - 1] = False
    is_unordered = after < before if rising else after > before
    if (is_unordered & is_within).any():
        return None
    equal: list[int] = np.flatnonzero((after == before) & is_within).tolist()
    return equal
