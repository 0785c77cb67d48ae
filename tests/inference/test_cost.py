"""What the inference costs: only NumPy at import, little time and memory for many entries."""

from __future__ import annotations

import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest

from scoring_program.bootstrap.counts import draw_counts
from scoring_program.inference import analyse
from scoring_program.inference.analysis import MetricAnalysis

from .cases import ACCURACY, Case, FakeReplicates, answers


def test_import_brings_only_numpy() -> None:
    code = (
        "import sys, scoring_program.inference;"
        "print([m for m in ('scipy', 'statsmodels', 'pandas', 'sklearn') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def prepared(n: int, m: int, resamples: int = 10_000) -> Callable[[], MetricAnalysis]:
    case = Case(answers(n, m, 1))
    counts = draw_counts(np.random.default_rng(0), n, resamples).astype(np.float32)
    replicates = FakeReplicates((counts @ case.correct.astype(np.float32)).astype(float) / n)
    return lambda: analyse(
        ACCURACY, case.observed, replicates, names=case.labels, n=n, evidence=case.evidence
    )


def seconds(run: Callable[[], MetricAnalysis]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


@pytest.mark.slow
def test_134_entries_with_all_8911_pairs() -> None:
    run = prepared(500, 134)
    assert seconds(run) < 10
    tracemalloc.start()
    run()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2**30


@pytest.mark.slow
def test_10_entries() -> None:
    run = prepared(2182, 10)
    run()  # imports
    assert min(seconds(run) for _ in range(5)) < 0.1
