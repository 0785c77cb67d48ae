"""Distinct rows of labels and how often each occurs: as small as a test set is for its metrics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.arrays import Array, Ints

#: Labels that a byte tells apart, but for the one that stands for none.
MOST_LABELS = 255
_WORD = 64
#: Rows that are gathered before equal ones are put together.
_GATHERED = 1 << 21

_Words = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class LabelCounts:
    """K distinct rows of c codes, packed into words [K, W], and how often each occurs, [K].

    The first code is in the highest bits of the first word, so that rows are sorted by it first.
    """

    words: _Words
    counts: Ints
    columns: int
    labels: int

    @classmethod
    def of_columns(
        cls, columns: Sequence[Array], labels: int, counts: Ints | None = None
    ) -> LabelCounts:
        """Pack rows of codes [c][n] below ``labels``, each with its count; once by default."""
        bits, each = _layout(labels)
        words = np.zeros((len(columns[0]), -(-len(columns) // each)), np.uint64)
        for place, codes in enumerate(columns):
            shift = np.uint64(_WORD - bits * (place % each + 1))
            words[:, place // each] |= codes.astype(np.uint64) << shift
        counts = np.ones(len(words), np.intp) if counts is None else counts
        return cls(words, counts, len(columns), labels)

    @classmethod
    def sum(cls, found: Iterable[LabelCounts]) -> LabelCounts:
        """Add up counts of the same columns, holding few of them at a time."""
        total: LabelCounts | None = None
        gathered: list[LabelCounts] = []
        for one in found:
            gathered.append(one)
            if sum(len(item.counts) for item in gathered) > _GATHERED:
                total = cls._together([total, *gathered] if total else gathered)
                gathered = []
        if gathered:
            total = cls._together([total, *gathered] if total else gathered)
        assert total is not None
        return total

    @classmethod
    def _together(cls, parts: Sequence[LabelCounts]) -> LabelCounts:
        words = np.concatenate([part.words for part in parts])
        counts = np.concatenate([part.counts for part in parts])
        return cls(words, counts, parts[0].columns, parts[0].labels).merged()

    @classmethod
    def in_order(cls, parts: Sequence[LabelCounts], keys: Sequence[str]) -> LabelCounts:
        """Return all rows, each by itself, in the order of their keys [n]."""
        words = np.concatenate([part.words for part in parts])
        order = sorted(range(len(keys)), key=keys.__getitem__)
        ones = np.ones(len(order), np.intp)
        return cls(words[order], ones, parts[0].columns, parts[0].labels)

    def merged(self) -> LabelCounts:
        """Put equal rows together, and sort the rows."""
        if self.words.shape[1] == 1:
            order = np.argsort(self.words[:, 0], kind="stable")
        else:
            order = np.lexsort(self.words.T[::-1])
        words = self.words[order]
        starts = np.ones(len(words), np.bool_)
        starts[1:] = (words[1:] != words[:-1]).any(axis=1)
        first = np.flatnonzero(starts)
        counts = np.add.reduceat(self.counts[order], first) if first.size else self.counts
        return LabelCounts(words[first], counts, self.columns, self.labels)

    def codes(self, place: int) -> NDArray[np.uint8]:
        """Return the codes of one column, [K]."""
        bits, each = _layout(self.labels)
        shift = np.uint64(_WORD - bits * (place % each + 1))
        codes: Any = (self.words[:, place // each] >> shift) & np.uint64((1 << bits) - 1)
        return np.asarray(codes, np.uint8)

    def keep(self, columns: Sequence[int]) -> LabelCounts:
        """Return the counts of the rows of some columns."""
        kept = [self.codes(place) for place in columns]
        return LabelCounts.of_columns(kept, self.labels, self.counts)


def _layout(labels: int) -> tuple[int, int]:
    """Return the bits of a code, and how many codes a word holds."""
    bits = max(1, (labels - 1).bit_length())
    return bits, _WORD // bits
