"""Analyzes one metric: from its scores and replicates to all evidence about it.

Below `analyze` stand its steps: the intervals of the entries' scores, all pairs, the tests beyond
the bootstrap, the histograms of differences, and the plan of a larger test set.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from statistics import NormalDist

import numpy as np

from ..core.arrays import Bools, Floats, Ints, median
from ..core.errors import MetricError, SettingsError
from ..core.executor import HERE, Executor
from ..core.rounding import negligible
from .basis import Basis, Field, MetricScores
from .cautions import about_far_winners, cautions_of
from .comparing.comparisons import (
    adjust,
    bca,
    compare,
    enumerable,
    mcnemar,
    moments,
    percentile,
    randomization,
    reached,
    standard_error,
    swaps,
    wilson,
)
from .comparing.distributions import Bootstrap, Replicated, normal_tail, t_tail_quantile
from .comparing.draws import rank_frequencies
from .comparing.judge import judge
from .comparing.reliable import level_alone
from .comparing.standing import Contest, References, compare_references, contest
from .evidence import (
    CORRECTIONS,
    FAMILIES,
    BorderPlan,
    Comparisons,
    Competitiveness,
    EntryIntervals,
    Evidence,
    PairedTests,
    PairPlan,
    Pairs,
    Question,
    Verdict,
)
from .normal import FOLDS, SEEDS, NormalDraws

_DEFAULT = Question()


def analyze(
    scores: MetricScores, question: Question = _DEFAULT, executor: Executor = HERE
) -> Evidence:
    """Analyze one metric.

    The ``executor`` may share the comparisons of pairs, and test large fields beside this process.
    Raises SettingsError if the question does not apply, and MetricError if the metric is defined on
    fewer than two resamples.
    """
    _check(scores, question)
    basis = Basis.from_scores(scores, question, executor)
    bootstrap, field = basis.bootstrap, basis.field
    pairs = moments(bootstrap, *field.pairs(), executor=executor)
    with contest(basis, pairs) as tested:
        # What needs no test is computed while the tests run.
        compared = compare(
            bootstrap, pairs, interval=question.interval, tail=basis.tail, executor=executor
        )
        compared = basis.with_t_ends(compared)
        intervals = entry_intervals(basis)
        counted = bootstrap.counts is not None
        frequencies = rank_frequencies(
            bootstrap.replicates, field.competing, scores.metric.scale, counted=counted
        )
        tests = tested()
    references = compare_references(tests)
    shown = references.shown
    every_pair = all_pairs(basis, compared, intervals.standard_error, tests.p_better)
    cautions = cautions_of(basis, intervals, references, compared, tests.kept)
    plain = float(intervals.low[field.leader]), float(intervals.high[field.leader])
    verdict, standing, distances = judge(tests, references, cautions, plain)
    evidence = Evidence(
        metric=scores.metric,
        names=tuple(basis.scores.names),
        n=scores.n,
        resamples=bootstrap.resamples,
        undefined=scores.replicates.undefined,
        question=question,
        scores=field.scores(
            basis.observed, bootstrap.theta, int(shown.first[0]), several_runs=scores.several_runs
        ),
        standing=standing,
        verdict=verdict,
        rank_frequency=frequencies,
        competitiveness=closeness(basis, every_pair),
        cautions=(*cautions, *about_far_winners(basis, standing, verdict)),
        intervals=intervals,
        distances=distances,
        differences=shown,
        from_leader=references.leader,
        pairs=every_pair,
        reference_tests=references.tests,
        histograms=histograms(bootstrap, shown, references.tied),
        paired_tests=paired_tests(basis, shown),
    )
    return _with_plan(evidence, tests, references)


def _with_plan(evidence: Evidence, tests: Contest, references: References) -> Evidence:
    """Return the evidence with what says how many more units would settle it.

    More units shorten neither what seeds nor what folds add to the variance, so there is no plan.
    """
    normal = tests.basis.scores.normal
    if normal is not None:
        share = seed_share(normal, tests.basis.field)
        evidence = replace(evidence, normal_source=normal.source, seed_share=share)
        if normal.source in (SEEDS, FOLDS):
            return evidence
    assert evidence.intervals is not None
    errors = evidence.intervals.standard_error
    planned, separable = plan(tests, errors, references, evidence.tied_with_reference)
    border = border_plan(tests, evidence.verdict)
    return replace(evidence, plan=planned, smallest_separable=separable, border=border)


def _check(scores: MetricScores, question: Question) -> None:
    """Raise for a question that does not apply, and for too few resamples."""
    if question.interval == "bca" and scores.jackknife is None:
        raise SettingsError(
            "interval: bca needs the scores with one example left out, and these are not "
            "available; use percentile"
        )
    groups = scores.groups
    if groups is not None and groups < 2:
        raise SettingsError(
            f"group: resampling whole groups needs at least two groups; found {groups}"
        )
    if "randomization" in question.tests and scores.randomized is None:
        raise SettingsError(
            f"tests: 'randomization' needs scores of swapped predictions, and {scores.metric.name} "
            "cannot give them; leave this test out"
        )
    if "mcnemar" in question.tests and scores.correct is None:
        raise SettingsError(
            "tests: McNemar's test compares right and wrong predictions, so it applies to accuracy "
            "without weights and to means of scores of 0 and 1, and not to "
            f"{scores.metric.name}; use 'randomization' instead"
        )
    if "mcnemar" in question.tests and groups is not None:
        raise SettingsError(
            "tests: McNemar's test needs independent examples, but whole groups are resampled; "
            "use 'randomization' instead, which swaps whole groups"
        )
    defined = len(scores.replicates.values)
    if defined < 2:
        raise MetricError(
            f"{scores.metric.name} has a score for every entry on only {defined} resamples; "
            "use a larger test set or another metric"
        )


# Entry intervals ----------------------------------------------------------------------------------


#: Entries whose replicates are put in order at once: they stay in a core's cache.
_ROWS = 8


def entry_intervals(basis: Basis) -> EntryIntervals:
    """Return the interval of each entry's score.

    If the standard error is 0, a proportion gets its Wilson interval; if there are fewer groups
    than trials, the groups count as trials. The jackknife is called only for "bca", and only if
    scores vary, because a single unit cannot be left out. An entry without a BCa interval gets its
    percentile interval.
    """
    observed, tail, rows = basis.observed, basis.tail, basis.bootstrap.replicates
    rows = rows if basis.scores.metric.greater_is_better else -rows
    interval, jackknife = basis.question.interval, basis.scores.jackknife
    mean, spread = rows.mean(axis=1), np.array([row.std(ddof=1) for row in rows])
    spread[spread <= negligible(observed, mean)] = 0.0
    used = [interval if interval != "bca" else "percentile"] * observed.size
    if interval == "standard_error":
        low, high = standard_error(mean, spread, tail)
    else:
        some = range(0, len(rows), _ROWS)
        of_rows = [percentile(Replicated(rows[first : first + _ROWS]), tail) for first in some]
        low, high = np.concatenate(of_rows, axis=1)
    if interval == "bca" and jackknife is not None and (spread > 0).any():
        left_out = jackknife()
        for i in np.flatnonzero(spread > 0):
            found = bca(rows[i], float(observed[i]), left_out[:, i], tail)
            if found is not None:
                (low[i], high[i]), used[i] = found, "bca"
    normal = basis.scores.normal
    if normal is not None:
        width = t_tail_quantile(normal.freedom.diagonal(), np.full(observed.size, tail))
        width *= normal.score_errors
        low = np.maximum(observed - width, basis.scores.metric.low)
        high = np.minimum(observed + width, basis.scores.metric.high)
    trials = basis.scores.trials
    for i in np.flatnonzero(spread == 0):
        low[i], high[i], used[i] = np.nan, np.nan, "none"
        if trials[i]:
            ends = wilson(float(observed[i]), int(trials[i]), basis.question.confidence)
            (low[i], high[i]), used[i] = ends, "wilson"
    return EntryIntervals(mean, spread, low, high, tuple(used))


def seed_share(normal: NormalDraws, field: Field) -> float | None:
    """Return how much of the variance of the leader's differences comes from seeds: the median.

    None if seeds play no part.
    """
    if normal.seed_share is None:
        return None
    rivals = field.competing & field.rivals[field.leader]
    return float(median(normal.seed_share[field.leader, rivals])) if rivals.any() else 0.0


# Pairs --------------------------------------------------------------------------------------------


def all_pairs(basis: Basis, compared: Comparisons, own_errors: Floats, p_better: Floats) -> Pairs:
    """Return all pairs, the better entry first.

    ``own_errors`` [m] are the standard errors of the scores, ``p_better`` [m, m] the p-values of
    algorithm B.
    """
    better, worse = compared.first, compared.second
    p_values = basis.to_correct(compared, compared.p_one_sided, two_sided=False)
    return Pairs(
        **vars(compared),
        resolution=resolution(compared.standard_error, own_errors[better], own_errors[worse]),
        p_adjusted={
            kind: adjust(p_values, basis.field.family(kind, better, worse)) for kind in FAMILIES
        },
        p_max_t=p_better[better, worse],
    )


def closeness(basis: Basis, pairs: Pairs) -> Competitiveness:
    """Return how close the competition is, by the best entries of the teams."""
    field, scores = basis.field, basis.scores
    replicates = basis.bootstrap.replicates[field.best_of_teams]
    with_winner, between = (
        count_ties(pairs, field, family, basis.question.alpha) for family in ("leader", "row")
    )
    return Competitiveness.from_scores(
        scores.metric,
        basis.observed[field.best_of_teams],
        scores.n,
        with_winner,
        between,
        replicates if scores.metric.greater_is_better else -replicates,
    )


def count_ties(pairs: Pairs, field: Field, family: str, alpha: float) -> Mapping[str, int]:
    """Return correction → how many pairs of teams in a family are ties by their best: p ≥ α."""
    best = field.best_of_teams
    within = (
        best[pairs.better]
        & best[pairs.worse]
        & (field.family(family, pairs.better, pairs.worse) >= 0)
    )
    p_values = {"none": pairs.p_one_sided, **pairs.p_adjusted[family]}
    return {
        correction: int(np.count_nonzero(p_values[correction][within] >= alpha))
        for correction in CORRECTIONS
    }


# Paired -------------------------------------------------------------------------------------------

# Tests of two entries beyond the bootstrap: randomization for any metric, McNemar for accuracy.


def paired_tests(basis: Basis, against: Comparisons) -> PairedTests | None:
    """Run the tests that the question asks for; None if it asks for none.

    ``against`` compares the reference with the m entries in their order. All entries share the same
    swaps.
    """
    scores, tests = basis.scores, basis.question.tests
    first, second = against.first, against.second
    if not tests:
        return None
    one_sided = two_sided = exact = mid_p = discordant = None
    if "randomization" in tests and scores.randomized is not None:
        units, resamples = scores.units, basis.bootstrap.resamples
        sign = 1 if scores.metric.greater_is_better else -1
        # The one-sided p is about whichever is ahead, where the reference was named in advance.
        named = basis.question.reference_entry is not None
        signs = np.where(named & (against.observed < 0), -sign, sign)
        counts = np.zeros((3, first.size), np.intp)
        for swap in swaps(np.random.default_rng(basis.question.seed), units, resamples):
            for k in np.flatnonzero(first != second).tolist():
                ours, theirs = scores.randomized(int(first[k]), int(second[k]), swap)
                least = float(signs[k] * sign * against.observed[k]), float(against.tolerance[k])
                counts[:, k] += reached(signs[k] * (ours - theirs), *least)
        one_sided, two_sided = randomization(counts, exact=enumerable(units, resamples))
    if "mcnemar" in tests and scores.correct is not None:
        right, rights = scores.correct[:, first], scores.correct[:, second]
        only_ours = np.count_nonzero(right & ~rights, axis=0)
        only_theirs = np.count_nonzero(rights & ~right, axis=0)
        p_values = [mcnemar(int(b), int(c)) for b, c in zip(only_ours, only_theirs, strict=True)]
        exact, mid_p = np.array(p_values).T
        discordant = (only_ours + only_theirs).astype(np.intp)
    return PairedTests(one_sided, two_sided, exact, mid_p, discordant)


# Histograms ---------------------------------------------------------------------------------------


#: The largest number of histograms, and the number of their bins.
HISTOGRAMS, BINS = 12, 40


def histograms(
    bootstrap: Bootstrap, against: Comparisons, ties: Mapping[str, Bools]
) -> Mapping[int, tuple[Ints, Floats]]:
    """Return histograms of the reference's advantage over the closest entries, nearest first.

    The closest entries are those tied with the reference under any of the rules ``ties``, and the
    next one. An entry whose difference no resample changes has no histogram.
    """
    nearest_first = np.argsort(np.abs(against.observed), kind="stable")
    nearest_first = nearest_first[against.standard_error[nearest_first] > 0]
    close = np.logical_or.reduce(list(ties.values()))[nearest_first]
    close[np.flatnonzero(~close)[:1]] = True
    counted = {}
    for entry in nearest_first[close][:HISTOGRAMS].tolist():
        values = bootstrap.replicates[against.first[entry]] - bootstrap.replicates[entry]
        counted[entry] = np.histogram(values, bins=BINS)
    return counted


# Planning -----------------------------------------------------------------------------------------

# Estimates how many examples would settle close pairs, and what this test set separates.
#
# The power is that of showing that one of two entries is better, *whoever is ahead*: a larger test
# set may also show that the entry behind is the better one. The standard error of a difference
# falls with √n. So a true difference δ is settled on n' examples with probability Φ(√(n'/n)·δ/se −
# c) + Φ(−√(n'/n)·δ/se − c), c being the critical value of the tie rule, one-sided:
#
# - `max_t`: the larger one of the two entries' families (algorithm D), in standard errors; for a
#   pair that is judged alone, that of its own test;
# - `bonferroni`, and the steps of `holm` and `fdr_bh` that ask for most: z at α divided by the
#   number of comparisons with the reference;
# - `none`: z at α; `interval`: z at α/2.
#
# Against a reference fixed in advance tests are two-sided, and max-T's own family is unknown here,
# so that Bonferroni's value bounds it.
#
# The true difference is not known. With the observed one in its place, a promised power of .80
# turned out to be .66, and .53 for the quarter of the pairs with the least. So the number of
# examples is by *assurance*: the least with which the mean power over the bootstrap distribution of
# the difference is `POWER`. Sources: Card et al. 2020, "With Little Power Comes Great
# Responsibility" (the argument); O'Hagan, Stevens and Campbell 2005, "Assurance in Clinical Trial
# Design", Pharmaceutical Statistics 4.


#: Probability with which the larger test set should separate the two entries.
POWER = 0.8
#: The largest test set that is considered, in sizes of this one.
LARGEST = 100
#: Quantiles that stand for the replicates of a difference.
_QUANTILES = 200


def plan(
    contest: Contest, own_errors: Floats, references: References, tied: Bools
) -> tuple[tuple[PairPlan, ...], float | None]:
    """Return the plans of the reference and the competing entries that are tied with it.

    ``own_errors`` [m] are the standard errors of the scores, and ``tied`` [m] are tied with the
    reference by the verdict. The pairs of competing entries say what this test set separates.
    """
    basis, reference = contest.basis, int(references.shown.first[0])
    field, theta = basis.field, basis.bootstrap.theta
    competitors = np.flatnonzero(field.competing)
    rivals = field.order[field.competing[field.order] & (field.order != reference)]
    planned = tied & references.tied[basis.question.tie_rule]
    if basis.question.reference_entry is None:
        # A plan is about the runs that are shown. There is none where another run is shown better
        # than the leader's, or is all that keeps an entry tied.
        kept = np.logical_not(contest.above[:, : theta.size].any(axis=0))
        planned &= kept[field.leader] & (kept | (basis.question.tie_rule != "max_t"))
    errors = contest.shown.errors
    critical = _critical(contest, rivals.size)
    plans = []
    for entry in rivals[planned[rivals]]:
        error = errors[reference, entry]
        advantage = _advantage(basis, reference, int(entry))
        needed = _examples_of_pair(basis.scores.n, advantage, error, critical[reference, entry])
        relative = resolution(error, own_errors[reference], own_errors[entry])
        plans.append(
            PairPlan(
                entry=int(entry),
                difference=float(theta[reference] - theta[entry]),
                standard_error=float(error),
                examples_needed=needed,
                other_ahead=float(np.mean(advantage < 0)),
                resolution=None if np.isnan(relative) else float(relative),
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
    error = contest.shown.errors[inside, outside]
    critical = _critical(contest, ranked.size - 1)[inside, outside]
    advantage = _advantage(basis, inside, outside)
    needed = _examples_of_pair(basis.scores.n, advantage, error, critical)
    return BorderPlan(inside, outside, needed)


def _advantage(basis: Basis, first: int, second: int) -> Floats:
    """Return by how much the first entry is ahead of the second on each resample."""
    ours, theirs = basis.bootstrap.replicates[[first, second]]
    return np.where(np.abs(ours - theirs) <= negligible(ours, theirs), 0.0, ours - theirs)


def _examples_of_pair(n: int, advantage: Floats, error: float, critical: float) -> int | None:
    """Return the least number of examples that would probably separate a pair.

    ``advantage`` are the replicates of its difference, of which quantiles stand for the others.
    """
    effects = np.empty(0)
    if error > 0:
        count = min(_QUANTILES, advantage.size)
        places = (np.arange(count) + 0.5) * advantage.size / count
        effects = np.sort(advantage)[places.astype(np.intp)] / error
    return _examples_needed(n, effects, float(critical))


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
    question, errors = contest.basis.question, contest.shown.errors
    fixed = question.reference_entry is not None
    one = level_of_rule(question.tie_rule, question.alpha, comparisons)
    if fixed and question.tie_rule != "interval":
        one /= 2
    normal = NormalDist()
    if fixed or question.tie_rule != "max_t":
        return np.full(errors.shape, normal.inv_cdf(1 - one))
    shown = slice(len(errors))  # the other runs follow
    widths = contest.widths[shown, shown]
    alone = normal.inv_cdf(1 - level_alone(contest.every))
    limits = np.full(errors.shape, alone)
    in_family = contest.shown.in_maximum
    np.divide(np.maximum(widths, widths.T), errors, out=limits, where=in_family)
    return limits


def resolution(error: Floats, first: Floats, second: Floats) -> Floats:
    """Return se_ij / √(se_i² + se_j²): how much the shared test set sharpens a comparison.

    1 is what independent entries would have, less is sharper; nan where neither entry varies.
    """
    independent = np.hypot(first, second)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(independent > 0, error / independent, np.nan)


def _examples_needed(n: int, effects: Floats, critical: float) -> int | None:
    """Return the least number of examples whose mean power is `POWER`; None above the `LARGEST`."""

    def enough(examples: int) -> bool:
        return mean_power(math.sqrt(examples / n) * effects, critical) >= POWER

    if not effects.size or not enough(LARGEST * n):
        return None
    # The mean power grows with the number of examples, whoever is ahead.
    too_few, most = 0, LARGEST * n
    while most - too_few > 1:
        middle = (too_few + most) // 2
        too_few, most = (too_few, middle) if enough(middle) else (middle, most)
    return most


# Sample shares ------------------------------------------------------------------------------------

# How much of an interval comes from an example's repeated samples, and how much from the
# examples.
#
# The variance of a mean over n examples splits into that between examples and that within them,
# over their samples (Miller 2024, "Adding Error Bars to Evals"): se² = (between + within /
# samples) / n. f times as many samples leave se² − w·(1 − 1/f), where w is the part within; f
# times as many examples leave se² / f, which is never more.


def sample_shares(variance: Floats, evidence: Evidence) -> tuple[Floats, Floats] | None:
    """Return the shares of the squared standard errors that come from the samples, at most 1.

    ``variance`` [n, m] is that of what each example counts, over its samples. Two entries' samples
    are independent of each other. A share is nan where a variance is, or where nothing varies. None
    where there are no standard errors.
    """
    if evidence.intervals is None or evidence.differences is None:
        return None
    within = variance.sum(axis=0) / len(variance) ** 2
    both = within + within[evidence.scores.reference]
    return (
        _share(within, evidence.intervals.standard_error),
        _share(both, evidence.differences.standard_error),
    )


def shortened(share: float, factor: float = 2.0) -> float:
    """Return by which share an interval is shorter with ``factor`` times as many samples."""
    return 1.0 - float(np.sqrt(1.0 - share * (1.0 - 1.0 / factor)))


def _share(within: Floats, standard_error: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(standard_error > 0, within / np.square(standard_error), np.nan)
    return np.minimum(share, 1.0)
