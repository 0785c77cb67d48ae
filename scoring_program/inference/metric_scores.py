"""From a scorer and its replicates to the inputs of an analysis."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

import numpy as np

from ..bootstrap.counts import DrawCounts
from ..bootstrap.design import Design
from ..bootstrap.replicates import Replicates
from ..core.arrays import Bools, Floats
from ..scoring.diagnostics import Diagnostics
from ..scoring.scored_metric import HiddenRuns
from ..scoring.scorer import Scorer
from ..settings.model import Settings
from .inputs import MetricScores, RunScores
from .studentized import FEW_UNITS

#: A jackknife that only asks for heavy tails may take one part in so many of the bootstrap's time.
_BOOTSTRAP_SHARE = 5


def metric_scores(
    scorer: Scorer,
    names: Sequence[str],
    teams: Sequence[str],
    replicates: Replicates,
    design: Design,
    counts: Callable[[], Iterator[DrawCounts]],
    settings: Settings,
) -> MetricScores:
    """Return the inputs of the analysis of a scorer's entries, called ``names`` [m].

    ``design`` is that of the scorer's rows, and ``counts`` yields the draws of its units on the
    resamples of the replicates.
    """

    def randomized(i: int, j: int, swap: Bools) -> tuple[Floats, Floats]:
        return scorer.randomized(i, j, swap if design.units is None else swap[:, design.units])

    return MetricScores(
        scorer.metric,
        names,
        scorer.observed,
        replicates,
        n=design.n,
        groups=None if design.units is None else design.size,
        diagnostics=scorer.diagnostics,
        jackknife=lambda: scorer.jackknife(design.units),
        randomized=randomized,
        influence=influence_of(scorer, design, replicates, settings),
        smooth=scorer.smooth,
        effective_groups=design.effective_groups,
        strata=design.strata,
        counts=counts,
        teams=teams,
    )


def run_scores(
    hidden: HiddenRuns | None,
    replicates: Replicates | None,
    shown: Scorer,
    entries: Sequence[int],
    design: Design,
    settings: Settings,
) -> RunScores | None:
    """Return the scores of the hidden runs for which ``entries`` stand; None if there are none.

    ``shown`` is the scorer of these entries.
    """
    if hidden is None or replicates is None:
        return None
    row_of = {entry: row for row, entry in enumerate(entries)}
    rows = [row for row, entry in enumerate(hidden.of) if entry in row_of]
    rows = [row for row in rows if np.isfinite(hidden.scorer.observed[row])]
    kept = hidden.keep(rows)
    if kept is None:
        return None
    of_runs, drawn = kept.scorer, replicates.take(rows)

    def between(i: int, j: int) -> Diagnostics:
        (first, own), (second, other) = (
            (shown, run) if run < shown.m else (of_runs, run - shown.m) for run in (i, j)
        )
        return first.between(own, second, other)

    return RunScores(
        np.array([row_of[entry] for entry in kept.of], np.intp),
        of_runs.observed,
        drawn.values,
        jackknife=lambda: of_runs.jackknife(design.units),
        influence=influence_of(of_runs, design, replicates, settings),
        zero_divisions=drawn.zero_divisions,
        between=between,
    )


def influence_of(
    scorer: Scorer, design: Design, replicates: Replicates, settings: Settings
) -> Callable[[], Floats | None]:
    """Return a function that returns the influence values [N, m], None if they take too long.

    A time budget leaves no time for a jackknife that calls functions: it is spent on resamples.
    """
    few = settings.studentized == "always" or design.size < FEW_UNITS
    most = design.size if few else replicates.drawn // _BOOTSTRAP_SHARE
    called = any(part.observation.seconds for part in scorer.parts)
    if called and settings.time_budget is not None:
        most = 0
    return cache(lambda: scorer.influence(design.units, most))
