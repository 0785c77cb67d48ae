"""Where pairs of gold and prediction are counted, how many at a time, and what is told of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from scoring_program.core.bounds import TimeLimit
from scoring_program.core.errors import MetricError, SettingsError
from scoring_program.core.phrases import Phrase
from scoring_program.data.entry import objects
from scoring_program.metrics import Data, Metric, statistics
from scoring_program.metrics.metric import Definition, ExampleStatistics
from scoring_program.metrics.statistics import (
    Counting,
    CountingFailed,
    OnceOverAll,
    count_items,
    count_sums,
)


class Counter:
    """A function that counts lengths, and the clock of a machine on which nothing else takes time.

    ``seconds`` of a call or of its predictions pass while they are counted.
    """

    def __init__(
        self, patch: pytest.MonkeyPatch, seconds: Callable[[int, Sequence[str]], float]
    ) -> None:
        self.now = 0.0
        self.calls: list[int] = []
        self._seconds = seconds
        patch.setattr("time.monotonic", lambda: self.now)

    def __call__(
        self, golds: Sequence[str], predictions: Sequence[str], params: Mapping[str, Any]
    ) -> list[tuple[int, int]]:
        self.now += self._seconds(len(self.calls), predictions)
        self.calls.append(len(golds))
        return [(len(gold), len(text)) for gold, text in zip(golds, predictions, strict=True)]

    @property
    def metric(self) -> Metric:
        return metric(self)


def metric(count: Any) -> Metric:
    made = ExampleStatistics(count, lambda sums, params: sums[1] / sums[0])
    definition = Definition(
        "lengths", "lengths", "text", greater_is_better=True, evaluation="sums", statistics=made
    )
    return definition.named("lengths", "lengths")


def data(n: int, *prefixes: str) -> Data:
    """Return ``n`` texts, and entries whose texts begin with something."""
    gold = [f"{k:04}" for k in range(n)]
    entries = tuple(objects([prefix + text for text in gold]) for prefix in prefixes)
    return Data(objects(gold), entries)


def test_several_metrics_count_up_once() -> None:
    told: list[tuple[int, int]] = []
    progress = OnceOverAll(3, lambda *now: told.append(now))
    for done, total in ((4, 10), (10, 10), (40, 100), (41, 100), (100, 100), (7, 7)):
        progress(done, total)
    assert told == [(4, 30), (10, 30), (14, 30), (20, 30)]
    progress.finish()
    assert told[-1] == (30, 30)


def test_metrics_that_share_their_counts_end_with_the_total() -> None:
    told: list[tuple[int, int]] = []
    progress = OnceOverAll(2, lambda *now: told.append(now))
    progress.finish()
    assert told == []
    progress(5, 5)
    progress.finish()
    assert told == [(5, 10), (10, 10)]


def test_more_metrics_than_were_announced_tell_nothing_twice() -> None:
    told: list[tuple[int, int]] = []
    progress = OnceOverAll(1, lambda *now: told.append(now))
    for done, total in ((4, 8), (8, 8), (4, 8), (6, 8)):
        progress(done, total)
    assert told == [(4, 8), (6, 8)]


class Elsewhere:
    """A pool that notes the first pair of what it is asked to count, and counts it here."""

    asked: list[int]

    def __init__(self, count: Any, workers: int, **others: Any) -> None:
        self._count = count

    def call(self, first: int, *pairs: Any) -> Any:
        self.asked.append(first)
        return self._count(first, *pairs)

    def each(self, calls: Iterable[Callable[[], Any]]) -> Iterator[Any]:
        return (call() for call in calls)


@pytest.mark.parametrize(
    ("workers", "chunks", "seconds", "begins"),
    [
        (2, 10, (0.51,), 400),  # 8 more take 4.08 seconds
        (2, 10, (0.49,), None),  # 3.92 seconds
        (2, 10, (0.5,), None),  # 4 seconds exactly
        (2, 10, (0.1, 0.1, 1.1), 600),  # 4.2 seconds, after 1.2 for two
        (2, 10, (4.0, 0.1), None),  # the first one loaded a library
        (2, 10, (4.1,), 200),  # no library takes so long
        (1, 10, (9.0,), None),
    ],
)
def test_other_processes_help_where_more_than_four_seconds_remain(
    monkeypatch: pytest.MonkeyPatch,
    workers: int,
    chunks: int,
    seconds: Sequence[float],
    begins: int | None,
) -> None:
    counter = Counter(monkeypatch, lambda call, _: seconds[min(call, len(seconds) - 1)])
    Elsewhere.asked = []
    monkeypatch.setattr(statistics, "Pool", Elsewhere)
    told: list[tuple[int, int]] = []
    of, total = data(200 * chunks - 50, "x"), 200 * chunks - 50
    counting = Counting(workers, lambda *now: told.append(now))
    lengths = count_sums(counter.metric, of, ["One"], counting).columns[0][1]
    assert Elsewhere.asked == ([] if begins is None else list(range(begins, total, 200)))
    assert told == [(min(done, total), total) for done in range(200, total + 200, 200)]
    assert lengths.tolist() == [5] * total


def test_a_limited_count_takes_more_at_once_while_it_is_quick(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counter = Counter(monkeypatch, lambda _, predictions: 0.02 * len(predictions))
    of = data(20, "", "abc")
    counting = Counting(time_limit=TimeLimit(1000.0))
    ours, theirs = count_sums(counter.metric, of, ["One", "Two"], counting).columns
    # 8 take .16 seconds, and then it begins with one again.
    assert counter.calls == [1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 3]
    assert [column.tolist() for column in (*ours, *theirs)] == [[4] * 20] * 3 + [[7] * 20]


@pytest.mark.parametrize(
    ("seconds", "limit", "slowest"),
    [
        # One at a time: the 100 of the first 200 took 25 seconds, and one more .25.
        ({"a": 0.125, "b": 0.25}, 37.9, r"b, 25\.2 s"),
        # Several at once, of which each takes its share.
        ({"a": 0.01, "b": 0.01}, 2.005, r"a, 1\.0 s"),
        # Nothing was finished but what took the most.
        ({"a": 0.5, "b": 3.0}, 10.0, r"b, 3\.0 s"),
        # One text took 50 seconds, after the 8.375 of 67 others of this entry.
        ({"a": 0.125, "b": 0.125, "c": 0.125, "b0069": 50.0}, 60.0, r"b, 58\.4 s"),
    ],
)
def test_when_the_time_is_over_the_entry_that_took_most_is_named(
    monkeypatch: pytest.MonkeyPatch, seconds: Mapping[str, float], limit: float, slowest: str
) -> None:
    counter = Counter(
        monkeypatch, lambda _, texts: sum(seconds.get(text, seconds[text[0]]) for text in texts)
    )
    counting, entries = Counting(time_limit=TimeLimit(limit)), [k for k in seconds if len(k) == 1]
    with pytest.raises(SettingsError, match=rf"counted \(the slowest: {slowest}\)"):
        count_sums(counter.metric, data(150, *entries), entries, counting)


@pytest.mark.parametrize("limit", [TimeLimit(), TimeLimit(1e9)])
def test_a_failure_names_its_entry_however_many_are_counted_at_once(
    monkeypatch: pytest.MonkeyPatch, limit: TimeLimit
) -> None:
    def fails(_: int, texts: Sequence[str]) -> float:
        if "b0149" in texts:
            raise CountingFailed(list(texts).index("b0149"), Phrase("too long"))
        return 0.01 * len(texts)

    counter = Counter(monkeypatch, fails)
    with pytest.raises(MetricError, match="cannot count an example of b: too long"):
        count_sums(counter.metric, data(150, "a", "b"), ["a", "b"], Counting(time_limit=limit))


def test_items_are_whatever_is_made_of_an_example() -> None:
    """Where the gold holds arrays or texts, equal predictions of one example are one item."""

    def pair(golds: Sequence[Any], predictions: Sequence[Any], params: Any) -> Any:
        items = np.empty((len(golds), 1), object)
        items[:, 0] = objects(list(zip(golds, predictions, strict=True)))
        return items

    of = data(3, "", "x", "x")
    one, two, three = count_items(metric(pair), of, ["One", "Two", "Three"], Counting())
    assert one.tolist() == [("0000", "0000"), ("0001", "0001"), ("0002", "0002")]
    assert two[2] == ("0002", "x0002")
    assert all(ours is theirs for ours, theirs in zip(two, three, strict=True))
