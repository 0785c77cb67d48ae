"""Facts of a column, read off its cells and nothing else. Each is computed once, when it is asked.

A fact takes one pass in Python over the different texts, or one in NumPy over the rows. So facts of
columns of a few labels cost next to nothing, and those of columns that nobody asks about nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import repeat

import numpy as np

from ..core.arrays import Coded, Floats, Ints, Unusual, Words, distinct, words
from ..core.cells import is_number, taken
from .usual_names import (
    ENOUGH,
    FEW_DIFFERENT,
    MISSING_TEXTS,
    MOST_DIFFERENT,
    SHAPED,
    is_nameless,
)

_BOOLEANS = {"false": "0", "true": "1"}
_INTEGER = re.compile(r"([+-]?)0*(\d+)", re.ASCII)
#: What a number looks like to its author: "85 %", "0,5", "1,234.00", "$3".
_LIKE_A_NUMBER = re.compile(r"[^\w-]*[-+]?\d[\d.,\s]*(e[-+]?\d+)?\s*[%\w]{0,3}", re.IGNORECASE)
_RUNS = re.compile(r"[A-Za-z]+|[0-9]+|[^A-Za-z0-9]")
#: Whole numbers up to this are exact in double precision.
_EXACT = 2.0**53
#: Columns of so many rows are long, and joined by the numbers of their texts.
_LONG = 10_000
#: So many first rows tell most columns apart.
_FIRST = 16


def number_of(cell: str) -> float | None:
    """Return the finite number that a cell is, true and false being 1 and 0; else None."""
    text = _BOOLEANS.get(cell.casefold(), cell) if cell[:1] in "tTfF" else cell
    if not is_number(text):
        return None
    value = float(text)
    return value if math.isfinite(value) else None


def is_no_number(cell: str) -> bool:
    """Whether nobody would take a cell for a number."""
    return bool(cell) and number_of(cell) is None and _LIKE_A_NUMBER.fullmatch(cell) is None


def label_of(cell: str) -> str:
    """Return the label that a cell means: 1, 1.0, 01 and TRUE are the same, other texts are not."""
    first = cell[:1]
    if first in "tTfF":
        return _BOOLEANS.get(cell.casefold(), cell)
    if first not in "0123456789+-.":
        return cell
    if whole := _INTEGER.fullmatch(cell):
        sign = "-" if whole[1] == "-" and whole[2] != "0" else ""
        return f"{sign}{whole[2]}"
    value = number_of(cell)
    if value is None:
        return cell
    return str(int(value)) if value.is_integer() and abs(value) < _EXACT else repr(value)


def folded(label: str) -> str:
    """Return a label without its capitals and marks."""
    return re.sub(r"\W+", "", label.casefold()) or label


def shape_of(cell: str) -> re.Pattern[str]:
    """Return the pattern of cells of the same shape: e17 is like doc204."""
    parts = []
    for run in _RUNS.findall(cell):
        if run[0].isascii() and run[0].isalpha():
            parts.append("[A-Za-z]+")
        elif run[0].isascii() and run[0].isdigit():
            parts.append("[0-9]+")
        else:
            parts.append(re.escape(run))
    return re.compile("".join(parts))


@dataclass(frozen=True, eq=False)
class ColumnFacts:
    """A column: where it stands in its file, from 0, its name ("" without one), its cells [n]."""

    place: int
    name: str
    cells: Sequence[str]
    _rows_of: dict[ColumnFacts, Ints] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def called(self) -> str:
        """What a setting may call it: its name or, from 1, its number."""
        return self.name if self.name.strip() else str(self.place + 1)

    @property
    def nameless(self) -> bool:
        """Whether it has no name, or that of a data frame's index."""
        return is_nameless(self.name)

    @cached_property
    def texts(self) -> list[str]:
        """The cells [n] as a list."""
        return self.cells if isinstance(self.cells, list) else list(self.cells)

    @cached_property
    def coded(self) -> Coded | None:
        """The cells by code, if they are kept so or as words, and few are different."""
        if isinstance(self.cells, Words):
            return self.cells.coded()
        return self.cells if isinstance(self.cells, Coded) else None

    @cached_property
    def head(self) -> list[str]:
        """The first cells."""
        return list(self.cells[:_FIRST])

    @cached_property
    def first_labels(self) -> list[str]:
        """The labels that the first cells mean: those of two among thousands of columns differ."""
        return list(map(label_of, self.head))

    @cached_property
    def different(self) -> Set[str]:
        """The different cells."""
        return {*self.texts} if self.coded is None else {*self.coded.present}

    @property
    def different_count(self) -> int:
        """How many cells are different."""
        return len(self.different) if self.words is None else self.words.different_count

    @cached_property
    def words(self) -> Words | None:
        """The cells of a long column as numbers, unless few are different.

        They are joined without a line of Python for each, and without a table of all texts.
        """
        if isinstance(self.cells, Words):
            return self.cells if self.coded is None else None
        first = self.cells[:_LONG]
        if self.coded is not None or len(first) < _LONG or 2 * len({*first}) < _LONG:
            return None
        return words(self.texts)

    def count(self, texts: Collection[str]) -> int:
        """Return how many cells are among texts, which are some of `different`."""
        if not texts:
            return 0
        if len(texts) == len(self.different):
            return len(self)
        if self.coded is not None:
            return sum(self._times[text] for text in texts if text in self._times)
        if len(texts) == 1:
            return self.texts.count(next(iter(texts)))
        return sum(map({*texts}.__contains__, self.texts))

    @cached_property
    def _times(self) -> dict[str, int]:
        """How often each different cell occurs, if the cells are kept by code."""
        if self.coded is None:
            return {}
        times = self.coded.times.tolist()
        counted = zip(self.coded.values, times, strict=True)
        return {text: number for text, number in counted if number}

    @cached_property
    def missing(self) -> int:
        """How many cells hold nothing, or a word for nothing."""
        if self.words is not None:  # of which none is empty
            present = [text for text in MISSING_TEXTS if text and text in self.words]
            if self.unique or not present:
                return len(present)
        return self.count(self.different & MISSING_TEXTS)

    @property
    def empty(self) -> bool:
        """Whether no cell holds anything."""
        return not any(self.head) and self.different <= {""}

    @property
    def full(self) -> bool:
        """Whether hardly any cell lacks a value."""
        return len(self) - self.missing >= ENOUGH * len(self)

    @cached_property
    def unique(self) -> bool:
        """Whether every cell holds something, and all differ."""
        if self.words is not None:
            return len(self) > 0 and (self._is_permutation or self.words.differ)
        return len(self.different) == len(self) > 0 and "" not in self.different

    @property
    def _is_permutation(self) -> bool:
        """Whether every cell is known to be the id of another example."""
        for gold, rows in self._rows_of.items():
            if len(gold) == len(self) and gold.unique and rows.min() >= 0:
                return True
        return False

    @cached_property
    def shape(self) -> re.Pattern[str] | None:
        """The shape of the first cells, with digits, if all have it; see `shape_of`."""
        texts = [text for text in self.cells[:SHAPED] if text]
        if not texts or not any(map(str.isdigit, texts[0])):
            return None
        shape = shape_of(texts[0])
        return shape if all(map(shape.fullmatch, texts)) else None

    # As numbers -----------------------------------------------------------------------------------

    @cached_property
    def numbers(self) -> Floats:
        """The cells as finite numbers [n], NaN where a cell is none."""
        n = len(self)
        if self.coded is not None:
            values = np.array([*map(_number_or_nan, self.coded.values)])
            return values[self.coded.codes]
        if self.words is not None and self.words.floats is not None:
            return _finite_or_nan(self.words.floats)
        if 2 * self.different_count <= n:
            value_of = {text: _number_or_nan(text) for text in self.different}
            return np.fromiter(map(value_of.__getitem__, self.texts), np.float64, n)
        try:
            values = np.fromiter(map(float, self.texts), np.float64, n)
        except ValueError:
            return np.fromiter(map(_number_or_nan, self.texts), np.float64, n)
        if "_" in "".join(self.texts):
            return np.fromiter(map(_number_or_nan, self.texts), np.float64, n)
        return _finite_or_nan(values)

    @property
    def _different_numbers(self) -> Floats:
        """The finite numbers among the cells: of cells kept by code, those of different texts."""
        values = self.numbers
        if self.coded is not None:
            values = np.array([*map(_number_or_nan, self._times)])
        return values[~np.isnan(values)]

    @cached_property
    def numeric(self) -> bool:
        """Whether every cell that holds something is a number, and one is."""
        for text in self.head:
            if number_of(text) is None and text not in MISSING_TEXTS:
                return False
        filled = len(self) - self.missing
        if self.coded is None:
            numbers = int(np.count_nonzero(~np.isnan(self.numbers)))
        else:
            numbers = self.count([text for text in self._times if number_of(text) is not None])
        return filled > 0 and numbers == filled

    @cached_property
    def integers(self) -> bool:
        """Whether its numbers are whole."""
        if not self.numeric:
            return False
        values = self._different_numbers
        return bool((values == np.floor(values)).all())

    @cached_property
    def like_numbers(self) -> float:
        """The share of cells that their author may take for numbers."""
        if self.numeric:
            return 1 - self.missing / len(self)
        like = [text for text in self.different if _LIKE_A_NUMBER.fullmatch(text)]
        return self.count(like) / max(1, len(self))

    @cached_property
    def row_numbers(self) -> bool:
        """Whether it holds 0 … n − 1 or 1 … n, in any order."""
        if not (self.unique and self.integers) or self.missing:
            return False
        least = self.numbers.min()
        if least not in (0, 1) or self.numbers.max() != least + len(self) - 1:
            return False
        return len({*self.numbers.tolist()}) == len(self)

    @cached_property
    def counts(self) -> bool:
        """Whether it holds the row numbers in the order of the file."""
        return self.row_numbers and bool((np.diff(self.numbers) == 1).all())

    @property
    def index(self) -> bool:
        """Whether it is an index: it counts the rows, in front or without a name."""
        return self.counts and (self.place == 0 or self.nameless)

    # As labels ------------------------------------------------------------------------------------

    @cached_property
    def label_by_text(self) -> Mapping[str, str]:
        """Cell → the label that it means."""
        return {text: label_of(text) for text in self.different}

    @cached_property
    def labels(self) -> frozenset[str]:
        """The different labels."""
        return frozenset(label for label in self.label_by_text.values() if label)

    @cached_property
    def label_count(self) -> int:
        """How many labels are different; of numbers, without a look at each text."""
        if self.different_count <= 1 or not self.numeric:
            return len(self.labels)
        values = distinct(self._different_numbers)
        if not self.missing:
            return len(values)
        return len(values) + len((self.different & MISSING_TEXTS) - {""})

    @property
    def repeats_labels(self) -> bool:
        """Whether its values repeat as labels do."""
        most = max(FEW_DIFFERENT, MOST_DIFFERENT * len(self))
        return self.different_count <= most or self.label_count <= most

    def has_label(self, label: str) -> bool:
        """Whether a cell means a label."""
        return self.has_text(label) if number_of(label) is None else label in self.labels

    def has_text(self, text: str) -> bool:
        """Whether a cell is a text."""
        return text in (self.different if self.words is None else self.words)

    def rows_of(self, gold: ColumnFacts) -> Ints:
        """Return the row [n] whose cell is that of each example in a gold column, −1 if none is."""
        if gold not in self._rows_of:
            self._rows_of[gold] = _rows_by_text(gold, self)
        return self._rows_of[gold]

    def share_of_texts(self, texts: Set[str]) -> float:
        """Return the share of cells that are among texts."""
        return self.count(self.different & texts) / max(1, len(self))

    def share_of_labels(self, labels: Collection[str]) -> float:
        """Return the share of cells that mean one of the labels."""
        values = [value for value in map(number_of, labels) if value is not None]
        if not values:  # then the texts are the labels
            return self.count(self.different & {*labels} - {""}) / max(1, len(self))
        if self.different_count > 4 * len(labels) + _FIRST and self.numeric:
            return float(np.isin(self.numbers, values).mean())
        inside = [text for text, label in self.label_by_text.items() if label and label in labels]
        return self.count(inside) / max(1, len(self))

    def share_of_folded(self, labels: Collection[str]) -> float:
        """Return the share of cells that mean one of the labels but for capitals and marks."""
        if self.different_count > max(FEW_DIFFERENT, MOST_DIFFERENT * len(self)):
            return 0.0  # labels repeat, however they are written
        folded_labels = {*map(folded, labels)}
        inside = [
            text for text, label in self.label_by_text.items() if folded(label) in folded_labels
        ]
        return self.count(inside) / max(1, len(self))

    def codes(self) -> tuple[Ints, list[str]]:
        """Return the place [n] of each cell's label among the labels, and these."""
        labels = sorted({*self.label_by_text.values()})
        place_of = {label: place for place, label in enumerate(labels)}
        code_of = {text: place_of[label] for text, label in self.label_by_text.items()}
        if self.coded is not None:
            code_of_value = np.array([code_of.get(text, 0) for text in self.coded.values])
            return code_of_value[self.coded.codes], labels
        return np.fromiter(map(code_of.__getitem__, self.texts), np.intp, len(self)), labels

    @cached_property
    def row_of(self) -> Mapping[str, int]:
        """Cell → its last row."""
        return dict(zip(self.texts, range(len(self)), strict=True))


def _number_or_nan(cell: str) -> float:
    value = number_of(cell)
    return math.nan if value is None else value


def _finite_or_nan(values: Floats) -> Floats:
    return np.where(np.isfinite(values), values, np.nan)


def same_values(first: ColumnFacts, second: ColumnFacts, rows: Ints | None = None) -> bool:
    """Whether cells mean the same label row by row: first[i] and second[rows[i]].

    ``rows`` [n] holds −1 where the second column has no row. Without it, the rows are the same.
    """
    if rows is None and len(first) != len(second):
        return False
    if rows is not None:
        first_rows = rows[:_FIRST]
        head = list(taken(second.cells, first_rows))
        pairs = zip(first.head, head, first_rows.tolist(), strict=True)
        if any(
            row >= 0 and not _same_cell(cell, cell_of_gold) for cell, cell_of_gold, row in pairs
        ):
            return False
    elif first.first_labels != second.first_labels:
        return False
    if _exact(first) and _exact(second):
        if rows is None:
            return bool((first.numbers == second.numbers).all())
        return bool(((first.numbers == second.numbers[rows]) | (rows < 0)).all())
    if rows is None:
        return first.texts == second.texts or all(map(_same_cell, first.texts, second.texts))
    right = second.texts
    for cell, row in zip(first.texts, rows.tolist(), strict=True):
        if row >= 0 and not _same_cell(cell, right[row]):
            return False
    return True


def _same_cell(cell: str, cell_of_gold: str) -> bool:
    """Whether cells mean the same label."""
    return cell == cell_of_gold or label_of(cell) == label_of(cell_of_gold)


def _exact(column: ColumnFacts) -> bool:
    """Whether every cell is a number whose text says no more than its double."""
    if not column.numeric or column.missing:
        return False
    return bool(np.abs(column.numbers).max() < _EXACT)


def _rows_by_text(gold: ColumnFacts, file: ColumnFacts) -> Ints:
    """Return the last row [n] of a file whose cell is that of each example, −1 if none is."""
    if gold.words is not None and file.words is not None:
        if gold.words == file.words:
            return np.arange(len(gold))
        with suppress(Unusual):  # some are in no row
            return file.words.places_of(gold.words)
    elif gold.texts == file.texts and gold.unique:
        return np.arange(len(gold))
    places = map(file.row_of.get, gold.texts, repeat(-1))
    return np.fromiter(places, np.intp, len(gold))


@dataclass(frozen=True, eq=False)
class Sheet:
    """The columns of a file that hold anything, under the names of its first row if that is one.

    ``header`` are the names of all columns, in small letters; without a header, they are empty.
    ``nested`` are the keys of records that hold lists or objects, and are no columns.
    """

    file: str
    columns: tuple[ColumnFacts, ...]
    header: tuple[str, ...]
    headed: bool
    rows: int
    nested: tuple[str, ...] = ()

    def column(self, name: str | int) -> ColumnFacts | None:
        """Return the column of a name, in any letters, or of a number from 1; else None."""
        if isinstance(name, int):
            return next((c for c in self.columns if c.place == name - 1), None)
        exact = [c for c in self.columns if c.name == name]
        folded_name = name.strip().casefold()
        alike = exact or [c for c in self.columns if c.name.strip().casefold() == folded_name]
        return alike[0] if folded_name and alike else None

    def statement(self, column: ColumnFacts) -> str | int:
        """Return how a setting names a column: by its name if that is clear, else by its number."""
        if self.headed and column.name.strip() and self.column(column.name) is column:
            return column.name
        return column.place + 1
