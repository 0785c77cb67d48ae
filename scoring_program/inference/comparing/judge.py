"""The verdict on one metric: one record, from which everything that people read follows.

It is about teams. Of a team of several runs, all take part in the tests; the team is a possible
winner if one of its runs is, and the entry that stands for it is its best run that is shown.

The possible winners are those of algorithm D, or of the chosen tie rule. By max-T, a sole winner
and the first K places may be verified beyond it (`standing`), and every entry has a bar: how
far behind the best of the others it truly is, at least and at most. Sources of bars: Hsu 1981,
"Simultaneous Confidence Intervals for All Distances from the 'Best'", Annals of Statistics 9;
Edwards and Hsu 1983, "Multiple Comparisons with the Best Treatment", Journal of the American
Statistical Association 78.

Entries are numbered as in `Evidence`; T teams are in the order of ``_Teams.entries``. Matrices are
indexed (better, worse), and scores are oriented so that higher is better.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.arrays import Array, Bools, Ints
from ...core.methods import VALID_EVERYWHERE, VALID_TIE_RULES
from ..basis import Basis
from ..evidence import Caution, Distances, Front, Prizes, Standing, Verdict
from .corrected import leader_corrected
from .draws import of_least_beaten, of_most_beating, rank_bounds
from .front import better_at_no_higher_cost
from .prizes import settled
from .standing import Contest, References, positive

#: Cautions beside which counted p-values are too small.
DECIDED_BY_FEW = ("few_examples", "heavy_tails")
#: Why a tie rule states no confidence, whatever the cautions.
NO_CONFIDENCE_SET = ("rule", "runs", "few")


# Long because the verdict and the standing, which must agree, are made in one place.
def judge(
    contest: Contest,
    references: References,
    cautions: Sequence[Caution],
    plain: tuple[float, float],
) -> tuple[Verdict, Standing, Distances | None]:
    """Return the verdict, the standing that agrees with it, and the bars; None without any.

    The ``references`` say who is tied by each rule; ``plain`` is the interval of the leader's
    score. Only by max-T are there bars, and only where no serious caution withdraws the claim are
    the sole leader verified as the winner, and the first ``prizes`` as the first.
    """
    basis = contest.basis
    question = contest.basis.question
    teams = _Teams(contest)
    by_max_t = question.tie_rule == "max_t"
    best = teams.best
    leads = teams.leads
    first = None
    withdrawn = _withdrawn_because(basis, teams, cautions)
    # By how much the winner, and the first teams [T], are ahead of the others; 0 where nothing is
    # verified. Of the first, none ties with another team.
    winner_by = first_by = 0.0
    rival = None
    if by_max_t:
        winners = np.array([contest.may_be_best[runs].any() for runs in teams.runs])
        order = np.argsort(-best, kind="stable")
        places = question.prizes
        if withdrawn is None and np.count_nonzero(leads) == 1 < best.size:
            least, rival = teams.least_ahead(order[:1], order[1:])
            winner_by = max(least, 0.0)
        if withdrawn is None and places is not None and 1 < places < best.size:
            least, _ = teams.least_ahead(order[:places], order[places:])
            if least > 0:
                first = best >= best[order[places - 1]]
                first_by = least
        if winner_by > 0:
            winners &= leads
    else:
        winners = references.tied_with_leader[question.tie_rule][teams.entries] | leads
    if first is not None:
        winners &= first
    teams.winners = winners
    teams.first = first
    low, high = teams.ranges()
    joint_low, joint_high = teams.joint_ranks()
    none_because = withdrawn if by_max_t else withdrawn or "rule"
    prizes, low, high = teams.prizes((joint_low, joint_high), (low, high), none_because)
    why_studentized, studentized_pairs = contest.studentized
    corrected, reason = leader_corrected(contest, teams.runs, leads, plain, withdrawn)
    front = teams.front(none_because)
    verdict = Verdict(
        leaders=tuple(teams.entries[leads].tolist()),
        possible_winners=teams.scatter(winners, False),
        verified=winner_by > 0,
        unverified_by=None if rival is None or winner_by > 0 else int(teams.entries[rival]),
        places=None if first is None else question.prizes,
        confidence=question.confidence if withdrawn is None else None,
        withdrawn_because=withdrawn,
        corrected=corrected,
        uncorrected_because=reason,
        prizes=prizes,
        front=front,
    )
    standing = Standing(
        rule=question.tie_rule,
        tied=references.tied,
        rank_low=teams.scatter(low, 0),
        rank_high=teams.scatter(high, 0),
        joint_low=joint_low,
        joint_high=joint_high,
        tier=contest.tier,
        separated_from=teams.separated_from(),
        better=teams.named(),
        studentized=why_studentized,
        studentized_pairs=studentized_pairs,
    )
    bars = teams.bars(winner_by, first_by) if by_max_t and best.size > 1 else None
    return verdict, standing, bars


class _Teams:
    """The T teams that compete, each with the entry that stands for it and all of its runs."""

    winners: Bools  # [T] who may be the best
    first: Bools | None  # [T] who is verified to be among the first

    def __init__(self, contest: Contest) -> None:
        every = contest.every.field
        field = contest.basis.field
        first_of = np.logical_not(every.rivals).argmax(axis=1)  # the first run of the same team
        stands: dict[int, int] = {}
        for entry in field.order[field.competing[field.order]].tolist():
            stands.setdefault(int(first_of[entry]), entry)
        runs = [np.flatnonzero(first_of == first) for first in stands]
        theta = contest.theta
        self.contest = contest
        self.size = contest.basis.observed.size
        self.entries = np.array(list(stands.values()), np.intp)  # [T]
        # Of each team, best first; shown or not.
        self.runs = [team_runs[np.argsort(-theta[team_runs], kind="stable")] for team_runs in runs]
        self.best = np.array([theta[team_runs[0]] for team_runs in self.runs])
        self.leads = self.best == self.best.max()

    def scatter(self, values: Array, missing: float) -> Any:
        """Return an array [m] over entries that holds ``values`` [T] of the teams."""
        scattered = np.full(self.size, missing, values.dtype)
        scattered[self.entries] = values
        return scattered

    def separated_from(self) -> Ints:
        """Return who shows that each entry [m] is not the best; −1 stands for possible winners.

        Where only the verdict shows it, that is the team that leads, if by a run that is not shown.
        """
        by_max_t = self.contest.basis.question.tie_rule == "max_t"
        leader = int(self.entries[self.leads][0]) if by_max_t else self.contest.basis.field.leader
        separated = self.contest.separated_from.copy()
        of_teams = separated[self.entries]
        of_teams[of_teams == -1] = leader
        of_teams[self.winners] = -1
        separated[self.entries] = of_teams
        return separated

    def least_ahead(self, first: Ints, behind: Ints) -> tuple[float, int]:
        """Return by how much all of the teams ``first`` are ahead of ``behind``, and of whom so."""
        rivals = np.concatenate([self.runs[team] for team in behind])
        of_rival = np.repeat(np.arange(behind.size), [self.runs[team].size for team in behind])
        least = np.full(behind.size, np.inf)
        for team in first:
            np.minimum.at(least, of_rival, self.contest.ahead_by(self.runs[team], rivals))
        return float(least.min()), int(behind[least.argmin()])

    def ranges(self) -> tuple[Ints, Ints]:
        """Return the rank ranges [T] of algorithm C that agree with the verdict: their closure.

        The first two clauses widen a range or restate who may win; the others narrow it on the
        strength of the possible winners and of the verified places. The last clause, which makes
        places agree with prizes, is in `prizes`.
        """
        winners = self.winners
        first = self.first
        every = np.ones(len(self.runs), np.bool_)
        above = of_least_beaten(self.contest.above, self.runs, every)
        below = of_most_beating(self.contest.below, self.runs, every)
        low, high = rank_bounds(above, below, every)
        count = int(np.count_nonzero(winners))
        if self.contest.basis.question.tie_rule in VALID_TIE_RULES:
            low = np.where(winners, 1, np.maximum(low, 2))
            high = np.where(winners, np.maximum(high, count), high)
            high = np.where(winners & (count == 1), 1, high)
        if first is not None:
            places = int(np.count_nonzero(first))
            high = np.where(first, np.minimum(high, places), high)
            low = np.where(first, low, np.maximum(low, places + 1))
        return low, np.maximum(high, low)

    def joint_ranks(self) -> tuple[Ints, Ints]:
        """Return the joint rank sets [m] of algorithm C′, among teams; 0 for further runs."""
        baselines = self.contest.basis.field.baselines
        runs = [*self.runs, *(np.array([entry]) for entry in baselines)]
        rows = [*self.entries, *baselines]
        competing = np.arange(len(runs)) < len(self.runs)
        above = of_least_beaten(self.contest.joint, runs, competing)
        below = of_most_beating(self.contest.joint, runs, competing)
        low = np.zeros(self.size, np.intp)
        high = np.zeros(self.size, np.intp)
        low[rows], high[rows] = rank_bounds(above, below, competing)
        return low, high

    def prizes(
        self, joint: tuple[Ints, Ints], ranges: tuple[Ints, Ints], none_because: str | None
    ) -> tuple[Prizes | None, Ints, Ints]:
        """Return what is settled of the prizes, and the ends [T] of rank ranges that agree.

        ``joint`` are the ends [m] of the joint rank sets, ``ranges`` [T] those of the rank ranges,
        and ``none_because`` is why nothing is settled.
        """
        question = self.contest.basis.question
        places = question.prizes
        if places is None:
            return None, *ranges
        if none_because is not None:
            return Prizes.unknown(places, none_because), *ranges
        low, high = joint
        of_teams = (low[self.entries], high[self.entries])
        outcome = settled(places, self.winners, self.first, of_teams, ranges)
        prizes = Prizes(
            places,
            sure=self.scatter(outcome.sure, False),
            open=self.scatter(~(outcome.sure | outcome.out), False),
            out=self.scatter(outcome.out, False),
            confidence=question.confidence,
            reason=None,
        )
        return prizes, outcome.low, outcome.high

    def front(self, none_because: str | None) -> Front | None:
        """Return who may be the best for its cost, None where the question has no costs.

        ``none_because`` is why nothing can be said. The front agrees with the verdict by two
        clauses. A possible winner may be the best at any cost, and so for its own. Whoever is worse
        than another by a pair that may be named, and certainly no cheaper, is not.
        """
        basis = self.contest.basis
        if basis.question.costs is None:
            return None
        names = basis.scores.names
        costs = basis.question.costs_of(names)
        measured = basis.tested.scores.costs is not None
        if none_because is not None:
            return Front.unknown(costs, none_because, measured=measured)
        better, no_dearer = better_at_no_higher_cost(self.contest)
        excluders = of_least_beaten(better, self.runs, np.ones(len(self.runs), np.bool_))
        pairs = np.ix_(self.entries, self.entries)
        excluders |= self.named()[pairs] & no_dearer[pairs]
        on = self.winners | ~excluders.any(axis=0)
        # Of those who rule an entry out, one on the front is named first, and then the best.
        first = np.lexsort((-self.best, ~on))
        by = first[excluders[first].argmax(axis=0)]
        return Front(
            costs,
            measured,
            on=self.scatter(on, False),
            excluded_by=self.scatter(np.where(on, -1, self.entries[by]), -1),
            confidence=basis.question.confidence,
            reason=None,
        )

    def bars(self, winner_by: float, first_by: float) -> Distances:
        """Return the bars of the entries; a team's are the shortest of its runs."""
        contest = self.contest
        winners = self.winners
        margin = self.contest.basis.question.margin
        near = np.array([contest.near_ends[runs].min() for runs in self.runs])
        if winner_by > 0:
            near = np.where(self.leads, 0.0, np.maximum(near, winner_by))
        if self.first is not None:
            near = np.where(self.first, near, np.maximum(near, first_by))
        near = np.where(winners, 0.0, positive(near))
        of_winners = np.zeros(contest.theta.size, np.bool_)
        for runs, may_win in zip(self.runs, winners, strict=True):
            of_winners[runs] = may_win
        far_of_runs = contest.far_ends(of_winners & contest.may_be_best)
        far = np.maximum(near, [far_of_runs[runs].min() for runs in self.runs])
        if np.count_nonzero(winners) == 1:
            far = np.where(winners, 0.0, far)
        near = self.scatter(near, np.nan)
        far = self.scatter(far, np.nan)
        return Distances(near, far, None if margin is None else far <= margin)

    def named(self) -> Bools:
        """Return the pairs of entries [m, m] that may be named: better, worse.

        They are those of algorithm B, without any whose worse entry is a possible winner, and those
        that the verdict implies. A team is better than another if one of its runs is better than
        all of the other's.
        """
        winners = self.winners
        joint = self.contest.joint
        ahead = np.array([joint[:, runs].all(axis=1) for runs in self.runs]).T  # [run, team]
        better = np.array([ahead[runs].any(axis=0) for runs in self.runs])
        np.fill_diagonal(better, False)
        better &= ~winners
        if np.count_nonzero(winners) == 1:
            better |= winners[:, None] & ~winners
        if self.first is not None:
            better |= self.first[:, None] & ~self.first
        named = np.zeros((self.size, self.size), np.bool_)
        named[np.ix_(self.entries, self.entries)] = better
        return named


def _withdrawn_because(basis: Basis, teams: _Teams, cautions: Sequence[Caution]) -> str | None:
    """Return why the possible winners have no stated confidence; None if they have.

    Max-T allows for few examples, heavy tails and several runs. Corrected p-values do not.
    """
    rule = basis.question.tie_rule
    if len(teams.runs) == 1:
        return "alone"
    if rule not in VALID_TIE_RULES:
        return "rule"
    if weakening := [caution.code for caution in cautions if caution.weakens]:
        return weakening[0]
    if rule in VALID_EVERYWHERE:
        return None
    if any(runs.size > 1 for runs in teams.runs):
        return "runs"
    return "few" if any(caution.code in DECIDED_BY_FEW for caution in cautions) else None
