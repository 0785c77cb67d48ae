"""The usual file, read without a careful look at every cell: an id and predictions in every line.

Whatever is unusual in a file, such as spaces, other spellings or any defect, is left to
`submission`, which understands it and has the messages.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np

from ..core.arrays import Array, Coded, Floats, Ints
from ..core.cells import LARGEST, PROBABILITY_TOLERANCE, Label
from ..core.errors import SubmissionError
from ..core.phrases import Phrase
from ..core.words import Bytes, Words, after, blocks, places_among, words, words_at
from ..reading.formats.kind import ROWS
from ..reading.table import Table
from . import entry
from .joining.expected import BY_CLASS, Expected, Target
from .joining.submission import roles

#: The letters that a usual file holds nowhere; a comma stands between its cells.
_UNUSUAL = b'",\r\t ;|'
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
    known: Words | None  # the labels, if these are predicted
    above: float | None  # the bound that numbers must exceed, if there is one
    ids: Words  # in the order of the test set
    rows: Ints  # [n] place of every example in the order of the ids
    head: Expected  # for the first examples alone
    #: By header, once they are known: most files have the same.
    known_roles: dict[bytes, _Roles | None] = field(default_factory=dict)

    @classmethod
    def from_expected(cls, expected: Expected) -> QuickReader | None:
        """Return the reader for a test set; None if no file for it is usual."""
        if (
            expected.ids is None
            or expected.n < expected.total
            or expected.kind != ROWS
            or expected.n < _HEAD
            or expected.keep_columns
            or len(expected.targets) != 1
        ):
            return None
        ((target, labels),) = expected.targets.items()
        known = words([*map(str, labels)]) if target.kind == "labels" else None
        if target.kind not in _NUMBERS and not (
            known is not None
            and _is_usual(known.numbers.tobytes())
            and len(known) <= _MOST_LABELS
            and len(known.numbers) == 1
        ):
            return None
        ids, rows = words(expected.ids), np.asarray(expected.positions, np.intp)
        if ids is None or not _is_usual(ids.numbers.tobytes()):
            return None
        order = np.empty_like(rows)
        order[rows] = np.arange(len(rows))
        ids = ids.take(order)
        first = replace(
            expected,
            ids=tuple(ids[:_HEAD]),
            positions=range(_HEAD),
            total=_HEAD,
            missing="error",
        )
        above = expected.above.get(target.column)
        return cls(target, labels, known, above, ids, rows, first)

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
        if self.target.kind == "labels":
            columns = self._by_rows(plain, self._codes)
            predictions = None if columns is None else self._labelled(columns)
        elif len(order) == 1 and b"." in plain and not _DECIMAL.search(plain, plain.find(b"\n")):
            return None
        else:
            columns = self._by_rows(plain, partial(numbers, width=len(order)))
            predictions = None if columns is None else self._numbered(columns[[*order]])
        return None if predictions is None else (predictions, notes)

    def _by_rows(
        self, lines: bytes, read: Callable[[Bytes, Ints, Words], Array | None]
    ) -> Array | None:
        """Return what ``read`` makes of letters below the header, line ends and ids, [c, n].

        None if some lines are unusual.
        """
        found: list[Array] = []
        row = 0
        for letters in blocks(lines, lines.find(b"\n") + 1):
            ends = np.flatnonzero(letters == _LINE_END)
            ids = self.ids[row : row + len(ends)]
            some = read(letters, ends, ids)
            if some is None:
                return None
            found.append(some)
            row += len(ids)
        return np.concatenate(found, axis=1) if row == len(self.ids) else None

    def _codes(self, letters: Bytes, ends: Ints, ids: Words) -> Array | None:
        """Return the places of second cells among the labels, [1, n]; None if one is no label."""
        commas = after_ids(letters, ends, ids)
        cells = None if commas is None else words_at(letters, commas + 1, ends)
        if self.known is None or cells is None or len(cells.numbers) > 1:
            return None
        codes = places_among(self.known.numbers[0], cells.numbers[0])
        return None if codes is None else codes[None]

    @cached_property
    def _longest(self) -> int:
        """The bytes of the longest usual file."""
        of_words = self.target.kind == "labels"
        cells = 1 if of_words else max(1, len(self.labels))
        longest = LONGEST_WORD if of_words else _LONGEST_NUMBER
        of_example = 2 * _AROUND_CELL + cells * (longest + _AROUND_CELL)
        return int(self.ids.lengths.sum()) + len(self.rows) * of_example + _LONGEST_HEADER

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
        is_label = of_words and not {*header}.isdisjoint(map(str, self.labels))
        letters = "".join(header)
        if not (letters.isascii() and _is_usual(letters.encode())):
            return None
        if header[0] in self.ids or is_label:
            return None  # the line may be an example
        columns = list(zip(*rows, strict=True))
        try:
            id_column, names, notes = roles(Table(file, columns, range(1, _HEAD + 2)), self.head)
        except SubmissionError:
            return None
        if id_column != header[0] or {*names} != {*header[1:]} or (of_words and len(names) > 1):
            return None
        if len(names) == 1 and names[0] in map(str, self.labels):
            return None  # a lone column of scores may be of the class of its name
        return tuple(map(header[1:].index, names)), notes

    def _labelled(self, codes: Array) -> Array:
        """Return every example's label, [n], from their places among the labels, [1, n]."""
        # The type of an array of texts follows from the longest one that occurs.
        return np.array(Coded(codes[0, self.rows], self.labels))

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


def _is_usual(letters: bytes) -> bool:
    return not any(letter in letters for letter in _UNUSUAL)


#: A number at the end of a line whose dot separates no thousands; see `may_have_thousands`.
_DECIMAL = re.compile(rb",(?!-?[1-9]\d{0,2}\.\d{3}\n)[^,\n.]*\.[^,\n]*\n")
_COMMA, _LINE_END, _QUOTE = b',\n"'
#: What may stand between cells instead of commas.
_OTHER_DELIMITERS = b"\t;|"
#: The letters of numbers that are finite and written as CSV files do.
_OF_NUMBERS = b"0123456789+-.eE,"
#: The most letters of a word: those of one number.
LONGEST_WORD = 8


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


def in_order(content: bytes, ids: Words) -> bytes | None:
    """Return a file with its lines in the order of the ids, below the header.

    None if another number of lines begins with other cells than the ids. Whether they begin with
    the ids is seen later. The content ends with a line end and has no quotes.
    """
    first = content.find(b"\n") + 1
    last = content.rfind(b"\n", 0, -1) + 1
    if all(
        content.startswith(f"{one},".encode(), at) for one, at in ((ids[0], first), (ids[-1], last))
    ):  # hardly in another order
        return content
    header, *lines = content.split(b"\n")[:-1]
    of_id = {line.partition(b",")[0]: line for line in lines}
    if len(lines) != len(ids) or len(of_id) != len(ids):
        return None
    try:
        return b"\n".join([header, *map(of_id.__getitem__, ids.letters.tolist()), b""])
    except KeyError:
        return None


def after_ids(letters: Bytes, ends: Ints, ids: Words) -> Ints | None:
    """Return where the commas after the ids are in lines that end there, [n].

    None if the lines begin with anything but the ids, or if nothing follows.
    """
    if len(ends) != len(ids):
        return None
    starts = after(ends)
    commas = starts + ids.lengths
    if (commas >= ends).any() or (letters[commas] != _COMMA).any():
        return None
    return commas if words_at(letters, starts, commas) == ids else None


def numbers(letters: Bytes, ends: Ints, ids: Words, width: int) -> Floats | None:
    """Return the cells after the ids, ``width`` in each line, as numbers [width, n].

    ``ends`` [n] are where the lines end. None if the first cells are not the ids, or if a cell is
    no number.
    """
    places = np.flatnonzero((letters == _COMMA) | (letters == _LINE_END))
    if letters[places].tobytes() != (b"," * width + b"\n") * len(ids):
        return None
    of_line = places.reshape(-1, 1 + width)
    commas = after_ids(letters, ends, ids)
    if commas is None or not np.array_equal(commas, of_line[:, 0]):
        return None
    parts = np.empty((len(ids), 2), np.intp)  # bytes of every id with its comma, and of the rest
    parts[:, 0] = ids.lengths + 1
    parts[:, 1] = ends - commas
    of_numbers = np.repeat(np.tile([False, True], len(ids)), parts.ravel())
    text = letters[: len(of_numbers)][of_numbers][:-1].tobytes()
    values = _parsed(text.replace(b"\n", b","))
    if values is None or len(values) != len(ids) * width:
        return None
    return values.reshape(-1, width).T


def _parsed(text: bytes) -> Floats | None:
    if text.translate(None, _OF_NUMBERS):
        return None
    try:
        return np.fromstring(text, np.float64, sep=",")
    except (ValueError, DeprecationWarning):  # the latter where warnings are errors
        return None
