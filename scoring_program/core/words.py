"""Columns of short texts as numbers: read, compared and sorted without a line of Python for each.

They take little more memory than their letters, a tenth of what Python's texts take.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import MOST_CODED, Array, Coded, Ints, distinct
from .cells import Packed

Bytes = NDArray[np.uint8]
#: The letters of a word, which is a number of eight bytes, and those of the longest text.
_WORD, _LONGEST = 8, 64
#: By the number of letters that a text has in a word: the bits of these, which come first.
_BITS = np.array([2**64 - 2 ** (64 - 8 * letters) for letters in range(_WORD + 1)], np.uint64)
_LINE_END = ord("\n")
#: Numbers are looked up by the highest 16 bits of a product (Fibonacci hashing).
_FACTORS = np.arange(64, dtype=np.uint64) * np.uint64(2) + np.uint64(0x9E3779B97F4A7C15)
_UNUSED = np.uint64(48)
#: Bytes of lines, and texts, that are handled at once.
_BLOCK, _CHUNK = 1 << 18, 1 << 16


class Words(Packed):
    """ASCII texts [n], none empty, as numbers [k, n], which are ordered as the texts are.

    Each text is k words, with zeros after its last letter; the longest needs as many.
    """

    def __init__(self, numbers: Array) -> None:
        while len(numbers) > 1 and not numbers[-1].any():
            numbers = numbers[:-1]
        self.numbers = numbers

    def __len__(self) -> int:
        return int(self.numbers.shape[1])

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, slice):
            some = Words(self.numbers[:, row])
            if "lengths" in self.__dict__:
                some.lengths = self.lengths[row]
            return some
        return next(iter(Words(self.numbers[:, [row]])))

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), _CHUNK):
            yield from self[start : start + _CHUNK].letters.astype(np.str_).tolist()

    def __contains__(self, text: object) -> bool:
        found = words([text]) if isinstance(text, str) else None
        if found is None or len(found.numbers) > len(self.numbers):
            return False
        letters = np.zeros(len(self.numbers), np.uint64)
        letters[: len(found.numbers)] = found.numbers[:, 0]
        return bool((self.numbers == letters[:, None]).all(axis=0).any())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Words):
            return np.array_equal(self.numbers, other.numbers)
        if isinstance(other, (list, tuple)):
            return len(self) == len(other) and [*self] == [*other]
        return NotImplemented

    def __hash__(self) -> int:
        return hash((*self,))  # as of the tuple that it equals

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        """Return what ``np.array`` makes of the list of the texts."""
        return np.array([*self], dtype)

    @property
    def letters(self) -> NDArray[np.bytes_]:
        """The texts as bytes, [n]."""
        of_text = np.ascontiguousarray(self.numbers.T).astype(">u8")
        return of_text.view(f"S{_WORD * len(self.numbers)}").ravel()

    @cached_property
    def lengths(self) -> Ints:
        """The number of letters of each text, [n], which a byte holds."""
        return np.char.str_len(self.letters).astype(np.uint8)

    @cached_property
    def order(self) -> Ints:
        """The rows in the order of their texts; equal ones stay in theirs."""
        keys = self.numbers[0] if len(self.numbers) == 1 else self.letters
        return np.argsort(keys, kind="stable")

    @property
    def differ(self) -> bool:
        """Whether no two texts are equal."""
        ordered = [word[self.order] for word in self.numbers]
        differ = [word[1:] != word[:-1] for word in ordered]
        return bool(np.logical_or.reduce(differ).all())

    def take(self, rows: Sequence[int] | Ints) -> Words:
        """Return the texts of some rows."""
        return Words(self.numbers[:, np.asarray(rows, np.intp)])

    def coded(self) -> Coded | None:
        """Return texts of one word by code; None of longer ones, or if too many are different."""
        numbers, *more = self.numbers
        if more:
            return None
        for known in map(distinct, (numbers[: 2 * MOST_CODED], numbers)):
            if len(known) > MOST_CODED:
                return None
            if (codes := places_among(known, numbers)) is not None:
                break
        return None if codes is None else Coded(codes, [*Words(known[None])])


def places_among(known: Array, numbers: Array) -> Array | None:
    """Return the places [n] of numbers among others, at most 256; None if one is not there."""
    for factor in _FACTORS:  # the first of which the products differ in their highest bits
        slots = known * factor >> _UNUSED
        if len(distinct(slots)) == len(known):
            break
    else:
        return None
    table = np.zeros(1 << 16, np.uint8)
    table[slots] = np.arange(len(known))
    places = np.empty(len(numbers), np.uint8)
    for start in range(0, len(numbers), _CHUNK):  # which stay in the processor's cache
        some = slice(start, start + _CHUNK)
        places[some] = table[numbers[some] * factor >> _UNUSED]
        if not np.array_equal(known[places[some]], numbers[some]):
            return None
    return places


def words(texts: Sequence[str]) -> Words | None:
    """Return texts as words; None if one is empty, long or not of ASCII, or if there is none."""
    if isinstance(texts, Words):
        return texts
    lines = "\n".join([*texts, ""])
    if not (texts and lines.isascii()) or "\0" in lines or lines.count("\n") != len(texts):
        return None
    columns = columns_of(lines.encode(), "\n")
    return columns[0] if columns else None


def blocks(lines: bytes, start: int = 0) -> Iterator[Bytes]:
    """Yield the letters of some lines after others, each with the room that `words_at` needs.

    Arrays about so few lines stay in the processor's cache.
    """
    while start < len(lines):
        end = lines.find(b"\n", start + _BLOCK) + 1 or len(lines)
        yield np.frombuffer(lines[start:end] + bytes(_WORD), np.uint8)
        start = end


def after(ends: Ints) -> Ints:
    """Return where texts begin that follow each other, from where each ends."""
    starts = np.zeros_like(ends)
    starts[1:] = ends[:-1] + 1
    return starts


def words_at(letters: Bytes, starts: Ints, ends: Ints) -> Words | None:
    """Return the texts [n] at some places of letters; None if one is empty or long, or none is.

    Eight more bytes are behind the last one.
    """
    lengths = ends - starts
    if not len(lengths) or lengths.min() < 1 or lengths.max() > _LONGEST:
        return None
    at = np.ndarray(len(letters) - _WORD + 1, ">u8", letters, strides=(1,))  # a word at each byte
    found = np.empty((-(-int(lengths.max()) // _WORD), len(lengths)), np.uint64)
    for place, word in enumerate(found):
        first = _WORD * place
        word[:] = at[np.minimum(starts + first, len(at) - 1) if place else starts]
        word &= _BITS.take(lengths - first if place else lengths, mode="clip")
    return Words(found)


def columns_of(lines: bytes, delimiter: str) -> list[Words] | None:
    """Return the columns of lines of cells, all of ASCII; None if they are no words.

    None also if two lines have another number of cells. A line end ends the last one, too.
    """
    width = lines.count(delimiter.encode(), 0, lines.find(b"\n")) + 1
    found: list[list[Words]] = [[] for _ in range(width)]
    for letters in blocks(lines):
        ends = np.flatnonzero((letters == ord(delimiter)) | (letters == _LINE_END))
        is_last = letters[ends] == _LINE_END
        if len(ends) % width or not np.array_equal(
            np.flatnonzero(is_last), np.arange(width - 1, len(ends), width)
        ):
            return None
        starts = after(ends)
        for place, column in enumerate(found):
            cells = words_at(letters, starts[place::width], ends[place::width])
            if cells is None:
                return None
            column.append(cells)
    return [_joined(column) for column in found]


def _joined(columns: Sequence[Words]) -> Words:
    """Return the texts of columns one after the other."""
    most = max(len(column.numbers) for column in columns)
    numbers = np.zeros((most, sum(map(len, columns))), np.uint64)
    start = 0
    for column in columns:
        numbers[: len(column.numbers), start : start + len(column)] = column.numbers
        start += len(column)
    return Words(numbers)
