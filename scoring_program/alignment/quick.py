"""The usual file, read without a text for every cell: ids in the order of the test set, and labels.

Whatever is unusual in a file, such as quotes, spaces, other spellings, another order or any defect,
is left to `submission`, which understands it and has the messages.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Array, Ints
from ..core.cells import Label
from ..core.errors import SubmissionError
from ..core.notes import Note
from ..reading.formats.kind import ROWS
from ..reading.table import Table
from .expected import Expected, Target
from .submission import roles

#: The letters that a usual file holds nowhere; a comma stands between its cells.
_UNUSUAL = frozenset('",\r\t ;|\0')
_COMMA, _LINE_END = b",\n"
#: The most labels, and the most letters of one.
_MOST_LABELS, _LONGEST_LABEL = 64, 8
#: The roles of columns follow from their names; so many lines below them stand for all.
_HEAD = 3
_LONGEST_HEADER = 1 << 16

Bytes = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class QuickReader:
    """Reads usual CSV files for one test set, of ids and one column of labels.

    What that takes follows the test set, whatever lies in the file.
    """

    target: Target
    labels: tuple[Label, ...]
    ids: bytes  # in the order of the test set, each with a line end
    lengths: Ints  # [n] of the ids
    rows: Ints  # [n] place of every example in that order
    head: Expected  # for the first examples alone
    #: By header, once they are known: most files have the same.
    notes: dict[bytes, tuple[Note, ...] | None] = field(default_factory=dict)

    @classmethod
    def of(cls, expected: Expected) -> QuickReader | None:
        """Return the reader for a test set; None if no file for it is usual."""
        if (
            expected.ids is None
            or expected.kind != ROWS
            or expected.n != expected.total
            or expected.n < _HEAD
            or expected.keep_columns
            or [target.kind for target in expected.targets] != ["labels"]
        ):
            return None
        ((target, labels),) = expected.targets.items()
        texts = list(map(str, labels))
        if not 0 < len(texts) <= _MOST_LABELS or not all(map(_is_word, texts)):
            return None
        rows = np.asarray(expected.positions, np.intp)
        example = np.empty_like(rows)  # at every place of the test set
        example[rows] = np.arange(len(rows))
        in_file = list(map(expected.ids.__getitem__, example.tolist()))
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
        packed = ids.encode()
        ends = np.flatnonzero(np.frombuffer(packed, np.uint8) == _LINE_END)
        lengths = np.diff(ends, prepend=-1) - 1
        return cls(target, labels, packed, lengths, rows, first)

    def read(self, content: bytes, file: str) -> tuple[Array, tuple[Note, ...]] | None:
        """Return the predictions [n] and notes as `entry.align` would; None if it has to."""
        most = len(self.ids) + len(self.rows) * (2 + _LONGEST_LABEL) + _LONGEST_HEADER
        if len(content) > most:
            return None
        start = content[:_LONGEST_HEADER].find(b"\n") + 1
        if content[:start].endswith(b"\r\n"):
            content, start = content.replace(b"\r\n", b"\n"), start - 1
        if not content.endswith(b"\n"):
            content += b"\n"
        notes = self._notes(content[:_LONGEST_HEADER], file)
        if notes is None:
            return None
        words = _second_cells(
            np.frombuffer(content, np.uint8, offset=start), self.ids, self.lengths
        )
        predictions = None if words is None else self._labelled(words)
        return None if predictions is None else (predictions, notes)

    def _notes(self, start: bytes, file: str) -> tuple[Note, ...] | None:
        """Return the notes on the columns, if the first holds the ids and the second the labels."""
        header = start.partition(b"\n")[0]
        if header not in self.notes:
            self.notes[header] = self._notes_on(start, file)
        return self.notes[header]

    def _notes_on(self, start: bytes, file: str) -> tuple[Note, ...] | None:
        lines = start.split(b"\n")[: _HEAD + 1]
        rows = [line.decode("latin-1").split(",") for line in lines]
        if len(rows) <= _HEAD or {len(row) for row in rows} != {2}:
            return None
        header = rows[0]
        line = f"{header[0]}\n".encode()
        is_id = b"\n" + line in self.ids or self.ids.startswith(line)
        if (
            is_id
            or not {*header}.isdisjoint(map(str, self.labels))
            or not _is_usual("".join(header))
        ):
            return None  # the line may be an example
        columns = list(zip(*rows, strict=True))
        try:
            id_column, names, notes = roles(Table(file, columns, range(1, _HEAD + 2)), self.head)
        except SubmissionError:
            return None
        return notes if [id_column, *names] == header else None

    def _labelled(self, words: NDArray[np.uint64]) -> Array | None:
        """Return every example's label, [n]; None if one is written differently."""
        codes = np.zeros(len(words), np.uint8)
        present, known = [], 0
        for code, label in enumerate(self.labels):
            has_it = words == int.from_bytes(str(label).encode(), "little")
            if count := int(np.count_nonzero(has_it)):
                codes[has_it] = code
                present.append(code)
                known += count
        if known < len(words):
            return None
        # The type of an array of texts follows from the longest one in it.
        found = np.array([self.labels[code] for code in present])
        of_code = np.zeros(len(self.labels), found.dtype)
        of_code[present] = found
        return of_code[codes[self.rows]]


def _is_usual(text: str) -> bool:
    return text.isascii() and not any(letter in text for letter in _UNUSUAL)


def _is_word(label: str) -> bool:
    return _is_usual(label) and 0 < len(label) <= _LONGEST_LABEL and "\n" not in label


def _second_cells(body: Bytes, ids: bytes, lengths: Ints) -> NDArray[np.uint64] | None:
    """Return the second cells of lines of two, [n], as numbers whose bytes are the letters.

    None if the first cells are not the ``ids``, of these ``lengths``, or if a second cell has no
    letter or too many.
    """
    n = len(lengths)
    ends = np.flatnonzero(body == _LINE_END)
    if len(ends) != n:
        return None
    commas = lengths.copy()
    commas[1:] += ends[:-1] + 1
    letters = ends - commas - 1
    fewest, most = letters.min(), letters.max()
    if fewest < 1 or most > _LONGEST_LABEL or (body[commas] != _COMMA).any():
        return None
    first = np.ones(len(body), np.bool_)  # whether a byte belongs to a first cell or ends a line
    first[commas] = False
    words = np.zeros(n, np.uint64)
    for letter in range(most):
        has = slice(None) if letter < fewest else letters > letter
        at = commas[has] + (1 + letter)
        first[at] = False
        words[has] |= body[at].astype(np.uint64) << np.uint64(8 * letter)
    return words if body[first].tobytes() == ids else None
