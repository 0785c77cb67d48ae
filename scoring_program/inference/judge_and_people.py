"""What people's scores of some units say beside a judge's scores of all (`core.people`).

With c = λ·(1 − n/N), the variance of the corrected means is V = cov_n(y − c·f)/n + c²·cov_U(f)/(N −
n): people's units and the others are two strata, which are resampled apart, with the weight as it
is. Where whole groups are resampled, what a group adds to a mean counts once. People alone have
V_people = cov_n(y)/n. A difference of two systems is worth n·V_people/V human judgments.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from ..core.exact import products_of_pairs
from ..core.people import centered_by_system
from ..scoring.people_scorer import PeopleScorer
from .comparing.distributions import t_tail_quantile


@dataclass(frozen=True, eq=False)
class JudgeAndPeople:
    """The judge's scores beside people's, of m systems, in the metric's own sign."""

    judged: int  # n, the units that people scored
    units: int  # N
    weight: float  # λ
    worth: float | None  # in human judgments; None where no rival's difference varies
    judge: Floats  # [m] means of the judge's scores of all units
    judge_on_judged: Floats  # [m] the same of those that people scored
    people: Floats  # [m] means of people's scores
    people_errors: Floats  # [m] their standard errors
    people_low: Floats  # [m] the ends of their intervals by the t distribution
    people_high: Floats  # [m]

    @classmethod
    def from_scorer(
        cls,
        scorer: PeopleScorer,
        leader: int,
        rivals: Ints,
        *,
        competing: Bools | None = None,
        groups: Ints | None = None,
        alpha: float = 0.05,
    ) -> JudgeAndPeople:
        """Return what is known of a metric's systems; see `worth_of` for leader and rivals.

        Systems that are not ``competing`` [m], None for all, do not change what is said of the
        others. ``groups`` [N] numbers the groups that are resampled whole, and ``alpha`` is the
        probability that an interval of people's scores leaves the true mean out.
        """
        people = np.array(scorer.people)
        judge = np.array(scorer.data.y_preds, np.float64)
        judged = scorer.judged
        count = int(np.count_nonzero(judged))
        alone = covariance(people, judge, judged, 0.0, groups, competing)
        corrected = covariance(people, judge, judged, scorer.share, groups, competing)
        means = np.nanmean(people, axis=1)
        errors = np.sqrt(alone.diagonal())
        drawn = count if groups is None else np.unique(groups[judged]).size
        width = float(t_tail_quantile(drawn - 1, np.array(alpha / 2))) * errors
        return cls(
            judged=count,
            units=judged.size,
            weight=scorer.weight,
            worth=worth_of(alone, corrected, count, leader, rivals),
            judge=np.nanmean(judge, axis=1),
            judge_on_judged=np.nanmean(np.where(np.isnan(people), np.nan, judge), axis=1),
            people=means,
            people_errors=errors,
            people_low=means - width,
            people_high=means + width,
        )

    def keep(self, entries: Ints) -> JudgeAndPeople:
        """Return the same of some systems."""
        return replace(
            self,
            judge=self.judge[entries],
            judge_on_judged=self.judge_on_judged[entries],
            people=self.people[entries],
            people_errors=self.people_errors[entries],
            people_low=self.people_low[entries],
            people_high=self.people_high[entries],
        )


def covariance(
    people: Floats,
    judge: Floats,
    judged: Bools,
    share: float,
    groups: Ints | None = None,
    competing: Bools | None = None,
) -> Floats:
    """Return V [m, m] of the means of y − c·f on the ``judged`` units [N], and c·f on the others.

    ``people`` and ``judge`` are [m, N], with nan where there is no score; ``share`` is c, and 0
    gives the variance of people's means alone. ``groups`` [N] numbers the groups of the units, if
    whole groups are resampled. ``competing`` [m] is as in `products_of_pairs`.
    """
    y = people[:, judged]
    f = judge[:, judged]
    of_judged = None if groups is None else groups[judged]
    total = _of_means(centered_by_system(y - share * f, ~np.isnan(y)), of_judged, competing)
    if share > 0:
        unjudged = judge[:, ~judged]
        of_others = None if groups is None else groups[~judged]
        deviations = centered_by_system(unjudged, ~np.isnan(unjudged))
        total = total + share**2 * _of_means(deviations, of_others, competing)
    return total


def _of_means(deviations: Floats, groups: Ints | None, competing: Bools | None) -> Floats:
    """Return the covariance of means by centered scores [m, n] of units in ``groups`` [n]."""
    n = deviations.shape[1]
    if groups is not None:
        number = np.unique(groups, return_inverse=True)[1]
        sums = np.zeros((len(deviations), int(number.max(initial=-1)) + 1))
        np.add.at(sums.T, number, deviations.T)
        deviations = sums
    drawn = deviations.shape[1]
    if drawn < 2:
        return np.zeros((len(deviations),) * 2)
    columns = deviations.T
    factor: float = drawn / ((drawn - 1) * n**2)
    return np.asarray(factor * products_of_pairs(columns, columns, competing))


def worth_of(
    alone: Floats, corrected: Floats, judged: int, leader: int, rivals: Ints
) -> float | None:
    """Return the human judgments that would be as precise: the mean over the leader's pairs.

    ``alone`` and ``corrected`` [m, m] are the variances of the means of people's scores, and of the
    corrected means. None if no pair varies.
    """
    ratios = []
    for rival in rivals.tolist():
        of_people = _of_difference(alone, leader, rival)
        of_corrected = _of_difference(corrected, leader, rival)
        if of_corrected > 0:
            ratios.append(of_people / of_corrected)
    return judged * float(np.mean(ratios)) if ratios else None


def _of_difference(variance: Floats, first: int, second: int) -> float:
    spread = variance[first, first] + variance[second, second]
    difference = float(spread - 2 * variance[first, second])
    return difference if difference > 1e-12 * spread else 0.0
