"""Metrics that scikit-learn does not have, written as their definitions say, for one test set.

The registry names these functions as the definition of their metrics: the tests compare every fast
way with them, and a resample on which rounding decides is computed by them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..core.arrays import Array


def specificity_score(y_true: Array, y_pred: Array, **params: Any) -> float:
    """Return the recall of everything but the class, averaged like scikit-learn's recall."""
    from sklearn.metrics import multilabel_confusion_matrix

    average = params.get("average", "binary")
    labels = [params.get("pos_label", 1)] if average == "binary" else params.get("labels")
    setting = params.get("zero_division", "warn")
    instead = 0.0 if setting == "warn" else float(setting)
    confusion = multilabel_confusion_matrix(y_true, y_pred, labels=labels)
    negatives = confusion[:, 0].sum(axis=1)
    right = confusion[:, 0, 0]
    weights = confusion[:, 1].sum(axis=1)
    if average == "micro":
        right, negatives, weights = right.sum()[None], negatives.sum()[None], np.ones(1)
    values = [r / t if t else instead for r, t in zip(right, negatives, strict=True)]
    kept = [
        (value, weight if average == "weighted" else 1.0)
        for value, weight in zip(values, weights, strict=True)
        if not math.isnan(value)
    ]
    if not kept:
        return math.nan
    total = sum(weight for _, weight in kept)
    if total == 0:
        return float(np.mean([value for value, _ in kept]))
    return float(sum(value * weight for value, weight in kept) / total)


def mean_score(y_true: Array, y_pred: Array) -> float:
    """Return the mean of the scores that an entry has for every unit."""
    return float(np.mean(y_pred))


def pearsonr(y_true: Array, y_pred: Array) -> float:
    """Return Pearson's r as SciPy computes it; nan where one of the two is constant."""
    from scipy import stats

    return float(stats.pearsonr(y_true, y_pred)[0])


def spearmanr(y_true: Array, y_pred: Array) -> float:
    """Return Spearman's ρ as SciPy computes it; nan where one of the two is constant."""
    from scipy import stats

    return float(stats.spearmanr(y_true, y_pred)[0])


def kendalltau(y_true: Array, y_pred: Array) -> float:
    """Return Kendall's τ-b as SciPy computes it; nan where one of the two is constant."""
    from scipy import stats

    return float(stats.kendalltau(y_true, y_pred)[0])


def concordance_index(y_true: Array, y_pred: Array) -> float:
    """Return the share of pairs with different gold that the prediction orders alike, ties half.

    Harrell's C without censoring; nan where all gold values are equal.
    """
    gold = np.sign(np.subtract.outer(y_true, y_true))
    predicted = np.sign(np.subtract.outer(y_pred, y_pred))
    comparable = np.count_nonzero(gold)
    if comparable == 0:
        return math.nan
    return float(0.5 + (gold * predicted).sum() / (2.0 * comparable))


def ndcg_score(y_true: Array, y_pred: Array, k: int | None = None) -> float:
    """Return scikit-learn's NDCG of the examples as one ranked list; nan for a single example."""
    from sklearn.metrics import ndcg_score as of_lists

    if len(y_true) < 2:
        return math.nan
    return float(of_lists([y_true], [y_pred], k=k))
