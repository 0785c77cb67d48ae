"""The tasks of one competition: names that tell them apart, and the metrics over all of them.

The setting ``overall`` says how the tasks' ranking metrics are combined. The method is the function
of the metric: ``mean``, ``mean_standardized`` or ``mean_rank``. Any other text is a formula.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..core.errors import ReferenceDataError, SettingsError, listed, nearest
from ..core.phrases import Phrase, gettext_noop
from ..metrics import Definition, Metric, formula
from ..metrics.resolve import of_formula
from ..settings.metric_spec import MetricSpec
from ..settings.model import OVERALL, Settings
from .competition import Competition, Part
from .gold import PRIVATE, PUBLIC, Gold

#: What names of copies say.
_COPY = re.compile(r"(?:^|[\W_])(?:copy|backup|bak|old)(?:$|[\W_\d])", re.IGNORECASE)


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
    metrics = tuple(
        replace(metric, name=f"{key}_{metric.name}", label=f"{metric.label} on {rows or prefix}")
        for metric in part.metrics
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
    private, public = (
        part.take([row for row, value in enumerate(usage) if value == wanted])
        for wanted in (PRIVATE, PUBLIC)
    )
    note = Phrase(
        "Usage: {private:n} private and {public:n} public rows. The private rows decide the "
        "ranking.",
        private=private.gold.n,
        public=public.gold.n,
    )
    return replace(
        competition,
        parts=(
            replace(private, name=PRIVATE),
            _renamed(replace(public, name=PUBLIC), PUBLIC, "the public rows"),
        ),
        notes=(*competition.notes, note),
        split_by_usage=True,
    )


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
    for one, other in itertools.permutations(parts, 2):
        same_ids = one.gold.ids is not None and {*one.gold.ids} == {*(other.gold.ids or ())}
        longer = re.match(rf"{re.escape(one.name)}[\W_]", other.name, re.IGNORECASE)
        same = [*one.gold.columns.values()] == [*other.gold.columns.values()]
        if same_ids and (longer or (same and _COPY.search(other.name))):
            raise ReferenceDataError(
                f"ref: {one.gold.file} and {other.gold.file} hold the same ids, and every data "
                f"file in ref/ is read as the reference data of a task: remove {other.gold.file} "
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
    own = tuple(spec for spec in settings.metrics if task in (spec.task or tasks))
    if settings.metrics and not own:
        raise SettingsError(
            f"{settings.where('metrics')}: no metric is for the task {task!r}; name one, or remove "
            "its reference data"
        )
    elsewhere = {spec.name for spec in settings.metrics} - {spec.name for spec in own}
    rank_by = None if settings.rank_by in elsewhere else settings.rank_by
    return replace(settings, metrics=own, rank_by=rank_by)


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


#: The method that has ranks and ties only.
MEAN_RANK = "mean_rank"
#: Key of a formula in the setting ``overall``.
_OVERALL = "overall"


def overall_metrics(parts: Sequence[Part], settings: Settings) -> tuple[Metric, ...]:
    """Return the metrics over ``parts`` that are tasks; the first one ranks.

    The others are the formulas in the settings that name metrics of different tasks.

    Raises
    ------
    SettingsError
        A formula names what is no metric of one task, tasks cannot be combined as asked, or there
        is a margin for mean ranks.
    """
    formulas = _Formulas(parts, settings)
    metrics = {spec.name: formulas.resolve(spec) for spec in formulas.specs.values()}
    ranking = settings.rank_by if settings.overall is None else settings.overall
    if ranking in metrics:
        first = metrics.pop(str(ranking))
    elif settings.overall is not None and settings.overall not in OVERALL:
        spec = MetricSpec(_OVERALL, formula=settings.overall, where=settings.where(_OVERALL))
        first = formulas.resolve(spec)
    else:
        first = _combined(settings.overall or _default(parts), parts, settings)
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


def _default(parts: Sequence[Part]) -> str:
    """Return the method for tasks: their mean if they share one bounded metric, else mean ranks."""
    ranking = [part.metrics[0] for part in parts]
    shared = all(
        (metric.function, metric.params, metric.formula)
        == (ranking[0].function, ranking[0].params, None)
        for metric in ranking
    )
    bounded = all(math.isfinite(metric.high - metric.low) for metric in ranking)
    return "mean" if shared and bounded else MEAN_RANK


def _combined(method: str, parts: Sequence[Part], settings: Settings) -> Metric:
    """Return the metric that combines the ranking metrics of all tasks by a method."""
    ranking = tuple(part.metrics[0] for part in parts)
    higher = ranking[0].greater_is_better
    if method == "mean" and any(metric.greater_is_better != higher for metric in ranking):
        raise SettingsError(
            f"{settings.where(_OVERALL)}: the mean needs tasks of one direction, but only some of "
            f"{listed(metric.name for metric in ranking)} are better if they are higher; use "
            "'mean_standardized' or 'mean_rank'"
        )
    names = ", ".join(metric.name for metric in ranking)
    if method == "mean":
        ideals = [metric.ideal for metric in ranking if metric.ideal is not None]
        definition = Definition(
            method,
            gettext_noop("mean over tasks", context="metric"),
            "gold",
            higher,
            ideal=sum(ideals) / len(ideals) if len(ideals) == len(ranking) else None,
            low=sum(metric.low for metric in ranking) / len(ranking),
            high=sum(metric.high for metric in ranking) / len(ranking),
            ratio_scale=all(metric.ratio_scale for metric in ranking),
            evaluation="formula",
        )
        return definition.named(method, f"mean of {names}", components=ranking)
    if method == "mean_standardized":
        label = gettext_noop("standardized mean over tasks", context="metric")
        text = f"mean of the standardized {names}"
        definition = Definition(method, label, "gold", True, evaluation="formula")
        return definition.named(method, text, components=ranking)
    definition = Definition(
        method,
        gettext_noop("mean rank", context="metric"),
        "table",
        False,
        1.0,
        1.0,
        evaluation="formula",
    )
    return definition.named(method, f"mean of the ranks by {names}", components=ranking)


@dataclass(frozen=True, eq=False)
class _Formulas:
    """The formulas of the settings that no single task can evaluate."""

    parts: Sequence[Part]
    settings: Settings

    @property
    def specs(self) -> Mapping[str, MetricSpec]:
        """The formulas, by name."""
        own = {name for part in self.parts for name in self._short_names(part)}
        return {
            spec.name: spec
            for spec in self.settings.metrics
            if spec.formula is not None and spec.name not in own
        }

    @staticmethod
    def _short_names(part: Part) -> dict[str, Metric]:
        """Return the metrics of a task by the names that they have in the settings."""
        return dict(zip(part.names_in_settings, part.metrics, strict=True))

    def resolve(self, spec: MetricSpec) -> Metric:
        """Return the metric of a formula."""
        try:
            return self._resolve(spec, ())
        except SettingsError as error:
            raise SettingsError(f"{spec.where}: {error}") from error

    def _resolve(self, spec: MetricSpec, above: tuple[str, ...]) -> Metric:
        """Return the metric of a formula; ``above`` are the formulas around it."""
        named = formula.names(str(spec.formula), spec.name)
        return of_formula(
            spec, tuple(self._component(name, spec, (*above, spec.name)) for name in named)
        )

    def _component(self, name: str, spec: MetricSpec, above: tuple[str, ...]) -> Metric:
        if name in above:
            raise SettingsError(
                f"metric {name!r} is defined by itself: {' → '.join([*above, name])}; remove it "
                "from one of these formulas"
            )
        if name in self.specs:
            return self._resolve(self.specs[name], above)
        full = {metric.name: metric for part in self.parts for metric in part.metrics}
        if name in full:
            return full[name]
        meant = [metric for part in self.parts if (metric := self._short_names(part).get(name))]
        if len(meant) == 1:
            return meant[0]
        if meant:
            raise SettingsError(
                f"the formula of metric {spec.name!r} names {name!r}, a metric of several tasks; "
                f"say which: {listed(metric.name for metric in meant)}"
            )
        raise SettingsError(
            f"the formula of metric {spec.name!r} names {name!r}, which is not a metric of these "
            f"settings{nearest(name, full)}"
        )
