"""Scores from sums of statistics over rows (`metrics.sums`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from ..metrics.calls import call_of
from ..metrics.metric import Data, Evaluated, Metric
from ..metrics.sums import Product, Sums
from . import influence
from .scorer import Observation, RowCounts, Scored, Scorer, built

#: Of sums of weights, what a subtraction leaves below this share of the total is rounding error.
_ROUNDING = 1e-12


class SumsScorer(Scorer):
    """Scores from sums of statistics over rows (`metrics.sums`)."""

    def __init__(
        self, metric: Metric, data: Data, names: Sequence[str], sums: Sums | None = None
    ) -> None:
        super().__init__(metric, data, names)
        if sums is None:
            sums = built(metric, data)
            if data.weights is not None:
                sums = sums.weighted(data.weights)
        self.sums: Sums = sums

    def _keep(
        self, entries: Sequence[int], names: Sequence[str], kept: dict[Scorer, Scorer]
    ) -> Scorer:
        sums = self.sums.keep(entries)
        return SumsScorer(self.metric, self.data.keep(entries), names, sums)

    def _take(self, rows: Ints, taken: dict[Scorer, Scorer]) -> Scorer:
        sums = self.sums.take(rows)
        return SumsScorer(self.metric, self.data.take(rows), self.names, sums)

    @cached_property
    def _product(self) -> Product:
        return Product(self.sums.flat())

    def __getstate__(self) -> dict[str, Any]:
        # Workers compute the product themselves, because it is as large as the statistics.
        return {key: value for key, value in self.__dict__.items() if key != "_product"}

    def _observe(self) -> Observation:
        evaluated = self._finish(self._totals[:, None], np.ones((1, self.n), np.uint8))
        return Observation(evaluated.values[:, 0])

    @cached_property
    def _totals(self) -> Floats:
        # Column by column, because a product's rounding may depend on a column's place. Scores from
        # elsewhere are summed exactly: the same scores on other units are an exact tie.
        if self.metric.definition.per_unit:
            return np.array([math.fsum(column) for column in self.sums.flat()])
        return np.array([np.sum(column, dtype=np.float64) for column in self.sums.flat()])

    def replicate(self, counts: RowCounts) -> Scored:
        """Score every entry on the resamples of ``counts``."""
        return self.finish(self._product(counts), counts)

    def finish(self, sums: Floats, counts: RowCounts) -> Scored:
        """Return scores from the sums of the flat columns, [m·K, R], under ``counts``."""
        return Scored.of(self._finish(sums, counts))

    def _finish(self, sums: Floats, counts: RowCounts) -> Evaluated:
        evaluated = self.sums.finish_flat(sums)
        return _recompute(evaluated, self.metric, self.data, counts)

    def jackknife(self, units: Ints | None = None) -> Floats:
        """Return the scores [N, m] without each row or unit: totals minus the unit's sums."""
        flat = self.sums.flat()
        size = self.n if units is None else int(units.max()) + 1
        if units is None:
            held = np.array([column.astype(np.float64) for column in flat])
        else:
            held = np.array([np.bincount(units, column, minlength=size) for column in flat])
        sums = self._totals[:, None] - held
        if self.data.weights is not None:
            sums[np.abs(sums) < _ROUNDING * np.abs(self._totals)[:, None]] = 0.0
        evaluated = self.sums.finish_flat(sums)
        if evaluated.inexact is not None and evaluated.inexact.any():
            return super().jackknife(units)
        return np.ascontiguousarray(evaluated.values.T)

    def influence(self, units: Ints | None, most: int) -> Floats | None:
        """Return the influence values [N, m] from the gradient of the sums' function."""
        everything = self.sums.finish_flat(self._totals[:, None])
        if everything.inexact is not None and everything.inexact.any():
            return super().influence(units, most)
        return influence.of_sums(self.sums, self._totals, units)

    def randomized(self, i: int, j: int, swap: Bools) -> tuple[Floats, Floats]:
        """Score entries i and j with predictions exchanged: their statistics are exchanged."""
        if not self.sums.exchangeable:
            return super().randomized(i, j, swap)
        first, second = self.sums.columns[i], self.sums.columns[j]
        product = Product([*first, *second])
        kept, given = product((~swap).view(np.uint8)), product(swap.view(np.uint8))
        size = self.sums.shape[1]
        # Sums, not differences, which would leave rounding errors.
        sums = np.stack([kept[:size] + given[size:], given[:size] + kept[size:]])
        evaluated = self.sums.finish(sums)
        if evaluated.inexact is not None and evaluated.inexact.any():
            return super().randomized(i, j, swap)
        return evaluated.values[0], evaluated.values[1]


def _recompute(evaluated: Evaluated, metric: Metric, data: Data, counts: RowCounts) -> Evaluated:
    """Replace inexact scores by those of the metric's own function on the resampled rows."""
    if evaluated.inexact is None or not evaluated.inexact.any():
        return evaluated
    call = call_of(metric, data)
    values, undefined = evaluated.values.copy(), evaluated.undefined.copy()
    for entry, b in zip(*np.nonzero(evaluated.inexact), strict=True):
        rows, weights = data.drawn(counts[b])
        values[entry, b] = call(
            data.y_true[rows], data.y_preds[entry][rows], f"resample {b}", weights=weights
        )
        undefined[entry, b] = np.isnan(values[entry, b])
    return Evaluated(values, undefined)
