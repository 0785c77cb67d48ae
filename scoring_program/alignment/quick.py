"""The usual file, read without a careful look at every cell: ids in the order of the test set.

Whatever is unusual in a file, such as spaces, other spellings, another order or any defect, is left
to `submission`, which understands it and has the messages.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ..core.arrays import Array, Floats, Ints
from ..core.cells import LARGEST, PROBABILITY_TOLERANCE, Label
from ..core.errors import SubmissionError
from ..core.notes import Note
from ..reading.formats.kind import ROWS
from ..reading.table import Table
from . import entry
from .expected import BY_CLASS, Expected, Target
from .quick_cells import LONGEST_WORD, Ids, Words, numbers, with_commas, without_quotes, words
from .submission import roles

#: The letters that a usual file holds nowhere; a comma stands between its cells.
_UNUSUAL = frozenset('",\r\t ;|\0')
_MOST_LABELS = 64
#: The most letters of a number, and of what is around a cell: quotes, and a comma or a line end.
_LONGEST_NUMBER, _AROUND_CELL = 32, 4
#: The roles of columns follow from their names; so many lines below them stand for all.
_HEAD = 3
_LONGEST_HEADER = 1 << 16
_NUMBERS = frozenset(("numbers", *BY_CLASS))
#: The error of a sum of probabilities that is due to another order of the terms.
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class _Roles:
    """Where the predictions are in a usual file, whose first column holds the ids, and notes."""

    order: tuple[int, ...]  # of the columns after the first, those of the target, from 0
    notes: tuple[Note, ...]


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
    def of(cls, expected: Expected) -> QuickReader | None:
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

    def read(self, content: bytes, file: str) -> tuple[Array, tuple[Note, ...]] | None:
        """Return the predictions [n] or [n, c] and notes, as `entry.align` would, or None."""
        if len(content) > self._longest or b"\0" in content:  # of words, it would be no letter
            return None
        if content[: content.find(b"\n") + 1].endswith(b"\r\n"):
            content = content.replace(b"\r\n", b"\n")
        if not content.endswith(b"\n"):
            content += b"\n"
        plain = without_quotes(with_commas(content))
        found = None if plain is None else self._roles(plain[:_LONGEST_HEADER], file)
        if plain is None or found is None:
            return None
        body = np.frombuffer(plain, np.uint8, offset=plain.find(b"\n") + 1)
        if self.target.kind == "labels":
            cells = words(body, self.ids)
            predictions = None if cells is None else self._labelled(cells)
        else:
            columns = numbers(body, self.ids, len(found.order))
            predictions = None if columns is None else self._numbered(columns[[*found.order]])
        return None if predictions is None else (predictions, found.notes)

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
        return _Roles(tuple(map(header[1:].index, names)), notes)

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
