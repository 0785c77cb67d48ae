"""Small competitions scored by accuracy, or by error rate, ordinary and degenerate ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from scoring_program.core.executor import HERE, Executor
from scoring_program.core.grouping import Grouping
from scoring_program.inference import MetricScores, analyze
from scoring_program.inference.comparing import reliable
from scoring_program.inference.evidence import Evidence, Question
from scoring_program.metrics import Metric
from scoring_program.scoring.diagnostics import AnswerLayer, ComparedAnswers, Diagnostics
from tests.arrays import made_metric, made_replicates

from .oracle import Judged

ACCURACY = made_metric("accuracy")
ERROR_RATE = made_metric("error_rate", greater_is_better=False, ideal=0.0)
#: What `Case.analyze` gives to inference with the scores; the rest is the question.
OF_SCORES = (
    "answers",
    "counts",
    "diagnostics",
    "effective_groups",
    "groups",
    "influence",
    "jackknife",
    "randomized",
    "replicates",
    "strata",
)


@dataclass(frozen=True)
class Case:
    """Which predictions are right, bool [n, m], and how the rows are resampled."""

    correct: np.ndarray
    seed: int = 0
    resamples: int = 199
    groups: np.ndarray | None = None  # [n] group numbers 0 … G−1
    metric: Metric = ACCURACY
    names: tuple[str, ...] = field(default=())

    @property
    def n(self) -> int:
        return len(self.correct)

    @property
    def m(self) -> int:
        return self.correct.shape[1]

    @property
    def units(self) -> int | None:
        return None if self.groups is None else int(self.groups.max()) + 1

    @property
    def weights(self) -> np.ndarray:
        """How often each row is drawn, [B, n]."""
        rng = np.random.default_rng(self.seed)
        size = self.n if self.units is None else self.units
        counts = rng.multinomial(size, np.full(size, 1 / size), size=self.resamples)
        return counts if self.groups is None else counts[:, self.groups]

    @property
    def observed(self) -> np.ndarray:
        return self._own_sign(self.correct.sum(axis=0) / self.n)

    @property
    def values(self) -> np.ndarray:
        weights = self.weights
        return self._own_sign(weights @ self.correct / weights.sum(axis=1, keepdims=True))

    def _own_sign(self, accuracy: np.ndarray) -> np.ndarray:
        return accuracy if self.metric.greater_is_better else 1 - accuracy

    @property
    def theta(self) -> np.ndarray:
        return self.observed if self.metric.greater_is_better else -self.observed

    @property
    def star(self) -> np.ndarray:
        return (self.values if self.metric.greater_is_better else -self.values).T

    @property
    def labels(self) -> tuple[str, ...]:
        return self.names or tuple(f"team{i:03}" for i in range(self.m))

    @property
    def diagnostics(self) -> Diagnostics:
        differ = (self.correct[:, :, None] != self.correct[:, None, :]).sum(axis=0)
        return Diagnostics(None, differ, self.correct, np.full(self.m, self.n))

    @property
    def answers(self) -> ComparedAnswers:
        of_rows = Grouping(len(self.correct), self.groups)
        return ComparedAnswers((AnswerLayer(list(self.correct.T)),), self.correct, of_rows)

    def influence(self) -> np.ndarray:
        """The influence values [N, m] of accuracy, in the metric's own sign."""
        rows = (self.correct - self.correct.mean(axis=0)) / self.n
        units = rows if self.groups is None else self._members().astype(float) @ rows
        return units if self.metric.greater_is_better else -units

    @property
    def judged(self) -> Judged:
        """The pairs, judged by the definition; without competitors that cannot win."""
        few = self.units is not None and self.units < reliable.FEW_GROUPS
        return Judged(
            self.theta,
            self.star,
            self.correct[:, :, None] != self.correct[:, None, :],
            self.influence() if self.metric.greater_is_better else -self.influence(),
            list(range(self.m)),
            group=self.groups,
            right=self.correct,
            few_groups=few,
        )

    def randomized(self, i: int, j: int, swap: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if self.groups is not None:
            swap = swap[:, self.groups]
        ours = np.where(swap, self.correct[:, j], self.correct[:, i]).mean(axis=1)
        theirs = np.where(swap, self.correct[:, i], self.correct[:, j]).mean(axis=1)
        return self._own_sign(ours), self._own_sign(theirs)

    def jackknife(self) -> np.ndarray:
        left_out = [
            np.delete(self.correct, np.flatnonzero(rows), axis=0).mean(axis=0)
            for rows in (np.eye(self.n, dtype=bool) if self.groups is None else self._members())
        ]
        return self._own_sign(np.array(left_out))

    def _members(self) -> np.ndarray:
        return np.array([self.groups == group for group in range(self.units or 0)])

    @property
    def scores(self) -> MetricScores:
        return MetricScores(
            self.metric,
            self.labels,
            self.observed,
            made_replicates(self.values),
            n=self.n,
            groups=self.units,
            diagnostics=self.diagnostics,
            influence=self.influence,
            answers=(self.answers,),
        )

    def analyze(self, executor: Executor = HERE, /, **asked: Any) -> Evidence:
        """Analyze the case with other scores where they are given; the rest is the question."""
        scores = replace(self.scores, **{k: v for k, v in asked.items() if k in OF_SCORES})
        question = Question(**{k: v for k, v in asked.items() if k not in OF_SCORES})
        return analyze(scores, question, executor)


def answers(n: int, m: int, seed: int, best: float = 0.9, worst: float = 0.5) -> np.ndarray:
    """Draw right and wrong answers of m systems, the first the best, on n examples [n, m]."""
    rng = np.random.default_rng(seed)
    ease = rng.normal(size=(n, 1))
    return ease + rng.normal(size=(n, m)) > -np.linspace(3 * best - 1.5, 3 * worst - 1.5, m)


def _identical() -> np.ndarray:
    correct = answers(40, 4, 3)
    return correct[:, [0, 1, 0, 2, 1, 3]]


def _degenerate() -> np.ndarray:
    correct = answers(30, 4, 4)
    correct[:, 0], correct[:, 1], correct[:, 3] = True, False, True
    return correct


CASES: dict[str, Callable[[], Case]] = {
    "ordinary": lambda: Case(answers(60, 6, 1)),
    "ties in scores": lambda: Case(answers(12, 7, 2, best=0.75, worst=0.6)),
    "identical submissions": lambda: Case(_identical()),
    "all right and all wrong": lambda: Case(_degenerate()),
    "everything equal": lambda: Case(np.ones((15, 3), dtype=bool)),
    "two entries": lambda: Case(answers(50, 2, 5)),
    "one entry": lambda: Case(answers(50, 1, 6)),
    "one example": lambda: Case(np.array([[True, False, True]])),
    "groups of unequal size": lambda: Case(
        answers(40, 4, 7), groups=np.repeat(np.arange(7), [1, 2, 3, 4, 8, 10, 12])
    ),
    "two resamples": lambda: Case(answers(20, 3, 8), resamples=2),
    "lower is better": lambda: Case(answers(60, 5, 9), metric=ERROR_RATE),
    "lower is better, ties": lambda: Case(answers(12, 6, 2, 0.75, 0.6), metric=ERROR_RATE),
}
