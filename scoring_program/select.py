"""Which entries compete and under which names, and the metrics bound to them."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from scoring_program import meanrank
from scoring_program.align import cells
from scoring_program.align.gold import gold_numbers
from scoring_program.competition import Competition, Part, check_names, target_of
from scoring_program.errors import MetricError, OrganizerError, SettingsError, SubmissionError
from scoring_program.metrics import Metric
from scoring_program.read.layout import SINGLE
from scoring_program.read.reference import FIELD
from scoring_program.render.inputs import Unusable
from scoring_program.score import Scorer, bind, compose
from scoring_program.settings import Settings

#: Entries that are compared at most: all pairs of them are tested and shown.
MOST_ENTRIES = 500


def select(
    competition: Competition, chosen: Settings
) -> tuple[Competition, tuple[tuple[Scorer, ...], ...]]:
    """Return the competition that is analysed, and every part's metrics bound to its entries.

    Entries that a metric cannot score become unusable, ``runs: best`` keeps each team's best run by
    the ranking metric, ``anonymize`` renames and reorders the entries by it. A submission that came
    alone keeps its name.

    Raises
    ------
    SubmissionError
        The single submission cannot be scored, or fewer than two teams can, or not all of them and
        ``strict`` is set.
    SettingsError
        ``baselines`` or ``reference_entry`` name no entry, or more than `MOST_ENTRIES` compete.
    """
    competition = _scorable(competition)
    if competition.form == "teams":
        _check_usable(competition, strict=chosen.strict)
    if competition.form != "single":
        if chosen.runs == "best":
            competition = _best_runs(competition)
        check_names(chosen, competition.names)
        _check_number(competition, chosen)
        if chosen.anonymize:
            competition = _anonymous(competition, chosen)
    return competition, tuple(_all_bound(part) for part in competition.parts)


def _check_number(competition: Competition, chosen: Settings) -> None:
    number = len(competition.names)
    if number > MOST_ENTRIES:
        raise SettingsError(
            f"{chosen.where('runs')}: {number} entries compete, and at most {MOST_ENTRIES} can be "
            "compared with each other; let one run of each team compete, with 'best' or 'last'"
        )


def _best_first(competition: Competition) -> list[int]:
    """Return the entries' numbers in the order of the ranking, [m]."""
    ranking = [bound(part.metrics[0], part) for part in competition.parts]
    first = ranking[0]
    losses = -first.observed if first.metric.greater_is_better else first.observed
    if competition.has_tasks:
        losses = meanrank.observed(ranking)
    return [int(row) for row in np.argsort(losses, kind="stable")]


def _all_bound(part: Part) -> tuple[Scorer, ...]:
    """Bind a part's metrics, each once: one that a formula names too is not scored twice."""
    done: dict[str, Scorer] = {}
    return tuple(bound(metric, part, done) for metric in part.metrics)


def bound(metric: Metric, part: Part, done: dict[str, Scorer] | None = None) -> Scorer:
    """Bind a metric to a part's gold and to every entry's predictions.

    ``done`` holds by name the metrics that are bound already, and gains this one.
    """
    done = {} if done is None else done
    if metric.name not in done:
        done[metric.name] = _bound(metric, part, done)
    return done[metric.name]


def _bound(metric: Metric, part: Part, done: dict[str, Scorer]) -> Scorer:
    if metric.components:
        return compose(metric, [bound(component, part, done) for component in metric.components])
    gold, names = part.gold, [entry.name for entry in part.entries]
    target = target_of(metric, gold)
    if target is None:
        ids = {gold.id_column or "id": np.array(gold.ids or range(gold.n))}
        solution = {**ids, **{name: np.array(texts) for name, texts in gold.columns.items()}}
        y_preds = [
            {**ids, **{name: np.array(texts) for name, texts in entry.columns.items()}}
            for entry in part.entries
        ]
        return bind(metric, solution, y_preds, names=names)
    predictions = [entry.predictions[target] for entry in part.entries]
    labels = part.expected.targets[target]
    if target.kind == "numbers":
        numbers = gold_numbers(gold, target.column) if target.column else np.zeros(gold.n)
        return bind(metric, numbers, predictions, names=names)
    return bind(metric, part.labels[target.column], predictions, np.array(labels), names=names)


def _check_scorable(competition: Competition) -> None:
    for part in competition.parts:
        for scorer in _all_bound(part):
            for name, score in zip(competition.names, scorer.observed, strict=True):
                if not abs(score) < cells.LARGEST:
                    raise SubmissionError(
                        f"the {scorer.metric.label} of {name} is {score:.3g}, out of all "
                        "proportion: look for numbers in a wrong unit"
                    )


def _scorable(competition: Competition) -> Competition:
    """Leave out the entries that some metric cannot score, where others can be scored."""
    if not competition.names:
        return competition
    try:
        _check_scorable(competition)
        return competition
    except (SubmissionError, MetricError) as error:
        if competition.focus is not None and isinstance(error, SubmissionError):
            # The participant must not read of other teams.
            _check_scorable(competition.keep([competition.focus], [SINGLE]))
            raise OrganizerError(f"ref/{FIELD}: {error}") from error
        if competition.form != "teams":
            raise
        failure = error
    kept, unusable = [], []
    for row, name in enumerate(competition.names):
        try:
            _check_scorable(competition.keep([row], [name]))
            kept.append(row)
        except (SubmissionError, MetricError) as error:
            unusable.append(Unusable(name, str(error)))
    if not kept and isinstance(failure, MetricError):
        raise failure  # the metric itself is at fault
    competition = competition.keep(kept, [competition.names[row] for row in kept])
    return replace(competition, unusable=(*competition.unusable, *unusable))


def _check_usable(competition: Competition, *, strict: bool) -> None:
    usable, unusable = len(competition.names), competition.unusable
    if usable >= 2 and not (strict and unusable):
        return
    reasons = "\n".join(f"[{item.name}] {item.reason}" for item in unusable)
    if strict and unusable:
        raise SubmissionError(
            f"{len(unusable)} unusable submissions, and 'strict' is set:\n{reasons}"
        )
    raise SubmissionError(
        f"{usable} usable submissions; at least two are needed to compare\n{reasons}".rstrip()
    )


def _best_runs(competition: Competition) -> Competition:
    """Keep the best run of every team and name it after the team."""
    best: dict[str, int] = {}
    for row in _best_first(competition):
        best.setdefault(competition.teams[competition.names[row]], row)
    teams = sorted(best)
    return competition.keep([best[team] for team in teams], teams)


def _anonymous(competition: Competition, chosen: Settings) -> Competition:
    """Rename the entries Team 1, Team 2, … and put them in that order, best first.

    The organizer's own baselines and reference entry and the participant's own submission keep
    their names. Reasons name files and teams, so the names are taken out of them.
    """
    kept = {*chosen.baselines, chosen.reference_entry}
    if competition.focus is not None:
        kept.add(competition.names[competition.focus])
    order = _best_first(competition)
    names: list[str] = []
    number = 0
    for row in order:
        name = competition.names[row]
        if name not in kept:
            number += 1
            name = f"Team {number}"
        names.append(name)
    unusable = []
    for number, item in enumerate(competition.unusable, 1):
        alias, reason = f"Unusable {number}", item.reason
        # The whole name first, then the team's: a run is called TEAM/run.
        for name in (item.name, competition.teams.get(item.name, item.name)):
            reason = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", alias, reason)
        unusable.append(Unusable(alias, reason))
    return replace(competition.keep(order, names), unusable=tuple(unusable), runs={})
