"""A metric bound to aligned data: observed scores, and scores under the counts of resamples.

Every scorer answers the same questions, whatever its way; counts W[R, n] say how often each row was
drawn. m entries are numbered as their predictions were given.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Array, Bools, Floats, Ints
from ..core.errors import MetricError
from ..metrics import check, formula
from ..metrics.calls import Call, Cells, as_read, call_of, take
from ..metrics.classes import as_meant, classes_of, one_column
from ..metrics.metric import Data, Evaluated, Metric
from ..metrics.ordered import Ordered, padded, width
from ..metrics.organizer import silenced
from ..metrics.sums import Product, Sums
from .diagnostics import Diagnostics

Counts = NDArray[np.integer]

#: Numbers of the statistics that the jackknife and the randomization test hold at a time.
_HELD = 4_000_000


@dataclass(frozen=True, eq=False)
class Scored:
    """Scores of m entries on R resamples.

    ``values`` [R, m] is nan where the metric has no value (scikit-learn raises or returns nan).
    ``undefined`` [R, m] is True where it has none, or a ``zero_division`` value.
    """

    values: Floats
    undefined: Bools


class Scorer(ABC):
    """A metric bound to one gold column and the predictions of m entries."""

    def __init__(self, metric: Metric, data: Data, names: Sequence[str]) -> None:
        self.metric = metric
        self.data = data
        self.names = tuple(names)

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.data.n

    @property
    def m(self) -> int:
        """Number of entries."""
        return len(self.data.y_preds)

    @property
    def parts(self) -> tuple[Scorer, ...]:
        """The scorers that are evaluated on counts: itself, or those that a formula is made of."""
        return (self,)

    def combine(self, parts: Sequence[Scored]) -> Scored:
        """Make this scorer's scores from those of its `parts`."""
        return parts[0]

    @cached_property
    def observed(self) -> Floats:
        """Scores on the whole test set, [m]; equal for equal predictions, wherever they stand."""
        values = self._observe()
        for entry in np.flatnonzero(~np.isfinite(values)):
            raise MetricError(
                f"metric {self.metric.name!r} is undefined for {self.names[entry]} on the whole "
                f"test set ({self.metric.description})"
            )
        return values

    @abstractmethod
    def _observe(self) -> Floats: ...

    @abstractmethod
    def replicate(self, counts: Counts) -> Scored:
        """Score every entry on resamples that draw row r counts[b, r] times; counts [R, n]."""

    def jackknife(self, units: Ints | None = None) -> Floats:
        """Return the scores [N, m] without each row, or without each of the units 0 … N−1 of rows.

        nan where a score is undefined without the unit.
        """
        size = self.n if units is None else int(units.max()) + 1
        step = max(1, _HELD // self.n)
        parts = []
        for first in range(0, size, step):
            left_out = np.arange(first, min(first + step, size))[:, None]
            present = (np.arange(self.n) if units is None else units) != left_out
            parts.append(self.replicate(present.view(np.uint8)).values)
        return np.concatenate(parts)

    def randomized(self, i: int, j: int, swap: Bools) -> tuple[Floats, Floats]:
        """Score entries i and j with predictions exchanged on the True rows of swap [R, n]."""
        scores = np.empty((len(swap), 2))
        first, second = self.data.y_preds[i], self.data.y_preds[j]
        if np.ndim(first) != np.ndim(second):
            raise MetricError(
                f"metric {self.metric.name!r}: predictions of {self.names[i]} and {self.names[j]} "
                "cannot be exchanged, because only one of them has a score of each label"
            )
        if isinstance(first, Mapping) and first.keys() != second.keys():
            raise MetricError(
                f"metric {self.metric.name!r}: predictions of {self.names[i]} and {self.names[j]} "
                "cannot be exchanged, because they have different columns"
            )
        for b, exchanged in enumerate(swap):
            pair = (_exchanged(first, second, exchanged), _exchanged(second, first, exchanged))
            data = Data(self.data.y_true, pair, self.data.labels)
            scores[b] = _bind(self.metric, data, (self.names[i], self.names[j]))._observe()
        return scores[:, 0], scores[:, 1]

    @cached_property
    def diagnostics(self) -> Diagnostics:
        """What the data can say about this metric."""
        return Diagnostics.of(self.metric, self.data)


class SumsScorer(Scorer):
    """Scores from sums of statistics over rows (`metrics.sums`)."""

    def __init__(self, metric: Metric, data: Data, names: Sequence[str]) -> None:
        super().__init__(metric, data, names)
        assert metric.definition is not None
        assert metric.definition.build is not None
        self.sums: Sums = metric.definition.build(
            data, {**metric.definition.params, **metric.params}
        )

    @cached_property
    def _product(self) -> Product:
        return Product(self.sums.flat())

    def __getstate__(self) -> dict[str, Any]:
        # Workers make the product themselves: it is as large as the statistics.
        return {key: value for key, value in self.__dict__.items() if key != "_product"}

    def _observe(self) -> Floats:
        finished = self._finish(self._totals[:, None], np.ones((1, self.n), np.uint8))
        values: Floats = finished.values[:, 0]
        return values

    @cached_property
    def _totals(self) -> Floats:
        # Column by column: a product's rounding may depend on where in the matrix a column stands.
        return np.array([np.sum(column, dtype=np.float64) for column in self.sums.flat()])

    def replicate(self, counts: Counts) -> Scored:
        """Score every entry on the resamples of ``counts``."""
        return self.finish(self._product(counts), counts)

    def finish(self, sums: Floats, counts: Counts) -> Scored:
        """Make scores from the sums of the flat columns, [m·K, R], under ``counts``."""
        return _scored(self._finish(sums, counts))

    def _finish(self, sums: Floats, counts: Counts) -> Evaluated:
        finished = self.sums.finish_flat(sums)
        return _recompute(finished, self.metric, self.data, counts)

    def jackknife(self, units: Ints | None = None) -> Floats:
        """Return the scores [N, m] without each row or unit: totals less the unit's own sums."""
        flat = self.sums.flat()
        size = self.n if units is None else int(units.max()) + 1
        if units is None:
            held = np.array([column.astype(np.float64) for column in flat])
        else:
            held = np.array([np.bincount(units, column, minlength=size) for column in flat])
        sums = self._totals[:, None] - held
        finished = self.sums.finish_flat(sums)
        if finished.inexact is not None and finished.inexact.any():
            return super().jackknife(units)
        return np.ascontiguousarray(finished.values.T)

    def randomized(self, i: int, j: int, swap: Bools) -> tuple[Floats, Floats]:
        """Score entries i and j with predictions exchanged: their statistics are exchanged."""
        if not self.sums.exchangeable:
            return super().randomized(i, j, swap)
        first, second = self.sums.columns[i], self.sums.columns[j]
        product = Product([*first, *second])
        kept, given = product((~swap).view(np.uint8)), product(swap.view(np.uint8))
        size = self.sums.shape[1]
        # Only sums, no differences: of errors that cancel, rounding would be left.
        sums = np.stack([kept[:size] + given[size:], given[:size] + kept[size:]])
        finished = self.sums.finish(sums)
        if finished.inexact is not None and finished.inexact.any():
            return super().randomized(i, j, swap)
        return finished.values[0], finished.values[1]


class OrderedScorer(Scorer):
    """Scores from running totals over rows in the order of each entry (`metrics.ordered`)."""

    def __init__(self, metric: Metric, data: Data, names: Sequence[str]) -> None:
        super().__init__(metric, data, names)
        assert metric.definition is not None
        assert metric.definition.build is not None
        self._ordered: Ordered = metric.definition.build(
            data, {**metric.definition.params, **metric.params}
        )

    def _observe(self) -> Floats:
        values: Floats = self.replicate(np.ones((1, self.n), np.uint8)).values[0]
        return values

    def replicate(self, counts: Counts) -> Scored:
        """Score every entry on the resamples of ``counts``."""
        parts = []
        step = width(self.n)
        for first in range(0, len(counts), step):
            drawn = counts[first : first + step]
            sums = drawn.sum(axis=1, dtype=np.int64).astype(np.float64)
            parts.append(_scored(self._ordered.evaluate(padded(drawn), sums)))
        return Scored(
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.undefined for part in parts]),
        )


class CallScorer(Scorer):
    """Scores from a function called on the rows of each resample (`metrics.calls`)."""

    def __init__(self, metric: Metric, data: Data, names: Sequence[str]) -> None:
        super().__init__(metric, data, names)
        self._call: Call = call_of(metric, data)
        weighable = self._call.weighable(metric.kind)
        self._cells = [Cells.of(data.y_true, y) if weighable else None for y in data.y_preds]

    def _observe(self) -> Floats:
        rows = np.arange(self.n)
        gold = take(self.data.y_true, rows)
        values = np.empty(self.m)
        for entry, (name, y_pred) in enumerate(zip(self.names, self.data.y_preds, strict=True)):
            where = f"the whole test set ({name})"
            values[entry] = self._call(gold, take(y_pred, rows), where, strict=True)
            if self.metric.call is not None:
                again = self._call(gold, take(y_pred, rows), where, strict=True)
                if again != values[entry]:
                    raise MetricError(
                        f"metric {self.metric.name!r}: called twice on {where} it returned "
                        f"{values[entry]} and {again}; let it depend on its arguments only"
                    )
            cells = self._cells[entry]
            if cells is not None:
                y_true, guesses, weights = cells.drawn(np.ones(self.n, np.uint8))
                weighted = self._call(y_true, guesses, where, strict=True, weights=weights)
                if not np.isclose(weighted, values[entry], rtol=1e-9, atol=1e-12):
                    raise MetricError(
                        f"metric {self.metric.name!r}: with its sample_weight a row of weight w "
                        f"does not count as w rows ({weighted} instead of {values[entry]} on "
                        f"{where}); mend it, or give the parameter another name"
                    )
        return values

    def replicate(self, counts: Counts) -> Scored:
        """Score every entry on the resamples of ``counts``, one call for each."""
        return self.replicate_from(counts, 0)

    def replicate_from(self, counts: Counts, first: int) -> Scored:
        """Score resamples whose first has the number ``first`` in messages."""
        values = np.empty((len(counts), self.m))
        everything = np.arange(self.n)
        with silenced():
            for b, drawn in enumerate(counts):
                rows = np.repeat(everything, drawn)
                gold = take(self.data.y_true, rows)
                for entry, name in enumerate(self.names):
                    where = f"resample {first + b} ({name})"
                    cells = self._cells[entry]
                    if cells is None:
                        y_pred = take(self.data.y_preds[entry], rows)
                        values[b, entry] = self._call(gold, y_pred, where)
                    else:
                        y_true, y_pred, weights = cells.drawn(drawn)
                        values[b, entry] = self._call(y_true, y_pred, where, weights=weights)
        return Scored(values, np.isnan(values))


class FormulaScorer(Scorer):
    """Scores from arithmetic over the scores of other metrics (`metrics.formula`)."""

    def __init__(self, metric: Metric, scorers: Sequence[Scorer]) -> None:
        if {(scorer.n, scorer.m) for scorer in scorers} != {(scorers[0].n, scorers[0].m)}:
            raise MetricError(f"metric {metric.name!r}: its metrics are bound to different data")
        super().__init__(metric, scorers[0].data, scorers[0].names)
        self._scorers = tuple(scorers)

    @property
    def parts(self) -> tuple[Scorer, ...]:
        """The scorers that the formula is made of, those of formulas within it included."""
        return tuple(part for scorer in self._scorers for part in scorer.parts)

    def combine(self, parts: Sequence[Scored]) -> Scored:
        """Evaluate the formula on every resample of its parts."""
        values = {}
        undefined = np.zeros(parts[0].undefined.shape, np.bool_)
        first = 0
        for component, scorer in zip(self.metric.components, self._scorers, strict=True):
            last = first + len(scorer.parts)
            scored = scorer.combine(parts[first:last])
            first = last
            values[component.name] = scored.values
            undefined |= scored.undefined
        result = formula.evaluate(str(self.metric.formula), values)
        return Scored(result, undefined | np.isnan(result))

    def _observe(self) -> Floats:
        return self._evaluate([scorer.observed for scorer in self._scorers])

    def _evaluate(self, values: Sequence[Floats]) -> Floats:
        named = {
            part.name: value for part, value in zip(self.metric.components, values, strict=True)
        }
        return formula.evaluate(str(self.metric.formula), named)

    def replicate(self, counts: Counts) -> Scored:
        """Score every entry on the resamples of ``counts``."""
        return self.combine([part.replicate(counts) for part in self.parts])

    def jackknife(self, units: Ints | None = None) -> Floats:
        """Return the formula's scores [N, m] without each row or unit."""
        return self._evaluate([scorer.jackknife(units) for scorer in self._scorers])

    def randomized(self, i: int, j: int, swap: Bools) -> tuple[Floats, Floats]:
        """Score entries i and j with predictions exchanged in every column the formula needs."""
        pairs = [scorer.randomized(i, j, swap) for scorer in self._scorers]
        return self._evaluate([a for a, _ in pairs]), self._evaluate([b for _, b in pairs])

    @cached_property
    def diagnostics(self) -> Diagnostics:
        """The smallest minority and the disagreements of all columns the formula needs."""
        found = [scorer.diagnostics for scorer in self._scorers]
        minorities = [each.minority for each in found if each.minority is not None]
        differ = np.maximum.reduce([each.disagreements for each in found])
        return Diagnostics(min(minorities, default=None), differ, None)


def bind(
    metric: Metric,
    y_true: Any,
    y_preds: Sequence[Any],
    label_set: Array | None = None,
    names: Sequence[str] | None = None,
) -> Scorer:
    """Bind a metric (not a formula, see `compose`) to one gold column and the entries' predictions.

    ``y_true`` is [n], each of ``y_preds`` [n] or [n, classes in the order of label_set]; for a
    metric of kind "table" mappings from column names to arrays [n]. Raises MetricError where the
    metric does not fit the data and SubmissionError where a prediction is not what the metric
    needs.
    """
    data = Data(y_true, tuple(y_preds), label_set)
    shown = names if names is not None else [f"entry {k + 1}" for k in range(len(data.y_preds))]
    definition = metric.definition
    if definition is not None and metric.kind in ("labels", "scores", "probabilities"):
        # An organizer's own function, which has no row, may call anything "labels".
        metric = replace(metric, params=as_meant(metric.params, data))
    if definition is not None and definition.bounds is not None:
        low, high = definition.bounds(data, metric.params)
        metric = replace(metric, low=low, high=high)
    check.predictions(metric, data, shown)
    if getattr(metric.call, "kaggle", False):
        data = as_read(data)
    if definition is not None and definition.positive is not None and len(classes_of(data)) == 2:
        data = one_column(data, definition.positive(data, metric.params))
    return _bind(metric, data, shown)


def compose(metric: Metric, scorers: Sequence[Scorer]) -> Scorer:
    """Bind a formula to the scorers of ``metric.components``, in their order."""
    return FormulaScorer(metric, scorers)


def _bind(metric: Metric, data: Data, names: Sequence[str]) -> Scorer:
    if metric.evaluation == "sums":
        return SumsScorer(metric, data, names)
    if metric.evaluation == "ordered":
        return OrderedScorer(metric, data, names)
    return CallScorer(metric, data, names)


def _exchanged(kept: Any, other: Any, swap: Bools) -> Any:
    """Return predictions with the True rows of ``swap`` [n] taken from ``other``."""
    if isinstance(kept, Mapping):
        return {name: _exchanged(column, other[name], swap) for name, column in kept.items()}
    return np.where(swap.reshape(-1, *[1] * (kept.ndim - 1)), other, kept)


def _scored(finished: Evaluated) -> Scored:
    return Scored(finished.values.T, finished.undefined.T)


def _recompute(finished: Evaluated, metric: Metric, data: Data, counts: Counts) -> Evaluated:
    """Replace inexact scores by the library's own, on the very rows of their resamples."""
    if finished.inexact is None or not finished.inexact.any():
        return finished
    call = call_of(metric, data)
    values, undefined = finished.values.copy(), finished.undefined.copy()
    everything = np.arange(data.n)
    for entry, b in zip(*np.nonzero(finished.inexact), strict=True):
        rows = np.repeat(everything, counts[b])
        values[entry, b] = call(data.y_true[rows], data.y_preds[entry][rows], f"resample {b}")
        undefined[entry, b] = np.isnan(values[entry, b])
    return Evaluated(values, undefined)
