"""A metric bound to aligned data: observed scores, and scores under the counts of resamples.

All scorers have the same interface, for every kind of evaluation. Counts W[R, n] say how often each
row was drawn. The m entries are numbered in the order of their predictions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Array, Bools, Floats, Ints
from ..core.bounds import ENDLESS, TimeLimit
from ..core.errors import InternalError, MetricError, SubmissionError
from ..core.grouping import Grouping, centered
from ..core.phrases import Phrase, gettext_noop
from ..metrics.frames import KaggleFrame
from ..metrics.metric import Data, Evaluated, Metric
from ..metrics.sums import STEP, Sums, scattered
from .diagnostics import ComparedAnswers, Diagnostics, answered

RowCounts = NDArray[np.integer]
#: Why an entry has no score.
Failure = MetricError | SubmissionError | InternalError

#: The most counts that the jackknife handles at once.
_HELD = 4_000_000


#: What is said of an entry for which a metric has no value.
UNDEFINED = gettext_noop(
    "metric {metric} is undefined for {entry} on the whole test set ({definition})"
)


class EqualPredictions(SubmissionError):
    """All predictions of an entry are equal, and the metric has no value for such."""

    def __init__(self, metric: Metric, entry: str) -> None:
        # On a part of the rows they may be equal where they differ elsewhere.
        sentence = Phrase(
            "metric {metric} ({label}) has no value for {entry}, because all of its predictions "
            "are equal"
            if metric.called_on_secret_rows is None
            else "metric {metric} ({label}) has no value for {entry}, because its predictions are "
            "equal for all examples, or for all but a few",
            metric=repr(metric.name_in_messages),
            label=metric.label_in_messages,
            entry=entry,
        )
        super().__init__(sentence)


def built(metric: Metric, data: Data) -> Any:
    """Return what a metric counts of the data; raise MetricError with the metric's name."""
    assert metric.build is not None
    try:
        return metric.build(data, metric.all_params)
    except MetricError as error:
        raise MetricError(f"metric {metric.name_in_messages!r}: {error}") from error


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
    ``inner`` are the scorers whose scores are combined (`combine`); none if counts give the scores.
    """

    rows: Ints | None = None
    inner: tuple[Scorer, ...] = ()
    time_limit: TimeLimit = ENDLESS  # of calls on the whole test set

    def __init__(self, metric: Metric, data: Data, names: Sequence[str]) -> None:
        self.metric = metric
        self.data = data
        self.names = tuple(names)
        self.n = data.n
        self.m = len(self.names)  # numbers of rows and of entries

    def columns_of(self, entries: Sequence[int]) -> Sequence[Array] | None:
        """Return what the scores of some entries know of each row, [n] each.

        None if they are no functions of counts.
        """
        if not self.inner:
            return None
        columns: list[Array] = []
        for scorer in self.inner:
            of_scorer = scorer.columns_of(entries)
            if of_scorer is None:
                return None
            columns += of_scorer
        return columns

    @property
    def parts(self) -> tuple[Scorer, ...]:
        """The scorers that are evaluated on counts: itself, or those that a formula needs."""
        return tuple(part for scorer in self.inner for part in scorer.parts) or (self,)

    def combine(self, parts: Sequence[Evaluated]) -> Evaluated:
        """Make this scorer's scores from those of its `parts`."""
        return parts[0]

    def keep(
        self, entries: Sequence[int], names: Sequence[str], successors: Successors | None = None
    ) -> Scorer:
        """Return the scorer of some entries under other names; nothing is bound or scored again.

        ``successors`` maps scorers to their new scorers, and this one is added. So formulas that
        share a metric also share its new scorer.
        """
        successors = {} if successors is None else successors
        if self not in successors:
            successors[self] = self._keep(entries, names, successors)
            successors[self].rows = self.rows
            successors[self].time_limit = self.time_limit
            if "observation" in self.__dict__:
                successors[self].observation = self.observation.keep(entries)
        return successors[self]

    @abstractmethod
    def _keep(
        self, entries: Sequence[int], names: Sequence[str], successors: Successors
    ) -> Scorer: ...

    def take(self, rows: Ints, successors: Successors | None = None) -> Scorer:
        """Return the scorer of some rows of the test set, `rows`; no statistics are counted again.

        ``successors`` maps scorers to those of these rows, and this one is added. Raises
        MetricError if the metric has no meaning on these rows.
        """
        successors = {} if successors is None else successors
        if self not in successors:
            successors[self] = self._take(rows, successors)
            successors[self].rows = rows
        return successors[self]

    def _take(self, rows: Ints, successors: Successors) -> Scorer:
        return type(self)(self.metric, self.data.take(rows), self.names)

    @cached_property
    def observation(self) -> Observation:
        """Scores on the whole test set. Equal predictions of two entries have equal scores."""
        observation = self._observe()
        failures = dict(observation.failures)
        for entry in np.flatnonzero(~np.isfinite(observation.values)).tolist():
            failures.setdefault(entry, self._undefined(entry))
        return replace(observation, failures=failures)

    def _undefined(self, entry: int) -> Failure:
        """Return why an entry has no score on the whole test set."""
        if self.metric.needs_different_predictions:
            predictions = self.data.y_preds[entry]
            if (predictions == predictions[0]).all():
                return EqualPredictions(self.metric, self.names[entry])
        return MetricError(
            UNDEFINED,
            metric=repr(self.metric.name_in_messages),
            entry=self.names[entry],
            definition=self.metric.description,
        )

    @property
    def observed(self) -> Floats:
        """Scores on the whole test set, [m].

        Raises MetricError or SubmissionError if an entry has none.
        """
        return self.observation.checked()

    @abstractmethod
    def _observe(self) -> Observation: ...

    def replicate(self, counts: RowCounts) -> Evaluated:
        """Score every entry on resamples that draw row r counts[b, r] times; counts [R, n]."""
        return self.combine([part.replicate(counts) for part in self.parts])

    def jackknife(self, units: Ints | None = None) -> Floats:
        """Return the scores [N, m] without each row, or without each of the units 0 … N−1 of rows.

        ``units`` are [n], or [2, n] where each row belongs to two (`bootstrap.design`). A score
        that is undefined without the unit is nan.
        """
        grouping = Grouping(self.n, units)
        columns = grouping.columns
        step = max(1, _HELD // self.n)
        parts = []
        for first in range(0, grouping.size, step):
            left_out = np.arange(first, min(first + step, grouping.size))[:, None]
            present = np.logical_and.reduce([column != left_out for column in columns])
            parts.append(self.replicate(present.view(np.uint8)).values)
        return np.concatenate(parts)

    @property
    def can_be_drawn(self) -> bool:
        """Whether resamples can be scored, on which examples are drawn twice."""
        return all(scorer.can_be_drawn for scorer in self.inner)

    @property
    def smooth(self) -> bool:
        """Whether the score changes smoothly with the draws, as a median does not."""
        if self.inner:
            return all(scorer.smooth for scorer in self.inner)
        return self.metric.smooth

    def influence(self, units: Ints | None, most: int) -> Floats | None:
        """Return the influence values [N, m] of the rows, or of the units 0 … N−1 of rows.

        See `scoring.scorer`. An entry's values are nan if its score is undefined without some
        unit. None if they would take more than ``most`` evaluations, if the metric fails without
        some unit, and if the score is not `smooth`: its jackknife is inconsistent.
        """
        size = Grouping(self.n, units).size
        if not self.smooth or not 1 < size <= most:
            return None
        try:
            left_out = self.jackknife(units)
        except (MetricError, SubmissionError):
            return None  # an organizer's function that cannot do without some unit
        return centered((self.observation.values - left_out) * ((size - 1) / size))

    def influence_of_sets(self, first: Ints, sizes: Ints) -> Floats | None:
        """Return the influence values [K, m] of rows, one row for each set of equal ones.

        ``first`` [K] are rows of the sets, ``sizes`` [K] their numbers of rows. None if the metric
        gets them from `influence` only.
        """
        return None

    def randomized(self, i: int, j: int, swap: Bools) -> tuple[Floats, Floats]:
        """Score entries i and j with predictions exchanged on the True rows of swap [R, n].

        Raises MetricError if the two entries' predictions have different columns.
        """
        scores = np.empty((len(swap), 2))
        first = self.data.y_preds[i]
        second = self.data.y_preds[j]
        differ = ""
        if np.ndim(first) != np.ndim(second):
            differ = "only one of them has a score of each label"
        elif isinstance(first, Mapping) and first.keys() != second.keys():
            differ = "they have different columns"
        if differ:
            raise MetricError(
                f"metric {self.metric.name!r}: predictions of {self.names[i]} and {self.names[j]} "
                f"cannot be exchanged, because {differ}"
            )
        for b, exchanged in enumerate(swap):
            pair = (_exchanged(first, second, exchanged), _exchanged(second, first, exchanged))
            data = replace(self.data, y_preds=pair)
            exchanged_scorer = type(self)(self.metric, data, (self.names[i], self.names[j]))
            scores[b] = exchanged_scorer._observe().checked()
        return scores[:, 0], scores[:, 1]

    @cached_property
    def diagnostics(self) -> Diagnostics:
        """What the data can show by this metric."""
        return Diagnostics.from_metric(self.metric, self.data)

    @cached_property
    def answers(self) -> ComparedAnswers:
        """The answers of all entries, by which two of them differ."""
        return ComparedAnswers((answered(self.data),))


#: Scorer → the one of other entries or rows that takes its place.
Successors = dict[Scorer, Scorer]


def _exchanged(predictions: Any, of_partner: Any, swap: Bools) -> Any:
    """Return predictions with the True rows of ``swap`` [n] taken from those of the partner."""
    if isinstance(predictions, KaggleFrame):
        return predictions.exchanged(of_partner, swap)
    if isinstance(predictions, Mapping):
        return {
            name: _exchanged(column, of_partner[name], swap) for name, column in predictions.items()
        }
    swap_rows = swap.reshape(-1, *[1] * (predictions.ndim - 1))
    exchanged: Array = np.where(swap_rows, of_partner, predictions)
    return exchanged


# Influence ----------------------------------------------------------------------------------------

# An influence value says how much a score changes if one unit is drawn once more. With w_u draws
# of unit u, a smooth score is θ(w) ≈ θ + Σ_u (w_u − 1)·ℓ_u. The influence values ℓ_u of N units
# sum to zero. From them follow the standard error of a score on any resample, and whether few
# units decide it. Source: Efron and Tibshirani 1994, *An Introduction to the Bootstrap*, ch. 21.


#: The most numbers that the derivatives hold at once.
_DERIVATIVES_HELD = 4_000_000


def total_of(column: Array, grouping: Grouping) -> float:
    """Return the sum of a column [n] of statistics over the examples."""
    counted_rows = scattered(column)
    if counted_rows is None:
        return grouping.total(column)
    return float(grouping.take(counted_rows).examples)


def slope(
    evaluate: Callable[[Sequence[Floats]], Floats], values: Sequence[Floats], place: int
) -> Floats:
    """Return the derivatives of a function of scores [k] with respect to those at ``place``."""
    step = STEP * np.maximum(np.abs(values[place]), STEP)
    before = values[:place]
    after = values[place + 1 :]
    above = evaluate([*before, values[place] + step, *after])
    below = evaluate([*before, values[place] - step, *after])
    return np.asarray((above - below) / (2 * step))


def of_sums(sums: Sums, totals: Floats, grouping: Grouping) -> Floats:
    """Return the influence values [N, m] of a function of sums: its gradient times the statistics.

    ``totals`` [m·K] are the sums on the whole test set.
    """
    slopes = (
        _gradient(sums, totals, grouping)
        if sums.slopes is None
        else sums.slopes(totals.reshape(sums.shape))
    )
    rows = np.zeros((len(sums.columns[0][0]), len(sums.columns)))
    for entry, columns in enumerate(sums.columns):
        few: list[Ints] = []
        weights: list[Floats] = []
        for slope, column in zip(slopes[entry], columns, strict=True):
            if slope == 0:
                continue
            if (counted_rows := scattered(column)) is None:
                rows[:, entry] += slope * column
            else:
                few.append(counted_rows)
                weights.append(np.full(counted_rows.size, slope))
        if few:
            together = np.concatenate(few), np.concatenate(weights)
            rows[:, entry] += np.bincount(*together, minlength=len(rows))
    return grouping.influence(rows, out=rows)


def _gradient(sums: Sums, totals: Floats, grouping: Grouping) -> Floats:
    """Return the derivatives [m, K] of the scores with respect to their sums, by differences."""
    m, size = sums.shape
    reach = [total_of(np.abs(column, dtype=np.float64), grouping) for column in sums.flat()]
    steps = STEP * np.where(np.array(reach) > 0, reach, 1.0).reshape(m, size)
    base = totals.reshape(m, size)
    slopes = np.empty((m, size))
    at_once = max(1, _DERIVATIVES_HELD // (2 * m * size))
    for first in range(0, size, at_once):
        changed = np.arange(first, min(first + at_once, size))
        moved = np.repeat(base[:, :, None], 2 * changed.size, axis=2)
        for place, k in enumerate(changed):
            moved[:, k, 2 * place] += steps[:, k]
            moved[:, k, 2 * place + 1] -= steps[:, k]
        with np.errstate(all="ignore"):
            values = sums.finish(moved).values
        slopes[:, changed] = (values[:, ::2] - values[:, 1::2]) / (2 * steps[:, changed])
    return slopes


# Replicates ---------------------------------------------------------------------------------------


#: Share of the resamples on which an entry may lack a score where every entry lacks some. If fewer
#: than two lack so few, an entry may lack twice as many as the second of them.
_FEW = 0.1


@dataclass(frozen=True, eq=False)
class Replicates:
    """Scores of m entries on the resamples that count, on which each has one; values [B_used, m].

    ``undefined`` counts the resamples that do not count, because the metric has no value there.
    ``defined`` [B] marks the others among all drawn resamples; None if all are used.
    ``zero_divisions`` [m] counts, for each entry, the used resamples on which its score is the
    ``zero_division`` value; None if there are none. ``lacking`` are the entries that were scored
    but have no score on some resamples that count, and so are not among the m: row → how many.
    """

    values: Floats
    undefined: int
    zero_divisions: Ints | None = None
    defined: Bools | None = None
    lacking: Mapping[int, int] = field(default_factory=dict)

    @classmethod
    def of_none(cls, entries: int, drawn: int) -> Replicates:
        """Return those of a metric that can score none of the resamples."""
        return cls(np.zeros((0, entries)), drawn)

    @classmethod
    def from_scored(
        cls, scored: Evaluated, drawn: int, deciding: Sequence[int] | None = None
    ) -> Replicates:
        """Choose the resamples that count, of the first ``drawn``, and the entries that stay.

        One entry must not take resamples from the others. So a resample counts if some entry has a
        score there, and an entry that lacks a score on one that counts goes. If all entries would
        go, those resamples count on which every entry has a score that lacks one on few. Only the
        rows ``deciding`` decide, None for all: rivals of a submission that is looked at, baselines,
        and further runs of a team, take no resamples from others.
        """
        values = scored.values[:drawn]
        undefined = scored.undefined[:drawn]
        if not undefined.any():
            return cls(values, 0)
        without = np.isnan(values if deciding is None else values[:, deciding])
        defined = np.logical_not(without.all(axis=1))
        missed = np.count_nonzero(without[defined], axis=0)
        if missed.all():
            few = missed <= _FEW * np.count_nonzero(defined)
            if np.count_nonzero(few) < min(2, len(missed)):
                few = missed <= 2 * np.sort(missed)[:2][-1]
            defined = np.logical_not(without[:, few].any(axis=1))
        return cls._on(values, undefined, None if defined.all() else defined)

    @classmethod
    def _on(cls, values: Floats, undefined: Bools, defined: Bools | None) -> Replicates:
        """Keep the ``defined`` resamples, None for all, and the entries with a score on each."""
        left_out = 0 if defined is None else int(np.count_nonzero(~defined))
        if defined is not None:
            values = values[defined]
            undefined = undefined[defined]
        missed = np.count_nonzero(np.isnan(values), axis=0)
        if missed.any():
            values = values[:, missed == 0]
            undefined = undefined[:, missed == 0]
        zero_divisions = np.count_nonzero(undefined, axis=0)
        zero = zero_divisions if zero_divisions.any() else None
        lacking = {int(row): int(missed[row]) for row in np.flatnonzero(missed)}
        return cls(values, left_out, zero, defined, lacking)

    def take(self, rows: Sequence[int]) -> Replicates:
        """Return the replicates of some of the entries; those `lacking` stay so."""
        scored = range(self.values.shape[1] + len(self.lacking))
        drawn = [row for row in scored if row not in self.lacking]
        column = {row: place for place, row in enumerate(drawn)}
        columns = [column[row] for row in rows if row in column]
        lacking = {n: self.lacking[row] for n, row in enumerate(rows) if row in self.lacking}
        zero = None if self.zero_divisions is None else self.zero_divisions[columns]
        if zero is not None and not zero.any():
            zero = None
        values = self.values[:, columns]
        return replace(self, values=values, zero_divisions=zero, lacking=lacking)

    @property
    def drawn(self) -> int:
        """Number of resamples drawn, including those on which the metric is undefined."""
        return len(self.values) + self.undefined


# Scored metric ------------------------------------------------------------------------------------

# The entries of a `ScoredMetric` differ from metric to metric: a team may have skipped a task,
# and a metric may have no value for its predictions. An entry without a score has no row in the
# scorer of the metric, and so no place in anything that is computed from it.
#
# Where the best run stands for each team, all runs are scored, resampled and tested, because a
# test of which team is the best has to know all of them. The runs that stand for the teams are the
# entries and have the first rows; the others follow.


#: Rows of scorers → the scorers of these rows. Formulas share those of other metrics.
_OfRows = dict[tuple[int, ...], Successors]


@dataclass(frozen=True, eq=False)
class ScoredMetric:
    """A metric bound to the k runs that it can score, of which the first m are the entries.

    ``entries`` are their numbers in the competition, [m]; they ascend. ``further_runs`` [k − m] are
    the numbers of the other runs, the same by every metric, and ``behind`` [k − m] those of the
    entries that stand for their teams. ``drawn`` are the replicates of the runs, once they are
    resampled; None in a slice that is too small for inference.
    """

    runs: Scorer
    entries: tuple[int, ...]
    drawn: Replicates | None = None
    further_runs: tuple[int, ...] = ()
    behind: tuple[int, ...] = ()

    @property
    def metric(self) -> Metric:
        """The metric."""
        return self.runs.metric

    @cached_property
    def scorer(self) -> Scorer:
        """The scorer of the entries."""
        if not self.further_runs:
            return self.runs
        rows = range(len(self.entries))
        return self.runs.keep(rows, self.runs.names[: len(rows)])

    @property
    def observed(self) -> Floats:
        """Scores of the entries on the whole test set, [m]; see `Scorer.observed`."""
        return self.scorer.observed

    @cached_property
    def replicates(self) -> Replicates:
        """The scores of the entries on the resamples, where there are any."""
        assert self.drawn is not None
        return self.drawn.take(range(len(self.entries))) if self.further_runs else self.drawn

    def take(self, rows: Ints, successors: Successors) -> ScoredMetric:
        """Return the metric on some rows of the test set; see `Scorer.take` for ``successors``."""
        return replace(self, runs=self.runs.take(rows, successors))

    @property
    def rows_of_further_runs(self) -> list[tuple[int, int, int]]:
        """The row of every further run in the scorer, its number, and that of its entry."""
        first = len(self.entries)
        rows = range(first, first + len(self.further_runs))
        return list(zip(rows, self.further_runs, self.behind, strict=True))

    def keep(
        self,
        entries: Mapping[int, int],
        names: Sequence[str],
        further_runs: Sequence[tuple[int, int, int]],
        of_rows: _OfRows | None = None,
    ) -> ScoredMetric:
        """Return the metric of some runs under other ``names`` [k].

        ``entries`` are the new numbers of the entries by their rows. Of the further runs,
        ``further_runs`` tells what `rows_of_further_runs` does. The new scorer is one of those
        ``of_rows``, so that formulas go on sharing the scorers of other metrics.
        """
        rows = (*entries, *(row for row, _, _ in further_runs))
        successors = None if of_rows is None else of_rows.setdefault(rows, {})
        return ScoredMetric(
            self.runs.keep(rows, names, successors),
            tuple(entries.values()),
            self.drawn and self.drawn.take(rows),
            tuple(run for _, run, _ in further_runs),
            tuple(entry for _, _, entry in further_runs),
        )


def keep_entries(
    metrics: Sequence[ScoredMetric],
    entries: Sequence[int],
    names: Sequence[str],
    behind: Mapping[int, int] | None = None,
) -> tuple[ScoredMetric, ...]:
    """Return the metrics of one part for some entries of the competition, under other names.

    The n-th of ``entries`` gets the number n. The other entries in ``behind`` stay as further runs
    of a team, for which the entry ``behind[run]`` stands.
    """
    number = {entry: n for n, entry in enumerate(entries)}
    of_rows: _OfRows = {}
    return tuple(_renumbered(item, number, names, behind or {}, of_rows) for item in metrics)


def leave_out(
    metrics: Sequence[ScoredMetric], failed: Mapping[str, Container[int]]
) -> Iterator[ScoredMetric]:
    """Yield the metrics of one part without the entries that ``failed``, metric → entries.

    The entries keep their numbers and names.
    """
    of_rows: _OfRows = {}
    for item in metrics:
        lost = failed.get(item.metric.name, ())
        number = {entry: entry for entry in item.entries if entry not in lost}
        names = dict(zip(item.entries, item.runs.names, strict=False))
        yield _renumbered(item, number, names, {}, of_rows)


def _renumbered(
    item: ScoredMetric,
    number: Mapping[int, int],
    names: Sequence[str] | Mapping[int, str],
    behind: Mapping[int, int],
    of_rows: _OfRows,
) -> ScoredMetric:
    """Return a metric for the entries in ``number``: their old number → the new one."""
    row_of = {number[entry]: row for row, entry in enumerate(item.entries) if entry in number}
    entries = {row_of[n]: n for n in sorted(row_of)}
    runs = item.rows_of_further_runs
    runs += [(row, run, behind[run]) for row, run in enumerate(item.entries) if run in behind]
    # A run can only count for its team where the entry that stands for it has a score.
    further_runs = [
        (row, run, number[entry]) for row, run, entry in runs if number.get(entry) in row_of
    ]
    called = [*entries.values(), *(entry for _, _, entry in further_runs)]
    return item.keep(entries, [names[n] for n in called], further_runs, of_rows)
