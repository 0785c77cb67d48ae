"""A metric bound to aligned data: observed scores, and scores under the counts of resamples.

All scorers have the same interface, for every kind of evaluation. Counts W[R, n] say how often each
row was drawn. The m entries are numbered in the order of their predictions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Array, Bools, Floats, Ints
from ..core.errors import MetricError, SubmissionError
from ..core.phrases import Phrase
from ..metrics.metric import Data, Evaluated, Metric
from . import influence
from .diagnostics import Diagnostics

RowCounts = NDArray[np.integer]
#: Why an entry has no score.
Failure = MetricError | SubmissionError

#: The most counts that the jackknife handles at once.
_HELD = 4_000_000


def built(metric: Metric, data: Data) -> Any:
    """Return what a metric counts of the data; raise MetricError with the metric's name."""
    assert metric.definition.build is not None
    try:
        return metric.definition.build(data, metric.all_params)
    except MetricError as error:
        raise MetricError(f"metric {metric.name!r}: {error}") from error


@dataclass(frozen=True, eq=False)
class Scored:
    """Scores of m entries on R resamples.

    ``values`` [R, m] is nan if the metric has no value (scikit-learn raises or returns nan).
    ``undefined`` [R, m] is True if it has no value, or a ``zero_division`` value.
    """

    values: Floats
    undefined: Bools

    @classmethod
    def of(cls, evaluated: Evaluated) -> Scored:
        """Transpose scores [m, R] from metrics."""
        return cls(evaluated.values.T, evaluated.undefined.T)


@dataclass(frozen=True, eq=False)
class Observation:
    """Scores on the whole test set: ``values`` [m], nan for the entries that have ``failures``.

    ``seconds`` is how long one call of a function took; 0 if none is called on resamples.
    """

    values: Floats
    failures: Mapping[int, Failure] = field(default_factory=dict)
    seconds: float = 0.0

    def keep(self, entries: Sequence[int]) -> Observation:
        """Return the observation of some entries, in that order."""
        failures = {
            place: self.failures[entry]
            for place, entry in enumerate(entries)
            if entry in self.failures
        }
        return replace(self, values=self.values[list(entries)], failures=failures)

    def checked(self) -> Floats:
        """Return the values; raise the failure of the first entry that has one."""
        if self.failures:
            raise self.failures[min(self.failures)]
        return self.values


class Scorer(ABC):
    """A metric bound to one gold column and the predictions of m entries.

    A resample counts all rows of the test set. ``rows`` are those that are scored; None for all.
    """

    rows: Ints | None = None

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
        """The scorers that are evaluated on counts: itself, or those that a formula needs."""
        return (self,)

    def combine(self, parts: Sequence[Scored]) -> Scored:
        """Make this scorer's scores from those of its `parts`."""
        return parts[0]

    def keep(
        self,
        entries: Sequence[int],
        names: Sequence[str],
        kept: dict[Scorer, Scorer] | None = None,
    ) -> Scorer:
        """Return the scorer of some entries under other names; nothing is bound or scored again.

        ``kept`` maps scorers to their new scorers, and this one is added. So formulas that share a
        metric also share its new scorer.
        """
        kept = {} if kept is None else kept
        if self not in kept:
            kept[self] = self._keep(entries, names, kept)
            kept[self].rows = self.rows
            if "observation" in self.__dict__:
                kept[self].observation = self.observation.keep(entries)
        return kept[self]

    @abstractmethod
    def _keep(
        self, entries: Sequence[int], names: Sequence[str], kept: dict[Scorer, Scorer]
    ) -> Scorer: ...

    def take(self, rows: Ints, taken: dict[Scorer, Scorer] | None = None) -> Scorer:
        """Return the scorer of some rows of the test set, `rows`; no statistics are counted again.

        ``taken`` maps scorers to those of these rows, and this one is added. Raises MetricError if
        the metric has no meaning on these rows.
        """
        taken = {} if taken is None else taken
        if self not in taken:
            taken[self] = self._take(rows, taken)
            taken[self].rows = rows
        return taken[self]

    @abstractmethod
    def _take(self, rows: Ints, taken: dict[Scorer, Scorer]) -> Scorer: ...

    @cached_property
    def observation(self) -> Observation:
        """Scores on the whole test set. Equal predictions of two entries have equal scores."""
        found = self._observe()
        failures = dict(found.failures)
        for entry in np.flatnonzero(~np.isfinite(found.values)).tolist():
            undefined = MetricError(
                Phrase(
                    "metric {metric} is undefined for {entry} on the whole test set ({definition})",
                    metric=repr(self.metric.name),
                    entry=self.names[entry],
                    definition=self.metric.description,
                )
            )
            failures.setdefault(entry, undefined)
        return replace(found, failures=failures)

    @property
    def observed(self) -> Floats:
        """Scores on the whole test set, [m].

        Raises MetricError or SubmissionError if an entry has none.
        """
        return self.observation.checked()

    @abstractmethod
    def _observe(self) -> Observation: ...

    @abstractmethod
    def replicate(self, counts: RowCounts) -> Scored:
        """Score every entry on resamples that draw row r counts[b, r] times; counts [R, n]."""

    def jackknife(self, units: Ints | None = None) -> Floats:
        """Return the scores [N, m] without each row, or without each of the units 0 … N−1 of rows.

        A score that is undefined without the unit is nan.
        """
        size = self.n if units is None else int(units.max()) + 1
        step = max(1, _HELD // self.n)
        parts = []
        for first in range(0, size, step):
            left_out = np.arange(first, min(first + step, size))[:, None]
            present = (np.arange(self.n) if units is None else units) != left_out
            parts.append(self.replicate(present.view(np.uint8)).values)
        return np.concatenate(parts)

    @property
    def smooth(self) -> bool:
        """Whether the score changes smoothly with the draws, as a median does not."""
        return self.metric.definition.smooth

    def influence(self, units: Ints | None, most: int) -> Floats | None:
        """Return the influence values [N, m] of the rows, or of the units 0 … N−1 of rows.

        See `scoring.influence`. An entry's values are nan if its score is undefined without some
        unit. None if they would take more than ``most`` evaluations, if the metric fails without
        some unit, and if the score is not `smooth`: its jackknife is inconsistent.
        """
        size = self.n if units is None else int(units.max()) + 1
        if not self.smooth or not 1 < size <= most:
            return None
        try:
            left_out = self.jackknife(units)
        except (MetricError, SubmissionError):
            return None  # an organizer's function that cannot do without some unit
        return influence.of_jackknife(self.observation.values, left_out)

    def randomized(self, i: int, j: int, swap: Bools) -> tuple[Floats, Floats]:
        """Score entries i and j with predictions exchanged on the True rows of swap [R, n].

        Raises MetricError if the two entries' predictions have different columns.
        """
        scores = np.empty((len(swap), 2))
        first, second = self.data.y_preds[i], self.data.y_preds[j]
        self._check_exchangeable(i, j)
        for b, exchanged in enumerate(swap):
            pair = (_exchanged(first, second, exchanged), _exchanged(second, first, exchanged))
            data = replace(self.data, y_preds=pair)
            exchanged_scorer = type(self)(self.metric, data, (self.names[i], self.names[j]))
            scores[b] = exchanged_scorer._observe().checked()
        return scores[:, 0], scores[:, 1]

    def _check_exchangeable(self, i: int, j: int) -> None:
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

    @cached_property
    def diagnostics(self) -> Diagnostics:
        """What the data can show by this metric."""
        return Diagnostics.of(self.metric, self.data)

    def between(self, own: int, other: Scorer, theirs: int) -> Diagnostics:
        """Return the diagnostics of an entry and one of another scorer of the same test set."""
        pair = (self.data.y_preds[own], other.data.y_preds[theirs])
        return Diagnostics.of(self.metric, replace(self.data, y_preds=pair))


def keep(
    scorers: Sequence[Scorer], entries: Sequence[int], names: Sequence[str]
) -> tuple[Scorer, ...]:
    """Return scorers of some entries under other names, see `Scorer.keep`."""
    kept: dict[Scorer, Scorer] = {}
    return tuple(scorer.keep(entries, names, kept) for scorer in scorers)


def _exchanged(kept: Any, other: Any, swap: Bools) -> Any:
    """Return predictions with the True rows of ``swap`` [n] taken from ``other``."""
    if isinstance(kept, Mapping):
        return {name: _exchanged(column, other[name], swap) for name, column in kept.items()}
    taken: Array = np.where(swap.reshape(-1, *[1] * (kept.ndim - 1)), other, kept)
    return taken
