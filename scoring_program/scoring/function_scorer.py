"""Scores from a function called on the rows of each resample (`metrics.calls`)."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Floats, Ints
from ..core.errors import MetricError, SubmissionError
from ..core.phrases import Phrase
from ..metrics.calls import Call, Cells, call_of
from ..metrics.metric import Data, Metric, take
from ..metrics.organizer import silenced
from .scorer import Failure, Observation, RowCounts, Scored, Scorer


class FunctionScorer(Scorer):
    """Scores from a function called on the rows of each resample."""

    def __init__(
        self,
        metric: Metric,
        data: Data,
        names: Sequence[str],
        cells: Sequence[Cells | None] | None = None,
    ) -> None:
        super().__init__(metric, data, names)
        self._call: Call = call_of(metric, data)
        if cells is None:
            weighable = self._call.weighable(metric.kind)
            cells = [Cells.of(data.y_true, y) if weighable else None for y in data.y_preds]
        self._cells = cells

    def _keep(
        self, entries: Sequence[int], names: Sequence[str], kept: dict[Scorer, Scorer]
    ) -> Scorer:
        cells = [self._cells[entry] for entry in entries]
        return FunctionScorer(self.metric, self.data.keep(entries), names, cells)

    def _take(self, rows: Ints, taken: dict[Scorer, Scorer]) -> Scorer:
        return FunctionScorer(self.metric, self.data.take(rows), self.names)

    def _observe(self) -> Observation:
        values = np.full(self.m, np.nan)
        failures: dict[int, Failure] = {}
        seconds = 0.0
        for entry in range(self.m):
            try:
                values[entry], taken = self._observe_entry(entry)
                seconds = max(seconds, taken)
            except (MetricError, SubmissionError) as failure:
                failures[entry] = failure
        return Observation(values, failures, seconds)

    def _observe_entry(self, entry: int) -> tuple[float, float]:
        """Call the function on the whole test set. An organizer's own function is called twice.

        Returns the score and the seconds that a call on a resample takes. Raises MetricError if the
        second call or a call with weights returns another number.
        """
        rows, weights = self.data.drawn(np.ones(self.n, np.uint8))
        gold, y_pred = take(self.data.y_true, rows), self.data.y_preds[entry]
        where = Phrase("the whole test set ({entry})", entry=self.names[entry])
        begun = time.perf_counter()
        value = self._call(gold, take(y_pred, rows), where, strict=True, weights=weights)
        if self.metric.call is not None:
            begun = time.perf_counter()  # the first call may also have imported a library
            again = self._call(gold, take(y_pred, rows), where, strict=True, weights=weights)
            if again != value:
                raise MetricError(
                    Phrase(
                        "metric {metric}: called twice on {where} it returned {first} and "
                        "{second}; it must depend only on its arguments",
                        metric=repr(self.metric.name),
                        where=where,
                        first=value,
                        second=again,
                    )
                )
        cells = self._cells[entry]
        if cells is not None:
            begun = time.perf_counter()
            y_true, guesses, times = cells.drawn(self._times(np.ones(self.n, np.uint8)))
            weighted = self._call(y_true, guesses, where, strict=True, weights=times)
            if not np.isclose(weighted, value, rtol=1e-9, atol=1e-12):
                raise MetricError(
                    Phrase(
                        "metric {metric}: with sample_weight, a row of weight w must count as w "
                        "rows, but the score on {where} is {weighted} instead of {value}; fix it, "
                        "or give the parameter another name",
                        metric=repr(self.metric.name),
                        where=where,
                        weighted=weighted,
                        value=value,
                    )
                )
        return value, time.perf_counter() - begun

    def _times(self, drawn: NDArray[np.integer]) -> NDArray[np.integer] | Floats:
        """Return how often rows count that were drawn so often, [n]."""
        return drawn if self.data.weights is None else drawn * self.data.weights

    def replicate(self, counts: RowCounts) -> Scored:
        """Score every entry on the resamples of ``counts``, one call for each."""
        return self.replicate_from(counts, 0)

    def replicate_from(self, counts: RowCounts, first: int) -> Scored:
        """Score resamples. In messages, the first one has the number ``first``.

        A function that fails on some rows of the test set only is undefined there.
        """
        values = np.empty((len(counts), self.m))
        with silenced(output=self.metric.silent):
            for b, drawn in enumerate(counts):
                rows, weights = self.data.drawn(drawn)
                if not len(rows):  # all of them have no weight
                    values[b] = np.nan
                    continue
                gold = take(self.data.y_true, rows)
                times = self._times(drawn)
                for entry, name in enumerate(self.names):
                    where = f"resample {first + b} ({name})"
                    cells = self._cells[entry]
                    try:
                        if cells is None:
                            y_pred = take(self.data.y_preds[entry], rows)
                            values[b, entry] = self._call(gold, y_pred, where, weights=weights)
                        else:
                            y_true, y_pred, of_cells = cells.drawn(times)
                            values[b, entry] = self._call(y_true, y_pred, where, weights=of_cells)
                    except (MetricError, SubmissionError):
                        if self.rows is None:
                            raise
                        values[b, entry] = np.nan
        return Scored(values, np.isnan(values))
