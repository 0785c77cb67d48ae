"""What the inference is asked, a `Question`, and the evidence that it hands to the report.

`Evidence` is about one metric, and composed of parts. The scores, the standing, the competitiveness
and the cautions exist always; the intervals, the distances, the differences, the pairs and the plan
exist together, but not of a mean rank over tasks: it jumps where entries are close, so what is
known of it is the standing, by projection (`mean_ranks`). Nor do they of a metric that can score no
resample (`scores_alone`). The rest exists where the data or the
question ask for it. A part that does not exist is None, or empty, and nothing stands in its place.

Entries are numbered 0 … m−1 in the order of ``names``, which lacks the entries without a score by
this metric; an array over entries has shape [m] in that order, and ``order`` lists the numbers best
first. Scores, intervals and differences are in the metric's own units; scores keep the metric's own
sign. A difference is written as an *advantage*: it is positive if the first of the two entries is
better, whatever the direction of the metric.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property

import numpy as np

from ..core.arrays import Bools, Floats, Ints, median
from ..core.errors import SettingsError, nearest
from ..core.folds import Folds
from ..core.methods import INTERVALS, STUDENTIZED, TESTS, TIE_RULES
from ..core.phrases import Phrase
from ..metrics import Metric
from .judge_and_people import JudgeAndPeople

# Question -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Question:
    """How to judge scores; see `Settings` for the defaults' reasons.

    ``confidence`` is the level of the intervals, rank ranges and rank sets; the significance level
    is 1 − confidence. ``interval`` is the method for the entries' scores; with "bca", differences
    still have percentile intervals, because BCa covers differences worst. ``tie_rule`` marks
    entries as tied with the leader. ``studentized`` says when the draws of max-T are studentized
    (`studentized`). ``baselines`` are entries that are shown and tested, but cannot win (`Field`).

    ``reference_entry`` is the entry that all are compared with instead of the leader. It is fixed
    in advance, so its tests are two-sided: ``none`` and the corrections use two-sided p-values, and
    ``max_t`` is algorithm A. ``margin`` is the largest distance from the best, in the metric's
    units, that makes no difference in practice. ``prizes`` is the number K of the first places:
    who surely takes one of them (`prizes`), and are they verified (`standing`)? ``costs`` are those
    of entries, by their names: who may be the best for its cost (`front`)? ``tests`` are
    further tests of the reference against every entry, and ``seed`` is that of the swaps for
    "randomization". ``missing_task`` says what an entry that is missing from a task gets by a
    metric over tasks. ``seeds`` says whether the mean over runs stands for other runs of the same
    method (`normal`). ``folds`` says how units came about that are folds (`core.folds`).

    Raises
    ------
    SettingsError
        A method is unknown, or two do not go together.
    """

    confidence: float = 0.95
    interval: str = "percentile"
    tie_rule: str = "max_t"
    studentized: str = "auto"
    baselines: tuple[str, ...] = ()
    reference_entry: str | None = None
    margin: float | None = None
    prizes: int | None = None
    costs: Mapping[str, float] | str | None = field(default=None, hash=False)
    tests: tuple[str, ...] = ()
    seed: int = 0
    missing_task: str = "drop"
    seeds: str = "cross"
    folds: Folds | str | None = None

    def __post_init__(self) -> None:
        """Check the methods."""
        asked = [("interval", self.interval, INTERVALS), ("tie_rule", self.tie_rule, TIE_RULES)]
        asked += [("studentized", self.studentized, STUDENTIZED)]
        for setting, value, methods in (*asked, *(("tests", test, TESTS) for test in self.tests)):
            if value not in methods:
                raise SettingsError(
                    f"{setting}: unknown value {value!r} (known: {', '.join(methods)})"
                    f"{nearest(value, methods)}"
                )
        if self.interval == "bca" and self.tie_rule == "interval":
            raise SettingsError(
                "tie_rule: 'interval' needs intervals of differences, for which BCa is the worst "
                "method; choose another tie rule, or the interval percentile or standard_error"
            )

    @classmethod
    def from_settings(cls, settings: object) -> Question:
        """Return what settings ask that have attributes of the same names."""
        return cls(**{item.name: getattr(settings, item.name) for item in fields(cls)})

    def costs_of(self, names: Sequence[str]) -> Floats:
        """Return the costs [m] of entries; nan of those without one."""
        costs = self.costs if isinstance(self.costs, Mapping) else {}
        return np.array([costs.get(name, math.nan) for name in names], np.float64)

    @property
    def alpha(self) -> float:
        """Significance level of the tests."""
        return round(1 - self.confidence, 12)


# Evidence -----------------------------------------------------------------------------------------


#: Adjustments of p-values, by statsmodels' names; ``none`` leaves them as they are.
CORRECTIONS = ("none", "bonferroni", "holm", "fdr_bh")
#: The tie rule of a mean rank over tasks, which has ranks and ties, but no interval and no p-value.
PROJECTION = "projection"
#: That of a metric that can score no resample: nothing is tested (`scores_alone`).
WITHHELD = "withheld"
#: Families over which p-values are adjusted.
FAMILIES = ("leader", "row", "all")


#: Codes of the serious cautions that say nothing about the evidence for those who are compared.
OF_UPLOADS = ("internal_errors", "same_names")


@dataclass(frozen=True)
class Caution:
    """A warning about the results: its level, its kind, and the number that triggered it."""

    level: str  # "red" or "amber"
    code: str  # stable, machine-readable: "few_minority_examples", …
    number: float
    sentence: Phrase

    @property
    def weakens(self) -> bool:
        """Whether the stated confidence may not hold."""
        return self.level == "red" and self.code not in OF_UPLOADS


@dataclass(frozen=True, eq=False)
class EntryScores:
    """Who scores what, and who leads; exact ties are ordered by name."""

    score: Floats  # [m]
    order: Ints
    rank: Ints  # [m]; a baseline has the rank it would have; it does not lower others' ranks
    leader: int
    leaders: tuple[int, ...]  # all that share the best score, one a team
    baselines: tuple[int, ...]
    reference: int  # leader, unless the question names another
    several_runs: bool = False  # whether some team has several runs, shown or not


@dataclass(frozen=True, eq=False)
class Standing:
    """What the tests say of m entries: who is tied, and the ranks that each may truly have.

    Each array over entries is [m], and each matrix [m, m].
    """

    rule: str  # the tie rule of the question, `PROJECTION` or `WITHHELD`
    # rule → tied with the reference, which is so itself unless another team's run is shown better.
    tied: Mapping[str, Bools]
    rank_low: Ints  # best place of the rank range, 1 for possible winners; 0 without a range
    rank_high: Ints
    joint_low: Ints  # best place of the joint rank set (algorithm C′); 0 without one
    joint_high: Ints
    tier: Ints  # 1 is the best (algorithm E)
    separated_from: Ints  # by max-T: the leader, else the best that is better; −1 if tied
    better: Bools  # (better, worse): the pairs that may be named
    studentized: str | None = None  # why the draws of max-T are studentized; None if they are not
    studentized_pairs: int = 0

    @property
    def ranges_are_open(self) -> bool:
        """Whether nothing limits how far behind an entry may be: ``rank_high`` is the last place.

        By a mean rank over tasks, a range only says who may be the best.
        """
        return self.rule == PROJECTION


@dataclass(frozen=True, eq=False)
class EntryIntervals:
    """Intervals of m entries, in the metric's own sign; nan if an entry has no interval."""

    mean: Floats
    standard_error: Floats
    low: Floats
    high: Floats
    used: tuple[str, ...]  # the method, or "wilson" or "none" where the standard error is 0


@dataclass(frozen=True, eq=False)
class Distances:
    """How far behind the best of the others m entries truly are, in the metric's units: bars.

    Both ends are nan for entries that do not compete, or for whose team another run stands.
    """

    near: Floats  # at least; 0 exactly for possible winners
    from_best: Floats  # at most (algorithm G); ∞ where no upper limit can be given
    practically_best: Bools | None  # at most the ``margin`` of the question, if it has one


@dataclass(frozen=True)
class CorrectedScore:
    """The leader's score corrected for its selection, in the metric's own sign."""

    estimate: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Prizes:
    """Which teams are sure of one of the first K places, may take one, or are out.

    The arrays [m] mark the entries that stand for the teams. All of it holds at once with the
    confidence; where there is none, the arrays are None, too.
    """

    places: int  # K
    sure: Bools | None
    open: Bools | None
    out: Bools | None
    confidence: float | None
    # What withdraws it: as for the verdict, or "rule" under any other tie rule than max-T, or
    # "mean_rank".
    reason: str | None

    @classmethod
    def unknown(cls, places: int, reason: str) -> Prizes:
        """Return prizes of which nothing can be said."""
        return cls(places, None, None, None, None, reason)


@dataclass(frozen=True, eq=False)
class Front:
    """Which teams may be the best for their costs, and what rules the others out.

    The arrays [m] are about the entries that stand for the teams; a baseline may have a cost.
    """

    costs: Floats  # nan where there is none
    measured: bool  # whether costs were measured on the units, and so vary like scores
    on: Bools | None  # None where nothing can be said
    # Who is shown to be better at no higher cost; −1 on the front, and where nothing is said.
    excluded_by: Ints | None
    confidence: float | None
    # What withdraws it: as for `Prizes`.
    reason: str | None

    @classmethod
    def unknown(cls, costs: Floats, reason: str, *, measured: bool = False) -> Front:
        """Return the costs of entries of which nothing can be said."""
        return cls(costs, measured, None, None, None, reason)


@dataclass(frozen=True, eq=False)
class Verdict:
    """Who may be the best by one metric, and how sure this is.

    It is about teams: of a team of several runs, all take part in the tests, and the entry that
    stands for it is its best run that is shown.
    """

    leaders: tuple[int, ...]  # the entries that stand for the teams with the best score
    possible_winners: Bools  # [m]
    verified: bool  # the sole leader is shown to be ahead of every rival
    unverified_by: int | None  # else, the rival that a sole leader is least far ahead of
    places: int | None  # K, if the first K are verified as the first K
    confidence: float | None  # None where the claim does not hold
    # What withdraws it: the code of a serious caution; "rule", "runs" or "few" where the tie rule
    # is no confidence set; "alone" where one entry competes.
    withdrawn_because: str | None
    corrected: CorrectedScore | None  # the leader's score
    uncorrected_because: str | None  # why there is none
    prizes: Prizes | None = None  # None where the question does not ask for any
    front: Front | None = None  # None where the question has no costs


@dataclass(frozen=True, eq=False)
class Moments:
    """The advantage of the first entry over the second in k pairs, [k] each."""

    first: Ints
    second: Ints
    observed: Floats
    mean: Floats
    standard_error: Floats  # exactly 0 if it is only float noise
    tolerance: Floats  # a smaller difference between the two counts as none


@dataclass(frozen=True, eq=False)
class Comparisons(Moments):
    """The same with intervals and p-values, [k] each."""

    low: Floats  # exactly 0 if it is only float noise; the same holds for ``high``
    high: Floats
    p_one_sided: Floats  # for "the first entry is better"


@dataclass(frozen=True, eq=False)
class Differences(Comparisons):
    """The reference (the leader, or ``reference_entry``), compared with every entry, [m] each.

    The reference's own row holds zeros and p-values of one. Adjusted p-values are one-sided against
    the leader, two-sided against an entry fixed in advance. Against this one, the one-sided p is
    about whichever is ahead.
    """

    p_two_sided: Floats
    p_adjusted: Mapping[str, Floats]  # bonferroni, holm, fdr_bh over the family ``leader``


@dataclass(frozen=True, eq=False)
class Pairs(Comparisons):
    """All pairs, [m(m−1)/2] each: the first has the better score, or is the first in ``order``.

    An adjusted p-value is nan if the pair is not in the family. Pairs with a baseline form separate
    families.
    """

    resolution: Floats  # standard error / that of two independent entries; nan where undefined
    p_adjusted: Mapping[str, Mapping[str, Floats]]  # family → correction (but ``none``) → p
    p_max_t: Floats  # algorithm B, better over worse

    @property
    def better(self) -> Ints:
        """The first entries."""
        return self.first

    @property
    def worse(self) -> Ints:
        """The second entries."""
        return self.second


@dataclass(frozen=True, eq=False)
class PairedTests:
    """Further tests of the reference against every entry, [m] each; None if not requested.

    The reference's own row holds p-values of one.
    """

    # That the reference is better, or, of one named in advance, whichever is ahead (Fisher).
    randomization_one_sided: Floats | None
    randomization_two_sided: Floats | None
    mcnemar_exact: Floats | None  # two-sided
    mcnemar_mid_p: Floats | None  # two-sided
    discordant: Ints | None  # examples that exactly one of the two gets right (McNemar)


@dataclass(frozen=True, eq=False)
class RankingSchemes:
    """What each entry gets by each ranking scheme, and its rank; scheme → [k], k ``entries``.

    The schemes are "mean", "median", "mean_rank" and "wins"; see `descriptive`. ``cases`` [n, k]
    are the scores that they rank, in the metric's own units.
    """

    entries: Ints  # [k] numbers of the competing entries, best first by the metric
    cases: Floats
    values: Mapping[str, Floats]
    ranks: Mapping[str, Ints]


@dataclass(frozen=True)
class Competitiveness:
    """How close a competition is by one metric; a measure that does not apply is None."""

    n: int
    m: int
    ties_with_winner: Mapping[str, int]  # correction → count, family ``leader``
    possible_comparisons: int
    ties_between_competitors: Mapping[str, int]  # correction → count, family ``row``
    winner_minus_median: float | None
    cv_percent: float | None
    ppi_percent: float | None
    # Measure → its standard error, the standard deviation over resamples; None if it has none.
    standard_errors: Mapping[str, float | None] = field(default_factory=dict)

    # Measures of how close a competition was, as in the papers: Nava-Muñoz, Graff, Escalante 2024,
    # table 6; Nava-Muñoz's thesis, sections 5.4 and 5.5.
    @classmethod
    def from_scores(
        cls,
        metric: Metric,
        scores: Floats,
        n: int,
        ties_with_winner: Mapping[str, int],
        ties_between_competitors: Mapping[str, int],
        replicates: Floats | None = None,
    ) -> Competitiveness:
        """Return the measures for the best scores [m] of the teams that can win (m ≥ 1).

        ``replicates`` [m, B] are those of these scores; without them, there are no standard errors.

        PPI, the possible improvement, is 100·|ideal − winner| / range of the metric. For an
        unbounded error metric with ideal 0, it is the winner's error, in the metric's units. It is
        None if the metric has no ideal, or has no bounds and an ideal other than 0. CV is
        100·s/mean, s with ddof 1; None for one entry, for mean 0, and for a metric without a ratio
        scale.
        """
        several = scores.size > 1
        greater = metric.greater_is_better
        winner = float(scores.max() if greater else scores.min())
        ppi = None
        extent = metric.high - metric.low
        if metric.ideal is not None:
            distance = abs(metric.ideal - winner)
            if math.isfinite(extent):
                ppi = 100 * distance / extent
            elif metric.ideal == 0 and not greater:
                ppi = distance
        cv = None
        if metric.ratio_scale and several and scores.mean() != 0:
            cv = float(100 * scores.std(ddof=1) / scores.mean())
        errors: dict[str, float | None] = {}
        if replicates is not None:
            best = replicates.max(axis=0) if greater else replicates.min(axis=0)
            # What PPI is per unit of the winner's score.
            slope = 100 / extent if math.isfinite(extent) else 1.0
            errors = {
                "winner_minus_median": _spread(best - median(replicates), several),
                "cv_percent": _spread(_variation(replicates), several and cv is not None),
                "ppi_percent": _spread(slope * best, ppi is not None),
            }
        return cls(
            n=n,
            m=scores.size,
            ties_with_winner=ties_with_winner,
            possible_comparisons=scores.size * (scores.size - 1) // 2,
            ties_between_competitors=ties_between_competitors,
            winner_minus_median=abs(winner - float(median(scores))) if several else None,
            cv_percent=cv,
            ppi_percent=ppi,
            standard_errors=errors,
        )


def _variation(replicates: Floats) -> Floats:
    """Return the coefficient of variation (%) on each resample [B]; nan where the mean is 0."""
    if len(replicates) < 2:
        return np.full(replicates.shape[1], np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(100 * replicates.std(axis=0, ddof=1) / replicates.mean(axis=0))


def _spread(values: Floats, exists: bool) -> float | None:
    """Return the standard deviation of a measure over resamples; None if it is not defined."""
    if not exists or values.size < 2 or not np.isfinite(values).all():
        return None
    return float(values.std(ddof=1))


@dataclass(frozen=True)
class PairPlan:
    """The test set that would settle which of a tied entry and the reference is better."""

    entry: int
    difference: float
    standard_error: float
    # Whoever is ahead. None if no test set of up to 100 times the size would do; n or fewer where
    # the tie rule is stricter than the power's approximation.
    examples_needed: int | None
    other_ahead: float  # share of the resamples in which the entry is ahead of the reference
    # Standard error of the pair / that of two independent entries; None if undefined.
    resolution: float | None
    # Of means over runs: the runs of each method that would do with these examples, and what would
    # do if there were as many times more of both, examples and runs. None as above.
    runs_needed: int | None = None
    both_needed: tuple[int, int] | None = None


@dataclass(frozen=True)
class BorderPlan:
    """The test set that would settle which of two teams takes the last prize.

    They are the entries of the ranking beside the border of the first K places. None is as in
    `PairPlan`.
    """

    inside: int
    outside: int
    examples_needed: int | None


@dataclass(frozen=True, eq=False)
class SliceEvidence:
    """One metric within one slice of the test set: the examples with one value in a column.

    The intervals hold for all entries in all slices at once; they are nan where a slice or an entry
    has only its score. ``score`` is nan where the metric has none.
    """

    column: str
    value: str
    n: int  # test examples in the slice
    score: Floats  # [m]
    low: Floats
    high: Floats
    compared: bool  # whether the leader is compared with the others here
    other_leader: int | None  # who leads here, if the overall leader is shown not to be the best
    constant: Bools  # [m] the score is the same on every resample: a Wilson interval, or none


@dataclass(frozen=True, eq=False)
class Evidence:
    """Everything inferred about one metric; see the module's docstring for shapes and signs."""

    metric: Metric
    names: tuple[str, ...]  # of the entries with a score, [m]
    n: int
    resamples: int  # used, without the undefined ones
    undefined: int  # resamples on which the metric was undefined for some entry
    question: Question
    scores: EntryScores
    standing: Standing
    verdict: Verdict
    # [m, m]: share of resamples in which entry i takes rank r + 1 (algorithm F).
    rank_frequency: Floats
    competitiveness: Competitiveness
    cautions: tuple[Caution, ...]  # red ones first
    task: str | None = None  # None for all tasks together, and where there is only one
    intervals: EntryIntervals | None = None
    distances: Distances | None = None
    differences: Differences | None = None  # from the reference
    from_leader: Differences | None = None  # the same unless the reference is another entry
    pairs: Pairs | None = None
    # The test sets that would settle the pairs of the reference with those who are tied with it.
    plan: tuple[PairPlan, ...] = ()
    border: BorderPlan | None = None  # the test set that would settle who takes the last prize
    smallest_separable: float | None = None  # difference that this test set separates: median pair
    # Of each baseline, and of ``reference_entry``: two-sided step-down p [m] against it (algorithm
    # A), 1 for itself.
    reference_tests: Mapping[int, Floats] = field(default_factory=dict)
    # Replicates of the advantage of the reference over close entries: counts, and edges of bins.
    histograms: Mapping[int, tuple[Ints, Floats]] = field(default_factory=dict)
    paired_tests: PairedTests | None = None  # only if the question asks for further tests
    normal_source: str | None = None  # why draws are normal (`normal.NormalDraws`); else resamples
    run_scores: tuple[Floats, ...] = ()  # [m] of the runs that each entry is the mean of, if any
    seed_share: float | None = None  # of differences' variance, if draws are crossed with seeds
    units_are_runs: bool = False  # whether units are seeds, or runs, of systems on one test set
    people: JudgeAndPeople | None = None  # if people scored some units beside a judge
    schemes: RankingSchemes | None = None  # once for each column of a table of scores
    # The shares of the variances of the scores, and of the differences from the reference, that
    # come from repeated samples of the examples, [m] each; only of metrics of such samples.
    samples: tuple[Floats, Floats] | None = None
    slices: tuple[SliceEvidence, ...] = ()
    # The places [m] whose ranks a mean rank averages, by the name of the task's metric.
    places_in_tasks: Mapping[str, Floats] = field(default_factory=dict)

    @cached_property
    def number_of(self) -> Mapping[str, int]:
        """Each entry's number, by its name."""
        return {name: number for number, name in enumerate(self.names)}

    @property
    def tied_with_reference(self) -> Bools:
        """Who is tied with the reference, [m]: the possible winners unless it was named."""
        if self.question.reference_entry is None:
            return self.verdict.possible_winners
        return self.standing.tied[self.standing.rule]

    def span(self, entry: int) -> tuple[float, float, float]:
        """Return an entry's score between the ends of its interval, nan where it has none."""
        low = math.nan
        high = math.nan
        if self.intervals is not None:
            low = float(self.intervals.low[entry])
            high = float(self.intervals.high[entry])
        return low, float(self.scores.score[entry]), high

    def standard_error(self, entry: int) -> float:
        """Return the standard error of an entry's score; nan where there is none."""
        return math.nan if self.intervals is None else float(self.intervals.standard_error[entry])

    def advantages(self, entry: int) -> Floats:
        """Return the advantages [m] of an entry over every entry."""
        scores = self.scores.score
        if self.metric.greater_is_better:
            return np.asarray(scores[entry] - scores)
        return np.asarray(scores - scores[entry])

    def distance(self, entry: int) -> float:
        """Return how far an entry is from the best, at most; nan where this is not known."""
        return math.nan if self.distances is None else float(self.distances.from_best[entry])
