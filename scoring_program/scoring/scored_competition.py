"""A competition with its metrics bound to its entries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..alignment.competition import Competition
from ..core.arrays import Floats
from ..core.notes import Note
from . import mean_rank
from .scorer import Scorer, keep


@dataclass(frozen=True, eq=False)
class ScoredCompetition:
    """A competition, and each part's scorers in the order of its metrics (none without entries)."""

    competition: Competition
    scorers: tuple[tuple[Scorer, ...], ...]

    def keep(self, entries: Sequence[int], names: Sequence[str]) -> ScoredCompetition:
        """Return the competition of some entries under other names, with their scores."""
        competition = self.competition.keep(entries, names)
        return ScoredCompetition(
            competition, tuple(keep(part, entries, names) for part in self.scorers)
        )

    def noted(self, note: Note) -> ScoredCompetition:
        """Return the competition with one more note."""
        return self.changed(notes=(*self.competition.notes, note))

    def changed(self, **fields: Any) -> ScoredCompetition:
        """Return it with changed fields of the competition that do not concern entries."""
        return replace(self, competition=replace(self.competition, **fields))

    def losses(self, competing: Sequence[bool]) -> Floats:
        """Return the numbers that rank the entries, [m]; less is better.

        They are losses by the ranking metric or mean ranks over the tasks, which depend on who is
        ``competing`` [m].
        """
        ranking = [part[0] for part in self.scorers]
        if self.competition.has_tasks:
            return mean_rank.observed(ranking, np.array(competing))
        return mean_rank.losses(ranking[0].metric, ranking[0].observed)

    def best_first(self, competing: Sequence[bool]) -> list[int]:
        """Return the entries' numbers in the order of the ranking, [m]."""
        order: list[int] = np.argsort(self.losses(competing), kind="stable").tolist()
        return order
