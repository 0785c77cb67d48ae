"""A competition with its metrics bound to its entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..alignment.competition import Competition
from ..core.arrays import Floats
from ..core.notes import Note
from ..settings.model import Settings
from . import mean_rank
from .overall_scores import overall_scores
from .scored_metric import ScoredMetric, keep


@dataclass(frozen=True, eq=False)
class ScoredCompetition:
    """A competition, and what each part's metrics score (nothing without entries)."""

    competition: Competition
    scored: tuple[tuple[ScoredMetric, ...], ...]

    def keep(
        self,
        entries: Sequence[int],
        names: Sequence[str],
        behind: Mapping[int, int] | None = None,
    ) -> ScoredCompetition:
        """Return the competition of some entries under other names, with their scores.

        Entries in ``behind`` become hidden runs; see `scored_metric.keep`.
        """
        competition = self.competition.keep(entries, names)
        return ScoredCompetition(
            competition, tuple(keep(part, entries, names, behind) for part in self.scored)
        )

    def noted(self, note: Note) -> ScoredCompetition:
        """Return the competition with one more note."""
        return self.changed(notes=(*self.competition.notes, note))

    def changed(self, **fields: Any) -> ScoredCompetition:
        """Return it with changed fields of the competition that do not concern entries."""
        return replace(self, competition=replace(self.competition, **fields))

    def losses(self, competing: Sequence[bool], settings: Settings) -> Floats:
        """Return the numbers that rank the entries, [m]; less is better, nan has no place.

        They are losses by the ranking metric or, of tasks, by the overall metric. This may depend
        on who is ``competing`` [m].
        """
        found = np.full(len(self.competition.names), np.nan)
        if self.competition.has_tasks:
            metric = self.competition.overall[0]
            worst = settings.missing_task == "worst"
            overall = overall_scores(metric, self.scored, competing, worst_if_missing=worst)
            if overall is not None:
                found[list(overall.entries)] = mean_rank.losses(metric, overall.observed)
        else:
            ranking = self.scored[0][0]
            found[list(ranking.entries)] = mean_rank.losses(ranking.metric, ranking.observed)
        return found

    def best_first(self, competing: Sequence[bool], settings: Settings) -> list[int]:
        """Return the entries' numbers in the order of the ranking, [m]; without a place last."""
        order: list[int] = np.argsort(self.losses(competing, settings), kind="stable").tolist()
        return order
