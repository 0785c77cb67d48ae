"""From aligned entries to the entries that are compared. Every metric is bound and scored once.

Entries that cannot be scored are left out, with the reasons. Then enough must be left, and those in
the settings must exist.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..core import cells
from ..core.arrays import Array
from ..core.errors import (
    InternalError,
    LeftOut,
    MetricError,
    OrganizerError,
    SettingsError,
    SubmissionError,
    internal_of_upload,
    listed,
    nearest,
)
from ..core.phrases import Phrase, counted, joined, verbatim
from ..data.competition import Competition, Part, Unscored
from ..data.entry import gold_numbers
from ..data.joining.submission import Entry
from ..metrics import Metric, formula, without_formulas
from ..metrics.calls import FAILED
from ..metrics.statistics import Counting
from ..reading.formats import KINDS, texts
from ..reading.layout import SINGLE
from ..reading.reference import FIELD
from ..reading.table import FileRows
from ..recognize.expected import Target
from ..recognize.of_kinds.roles_by_name import is_id
from ..settings.model import Settings
from . import contenders
from .bind import (
    HERE,
    SUBMISSION,
    Failures,
    bind_parts,
    bind_where_possible,
    names_in_messages,
    observe,
)
from .combined import FormulaScorer
from .contenders import ScoredCompetition
from .overall import uncertain_worst_values
from .scorer import UNDEFINED, Failure, ScoredMetric, keep_entries, leave_out


def score_entries(
    competition: Competition, settings: Settings, counting: Counting = HERE
) -> tuple[Competition, tuple[tuple[ScoredMetric, ...], ...]]:
    """Return the competition to analyze, and every part's metrics bound to its entries.

    Entries that no metric can score become unusable; those that only some can score stay out of the
    others. ``runs: last`` shows each team's last usable run, ``runs: best`` the best one by the
    ranking metric, and ``runs: mean`` the mean over all. ``anonymize`` renames the entries and
    sorts them by that metric. A single submission keeps its name, and its author learns nothing
    about unusable submissions of the field. Of very many entries, only the best are compared.

    Raises
    ------
    SubmissionError
        The single submission cannot be scored, fewer than two entries can be scored, or one cannot
        and ``strict`` is set.
    OrganizerError
        No submission of the field can be scored.
    SettingsError
        ``baselines`` or ``reference_entry`` name an entry that does not exist, a submission may
        gain by lacking a task, or more than `contenders.MOST_ENTRIES` compete in a field or in
        several tasks.
    """
    if settings.missing_task == "worst" and competition.has_tasks:
        for uncertainty in uncertain_worst_values(competition):
            raise SettingsError(uncertainty)
    check_margin(competition, settings)
    check_costs(competition, settings)
    scored = score_usable_entries(competition, counting, named=not settings.anonymize)
    scored = _with_teams_counted(scored, settings)
    if settings.runs == "last" and competition.form != "single":
        scored = contenders.keep_last_runs(scored, settings)
    if settings.anonymize:
        unusable = enumerate(scored.competition.unusable, start=1)
        numbered = (LeftOut(f"Unusable {k}", item.reason) for k, item in unusable)
        scored = scored.changed(unusable=tuple(numbered))
    if competition.form == "field" and len(scored.competition.names) == 1:
        reasons = joined(item.named for item in scored.competition.withheld)
        raise OrganizerError(
            f"ref/{FIELD}: no submission in it can be scored; --debug shows why"
        ) from SubmissionError(reasons)
    if competition.form == "teams":
        check_usable(scored.competition, settings)
    if competition.form != "single":
        if settings.runs == "best":
            scored = contenders.keep_best_runs(scored, settings)
        if settings.runs == "mean":
            scored = contenders.score_by_mean(scored, settings)
        check_names(scored.competition, settings)
        if settings.anonymize:
            aside = enumerate(scored.competition.left_aside, start=1)
            uploads = (LeftOut(f"Upload {k}", item.reason) for k, item in aside)
            scored = contenders.anonymize(scored.changed(left_aside=tuple(uploads)), settings)
        scored = contenders.keep_comparable(scored, settings)
    names = names_in_messages(scored.competition)
    metrics = tuple(keep_entries(part, range(len(names)), names) for part in scored.scored)
    return scored.competition, metrics


# Unscorable ---------------------------------------------------------------------------------------


def score_usable_entries(
    competition: Competition, counting: Counting = HERE, *, named: bool = True
) -> ScoredCompetition:
    """Bind every metric to all entries, score them, and leave out what has no score.

    An entry for which one metric has no value keeps its other metrics. Messages about settings hold
    names of entries if they are ``named``.

    Raises
    ------
    SettingsError
        A formula that ranks has no value for an entry, although every metric in it has one.
    SubmissionError
        The single submission has no score, although the gold would have one.
    MetricError
        A metric can score no entry, or the single submission has none, and neither would the gold.
    """
    if not competition.names:
        return ScoredCompetition(competition, ())
    _check_parts(competition)
    failures: Failures = {}
    # Other participants may read messages about an entry, so they hold no names.
    unnamed = [SUBMISSION] * len(competition.names)
    try:
        bound = bind_parts(competition, counting)
        scored = tuple(keep_entries(part, range(len(unnamed)), unnamed) for part in bound)
        observe(scored)
    except Exception as error:
        # One entry's predictions make it fail. Without it, the others can be scored.
        if not isinstance(error, (SubmissionError, MetricError)):
            if competition.form == "single":
                raise
            internal_of_upload(error)  # raises what concerns the whole run
        scored, failures = bind_where_possible(competition, counting)
    called = names_in_messages(competition) if named else ["a submission"] * len(unnamed)
    _check_ranking_formulas(competition, scored, called)
    for item in (item for part in scored for item in part):
        failures.setdefault(item.metric.name, {}).update(_failures(item))
    if not any(failures.values()):
        return ScoredCompetition(competition, scored)
    lost = _lost(competition, failures)
    unscored = (*competition.unscored, *_unscored(competition, failures, lost))
    remaining = [entry for entry in range(len(unnamed)) if entry not in lost]
    names = competition.names
    left_out = [LeftOut(names[entry], lost[entry].reason) for entry in sorted(lost)]
    aside = "unusable" if competition.focus is None else "withheld"
    left_aside: Any = {aside: (*getattr(competition, aside), *left_out)}
    competition = replace(competition, unscored=unscored)
    competition = replace(
        competition.keep(remaining, [names[entry] for entry in remaining]), **left_aside
    )
    if not remaining:
        return ScoredCompetition(competition, ())
    _check_parts(competition)
    scored = tuple(tuple(leave_out(part, failures)) for part in scored)
    metrics = tuple(keep_entries(part, remaining, unnamed) for part in scored)
    return ScoredCompetition(competition, metrics)


def _with_teams_counted(scored: ScoredCompetition, settings: Settings) -> ScoredCompetition:
    """Count the teams that sent something, and those of which nothing can be scored.

    It is done while names say whose an upload is: later, a run stands for its team, and names may
    be invented.
    """
    competition = scored.competition
    team_of = competition.teams
    with_score = {team_of.get(name, name) for name in competition.names}
    unusable = {team_of.get(item.name, item.name) for item in competition.unusable}
    without_score = unusable - with_score
    baselines = {*settings.baselines}
    return scored.changed(
        teams_sent=len((with_score | without_score) - baselines),
        teams_without_score=len(without_score - baselines),
    )


def _check_ranking_formulas(
    competition: Competition, scored: Sequence[Sequence[ScoredMetric]], names: Sequence[str]
) -> None:
    """Raise SettingsError where a formula that ranks has no value for one of the entries."""
    for part, items in zip(competition.parts, scored, strict=True):
        ranking_metric = part.metrics[0].name
        for item in items:
            if item.metric.name != ranking_metric or not isinstance(item.scorer, FormulaScorer):
                continue
            for row in np.flatnonzero(item.scorer.without_value).tolist():
                text = str(item.metric.formula)
                entry = names[item.entries[row]]
                raise formula.without_value(text, item.metric.name_in_messages, entry)


def _check_parts(competition: Competition) -> None:
    """Raise SubmissionError if a task has no entries, SettingsError if its metrics may not fit."""
    for part in competition.parts:
        if not competition.taking_part(part):
            if competition.form == "teams":
                _refuse_numbers_as_classes(part)
            here = (item for item in competition.unscored if item.where == part.name)
            unscored = (LeftOut(competition.names[item.entry], item.reason) for item in here)
            reasons = dict.fromkeys(
                item.named for item in (*competition.unusable, *competition.withheld, *unscored)
            )
            nobody = verbatim(f"no submission can be scored in the task {part.name!r}")
            raise SubmissionError(joined([nobody, *reasons]))


def _refuse_numbers_as_classes(part: Part) -> None:
    """Raise SettingsError if metrics take numbers for classes, which nobody predicts exactly."""
    for target in part.expected.targets:
        if (
            target.kind == "labels"
            and not part.expected.labels_are_public
            and cells.is_quantity(part.gold.columns[target.column])
        ):
            metrics = listed(metric.name for metric in without_formulas(part.metrics))
            raise SettingsError(
                f"{part.gold.file}: {part.gold.name_for_messages(target.column)} holds numbers, "
                f"which a metric here takes for classes ({metrics}), and nobody's predictions are "
                "all among them; say with 'task:' which tasks each metric scores, or choose a "
                "metric of numbers; if these are classes, list them in the setting 'labels'"
            )


def _failures(item: ScoredMetric) -> dict[int, Failure]:
    """Return why entries have no usable score by a metric: entry → reason."""
    observation = item.scorer.observation
    failures = {item.entries[row]: failure for row, failure in observation.failures.items()}
    for row in np.flatnonzero(abs(observation.values) >= cells.LARGEST).tolist():
        # No digit of the score: where failed uploads cost nothing, each would tell some gold.
        out_of_proportion = SubmissionError(
            "the {label} of {entry} is too large to be right, beyond ±{bound}: look for "
            "numbers in a wrong unit",
            label=item.metric.label_in_messages,
            entry=SUBMISSION,
            bound=f"{cells.LARGEST:g}",
        )
        failures.setdefault(item.entries[row], out_of_proportion)
    return failures


def _lost(competition: Competition, failures: Failures) -> dict[int, Failure]:
    """Return the entries that no metric can score: entry → the first reason.

    Where a metric can score nobody, everybody is lost. Raises the failure if it ends the run: that
    of a single submission, or of a metric that could not even score the gold.
    """
    alone = 0 if competition.form == "single" else competition.focus
    failure = None if alone is None else _failure_of(competition, failures, alone)
    if isinstance(failure, MetricError) and _scores_gold(competition):
        raise SubmissionError(  # the predictions have caused it
            "{problem}. The metric can score other predictions, but has no value for these.",
            problem=failure.reason,
        ) from failure
    if failure is not None:
        raise _told_of_gold(competition, failure)
    scorable: Counter[int] = Counter()
    for part in competition.parts:
        for metric in part.metrics:
            failed = failures.get(metric.name, {})
            scorable.update(entry for entry in part.present if entry not in failed)
            if len(failed) == len(part.present):
                last = failed[part.present[-1]]
                at_fault = isinstance(last, MetricError) and not _scores_gold(competition)
                if at_fault or isinstance(last, InternalError):
                    raise _told_of_gold(competition, last)  # the metric itself is at fault
                return failed
    lost: dict[int, Failure] = {}
    for failed in failures.values():
        for entry, reason in failed.items():
            if not scorable[entry]:
                lost.setdefault(entry, reason)
    return dict(sorted(lost.items()))


def _failure_of(competition: Competition, failures: Failures, entry: int) -> Failure | None:
    """Return why an entry lacks a score by the first metric of the settings that fails, or None.

    Its author may read the message. Where parts of the rows are secret, it is the same whichever of
    them fails: an upload that is odd in one row must not tell in which part the row is.
    """
    for metric in competition.parts[0].metrics:
        of_parts: list[Failure] = []
        for part in competition.parts:
            in_part = part.by_name_in_settings.get(
                metric.name.removeprefix(competition.parts[0].prefix)
            )
            failure = None if in_part is None else failures.get(in_part.name, {}).get(entry)
            if failure is not None:
                of_parts.append(failure)
        if of_parts and competition.split_by_usage:
            return _whichever_part_fails(metric, of_parts)
        if of_parts:
            return of_parts[0]
    return None


def _whichever_part_fails(metric: Metric, of_parts: Sequence[Failure]) -> Failure:
    """Return the failure of a metric on one or several parts of the rows, the same for each.

    An organizer's function may fail at another line for the rows of another part, so the place
    stays out. What it says for participants stays, unless it says two different things.
    """
    first = of_parts[0]
    is_code = any(component.call is not None for component in without_formulas([metric]))
    said_alike = len({failure.reason for failure in of_parts}) == 1
    if said_alike and not (is_code and isinstance(first, MetricError)):
        return first
    sentence = Phrase(
        "metric {metric} ({label}) cannot score {entry}, or a part of its rows; --debug shows why",
        metric=repr(metric.name_in_messages),
        label=metric.label_in_messages,
        entry=SUBMISSION,
    )
    alike: Failure = SubmissionError(sentence)
    if any(isinstance(failure, MetricError) for failure in of_parts):
        alike = MetricError(sentence)
    alike.__cause__ = first
    return alike


def _unscored(
    competition: Competition, failures: Failures, lost: Mapping[int, Failure]
) -> Iterator[Unscored]:
    """Yield what the remaining entries lack; metrics that fail for one reason come together."""
    label = {metric.name: metric.label for part in competition.parts for metric in part.metrics}
    labels = cells.grouped(
        ((entry, failure.reason), label[name])
        for name, failed in failures.items()
        for entry, failure in failed.items()
    )
    for (entry, reason), where in sorted(labels.items()):
        # A participant must not learn what the field lacks.
        if entry not in lost and competition.focus is None:
            yield Unscored(entry, ", ".join(where), reason)


def _told_of_gold(competition: Competition, failure: Failure) -> Failure:
    """Return the failure of a metric that fails for the gold, too, in words about the gold.

    What a function of scikit-learn's needs of it is only known from calling it. An organizer's
    function is named with the place where it fails.
    """
    undefined = any(failure.reason.is_made_of(sentence) for sentence in (UNDEFINED, FAILED))
    metrics = [metric for part in competition.parts for metric in without_formulas(part.metrics)]
    library_metrics = {repr(metric.name_in_messages) for metric in metrics if metric.call is None}
    name = str(failure.reason.values.get("metric"))
    if not undefined or name not in library_metrics or not isinstance(failure, MetricError):
        return failure
    files = listed(dict.fromkeys(part.gold.file for part in competition.parts))
    about_gold = MetricError(
        f"metric {name} has no value on {files}, even where every prediction is right; choose "
        "another metric"
    )
    about_gold.__cause__ = failure
    return about_gold


def _scores_gold(competition: Competition) -> bool:
    """Whether the metrics can score predictions that are the gold itself.

    The organizer has to fix an own function that fails, for every prediction.
    """
    metrics = [metric for part in competition.parts for metric in without_formulas(part.metrics)]
    if any(metric.call or metric.kind in KINDS for metric in metrics):
        return False  # of other kinds than rows, every metric scores everything
    perfect = tuple(replace(part, entries=(_perfect(part),)) for part in competition.parts)
    try:
        bound = bind_parts(replace(competition, parts=perfect, focus=None))
        return not any(_failures(item) for part in bound for item in part)
    except (SubmissionError, MetricError):
        return False


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
    return Entry(SINGLE, predictions, FileRows(), part.gold.sha256)


# Usable checks ------------------------------------------------------------------------------------


def check_names(competition: Competition, settings: Settings) -> None:
    """Raise SettingsError if ``baselines`` or ``reference_entry`` name an unknown entry."""
    wanted = [("baselines", name) for name in settings.baselines]
    if settings.reference_entry is not None:
        wanted.append(("reference_entry", settings.reference_entry))
    # A participant may read this, but must not learn others' names.
    names_are_public = competition.form == "teams" and not settings.anonymize
    for key, name in wanted:
        if name not in competition.names:
            raise SettingsError(
                f"{settings.where(key)}: there is no usable entry {name!r}"
                f"{nearest(name, competition.names if names_are_public else ())}"
            )


def check_costs(competition: Competition, settings: Settings) -> None:
    """Raise SettingsError unless the costs are those of the teams that compete.

    A report of all teams compares costs. A team may have a cost although its upload is unusable,
    and so may a baseline.
    """
    costs = settings.costs
    if costs is None or competition.form != "teams":
        return
    where = settings.where("costs")
    if isinstance(costs, str):
        _check_column_of_costs(competition, costs, where)
        return
    teams = {competition.teams.get(name, name): name for name in competition.names}
    competing = {team for team, name in teams.items() if not {team, name} & {*settings.baselines}}
    aside = {item.name for item in (*competition.unusable, *competition.left_aside)}
    teams_of_all = {*competition.names, *competition.teams.values(), *competition.runs, *aside}
    unknown = [team for team in costs if team not in teams_of_all]
    lacking = sorted(competing - costs.keys())
    if unknown and settings.anonymize:
        raise SettingsError(
            f"{where}: {len(unknown)} of the {len(costs)} names are those of no team; costs are "
            "those of teams, by their names. Without 'anonymize', the message says which"
        )
    if unknown:
        hint = nearest(unknown[0], sorted(teams_of_all))
        raise SettingsError(
            f"{where}: there is no team {unknown[0]!r}{hint}; costs are those of teams, by their "
            "names"
        )
    if lacking:
        number = "one team" if len(lacking) == 1 else f"{len(lacking)} teams"
        which = number if settings.anonymize else listed(lacking)
        example = ", ".join(f"{_as_key(team)}: NUMBER" for team in lacking)
        remedy = "" if settings.anonymize else f": add '{example}'"
        raise SettingsError(
            f"{where}: there is no cost of {which}; give every team that competes one{remedy}"
        )


def _as_key(team: str) -> str:
    """Return a team as a key of YAML, in quotes where it needs them."""
    is_plain = re.fullmatch(r"[A-Za-z_][\w.-]*", team)
    return team if is_plain else json.dumps(team, ensure_ascii=False)


def _check_column_of_costs(competition: Competition, column: str, where: str) -> None:
    """Raise SettingsError unless the costs are a column that can be resampled with the scores."""
    (part, *_) = competition.parts
    if part.costs is None:
        raise SettingsError(
            f"{where}: {column!r} would be a column of a long table of scores, and there is none; "
            "give each team's cost, as in 'costs: {A: 0.12, B: 0.5}'"
        )
    if part.people is not None:
        raise SettingsError(
            f"{where}: a column of costs does not go together with people's scores of some units; "
            "give each system's cost, as in 'costs: {A: 0.12, B: 0.5}'"
        )


def check_margin(competition: Competition, settings: Settings) -> None:
    """Raise SettingsError if no two scores can be farther apart than the ``margin``."""
    metric = (*competition.overall, *competition.parts[0].metrics)[0]
    if settings.margin is None or settings.margin < metric.high - metric.low:
        return
    raise SettingsError(
        f"{settings.where('margin')}: found {settings.margin:g}, but {metric.name} lies between "
        f"{metric.low:g} and {metric.high:g}, so every entry would be practically best; write the "
        "margin in the units of the metric, or remove the setting"
    )


def check_usable(competition: Competition, settings: Settings) -> None:
    """Raise SubmissionError if fewer than two entries are usable; with ``strict``, if not all.

    Raises OrganizerError if there is but one, and InternalError if none is usable because of
    internal errors alone.
    """
    usable = len(competition.names)
    unusable = competition.unusable
    if usable >= 2 and not (settings.strict and unusable):
        return
    if usable == 1 and not unusable:
        raise OrganizerError(
            "there is one submission, and at least two are needed to compare; add another, or "
            "score it alone with 'layout: single'"
        )
    if not usable and all(item.reason.is_made_of(InternalError.sentence) for item in unusable):
        raise InternalError(joined(item.named for item in unusable))
    other_ids = "" if usable else _other_ids(competition, settings)
    if not usable and _fail_alike(unusable):
        first = unusable[0]
        tasks = ""
        if competition.has_tasks:
            tasks = (
                f"; every data file there is a task ({listed(p.name for p in competition.parts)}); "
                "parts of one test set go into one file"
            )
            if all(part.gold.kind == texts.KIND.name for part in competition.parts):
                tasks += (
                    "; references of the same texts are called reference.1.txt, reference.2.txt "
                    "and so on"
                )
        raise SubmissionError(
            verbatim(
                f"all {len(unusable)} submissions fail alike, so the reference data or their "
                "format may be at fault (organizers: look at the files in ref/ and at the "
                f"settings{tasks}). The first of them:\n{first.named}{other_ids}"
            )
        )
    reasons = "\n".join(item.named for item in unusable)
    if settings.strict and unusable:
        counts = counted(len(unusable), Phrase("unusable submission", "unusable submissions"))
        raise SubmissionError(verbatim(f"{counts}, and 'strict' is set:\n{reasons}"))
    if not usable and competition.has_tasks:
        tasks = listed(part.name for part in competition.parts)
        reasons += (
            f"\nEvery data file in ref/ is read as the reference data of a task ({tasks}); the "
            "organizers must move other files elsewhere."
        )
    alone = ""
    if settings.layout == "auto":  # then several files may be meant as one submission
        alone = "; if this is one submission, send exactly one data file"
    counts = counted(usable, Phrase("usable submission", "usable submissions"))
    message = f"{counts}; at least two are needed to compare{alone}\n{reasons}{other_ids}"
    raise SubmissionError(verbatim(message.rstrip()))


def _other_ids(competition: Competition, settings: Settings) -> str:
    """Return which other columns of the gold may hold the ids, if submissions have unknown ones."""
    unknown = any("not in the test set" in item.reason for item in competition.unusable)
    if not unknown or settings.id_column or settings.described(gold=True).columns:
        return ""
    for part in competition.parts:
        gold = part.gold
        unique_columns = [
            name
            for name, column in gold.columns.items()
            if is_id(name) and len({*column}) == gold.n
        ]
        if gold.id_column and unique_columns:
            return (
                f"\nOrganizers: the ids of {gold.file} were read from {gold.id_column!r}. If the "
                f"submissions hold those of {listed(map(repr, unique_columns))}, write 'id_column: "
                f"{unique_columns[0]}' in the settings."
            )
    return ""


def _fail_alike(unusable: Sequence[LeftOut]) -> bool:
    """Whether several submissions have the same problems, in whichever files and rows."""
    kinds = {_kind_of_problems(item.reason) for item in unusable}
    return len(unusable) > 1 and len(kinds) == 1


def _kind_of_problems(reason: Phrase) -> tuple[str, ...]:
    """Return the problems in a reason, without the files, the rows and the further details."""
    problems = [line for line in reason.splitlines() if not line.startswith("  ")]
    return tuple(re.sub(r"\d+|^.*?: ", "", problem) for problem in problems)
