"""Analyzes one metric: from its scores and replicates to all evidence about it.

Below `analyze` stand its steps: the intervals of the entries' scores, all pairs, the tests beyond
the bootstrap, and the histograms of differences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from ..core.errors import MetricError, SettingsError
from ..core.executor import HERE, Executor
from .basis import Basis, Field, MetricScores, Randomized
from .cautions import about_far_winners, cautions_of
from .comparing.comparisons import (
    Comparisons,
    Randomization,
    adjust,
    bca,
    compare,
    enumerable,
    mcnemar,
    moments,
    percentile,
    standard_error,
    swaps,
    wilson,
)
from .comparing.distributions import Bootstrap, Replicated, negligible
from .comparing.draws import rank_frequencies
from .comparing.judge import judge
from .comparing.standing import References, Tested
from .descriptive import competitiveness
from .evidence import (
    CORRECTIONS,
    FAMILIES,
    Competitiveness,
    EntryIntervals,
    Evidence,
    Histogram,
    PairedTests,
    Pairs,
)
from .planning import plan, resolution
from .question import Question

_DEFAULT = Question()


def analyze(
    scores: MetricScores, question: Question = _DEFAULT, executor: Executor = HERE
) -> Evidence:
    """Analyze one metric.

    The ``executor`` may share the comparisons of pairs, and test large fields beside this process.

    Raises
    ------
    SettingsError
        The question does not apply.
    MetricError
        The metric is defined on fewer than two resamples.
    """
    _check(scores, question)
    basis = Basis.from_scores(scores, question, executor)
    bootstrap, field = basis.bootstrap, basis.field
    pairs = moments(bootstrap, *field.pairs(), executor=executor)
    with Tested.begin(basis, pairs) as tested:
        # What needs no test is computed while the tests run.
        compared = compare(
            bootstrap, pairs, interval=question.interval, tail=basis.tail, executor=executor
        )
        intervals = entry_intervals(basis)
        frequencies = rank_frequencies(bootstrap.replicates, field.competing)
        tests = tested()
    references = References.from_basis(basis, tests)
    shown = references.shown
    every_pair = all_pairs(basis, compared, intervals.standard_error, tests.p_better)
    cautions = cautions_of(basis, intervals, references, compared, tests.contest.kept)
    plain = float(intervals.low[field.leader]), float(intervals.high[field.leader])
    verdict, standing, distances = judge(basis, tests, references, cautions, plain)
    evidence = Evidence(
        metric=scores.metric,
        names=tuple(scores.names),
        n=scores.n,
        resamples=bootstrap.resamples,
        undefined=scores.replicates.undefined,
        question=question,
        scores=field.scores(
            basis.observed, bootstrap.theta, shown.entry, several_runs=scores.several_runs
        ),
        standing=standing,
        verdict=verdict,
        rank_frequency=frequencies,
        competitiveness=_competitiveness(basis, every_pair),
        cautions=(*cautions, *about_far_winners(scores, standing, verdict)),
        intervals=intervals,
        distances=distances,
        differences=shown.differences,
        from_leader=references.leader.differences,
        pairs=every_pair,
        reference_tests=tuple(references.tests.values()),
        histograms=histograms(bootstrap, shown.comparisons, shown.tied),
        paired_tests=paired_tests(basis, shown.comparisons),
    )
    planned = plan(basis, tests, intervals.standard_error, shown, evidence.tied_with_reference)
    return replace(evidence, plan=planned)


def _competitiveness(basis: Basis, pairs: Pairs) -> Competitiveness:
    field = basis.field
    return competitiveness(
        basis.scores.metric,
        basis.observed[field.best_of_teams],
        basis.scores.n,
        ties_with_winner=count_ties(pairs, field, "leader", basis.question.alpha),
        ties_between_competitors=count_ties(pairs, field, "row", basis.question.alpha),
    )


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
    check(scores, question.tests)
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
    observed, rows, tail = basis.observed, basis.rows, basis.tail
    interval, jackknife = basis.question.interval, basis.scores.jackknife
    mean, spread = rows.mean(axis=1), np.array([row.std(ddof=1) for row in rows])
    spread[spread <= negligible(observed, mean)] = 0.0
    used = [interval if interval != "bca" else "percentile"] * observed.size
    if interval == "standard_error":
        low, high = standard_error(mean, spread, tail)
    else:
        some = range(0, len(rows), _ROWS)
        ends = [percentile(Replicated(rows[first : first + _ROWS]), tail) for first in some]
        low, high = np.concatenate(ends, axis=1)
    if interval == "bca" and jackknife is not None and (spread > 0).any():
        left_out = jackknife()
        for i in np.flatnonzero(spread > 0):
            found = bca(rows[i], float(observed[i]), left_out[:, i], tail)
            if found is not None:
                (low[i], high[i]), used[i] = found, "bca"
    for i in np.flatnonzero(spread == 0):
        low[i], high[i], used[i] = _interval_of_constant(basis, int(i))
    return EntryIntervals(mean, spread, low, high, tuple(used))


def _interval_of_constant(basis: Basis, entry: int) -> tuple[float, float, str]:
    """Return the interval of an entry whose score is the same on every resample, and its name."""
    trials, score = int(basis.scores.trials[entry]), float(basis.observed[entry])
    if trials == 0:
        return np.nan, np.nan, "none"
    return *wilson(score, trials, basis.question.confidence), "wilson"


# Pairs --------------------------------------------------------------------------------------------


def all_pairs(basis: Basis, compared: Comparisons, own_errors: Floats, p_better: Floats) -> Pairs:
    """Return all pairs, the better entry first.

    ``own_errors`` [m] are the standard errors of the scores, ``p_better`` [m, m] the p-values of
    algorithm B.
    """
    better, worse = compared.first, compared.second
    p_values = basis.to_correct(compared, compared.p_one_sided, two_sided=False)
    return Pairs(
        better=better,
        worse=worse,
        observed=compared.observed,
        standard_error=compared.standard_error,
        resolution=resolution(compared.standard_error, own_errors[better], own_errors[worse]),
        low=compared.low,
        high=compared.high,
        p_one_sided=compared.p_one_sided,
        p_adjusted={
            kind: adjust(p_values, basis.field.family(kind, better, worse)) for kind in FAMILIES
        },
        p_max_t=p_better[better, worse],
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


def check(scores: MetricScores, tests: Sequence[str]) -> None:
    """Raise `SettingsError` if a test does not apply to the metric."""
    if "randomization" in tests and scores.randomized is None:
        raise SettingsError(
            f"tests: 'randomization' needs scores of swapped predictions, and {scores.metric.name} "
            "cannot give them; leave this test out"
        )
    if "mcnemar" not in tests:
        return
    if scores.correct is None:
        raise SettingsError(
            "tests: McNemar's test compares right and wrong predictions, so it applies to accuracy "
            f"without weights and not to {scores.metric.name}; use 'randomization' instead"
        )
    if scores.groups is not None:
        raise SettingsError(
            "tests: McNemar's test needs independent examples, but whole groups are resampled; "
            "use 'randomization' instead, which swaps whole groups"
        )


def paired_tests(basis: Basis, against: Comparisons) -> PairedTests | None:
    """Run the tests that the question asks for; None if it asks for none.

    ``against`` compares the reference with the m entries in their order. All entries share the same
    swaps.
    """
    scores, tests = basis.scores, basis.question.tests
    if not tests:
        return None
    one_sided = two_sided = exact = mid_p = discordant = None
    if "randomization" in tests and scores.randomized is not None:
        one_sided, two_sided = _randomization(basis, scores.randomized, against)
    if "mcnemar" in tests and scores.correct is not None:
        exact, mid_p, discordant = _mcnemar(against, scores.correct)
    return PairedTests(one_sided, two_sided, exact, mid_p, discordant)


def _randomization(
    basis: Basis, randomized: Randomized, against: Comparisons
) -> tuple[Floats, Floats]:
    units, resamples = basis.scores.units, basis.bootstrap.resamples
    sign = 1 if basis.scores.metric.greater_is_better else -1
    every = enumerable(units, resamples)
    pairs = list(zip(against.first.tolist(), against.second.tolist(), strict=True))
    results = [
        Randomization(float(observed), float(tolerance), every)
        for observed, tolerance in zip(against.observed, against.tolerance, strict=True)
    ]
    rng = np.random.default_rng(basis.question.seed)
    for swap in swaps(rng, units, resamples):
        for (reference, entry), result in zip(pairs, results, strict=True):
            if reference != entry:
                ours, theirs = randomized(reference, entry, swap)
                result.add(sign * (ours - theirs))
    itself = against.first == against.second
    one_sided = [result.one_sided if result.defined else 1.0 for result in results]
    two_sided = [result.two_sided if result.defined else 1.0 for result in results]
    return np.where(itself, 1.0, one_sided), np.where(itself, 1.0, two_sided)


def _mcnemar(against: Comparisons, correct: Bools) -> tuple[Floats, Floats, Ints]:
    ours, theirs = correct[:, against.first], correct[:, against.second]
    only_ours = np.count_nonzero(ours & ~theirs, axis=0)
    only_theirs = np.count_nonzero(theirs & ~ours, axis=0)
    p_values = [mcnemar(int(b), int(c)) for b, c in zip(only_ours, only_theirs, strict=True)]
    exact, mid_p = np.array(p_values).T
    return exact, mid_p, (only_ours + only_theirs).astype(np.intp)


# Histograms ---------------------------------------------------------------------------------------


#: The largest number of histograms, and the number of their bins.
HISTOGRAMS, BINS = 12, 40


def histograms(
    bootstrap: Bootstrap, against: Comparisons, ties: Mapping[str, Bools]
) -> Mapping[int, Histogram]:
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
        counts, edges = np.histogram(values, bins=BINS)
        counted[entry] = Histogram(edges, counts, float(against.observed[entry]))
    return counted
