"""The usual file, read without a careful look at every cell: an id and predictions in every line.

Whatever is unusual in a file, such as spaces, other spellings or any defect, is left to
`submission`, which understands it and has the messages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ..core.arrays import Array, Coded, Ints
from ..core.cells import LARGEST, PROBABILITY_TOLERANCE, Label
from ..core.errors import SubmissionError
from ..core.phrases import Phrase
from ..core.words import CellBlock, Unusual, Words, columns_of, places_among, scan, words
from ..reading.formats.delimited import plain_lines
from ..reading.formats.kind import ROWS
from ..reading.table import Table
from . import entry
from .joining.expected import BY_CLASS, Expected, Target
from .joining.submission import roles

_MOST_LABELS = 255  # what a byte tells apart
#: The most letters of a label, of a number, and of what is around a cell: quotes, and what ends it.
_LONGEST_LABEL, _LONGEST_NUMBER, _AROUND_CELL = 8, 32, 4
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
    known_roles: dict[tuple[bytes, str], _Roles | None] = field(default_factory=dict)

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
            known is not None and len(known) <= _MOST_LABELS and len(known.numbers) == 1
        ):
            return None
        ids, rows = words(expected.ids), np.asarray(expected.positions, np.intp)
        if ids is None:
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
        found = plain_lines(content) if len(content) <= self._longest else None
        if found is None:
            return None
        lines, delimiter = found
        try:
            order, notes = self._roles(lines, delimiter, file)
            if self.known is None and len(order) == 1 and _may_have_thousands(lines, delimiter):
                return None
            below = scan(lines, delimiter, lines.find(b"\n") + 1)
            return self._predictions(self._by_id(below, len(order))[[*order]]), notes
        except Unusual:
            return None

    def _by_id(self, below: Iterable[CellBlock], columns: int) -> Array:
        """Return the codes of labels [1, n], or numbers [c, n], in the order of the ids.

        Raises Unusual if the cells below the header are not those of the ids, or have others.
        """
        dtype = np.float64 if self.known is None else np.uint8
        found = np.empty((columns, len(self.ids)), dtype)
        is_read = np.zeros(len(self.ids), np.bool_)
        row = 0
        for block in below:
            places: slice | Ints = slice(row, row + len(block))
            ids = block.words(0)
            if ids != self.ids[places]:
                places = self.ids.places_of(ids)
            found[:, places] = (
                block.numbers() if self.known is None else self._codes(block.words(1))
            )
            is_read[places] = True
            row += len(block)
        if row != len(self.ids) or not is_read.all():
            raise Unusual
        return found

    def _codes(self, cells: Words) -> Array:
        """Return the places of cells among the labels, [n]; raise Unusual if one is no label."""
        codes = None
        if self.known is not None and len(cells.numbers) == 1:
            codes = places_among(self.known.numbers[0], cells.numbers[0])
        if codes is None:
            raise Unusual
        return codes

    @cached_property
    def _longest(self) -> int:
        """The bytes of the longest usual file."""
        of_words = self.target.kind == "labels"
        cells = 1 if of_words else max(1, len(self.labels))
        longest = _LONGEST_LABEL if of_words else _LONGEST_NUMBER
        of_example = 2 * _AROUND_CELL + cells * (longest + _AROUND_CELL)
        return self.ids.numbers.nbytes + len(self.rows) * of_example + _LONGEST_HEADER

    def _roles(self, lines: bytes, delimiter: str, file: str) -> _Roles:
        """Return the roles of the columns: the first must hold the ids, the others predictions.

        Raises Unusual if they do not.
        """
        header = lines[: lines.find(b"\n")], delimiter
        if header not in self.known_roles:
            head = lines[:_LONGEST_HEADER].split(b"\n")[: _HEAD + 1]
            columns = columns_of(b"\n".join([*head, b""]), delimiter)
            self.known_roles[header] = self._roles_of(columns, file) if columns else None
        roles_of_header = self.known_roles[header]
        if roles_of_header is None:
            raise Unusual
        return roles_of_header

    def _roles_of(self, found: Sequence[Words], file: str) -> _Roles | None:
        if len(found[0]) <= _HEAD:
            return None
        columns = [[*column] for column in found]
        header, of_words = [column[0] for column in columns], self.target.kind == "labels"
        is_label = of_words and not {*header}.isdisjoint(map(str, self.labels))
        if header[0] in self.ids or is_label:
            return None  # the line may be an example
        try:
            id_column, names, notes = roles(Table(file, columns, range(1, _HEAD + 2)), self.head)
        except SubmissionError:
            return None
        if id_column != header[0] or {*names} != {*header[1:]} or (of_words and len(names) > 1):
            return None
        if len(names) == 1 and names[0] in map(str, self.labels):
            return None  # a lone column of scores may be of the class of its name
        return tuple(map(header[1:].index, names)), notes

    def _predictions(self, found: Array) -> Array:
        """Return what every example is predicted, [n] or [n, c], from codes or numbers [c, n].

        Raises Unusual if some numbers are wrong.
        """
        if self.known is not None:
            # The type of an array of texts follows from the longest one that occurs.
            return np.array(Coded(found[0, self.rows], self.labels))
        if not (np.abs(found) < LARGEST).all():
            raise Unusual
        if self.above is not None and found.min() <= self.above:
            raise Unusual
        if self.target.kind == "probabilities":
            sums = found.sum(axis=0)
            if found.min() < 0 or found.max() > 1:
                raise Unusual
            if len(found) > 1 and (np.abs(sums - 1) > PROBABILITY_TOLERANCE - _ROUNDING).any():
                raise Unusual
        return entry.of_numbers(np.ascontiguousarray(found[:, self.rows]).T, self.target.kind)


def _may_have_thousands(lines: bytes, delimiter: str) -> bool:
    """Whether all dots may separate thousands, or belong to ids; see `may_have_thousands`."""
    if b"." not in lines:
        return False
    # A number at the end of a line whose dot separates none.
    decimal = rb'%s(?!"?-?[1-9]\d{0,2}\.\d{3}"?\n)[^\n.]*\.' % re.escape(delimiter.encode())
    return not re.compile(decimal).search(lines, lines.find(b"\n"))
