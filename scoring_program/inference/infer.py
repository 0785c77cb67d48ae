"""The inference step of a run: analyzes every metric of every part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..alignment.competition import Competition, Part
from ..bootstrap.mean_rank_replicates import mean_rank_replicates
from ..bootstrap.replicates import Replicates
from ..bootstrap.resample_parts import ResampledPart
from ..core.arrays import Bools, Floats
from ..metrics import Metric
from ..metrics.unit_scores import UNIT_RANK
from ..scoring import mean_rank
from ..scoring.diagnostics import Diagnostics
from ..scoring.scorer import Scorer
from ..settings.model import Settings
from .analysis import Caution, MetricAnalysis
from .analyze import analyze
from .inputs import MetricScores
from .ranking_schemes import MOST_ENTRIES, ranking_schemes

#: The caution about a mean rank. Simulated: 10 equal entries, n = 200, B = 1000, 2000 competitions.
MEAN_RANK_CAUTION = Caution("amber", "mean_rank", 0.77, {"two": 78, "three": 77, "nominal": 95})

#: A jackknife that only asks for heavy tails may take one part in so many of the bootstrap's time.
_BOOTSTRAP_SHARE = 5


def infer(
    competition: Competition, resampled: Sequence[ResampledPart], settings: Settings
) -> tuple[MetricAnalysis, ...]:
    """Analyze every metric of every part and, where the parts are tasks, the mean rank first.

    See `analyze` for the errors.
    """
    if competition.form == "single":
        settings = replace(settings, baselines=(), reference_entry=None)
    names = competition.names
    # A margin is a size in the units of the metric that ranks.
    others = replace(settings, margin=None)
    analyses = [
        _analyze_metric(names, part, scorer, replicates, others if place else settings)
        for part in resampled
        for place, (scorer, replicates) in enumerate(
            zip(part.scorers, part.replicates, strict=True)
        )
    ]
    if competition.has_tasks and competition.form != "single":
        analyses.insert(0, _analyze_mean_rank(names, resampled, settings))
    return tuple(analyses)


def _analyze_metric(
    names: Sequence[str],
    resampled: ResampledPart,
    scorer: Scorer,
    replicates: Replicates,
    settings: Settings,
) -> MetricAnalysis:
    design = resampled.design

    def randomized(i: int, j: int, swap: Bools) -> tuple[Floats, Floats]:
        return scorer.randomized(i, j, swap if design.units is None else swap[:, design.units])

    scores = MetricScores(
        scorer.metric,
        names,
        scorer.observed,
        replicates,
        n=design.n,
        groups=None if design.units is None else design.size,
        diagnostics=scorer.diagnostics,
        jackknife=lambda: scorer.jackknife(design.units),
        randomized=randomized,
        influence=lambda: scorer.influence(design.units, replicates.drawn // _BOOTSTRAP_SHARE),
    )
    tests = _applicable_tests(resampled.part, scorer.metric, settings.tests)
    analysis = analyze(scores, replace(settings, tests=tests))
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

    McNemar's test is for accuracy. If no metric is accuracy, the test stays, and the analysis
    raises an error.
    """
    functions = [other.function for other in part.metrics]
    if metric.function != "accuracy_score" and "accuracy_score" in functions:
        return tuple(test for test in tests if test != "mcnemar")
    return tests


def _analyze_mean_rank(
    names: Sequence[str], resampled: Sequence[ResampledPart], settings: Settings
) -> MetricAnalysis:
    """Analyze the mean rank over the tasks; the smallest task decides its cautions."""
    ranking = [task.scorers[0] for task in resampled]
    competing = np.array([name not in settings.baselines for name in names])
    smallest = min((task.design for task in resampled), key=lambda design: design.size)
    disagreements = np.sum([scorer.diagnostics.disagreements for scorer in ranking], axis=0)
    scores = MetricScores(
        mean_rank.metric([scorer.metric for scorer in ranking], competing),
        names,
        mean_rank.observed(ranking, competing),
        mean_rank_replicates(ranking, [task.replicates[0] for task in resampled], competing),
        n=smallest.n,
        groups=None if smallest.units is None else smallest.size,
        diagnostics=Diagnostics(None, disagreements, None),
    )
    # A rank does not depend smoothly on single examples, but BCa's acceleration needs this.
    interval = "percentile" if settings.interval == "bca" else settings.interval
    analysis = analyze(scores, replace(settings, interval=interval, tests=()))
    return replace(analysis, cautions=(*analysis.cautions, MEAN_RANK_CAUTION))
