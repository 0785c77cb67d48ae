"""Whether the worst value is certain that a single submission gets in a task that it lacks.

A metric has one if it is bounded. A formula of bounded metrics may have a good value where they are
at their worst, such as the gap between two recalls that are both 0, or none. So it must be nowhere
worse than with the worst values of a task, whatever the submission scores elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..core.arrays import Floats
from ..core.errors import SettingsError
from ..data.competition import Competition
from ..metrics import Metric
from .bind import bind_parts
from .overall import of_formula, to_losses
from .scorer import ScoredMetric

#: Points between the bounds of a formula's metrics at which it is evaluated, always the same.
_POINTS = 4096
#: Losses that differ by less are equal but for rounding.
_ROUNDING = 1e-9


def check_worst(competition: Competition) -> None:
    """Raise SettingsError if a submission that lacks a task may gain by it; see `uncertain`."""
    for said in uncertain(competition):
        raise SettingsError(said)


def uncertain(competition: Competition) -> Iterator[str]:
    """Say which formulas have no certain worst value for a submission that lacks a task.

    Nothing is scored. Raises SettingsError if a metric is not bounded.
    """
    nothing = tuple(replace(part, entries=(None,)) for part in competition.parts)
    bound = bind_parts(Competition("single", nothing, focus=0, worst_if_missing=True))
    every = [*(metric for part in competition.parts for metric in part.metrics)]
    formulas = [metric for metric in (*every, *competition.overall) if metric.formula is not None]
    tasks = range(len(bound))
    anywhere = _drawn(bound, lacking=())
    without_task = [_drawn(bound, lacking=(task,)) for task in tasks if formulas]
    for metric in formulas:
        losses = _losses(metric, anywhere)
        lacking = np.array([_losses(metric, values) for values in without_task])
        of_nothing = _losses(metric, _drawn(bound, lacking=tasks))
        said = ""
        if np.isnan(lacking[:, np.isfinite(losses)]).any() or np.isnan(of_nothing).any():
            said = "has no value where a submission gets the worst value of a task's metrics"
        elif (lacking < losses - _ROUNDING * (1.0 + np.abs(losses))).any():
            said = "may be better with the worst value of a task's metrics than with other values"
        if said:
            yield (
                f"missing_task: {metric.name!r} ({metric.formula}) {said}; use 'drop', or a metric "
                "without a formula"
            )


def _drawn(
    bound: Sequence[Sequence[ScoredMetric]], lacking: Collection[int]
) -> Mapping[str, Floats]:
    """Return scores at points that are always the same: metric of a task → [`_POINTS`].

    The metrics of the tasks ``lacking`` are at their worst.
    """
    rng, drawn = np.random.default_rng(0), dict[str, Floats]()
    for task, items in enumerate(bound):
        own = {leaf.metric.name: leaf.metric for item in items for leaf in item.scorer.parts}
        values = {}
        for name, leaf in own.items():
            shares = np.clip(1.5 * rng.random(_POINTS) - 0.25, 0.0, 1.0)  # the ends are frequent
            values[name] = _between(leaf, shares * (task not in lacking))
        for metric in (item.metric for item in items):
            is_leaf = metric.formula is None
            drawn[metric.name] = values[metric.name] if is_leaf else of_formula(metric, values)
    return drawn


def _losses(metric: Metric, values: Mapping[str, Floats]) -> Floats:
    known = values.get(metric.name)
    return to_losses(metric, of_formula(metric, values) if known is None else known)


def _between(metric: Metric, shares: Floats) -> Floats:
    """Return the scores that are ``shares`` of the way from the worst value to the best one."""
    worst, best = metric.low, metric.high
    if not metric.greater_is_better:
        worst, best = best, worst
    if np.isfinite(best):
        return worst + shares * (best - worst)
    return worst + np.copysign(shares / (1.001 - shares), best)
