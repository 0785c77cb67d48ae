"""The data frames that Kaggle's functions are given: rows of what `pandas.read_csv` gives.

Kaggle reads the solution and a submission with ``pandas.read_csv`` and calls the metric with rows
of the two frames. So the types come from whole files, an empty cell is NaN, True and False are
truth values, and the ids are those of the file. pandas itself infers all of it, from the cells that
were checked. It is imported here only, because no other metric needs it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..core.arrays import Array, Bools, Ints
from ..reading.table import FileRows

#: What `pandas.read_csv` calls a column without a name.
_UNNAMED = "Unnamed: {place}"


@dataclass(frozen=True, eq=False)
class KaggleFrame(Mapping[str, Array]):
    """A data frame [n], and the column of its ids. As a mapping, it gives its columns, [n] each.

    ``places`` [n] say where each row stands in the reference data: Kaggle's metrics are given rows
    in this order.
    """

    data: Any  # pandas.DataFrame, whose index counts the rows
    row_id: str
    places: Ints

    @classmethod
    def of_file(cls, file_rows: FileRows, row_id: str, ids: Array, places: Ints) -> KaggleFrame:
        """Return rows of a file as pandas reads it.

        ``row_id`` is what the metric calls the column of the ids. A file that lacks it gets it as
        its first column, with these ``ids`` [n]; so does a row that it lacks.
        """
        rows = np.asarray(file_rows.rows, np.intp)
        lacking = rows < 0
        data = read(file_rows.columns).reindex(rows).reset_index(drop=True)
        if row_id not in data:
            data.insert(0, row_id, np.asarray(ids))
        elif lacking.any():
            data[row_id] = np.asarray(ids)
        return cls(data, row_id, places)

    @classmethod
    def of_target(cls, values: Array, row_id: str, ids: Array, places: Ints) -> KaggleFrame:
        """Return predictions or correct answers [n] as the column "target" beside the ids."""
        import pandas

        return cls(pandas.DataFrame({row_id: ids, "target": values}), row_id, places)

    def in_file_order(self, rows: Ints) -> Ints:
        """Return rows in the order in which the reference data hold them."""
        return rows[np.argsort(self.places[rows], kind="stable")]

    def __getitem__(self, name: str) -> Array:
        column: Array = self.data[name].to_numpy(dtype=object)
        return column

    def __iter__(self) -> Iterator[str]:
        return iter(self.data.columns)

    def __len__(self) -> int:
        return len(self.data.columns)

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.data)

    def take(self, rows: Ints) -> KaggleFrame:
        """Return some rows, perhaps repeated; each keeps its id."""
        data = self.data.take(rows).reset_index(drop=True)
        return KaggleFrame(data, self.row_id, self.places[rows])

    def exchanged(self, partner: KaggleFrame, swap: Bools) -> KaggleFrame:
        """Return the rows with the True ones of ``swap`` [n] taken from ``partner``."""
        import pandas

        together = pandas.concat([self.data, partner.data], ignore_index=True)
        rows = np.arange(self.n) + np.where(swap, self.n, 0)
        return replace(self, data=together.take(rows).reset_index(drop=True))

    def with_new_ids(self) -> KaggleFrame:
        """Return the rows with new ids: numbers from 0, which no two rows share."""
        data = self.data.copy()
        data[self.row_id] = np.arange(self.n)  # in the place that the column had
        return replace(self, data=data)


def read(columns: Mapping[str, Sequence[Any]]) -> Any:
    """Return texts as the pandas.DataFrame that `pandas.read_csv` makes of a file with these cells.

    A column has one type for all its rows, also where pandas reads a file of mixed cells in pieces.
    """
    import pandas

    written = io.StringIO(newline="")
    writer = csv.writer(written, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows(zip(*columns.values(), strict=True))
    written.seek(0)
    names = [name or _UNNAMED.format(place=place) for place, name in enumerate(columns)]
    return pandas.read_csv(
        written,
        header=None,
        names=names,
        index_col=False,
        low_memory=False,
        skip_blank_lines=False,
    )
