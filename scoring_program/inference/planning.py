"""Estimates how many examples would settle close pairs, and what this test set separates.

The power is that of showing that one of two entries is better, *whoever is ahead*: a larger test
set may also show that the entry behind is the better one. The standard error of a difference
falls with √n. So a true difference δ is settled on n' examples with probability Φ(√(n'/n)·δ/se −
c) + Φ(−√(n'/n)·δ/se − c), c being the critical value of the tie rule, one-sided:

- `max_t`: the larger one of the two entries' families (algorithm D), in standard errors; for a
  pair that is judged alone, that of its own test;
- `bonferroni`, and the steps of `holm` and `fdr_bh` that ask for most: z at α divided by the
  number of comparisons with the leader;
- `none`: z at α; `interval`: z at α/2.

A plan is about the leader and who is tied with it, whether or not a reference entry is named.

The true difference is not known. With the observed one in its place, a promised power of .80
turned out to be .66, and .53 for the quarter of the pairs with the least. So the number of
examples is by *assurance*: the least with which the mean power over the bootstrap distribution of
the difference is `POWER`. Sources: Card et al. 2020, "With Little Power Comes Great
Responsibility" (the argument); O'Hagan, Stevens and Campbell 2005, "Assurance in Clinical Trial
Design", Pharmaceutical Statistics 4.

Of methods with several runs, more examples shorten one part of the standard error, and more runs
another (`normal.PartsOfVariance`). So it is asked how many examples would do with these runs, how
many runs of each method with these examples, and how many of both. The critical value is that of
the t distribution with the degrees of freedom that they would have.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

import numpy as np

from ..core.arrays import Bools, Floats, median
from ..core.rounding import negligible
from .basis import Basis
from .comparing.distributions import normal_tail, t_tail, t_tail_quantile
from .comparing.reliable import level_alone
from .comparing.standing import Contest, References
from .evidence import BorderPlan, PairPlan, Verdict
from .normal import PartsOfVariance

#: Probability with which the larger test set should separate the two entries.
POWER = 0.8
#: The largest test set that is considered, in sizes of this one, and as many times the runs.
LARGEST = 100
#: Quantiles that stand for the replicates of a difference.
_QUANTILES = 200


def plan(
    contest: Contest, own_errors: Floats, references: References, possible_winners: Bools
) -> tuple[tuple[PairPlan, ...], float | None]:
    """Return the plans of the leader and the competing entries that are tied with it.

    ``own_errors`` [m] are the standard errors of the scores, and ``possible_winners`` [m] are those
    of the verdict. The pairs of competing entries say what this test set separates.
    """
    basis = contest.basis
    field = basis.field
    leader = field.leader
    theta = basis.bootstrap.theta
    competitors = np.flatnonzero(field.competing)
    rivals = field.order[field.competing[field.order] & (field.order != leader)]
    planned = possible_winners & references.tied_with_leader[basis.question.tie_rule]
    # A plan is about the runs that are shown. There is none where another run is shown better than
    # the leader's, or is all that keeps an entry tied.
    not_beaten = np.logical_not(contest.above[:, : theta.size].any(axis=0))
    planned &= not_beaten[leader] & (not_beaten | (basis.question.tie_rule != "max_t"))
    errors = contest.entry_draws.errors
    critical = _critical(contest, rivals.size)
    plans = []
    for entry in rivals[planned[rivals]]:
        error = errors[leader, entry]
        advantage = _advantage(basis, leader, int(entry))
        limit = float(critical[leader, entry])
        examples, runs, examples_and_runs = _needed(contest, (leader, int(entry)), advantage, limit)
        relative = resolution(error, own_errors[leader], own_errors[entry])
        plans.append(
            PairPlan(
                entry=int(entry),
                difference=float(theta[leader] - theta[entry]),
                standard_error=float(error),
                examples_needed=examples,
                other_ahead=float(np.mean(advantage < 0)),
                resolution=None if np.isnan(relative) else float(relative),
                runs_needed=runs,
                both_needed=examples_and_runs,
            )
        )
    pairs = tuple(competitors[places] for places in np.triu_indices(competitors.size, 1))
    varies = errors[pairs] > 0
    least = (critical[pairs] + NormalDist().inv_cdf(POWER))[varies] * errors[pairs][varies]
    separable = float(median(least)) if least.size else math.inf
    return tuple(plans), separable if math.isfinite(separable) else None


def border_plan(contest: Contest, verdict: Verdict) -> BorderPlan | None:
    """Return what would separate the last team inside the first K from the first one outside.

    They are those of the ranking. None where prizes are not asked for, or where nothing or all of
    them is settled.
    """
    prizes = verdict.prizes
    if prizes is None or prizes.sure is None or prizes.open is None or prizes.out is None:
        return None
    if not prizes.open.any():
        return None
    teams = prizes.sure | prizes.open | prizes.out
    basis = contest.basis
    ranked = basis.field.order[teams[basis.field.order]]
    inside, outside = (int(entry) for entry in ranked[prizes.places - 1 : prizes.places + 1])
    limit = float(_critical(contest, ranked.size - 1)[inside, outside])
    advantage = _advantage(basis, inside, outside)
    examples, _, _ = _needed(contest, (inside, outside), advantage, limit)
    return BorderPlan(inside, outside, examples)


def _advantage(basis: Basis, first: int, second: int) -> Floats:
    """Return by how much the first entry is ahead of the second on each resample."""
    ours, theirs = basis.bootstrap.replicates[[first, second]]
    return np.where(np.abs(ours - theirs) <= negligible(ours, theirs), 0.0, ours - theirs)


def _needed(
    contest: Contest, pair: tuple[int, int], advantage: Floats, critical: float
) -> tuple[int | None, int | None, tuple[int, int] | None]:
    """Return how many examples would probably separate a pair and, of methods, runs, and both.

    ``advantage`` are the replicates of its difference.
    """
    scores = contest.basis.scores
    error = float(contest.entry_draws.errors[pair])
    if error > 0 and scores.normal is not None and scores.normal.parts is not None:
        methods = _Methods(contest, *pair, critical * error)
        return methods.needed(scores.n, _quantiles(advantage))
    effects = _quantiles(advantage) / error if error > 0 else np.empty(0)
    return _examples_needed(scores.n, effects, critical), None, None


def level_of_rule(rule: str, alpha: float, comparisons: int) -> float:
    """Return the level of one of so many one-sided comparisons with a leader, under a tie rule.

    That of max-T is a bound: its own depends on how the entries' scores are correlated.
    """
    if rule in ("none", "interval"):
        return alpha if rule == "none" else alpha / 2
    return alpha / max(comparisons, 1)


def mean_power(effects: Floats, critical: float) -> float:
    """Return the mean power to settle pairs whose true differences are ``effects`` [k].

    They and the critical value are in standard errors on the test set that is planned.
    """
    return float(np.mean(normal_tail(critical - effects) + normal_tail(critical + effects)))


def _critical(contest: Contest, comparisons: int) -> Floats:
    """Return what differences of pairs [m, m] must exceed, in standard errors."""
    question = contest.basis.question
    errors = contest.entry_draws.errors
    level = level_of_rule(question.tie_rule, question.alpha, comparisons)
    normal = NormalDist()
    if question.tie_rule != "max_t":
        return np.full(errors.shape, normal.inv_cdf(1 - level))
    of_entries = slice(len(errors))  # the other runs follow
    widths = contest.widths[of_entries, of_entries]
    alone = normal.inv_cdf(1 - level_alone(contest.every))
    limits = np.full(errors.shape, alone)
    in_family = contest.entry_draws.in_maximum
    np.divide(np.maximum(widths, widths.T), errors, out=limits, where=in_family)
    return limits


def resolution(error: Floats, first: Floats, second: Floats) -> Floats:
    """Return se_ij / √(se_i² + se_j²): how much the shared test set sharpens a comparison.

    1 is what independent entries would have, less is sharper; nan where neither entry varies.
    """
    independent = np.hypot(first, second)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(independent > 0, error / independent, np.nan)


def _quantiles(replicates: Floats) -> Floats:
    """Return the quantiles [k] that stand for the replicates of a difference."""
    count = min(_QUANTILES, replicates.size)
    places = (np.arange(count) + 0.5) * replicates.size / count
    return np.asarray(np.sort(replicates)[places.astype(np.intp)])


def _examples_needed(n: int, effects: Floats, critical: float) -> int | None:
    """Return the least number of examples whose mean power is `POWER`; None above the `LARGEST`."""

    def enough(examples: int) -> bool:
        return mean_power(math.sqrt(examples / n) * effects, critical) >= POWER

    return least(enough, 1, LARGEST * n) if effects.size else None


class _Methods:
    """Two methods with several runs, and what would settle which of them is better."""

    def __init__(self, contest: Contest, first: int, second: int, width: float) -> None:
        """Take the ``width`` that the difference must exceed now, in the metric's units."""
        normal = contest.basis.scores.normal
        question = contest.basis.question
        assert normal is not None
        assert normal.parts is not None
        self.pair = (first, second)
        self.parts: PartsOfVariance = normal.parts
        ratio = np.array(width / math.sqrt(normal.variances[first, second]))
        by_t = question.tie_rule == "max_t"
        freedom = float(normal.freedom[first, second])
        #: The level of the test, which stays when there is more of anything.
        self.level = t_tail(freedom, ratio) if by_t else normal_tail(ratio)

    def needed(
        self, n: int, differences: Floats
    ) -> tuple[int | None, int | None, tuple[int, int] | None]:
        """Return how many examples would do, how many runs of each method, and how many of both."""
        fewest = int(self.parts.sizes[list(self.pair)].min())

        def by_examples(size: int) -> bool:
            return self._power(differences, size / n, fewest) >= POWER

        def by_runs(size: int) -> bool:
            return self._power(differences, 1.0, size) >= POWER

        def by_both(size: int) -> bool:
            return self._power(differences, size / fewest, size) >= POWER

        examples = least(by_examples, n, LARGEST * n)
        runs = least(by_runs, fewest, LARGEST * fewest)
        together = least(by_both, fewest, LARGEST * fewest)
        if together is None:
            return examples, runs, None
        return examples, runs, (math.ceil(n * together / fewest), together)

    def _power(self, differences: Floats, times: float, runs: int) -> float:
        """Return the mean power with so many ``times`` the units, and so many ``runs`` or more."""
        variance, freedom = self.parts.of_pair(self.pair, times, runs)
        if variance <= 0:
            return 1.0
        critical = t_tail_quantile(freedom, self.level)
        return mean_power(differences / math.sqrt(variance), float(critical))


def least(enough: Callable[[int], bool], lowest: int, highest: int) -> int | None:
    """Return the least whole number that is ``enough``, as all larger ones are; None if none is.

    The mean power grows with the number of examples, and of runs, whoever is ahead.
    """
    if not enough(highest):
        return None
    too_few = lowest - 1
    most = highest
    while most - too_few > 1:
        middle = (too_few + most) // 2
        too_few, most = (too_few, middle) if enough(middle) else (middle, most)
    return most
