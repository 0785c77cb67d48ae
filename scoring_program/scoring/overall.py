"""Scores by a metric over several tasks, from the scores of the metrics that it combines.

The same function serves the scores on the whole test sets and those on resamples.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..core.arrays import Bools, Floats, Ints, median
from ..core.rounding import negligible, repeats, without_rounding
from ..data.competition import MEAN_RANK, Competition
from ..metrics import Metric, formula
from .bind import bind_parts
from .scorer import ScoredMetric

#: Methods that compare an entry with the others, and so say nothing of one alone.
RELATIVE = (MEAN_RANK, "mean_standardized")
#: The scale of standardized scores: their parts, scores over a spread that may be small, cancel.
_OVER_SPREAD = 1e5


@dataclass(frozen=True, eq=False)
class Component:
    """A task's metric as a part of a metric over tasks.

    ``columns`` [k] are the rows of the entries in the task's scorer. An entry that the task lacks
    may have those of the worst entry.
    """

    part: int  # number of the task
    place: int  # of the metric among those of the task
    metric: Metric
    columns: Ints


@dataclass(frozen=True, eq=False)
class OverallScores:
    """A metric over tasks, and the k entries that have a score by it."""

    metric: Metric
    entries: tuple[int, ...]  # their numbers in the competition, [k]
    components: tuple[Component, ...]
    competing: Bools  # [k]
    observed: Floats  # [k]
    of_components: tuple[Floats, ...]  # what the entries score by each component, [k]
    teams: Ints | None = None  # [k] numbers of the teams; None if every entry is one of its own

    def evaluate(self, drawn: Sequence[Floats]) -> Floats:
        """Return the scores [..., k] from those by each of the components [..., k]."""
        metric, components = self.metric, self.components
        named = {item.metric.name: scores for item, scores in zip(components, drawn, strict=True)}
        if metric.function == "mean":
            return np.asarray(np.mean([named[item.name] for item in metric.components], axis=0))
        if metric.function == "mean_standardized":
            own = zip(components, self.of_components, strict=True)
            fixed = {item.metric.name: scores for item, scores in own}
            of_tasks = [
                standardized(
                    to_losses(item, named[item.name]),
                    of_teams(to_losses(item, fixed[item.name]), self.competing, self.teams),
                )
                for item in metric.components
            ]
            return np.asarray(np.mean(of_tasks, axis=0))
        if metric.function == MEAN_RANK:
            losses = [to_losses(item, named[item.name]) for item in metric.components]
            return mean_ranks(losses, self.competing, self.teams)
        return of_formula(metric, named)

    def observing(self) -> OverallScores:
        """Return the same with the scores on the whole test set."""
        observed = self.evaluate(self.of_components)
        relative = self.metric.function == "mean_standardized"
        scale = _OVER_SPREAD if relative else self.metric.scale
        return replace(self, observed=without_rounding(observed, scale))

    @property
    def ranks_in_tasks(self) -> dict[str, Floats]:
        """The ranks [k] that a mean rank averages, by the name of the task's metric."""
        return {
            item.metric.name: ranks(to_losses(item.metric, own), self.competing, self.teams)
            for item, own in zip(self.components, self.of_components, strict=True)
        }

    @property
    def leaders(self) -> tuple[int, ...]:
        """The rows of the competing entries with the best score."""
        losses = np.where(self.competing, to_losses(self.metric, self.observed), np.inf)
        return tuple(np.flatnonzero(losses == losses.min()).tolist())

    def leaders_without(self, teams: Sequence[str]) -> dict[str, tuple[int, ...]]:
        """Return who would lead without a team, for the teams whose leaving changes that.

        ``teams`` [k] are those of the entries; the leaders' own are not asked. Only a method that
        compares an entry with the others can have such teams.
        """
        if self.metric.function not in RELATIVE:
            return {}
        own = {teams[row] for row in self.leaders}
        found = {}
        for team in dict.fromkeys(teams):
            rows = [row for row, of in enumerate(teams) if of != team]
            if team in own or len(rows) < 2:
                continue
            others = self.keep(rows).observing()
            leaders = tuple(rows[row] for row in others.leaders)
            if leaders != self.leaders:
                found[team] = leaders
        return found

    def keep(self, rows: Sequence[int]) -> OverallScores:
        """Return the scores of some of the entries."""
        kept = list(rows)
        return replace(
            self,
            entries=tuple(self.entries[row] for row in kept),
            components=tuple(replace(item, columns=item.columns[kept]) for item in self.components),
            competing=self.competing[kept],
            observed=self.observed[kept],
            of_components=tuple(scores[kept] for scores in self.of_components),
            teams=None if self.teams is None else self.teams[kept],
        )


def overall_scores(
    metric: Metric,
    tasks: Sequence[Sequence[ScoredMetric]],
    competing: Sequence[bool],
    *,
    worst_if_missing: bool,
    teams: Sequence[str] = (),
) -> OverallScores | None:
    """Bind a metric over tasks to the scores of every task; None if no competing entry has one.

    ``competing`` [m] marks the entries of the competition that can win. An entry that some task
    lacks has no score or, with ``worst_if_missing``, counts there as a copy of the worst entry.
    In ranks, medians and MADs, each of the ``teams`` [m] has one vote: its best run in the task.
    Raises SettingsError if a formula has no value for an entry.
    """
    names = {leaf.name for leaf in _leaves(metric, tasks)}
    needed = [
        (part, place, item)
        for part, scored in enumerate(tasks)
        for place, item in enumerate(scored)
        if item.metric.name in names
    ]
    present = [set(item.entries) for _, _, item in needed]
    common = set.union(*present) if worst_if_missing else set.intersection(*present)
    entries = tuple(sorted(common))
    can_win = np.array([competing[entry] for entry in entries], np.bool_)
    if not can_win.any() or not all(present):
        return None
    components = tuple(
        Component(part, place, item.metric, _columns(item, entries)) for part, place, item in needed
    )
    scores = tuple(
        without_rounding(item.observed[component.columns], item.metric.scale)
        for component, (_, _, item) in zip(components, needed, strict=True)
    )
    numbers = _numbers([teams[entry] for entry in entries]) if teams else None
    if metric.function == MEAN_RANK:
        metric = bounded(metric, can_win, numbers)
    unknown = np.full(len(entries), np.nan)
    bound = OverallScores(metric, entries, components, can_win, unknown, scores, numbers)
    bound = bound.observing()
    for row in np.flatnonzero(~np.isfinite(bound.observed)).tolist():
        entry = needed[0][2].scorer.names[bound.components[0].columns[row]]
        raise formula.without_value(str(metric.formula), metric.name, entry)
    return bound


def _numbers(teams: Sequence[str]) -> Ints | None:
    """Return the numbers of the entries' teams; None if no team has several entries."""
    distinct, numbers = np.unique(np.array(teams), return_inverse=True)
    return None if distinct.size == len(teams) else np.asarray(numbers, np.intp)


def _leaves(metric: Metric, tasks: Sequence[Sequence[ScoredMetric]]) -> list[Metric]:
    """Return the metrics of tasks that a metric over tasks combines, through formulas too."""
    known = {item.metric.name for scored in tasks for item in scored}
    leaves: list[Metric] = []
    for component in metric.components:
        leaves.extend([component] if component.name in known else _leaves(component, tasks))
    return leaves


def _columns(item: ScoredMetric, entries: Sequence[int]) -> Ints:
    """Return each entry's row in the scorer, or the worst entry's if it has none.

    Hidden runs are no entries: a reader could not find the score that such a copy has.
    """
    row_of = {entry: row for row, entry in enumerate(item.entries)}
    worst = int(np.argmax(to_losses(item.metric, item.observed)))
    return np.array([row_of.get(entry, worst) for entry in entries], np.intp)


def of_formula(metric: Metric, named: Mapping[str, Floats]) -> Floats:
    """Evaluate a formula, and those that it names, on the scores of the other metrics by name."""
    text = str(metric.formula)
    values = {
        name: named[item.name] if item.name in named else of_formula(item, named)
        for name, item in zip(formula.names(text, metric.name), metric.components, strict=True)
    }
    return formula.evaluate(text, values)


def standardized(losses: Floats, of_rivals: Floats) -> Floats:
    """Return (score − median) / MAD, with the sign that makes more better.

    Median and MAD are those of the competing teams, ``of_rivals`` [T], on the whole test set,
    fixed: a spread that varied with the resample would let one absurd entry erase a task. Where the
    MAD is 0, but for rounding, the standard deviation takes its place; where this is 0 too, all
    are equal.
    """
    center = float(median(of_rivals))
    largest = np.abs(of_rivals).max(initial=0.0)
    noise = float(negligible(largest, largest))
    spreads = float(median(np.abs(of_rivals - center))), float(of_rivals.std())
    return (center - losses) / next((spread for spread in spreads if spread > noise), 1.0)


# Mean rank ----------------------------------------------------------------------------------------

# A mean rank averages an entry's ranks over the tasks. A rank counts the teams of ``competing``
# entries [m] that are ahead: each once, by its best run, and not the entry's own. Baselines have
# ranks, but do not count. ``teams`` [m] are the numbers of the entries' teams; None if every
# entry is a team of its own.


def bounded(metric: Metric, competing: Bools, teams: Ints | None = None) -> Metric:
    """Return the mean rank as a metric with the bounds that the number of rivals gives it."""
    teams = np.arange(competing.size) if teams is None else teams
    low, high = 1.0, float(np.unique(teams[competing]).size)
    if not competing.all():
        low, high = 0.5, high + 0.5
    return replace(metric, low=low, high=high)


def to_losses(metric: Metric, scores: Floats) -> Floats:
    """Return scores [..., m] with the sign that makes less better."""
    return -scores if metric.greater_is_better else scores


def of_teams(losses: Floats, competing: Bools, teams: Ints | None) -> Floats:
    """Return the losses [..., T] of each competing team's best run."""
    if teams is None:
        return losses[..., competing]
    members = (competing & (teams == team) for team in np.unique(teams[competing]))
    return np.stack([losses[..., own].min(axis=-1) for own in members], axis=-1)


def mean_ranks(tasks: Sequence[Floats], competing: Bools, teams: Ints | None = None) -> Floats:
    """Return the mean over tasks of the ranks, [..., m], from each task's losses, [..., m].

    The smaller a loss, the better. Exact ties share the better rank.
    """
    return np.asarray(np.mean([ranks(task, competing, teams) for task in tasks], axis=0))


def ranks(losses: Floats, competing: Bools, teams: Ints | None = None) -> Floats:
    """Return 1 + the number of rivals with smaller losses, along the last axis; [..., m].

    A baseline is half a rank before the next rival, unless a rival has the same loss.
    """
    if teams is None:
        return _ranks(losses, competing)
    best = of_teams(losses, competing, teams)
    ranking = _ranks(
        np.concatenate([best, losses], axis=-1),
        np.arange(best.shape[-1] + competing.size) < best.shape[-1],
    )[..., best.shape[-1] :]
    runs = np.flatnonzero(competing)
    of_run = np.searchsorted(np.unique(teams[runs]), teams[runs])
    behind = losses[..., runs] - best[..., of_run]
    behind = behind > negligible(losses[..., runs], best[..., of_run])
    ranking[..., runs] = np.ceil(ranking[..., runs]) - behind
    return ranking


def _ranks(losses: Floats, competing: Bools) -> Floats:
    """Return the ranks where every competing entry is a team of its own."""
    order = np.argsort(losses, axis=-1, kind="stable")
    ascending = np.take_along_axis(losses, order, axis=-1)
    same = repeats(ascending)
    rivals = competing[order]
    upto = np.cumsum(rivals, axis=-1, dtype=np.intp)
    ahead: Ints = upto - rivals
    # Entries with equal losses share the rivals ahead of the first one, and the last one's upto.
    ahead[..., 1:][same] = 0
    ahead = np.maximum.accumulate(ahead, axis=-1)
    in_order = ahead + 1.0
    if not competing.all():
        upto[..., :-1][same] = len(competing)
        upto = np.minimum.accumulate(upto[..., ::-1], axis=-1)[..., ::-1]
        in_order -= 0.5 * (~rivals & (upto == ahead))
    placed: Floats = np.empty(losses.shape)
    np.put_along_axis(placed, order, in_order, axis=-1)
    return placed


# Worst values -------------------------------------------------------------------------------------

# A single submission may get the worst value in a task that it lacks. A metric has one if it is
# bounded. A formula of bounded metrics may have a good value where they are at their worst, such
# as the gap between two recalls that are both 0, or none. So it must be nowhere worse than with
# the worst values of a task, whatever the submission scores elsewhere (`uncertain_worst_values`).

#: Points between the bounds of a formula's metrics at which it is evaluated, always the same.
_POINTS = 4096
#: Losses that differ by less are equal but for rounding.
_ROUNDING = 1e-9


def uncertain_worst_values(competition: Competition) -> Iterator[str]:
    """Say which formulas have no certain worst value for a submission that lacks a task.

    Nothing is scored. Raises SettingsError if a metric is not bounded.
    """
    nothing = tuple(replace(part, entries=(None,)) for part in competition.parts)
    bound = bind_parts(Competition("single", nothing, focus=0, worst_if_missing=True))
    every = [*(metric for part in competition.parts for metric in part.metrics)]
    formulas = [metric for metric in (*every, *competition.overall) if metric.formula is not None]
    tasks = range(len(bound))
    cases = ((), tasks, *((task,) for task in tasks)) if formulas else ()
    drawn = [_drawn(bound, lacking) for lacking in cases]
    for metric in formulas:
        losses, of_nothing, *without_task = (
            to_losses(metric, own[metric.name] if metric.name in own else of_formula(metric, own))
            for own in drawn
        )
        lacking, said = np.array(without_task), ""
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


def _between(metric: Metric, shares: Floats) -> Floats:
    """Return the scores that are ``shares`` of the way from the worst value to the best one."""
    worst, best = metric.low, metric.high
    if not metric.greater_is_better:
        worst, best = best, worst
    if np.isfinite(best):
        return worst + shares * (best - worst)
    return worst + np.copysign(shares / (1.001 - shares), best)
