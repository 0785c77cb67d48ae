"""Scores from running totals over rows in the order of each entry (`metrics.ordered`)."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.arrays import Floats, Ints
from ..metrics.metric import Data, Metric
from ..metrics.ordered import Ordered, Resampled, Workspace, width
from .influence import of_places
from .scorer import Observation, RowCounts, Scored, Scorer, built


class OrderedScorer(Scorer):
    """Scores from running totals over rows in the order of each entry."""

    def __init__(
        self, metric: Metric, data: Data, names: Sequence[str], ordered: Ordered | None = None
    ) -> None:
        super().__init__(metric, data, names)
        if ordered is None:
            ordered = built(metric, data)
        self._ordered: Ordered = ordered
        self._of_thread = threading.local()

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "_of_thread"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._of_thread = threading.local()

    def _keep(
        self, entries: Sequence[int], names: Sequence[str], kept: dict[Scorer, Scorer]
    ) -> Scorer:
        ordered = self._ordered.keep(entries)
        return OrderedScorer(self.metric, self.data.keep(entries), names, ordered)

    def _take(self, rows: Ints, taken: dict[Scorer, Scorer]) -> Scorer:
        return OrderedScorer(self.metric, self.data.take(rows), self.names)

    def _observe(self) -> Observation:
        return Observation(self.replicate(np.ones((1, self.n), np.uint8)).values[0])

    def influence(self, units: Ints | None, most: int) -> Floats | None:
        """Return the influence values [N, m] from the rows' places, or else from the jackknife."""
        places = self.metric.definition.places
        found = None if places is None else places(self.data, self.metric.all_params)
        return super().influence(units, most) if found is None else of_places(found, units)

    def replicate(self, counts: RowCounts) -> Scored:
        """Score every entry on the resamples of ``counts``."""
        parts = []
        step = width(self.n)
        workspace: Workspace = self._of_thread.__dict__.setdefault("workspace", Workspace())
        for first in range(0, len(counts), step):
            resampled = Resampled.of(counts[first : first + step], workspace)
            parts.append(Scored.of(self._ordered.scores(resampled)))
        return Scored(
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.undefined for part in parts]),
        )
