"""The nine workloads: data as a competition of that kind has them, and what is computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Arrays = tuple[np.ndarray, list[np.ndarray]]


@dataclass(frozen=True)
class Workload:
    """A competition to resample: n examples, m entries, B resamples, the metrics.

    ``peer_resamples`` are those that the slow tools are given; their time is scaled to B.
    """

    name: str
    title: str
    n: int
    m: int
    resamples: int
    functions: tuple[str, ...]
    data: Callable[[np.random.Generator, int, int], Arrays]
    peer_resamples: int
    params: Mapping[str, Any] = field(default_factory=dict)
    all_pairs: bool = False
    own: str = ""  # the organizer's file, where the function is one that no tool knows

    def make(self) -> Arrays:
        """Return gold and predictions."""
        return self.data(np.random.default_rng(2021), self.n, self.m)


def classes(*shares: float) -> Callable[[np.random.Generator, int, int], Arrays]:
    """Labels with these shares, of which entries get 60 to 90% right."""

    def make(rng: np.random.Generator, n: int, m: int) -> Arrays:
        gold = np.sort(rng.choice(len(shares), n, p=shares))
        right = np.linspace(0.9, 0.6, m)
        guesses = [np.where(rng.random(n) < p, gold, rng.choice(len(shares), n)) for p in right]
        return gold, guesses

    return make


def numbers(rng: np.random.Generator, n: int, m: int) -> Arrays:
    """Numbers from 0 to 100, predicted with errors of 1 to 2."""
    gold = 100 * rng.random(n)
    return gold, [gold + rng.normal(0, 1 + k / m, n) for k in range(m)]


def scores(rng: np.random.Generator, n: int, m: int) -> Arrays:
    """A class of 30% and scores that tell it more or less well."""
    gold = (rng.random(n) < 0.3).astype(int)
    return gold, [gold + rng.normal(0, 1 + k / m, n) for k in range(m)]


def ranked(rng: np.random.Generator, n: int, m: int) -> Arrays:
    """Numbers with ties, as ratings have, and continuous predictions."""
    gold = np.rint(rng.random(n) * 50) / 10
    return gold, [gold + rng.normal(0, 1 + k / m, n) for k in range(m)]


BINARY = classes(0.73, 0.27)
FIVE = classes(0.4, 0.25, 0.2, 0.1, 0.05)
EVEN = classes(0.5, 0.5)

#: An organizer's file as most write it, one whose function takes weights, and for each of them one
#: whose calls cost nothing.
OWN = """from sklearn.metrics import matthews_corrcoef

def score(y_true, y_pred):
    return matthews_corrcoef(y_true, y_pred)
"""
WEIGHTED = """from sklearn.metrics import matthews_corrcoef

def score(y_true, y_pred, sample_weight=None):
    return matthews_corrcoef(y_true, y_pred, sample_weight=sample_weight)
"""
NOTHING = {
    OWN: "def score(y_true, y_pred):\n    return 0.5\n",
    WEIGHTED: "def score(y_true, y_pred, sample_weight=None):\n    return 0.5\n",
}

WORKLOADS = (
    Workload("W1", "binary F1, precision, recall (MeOffendEs)", 2182, 10, 10_000,
             ("f1_score", "precision_score", "recall_score"), BINARY, 2000),
    Workload("W2", "macro F1, 5 classes", 13_000, 27, 10_000,
             ("f1_score",), FIVE, 300, {"average": "macro"}),
    Workload("W3", "MAE and RMSE", 2216, 15, 10_000,
             ("mean_absolute_error", "root_mean_squared_error"), numbers, 2000),
    Workload("W4", "ROC-AUC", 5000, 20, 10_000, ("roc_auc_score",), scores, 1000),
    Workload("W5", "accuracy", 100_000, 50, 10_000, ("accuracy_score",), EVEN, 100),
    Workload("W6", "MAE", 1_000_000, 10, 1000, ("mean_absolute_error",), numbers, 60),
    Workload("W7", "accuracy, all 8,911 pairs (SWE-bench-like)", 500, 134, 10_000,
             ("accuracy_score",), EVEN, 300, all_pairs=True),
    Workload("W8", "Spearman", 2000, 10, 10_000, ("spearmanr",), ranked, 2000),
    Workload("W9", "an organizer's Python function", 2182, 10, 10_000,
             ("matthews_corrcoef",), BINARY, 4000, own=OWN),
)  # fmt: skip
