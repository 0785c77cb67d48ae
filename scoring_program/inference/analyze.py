"""Analyzes one metric: from its scores and replicates to all inferences about it.

The analysis reads these settings:

- ``confidence``: level of the intervals, rank ranges and rank sets; the significance level is
  1 − confidence.
- ``interval``: method for the entries' scores. With "bca", differences still have percentile
  intervals, because BCa covers differences worst.
- ``tie_rule``: the rule that marks entries as tied with the leader.
- ``studentized``: when the draws of max-T are studentized; see `studentized`.
- ``baselines``: entries that are shown and tested, but cannot win; see `Field`.
- ``reference_entry``: the entry that all are compared with instead of the leader. It is fixed in
  advance, so its tests are two-sided: ``none`` and the corrections use two-sided p-values, and
  ``max_t`` is algorithm A.
- ``margin``: largest distance from the best, in the metric's units, that makes no difference in
  practice.
- ``tests``: further tests of the reference against every entry.
- ``seed``: seed of the swaps for the test "randomization".
- ``workers``: number of threads that share the comparisons of pairs. With two or more, a process of
  its own tests large fields, if the ``backend`` is "auto" or "processes".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import Floats
from ..core.errors import MetricError, SettingsError, nearest
from ..core.methods import INTERVALS, TIE_RULES
from ..settings.model import Settings
from . import paired, ranks
from .analysis import Competitiveness, MetricAnalysis, Pairs
from .basis import Basis
from .cautions import cautions_of
from .comparisons import Comparisons, Moments, compare, moments
from .competitiveness import competitiveness
from .entry_intervals import EntryIntervals, entry_intervals
from .histograms import histograms
from .inputs import MetricScores
from .pairs import all_pairs, count_ties
from .planning import plan
from .reference_comparisons import References
from .standing import Standing

_DEFAULTS = Settings()


def analyze(scores: MetricScores, settings: Settings = _DEFAULTS) -> MetricAnalysis:
    """Analyze one metric; the module's docstring explains the settings.

    Raises
    ------
    SettingsError
        A setting is unknown or does not apply.
    MetricError
        The metric is defined on fewer than two resamples.
    """
    _check(scores, settings)
    basis = Basis.of(scores, settings)
    pairs = moments(basis.bootstrap, *basis.field.pairs(), workers=settings.workers)
    with Standing.begin(basis, pairs) as standing:
        described = _Described.of(basis, pairs)
        return _analysis(basis, described, standing())


@dataclass(frozen=True, eq=False)
class _Described:
    """What describes the replicates, and needs no test."""

    pairs: Comparisons  # all of them
    entries: EntryIntervals
    rank_frequency: Floats  # [m, m]

    @classmethod
    def of(cls, basis: Basis, pairs: Moments) -> _Described:
        bootstrap, settings = basis.bootstrap, basis.settings
        compared = compare(
            bootstrap,
            pairs,
            interval=settings.interval,
            tail=basis.tail,
            workers=settings.workers,
        )
        frequencies = ranks.rank_frequencies(bootstrap.replicates, basis.field.competing)
        return cls(compared, entry_intervals(basis), frequencies)


def _analysis(basis: Basis, described: _Described, standing: Standing) -> MetricAnalysis:
    """Put the analysis together."""
    scores, settings, bootstrap, field = basis.scores, basis.settings, basis.bootstrap, basis.field
    compared, entries = described.pairs, described.entries
    references = References.of(basis, standing)
    pairs = all_pairs(basis, compared, entries.standard_error, standing.p_better)
    leader, shown = references.leader, references.shown
    distance = np.where(field.competing, standing.distance, np.nan)
    return MetricAnalysis(
        metric=scores.metric,
        names=tuple(scores.names),
        n=scores.n,
        resamples=bootstrap.resamples,
        undefined=scores.replicates.undefined,
        confidence=settings.confidence,
        interval=settings.interval,
        tie_rule=settings.tie_rule,
        studentized=standing.draws.why,
        studentized_pairs=standing.draws.studentized,
        several_runs=scores.several_runs,
        leader=field.leader,
        leaders=field.leaders,
        reference=shown.entry,
        baselines=field.baselines,
        order=field.order,
        score=basis.observed,
        mean=entries.mean,
        standard_error=entries.standard_error,
        low=entries.low,
        high=entries.high,
        interval_used=entries.used,
        rank=ranks.ranks(bootstrap.theta, field.competing),
        differences=shown.differences,
        from_leader=leader.differences,
        tied=shown.tied,
        tied_with_reference=shown.tied[settings.tie_rule],
        tied_with_leader=leader.tied[settings.tie_rule],
        pairs=pairs,
        above=standing.above,
        below=standing.below,
        rank_low=standing.rank_low,
        rank_high=standing.rank_high,
        distance=distance,
        practically_best=None if settings.margin is None else distance <= settings.margin,
        separated_from=standing.separated_from,
        joint_low=standing.joint_low,
        joint_high=standing.joint_high,
        tier=standing.tier,
        rank_frequency=described.rank_frequency,
        reference_tests=tuple(references.tests.values()),
        competitiveness=_competitiveness(basis, pairs),
        planning=plan(basis, standing, entries.standard_error, shown),
        histograms=histograms(bootstrap, shown.comparisons, shown.tied),
        cautions=cautions_of(basis, entries, references, standing.deciding, compared),
        paired_tests=paired.paired_tests(basis, shown.comparisons),
    )


def _competitiveness(basis: Basis, pairs: Pairs) -> Competitiveness:
    field = basis.field
    return competitiveness(
        basis.scores.metric,
        basis.observed[field.competing],
        basis.scores.n,
        ties_with_winner=count_ties(pairs, field, "leader", basis.alpha),
        ties_between_competitors=count_ties(pairs, field, "row", basis.alpha),
    )


def _check(scores: MetricScores, settings: Settings) -> None:
    """Raise for settings that are unknown or do not apply, and for too few resamples."""
    for setting, known in (("interval", INTERVALS), ("tie_rule", TIE_RULES)):
        value = getattr(settings, setting)
        if value not in known:
            choices = ", ".join(known)
            raise SettingsError(
                f"{setting}: unknown value {value!r} (known: {choices}){nearest(value, known)}"
            )
    if settings.interval == "bca" and settings.tie_rule == "interval":
        raise SettingsError(
            "tie_rule: 'interval' needs intervals of differences, for which BCa is the worst "
            "method; choose another tie rule, or the interval percentile or standard_error"
        )
    if settings.interval == "bca" and scores.jackknife is None:
        raise SettingsError(
            "interval: bca needs the scores with one example left out, and these are not "
            "available; use percentile"
        )
    groups = scores.groups
    if groups is not None and groups < 2:
        raise SettingsError(
            f"group: resampling whole groups needs at least two groups; found {groups}"
        )
    paired.check(scores, settings.tests)
    defined = len(scores.replicates.values)
    if defined < 2:
        raise MetricError(
            f"{scores.metric.name} has a score for every entry on only {defined} resamples; "
            "use a larger test set or another metric"
        )
