"""The scorers that are evaluated on counts, one for each way to evaluate a metric.

Scores come from sums of statistics over rows (`metrics.sums`), from running totals over rows in the
order of each entry (`metrics.ordered`), from a function that is called on every resample
(`metrics.calls`), or from battles, comparisons of two entries (`metrics.families.preferences`).
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Array, Bools, Floats, Ints
from ..core.errors import MetricError, SettingsError, SubmissionError
from ..core.grouping import Grouping, centered
from ..core.phrases import Phrase
from ..metrics.calls import Call, Cells
from ..metrics.families.preferences import STRENGTH, Battles, Peak, probability
from ..metrics.metric import Data, Evaluated, Metric, defined, take
from ..metrics.ordered import Ordered, Resampled, Workspace, width
from ..metrics.organizer import silenced
from ..metrics.sums import Product, Sums, scattered
from .diagnostics import AnswerLayer, ComparedAnswers, Diagnostics, answered, numbered
from .scorer import (
    Failure,
    Observation,
    RowCounts,
    Scorer,
    Successors,
    built,
    of_sums,
    total_of,
)

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

    def _keep(self, entries: Sequence[int], names: Sequence[str], successors: Successors) -> Scorer:
        sums = self.sums.keep(entries)
        return SumsScorer(self.metric, self.data.keep(entries), names, sums)

    def _take(self, rows: Ints, successors: Successors) -> Scorer:
        sums = self.sums.take(rows)
        return SumsScorer(self.metric, self.data.take(rows), self.names, sums)

    def columns_of(self, entries: Sequence[int]) -> Sequence[Array]:
        """Return the statistics of each row."""
        return self.sums.keep(entries).flat()

    @cached_property
    def _product(self) -> Product:
        return Product(self.sums.flat())

    def __getstate__(self) -> dict[str, Any]:
        # Workers compute the product themselves, because it is as large as the statistics.
        return {key: value for key, value in self.__dict__.items() if key != "_product"}

    def _observe(self) -> Observation:
        once = self.data.grouping.numbers[None]
        evaluated = self._finish(self._totals[:, None], once)
        return Observation(evaluated.values[:, 0])

    @cached_property
    def _totals(self) -> Floats:
        # Column by column, because a product's rounding may depend on a column's place. Scores from
        # elsewhere are summed exactly: the same scores on other units are an exact tie.
        if self.metric.per_unit:
            return np.array([math.fsum(column) for column in self.sums.flat()])
        return np.array([total_of(column, self.data.grouping) for column in self.sums.flat()])

    def replicate(self, counts: RowCounts) -> Evaluated:
        """Score every entry on the resamples of ``counts``."""
        return self.finish(self._product(counts), counts)

    def finish(self, sums: Floats, counts: RowCounts) -> Evaluated:
        """Return scores from the sums of the flat columns, [m·K, R], under ``counts``."""
        return self._finish(sums, counts).transposed

    def _finish(self, sums: Floats, counts: RowCounts) -> Evaluated:
        evaluated = self.sums.finish_flat(sums)
        return _recompute(evaluated, self.metric, self.data, counts)

    def jackknife(self, units: Ints | None = None) -> Floats:
        """Return the scores [N, m] without each row or unit: totals minus the unit's sums."""
        flat = self.sums.flat()
        if any(scattered(column) is not None for column in flat):
            return super().jackknife(units)  # whose memory does not grow with the classes
        if units is None:
            of_left_out = np.array([column.astype(np.float64) for column in flat])
        else:
            of_left_out = np.array([np.bincount(units, column) for column in flat])
        sums = self._totals[:, None] - of_left_out
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
        return of_sums(self.sums, self._totals, replace(self.data.grouping, units=units))

    def influence_of_sets(self, first: Ints, sizes: Ints) -> Floats | None:
        """Return the influence values [K, m] of rows, one row for each set of equal ones."""
        everything = self.sums.finish_flat(self._totals[:, None])
        if self.data.grouping.sizes is not None:
            return None
        if everything.inexact is not None and everything.inexact.any():
            return None
        of_sets = Grouping(first.size, sizes=sizes)
        return of_sums(self.sums.take(first), self._totals, of_sets)

    @cached_property
    def answers(self) -> ComparedAnswers:
        """The answers: right or wrong, else labels, else what counts differently, too."""
        right, of_right = self._right
        if right is not None and of_right.all() and self._counts_by_nature:
            return ComparedAnswers((AnswerLayer(list(np.ascontiguousarray(right.T))),), right)
        layer = answered(self.data)
        if self.metric.kind != "labels":
            layer = AnswerLayer(layer.answers, self.sums.columns)
        return ComparedAnswers((layer,), right, of_right=None if of_right.all() else of_right)

    @property
    def _counts_by_nature(self) -> bool:
        """Whether the statistics are indicators: of numbers, 0 and 1 may be chance."""
        return all(column.dtype.kind == "b" for column in self.sums.flat())

    @property
    def _right(self) -> tuple[Bools | None, Bools]:
        """Which examples [n, m] entries get right whose score is their share, or the rest's.

        So it is where one statistic is 0 or 1, and the others only count the examples. Where all
        entries get everything right, or nothing, the statistic counts every example, or none, and
        the metric must be a share. It is asked of each entry [m]: one whose numbers are no such
        share changes nothing between two others. None if no entry's score is.
        """
        m = len(self.sums.columns)
        nobody = None, np.zeros(m, np.bool_)
        statistics = list(zip(*self.sums.columns, strict=True))
        varying = [columns for columns in statistics if not all(map(_ones, columns))]
        if self.data.weights is not None or len(varying) > 1:
            return nobody
        of_examples = varying[0] if varying else statistics[0]
        of_right = np.array([*map(_indicates, of_examples)], np.bool_)
        # An entry's are contiguous, so that no copy of them is made later.
        counted = np.zeros((m, self.n), np.bool_).T
        for entry in np.flatnonzero(of_right):
            counted[:, entry] = of_examples[entry]
        is_share = self.metric.low == 0 and self.metric.high == 1
        of_those = counted[:, of_right]
        if not is_share and (of_those.all() or not of_those.any()):
            return nobody
        grouping = self.data.grouping
        shares = grouping.tally(counted) / grouping.examples
        near = np.abs(shares - self.observation.values) <= _ROUNDING
        if not of_right.any() or not near[of_right].all():
            return nobody
        return (counted if self.metric.greater_is_better else ~counted), of_right

    def randomized(self, i: int, j: int, swap: Bools) -> tuple[Floats, Floats]:
        """Score entries i and j with predictions exchanged: their statistics are exchanged."""
        if not self.sums.exchangeable:
            return super().randomized(i, j, swap)
        first = self.sums.columns[i]
        second = self.sums.columns[j]
        product = Product([*first, *second])
        unswapped = product((~swap).view(np.uint8))
        swapped = product(swap.view(np.uint8))
        size = self.sums.shape[1]
        # Sums, not differences, which would leave rounding errors.
        sums = np.stack([unswapped[:size] + swapped[size:], swapped[:size] + unswapped[size:]])
        evaluated = self.sums.finish(sums)
        if evaluated.inexact is not None and evaluated.inexact.any():
            return super().randomized(i, j, swap)
        return evaluated.values[0], evaluated.values[1]


def _indicates(column: Array) -> bool:
    """Whether a statistic is 0 or 1 of each example."""
    return column.dtype.kind == "b" or bool(((column == 0) | (column == 1)).all())


def _ones(column: Array) -> bool:
    """Whether a statistic counts every example once."""
    few = scattered(column)
    return bool((column == 1).all()) if few is None else few.size == len(column)


def _recompute(evaluated: Evaluated, metric: Metric, data: Data, counts: RowCounts) -> Evaluated:
    """Replace inexact scores by those of the metric's own function on the resampled rows."""
    if evaluated.inexact is None or not evaluated.inexact.any():
        return evaluated
    call = Call(metric, data)
    values = evaluated.values.copy()
    undefined = evaluated.undefined.copy()
    for entry, b in zip(*np.nonzero(evaluated.inexact), strict=True):
        rows, weights = data.drawn(counts[b])
        values[entry, b] = call(
            data.y_true[rows], data.y_preds[entry][rows], f"resample {b}", weights=weights
        )
        undefined[entry, b] = np.isnan(values[entry, b])
    return Evaluated(values, undefined)


# Ordered scorer -----------------------------------------------------------------------------------


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

    def _keep(self, entries: Sequence[int], names: Sequence[str], successors: Successors) -> Scorer:
        ordered = self._ordered.keep(entries)
        return OrderedScorer(self.metric, self.data.keep(entries), names, ordered)

    def _observe(self) -> Observation:
        return Observation(self.replicate(np.ones((1, self.n), np.uint8)).values[0])

    def influence(self, units: Ints | None, most: int) -> Floats | None:
        """Return the influence values [N, m] from the rows' places, or else from the jackknife."""
        places = self.metric.places
        contributed = None if places is None else places(self.data, self.metric.all_params)
        if contributed is None:
            return super().influence(units, most)
        return Grouping(self.n, units).influence(contributed / self.n)

    def replicate(self, counts: RowCounts) -> Evaluated:
        """Score every entry on the resamples of ``counts``."""
        parts = []
        step = width(self.n)
        workspace: Workspace = self._of_thread.__dict__.setdefault("workspace", Workspace())
        for first in range(0, len(counts), step):
            resampled = Resampled(counts[first : first + step], workspace)
            parts.append(self._ordered.evaluate(self._ordered.entries, resampled).transposed)
        return Evaluated(
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.undefined for part in parts]),
        )


# Function scorer ----------------------------------------------------------------------------------


#: Resamples that are drawn whatever the time budget says, unless functions that are called on every
#: resample exceed it even so.
FEWEST = 100
#: How many times as long as a usual call a call may take where it uses up the time.
_FAR_SLOWER = 10


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
        self._call = Call(metric, data)
        if cells is None:
            weighable = self._call.is_weighable
            cells = [
                Cells.from_predictions(data.y_true, y) if weighable else None for y in data.y_preds
            ]
        self._cells = cells

    def _keep(self, entries: Sequence[int], names: Sequence[str], successors: Successors) -> Scorer:
        cells = [self._cells[entry] for entry in entries]
        return FunctionScorer(self.metric, self.data.keep(entries), names, cells)

    def _observe(self) -> Observation:
        values = np.full(self.m, np.nan)
        failures: dict[int, Failure] = {}
        seconds: dict[int, float] = {}
        for entry in range(self.m):
            try:
                with self.time_limit.timed(self.names[entry]):
                    values[entry], seconds[entry] = self._observe_entry(entry)
            except (MetricError, SubmissionError) as failure:
                failures[entry] = failure
            self.time_limit.check("scored")
        for entry, slow in self._too_slow(seconds).items():
            failures[entry] = slow
            values[entry] = np.nan
            del seconds[entry]
        return Observation(values, failures, max(seconds.values(), default=0.0))

    def _too_slow(self, seconds: Mapping[int, float]) -> dict[int, MetricError]:
        """Return the entries whose calls alone, far slower than others', exceed the time limit."""
        usual = sorted(seconds.values())[(len(seconds) - 1) // 2] if seconds else 0.0
        most = max(_FAR_SLOWER * usual, self.time_limit.left / FEWEST)
        return {
            entry: MetricError(
                "metric {metric}: a call of {function} on {entry} takes more than {times} "
                "times as long as on others, and the time budget allows too few of them",
                metric=repr(self.metric.name_in_messages),
                function=self._call.name,
                entry=self.names[entry],
                times=_FAR_SLOWER,
            )
            for entry, taken in seconds.items()
            if taken > most
        }

    def _observe_entry(self, entry: int) -> tuple[float, float]:
        """Call the function on the whole test set. An organizer's own function is called twice.

        Returns the score and the seconds that a call on a resample takes. Raises MetricError if the
        second call or a call with weights returns another number; its message holds none of them,
        because a participant may read it, and failed submissions cost nothing. Raises SettingsError
        if the score of an organizer's own function depends on the order of rows.
        """
        once = np.ones(self.n, np.uint8)
        where = Phrase("the whole test set ({entry})", entry=self.names[entry])
        begun = time.perf_counter()
        value = self._called(entry, once, where, strict=True)
        seconds = time.perf_counter() - begun
        if self.metric.call is not None:
            begun = time.perf_counter()  # the first call may also have imported a library
            again = self._called(entry, once, where, strict=True)
            seconds = time.perf_counter() - begun
            if again != value:
                raise MetricError(
                    "metric {metric}: called twice on {where} it returned different numbers; "
                    "it must depend only on its arguments",
                    metric=repr(self.metric.name_in_messages),
                    where=where,
                )
            if not np.isclose(self._in_another_order(entry, value, where), value, 1e-6, 1e-9):
                raise SettingsError(
                    f"metric {self.metric.name_in_messages!r}: {self._call.name} returns another "
                    "number where the same rows come in another order, and a resample has no "
                    "order; if the order means something, such as time, put that in a column"
                )
        cells = self._cells[entry]
        if cells is not None:
            begun = time.perf_counter()
            y_true, guesses, times = cells.drawn(self._times(np.ones(self.n, np.uint8)))
            weighted = self._call(y_true, guesses, where, strict=True, weights=times)
            seconds = time.perf_counter() - begun
            if not np.isclose(weighted, value, rtol=1e-9, atol=1e-12):
                raise MetricError(
                    "metric {metric}: with sample_weight, a row of weight w must count as w "
                    "rows, but the score on {where} is another number; fix it, "
                    "or give the parameter another name",
                    metric=repr(self.metric.name_in_messages),
                    where=where,
                )
        return value, seconds

    def _called(
        self, entry: int, counts: NDArray[np.integer], where: str, *, strict: bool = False
    ) -> float:
        """Score an entry on rows that are drawn so often, [n], without `Cells`."""
        rows, weights = self.data.drawn(counts)
        gold = take(self.data.y_true, rows)
        y_pred = take(self.data.y_preds[entry], rows)
        return self._call(gold, y_pred, where, strict=strict, weights=weights)

    def _in_another_order(self, entry: int, value: float, where: Phrase) -> float:
        """Return the score of the rows in another order, ``value`` where no order is safe.

        A function that sorts by predictions may break ties by the order of rows, so equal ones keep
        theirs; of several columns, one must tell all rows apart.
        """
        y_pred = self.data.y_preds[entry]
        columns = numbered([y_pred])[0].T if isinstance(y_pred, Mapping) else [y_pred]
        codes = [np.unique(column, return_inverse=True)[1] for column in columns]
        alike = max(codes, key=np.max)
        if len(columns) > 1 and alike.max() + 1 < alike.size:
            return value
        rows, weights = self.data.drawn(np.ones(self.n, np.uint8))
        places = np.random.default_rng(0).permutation(alike.size)
        order = np.argsort(places[alike[rows]], kind="stable")
        gold = take(self.data.y_true, rows[order])
        y_pred = take(y_pred, rows[order])
        weights = None if weights is None else weights[order]
        return self._call(gold, y_pred, where, strict=True, weights=weights)

    def _times(self, drawn: NDArray[np.integer]) -> NDArray[np.integer] | Floats:
        """Return how often rows count that were drawn so often, [n]."""
        return drawn if self.data.weights is None else drawn * self.data.weights

    def replicate(self, counts: RowCounts) -> Evaluated:
        """Score every entry on the resamples of ``counts``, one call for each."""
        return self.replicate_from(counts, 0)

    def replicate_from(self, counts: RowCounts, first: int) -> Evaluated:
        """Score resamples. In messages, the first one has the number ``first``.

        Where an organizer's function fails, it is undefined, as a library's is. Raises its first
        error if it can score nobody on any of the resamples.
        """
        values = np.empty((len(counts), self.m))
        first_failure: Failure | None = None
        with silenced(output=self.metric.silent):
            for b, drawn in enumerate(counts):
                times = self._times(drawn)
                if not times.any():  # all of them have no weight
                    values[b] = np.nan
                    continue
                for entry, name in enumerate(self.names):
                    where = f"resample {first + b} ({name})"
                    cells = self._cells[entry]
                    try:
                        if cells is None:
                            values[b, entry] = self._called(entry, drawn, where)
                        else:
                            y_true, y_pred, of_cells = cells.drawn(times)
                            values[b, entry] = self._call(y_true, y_pred, where, weights=of_cells)
                    except (MetricError, SubmissionError) as failure:
                        first_failure = first_failure or failure
                        values[b, entry] = np.nan
        if first_failure is not None and self.rows is None and np.isnan(values).all():
            raise first_failure
        return defined(values)


class FramesScorer(FunctionScorer):
    """Scores from Kaggle's functions, which are given data frames with the ids of their rows.

    The whole test set is scored with its own ids, in the order of the reference data. On a
    resample, a row that is drawn twice is two rows. Where the ids are names only, these two get ids
    of their own, so that a function may join by them. Where the score reads the ids, which a score
    that changes with them shows, they are repeated.
    """

    _reads_ids: bool | None = None  # None until the whole test set is scored
    _refuses_repeated: bool = False  # ids that are there twice

    @property
    def reads_ids(self) -> bool:
        """Whether some entry's score on the whole test set changes if the ids are new numbers."""
        if self._reads_ids is None:
            _ = self.observation
        return bool(self._reads_ids)

    @property
    def can_be_drawn(self) -> bool:
        """Whether it reads no ids, or takes some that are repeated."""
        return not (self.reads_ids and self._refuses_repeated)

    def _keep(self, entries: Sequence[int], names: Sequence[str], successors: Successors) -> Scorer:
        return self._following(self.data.keep(entries), names)

    def _take(self, rows: Ints, successors: Successors) -> Scorer:
        _ = self.observation  # which says what the function makes of ids
        return self._following(self.data.take(rows), self.names)

    def _following(self, data: Data, names: Sequence[str]) -> FramesScorer:
        scorer = FramesScorer(self.metric, data, names, [None] * len(names))
        scorer._reads_ids = self._reads_ids
        scorer._refuses_repeated = self._refuses_repeated
        return scorer

    def _observe(self) -> Observation:
        observation = super()._observe()
        scored = [entry for entry in range(self.m) if entry not in observation.failures]
        if self._reads_ids is not None or not scored:
            return observation
        self._reads_ids = False
        for entry in scored:
            if not self._reads_ids:
                self._reads_ids = self._changes_with_ids(entry, float(observation.values[entry]))
            self.time_limit.check("scored")
        if self._reads_ids:
            self._refuses_repeated = self._fails_twice(scored[0])
        return observation

    def _fails_twice(self, entry: int) -> bool:
        """Whether the function raises an error where every row is there twice, with its id."""
        try:
            self._called(entry, np.full(self.n, 2, np.uint8), "every row twice")
        except (MetricError, SubmissionError):
            return True
        return False

    def _changes_with_ids(self, entry: int, value: float) -> bool:
        """Whether the score of an entry is another one, or none, if the ids are new numbers."""
        where = Phrase("the whole test set ({entry})", entry=self.names[entry])
        rows = self.data.y_true.in_file_order(np.arange(self.n))
        gold = take(self.data.y_true, rows)
        y_pred = take(self.data.y_preds[entry], rows)
        try:
            again = self._call(gold.with_new_ids(), y_pred.with_new_ids(), where, strict=True)
        except (MetricError, SubmissionError):
            return True
        return not np.isclose(again, value, rtol=1e-9, atol=1e-12)

    def _called(
        self, entry: int, counts: NDArray[np.integer], where: str, *, strict: bool = False
    ) -> float:
        """Score an entry on rows that are drawn so often, [n]; ``strict`` on the whole test set."""
        rows = self.data.y_true.in_file_order(np.repeat(np.arange(self.n), counts))
        gold = take(self.data.y_true, rows)
        y_pred = take(self.data.y_preds[entry], rows)
        if not strict and not self.reads_ids:
            gold = gold.with_new_ids()
            y_pred = y_pred.with_new_ids()
        return self._call(gold, y_pred, where, strict=strict)


class ItemsScorer(FunctionScorer):
    """Scores from a function of the objects that were made of the examples, and of their counts.

    ``items`` holds those of each entry, [n]. The function is called with them on every resample,
    and with how often each was drawn, [n].
    """

    def __init__(
        self, metric: Metric, data: Data, names: Sequence[str], items: Sequence[Array]
    ) -> None:
        super().__init__(metric, data, names, [None] * len(data.y_preds))
        self._items = tuple(items)

    def _keep(self, entries: Sequence[int], names: Sequence[str], successors: Successors) -> Scorer:
        items = [self._items[entry] for entry in entries]
        return ItemsScorer(self.metric, self.data.keep(entries), names, items)

    def _take(self, rows: Ints, successors: Successors) -> Scorer:
        items = [of_entry[rows] for of_entry in self._items]
        return ItemsScorer(self.metric, self.data.take(rows), self.names, items)

    def _called(
        self, entry: int, counts: NDArray[np.integer], where: str, *, strict: bool = False
    ) -> float:
        return self._call(self._items[entry], counts.astype(np.intp), where, strict=strict)

    def _observe_entry(self, entry: int) -> tuple[float, float]:
        """Return the score and the seconds of a call, as before and after one on a resample.

        Raises SettingsError if that call changes the items.
        """
        value, _ = super()._observe_entry(entry)
        with contextlib.suppress(MetricError, SubmissionError):
            self._called(entry, np.arange(self.n) % 3, "a resample")
        again, seconds = super()._observe_entry(entry)
        if again != value:
            raise SettingsError(
                f"metric {self.metric.name_in_messages!r}: {self._call.name} changes the items, "
                "which the next resample needs as they were; let it work on copies"
            )
        return value, seconds

    def _in_another_order(self, entry: int, value: float, where: Phrase) -> float:
        return value

    def randomized(self, i: int, j: int, swap: Bools) -> tuple[Floats, Floats]:
        """Score entries i and j with predictions exchanged: their objects are exchanged."""
        scores = np.empty((len(swap), 2))
        of_i = self._items[i]
        of_j = self._items[j]
        names = (self.names[i], self.names[j])
        data = self.data.keep((i, j))
        for b, exchanged in enumerate(swap):
            items = (np.where(exchanged, of_j, of_i), np.where(exchanged, of_i, of_j))
            scores[b] = ItemsScorer(self.metric, data, names, items)._observe().checked()
        return scores[:, 0], scores[:, 1]


# Pairs scorer -------------------------------------------------------------------------------------

#: The most influence values that are held.
_MOST_INFLUENCE = 2**25


class PairsScorer(Scorer):
    """Win rates or strengths. The scores of some entries rest on the battles with all others.

    ``shown`` [m] are the numbers of the entries among all that took part.
    """

    def __init__(
        self,
        metric: Metric,
        data: Data,
        names: Sequence[str],
        battles: Battles | None = None,
        places: Ints | None = None,
        peak: Peak | None = None,
    ) -> None:
        super().__init__(metric, data, names)
        self.battles: Battles = built(metric, data) if battles is None else battles
        self._shown = np.arange(len(names)) if places is None else places
        if battles is not None:
            self._peak = peak

    def _keep(self, entries: Sequence[int], names: Sequence[str], successors: Successors) -> Scorer:
        data = self.data.keep(entries)
        places = self._shown[list(entries)]
        return PairsScorer(self.metric, data, names, self.battles, places, self._peak)

    def _take(self, rows: Ints, successors: Successors) -> Scorer:
        battles = self.battles.take(rows)
        data = self.data.take(rows)
        return PairsScorer(self.metric, data, self.names, battles, self._shown, self._peak)

    @cached_property
    def _peak(self) -> Peak | None:
        """The strengths of all on the whole test set, from which those of resamples are sought."""
        if self.metric.function != STRENGTH:
            return None
        return self.battles.peak(*self.battles.counted(np.ones((1, self.n), np.uint8)))

    def _scores(self, battles: Battles, met: Floats, won: Floats) -> Floats:
        if self.metric.function == STRENGTH:
            return battles.strengths(met, won, self._peak)[:, self._shown]
        return battles.win_rates(met, won)[:, self._shown]

    def _observe(self) -> Observation:
        once = self.battles.counted(np.ones((1, self.n), np.uint8))
        return Observation(self._scores(self.battles, *once)[0])

    def columns_of(self, entries: Sequence[int]) -> Sequence[Array]:
        """Return who met, and who won, which decides about all entries."""
        return [self.battles.outcomes]

    @cached_property
    def diagnostics(self) -> Diagnostics:
        """On how many battles the outcomes of two entries differ: those of one of them, or both."""
        differ = self.battles.of_either()
        return Diagnostics(None, differ[np.ix_(self._shown, self._shown)], None)

    def replicate(self, counts: RowCounts) -> Evaluated:
        """Score every entry on the resamples of ``counts``.

        One on which an entry has no score counts for none: its battles decide about the others too,
        so the entry cannot be left out in place of the resample.
        """
        return self.finish(*self.battles.counted(counts))

    def finish(self, met: Floats, won: Floats) -> Evaluated:
        """Return scores from the battles and the wins of resamples (`Battles.counted`)."""
        values = self._scores(self.battles, met, won)
        values[np.isnan(values).any(axis=1)] = np.nan
        return defined(values)

    def randomized(self, i: int, j: int, swap: Bools) -> tuple[Floats, Floats]:
        """Score entries i and j as if each had been the other one in the battles of ``swap``."""
        once = np.ones((1, self.n), np.uint8)
        (first, second) = self._shown[[i, j]]
        scores = np.empty((len(swap), self.m))
        for row, exchanged in zip(scores, swap, strict=True):
            battles = self.battles.exchanged(int(first), int(second), exchanged)
            row[:] = self._scores(battles, *battles.counted(once))[0]
        return scores[:, i], scores[:, j]

    @property
    def smooth(self) -> bool:
        """Whether influence values are at hand: so many of so many entries take too much memory."""
        return self.n * self.battles.size <= _MOST_INFLUENCE

    def influence(self, units: Ints | None, most: int) -> Floats | None:
        """Return the influence values [N, m] from the derivatives of the scores."""
        if not self.smooth:
            return None
        battles = self.battles
        (first, second) = self.battles.pairs
        met, won = battles.counted(np.ones((1, self.n), np.uint8))
        outcomes = battles.outcomes
        numbers: Ints | slice = slice(None)
        if units is None:
            # Battles of one outcome have the same values.
            outcomes, numbers = np.unique(outcomes, return_inverse=True)
        place = np.searchsorted(first * battles.size + second, outcomes // 3)
        half = outcomes % 3 / 2
        slopes: Floats = np.eye(battles.size)
        if self.metric.function == STRENGTH:
            if self._peak is None:
                return None
            strengths = self._peak.strengths
            _, information = battles.derivatives(met, won, strengths[None])
            slopes = np.linalg.inv(information[0])
            expected = strengths[first] - strengths[second]
            surplus = half - probability(expected)[place]
            of_sides = (surplus, -surplus)
        else:
            opponents = battles.summed(np.ones_like(met), np.ones_like(met))[0]
            surplus = (half - (won / met)[0][place]) / met[0][place]
            of_sides = surplus / opponents[first][place], -surplus / opponents[second][place]
        grouping = Grouping(outcomes.size, units)
        sides = first[place], second[place]
        size = (grouping.size, battles.size)
        gained = sum(
            np.bincount(units_of_rows * battles.size + side, gain, size[0] * size[1])
            for units_of_rows in grouping.columns
            for side, gain in zip(sides, of_sides, strict=True)
        )
        values = (np.reshape(gained, size) @ slopes)[:, self._shown]
        return centered(values[numbers])
