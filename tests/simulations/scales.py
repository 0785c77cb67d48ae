"""Competitions whose differences few units decide: what studentized draws are for.

Ten entries, all equally good, unless the function says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import NormalDist

import numpy as np

from scoring_program.bootstrap.counts import draw_counts
from scoring_program.inference import MetricScores, analyze
from scoring_program.inference.analysis import MetricAnalysis
from scoring_program.settings.model import Settings
from tests.arrays import made_replicates

from .program import best_runs
from .simulate import ALPHA, ERRORS, MEAN

M = 10


@dataclass(frozen=True)
class Sample:
    """Sums over the units [N, m], the number of examples in each [N], and the form of the score."""

    sums: np.ndarray
    sizes: np.ndarray
    root: bool = False
    lower_is_better: bool = False
    grouped: bool = False

    def score(self, sums: np.ndarray, sizes: np.ndarray) -> np.ndarray:
        means = sums / sizes
        return np.sqrt(np.maximum(means, 0)) if self.root else means

    def analyze(self, rng: np.random.Generator, studentized: str, resamples: int) -> MetricAnalysis:
        total, units = self.sizes.sum(), len(self.sizes)
        observed = self.score(self.sums.sum(axis=0), total)
        counts = draw_counts(rng, units, resamples)
        weights = counts.astype(float)
        values = self.score(weights @ self.sums, (weights @ self.sizes)[:, None])
        means = self.sums.sum(axis=0) / total
        influence = (self.sums - self.sizes[:, None] * means) / total
        if self.root:
            influence = influence / (2 * observed)
        left_out = self.score(self.sums.sum(axis=0) - self.sums, (total - self.sizes)[:, None])
        scores = MetricScores(
            MEAN.redefined(greater_is_better=not self.lower_is_better),
            [f"{i:02}" for i in range(self.sums.shape[1])],
            observed,
            made_replicates(values),
            n=int(total),
            groups=units if self.grouped else None,
            effective_groups=total**2 / np.square(self.sizes).sum() if self.grouped else None,
            influence=lambda: influence,
            jackknife=lambda: left_out,
            counts=lambda: iter([counts]),
        )
        return analyze(scores, Settings(studentized=studentized, tie_rule="max_t"))


def uneven_sizes(rng: np.random.Generator, count: int) -> np.ndarray:
    """Log-normal sizes of groups, [count]."""
    return np.maximum(1.0, np.round(rng.lognormal(1.8, 1, count)))


def groups(rng: np.random.Generator, count: int, *, uneven: bool) -> Sample:
    """Groups with an intra-class correlation of .2."""
    sizes = uneven_sizes(rng, count) if uneven else np.full(count, 10.0)
    common = np.sqrt(0.2) * sizes[:, None] * rng.normal(size=(count, M))
    own = np.sqrt(0.8 * sizes)[:, None] * rng.normal(size=(count, M))
    return Sample(common + own, sizes, grouped=True)


def errors(rng: np.random.Generator, n: int, kind: str = "normal") -> Sample:
    """Root mean squared error with normal or log-normal errors, or log-normal difficulty."""
    drawn = rng.normal(size=(n, M))
    if kind == "log-normal":
        drawn = np.exp(drawn)
    elif kind == "difficulty":
        drawn *= rng.lognormal(0, 1, (n, 1))
    return Sample(drawn**2, np.ones(n), root=True, lower_is_better=True)


def right(rng: np.random.Generator, n: int, accuracy: float) -> Sample:
    """Independent answers of equally accurate entries."""
    return Sample((rng.random((n, M)) < accuracy).astype(float), np.ones(n))


def rare(rng: np.random.Generator, n: int) -> Sample:
    """Mean absolute error: the first entry's rivals equal it, but have rare enormous errors."""
    drawn = np.abs(rng.normal(size=(n, M)))
    hit = rng.random((n, M)) < 0.005
    enormous = np.sqrt(2 / np.pi) * (1 - 0.6 * 0.995) / 0.005
    drawn[:, 1:] = np.where(hit, enormous, 0.6 * drawn)[:, 1:]
    return Sample(drawn, np.ones(n), lower_is_better=True)


def contaminated(rng: np.random.Generator, n: int) -> Sample:
    """Mean absolute error: one in twenty errors of each entry is ten times as large."""
    scale = np.where(rng.random((n, M)) < 0.05, 10, 1)
    return Sample(np.abs(scale * rng.normal(size=(n, M))), np.ones(n), lower_is_better=True)


def many(rng: np.random.Generator, n: int, kind: str) -> Sample:
    """Mean errors of 134 equal entries, of a kind that rule D′ is tried on."""
    return Sample(-ERRORS[kind](rng, (n, 134)), np.ones(n), lower_is_better=True)


def hostile(rng: np.random.Generator, n: int) -> Sample:
    """Graded entries, and a copy of the best one with one error of a million."""
    drawn = np.abs(rng.normal(size=(n, M))) * np.linspace(1, 2, M)
    copy = drawn[:, 0].copy()
    copy[0] = 1e6
    return Sample(np.column_stack([drawn, copy]), np.ones(n), lower_is_better=True)


def kept(
    sets: int,
    seed: int,
    make: Callable[[np.random.Generator], Sample],
    *,
    studentized: str = "auto",
    first_only: bool = False,
    resamples: int = 999,
) -> dict[str, float]:
    """How often truly best entries are kept, and how often any pair of them is told apart."""
    rng = np.random.default_rng(seed)
    found = np.zeros(5)
    for _ in range(sets):
        sample = make(rng)
        analysis = sample.analyze(rng, studentized, resamples)
        best = slice(0, 1 if first_only else None)
        chosen = analysis.studentized_pairs / analysis.pairs.better.size
        serious = any(one.code == "heavy_tails" for one in analysis.cautions)
        holm = analysis.tied["holm"][best].mean()
        told_apart = (analysis.pairs.p_max_t <= ALPHA).any()
        kept_ones = analysis.tied["max_t"][best].mean()
        found += np.array([kept_ones, told_apart, holm, chosen, serious], float)
    names = ("kept", "told apart", "kept by Holm", "studentized pairs", "serious caution")
    return dict(zip(names, (found / sets).tolist(), strict=True))


def kept_over_tasks(
    sets: int, seed: int, tasks: int, count: int, resamples: int = 999
) -> dict[str, float]:
    """Means over tasks of ``count`` uneven groups each, whose answers have a common part.

    The correlation is .2 before answers count as right, 70% of them. They go through the whole
    program, which joins the units of the tasks.
    """
    rng, everyone = np.random.default_rng(seed), np.arange(M)
    kept, holm, told_apart = np.zeros(2), 0.0, 0
    for number in range(sets):
        answers, of_tasks = [], []
        for _ in range(tasks):
            of = np.repeat(np.arange(count), uneven_sizes(rng, count).astype(int))
            common = np.sqrt(0.2) * rng.normal(size=(count, M))[of]
            ease = common + np.sqrt(0.8) * rng.normal(size=(of.size, M))
            answers.append(ease > NormalDist().inv_cdf(0.3))
            of_tasks.append(of)
        ranked = partial(best_runs, answers, everyone, resamples=resamples, seed=number)
        mean, standardized = (
            ranked(groups=of_tasks, overall=method)[0] for method in ("mean", "mean_standardized")
        )
        kept += [one.tied["max_t"].mean() for one in (mean, standardized)]
        holm += mean.tied["holm"].mean()
        told_apart += int((mean.pairs.p_max_t <= ALPHA).any())
    return {
        "kept by the mean": kept[0] / sets,
        "kept by the standardized mean": kept[1] / sets,
        "told apart by the mean": told_apart / sets,
        "kept by Holm": holm / sets,
    }


def possible_winners(sets: int, seed: int, n: int, resamples: int = 999) -> dict[str, float]:
    """How many entries could be the best beside a hostile one, with plain draws and by the rule."""
    rng = np.random.default_rng(seed)
    counted = np.zeros(2)
    for _ in range(sets):
        sample = hostile(rng, n)
        for place, how in enumerate(("never", "auto")):
            counted[place] += sample.analyze(rng, how, resamples).tied["max_t"].sum()
    return dict(zip(("plain", "by the rule"), (counted / sets).tolist(), strict=True))
