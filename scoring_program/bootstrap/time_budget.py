"""The time budget: how many resamples to draw, and until when, so that the run ends in time."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.errors import SettingsError
from ..core.phrases import Phrase
from ..data.competition import Competition
from ..scoring.scorer import ScoredMetric, Scorer
from ..scoring.scorers import FEWEST
from ..settings.model import Settings
from .design import Design

#: The fewest resamples that are drawn where calls of functions exceed the time budget.
_FEWEST_CALLED = 20
#: Seconds that a slow machine needs for inference, per metric, pair of entries and resample; and
#: for inference and the page together, per metric and pair.
_FOR_PAIR_AND_RESAMPLE, _FOR_PAIR = 40e-9, 200e-6
#: Share of the time budget that is reserved for everything else.
_SHARE_FOR_THE_REST = 0.1
#: Swaps per timing of the randomization test, and the number of timings.
_TIMED, _TRIALS = 8, 3


@dataclass(frozen=True)
class Plan:
    """The largest number of resamples, and the seconds for them, counted from ``begun``.

    At least ``fewest`` are drawn.
    """

    resamples: int
    begun: float
    seconds: float
    fewest: int = FEWEST

    def deadline(self, share: float) -> float | None:
        """Return the time.monotonic() at which this share of the time is over; None for never."""
        return None if math.isinf(self.seconds) else self.begun + share * self.seconds


def plan(
    competition: Competition,
    scored: Sequence[Sequence[ScoredMetric]],
    designs: Sequence[Design],
    settings: Settings,
    started: float,
) -> Plan:
    """Plan the number of resamples so that enough of the time budget remains for inference.

    The budget counts from ``started``. ``scored`` and ``designs`` belong to the parts. Inference
    gets at most half of the remaining time.

    Raises
    ------
    SettingsError
        Functions that are called on every resample take too long even for the fewest resamples.
    """
    now = time.monotonic()
    if settings.time_budget is None:
        return Plan(settings.resamples, now, math.inf)
    entries = len(competition.names)
    metrics = sum(len(part.metrics) for part in competition.parts)
    # Hidden runs are compared like entries.
    compared = entries + max(
        (scorer.m for items in scored for item in items for scorer in item.scorers[1:]), default=0
    )
    pairs = metrics * compared * (compared - 1) / 2
    seconds_per_resample = _FOR_PAIR_AND_RESAMPLE * pairs
    if "randomization" in settings.tests and entries > 1:
        seconds_per_resample += (entries - 1) * sum(
            _seconds_per_swap(item.scorer, design)
            for metrics, design in zip(scored, designs, strict=True)
            for item in metrics
            if len(item.entries) > 1
        )
    now = time.monotonic()
    rest = _FOR_PAIR * pairs + _SHARE_FOR_THE_REST * settings.time_budget
    left = started + settings.time_budget - rest - now
    calls = _seconds_of_calls(scored) / min(settings.workers, os.cpu_count() or 1)
    fewest = FEWEST
    if calls and calls * FEWEST > left:
        fewest = _FEWEST_CALLED
        if calls * fewest > max(left, _SHARE_FOR_THE_REST * settings.time_budget):
            raise _too_slow(calls, max(left, 0.0), settings)
    if left <= 0:
        return Plan(fewest, now, 0.0, fewest)
    resamples = settings.resamples
    if resamples * calls > left:
        resamples = max(int(left / calls), fewest)
    if resamples * seconds_per_resample > left / 2:
        resamples = max(int(left / 2 / seconds_per_resample), fewest)
    return Plan(resamples, now, max(left - resamples * seconds_per_resample, 0.0), fewest)


def note(planned: Plan, used: int, settings: Settings) -> Phrase | None:
    """Return the note that time did not allow all resamples, or None if it did."""
    if used >= settings.resamples:
        return None
    if used < FEWEST:
        return Phrase(
            "Time budget: a metric's function is called on every resample, so there was time for "
            "{drawn:n} of {wanted:n} resamples only. Intervals and ranks are rough, and no "
            "p-value can be below {least:n}. Allow more time, or give the metric 'statistics', "
            "which are counted once.",
            drawn=used,
            wanted=settings.resamples,
            least=round(1 / (used + 1), 3),
        )
    return Phrase(
        "Time budget: almost nothing was left after the input had been read. Only {drawn:n} of "
        "{wanted:n} resamples were drawn, which is too few for exact intervals and p-values. Allow "
        "more time."
        if planned.seconds == 0
        else "Time budget: {drawn:n} of {wanted:n} resamples were drawn.",
        drawn=used,
        wanted=settings.resamples,
    )


def told(
    planned: Plan, scored: Sequence[Sequence[ScoredMetric]], settings: Settings
) -> Phrase | None:
    """Say how long calls of functions will take, and what shortens it; None if not long."""
    workers = min(settings.workers, os.cpu_count() or 1)
    minutes = _seconds_of_calls(scored) * planned.resamples / workers / 60
    if minutes < 1:
        return None
    return Phrase(
        "A metric's function is called on each of {resamples:n} resamples, which will take about "
        "{minutes:n} min (workers: {workers:n}). It would be shorter with 'statistics' of the "
        "metric, which are counted once, with more 'workers' or with fewer 'resamples'.",
        resamples=planned.resamples,
        minutes=round(minutes),
        workers=workers,
    )


def _seconds_of_calls(scored: Sequence[Sequence[ScoredMetric]]) -> float:
    """Return the seconds that one worker needs to call all functions on one resample."""
    scorers = [scorer for items in scored for item in items for scorer in item.scorers]
    called = {part for scorer in scorers for part in scorer.parts}
    return sum(part.observation.seconds * part.m for part in called)


def _too_slow(calls: float, left: float, settings: Settings) -> SettingsError:
    return SettingsError(
        f"{settings.where('time_budget')}: calling the metrics' functions on one resample takes "
        f"{calls:.1f} s, so {_FEWEST_CALLED} resamples, the fewest that say anything, would take "
        f"{_FEWEST_CALLED * calls:.0f} s, but {left:.0f} s are left; allow more time or, much "
        "better, give the metric 'statistics', which are counted once: see docs/how-to/own-metric"
    )


def _seconds_per_swap(scorer: Scorer, design: Design) -> float:
    """Return the seconds that one swap of the predictions of two entries takes."""
    rng = np.random.default_rng(0)
    times = []
    for _ in range(_TRIALS):
        begun = time.monotonic()
        swap = rng.integers(0, 2, size=(_TIMED, design.size), dtype=np.bool_)
        scorer.randomized(0, 1, swap if design.units is None else swap[:, design.units])
        times.append((time.monotonic() - begun) / _TIMED)
    return min(times)  # other programs may have interrupted some timings
