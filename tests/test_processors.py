"""The same results on every processor: under the kernels of two kinds of processors.

OpenBLAS adds the terms of a product in another order on each kind. ``OPENBLAS_CORETYPE`` chooses
the kernels; where NumPy has another library, or the processor lacks the instructions, there is
nothing to compare.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.competitions import REPOSITORY
from tests.sweeps import swept

#: Prints which kernels run, and then the results of one competition on each line.
PROGRAM = """
import json
import sys

import numpy as np
from threadpoolctl import threadpool_info

import scoring_program as dh

print(json.dumps([pool.get("architecture") for pool in threadpool_info()]))
rng = np.random.default_rng(3)
options = {"resamples": 1000, "workers": 1}


def show(result):
    print(json.dumps(result.to_dict()))


def labels(n, m):
    gold = rng.integers(0, 3, n)
    guesses = rng.integers(0, 3, (m, n))
    right = rng.random((m, n)) < 0.9 - np.arange(m)[:, None] / 30
    return gold, {f"e{k}": np.where(right[k], gold, guesses[k]) for k in range(m)}


def numbers(n, m):
    gold = 100 * rng.random(n)
    return gold, {f"e{k}": gold + rng.normal(0, 1 + k / 200, n) for k in range(m)}


of_labels = ["f1_macro", "matthews_corrcoef"]
of_numbers = ["neg_mean_absolute_error", "r2", "pearsonr"]
show(dh.compare(*labels(150, 8), of_labels, **options))
show(dh.compare(*numbers(90, 5), of_numbers, interval="bca", baselines="e2", **options))
if "full" not in sys.argv:
    sys.exit()
show(dh.compare(*labels(400, 4), of_labels, groups=np.arange(400) % 40, **options))
show(dh.compare(*numbers(1000, 12), of_numbers, **options))
scores = {f"s{k}": np.round(rng.random(60), 1) * 0.7 + 0.01 * k for k in range(6)}
functions = ["mean_score", "median_score", "mean_unit_rank"]
show(dh.compare_scores(scores, functions, greater_is_better=True, **options))
"""
TYPES = ("Haswell", "SkylakeX", "Sandybridge")


def results(coretype: str, extent: str) -> list[str] | None:
    """Return the results under the kernels of a kind of processor; None if others ran.

    Some builds of OpenBLAS end by a signal under kernels that are not the machine's.
    """
    variables = {"OPENBLAS_CORETYPE": coretype, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, extent],
        cwd=REPOSITORY,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode < 0:
        return None
    assert done.returncode == 0, done.stderr
    kernels, *lines = done.stdout.splitlines()
    return lines if coretype in json.loads(kernels) else None


@pytest.mark.parametrize(("extent", "competitions"), swept([("short", 2), ("full", 5)]))
def test_results_do_not_depend_on_the_kernels(extent: str, competitions: int) -> None:
    ran: dict[str, list[str]] = {}
    for coretype in TYPES:
        if len(ran) < 2 and (lines := results(coretype, extent)) is not None:
            ran[coretype] = lines
    if len(ran) < 2:
        pytest.skip(f"two kinds of kernels are needed, and this machine runs {[*ran]}")
    one, other = ran.values()
    assert len(one) == competitions
    for ours, theirs in zip(one, other, strict=True):
        assert json.loads(ours) == json.loads(theirs)
