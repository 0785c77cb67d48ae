"""The frozen results of one metric, which the inference step gives to the report.

Entries are numbered 0 … m−1 in the order of ``names``, which lacks the entries without a score by
this metric; an array over entries has shape [m] in that order, and ``order`` lists the numbers best
first. Scores, intervals and differences are in
the metric's own units; scores keep the metric's own sign. A difference is written as an
*advantage*: it is positive if the first of the two entries is better, whatever the direction of the
metric.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..core.arrays import Bools, Floats, Ints
from ..core.notes import Note, Value
from ..metrics import Metric

#: Adjustments of p-values, by statsmodels' names; ``none`` leaves them as they are.
CORRECTIONS = ("none", "bonferroni", "holm", "fdr_bh")
#: The tie rule of a mean rank over tasks, which has ranks and ties, but no interval and no p-value.
PROJECTION = "projection"
#: Families over which p-values are adjusted.
FAMILIES = ("leader", "row", "all")


@dataclass(frozen=True)
class Caution:
    """A warning about the results: its level, its kind, and the number that triggered it."""

    level: str  # "red" or "amber"
    code: str  # stable, machine-readable: "few_minority_examples", …
    number: float
    values: Mapping[str, Value] = field(default_factory=dict)  # that fill in its sentence

    @property
    def note(self) -> Note:
        """The sentence for the log and the page."""
        return Note(f"cautions.{self.code}", self.values)


@dataclass(frozen=True, eq=False)
class Differences:
    """Advantage of the reference (the leader, or ``reference_entry``) over every entry, [m] each.

    The reference's own row holds zeros and p-values of one. Adjusted p-values are one-sided against
    the leader, two-sided against an entry fixed in advance.
    """

    observed: Floats
    mean: Floats
    standard_error: Floats
    low: Floats
    high: Floats
    p_one_sided: Floats
    p_two_sided: Floats
    p_adjusted: Mapping[str, Floats]  # bonferroni, holm, fdr_bh over the family ``leader``


@dataclass(frozen=True, eq=False)
class Pairs:
    """All pairs, [m(m−1)/2] each: ``better`` has the better score, or is the first in ``order``.

    An adjusted p-value is nan if the pair is not in the family. Pairs with a baseline form separate
    families.
    """

    better: Ints
    worse: Ints
    observed: Floats
    standard_error: Floats
    resolution: Floats  # standard error / that of two independent entries; nan where undefined
    low: Floats
    high: Floats
    p_one_sided: Floats
    p_adjusted: Mapping[str, Mapping[str, Floats]]  # family → correction (but ``none``) → p
    p_max_t: Floats  # algorithm B, better over worse


@dataclass(frozen=True, eq=False)
class ReferenceTest:
    """Two-sided step-down test of every entry against one fixed in advance (algorithm A)."""

    reference: int
    observed: Floats  # [m] advantage of the reference over the entry
    p_value: Floats  # [m], one for the reference itself


@dataclass(frozen=True, eq=False)
class PairedTests:
    """Further tests of the reference against every entry, [m] each; None if not requested.

    The reference's own row holds p-values of one.
    """

    randomization_one_sided: Floats | None  # that the reference is better (Fisher)
    randomization_two_sided: Floats | None
    mcnemar_exact: Floats | None  # two-sided
    mcnemar_mid_p: Floats | None  # two-sided
    discordant: Ints | None  # examples that exactly one of the two gets right (McNemar)


@dataclass(frozen=True, eq=False)
class RankingSchemes:
    """What each entry gets by each ranking scheme, and its rank; scheme → [k], k ``entries``.

    The schemes are "mean", "median", "mean_rank" and "wins"; see `ranking_schemes`.
    """

    entries: Ints  # [k] numbers of the competing entries, best first by the metric
    values: Mapping[str, Floats]
    ranks: Mapping[str, Ints]


@dataclass(frozen=True, eq=False)
class SampleShares:
    """The share of the variance that comes from repeated samples of the examples, [m] each."""

    of_score: Floats
    of_difference: Floats  # from the reference


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


@dataclass(frozen=True)
class PairPlan:
    """The test set that would separate one tied entry from the reference."""

    entry: int
    difference: float
    standard_error: float
    # None if no test set of up to 100 times the size would do; may be n or fewer if the tie rule is
    # stricter.
    examples_needed: int | None
    # Standard error of the pair / that of two independent entries; None if undefined.
    resolution: float | None


@dataclass(frozen=True, eq=False)
class Planning:
    """Help with planning: what this test set, and a larger one of the same kind, can separate."""

    power: float
    pairs: tuple[PairPlan, ...]
    smallest_separable: float | None  # difference that this test set separates for the median pair


@dataclass(frozen=True, eq=False)
class Histogram:
    """Replicates of the advantage of the reference over one entry, counted in equal bins."""

    edges: Floats  # [bins + 1]
    counts: Ints  # [bins]
    observed: float  # δ; 0 and 2δ are the marks of the one-sided test


@dataclass(frozen=True, eq=False)
class SliceAnalysis:
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
class MetricAnalysis:
    """Everything inferred about one metric; see the module's docstring for shapes and signs."""

    metric: Metric
    names: tuple[str, ...]  # of the entries with a score, [m]
    n: int
    resamples: int  # used, without the undefined ones
    undefined: int  # resamples on which the metric was undefined for some entry
    confidence: float
    interval: str  # method of the entries' intervals
    tie_rule: str
    leader: int
    leaders: tuple[int, ...]  # all entries that share the best score
    reference: int  # leader, unless ``reference_entry`` names another
    baselines: tuple[int, ...]
    order: Ints
    score: Floats
    mean: Floats
    standard_error: Floats
    low: Floats
    high: Floats
    # [m]: the method, "wilson" or "none" where the standard error is 0.
    interval_used: tuple[str, ...]
    rank: Ints  # a baseline has the rank it would have; it does not lower others' ranks
    differences: Differences
    from_leader: Differences  # the same as ``differences`` unless ``reference_entry`` is set
    # rule → [m], tied with the reference, which is so itself unless a hidden run is shown better.
    tied: Mapping[str, Bools]
    tied_with_reference: Bools  # ``tied[tie_rule]``
    tied_with_leader: Bools  # the same for the leader, even if the reference is another entry
    pairs: Pairs
    # [m]: best rank of the rank range (algorithm C); of the competing entries, 1 exactly where
    # ``max_t`` ties with the leader.
    rank_low: Ints
    rank_high: Ints
    # [m] from the best, at most, in the metric's units; nan for baselines (algorithm G).
    distance: Floats
    practically_best: Bools | None  # [m] the distance is at most the setting ``margin``
    separated_from: Ints  # [m] by max-T: the leader, else the best that is better; −1 if tied
    above: Bools  # [m, m]: entry i is shown better than j, among all that may be better than j
    below: Bools  # [m, m]: entry j is shown worse than i, among all that may be worse than i
    joint_low: Ints  # best rank of the joint rank set (algorithm C′)
    joint_high: Ints
    tier: Ints  # 1 is the best (algorithm E)
    # [m, m]: share of resamples in which entry i takes rank r + 1 (algorithm F).
    rank_frequency: Floats
    reference_tests: tuple[ReferenceTest, ...]  # one per baseline, and ``reference_entry``
    competitiveness: Competitiveness
    planning: Planning
    histograms: Mapping[int, Histogram]  # close entries → replicates of the difference
    cautions: tuple[Caution, ...]  # red ones first
    task: str | None = None  # None for all tasks together, and where there is only one
    paired_tests: PairedTests | None = None  # only if the settings request further tests
    studentized: str | None = None  # why the draws of max-T are studentized; None if they are not
    studentized_pairs: int = 0
    several_runs: bool = False  # whether some team has several runs, shown or hidden
    schemes: RankingSchemes | None = None  # once for each column of a table of scores
    samples: SampleShares | None = None  # only of metrics of repeated samples
    slices: tuple[SliceAnalysis, ...] = ()

    @property
    def only_ranks(self) -> bool:
        """Whether only ranks and ties are inferred: no interval, p-value or plan (a mean rank)."""
        return self.tie_rule == PROJECTION
