"""Metrics that are functions of sums of statistics over rows.

A resample that draws row r w_r times has the sums Σ w_r·s_r, so that one matrix product scores
thousands of resamples. Sums of integers are exact in every type that is used here, and those of
real numbers in `core.exact`, so that no score depends on the processor.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Array, Floats, Ints
from ..core.exact import ExactSums
from .metric import Evaluated, defined

#: Number of rows that are multiplied at once. Their draws practically always stay below 4,096, so
#: that one float32 number can hold two sums. Every product checks this.
BLOCK = 3000
_PACK = 4096
#: So few columns of integers are multiplied together with the real ones.
_FEW = 4
#: A sum of squares below this share of the sums it was computed from is mostly rounding error.
CANCELLED = 1e-5
#: The step of a numerical derivative, relative to the size of what is changed.
STEP = 1e-5


@dataclass(frozen=True, eq=False)
class Scattered:
    """An indicator that is true on few ``rows`` of ``n``; where it is no special case, an array.

    With thousands of classes, arrays of all indicators of all entries would fill the memory.
    """

    rows: Ints  # in ascending order
    n: int
    dtype = np.dtype(np.bool_)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        column = np.zeros(self.n, self.dtype)
        column[self.rows] = True
        return column if dtype is None else column.astype(dtype)

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, rows: Any) -> Scattered:
        taken = np.asarray(self)[rows]
        return Scattered(np.flatnonzero(taken), taken.size)

    def __mul__(self, weights: Array) -> Array:
        return np.asarray(self) * weights

    def astype(self, dtype: Any) -> Array:
        """Return the whole column."""
        return np.asarray(self, dtype)


def scattered(column: object) -> Ints | None:
    """Return the rows of a `Scattered` indicator, None of an array."""
    return column.rows if isinstance(column, Scattered) else None


@dataclass(frozen=True, eq=False)
class Sums:
    """A metric bound to data: K statistics of each row and entry, and the function of their sums.

    ``columns`` is [m][K] of arrays [n]: bool for indicators, else numbers. Entries may share
    arrays. ``finish`` takes the sums, float64 [m, K, R], and returns scores of shape [m, R].
    ``exchangeable`` says whether exchanging two entries' statistics exchanges their predictions.
    ``slopes`` returns the derivatives [m, K] of the scores with respect to the sums [m, K], where
    differences would take too long.
    """

    columns: tuple[tuple[Array, ...], ...]
    finish: Callable[[Floats], Evaluated]
    exchangeable: bool = True
    slopes: Callable[[Floats], Floats] | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Number of entries and of statistics of each."""
        return len(self.columns), len(self.columns[0])

    def flat(self) -> list[Array]:
        """Return the columns of all entries in one list of length m·K."""
        return [column for entry in self.columns for column in entry]

    def keep(self, entries: Sequence[int]) -> Sums:
        """Return the statistics of some entries, in that order."""
        return replace(self, columns=tuple(self.columns[entry] for entry in entries))

    def take(self, rows: Ints) -> Sums:
        """Return the statistics of some rows."""
        return replace(self, columns=self._changed(lambda column: column[rows]))

    def weighted(self, weights: Floats) -> Sums:
        """Return the statistics of rows that count as often as their weights [n] say."""
        whole = smallest(weights)  # sums of integers are exact, and faster
        columns = self._changed(lambda column: column * whole)
        return replace(self, columns=columns, finish=partial(_quietly, self.finish))

    def _changed(self, change: Callable[[Array], Array]) -> tuple[tuple[Array, ...], ...]:
        changed = {id(column): change(column) for column in self.flat()}  # entries go on sharing

        def of_entry(columns: Sequence[Array]) -> tuple[Array, ...]:
            return tuple(changed[id(column)] for column in columns)

        return tuple(map(of_entry, self.columns))

    def finish_flat(self, sums: Floats) -> Evaluated:
        """Finish sums of the flat columns, [m·K, R]."""
        return self.finish(sums.reshape(*self.shape, -1))


class _Block:
    """The distinct columns of some rows that are not zero, by the way they are summed."""

    def __init__(
        self, distinct: Sequence[Array], kinds: Sequence[str], rows: slice, may_count: Ints
    ) -> None:
        # Of each kind, the parts of columns that differ here, and the place of each among them.
        place_of: dict[str, dict[Hashable, int]] = {"indicator": {}, "integer": {}, "real": {}}
        parts: dict[str, list[Array]] = {"indicator": [], "integer": [], "real": []}
        places: list[tuple[str, int]] = []
        for index in may_count.tolist():
            part = distinct[index][rows]
            kind = kinds[index]
            key: Hashable = np.packbits(part).tobytes() if kind == "indicator" else index
            place = place_of[kind].setdefault(key, len(parts[kind]))
            if place == len(parts[kind]):
                parts[kind].append(part)
            places.append((kind, place))
        start = {"indicator": 0, "integer": len(parts["indicator"])}
        start["real"] = start["integer"] + len(parts["integer"])
        size = len(distinct[0][rows])
        half = -(-start["integer"] // 2)
        self.rows = rows
        self._indicators = start["integer"]  # how many are packed
        # Two indicators each, [k, rows]: first + 4096·second; the last row is ones.
        self._packed = np.zeros((half + 1, size), np.float32)
        self._packed[half] = 1
        for index, part in enumerate(parts["indicator"]):
            self._packed[index % half] += part * np.float32(_PACK if index >= half else 1)
        # |values| < 4096, in their float32 sums exact, [k, rows]
        self._integers = np.array(parts["integer"], np.float32).reshape(-1, size)
        self._reals = ExactSums(np.array(parts["real"], np.float64)) if parts["real"] else None
        # Which of the U distinct columns may be other than zero here; a slice spares copies.
        self.columns = slice(None) if len(may_count) == len(distinct) else may_count
        # The index of each of these in the product.
        self.place = np.array([start[kind] + place for kind, place in places], np.intp)

    def sums(self, counts: NDArray[np.integer]) -> Floats:
        """Sum the columns, [k, R]."""
        parts: list[Array] = []
        if self._indicators or len(self._integers):
            product = None
            if counts.dtype == np.uint8:  # sets of equal rows, of larger types, are drawn more
                weights = counts.astype(np.float32)
                # In this order the product takes two thirds of the time.
                product = (weights @ self._packed.T).T
            # The row of ones gives the draws, which say whether the other sums are exact.
            if product is not None and product[-1].max(initial=0.0) < _PACK:
                sums = product[:-1].astype(np.int32, order="C")
                parts += [sums & (_PACK - 1), (sums >> 12)[: self._indicators - len(sums)]]
                parts.append((weights @ self._integers.T).T)
            else:
                exact = counts.astype(np.float64).T
                packed = self._packed[:-1].astype(np.int32)
                for half in (
                    packed & (_PACK - 1),
                    (packed >> 12)[: self._indicators - len(packed)],
                ):
                    parts.append(half.astype(np.float64) @ exact)
                parts.append(self._integers.astype(np.float64) @ exact)
        if self._reals is not None:
            parts.append(self._reals(counts.astype(np.float64).T))
        return np.concatenate(parts, axis=0, dtype=np.float64)


def centered(values: Floats) -> Floats:
    """Subtract the mean, so that differences of sums of squares lose no precision."""
    numbers = values.astype(np.float64)
    return np.asarray(numbers - numbers.mean())


class Product:
    """Sums of columns [n] under counts [R, n], as float64 [columns, R].

    Equal columns are multiplied once, so their sums are equal. Columns that are equal within a
    block of rows are multiplied once for the block. If rows of one gold class are adjacent,
    "predicted c" equals "correctly predicted c" in its blocks.
    """

    def __init__(self, columns: Sequence[Array]) -> None:
        few = {id(column): column for column in columns if scattered(column) is not None}
        whole = [place for place, column in enumerate(columns) if id(column) not in few]
        distinct, self._index = _distinct([columns[place] for place in whole])
        self._n = len(columns[0])
        self._scattered = _matrix([scattered(column) for column in few.values()], self._n)
        if few:
            row = {key: number for number, key in enumerate(few)}
            self._whole = np.array(whole, np.intp)
            self._row = np.array([row.get(id(column), 0) for column in columns], np.intp)
        bounds = _bounds(distinct, self._n)
        kinds = [_kind(column) for column in distinct]
        if "real" in kinds and len(kinds) - kinds.count("real") <= _FEW:
            # A separate product is not worth another conversion of the counts.
            kinds = ["real"] * len(kinds)
        # Which columns may be other than zero in each block, [U, blocks].
        may_count = np.ones((len(distinct), len(bounds) - 1), np.bool_)
        for index, (column, kind) in enumerate(zip(distinct, kinds, strict=True)):
            if kind == "indicator":
                may_count[index] = np.logical_or.reduceat(column, bounds[:-1])
        self._blocks = [
            _Block(distinct, kinds, slice(*pair), np.flatnonzero(may_count[:, block]))
            for block, pair in enumerate(pairwise(bounds))
            if may_count[:, block].any()
        ]
        self._size = len(distinct)

    def __call__(self, counts: NDArray[np.integer]) -> Floats:
        """Return Σ_r counts[b, r]·column[r] for every column and resample b."""
        totals = np.zeros((self._size, len(counts)))
        for block in self._blocks:
            totals[block.columns] += block.sums(counts[:, block.rows])[block.place]
        if self._scattered is None:
            return totals.take(self._index, axis=0)
        few = self._scattered @ np.ascontiguousarray(counts.T, np.float64)
        sums: Floats = few.take(self._row, axis=0)
        sums[self._whole] = totals[self._index]
        return sums


def _matrix(columns: Sequence[Ints | None], n: int) -> Any:
    """Return indicators by their rows as a sparse matrix [columns, n]; None without any."""
    rows = [column for column in columns if column is not None]
    if not rows:
        return None
    from scipy.sparse import csr_matrix  # imported here because few competitions have many classes

    ends = np.cumsum([0, *(len(column) for column in rows)])
    return csr_matrix((np.ones(ends[-1]), np.concatenate(rows), ends), shape=(len(rows), n))


def smallest(column: Floats) -> Array:
    """Return numbers in the smallest type that holds them exactly."""
    if column.dtype.kind in "bu":
        return column
    whole = np.rint(column)
    if not np.array_equal(whole, column) or np.abs(column).max(initial=0) >= 2**31:
        return column
    if ((column == 0) | (column == 1)).all():
        return column.astype(np.bool_)
    return whole.astype(np.min_scalar_type(-int(np.abs(whole).max()) - 1))


def mean(sums: Floats, root: bool = False) -> Evaluated:
    """Divide the first of two sums by the second, the draws, [m, 2, R]; nan where none is.

    With ``root``, return the square root of the quotient.
    """
    with np.errstate(invalid="ignore"):
        means = sums[:, 0] / sums[:, 1]
    # If errors are subtracted from their total, rounding may leave a negative number.
    return defined(np.sqrt(np.maximum(means, 0.0)) if root else means)


def means_of(n: int, columns: Iterable[Array], root: bool = False) -> Sums:
    """Bind the mean of each entry's column [n]; with ``root``, its square root."""
    drawn = np.ones(n, np.bool_)
    return Sums(tuple((column, drawn) for column in columns), partial(mean, root=root))


def _quietly(finish: Callable[[Floats], Evaluated], sums: Floats) -> Evaluated:
    """Finish sums that may all be zero: a resample may draw only rows of weight zero."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return finish(sums)


def _distinct(columns: Sequence[Array]) -> tuple[list[Array], Ints]:
    """Return the distinct columns and, for each column, the index of the equal one."""
    distinct: list[Array] = []
    by_array: dict[int, int] = {}
    by_hash: dict[tuple[str, int], list[int]] = {}
    for column in columns:
        if id(column) in by_array:
            continue
        # Of a real column, −0 becomes 0, which it equals. Many columns have the same sum.
        content = (column + 0 if column.dtype.kind == "f" else column).tobytes()
        candidates = by_hash.setdefault((column.dtype.str, hash(content)), [])
        equal = next((k for k in candidates if np.array_equal(distinct[k], column)), None)
        if equal is None:
            equal = len(distinct)
            distinct.append(column)
            candidates.append(equal)
        by_array[id(column)] = equal
    return distinct, np.array([by_array[id(column)] for column in columns], np.intp)


def _bounds(distinct: Sequence[Array], n: int) -> list[int]:
    """Cut rows into blocks: where an indicator's only run starts or ends, and after BLOCK."""
    cuts = {0, n}
    for column in distinct:
        if column.dtype == np.bool_:
            changes = np.flatnonzero(column[1:] != column[:-1]) + 1
            # With more runs, the rows are not sorted by this indicator.
            if len(changes) <= 2 and n > BLOCK:
                cuts.update(int(change) for change in changes)
    ordered = sorted(cuts)
    bounds = [0]
    for first, last in pairwise(ordered):
        pieces = -(-(last - first) // BLOCK)
        bounds.extend(first + (last - first) * piece // pieces for piece in range(1, pieces + 1))
    return bounds


def _kind(column: Array) -> str:
    if column.dtype == np.bool_:
        return "indicator"
    if np.array_equal(column[:64], np.rint(column[:64])) and np.array_equal(
        column, np.rint(column)
    ):
        return "integer" if np.abs(column).max(initial=0) < _PACK else "real"
    return "real"
