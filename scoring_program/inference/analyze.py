"""Analyzes one metric: from its scores and replicates to all evidence about it.

Below `analyze` stand its steps: the intervals of the entries' scores, all pairs, the tests beyond
the bootstrap, the histograms of differences, and the plan of a larger test set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..core.arrays import Bools, Floats, Ints, median
from ..core.errors import MetricError, SettingsError
from ..core.executor import HERE, Executor
from ..core.rounding import negligible
from ..recognize.tables_of_scores.score_names import names_runs
from .basis import Basis, Field, MetricScores
from .cautions import about_far_winners, cautions_of, red_first
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
from .comparing.distributions import Bootstrap, Replicated, t_tail_quantile
from .comparing.draws import rank_frequencies
from .comparing.judge import judge
from .comparing.standing import Contest, References, compare_references, contest
from .evidence import (
    CORRECTIONS,
    FAMILIES,
    Caution,
    Comparisons,
    Competitiveness,
    Differences,
    Distances,
    EntryIntervals,
    EntryScores,
    Evidence,
    PairedTests,
    Pairs,
    Question,
    Standing,
    Verdict,
)
from .normal import FOLDS, NormalDraws
from .planning import border_plan, plan, resolution

_DEFAULT = Question()


def analyze(
    scores: MetricScores,
    question: Question = _DEFAULT,
    executor: Executor = HERE,
    about_data: Sequence[Caution] = (),
) -> Evidence:
    """Analyze one metric; cautions ``about_data`` may withdraw its confidence, too.

    The ``executor`` may share the comparisons of pairs, and test large fields beside this process.
    Raises SettingsError if the question does not apply, and MetricError if the metric is defined on
    fewer than two resamples.
    """
    _check(scores, question)
    basis = Basis.from_scores(scores, question, executor)
    bootstrap = basis.bootstrap
    field = basis.field
    pairs = moments(bootstrap, *field.pairs(), executor=executor)
    with contest(basis, pairs) as tested:
        # What needs no test is computed while the tests run.
        compared = compare(
            bootstrap, pairs, interval=question.interval, tail=basis.tail, executor=executor
        )
        compared = basis.with_t_ends(_without_baselines(basis, compared))
        intervals = entry_intervals(basis)
        counted = bootstrap.counts is not None
        frequencies = rank_frequencies(
            bootstrap.replicates, field.competing, scores.metric.scale, counted=counted
        )
        tests = tested()
    references = compare_references(tests)
    every_pair = all_pairs(basis, compared, intervals.standard_error, tests.p_better)
    about_scores = cautions_of(basis, intervals, references, compared, tests)
    cautions = red_first((*about_data, *about_scores))
    verdict, standing, distances = _judged(tests, references, cautions, intervals)
    evidence = Evidence(
        metric=scores.metric,
        names=tuple(basis.scores.names),
        n=scores.n,
        resamples=bootstrap.resamples,
        undefined=scores.replicates.undefined,
        question=question,
        scores=_scores_of(basis, references.differences, several_runs=scores.several_runs),
        standing=standing,
        verdict=verdict,
        rank_frequency=frequencies,
        competitiveness=closeness(basis, every_pair),
        cautions=(*cautions, *about_far_winners(basis, standing, verdict)),
        intervals=intervals,
        distances=distances,
        differences=references.differences,
        from_leader=references.leader,
        pairs=every_pair,
        reference_tests=references.tests,
        histograms=histograms(bootstrap, references.differences, references.tied),
        paired_tests=paired_tests(basis, references.differences),
        units_are_runs=bool(scores.unit_names) and all(map(names_runs, scores.unit_names)),
    )
    return _with_plan(evidence, tests, references)


def _scores_of(basis: Basis, differences: Differences, *, several_runs: bool) -> EntryScores:
    """Return the scores, and the reference that the ``differences`` are measured from."""
    reference = int(differences.first[0])
    return basis.field.scores(
        basis.observed, basis.bootstrap.theta, reference, several_runs=several_runs
    )


def _judged(
    tests: Contest,
    references: References,
    cautions: tuple[Caution, ...],
    intervals: EntryIntervals,
) -> tuple[Verdict, Standing, Distances | None]:
    """Return what is decided, beside the plain interval of the leader."""
    leader = tests.basis.field.leader
    plain = float(intervals.low[leader]), float(intervals.high[leader])
    return judge(tests, references, cautions, plain)


def _with_plan(evidence: Evidence, tests: Contest, references: References) -> Evidence:
    """Return the evidence with what says how many more units, or runs, would settle it.

    More folds of the same data say little, so there is no plan for them.
    """
    normal = tests.basis.scores.normal
    if normal is not None:
        share = seed_share(normal, tests.basis.field)
        evidence = replace(evidence, normal_source=normal.source, seed_share=share)
        if normal.source == FOLDS:
            return evidence
    assert evidence.intervals is not None
    errors = evidence.intervals.standard_error
    planned, separable = plan(tests, errors, references, evidence.verdict.possible_winners)
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
    observed = basis.observed
    tail = basis.tail
    rows = basis.bootstrap.replicates
    rows = rows if basis.scores.metric.greater_is_better else -rows
    interval = basis.question.interval
    jackknife = basis.scores.jackknife
    mean = rows.mean(axis=1)
    spread = np.array([row.std(ddof=1) for row in rows])
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
            corrected = bca(rows[i], float(observed[i]), left_out[:, i], tail)
            if corrected is not None:
                low[i], high[i] = corrected
                used[i] = "bca"
    normal = basis.scores.normal
    if normal is not None:
        width = t_tail_quantile(normal.freedom.diagonal(), np.full(observed.size, tail))
        width *= normal.score_errors
        low = np.maximum(observed - width, basis.scores.metric.low)
        high = np.minimum(observed + width, basis.scores.metric.high)
    trials = basis.scores.trials
    for i in np.flatnonzero(spread == 0):
        low[i] = np.nan
        high[i] = np.nan
        used[i] = "none"
        if trials[i]:
            ends = wilson(float(observed[i]), int(trials[i]), basis.question.confidence)
            low[i], high[i] = ends
            used[i] = "wilson"
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


def _without_baselines(basis: Basis, compared: Comparisons) -> Comparisons:
    """Return comparisons in which pairs of entries that can win are as they are without the others.

    Scores that count examples are compared as counts if all entries' are. A baseline's may be none.
    """
    core = basis.of_competing.bootstrap
    if (core.counts is None) == (basis.bootstrap.counts is None):
        return compared
    competing = basis.field.competing
    ours = np.flatnonzero(competing[compared.first] & competing[compared.second])
    place = np.cumsum(competing) - 1
    first = place[compared.first[ours]]
    second = place[compared.second[ours]]
    pairs = moments(core, first, second, executor=basis.executor)
    interval = basis.question.interval
    apart = compare(core, pairs, interval=interval, tail=basis.tail, executor=basis.executor)
    numbers = vars(apart).copy()
    del numbers["first"], numbers["second"]
    for name, values in numbers.items():
        merged = getattr(compared, name).copy()
        merged[ours] = values
        numbers[name] = merged
    return replace(compared, **numbers)


def all_pairs(basis: Basis, compared: Comparisons, own_errors: Floats, p_better: Floats) -> Pairs:
    """Return all pairs, the better entry first.

    ``own_errors`` [m] are the standard errors of the scores, ``p_better`` [m, m] the p-values of
    algorithm B.
    """
    better = compared.first
    worse = compared.second
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
    field = basis.field
    scores = basis.scores
    replicates = basis.bootstrap.replicates[field.best_of_teams]
    alpha = basis.question.alpha
    with_winner = count_ties(pairs, field, "leader", alpha)
    between = count_ties(pairs, field, "row", alpha)
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
    scores = basis.scores
    tests = basis.question.tests
    first = against.first
    second = against.second
    if not tests:
        return None
    one_sided = two_sided = exact = mid_p = discordant = None
    if "randomization" in tests and scores.randomized is not None:
        units = scores.units
        resamples = basis.bootstrap.resamples
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
        right = scores.correct[:, first]
        rights = scores.correct[:, second]
        only_ours = np.count_nonzero(right & ~rights, axis=0)
        only_theirs = np.count_nonzero(rights & ~right, axis=0)
        p_values = [mcnemar(int(b), int(c)) for b, c in zip(only_ours, only_theirs, strict=True)]
        exact, mid_p = np.array(p_values).T
        discordant = (only_ours + only_theirs).astype(np.intp)
    return PairedTests(one_sided, two_sided, exact, mid_p, discordant)


# Histograms ---------------------------------------------------------------------------------------


#: The largest number of histograms, and the number of their bins.
HISTOGRAMS = 12
BINS = 40


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
    of_two = within + within[evidence.scores.reference]
    return (
        _share(within, evidence.intervals.standard_error),
        _share(of_two, evidence.differences.standard_error),
    )


def shortened(share: float, factor: float = 2.0) -> float:
    """Return by which share an interval is shorter with ``factor`` times as many samples."""
    return 1.0 - float(np.sqrt(1.0 - share * (1.0 - 1.0 / factor)))


def _share(within: Floats, standard_error: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(standard_error > 0, within / np.square(standard_error), np.nan)
    return np.minimum(share, 1.0)
