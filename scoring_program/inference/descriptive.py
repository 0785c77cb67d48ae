"""What describes a competition beside its tests.

What other ranking schemes would say, what two metrics say of the same entries,
which scores changed between parts of the test set, and which competition was the closest.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..core.arrays import Bools, Floats, Ints, median
from ..core.rounding import ABSOLUTE, average_ranks, without_rounding
from ..reading.formats.kind import ROWS
from .comparing.comparisons import NORMAL, adjust
from .comparing.distributions import normal_tail
from .comparing.draws import ranks
from .evidence import PROJECTION, Evidence, RankingSchemes

# Ranking schemes ----------------------------------------------------------------------------------

# The schemes are those of Wiesenfarth et al. 2021, "Methods and open-source toolkit for analyzing
# and visualizing challenge results": aggregate-then-rank by the mean and by the median,
# rank-then-aggregate by the mean of the ranks within units, and test-then-rank by the number of
# significant pairwise wins. The last one jumps where a p-value passes the level, and resampled
# units occur twice, which no test allows for. So it has no interval.


#: Of more entries the page shows no schemes: the number of tests grows with its square.
MOST_ENTRIES = 100


def ranking_schemes(
    scores: Floats,
    entries: Ints,
    *,
    greater_is_better: bool,
    confidence: float,
    units: Ints | None = None,
) -> RankingSchemes:
    """Rank ``entries`` by their scores on units, [n, k], in four ways.

    ``units`` [n] gives the group of each row. Then the tests compare the means of groups.
    """
    losses = -scores if greater_is_better else scores
    independent = -losses
    if units is not None:
        sizes = np.bincount(units)
        independent = np.array([np.bincount(units, column) / sizes for column in -losses.T]).T
    values = {
        "mean": np.array([math.fsum(column) / len(column) for column in scores.T]),
        "median": median(scores),
        "mean_rank": average_ranks(losses).mean(axis=0),
        "wins": wins(independent, round(1 - confidence, 12)),
    }
    sign = 1.0 if greater_is_better else -1.0
    everyone = np.ones(len(entries), np.bool_)
    higher_is_better = {"mean": sign, "median": sign, "mean_rank": -1.0, "wins": 1.0}
    placed = {
        name: ranks(higher_is_better[name] * without_rounding(scheme_values), everyone)
        for name, scheme_values in values.items()
    }
    return RankingSchemes(entries, scores, values, placed)


def wins(scores: Floats, alpha: float) -> Floats:
    """Return how many others each entry beats significantly, [k]; higher scores [n, k] are better.

    One-sided Wilcoxon signed-rank tests of all ordered pairs by SciPy, with the normal
    approximation, adjusted by Holm as one family.
    """
    k = scores.shape[1]
    scale = float(np.abs(scores).max(initial=0.0))
    better = np.ones((k, k))  # p-value of "the first of two is better"
    for i in range(k - 1):
        differences = scores[:, i, None] - scores[:, i + 1 :]
        # The test ranks the sizes of differences, of which equal ones may round differently.
        differences = np.copysign(without_rounding(np.abs(differences), scale), differences)
        differences[np.abs(differences) <= ABSOLUTE * scale] = 0.0
        better[i, i + 1 :], better[i + 1 :, i] = _wilcoxon(differences)
    pairs: Bools = ~np.eye(k, dtype=np.bool_)
    better[pairs] = adjust(better[pairs], np.zeros(k * (k - 1), np.intp))["holm"]
    won: Floats = np.count_nonzero((better <= alpha) & pairs, axis=1).astype(np.float64)
    return won


def _wilcoxon(differences: Floats) -> tuple[Floats, Floats]:
    """Return one-sided p-values [k] that differences [n, k] are above zero, and below it.

    They are 1 where all differences are zero. Zero differences are left out (Wilcoxon's method).
    There is no continuity correction. Both p-values follow from the same ranks.
    """
    from scipy import special, stats  # only tables of scores need it, and its import takes long

    p_above = np.ones(differences.shape[1])
    p_below = np.ones(differences.shape[1])
    vary = differences.any(axis=0)
    if vary.any():
        with warnings.catch_warnings():  # of few units; the page's cautions say so
            warnings.simplefilter("ignore")
            tested = stats.wilcoxon(
                differences[:, vary],
                alternative="greater",
                method="approx",
                correction=False,
                axis=0,
            )
        p_above[vary] = tested.pvalue
        p_below[vary] = special.ndtr(tested.zstatistic)
    return p_above, p_below


# Trade off ----------------------------------------------------------------------------------------


#: Two metrics whose ranks correlate at least so much (Spearman) tell the same of the entries.
_SAME = 0.99


@dataclass(frozen=True, eq=False)
class TradeOff:
    """The entries with a score by both metrics, in the order of the first, [k] each.

    ``front`` marks the Pareto front: the competing entries than which no other one is better by one
    metric and at least as good by the other, as observed.
    """

    first: Ints  # their numbers in the first evidence
    second: Ints  # and in the second
    front: Bools
    # Of the ranks of the competing entries, 1 where both metrics order them alike; nan where all
    # are equal.
    correlation: float

    @property
    def same(self) -> bool:
        """Whether both metrics say the same of the entries."""
        return not self.correlation < _SAME


def trade_off(first: Evidence, second: Evidence) -> TradeOff:
    """Compare the scores of the entries by two metrics."""
    order = first.scores.order.tolist()
    names = first.names
    number_in_second = second.number_of
    pairs = [(i, number_in_second[names[i]]) for i in order if names[i] in number_in_second]
    in_first, in_second = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    scores = np.stack([_upward(first)[in_first], _upward(second)[in_second]], axis=1)
    competing = ~np.isin(in_first, first.scores.baselines)
    # Whose scores no competing entry's dominate.
    as_good = (scores[:, None] >= scores[None]).all(axis=2)
    better = (scores[:, None] > scores[None]).any(axis=2)
    front = competing & ~(as_good & better & competing[:, None]).any(axis=0)
    correlation = float("nan")
    if competing.any():
        ranks = average_ranks(scores[competing].T).T
        centered = ranks - ranks.mean(axis=0)
        sizes = np.sqrt((centered**2).sum(axis=0))
        if (sizes > 0).all():
            correlation = float((centered[:, 0] * centered[:, 1]).sum() / sizes.prod())
    return TradeOff(in_first, in_second, front, correlation)


def verified_on_all(of_metrics: Sequence[Evidence], team_of: Callable[[str], str]) -> str | None:
    """Return the team that is verified as the winner by every metric of several; None without one.

    A mean rank over tasks verifies nobody, and is left out. ``team_of`` returns the team of an
    entry. Each claim has the level α, and so have all together, because all of them must be made.
    Source: Berger 1982, "Multiparameter Hypothesis Testing and Acceptance Sampling", Technometrics
    24 (intersection–union).
    """
    winners = []
    for evidence in of_metrics:
        if evidence.standing.rule == PROJECTION:
            continue
        verdict = evidence.verdict
        if not verdict.verified:
            return None
        winners.append(team_of(evidence.names[verdict.leaders[0]]))
    is_one = len(winners) > 1 and len({*winners}) == 1
    return winners[0] if is_one else None


def _upward(evidence: Evidence) -> Floats:
    """Return the scores with the sign that makes higher ones better."""
    score = evidence.scores.score
    return score if evidence.metric.greater_is_better else -score


# Changes ------------------------------------------------------------------------------------------

# The interval of a change is recovered from those of the two scores, which share no example.
# Source: Zou and Donner 2008, "Construction of confidence limits about effect measures: a general
# approach", Statistics in Medicine 27.


def clear_changes(new: Evidence, old: Evidence, entries: Ints, before: Ints) -> Ints:
    """Return whose score is shown to have risen, 1, or fallen, −1, on other examples; else 0, [k].

    ``entries`` [k] are the entries' numbers in the ``new`` evidence, and ``before`` [k] those in
    the ``old``. A test is two-sided, and adjusted by Holm for all entries; the level is that of the
    intervals. Without them, nothing is shown.
    """
    of_new = new.intervals
    of_old = old.intervals
    if of_new is None or of_old is None:
        return np.zeros(entries.size, np.intp)
    score = new.scores.score[entries]
    former = old.scores.score[before]
    fallen = score < former
    # How far the ends reach that lie between the two scores.
    reach = np.where(fallen, of_new.high[entries] - score, score - of_new.low[entries])
    former_reach = np.where(fallen, former - of_old.low[before], of_old.high[before] - former)
    confidence = new.question.confidence
    width = -NORMAL.inv_cdf((1 - confidence) / 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = width * np.abs(score - former) / np.hypot(reach, former_reach)
    p = np.where(np.isnan(statistic), 1.0, 2 * normal_tail(statistic))
    is_clear = adjust(p, np.zeros(p.size, np.intp))["holm"] <= round(1 - confidence, 12)
    return np.where(is_clear, np.where(fallen, -1, 1), 0)


# Closest ------------------------------------------------------------------------------------------

# The measures are those of Nava-Muñoz, Graff and Escalante (2024, Table 6).


#: Measures for which a larger value, or a smaller one, means a closer competition.
_LARGER_IS_CLOSER = ("tied_with_leader", "ties_with_winner", "ties_between_competitors")
#: Standard errors of a difference that chance explains, and how much larger a test set may be.
_CHANCE = 1.96
_ALIKE = 1.25
_SMALLER_IS_CLOSER = ("winner_minus_median", "cv_percent", "ppi_percent")


@dataclass(frozen=True)
class ComparedCompetition:
    """One competition by one metric; an unknown measure is None."""

    title: str
    metric: str
    measures: Mapping[str, float | None]
    bounded: bool = True  # whether PPI is a percentage of the metric's range
    definition: str = ""  # of the metric: two metrics may share a name
    kind: str = ROWS  # what an example is
    folders: tuple[str, ...] = ()  # around the results, the innermost last
    label: str = ""  # what its page calls the metric
    rule: str = ""  # by which its page says who is tied
    page: str = ""  # the file of its page, if it is there


def distinct(competitions: Sequence[ComparedCompetition]) -> tuple[ComparedCompetition, ...]:
    """Return the competitions with different titles: "A", "A (2)".

    One without a title gets the innermost of its folders that tell it from the others: "2024" of
    ``2024/output`` beside ``2025/output``.
    """
    untitled = {item.folders for item in competitions if not item.title}
    competitions = [
        item if item.title else replace(item, title=_folder(item.folders, untitled))
        for item in competitions
    ]
    seen: dict[str, int] = {}
    named = []
    for competition in competitions:
        count = seen[competition.title] = seen.get(competition.title, 0) + 1
        title = competition.title if count == 1 else f"{competition.title} ({count})"
        named.append(replace(competition, title=title))
    return tuple(named)


def _folder(parts: Sequence[str], every: Collection[Sequence[str]]) -> str:
    """Return the innermost folder that differs among those with results; the last if none does."""
    for place in range(1, len(parts) + 1):
        at_place = [folders[-place] if place <= len(folders) else "" for folders in every]
        if len(set(at_place)) == len(at_place):
            return parts[-place]
    return parts[-1] if parts else ""


def closest(competitions: Sequence[ComparedCompetition]) -> Mapping[str, tuple[int, ...]]:
    """Return for each measure the position of the closest competition, where it is told apart.

    It is told apart from every other one that has as many entries and about as many examples, if
    the difference of the measures exceeds what chance explains: 1.96 of its standard errors.
    """
    by_measure = _closest(competitions)
    return {key: (place,) for key, (place, why) in by_measure.items() if why is None}


def undecided(competitions: Sequence[ComparedCompetition]) -> Mapping[str, str]:
    """Return for each measure that differs why no competition is the closest by it.

    ``sizes``: the measure depends on the numbers of examples and entries, which differ.
    ``chance``: the competitions cannot be told apart, or have no standard error.
    """
    by_measure = _closest(competitions)
    return {key: why for key, (_, why) in by_measure.items() if why is not None}


def _closest(
    competitions: Sequence[ComparedCompetition],
) -> Mapping[str, tuple[int, str | None]]:
    """Return for each measure the competition with the closest value, and what speaks against it.

    Measures whose values are all the same are left out.
    """
    nearest: dict[str, tuple[int, str | None]] = {}
    for key in competitions[0].measures:
        values = comparable(competitions, key)
        measured = [place for place, value in enumerate(values) if value is not None]
        ordered = sorted(measured, key=lambda place: values[place] or 0.0)
        if len(measured) < 2 or math.isclose(
            values[ordered[0]] or 0.0, values[ordered[-1]] or 0.0, rel_tol=1e-9, abs_tol=1e-12
        ):
            continue
        best = ordered[-1] if more_is_closer(key) else ordered[0]
        rivals = [competitions[place] for place in measured if place != best]
        why = None
        if any(not _apart(competitions[best], rival, key) for rival in rivals):
            why = "chance"
        if any(not _of_one_size(competitions[best], rival) for rival in rivals):
            why = "sizes"
        nearest[key] = (best, why)
    return nearest


def _of_one_size(first: ComparedCompetition, second: ComparedCompetition) -> bool:
    """Whether two competitions have as many entries, and about as many examples."""
    entries = [item.measures.get("m") for item in (first, second)]
    examples = [item.measures.get("n") for item in (first, second)]
    if entries[0] != entries[1] or None in examples:
        return entries[0] == entries[1]
    fewer, more = sorted(number or 0 for number in examples)
    return more < _ALIKE * fewer


def _apart(first: ComparedCompetition, second: ComparedCompetition, key: str) -> bool:
    """Whether the difference of a measure exceeds what chance explains."""
    values = []
    errors = []
    for item in (first, second):
        value = item.measures.get(key)
        error = item.measures.get(f"standard_errors.{key}")
        if value is None or error is None:
            return False
        values.append(value)
        errors.append(error)
    return abs(values[0] - values[1]) > _CHANCE * math.hypot(*errors)


def more_is_closer(key: str) -> bool:
    """Return whether a larger value of a measure means a closer competition."""
    return key.partition(".")[0] in _LARGER_IS_CLOSER


def comparable(competitions: Sequence[ComparedCompetition], key: str) -> list[float | None]:
    """Return a measure of each competition as it is compared; None where it cannot be.

    Numbers of ties are compared as shares of the comparisons, because more teams have more ties.
    The distance from winner to median is compared only if all competitions have the same metric.
    PPI is compared only among bounded metrics, because for others it is an error in the metric's
    own units. Sizes are not compared.
    """
    name = key.partition(".")[0]
    metrics = {(item.metric, item.definition) for item in competitions}
    if name in _LARGER_IS_CLOSER:
        return [_share(item.measures, key) for item in competitions]
    if name not in _SMALLER_IS_CLOSER or (name == "winner_minus_median" and len(metrics) > 1):
        return [None] * len(competitions)
    return [
        item.measures.get(key) if item.bounded or name != "ppi_percent" else None
        for item in competitions
    ]


def tie_opportunities(measures: Mapping[str, float | None], key: str) -> float:
    """Return how many comparisons a number of ties is out of."""
    if key == "tied_with_leader":
        return measures.get("others") or 0
    if key.startswith("ties_with_winner"):
        return (measures.get("m") or 0) - 1
    return measures.get("possible_comparisons") or 0


def _share(measures: Mapping[str, float | None], key: str) -> float | None:
    value = measures.get(key)
    possible = tie_opportunities(measures, key)
    return value / possible if value is not None and possible > 0 else None
