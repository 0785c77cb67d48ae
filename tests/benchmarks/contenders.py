"""The tools side by side: each is given a workload and returns the seconds it took for B resamples.

All but SciPy end with percentile intervals, differences from the leader and one-sided p-values (W7:
of all pairs), SciPy with intervals (W7: of all pairs' differences too). CompStats, the loop and
SciPy score one metric, the first.
"""

from __future__ import annotations

import gc
import multiprocessing
import resource
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np

from scoring_program.bootstrap.design import Design, DistinctRows, kept_counts
from scoring_program.bootstrap.resample import ResampledPart, resample
from scoring_program.bootstrap.task_queue import Resources
from scoring_program.core.executor import Executor
from scoring_program.inference import MetricScores, analyze
from scoring_program.inference.basis import Field, metric_scores
from scoring_program.inference.comparing.comparisons import compare, moments, percentile
from scoring_program.inference.comparing.distributions import Bootstrap, Replicated
from scoring_program.inference.evidence import Question
from scoring_program.metrics import REGISTRY, resolve
from scoring_program.metrics.registry import function_of
from scoring_program.pipeline import executor_of
from scoring_program.scoring.bind import bind
from scoring_program.scoring.scorer import ScoredMetric
from scoring_program.settings.checks import MetricSpec
from scoring_program.settings.model import Settings
from tests.benchmarks.workloads import WEIGHTED, Workload

WORKERS = 2
PREPARED = 10  # resamples that the bare calls repeat
TAIL = 0.025  # outside a 95% interval on each side


def function(name: str) -> Callable[..., float]:
    """Return the library's function of a workload."""
    return function_of(name, REGISTRY[name].oracle if name in REGISTRY else "")


def specs(work: Workload) -> tuple[list[MetricSpec], Path | None]:
    """Return the settings of a workload's metrics."""
    if work.own:
        folder = Path(mkdtemp())
        (folder / "own.py").write_text(work.own)
        return [MetricSpec("own", "own.py:score", greater_is_better=True)], folder
    return [MetricSpec(name, name, dict(work.params)) for name in work.functions], None


def engine(work: Workload, backend: str = "auto", workers: int = WORKERS) -> float:
    """Time this program: scores, intervals, differences and p-values (W7: of all pairs)."""
    gold, entries = work.make()
    asked, folder = specs(work)
    executor = Executor(workers=workers)
    start = time.perf_counter()
    scorers = [bind(metric, gold, entries) for metric in resolve(asked, folder)]
    found = resample(
        scorers, Design(work.n), work.resamples, 0, resources=Resources(workers, backend)
    )
    for scorer, drawn in zip(scorers, found, strict=True):
        rows = np.ascontiguousarray(drawn.values.T)
        bootstrap = Bootstrap.oriented(
            scorer.observed, rows, greater_is_better=scorer.metric.greater_is_better,
            examples=work.n,
        )  # fmt: skip
        percentile(Replicated(rows), TAIL)
        first, second = Field.from_scores(
            bootstrap.theta, [f"{k}" for k in range(work.m)], ()
        ).pairs()
        chosen = slice(None, None if work.all_pairs else work.m - 1)
        pairs = moments(bootstrap, first[chosen], second[chosen], executor=executor)
        compare(bootstrap, pairs, interval="percentile", tail=TAIL, executor=executor)
    return time.perf_counter() - start


def inference(work: Workload) -> float:
    """Time everything that the page shows of the first metric, after its scores."""
    gold, entries = work.make()
    asked, folder = specs(work)
    scorer = bind(resolve(asked, folder)[0], gold, entries)
    (found,) = resample([scorer], Design(work.n), work.resamples, 0, resources=Resources(WORKERS))
    start = time.perf_counter()
    names = [f"entry {k:03}" for k in range(work.m)]
    scores = MetricScores(
        scorer.metric, names, scorer.observed, found, n=work.n, diagnostics=scorer.diagnostics
    )
    analyze(scores, executor=Executor(workers=WORKERS))
    return time.perf_counter() - start


def evidence(work: Workload, studentized: str) -> float:
    """Return the processor time of all metrics' scores and of everything inferred of them."""
    gold, entries = work.make()
    asked, folder = specs(work)
    settings = Settings(workers=WORKERS, studentized=studentized)
    question, executor = Question.from_settings(settings), executor_of(settings)
    design, names = Design(work.n), [f"entry {k:03}" for k in range(work.m)]
    start = processor_time()
    scorers = [bind(metric, gold, entries) for metric in resolve(asked, folder)]
    rows = DistinctRows.from_design(scorers, design, settings)
    taken = {one: one for one in scorers} if rows is None else rows.take(scorers)
    drawn_design = design if rows is None else rows.design(design)
    kept = kept_counts(drawn_design, work.resamples, settings, 1)
    resources = Resources(WORKERS, kept_counts=kept)
    chosen = [taken[one] for one in scorers]
    found = resample(chosen, drawn_design, work.resamples, 0, resources=resources)
    no_files: Any = None
    part = ResampledPart(no_files, (), design, 0, work.resamples, kept_counts=kept, distinct=rows)
    for scorer, drawn in zip(scorers, found, strict=True):
        counts = partial(part.unit_counts, drawn)
        item = ScoredMetric(scorer, tuple(range(work.m)), drawn=drawn)
        scores = metric_scores(item, names, names, design, counts, question, executor)
        scores = replace(scores, distinct=rows, set_counts=partial(part.set_counts, drawn))
        analyze(scores, question, executor)
    return processor_time() - start


def processor_time() -> float:
    """Return the seconds of this process and of those that it waited for."""
    spent = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in spent)


def compare_plainly(observed: np.ndarray, values: np.ndarray, *, all_pairs: bool) -> Any:
    """Return intervals and one-sided p-values against the leader, or of all pairs, as loops do."""
    by_entry = np.ascontiguousarray(values.T)
    ends = np.quantile(by_entry, (TAIL, 1 - TAIL), axis=1)
    order = np.argsort(-observed, kind="stable")
    results = []
    for place, first in enumerate(order[: None if all_pairs else 1]):
        others = order[place + 1 :]
        differences = by_entry[first] - by_entry[others]
        twice = 2 * (observed[first] - observed[others])[:, None] - 1e-12
        p = (1 + (differences >= twice).sum(axis=1)) / (len(values) + 1)
        results.append((np.quantile(differences, (TAIL, 1 - TAIL), axis=1), p))
    return ends, results


def compstats(work: Workload) -> float | None:
    """Time CompStats with two processes: scores, differences, p-values; None where it is missing.

    It runs a fifth of ``peer_resamples`` and all of them; the line through the two times leads to
    B. So its start, which takes seconds, is not multiplied.
    """
    try:
        from CompStats import all_differences, difference, difference_p_value, performance
    except ImportError:
        return None
    import pandas

    gold, entries = work.make()
    data = pandas.DataFrame({"y": gold, **{f"e{k}": entry for k, entry in enumerate(entries)}})
    metric = function(work.functions[0])
    bigger = resolve(specs(work)[0], specs(work)[1])[0].greater_is_better

    def score(y: Any, hy: Any) -> float:
        return metric(y, hy, **work.params)

    def run(resamples: int) -> float:
        start = time.perf_counter()
        found = performance(data, score=score, num_samples=resamples, n_jobs=WORKERS, BiB=bigger)
        if work.all_pairs:
            all_differences(found)
        else:
            difference_p_value(difference(found))
        return time.perf_counter() - start

    few, many = work.peer_resamples // 5, work.peer_resamples
    short, long = run(few), run(many)
    return short + (long - short) / (many - few) * (work.resamples - few)


def loop(work: Workload) -> float:
    """Time the usual loop over resamples and entries with scikit-learn, in one process."""
    gold, entries = work.make()
    metric = function(work.functions[0])
    metric(gold, entries[0], **work.params)
    rng = np.random.default_rng(0)
    resamples = max(5, work.peer_resamples // 10)
    start = time.perf_counter()
    values = np.empty((resamples, work.m))
    for b in range(resamples):
        rows = rng.integers(0, work.n, work.n)
        y = gold[rows]
        for k, entry in enumerate(entries):
            values[b, k] = metric(y, entry[rows], **work.params)
    compare_plainly(values.mean(axis=0), values, all_pairs=work.all_pairs)
    return (time.perf_counter() - start) * work.resamples / resamples


def scipy(work: Workload) -> float:
    """Time SciPy's bootstrap of row numbers with a statistic vectorised over entries.

    It gives their intervals (W7: those of all pairs' differences too) and no p-values.
    """
    from scipy import stats

    gold, entries = work.make()
    statistic = vectorised(work, gold, np.array(entries))
    resamples = work.resamples
    if not work.all_pairs:  # so many intervals take a time of their own, which must not be scaled
        resamples = max(10, min(resamples, 20_000_000 // (work.n * work.m)))
    start = time.perf_counter()
    stats.bootstrap(
        (np.arange(work.n),), statistic, n_resamples=resamples, method="percentile",
        batch=max(1, 2_000_000 // (work.n * work.m)), vectorized=True,
    )  # fmt: skip
    return (time.perf_counter() - start) * work.resamples / resamples


def vectorised(work: Workload, gold: np.ndarray, entries: np.ndarray) -> Callable[..., Any]:
    """Return a statistic of row numbers [batch, n] for all entries at once, [m, batch]."""
    from scipy import stats

    right, errors = entries == gold, np.abs(entries - gold)

    def correct(rows: np.ndarray, axis: int = -1) -> np.ndarray:
        return right[:, rows].mean(axis=-1)

    def absolute(rows: np.ndarray, axis: int = -1) -> np.ndarray:
        return errors[:, rows].mean(axis=-1)

    def f1(rows: np.ndarray, axis: int = -1) -> np.ndarray:
        y, guessed = gold[rows], entries[:, rows]
        labels = [1] if len(np.unique(gold)) == 2 else np.unique(gold)
        values = []
        for label in labels:
            true, predicted = y == label, guessed == label
            hits = (true & predicted).sum(axis=-1)
            values.append(2 * hits / (true.sum(axis=-1) + predicted.sum(axis=-1)))
        return np.mean(values, axis=0)

    def area(rows: np.ndarray, axis: int = -1) -> np.ndarray:
        ranks, positive = stats.rankdata(entries[:, rows], axis=-1), gold[rows] == 1
        hits = positive.sum(axis=-1)
        wins = (ranks * positive).sum(axis=-1) - hits * (hits + 1) / 2
        return wins / (hits * (work.n - hits))

    def rank_correlation(rows: np.ndarray, axis: int = -1) -> np.ndarray:
        x = stats.rankdata(gold[rows], axis=-1) - (work.n + 1) / 2
        y = stats.rankdata(entries[:, rows], axis=-1) - (work.n + 1) / 2
        scale = np.sqrt((x * x).sum(axis=-1) * (y * y).sum(axis=-1))
        return (x * y).sum(axis=-1) / scale

    chosen = {
        "accuracy_score": correct,
        "mean_absolute_error": absolute,
        "f1_score": f1,
        "roc_auc_score": area,
        "spearmanr": rank_correlation,
    }[work.functions[0]]

    first, second = np.triu_indices(work.m, 1)

    def statistic(rows: np.ndarray, axis: int = -1) -> np.ndarray:
        values = chosen(rows.astype(np.intp), axis)
        if not work.all_pairs:
            return values
        return np.concatenate([values, values[first] - values[second]])

    return statistic


def limit(work: Workload) -> float:
    """Time the drawing of B·n row numbers once, with NumPy's fastest generator in two processes."""

    def draw(seed: int) -> None:
        rng = np.random.Generator(np.random.SFC64(seed))
        rows = max(1, 500_000 // work.n)
        for _ in range(-(-work.resamples // (rows * WORKERS))):
            rng.integers(0, work.n, rows * work.n, dtype=np.int32)

    return side_by_side(draw)


def bare_calls(work: Workload) -> float:
    """Time the calls of W9's function alone, in two processes at once, on rows that are there.

    One that takes weights is given the distinct rows and how often each was drawn.
    """
    gold, entries = work.make()
    metric = function(work.functions[0])
    rng = np.random.default_rng(0)
    ready = []
    for _ in range(PREPARED):
        rows = np.sort(rng.integers(0, work.n, work.n))
        for entry in entries:
            y, guess, weights = gold[rows], entry[rows], None
            if work.own == WEIGHTED:
                (y, guess), weights = np.unique([y, guess], axis=1, return_counts=True)
            ready.append((y, guess, weights))
    metric(gold, entries[0])

    def call(_number: int) -> None:
        gc.freeze()  # as this program's workers do, who would gain by it alone
        for _ in range(work.resamples // PREPARED // WORKERS):
            for y, guess, weights in ready:
                metric(y, guess, sample_weight=weights)

    return side_by_side(call)


def side_by_side(job: Callable[[int], None]) -> float:
    """Time a job in a forked process on each core; each is given its number."""
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=job, args=(number,)) for number in range(WORKERS)]
    start = time.perf_counter()
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return time.perf_counter() - start
