"""Competitions whose differences few units decide: what studentized draws are for.

Ten entries, all equally good, unless the function or ``truth`` [M] says otherwise: their true
scores, of which higher is better (those of errors are negative).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import NormalDist
from typing import Any
from unittest import mock

import numpy as np

from scoring_program.bootstrap.design import draw_counts
from scoring_program.inference import MetricScores, analyze
from scoring_program.inference.basis import Basis
from scoring_program.inference.comparing import reliable
from scoring_program.inference.evidence import Evidence, Question
from tests.arrays import made_replicates

from .program import best_runs, least_errors
from .simulate import ALPHA, ERRORS, MEAN, model_confidence_set

M = 10
#: True scores of equal entries.
EQUAL = (0.0,) * M


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

    def resample(self, rng: np.random.Generator, resamples: int) -> MetricScores:
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
        return MetricScores(
            replace(MEAN, greater_is_better=not self.lower_is_better),
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

    def analyze(
        self,
        rng: np.random.Generator,
        studentized: str,
        resamples: int,
        prizes: int | None = None,
    ) -> Evidence:
        question = Question(studentized=studentized, prizes=prizes)
        return analyze(self.resample(rng, resamples), question)


def uneven_sizes(rng: np.random.Generator, count: int) -> np.ndarray:
    """Log-normal sizes of groups, [count]."""
    return np.maximum(1.0, np.round(rng.lognormal(1.8, 1, count)))


def groups(
    rng: np.random.Generator, count: int, *, uneven: bool, truth: Sequence[float] = EQUAL
) -> Sample:
    """Groups with an intra-class correlation of .2."""
    sizes = uneven_sizes(rng, count) if uneven else np.full(count, 10.0)
    common = np.sqrt(0.2) * sizes[:, None] * rng.normal(size=(count, M))
    own = np.sqrt(0.8 * sizes)[:, None] * rng.normal(size=(count, M))
    return Sample(common + own + sizes[:, None] * truth, sizes, grouped=True)


def kinds_of_groups(
    rng: np.random.Generator, count: int, share: float = 1 / 7, shift: float = 0.8
) -> Sample:
    """Groups of which some are of another kind, in which the first entry's rivals are far worse.

    In the others they are better by ``shift``, so that all are equally good.
    """
    usual = groups(rng, count, uneven=False)
    other = rng.random((count, 1)) < share
    ahead = np.where(other, -shift * (1 - share) / share, shift) * (np.arange(M) > 0)
    return replace(usual, sums=usual.sums + usual.sizes[:, None] * ahead)


def errors(
    rng: np.random.Generator, n: int, kind: str = "normal", truth: Sequence[float] = (-1.0,) * M
) -> Sample:
    """Root mean squared error with normal or log-normal errors, or log-normal difficulty."""
    drawn = rng.normal(size=(n, M))
    if kind == "log-normal":
        drawn = np.exp(drawn - 1)
    elif kind == "difficulty":
        drawn *= rng.lognormal(0, 1, (n, 1))
    return Sample((drawn * truth) ** 2, np.ones(n), root=True, lower_is_better=True)


def right(rng: np.random.Generator, n: int, truth: float | Sequence[float]) -> Sample:
    """Independent answers of entries with one accuracy, or one [M] each."""
    return Sample((rng.random((n, M)) < truth).astype(float), np.ones(n))


def rare(
    rng: np.random.Generator, n: int, rivals: int = 9, rate: float = 0.005, usual: float = 0.6
) -> Sample:
    """Mean absolute error: the first entry's rivals equal it, but have rare enormous errors.

    Their other errors are ``usual`` times as large as those of the first entry.
    """
    drawn = np.abs(rng.normal(size=(n, 1 + rivals)))
    hit = rng.random((n, 1 + rivals)) < rate
    enormous = np.sqrt(2 / np.pi) * (1 - usual * (1 - rate)) / rate
    drawn[:, 1:] = np.where(hit, enormous, usual * drawn)[:, 1:]
    return Sample(drawn, np.ones(n), lower_is_better=True)


def tenfold(rng: np.random.Generator, n: int, rate: float) -> Sample:
    """Mean absolute error: nine entries with rare errors ten times as large equal a clean one."""
    drawn = np.abs(rng.normal(size=(n, M)))
    scale = np.where(rng.random((n, M)) < rate, 10, 1) / (1 + 9 * rate)
    scale[:, 0] = 1
    return Sample(drawn * scale, np.ones(n), lower_is_better=True)


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
    """How often truly best entries are kept, and how often any pair of them is told apart.

    Beside a serious caution, the page states no confidence; so it is wrong where it has none and
    drops a best entry.
    """
    rng = np.random.default_rng(seed)
    question = Question(studentized=studentized)
    names = (
        "kept",
        "told apart",
        "kept by Holm",
        "kept by the model confidence set",
        "serious caution",
        "dropped without it",
    )
    found = np.zeros(len(names))
    for _ in range(sets):
        scores = make(rng).resample(rng, resamples)
        evidence = analyze(scores, question)
        best = slice(0, 1 if first_only else None)
        serious = any(one.level == "red" for one in evidence.cautions)
        holm = evidence.standing.tied["holm"][best].mean()
        told_apart = (evidence.pairs.p_max_t <= ALPHA).any()
        kept_ones = evidence.standing.tied["max_t"][best].mean()
        wrong = 0.0 if serious else 1 - kept_ones
        sign = 1 if scores.metric.greater_is_better else -1
        confident = model_confidence_set(
            sign * np.asarray(scores.observed), sign * scores.replicates.values
        )
        both = np.isin(np.arange(len(scores.names)), confident)[best].mean()
        found += np.array([kept_ones, told_apart, holm, both, serious, wrong], float)
    return dict(zip(names, (found / sets).tolist(), strict=True))


def kept_if_outright(sets: int, seed: int, **how: Any) -> dict[str, float]:
    """As `kept`, if rule D′ acted beside few groups, too."""
    with mock.patch.object(reliable, "FEW_GROUPS", 0):
        return kept(sets, seed, **how)


def held(
    sets: int,
    seed: int,
    make: Callable[..., Sample],
    truth: Sequence[float],
    resamples: int = 999,
) -> dict[str, float]:
    """How often the ends of rank ranges hold, and all distances from the best at once.

    Entries with one true score are exchangeable; of several such blocks, the worst one counts.
    """
    rng, true = np.random.default_rng(seed), np.array(truth)
    best = 1 + (true[:, None] > true).sum(axis=0)
    worst = true.size - (true[:, None] < true).sum(axis=0)
    ends, joint = np.zeros((2, true.size)), 0
    for _ in range(sets):
        evidence = make(rng, truth=truth).analyze(rng, "auto", resamples)
        ends += np.stack([evidence.standing.rank_low <= best, evidence.standing.rank_high >= worst])
        joint += int((evidence.distances.from_best >= true.max() - true).all())
    blocks = [ends[:, true == score].mean(axis=1) / sets for score in np.unique(true)]
    lower, upper = np.min(blocks, axis=0).tolist()
    return {"lower ends": lower, "upper ends": upper, "all distances": joint / sets}


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
        kept += [one.standing.tied["max_t"].mean() for one in (mean, standardized)]
        holm += mean.standing.tied["holm"].mean()
        told_apart += int((mean.pairs.p_max_t <= ALPHA).any())
    return {
        "kept by the mean": kept[0] / sets,
        "kept by the standardized mean": kept[1] / sets,
        "told apart by the mean": told_apart / sets,
        "kept by Holm": holm / sets,
    }


def kept_in_opposed_tasks(
    sets: int, seed: int, tasks: int, n: int, resamples: int = 2000
) -> dict[str, float]:
    """Three entries with log-normal errors, of which the first two have the best mean rank.

    The second is far better in half of the tasks, and the first is ahead in the others, by so
    little that their errors count as equal. How often is the first kept by rule D′, with the level
    that tasks share and with that of one task?
    """
    rng, kept = np.random.default_rng(seed), np.zeros(2)
    one_task = partial(_level_of_one_task, reliable.level_alone)
    for number in range(sets):
        errors = rng.lognormal(sigma=1.5, size=(tasks, n, 3))
        errors[::2, :, 0] *= 6
        errors[:, :, 2] *= 8
        ranked = partial(
            least_errors, list(errors), overall="mean_rank", resamples=resamples, seed=number
        )
        found = ranked()
        with mock.patch.object(reliable, "level_alone", one_task):
            alone = ranked()
        kept += [one.verdict.possible_winners[0] for one in (found, alone)]
    return {"kept by the mean rank": kept[0] / sets, "with the level of one task": kept[1] / sets}


def _level_of_one_task(level: Callable[[Basis], float], basis: Basis, _tasks: int = 1) -> float:
    return level(basis)


def possible_winners(sets: int, seed: int, n: int, resamples: int = 999) -> dict[str, float]:
    """How many entries could be the best beside a hostile one, with plain draws and by the rule."""
    rng = np.random.default_rng(seed)
    counted = np.zeros(2)
    for _ in range(sets):
        sample = hostile(rng, n)
        for place, how in enumerate(("never", "auto")):
            counted[place] += sample.analyze(rng, how, resamples).standing.tied["max_t"].sum()
    return dict(zip(("plain", "by the rule"), (counted / sets).tolist(), strict=True))
