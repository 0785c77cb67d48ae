"""Which entries compete and under which names, and the metrics bound to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

import numpy as np

from ..alignment import cells
from ..alignment.competition import Competition, Part, Uncompared, Unusable
from ..alignment.entry import Entry
from ..alignment.expected import Target
from ..alignment.gold import Gold, gold_numbers
from ..alignment.parts import leaves, target_of
from ..core.arrays import Array, Floats
from ..core.errors import (
    MetricError,
    OrganizerError,
    SettingsError,
    SubmissionError,
    counted,
    listed,
    nearest,
)
from ..core.notes import Note
from ..metrics import Metric
from ..metrics.calls import typed
from ..reading.layout import SINGLE
from ..reading.reference import FIELD
from ..settings.model import Settings
from . import mean_rank as meanrank
from .scorers import Scorer, bind, compose

#: Entries that are compared at most: all pairs of them are tested and shown.
MOST_ENTRIES = 500
#: What a participant's log calls the submissions of the packed field.
_ANOTHER = "another submission"


def select(
    competition: Competition, chosen: Settings
) -> tuple[Competition, tuple[tuple[Scorer, ...], ...]]:
    """Return the competition that is analysed, and every part's metrics bound to its entries.

    Entries that a metric cannot score become unusable, ``runs: best`` keeps each team's best run by
    the ranking metric, ``anonymize`` renames and reorders the entries by it. A submission that came
    alone keeps its name, and its author reads nothing of others that are unusable. Of very many
    entries only the best are compared.

    Raises
    ------
    SubmissionError
        The single submission cannot be scored, or fewer than two teams can, or not all of them and
        ``strict`` is set.
    OrganizerError
        There is a packed field, and none of it can be scored.
    SettingsError
        ``baselines`` or ``reference_entry`` name no entry, or more than `MOST_ENTRIES` compete in a
        packed field or in several tasks.
    """
    if chosen.anonymize:
        competition = replace(competition, unusable=_nameless(competition.unusable))
    competition = _scorable(competition, anonymous=chosen.anonymize)
    if competition.form == "field":
        _check_field(competition)
    if competition.form == "teams":
        _check_usable(competition, chosen)
    if competition.form != "single":
        if chosen.runs == "best":
            competition = _best_runs(competition, chosen)
        _check_names(competition, chosen)
        if chosen.anonymize:
            competition = _anonymous(competition, chosen)
        competition = _compared(competition, chosen)
    return competition, tuple(_all_bound(part) for part in _told(competition).parts)


def _told(competition: Competition) -> Competition:
    """Return the competition under the names that a message may use of its entries."""
    if competition.focus is None:
        return competition
    rows = range(len(competition.names))
    names = [SINGLE if row == competition.focus else _ANOTHER for row in rows]
    return competition.keep(rows, names)


def _compared(competition: Competition, chosen: Settings) -> Competition:
    """Keep the best `MOST_ENTRIES`, baselines and the reference; the others are ranked only."""
    number = len(competition.names)
    if number <= MOST_ENTRIES:
        return competition
    if competition.form == "field" or competition.has_tasks:
        # A rank among the field or a mean rank over tasks needs all of them.
        raise SettingsError(
            f"{chosen.where('runs')}: {number} entries compete, and at most {MOST_ENTRIES} can be "
            "compared with each other; let one run of each team compete, with 'best' or 'last'"
        )
    fixed = {*chosen.baselines, chosen.reference_entry}
    names = competition.names
    order = _best_first(competition, names, chosen.baselines)
    kept = {row for k, row in enumerate(order) if k < MOST_ENTRIES or names[row] in fixed}
    bound_to = [scorer for part in competition.parts for scorer in _all_bound(part)]
    losses = _losses(bound_to[0])
    of_rivals = np.sort([losses[row] for row in order if names[row] not in chosen.baselines])
    uncompared = tuple(
        Uncompared(
            names[row],
            int(np.searchsorted(of_rivals, losses[row])) + 1,
            {scorer.metric.name: float(scorer.observed[row]) for scorer in bound_to},
            competition.parts[0].entries[row].sha256,
        )
        for row in order
        if row not in kept
    )
    note = Note(
        "notes.too_many", {"entries": number, "best": MOST_ENTRIES, "others": len(uncompared)}
    )
    competition = replace(competition, uncompared=uncompared, notes=(*competition.notes, note))
    return competition.keep(sorted(kept), [names[row] for row in sorted(kept)])


def _best_first(
    competition: Competition, called: Sequence[str], baselines: Sequence[str]
) -> list[int]:
    """Return the entries' numbers in the order of the ranking, [m]; baselines are ``called`` so."""
    ranking = [bound(part.metrics[0], part) for part in competition.parts]
    if competition.has_tasks:
        competing = np.array([name not in baselines for name in called])
        losses = meanrank.observed(ranking, competing)
    else:
        losses = _losses(ranking[0])
    return [int(row) for row in np.argsort(losses, kind="stable")]


def _losses(scorer: Scorer) -> Floats:
    return -scorer.observed if scorer.metric.greater_is_better else scorer.observed


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
        solution = {**ids, **_as_read(gold)}
        y_preds = [{**ids, **_as_read(entry)} for entry in part.entries]
        return bind(metric, solution, y_preds, names=names)
    predictions = [entry.predictions[target] for entry in part.entries]
    labels = part.expected.targets[target]
    if target.kind == "numbers":
        numbers = gold_numbers(gold, target.column) if target.column else np.zeros(gold.n)
        return bind(metric, numbers, predictions, names=names)
    return bind(metric, part.labels[target.column], predictions, np.array(labels), names=names)


def _as_read(of: Gold | Entry) -> dict[str, Array]:
    """Return columns typed as pandas reads the whole file, of whichever rows they are."""
    # An array of fixed width would take the memory of the longest cell for every row.
    columns = {name: np.array(texts, dtype=object) for name, texts in of.columns.items()}
    if of.whole is None:
        return {name: typed(column) for name, column in columns.items()}
    return {
        name: column.astype(typed(np.array(of.whole[name], dtype=object)).dtype)
        for name, column in columns.items()
    }


def _check_scorable(competition: Competition) -> None:
    for part in competition.parts:
        for scorer in _all_bound(part):
            for name, score in zip(competition.names, scorer.observed, strict=True):
                if not abs(score) < cells.LARGEST:
                    raise SubmissionError(
                        f"the {scorer.metric.label} of {name} is {score:.3g}, out of all "
                        "proportion: look for numbers in a wrong unit"
                    )


def _scorable(competition: Competition, *, anonymous: bool) -> Competition:
    """Leave out the entries that some metric cannot score, where others can be scored."""
    if not competition.names:
        return competition
    failure: SubmissionError | MetricError
    try:
        _check_scorable(competition)
        return competition
    except (SubmissionError, MetricError) as error:
        failure = error
    kept, left_out = [], []
    for row, name in enumerate(competition.names):
        try:
            # On its own and nameless, because what is said of it may be for another's eyes.
            _check_scorable(competition.keep([row], [SINGLE]))
            kept.append(row)
        except (SubmissionError, MetricError) as error:
            failure = error
            if competition.form == "single" or row == competition.focus:
                _blame_predictions(error, competition)
                raise
            left_out.append(Unusable(name, str(error)))
    if not kept and isinstance(failure, MetricError) and not _scores_gold(competition):
        raise failure  # the metric itself is at fault
    competition = competition.keep(kept, [competition.names[row] for row in kept])
    if competition.focus is not None:
        return replace(competition, withheld=(*competition.withheld, *left_out))
    if anonymous:
        left_out = list(_nameless(left_out, len(competition.unusable)))
    return replace(competition, unusable=(*competition.unusable, *left_out))


def _blame_predictions(failure: Exception, competition: Competition) -> None:
    """Raise SubmissionError for a metric's failure that is the predictions' fault."""
    if isinstance(failure, MetricError) and _scores_gold(competition):
        raise SubmissionError(
            f"{failure}. The metric can score other predictions, but has no value for these."
        ) from failure


def _scores_gold(competition: Competition) -> bool:
    """Whether the metrics can score predictions that are the gold itself.

    An organizer's own function that fails is the organizer's to mend, whatever it was given.
    """
    if any(metric.call for part in competition.parts for metric in leaves(part.metrics)):
        return False
    perfect = tuple(replace(part, entries=(_perfect(part),)) for part in competition.parts)
    try:
        _check_scorable(replace(competition, parts=perfect))
    except (SubmissionError, MetricError):
        return False
    return True


def _perfect(part: Part) -> Entry:
    """Return an entry that predicts the gold."""
    predictions: dict[Target, Array] = {}
    for target, labels in part.expected.targets.items():
        if target.kind == "numbers":
            predictions[target] = gold_numbers(part.gold, target.column)
        elif target.kind == "labels":
            predictions[target] = part.labels[target.column]
        else:
            predictions[target] = (part.labels[target.column][:, None] == np.array(labels)) * 1.0
    gold = part.gold
    return Entry(SINGLE, predictions, gold.columns, gold.sha256, whole=gold.whole)


def _nameless(unusable: Sequence[Unusable], before: int = 0) -> tuple[Unusable, ...]:
    """Return unusable submissions under numbers that follow on those ``before``."""
    return tuple(
        Unusable(f"Unusable {number}", item.reason)
        for number, item in enumerate(unusable, before + 1)
    )


def _check_field(competition: Competition) -> None:
    if len(competition.names) == 1:
        reasons = "\n".join(f"[{item.name}] {item.reason}" for item in competition.withheld)
        raise OrganizerError(
            f"ref/{FIELD}: none of its submissions can be scored; --debug shows why"
        ) from SubmissionError(reasons)


def _check_names(competition: Competition, chosen: Settings) -> None:
    """Raise SettingsError where ``baselines`` or ``reference_entry`` name no entry."""
    wanted = [("baselines", name) for name in chosen.baselines]
    if chosen.reference_entry is not None:
        wanted.append(("reference_entry", chosen.reference_entry))
    # A participant reads this too, and is not to learn the others' names.
    told = competition.form == "teams" and not chosen.anonymize
    for key, name in wanted:
        if name not in competition.names:
            raise SettingsError(
                f"{chosen.where(key)}: there is no usable entry {name!r}"
                f"{nearest(name, competition.names if told else ())}"
            )


def _check_usable(competition: Competition, chosen: Settings) -> None:
    usable, unusable = len(competition.names), competition.unusable
    if usable >= 2 and not (chosen.strict and unusable):
        return
    reasons = "\n".join(f"[{item.name}] {item.reason}" for item in unusable)
    if chosen.strict and unusable:
        raise SubmissionError(
            f"{counted(len(unusable), 'unusable submission(s)')}, and 'strict' is set:\n{reasons}"
        )
    if not usable and competition.has_tasks:
        tasks = listed(part.name for part in competition.parts)
        reasons += (
            f"\nEvery data file in ref/ is taken for the gold of a task ({tasks}); organizers move "
            "what is none elsewhere."
        )
    # Several files may be meant as one submission, unless the settings say that they are teams.
    alone = "; if this is one submission, send exactly one data file" * (chosen.layout == "auto")
    raise SubmissionError(
        f"{counted(usable, 'usable submission(s)')}; at least two are needed to compare{alone}\n"
        f"{reasons}".rstrip()
    )


def _best_runs(competition: Competition, chosen: Settings) -> Competition:
    """Keep the best run of every team and name it after the team."""
    best: dict[str, int] = {}
    team_of = [competition.teams[name] for name in competition.names]
    for row in _best_first(competition, team_of, chosen.baselines):
        best.setdefault(team_of[row], row)
    teams = sorted(best)
    chosen_runs = [competition.names[best[t]] for t in teams if competition.runs.get(t, 1) > 1]
    if chosen_runs and not chosen.anonymize:
        note = Note("notes.best_runs", {"runs": tuple(chosen_runs)})
        competition = replace(competition, notes=(*competition.notes, note))
    return competition.keep([best[team] for team in teams], teams)


def _anonymous(competition: Competition, chosen: Settings) -> Competition:
    """Rename the entries Team 1, Team 2, … and put them in that order, best first.

    The organizer's own baselines and reference entry and the participant's own submission keep
    their names.
    """
    kept = {*chosen.baselines, chosen.reference_entry}
    if competition.focus is not None:
        kept.add(competition.names[competition.focus])
    order = _best_first(competition, competition.names, chosen.baselines)
    invented = (name for k in count(1) if (name := f"Team {k}") not in kept)
    names = [name if (name := competition.names[row]) in kept else next(invented) for row in order]
    return replace(competition.keep(order, names), runs={})
