"""Cross-validated scores of learners that are truly equal: is a given one kept, and none verified?

Every learner is of the same kind and sees features of its own, which tell as much of the label as
those of the others. So all are equally good on average over training sets, and none is the winner.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import pandas as pd
from sklearn.tree import DecisionTreeClassifier

from scoring_program.data.from_arrays import score_table
from scoring_program.inference.evidence import Evidence
from scoring_program.pipeline import evaluate
from scoring_program.settings import checks
from scoring_program.settings.model import Settings

#: Examples, features of each learner, and by how much they differ between the classes.
N, FEATURES, SHIFT = 150, 4, 0.5
RESAMPLES = 999
#: Trains on features [n, f] and labels [n], and returns the labels of others.
Learner = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def linear(x: np.ndarray, y: np.ndarray, test: np.ndarray) -> np.ndarray:
    """Linear discriminant analysis."""
    ones, zeros = x[y], x[~y]
    scatter = np.cov(ones, rowvar=False) * (len(ones) - 1)
    scatter += np.cov(zeros, rowvar=False) * (len(zeros) - 1)
    slope = np.linalg.solve(scatter, ones.mean(axis=0) - zeros.mean(axis=0))
    middle = (ones.mean(axis=0) + zeros.mean(axis=0)) / 2
    return (test - middle) @ slope > 0


def neighbors(x: np.ndarray, y: np.ndarray, test: np.ndarray) -> np.ndarray:
    """The majority of the five nearest."""
    distance = ((test[:, None] - x) ** 2).sum(axis=2)
    nearest = np.argpartition(distance, 5, axis=1)[:, :5]
    return y[nearest].sum(axis=1) > 2


def tree(x: np.ndarray, y: np.ndarray, test: np.ndarray) -> np.ndarray:
    """A decision tree of three levels."""
    fitted = DecisionTreeClassifier(max_depth=3, random_state=0).fit(x, y)
    return np.asarray(fitted.predict(test))


def scores(
    rng: np.random.Generator, learner: Learner, learners: int, repeats: int, folds: int
) -> pd.DataFrame:
    """Return the accuracy of equal learners on every fold of every repetition."""
    y = rng.random(N) < 0.5
    x = rng.normal(size=(learners, N, FEATURES)) + SHIFT * y[:, None]
    rows = []
    for repeat in range(repeats):
        fold_of = rng.permutation(N) % folds
        for fold in range(folds):
            test = fold_of == fold
            found = [(learner(own[~test], y[~test], own[test]) == y[test]).mean() for own in x]
            rows.append([f"{repeat}.{fold}", *found])
    return pd.DataFrame(rows, columns=["fold", *(f"learner {k}" for k in range(learners))])


def analyzed(table: pd.DataFrame, number: int, folds: Mapping[str, int] | None) -> Evidence:
    """Return what the program says of the learners; ``folds`` are stated, or nothing is."""
    stated = None if folds is None else checks.folds(dict(folds))
    settings = Settings(resamples=RESAMPLES, greater_is_better=True, unit=("fold",), folds=stated)
    competition, adjusted = score_table(table, settings)
    return evaluate(competition, replace(adjusted, seed=number)).findings.evidence[0]


def kept(
    sets: int, seed: int, learner: Learner, learners: int, repeats: int, folds: int
) -> dict[str, float]:
    """How often a given learner is kept and one is verified, and what is claimed by default."""
    rng = np.random.default_rng(seed)
    found = np.zeros(3)
    for number in range(sets):
        table = scores(rng, learner, learners, repeats, folds)
        evidence = analyzed(table, number, {"repeats": repeats, "folds": folds})
        by_default = analyzed(table, number, None).verdict
        claims = by_default.confidence is not None or by_default.verified
        verdict = evidence.verdict
        found += [verdict.possible_winners.mean(), verdict.verified, claims]
    names = ("kept", "one of the equal ones verified", "claimed by default")
    return dict(zip(names, (found / sets).tolist(), strict=True))
