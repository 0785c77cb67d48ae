"""Correlations of gold and prediction: Pearson's r, Spearman's ρ, Kendall's τ-b, concordance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from scoring_program.metrics.metric import Data, Finished, Floats, Ints, defined
from scoring_program.metrics.ordered import (
    Order,
    Ordered,
    Totals,
    group_sums,
    largest_total,
    order_of,
    running_totals,
    twice_midranks,
)
from scoring_program.metrics.sums import Sums

#: Sums of squares smaller than this share of what they were computed from are mostly rounding.
_CANCELLED = 1e-7


def pearson(data: Data, params: Mapping[str, Any]) -> Sums:
    """Bind Pearson's r: sums of x, y, x², y² and xy, each from an origin near its mean."""
    drawn = np.ones(data.n, np.bool_)
    x = centred(data.y_true)
    # One origin for all entries, so that predictions can be exchanged between two of them.
    origin = float(np.mean(data.y_preds))
    columns = []
    for y_pred in data.y_preds:
        y = y_pred - origin
        columns.append((x, y, x * x, y * y, x * y, drawn))
    return Sums(tuple(columns), _pearson)


def _pearson(sums: Floats) -> Finished:
    x, y, xx, yy, xy, n = np.moveaxis(sums, 1, 0)
    sxx, syy, sxy = xx - x * x / n, yy - y * y / n, xy - x * y / n
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.clip(sxy / np.sqrt(sxx * syy), -1.0, 1.0)
    doubtful = ~((sxx > _CANCELLED * xx) & (syy > _CANCELLED * yy))
    return Finished(values, np.isnan(values), doubtful)


def centred(values: Floats) -> Floats:
    """Subtract the mean, for sums of squares that do not cancel."""
    numbers = values.astype(np.float64)
    return np.asarray(numbers - numbers.mean())


def spearman(data: Data, params: Mapping[str, Any]) -> Ordered:
    """Bind Spearman's ρ: Pearson's r of the average ranks that a resample's values have."""
    return Ordered(
        partial(_spearman, order_of(data.y_true), [order_of(y_pred) for y_pred in data.y_preds])
    )


def _spearman(gold: Order, orders: Sequence[Order], counts: Totals) -> Finished:
    most = largest_total(counts)
    n = counts.sum(axis=0, dtype=np.float64)
    x, x_variance = _deviations(gold, counts, most, n)
    x *= counts
    values = []
    for order in orders:
        y, y_variance = _deviations(order, counts, most, n)
        covariance = np.einsum("ir,ir->r", x, y)
        with np.errstate(invalid="ignore", divide="ignore"):
            values.append(covariance / np.sqrt(x_variance * y_variance))
    return defined(np.array(values))


def _deviations(order: Order, counts: Totals, most: int, n: Floats) -> tuple[Floats, Floats]:
    """Return each row's 2·rank less the mean 2·rank, [n, R], and the sum of the copies' squares.

    The sum follows from the tie groups' sizes t: Σ (2·rank − mean)² = (N³ − N − Σ (t³ − t)) / 3.
    """
    drawn = counts[order.rows]
    ranks = np.empty(drawn.shape, np.float64)
    ranks[order.rows] = twice_midranks(drawn, order, most)
    ranks -= n + 1.0
    sizes = group_sums(drawn, order.starts) if order.tied else drawn.astype(np.float64)
    ties = (sizes * (sizes * sizes - 1.0)).sum(axis=0)
    return ranks, (n * (n * n - 1.0) - ties) / 3.0


@dataclass(frozen=True, eq=False)
class _Level:
    """One level of a merge sort: rows of left halves, and for those of right halves where they fall.

    ``left`` [k] and ``right`` [l] are rows; of the left rows, in their order, those from
    ``after`` [l] to ``end`` [l] are in the same block as the right row and have a larger value.
    """

    left: Ints
    right: Ints
    after: Ints
    end: Ints


@dataclass(frozen=True, eq=False)
class _Ranking:
    """What Kendall's τ needs of one entry: its inversions against the gold, and its ties."""

    levels: tuple[_Level, ...]
    order: Order
    both: Order  # ties in gold and prediction


def _ranking(gold: Floats, predicted: Floats) -> _Ranking:
    by_gold = np.lexsort((predicted, gold))
    ranks = np.unique(predicted, return_inverse=True)[1]
    pairs = np.unique(np.stack([gold, predicted], axis=1), axis=0, return_inverse=True)[1]
    levels = []
    size, n = 1, len(gold)
    position = np.arange(n)
    values = ranks[by_gold]
    while size < n:
        block, is_right = position // (2 * size), (position // size) % 2 == 1
        arranged = np.lexsort((is_right, values, block))
        right = is_right[arranged]
        left_before = np.cumsum(~right)
        ends = np.cumsum(np.bincount(block, ~is_right)).astype(np.intp)
        levels.append(
            _Level(
                by_gold[arranged[~right]],
                by_gold[arranged[right]],
                left_before[right],
                ends[block[arranged[right]]],
            )
        )
        size *= 2
    return _Ranking(tuple(levels), order_of(predicted), order_of(pairs.reshape(-1)))


def kendall(data: Data, params: Mapping[str, Any]) -> Ordered:
    """Bind Kendall's τ-b, by Knight's merge sort with weights (Knight 1966, JASA 61)."""
    return Ordered(partial(_pairs, *_rankings(data), concordance=False))


def concordance(data: Data, params: Mapping[str, Any]) -> Ordered:
    """Bind the concordance index: pairs ordered as in the gold, half for ties, of pairs that differ."""
    return Ordered(partial(_pairs, *_rankings(data), concordance=True))


def _rankings(data: Data) -> tuple[Order, list[_Ranking]]:
    gold = data.y_true.astype(np.float64)
    return order_of(gold), [_ranking(gold, y_pred.astype(np.float64)) for y_pred in data.y_preds]


def _pairs(
    gold: Order, rankings: Sequence[_Ranking], counts: Totals, concordance: bool
) -> Finished:
    """Score from numbers of pairs of draws: all, tied in gold, in prediction, in both, inverted."""
    most = largest_total(counts)
    n = counts.sum(axis=0, dtype=np.float64)
    total = n * (n - 1.0) / 2.0
    x_tied = _tied(gold, counts)
    values = []
    for ranking in rankings:
        y_tied, both_tied = _tied(ranking.order, counts), _tied(ranking.both, counts)
        inverted = sum(_inverted(level, counts, most) for level in ranking.levels)
        surplus = total - x_tied - y_tied + both_tied - 2.0 * inverted
        with np.errstate(invalid="ignore", divide="ignore"):
            if concordance:
                values.append(0.5 + surplus / (2.0 * (total - x_tied)))
            else:
                tau = surplus / np.sqrt(total - x_tied) / np.sqrt(total - y_tied)
                values.append(np.clip(tau, -1.0, 1.0))
    return defined(np.array(values))


def _tied(order: Order, counts: Totals) -> Floats:
    sizes = group_sums(counts[order.rows], order.starts)
    return np.asarray((sizes * (sizes - 1.0)).sum(axis=0) / 2.0)


def _inverted(level: _Level, counts: Totals, most: int) -> Floats:
    totals = running_totals(counts[level.left], most)
    larger = totals[level.end]
    larger -= totals[level.after]
    return np.asarray((larger * counts[level.right].astype(np.float64)).sum(axis=0))
