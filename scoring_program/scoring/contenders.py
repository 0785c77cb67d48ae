"""The scored entries that compete, by the setting ``runs``: all, or one entry for each team.

That is the best run, the last one, or the mean over all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, product
from typing import Any

import numpy as np

from ..core.arrays import Floats
from ..core.cells import grouped
from ..core.errors import LeftOut, SettingsError
from ..core.phrases import Phrase
from ..core.rounding import without_rounding
from ..data.competition import Competition, Uncompared
from ..data.gold import digest
from ..data.joining.submission import Entry
from ..settings.model import Settings
from .overall import overall_scores, to_losses
from .scorer import ScoredMetric, Scorer, keep_entries


@dataclass(frozen=True, eq=False)
class ScoredCompetition:
    """A competition, and what each part's metrics score (nothing without entries)."""

    competition: Competition
    scored: tuple[tuple[ScoredMetric, ...], ...]

    def keep(
        self, entries: Sequence[int], names: Sequence[str], behind: Mapping[int, int] | None = None
    ) -> ScoredCompetition:
        """Return the competition of some entries under other names, with their scores.

        Entries in ``behind`` stay as further runs of their teams; see `keep_entries`.
        """
        competition = self.competition.keep(entries, names)
        return ScoredCompetition(
            competition, tuple(keep_entries(part, entries, names, behind) for part in self.scored)
        )

    def noted(self, note: Phrase) -> ScoredCompetition:
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
        losses = np.full(len(self.competition.names), np.nan)
        if self.competition.has_tasks:
            metric = self.competition.overall[0]
            worst = settings.missing_task == "worst"
            names = self.competition.names
            team_of = self.competition.teams
            teams = [team_of.get(name, name) for name in names]
            overall = overall_scores(
                metric, self.scored, competing, worst_if_missing=worst, teams=teams
            )
            if overall is not None:
                losses[list(overall.entries)] = to_losses(metric, overall.observed)
        else:
            ranking = self.scored[0][0]
            scores = without_rounding(ranking.observed, ranking.metric.scale)
            losses[list(ranking.entries)] = to_losses(ranking.metric, scores)
        return losses

    def best_first(self, competing: Sequence[bool], settings: Settings) -> list[int]:
        """Return the entries' numbers in the order of the ranking, [m]; without a place last."""
        order: list[int] = np.argsort(self.losses(competing, settings), kind="stable").tolist()
        return order


# Contenders ---------------------------------------------------------------------------------------

# The best run of a team was selected from all of them. So the others stay beside it: they are
# resampled, and every test of which team is the best takes them into account.


#: The most entries that are compared, and of one team. All their pairs are tested and shown.
MOST_ENTRIES = 500
MOST_RUNS = 50


def keep_best_runs(scored: ScoredCompetition, settings: Settings) -> ScoredCompetition:
    """Keep the best run of every team by the ranking metric, and name it after the team.

    The best other runs of each team are tested beside it, as many as may be compared.
    """
    competition = scored.competition
    team_of = [competition.teams[name] for name in competition.names]
    best: dict[str, int] = {}
    order = scored.best_first([team not in settings.baselines for team in team_of], settings)
    for entry in order:
        best.setdefault(team_of[entry], entry)
    teams = sorted(best)
    chosen = set(best.values())
    several = [competition.names[best[t]] for t in teams if competition.runs.get(t, 1) > 1]
    if several and not settings.anonymize:
        note = Phrase(
            "Each team with several runs competes with its best one: {runs}.", runs=tuple(several)
        )
        scored = scored.noted(note)
    if competition.form == "teams":  # the field's runs are the organizer's secret
        worse = (
            LeftOut(name, Phrase("another run of the team is better, and runs is best"))
            for entry, name in enumerate(competition.names)
            if entry not in chosen
        )
        scored = scored.changed(left_aside=(*competition.left_aside, *worse))
    ranked = sorted(order, key=lambda run: run not in chosen)
    places = _by_turns(competition, ranked)
    tested = [run for run in places if run not in chosen][: max(0, MOST_ENTRIES - len(best))]
    untested = len(team_of) - len(chosen) - len(tested)
    if untested and competition.form == "teams":
        note = Phrase(
            "{others:n} further runs are not resampled: beside the runs that are shown, the tests "
            "take the best {hidden:n} into account, at most {runs:n} of a team and {most:n} in "
            "all.",
            hidden=len(tested),
            others=untested,
            most=MOST_ENTRIES,
            runs=MOST_RUNS,
        )
        scored = scored.noted(note)
    behind = {run: best[team_of[run]] for run in sorted(tested)}
    return scored.keep([best[team] for team in teams], teams, behind)


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
    names = []
    anonymous_teams: dict[str, str] = {}
    for row in order:
        real_name = competition.names[row]
        name = real_name if real_name in named else next(invented)
        names.append(name)
        anonymous_teams.setdefault(competition.teams.get(real_name, real_name), name)
    return scored.keep(order, names).changed(runs={}, anonymous_teams=anonymous_teams)


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
    competition = scored.competition
    names = scored.competition.names
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
    order = scored.best_first(competing, settings)
    losses = scored.losses(competing, settings)
    places = _by_turns(competition, order)
    compared = sorted({*places, *(row for row in order if names[row] in fixed)})
    ranked = np.sort(losses[np.array(competing)])
    uncompared = tuple(
        _uncompared(scored, row, int(np.searchsorted(ranked, losses[row])) + 1)
        for row in order
        if row not in compared
    )
    scored = scored.noted(
        Phrase(
            "{entries:n} entries compete. {best:n} of them are compared with each other, so ties "
            "and ranks are those among them: every team's best, then every team's second best, "
            "and so on, at most {runs:n} of a team. The other {others:n} have a score and a rank "
            "in results.json and scores.txt. Nothing was tested about them.",
            entries=len(names),
            best=len(compared),
            runs=MOST_RUNS,
            others=len(uncompared),
        )
    )
    reason = Phrase("scored and ranked, but only {best:n} entries are compared", best=len(compared))
    aside = (*competition.left_aside, *(LeftOut(entry.name, reason) for entry in uncompared))
    kept_entries = scored.keep(compared, [names[row] for row in compared])
    return kept_entries.changed(uncompared=uncompared, left_aside=aside)


def _uncompared(scored: ScoredCompetition, row: int, rank: int) -> Uncompared:
    """Return what is said of an entry that is only ranked."""
    competition = scored.competition
    metrics = [item for part in scored.scored for item in part]
    scores = {
        item.metric.name: float(item.observed[item.entries.index(row)])
        for item in metrics
        if row in item.entries
    }
    hashes = (sha256 for sha256 in _hashes(competition, row) if sha256 is not None)
    return Uncompared(competition.names[row], rank, scores, next(hashes))


def _by_turns(competition: Competition, order: Sequence[int]) -> list[int]:
    """Return the entries that get a place, as the teams take turns; ``order`` is best first."""
    originals: dict[str, list[int]] = {}
    copies: dict[str, list[int]] = {}
    met = set()
    for row in order:
        team = competition.teams.get(competition.names[row], competition.names[row])
        files = _hashes(competition, row)
        rows_of = copies if (team, files) in met else originals
        rows_of.setdefault(team, []).append(row)
        met.add((team, files))
    turn: dict[int, int] = {}
    for team, rows in originals.items():
        in_order = [*rows, *copies.get(team, ())]
        turn |= {row: number for number, row in enumerate(in_order)}
    in_turns = sorted((row for row in order if turn[row] < MOST_RUNS), key=turn.__getitem__)
    return in_turns[:MOST_ENTRIES]


def _hashes(competition: Competition, row: int) -> tuple[str | None, ...]:
    """Return the hashes of an entry's files, one for each part; None where it has no file."""
    entries = [part.entries[row] for part in competition.parts]
    return tuple(None if entry is None else entry.sha256 for entry in entries)


def _competing(scored: ScoredCompetition, settings: Settings) -> list[bool]:
    """Return which entries can win, [m]."""
    return [name not in settings.baselines for name in scored.competition.names]


# Last runs ----------------------------------------------------------------------------------------

# Nothing was selected on the test set, so the earlier runs take no part in any test.


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
    scored = scored.keep([last[team] for team in teams], teams)
    if competition.focus is not None:  # the field's runs are the organizer's secret
        return scored.changed(withheld=_named(competition.withheld, new_names))
    counted = {competition.names[entry] for entry in last.values()} | new_names.keys()
    earlier = tuple(
        LeftOut(run, Phrase("a later run of the team counts, and runs is last"))
        for run in competition.teams
        if run not in counted
    )
    scored = scored.changed(
        unusable=_named(competition.unusable, new_names),
        left_aside=(*competition.left_aside, *earlier),
    )
    if settings.anonymize:
        return scored
    several = tuple(
        competition.names[last[team]] for team in teams if competition.runs.get(team, 1) > 1
    )
    if several:
        scored = scored.noted(
            Phrase(
                "Each team with several runs competes with the last one that can be scored: "
                "{runs}.",
                runs=several,
            )
        )
    if passed_over:
        scored = scored.noted(
            Phrase(
                "Later runs of these teams were passed over, because they cannot be scored: "
                "{runs}.",
                runs=passed_over,
            )
        )
    return scored


def _named(unusable: tuple[LeftOut, ...], names: dict[str, str]) -> tuple[LeftOut, ...]:
    """Return the unusable submissions in ``names`` (name → new name) under their new names."""
    return tuple(replace(item, name=names[item.name]) for item in unusable if item.name in names)


# Mean runs ----------------------------------------------------------------------------------------

# Runs of one system, such as those of several seeds, are one entry: their mean.


def score_by_mean(scored: ScoredCompetition, settings: Settings) -> ScoredCompetition:
    """Put one entry, named after the team, in the place of all its runs that can be scored.

    A team has a score by a metric if all its runs in the part have one. Raises SettingsError if
    tests are wanted that compare two submissions example by example, or if a run that lacks a task
    should cost its team something, and has no worst value.
    """
    competition = scored.competition
    names = competition.names
    runs_of = grouped((competition.teams.get(name, name), run) for run, name in enumerate(names))
    teams = sorted(runs_of)
    runs = [runs_of[team] for team in teams]
    first_runs = [team_runs[0] for team_runs in runs]
    if len(first_runs) == len(names):
        return scored.keep(first_runs, teams)
    scored_in = [set(competition.taking_part(part)) for part in competition.parts]
    _check_mean([set(part.present) for part in competition.parts], runs, settings)
    number = {run: team for team, team_runs in enumerate(runs) for run in team_runs}
    parts = tuple(
        replace(part, entries=tuple(map(partial(_entry, part.entries), runs, teams)))
        for part in competition.parts
    )
    unscored = {(number[item.entry], item.where): item for item in competition.unscored}
    public = competition.form == "teams"  # the field's runs are the organizer's secret
    averaged = replace(
        competition.keep(first_runs, teams),
        parts=parts,
        focus=None if competition.focus is None else number[competition.focus],
        unscored=tuple(replace(unscored[place], entry=place[0]) for place in sorted(unscored)),
        averaged=len(names) - len(teams) if public else 0,
    )
    metrics = []
    for present, items in zip(scored_in, scored.scored, strict=True):
        present_runs = [sorted(present.intersection(team_runs)) for team_runs in runs]
        metrics.append(tuple(_means(items, present_runs, teams)))
    of_means = ScoredCompetition(averaged, tuple(metrics))
    if not public or settings.anonymize:
        return of_means
    return of_means.noted(
        Phrase(
            "The score of each team with several runs is the mean over them: {teams}.",
            teams=tuple(team for team in teams if len(runs_of[team]) > 1),
        )
    )


def _check_mean(
    present_in: Sequence[Set[int]], runs: Sequence[Sequence[int]], settings: Settings
) -> None:
    """Raise SettingsError if the means over teams' runs do not allow what is asked for."""
    if settings.tests:
        raise SettingsError(
            f"{settings.where('tests')}: {settings.tests[0]!r} compares two submissions example by "
            "example, but with 'runs: mean' a team has several; leave it out, or choose another "
            "value of 'runs'"
        )
    if settings.missing_task != "worst":
        return
    for present, team_runs in product(present_in, runs):
        number = len(present & {*team_runs})
        if 0 < number < len(team_runs):
            raise SettingsError(
                f"{settings.where('runs')}: with 'mean', a run that lacks a task would cost its "
                "team nothing, but 'missing_task' is 'worst'; choose another value of 'runs', or "
                "'missing_task: drop'"
            )


def _entry(entries: Sequence[Entry | None], runs: Sequence[int], team: str) -> Entry | None:
    """Return the entry of a team in one part: its first run, with a hash of all their files."""
    entries_of_runs = [entry for run in runs if (entry := entries[run]) is not None]
    if not entries_of_runs:
        return None
    hashes = [entry.sha256 for entry in entries_of_runs]
    sha256 = hashes[0] if len(entries_of_runs) == 1 else digest("\n".join(sorted(hashes)).encode())
    return replace(entries_of_runs[0], name=team, sha256=sha256)


def _means(
    items: Sequence[ScoredMetric], runs: Sequence[Sequence[int]], teams: Sequence[str]
) -> Iterator[ScoredMetric]:
    """Yield the metrics of the teams whose ``runs`` all have a score; formulas share scorers."""
    from .combined import MeanScorer  # late: few fields rank the mean of several runs

    shared = dict[tuple[int, ...], dict[Scorer, Scorer]]()
    for item in items:
        row_of = {entry: row for row, entry in enumerate(item.entries)}
        scored = [
            team
            for team, team_runs in enumerate(runs)
            if team_runs and row_of.keys() >= {*team_runs}
        ]
        rows = tuple(row_of[run] for team in scored for run in runs[team])
        names = [teams[team] for team in scored for _ in runs[team]]
        of_runs = item.scorer.keep(rows, names, shared.setdefault(rows, {}))
        sizes = [len(runs[team]) for team in scored]
        scorer = MeanScorer(of_runs, sizes, [teams[team] for team in scored])
        yield ScoredMetric(scorer, tuple(scored))
