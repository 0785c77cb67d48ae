"""The mean over repeated samples, and pass@k; the share of resolved examples.

The unit is the example. Its samples are repeated measurements of it, and are never drawn (Miller
2024, "Adding Error Bars to Evals", section 2.2: errors clustered by question).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...core.arrays import Floats
from ...core.phrases import Phrase, counted
from ...reading.formats.samples import asked
from ...recognize.of_kinds.sample_columns import outcome
from ..metric import SHARE, Data, Definition, ExampleStatistics, count_each, ratio
from ..statistics import CountingFailed


def outcomes(gold: str, samples: Sequence[str]) -> list[float]:
    """Return what every sample counts: whether it equals the gold or, without one, its outcome."""
    if not gold:
        return [outcome(sample) or 0.0 for sample in samples]
    return [float(_same(gold, sample)) for sample in samples]


def unbiased_pass_at_k(n: int, correct: int, k: int) -> float:
    """Return 1 − C(n − c, k) / C(n, k), the unbiased estimator of Chen and others (2021)."""
    if n - correct < k:
        return 1.0
    return 1.0 - float(np.prod(1.0 - k / np.arange(n - correct + 1, n + 1)))


def _same(gold: str, sample: str) -> bool:
    """Whether two labels are equal, as texts or as numbers."""
    if gold == sample:
        return True
    try:
        return float(gold) == float(sample)
    except ValueError:
        return False


def _mean(
    golds: Sequence[str], predictions: Sequence[Sequence[str]], params: Mapping[str, Any]
) -> list[tuple[float, int]]:
    """Count the mean over an example's samples, and 1; a missing answer counts 0."""
    means = []
    for position, (gold, samples) in enumerate(zip(golds, predictions, strict=True)):
        scored = outcomes(gold, samples)
        if not scored and not gold:
            nothing = Phrase("it has no sample, and outcomes have no worst value")
            raise CountingFailed(position, nothing)
        means.append((sum(scored) / len(scored) if scored else 0.0, 1))
    return means


def _pass_at_k(
    golds: Sequence[str], predictions: Sequence[Sequence[str]], params: Mapping[str, Any]
) -> list[tuple[float, int]]:
    """Count pass@k of an example, and 1; a missing example counts 0."""
    k = int(params["k"] or 1)
    counts = []
    for position, (gold, samples) in enumerate(zip(golds, predictions, strict=True)):
        right = outcomes(gold, samples)
        if 0 < len(right) < k:
            number = counted(len(right), Phrase("sample", "samples"))
            few = Phrase("it has {samples}, and pass@{k} needs at least {k}", samples=number, k=k)
            raise CountingFailed(position, few)
        if not {*right} <= {0.0, 1.0}:
            raise CountingFailed(position, Phrase("pass@k needs outcomes of 0 and 1"))
        counts.append((unbiased_pass_at_k(len(right), int(sum(right)), k) if right else 0.0, 1))
    return counts


def _jackknife_variance(
    data: Data, params: Mapping[str, Any], without_one: Callable[[Floats, int], Floats]
) -> Floats:
    """Return the jackknife variance over its samples of what each example counts, [n, m].

    ``without_one`` returns what counts without each of the samples. The variance of a mean is that
    of the samples over their number. Where leaving out a sample leaves too few, it is nan.
    """
    k = int(params.get("k") or 1)

    def variance(sample_scores: Sequence[float]) -> float:
        size = len(sample_scores)
        if size <= k:
            return math.nan
        values = without_one(np.array(sample_scores), k)
        return float((size - 1) / size * np.square(values - values.mean()).sum())

    variances = np.empty((data.n, len(data.y_preds)))
    for entry, y_pred in enumerate(data.y_preds):
        for row, (gold, samples) in enumerate(zip(data.y_true, y_pred, strict=True)):
            variances[row, entry] = variance(outcomes(gold, samples))
    return variances


def _means(scores: Floats, k: int) -> Floats:
    return np.asarray((scores.sum() - scores) / (len(scores) - 1))


def _passes(scores: Floats, k: int) -> Floats:
    n = len(scores) - 1
    correct = int(scores.sum())
    without = {score: unbiased_pass_at_k(n, correct - int(score), k) for score in set(scores)}
    return np.array([without[score] for score in scores])


def _enough(shape: Any, params: Mapping[str, Any]) -> tuple[bool, int]:
    """Return what pass@k asks of an example's samples: outcomes of 0 and 1, and at least k."""
    outcome_only, least = asked(shape)
    return outcome_only, max(least, int(params["k"] or 1))


def _resolved(gold: bool, resolved: bool, params: Mapping[str, Any]) -> tuple[int, int]:
    """Count whether an example is resolved, and 1."""
    return int(resolved), 1


def _bounds(data: Data, params: Mapping[str, Any]) -> tuple[float, float]:
    """Return 0 and 1 for answers and for outcomes of 0 and 1; other outcomes may be any number."""
    if not data.y_preds and not all(data.y_true):
        return -np.inf, np.inf
    if all(data.y_true):
        return 0.0, 1.0
    every = (samples for y_pred in data.y_preds for samples in y_pred)
    values = {value for samples in every for value in outcomes("", samples)}
    return (0.0, 1.0) if values <= {0, 1} else (-np.inf, np.inf)


DEFINITIONS = (
    SHARE(
        "pass_at_k",
        "pass@k",
        "samples",
        evaluation="sums",
        statistics=ExampleStatistics(_pass_at_k, ratio),
        defaults={"k": 1},
        demand=_enough,
        sample_variance=partial(_jackknife_variance, without_one=_passes),
    ),
    Definition(
        "sample_mean",
        "mean over samples",
        "samples",
        greater_is_better=True,
        ratio_scale=True,
        evaluation="sums",
        statistics=ExampleStatistics(_mean, ratio),
        bounds=_bounds,
        sample_variance=partial(_jackknife_variance, without_one=_means),
    ),
    SHARE(
        "resolved_rate",
        "resolved rate",
        "resolved",
        evaluation="sums",
        statistics=ExampleStatistics(partial(count_each, _resolved), ratio),
    ),
)
