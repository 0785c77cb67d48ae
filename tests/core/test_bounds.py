"""What a process may use: one thread of BLAS while anything is computed, and what it had after."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
import threadpoolctl
from threadpoolctl import threadpool_info, threadpool_limits

import scoring_program as dh
from scoring_program import pipeline
from scoring_program.core import bounds
from scoring_program.inference import infer as inference


def threads() -> set[int]:
    """The threads of every BLAS that is loaded."""
    return {one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"}


@pytest.mark.parametrize("fails", [False, True])
def test_one_blas_thread_from_scores_to_inference(
    monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    """Also from Python, where the caller's number of threads is restored, whatever happens."""
    found = []
    infer = inference.infer

    def recorded(*given: Any) -> Any:
        found.append(threads())
        if fails:
            raise InterruptedError
        return infer(*given)

    def accuracy(y_true: np.ndarray, y_pred: np.ndarray) -> float:
        found.append(threads())
        return float((y_true == y_pred).mean())

    monkeypatch.setattr(pipeline, "infer", recorded)
    gold = np.arange(40) % 2
    with threadpool_limits(2, "blas"):
        given = threads()
        try:
            metric = "accuracy_score" if fails else accuracy
            dh.compare(gold, {"A": gold, "B": 1 - gold}, metrics=metric, resamples=100)
        except InterruptedError:
            assert fails
        assert threads() == given != {1}
    assert len(found) > (0 if fails else 100)
    assert all(one == {1} for one in found)


def test_libraries_are_looked_for_again_after_imports_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes milliseconds, and every call of the API limits them several times."""
    searches: list[threadpoolctl.ThreadpoolController] = []
    search = threadpoolctl.ThreadpoolController

    def counted() -> threadpoolctl.ThreadpoolController:
        searches.append(search())
        return searches[-1]

    monkeypatch.setattr(threadpoolctl, "ThreadpoolController", counted)
    bounds._thread_pools.cache_clear()
    for _ in range(3):
        with bounds.one_blas_thread():
            pass
    assert len(searches) == 1
    monkeypatch.setitem(sys.modules, "imported_later", sys)
    with bounds.one_blas_thread():
        pass
    assert len(searches) == 2
    bounds._thread_pools.cache_clear()
