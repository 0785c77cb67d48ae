"""Data and parameters on which every metric of the registry must equal its oracle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.metadata import version
from typing import Any

import numpy as np

from scoring_program.metrics import Definition, Metric, resolve
from scoring_program.settings.checks import MetricSpec

#: The release of scikit-learn that is the oracle.
RELEASE = tuple(int(part) for part in version("scikit-learn").split(".")[:2])

AVERAGES: list[Mapping[str, Any]] = [
    {"average": average, "zero_division": zero_division}
    for average in ("macro", "micro", "weighted")
    for zero_division in (0, 1)
]
BINARY: list[Mapping[str, Any]] = [{"zero_division": 0}, {"pos_label": 0, "zero_division": 1}, {}]
SUBSETS: list[Mapping[str, Any]] = [
    {"average": average, "labels": [2, 7], "zero_division": 0}
    for average in ("macro", "micro", "weighted")
]
NAN: list[Mapping[str, Any]] = [
    {"average": average, "zero_division": float("nan"), "labels": [1, 7]}
    for average in ("macro", "weighted")
]
PER_CLASS = BINARY + AVERAGES + SUBSETS

#: The parameters each metric is tried with; a metric without an entry here fails the suite.
PARAMS: dict[str, list[Mapping[str, Any]]] = {
    "accuracy_score": [{}],
    "zero_one_loss": [{}],
    "hamming_loss": [{}],
    "balanced_accuracy_score": [{}, {"adjusted": True}],
    "precision_score": PER_CLASS + NAN,
    "recall_score": PER_CLASS + NAN,
    "specificity_score": PER_CLASS + NAN,
    "f1_score": PER_CLASS + NAN,
    "fbeta_score": [
        *({**params, "beta": 2} for params in PER_CLASS + NAN),
        {"average": "macro", "beta": 0.5},
        {"average": "macro", "beta": 0},
    ],
    "jaccard_score": PER_CLASS,
    "matthews_corrcoef": [{}],
    "cohen_kappa_score": [{}, {"weights": "linear"}, {"weights": "quadratic"}],
    "log_loss": [{}],
    "brier_score_loss": [{}],
    "d2_log_loss_score": [{}],
    "hinge_loss": [{}],
    "roc_auc_score": [
        {"multi_class": multi_class, "average": average}
        for multi_class in ("ovr", "ovo")
        for average in ("macro", "weighted")
        # Older releases refuse a resample without some class even where it has no weight.
        if (multi_class, average) != ("ovr", "weighted") or RELEASE >= (1, 6)
    ],
    "average_precision_score": [{}, {"pos_label": 0}],
    "mean_absolute_error": [{}],
    "mean_squared_error": [{}],
    "root_mean_squared_error": [{}],
    "mean_absolute_percentage_error": [{}],
    "mean_squared_log_error": [{}],
    "root_mean_squared_log_error": [{}],
    "mean_pinball_loss": [{}, {"alpha": 0.9}],
    "mean_poisson_deviance": [{}],
    "mean_gamma_deviance": [{}],
    "median_absolute_error": [{}],
    "max_error": [{}],
    "r2_score": [{}],
    "explained_variance_score": [{}],
    "pearsonr": [{}],
    "spearmanr": [{}],
    "kendalltau": [{}],
    "concordance_index": [{}],
    "ndcg_score": [{}, {"k": 3}],
    "mean_score": [{}],
    "median_score": [{}],
    "mean_unit_rank": [{}],
}
#: Metrics of several classes that releases of scikit-learn before 1.7 do not have.
RECENT = ("brier_score_loss",)


def metric(name: str, params: Mapping[str, Any]) -> Metric:
    """Return the metric that settings with this function and these parameters ask for."""
    (found,) = resolve([MetricSpec(name=name, function=name, params=params)], None)
    return found


def labels_data(rng: np.random.Generator, n: int, classes: int) -> tuple[Any, list[Any]]:
    """Labels 0 … classes−1, the last ones rare; good, bad, constant and never-right entries.

    The last entry is a copy of the first, here and below.
    """
    weights = 0.25 ** np.arange(classes)
    weights[:2] = 0.5
    gold = rng.choice(classes, n, p=weights / weights.sum())
    noisy = [np.where(rng.random(n) < p, gold, rng.choice(classes, n)) for p in (0.9, 0.5)]
    constant = np.full(n, gold[0])
    return gold, [*noisy, constant, (gold + 1) % classes, noisy[0].copy()]


def scores_data(
    rng: np.random.Generator, n: int, classes: int, *, probabilities: bool
) -> tuple[Any, list[Any], Any]:
    """Scores or probabilities of labels; noisy, with ties, constant, certain."""
    gold, _ = labels_data(rng, n, classes)
    certain = np.eye(classes)[gold]
    noisy = certain + rng.normal(0.0, 0.7, (n, classes))
    tables = [noisy, np.rint(2 * noisy) / 2, np.zeros((n, classes)), certain]
    if probabilities:
        tables = [np.exp(table) for table in tables[:3]]
        tables = [table / table.sum(axis=1, keepdims=True) for table in tables] + [certain]
    tables = tables if classes > 2 else [table[:, 1] for table in tables]
    return gold, [*tables, tables[0].copy()], np.arange(classes)


def numbers_data(rng: np.random.Generator, n: int, *, ties: bool) -> tuple[Any, list[Any]]:
    """Positive numbers, drawn from a few values where ``ties``; constant and perfect entries."""
    gold = rng.integers(1, 4, n).astype(float) if ties else rng.gamma(2.0, 3.0, n)
    noisy = gold * rng.lognormal(0.0, 0.3, n)
    near = np.clip(np.rint(gold + rng.normal(0, 1, n)), 1, None) if ties else gold + 0.5
    return gold, [noisy, near, np.full(n, 2.0), gold.copy(), noisy.copy()]


def datasets(definition: Definition, params: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    """Data of the metric's kind: usual, with rare classes, with ties, tiny, and one row."""
    rng = np.random.default_rng(20211)
    for n in (40, 7, 1):
        if definition.kind == "labels":
            chosen = params.get("labels")
            if chosen is None:
                yield labels_data(rng, n, 2)
            if params.get("average", definition.defaults.get("average")) != "binary":
                yield labels_data(rng, n, 5)
        elif definition.kind == "numbers":
            yield numbers_data(rng, n, ties=False)
            yield numbers_data(rng, n, ties=True)
        else:
            # The area under several classes' curves is defined for probabilities only.
            probabilities = (
                definition.kind == "probabilities" or definition.function == "roc_auc_score"
            )
            yield scores_data(rng, n, 2, probabilities=probabilities)
            if (definition.function in RECENT and RELEASE < (1, 7)) or "pos_label" in params:
                continue
            yield scores_data(rng, n, 4, probabilities=probabilities)


def tells_nothing(metric: Metric, gold: np.ndarray) -> bool:
    """Whether kappa has no value because the gold is of one class.

    scikit-learn's kappa is 0 then for whoever errs, and has no value for whoever does not.
    """
    return metric.function == "cohen_kappa_score" and len(set(gold.tolist())) == 1
