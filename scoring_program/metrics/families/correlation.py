"""How predictions order numbers: Pearson's r, Spearman's ρ, Kendall's τ-b, concordance, gain."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...core.arrays import Array, Bools, Floats, Ints
from ...core.errors import MetricError
from ..gold_needs import comparable_times, different_numbers, some_gain
from ..metric import SHARE, Data, Definition, Evaluated, defined
from ..ordered import (
    Order,
    Ordered,
    Resampled,
    Running,
    Totals,
    Workspace,
    around,
    between,
)
from ..sums import CANCELLED, Sums, centered


def pearson(data: Data, params: Mapping[str, Any]) -> Sums:
    """Bind Pearson's r: sums of x, y, x², y² and xy, with x and y centered at their means."""
    drawn = np.ones(data.n, np.bool_)
    x = _unit(centered(data.y_true))
    ys = [_unit(centered(y_pred)) for y_pred in data.y_preds]
    columns = tuple((x, y, x * x, y * y, x * y, drawn) for y in ys)
    return Sums(columns, _pearson, exchangeable=False)


def _unit(values: Floats) -> Floats:
    """Scale by a power of two, which is exact, so that products neither underflow nor overflow."""
    scaled: Floats = np.ldexp(values, -np.frexp(np.abs(values).max())[1])
    return scaled


def _pearson(sums: Floats) -> Evaluated:
    x, y, xx, yy, xy, n = np.moveaxis(sums, 1, 0)
    sxx = xx - x * x / n
    syy = yy - y * y / n
    sxy = xy - x * y / n
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.clip(sxy / np.sqrt(sxx * syy), -1.0, 1.0)
    inexact = ~((sxx > CANCELLED * xx) & (syy > CANCELLED * yy))
    return Evaluated(values, np.isnan(values), inexact)


def spearman(data: Data, params: Mapping[str, Any]) -> Ordered:
    """Bind Spearman's ρ: Pearson's r of the average ranks that a resample's values have."""
    orders = tuple(Order(y_pred) for y_pred in data.y_preds)
    return Ordered(orders, partial(_spearman, gold=Order(data.y_true)))


def _spearman(orders: Sequence[Order], resampled: Resampled, gold: Order) -> Evaluated:
    counts = resampled.counts
    n = resampled.draws
    workspace = resampled.workspace
    draws = resampled.most
    # The sums of x, below, with numbers of 0 … N are at most N³ / 4, as Σ x = 0 and Σ |x| ≤ N² / 2.
    # Before the last addition 32-bit integers may overflow, but modulo 2³² the result is right.
    exact = np.int32 if draws**3 // 4 < 2**31 else np.float64
    totals = gold.running.totals(resampled, 2 * draws)
    # Twice the rank minus its mean, n + 1, times the row's draws. These sum to 0, so the other
    # ranks need not be centered. All terms are integers.
    x = workspace.array("x", counts.shape, np.dtype(exact))
    x[:-1] = around(totals, gold.lines, workspace)
    x[:-1] -= n.astype(exact)
    x[-1] = 0
    x *= counts
    squares_of_gold = np.einsum("ir,ir->r", x, counts)
    # Without ties among rows, the copies of one row are a tie group, in every order.
    single = _cubes(counts, workspace)
    cubes = _cubes(between(totals, gold.groups, workspace), workspace) if gold.tied else single
    variance = n * n * n - cubes
    values = []
    for order in orders:
        running = order.running
        totals = running.totals(resampled, 2 * draws)
        if order.tied:
            cubes = _cubes(between(totals, order.groups, workspace), workspace)
            ranks = around(totals, order.lines, workspace)
            product = np.einsum("ir,ir->r", x[:-1], ranks, dtype=np.float64)
        else:
            cubes = single
            up_to = workspace.array("up to", totals.shape, x.dtype)
            up_to[...] = totals
            arranged = running.arranged(x, workspace)
            product = 2.0 * np.einsum("ir,ir->r", arranged, up_to) - squares_of_gold
        with np.errstate(invalid="ignore", divide="ignore"):
            scale = np.sqrt(variance) * np.sqrt(n * n * n - cubes)
            values.append(3.0 * product / scale)
    return defined(np.array(values))


def spearman_places(data: Data, params: Mapping[str, Any]) -> Floats:
    """Return what each row contributes to Spearman's ρ, [n, m].

    ρ = E[uv] / √(E[u²]·E[v²]) with u and v the centered average ranks divided by n. A further row
    changes the products by its own, and the ranks of the rows above it. Source: Croux and Dehon
    2010, Statistical Methods and Applications 19; here with ties.
    """
    gold = _Places(data.y_true)
    places = np.empty((data.n, len(data.y_preds)))
    for entry, y_pred in enumerate(data.y_preds):
        predicted = _Places(y_pred)
        product = gold.ranks * predicted.ranks
        change = (
            product - product.mean() + gold.lifted(predicted.ranks) + predicted.lifted(gold.ranks)
        )
        scale = math.sqrt(gold.variance * predicted.variance)
        rho = product.mean() / scale
        places[:, entry] = change / scale - rho / 2.0 * (gold.spread + predicted.spread)
    return places


class _Places:
    """The centered average ranks of one column divided by n, [n], and their order."""

    def __init__(self, values: Array) -> None:
        order = self._order = Order(values)
        self.ranks = np.empty(len(values))
        self.ranks[order.rows] = (order.first + order.last) / (2.0 * len(values)) - 0.5
        squares = self.ranks**2
        self.variance = float(np.mean(squares))
        # The contributions of the rows to the variance, relative to it, [n].
        self.spread = (squares + 2.0 * self.lifted(self.ranks)) / self.variance - 1.0

    def lifted(self, weights: Floats) -> Floats:
        """Return Σ_s weights_s·(how far a further row r lifts the rank of s) / n, [n]."""
        n = len(weights)
        order = self._order
        up_to = np.concatenate([[0.0], np.cumsum(weights[order.rows])])
        lifted = np.empty(n)
        lifted[order.rows] = up_to[-1] - (up_to[order.first] + up_to[order.last]) / 2.0
        return np.asarray(lifted / n - np.mean(weights * (self.ranks + 0.5)))


def _cubes(sizes: Totals, workspace: Workspace) -> Floats:
    """Return Σ t³ over tie groups of t draws, [R]: Σ (2·rank − mean)² = (N³ − Σ t³) / 3."""
    largest = int(sizes.max(initial=0))
    exact = np.int32 if len(sizes) * largest**3 < 2**31 else np.float64
    t = workspace.array("sizes", sizes.shape, np.dtype(exact))
    t[...] = sizes
    return np.asarray(np.einsum("ir,ir,ir->r", t, t, t), dtype=np.float64)


#: One level of a merge sort: running totals of the counted rows of left halves by block and value;
#: the rows of right halves, [k]; and the lines between which those of these totals are that belong
#: to the block of each right row and have a larger value, [k] each.
_Level = tuple[Running, Ints, tuple[Ints, Ints]]
#: One entry for Kendall's τ: inversions relative to the gold, ties, and ties in the gold, too.
_Ranking = tuple[Sequence[_Level], Order, Order]


def _ranking(gold: Floats, predicted: Floats) -> _Ranking:
    pairs = np.unique(np.stack([gold, predicted], axis=1), axis=0, return_inverse=True)[1]
    levels = _levels(gold, predicted, np.ones(len(gold), np.bool_))
    return levels, Order(predicted), Order(pairs.reshape(-1))


def _levels(gold: Array, predicted: Floats, counted: Bools) -> list[_Level]:
    """Return the levels of a merge sort from single rows up, which total ``counted`` rows alone."""
    by_gold = np.lexsort((predicted, gold))
    ranks = np.unique(predicted, return_inverse=True)[1]
    levels = []
    size = 1
    n = len(gold)
    position = np.arange(n)
    values = ranks[by_gold]
    while size < n:
        block = position // (2 * size)
        is_right = (position // size) % 2 == 1
        arranged = np.lexsort((is_right, values, block))
        right = is_right[arranged]
        is_left = ~is_right & counted[by_gold]
        left = is_left[arranged]
        left_before = np.cumsum(left)
        ends = np.cumsum(np.bincount(block, is_left)).astype(np.intp)
        running = Running(by_gold[arranged[left]], n)
        lines = running.at(left_before[right]), running.at(ends[block[arranged[right]]])
        levels.append((running, by_gold[arranged[right]], lines))
        size *= 2
    return levels


def _ranked(data: Data, params: Mapping[str, Any], concordance: bool) -> Ordered:
    """Bind Kendall's τ-b, by Knight's merge sort with weights (Knight 1966, JASA 61).

    With ``concordance``, bind the share of pairs ordered as in the gold, ties half.
    """
    gold = data.y_true.astype(np.float64)
    rankings = tuple(_ranking(gold, y_pred.astype(np.float64)) for y_pred in data.y_preds)
    return Ordered(rankings, partial(_pairs, gold=Order(gold), concordance=concordance))


def _pairs(
    rankings: Sequence[_Ranking], resampled: Resampled, gold: Order, concordance: bool
) -> Evaluated:
    """Score from counts of pairs of draws: all, tied in gold, prediction or both, and inverted."""
    n = resampled.draws
    total = n * (n - 1.0) / 2.0
    x_tied = _tied(gold, resampled)
    values = []
    for levels, order, joint_order in rankings:
        y_tied = _tied(order, resampled)
        both_tied = _tied(joint_order, resampled)
        inverted = sum(_pairs_with(level, resampled) for level in levels)
        surplus = total - x_tied - y_tied + both_tied - 2.0 * inverted
        with np.errstate(invalid="ignore", divide="ignore"):
            if concordance:
                values.append(0.5 + surplus / (2.0 * (total - x_tied)))
            else:
                tau = surplus / np.sqrt(total - x_tied) / np.sqrt(total - y_tied)
                values.append(np.clip(tau, -1.0, 1.0))
    return defined(np.array(values))


def concordance(data: Data, params: Mapping[str, Any]) -> Ordered:
    """Bind the share of pairs ordered as in the gold, ties half; with events, Harrell's C.

    Of two examples it is known which one comes first if the earlier time ends with an event, or if
    both times are equal and only one of them does: the event comes first. Source: Harrell, Califf,
    Pryor, Lee and Rosati 1982, JAMA 247; Harrell, Lee and Mark 1996, Statistics in Medicine 15.
    """
    if data.events is None:
        return _ranked(data, params, concordance=True)
    gold = _times(data.y_true, data.events)
    before = _before(Order(gold), data.events)
    orders = (_predicted_times(gold, y_pred, data.events) for y_pred in data.y_preds)
    return Ordered(tuple(orders), partial(_harrell, before=before))


#: Running totals of the events in an order of rows; the rows, [n]; and the lines before and after
#: the events that each of these is compared with, [n] each.
_Before = tuple[Running, Ints, tuple[Ints, Ints]]
#: One entry for Harrell's C: inversions relative to the times, and ties.
_PredictedTimes = tuple[Sequence[_Level], _Before]


def _times(times: Array, events: Bools) -> Ints:
    """Return the ranks of times, [n]; of equal ones, those of events come first."""
    pairs = np.stack([times.astype(np.float64), (~events).astype(np.float64)], axis=1)
    ranks: Ints = np.unique(pairs, axis=0, return_inverse=True)[1].reshape(-1)
    return ranks


def _before(order: Order, events: Bools, starts: Ints | None = None) -> _Before:
    """Return for every row the events that come before its group, from ``starts`` [n] on."""
    is_event = events[order.rows]
    events_before = np.concatenate([[0], np.cumsum(is_event)])
    running = Running(order.rows[is_event], len(events))
    first = np.zeros_like(order.first) if starts is None else starts
    lines = running.at(events_before[first]), running.at(events_before[order.first])
    return running, order.rows, lines


def _predicted_times(gold: Ints, predicted: Floats, events: Bools) -> _PredictedTimes:
    ranks = np.unique(predicted, return_inverse=True)[1]
    # In this order, rows of one prediction are together, and among these the rows of one time.
    together = Order(ranks.astype(np.int64) * (gold.max() + 1) + gold)
    starts = np.searchsorted(ranks[together.rows], ranks[together.rows], "left")
    return _levels(gold, predicted, events), _before(together, events, starts)


def _harrell(
    entries: Sequence[_PredictedTimes], resampled: Resampled, before: _Before
) -> Evaluated:
    """Score from counts of pairs of draws: of known order, and of these inverted and tied."""
    comparable = _pairs_with(before, resampled)
    values = []
    for levels, tied in entries:
        inverted = sum(_pairs_with(level, resampled) for level in levels)
        wrong = inverted + _pairs_with(tied, resampled) / 2.0
        with np.errstate(invalid="ignore", divide="ignore"):
            values.append(1.0 - wrong / comparable)
    return defined(np.array(values))


def _pairs_with(before: _Before | _Level, resampled: Resampled) -> Floats:
    """Return how many pairs of draws there are of each row and what it is compared with, [R]."""
    running, rows, lines = before
    totals = running.totals(resampled, resampled.most)
    compared = between(totals, lines, resampled.workspace).astype(np.float64)
    pairs: Floats = np.einsum("ir,ir->r", compared, resampled.counts.take(rows, axis=0))
    return pairs


def _tied(order: Order, resampled: Resampled) -> Floats:
    totals = order.running.totals(resampled, resampled.most)
    t = between(totals, order.groups, resampled.workspace).astype(np.float64)
    pairs: Floats = (np.einsum("ir,ir->r", t, t) - t.sum(axis=0)) / 2.0
    return pairs


def pearsonr(y_true: Array, y_pred: Array) -> float:
    """Return Pearson's r as SciPy computes it; nan if one of the two is constant."""
    from scipy import stats

    return float(stats.pearsonr(y_true, y_pred)[0])


def spearmanr(y_true: Array, y_pred: Array) -> float:
    """Return Spearman's ρ as SciPy computes it; nan if one of the two is constant."""
    from scipy import stats

    return float(stats.spearmanr(y_true, y_pred)[0])


def kendalltau(y_true: Array, y_pred: Array) -> float:
    """Return Kendall's τ-b as SciPy computes it; nan if one of the two is constant."""
    from scipy import stats

    return float(stats.kendalltau(y_true, y_pred)[0])


def concordance_index(y_true: Array, y_pred: Array, events: Bools | None = None) -> float:
    """Return the share of pairs with different gold that the prediction orders alike, ties half.

    With ``events`` [n], Harrell's C: times that do not end with an event are censored. nan where no
    pair can be compared. A higher prediction stands for a later time. Source: see `concordance`.
    """
    ended = np.ones(len(y_true), np.bool_) if events is None else events
    earlier = np.less.outer(y_true, y_true)
    together = np.equal.outer(y_true, y_true) & ~ended[None, :]
    comparable = (earlier | together) & ended[:, None]
    pairs = np.count_nonzero(comparable)
    if pairs == 0:
        return math.nan
    alike = np.count_nonzero(comparable & np.less.outer(y_pred, y_pred))
    tied = np.count_nonzero(comparable & np.equal.outer(y_pred, y_pred))
    return (alike + tied / 2.0) / pairs


_CORRELATION = partial(
    Definition,
    kind="numbers",
    greater_is_better=True,
    ideal=1,
    high=1,
    no_skill=0,
    gold_defect=different_numbers,
    needs_different_predictions=True,
)


#: Facts of measures that know neither how far apart predictions are, nor correct numbers.
_ORDER_ALONE: Mapping[str, Any] = {"order_only": True, "gold_order_only": True}


def _of_order(name: str, label: str, build: Any, low: float = -1, **facts: Any) -> Definition:
    """Return the definition of a measure whose function here defines it."""
    oracle = f"{__name__}:{name}"
    return _CORRELATION(name, label, low=low, build=build, oracle=oracle, **facts)


# Gain ---------------------------------------------------------------------------------------------

# Discounted cumulative gain of the examples as one list, ranked by each entry's predictions.
#
# Sources: Järvelin and Kekäläinen 2002, "Cumulated Gain-Based Evaluation of IR Techniques", ACM
# Transactions on Information Systems 20; McSherry and Najork 2008, "Computing Information Retrieval
# Performance Measures Efficiently in the Presence of Tied Scores", ECIR (ties share their gains).


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
    orders = tuple(Order(-y_pred) for y_pred in data.y_preds)
    return Ordered(orders, partial(_ndcg, gold=gold, k=k, ideal=Order(-gold)))


def _ndcg(
    orders: Sequence[Order], resampled: Resampled, gold: Floats, k: int | None, ideal: Order
) -> Evaluated:
    discounts = 1.0 / np.log2(np.arange(resampled.most) + 2.0)
    if k is not None:
        discounts[k:] = 0.0
    up_to = np.concatenate([[0.0], np.cumsum(discounts)])
    best = _gain(gold, ideal, up_to, resampled)
    relevant = best > 0
    gains = (_gain(gold, order, up_to, resampled) for order in orders)
    values = [np.divide(gain, best, out=np.zeros_like(best), where=relevant) for gain in gains]
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
    _of_order("pearsonr", "Pearson's r", pearson, evaluation="sums"),
    _of_order(
        "spearmanr",
        "Spearman's ρ",
        spearman,
        evaluation="ordered",
        places=spearman_places,
        **_ORDER_ALONE,
    ),
    _of_order(
        "kendalltau",
        "Kendall's τ",
        partial(_ranked, concordance=False),
        evaluation="ordered",
        **_ORDER_ALONE,
    ),
    _of_order(
        "concordance_index",
        "concordance",
        concordance,
        low=0,
        no_skill=0.5,
        needs_different_predictions=False,
        evaluation="ordered",
        gold_defect=comparable_times,
        reads_events=True,
        **_ORDER_ALONE,
    ),
    SHARE(
        "ndcg_score",
        "NDCG",
        "numbers",
        evaluation="ordered",
        build=ndcg,
        defaults={"k": None},
        oracle=f"{__name__}:ndcg_score",
        gold_defect=some_gain,
        order_only=True,
    ),
)
