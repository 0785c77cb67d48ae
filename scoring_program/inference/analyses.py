"""From scores and bootstrap to what is concluded about every metric, under the settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ..alignment.competition import Competition, Part
from ..bootstrap.design import Design
from ..bootstrap.mean_rank_replicates import mean_rank_replicates
from ..bootstrap.replicates import Replicates
from ..bootstrap.resample_parts import ResampledPart
from ..core.arrays import Bools, Floats
from ..metrics import Metric
from ..scoring import mean_rank as meanrank
from ..scoring.diagnostics import Diagnostics
from ..scoring.scorer import Scorer
from ..settings.model import Settings
from . import analyse
from .analysis import MetricAnalysis, Warned
from .inputs import EvidenceLike, Randomized

#: What the page says of a mean rank; simulated: 10 equal entries, n = 200, B = 1000, 2000
#: competitions.
MEAN_RANK_CAUTION = Warned("amber", "mean_rank", 0.77, {"two": 78, "three": 77, "nominal": 95})


def conclude(
    competition: Competition, drawn: Sequence[ResampledPart], chosen: Settings
) -> list[tuple[Metric, MetricAnalysis]]:
    """Analyse every metric of every part and, where the parts are tasks, the mean rank first."""
    found = [
        (scorer.metric, _analysed(competition, scorer, replicates, of, chosen))
        for of in drawn
        for scorer, replicates in zip(of.scorers, of.replicates, strict=True)
    ]
    if ranked_by_tasks(competition):
        found.insert(0, _mean_rank(competition, drawn, chosen))
    return found


def ranked_by_tasks(competition: Competition) -> bool:
    """Whether several entries are ranked by their mean rank over several tasks."""
    return competition.has_tasks and competition.form != "single"


def _analysed(
    competition: Competition,
    scorer: Scorer,
    replicates: Replicates,
    drawn: ResampledPart,
    chosen: Settings,
) -> MetricAnalysis:
    design = drawn.design

    def randomized(i: int, j: int, swap: Bools) -> tuple[Floats, Floats]:
        return scorer.randomized(i, j, swap if design.units is None else swap[:, design.units])

    return _inferred(
        competition,
        chosen,
        scorer.metric,
        scorer.observed,
        replicates,
        design,
        interval=chosen.interval,
        evidence=scorer.diagnostics,
        jackknife=lambda: scorer.jackknife(design.units),
        tests=_tests(drawn.part, scorer, chosen),
        randomized=randomized,
    )


def _inferred(
    competition: Competition,
    chosen: Settings,
    metric: Metric,
    observed: Floats,
    replicates: Replicates,
    design: Design,
    *,
    interval: str,
    evidence: EvidenceLike | None = None,
    jackknife: Callable[[], Floats] | None = None,
    tests: Sequence[str] = (),
    randomized: Randomized | None = None,
) -> MetricAnalysis:
    """Call inference as the settings say; the rest is the metric's own."""
    in_field = competition.form != "single"
    return analyse(
        metric,
        observed,
        replicates,
        names=competition.names,
        n=design.n,
        units=None if design.units is None else design.size,
        confidence=chosen.confidence,
        interval=interval,
        tie_rule=chosen.tie_rule,
        baselines=chosen.baselines if in_field else (),
        reference=chosen.reference_entry if in_field else None,
        evidence=evidence,
        jackknife=jackknife,
        tests=tests,
        randomized=randomized,
        seed=chosen.seed,
        workers=chosen.workers,
    )


def _tests(part: Part, scorer: Scorer, chosen: Settings) -> tuple[str, ...]:
    """Return the tests asked for that this metric takes part in.

    McNemar's is for accuracy; where no metric is, it stays, and inference says that it cannot
    apply.
    """
    functions = [metric.function for metric in part.metrics]
    if scorer.metric.function != "accuracy_score" and "accuracy_score" in functions:
        return tuple(test for test in chosen.tests if test != "mcnemar")
    return chosen.tests


def _mean_rank(
    competition: Competition, drawn: Sequence[ResampledPart], chosen: Settings
) -> tuple[Metric, MetricAnalysis]:
    """Return the mean rank over the tasks and its analysis; the smallest task sets its caution."""
    ranking = [of.scorers[0] for of in drawn]
    competing = np.array([name not in chosen.baselines for name in competition.names])
    metric = meanrank.metric([scorer.metric for scorer in ranking], competing)
    disagreements = np.sum([scorer.diagnostics.disagreements for scorer in ranking], axis=0)
    analysis = _inferred(
        competition,
        chosen,
        metric,
        meanrank.observed(ranking, competing),
        mean_rank_replicates(ranking, [of.replicates[0] for of in drawn], competing),
        min((of.design for of in drawn), key=lambda design: design.size),
        # A rank has no smooth dependence on single examples, which the acceleration needs.
        interval="percentile" if chosen.interval == "bca" else chosen.interval,
        evidence=Diagnostics(None, disagreements, None),
    )
    warnings = (*analysis.warnings, MEAN_RANK_CAUTION)
    return metric, replace(analysis, warnings=warnings)
