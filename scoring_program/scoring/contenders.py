"""Selects the scored entries that compete: best runs, their names, and at most so many.

A run that stands for its team was selected from all of them. So the others stay beside it, hidden:
they are resampled, and every test of which team is the best takes them into account.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import count

import numpy as np

from ..alignment.competition import Competition, Uncompared
from ..core.errors import SettingsError
from ..core.notes import LeftAside, Note
from ..settings.model import Settings
from .scored_competition import ScoredCompetition

#: The most entries that are compared, and of one team. All their pairs are tested and shown.
MOST_ENTRIES, MOST_RUNS = 500, 50


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
    return show_one_run(scored, best, settings)


def show_one_run(
    scored: ScoredCompetition, shown: Mapping[str, int], settings: Settings
) -> ScoredCompetition:
    """Keep one run of every team, ``shown`` team → entry, and name it after the team.

    The other runs become hidden: the best of each team, as many as may be compared.
    """
    competition = scored.competition
    team_of = [competition.teams[name] for name in competition.names]
    competing = [team not in settings.baselines for team in team_of]
    chosen = set(shown.values())
    ranked = sorted(scored.best_first(competing, settings), key=lambda run: run not in chosen)
    places = _by_turns(competition, ranked)
    hidden = [run for run in places if run not in chosen][: max(0, MOST_ENTRIES - len(shown))]
    others = len(team_of) - len(chosen) - len(hidden)
    if others and competition.form == "teams":
        note = Note(
            "notes.unresampled_runs",
            {"hidden": len(hidden), "others": others, "most": MOST_ENTRIES, "runs": MOST_RUNS},
        )
        scored = scored.noted(note)
    teams = sorted(shown)
    behind = {run: shown[team_of[run]] for run in sorted(hidden)}
    return scored.keep([shown[team] for team in teams], teams, behind)


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
    """Keep at most `MOST_ENTRIES`, `MOST_RUNS` of a team. Others are only ranked.

    Every team's best entry comes before any team's second best, and so on, so that nobody's runs
    take the places of other teams. Of a team's identical files, all but one come last. Baselines
    and the reference entry always stay.

    Raises
    ------
    SettingsError
        More entries compete in a field or in several tasks, which need all of them.
    """
    competition, names = scored.competition, scored.competition.names
    needs_all = competition.form == "field" or competition.has_tasks
    runs = Counter(competition.teams.get(name, name) for name in names)
    if len(names) <= MOST_ENTRIES and (needs_all or max(runs.values()) <= MOST_RUNS):
        return scored
    if needs_all:
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
    places = _by_turns(competition, order)
    kept = sorted({*places, *(row for row in order if names[row] in fixed)})
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
        Note(
            "notes.too_many",
            {"entries": len(names), "best": len(kept), "runs": MOST_RUNS, "others": len(others)},
        )
    )
    reason = Note("aside.uncompared", {"best": len(kept)})
    aside = (*competition.left_aside, *(LeftAside(entry.name, reason) for entry in others))
    kept_entries = scored.keep(kept, [names[row] for row in kept])
    return kept_entries.changed(uncompared=others, left_aside=aside)


def _by_turns(competition: Competition, order: Sequence[int]) -> list[int]:
    """Return the entries that get a place, as the teams take turns; ``order`` is best first."""
    own: dict[str, list[int]] = {}
    copies: dict[str, list[int]] = {}
    met = set()
    for row in order:
        team = competition.teams.get(competition.names[row], competition.names[row])
        files = tuple(
            entry and entry.sha256 for entry in (p.entries[row] for p in competition.parts)
        )
        (copies if (team, files) in met else own).setdefault(team, []).append(row)
        met.add((team, files))
    turn = {
        row: number
        for team, rows in own.items()
        for number, row in enumerate([*rows, *copies.get(team, ())])
    }
    in_turns = sorted((row for row in order if turn[row] < MOST_RUNS), key=turn.__getitem__)
    return in_turns[:MOST_ENTRIES]


def _competing(scored: ScoredCompetition, settings: Settings) -> list[bool]:
    """Return which entries can win, [m]."""
    return [name not in settings.baselines for name in scored.competition.names]
