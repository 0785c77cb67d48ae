"""From the scores and the replicates of one metric to everything that is inferred about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ..core.arrays import Bools, Floats
from ..core.errors import MetricError, SettingsError, nearest
from ..core.methods import INTERVALS, TIE_RULES
from . import cautions, intervals, paired, ranks
from .against import Against
from .analysis import CORRECTIONS, FAMILIES, MetricAnalysis, Pairs, ReferenceTest
from .comparisons import Comparisons, compare, error_matrix, skewness
from .competitiveness import competitiveness
from .corrections import adjust
from .entries import entry_intervals
from .field import Field, number
from .histograms import histograms
from .inputs import Bootstrap, EvidenceLike, MetricLike, Randomized, ReplicatesLike
from .planning import plan, resolution


def analyse(
    metric: MetricLike,
    observed: Floats,
    replicates: ReplicatesLike,
    *,
    names: Sequence[str],
    n: int,
    units: int | None = None,
    confidence: float = 0.95,
    interval: str = "percentile",
    tie_rule: str = "max_t",
    baselines: Sequence[str] = (),
    reference: str | None = None,
    evidence: EvidenceLike | None = None,
    jackknife: Callable[[], Floats] | None = None,
    tests: Sequence[str] = (),
    randomized: Randomized | None = None,
    seed: int = 0,
    workers: int = 1,
) -> MetricAnalysis:
    """Infer everything about one metric from its scores and its bootstrap replicates.

    Parameters
    ----------
    observed, replicates
        Scores [m] on the whole test set and [B, m] on the resamples, in the metric's own sign.
        Exactly equal scores are ties, so identical predictions must have identical scores.
    names
        Of the m entries. Exact ties are ordered by name: the first by name is the leader.
    n, units
        Test examples; the number of groups where whole groups are resampled, else None.
    confidence
        Of intervals and rank sets; p-values are compared with α = 1 − confidence.
    interval
        "percentile", "standard_error" or "bca", of the entries' scores. Differences have percentile
        intervals under "bca" too, which covers them worst.
    tie_rule
        The rule of `core.methods.TIE_RULES` that flags entries as tied with the leader.
    baselines
        Entries that are shown and tested, but cannot win; see `Field`.
    reference
        Compare with this entry instead of the leader. Fixed in advance, it is tested two-sided:
        ``none`` and the corrections use two-sided p-values, ``max_t`` is algorithm A.
    evidence
        What the data can show; without it there are no warnings about classes and disagreements.
    jackknife
        Gives the scores [N, m] with one unit left out; needed and called for "bca" only.
    tests, randomized, seed
        More tests of the reference against every entry, of `core.methods.TESTS`; the scores under
        swapped predictions and the seed of the swaps for "randomization".
    workers
        Threads that share the comparisons of pairs.

    Raises
    ------
    SettingsError
        Where a setting is unknown or does not apply.
    MetricError
        Where the metric is defined on fewer than two resamples.
    """
    correct = None if evidence is None else evidence.correct
    _check_settings(interval, tie_rule, units, jackknife)
    paired.check(tests, metric.name, correct=correct, randomized=randomized, groups=units)
    if len(replicates.values) < 2:
        raise MetricError(
            f"{metric.name} is defined for every entry on only {len(replicates.values)} resamples"
        )
    observed = np.asarray(observed, dtype=np.float64)
    rows = np.ascontiguousarray(replicates.values.T, dtype=np.float64)
    bootstrap = Bootstrap.oriented(
        observed, rows, greater_is_better=metric.greater_is_better, examples=n
    )
    field = Field.of(bootstrap.theta, names, baselines)
    alpha = round(1 - confidence, 12)
    tail = intervals.tail_probability(confidence, units)
    resampled = n if units is None else units

    entries = entry_intervals(
        observed,
        rows,
        interval=interval,
        confidence=confidence,
        groups=units,
        trials=None if evidence is None else evidence.trials,
        jackknife=jackknife,
    )
    compared = compare(bootstrap, *field.pairs(), interval=interval, tail=tail, workers=workers)
    errors = error_matrix(field.order.size, compared)
    studentized = ranks.Studentized(
        ranks.studentize(bootstrap.theta, errors, resampled), bootstrap.deviations, errors
    )
    p_better = ranks.better(studentized, field.competing)
    rejected = p_better <= alpha
    rank_low, rank_high = ranks.rank_sets(rejected, field.competing)
    pairs = _pairs(compared, entries.standard_error, field, p_better)

    fixed = None if reference is None else number(reference, names, "reference_entry")
    chosen = field.leader if fixed is None else fixed
    reference_tests = {
        entry: _reference_test(bootstrap, studentized, field, entry)
        for entry in (*field.baselines, *(() if fixed is None else (fixed,)))
    }
    could_be_best = ranks.possible_winners(studentized, field.competing, confidence)
    ahead = _baselines_ahead(bootstrap, field, reference_tests, alpha)
    from_leader = shown = Against.of(
        bootstrap,
        field,
        field.leader,
        could_be_best,
        ahead,
        interval=interval,
        tail=tail,
        alpha=alpha,
    )
    if fixed is not None:
        equal = reference_tests[fixed].p_value > alpha
        shown = Against.of(
            bootstrap,
            field,
            fixed,
            equal,
            np.zeros_like(equal),  # its own test is two-sided
            interval=interval,
            tail=tail,
            alpha=alpha,
            fixed=True,
        )
    against, ties = shown.comparisons, shown.tied
    candidates = field.order[field.competing[field.order] & (field.order != chosen)]

    return MetricAnalysis(
        name=metric.name,
        greater_is_better=metric.greater_is_better,
        n=n,
        resamples=bootstrap.resamples,
        undefined=replicates.undefined,
        confidence=confidence,
        interval=interval,
        tie_rule=tie_rule,
        leader=field.leader,
        leaders=field.leaders,
        reference=chosen,
        baselines=field.baselines,
        order=field.order,
        score=observed,
        mean=entries.mean,
        standard_error=entries.standard_error,
        low=entries.low,
        high=entries.high,
        interval_used=entries.used,
        rank=ranks.ranks(bootstrap.theta, field.competing),
        differences=shown.differences,
        from_leader=from_leader.differences,
        tied=ties,
        tied_with_reference=ties[tie_rule],
        tied_with_leader=from_leader.tied[tie_rule],
        pairs=pairs,
        rank_low=rank_low,
        rank_high=rank_high,
        tier=ranks.tiers(ranks.twins_together(studentized, field.order), rejected, field.competing),
        rank_frequency=ranks.rank_frequencies(bootstrap.replicates, field.competing),
        reference_tests=tuple(reference_tests.values()),
        competitiveness=competitiveness(
            metric,
            observed[field.competing],
            n,
            ties_with_winner=_ties(pairs, field, "leader", alpha),
            ties_between_competitors=_ties(pairs, field, "row", alpha),
        ),
        planning=plan(
            bootstrap.theta,
            errors,
            entries.standard_error,
            n=n,
            confidence=confidence,
            reference=chosen,
            two_sided=fixed is not None,
            tied=candidates[ties[tie_rule][candidates]],
            competitors=np.flatnonzero(field.competing),
        ),
        histograms=histograms(bootstrap, against, ties),
        warnings=cautions.cautions(
            metric,
            names,
            n=n,
            groups=units,
            alpha=alpha,
            tie_rule=tie_rule,
            resamples=bootstrap.resamples,
            undefined=replicates.undefined,
            zero_divisions=replicates.zero_divisions,
            competing=field.competing,
            interval_used=entries.used,
            evidence=evidence,
            against=against,
            skewness=skewness(bootstrap, against),
            pairs=compared,
        ),
        paired_tests=paired.paired_tests(
            tests,
            against,
            sign=1 if metric.greater_is_better else -1,
            correct=correct,
            randomized=randomized,
            units=resampled,
            resamples=bootstrap.resamples,
            seed=seed,
        ),
    )


def _check_settings(
    interval: str, tie_rule: str, groups: int | None, jackknife: Callable[[], Floats] | None
) -> None:
    for setting, value, known in (
        ("interval", interval, INTERVALS),
        ("tie_rule", tie_rule, TIE_RULES),
    ):
        if value not in known:
            choices = ", ".join(known)
            raise SettingsError(
                f"{setting}: unknown value {value!r} (known: {choices}){nearest(value, known)}"
            )
    if interval == "bca" and tie_rule == "interval":
        raise SettingsError(
            "tie_rule: 'interval' needs intervals of differences, which BCa covers worst of all; "
            "choose another tie rule, or the interval percentile or standard_error"
        )
    if interval == "bca" and jackknife is None:
        raise SettingsError(
            "interval: bca needs the scores with one example left out, which are not available "
            "here; use percentile"
        )
    if groups is not None and groups < 2:
        raise SettingsError(
            f"group: whole groups can be resampled only where there are two or more, not {groups}"
        )


def _pairs(compared: Comparisons, own_errors: Floats, field: Field, p_better: Floats) -> Pairs:
    better, worse = compared.first, compared.second
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
            kind: adjust(compared.p_one_sided, field.family(kind, better, worse))
            for kind in FAMILIES
        },
        p_max_t=p_better[better, worse],
    )


def _reference_test(
    bootstrap: Bootstrap, studentized: ranks.Studentized, field: Field, reference: int
) -> ReferenceTest:
    p_values = np.ones(bootstrap.entries)
    for others in (field.competing, ~field.competing):
        family = np.flatnonzero(others & (np.arange(bootstrap.entries) != reference))
        p_values[family] = ranks.against_reference(studentized, reference, family)
    return ReferenceTest(reference, bootstrap.theta[reference] - bootstrap.theta, p_values)


def _baselines_ahead(
    bootstrap: Bootstrap, field: Field, tests: Mapping[int, ReferenceTest], alpha: float
) -> Bools:
    """Return which baselines [m] are better than the leader by the test of each (algorithm A).

    The rules of ties ask whether the leader is better, or whether an entry could have won.
    """
    ahead = np.zeros(bootstrap.entries, dtype=np.bool_)
    for baseline in field.baselines:
        better = bootstrap.theta[baseline] > bootstrap.theta[field.leader]
        ahead[baseline] = better and tests[baseline].p_value[field.leader] <= alpha
    return ahead


def _ties(pairs: Pairs, field: Field, family: str, alpha: float) -> Mapping[str, int]:
    competing = field.competing[pairs.better] & field.competing[pairs.worse]
    within = competing & (field.family(family, pairs.better, pairs.worse) >= 0)
    p_values = {"none": pairs.p_one_sided, **pairs.p_adjusted[family]}
    return {
        correction: int(np.count_nonzero(p_values[correction][within] >= alpha))
        for correction in CORRECTIONS
    }
