"""Metrics over several tasks: what ranks a competition of tasks, and formulas over their metrics.

The setting ``overall`` says how the tasks' ranking metrics are combined. The method is the function
of the metric: ``mean``, ``mean_standardized`` or ``mean_rank``. Any other text is a formula.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..core.errors import SettingsError, listed, nearest
from ..metrics import Definition, Metric, formula
from ..metrics.resolve import of_formula
from ..settings.metric_spec import MetricSpec
from ..settings.model import Settings
from ..settings.values import OVERALL
from .competition import Part

#: The method that has ranks and ties only.
_MEAN_RANK = "mean_rank"
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
    found = _Formulas(parts, settings)
    metrics = {spec.name: found.resolve(spec) for spec in found.specs.values()}
    ranking = settings.rank_by if settings.overall is None else settings.overall
    if ranking in metrics:
        first = metrics.pop(str(ranking))
    elif settings.overall is not None and settings.overall not in OVERALL:
        spec = MetricSpec(_OVERALL, formula=settings.overall, where=settings.where(_OVERALL))
        first = found.resolve(spec)
    else:
        first = _combined(settings.overall or _default(parts), parts, settings)
    if first.function == _MEAN_RANK and settings.margin is not None:
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
    return "mean" if shared and bounded else _MEAN_RANK


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
            "mean over tasks",
            "gold",
            higher,
            ideal=sum(ideals) / len(ideals) if len(ideals) == len(ranking) else None,
            low=sum(metric.low for metric in ranking) / len(ranking),
            high=sum(metric.high for metric in ranking) / len(ranking),
            ratio_scale=all(metric.ratio_scale for metric in ranking),
            evaluation="formula",
        )
        return Metric(method, definition, f"mean of {names}", components=ranking)
    if method == "mean_standardized":
        label, text = "standardized mean over tasks", f"mean of the standardized {names}"
        definition = Definition(method, label, "gold", True, evaluation="formula")
        return Metric(method, definition, text, components=ranking)
    definition = Definition(method, "mean rank", "table", False, 1.0, 1.0, evaluation="formula")
    return Metric(method, definition, f"mean of the ranks by {names}", components=ranking)


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
