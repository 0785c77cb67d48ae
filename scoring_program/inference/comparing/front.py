"""Who may be the best for its cost: the front of cost against score.

An entry i is truly best for its cost if no entry that costs no more is better. It is off the front
where such an entry j is shown to be better: T̃_ji > max(c_i, 0), with c_i the quantile of algorithm
D over the family {j: cost_j ≤ cost_i} alone. So a given entry that is truly best for its cost is
kept with the stated confidence, as by algorithm D a given best one is; a rival that costs more
lengthens no quantile. The cheapest entry has no family, so it is always on the front, and an equal
score at a lower cost excludes nobody. Pairs that are not reliable are judged alone (`reliable`),
and α_i counts those in the family.

Costs that were measured on the same units vary like scores. Then j excludes i only where it is
shown both better and cheaper, and c_i is the quantile of one maximum over both statistics. This
keeps the level: an entry i that is truly best for its cost is, beside every j, as good or as cheap,
so whoever excludes it has at least one of the two statistics above c_i by mistake. With a quantile
for each of the two, it is kept in .923 of simulated competitions instead of .95, and with that of
the smaller statistic, in .57. Where the difference of two costs never varies, its sign is known,
and the pair is one of fixed costs.

Source of the quantile: Mogstad, Romano, Shaikh and Wilhelm 2024 (`step_down`); of an exclusion
that needs both: Berger 1982, "Multiparameter Hypothesis Testing and Acceptance Sampling",
Technometrics 24.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import Bools, Floats, Ints
from ..basis import Basis
from .comparisons import moments
from .draws import Draws
from .reliable import Reliability
from .standing import Contest, reliable_draws
from .step_down import critical_value, shown_above


def better_at_no_higher_cost(contest: Contest) -> tuple[Bools, Bools]:
    """Return which runs are shown better at no higher cost than others, [k, k] (better, worse).

    The second matrix holds the pairs of which it is certain that the first one costs no more. A run
    without a cost, as a baseline may be, excludes nobody.
    """
    scores = contest.every.scores
    if scores.costs is None:
        costs = contest.basis.question.costs_of(scores.names)
        return _by_fixed_costs(contest, costs), costs[:, None] <= costs
    measured = _MeasuredCosts.from_contest(contest)
    competing = np.flatnonzero(contest.competing)
    no_dearer = np.zeros_like(contest.shown_alone)
    no_dearer[np.ix_(competing, competing)] = measured.no_dearer
    return _by_measured_costs(contest, measured), no_dearer


def _by_fixed_costs(contest: Contest, costs: Floats) -> Bools:
    """Return who is shown better than whom at no higher cost, of the costs [k] of runs."""
    better = np.zeros_like(contest.shown_alone)
    reliability = contest.reliability
    for run in np.flatnonzero(contest.competing).tolist():
        affordable = contest.competing & (costs <= costs[run])
        alone = np.count_nonzero(reliability.acts[run] & affordable)
        level = contest.basis.question.alpha - alone * reliability.level
        better[shown_above(contest.draws, run, affordable, level), run] = True
        better[:, run] |= contest.shown_alone[:, run] & affordable
    return better


@dataclass(frozen=True, eq=False)
class _MeasuredCosts:
    """What the same resamples say of the costs of the competing runs; "better" is cheaper.

    Every matrix is indexed (cheaper, dearer).
    """

    draws: Draws
    reliability: Reliability
    shown_alone: Bools
    no_dearer: Bools  # pairs whose difference never varies: the first costs no more

    @classmethod
    def from_contest(cls, contest: Contest) -> _MeasuredCosts:
        """Draw the costs of the runs that compete in a contest, in its numbers of these."""
        costs = contest.every.scores.costs
        assert costs is not None
        competing = np.flatnonzero(contest.competing)
        question = contest.basis.question
        basis = Basis.of_runs(
            costs.keep(competing),
            question,
            contest.every.field,
            competing,
            contest.basis.executor,
        )
        pairs = moments(basis.bootstrap, *basis.field.pairs(), executor=basis.executor)
        reliability, draws = reliable_draws(basis, pairs)
        by_counting, by_mcnemar = reliability.shown(basis)
        theta = basis.bootstrap.theta
        no_dearer = (draws.errors == 0) & (theta[:, None] >= theta)
        return cls(draws, reliability, by_counting | by_mcnemar, no_dearer)


def _by_measured_costs(contest: Contest, costs: _MeasuredCosts) -> Bools:
    """Return who is shown both better and cheaper than whom."""
    better = np.zeros_like(contest.shown_alone)
    competing = np.flatnonzero(contest.competing)
    draws = contest.draws.take(competing)
    acts = contest.reliability.acts[np.ix_(competing, competing)]
    alone = contest.shown_alone[np.ix_(competing, competing)]
    level = contest.reliability.level
    varying = costs.draws.errors > 0
    cheaper_tested = costs.draws.in_maximum
    cheaper_alone = costs.reliability.acts & varying
    for place, run in enumerate(competing.tolist()):
        # Who could be shown better, and who cheaper.
        may_be_better = draws.in_maximum[:, place] | acts[:, place]
        may_be_cheaper = cheaper_tested | cheaper_alone | costs.no_dearer
        may_exclude = may_be_better & may_be_cheaper[:, place]
        by_score = np.flatnonzero(draws.in_maximum[:, place] & may_exclude)
        by_cost = np.flatnonzero(cheaper_tested[:, place] & may_exclude)
        judged_alone = np.count_nonzero(acts[:, place] & may_exclude)
        judged_alone += np.count_nonzero(cheaper_alone[:, place] & may_exclude)
        confidence = 1 - (contest.basis.question.alpha - judged_alone * level)
        largest = np.maximum(
            _largest(draws, place, by_score), _largest(costs.draws, place, by_cost)
        )
        least = max(critical_value(largest, confidence), 0.0)
        is_better = alone[:, place].copy()
        is_better[by_score] |= draws.thresholds[by_score, place] > least
        is_cheaper = (costs.shown_alone & varying)[:, place] | costs.no_dearer[:, place]
        is_cheaper[by_cost] |= costs.draws.thresholds[by_cost, place] > least
        better[competing, run] = is_better & is_cheaper & may_exclude
    return better


def _largest(draws: Draws, entry: int, rivals: Ints) -> Floats:
    """Return the largest draw [B] of the rivals over an entry; −∞ without rivals."""
    largest = np.full(draws.resamples, -np.inf)
    if rivals.size:
        for resamples in draws.blocks():
            drawn = draws.trails(entry, rivals, resamples)
            largest[resamples] = drawn.max(axis=0)
    return largest
