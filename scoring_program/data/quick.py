"""The usual file, read without a careful look at every cell: an id and predictions in every line.

Whatever is unusual in a file, such as spaces, other spellings or any defect, is left to
`submission`, which understands it and has the messages.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Array, Floats, Ints
from ..core.cells import LARGEST, PROBABILITY_TOLERANCE, Label
from ..core.errors import SubmissionError
from ..core.phrases import Phrase
from ..reading.formats.kind import ROWS
from ..reading.table import Table
from . import entry
from .joining.expected import BY_CLASS, Expected, Target
from .joining.submission import roles

#: The letters that a usual file holds nowhere; a comma stands between its cells.
_UNUSUAL = frozenset('",\r\t ;|\0')
_MOST_LABELS = 255  # what a byte tells apart
#: The most letters of a number, and of what is around a cell: quotes, and a comma or a line end.
_LONGEST_NUMBER, _AROUND_CELL = 32, 4
#: The roles of columns follow from their names; so many lines below them stand for all.
_HEAD = 3
_LONGEST_HEADER = 1 << 16
_NUMBERS = frozenset(("numbers", *BY_CLASS))
#: The error of a sum of probabilities that is due to another order of the terms.
_ROUNDING = 1e-9


#: Where the predictions are in a usual file, whose first column holds the ids, and notes: the
#: columns after the first, those of the target, from 0.
_Roles = tuple[tuple[int, ...], tuple[Phrase, ...]]


@dataclass(frozen=True, eq=False)
class QuickReader:
    """Reads usual CSV files for one test set, of ids and one target.

    What that takes follows the test set, whatever lies in the file.
    """

    target: Target
    labels: tuple[Label, ...]
    above: float | None  # the bound that numbers must exceed, if there is one
    ids: Ids
    rows: Ints  # [n] place of every example in the order of the ids
    head: Expected  # for the first examples alone
    #: By header, once they are known: most files have the same.
    known_roles: dict[bytes, _Roles | None] = field(default_factory=dict)

    @classmethod
    def from_expected(cls, expected: Expected) -> QuickReader | None:
        """Return the reader for a test set; None if no file for it is usual."""
        in_file = expected.ids_in_file
        if (
            in_file is None
            or expected.kind != ROWS
            or expected.n < _HEAD
            or expected.keep_columns
            or len(expected.targets) != 1
        ):
            return None
        ((target, labels),) = expected.targets.items()
        if not (target.kind in _NUMBERS or (target.kind == "labels" and _are_words(labels))):
            return None
        ids = "\n".join([*in_file, ""])
        if not _is_usual(ids) or ids.count("\n") != expected.n:
            return None
        first = replace(
            expected,
            ids=tuple(in_file[:_HEAD]),
            positions=range(_HEAD),
            total=_HEAD,
            missing="error",
        )
        rows = np.asarray(expected.positions, np.intp)
        above = expected.above.get(target.column)
        return cls(target, labels, above, Ids(ids.encode(), expected.n), rows, first)

    def read(self, content: bytes, file: str) -> tuple[Array, tuple[Phrase, ...]] | None:
        """Return the predictions [n] or [n, c] and notes, as `entry.align` would, or None."""
        if len(content) > self._longest or b"\0" in content:  # of words, it would be no letter
            return None
        if content[: content.find(b"\n") + 1].endswith(b"\r\n"):
            content = content.replace(b"\r\n", b"\n")
        if not content.endswith(b"\n"):
            content += b"\n"
        plain = without_quotes(with_commas(content))
        plain = None if plain is None else in_order(plain, self.ids)
        found = None if plain is None else self._roles(plain[:_LONGEST_HEADER], file)
        if plain is None or found is None:
            return None
        order, notes = found
        body = np.frombuffer(plain, np.uint8, offset=plain.find(b"\n") + 1)
        if self.target.kind == "labels":
            cells = words(body, self.ids)
            predictions = None if cells is None else self._labelled(cells)
        else:
            columns = numbers(body, self.ids, len(order))
            predictions = None if columns is None else self._numbered(columns[[*order]])
        return None if predictions is None else (predictions, notes)

    @cached_property
    def _longest(self) -> int:
        """The bytes of the longest usual file."""
        of_words = self.target.kind == "labels"
        cells = 1 if of_words else max(1, len(self.labels))
        longest = LONGEST_WORD if of_words else _LONGEST_NUMBER
        of_example = 2 * _AROUND_CELL + cells * (longest + _AROUND_CELL)
        return len(self.ids.content) + len(self.rows) * of_example + _LONGEST_HEADER

    def _roles(self, start: bytes, file: str) -> _Roles | None:
        """Return the roles of columns, if the first holds the ids and all others predictions."""
        header = start.partition(b"\n")[0]
        if header not in self.known_roles:
            self.known_roles[header] = self._roles_on(start, file)
        return self.known_roles[header]

    def _roles_on(self, start: bytes, file: str) -> _Roles | None:
        lines = start.split(b"\n")[: _HEAD + 1]
        rows = [line.decode("latin-1").split(",") for line in lines]
        if len(rows) <= _HEAD or len({len(row) for row in rows}) != 1:
            return None
        header, of_words = rows[0], self.target.kind == "labels"
        line = f"{header[0]}\n".encode()
        is_id = b"\n" + line in self.ids.content or self.ids.content.startswith(line)
        is_label = of_words and not {*header}.isdisjoint(map(str, self.labels))
        if is_id or is_label or not _is_usual("".join(header)):
            return None  # the line may be an example
        columns = list(zip(*rows, strict=True))
        try:
            id_column, names, notes = roles(Table(file, columns, range(1, _HEAD + 2)), self.head)
        except SubmissionError:
            return None
        if id_column != header[0] or {*names} != {*header[1:]} or (of_words and len(names) > 1):
            return None
        return tuple(map(header[1:].index, names)), notes

    def _labelled(self, found: Words) -> Array | None:
        """Return every example's label, [n]; None if one is written differently."""
        codes = np.zeros(len(found), np.uint8)
        present, known = [], 0
        for code, label in enumerate(self.labels):
            letters = str(label).encode()
            if len(letters) > found.itemsize:
                continue
            has_it = found == int.from_bytes(letters, "little")
            if count := int(np.count_nonzero(has_it)):
                codes[has_it] = code
                present.append(code)
                known += count
        if known < len(found):
            return None
        # The type of an array of texts follows from the longest one in it.
        labels = np.array([self.labels[code] for code in present])
        of_code = np.zeros(len(self.labels), labels.dtype)
        of_code[present] = labels
        return of_code[codes[self.rows]]

    def _numbered(self, found: Floats) -> Array | None:
        """Return every example's numbers, [n] or [n, c], from columns [c, n]; None if some are
        wrong.
        """
        if not (np.abs(found) < LARGEST).all():
            return None
        if self.above is not None and found.min() <= self.above:
            return None
        if self.target.kind == "probabilities":
            sums = found.sum(axis=0)
            if found.min() < 0 or found.max() > 1:
                return None
            if len(found) > 1 and (np.abs(sums - 1) > PROBABILITY_TOLERANCE - _ROUNDING).any():
                return None
        return entry.of_numbers(np.ascontiguousarray(found[:, self.rows]).T, self.target.kind)


def _is_usual(text: str) -> bool:
    return text.isascii() and not any(letter in text for letter in _UNUSUAL)


def _are_words(labels: tuple[Label, ...]) -> bool:
    texts = list(map(str, labels))
    return 0 < len(texts) <= _MOST_LABELS and all(
        _is_usual(text) and 0 < len(text) <= LONGEST_WORD and "\n" not in text for text in texts
    )


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
    def every(self) -> list[bytes]:
        """The ids, [n]."""
        return self.content.split(b"\n")[:-1]

    @property
    def ends(self) -> tuple[bytes, bytes]:
        """The first and the last id."""
        last = self.content.rfind(b"\n", 0, -1) + 1
        return self.content[: self.content.find(b"\n")], self.content[last:-1]

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
                self._forms[length] = blank, np.flatnonzero(blank == 0)[::length]
            return self._forms[length]


#: The bytes of a file with zeros for its second cells, and where these begin, [n].
_Form = tuple[Bytes, Ints]


def with_commas(content: bytes) -> bytes:
    """Return a file with commas between its cells, if its first line has another delimiter."""
    first = content[: content.find(b"\n")]
    delimiters = [delimiter for delimiter in _OTHER_DELIMITERS if delimiter in first]
    if len(delimiters) != 1 or _COMMA in content:
        return content
    return content.replace(bytes(delimiters), b",")


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


def in_order(content: bytes, ids: Ids) -> bytes | None:
    """Return a file with its lines in the order of the ids, below the header.

    None if another number of lines begins with other cells than the ids. Whether they begin with
    the ids is seen later. The content ends with a line end and has no quotes.
    """
    first = content.find(b"\n") + 1
    last = content.rfind(b"\n", 0, -1) + 1
    if all(
        content.startswith(one + b",", at) for one, at in zip(ids.ends, (first, last), strict=True)
    ):  # hardly in another order
        return content
    header, *lines = content.split(b"\n")[:-1]
    of_id = {line.partition(b",")[0]: line for line in lines}
    if len(lines) != ids.count or len(of_id) != ids.count:
        return None
    try:
        return b"\n".join([header, *map(of_id.__getitem__, ids.every), b""])
    except KeyError:
        return None


def words(body: Bytes, ids: Ids) -> Words | None:
    """Return the second cells of lines of two, [n], without a line of Python for each.

    None if the first cells are not the ids, or if a second cell has no letter or too many.
    """
    n = ids.count
    length, rest = divmod(len(body) - len(ids.content) - n, n)
    if rest == 0 and 0 < length <= LONGEST_WORD:
        keys = _words_of_length(body, ids.form(length), length)
        if keys is not None:
            return keys
    return _words(body, ids)


def _words_of_length(body: Bytes, form: _Form, length: int) -> Words | None:
    """Return the second cells if all have so many letters."""
    (blank, starts), rest = form, body.copy()
    dtype: type[np.unsignedinteger[Any]] = np.uint8 if length == 1 else np.uint64
    keys = np.zeros(len(starts), dtype)
    for letter in range(length):
        at = starts + letter
        keys |= rest[at].astype(keys.dtype) << keys.dtype.type(8 * letter)
        rest[at] = 0
    return keys if np.array_equal(rest, blank) else None


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
    keys = np.zeros(len(ends), np.uint64)
    for letter in range(most):
        has = np.flatnonzero(letters > letter) if letter >= fewest else slice(None)
        at = commas[has] + (1 + letter)
        first[at] = False
        keys[has] |= body[at].astype(np.uint64) << np.uint64(8 * letter)
    return keys if body[first].tobytes() == ids.content else None


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
        values = np.fromstring(text, np.float64, sep=",")
    except (ValueError, DeprecationWarning):  # the latter where warnings are errors
        return None
    return np.ascontiguousarray(values.reshape(n, width).T) if len(values) == n * width else None
