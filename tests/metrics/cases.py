"""Data and parameters on which every metric of the registry must equal its oracle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from scoring_program.metrics import REGISTRY, Definition, Metric, resolve
from scoring_program.settings import MetricSpec

AVERAGES = [
    {"average": average, "zero_division": zero_division}
    for average in ("macro", "micro", "weighted")
    for zero_division in (0, 1)
]
BINARY = [{"zero_division": 0}, {"pos_label": 0, "zero_division": 1}, {}]
SUBSETS = [
    {"average": average, "labels": [2, 7], "zero_division": 0}
    for average in ("macro", "micro", "weighted")
]
NAN = [
    {"average": average, "zero_division": float("nan"), "labels": [1, 7]}
    for average in ("macro", "weighted")
]
PER_CLASS = BINARY + AVERAGES + SUBSETS

#: The parameters each metric is tried with; a metric without an entry here fails the suite.
PARAMS: dict[str, list[Mapping[str, Any]]] = {
    "accuracy_score": [{}],
    "balanced_accuracy_score": [{}, {"adjusted": True}],
    "precision_score": PER_CLASS + NAN,
    "recall_score": PER_CLASS + NAN,
    "f1_score": PER_CLASS + NAN,
    "fbeta_score": [
        *({**params, "beta": 2} for params in PER_CLASS + NAN),
        {"average": "macro", "beta": 0.5},
        {"average": "macro", "beta": 0},
    ],
    "jaccard_score": PER_CLASS,
    "mean_absolute_error": [{}],
    "mean_squared_error": [{}],
    "root_mean_squared_error": [{}],
}


def metric(name: str, params: Mapping[str, Any]) -> Metric:
    """Return the metric that settings with this function and these parameters ask for."""
    (found,) = resolve([MetricSpec(name=name, function=name, params=params)], None)
    return found


def cases() -> Iterator[tuple[Definition, Mapping[str, Any]]]:
    """Every metric of the registry with each of its parameter sets."""
    for name, row in REGISTRY.items():
        for params in PARAMS[name]:
            yield row, params


def labels_data(rng: np.random.Generator, n: int, classes: int) -> tuple[Any, list[Any]]:
    """Labels 0 … classes−1, the last ones rare; good, bad, constant and never-right entries."""
    weights = 0.25 ** np.arange(classes)
    weights[:2] = 0.5
    gold = rng.choice(classes, n, p=weights / weights.sum())
    noisy = [np.where(rng.random(n) < p, gold, rng.choice(classes, n)) for p in (0.9, 0.5)]
    constant = np.full(n, gold[0])
    return gold, [*noisy, constant, (gold + 1) % classes, noisy[0].copy()]


def numbers_data(rng: np.random.Generator, n: int, *, ties: bool) -> tuple[Any, list[Any]]:
    """Positive numbers, drawn from a few values where ``ties``; constant and perfect entries."""
    gold = rng.integers(1, 4, n).astype(float) if ties else rng.gamma(2.0, 3.0, n)
    noisy = gold * rng.lognormal(0.0, 0.3, n)
    near = np.clip(np.rint(gold + rng.normal(0, 1, n)), 1, None) if ties else gold + 0.5
    return gold, [noisy, near, np.full(n, 2.0), gold.copy(), noisy.copy()]


def datasets(row: Definition, params: Mapping[str, Any]) -> Iterator[tuple[Any, list[Any]]]:
    """Data of the metric's kind: usual, with rare classes, with ties, tiny, and one row."""
    rng = np.random.default_rng(20211)
    many = params.get("average", "binary") != "binary" or "average" not in row.params
    for n in (40, 7, 1):
        if row.kind == "labels":
            yield labels_data(rng, n, 2)
            if many:
                yield labels_data(rng, n, 5)
        elif row.kind == "numbers":
            yield numbers_data(rng, n, ties=False)
            yield numbers_data(rng, n, ties=True)
