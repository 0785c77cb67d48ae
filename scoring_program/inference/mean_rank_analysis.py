"""The analysis of a mean rank over tasks: ranks and ties, by projection, and nothing else.

A mean rank is not smooth. Percentile intervals of it cover .12 and .01 instead of .95, some pair of
equal entries has a one-sided p below .05 in .98 of competitions, and max-T keeps a best team in .78
(simulated). So it has no interval, no p-value and no plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..bootstrap.overall_replicates import ResampledOverall
from ..core.arrays import Bools, Floats, Ints
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
from .basis import Basis
from .cautions import about_enormous_errors, about_influence
from .comparisons import error_matrix, moments
from .competitiveness import winner_minus_median
from .draws import Draws
from .evidence import draws_of
from .field import Field, number
from .inputs import Bootstrap, MetricScores
from .outright import behind_outright, needed_resamples
from .planning import POWER
from .projection import shown_better
from .runs_of_teams import of_least_beaten, of_most_beating, runs_of


def analyze_mean_rank(  # Long because it says for every field what a mean rank has.
    names: Sequence[str],
    teams: Sequence[str],
    resampled: ResampledOverall,
    tasks: Sequence[MetricScores],
    hidden_of: Ints,
    settings: Settings,
) -> MetricAnalysis:
    """Analyze a mean rank; ``settings`` as in `analyze`. Ties and rank ranges are projections.

    ``tasks`` are what the entries and, after them, the hidden runs score in every task;
    ``hidden_of`` are the entries that stand for the teams of the hidden runs.
    """
    scores, replicates = resampled.scores, resampled.replicates
    m, alpha = len(names), round(1 - settings.confidence, 12)
    bootstrap = Bootstrap.oriented(
        scores.observed, np.ascontiguousarray(replicates.values.T), greater_is_better=False
    )
    field = Field.of(bootstrap.theta, names, settings.baselines, teams)
    entry_of = np.concatenate([np.arange(m), hidden_of])
    bases = [Basis.of_runs(task, settings, field, entry_of) for task in tasks]
    draws = [_draws(basis) for basis in bases]
    outright = np.array([behind_outright(basis, len(tasks)) for basis in bases])
    outright &= draws[0].rivals
    of_runs = shown_better(draws, field.competing, alpha, settings.workers, entry_of, outright)
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
        n=min(task.n for task in tasks),
        resamples=bootstrap.resamples,
        undefined=replicates.undefined,
        confidence=settings.confidence,
        interval=settings.interval,
        tie_rule=PROJECTION,
        studentized=next((of_task.why for of_task in draws if of_task.why is not None), None),
        studentized_pairs=sum(of_task.take(np.arange(m)).studentized for of_task in draws),
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
        cautions=(
            *about_influence(bases),
            _caution(settings.confidence),
            *_about_enormous_errors(bases),
        ),
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


def _draws(task: Basis) -> Draws:
    """Return the standardized draws of one task."""
    pairs = moments(task.bootstrap, *task.field.pairs(), workers=task.settings.workers)
    return draws_of(task, error_matrix(task.bootstrap.entries, pairs))


def _no_pairs() -> Pairs:
    who, values = np.empty(0, np.intp), np.empty(0)
    return Pairs(who, who, values, values, values, values, values, values, {}, values)


def _competitiveness(theta: Floats, tasks: Sequence[MetricScores]) -> Competitiveness:
    """Return the measures that need no p-value; ``theta`` are the competing entries' scores."""
    m = theta.size
    return Competitiveness(
        n=min(task.n for task in tasks),
        m=m,
        ties_with_winner={},
        possible_comparisons=m * (m - 1) // 2,
        ties_between_competitors={},
        winner_minus_median=winner_minus_median(theta, greater_is_better=True),
        cv_percent=None,
        ppi_percent=None,
    )


def _about_enormous_errors(tasks: Sequence[Basis]) -> Iterator[Caution]:
    """Warn if a task has too few resamples to see through enormous errors."""
    needed = [needed_resamples(task, len(tasks)) for task in tasks]
    most = max((number for number in needed if number is not None), default=None)
    return about_enormous_errors(most, tasks[0].bootstrap.resamples)


def _caution(confidence: float) -> Caution:
    return Caution("amber", "mean_rank", confidence, {"confidence": f"{100 * confidence:g}"})
