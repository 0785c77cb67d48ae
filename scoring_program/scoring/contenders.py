"""Selects the scored entries that compete: best runs, their names, and at most so many."""

from __future__ import annotations

from itertools import count

import numpy as np

from ..alignment.competition import Uncompared
from ..core.errors import SettingsError
from ..core.notes import LeftAside, Note
from ..settings.model import Settings
from .scored_competition import ScoredCompetition

#: The most entries that are compared. All their pairs are tested and shown.
MOST_ENTRIES = 500


def keep_best_runs(scored: ScoredCompetition, settings: Settings) -> ScoredCompetition:
    """Keep the best run of every team by the ranking metric, and name it after the team."""
    competition = scored.competition
    team_of = [competition.teams[name] for name in competition.names]
    best: dict[str, int] = {}
    for entry in scored.best_first([team not in settings.baselines for team in team_of], settings):
        best.setdefault(team_of[entry], entry)
    teams = sorted(best)
    several = [competition.names[best[t]] for t in teams if competition.runs.get(t, 1) > 1]
    if several and not settings.anonymize:
        scored = scored.noted(Note("notes.best_runs", {"runs": tuple(several)}))
    if competition.form == "teams":  # the field's runs are the organizer's secret
        kept = set(best.values())
        others = (name for entry, name in enumerate(competition.names) if entry not in kept)
        worse = (LeftAside(name, Note("aside.worse_run")) for name in others)
        scored = scored.changed(left_aside=(*competition.left_aside, *worse))
    return scored.keep([best[team] for team in teams], teams)


def anonymize(scored: ScoredCompetition, settings: Settings) -> ScoredCompetition:
    """Rename the entries Team 1, Team 2, … and put them in that order, best first.

    The organizer's own baselines and reference entry and the participant's own submission keep
    their names.
    """
    competition = scored.competition
    named = {*settings.baselines, settings.reference_entry}
    if competition.focus is not None:
        named.add(competition.names[competition.focus])
    order = scored.best_first(_competing(scored, settings), settings)
    invented = (name for k in count(1) if (name := f"Team {k}") not in named)
    names = [name if (name := competition.names[row]) in named else next(invented) for row in order]
    return scored.keep(order, names).changed(runs={})


def keep_comparable(scored: ScoredCompetition, settings: Settings) -> ScoredCompetition:
    """Keep the best `MOST_ENTRIES`, baselines and the reference entry. Others are only ranked.

    Raises
    ------
    SettingsError
        More entries compete in a field or in several tasks, which need all of them.
    """
    competition, names = scored.competition, scored.competition.names
    if len(names) <= MOST_ENTRIES:
        return scored
    if competition.form == "field" or competition.has_tasks:
        # A rank in the field and a mean rank over tasks need all entries.
        raise SettingsError(
            f"{settings.where('runs')}: {len(names)} entries compete, but at most {MOST_ENTRIES} "
            "can be compared; let one run of each team compete, with 'best' or 'last'"
        )
    fixed = {*settings.baselines, settings.reference_entry}
    competing = _competing(scored, settings)
    order, losses = (
        scored.best_first(competing, settings),
        scored.losses(competing, settings),
    )
    kept = sorted(row for k, row in enumerate(order) if k < MOST_ENTRIES or names[row] in fixed)
    of_rivals = np.sort(losses[np.array(competing)])
    metrics = [item for part in scored.scored for item in part]
    others = tuple(
        Uncompared(
            names[row],
            int(np.searchsorted(of_rivals, losses[row])) + 1,
            {
                item.metric.name: float(item.observed[item.entries.index(row)])
                for item in metrics
                if row in item.entries
            },
            next(entry.sha256 for part in competition.parts if (entry := part.entries[row])),
        )
        for row in order
        if row not in kept
    )
    scored = scored.noted(
        Note("notes.too_many", {"entries": len(names), "best": MOST_ENTRIES, "others": len(others)})
    )
    reason = Note("aside.uncompared", {"best": MOST_ENTRIES})
    aside = (*competition.left_aside, *(LeftAside(entry.name, reason) for entry in others))
    kept_entries = scored.keep(kept, [names[row] for row in kept])
    return kept_entries.changed(uncompared=others, left_aside=aside)


def _competing(scored: ScoredCompetition, settings: Settings) -> list[bool]:
    """Return which entries can win, [m]."""
    return [name not in settings.baselines for name in scored.competition.names]
