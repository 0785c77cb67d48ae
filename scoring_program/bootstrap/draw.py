"""The bootstrap of a competition: what is drawn in each of its parts, and the scores on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..alignment.competition import Competition, Part
from ..core.arrays import Ints
from ..core.errors import SettingsError
from ..scoring.scorer import Scorer
from ..settings.model import Settings
from .resample import Design, Replicates, resample
from .time_budget import FEWEST, Plan


@dataclass(frozen=True, eq=False)
class Drawn:
    """One part of the competition and its bootstrap."""

    part: Part
    scorers: Sequence[Scorer]
    design: Design
    replicates: Sequence[Replicates]  # of each scorer

    @property
    def used(self) -> int:
        """Number of resamples drawn, those on which a metric is undefined included."""
        return min(len(of.values) + of.undefined for of in self.replicates)


def draw(
    competition: Competition,
    scorers: Sequence[Sequence[Scorer]],
    designs: Sequence[Design],
    chosen: Settings,
    plan: Plan,
    progress: Callable[[int, int], None] | None,
) -> list[Drawn]:
    """Draw the bootstrap of every part: the same resamples where parts have the same examples.

    ``scorers`` and ``designs`` belong to the parts; ``progress`` is told of all resamples.
    """
    count = len(competition.parts)
    ids = [part.gold.ids for part in competition.parts]

    def of_part(number: int, resamples: int, deadline: float | None) -> tuple[Replicates, ...]:
        seed, like = chosen.seed, number if ids[number] is None else ids.index(ids[number])
        if like:
            seed = int(np.random.SeedSequence([seed, like]).generate_state(1, np.uint64)[0])
        return resample(
            scorers[number],
            designs[number],
            resamples,
            seed,
            workers=chosen.workers,
            backend=chosen.backend,
            scheduler=chosen.scheduler,
            memory=int(chosen.memory * 2**30),
            deadline=deadline,
            progress=progress
            and (lambda done, total: progress(number * total + done, count * total)),
        )

    found = []
    for number, part in enumerate(competition.parts):
        deadline = None if plan.resamples <= FEWEST else plan.deadline((number + 1) / count)
        replicates = of_part(number, plan.resamples, deadline)
        drawn = Drawn(part, scorers[number], designs[number], replicates)
        if drawn.used < FEWEST:  # the deadline came at once
            replicates = of_part(number, FEWEST, None)
            drawn = Drawn(part, scorers[number], designs[number], replicates)
        found.append(drawn)
    return found


def design(part: Part, chosen: Settings) -> Design:
    """Return what is resampled: rows or whole groups, freely or within strata.

    Raises
    ------
    SettingsError
        There is one group or one stratum only, or a group lies in several strata.
    """
    n = part.gold.n
    units = strata = None
    if chosen.group is not None:
        units = _codes(part, chosen, "group")
    if chosen.stratify is not None:
        strata = _codes(part, chosen, "stratify")
        if units is not None:
            row_of = np.unique(units, return_index=True)[1]
            if (strata != strata[row_of][units]).any():
                raise SettingsError(
                    f"{chosen.where('stratify')}: a group of {chosen.group!r} lies in several "
                    f"strata of {chosen.stratify!r}; choose strata that hold whole groups"
                )
            strata = strata[row_of]
    return Design(n, units, strata)


def _codes(part: Part, chosen: Settings, key: str) -> Ints:
    """Return the numbers 0, 1, … of a design column's values, [n]."""
    name = getattr(chosen, key)
    values, codes = np.unique(np.array(part.gold.columns[name]), return_inverse=True)
    if len(values) < 2:
        raise SettingsError(
            f"{chosen.where(key)}: the column {name!r} holds one value only; "
            "name a column with at least two, or leave the setting out"
        )
    return codes
