"""Names for array types, whose shapes docstrings state, and columns that are kept as numbers.

Columns of few values are kept by code, and those of short texts by their letters. They are read,
compared and sorted without a line of Python for each text, in little more memory than their
letters, a tenth of what Python's texts take.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .cells import Packed, Repeated

Floats = NDArray[np.float64]
#: In double or in single precision.
Reals = NDArray[np.floating[Any]]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]
Array = NDArray[Any]


#: So many elements at most are handled at once: they stay in the processor's cache.
_CHUNK = 1 << 16
#: The most whole numbers between the least and the largest of values that are ticked off.
_TICKED = 1 << 16


def chunks(n: int, least: int = 1) -> Iterator[slice]:
    """Yield the places of n elements, few at a time: what is made of them takes little memory.

    There are ``least`` of them at a time, if that is more.
    """
    step = max(_CHUNK, least)
    for start in range(0, n, step):
        yield slice(start, start + step)


def distinct(values: Array) -> Array:
    """Return the sorted distinct values.

    Whole numbers that lie close are ticked off, not sorted. ``np.unique`` imports numpy.ma, a tenth
    of a short run, unless it is asked for more.
    """
    if values.dtype.kind == "i" and values.size:
        low = int(values.min())
        width = int(values.max()) - low + 1
        if width <= min(_TICKED, values.size):
            flat = values.ravel()
            occurs = np.zeros(width, np.bool_)
            for some in chunks(flat.size):
                occurs[flat[some].astype(np.int64) - low] = True
            return (np.flatnonzero(occurs) + low).astype(values.dtype)
    return np.unique(values, return_counts=True)[0]


def median(values: Floats) -> Any:
    """Return the medians along the first axis, NaN where a value is; see `distinct`."""
    ordered = np.sort(values, axis=0)
    last = len(ordered) - 1
    middle = (ordered[last // 2] + ordered[(last + 1) // 2]) / 2
    return np.where(np.isnan(ordered[last]), np.nan, middle)


# Columns ------------------------------------------------------------------------------------------

#: So many values at most: a byte tells them apart, and NumPy sorts bytes by counting them.
MOST_CODED = 256
#: So many values at most are compared with all rows, one after the other.
_COMPARED = 16
#: The most bytes of a value that are copied row by row as an array.
_LONGEST_LINE = 32


class Coded(Repeated):
    """A column [n] whose value i is ``values[codes[i]]``; it equals the list of its values.

    Some of the ``values`` may occur nowhere.
    """

    __hash__ = None  # type: ignore[assignment] # as of a list

    def __init__(self, codes: Array, values: Sequence[Any]) -> None:
        self.codes = codes
        self.values = values

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, slice):
            return Coded(self.codes[row], self.values)
        return self.values[self.codes[row]]

    def __iter__(self) -> Iterator[Any]:
        return map(self.values.__getitem__, self.codes.tolist())

    def __contains__(self, value: object) -> bool:
        return value in self.present

    def __eq__(self, cells: object) -> bool:
        if isinstance(cells, (Coded, list, tuple)):
            return len(self) == len(cells) and all(map(operator.eq, self, cells))
        return NotImplemented

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        """Return what ``np.array`` makes of the list of its values."""
        place: Array = np.cumsum(self._occurs) - 1  # of a value among those that occur
        present = np.array(self.present, dtype)
        if not len(self):
            return present
        of_code = present[np.maximum(place, 0)]
        values = np.empty(len(self), present.dtype)
        for some in chunks(len(self)):
            values[some] = of_code[self.codes[some]]
        return values

    @cached_property
    def times(self) -> Ints:
        """How often each of the ``values`` occurs."""
        times = np.zeros(len(self.values), np.intp)
        for some in chunks(len(self)):
            times += np.bincount(self.codes[some], minlength=len(self.values))
        return times

    @property
    def _occurs(self) -> Bools:
        return np.asarray(self.times > 0)

    @property
    def present(self) -> list[Any]:
        """The values that occur."""
        return [*compress(self.values, self._occurs)]

    def map(self, function: Callable[[Any], Any]) -> Coded:
        """Return the function's value of every row."""
        return Coded(self.codes, [*map(function, self.values)])

    def take(self, rows: Sequence[int] | Array) -> Coded:
        """Return the values of some rows."""
        return Coded(self.codes[np.asarray(rows, np.intp)], self.values)

    def in_order(self) -> Coded:
        """Return the same with the values that occur alone, in their order."""
        present = sorted(self.present)
        place_of = {value: place for place, value in enumerate(present)}
        places = np.array([place_of.get(value, 0) for value in self.values], np.uint8)
        return Coded(places[self.codes], present)

    def lines(self) -> bytes:
        """Return the values, which are texts, with line ends between them, in UTF-8."""
        lines = [f"{value}\n".encode() for value in self.values]
        longest = max(map(len, lines), default=0)
        if longest > _LONGEST_LINE:
            return "\n".join(self).encode()
        letters = np.frombuffer(b"".join(line.ljust(longest) for line in lines), np.uint8)
        of_row = letters.reshape(len(lines), longest)[self.codes]
        lengths = np.array([*map(len, lines)])
        if lengths.min() < longest:
            of_row = of_row[(np.arange(longest) < lengths[:, None])[self.codes]]
        return of_row.tobytes()[:-1]

    def order(self) -> Array:
        """Return the rows in the order of their values; equal ones stay in theirs."""
        ranked = sorted(range(len(self.values)), key=self.values.__getitem__)
        return np.argsort(np.argsort(ranked).astype(np.uint8)[self.codes], kind="stable")


def coded(values: Array) -> Coded | None:
    """Return integers, flags or texts of NumPy [n] by code; None if there are too many values."""
    if not len(values):
        return None
    if values.dtype.kind in "iu" and values.dtype.itemsize > 1:
        least = int(values.min())
        most = int(values.max())
        if most - least < MOST_CODED:
            codes = (values - values.dtype.type(least)).astype(np.uint8)
            return Coded(codes, [*range(least, most + 1)])
    first = distinct(values[:MOST_CODED])
    if len(first) <= _COMPARED:
        codes = np.zeros(len(values), np.uint8)
        rows_coded = 0
        for place, value in enumerate(first):
            same = values == value
            codes[same] = place
            rows_coded += int(np.count_nonzero(same))
        if rows_coded == len(values):
            return Coded(codes, first.tolist())
    return coded_cells(values.tolist())


def coded_cells(cells: Sequence[Any]) -> Coded | None:
    """Return a column by code; None if it has too many values."""
    values = {*cells[: 2 * MOST_CODED]}
    if len(values) > MOST_CODED or len(values := {*cells}) > MOST_CODED:
        return None
    code_of = {value: place for place, value in enumerate(values)}
    return Coded(np.fromiter(map(code_of.__getitem__, cells), np.uint8, len(cells)), [*code_of])


# Columns of short texts as numbers ----------------------------------------------------------------


Bytes = NDArray[np.uint8]
#: The letters of a word, which is a number of eight bytes, and those of the longest text.
_WORD = 8
_LONGEST = 64
#: By the number of letters that a text has in a word: the bits of these, which come first.
_BITS = np.array([2**64 - 2 ** (64 - 8 * letters) for letters in range(_WORD + 1)], np.uint64)
_LINE_END, _QUOTE = b'\n"'
#: The letters of numbers that are finite, and of what is around them.
_OF_NUMBERS = b'0123456789+-.eE"\n'
#: Numbers are looked up by the highest 16 bits of a product (Fibonacci hashing).
_FACTORS = np.arange(64, dtype=np.uint64) * np.uint64(2) + np.uint64(0x9E3779B97F4A7C15)
_UNUSED = np.uint64(48)
_POWERS = _FACTORS[0] ** np.arange(_LONGEST // _WORD, dtype=np.uint64)
#: Sorts what is in order in long runs, as most ids are, in a moment.
_OF_RUNS: Literal["stable"] = "stable"
#: Columns with more rows are worth a code.
_LONG_COLUMN = 1 << 12
#: Bytes of lines that are handled at once.
_BLOCK = 1 << 18


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
            part = Words(self.numbers[:, row])
            if self.__dict__.get("different_count") == len(self):  # so no two of these are equal
                part.__dict__["different_count"] = len(part)
            return part
        return next(iter(Words(self.numbers[:, [row]])))

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), _CHUNK):
            yield from self[start : start + _CHUNK].letters.astype(np.str_).tolist()

    def __contains__(self, text: object) -> bool:
        query = words([text]) if isinstance(text, str) else None
        if query is None or len(query.numbers) > len(self.numbers):
            return False
        letters = np.zeros(len(self.numbers), np.uint64)
        letters[: len(query.numbers)] = query.numbers[:, 0]
        return bool((self.numbers == letters[:, None]).all(axis=0).any())

    def __eq__(self, texts: object) -> bool:
        if isinstance(texts, Words):
            return np.array_equal(self.numbers, texts.numbers)
        if isinstance(texts, (list, tuple)):
            return len(self) == len(texts) and [*self] == [*texts]
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

    def order(self) -> Ints:
        """Return the rows in the order of their texts, which differ."""
        keys = self.numbers[0] if len(self.numbers) == 1 else self.letters
        return np.argsort(keys, kind=_OF_RUNS)

    @property
    def differ(self) -> bool:
        """Whether no two texts are equal."""
        return self.different_count == len(self)

    @cached_property
    def different_count(self) -> int:
        """How many texts are different."""
        if not len(self):
            return 0
        of_keys = _different_neighbors([np.sort(self._keys, kind=_OF_RUNS)])
        if len(self.numbers) == 1 or of_keys == len(self):
            return of_keys
        order = np.argsort(self._keys, kind=_OF_RUNS)
        if _different_neighbors([word[order] for word in self.numbers]) == of_keys:
            return of_keys
        return _different_neighbors([np.sort(self.letters, kind=_OF_RUNS)])  # two share a key

    @cached_property
    def floats(self) -> Floats | None:
        """The texts as numbers [n], without a text of Python for each; None if one is no number."""
        if self.hold("_"):  # which Python reads as a separator of digits
            return None
        try:
            return self.letters.astype(np.float64)
        except ValueError:
            return None

    @property
    def are_strings(self) -> bool:
        """Whether every value is a text: all are."""
        return True

    def hold(self, sign: str) -> bool:
        """Whether a text holds a sign of ASCII."""
        return sign.encode("ascii") in self.numbers.tobytes()

    def take(self, rows: Sequence[int] | Ints) -> Words:
        """Return the texts of some rows."""
        return Words(self.numbers[:, np.asarray(rows, np.intp)])

    def places_of(self, texts: Words) -> Ints:
        """Return the places [m] of texts among these, which differ; raise Unusual if one is not."""
        if len(texts.numbers) > len(self.numbers):
            raise Unusual
        order, keys = self._by_key
        ranks = np.searchsorted(keys, texts._keys)
        places = order[np.minimum(ranks, len(order) - 1)]
        if self.take(places) != texts:
            raise Unusual
        return places

    @cached_property
    def _by_key(self) -> tuple[Ints, Array]:
        order = np.argsort(self._keys, kind=_OF_RUNS)
        return order, self._keys[order]

    @property
    def _keys(self) -> Array:
        """One number for each text, [n], which hardly any two share; of one word, none do."""
        if len(self.numbers) == 1:
            return np.asarray(self.numbers[0])
        return np.asarray(_POWERS[: len(self.numbers)] @ self.numbers)

    def coded(self) -> Coded | None:
        """Return texts of one word by code; None of longer ones, or if too many are different."""
        numbers, *more = self.numbers
        if more:
            return None
        for different in map(distinct, (numbers[: 2 * MOST_CODED], numbers)):
            if len(different) > MOST_CODED:
                return None
            if (codes := places_among(different, numbers)) is not None:
                break
        return None if codes is None else Coded(codes, [*Words(different[None])])


def _different_neighbors(columns: Sequence[Array]) -> int:
    """Return how many rows [n] differ from the one before in one of the columns, and the first."""
    differs = np.zeros(len(columns[0]) - 1, np.bool_)
    for column in columns:
        differs |= column[1:] != column[:-1]
    return int(np.count_nonzero(differs)) + 1


def places_among(different: Array, numbers: Array) -> Array | None:
    """Return the places [n] of numbers among others, at most 256; None if one is not there."""
    for factor in _FACTORS:  # the first of which the products differ in their highest bits
        slots = different * factor >> _UNUSED
        if len(distinct(slots)) == len(different):
            break
    else:
        return None
    table = np.zeros(1 << 16, np.uint8)
    table[slots] = np.arange(len(different))
    places = np.empty(len(numbers), np.uint8)
    for start in range(0, len(numbers), _CHUNK):  # which stay in the processor's cache
        some = slice(start, start + _CHUNK)
        places[some] = table[numbers[some] * factor >> _UNUSED]
        if not np.array_equal(different[places[some]], numbers[some]):
            return None
    return places


def words(texts: Sequence[str]) -> Words | None:
    """Return texts as words; None if one is empty, long, not of ASCII or with a quote, or none."""
    if isinstance(texts, Words):
        return texts
    lines = "\n".join([*texts, ""])
    if not (texts and lines.isascii()) or lines.count("\n") != len(texts):
        return None
    if "\0" in lines or '"' in lines:
        return None
    columns = columns_of(lines.encode(), "\n")
    return columns[0] if columns else None


class Unusual(Exception):
    """Some cells are not as in most files: to be read with care, which takes more time."""


@dataclass(frozen=True, eq=False)
class CellBlock:
    """The cells of some lines, all of ASCII, and where each starts and ends, [n, c].

    Eight more bytes are behind the last line.
    """

    letters: Bytes
    delimiter: bytes
    starts: Ints
    ends: Ints

    def __len__(self) -> int:
        return len(self.ends)

    def columns(self) -> list[Words]:
        """Return the texts of every column, [c, n]; raise Unusual if one is empty or long."""
        return [self.words(column) for column in range(self.ends.shape[1])]

    def words(self, column: int) -> Words:
        """Return the texts of a column, [n]; raise Unusual if one is empty or long."""
        starts = self.starts[:, column]
        lengths = self.ends[:, column] - starts
        if lengths.min() < 1 or lengths.max() > _LONGEST:
            raise Unusual
        # A word at each byte.
        word_from = np.ndarray(len(self.letters) - _WORD + 1, ">u8", self.letters, strides=(1,))
        numbers = np.empty((-(-int(lengths.max()) // _WORD), len(lengths)), np.uint64)
        for place, word in enumerate(numbers):
            first = _WORD * place
            word[:] = word_from[np.minimum(starts + first, len(word_from) - 1) if place else starts]
            word &= _BITS.take(lengths - first if place else lengths, mode="clip")
        return Words(numbers)

    def numbers(self) -> Floats:
        """Return the cells after the first column as numbers, [c - 1, n].

        Raises Unusual if one is no finite number as CSV files mostly write it.
        """
        first = np.stack([self.starts[:, 0], self.ends[:, 0]], axis=1).ravel()
        parts = np.diff(first, prepend=0, append=len(self.letters) - _WORD)
        is_after = np.repeat(np.arange(len(parts)) % 2 == 0, parts)
        text = self.letters[: len(is_after)][is_after].tobytes()
        if text.translate(None, _OF_NUMBERS + self.delimiter):
            raise Unusual
        text = text.translate(None, b'"\n').replace(self.delimiter, b",")
        try:
            values = np.fromstring(text[1:], np.float64, sep=",")
        except (ValueError, DeprecationWarning) as error:  # the latter where warnings are errors
            raise Unusual from error
        if len(values) != self.ends[:, 1:].size:
            raise Unusual
        return values.reshape(len(self), -1).T


def scan(lines: bytes, delimiter: str, start: int = 0) -> Iterator[CellBlock]:
    """Yield the cells of lines from a place on, of so few that they stay in the processor's cache.

    A line end ends the last line, too. Quotes may stand around cells. Raises Unusual if a quote
    stands elsewhere, or if a line has another number of cells than the first one.
    """
    mark = delimiter.encode()
    marks = mark * lines.count(mark, 0, lines.find(b"\n")) + b"\n"  # of a line
    while start < len(lines):
        end = lines.find(b"\n", start + _BLOCK) + 1 or len(lines)
        block = lines[start:end] + bytes(_WORD)
        start = end
        letters = np.frombuffer(block, np.uint8)
        ends = np.flatnonzero((letters == ord(mark)) | (letters == _LINE_END))
        if letters[ends].tobytes() != marks * (len(ends) // len(marks)):
            raise Unusual
        starts = np.zeros_like(ends)
        starts[1:] = ends[:-1] + 1
        if b'"' in block:
            opened = letters[starts] == _QUOTE
            closed = letters[ends - 1] == _QUOTE
            each_once = 2 * np.count_nonzero(opened) == block.count(b'"')
            if not each_once or not np.array_equal(opened, closed):
                raise Unusual
            starts = starts + opened
            ends = ends - closed
        shape = (-1, len(marks))
        yield CellBlock(letters, mark, starts.reshape(shape), ends.reshape(shape))


def with_few_by_code(columns: Sequence[Words]) -> list[Words | Coded]:
    """Return long columns of few texts by code, in an eighth of the memory, and others as words."""
    short: list[Words | Coded] = []
    for column in columns:
        by_code = column.coded() if len(column) > _LONG_COLUMN else None
        short.append(column if by_code is None else by_code)
    return short


def columns_of(lines: bytes, delimiter: str) -> list[Words] | None:
    """Return the columns of lines as `scan` finds them; None if they are no words."""
    rows = lines.count(b"\n")
    columns: list[Array] = []
    first = 0
    try:
        for block in scan(lines, delimiter):
            last = first + len(block)
            texts_of_block = block.columns()
            columns = columns or [np.zeros((1, rows), np.uint64) for _ in texts_of_block]
            for place, texts in enumerate(texts_of_block):
                more = len(texts.numbers) - len(columns[place])
                if more > 0:
                    further = np.zeros((more, rows), np.uint64)
                    columns[place] = np.concatenate([columns[place], further])
                columns[place][: len(texts.numbers), first:last] = texts.numbers
            first = last
    except Unusual:
        return None
    return [Words(numbers) for numbers in columns]
