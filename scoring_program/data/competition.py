"""A competition: gold, metrics and aligned entries.

It has one part or several: tasks, each with a gold file, or the public and the private rows of one
gold. Every entry takes part in each of them. Parts have names that tell them apart, and tasks have
metrics over all of them: the setting ``overall`` says how their ranking metrics are combined. The
method is the function of the metric: ``mean``, ``mean_standardized`` or ``mean_rank``. Any other
text is a formula.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from ..core.arrays import Bools
from ..core.cells import grouped
from ..core.errors import LeftOut, ReferenceDataError, SettingsError, listed, nearest
from ..core.phrases import Phrase, gettext_noop, ngettext_noop
from ..metrics import Definition, Metric, formula
from ..metrics.organizer import FileFunction
from ..metrics.resolve import of_formula
from ..recognize.expected import Expected, Target
from ..recognize.reading_record import Reading
from ..settings.checks import MetricSpec
from ..settings.model import OVERALL, Settings
from .binder import Binder
from .entry import Labels
from .gold import PRIVATE, PUBLIC, Gold
from .joining.submission import Entry

Form = Literal["teams", "field", "single"]
#: What notes say of predictions and scores that are missing.
MISSING = ngettext_noop(
    "{count:n} missing prediction counts as wrong.", "{count:n} missing predictions count as wrong."
)
SCORES_WORST = ngettext_noop(
    "{count:n} missing score counts as the worst that the table holds.",
    "{count:n} missing scores count as the worst that the table holds.",
)
UNITS_DROPPED = ngettext_noop(
    "{count:n} unit is left out, because an entry has no score on it.",
    "{count:n} units are left out, because an entry has no score on them.",
)
NOT_JUDGED = ngettext_noop(
    "{count:n} missing score does not count: the mean of an entry is over the units on which it "
    "has a score.",
    "{count:n} missing scores do not count: the mean of an entry is over the units on which it "
    "has a score.",
)
BY_ENTRY = gettext_noop("{note} By entry: {entries}.")
#: What a note says of preferences that allow no strengths.
NOT_CONNECTED = gettext_noop(
    "Some systems never won, or never lost, against all others, so there are no Bradley-Terry "
    "strengths: only win rates, which depend on who met whom."
)
GAPS = (MISSING[0], SCORES_WORST[0], UNITS_DROPPED[0], NOT_JUDGED[0], BY_ENTRY)
#: What a submission has in each part: its entry, None where it is missing.
Entries: TypeAlias = tuple[Entry | None, ...]
#: What names of copies say.
_COPY = re.compile(r"(?:^|[\W_])(?:copy|backup|bak|old)(?:$|[\W_\d])", re.IGNORECASE)


#: The method that has ranks and ties only.
MEAN_RANK = "mean_rank"
#: Key of a formula in the setting ``overall``.
_OVERALL = "overall"


@dataclass(frozen=True, eq=False)
class People:
    """Which units people scored beside a judge, and the judge's weights (`core.people`).

    People's scores are those of the entries.
    """

    judged: Bools  # [n]
    weights: Mapping[Target, float]  # λ
    file: str
    sha256: str


@dataclass(frozen=True, eq=False)
class Part:
    """One gold with its metrics, the rules for its predictions, and every entry's predictions.

    ``name`` is the task, "private" or "public", or empty if there is only one part. The ranking
    metric comes first; the others keep the order of the settings.
    """

    name: str
    gold: Gold
    labels: Mapping[str, Labels]  # target column → gold labels [n]
    expected: Expected
    metrics: tuple[Metric, ...]
    entries: Entries = ()  # of each in the competition; None if it is missing
    prefix: str = ""  # of the metrics' names, in front of those in the settings
    reader: FileFunction | None = None  # the organizer's own, if one reads the predictions
    reading: Reading | None = None  # what its files mean
    binder: Binder | None = None  # of rows whose columns are recognized
    people: People | None = None  # if people scored some units of a judge's scores
    costs: Metric | None = None  # the mean cost, if costs were measured on the same units

    @property
    def by_name_in_settings(self) -> dict[str, Metric]:
        """The metrics by what the settings call them."""
        return {metric.name.removeprefix(self.prefix): metric for metric in self.metrics}

    def take(self, rows: Sequence[int]) -> Part:
        """Return the part on some of its examples."""
        labels = {column: array[rows] for column, array in self.labels.items()}
        taken = tuple(entry and entry.take(rows) for entry in self.entries)
        return replace(self, gold=self.gold.take(rows), labels=labels, entries=taken)

    @property
    def present(self) -> tuple[int, ...]:
        """The numbers of the entries that take part."""
        return tuple(row for row, entry in enumerate(self.entries) if entry is not None)


@dataclass(frozen=True)
class Unscored:
    """A task or metrics in which an entry has no score, and the reason in words for its author."""

    entry: int
    where: str
    reason: Phrase


@dataclass(frozen=True)
class Uncompared:
    """An entry that is scored and ranked, but not compared, because there are too many."""

    name: str
    rank: int
    scores: Mapping[str, float]  # metric → score
    sha256: str


@dataclass(frozen=True, eq=False)
class Competition:
    """The parts, each with its entries, and facts about these.

    The first part ranks or, of tasks, the first of the ``overall`` metrics.

    ``form`` is ``teams``, ``field`` (the entry ``focus`` is a single submission that is compared
    with the field) or ``single`` (a single submission without a field). ``withheld`` are unusable
    submissions of the field. They are the organizer's secret and stay out of the outputs.
    """

    form: Form
    parts: tuple[Part, ...]
    focus: int | None = None
    unusable: tuple[LeftOut, ...] = ()
    withheld: tuple[LeftOut, ...] = ()
    unscored: tuple[Unscored, ...] = ()
    uncompared: tuple[Uncompared, ...] = ()  # best first
    left_aside: tuple[LeftOut, ...] = ()  # uploads that are not compared, those included
    teams_sent: int = 0  # teams that compete, with and without a score
    teams_without_score: int = 0  # those of which no upload can be scored
    averaged: int = 0  # runs beyond the first of their teams, which count in the teams' means
    runs: Mapping[str, int] = field(default_factory=dict)  # team → number of runs it sent
    teams: Mapping[str, str] = field(default_factory=dict)  # entry → team; a team's last run last
    anonymous_teams: Mapping[str, str] = field(default_factory=dict)  # team → its name there
    notes: tuple[Phrase, ...] = ()
    overall: tuple[Metric, ...] = ()  # metrics over tasks
    split_by_usage: bool = False  # whether the parts are private and public rows of one gold
    worst_if_missing: bool = False  # whether who lacks a task has the metrics' worst values there

    @property
    def names(self) -> tuple[str, ...]:
        """The entries' names, [m]."""
        names = []
        for in_parts in zip(*(part.entries for part in self.parts), strict=True):
            present = next(filter(None, in_parts))
            names.append(present.name)
        return tuple(names)

    @property
    def readings(self) -> dict[str, Reading]:
        """What the files of each task mean; of the only task, which has no name, under ""."""
        readings = {}
        for part in self.parts[:1] if self.split_by_usage else self.parts:
            if part.reading is None:
                continue
            of_all = self.split_by_usage or part.reading.reference is None
            readings["" if of_all else part.name] = part.reading
        return readings

    @property
    def has_tasks(self) -> bool:
        """Whether the parts are tasks, ranked by an overall metric."""
        return len(self.parts) > 1 and not self.split_by_usage

    def taking_part(self, part: Part) -> tuple[int, ...]:
        """Return the numbers of the entries that have scores in a part.

        They are those that are present or, with `worst_if_missing`, all.
        """
        return tuple(range(len(part.entries))) if self.worst_if_missing else part.present

    def keep(self, rows: Sequence[int], names: Sequence[str]) -> Competition:
        """Return the competition of some entries, under other names."""
        old = self.names
        called = dict(zip(rows, names, strict=True))
        parts = [_with_entries(part, called) for part in self.parts]
        unscored = [item for item in self.unscored if item.entry in called]
        renamed_rows = [row for row in rows if called[row] != old[row]]
        renamed = {called[row]: self.teams.get(old[row], old[row]) for row in renamed_rows}
        return replace(
            self,
            parts=tuple(parts),
            focus=rows.index(self.focus) if self.focus in called else None,
            unscored=tuple(replace(item, entry=rows.index(item.entry)) for item in unscored),
            teams={**self.teams, **renamed},
        )


def _with_entries(part: Part, called: Mapping[int, str]) -> Part:
    """Return a part with some of its entries, by their numbers, under other names."""
    entries = []
    for row, name in called.items():
        entry = part.entries[row]
        entries.append(None if entry is None else replace(entry, name=name))
    return replace(part, entries=tuple(entries))


# Tasks --------------------------------------------------------------------------------------------


def named_by_task(parts: Sequence[Part], where: str) -> tuple[Part, ...]:
    """Return parts with their tasks in front of their metrics' names; a single one unchanged.

    Raises
    ------
    ReferenceDataError
        Two tasks' names give the same keys in scores.txt. The message starts with ``where``.
    """
    if len(parts) < 2:
        return tuple(parts)
    renamed = tuple(_renamed(part, part.name) for part in parts)
    keys = [metric.name for part in renamed for metric in part.metrics]
    if len(set(keys)) < len(keys):
        raise ReferenceDataError(
            f"{where}: the names of the tasks {', '.join(part.name for part in parts)} give the "
            "same keys in scores.txt; use names that differ in ASCII letters or digits"
        )
    return renamed


def _renamed(part: Part, prefix: str, rows: str = "") -> Part:
    """Return a part with its name in those of its metrics, which makes them unique.

    Their labels say on what they are computed: on ``rows``, or else the task.
    """
    key = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in prefix)
    on = rows or prefix
    metrics_in_settings = part.metrics
    metrics = tuple(
        replace(m, name=f"{key}_{m.name}", label=f"{m.label} on {on}") for m in metrics_in_settings
    )
    return replace(part, metrics=metrics, prefix=f"{key}_")


def by_usage(competition: Competition) -> Competition:
    """Split a part into private and public rows (Kaggle's Usage); no task has both.

    The private rows rank, and their metrics keep their names. Those of the public rows get a
    prefix.
    """
    part = competition.parts[0]
    usage = part.gold.usage
    if usage is None or len(set(usage)) < 2:
        return competition
    part = replace(part, metrics=tuple(map(_on_secret_rows, part.metrics)))
    rows = grouped((value, row) for row, value in enumerate(usage))
    private, public = (part.take(rows[wanted]) for wanted in (PRIVATE, PUBLIC))
    note = Phrase(
        "Usage: {private:n} private and {public:n} public rows. The private rows decide the "
        "ranking.",
        private=private.gold.n,
        public=public.gold.n,
    )
    public = _renamed(replace(public, name=PUBLIC), PUBLIC, "the public rows")
    parts = (replace(private, name=PRIVATE), public)
    notes = (*competition.notes, note)
    return replace(competition, parts=parts, notes=notes, split_by_usage=True)


def _on_secret_rows(metric: Metric) -> Metric:
    """Return a metric, with those that it names, that messages call the same on all parts."""
    components = tuple(map(_on_secret_rows, metric.components))
    return replace(metric, components=components, called_on_secret_rows=(metric.name, metric.label))


def in_order_of(parts: Sequence[Part], gold: Gold) -> Gold:
    """Sort a gold like that of an earlier task with the same examples, if there is one.

    Only rows in the same order can be resampled together.
    """
    if gold.ids is None or not parts:
        return gold
    rows = {id: row for row, id in enumerate(gold.ids)}
    for part in parts:
        if part.gold.ids is not None and rows.keys() == set(part.gold.ids):
            return gold.take([rows[id] for id in part.gold.ids])
    return gold


def refuse_copies(parts: Sequence[Part]) -> None:
    """Refuse a task that is a copy of another: an old version, or a backup of the reference data.

    Its file holds the same ids, and a name that begins with the other's, or the same labels and a
    name that says so.
    """
    for first, second in itertools.permutations(parts, 2):
        same_ids = first.gold.ids is not None and {*first.gold.ids} == {*(second.gold.ids or ())}
        longer = re.match(rf"{re.escape(first.name)}[\W_]", second.name, re.IGNORECASE)
        same = [*first.gold.columns.values()] == [*second.gold.columns.values()]
        if same_ids and (longer or (same and _COPY.search(second.name))):
            raise ReferenceDataError(
                f"ref: {first.gold.file} and {second.gold.file} hold the same ids, and every data "
                f"file in ref/ is read as the reference data of a task: remove {second.gold.file} "
                "if it is a copy, or give the tasks names of which none begins with the other"
            )


def settings_of(task: str, tasks: Sequence[str], settings: Settings) -> Settings:
    """Return the settings with the metrics that may score one of several tasks.

    Raises
    ------
    SettingsError
        A metric names what is no task, or no metric is left for this one.
    """
    for spec in settings.metrics:
        for name in spec.task:
            if name not in tasks:
                raise SettingsError(
                    f"{spec.where}: metric {spec.name!r}: there is no task {name!r} among "
                    f"{listed(tasks)}{nearest(name, tasks)}"
                )
    of_task = tuple(spec for spec in settings.metrics if task in (spec.task or tasks))
    if settings.metrics and not of_task:
        raise SettingsError(
            f"{settings.where('metrics')}: no metric is for the task {task!r}; name one, or remove "
            "its reference data"
        )
    elsewhere = {spec.name for spec in settings.metrics} - {spec.name for spec in of_task}
    rank_by = None if settings.rank_by in elsewhere else settings.rank_by
    return replace(settings, metrics=of_task, rank_by=rank_by)


def check_columns(parts: Sequence[Part], settings: Settings) -> None:
    """Refuse a metric of a column that no task has, or none of those that it names."""
    for spec in settings.metrics:
        scored = [part for part in parts if part.name in (spec.task or [part.name])]
        columns = [column for part in scored for column in part.gold.targets]
        if spec.column is not None and spec.column not in columns:
            raise SettingsError(
                f"{spec.where}: metric {spec.name!r}: no task has its column {spec.column!r}"
                f"{nearest(spec.column, columns)}"
            )


def overall_metrics(parts: Sequence[Part], settings: Settings) -> tuple[Metric, ...]:
    """Return the metrics over ``parts`` that are tasks; the first one ranks.

    The others are the formulas in the settings that name metrics of different tasks.

    Raises
    ------
    SettingsError
        A formula names what is no metric of one task, tasks cannot be combined as asked, or there
        is a margin for mean ranks.
    """
    named_in_tasks = {name for part in parts for name in part.by_name_in_settings}
    formulas = [spec for spec in settings.metrics if spec.formula is not None]
    specs = {spec.name: spec for spec in formulas if spec.name not in named_in_tasks}

    def resolved(spec: MetricSpec) -> Metric:
        try:
            return _of_formula(spec, parts, specs, ())
        except SettingsError as error:
            raise SettingsError(f"{spec.where}: {error}") from error

    metrics = {name: resolved(spec) for name, spec in specs.items()}
    ranking = settings.rank_by if settings.overall is None else settings.overall
    if ranking in metrics:
        first = metrics.pop(str(ranking))
    elif settings.overall not in (None, *OVERALL):
        where = settings.where(_OVERALL)
        first = resolved(MetricSpec(_OVERALL, formula=settings.overall, where=where))
    else:
        first = _combined(parts, settings)
    if first.function == MEAN_RANK and settings.margin is not None:
        raise SettingsError(
            f"{settings.where('margin')}: the tasks are ranked by their mean rank, which has no "
            "distance from the best that a margin could limit; leave the margin out, or set "
            "'overall' to 'mean', 'mean_standardized' or a formula"
        )
    keys = [metric.name for part in parts for metric in part.metrics]
    for metric in (first, *metrics.values()):
        if metric.name in keys:
            raise SettingsError(
                f"settings: metrics: two metrics are called {metric.name!r}; give the formula over "
                "tasks another 'name'"
            )
        keys.append(metric.name)
    return (first, *metrics.values())


def _combined(parts: Sequence[Part], settings: Settings) -> Metric:
    """Return the metric that combines the ranking metrics of all tasks by a method.

    The settings name it. By default it is their mean if they share one bounded metric, else mean
    ranks.
    """
    ranking = tuple(part.metrics[0] for part in parts)
    usual = ranking[0].function, ranking[0].params, None
    shared = all(
        (metric_of_task.function, metric_of_task.params, metric_of_task.formula) == usual
        for metric_of_task in ranking
    )
    bounded = all(math.isfinite(metric.high - metric.low) for metric in ranking)
    method = settings.overall or ("mean" if shared and bounded else MEAN_RANK)
    higher = ranking[0].greater_is_better
    if method == "mean" and any(metric.greater_is_better != higher for metric in ranking):
        raise SettingsError(
            f"{settings.where(_OVERALL)}: the mean needs tasks of one direction, but only some of "
            f"{listed(metric.name for metric in ranking)} are better if they are higher; use "
            "'mean_standardized' or 'mean_rank'"
        )
    names = ", ".join(metric.name for metric in ranking)
    if method == "mean":
        label = gettext_noop("mean over tasks", context="metric")
        text = f"mean of {names}"
        ideals = [metric.ideal for metric in ranking if metric.ideal is not None]
        definition = Definition(
            method,
            label,
            "gold",
            higher,
            ideal=sum(ideals) / len(ideals) if len(ideals) == len(ranking) else None,
            low=sum(metric.low for metric in ranking) / len(ranking),
            high=sum(metric.high for metric in ranking) / len(ranking),
            ratio_scale=all(metric.ratio_scale for metric in ranking),
            evaluation="formula",
        )
    elif method == "mean_standardized":
        label = gettext_noop("standardized mean over tasks", context="metric")
        text = f"mean of the standardized {names}"
        definition = Definition(method, label, "gold", True, evaluation="formula")
    else:
        label = gettext_noop("mean rank", context="metric")
        text = f"mean of the ranks by {names}"
        definition = Definition(method, label, "table", False, 1.0, 1.0, evaluation="formula")
    return definition.named(method, text, components=ranking)


def _of_formula(
    spec: MetricSpec, parts: Sequence[Part], specs: Mapping[str, MetricSpec], above: tuple[str, ...]
) -> Metric:
    """Return the metric of a formula over metrics of tasks and over other such formulas.

    These are ``specs``, and ``above`` are the formulas around it.
    """
    above = (*above, spec.name)
    full = {metric.name: metric for part in parts for metric in part.metrics}
    components = []
    for name in formula.names(str(spec.formula), spec.name):
        meant = [metric for part in parts if (metric := part.by_name_in_settings.get(name))]
        if name in above:
            raise SettingsError(
                f"metric {name!r} is defined by itself: {' → '.join([*above, name])}; remove it "
                "from one of these formulas"
            )
        if name in specs:
            components.append(_of_formula(specs[name], parts, specs, above))
        elif name in full or len(meant) == 1:
            components.append(full[name] if name in full else meant[0])
        elif meant:
            raise SettingsError(
                f"the formula of metric {spec.name!r} names {name!r}, a metric of several tasks; "
                f"say which: {listed(metric.name for metric in meant)}"
            )
        else:
            raise SettingsError(
                f"the formula of metric {spec.name!r} names {name!r}, which is not a metric of "
                f"these settings{nearest(name, full)}"
            )
    return of_formula(spec, tuple(components))
