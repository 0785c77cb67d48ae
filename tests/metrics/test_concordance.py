"""Harrell's C: pairs of times of which it is known which one comes first."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from scoring_program.core.arrays import Array, Bools
from scoring_program.metrics import Metric
from scoring_program.metrics.families.correlation import concordance_index
from scoring_program.metrics.gold_needs import comparable_times
from scoring_program.metrics.metric import Data, with_events
from scoring_program.scoring.bind import bind
from tests.metrics import cases


def of_events() -> Metric:
    (metric,) = with_events([cases.metric("concordance_index", {})], "died")
    return metric


def naive(times: Any, predicted: Any, events: Any) -> float:
    """Count pair by pair; times, predictions and events are [n].

    Source: Harrell, Califf, Pryor, Lee and Rosati 1982, "Evaluating the yield of medical tests",
    JAMA 247; Harrell, Lee and Mark 1996, Statistics in Medicine 15. A pair is usable if the earlier
    of two times ends with an event. Of equal times, a censored one lasts longer than an event.
    """
    usable = 0
    right = 0.0
    for i, event in enumerate(events):
        for j, other in enumerate(events):
            lasts_longer = times[j] > times[i] or (times[j] == times[i] and not other)
            if not event or i == j or not lasts_longer:
                continue
            usable += 1
            if predicted[j] > predicted[i]:
                right += 1.0
            elif predicted[j] == predicted[i]:
                right += 0.5
    return right / usable if usable else math.nan


def data_of(rng: np.random.Generator, n: int, share: float, ties: bool) -> tuple[Array, Bools]:
    times = rng.integers(1, max(3, n // 3), n).astype(float) if ties else rng.gamma(2.0, 3.0, n)
    return times, rng.random(n) < share


@pytest.mark.parametrize("ties", [True, False])
@pytest.mark.parametrize("share", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("n", [1, 2, 9, 37])
def test_resamples_agree_with_pairs_counted_one_by_one(n: int, share: float, ties: bool) -> None:
    rng = np.random.default_rng([n, int(10 * share), ties])
    times, events = data_of(rng, n, share, ties)
    entries = [
        rng.normal(size=n),
        rng.integers(0, 4, n).astype(float),
        np.zeros(n),
        times.copy(),
        -times,
    ]
    counts = rng.multinomial(n, np.full(n, 1 / n), 6).astype(np.uint8)
    scorer = bind(of_events(), times, entries, events=events)
    found = scorer.replicate(counts).values
    for drawn, scores in zip(counts, found, strict=True):
        rows = np.repeat(np.arange(n), drawn)
        expected = [naive(times[rows], entry[rows], events[rows]) for entry in entries]
        np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-12)
        by_arrays = [concordance_index(times[rows], y[rows], events[rows]) for y in entries]
        np.testing.assert_allclose(by_arrays, expected, rtol=0, atol=1e-12)


def test_values_of_other_software() -> None:
    """Computed once with scikit-survival 0.28.0 (of minus the predictions) and lifelines 0.30.3."""
    times = np.array([5.0, 3.0, 3.0, 8.0, 1.0, 8.0, 2.0, 3.0])
    events = np.array([1, 1, 0, 0, 1, 1, 0, 1], np.bool_)
    predicted = np.array([4.0, 2.5, 6.0, 7.0, 1.0, 5.0, 1.0, 2.5])
    scorer = bind(of_events(), times, [predicted], events=events)
    assert scorer.observation.values[0] == pytest.approx(0.9722222222222222, abs=1e-15)
    # 17 pairs in order, none inverted, 1 tied.
    assert concordance_index(times, predicted, events) == 17.5 / 18


def test_without_censored_times_it_is_the_usual_concordance() -> None:
    rng = np.random.default_rng(8)
    times, _ = data_of(rng, 60, 1.0, ties=True)
    entry = np.rint(times + rng.normal(size=60))
    counts = rng.multinomial(60, np.full(60, 1 / 60), 50).astype(np.uint8)
    usual = bind(cases.metric("concordance_index", {}), times, [entry])
    censored = bind(of_events(), times, [entry], events=np.ones(60, np.bool_))
    np.testing.assert_allclose(
        censored.replicate(counts).values, usual.replicate(counts).values, rtol=0, atol=1e-12
    )


def test_rows_and_entries_keep_their_events() -> None:
    rng = np.random.default_rng(9)
    times, events = data_of(rng, 40, 0.5, ties=False)
    entries = [rng.normal(size=40), times + rng.normal(size=40)]
    scorer = bind(of_events(), times, entries, events=events)
    rows = np.flatnonzero(rng.random(40) < 0.5)
    part = scorer.take(rows).keep([1], ["second"])
    expected = naive(times[rows], entries[1][rows], events[rows])
    assert part.observation.values[0] == pytest.approx(expected, abs=1e-12)
    swap = np.arange(40) % 3 == 0
    first, _ = scorer.randomized(0, 1, swap[None])
    mixed = np.where(swap, entries[1], entries[0])
    assert first[0] == pytest.approx(naive(times, mixed, events), abs=1e-12)


@pytest.mark.parametrize(
    ("times", "events", "holds"),
    [
        ([1, 2, 3], [0, 0, 0], "no event"),
        ([1, 2, 3], [0, 0, 1], "no time after the first event"),
        ([2, 2, 1], [1, 1, 0], "no time after the first event"),
        ([2, 2], [1, 0], None),
        ([1, 2], [1, 0], None),
    ],
)
def test_some_pair_must_be_comparable(
    times: list[float], events: list[int], holds: str | None
) -> None:
    data = Data(np.array(times, float), (), events=np.array(events, np.bool_))
    defect = comparable_times(data, {})
    assert (None if defect is None else defect.what[0]) == holds
    value = naive(times, times, [event == 1 for event in events])
    assert math.isnan(value) == (holds is not None)
