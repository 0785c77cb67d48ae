"""Selects the last run of each team that can be scored."""

from __future__ import annotations

from dataclasses import replace

from ..alignment.competition import Unusable
from ..core.notes import LeftAside, Note
from ..settings.model import Settings
from .contenders import show_one_run
from .scored_competition import ScoredCompetition


def keep_last_runs(scored: ScoredCompetition, settings: Settings) -> ScoredCompetition:
    """Keep the last usable run of every team, and name it after the team.

    Of the unusable runs, the competition keeps those that a team sent after its last usable run.
    For a team without a usable run, it keeps the last one, under the team's name.
    """
    competition = scored.competition
    usable = {name: entry for entry, name in enumerate(competition.names)}
    last: dict[str, int] = {}
    later: dict[str, list[str]] = {}  # team → runs after its last usable one
    for run, team in competition.teams.items():
        if run in usable:
            last[team] = usable[run]
            later[team] = []
        else:
            later.setdefault(team, []).append(run)
    passed_over = tuple(run for team in sorted(last) for run in later[team])
    new_names = {run: run for run in passed_over}
    new_names |= {runs[-1]: team for team, runs in later.items() if team not in last}
    teams = sorted(last)
    kept = show_one_run(scored, last, settings)
    if competition.focus is not None:  # the field's runs are the organizer's secret
        return kept.changed(withheld=_named(competition.withheld, new_names))
    counted = {competition.names[entry] for entry in last.values()} | new_names.keys()
    earlier = tuple(
        LeftAside(run, Note("aside.earlier_run")) for run in competition.teams if run not in counted
    )
    kept = kept.changed(
        unusable=_named(competition.unusable, new_names),
        left_aside=(*competition.left_aside, *earlier),
    )
    if settings.anonymize:
        return kept
    several = tuple(
        competition.names[last[team]] for team in teams if competition.runs.get(team, 1) > 1
    )
    if several:
        kept = kept.noted(Note("notes.last_runs", {"runs": several}))
    if passed_over:
        kept = kept.noted(Note("notes.passed_over", {"runs": passed_over}))
    return kept


def _named(unusable: tuple[Unusable, ...], names: dict[str, str]) -> tuple[Unusable, ...]:
    """Return the unusable submissions in ``names`` (name → new name) under their new names."""
    return tuple(replace(item, name=names[item.name]) for item in unusable if item.name in names)
