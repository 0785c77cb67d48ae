"""Scores by a metric over several tasks, from the scores of the metrics that it combines.

The same function serves the scores on the whole test sets and those on resamples.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..core.arrays import Bools, Floats, Ints, median
from ..core.rounding import counted_ahead, negligible, without_rounding
from ..data.competition import MEAN_RANK, Competition, Part
from ..metrics import Metric, formula
from .bind import bind_parts, without_worst_value
from .scorer import ScoredMetric

#: Methods that compare an entry with the others, and so say nothing of one alone.
RELATIVE = (MEAN_RANK, "mean_standardized")
#: The scale of standardized scores: their parts, scores over a spread that may be small, cancel.
_OVER_SPREAD = 1e5


@dataclass(frozen=True, eq=False)
class Component:
    """A task's metric as a part of a metric over tasks.

    ``columns`` [k] are the rows of the entries in the task's scorer, −1 for an entry that has no
    score there. It gets the ``worst`` value, which is infinite where a mean rank puts it behind all
    others because the metric has none.
    """

    part: int  # number of the task
    place: int  # of the metric among those of the task
    metric: Metric
    columns: Ints
    worst: float = np.nan

    def scores(self, observed: Floats) -> Floats:
        """Return the scores [k] of the entries from those in the task's scorer."""
        scores = np.where(self.columns < 0, self.worst, observed[self.columns])
        finite = np.isfinite(scores)  # an infinite score is level with no other number
        scores[finite] = without_rounding(scores[finite], self.metric.scale)
        return scores

    def of_entries(self, item: ScoredMetric) -> tuple[ScoredMetric, Ints]:
        """Return the task's metric with a row for every entry, and the rows [k] of the entries.

        It is the task's own where every entry has a score.
        """
        rows = self.columns.tolist()
        if min(rows, default=0) >= 0:
            return item, self.columns
        runs = item.runs
        drawn = item.drawn
        rows += [row for row, _, _ in item.rows_of_further_runs]
        names = [runs.names[row] if row >= 0 else "" for row in rows]
        from .combined import WorstScorer  # late: hardly anybody lacks a task

        scorer = WorstScorer(item.metric, runs.data, names, runs, rows, self.worst)
        if drawn is not None:
            lacks = np.array(rows) < 0
            values = np.where(lacks, self.worst, drawn.values[:, rows])
            drawn = replace(drawn, values=values, zero_divisions=None, lacking={})
        places = np.arange(self.columns.size)
        return replace(item, runs=scorer, entries=tuple(places.tolist()), drawn=drawn), places


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
        metric = self.metric
        components = self.components
        named = {item.metric.name: scores for item, scores in zip(components, drawn, strict=True)}
        if metric.function == "mean":
            return np.asarray(np.mean([named[item.name] for item in metric.components], axis=0))
        if metric.function == "mean_standardized":
            components_and_scores = zip(components, self.of_components, strict=True)
            fixed = {item.metric.name: scores for item, scores in components_and_scores}
            of_tasks = []
            for item in metric.components:
                losses_of_rivals = to_losses(item, fixed[item.name])
                of_rivals = of_teams(losses_of_rivals, self.competing, self.teams)
                of_tasks.append(standardized(to_losses(item, named[item.name]), of_rivals))
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
    def places_in_tasks(self) -> dict[str, Floats]:
        """The places [k] whose ranks a mean rank averages, by the name of the task's metric.

        Ties share the better place, as everywhere on a page.
        """
        places = {}
        for item, scores in zip(self.components, self.of_components, strict=True):
            losses = to_losses(item.metric, scores)
            places[item.metric.name] = better_ranks(losses, self.competing, self.teams)
        return places

    @property
    def leaders_by_better_ranks(self) -> tuple[int, ...]:
        """The rows of those who would lead by a mean rank if ties shared the better rank."""
        losses = np.mean([*self.places_in_tasks.values()], axis=0)
        return _first(without_rounding(losses, self.metric.scale), self.competing)

    @property
    def leaders(self) -> tuple[int, ...]:
        """The rows of the competing entries with the best score."""
        return _first(to_losses(self.metric, self.observed), self.competing)

    def leaders_without(self, teams: Sequence[str]) -> dict[str, tuple[int, ...]]:
        """Return who would lead without a team, for the teams whose leaving changes that.

        ``teams`` [k] are those of the entries; the leaders' own are not asked. Only a method that
        compares an entry with the others can have such teams.
        """
        if self.metric.function not in RELATIVE:
            return {}
        teams_of_leaders = {teams[row] for row in self.leaders}
        leaders_without: dict[str, tuple[int, ...]] = {}
        for team in dict.fromkeys(teams):
            rows = [row for row, team_of_row in enumerate(teams) if team_of_row != team]
            if team in teams_of_leaders or len(rows) < 2:
                continue
            without_team = self.keep(rows).observing()
            leaders = tuple(rows[row] for row in without_team.leaders)
            if leaders != self.leaders:
                leaders_without[team] = leaders
        return leaders_without

    def keep(self, rows: Sequence[int]) -> OverallScores:
        """Return the scores of some of the entries."""
        chosen = list(rows)
        return replace(
            self,
            entries=tuple(self.entries[row] for row in chosen),
            components=tuple(
                replace(item, columns=item.columns[chosen]) for item in self.components
            ),
            competing=self.competing[chosen],
            observed=self.observed[chosen],
            of_components=tuple(scores[chosen] for scores in self.of_components),
            teams=None if self.teams is None else self.teams[chosen],
        )


def _first(losses: Floats, competing: Bools) -> tuple[int, ...]:
    """Return the rows of the competing entries with the smallest loss."""
    among = np.where(competing, losses, np.inf)
    return tuple(np.flatnonzero(among == among.min()).tolist())


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
    lacks has no score or, with ``worst_if_missing``, the worst value of the metric there; where it
    has none, a mean rank puts the entry behind all others. In ranks, medians and MADs, each of the
    ``teams`` [m] has one vote: its best run in the task. Raises SettingsError if a formula has no
    value for an entry, or if an entry needs a worst value that a metric does not have.
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
    by_ranks = metric.function == MEAN_RANK
    components = []
    scores = []
    for part, place, item in needed:
        columns, worst = _columns(item, entries, by_ranks=by_ranks)
        component = Component(part, place, item.metric, columns, worst)
        components.append(component)
        scores.append(component.scores(item.observed))
    numbers = _numbers([teams[entry] for entry in entries]) if teams else None
    if by_ranks:
        metric = bounded(metric, can_win, numbers)
    unknown = np.full(len(entries), np.nan)
    bound = OverallScores(
        metric, entries, tuple(components), can_win, unknown, tuple(scores), numbers
    ).observing()
    for row in np.flatnonzero(~np.isfinite(bound.observed)).tolist():
        entry = next(
            item.scorer.names[item.entries.index(entries[row])]
            for _, _, item in needed
            if entries[row] in item.entries
        )
        raise formula.without_value(str(metric.formula), metric.name, entry)
    return bound


def _numbers(teams: Sequence[str]) -> Ints | None:
    """Return the numbers of the entries' teams; None if no team has several entries."""
    distinct, numbers = np.unique(np.array(teams), return_inverse=True)
    return None if distinct.size == len(teams) else np.asarray(numbers, np.intp)


def _leaves(metric: Metric, tasks: Sequence[Sequence[ScoredMetric]]) -> list[Metric]:
    """Return the metrics of tasks that a metric over tasks combines, through formulas too."""
    of_tasks = {item.metric.name for scored in tasks for item in scored}
    leaves: list[Metric] = []
    for component in metric.components:
        leaves.extend([component] if component.name in of_tasks else _leaves(component, tasks))
    return leaves


def _columns(item: ScoredMetric, entries: Sequence[int], *, by_ranks: bool) -> tuple[Ints, float]:
    """Return each entry's row in the scorer, −1 if it has none, and the score that it then has."""
    row_of = {entry: row for row, entry in enumerate(item.entries)}
    columns = np.array([row_of.get(entry, -1) for entry in entries], np.intp)
    if (columns >= 0).all():
        return columns, np.nan
    worst = certain_worst_value(item)
    if np.isfinite(worst):
        return columns, worst
    if not by_ranks:
        raise without_worst_value(item.metric)
    return columns, -np.inf if item.metric.greater_is_better else np.inf


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
    MAD is 0, but for rounding, the standard deviation (ddof 1) takes its place; where this is 0
    too, all are equal.
    """
    center = float(median(of_rivals))
    largest = np.abs(of_rivals).max(initial=0.0)
    noise = float(negligible(largest, largest))
    spread = float(median(np.abs(of_rivals - center)))
    if spread <= noise and of_rivals.size > 1:
        spread = float(of_rivals.std(ddof=1))
    return (center - losses) / (spread if spread > noise else 1.0)


# Mean rank ----------------------------------------------------------------------------------------

# A mean rank averages an entry's ranks over the tasks. A rank counts the teams of ``competing``
# entries [m] that are ahead, and half of those that are level: each once, by its best run, and not
# the entry's own. Baselines have ranks, but do not count. ``teams`` [m] are the numbers of the
# entries' teams; None if every entry is a team of its own.


def bounded(metric: Metric, competing: Bools, teams: Ints | None = None) -> Metric:
    """Return the mean rank as a metric with the bounds that the number of rivals gives it."""
    teams = np.arange(competing.size) if teams is None else teams
    low = 1.0
    high = float(np.unique(teams[competing]).size)
    if not competing.all():
        low = 0.5
        high = high + 0.5
    return replace(metric, low=low, high=high)


def to_losses(metric: Metric, scores: Floats) -> Floats:
    """Return scores [..., m] with the sign that makes less better."""
    return -scores if metric.greater_is_better else scores


def of_teams(losses: Floats, competing: Bools, teams: Ints | None) -> Floats:
    """Return the losses [..., T] of each competing team's best run."""
    if teams is None:
        return losses[..., competing]
    members = (competing & (teams == team) for team in np.unique(teams[competing]))
    return np.stack([losses[..., of_team].min(axis=-1) for of_team in members], axis=-1)


def mean_ranks(tasks: Sequence[Floats], competing: Bools, teams: Ints | None = None) -> Floats:
    """Return the mean over tasks of the `ranks`, [..., m], from each task's losses, [..., m]."""
    return np.asarray(np.mean([ranks(task, competing, teams) for task in tasks], axis=0))


def ranks(losses: Floats, competing: Bools, teams: Ints | None = None) -> Floats:
    """Return the ranks [..., m] along the last axis of losses [..., m]: the smaller, the better.

    Exact ties share the average rank (Demšar 2006, "Statistical comparisons of classifiers over
    multiple data sets"): 1 + the number of rivals that are ahead + half of those that are level. A
    baseline has half a rank less, and so lies between two rivals.
    """
    ahead, level = _rivals(losses, competing, teams)
    first = np.where(competing, 1.0, 0.5)
    return np.asarray(first + ahead + 0.5 * level, np.float64)


def better_ranks(losses: Floats, competing: Bools, teams: Ints | None = None) -> Floats:
    """Return the same ranks of competing entries where exact ties share the better one."""
    return np.asarray(1.0 + _rivals(losses, competing, teams)[0], np.float64)


def _rivals(losses: Floats, competing: Bools, teams: Ints | None) -> tuple[Ints, Ints]:
    """Return how many rivals have smaller losses than each entry, and how many the same.

    Both are [..., m]. An entry's own team is no rival.
    """
    if teams is None:
        ahead, upto = counted_ahead(losses, competing)
        return ahead, upto - ahead - competing
    best = of_teams(losses, competing, teams)
    every = np.concatenate([best, losses], axis=-1)
    size = best.shape[-1]
    ahead, upto = counted_ahead(every, np.arange(every.shape[-1]) < size)
    level = (upto - ahead)[..., size:]
    ahead = ahead[..., size:]
    runs = np.flatnonzero(competing)
    best_of_team = best[..., np.searchsorted(np.unique(teams[runs]), teams[runs])]
    behind = losses[..., runs] - best_of_team > negligible(losses[..., runs], best_of_team)
    ahead[..., runs] -= behind
    level[..., runs] -= ~behind
    return ahead, level


# Worst values -------------------------------------------------------------------------------------

# A submission may get the worst value in a task that it lacks. A metric has one if it is bounded. A
# formula of bounded metrics may have a good value where they are at their worst, such
# as the gap between two recalls that are both 0, or none. So it must be nowhere worse than with
# the worst values of a task, whatever the submission scores elsewhere (`uncertain_worst_values`).

#: Points between the bounds of a formula's metrics at which it is evaluated, always the same.
_POINTS = 4096
#: Losses that differ by less are equal but for rounding.
_ROUNDING = 1e-9


def uncertain_worst_values(competition: Competition) -> Iterator[str]:
    """Say which formulas have no certain worst value for a submission that lacks a task.

    They are those that score a submission alone; in a report of all teams, those that combine the
    tasks. There a mean rank needs no worst value. Nothing is scored. Raises SettingsError if a
    metric is not bounded.
    """
    parts = competition.parts
    overall = competition.overall
    if competition.form == "teams":
        overall = tuple(metric for metric in overall if metric.function != MEAN_RANK)
        needed = {name for metric in overall for name in _combined_names(metric)}
        parts = tuple(_part_with(part, needed) for part in parts)
    nothing = tuple(replace(part, entries=(None,)) for part in parts)
    bound = bind_parts(Competition("single", nothing, focus=0, worst_if_missing=True))
    every = [metric for part in parts for metric in part.metrics]
    formulas = [metric for metric in (*every, *overall) if metric.formula is not None]
    tasks = range(len(bound))
    cases = ((), tasks, *((task,) for task in tasks)) if formulas else ()
    drawn = [_drawn(bound, lacking) for lacking in cases]
    for metric in formulas:
        values, of_nothing, *without_task = (
            scores[metric.name] if metric.name in scores else of_formula(metric, scores)
            for scores in drawn
        )
        if why := _uncertain(metric, values, of_nothing, without_task):
            yield (
                f"missing_task: {metric.name!r} ({metric.formula}) {why}; use 'drop', or a metric "
                "without a formula"
            )


def _part_with(part: Part, names: Collection[str]) -> Part:
    """Return a part with those of its metrics that have one of the ``names``."""
    metrics = tuple(metric for metric in part.metrics if metric.name in names)
    return replace(part, metrics=metrics)


def _combined_names(metric: Metric) -> Iterator[str]:
    """Yield the names of the metrics that a metric combines, through formulas too."""
    for component in metric.components:
        yield component.name
        yield from _combined_names(component)


def certain_worst_value(item: ScoredMetric) -> float:
    """Return the worst value of a task's metric; nan if it has none, or no certain one."""
    metric = item.metric
    leaves = [leaf.metric for leaf in item.scorer.parts]
    if not np.isfinite([leaf.worst for leaf in leaves]).all():
        return np.nan
    if metric.formula is None:
        return metric.worst
    values = _drawn([[item]], ())[metric.name]
    of_nothing = _drawn([[item]], (0,))[metric.name]
    uncertain = _uncertain(metric, values, of_nothing, [of_nothing])
    return np.nan if uncertain else float(of_nothing[0])


def _uncertain(
    metric: Metric, values: Floats, of_nothing: Floats, without_task: Sequence[Floats]
) -> str:
    """Say why a formula has no certain worst value; "" if it has one.

    ``values`` [_POINTS] are its scores at some points; the others are the same with the worst
    values of all tasks, and of each.
    """
    losses = to_losses(metric, values)
    lacking = to_losses(metric, np.array(without_task))
    if np.isnan(lacking[:, np.isfinite(losses)]).any() or np.isnan(of_nothing).any():
        return "has no value where a submission gets the worst value of a task's metrics"
    # Scores that differ by rounding alone are no better.
    if (lacking < losses - _ROUNDING * (1.0 + np.abs(losses))).any():
        return "may be better with the worst value of a task's metrics than with other values"
    return ""


def _drawn(
    bound: Sequence[Sequence[ScoredMetric]], lacking: Collection[int]
) -> Mapping[str, Floats]:
    """Return scores at points that are always the same: metric of a task → [`_POINTS`].

    The metrics of the tasks ``lacking`` are at their worst.
    """
    rng = np.random.default_rng(0)
    drawn = dict[str, Floats]()
    for task, items in enumerate(bound):
        leaves = {leaf.metric.name: leaf.metric for item in items for leaf in item.scorer.parts}
        values = {}
        for name, leaf in leaves.items():
            shares = np.clip(1.5 * rng.random(_POINTS) - 0.25, 0.0, 1.0)  # the ends are frequent
            values[name] = _between(leaf, shares * (task not in lacking))
        for metric in (item.metric for item in items):
            is_leaf = metric.formula is None
            drawn[metric.name] = values[metric.name] if is_leaf else of_formula(metric, values)
    return drawn


def _between(metric: Metric, shares: Floats) -> Floats:
    """Return the scores that are ``shares`` of the way from the worst value to the best one."""
    worst = metric.low if metric.greater_is_better else metric.high
    best = metric.high if metric.greater_is_better else metric.low
    if np.isfinite(best):
        return worst + shares * (best - worst)
    return worst + np.copysign(shares / (1.001 - shares), best)
