"""The inputs of an analysis, and the common basis of its steps.

`metric_scores` makes `MetricScores`, the scores of one metric and all that the analysis may need,
of a scorer and its replicates. A `Field` orders the entries; a `Basis` holds both, oriented.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, TypeAlias

import numpy as np

from ..bootstrap.design import Counts, Design, DistinctRows, DrawCounts
from ..core.arrays import Bools, Floats, Ints
from ..core.errors import SettingsError, nearest
from ..core.executor import HERE, Executor
from ..core.grouping import Grouping
from ..core.rounding import without_rounding
from ..metrics import Metric
from ..scoring.diagnostics import ComparedAnswers, Diagnostics
from ..scoring.scorer import Replicates, ScoredMetric
from .comparing import draws
from .comparing.comparisons import UnitInfluence, grouped, needed_resamples, tail_probability
from .comparing.distributions import Bootstrap, t_tail_quantile
from .evidence import Comparisons, EntryScores, Question
from .normal import NormalDraws

#: Scores of entries i and j [R] each, after their predictions were swapped on the units that the
#: rows of a boolean array [R, N] mark (N: examples, or groups where whole groups are resampled).
Randomized: TypeAlias = Callable[[int, int, Bools], tuple[Floats, Floats]]


@dataclass(frozen=True, eq=False)
class MetricScores:
    """The scores of k runs by one metric, and what else the analysis may need.

    The first m runs are the ``entries``, which are shown; None if all are. Other runs of their
    teams are called like the entries that stand for them. They are tested like entries, and decide
    with those what is true of the teams. What is said of entries alone is [m].

    ``observed`` [k] are the scores on the whole test set, in the metric's own sign. Exactly equal
    scores are ties, so identical predictions must have identical scores. Exact ties are ordered by
    name: the first by name is the leader.

    ``diagnostics`` describes the data; without it, there are no cautions about classes and
    disagreements. ``jackknife`` returns the scores [N, k] with one unit left out; only the interval
    "bca" calls it. ``randomized`` returns scores under swapped predictions; only the test
    "randomization" calls it. ``influence`` returns the influence values [N, k] of the units
    (`scoring.scorer`), or None if the metric has none or they take too long; if it is `smooth`,
    they are then estimated from ``counts``. Without it, no pair is heavy-tailed.
    ``counts`` yields how often each unit is drawn, [R, N], on the resamples of the replicates;
    without it, no draws are studentized. Where equal units are drawn together, ``distinct`` are
    their sets, ``set_counts`` yields how often each is drawn, [R, K], and ``set_influence``
    returns the influence values of a unit of each of some sets, [K, k], or None if only
    ``influence`` has them.
    ``by_position`` are entries whose rows were matched by position although the test set has ids.
    ``lacking`` are entries without predictions, which have the worst value, or one of a task.
    """

    metric: Metric
    names: Sequence[str]  # [k]
    observed: Floats  # [k]
    replicates: Replicates
    n: int  # test examples
    groups: int | None = None  # their number, if whole groups are resampled
    diagnostics: Diagnostics | None = None
    jackknife: Callable[[], Floats] | None = None
    randomized: Randomized | None = None
    influence: Callable[[], Floats | None] | None = None
    smooth: bool = True  # whether scores change smoothly with the draws, see `Scorer.smooth`
    effective_groups: float | None = None  # G*, if whole groups are resampled
    strata: Ints | None = None  # [N], if they keep their sizes
    counts: Callable[[], Iterator[DrawCounts]] | None = None
    distinct: DistinctRows | None = None
    set_counts: Callable[[], Iterator[Counts]] | None = None
    set_influence: Callable[[DistinctRows], Floats | None] | None = None
    teams: Sequence[str] = ()  # [k]; runs of one team are no rivals
    entries: int | None = None  # m
    normal: NormalDraws | None = None  # where the replicates are normal draws, no resamples
    by_position: Sequence[int] = ()
    lacking: Sequence[int] = ()
    answers: Sequence[ComparedAnswers] = ()  # of each test set; without, no two are too alike
    blocks: Ints | None = None  # [N] of test sets that are resampled apart; None for one
    of_units: Grouping | None = None  # what rows stand for equal units; None if all for themselves
    #: Columns that name what is resampled in a table of scores; none where nothing names it.
    unit_names: Sequence[str] = ()
    people: int | None = None  # units, or groups, that people scored beside a judge; None without
    costs: MetricScores | None = None  # of the same runs, if measured on the same units

    @property
    def units(self) -> int:
        """Number N of units that are resampled: examples, or whole groups.

        Where people scored some of a judge's, these count: the others only make them more precise.
        """
        if self.people is not None:
            return self.people
        return self.n if self.groups is None else self.groups

    @property
    def normal_source(self) -> str | None:
        """Where the variance of normal draws comes from; None if units are resampled."""
        return None if self.normal is None else self.normal.source

    @property
    def effective_units(self) -> int | Floats:
        """For how many units T counts: its t distribution has one degree of freedom less."""
        return self.units if self.normal is None else self.normal.freedom + 1

    @property
    def trials(self) -> Ints:
        """The independent trials [m] of which scores are shares; 0 of scores that are no shares.

        If there are fewer groups than trials, the groups count.
        """
        trials = None if self.diagnostics is None else self.diagnostics.trials
        if trials is None:
            return np.zeros(len(self.names), np.intp)
        return trials if self.groups is None else np.minimum(trials, self.groups)

    @property
    def predicted(self) -> Bools:
        """Which entries [m] have all predictions, so that their scores say something about them."""
        return ~np.isin(np.arange(len(self.names)), self.lacking)

    @property
    def several_runs(self) -> bool:
        """Whether some team has several runs, shown or not."""
        return self.entries is not None or len(set(self.teams)) < len(self.teams)

    @property
    def groups_in_effect(self) -> float | None:
        """G*, or the number of groups if their sizes are unknown; None without groups."""
        return self.groups if self.effective_groups is None else self.effective_groups

    @cached_property
    def of_entries(self) -> MetricScores:
        """The scores of the entries that are shown, with all that is known of them."""
        if self.entries is None:
            return self
        rows = range(self.entries)
        return replace(
            self,
            names=[self.names[entry] for entry in rows],
            observed=self.observed[: self.entries],
            replicates=self.replicates.take(rows),
            teams=self.teams[: self.entries],
            jackknife=_of_first(self.jackknife, self.entries),
            influence=_of_first(self.influence, self.entries),
            set_influence=_of_first(self.set_influence, self.entries),
            answers=[answers.keep(rows) for answers in self.answers],
            entries=None,
        )

    def keep(self, entries: Ints) -> MetricScores:
        """Return the scores of some runs, in that order, for tests: no cautions.

        They are what they would be without the others.
        """
        values = self.replicates.values[:, entries]
        jackknife = self.jackknife

        def left_out() -> Floats:
            assert jackknife is not None
            return jackknife()[:, entries]

        return replace(
            self,
            names=[self.names[entry] for entry in entries],
            observed=self.observed[entries],
            replicates=replace(self.replicates, values=values, zero_divisions=None),
            diagnostics=None,
            jackknife=None if jackknife is None else left_out,
            randomized=None,
            influence=_of_chosen(self.influence, entries),
            set_influence=_of_chosen(self.set_influence, entries),
            teams=[self.teams[entry] for entry in entries] if self.teams else (),
            entries=None,
            by_position=(),
            lacking=(),
            answers=[answers.keep(entries.tolist()) for answers in self.answers],
            costs=None,
            normal=None if self.normal is None else self.normal.keep(entries),
        )

    @property
    def of_larger_sets(self) -> MetricScores:
        """The same with the sets of units that are drawn first, which hold no baseline apart."""
        distinct = self.distinct
        if distinct is None or distinct.outer is None:
            return self
        counts = self.set_counts

        def counts_of_larger() -> Iterator[Counts]:
            assert counts is not None
            return map(distinct.of_outer, counts())

        return replace(
            self,
            distinct=distinct.outer,
            set_counts=None if counts is None else counts_of_larger,
        )

    @property
    def correct(self) -> Bools | None:
        """Which predictions are right [n, m], for accuracy only."""
        return None if self.diagnostics is None else self.diagnostics.correct


def _of_chosen(
    function: Callable[..., Floats | None] | None, entries: Ints
) -> Callable[..., Floats | None] | None:
    """Return a function that returns the values of some of the entries of those [N, k]."""
    if function is None:
        return None

    def of_entries(*arguments: Any) -> Floats | None:
        values = function(*arguments)
        return None if values is None else values[:, entries]

    return of_entries


def _of_first(function: Callable[..., Any] | None, entries: int) -> Callable[..., Any] | None:
    """Return a function that returns the values of the first ``entries`` of those [N, k]."""
    if function is None:
        return None

    def of_entries(*arguments: Any) -> Floats | None:
        values = function(*arguments)
        return None if values is None else np.ascontiguousarray(values[:, :entries])

    return of_entries


# Field --------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Field:
    """The entries of a competition under one metric.

    A baseline is shown and tested but cannot win: it does not lead and does not count in the ranks,
    rank sets, tiers, families of tests and competitiveness of the entries that can.
    """

    order: Ints  # [m] best first; exact ties by name
    competing: Bools  # [m] all but the baselines
    leader: int
    leaders: tuple[int, ...]  # all that share the leader's score, one a team, in ``order``
    rivals: (
        Bools  # [m, m] pairs that may be compared: not an entry with itself or a run of its team
    )

    @classmethod
    def from_scores(
        cls,
        theta: Floats,
        names: Sequence[str],
        baselines: Iterable[str],
        teams: Sequence[str] = (),
    ) -> Field:
        """Order the entries with oriented scores ``theta`` [m].

        ``teams`` [m] are the entries' teams; without them, every entry is a team of its own.
        Raises `SettingsError` if a baseline is not an entry, or if every entry is a baseline.
        """
        competing = np.ones(theta.size, dtype=np.bool_)
        competing[[number(name, names, "baselines") for name in baselines]] = False
        if not competing.any():
            raise SettingsError(
                "baselines: every entry is a baseline, so nobody can win; leave at least one out"
            )
        by_name = sorted(range(theta.size), key=names.__getitem__)
        order = np.array(sorted(by_name, key=lambda entry: -theta[entry]), dtype=np.intp)
        ranked = order[competing[order]]
        team = np.unique(np.array(teams or range(theta.size)), return_inverse=True)[1]
        best = ranked[theta[ranked] == theta[ranked[0]]]
        leaders = best[np.sort(np.unique(team[best], return_index=True)[1])]
        rivals = team[:, None] != team[None, :]
        first = tuple(leaders.tolist())
        return cls(order, competing, first[0], first, rivals)

    @property
    def best_of_teams(self) -> Bools:
        """Which entries [m] are the best ones of the competing teams, one each."""
        best = np.zeros(self.order.size, np.bool_)
        for entry in self.order[self.competing[self.order]]:
            best[entry] = self.rivals[entry, best].all()
        return best

    def scores(
        self, score: Floats, theta: Floats, reference: int, *, several_runs: bool = False
    ) -> EntryScores:
        """Return who leads with the scores [m], ``theta`` [m] if oriented."""
        placed = draws.ranks(theta, self.competing)
        return EntryScores(
            score,
            self.order,
            placed,
            self.leader,
            self.leaders,
            self.baselines,
            reference,
            several_runs,
        )

    @property
    def baselines(self) -> tuple[int, ...]:
        """The entries that cannot win."""
        return tuple(int(entry) for entry in np.flatnonzero(~self.competing))

    def pairs(self) -> tuple[Ints, Ints]:
        """Return all pairs (better, worse), [m(m−1)/2] each; of exact ties the first by name."""
        above, below = np.triu_indices(self.order.size, 1)
        return self.order[above], self.order[below]

    def family(self, kind: str, first: Ints, second: Ints) -> Ints:
        """Return the family number of each comparison of ``first`` [k] with ``second`` [k], or −1.

        ``kind`` is one of `evidence.FAMILIES`. Comparisons with a baseline form separate families.
        −1 means that a comparison is in no family, as that of two runs of one team.
        """
        number = (~(self.competing[first] & self.competing[second])).astype(np.intp)
        if kind == "row":
            number += 2 * first
        within = self.rivals[first, second]
        if kind == "leader":
            within = within & ((first == self.leader) | (second == self.leader))
        return np.where(within, number, -1)


def number(name: str, names: Sequence[str], setting: str) -> int:
    """Return the number of the entry with this name; `SettingsError` if there is none."""
    if name not in names:
        raise SettingsError(f"{setting}: there is no entry {name!r}{nearest(name, names)}")
    return list(names).index(name)


def rows_of(runs: Iterable[Hashable], entries: Iterable[Hashable]) -> Ints:
    """Return the places of the entries that runs with their names, or numbers, stand behind."""
    place = {entry: row for row, entry in enumerate(entries)}
    return np.array([place[run] for run in runs], np.intp)


# Basis --------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Basis:
    """The scores of one metric, oriented and ordered, and what is asked of them.

    ``runs`` are the scores of all runs that are tested, if these are more than the ``scores``.
    """

    scores: MetricScores
    question: Question
    observed: Floats  # [m], in the metric's own sign
    bootstrap: Bootstrap
    field: Field
    executor: Executor
    runs: MetricScores | None = None

    @classmethod
    def from_scores(
        cls, scores: MetricScores, question: Question, executor: Executor = HERE
    ) -> Basis:
        """Orient the scores and order the entries; see `Field.from_scores` for the errors."""
        of_entries = scores.of_entries
        observed, bootstrap = _oriented(of_entries)
        names = of_entries.names
        field = Field.from_scores(bootstrap.theta, names, question.baselines, of_entries.teams)
        runs = None if of_entries is scores else scores
        return cls(of_entries, question, observed, bootstrap, field, executor, runs)

    @classmethod
    def of_runs(
        cls,
        scores: MetricScores,
        question: Question,
        field: Field,
        entry_of: Ints,
        executor: Executor = HERE,
    ) -> Basis:
        """Orient the scores of k runs; ``entry_of`` [k] are the field's entries for their teams."""
        observed, bootstrap = _oriented(scores)
        runs = replace(
            field,
            order=np.argsort(-bootstrap.theta, kind="stable"),
            competing=field.competing[entry_of],
            rivals=field.rivals[np.ix_(entry_of, entry_of)],
        )
        return cls(scores, question, observed, bootstrap, runs, executor)

    @cached_property
    def tested(self) -> Basis:
        """The basis of all runs that are tested, the entries first; itself if no others are."""
        if self.runs is None:
            return self
        return Basis.of_runs(self.runs, self.question, self.field, self.entry_of, self.executor)

    @cached_property
    def of_competing(self) -> Basis:
        """The basis of the entries that can win; itself where there is no baseline.

        What is said of them follows from it. So a baseline changes not a bit: neither what its odd
        cells weigh, nor how many columns a product has.
        """
        competing = np.flatnonzero(self.field.competing)
        if competing.size == self.observed.size:
            return self
        scores = self.scores.keep(competing).of_larger_sets
        observed, bootstrap = _oriented(scores)
        field = Field(
            order=np.argsort(-bootstrap.theta, kind="stable"),
            competing=np.ones(competing.size, np.bool_),
            leader=int(np.searchsorted(competing, self.field.leader)),
            leaders=tuple(np.searchsorted(competing, self.field.leaders).tolist()),
            rivals=self.field.rivals[np.ix_(competing, competing)],
        )
        return Basis(scores, self.question, observed, bootstrap, field, self.executor)

    @cached_property
    def entry_of(self) -> Ints:
        """The entries [k] that stand for the teams of every run: themselves, and the others'."""
        runs = self.scores if self.runs is None else self.runs
        return rows_of(runs.names, self.scores.names)

    @cached_property
    def influence(self) -> UnitInfluence | None:
        """Influence values of the oriented scores, estimated where they would take too long.

        None if the metric has none, if there are no pairs, or if the resamples are too few for it.
        """
        scores = self.scores
        if scores.influence is None or self.observed.size < 2:
            return None
        values = scores.influence()
        if values is not None:
            better = scores.metric.greater_is_better
            return UnitInfluence(values if better else -values, of_rows=scores.of_units)
        if scores.counts is None or not scores.smooth:
            return None
        return UnitInfluence.of_draws(scores.counts(), self.bootstrap.replicates)

    @cached_property
    def compact_influence(self) -> UnitInfluence | None:
        """The same values, one for each set of equal units where sets are drawn.

        Their moments and their extremes are those of all units, in the memory of the sets.
        """
        scores = self.scores
        are_weighted = scores.of_units is not None and scores.of_units.sizes is not None
        whole = scores.blocks is None and scores.people is None and not are_weighted
        if scores.distinct is None or scores.set_influence is None or not whole:
            return self.influence
        values = None if self.observed.size < 2 else scores.set_influence(scores.distinct)
        if values is None:
            return self.influence
        better = scores.metric.greater_is_better
        sizes = scores.distinct.sizes
        of_sets = Grouping(sizes.size, sizes=sizes)
        return UnitInfluence(values if better else -values, of_rows=of_sets)

    @cached_property
    def deciding_influence(self) -> UnitInfluence | None:
        """The influence values of the units whose number and tails decide.

        They are all units or, beside a judge, those that people scored.
        """
        influence = self.compact_influence
        blocks = self.scores.blocks
        if influence is None or self.scores.people is None or blocks is None:
            return influence
        return influence.take(np.flatnonzero(blocks == 0))

    @property
    def resamples_for_influence(self) -> int | None:
        """Resamples that estimate the influence values; None if they are known, or there are none.

        So the answer is larger than the number of resamples.
        """
        scores = self.scores
        alone = self.observed.size < 2
        if (
            self.compact_influence is not None
            or scores.influence is None
            or not scores.smooth
            or alone
        ):
            return None
        return None if scores.counts is None else needed_resamples(next(scores.counts()).shape[1])

    @cached_property
    def heavy_tailed(self) -> Bools:
        """Which pairs [m, m] have heavy tails, on any test set; none without influence values."""
        heavy = self._heavy_tailed
        if self.of_competing is not self:
            heavy = heavy.copy()
            heavy[np.ix_(self.field.competing, self.field.competing)] = (
                self.of_competing.heavy_tailed
            )
        return heavy

    @property
    def _heavy_tailed(self) -> Bools:
        """The same, as the influence values of all entries together have it."""
        size = self.observed.size
        blocks = self.scores.blocks
        influence = self.compact_influence
        if influence is None:
            return np.zeros((size, size), np.bool_)
        if blocks is None or not blocks[-1]:
            return influence.heavy
        heavy = []
        for block in range(int(blocks[-1]) + 1):
            of_block = influence.take(np.flatnonzero(blocks == block))
            heavy.append(of_block.heavy)
        return np.asarray(np.any(heavy, axis=0))

    def to_correct(self, compared: Comparisons, counted: Floats, *, two_sided: bool) -> Floats:
        """Return the p-values [k] of comparisons that corrections adjust: the ``counted`` ones.

        If whole groups are resampled, they come from the t distribution (`comparisons.grouped`).
        """
        groups = self.scores.groups_in_effect
        normal = self.scores.normal
        if groups is None:
            groups = self.scores.people
        if normal is not None:
            error = normal.scaled_errors[compared.first, compared.second]
            effective_units = normal.freedom[compared.first, compared.second] + 1
            return grouped(compared.observed, error, counted, effective_units, two_sided=two_sided)
        if groups is None:
            return counted
        error = compared.standard_error
        return grouped(compared.observed, error, counted, groups, two_sided=two_sided)

    def with_t_ends(self, compared: Comparisons) -> Comparisons:
        """Return comparisons whose intervals are by the t distribution, if draws are normal."""
        normal = self.scores.normal
        if normal is None:
            return compared
        pairs = compared.first, compared.second
        quantile = t_tail_quantile(normal.freedom[pairs], np.full(pairs[0].size, self.tail))
        width = quantile * normal.errors[pairs]
        return replace(compared, low=compared.observed - width, high=compared.observed + width)

    @cached_property
    def tail(self) -> float:
        """Probability that an interval leaves out on each side."""
        # Normal draws need no wider tail: their intervals are by t (`with_t_ends`).
        scores = self.scores
        groups = scores.groups if scores.people is None else scores.people
        if scores.normal is not None:
            groups = None
        return tail_probability(self.question.confidence, groups)


def _oriented(scores: MetricScores) -> tuple[Floats, Bootstrap]:
    """Return the scores [m] in the metric's own sign, and oriented with their replicates."""
    observed = np.asarray(scores.observed, dtype=np.float64)
    observed = without_rounding(observed, scores.metric.scale)
    rows = np.ascontiguousarray(scores.replicates.values.T, dtype=np.float64)
    better = scores.metric.greater_is_better
    return observed, Bootstrap.oriented(observed, rows, greater_is_better=better, examples=scores.n)


# Metric scores ------------------------------------------------------------------------------------


#: Fewer resampled units need studentized draws.
FEW_UNITS = 200
#: A jackknife that only asks for heavy tails may take one part in so many of the bootstrap's time.
_BOOTSTRAP_SHARE = 5


def metric_scores(
    item: ScoredMetric,
    names: Sequence[str],
    teams: Sequence[str],
    design: Design,
    counts: Callable[[], Iterator[DrawCounts]],
    question: Question,
    executor: Executor,
) -> MetricScores:
    """Return the inputs of the analysis of a metric's runs; ``names`` [m] are those of its entries.

    ``design`` is that of the scorer's rows, and ``counts`` yields the draws of its units on the
    resamples of the replicates.
    """
    runs = item.runs
    place_of = {entry: place for place, entry in enumerate(item.entries)}
    stand_for = [*range(len(names)), *(place_of[entry] for entry in item.behind)]

    def randomized(i: int, j: int, swap: Bools) -> tuple[Floats, Floats]:
        return runs.randomized(i, j, design.grouping.to_rows(swap))

    assert item.drawn is not None
    return MetricScores(
        runs.metric,
        [names[place] for place in stand_for],
        runs.observed,
        item.drawn,
        n=design.examples,
        groups=design.groups,
        diagnostics=item.scorer.diagnostics,
        jackknife=lambda: runs.jackknife(design.units),
        randomized=randomized,
        influence=influence_of(item, design, question, executor),
        smooth=runs.smooth,
        effective_groups=design.effective_groups,
        strata=design.strata,
        counts=counts,
        teams=[teams[place] for place in stand_for],
        answers=(replace(runs.answers, of_rows=design.grouping),),
        of_units=design.grouping.of_units,
        entries=len(names) if item.further_runs else None,
    )


def corrected_by_people(scores: MetricScores, judged: Bools, design: Design) -> MetricScores:
    """Return the scores of a judge, corrected by people's of the units ``judged`` [n].

    People's units, or groups, are those that count (`core.people`). They and the others are two
    strata, of which each has tails of its own.
    """
    strata = design.strata
    assert strata is not None
    people = int(np.count_nonzero(strata == 0))
    if design.units is None:
        return replace(scores, people=people, blocks=strata)
    sizes = np.unique(design.units[judged], return_counts=True)[1].astype(np.float64)
    effective = float(sizes.sum() ** 2 / np.square(sizes).sum())
    return replace(scores, people=people, groups=people, effective_groups=effective, blocks=strata)


def drawn_normally(
    scores: MetricScores, normal: NormalDraws, seed: int, competing: Bools
) -> MetricScores:
    """Return the scores with normal draws in the place of resamples of units.

    No pair is studentized or heavy-tailed by them, and no resample is undefined. The entries that
    are not ``competing`` [m] change no draw of the others.
    """
    observed = np.asarray(scores.observed, np.float64)
    drawn = scores.replicates.drawn
    return replace(
        scores,
        replicates=Replicates(normal.replicates(observed, drawn, seed, competing), 0),
        normal=normal,
        jackknife=None,
        influence=None,
        counts=None,
        distinct=None,
        set_counts=None,
        set_influence=None,
    )


def influence_of(
    item: ScoredMetric, design: Design, question: Question, executor: Executor
) -> Callable[[], Floats | None]:
    """Return a function that returns the influence values [N, k], None if they take too long.

    A limit leaves no time for a jackknife that calls functions: it is spent on resamples.
    """
    few = question.studentized == "always" or design.size < FEW_UNITS
    most = design.size if few else item.replicates.drawn // _BOOTSTRAP_SHARE
    called = any(part.observation.seconds for part in item.runs.parts)
    if called and executor.time_is_limited:
        most = 0
    return cache(lambda: item.runs.influence(design.units, most))
