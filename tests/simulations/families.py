"""Fields in which single comparisons are unreliable, through the whole program.

How often is a given best entry kept, how many entries are, by max-T, by Holm's correction and by
the model confidence set, and how often does a serious caution withdraw the confidence?
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scoring_program.data import from_arrays
from scoring_program.inference.evidence import Evidence
from scoring_program.pipeline import EvaluatedCompetition, evaluate
from scoring_program.settings.checks import MetricSpec
from scoring_program.settings.model import Settings

from .program import best_runs
from .simulate import model_confidence_set, resample_means

ACCURACY = MetricSpec("accuracy", "accuracy_score")
MACRO_F1 = MetricSpec("f1", "f1_score", {"average": "macro"})
M = 10


@dataclass(frozen=True)
class Field:
    """A test set, the predictions of all entries, and the entries that are truly the best."""

    gold: Any
    predictions: Sequence[Any]
    metric: MetricSpec = ACCURACY
    best: Sequence[int] = range(M)
    groups: np.ndarray | None = None
    settings: dict[str, Any] = field(default_factory=dict)

    def evaluate(self, seed: int, resamples: int) -> EvaluatedCompetition:
        given = Settings(
            metrics=(self.metric,),
            resamples=resamples,
            seed=seed,
            group=None if self.groups is None else from_arrays.GROUP,
            **self.settings,
        )
        predictions = {f"{i:02}": y_pred for i, y_pred in enumerate(self.predictions)}
        found = from_arrays.competition(self.gold, predictions, given, groups=self.groups)
        return evaluate(found, given)

    def analyze(self, seed: int, resamples: int) -> Evidence:
        return self.evaluate(seed, resamples).findings.evidence[0]


def answered(right: np.ndarray, **more: Any) -> Field:
    """Return a field of right and wrong answers [n, m] to questions with two labels."""
    gold = np.arange(len(right)) % 2
    return Field(gold, list(np.where(right.T, gold, 1 - gold)), **more)


def fine_tunes(rng: np.random.Generator) -> Field:
    """Ten fine-tunes of one model answer one question in twelve anew."""
    base, own = rng.random((500, 1)) < 0.8, rng.random((500, M)) < 0.8
    return answered(np.where(rng.random((500, M)) < 1 / 12, own, base))


def copies(rng: np.random.Generator) -> Field:
    """Four of ten files are identical."""
    right = rng.random((300, M)) < 0.8
    return answered(right[:, [0, 0, 0, 0, 4, 5, 6, 7, 8, 9]])


def right(rng: np.random.Generator, n: int, accuracy: float) -> Field:
    """Ten equal entries."""
    return answered(rng.random((n, M)) < accuracy)


def graded(rng: np.random.Generator) -> Field:
    """One best entry, and nine that are a bit worse each."""
    return answered(rng.random((500, M)) < np.linspace(0.82, 0.7, M), best=[0])


def many(rng: np.random.Generator) -> Field:
    """Twelve equal entries, and 48 that are graded behind them."""
    accuracy = np.append(np.full(12, 0.8), np.linspace(0.78, 0.6, 48))
    return answered(rng.random((500, 60)) < accuracy, best=range(12))


def rare_class(rng: np.random.Generator, expected: float) -> Field:
    """Macro F1; nine entries are better at two common classes, the first at the third, rare one.

    Its recall is .9 instead of .5 there, and .84 instead of .9 elsewhere: it is the best.
    """
    n = 300
    share = [0.5, 0.5 - expected / n, expected / n]
    gold = rng.choice(3, size=n, p=share)
    predictions = []
    for entry in range(M):
        recall = np.array([0.84, 0.84, 0.9] if entry == 0 else [0.9, 0.9, 0.5])
        wrong = np.where(gold == 2, rng.integers(2, size=n), 1 - gold)
        predictions.append(np.where(rng.random(n) < recall[gold], gold, wrong))
    settings = {"labels": (0, 1, 2)}
    return Field(gold, predictions, MACRO_F1, best=[0], settings=settings)


def zipf_groups(rng: np.random.Generator) -> Field:
    """Answers in groups whose sizes fall like 1, 1/2, 1/3, …; their difficulty differs."""
    group = np.repeat(np.arange(400), np.maximum(1, 120 // np.arange(1, 401)))
    ease = 0.6 * rng.normal(size=(400, M))[group] + 0.6 * rng.normal(size=(400, 1))[group]
    return answered(ease + rng.normal(size=(group.size, M)) > -0.8, groups=group)


def heavy(rng: np.random.Generator, metric: str) -> Field:
    """Log-normal errors."""
    errors = rng.lognormal(sigma=1.0, size=(300, M)) * rng.choice([-1, 1], size=(300, M))
    gold = rng.normal(size=300)
    return Field(gold, list(gold + errors.T), MetricSpec("error", metric))


def bleu(rng: np.random.Generator, segments: int = 100) -> Field:
    """Texts of 8 to 30 words, of which ten equal systems replace one in five."""
    gold = [rng.integers(500, size=rng.integers(8, 31)) for _ in range(segments)]

    def text(words: np.ndarray) -> str:
        return " ".join(f"w{word}" for word in words)

    def translated(words: np.ndarray) -> str:
        anew = rng.integers(500, size=words.size)
        return text(np.where(rng.random(words.size) < 0.2, anew, words))

    predictions = [[translated(words) for words in gold] for _ in range(M)]
    return Field([text(words) for words in gold], predictions, MetricSpec("bleu", "bleu"))


def kept(
    sets: int,
    seed: int,
    make: Callable[[np.random.Generator], Field],
    resamples: int = 999,
) -> dict[str, float]:
    """How often a given best entry is kept, and what stands beside it."""
    rng, found = np.random.default_rng(seed), np.zeros(6)
    for number in range(sets):
        drawn = make(rng)
        evaluated = drawn.evaluate(number, resamples)
        evidence, values = (
            evaluated.findings.evidence[0],
            evaluated.resampled[0].metrics[0].replicates.values,
        )
        sign = 1 if evidence.metric.greater_is_better else -1
        confident = model_confidence_set(sign * evidence.scores.score, sign * values)
        found += _observed(evidence, list(drawn.best), len(confident))
    return _named(found / sets)


def seeds_of_teams(sets: int, seed: int, resamples: int = 999) -> dict[str, float]:
    """A team with one run against nine with five seeds of one model each, all equally good."""
    rng, of_sets = np.random.default_rng(seed), np.random.default_rng(seed)
    of, found = np.append(0, np.repeat(np.arange(1, M), 5)), np.zeros(6)
    for number in range(sets):
        base, own = rng.random((300, M)) < 0.8, rng.random((300, of.size)) < 0.8
        runs = np.where(rng.random((300, of.size)) < 0.3, own, base[:, of])
        evidence, _ = best_runs([runs], of, resamples=resamples, seed=number)
        values = resample_means(of_sets, runs, resamples)
        confident = {*of[model_confidence_set(runs.mean(axis=0), values)].tolist()}
        found += _observed(evidence, [0], len(confident))
    return _named(found / sets)


def two_tasks(sets: int, seed: int, resamples: int = 999) -> dict[str, float]:
    """The mean accuracy of ten equal entries over two tasks of 150 examples."""
    rng, of_sets, found = np.random.default_rng(seed), np.random.default_rng(seed), np.zeros(6)
    for number in range(sets):
        answers = [rng.random((150, M)) < accuracy for accuracy in (0.9, 0.7)]
        ranked = best_runs(answers, np.arange(M), resamples=resamples, seed=number, overall="mean")
        values = np.mean([resample_means(of_sets, one, resamples) for one in answers], axis=0)
        confident = model_confidence_set(np.mean(answers, axis=(0, 1)), values)
        found += _observed(ranked[0], list(range(M)), len(confident))
    return _named(found / sets)


def _observed(evidence: Evidence, best: list[int], by_model_confidence: int) -> np.ndarray:
    ties, serious = evidence.standing.tied, any(one.level == "red" for one in evidence.cautions)
    tied = ties["max_t"]
    share = tied[best].mean()
    wrong = 0.0 if serious else 1 - share
    sizes = tied.sum(), ties["holm"].sum(), by_model_confidence
    return np.array([share, wrong, serious, *sizes], float)


def _named(found: np.ndarray) -> dict[str, float]:
    names = (
        "kept",
        "dropped without it",
        "serious caution",
        "entries kept",
        "by Holm",
        "by the model confidence set",
    )
    return dict(zip(names, found.tolist(), strict=True))
