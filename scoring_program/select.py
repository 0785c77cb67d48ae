"""Which entries compete and under which names, and the metrics bound to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scoring_program.align.entry import Entry
from scoring_program.align.gold import gold_numbers
from scoring_program.competition import Competition, check_names, target_of
from scoring_program.errors import MetricError, SubmissionError
from scoring_program.metrics import Metric
from scoring_program.render.inputs import Unusable
from scoring_program.score import Scorer, bind, compose
from scoring_program.settings import Settings


def select(competition: Competition, chosen: Settings) -> tuple[Competition, tuple[Scorer, ...]]:
    """Return the competition that is analysed, and its metrics bound to its entries.

    Entries that a metric cannot score become unusable, ``runs: best`` keeps each team's best run by the
    ranking metric, ``anonymize`` renames and reorders the entries by it.

    Raises
    ------
    SubmissionError
        The single submission cannot be scored, or fewer than two teams can, or not all of them and
        ``strict`` is set.
    SettingsError
        ``baselines`` or ``reference_entry`` name no entry.
    """
    competition = _scorable(competition)
    if competition.form == "teams":
        _check_usable(competition, strict=chosen.strict)
    if competition.form != "single":
        check_names(chosen, competition.names)
    if competition.form == "teams" and (chosen.runs == "best" or chosen.anonymize):
        ranking = competition.metrics[0]
        observed = bound(ranking, competition).observed
        losses = -observed if ranking.greater_is_better else observed
        order = np.argsort(losses, kind="stable").tolist()
        if chosen.runs == "best":
            competition, order = _best_runs(competition, order)
        if chosen.anonymize:
            competition = _anonymous(competition, order, chosen)
    return competition, tuple(bound(metric, competition) for metric in competition.metrics)


def bound(metric: Metric, competition: Competition) -> Scorer:
    """Bind a metric to the gold and to every entry's predictions."""
    if metric.components:
        return compose(metric, [bound(part, competition) for part in metric.components])
    gold, entries = competition.gold, competition.entries
    target = target_of(metric, gold)
    if target is None:
        ids = {gold.id_column or "id": np.array(gold.ids or range(gold.n))}
        solution = {**ids, **{name: np.array(texts) for name, texts in gold.columns.items()}}
        y_preds = [
            {**ids, **{name: np.array(texts) for name, texts in entry.columns.items()}}
            for entry in entries
        ]
        return bind(metric, solution, y_preds, names=competition.names)
    predictions = [entry.predictions[target] for entry in entries]
    labels = competition.expected.targets[target]
    if target.kind == "numbers":
        numbers = gold_numbers(gold, target.column) if target.column else np.zeros(gold.n)
        return bind(metric, numbers, predictions, names=competition.names)
    gold_labels = competition.expected.labels[target.column]
    return bind(metric, gold_labels, predictions, np.array(labels), names=competition.names)


def _scorable(competition: Competition) -> Competition:
    """Leave out the entries that some metric cannot score, where others can be scored."""
    try:
        for metric in competition.metrics:
            _ = bound(metric, competition).observed
        return competition
    except (SubmissionError, MetricError) as error:
        if competition.form != "teams":
            raise
        failure = error
    kept, unusable = [], []
    for entry in competition.entries:
        alone = replace(competition, entries=(entry,))
        try:
            for metric in competition.metrics:
                _ = bound(metric, alone).observed
            kept.append(entry)
        except (SubmissionError, MetricError) as error:
            unusable.append(Unusable(entry.name, str(error)))
    if not kept and isinstance(failure, MetricError):
        raise failure  # the metric itself is at fault
    return replace(competition, entries=tuple(kept), unusable=(*competition.unusable, *unusable))


def _check_usable(competition: Competition, *, strict: bool) -> None:
    usable, unusable = len(competition.entries), competition.unusable
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


def _best_runs(competition: Competition, order: Sequence[int]) -> tuple[Competition, list[int]]:
    """Keep the first run of every team in ``order`` (best first) and name it after the team."""
    best: dict[str, Entry] = {}
    for i in order:
        entry = competition.entries[i]
        best.setdefault(competition.teams[entry.name], entry)
    teams = sorted(best)
    kept = tuple(replace(best[team], name=team) for team in teams)
    return replace(competition, entries=kept), [teams.index(team) for team in best]


def _anonymous(competition: Competition, order: Sequence[int], chosen: Settings) -> Competition:
    """Rename the entries Team 1, Team 2, … in ``order``, best first, and put them in that order.

    The organizer's own baselines and reference entry keep their names.
    """
    own = {*chosen.baselines, chosen.reference_entry}
    entries, number = [], 0
    for i in order:
        entry = competition.entries[i]
        if entry.name not in own:
            number += 1
            entry = replace(entry, name=f"Team {number}")
        entries.append(entry)
    unusable = tuple(
        Unusable(f"Unusable {k}", item.reason) for k, item in enumerate(competition.unusable, 1)
    )
    return replace(competition, entries=tuple(entries), unusable=unusable, runs={})
