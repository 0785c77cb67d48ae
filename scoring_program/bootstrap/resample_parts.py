"""The bootstrap of a competition: the scores of each of its parts on their resamples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..alignment.competition import Competition, Part
from ..scoring.scorer import Scorer
from ..settings.model import Settings
from .design import Design
from .replicates import Replicates
from .resample import resample
from .resources import Resources
from .time_budget import FEWEST, Plan


@dataclass(frozen=True, eq=False)
class ResampledPart:
    """One part of the competition and its bootstrap."""

    part: Part
    scorers: Sequence[Scorer]
    design: Design
    replicates: Sequence[Replicates]  # of each scorer

    @property
    def resamples(self) -> int:
        """Number of resamples drawn, including those on which a metric is undefined."""
        return min(replicates.drawn for replicates in self.replicates)


def resample_parts(
    competition: Competition,
    scorers: Sequence[Sequence[Scorer]],
    designs: Sequence[Design],
    settings: Settings,
    plan: Plan,
    progress: Callable[[int, int], None] | None,
) -> list[ResampledPart]:
    """Resample every part; parts with the same examples share their resamples.

    ``scorers`` and ``designs`` belong to the parts. ``progress`` counts the resamples of all parts.
    See `resample` for the errors.
    """
    count = len(competition.parts)
    found = []
    for number, part in enumerate(competition.parts):
        score = partial(
            resample,
            scorers[number],
            designs[number],
            seed=_seed_of(competition, number, settings.seed),
            resources=Resources.of(settings),
            progress=_share_of(progress, number, count),
        )
        deadline = None if plan.resamples <= FEWEST else plan.deadline((number + 1) / count)
        replicates = score(plan.resamples, deadline=deadline)
        resampled = ResampledPart(part, scorers[number], designs[number], replicates)
        if resampled.resamples < FEWEST:  # the deadline had already passed
            resampled = ResampledPart(part, scorers[number], designs[number], score(FEWEST))
        found.append(resampled)
    return found


def _seed_of(competition: Competition, number: int, seed: int) -> int:
    """Return a part's seed: that of the first part with the same examples."""
    ids = [part.gold.ids for part in competition.parts]
    first = number if ids[number] is None else ids.index(ids[number])
    if first == 0:
        return seed
    return int(np.random.SeedSequence([seed, first]).generate_state(1, np.uint64)[0])


def _share_of(
    progress: Callable[[int, int], None] | None, number: int, count: int
) -> Callable[[int, int], None] | None:
    """Return a function that reports the progress of one of ``count`` parts as that of all."""
    if progress is None:
        return None
    return lambda done, total: progress(number * total + done, count * total)
