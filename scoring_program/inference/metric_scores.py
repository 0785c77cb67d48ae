"""From a scorer and its replicates to the inputs of an analysis."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..bootstrap.counts import DrawCounts
from ..bootstrap.design import Design
from ..bootstrap.replicates import Replicates
from ..core.arrays import Bools, Floats
from ..scoring.scorer import Scorer
from ..settings.model import Settings
from .inputs import MetricScores

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

    def influence() -> Floats | None:
        affordable = replicates.drawn // _BOOTSTRAP_SHARE
        always = settings.studentized == "always"
        return scorer.influence(design.units, design.size if always else affordable)

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
        influence=influence,
        effective_groups=design.effective_groups,
        strata=design.strata,
        counts=counts,
        teams=teams,
    )
