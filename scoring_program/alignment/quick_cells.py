"""The cells of usual CSV files as arrays, straight from their bytes, if their ids are as expected.

Lines hold an id, a comma, and one or more cells without spaces; each ends with a line end.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Floats, Ints

_COMMA, _LINE_END, _QUOTE = b',\n"'
#: What may stand between cells instead of commas.
_OTHER_DELIMITERS = b"\t;|"
#: The letters of numbers that are finite and written as CSV files do.
_OF_NUMBERS = b"0123456789+-.eE,"
#: The most letters of a word: those of the largest integer type.
LONGEST_WORD = 8

Bytes = NDArray[np.uint8]
#: Words [n] as integers, whose bytes are the letters.
Words = NDArray[np.unsignedinteger[Any]]


@dataclass(frozen=True, eq=False)
class Ids:
    """The ids of a test set in the order of its file, each with a line end."""

    content: bytes
    count: int
    #: By the length of words: what a file with words of one length looks like.
    _forms: dict[int, _Form] = field(default_factory=dict)
    _lock: Any = field(default_factory=threading.Lock)

    @cached_property
    def lengths(self) -> Ints:
        """The number of letters of each id, [n]."""
        ends = np.flatnonzero(np.frombuffer(self.content, np.uint8) == _LINE_END)
        return np.asarray(np.diff(ends, prepend=-1) - 1)

    def form(self, length: int) -> _Form:
        """Return what a file looks like whose second cells all have so many letters."""
        with self._lock:  # rather than that every thread makes it
            if length not in self._forms:
                lines = self.content.replace(b"\n", b"," + bytes(length) + b"\n")
                blank = np.frombuffer(lines, np.uint8)
                self._forms[length] = _Form(blank, np.flatnonzero(blank == 0)[::length])
            return self._forms[length]


@dataclass(frozen=True, eq=False)
class _Form:
    """The bytes of a file with zeros for its second cells, which begin at ``starts``, [n]."""

    blank: Bytes
    starts: Ints


def with_commas(content: bytes) -> bytes:
    """Return a file with commas between its cells, if its first line has another delimiter."""
    first = content[: content.find(b"\n")]
    found = [delimiter for delimiter in _OTHER_DELIMITERS if delimiter in first]
    if len(found) != 1 or _COMMA in content:
        return content
    return content.replace(bytes(found), b",")


def without_quotes(content: bytes) -> bytes | None:
    """Return a file without the quotes around its cells; None if there are other quotes.

    The content ends with a line end.
    """
    if _QUOTE not in content:
        return content
    body = np.frombuffer(content, np.uint8)
    is_quote = body == _QUOTE
    separates = (body == _COMMA) | (body == _LINE_END)
    quotes = np.flatnonzero(is_quote)
    opening, closing = quotes[::2], quotes[1::2]
    if len(opening) != len(closing) or not separates[closing + 1].all():
        return None
    inner = opening[1:] if opening[0] == 0 else opening
    if not separates[inner - 1].all():
        return None
    # Quotes are adjacent in pairs if nothing separates within them.
    if _QUOTE in body[is_quote | separates].tobytes().replace(b'""', b""):
        return None
    return content.replace(b'"', b"")


def words(body: Bytes, ids: Ids) -> Words | None:
    """Return the second cells of lines of two, [n], without a line of Python for each.

    None if the first cells are not the ids, or if a second cell has no letter or too many.
    """
    n = ids.count
    length, rest = divmod(len(body) - len(ids.content) - n, n)
    if rest == 0 and 0 < length <= LONGEST_WORD:
        found = _words_of_length(body, ids.form(length), length)
        if found is not None:
            return found
    return _words(body, ids)


def _words_of_length(body: Bytes, form: _Form, length: int) -> Words | None:
    """Return the second cells if all have so many letters."""
    rest = body.copy()
    dtype: type[np.unsignedinteger[Any]] = np.uint8 if length == 1 else np.uint64
    found = np.zeros(len(form.starts), dtype)
    for letter in range(length):
        at = form.starts + letter
        found |= rest[at].astype(found.dtype) << found.dtype.type(8 * letter)
        rest[at] = 0
    return found if np.array_equal(rest, form.blank) else None


def _words(body: Bytes, ids: Ids) -> Words | None:
    ends = np.flatnonzero(body == _LINE_END)
    if len(ends) != ids.count:
        return None
    commas = ids.lengths.copy()
    commas[1:] += ends[:-1] + 1
    letters = ends - commas - 1
    fewest, most = letters.min(), letters.max()
    if fewest < 1 or most > LONGEST_WORD or (body[commas] != _COMMA).any():
        return None
    first = np.ones(len(body), np.bool_)  # whether a byte belongs to a first cell or ends a line
    first[commas] = False
    found = np.zeros(len(ends), np.uint64)
    for letter in range(most):
        has = np.flatnonzero(letters > letter) if letter >= fewest else slice(None)
        at = commas[has] + (1 + letter)
        first[at] = False
        found[has] |= body[at].astype(np.uint64) << np.uint64(8 * letter)
    return found if body[first].tobytes() == ids.content else None


def numbers(body: Bytes, ids: Ids, width: int) -> Floats | None:
    """Return the cells after the ids, ``width`` in each line, as numbers [width, n].

    None if the first cells are not the ids, or if a cell is no number.
    """
    n = ids.count
    places = np.flatnonzero((body == _COMMA) | (body == _LINE_END))
    if body[places].tobytes() != (b"," * width + b"\n") * n:
        return None
    of_line = places.reshape(n, 1 + width)
    parts = np.empty((n, 2), np.intp)  # bytes of every id with its comma, and of what follows
    parts[:, 0] = ids.lengths + 1
    parts[:, 1] = of_line[:, -1] - of_line[:, 0]
    if (of_line[:, 0] + 1 != parts.cumsum()[::2]).any():
        return None
    of_ids = np.repeat(np.tile([True, False], n), parts.ravel())
    if body[of_ids].tobytes() != ids.content.replace(b"\n", b","):
        return None
    text = body[~of_ids][:-1].tobytes().replace(b"\n", b",")
    if text.translate(None, _OF_NUMBERS):
        return None
    try:
        found = np.fromstring(text, np.float64, sep=",")
    except (ValueError, DeprecationWarning):  # the latter where warnings are errors
        return None
    return np.ascontiguousarray(found.reshape(n, width).T) if len(found) == n * width else None
