"""What two metrics say of the same entries: who is best by both, and whether they say the same."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from .analysis import MetricAnalysis

#: Two metrics whose ranks correlate at least so much (Spearman) tell the same of the entries.
_SAME = 0.99


@dataclass(frozen=True, eq=False)
class TradeOff:
    """The entries with a score by both metrics, in the order of the first, [k] each.

    ``front`` marks the Pareto front: the competing entries than which no other one is better by one
    metric and at least as good by the other, as observed.
    """

    first: Ints  # their numbers in the first analysis
    second: Ints  # and in the second
    front: Bools
    # Of the ranks of the competing entries, 1 where both metrics order them alike; nan where all
    # are equal.
    correlation: float

    @property
    def same(self) -> bool:
        """Whether both metrics say the same of the entries."""
        return not self.correlation < _SAME


def trade_off(first: MetricAnalysis, second: MetricAnalysis) -> TradeOff:
    """Compare the scores of the entries by two metrics."""
    places = {name: place for place, name in enumerate(second.names)}
    pairs = [(i, places[first.names[i]]) for i in first.order.tolist() if first.names[i] in places]
    one, two = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    scores = np.stack([_upward(first)[one], _upward(second)[two]], axis=1)
    competing = ~np.isin(one, first.baselines)
    return TradeOff(
        one, two, competing & _front(scores, competing), _correlation(scores[competing])
    )


def _upward(analysis: MetricAnalysis) -> Floats:
    """Return the scores with the sign that makes higher ones better."""
    return analysis.score if analysis.metric.greater_is_better else -analysis.score


def _front(scores: Floats, competing: Bools) -> Bools:
    """Return whose scores [k, 2] no competing entry's dominate, [k]."""
    as_good = (scores[:, None] >= scores[None]).all(axis=2)
    better = (scores[:, None] > scores[None]).any(axis=2)
    return np.asarray(~(as_good & better & competing[:, None]).any(axis=0))


def _correlation(scores: Floats) -> float:
    if not len(scores):
        return float("nan")
    ranks = np.stack([_ranks(scores[:, 0]), _ranks(scores[:, 1])], axis=1)
    centered = ranks - ranks.mean(axis=0)
    sizes = np.sqrt((centered**2).sum(axis=0))
    if not (sizes > 0).all():
        return float("nan")
    return float((centered[:, 0] * centered[:, 1]).sum() / sizes.prod())


def _ranks(values: Floats) -> Floats:
    """Return ranks from the lowest value, equal ones at their mean; SciPy's take long to import."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[places])
