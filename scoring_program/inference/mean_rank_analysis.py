"""The analysis of a mean rank over tasks: ranks and ties, by projection, and nothing else.

A mean rank is not smooth. Percentile intervals of it cover .12 and .01 instead of .95, some pair of
equal entries has a one-sided p below .05 in .98 of competitions, and max-T keeps a best team in .78
(simulated). So it has no interval, no p-value and no plan.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..bootstrap.design import Design
from ..bootstrap.overall_replicates import ResampledOverall
from ..core.arrays import Bools, Floats, Ints
from ..metrics import Metric
from ..settings.model import Settings
from . import ranks
from .analysis import (
    PROJECTION,
    Caution,
    Competitiveness,
    Differences,
    MetricAnalysis,
    Pairs,
    Planning,
    ReferenceTest,
)
from .comparisons import error_matrix, moments
from .competitiveness import winner_minus_median
from .draws import Draws
from .field import Field, number
from .inputs import Bootstrap
from .planning import POWER
from .projection import shown_better
from .runs_of_teams import of_least_beaten, of_most_beating, runs_of


@dataclass(frozen=True, eq=False)
class TaskScores:
    """What k runs score in one task: ``observed`` [k], ``drawn`` [B, k] on the resamples.

    The first m are those of the entries, the others hidden runs.
    """

    metric: Metric
    design: Design
    observed: Floats
    drawn: Floats


def analyze_mean_rank(  # Long because it says for every field what a mean rank has.
    names: Sequence[str],
    teams: Sequence[str],
    resampled: ResampledOverall,
    tasks: Sequence[TaskScores],
    hidden_of: Ints,
    settings: Settings,
) -> MetricAnalysis:
    """Analyze a mean rank; ``settings`` as in `analyze`. Ties and rank ranges are projections.

    ``hidden_of`` are the entries that stand for the teams of the hidden runs.
    """
    scores, replicates = resampled.scores, resampled.replicates
    m, alpha = len(names), round(1 - settings.confidence, 12)
    bootstrap = Bootstrap.oriented(
        scores.observed, np.ascontiguousarray(replicates.values.T), greater_is_better=False
    )
    field = Field.of(bootstrap.theta, names, settings.baselines, teams)
    entry_of = np.concatenate([np.arange(m), hidden_of])
    draws = [_draws(task, field.rivals[np.ix_(entry_of, entry_of)]) for task in tasks]
    of_runs = shown_better(draws, field.competing, alpha, settings.workers, entry_of)
    teams_runs = runs_of(entry_of, m)
    shown = of_least_beaten(of_runs, teams_runs, field.competing)
    below = of_most_beating(of_runs, teams_runs, field.competing)
    # What one test shows about all entries holds for each of them.
    rank_low, rank_high = ranks.rank_bounds(shown, below, field.competing)
    fixed = settings.reference_entry
    reference = field.leader if fixed is None else number(fixed, names, "reference_entry")
    tied, could_be_best = _tied(shown, field, None if fixed is None else reference)
    nothing = np.full(m, np.nan)
    none = Differences(nothing, nothing, nothing, nothing, nothing, nothing, nothing, {})
    return MetricAnalysis(
        metric=scores.metric,
        names=tuple(names),
        n=min(task.design.n for task in tasks),
        resamples=bootstrap.resamples,
        undefined=replicates.undefined,
        confidence=settings.confidence,
        interval=settings.interval,
        tie_rule=PROJECTION,
        leader=field.leader,
        leaders=field.leaders,
        reference=reference,
        baselines=field.baselines,
        order=field.order,
        score=scores.observed,
        mean=nothing,
        standard_error=nothing,
        low=nothing,
        high=nothing,
        interval_used=(PROJECTION,) * m,
        rank=ranks.ranks(bootstrap.theta, field.competing),
        differences=none,
        from_leader=none,
        tied={PROJECTION: tied},
        tied_with_reference=tied,
        tied_with_leader=could_be_best,
        pairs=_no_pairs(),
        above=shown,
        below=below,
        rank_low=rank_low,
        rank_high=rank_high,
        distance=nothing,
        practically_best=None,
        separated_from=_separated_from(shown, could_be_best, field),
        joint_low=rank_low,
        joint_high=rank_high,
        tier=ranks.tiers(field.order, shown, field.competing),
        rank_frequency=ranks.rank_frequencies(bootstrap.replicates, field.competing),
        reference_tests=() if fixed is None else (ReferenceTest(reference, nothing, nothing),),
        competitiveness=_competitiveness(bootstrap.theta[field.competing], tasks),
        planning=Planning(POWER, (), None),
        histograms={},
        cautions=(_caution(settings.confidence),),
    )


def _tied(shown: Bools, field: Field, fixed: int | None) -> tuple[Bools, Bools]:
    """Return who is tied with the entry ``fixed`` in advance, or else the leader; and the latter.

    A baseline that is shown to be better than the leader is ahead of it, not tied.
    """
    could_be_best = np.logical_not(shown[field.competing].any(axis=0))
    could_be_best &= field.competing | ~shown[:, field.leader]
    if fixed is None:
        return could_be_best, could_be_best
    return np.logical_not(shown[fixed] | shown[:, fixed]), could_be_best


def _separated_from(shown: Bools, could_be_best: Bools, field: Field) -> Ints:
    """Return by whom each entry [m] is excluded: the leader, else the best; −1 if it is not."""
    by_rank = [field.leader, *(entry for entry in field.order if field.competing[entry])]
    first = np.argmax(shown[by_rank], axis=0)
    excluded = shown[by_rank].any(axis=0) & ~could_be_best
    return np.where(excluded, np.array(by_rank)[first], -1)


def _draws(task: TaskScores, rivals: Bools) -> Draws:
    """Return the standardized draws of one task."""
    bootstrap = Bootstrap.oriented(
        task.observed,
        np.ascontiguousarray(task.drawn.T),
        greater_is_better=task.metric.greater_is_better,
        examples=task.design.n,
    )
    pairs = moments(bootstrap, *np.triu_indices(bootstrap.entries, 1))
    errors = error_matrix(bootstrap.entries, pairs)
    statistics = ranks.studentize(bootstrap.theta, errors, task.design.size)
    deviations, unit = bootstrap.deviations
    return Draws(statistics, deviations, errors, rivals, unit=unit)


def _no_pairs() -> Pairs:
    who, values = np.empty(0, np.intp), np.empty(0)
    return Pairs(who, who, values, values, values, values, values, values, {}, values)


def _competitiveness(theta: Floats, tasks: Sequence[TaskScores]) -> Competitiveness:
    """Return the measures that need no p-value; ``theta`` are the competing entries' scores."""
    m = theta.size
    return Competitiveness(
        n=min(task.design.n for task in tasks),
        m=m,
        ties_with_winner={},
        possible_comparisons=m * (m - 1) // 2,
        ties_between_competitors={},
        winner_minus_median=winner_minus_median(theta, greater_is_better=True),
        cv_percent=None,
        ppi_percent=None,
    )


def _caution(confidence: float) -> Caution:
    return Caution("amber", "mean_rank", confidence, {"confidence": f"{100 * confidence:g}"})
