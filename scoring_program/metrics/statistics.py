"""Metrics that say what one example counts, and what sums of counts score.

Both functions are plain: a library's, ours, or an organizer's. Counts are made once for each
example and each distinct prediction of it, on all workers. Then they are `Sums`: a resample is a
weighted sum, and calls no library.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from ..core.arrays import Array, Floats, Ints
from ..core.bounds import ENDLESS, NoAnswer, OutOfTime, TimeLimit
from ..core.errors import MetricError, SettingsError, Stopped, outline
from ..core.phrases import Phrase
from ..core.pool import CannotStart, Pool, by_value
from ..core.version import install_line
from .metric import Data, Evaluated, ExampleStatistics, Metric, defined
from .sums import Sums, smallest

#: Pairs of gold and prediction that are counted at a time, and the seconds of counting that remain
#: from which other processes help, which take a second to start.
_CHUNK = 200
WORTH_PROCESSES = 4.0
#: Seconds of counting after which the time limit is looked at.
_SHORT = 0.1


@dataclass(frozen=True)
class Counting:
    """How to count: ``workers`` processes, and whom to tell how many pairs are done, of how many.

    The counts do not depend on it, but when the time is over, there are none. ``shared`` is what
    the metrics of the same data have counted.
    """

    workers: int = 1
    progress: Callable[[int, int], None] = field(default=lambda done, total: None, repr=False)
    time_limit: TimeLimit = ENDLESS
    shared: SharedCounts | None = field(default=None, repr=False)


class SharedCounts:
    """The metrics of one gold column and its predictions, and what was counted for several.

    Metrics with the same `ExampleStatistics.count_several` are counted at once, by the first that
    is asked for.
    """

    def __init__(self, metrics: Sequence[Metric]) -> None:
        self._metrics = metrics
        self._done: dict[tuple[Any, str], _Counts] = {}

    def counts(self, metric: Metric, count: Callable[[ExampleStatistics], _Counts]) -> _Counts:
        """Return what the pairs of a metric count; ``count`` counts by given statistics."""
        statistics = metric.statistics
        assert statistics is not None
        several = statistics.count_several
        if several is None:
            return count(statistics)
        asked = str(metric.function)
        if (several, asked) not in self._done:
            names = {asked: None}  # ordered, each once
            for candidate in self._metrics:
                if candidate.statistics and candidate.statistics.count_several is several:
                    names[str(candidate.function)] = None
            every = partial(_counted_at_once, several, tuple(names))
            columns, index = count(replace(statistics, count=every))
            for name, counts in zip(names, np.hsplit(columns, len(names)), strict=True):
                self._done[several, name] = counts, index
        return self._done[several, asked]


#: What pairs count [pairs, k], and the pair of each cell [m, n].
_Counts: TypeAlias = "tuple[Array, Ints]"


def _counted_at_once(
    count_several: Callable[[Sequence[str], Sequence[Any], Sequence[Any]], Any],
    names: Sequence[str],
    golds: Sequence[Any],
    predictions: Sequence[Any],
    params: Mapping[str, Any],
) -> Any:
    return count_several(names, golds, predictions)


class OnceOverAll:
    """Progress that counts up once while ``metrics`` count, one after the other.

    ``tell`` gets what is done and the total, in pairs of the first metric.
    """

    def __init__(self, metrics: int, tell: Callable[[int, int], None]) -> None:
        self._metrics = metrics
        self._tell = tell
        self._finished = 0
        self._share = 0.0
        self._size = 0
        self._told = 0

    def __call__(self, done: int, total: int) -> None:
        """Take the progress of the metric that is counting."""
        self._size = self._size or total
        share = done / total
        if share <= self._share:  # another metric has begun
            self._finished = min(self._finished + 1, self._metrics - 1)
        self._share = share
        now = int((self._finished + share) * self._size)
        end = self._metrics * self._size
        if self._told < now < end:
            self._told = now
            self._tell(now, end)

    def finish(self) -> None:
        """Tell that all metrics have counted, if any has begun: some may share their counts."""
        if self._size:
            self._tell(self._metrics * self._size, self._metrics * self._size)


class CountingFailed(Exception):
    """One pair cannot be counted: its position among those given, and the reason."""

    def __init__(self, position: int, reason: Phrase) -> None:
        super().__init__(position, reason)  # both arguments, so that other processes can send it
        self.position = position
        self.reason = reason


def failing_at(place: str) -> Phrase:
    """Return the reason that a function fails at a place."""
    return Phrase("{place}; --debug shows all of it", place=place)


def require(metric: str, statistics: ExampleStatistics) -> None:
    """Raise SettingsError if the library that counts is not installed."""
    for library in statistics.libraries:
        if importlib.util.find_spec(library) is None:
            raise SettingsError(
                f"metric {metric!r} needs the library {library}, which is not installed; "
                f"{install_line(statistics.extra)}"
            )


def count_sums(metric: Metric, data: Data, names: Sequence[str], counting: Counting) -> Sums:
    """Count every example of every entry, and return the statistics and the score of their sums.

    Raises as `count_items` does.
    """
    statistics = metric.statistics
    assert statistics is not None
    params = _params(metric, data)
    counted, index = _counted_pairs(metric, data, names, counting)
    columns = [smallest(column) for column in counted.T]

    def of_entry(pairs: Ints) -> tuple[Array, ...]:
        return tuple(column[pairs] for column in columns)

    return Sums(tuple(map(of_entry, index)), partial(_finish, statistics.score, params))


def count_items(
    metric: Metric, data: Data, names: Sequence[str], counting: Counting
) -> tuple[Array, ...]:
    """Return what a metric makes of every example of every entry: m arrays of objects [n].

    Raises
    ------
    MetricError
        An example cannot be counted; the message names the entry.
    SettingsError
        The time is over; the message names the entry that took the most.
    """
    counted, index = _counted_pairs(metric, data, names, counting)
    return tuple(counted[rows, 0] for rows in index)


def _counted_pairs(metric: Metric, data: Data, names: Sequence[str], counting: Counting) -> _Counts:
    shared = counting.shared or SharedCounts([metric])
    return shared.counts(metric, partial(_count_pairs, metric, data, names, counting))


def _params(metric: Metric, data: Data) -> Mapping[str, Any]:
    context = metric.context(data) if metric.context else {}
    return {**metric.defaults, **context, **metric.params}


def _count_pairs(
    metric: Metric,
    data: Data,
    names: Sequence[str],
    counting: Counting,
    statistics: ExampleStatistics,
) -> _Counts:
    """Count the distinct pairs of gold and prediction of a metric by statistics."""
    golds, predictions, index = _distinct_pairs(data)
    params = _params(metric, data)
    count = _Counter(statistics.count, params, counting.time_limit)
    limit = counting.time_limit
    chunks: list[Floats] = []
    try:
        chunks.extend(_counted(count, golds, predictions, counting))  # as many as there is time for
        counted = np.concatenate(chunks)
    except OutOfTime as over:
        seconds = np.zeros(len(golds))
        seconds_of_chunks = [chunk[:, -1] for chunk in chunks]
        seconds[: sum(map(len, chunks))] = np.concatenate([np.empty(0), *seconds_of_chunks])
        seconds[over.slowest] += over.seconds
        for name, taken in zip(names, seconds[index].sum(axis=1).tolist(), strict=True):
            limit.add(name, taken)
        limit.check("counted")
        raise
    except CountingFailed as failure:
        entry = int(np.argmax((index == failure.position).any(axis=1)))  # the first that holds it
        raise MetricError(
            "metric {metric}: {function} cannot count an example of {entry}: {reason}",
            metric=repr(metric.name_in_messages),
            function=statistics.counter or str(metric.function),
            entry=names[entry],
            reason=failure.reason,
        ) from failure
    return counted[:, : None if limit.is_endless else -1], index


def _distinct_pairs(data: Data) -> tuple[list[Any], list[Any], Ints]:
    """Return the distinct pairs of an example's gold and a prediction, and the pair of each [m, n].

    The pairs of one example are neighbors, so that a library can use what it knows of the gold.
    """
    entries = [y.tolist() if y.ndim == 1 else list(y) for y in data.y_preds]
    index = np.empty((len(entries), data.n), np.intp)
    golds: list[Any] = []
    predictions: list[Any] = []
    pair_of: dict[Any, int] = {}
    # A gold may be long: it is looked up once, and not for every entry. Beside rows of a matrix,
    # which are compared within an example alone, it is not looked up.
    first_with: dict[Any, int] = {}
    are_values = all(y.ndim == 1 for y in data.y_preds)
    for i, gold in enumerate(data.y_true.tolist()):
        first = first_with.setdefault(gold, i) if are_values else i
        for entry, values in enumerate(entries):
            value = values[i]
            key = (i, value.tobytes()) if isinstance(value, np.ndarray) else (first, value)
            place = pair_of.setdefault(key, len(golds))
            if place == len(golds):
                golds.append(gold)
                predictions.append(value)
            index[entry, i] = place
    return golds, predictions, index


def _counted(
    count: _Counter, golds: list[Any], predictions: list[Any], counting: Counting
) -> Iterator[Floats]:
    """Yield the counts chunk by chunk: here, and in other processes if that takes long.

    What the first chunk takes may be the loading of the metric's library, unless it takes long.
    """
    total = len(golds)
    starts = range(0, total, _CHUNK)
    chunks = ((i, golds[i : i + _CHUNK], predictions[i : i + _CHUNK]) for i in starts)
    begun = time.monotonic()
    timed_from = 0  # the chunk
    for done, chunk in enumerate(chunks, 1):
        yield count(*chunk)
        counting.progress(min(done * _CHUNK, total), total)
        now = time.monotonic()
        if done == 1 and now - begun <= WORTH_PROCESSES:
            timed_from = 1
            begun = now
            continue
        left = (now - begun) / (done - timed_from) * (len(starts) - done)
        if counting.workers > 1 and left > WORTH_PROCESSES:
            break
    else:
        return
    pool = Pool(count, counting.workers, time_limit=counting.time_limit, dumps=by_value)

    def elsewhere(chunk: tuple[int, list[Any], list[Any]]) -> Floats:
        """Count pairs in another process, or here if it cannot start or does not survive."""
        try:
            counts: Floats = pool.call(*chunk)
        except (CannotStart, NoAnswer):
            return count(*chunk)
        return counts

    for number, counts in enumerate(pool.each(partial(elsewhere, chunk) for chunk in chunks)):
        yield counts
        counting.progress(min((done + number + 1) * _CHUNK, total), total)


class _Counter:
    """Counts pairs by a metric's function, within a limit of time."""

    def __init__(
        self, count: Callable[..., Any], params: Mapping[str, Any], limit: TimeLimit
    ) -> None:
        self._function = count
        self._params = params
        self._limit = limit

    def __call__(self, first: int, golds: list[Any], predictions: list[Any]) -> Floats:
        """Count pairs, of which the first has the number ``first``; float64 [pairs, k].

        Under a time limit, few are counted at a time while that takes long, and the seconds that a
        pair took follow its counts, [pairs, k + 1].
        """
        if self._limit.is_endless:
            return self._counts(first, golds, predictions)
        rows: list[Floats] = []
        done = 0
        size = 1
        slowest = first
        longest = 0.0
        while done < len(golds):
            begun = time.monotonic()
            step = slice(done, done + size)
            counts = self._counts(first + done, golds[step], predictions[step])
            taken = time.monotonic() - begun
            rows.append(np.column_stack([counts, np.full(len(counts), taken / len(counts))]))
            if taken > longest:
                slowest = first + done
                longest = taken
            if self._limit.left <= 0:
                raise OutOfTime(slowest, longest)
            done += size
            size = 2 * size if taken < _SHORT else 1
        return np.concatenate(rows)

    def _counts(self, first: int, golds: list[Any], predictions: list[Any]) -> Floats:
        try:
            counted = self._function(golds, predictions, self._params)
            of_objects = isinstance(counted, np.ndarray) and counted.dtype.kind == "O"
            return counted if of_objects else np.asarray(counted, np.float64)
        except CountingFailed as failure:
            raise CountingFailed(first + failure.position, failure.reason) from failure
        except (KeyboardInterrupt, Stopped, SettingsError):
            raise
        except Exception as error:
            raise CountingFailed(first, failing_at(outline(error))) from error


def _finish(
    score: Callable[[Floats, Mapping[str, Any]], Floats], params: Mapping[str, Any], sums: Floats
) -> Evaluated:
    """Return the scores [m, R] of sums [m, k, R]."""
    return defined(score(np.moveaxis(sums, 1, 0), params))
