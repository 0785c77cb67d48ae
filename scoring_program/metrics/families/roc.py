"""Area under the ROC curve and average precision, from scores sorted once.

With P positive and N negative draws, AUC = (Σ ranks of positives − P(P + 1)/2) / (P·N), where ties
share their average rank (the Mann–Whitney statistic). It equals the area that scikit-learn
integrates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any, Literal

import numpy as np

from ...core.arrays import Array, Bools, Floats, Ints
from ...core.cells import PROBABILITY_TOLERANCE
from ...core.errors import MetricError
from ...core.phrases import Phrase
from ..gold_needs import classes_of_scores
from ..metric import Data, Definition, Evaluated, classes_of, defined, positive_label
from ..ordered import Order, Ordered, Resampled, Running, around, between
from .probabilities import class_arguments, every_class

_SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")


#: One class against another by one entry's scores: running totals of the negative rows by ascending
#: score; the positive rows, [k]; and the lines where the negative rows end that these beat and that
#: tie with them, [k] each.
_Contest = tuple[Running, Ints, tuple[Ints, Ints]]


def _contest(scores: Floats, positive: Bools, among: Bools) -> _Contest:
    losers = np.flatnonzero(among & ~positive)
    losers = losers[np.argsort(scores[losers], kind="stable")]
    winners = np.flatnonzero(among & positive)
    running = Running(losers, len(scores))
    beaten, tied = (np.searchsorted(scores[losers], scores[winners], side) for side in _SIDES)
    before = running.at(beaten)
    after = before if np.array_equal(beaten, tied) else running.at(tied)
    return running, winners, (before, after)


def _drawn_winners(contest: _Contest, resampled: Resampled) -> tuple[Array, Floats]:
    """Return the draws of every positive row, [k, R] of a type for twice the pairs; their sum."""
    most = resampled.most
    # Positives and negatives are together the draws, so there are at most N² / 4 pairs.
    exact = np.uint32 if most * most < 1 << 33 else np.float64
    draws: Array = resampled.counts.take(contest[1], axis=0).astype(exact)
    return draws, draws.sum(axis=0, dtype=draws.dtype).astype(np.float64)


def _auc(contest: _Contest, winners: tuple[Array, Floats], resampled: Resampled) -> Floats:
    """Return the area [R] = (pairs won + half of those tied) / pairs; nan without a pair."""
    (running, _, lines) = contest
    (winner_draws, total) = winners
    workspace = resampled.workspace
    totals = running.totals(resampled, 2 * resampled.most)
    beaten = workspace.array("beaten", winner_draws.shape, winner_draws.dtype)
    beaten[...] = around(totals, lines, workspace)
    twice_won = np.einsum("kr,kr->r", beaten, winner_draws)
    negatives = totals[-1].astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        area: Floats = twice_won / (2.0 * total * negatives)
    return area


def roc_auc(data: Data, params: Mapping[str, Any]) -> Ordered:
    """Bind the AUC: binary for scores [n]; one-vs-rest or one-vs-one for scores [n, c]."""
    if all(y_pred.ndim == 1 for y_pred in data.y_preds):
        positive = data.y_true == positive_label(data)
        everything = np.ones(data.n, np.bool_)
        contests = (_contest(y_pred, positive, everything) for y_pred in data.y_preds)
        return Ordered(tuple(contests), _binary)
    multi_class = params["multi_class"]
    average = params["average"]
    if multi_class not in ("ovr", "ovo"):
        raise MetricError(
            "roc_auc_score of several classes needs the parameter multi_class: ovr or ovo"
        )
    if average not in ("macro", "weighted"):
        raise MetricError("roc_auc_score of several classes needs average: macro or weighted")
    sums = (y_pred.sum(axis=1) for y_pred in data.y_preds)
    if any((np.abs(total - 1.0) > PROBABILITY_TOLERANCE).any() for total in sums):
        raise MetricError(
            Phrase("roc_auc_score of several classes needs probabilities that sum to 1")
        )
    classes = classes_of(data)
    is_class = np.array([data.y_true == label for label in classes])
    pairs: list[tuple[int, ...]] = [(c,) for c in range(len(classes))]
    among = [np.ones(data.n, np.bool_)] * len(classes)
    if multi_class == "ovo":
        pairs = list(combinations(range(len(classes)), 2))
        among = [np.logical_or(is_class[i], is_class[j]) for i, j in pairs]
    contests_of = []
    for y_pred in data.y_preds:
        of_pairs = []
        for pair, rows in zip(pairs, among, strict=True):
            of_pairs.append([_contest(y_pred[:, c], is_class[c], rows) for c in pair])
        contests_of.append(of_pairs)
    weighted = average == "weighted"
    return Ordered(
        tuple(contests_of), partial(_several, pairs=pairs, is_class=is_class, weighted=weighted)
    )


def _binary(contests: Sequence[_Contest], resampled: Resampled) -> Evaluated:
    # The same rows are positive for every entry.
    winners = _drawn_winners(contests[0], resampled)
    return defined(np.array([_auc(contest, winners, resampled) for contest in contests]))


def _several(
    contests_of: Sequence[Sequence[Sequence[_Contest]]],
    resampled: Resampled,
    pairs: Sequence[tuple[int, ...]],
    is_class: Bools,
    weighted: bool,
) -> Evaluated:
    """Average the areas of one class against the rest, or of every pair of classes drawn.

    One-vs-rest is undefined if a class was not drawn, unless its weight is then zero. One-vs-one
    leaves such pairs out.
    """
    sizes = is_class.astype(np.float64) @ resampled.counts[:-1].astype(np.float64)  # [c, R]
    shares = np.array([sizes[list(pair)].sum(axis=0) for pair in pairs])
    if len(pairs[0]) == 1:
        counted = (shares > 0) | (not weighted)
    else:
        counted = np.array([(sizes[list(pair)] > 0).all(axis=0) for pair in pairs])
    weights = np.where(counted, shares if weighted else 1.0, 0.0)
    total = weights.sum(axis=0)
    values = []
    for contests in contests_of:
        areas = np.array([_mean_area(of_pair, resampled) for of_pair in contests])
        with np.errstate(invalid="ignore"):
            values.append((np.where(counted, areas, 0.0) * weights).sum(axis=0) / total)
    return defined(np.array(values))


def _mean_area(contests: Sequence[_Contest], resampled: Resampled) -> Floats:
    """Return the mean area [R] of the contests of a pair of classes, or of one class alone."""
    areas = []
    for contest in contests:
        winners = _drawn_winners(contest, resampled)
        areas.append(_auc(contest, winners, resampled))
    return np.asarray(np.mean(areas, axis=0))


def roc_auc_places(data: Data, params: Mapping[str, Any]) -> Floats | None:
    """Return what each row contributes to a binary AUC, [n, m]: its placement less the mean.

    The placement of a positive row is the share of negative rows below it, that of a negative row
    the share of positive rows above it. None for several classes. Source: DeLong, DeLong and
    Clarke-Pearson 1988, Biometrics 44.
    """
    if any(y_pred.ndim > 1 for y_pred in data.y_preds):
        return None
    positive = data.y_true == positive_label(data)
    places = np.zeros((data.n, len(data.y_preds)))
    for entry, scores in enumerate(data.y_preds):
        ascending = {side: np.sort(scores[positive == side]) for side in (False, True)}
        for side in (False, True):
            rows = positive == side
            opponents = ascending[not side]
            below = sum(np.searchsorted(opponents, scores[rows], edge) for edge in _SIDES) / 2.0
            share = below / max(len(opponents), 1)
            placement = share if side else 1.0 - share
            places[rows, entry] = (placement - placement.mean()) * data.n / max(rows.sum(), 1)
    return places


def average_precision(data: Data, params: Mapping[str, Any]) -> Ordered:
    """Bind the average precision Σ (recall gained)·precision over falling thresholds.

    For scores [n, c], it is the mean over the classes, each against the rest.
    """
    if all(y_pred.ndim == 1 for y_pred in data.y_preds):
        positive = data.y_true == positive_label(data)
        entries = tuple(_thresholds(y_pred, positive) for y_pred in data.y_preds)
        return Ordered(entries, _precisions)
    classes = classes_of(data)
    is_class = [data.y_true == label for label in classes]

    def by_class(y_pred: Floats) -> list[_Thresholds]:
        return [_thresholds(y_pred[:, c], positive) for c, positive in enumerate(is_class)]

    return Ordered(tuple(map(by_class, data.y_preds)), _mean_precisions)


#: One entry's rows by falling score, cut at thresholds: running totals of all rows and of the
#: positive ones; the lines [k] of the totals of all rows at each threshold with positive rows; and
#: the lines of the totals of positive rows before and at each threshold.
_Thresholds = tuple[Running, Running, Ints, tuple[Ints, Ints]]


def _thresholds(scores: Floats, positive: Bools) -> _Thresholds:
    order = Order(-scores)
    winners = order.rows[positive[order.rows]]
    every = Running(order.rows, len(scores))
    positives = Running(winners, len(scores))
    cuts = np.unique(-scores[winners])
    retrieved = np.searchsorted(-scores[order.rows], cuts, "right")
    before, after = (np.searchsorted(-scores[winners], cuts, side) for side in _SIDES)
    return every, positives, every.at(retrieved), (positives.at(before), positives.at(after))


def _precisions(entries: Sequence[_Thresholds], resampled: Resampled) -> Evaluated:
    values = []
    for entry in entries:
        value, positives = _precision(entry, resampled)
        values.append(value)
    # Without a positive example scikit-learn gives 0 with a warning.
    return Evaluated(np.array(values), np.tile(positives == 0, (len(entries), 1)))


def _mean_precisions(entries: Sequence[Sequence[_Thresholds]], resampled: Resampled) -> Evaluated:
    values = []
    for by_class in entries:
        of_classes = [_precision(thresholds, resampled) for thresholds in by_class]
        precisions, positives = zip(*of_classes, strict=True)
        # If a class was not drawn, scikit-learn has no value.
        everywhere = np.all(np.array(positives) > 0, axis=0)
        values.append(np.where(everywhere, np.mean(precisions, axis=0), np.nan))
    return defined(np.array(values))


def _precision(entry: _Thresholds, resampled: Resampled) -> tuple[Floats, Floats]:
    """Return the average precision [R], 0 without a positive draw, and the positive draws [R]."""
    every, running, threshold_lines, lines = entry
    retrieved = every.totals(resampled, resampled.most).take(threshold_lines, axis=0)
    hits = running.totals(resampled, resampled.most)
    precision = hits.take(lines[1], axis=0) / np.maximum(retrieved, 1)
    positives = hits[-1].astype(np.float64)
    gained = between(hits, lines, resampled.workspace)
    return np.einsum("ir,ir->r", gained, precision) / np.maximum(positives, 1.0), positives


_AREA = partial(
    Definition,
    kind="scores",
    greater_is_better=True,
    ideal=1,
    low=0,
    high=1,
    evaluation="ordered",
    gold_defect=classes_of_scores,
    order_only=True,
)

DEFINITIONS = (
    _AREA(
        "roc_auc_score",
        "ROC AUC",
        build=roc_auc,
        no_skill=0.5,
        places=roc_auc_places,
        defaults={"multi_class": "raise", "average": "macro", "pos_label": None},
        context=every_class,
        positive="single",
    ),
    _AREA(
        "average_precision_score",
        "average precision",
        ratio_scale=True,
        build=average_precision,
        defaults={"pos_label": None},
        context=partial(class_arguments, ("pos_label",)),
        positive="always",
    ),
)
