"""Scores every team by the mean over its runs, such as seeds or samples of one system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from ..alignment.entry import Entry
from ..alignment.gold import digest
from ..core.errors import SettingsError
from ..core.notes import Note
from ..settings.model import Settings
from .mean_scorer import MeanScorer
from .scored_competition import ScoredCompetition
from .scored_metric import ScoredMetric
from .scorer import Scorer


def score_by_mean(scored: ScoredCompetition, settings: Settings) -> ScoredCompetition:
    """Put one entry, named after the team, in the place of all its runs that can be scored.

    A team has a score by a metric if all its runs in the part have one. Raises SettingsError if
    tests are wanted that compare two submissions example by example.
    """
    competition = scored.competition
    runs_of: dict[str, list[int]] = {}
    for run, name in enumerate(competition.names):
        runs_of.setdefault(competition.teams.get(name, name), []).append(run)
    teams = sorted(runs_of)
    runs = [runs_of[team] for team in teams]
    if all(len(own) == 1 for own in runs):
        return scored.keep([own[0] for own in runs], teams)
    if settings.tests:
        raise SettingsError(
            f"{settings.where('tests')}: {settings.tests[0]!r} compares two submissions example by "
            "example, but with 'runs: mean' a team has several; leave it out, or choose another "
            "value of 'runs'"
        )
    number = {run: team for team, own in enumerate(runs) for run in own}
    parts = tuple(
        replace(part, entries=tuple(map(partial(_entry, part.entries), runs, teams)))
        for part in competition.parts
    )
    unscored = {(number[item.entry], item.where): item for item in competition.unscored}
    averaged = replace(
        competition.keep([own[0] for own in runs], teams),
        parts=parts,
        focus=None if competition.focus is None else number[competition.focus],
        unscored=tuple(replace(unscored[place], entry=place[0]) for place in sorted(unscored)),
    )
    metrics = []
    for part, items in zip(competition.parts, scored.scored, strict=True):
        present, shared = set(part.present), dict[tuple[int, ...], dict[Scorer, Scorer]]()
        metrics.append(
            tuple(
                _mean(item, [[r for r in own if r in present] for own in runs], teams, shared)
                for item in items
            )
        )
    found = ScoredCompetition(averaged, tuple(metrics))
    several = [team for team in teams if len(runs_of[team]) > 1]
    if competition.form == "teams":  # the field's runs are the organizer's secret
        found = found.changed(averaged=len(competition.names) - len(teams))
        if not settings.anonymize:
            found = found.noted(Note("notes.mean_runs", {"teams": tuple(several)}))
    return found


def _entry(entries: Sequence[Entry | None], runs: Sequence[int], team: str) -> Entry | None:
    """Return the entry of a team in one part: its first run, with a hash of all their files."""
    found = [entry for run in runs if (entry := entries[run]) is not None]
    if not found:
        return None
    hashes = [entry.sha256 for entry in found]
    own = hashes[0] if len(found) == 1 else digest("\n".join(sorted(hashes)).encode())
    return replace(found[0], name=team, sha256=own)


def _mean(
    item: ScoredMetric,
    runs: Sequence[Sequence[int]],
    teams: Sequence[str],
    shared: dict[tuple[int, ...], dict[Scorer, Scorer]],
) -> ScoredMetric:
    """Return a metric of the teams whose ``runs`` all have a score; formulas share scorers."""
    row_of: Mapping[int, int] = {entry: row for row, entry in enumerate(item.entries)}
    scored = [team for team, own in enumerate(runs) if own and all(run in row_of for run in own)]
    rows = tuple(row_of[run] for team in scored for run in runs[team])
    names = [teams[team] for team in scored for _ in runs[team]]
    of_runs = item.scorer.keep(rows, names, shared.setdefault(rows, {}))
    sizes = [len(runs[team]) for team in scored]
    scorer = MeanScorer(of_runs, sizes, [teams[team] for team in scored])
    return ScoredMetric(scorer, tuple(scored))
