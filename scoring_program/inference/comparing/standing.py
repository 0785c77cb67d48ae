"""What the tests show about the entries: ranks, comparisons with a reference, and who is tied.

Where a team sent several runs and one stands for it, every run is tested (`draws.runs_of`). A
`Contest` says what is shown of all runs, and by how much one is certainly ahead of others; this
verifies a winner and the prize places.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from statistics import NormalDist

import numpy as np

from ...core.arrays import Bools, Floats, Ints
from ...core.executor import HERE
from ..basis import Basis, number
from ..evidence import CORRECTIONS, Differences, Moments
from .comparisons import (
    adjust,
    compare,
    error_matrix,
    moments,
    one_sided_behind,
    two_sided_bootstrap,
)
from .draws import (
    Draws,
    ResampledErrors,
    identical_adjacent,
    of_least_beaten,
    of_most_beating,
    rank_bounds,
    runs_of,
    studentize,
    tiers,
    unshrunk,
)
from .reliable import FEW_DIFFER, Reliability
from .step_down import StepDown, against_reference, critical_value, step_down_apart
from .studentized import resampled_errors

# Contest ------------------------------------------------------------------------------------------

# The leader L is verified as the only winner if T̃_Lj > q_Lj for every rival j. That L leads was
# selected on the same data, so each comparison has level α/2: q = z_{1−α/2}. A wrong winner is
# verified with probability α at most, for any covariance of the scores, if their differences are
# normal with the standard errors that are used. Sources: Gutmann and Maymin 1987, "Is the selected
# population the best?", Annals of Statistics 15; Hung and Fithian 2019, "Rank verification for
# exponential families", Annals of Statistics 47; Sood 2025, arXiv:2503.01065.
#
# The first K are verified if every one of them is ahead of every other entry in the same way.
# Proof that a wrong set is verified with probability α at most: let S be the first K that the
# data select, A the true ones, S ≠ A. Some j in S \ A and i in A \ S have θ_j ≤ θ_i. On a line on
# which only T_ji varies, S is selected where T_ji > t₁ ≥ 0, and verified at most where T_ji >
# max(z, t₁ + z/ρ). Φ̄(t + z) / Φ̄(t) falls in t and is α at t = 0 for the two-sided z; so P(S
# verified) ≤ α·P(S selected), and the sum over S is α at most.
#
# Where the draws of the competition are studentized, q is the larger of z and the quantile of the
# pair's draws. Where teams have several runs, the best of a team's runs was selected, too: q is
# the quantile of the maximum over all runs of the team, shown or not. With z, a team of 50 runs
# is wrongly verified in .31 of simulated competitions, with this quantile in .026.


class Contest:
    """What the tests show of k runs, and of the m entries among them, which come first.

    Matrices are (better, worse). If an entry stands for a team of several runs, what is said of it
    is true of the team. ``basis`` is that of the entries; ``draws`` are those of all runs that
    compete, and ``fixed`` those of pairs with an entry that was fixed in advance, which change
    nothing of the others. ``steps`` is what max-T shows.
    """

    def __init__(
        self, basis: Basis, draws: Draws, fixed: Draws, reliability: Reliability, steps: StepDown
    ) -> None:
        self.basis = basis
        self.draws = draws
        self.reliability = reliability
        field = basis.field
        alpha = basis.question.alpha
        m = basis.observed.size
        every = self.every = basis.tested
        self.theta = every.bootstrap.theta  # the oriented scores [k]
        competing = self.competing = every.field.competing  # which runs [k] can win
        # What tests of single pairs show, [k, k]: rule D′, by which the worse is behind outright
        # and so tied under no rule, and McNemar's test; and either of them.
        self.alone = reliability.shown(every)
        self.shown_alone = self.alone[0] | self.alone[1]
        # Which runs are shown better (algorithm C, the families of the worse; single tests), and
        # which worse (the families of the better).
        self.above = steps.above | (self.shown_alone & competing[:, None])
        self.below = steps.below | (self.shown_alone & competing[None, :])
        self.joint = steps.p_better <= alpha  # by the family of all pairs (algorithm B)
        # Which runs [k] algorithm D cannot rule out as the best.
        self.may_be_best = competing & ~self.above[competing].any(axis=0)
        # c̃_i·se_ij [k, k] of (i, j), the critical values in the metric's units.
        self.widths = self.in_units(np.broadcast_to(steps.critical[:, None], draws.errors.shape))
        # Of the entries: their draws, the p-values [m, m] of all pairs at once (algorithm B), and
        # which are shown better than another one.
        self.entry_draws = draws if every is basis else draws.take(np.arange(m))
        self.fixed = fixed if every is basis else fixed.take(np.arange(m))
        self.p_better = steps.p_better[:m, :m]
        teams = runs_of(basis.entry_of, m)
        above_entries = of_least_beaten(self.above, teams, field.competing)
        # The ends of the entries' rank ranges, [m] each (algorithm C).
        below_entries = of_most_beating(self.below, teams, field.competing)
        self.rank_range = rank_bounds(above_entries, below_entries, field.competing)
        # In which pairs of entries [m, m] the worse is behind outright.
        self.outright = of_least_beaten(self.alone[0], teams, field.competing)
        # The entries' tiers, [m]: 1 is the best (algorithm E).
        order = identical_adjacent(self.entry_draws, field.order)
        self.tier = tiers(order, self.p_better <= alpha, field.competing)
        # Who shows that an entry is not the best, [m]; −1 if it could be the best.
        self.separated_from = separated_from(above_entries, field.order, field.leader)

    @cached_property
    def ends_alone(self) -> tuple[Floats, Floats]:
        """Lower and upper ends of the advantages in pairs that no family holds, [k, k] each.

        By rule D′, the lower end is the quantile of the differences at the test's level. By
        McNemar's test, with a examples that only the better gets right and b that only the worse
        does, it is (2π − 1)(a + b)/n, π the Clopper–Pearson lower limit of a/(a + b). It is −∞
        where nothing is shown. Whatever McNemar's test shows, the advantage is at most the upper
        limit of the share a/n; in other pairs, no upper end can be given, ∞.
        """
        outright, by_mcnemar = self.alone
        reliability = self.reliability
        bootstrap = self.every.bootstrap
        least = np.full(outright.shape, -math.inf)
        most = np.full(outright.shape, math.inf)
        place = max(math.floor(round(reliability.level * (bootstrap.resamples + 1), 9)) - 1, 0)
        for better, worse in np.argwhere(outright):
            differences = bootstrap.replicates[better] - bootstrap.replicates[worse]
            least[better, worse] = np.partition(differences, place)[place]
        few = self.every.field.rivals & (reliability.why == FEW_DIFFER)
        if reliability.only is not None:
            few &= reliability.only >= 0
        if reliability.only is not None and few.any():
            from scipy.special import betaincinv  # a fifth of a second; few competitions need it

            n = self.basis.scores.n
            ours = reliability.only
            only_one_right = reliability.only + reliability.only.T
            upper = betaincinv(ours[few] + 1, np.maximum(n - ours[few], 1), 1 - reliability.level)
            most[few] = np.where(ours[few] < n, upper, 1.0)
            hits = ours[by_mcnemar]
            trials = only_one_right[by_mcnemar]
            share = np.asarray(betaincinv(hits, trials - hits + 1, reliability.level), np.float64)
            least[by_mcnemar] = (2 * share - 1) * trials / n
        return least, most

    @property
    def studentized(self) -> tuple[str | None, int]:
        """Why pairs of entries have a second scale, None if none has, and how many have."""
        why = self.fixed.why if self.entry_draws.why is None else self.entry_draws.why
        pairs = self.entry_draws.has_second_scale | self.fixed.has_second_scale
        return why, int(np.count_nonzero(pairs)) // 2

    def in_units(self, limits: Floats) -> Floats:
        """Return limits of T̃ [k, k] in the metric's units.

        The statistic of a pair with a second scale is no T̃: it was not shrunk.
        """
        draws = self.draws
        with np.errstate(invalid="ignore"):
            scale = unshrunk(limits, self.every.scores.effective_units)
            widths = scale * (draws.errors if draws.wide is None else draws.wide)
            if draws.resampled is not None:
                widths = np.where(draws.has_second_scale, limits * draws.resampled.errors, widths)
            return np.where(draws.errors > 0, widths, 0.0)

    @cached_property
    def near_ends(self) -> Floats:
        """How far behind the best of its rivals each run truly is, at least, [k]."""
        behind = self.theta[:, None] - self.theta[None, :] - self.widths.T
        family = self.draws.in_maximum & self.competing[:, None]
        ends = np.where(family, behind, -math.inf)
        shown_alone = self.shown_alone & self.competing[:, None]
        ends = np.where(shown_alone, np.maximum(ends, self.ends_alone[0]), ends)
        return np.asarray(ends.max(axis=0, initial=0.0))

    def far_ends(self, may_win: Bools) -> Floats:
        """Return how far behind the best of its rivals each run truly is, at most, [k].

        ``may_win`` [k] marks the runs that may be the best.
        """
        behind = self.theta[:, None] - self.theta[None, :] + self.widths
        ends = np.where(self.draws.in_maximum, behind, self.ends_alone[1])
        ends = np.where(self.draws.rivals & may_win[:, None], ends, -math.inf)
        return np.asarray(ends.max(axis=0, initial=0.0))

    def ahead_by(self, runs: Ints, rivals: Ints) -> Floats:
        """Return the lower ends [r] of the advantage of a team's best run over ``rivals`` [r].

        ``runs`` are all runs of the team, the best one first. An end is positive exactly where the
        run is shown ahead; it is −∞ where a pair is judged alone and no test shows it.
        """
        best = int(runs[0])
        limit = self._quantiles(runs, rivals)
        limits = np.zeros_like(self.draws.errors)
        limits[best, rivals] = limit
        ends = self.theta[best] - self.theta[rivals] - self.in_units(limits)[best, rivals]
        # Decided by T̃, so that rounding cannot separate the two.
        ahead = self.draws.statistics[best, rivals] > limit
        ends = np.where(ahead, positive(ends), np.minimum(ends, 0.0))
        least = positive(self.ends_alone[0][best, rivals])
        end_alone = np.where(self.shown_alone[best, rivals], least, -math.inf)
        alone = self.every.field.rivals & ~self.reliability.family
        return np.asarray(np.where(alone[best, rivals], end_alone, ends))

    def _quantiles(self, runs: Ints, rivals: Ints) -> Floats:
        """Return q [r]: what T̃ of the team's best run over every rival must exceed."""
        confidence = 1 - self.basis.question.alpha / 2
        normal = np.full(rivals.size, NormalDist().inv_cdf(confidence))
        second = self.draws.has_second_scale[np.ix_(runs, rivals)].any(axis=0)
        drawn = np.arange(rivals.size) if runs.size > 1 else np.flatnonzero(second)
        if not drawn.size:
            return normal
        of_drawn = rivals[drawn]
        most = np.full((drawn.size, self.draws.resamples), -math.inf)
        every = np.arange(self.draws.resamples)
        for run in runs.tolist():
            varies = np.flatnonzero(self.draws.errors[run, of_drawn] > 0)
            leads = self.draws.leads(run, of_drawn[varies], every)
            most[varies] = np.maximum(most[varies], leads)
        quantile = normal.copy()
        quantile[drawn] = [critical_value(row, confidence) for row in most]
        return np.where(second, np.maximum(normal, quantile), quantile)


def positive(ends: Floats) -> Floats:
    """Return ends of what is shown to be positive, which arithmetic may have rounded to 0."""
    return np.asarray(np.maximum(ends, np.nextafter(0, 1)))


# Standing -----------------------------------------------------------------------------------------


#: Draws from which on another process pays off: 50 milliseconds.
_MANY = 2**26


@contextmanager
def contest(basis: Basis, pairs: Moments) -> Iterator[Callable[[], Contest]]:
    """Begin to run the algorithms; yield a function that waits for what they show.

    ``pairs`` are those of all entries that are shown. Where there are more runs, all are tested.
    """
    every = basis.tested
    executor = basis.executor
    if every is not basis:
        pairs = moments(every.bootstrap, *every.field.pairs(), executor=executor)
    errors = error_matrix(every.observed.size, pairs)
    reliability = Reliability.from_basis(every, errors)
    draws, fixed = draws_apart(every, errors, reliability.family)
    test = partial(
        step_down_apart,
        draws,
        fixed,
        every.field.competing,
        every.question.alpha,
        every.executor,
        reliability.alpha,
    )
    # NumPy's passes over the draws are too short for threads, which wait for the interpreter's
    # lock. The products of studentized draws are not.
    is_long = draws.resampled is None and draws.entries**2 * draws.resamples >= _MANY
    with (executor if is_long else HERE).beside(test) as steps:
        yield lambda: Contest(basis, draws, fixed, reliability, steps())


def draws_apart(every: Basis, errors: Floats, reliable: Bools) -> tuple[Draws, Draws]:
    """Return the draws of the pairs of runs that can win, and those of pairs with a fixed entry.

    Nobody who cannot win changes the first. The rest is as in `draws_of`.
    """
    resampled = resampled_errors(every, errors, fixed=True)
    fixed = draws_of(every, errors, reliable, resampled)
    return _of_competing(every, fixed, reliable), fixed


def _of_competing(every: Basis, fixed: Draws, reliable: Bools) -> Draws:
    """Return the draws of the pairs of runs that can win, which nobody else changes."""
    core = every.of_competing
    if core is every:
        resampled = resampled_errors(every, fixed.errors, fixed=False)
        if resampled is None and fixed.resampled is None:
            return fixed  # no pair has a second scale, so that these are the same draws
        return draws_of(every, fixed.errors, reliable, resampled)
    pairs = moments(core.bootstrap, *core.field.pairs(), executor=every.executor)
    runs = np.flatnonzero(every.field.competing)
    among = reliable[np.ix_(runs, runs)]
    errors = error_matrix(runs.size, pairs)
    resampled = resampled_errors(core, errors, fixed=False)
    return draws_of(core, errors, among, resampled).among(runs, fixed)


def separated_from(above: Bools, order: Ints, leader: int) -> Ints:
    """Return the leader [m] where it is shown better, else the best entry that is, else −1."""
    preferred = np.concatenate([[leader], order[order != leader]])
    first = above[preferred].argmax(axis=0)
    return np.where(above.any(axis=0), preferred[first], -1)


def reliable_draws(basis: Basis, pairs: Moments) -> tuple[Reliability, Draws]:
    """Return which pairs of entries that can all win are reliable, and the draws of these."""
    errors = error_matrix(basis.observed.size, pairs)
    reliability = Reliability.from_basis(basis, errors)
    resampled = resampled_errors(basis, errors)
    return reliability, draws_of(basis, errors, reliability.family, resampled)


def draws_of(
    basis: Basis, errors: Floats, reliable: Bools, resampled: ResampledErrors | None
) -> Draws:
    """Return the draws, and the statistics on their scale; ``errors`` [m, m] are plain.

    ``reliable`` [m, m] marks the pairs of the families, and ``resampled`` those that have a second
    scale, if any has.
    """
    theta = basis.bootstrap.theta
    rivals = basis.field.rivals
    units = basis.scores.effective_units
    normal = basis.scores.normal
    deviations, unit = basis.bootstrap.deviations
    wide = errors
    shrunk = None
    if normal is not None:
        wide = np.where(errors > 0, normal.scaled_errors, errors)
    if resampled is not None:
        wide = resampled.errors
        shrunk = resampled.row < 0
    statistics = studentize(theta, wide, units, shrunk)
    of_normal = None if normal is None else wide
    return Draws(statistics, deviations, errors, rivals, resampled, unit, reliable, of_normal)


# Reference comparisons ----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class References:
    """The entries that all others are compared with, and who is tied with them under each rule."""

    tests: Mapping[int, Floats]  # of each baseline and ``reference_entry``: p [m]
    leader: Differences
    tied_with_leader: Mapping[str, Bools]
    differences: Differences  # of the leader, unless ``reference_entry`` names another
    tied: Mapping[str, Bools]  # with that one


def compare_references(contest: Contest) -> References:
    """Compare the leader and ``reference_entry`` with every entry.

    Raises `SettingsError` if ``reference_entry`` is not an entry.
    """
    basis = contest.basis
    named = contest.basis.question.reference_entry
    fixed = None if named is None else number(named, basis.scores.names, "reference_entry")
    theta = basis.bootstrap.theta
    field = basis.field
    alpha = basis.question.alpha
    # Every baseline, and the entry fixed in advance, is tested against all others.
    tests = {}
    for entry in (*field.baselines, *(() if fixed is None else (fixed,))):
        tests[entry] = np.ones(theta.size)
        for opponents in (field.competing, ~field.competing):
            family = np.flatnonzero(opponents & field.rivals[entry])
            tests[entry][family] = against_reference(contest.fixed, entry, family)
    # The tie rules ask whether the leader is better, or whether an entry could have won. Only a
    # baseline's own test (algorithm A) can say that the baseline is better than the leader.
    outright = contest.outright
    ahead = np.asarray(outright[field.competing].any(axis=0))
    for baseline in field.baselines:
        if theta[baseline] > theta[field.leader] and tests[baseline][field.leader] <= alpha:
            ahead[baseline] = True
    could_be_best = contest.rank_range[0] == 1  # algorithm D
    leader = _against(basis, field.leader, could_be_best, ahead, fixed=False)
    reference = leader
    if fixed is not None:
        apart = (outright | outright.T)[fixed]
        reference = _against(basis, fixed, tests[fixed] > alpha, apart, fixed=True)
    return References(tests, *leader, *reference)


def _against(
    basis: Basis, entry: int, kept_by_max_t: Bools, apart: Bools, *, fixed: bool
) -> tuple[Differences, Mapping[str, Bools]]:
    """Compare an entry with all; ``apart`` [m] marks those that are tied with it under no rule.

    One that is ``fixed`` in advance is compared two-sided, and may be behind.
    """
    field = basis.field
    question = basis.question
    bootstrap = basis.bootstrap
    entries = np.arange(field.order.size)
    pairs = moments(bootstrap, np.full_like(entries, entry), entries)
    against = basis.with_t_ends(
        compare(bootstrap, pairs, interval=question.interval, tail=basis.tail)
    )
    drawn = bootstrap.differences(against.first, against.second)
    p_two_sided = two_sided_bootstrap(drawn, against.mean, against.observed, against.tolerance)
    if fixed:  # The one-sided p is about whichever of the two is ahead.
        trailing = one_sided_behind(drawn, against.observed, against.tolerance)
        ahead = np.where(against.observed < 0, trailing, against.p_one_sided)
        against = replace(against, p_one_sided=ahead)
    # The reference's comparisons with itself and with runs of its team are in no family; those with
    # baselines form their own family.
    family = (field.competing != field.competing[field.leader]).astype(np.intp)
    in_no_family = ~field.rivals[entry]
    family[in_no_family] = -1
    counted = p_two_sided if fixed else against.p_one_sided
    adjusted = adjust(basis.to_correct(against, counted, two_sided=fixed), family)
    for p_values in adjusted.values():
        p_values[in_no_family] = 1.0
    differences = Differences(**vars(against), p_two_sided=p_two_sided, p_adjusted=adjusted)
    zero_inside = (against.low <= against.tolerance) & (against.high >= -against.tolerance)
    by_rule = {**adjusted, "none": counted}
    corrected = {rule: by_rule[rule] >= question.alpha for rule in CORRECTIONS}
    rules = {"interval": zero_inside, **corrected, "max_t": kept_by_max_t}
    return differences, {rule: is_tied & ~apart for rule, is_tied in rules.items()}
