"""The scores of several tasks, as the inputs of their tests on resamples that belong together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ..bootstrap.overall_replicates import HiddenOverall
from ..bootstrap.replicates import Replicates
from ..core.arrays import Ints
from .inputs import MetricScores, RunScores
from .overall_units import OverallUnits


def task_scores(
    units: OverallUnits, names: Sequence[str], hidden: HiddenOverall | None, hidden_of: Ints
) -> list[MetricScores]:
    """Return what runs score by each of the metrics that a metric over tasks combines.

    The runs are the entries, called ``names``, and after them the hidden ones, for which the
    entries ``hidden_of`` stand. An entry that a task lacks scores there what the overall score
    takes for it.
    """
    overall, shown = units.overall, units.of_entries()
    runs = None if hidden is None else units.of_runs(hidden)
    found = []
    for place, item in enumerate(overall.scores.components):
        design, behind = units.tasks_of[place].design, None
        if hidden is not None and runs is not None:
            behind = RunScores(
                hidden_of,
                hidden.observed[place],
                hidden.of_components[place],
                jackknife=partial(runs.jackknife_in, place),
                influence=partial(runs.influence_in, place),
            )
        of_entries = MetricScores(
            item.metric,
            names,
            overall.scores.of_components[place],
            Replicates(overall.of_components[place], 0),
            n=design.n,
            groups=None if design.units is None else design.size,
            jackknife=partial(shown.jackknife_in, place),
            influence=partial(shown.influence_in, place),
            smooth=shown.scorers[place].smooth,
            effective_groups=design.effective_groups,
            strata=design.strata,
            counts=partial(units.draws_in, place),
            hidden=behind,
        )
        found.append(of_entries.of_every_run())
    return found
