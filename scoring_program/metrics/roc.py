"""Area under the ROC curve and average precision, from scores sorted once.

With P positive and N negative draws, AUC = (Σ ranks of positives − P(P + 1)/2) / (P·N), ties
sharing their average rank (the Mann–Whitney statistic), which is the area that scikit-learn
integrates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from scoring_program.errors import MetricError
from scoring_program.metrics.metric import Array, Bools, Data, Finished, Floats, Ints, defined
from scoring_program.metrics.ordered import (
    Order,
    Ordered,
    Totals,
    group_sums,
    largest_total,
    order_of,
    running_totals,
)


def classes_of(data: Data) -> Array:
    """Return the sorted classes that scores refer to: the label set, or what the gold holds."""
    return np.unique(data.y_true) if data.labels is None else np.sort(data.labels)


def positive_label(data: Data, params: Mapping[str, Any]) -> Any:
    """Return the label that scores [n] are meant for: pos_label, or the larger of two labels."""
    given = params.get("pos_label")
    if given is not None:
        return given
    classes = classes_of(data)
    if len(classes) > 2:
        raise MetricError(
            f"the gold has {len(classes)} labels, and a prediction one score: it needs one for each"
        )
    return classes[-1]


def precision_label(data: Data, params: Mapping[str, Any]) -> Any:
    """Return the label whose average precision is taken: pos_label, 1, or the larger of two."""
    if params.get("pos_label") is None and 1 in classes_of(data).tolist():
        return 1
    return positive_label(data, params)


@dataclass(frozen=True, eq=False)
class _Contest:
    """One class against another, by one entry's scores on the rows of both."""

    rows: Ints  # [k] rows of both classes in ascending order of their scores
    positive: Ints  # which of these are positive
    first: Ints  # [positives]: see `Order`
    last: Ints


def _contest(scores: Floats, positive: Bools, among: Bools) -> _Contest:
    chosen = np.flatnonzero(among)
    order = order_of(scores[chosen])
    rows = chosen[order.rows]
    winners = np.flatnonzero(positive[rows])
    return _Contest(rows, winners, order.first[winners], order.last[winners])


def _auc(contest: _Contest, counts: Totals, most: int) -> Floats:
    """Return the area [R]; nan where a class was not drawn."""
    drawn = counts[contest.rows]
    totals = running_totals(drawn, 2 * most)
    below = totals[contest.first]
    below += totals[contest.last]
    weights = drawn[contest.positive]
    # 2·U is at most 2·P·N + P², below 2·(P + N)².
    exact = np.uint32 if 2 * most * most < 1 << 32 else np.float64
    twice = np.multiply(below, weights, dtype=exact).sum(axis=0, dtype=exact).astype(np.float64)
    positives = weights.sum(axis=0, dtype=np.float64)
    negatives = totals[-1] - positives
    with np.errstate(invalid="ignore", divide="ignore"):
        return (twice - positives * positives) / (2.0 * positives * negatives)


def roc_auc(data: Data, params: Mapping[str, Any]) -> Ordered:
    """Bind the AUC: binary for scores [n]; one-vs-rest or one-vs-one for scores [n, c]."""
    if all(y_pred.ndim == 1 for y_pred in data.y_preds):
        positive = data.y_true == positive_label(data, {})
        everything = np.ones(data.n, np.bool_)
        contests = [_contest(y_pred, positive, everything) for y_pred in data.y_preds]
        return Ordered(partial(_binary, contests))
    multi_class, average = params["multi_class"], params["average"]
    if multi_class not in ("ovr", "ovo"):
        raise MetricError("roc_auc_score of several classes needs multi_class: ovr or ovo")
    if average not in ("macro", "weighted"):
        raise MetricError("roc_auc_score of several classes needs average: macro or weighted")
    if any((np.abs(y_pred.sum(axis=1) - 1.0) > 1e-5).any() for y_pred in data.y_preds):
        raise MetricError("roc_auc_score of several classes needs probabilities that sum to 1")
    classes = classes_of(data)
    is_class = np.array([data.y_true == label for label in classes])
    if multi_class == "ovr":
        pairs = [((c,), np.ones(data.n, np.bool_)) for c in range(len(classes))]
    else:
        pairs = [
            (pair, is_class[list(pair)].any(0)) for pair in combinations(range(len(classes)), 2)
        ]
    contests_of = [
        [[_contest(y_pred[:, c], is_class[c], among) for c in pair] for pair, among in pairs]
        for y_pred in data.y_preds
    ]
    return Ordered(
        partial(_several, contests_of, [pair for pair, _ in pairs], is_class, average == "weighted")
    )


def _binary(contests: Sequence[_Contest], counts: Totals) -> Finished:
    most = largest_total(counts)
    return defined(np.array([_auc(contest, counts, most) for contest in contests]))


def _several(
    contests_of: Sequence[Sequence[Sequence[_Contest]]],
    pairs: Sequence[tuple[int, ...]],
    is_class: Bools,
    weighted: bool,
    counts: Totals,
) -> Finished:
    """Average the areas of one class against the rest, or of every pair of classes drawn.

    One-vs-rest is undefined where a class was not drawn, unless it has no weight then; one-vs-one
    leaves such pairs out.
    """
    most = largest_total(counts)
    drawn = is_class.astype(np.float64) @ counts.astype(np.float64)  # [c, R]
    shares = np.array([drawn[list(pair)].sum(axis=0) for pair in pairs])
    if len(pairs[0]) == 1:
        counted = (shares > 0) | (not weighted)
    else:
        counted = np.array([(drawn[list(pair)] > 0).all(axis=0) for pair in pairs])
    weights = np.where(counted, shares if weighted else 1.0, 0.0)
    values = []
    for contests in contests_of:
        areas = np.array(
            [np.mean([_auc(one, counts, most) for one in pair], axis=0) for pair in contests]
        )
        with np.errstate(invalid="ignore"):
            values.append(
                (np.where(counted, areas, 0.0) * weights).sum(axis=0) / weights.sum(axis=0)
            )
    return defined(np.array(values))


def average_precision(data: Data, params: Mapping[str, Any]) -> Ordered:
    """Bind the average precision Σ (recall gained)·precision over falling thresholds."""
    if any(y_pred.ndim != 1 for y_pred in data.y_preds):
        raise MetricError("average_precision_score needs one score a row, of the positive class")
    positive = data.y_true == precision_label(data, params)
    orders = [order_of(-y_pred) for y_pred in data.y_preds]
    return Ordered(partial(_precisions, orders, positive))


def _precisions(orders: Sequence[Order], positive: Bools, counts: Totals) -> Finished:
    values = []
    for order in orders:
        drawn = counts[order.rows]
        everything = group_sums(drawn, order.starts)
        gained = group_sums(drawn * positive[order.rows, None], order.starts)
        hits = np.cumsum(gained, axis=0)
        precision = hits / np.maximum(np.cumsum(everything, axis=0), 1.0)
        values.append((gained * precision).sum(axis=0) / np.maximum(hits[-1], 1.0))
    # Without a positive example scikit-learn gives 0 with a warning.
    none = positive.astype(np.float64) @ counts.astype(np.float64) == 0
    return Finished(np.array(values), np.broadcast_to(none, (len(orders), counts.shape[1])))
