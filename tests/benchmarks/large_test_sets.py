"""Compare on large test sets of few distinct rows, and resample macro F1 of many classes.

``python -m tests.benchmarks.large_test_sets``: processor seconds, the least of the rounds in turn.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from resource import RUSAGE_SELF, getrusage

import numpy as np

from scoring_program.api.public import compare
from scoring_program.bootstrap.design import (
    Design,
    DistinctRows,
    SmallSets,
    draw_set_counts,
    generator_of_chunk,
)
from scoring_program.bootstrap.resample import resample
from scoring_program.bootstrap.task_queue import Resources
from scoring_program.metrics import resolve
from scoring_program.scoring.bind import bind
from scoring_program.settings.model import Settings
from tests.benchmarks.__main__ import machine
from tests.benchmarks.contenders import limit, processor_time, specs
from tests.benchmarks.workloads import EVEN, Workload, classes

ROUNDS = 3
FEW_ROWS = (
    Workload("", "accuracy", 1_000_000, 5, 10_000, ("accuracy_score",), EVEN, 0),
    Workload("", "accuracy", 100_000, 10, 10_000, ("accuracy_score",), EVEN, 0),
)
#: Sets of equal rows, and their examples: of few teams, and of so many that most rows differ.
SETS = ((400_000, 10_000_000), (360_000, 1_000_000), (800_000, 1_000_000))
MANY_CLASSES = (100, 5000, 50_000)
#: Examples and entries that are compared from arrays, with all that is inferred.
COMPARED = ((10_000_000, 2), (1_000_000, 5))


def main() -> None:
    """Print four Markdown tables."""
    print(machine("python -m tests.benchmarks.large_test_sets"))
    print("\n| | n | m | row numbers | Deadheat | × row numbers |\n|---|---|---|---|---|---|")
    for work in FEW_ROWS:
        times = [(_row_numbers(work), _resample(work)[0]) for _ in range(ROUNDS)]
        theirs, ours = map(min, zip(*times, strict=True))
        print(f"| {work.title} | {work.n:,} | {work.m} | {theirs:.1f} | {ours:.2f} "
              f"| {ours / theirs:.3f} |", flush=True)  # fmt: skip
    print("\n| sets | examples | ns a set, drawn at once | by their rows | × at once |")
    print("|---|---|---|---|---|")
    for sets, examples in SETS:
        drawn = [_nanoseconds(sets, examples) for _ in range(ROUNDS)]
        whole, by_rows = map(min, zip(*drawn, strict=True))
        shown = f"{whole:.0f} | {by_rows:.0f} | {by_rows / whole:.2f} |"
        print(f"| {sets:,} | {examples:,} | {shown}", flush=True)
    print("\n| | n | m | seconds | peak |\n|---|---|---|---|---|")
    for n, m in COMPARED:
        with ProcessPoolExecutor(1, get_context("spawn")) as alone:
            measured = [alone.submit(_compare, n, m).result() for _ in range(ROUNDS)]
        seconds, memory = np.array(measured).T
        shown = f"{seconds.min():.1f} | {memory.max() / 2**20:.0f} MB |"
        print(f"| compare() | {n:,} | {m} | {shown}", flush=True)
    print("\n| | seconds | × 100 classes | peak |\n|---|---|---|---|")
    first = None
    for count in MANY_CLASSES:
        with ProcessPoolExecutor(1, get_context("spawn")) as alone:  # its peak is its own
            times = [alone.submit(_macro_f1, count).result() for _ in range(ROUNDS)]
        least, peak = min(time for time, _ in times), max(peak for _, peak in times)
        first = first or least
        shown = f"{least:.1f} | {least / first:.1f} | {peak / 2**20:.0f} MB |"
        print(f"| macro F1, {count:,} classes | {shown}", flush=True)


def _nanoseconds(sets: int, examples: int) -> tuple[float, float]:
    """Return the nanoseconds of a draw of a set at once, and by its rows."""
    rng = np.random.default_rng(2)
    sizes = 1 + rng.multinomial(examples - sets, np.full(sets, 1 / sets))
    resamples = 20
    times = []
    for draw in (partial(draw_set_counts, sizes=sizes), SmallSets(sizes).draw):
        start = processor_time()
        draw(generator_of_chunk(1, 0), resamples=resamples)
        times.append((processor_time() - start) / resamples / sets * 1e9)
    return times[0], times[1]


def _compare(n: int, m: int) -> tuple[float, int]:
    """Return the processor seconds of compare() on labels, and the peak in bytes."""
    rng = np.random.default_rng(8)
    gold = rng.integers(0, 2, n, dtype=np.int8)
    entries = {
        f"entry {number}": np.where(rng.random(n, np.float32) < 0.6 + 0.02 * number, gold, 1 - gold)
        for number in range(m)
    }
    start = processor_time()
    compare(gold, entries)
    return processor_time() - start, getrusage(RUSAGE_SELF).ru_maxrss * 1024


def _row_numbers(work: Workload) -> float:
    start = processor_time()
    limit(work)
    return processor_time() - start


def _macro_f1(count: int) -> tuple[float, int]:
    shares = classes(*[1 / count] * count)
    params = {"average": "macro"}
    return _resample(Workload("", "", 20_000, 10, 1000, ("f1_score",), shares, 0, params))


def _resample(work: Workload) -> tuple[float, int]:
    """Return the processor seconds of all resamples, counting included, and the peak in bytes."""
    gold, entries = work.make()
    asked, folder = specs(work)
    start = processor_time()
    scorers = [bind(metric, gold, entries) for metric in resolve(asked, folder)]
    design, settings = Design(work.n), Settings()
    rows = DistinctRows.from_design(scorers, design, settings)
    chosen = scorers if rows is None else [*rows.take(scorers).values()]
    found = resample(
        chosen, design if rows is None else rows.design(design), work.resamples, 0,
        resources=Resources(1),
    )  # fmt: skip
    assert np.isfinite(found[0].values).all()
    return processor_time() - start, getrusage(RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    main()
