"""The inference step of a run: analyzes every metric of every part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from ..alignment.competition import Competition, Part
from ..bootstrap.overall_replicates import HiddenOverall, resample_hidden, resample_overall
from ..bootstrap.resample_parts import ResampledPart
from ..core.arrays import Ints
from ..metrics import Metric
from ..metrics.unit_scores import UNIT_RANK
from ..scoring import mean_rank
from ..scoring.diagnostics import Diagnostics
from ..scoring.overall_scores import RELATIVE, OverallScores, overall_scores
from ..settings.model import Settings
from .analysis import MetricAnalysis
from .analyze import analyze
from .inputs import MetricScores, RunScores
from .mean_rank_analysis import analyze_mean_rank
from .metric_scores import metric_scores, run_scores
from .overall_units import OverallUnits, between
from .ranking_schemes import MOST_ENTRIES, ranking_schemes
from .sample_shares import sample_shares
from .slice_analyses import slice_analyses
from .task_scores import task_scores


def infer(
    competition: Competition,
    resampled: Sequence[ResampledPart],
    settings: Settings,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[MetricAnalysis, ...]:
    """Analyze every metric of every part and, where the parts are tasks, the overall ones first.

    Each analysis has the entries that have a score by its metric. ``progress`` is called with the
    metrics analyzed and their number. See `analyze` for the errors.
    """
    if competition.form == "single":
        settings = replace(settings, baselines=(), reference_entry=None)
    total = len(competition.overall) + sum(len(part.metrics) for part in resampled)
    found = []
    for done, analysis in enumerate(_analyses(competition, resampled, settings)):
        if analysis is not None:
            found.append(analysis)
        progress(done + 1, total)
    return tuple(found)


def _analyses(
    competition: Competition, resampled: Sequence[ResampledPart], settings: Settings
) -> Iterator[MetricAnalysis | None]:
    """Yield the analysis of every metric, None for one over tasks by which nobody has a score."""
    # A margin is a size in the units of the metric that ranks, over all tasks if there are several.
    others, overall = replace(settings, margin=None), None
    for place, metric in enumerate(competition.overall):
        found = _analyze_overall(competition, metric, resampled, others if place else settings)
        overall = overall if place else found
        yield found
    for part in resampled:
        task = part.part.name if competition.has_tasks else None
        for place in range(len(part.metrics)):
            own = others if place or competition.overall else settings
            yield replace(_analyze_metric(competition, part, place, own, overall), task=task)


def _named(competition: Competition, entries: Sequence[int]) -> tuple[str, ...]:
    return tuple(competition.names[entry] for entry in entries)


def _also_spoken_of(
    competition: Competition, entries: Sequence[int], overall: MetricAnalysis | None = None
) -> list[int]:
    """Return the places of the single submission, and of who is tied overall, among ``entries``."""
    names = set()
    if overall is not None:
        tied = overall.tied_with_leader | overall.tied_with_reference
        names = {overall.names[entry] for entry in np.flatnonzero(tied)}
    return [
        place
        for place, entry in enumerate(entries)
        if entry == competition.focus or competition.names[entry] in names
    ]


def _teams(competition: Competition, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(competition.teams.get(name, name) for name in names)


def _among(names: Sequence[str], settings: Settings) -> Settings:
    """Return the settings without the baselines and the reference entry that have no score."""
    reference = settings.reference_entry
    return replace(
        settings,
        baselines=tuple(name for name in settings.baselines if name in names),
        reference_entry=reference if reference in names else None,
    )


def _analyze_metric(
    competition: Competition,
    resampled: ResampledPart,
    place: int,
    settings: Settings,
    overall: MetricAnalysis | None,
) -> MetricAnalysis:
    """Analyze the ``place``-th metric of a part; ``overall`` is what ranks all tasks, if any."""
    scored, replicates = resampled.metrics[place], resampled.replicates[place]
    scorer, design = scored.scorer, resampled.design
    names = _named(competition, scored.entries)
    teams = _teams(competition, names)
    scores = metric_scores(
        scorer,
        names,
        teams,
        replicates,
        design,
        lambda: resampled.unit_counts(replicates),
        settings,
    )
    of_hidden = resampled.of_hidden[place]
    runs = run_scores(scored.hidden, of_hidden, scorer, scored.entries, design, settings)
    scores = replace(
        scores,
        hidden=runs,
        also_spoken_of=_also_spoken_of(competition, scored.entries, overall),
        merged_counts=resampled.merged_counts(replicates),
    )
    tests = _applicable_tests(resampled.part, scorer.metric, settings.tests)
    analysis = analyze(scores, replace(_among(names, settings), tests=tests))
    if resampled.slices:
        found = slice_analyses(resampled, place, analysis, teams, settings)
        analysis = replace(analysis, slices=found)
    of_samples = scorer.metric.definition.sample_variance
    if of_samples is not None and len(scorer.data.y_preds) == len(names):  # no mean over runs
        variance = of_samples(scorer.data, scorer.metric.all_params)
        differences, reference = analysis.differences, analysis.reference
        shares = sample_shares(variance, analysis.standard_error, differences, reference)
        return replace(analysis, samples=shares)
    if not _shows_schemes(resampled.part, analysis):
        return analysis
    entries = analysis.order[~np.isin(analysis.order, analysis.baselines)]
    schemes = ranking_schemes(
        np.array([scorer.data.y_preds[i] for i in entries]).T,
        entries,
        greater_is_better=scorer.metric.greater_is_better,
        confidence=settings.confidence,
        units=design.units,
    )
    return replace(analysis, schemes=schemes)


def _shows_schemes(part: Part, analysis: MetricAnalysis) -> bool:
    """Whether a metric is the first that aggregates a column of scores made elsewhere."""
    own, few = analysis.metric, len(analysis.names) <= MOST_ENTRIES
    of_column = (
        metric.name
        for metric in part.metrics
        if metric.definition.per_unit
        and metric.function != UNIT_RANK
        and metric.column == own.column
    )
    return few and own.definition.per_unit and next(of_column, None) == own.name


def _applicable_tests(part: Part, metric: Metric, tests: tuple[str, ...]) -> tuple[str, ...]:
    """Return the requested tests that apply to this metric.

    McNemar's test is for accuracy without weights. If no metric is that, the test stays, and the
    analysis raises an error.
    """
    counting = [
        other.name
        for other in part.metrics
        if other.function == "accuracy_score" and other.sample_weight is None
    ]
    if counting and metric.name not in counting:
        return tuple(test for test in tests if test != "mcnemar")
    return tests


def _analyze_overall(
    competition: Competition,
    metric: Metric,
    resampled: Sequence[ResampledPart],
    settings: Settings,
) -> MetricAnalysis | None:
    """Analyze a metric over tasks; None if no entry has a score in all tasks that it needs.

    The number of examples, or of groups, is that of the task with the fewest.
    """
    scores = overall_scores(
        metric,
        [part.metrics for part in resampled],
        [name not in settings.baselines for name in competition.names],
        worst_if_missing=settings.missing_task == "worst",
    )
    alone = len(competition.names) == 1 and metric.function in RELATIVE
    if scores is None or alone:
        return None
    overall = resample_overall(scores, [part.replicates for part in resampled])
    scores, names = overall.scores, _named(competition, overall.scores.entries)
    teams = _teams(competition, names)
    settings = _among(names, settings)
    units = OverallUnits(overall, resampled, settings)
    hidden = resample_hidden(
        overall, [part.metrics for part in resampled], [part.of_hidden for part in resampled]
    )
    if metric.function == mean_rank.FUNCTION:
        hidden_of = _numbers(scores, () if hidden is None else hidden.of)
        tasks = task_scores(units, names, hidden, hidden_of)
        return analyze_mean_rank(names, teams, overall, tasks, hidden_of, settings)
    designs = [task.design for task in units.tasks_of]
    smallest = min(designs, key=lambda design: design.effective_groups or design.size)
    of_entries = units.of_entries()
    inputs = MetricScores(
        scores.metric,
        names,
        scores.observed,
        overall.replicates,
        n=smallest.n,
        groups=None if smallest.units is None else smallest.size,
        diagnostics=_diagnostics(scores, resampled),
        jackknife=of_entries.jackknife,
        influence=of_entries.influence,
        smooth=of_entries.smooth,
        effective_groups=smallest.effective_groups,
        strata=units.strata,
        counts=units.counts,
        teams=teams,
        hidden=None if hidden is None else _hidden_scores(scores, hidden, units),
        also_spoken_of=_also_spoken_of(competition, scores.entries),
    )
    # The jackknife, which BCa needs, leaves out examples of one test set.
    interval = "percentile" if settings.interval == "bca" else settings.interval
    return analyze(inputs, replace(settings, interval=interval, tests=()))


def _diagnostics(scores: OverallScores, resampled: Sequence[ResampledPart]) -> Diagnostics:
    """Return the disagreements in all components."""
    differ = [
        resampled[item.part]
        .metrics[item.place]
        .scorer.diagnostics.disagreements[np.ix_(item.columns, item.columns)]
        for item in scores.components
    ]
    return Diagnostics(None, np.sum(differ, axis=0), None)


def _hidden_scores(
    scores: OverallScores, hidden: HiddenOverall, units: OverallUnits
) -> RunScores | None:
    """Return the scores of the hidden runs by a metric over tasks, None without any."""
    observed, values = scores.evaluate(hidden.observed), scores.evaluate(hidden.of_components)
    scored = np.flatnonzero(np.isfinite(observed) & np.isfinite(values).all(axis=0))
    if not scored.size:
        return None
    hidden = hidden.keep(scored)
    of_entries, of_runs = units.of_entries(), units.of_runs(hidden)
    return RunScores(
        _numbers(scores, hidden.of),
        observed[scored],
        values[:, scored],
        jackknife=of_runs.jackknife,
        influence=of_runs.influence,
        between=lambda i, j: between(of_entries, of_runs, i, j),
    )


def _numbers(scores: OverallScores, entries: Sequence[int]) -> Ints:
    """Return the rows of some entries of the competition in a metric over tasks."""
    row_of = {entry: row for row, entry in enumerate(scores.entries)}
    return np.array([row_of[entry] for entry in entries], np.intp)
