"""What the inference costs: no heavy import, little time and memory for many entries."""

from __future__ import annotations

import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from scoring_program.bootstrap.design import draw_counts
from scoring_program.inference import analyze
from scoring_program.inference.evidence import Evidence
from tests.arrays import made_replicates

from .cases import Case, answers


def test_import_brings_nothing_that_only_some_analyses_use() -> None:
    code = (
        "import sys, scoring_program.inference;"
        "print([m for m in ('scipy', 'statsmodels', 'pandas', 'sklearn') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_analysis_imports_statsmodels() -> None:
    """It takes more time than all the rest of the command on the example; images lack it."""
    code = (
        "import sys\n"
        "from tests.inference.cases import Case, answers\n"
        "correct = answers(60, 6, 1)\n"
        "correct[:, 0] = True\n"
        "print(Case(correct).analyze().intervals.used[0], 'statsmodels' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["wilson False"]


def prepared(n: int, m: int, resamples: int = 10_000) -> Callable[[], Evidence]:
    case = Case(answers(n, m, 1))
    counts = draw_counts(np.random.default_rng(0), n, resamples).astype(np.float32)
    values = (counts @ case.correct.astype(np.float32)).astype(float) / n
    scores = replace(case.scores, replicates=made_replicates(values))
    return lambda: analyze(scores)


def seconds(run: Callable[[], Evidence]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


@pytest.mark.slow
@pytest.mark.parametrize(
    ("entries", "most_seconds", "most_bytes"), [(134, 5, 2**28), (300, 20, 2**30)]
)
def test_all_pairs_of_many_entries(entries: int, most_seconds: float, most_bytes: int) -> None:
    run = prepared(500, entries)
    assert seconds(run) < most_seconds
    tracemalloc.start()
    run()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < most_bytes


@pytest.mark.slow
def test_10_entries() -> None:
    run = prepared(2182, 10)
    run()  # imports
    assert min(seconds(run) for _ in range(5)) < 0.1
