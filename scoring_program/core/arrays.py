"""Names for array types, whose shapes docstrings state, and columns that are kept by code."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cells import Repeated

Floats = NDArray[np.float64]
#: In double or in single precision.
Reals = NDArray[np.floating[Any]]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]
Array = NDArray[Any]


def tally(marked: Bools, sizes: Ints | None = None) -> Any:
    """Count the True rows of ``marked`` [n, …], each as often as its size [n] says."""
    return np.count_nonzero(marked, axis=0) if sizes is None else sizes @ marked


def distinct(values: Array) -> Array:
    """Return the sorted distinct values.

    ``np.unique`` imports numpy.ma, a tenth of a short run, unless it is asked for more.
    """
    return np.unique(values, return_counts=True)[0]


def median(values: Floats) -> Any:
    """Return the medians along the first axis, NaN where a value is; see `distinct`."""
    ordered = np.sort(values, axis=0)
    last = len(ordered) - 1
    middle = (ordered[last // 2] + ordered[(last + 1) // 2]) / 2
    return np.where(np.isnan(ordered[last]), np.nan, middle)


#: Largest difference that rounding makes: relative to the larger of two scores, and to their scale.
_RELATIVE, _ABSOLUTE = 1e-12, 1e-14


def without_rounding(scores: Floats, scale: float) -> Floats:
    """Return scores [m] in which those that only rounding tells apart are equal, as the least one.

    ``scale`` is the size of scores whose parts may cancel, 0 if it is not known.
    """
    if not scores.size:
        return scores
    order = np.argsort(scores, kind="stable")
    ordered = scores[order]
    with np.errstate(invalid="ignore"):
        sizes = np.maximum(np.abs(ordered[1:]), np.abs(ordered[:-1]))
        apart = ~(np.diff(ordered) <= np.maximum(_RELATIVE * sizes, _ABSOLUTE * scale))
    starts = np.flatnonzero(np.append(True, apart))
    equal = np.empty_like(scores)
    equal[order] = np.repeat(ordered[starts], np.diff(starts, append=scores.size))
    return equal


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
        self.codes, self.values = codes, values

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

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (Coded, list, tuple)):
            return len(self) == len(other) and all(map(operator.eq, self, other))
        return NotImplemented

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        """Return what ``np.array`` makes of the list of its values."""
        place: Array = np.cumsum(self._occurs) - 1  # of a value among those that occur
        present = np.array(self.present, dtype)
        return present[np.maximum(place, 0)][self.codes] if len(self) else present

    @cached_property
    def _occurs(self) -> Array:
        return np.bincount(self.codes, minlength=len(self.values)) > 0

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
        least, most = int(values.min()), int(values.max())
        if most - least < MOST_CODED:
            codes = (values - values.dtype.type(least)).astype(np.uint8)
            return Coded(codes, [*range(least, most + 1)])
    first = distinct(values[:MOST_CODED])
    if len(first) <= _COMPARED:
        codes, known = np.zeros(len(values), np.uint8), 0
        for place, value in enumerate(first):
            same = values == value
            codes[same] = place
            known += int(np.count_nonzero(same))
        if known == len(values):
            return Coded(codes, first.tolist())
    return coded_cells(values.tolist())


def coded_cells(cells: Sequence[Any]) -> Coded | None:
    """Return a column by code; None if it has too many values."""
    found = {*cells[: 2 * MOST_CODED]}
    if len(found) > MOST_CODED or len(found := {*cells}) > MOST_CODED:
        return None
    code_of = {value: place for place, value in enumerate(found)}
    return Coded(np.fromiter(map(code_of.__getitem__, cells), np.uint8, len(cells)), [*code_of])
