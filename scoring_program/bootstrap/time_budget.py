"""The time budget: how many resamples to draw, and until when, so that the run ends in time."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..alignment.competition import Competition
from ..core.notes import Note
from ..scoring.scored_metric import ScoredMetric
from ..scoring.scorer import Scorer
from ..settings.model import Settings
from .design import Design

#: Resamples that are drawn whatever the time budget says.
FEWEST = 100
#: Seconds that a slow machine needs for inference, per metric, pair of entries and resample; and
#: for inference and the page together, per metric and pair.
_FOR_PAIR_AND_RESAMPLE, _FOR_PAIR = 40e-9, 200e-6
#: Share of the time budget that is reserved for everything else.
_SHARE_FOR_THE_REST = 0.1
#: Swaps per timing of the randomization test, and the number of timings.
_TIMED, _TRIALS = 8, 3


@dataclass(frozen=True)
class Plan:
    """The largest number of resamples, and the seconds for them, counted from ``begun``."""

    resamples: int
    begun: float
    seconds: float

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
    """
    now = time.monotonic()
    if settings.time_budget is None:
        return Plan(settings.resamples, now, math.inf)
    entries = len(competition.names)
    metrics = sum(len(part.metrics) for part in competition.parts)
    pairs = metrics * entries * (entries - 1) / 2
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
    if left <= 0:
        return Plan(FEWEST, now, 0.0)
    resamples = settings.resamples
    if resamples * seconds_per_resample > left / 2:
        resamples = max(int(left / 2 / seconds_per_resample), FEWEST)
    return Plan(resamples, now, max(left - resamples * seconds_per_resample, 0.0))


def note(planned: Plan, used: int, settings: Settings) -> Note | None:
    """Return the note that time did not allow all resamples, or None if it did."""
    if used >= settings.resamples:
        return None
    return Note(
        "notes.time_budget_spent" if planned.seconds == 0 else "notes.time_budget",
        {"drawn": used, "wanted": settings.resamples},
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
