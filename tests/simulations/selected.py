"""The score of whoever came first: how often its corrected interval holds the true score.

Fields of entries, most of them equally good, through the whole program. Each function draws one and
returns its evidence and the true scores [m].
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from statistics import NormalDist

import numpy as np

from scoring_program.inference.comparing.corrected import hybrid
from scoring_program.inference.comparing.step_down import critical_value
from scoring_program.inference.evidence import Evidence
from scoring_program.settings.checks import MetricSpec

from .families import MACRO_F1, Field, answered
from .simulate import ALPHA

M = 10
#: Draws a field: the generator → what is analyzed, and the true scores [m].
Make = Callable[[np.random.Generator], tuple[Field, np.ndarray]]
_CDF = NormalDist().cdf


def accuracies(
    rng: np.random.Generator, n: int, truth: tuple[float, ...]
) -> tuple[Field, np.ndarray]:
    """Independent answers."""
    return answered(rng.random((n, len(truth))) < truth), np.array(truth)


def in_groups(
    rng: np.random.Generator, count: int, most_uneven: int = 0
) -> tuple[Field, np.ndarray]:
    """Ten entries of accuracy .8; answers in groups of ten or so have a common part of .2.

    The sizes of groups are drawn from ten, less or more by ``most_uneven``.
    """
    sizes = rng.integers(10 - most_uneven, 10 + most_uneven, size=count, endpoint=True)
    group = np.repeat(np.arange(count), sizes)
    common = np.sqrt(0.2) * rng.normal(size=(count, M))[group]
    ease = common + np.sqrt(0.8) * rng.normal(size=(group.size, M))
    right = ease > NormalDist().inv_cdf(0.2)
    return answered(right, groups=group), np.full(M, 0.8)


def areas(rng: np.random.Generator, n: int, ahead: float) -> tuple[Field, np.ndarray]:
    """Areas under the ROC curve: scores of half of the examples are higher by ``ahead``."""
    gold = np.arange(n) % 2
    scores = rng.normal(size=(M, n)) + ahead * gold
    field = Field(gold, list(scores), MetricSpec("auc", "roc_auc_score", {"pos_label": 1}))
    return field, np.full(M, _CDF(ahead / np.sqrt(2)))


def macro_f1(rng: np.random.Generator, n: int) -> tuple[Field, np.ndarray]:
    """Three classes, a fifth of the answers wrong, alike for both of the others."""
    share, right = np.array([0.5, 0.3, 0.2]), 0.8
    gold = rng.choice(3, size=n, p=share)
    wrong = (gold + rng.integers(1, 3, size=(M, n))) % 3
    predictions = np.where(rng.random((M, n)) < right, gold, wrong)
    predicted = right * share + (1 - right) / 2 * (1 - share)
    truth = float(np.mean(2 * right * share / (share + predicted)))
    return Field(gold, list(predictions), MACRO_F1), np.full(M, truth)


def absolute_errors(rng: np.random.Generator, n: int, kind: str) -> tuple[Field, np.ndarray]:
    """Mean absolute errors, uniform from 0 to 2 or of normal errors."""
    signs = rng.choice([-1, 1], size=(M, n))
    errors, truth = signs * rng.uniform(0, 2, size=(M, n)), 1.0
    if kind == "normal":
        errors, truth = rng.normal(size=(M, n)), float(np.sqrt(2 / np.pi))
    field = Field(np.zeros(n), list(errors), MetricSpec("mae", "mean_absolute_error"))
    return field, np.full(M, truth)


def squared_errors(rng: np.random.Generator, n: int) -> tuple[Field, np.ndarray]:
    """Root mean squared errors of Student's t with three degrees of freedom."""
    errors = rng.standard_t(3, size=(M, n))
    field = Field(np.zeros(n), list(errors), MetricSpec("rmse", "root_mean_squared_error"))
    return field, np.full(M, np.sqrt(3.0))


#: Check's subject → the field; all are equal but the graded ones.
FIELDS: tuple[tuple[str, Make], ...] = (
    ("10 accuracies .7, n = 30", partial(accuracies, n=30, truth=(0.7,) * M)),
    ("10 accuracies .8, n = 50", partial(accuracies, n=50, truth=(0.8,) * M)),
    ("10 accuracies .95, n = 100", partial(accuracies, n=100, truth=(0.95,) * M)),
    ("2 accuracies .8, n = 100", partial(accuracies, n=100, truth=(0.8,) * 2)),
    ("30 accuracies .8, n = 200", partial(accuracies, n=200, truth=(0.8,) * 30)),
    (
        "10 graded accuracies, n = 1000",
        partial(accuracies, n=1000, truth=tuple(np.linspace(0.9, 0.87, M).tolist())),
    ),
    ("20 groups", partial(in_groups, count=20)),
    ("40 uneven groups", partial(in_groups, count=40, most_uneven=5)),
    ("100 uneven groups", partial(in_groups, count=100, most_uneven=8)),
    ("10 areas of .64, n = 100", partial(areas, n=100, ahead=0.5)),
    ("10 areas of .86, n = 400", partial(areas, n=400, ahead=1.5)),
    ("macro F1, n = 400", partial(macro_f1, n=400)),
    ("MAE of uniform errors, n = 50", partial(absolute_errors, n=50, kind="uniform")),
    ("MAE of normal errors, n = 100", partial(absolute_errors, n=100, kind="normal")),
)


def corrected(sets: int, seed: int, make: Make, resamples: int = 499) -> dict[str, float]:
    """How often the interval is given, and then holds the leader's true score; and its width.

    The width is a mean, in widths of the hybrid set as it is published, with the bootstrap's
    covariance as the known one; and so is its coverage, of the same fields.
    """
    rng = np.random.default_rng(seed)
    given = covered = as_published = 0
    width = 0.0
    for number in range(sets):
        field, truth = make(rng)
        evaluated = field.evaluate(number, resamples)
        evidence = evaluated.findings.evidence[0]
        found = evidence.verdict.corrected
        if found is None:
            continue
        true = truth[evidence.scores.leader]
        low, high = published(evidence, evaluated.resampled[0].metrics[0].replicates.values)
        given += 1
        covered += found.low <= true <= found.high
        as_published += low <= true <= high
        width += (found.high - found.low) / (high - low)
    return {
        "covered where given": covered / given if given else 1.0,
        "covered as published": as_published / given if given else 1.0,
        "width": width / given if given else 1.0,
        "given": given / sets,
    }


def published(evidence: Evidence, values: np.ndarray) -> tuple[float, float]:
    """Return the hybrid set from the scores and their ``values`` [B, m] on the resamples."""
    sign = 1 if evidence.metric.greater_is_better else -1
    theta, replicates = sign * evidence.scores.score, sign * values.T
    leader = evidence.scores.leader
    covariance = np.cov(replicates)
    errors = np.sqrt(np.diag(covariance))
    varies = errors > 0
    deviations = np.abs(replicates - theta[:, None])[varies] / errors[varies, None]
    reach = critical_value(deviations.max(axis=0), 1 - ALPHA / 10)
    found = hybrid(theta, covariance[leader], leader, reach, ALPHA)
    low, high = sorted((sign * found.low, sign * found.high))
    return low, high
