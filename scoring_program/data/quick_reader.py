"""Plain CSV of ids and of one target's predictions, from its cells to arrays without a table.

A plain file is read without a careful look at every cell: an id and predictions in every line.
What its columns mean says the Reading: it is stated in full, or a plain file leaves nothing to
choose. Whatever is unusual in a file, such as spaces, other spellings or any defect, is left to
`entry.align`, which understands it and has the messages.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np

from ..core import cells
from ..core.arrays import Array, CellBlock, Coded, Ints, Unusual, Words, places_among, words
from ..core.cells import Label
from ..reading.formats import delimited
from ..reading.formats.kind import ROWS
from ..recognize.expected import BY_CLASS, Expected, SentColumns, Target
from ..recognize.plain_files import PlainFiles
from .entry import of_numbers

_MOST_LABELS = 255  # what a byte tells apart
#: The most letters of a label, of a number, and of what is around a cell: quotes, and what ends it.
_LONGEST_LABEL = 8
_LONGEST_NUMBER = 32
_AROUND_CELL = 4
_NUMBERS = frozenset(("numbers", *BY_CLASS))
#: How far from 1 a sum of probabilities may be, whatever the order in which its terms are added.
_TOLERATED = cells.PROBABILITY_TOLERANCE - 1e-9


class UsualFile(NamedTuple):
    """Predictions [n] or [n, c], the names of all columns, and where predictions stand, from 0.

    Labels are by code, in an eighth of the memory of an array.
    """

    predictions: Array | Coded
    header: tuple[str, ...]
    columns: tuple[int, ...]


#: The names of the columns, and where predictions stand.
UsualColumns: TypeAlias = tuple[tuple[str, ...], tuple[int, ...]]


@dataclass(frozen=True, eq=False)
class QuickReader:
    """Reads usual CSV files for one test set, of ids and one target.

    What that takes follows the test set, whatever lies in the file. The columns are those that are
    ``sent``, if these are stated, or else as ``plain_files`` says.
    """

    target: Target
    labels: tuple[Label, ...]
    label_words: Words | None  # the labels, if these are predicted
    ids: Words  # [n] of the examples
    order: Ints  # [n] the example in every row of the gold's file, whose order most files have
    bound: float  # of the size of numbers
    above: float
    sent: SentColumns | None
    plain_files: PlainFiles
    #: By header, once they are known: most files have the same.
    columns_of_header: dict[tuple[bytes, str], UsualColumns | None] = field(default_factory=dict)

    @classmethod
    def from_expected(
        cls, expected: Expected, plain_files: PlainFiles | None = None
    ) -> QuickReader | None:
        """Return the reader for a test set; None if no file for it is usual."""
        of_rows = expected.kind == ROWS and not expected.keep_columns and len(expected.targets) == 1
        if not of_rows or expected.ids is None or not 1 <= expected.n == expected.total:
            return None
        ((target, labels),) = expected.targets.items()
        label_words = words([*map(str, labels)]) if target.kind == "labels" else None
        few = (
            label_words is not None
            and len(label_words) <= _MOST_LABELS
            and len(label_words.numbers) == 1
        )
        ids = words(expected.ids) if few or target.kind in _NUMBERS else None
        if ids is None:
            return None
        rows = np.asarray(expected.positions)
        order = np.empty_like(rows)
        order[rows] = np.arange(len(rows))
        bound = expected.bound(target)
        return cls(
            target,
            labels,
            label_words,
            ids,
            order,
            bound,
            expected.above.get(target.column, -bound),
            expected.sent,
            plain_files or PlainFiles(target.kind, tuple(map(str, labels))),
        )

    def read(self, content: bytes) -> UsualFile | None:
        """Return the predictions as `entry.align` would; None if the file is unusual."""
        text = delimited.plain(content) if len(content) <= self._longest else None
        if text is None:
            return None
        try:
            header, columns = self._columns(text)
            if self.label_words is None and len(columns) == 1 and text.may_have_thousands:
                return None
            values = self._by_id(text.blocks(), len(columns))[[*columns]]
            places = tuple(1 + place for place in columns)
            return UsualFile(self._predictions(values), header, places)
        except Unusual:
            return None

    def _columns(self, text: delimited.PlainText) -> UsualColumns:
        """Return the names of the columns and where predictions stand; raise Unusual if unclear."""
        key = text.first_line, text.delimiter
        if key not in self.columns_of_header:
            self.columns_of_header[key] = self._columns_of(text.header)
        if (columns := self.columns_of_header[key]) is None:
            raise Unusual
        return columns

    def _columns_of(self, header: tuple[str, ...] | None) -> UsualColumns | None:
        if header is None or len(header) < 2 or header[0] in self.ids:
            return None
        # The first line may be an example.
        if self.label_words is not None and not {*map(str, self.labels)}.isdisjoint(header):
            return None
        if self.sent is None:
            columns = self.plain_files.columns(header)
        else:
            columns = columns_as_stated(header, self.sent, self.target)
        return None if columns is None else (header, columns)

    def _by_id(self, below: Iterable[CellBlock], columns: int) -> Array:
        """Return the codes of labels [1, n], or numbers [c, n], in the order of the examples.

        Raises Unusual if the ids below the header are not those of the test set, or a cell is no
        label.
        """
        values = np.empty(
            (columns, len(self.ids)), np.float64 if self.label_words is None else np.uint8
        )
        is_read = np.zeros(len(self.ids), np.bool_)
        row = 0
        for block in below:
            places = self.order[row : row + len(block)]
            ids = block.words(0)
            if ids != self.ids.take(places):
                places = self.ids.places_of(ids)
            if self.label_words is None:
                values[:, places] = block.numbers()
            else:
                labels = self.label_words.numbers[0]
                cells_of = block.words(1).numbers
                codes = places_among(labels, cells_of[0]) if len(cells_of) == 1 else None
                if codes is None:
                    raise Unusual
                values[0, places] = codes
            is_read[places] = True
            row += len(block)
        if row != len(self.ids) or not is_read.all():
            raise Unusual
        return values

    @cached_property
    def _longest(self) -> int:
        """The bytes of the longest usual file."""
        of_cells = _LONGEST_LABEL + _AROUND_CELL
        if self.target.kind != "labels":
            of_cells = max(1, len(self.labels)) * (_LONGEST_NUMBER + _AROUND_CELL)
        of_examples = len(self.order) * (2 * _AROUND_CELL + of_cells)
        return self.ids.numbers.nbytes + of_examples + delimited.LONGEST_HEADER

    def _predictions(self, values: Array) -> Array | Coded:
        """Return what every example is predicted, [n] or [n, c], from codes or numbers [c, n].

        Raises Unusual if some numbers are wrong.
        """
        if self.label_words is not None:
            return Coded(values[0], self.labels)
        if not (np.abs(values) < self.bound).all() or values.min() <= self.above:
            raise Unusual
        if self.target.kind == "probabilities":
            apart = len(values) > 1 and (np.abs(values.sum(axis=0) - 1) > _TOLERATED).any()
            if apart or values.min() < 0 or values.max() > 1:
                raise Unusual
        return of_numbers(values.T, self.target.kind)


def columns_as_stated(
    header: tuple[str, ...], sent: SentColumns, target: Target
) -> tuple[int, ...] | None:
    """Return where stated predictions stand behind the ids, from 0; None if something else stands.

    Names are compared in any letters.
    """
    names = [name.casefold() for name in header]
    columns = [*sent.predictions[target].columns.values()]
    stated = [*sent.ids, *columns]
    if not sent.header or len(sent.ids) != 1 or any(isinstance(name, int) for name in stated):
        return None
    folded = [str(name).casefold() for name in stated]
    if folded[0] != names[0] or sorted(folded) != sorted(names) or len({*names}) < len(names):
        return None
    return tuple(names.index(name) - 1 for name in folded[1:])
