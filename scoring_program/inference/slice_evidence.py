"""The same inference within every slice of the test set, for all slices at once.

The intervals hold for all entries in all slices together (`CellScores`), those of each baseline for
all slices: it changes no interval of the others. A slice has another leader only where algorithm D,
within the slice and at the level α / number of slices, shows that the overall leader is not the
best there. So where the leader is a best entry in every slice, some slice names another with a
probability of at most about α.

A slice has scores only if it holds too few units, or if its metric is undefined on a resample for
all entries. An entry has its score only if the metric is undefined for it on a resample. Neither
takes part in the maximum or in the number of slices.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..bootstrap.design import DrawCounts
from ..bootstrap.resample import ResampledPart, Slice
from ..core.arrays import Bools, Floats, Ints
from ..core.executor import Executor
from ..core.rounding import negligible
from .basis import Basis, MetricScores, metric_scores
from .comparing.comparisons import moments, wilson
from .comparing.draws import unshrunk
from .comparing.standing import reliable_draws
from .comparing.step_down import critical_value, shown_above
from .evidence import Evidence, SliceEvidence


def slice_evidence(
    resampled: ResampledPart,
    place: int,
    evidence: Evidence,
    teams: Sequence[str],
    executor: Executor,
) -> Iterator[SliceEvidence]:
    """Yield the results of one metric of a part, the ``place``-th, within each slice.

    ``evidence`` is that of all examples; the results have its entries, and ``teams`` [m] are
    theirs.
    """
    of_slices = [
        _within(resampled, part_slice, place, evidence, teams, executor)
        for part_slice in resampled.slices
    ]
    baselines = evidence.scores.baselines
    cells = []
    for _, entries, tested in of_slices:
        if tested is not None:
            of_entries = tested.of_entries
            values = of_entries.replicates.values
            families = families_of(entries, baselines)
            cells.append(
                CellScores(
                    of_entries.observed, values, of_entries.units, of_entries.trials, families
                )
            )
    confidence = evidence.question.confidence
    bounds = (evidence.metric.low, evidence.metric.high)
    ends = zip(cells, simultaneous_intervals(cells, bounds, confidence), strict=True)
    # Where the overall leader and an entry that competes with it are tested.
    able = [np.setdiff1d(entries, baselines) for _, entries, _ in of_slices]
    compared = [competing.size > 1 and evidence.scores.leader in competing for competing in able]
    alpha = (1 - confidence) / max(sum(compared), 1)
    for part_slice, (score, entries, tested), compares in zip(
        resampled.slices, of_slices, compared, strict=True
    ):
        low = np.full(score.size, np.nan)
        high = np.full(score.size, np.nan)
        constant = np.zeros(score.size, np.bool_)
        leader = None
        if tested is not None:
            cell, (low[entries], high[entries]) = next(ends)
            constant[entries] = cell.constant
            if compares:
                leader = _other_leader(entries, tested, evidence, alpha, executor)
        yield SliceEvidence(
            part_slice.column,
            part_slice.value,
            part_slice.rows.size,
            score,
            low,
            high,
            compares,
            leader,
            constant,
        )


def _within(
    resampled: ResampledPart,
    part_slice: Slice,
    place: int,
    evidence: Evidence,
    teams: Sequence[str],
    executor: Executor,
) -> tuple[Floats, Ints, MetricScores | None]:
    """Return one metric's scores in one slice, [m], and those that are tested.

    A score is nan where it has none. The tested entries [k] have a score on every resample; what
    they score is None if there are none. ``teams`` [m] are those of the entries.
    """
    entries = resampled.metrics[place].entries
    item = part_slice.metrics[place]
    question = evidence.question
    score = np.full(len(entries), np.nan)
    none = score, np.empty(0, np.intp), None
    if item is None:
        return none
    row_of = {entry: row for row, entry in enumerate(item.entries)}
    score[:] = item.scorer.observation.values[[row_of[entry] for entry in entries]]
    if item.drawn is None or item.drawn.undefined:
        return none
    replicates = item.replicates
    scored = [row for row in range(len(item.entries)) if row not in replicates.lacking]
    zero = replicates.zero_divisions
    column = {row: k for k, row in enumerate(scored) if zero is None or not zero[k]}
    tested = np.array(
        [i for i, entry in enumerate(entries) if row_of[entry] in column and np.isfinite(score[i])],
        np.intp,
    )
    if not tested.size:
        return none
    names = [evidence.names[i] for i in tested]
    teams = [teams[i] for i in tested]
    entry_of = {row_of[entries[i]]: entries[i] for i in tested}
    name_of = dict(zip(entry_of.values(), names, strict=True))
    finite = np.isfinite(item.runs.observation.values)
    further_runs = [
        (row, run, entry)
        for row, run, entry in item.rows_of_further_runs
        if entry in name_of and finite[row]
    ]
    called = [*names, *(name_of[entry] for _, _, entry in further_runs)]
    runs = item.keep(entry_of, called, further_runs)

    def counts() -> Iterator[DrawCounts]:
        return (block[:, part_slice.units] for block in resampled.unit_counts(runs.replicates))

    scores = metric_scores(runs, names, teams, part_slice.design, counts, question, executor)
    return score, tested, scores


def _other_leader(
    entries: Ints, tested: MetricScores, evidence: Evidence, alpha: float, executor: Executor
) -> int | None:
    """Return the best of those that are shown better than the overall leader (algorithm D).

    Where teams have several runs, these are the teams with a run that is better than the leader's
    least beaten one.

    ``alpha`` is the level of one slice.
    """
    baseline_names = (evidence.names[i] for i in evidence.scores.baselines)
    baselines = tuple(name for name in baseline_names if name in tested.names)
    question = replace(evidence.question, confidence=1 - alpha, baselines=baselines)
    basis = Basis.from_scores(tested, question, executor)
    leader = entries.tolist().index(evidence.scores.leader)
    every = basis.tested.of_competing
    team_of = basis.entry_of[basis.tested.field.competing]
    runs = np.flatnonzero(team_of == leader)
    rivals = np.flatnonzero(team_of != leader)
    pairs = moments(every.bootstrap, np.tile(rivals, runs.size), np.repeat(runs, rivals.size))
    reliability, draws = reliable_draws(every, pairs)
    everyone = every.field.competing
    of_leader = team_of == leader
    concerned = of_leader[:, None] | of_leader  # the others have no standard errors here
    reliability = replace(reliability, acts=reliability.acts & concerned)
    alone = np.logical_or(*reliability.shown(every))
    ahead = []
    for run in runs.tolist():
        above = shown_above(draws, run, everyone, float(reliability.alpha[run]))
        ahead.append(np.append(above, np.flatnonzero(alone[:, run])))
    teams_ahead = [set(team_of[runs_ahead].tolist()) for runs_ahead in ahead]
    better = min(teams_ahead, key=len)
    return next((int(entries[i]) for i in basis.field.order if int(i) in better), None)


# Simultaneous -------------------------------------------------------------------------------------

# Confidence intervals of many scores, of which those of a family all hold at once.
#
# The scores of k cells, such as entries within slices, are put on a scale on which the size of a
# score says little about its standard error: y = asin √((s − low) / (high − low)) for a metric with
# two bounds, the logarithm of the distance from the bound for a metric with one, y = s for others.
# With c the quantile of the largest |y* − y| / sd(y*) over the cells of a family, the intervals are
# y ± c′·sd(y*) on that scale, c′ the critical value of the t distribution that corresponds to c for
# the units of the cell. A share that no resample changes has the Wilson interval with c in the
# place of the normal quantile. On the scores' own scale, the largest of hundreds of deviations is
# that of a score close to its bound, and the intervals cover far too little. Sources: Romano and
# Wolf 2005 (single step); Efron and Tibshirani 1994, chapter 12 (transformations).


def families_of(entries: Ints, baselines: Sequence[int]) -> Ints:
    """Return the families [k] of cells of ``entries`` [k]: one of all but ``baselines``.

    Each baseline has a family of its own, so that it changes no interval of the others.
    """
    return np.where(np.isin(entries, baselines), entries, -1)


@dataclass(frozen=True, eq=False)
class CellScores:
    """Scores [k] of cells with the same number of resampled units, and their replicates [B, k].

    ``trials`` [k] are the independent ones of which the scores are shares, 0 if they are not.
    ``families`` [k] are the numbers of the cells' families, None if there is one: the intervals of
    a family hold at once, whatever is in others.
    """

    score: Floats
    replicates: Floats
    units: int
    trials: Ints | None = None
    families: Ints | None = None

    @cached_property
    def constant(self) -> Bools:
        """Which scores [k] are the same on every resample."""
        spread = _spread(self.replicates)
        return np.asarray(spread <= negligible(self.score, self.score))

    @property
    def family(self) -> Ints:
        """The number [k] of each cell's family."""
        return np.zeros(self.score.size, np.intp) if self.families is None else self.families


def simultaneous_intervals(
    cells: Sequence[CellScores], bounds: tuple[float, float], confidence: float
) -> Iterator[tuple[Floats, Floats]]:
    """Yield the lower and upper ends [k] of every item; all cells share the resamples.

    ``bounds`` are those of the metric, possibly infinite. Ends are nan where a score never varies
    and is no share, or lies on the only bound in some resample.
    """
    scaled = []
    largest: dict[int, Floats] = {}  # of each family, [B]
    sizes: dict[int, int] = {}
    for item in cells:
        center = _stretched(item.score, bounds)
        drawn = _stretched(item.replicates, bounds)
        with np.errstate(invalid="ignore"):
            error = _spread(drawn)
        varies = np.isfinite(error) & np.isfinite(center) & ~item.constant
        error[~varies] = np.nan
        for family in np.unique(item.family).tolist():
            among = item.family == family
            cell = varies & among
            deviations = np.abs(drawn[:, cell] - center[cell]) / error[cell]
            most = deviations.max(axis=1, initial=-np.inf)
            largest[family] = np.maximum(largest.get(family, most), most)
            sizes[family] = sizes.get(family, 0) + int(np.count_nonzero(among))
        scaled.append((item, center, error))
    critical = {family: critical_value(most, confidence) for family, most in largest.items()}
    for item, center, error in scaled:
        of_cells = np.array([critical[family] for family in item.family.tolist()])
        width = unshrunk(of_cells, item.units) * error
        ends = [_shrunk(center + side * width, bounds) for side in (-1.0, 1.0)]
        low = np.fmin(*ends)
        high = np.fmax(*ends)
        shares = np.zeros(item.score.size, np.intp) if item.trials is None else item.trials
        for cell in np.flatnonzero(item.constant & (shares > 0)).tolist():
            level = 1 - (1 - confidence) / sizes[int(item.family[cell])]  # Bonferroni
            if math.isfinite(of_cells[cell]):  # else B is too small, or no score varies
                level = math.erf(of_cells[cell] / math.sqrt(2))
            low[cell], high[cell] = wilson(float(item.score[cell]), int(shares[cell]), level)
        yield low, high


def _spread(drawn: Floats) -> Floats:
    """Return the standard deviations [k] of columns [B, k], each computed alone."""
    return np.array([column.std(ddof=1) for column in np.ascontiguousarray(drawn.T)])


def _stretched(scores: Floats, bounds: tuple[float, float]) -> Floats:
    """Return scores on the scale of "Simultaneous" above."""
    low, high = bounds
    with np.errstate(divide="ignore"):
        if np.isfinite(low) and np.isfinite(high):
            share = np.clip((scores - low) / (high - low), 0.0, 1.0)
            return np.asarray(np.arcsin(np.sqrt(share)))
        if np.isfinite(low):
            return np.asarray(np.log(np.maximum(scores - low, 0.0)))
        if np.isfinite(high):
            return np.asarray(np.log(np.maximum(high - scores, 0.0)))
    return np.asarray(scores)


def _shrunk(values: Floats, bounds: tuple[float, float]) -> Floats:
    """Return scores from values on the scale of "Simultaneous" above."""
    low, high = bounds
    if np.isfinite(low) and np.isfinite(high):
        share = np.square(np.sin(np.clip(values, 0.0, np.pi / 2)))
        return np.asarray(low + (high - low) * share)
    if np.isfinite(low):
        return np.asarray(low + np.exp(values))
    if np.isfinite(high):
        return np.asarray(high - np.exp(values))
    return values
