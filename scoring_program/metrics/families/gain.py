"""Discounted cumulative gain of the examples as one list, ranked by each entry's predictions.

Sources: Järvelin and Kekäläinen 2002, "Cumulated Gain-Based Evaluation of IR Techniques", ACM
Transactions on Information Systems 20; McSherry and Najork 2008, "Computing Information Retrieval
Performance Measures Efficiently in the Presence of Tied Scores", ECIR (ties share their gains).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...core.arrays import Array, Floats
from ...core.errors import MetricError
from ..metric import SHARE, Data, Evaluated
from ..ordered import Order, Ordered, Resampled, between, order_of


def ndcg(data: Data, params: Mapping[str, Any]) -> Ordered:
    """Bind the gain of the first ``k`` ranks (None: of all) over that of the ideal order.

    Raises MetricError for a negative gain and for a k that is not a rank.
    """
    gold = data.y_true.astype(np.float64)
    if gold.min() < 0:
        raise MetricError("ndcg_score needs reference values of 0 or more")
    k = params["k"]
    if k is not None and (isinstance(k, bool) or not isinstance(k, int) or k < 1):
        raise MetricError(f"ndcg_score: k must be a whole number of 1 or more, not {k!r}")
    orders = tuple(order_of(-y_pred) for y_pred in data.y_preds)
    return Ordered(orders, partial(_ndcg, gold=gold, k=k, ideal=order_of(-gold)))


def _ndcg(
    orders: Sequence[Order], resampled: Resampled, gold: Floats, k: int | None, ideal: Order
) -> Evaluated:
    discounts = 1.0 / np.log2(np.arange(resampled.most) + 2.0)
    if k is not None:
        discounts[k:] = 0.0
    up_to = np.concatenate([[0.0], np.cumsum(discounts)])
    best = _gain(gold, ideal, up_to, resampled)
    relevant = best > 0
    values = [
        np.divide(
            _gain(gold, order, up_to, resampled), best, out=np.zeros_like(best), where=relevant
        )
        for order in orders
    ]
    # Without any gain, scikit-learn gives 0. It refuses a list of one example.
    refused = resampled.draws < 2
    scores = np.where(refused, np.nan, np.array(values))
    return Evaluated(scores, np.broadcast_to(refused | ~relevant, scores.shape))


def _gain(gold: Floats, order: Order, up_to: Floats, resampled: Resampled) -> Floats:
    """Return the discounted gain [R]. Tied rows share the mean discount of their ranks.

    ``up_to`` [N + 1] are the summed discounts of all ranks before each rank.
    """
    totals = order.running.totals(resampled, resampled.most)
    before, after = (totals.take(lines, axis=0) for lines in order.groups)
    discounts = up_to[after] - up_to[before]
    drawn = between(totals, order.groups, resampled.workspace)
    gains = resampled.counts[:-1].take(order.rows, axis=0) * gold[order.rows, None]
    starts = np.unique(order.first)
    mean = np.add.reduceat(gains, starts, axis=0) / np.maximum(drawn, 1)
    discounted: Floats = np.einsum("gr,gr->r", mean, discounts)
    return discounted


def ndcg_score(y_true: Array, y_pred: Array, k: int | None = None) -> float:
    """Return scikit-learn's NDCG of the examples as one ranked list; nan for a single example."""
    from sklearn.metrics import ndcg_score as of_lists

    if len(y_true) < 2:
        return math.nan
    return float(of_lists([y_true], [y_pred], k=k))


DEFINITIONS = (
    SHARE(
        "ndcg_score",
        "NDCG",
        "numbers",
        evaluation="ordered",
        build=ndcg,
        defaults={"k": None},
        oracle=f"{__name__}:ndcg_score",
    ),
)
