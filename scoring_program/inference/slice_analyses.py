"""The same inference within every slice of the test set, for all slices at once.

The intervals hold for all entries in all slices together (`simultaneous`). A slice has another
leader only where algorithm D, within the slice and at the level α / number of slices, shows that
the overall leader is not the best there. So where the leader is a best entry in every slice, some
slice names another with a probability of at most about α.

A slice has scores only if it holds too few units, or if its metric is undefined on a resample for
all entries. An entry has its score only if the metric is undefined for it on a resample. Neither
takes part in the maximum or in the number of slices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..bootstrap.counts import DrawCounts
from ..bootstrap.replicates import Replicates
from ..bootstrap.resample_parts import ResampledPart, ResampledSlice
from ..bootstrap.slices import Slice
from ..core.arrays import Floats, Ints
from ..settings.model import Settings
from .analysis import MetricAnalysis, SliceAnalysis
from .basis import Basis
from .comparisons import error_matrix, moments
from .evidence import draws_of
from .inputs import MetricScores
from .metric_scores import metric_scores, run_scores
from .simultaneous import CellScores, simultaneous_intervals
from .step_down import shown_above


@dataclass(frozen=True, eq=False)
class _Within:
    """One metric in one slice: scores [m], nan where it has none, and those that are tested."""

    slice: Slice
    score: Floats
    entries: Ints  # [k] numbers of the entries with a score on every resample
    tested: MetricScores | None  # of these; None if there are none


def slice_analyses(
    resampled: ResampledPart,
    place: int,
    analysis: MetricAnalysis,
    teams: Sequence[str],
    settings: Settings,
) -> tuple[SliceAnalysis, ...]:
    """Return the results of one metric of a part, the ``place``-th, within each slice.

    ``analysis`` is that of all examples; the results have its entries, and ``teams`` [m] are
    theirs.
    """
    found = [
        _within(resampled, one, place, (analysis.names, teams), settings)
        for one in resampled.slices
    ]
    cells = [
        CellScores(tested.observed, tested.replicates.values, tested.units, tested.trials)
        for tested in (one.tested for one in found)
        if tested is not None
    ]
    bounds = (analysis.metric.low, analysis.metric.high)
    ends = zip(cells, simultaneous_intervals(cells, bounds, settings.confidence), strict=True)
    compared = [one for one in found if _compares(one, analysis)]
    alpha = (1 - settings.confidence) / max(len(compared), 1)
    at_level = replace(settings, confidence=1 - alpha)
    results = []
    for one in found:
        low, high = (np.full(one.score.size, np.nan) for _ in range(2))
        constant = np.zeros(one.score.size, np.bool_)
        if one.tested is not None:
            cell, (low[one.entries], high[one.entries]) = next(ends)
            constant[one.entries] = cell.constant
        other = _other_leader(one, analysis, at_level) if one in compared else None
        results.append(
            SliceAnalysis(
                one.slice.column,
                one.slice.value,
                one.slice.rows.size,
                one.score,
                low,
                high,
                compared=one in compared,
                other_leader=other,
                constant=constant,
            )
        )
    return tuple(results)


def _within(
    resampled: ResampledPart,
    of: ResampledSlice,
    place: int,
    called: tuple[Sequence[str], Sequence[str]],
    settings: Settings,
) -> _Within:
    """Return one metric in one slice; ``called`` are the names and the teams of its entries [m]."""
    entries, item = resampled.metrics[place].entries, of.metrics[place]
    score = np.full(len(entries), np.nan)
    none = _Within(of.slice, score, np.empty(0, np.intp), None)
    if item is None:
        return none
    row_of = {entry: row for row, entry in enumerate(item.entries)}
    score[:] = item.scorer.observation.values[[row_of[entry] for entry in entries]]
    replicates = of.replicates[place]
    if replicates is None or replicates.undefined:
        return none
    kept = [row for row in range(len(item.entries)) if row not in replicates.lacking]
    zero = replicates.zero_divisions
    column = {row: k for k, row in enumerate(kept) if zero is None or not zero[k]}
    tested = np.array(
        [i for i, entry in enumerate(entries) if row_of[entry] in column and np.isfinite(score[i])],
        np.intp,
    )
    if not tested.size:
        return none
    rows = [row_of[entries[i]] for i in tested]
    drawn = Replicates(replicates.values[:, [column[row] for row in rows]], 0)
    names, teams = ([values[i] for i in tested] for values in called)

    def counts() -> Iterator[DrawCounts]:
        return (block[:, of.slice.units] for block in resampled.unit_counts(drawn))

    scorer = item.scorer.keep(rows, names)
    design = of.slice.design
    scores = metric_scores(scorer, names, teams, drawn, design, counts, settings)
    shown = [entries[i] for i in tested]
    runs = run_scores(item.hidden, of.of_hidden[place], scorer, shown, design, settings)
    return _Within(of.slice, score, tested, replace(scores, hidden=runs))


def _compares(one: _Within, analysis: MetricAnalysis) -> bool:
    """Whether the overall leader and an entry that competes with it are tested in a slice."""
    competing = [entry for entry in one.entries.tolist() if entry not in analysis.baselines]
    return analysis.leader in competing and len(competing) > 1


def _other_leader(one: _Within, analysis: MetricAnalysis, settings: Settings) -> int | None:
    """Return the best of those that are shown better than the overall leader (algorithm D).

    Where runs are hidden, these are the teams with a run that is better than the leader's least
    beaten one.

    ``settings`` have the level of one slice. The rule against bought ties (D′) does not act here,
    which only keeps the overall leader more often.
    """
    assert one.tested is not None
    names = one.tested.names
    baselines = tuple(analysis.names[i] for i in analysis.baselines if analysis.names[i] in names)
    basis = Basis.of(one.tested, replace(settings, baselines=baselines))
    leader = one.entries.tolist().index(analysis.leader)
    every, team_of = basis.of_every_run, basis.entry_of
    runs, others = np.flatnonzero(team_of == leader), np.flatnonzero(team_of != leader)
    pairs = moments(every.bootstrap, np.tile(others, runs.size), np.repeat(runs, others.size))
    draws = draws_of(every, error_matrix(team_of.size, pairs))
    ahead = [shown_above(draws, run, every.field.competing, basis.alpha) for run in runs.tolist()]
    shown = set(min((team_of[found].tolist() for found in ahead), key=lambda of: len(set(of))))
    best = [int(one.entries[i]) for i in basis.field.order if int(i) in shown]
    return best[0] if best else None
