"""Rows that no metric can tell apart are drawn together: cost then depends on distinct rows, not n.

How often k groups of equal rows are drawn is multinomial with their sizes as weights. That costs
tens of nanoseconds a group, where the counts of single rows cost one or two a row: it pays only
where rows repeat forty times and more on average, as the right and wrong answers of a few entries
do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Array, Ints
from ..scoring.scorers import Scorer

#: Rows below which resampling is over before rows could be compared.
_FEWEST_ROWS = 20_000
#: Times that a row must repeat on average.
_REPEATS = 40
#: Rows that are looked at first: if most of these differ, all rows need not be compared.
_SAMPLE = 1024


@dataclass(frozen=True, eq=False)
class Merged:
    """Groups of equal rows: one row of each, [k], and their sizes, [k]."""

    rows: Ints
    sizes: Ints

    def draw(self, rng: np.random.Generator, resamples: int) -> NDArray[np.unsignedinteger[Any]]:
        """Draw how often each group occurs in n draws of single rows, [resamples, k]."""
        n = int(self.sizes.sum())
        counts = rng.multinomial(n, self.sizes / n, size=resamples)
        return counts.astype(np.uint32 if n < 1 << 32 else np.uint64)


def merge(scorers: Sequence[Scorer]) -> Merged | None:
    """Find the rows that are equal for all scorers; None where that does not pay."""
    n = scorers[0].n
    if n < _FEWEST_ROWS:
        return None
    columns = list({id(c): c for scorer in scorers for c in scorer.columns}.values())
    sample = slice(None, None, n // _SAMPLE)
    if 2 * len(np.unique(_rows([column[sample] for column in columns]))) > _SAMPLE:
        return None
    _, rows, sizes = np.unique(_rows(columns), return_index=True, return_counts=True)
    return Merged(rows, sizes) if len(rows) * _REPEATS <= n else None


def _rows(columns: Sequence[Array]) -> NDArray[np.void]:
    """Return each row of some columns as one opaque value, [n]; indicators take a bit each."""
    n = len(columns[0])
    flags = [column for column in columns if column.dtype == np.bool_]
    parts = [np.packbits(np.stack(flags, axis=1), axis=1)] if flags else []
    others = (column for column in columns if column.dtype != np.bool_)
    parts += [np.ascontiguousarray(column).reshape(n, -1).view(np.uint8) for column in others]
    table = np.ascontiguousarray(np.concatenate(parts, axis=1))
    return table.view(np.dtype((np.void, table.shape[1])))[:, 0]
