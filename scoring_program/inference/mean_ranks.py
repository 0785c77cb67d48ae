"""The evidence about a mean rank over tasks: ranks and ties, by projection, and nothing else.

A mean rank is not smooth. Percentile intervals of it cover .12 and .01 instead of .95, some pair of
equal entries has a one-sided p below .05 in .98 of competitions, and max-T keeps a best team in .78
(simulated). So there are no intervals, differences, pairs and plan. `shown_better` says which
entries could have the best mean rank, from tests of single tasks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..core.arrays import Array, Bools, Floats, Ints
from ..core.executor import HERE, Executor
from ..core.phrases import Phrase
from .basis import Basis, Field, number, rows_of
from .cautions import about_enormous_errors, about_influence
from .comparing.comparisons import error_matrix, moments
from .comparing.distributions import Bootstrap
from .comparing.draws import (
    Chosen,
    Draws,
    ResampledErrors,
    Singles,
    of_least_beaten,
    of_most_beating,
    rank_bounds,
    rank_frequencies,
    runs_of,
    tiers,
)
from .comparing.reliable import Reliability, needed_resamples
from .comparing.standing import draws_apart, separated_from
from .comparing.step_down import step_down_apart
from .evidence import (
    PROJECTION,
    Caution,
    Competitiveness,
    Evidence,
    Front,
    Prizes,
    Question,
    Standing,
    Verdict,
)
from .overall_units import OverallUnits


def analyze_mean_rank(
    units: OverallUnits, names: Sequence[str], teams: Sequence[str], question: Question
) -> Evidence:
    """Analyze a mean rank of entries called ``names`` [m]."""
    scores = units.scores
    replicates = units.replicates
    executor = units.executor
    tasks = units.task_scores(names)
    bootstrap = Bootstrap.oriented(
        scores.observed, np.ascontiguousarray(replicates.values.T), greater_is_better=False
    )
    field = Field.from_scores(bootstrap.theta, names, question.baselines, teams)
    entry_of = rows_of(tasks[0].names, names)
    behind = [units.behind_all(place) for place in range(len(tasks))]
    bases = [
        _apart(Basis.of_runs(task, question, field, entry_of, executor), is_behind)
        for task, is_behind in zip(tasks, behind, strict=True)
    ]
    named = question.reference_entry
    competing = field.competing
    reference = field.leader if named is None else number(named, names, "reference_entry")
    n = min(task.n for task in tasks)
    rivals = bootstrap.theta[competing]
    fixed = None if named is None else reference
    standing = _standing(bases, behind, field, entry_of, fixed, scores.teams)
    cautions = _cautions(bases)
    return Evidence(
        metric=scores.metric,
        names=tuple(names),
        n=n,
        resamples=bootstrap.resamples,
        undefined=replicates.undefined,
        question=question,
        scores=field.scores(
            scores.observed, bootstrap.theta, reference, several_runs=scores.teams is not None
        ),
        standing=standing,
        verdict=_verdict(question, names, field, standing, cautions),
        rank_frequency=rank_frequencies(bootstrap.replicates, competing),
        competitiveness=replace(
            Competitiveness.from_scores(scores.metric, -rivals, n, {}, {}),
            ppi_percent=None,  # a mean rank has no ideal system
        ),
        cautions=cautions,
        places_in_tasks=scores.places_in_tasks,
    )


def _apart(basis: Basis, behind: Bools) -> Basis:
    """Return the basis of a task in which no test compares who is ``behind`` [k] all others."""
    rivals = basis.field.rivals & ~behind & ~behind[:, None]
    return replace(basis, field=replace(basis.field, rivals=rivals))


def _verdict(
    question: Question,
    names: Sequence[str],
    field: Field,
    standing: Standing,
    cautions: Sequence[Caution],
) -> Verdict:
    """Return who may have the best mean rank: nothing is verified, and no score is corrected."""
    withdrawn = next((caution.code for caution in cautions if caution.weakens), None)
    if np.count_nonzero(field.competing) == 1:
        withdrawn = "alone"
    prizes = None
    if question.prizes is not None:
        prizes = Prizes.unknown(question.prizes, withdrawn or "mean_rank")
    front = None
    if question.costs is not None:
        front = Front.unknown(question.costs_of(names), withdrawn or "mean_rank")
    return Verdict(
        leaders=field.leaders,
        possible_winners=standing.rank_low == 1,
        verified=False,
        unverified_by=None,
        places=None,
        confidence=question.confidence if withdrawn is None else None,
        withdrawn_because=withdrawn,
        corrected=None,
        uncorrected_because="mean_rank",
        prizes=prizes,
        front=front,
    )


def _cautions(bases: Sequence[Basis]) -> tuple[Caution, ...]:
    """Return what is to be said of a mean rank over tasks."""
    confidence = bases[0].question.confidence
    needed = [needed_resamples(basis, len(bases)) for basis in bases]
    most = max((number for number in needed if number is not None), default=None)
    message = Phrase(
        "The mean rank has no interval and no p-value, because it jumps where entries are "
        "close. Its ties follow from tests within the tasks. They keep a truly best entry "
        "with at least {confidence:p} confidence, if no serious caution about a task weakens "
        "it, and often others too. The overall score mean_standardized tells entries apart "
        "more sharply.",
        confidence=round(100 * confidence, 6),
    )
    return (
        *about_influence(bases),
        Caution("amber", "mean_rank", confidence, message),
        *about_enormous_errors(most, bases[0].bootstrap.resamples),
    )


def _standing(
    bases: Sequence[Basis],
    behind: Sequence[Bools],
    field: Field,
    entry_of: Ints,
    fixed: int | None,
    team_of: Ints | None,
) -> Standing:
    """Return what one test of all runs in all tasks says of the entries, against one if ``fixed``.

    ``bases`` are those of the runs in every task, and ``behind`` [k] marks for each those that are
    behind all others without a test; ``entry_of`` [k] are the entries for their teams, and
    ``team_of`` [m] the numbers of the entries' teams, None if each is its own.
    """
    entries = np.arange(field.order.size)
    first = bases[0]
    competing = field.competing
    draws = []
    fixed_draws = []  # of pairs with a baseline, or with the reference entry
    outright = []
    for task, absent in zip(bases, behind, strict=True):
        pairs = moments(task.bootstrap, *task.field.pairs(), executor=task.executor)
        errors = error_matrix(task.observed.size, pairs)
        reliability = Reliability.from_basis(task, errors, len(bases))
        of_competing, with_fixed_entry = draws_apart(task, errors, reliability.family)
        draws.append(of_competing)
        fixed_draws.append(with_fixed_entry)
        outright.append(reliability.shown(task)[0] | (absent & ~absent[:, None]))
    alpha = first.question.alpha
    executor = first.executor
    by_d = np.array(outright)
    of_runs = shown_better(draws, competing, alpha, executor, entry_of, by_d, team_of, fixed_draws)
    teams = runs_of(entry_of, entries.size)
    above = of_least_beaten(of_runs, teams, competing)
    below = of_most_beating(of_runs, teams, competing)
    joint_low, joint_high = rank_bounds(above, below, competing)
    # A baseline that is shown to be better than the leader is ahead of it, not tied.
    could_be_best = np.logical_not(above[competing].any(axis=0))
    could_be_best &= competing | ~above[:, field.leader]
    tied = could_be_best if fixed is None else np.logical_not(above[fixed] | above[:, fixed])
    winners = could_be_best & competing
    every = [*draws, *fixed_draws]
    return Standing(
        rule=PROJECTION,
        tied={PROJECTION: tied},
        rank_low=np.where(competing, np.where(winners, 1, 2), 0),
        rank_high=np.where(competing, np.count_nonzero(competing), 0),
        joint_low=joint_low,
        joint_high=joint_high,
        tier=tiers(field.order, above, competing),
        separated_from=separated_from(above & competing[:, None], field.order, field.leader),
        better=above,
        studentized=next((of_task.why for of_task in every if of_task.why is not None), None),
        studentized_pairs=sum(
            _studentized(*of_task, entries) for of_task in zip(draws, fixed_draws, strict=True)
        ),
    )


def _studentized(draws: Draws, fixed: Draws, entries: Ints) -> int:
    """Return how many pairs of ``entries`` have a second scale in one task."""
    block = np.ix_(entries, entries)
    pairs = draws.has_second_scale[block] | fixed.has_second_scale[block]
    return int(np.count_nonzero(pairs)) // 2


# Projection ---------------------------------------------------------------------------------------

# A mean rank jumps where two entries are close, so its bootstrap distribution is no guide. But
# tests within the tasks bound the ranks, and the bounds of the tasks add up.
#
# Claim. Let a relation k ≻ i of one task contain only pairs with θ_k > θ_i, closed transitively.
# Ties share the average rank: rank(i) = ½ + Σ_l s(θ_l − θ_i) over all l, with s = 1, ½ or 0 where
# the difference is positive, zero or negative. Then rank(i) − rank(k) is at least
#
#     LB(i, k) = 1 + #{l: k ≻ l ≻ i}                              if k ≻ i,
#     LB(i, k) = −(1 + #{l: neither k ≻ l nor l ≻ i})             otherwise, over l ≠ i, k.
#
# Proof. The difference is the sum over l of d_l = s(θ_l − θ_i) − s(θ_l − θ_k). As s never falls,
# every d_l ≥ 0 where θ_k ≥ θ_i, and every d_l ≤ 0 where θ_i ≥ θ_k; none exceeds 1 in size.
# If k ≻ i, then θ_k > θ_i. The terms of k and of i are ½ each, and that of every l with k ≻ l ≻ i
# is 1, because θ_k > θ_l > θ_i. Otherwise, if θ_k ≥ θ_i, the difference is at least 0. If
# θ_i > θ_k, the terms of k and of i are −½ each. That of another l is −1 at least, and 0 unless
# θ_i ≥ θ_l ≥ θ_k, where neither k ≻ l nor l ≻ i. ∎
#
# The same bounds hold where ties share the better rank. They do not hold for dense ranks, where
# the entries between two others may take a single place.
#
# One step-down test (algorithm B) over the ordered pairs of all tasks together shows only true
# relations with confidence 1 − α, and true relations stay true when they are closed. So with this
# confidence all bounds hold at once. Then k has a better mean rank than i wherever the sum of
# LB(i, k) over the tasks is positive. Because the scores themselves satisfy every relation that
# is shown, the entry with the best observed mean rank is never dropped.
#
# To what this test rejects in a task come the pairs that rule D′ shows there (`reliable`), before
# the relation is closed: no test sees through the errors that hide them. D′ has a level of its
# own. With T tasks it asks for α / (2T(m − 1)), so that its pairs with one entry, in all tasks,
# together have the level α/2 that they have in one. It acts only where a difference has heavy
# tails.
#
# An entry that lacks a task whose metric has no worst value is behind all who took part in it, so
# there k ≻ i is certain for such an entry i and any other k; entries that lack it are level.
#
# A baseline does not count in the ranks, its own included: the sum is over the entries that can
# win. So if one of the pair is a baseline, only the other's term is ½ or −½. The first case is
# therefore ½ + #{l: k ≻ l ≻ i}, and l are entries that can win; the second stays as it is.
#
# Where the runs of a team are all shown, a rank counts the other teams, each by its best run:
# rank(i) = 1 + Σ_L s(θ_L − θ_i), L not the team of i, θ_L its best score. The sets are then of
# teams L, with "k ≻ every run of L" for k ≻ l, and "some run of L ≻ i" for l ≻ i. If k ≻ i,
# rank(i) counts the team of k, but rank(k) may count the team of i by another run. So 1 is taken
# off unless k ≻ every run of that team. Otherwise the team of i and each L of the second set take
# 1 off at most, as before.
#
# Where a team sent several runs and one stands for it, the runs of all teams take part in the
# test of all tasks. Two runs of different teams are compared as if each stood for its team: l are
# the entries that stand for the others, which the test covers, whichever of their runs were
# selected.


def shown_better(
    tasks: Sequence[Draws],
    competing: Bools,
    alpha: float,
    executor: Executor = HERE,
    entry_of: Ints | None = None,
    outright: Bools | None = None,
    teams: Ints | None = None,
    fixed: Sequence[Draws] | None = None,
) -> Bools:
    """Return which runs [k, k] are shown to have a better mean rank: the first than the second.

    ``tasks`` are the draws of the k runs in every task, on resamples that belong together. The
    first m runs are the entries, and ``competing`` [m] marks those that can win; ``entry_of`` [k]
    are the entries that stand for the runs' teams, None if every run is an entry. ``outright``
    [T, k, k] is what rule D′ shows in every task. ``teams`` [m] are the numbers of the entries'
    teams, None if every entry is a team of its own; else every run is an entry. Pairs with a
    baseline are a family of their own, and two baselines are not compared. Their draws are those
    of ``fixed``, None if ``tasks`` have them.
    """
    entry_of = np.arange(competing.size) if entry_of is None else entry_of
    can_win = competing[entry_of]
    among = can_win[:, None] & can_win[None, :]
    mixed = can_win[:, None] ^ can_win[None, :]
    in_all_tasks = np.tile(can_win, len(tasks))
    draws = stacked(tasks)
    beside = draws if fixed is None or can_win.all() else stacked(fixed)
    families = step_down_apart(draws, beside, in_all_tasks, alpha, executor)
    rejected = families.p_better <= alpha
    size = entry_of.size
    blocks = [slice(number * size, (number + 1) * size) for number in range(len(tasks))]
    of_tasks = np.array([rejected[block, block] for block in blocks])
    if outright is not None:
        of_tasks |= outright
    better = _projected(of_tasks & among, competing, entry_of, teams)
    if competing.all():
        return better
    with_baseline = _projected(of_tasks & (among | mixed), competing, entry_of, teams)
    return np.where(among, better, mixed & with_baseline)


def _projected(rejected: Bools, competing: Bools, entry_of: Ints, teams: Ints | None) -> Bools:
    """Return where the sum over tasks of LB(i, k) is positive, [k, i]; ``rejected`` [T, k, i]."""
    bounds = sum(lower_bounds(closure(task), competing, entry_of, teams) for task in rejected)
    return np.asarray(bounds > 0)


def closure(relation: Bools) -> Bools:
    """Return the transitive closure of a relation [m, m]."""
    while True:
        step = relation.astype(np.float32)
        closed = relation | (step @ step > 0)
        if (closed == relation).all():
            return closed
        relation = closed


def lower_bounds(
    better: Bools, competing: Bools, entry_of: Ints, teams: Ints | None = None
) -> Floats:
    """Return LB [k, i], the least that rank(i) − rank(k) can be; see "Projection" above.

    ``better`` [k, i] is a transitive relation of runs; the rest is as in `shown_better`. The result
    is 0 for two runs of one team.
    """
    if teams is not None:
        return _bounds_of_teams(better, competing, teams)
    can_win = competing[entry_of]
    two_rivals = can_win[:, None] & can_win[None, :]
    between = _between(better.astype(np.float64), competing, entry_of)
    neither = _between((~better).astype(np.float64), competing, entry_of)
    bounds = np.where(better, between + np.where(two_rivals, 1.0, 0.5), -(1.0 + neither))
    bounds[entry_of[:, None] == entry_of[None, :]] = 0.0
    return bounds


def _bounds_of_teams(better: Bools, competing: Bools, teams: Ints) -> Floats:
    """Return LB [k, i] where ranks count teams, of which all runs are shown."""
    members = (np.unique(teams[competing])[:, None] == teams) & competing  # [T, m]
    count = members.astype(np.float64)
    of_team = members.T
    some = count @ better > 0  # [T, i] some run of the team is better than i
    every = better @ count.T == count.sum(axis=1)  # [k, T] k is better than every run of the team
    between = (every & ~of_team).astype(np.float64) @ (some & ~members)
    neither = (~every & ~of_team).astype(np.float64) @ (~some & ~members)
    two_rivals = competing[:, None] & competing[None, :]
    ahead = ~every @ count  # [k, i] a run of the team of i may be better than k
    bounds = np.where(better, between + np.where(two_rivals, 1.0, 0.5) - ahead, -(1.0 + neither))
    bounds[teams[:, None] == teams[None, :]] = 0.0
    return np.asarray(bounds)


def _between(relation: Floats, competing: Bools, entry_of: Ints) -> Floats:
    """Count the competing entries l with a relation of k to l and of l to i, [k, i].

    The entries that stand for the teams of k and i themselves are not among them.
    """
    runs = np.arange(entry_of.size)
    counts = competing[entry_of].astype(np.float64)
    entries = slice(competing.size)
    sums = (relation[:, entries] * competing) @ relation[entries]
    sums -= relation[:, entry_of] * (relation[entry_of, runs] * counts)
    sums -= (relation[runs, entry_of] * counts)[:, None] * relation[entry_of]
    return np.asarray(sums)


# Stacked draws ------------------------------------------------------------------------------------

# The draws of several tasks as those of one, in which only pairs of one task are rivals.


def stacked(tasks: Sequence[Draws]) -> Draws:
    """Return the draws of k runs in T tasks, on the same number of resamples, as those of T·k."""
    return Draws(
        _on_diagonal([task.statistics for task in tasks]),
        np.concatenate([task.deviations.astype(np.float64) * task.unit for task in tasks]),
        _on_diagonal([task.errors for task in tasks]),
        _on_diagonal([task.rivals for task in tasks]),
        _errors_of(tasks),
        reliable=_on_diagonal([task.in_maximum for task in tasks]),
    )


def _errors_of(tasks: Sequence[Draws]) -> ResampledErrors | None:
    """Put the resampled standard errors of tasks together; None if no task has any."""
    resampled = [task.resampled if task.studentized else None for task in tasks]
    sources = [errors_of_task for errors_of_task in resampled if errors_of_task is not None]
    if not sources:
        return None
    errors = []
    of_rows = []
    starts = [0]  # the first row of each source, and their number
    for task, errors_of_task in zip(tasks, resampled, strict=True):
        errors.append(task.errors if errors_of_task is None else errors_of_task.errors)
        row = np.full(task.errors.shape, -1, np.intp)
        if errors_of_task is not None:
            row = np.where(errors_of_task.row >= 0, errors_of_task.row + starts[-1], -1)
            starts.append(int(row.max()) + 1)
        of_rows.append(row)

    def ratios(rows: Chosen, resamples: Chosen) -> Singles:
        numbers = np.arange(starts[-1])[rows]
        source = np.searchsorted(starts, numbers, side="right") - 1
        parts = []
        for place in np.unique(source) if source.size else [0]:
            rows_of_source = numbers[source == place] - starts[place]
            parts.append(sources[place].ratios(rows_of_source, resamples))
        together = np.concatenate(parts)
        order = np.argsort(source, kind="stable")
        return together if len(parts) == 1 else together[np.argsort(order)]

    row = _on_diagonal(of_rows, elsewhere=-1)
    return ResampledErrors(sources[0].reason, _on_diagonal(errors), row, ratios)


def _on_diagonal(blocks: Sequence[Array], elsewhere: int = 0) -> Array:
    """Return a matrix with these blocks [k, k] on its diagonal."""
    size = len(blocks[0])
    matrix = np.full((size * len(blocks),) * 2, elsewhere, blocks[0].dtype)
    for place, block in enumerate(blocks):
        rows = slice(place * size, (place + 1) * size)
        matrix[rows, rows] = block
    return matrix
