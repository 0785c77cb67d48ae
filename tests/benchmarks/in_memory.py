"""Compare arrays in memory, and do the least of it in ten lines of NumPy.

``python -m tests.benchmarks.in_memory``: a million labels of five entries, 100 resamples.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded, for both

import time
from collections.abc import Callable

import numpy as np

import scoring_program
from scoring_program.core.arrays import Array, Floats
from tests.benchmarks.__main__ import machine

EXAMPLES, ENTRIES, RESAMPLES, ROUNDS = 1_000_000, 5, 100, 5


def main() -> None:
    """Print a Markdown table of processor seconds: the least of the rounds, in turn."""
    print(machine("python -m tests.benchmarks.in_memory"))
    print("\n| labels | ten lines | Deadheat | × ten lines |\n|---|---|---|---|")
    for name, labels in (("numbers", np.arange(2)), ("texts", np.array(["neg", "pos"]))):
        gold, predictions = _drawn(labels)
        times = [
            (_seconds(_ten_lines, gold, predictions), _seconds(_compare, gold, predictions))
            for _ in range(ROUNDS)
        ]
        theirs, ours = map(min, zip(*times, strict=True))
        print(f"| {name} | {theirs:.2f} | {ours:.2f} | {ours / theirs:.2f} |", flush=True)


def _drawn(labels: Array) -> tuple[Array, dict[str, Array]]:
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 2, EXAMPLES)
    right = (rng.random(EXAMPLES) < 0.8 + 0.01 * entry for entry in range(ENTRIES))
    return labels[gold], {
        f"entry {number}": labels[np.where(one, gold, 1 - gold)] for number, one in enumerate(right)
    }


def _compare(gold: Array, predictions: dict[str, Array]) -> None:
    scoring_program.compare(gold, predictions, metrics="accuracy", resamples=RESAMPLES)


def _ten_lines(gold: Array, predictions: dict[str, Array]) -> tuple[Floats, Floats]:
    """Return the intervals of accuracies [2, m] and how often each is the best [m]."""
    rng, n = np.random.default_rng(0), len(gold)
    right = np.stack([found == gold for found in predictions.values()]).astype(np.float32)
    scores = np.empty((RESAMPLES, len(right)))
    for resample in scores:
        drawn = np.bincount(rng.integers(0, n, n, dtype=np.int32), minlength=n)
        resample[:] = right @ drawn.astype(np.float32) / n
    behind = scores[:, [scores.mean(axis=0).argmax()]] - scores
    return np.percentile(scores, [2.5, 97.5], axis=0), (behind <= 0).mean(axis=0)


def _seconds(
    call: Callable[[Array, dict[str, Array]], object], gold: Array, predictions: dict[str, Array]
) -> float:
    start = time.process_time()
    call(gold, predictions)
    return time.process_time() - start


if __name__ == "__main__":
    main()
