"""The algorithms beside this process: the same results, and a fork only where it pays off."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

from scoring_program.core.executor import Executor
from scoring_program.core.pool import Worker
from scoring_program.inference.comparing import standing as standing_module
from scoring_program.pipeline import executor_of
from scoring_program.settings.model import Settings

from .cases import CASES, Case, answers


@pytest.fixture
def forks(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The processes that were forked, from the first draw on."""
    if not hasattr(os, "fork"):
        pytest.skip("this system cannot fork")
    started: list[object] = []
    fork = Worker.forked

    def counted(target: Callable[..., Any]) -> Worker:
        started.append(target)
        return fork(target)

    monkeypatch.setattr(Worker, "forked", counted)
    monkeypatch.setattr(standing_module, "_MANY", 0)
    return started


@pytest.mark.parametrize("name", CASES)
def test_results_do_not_depend_on_the_process(name: str, forks: list[object]) -> None:
    alone, beside = (CASES[name]().analyze(Executor(workers=n)) for n in (1, 2))
    assert len(forks) == (alone.standing.studentized is None)
    np.testing.assert_equal(asdict(beside), asdict(alone))


@pytest.mark.parametrize(("workers", "backend"), [(1, "processes"), (2, "threads"), (2, "loky")])
def test_nothing_is_forked_unless_processes_are_asked_for(
    workers: int, backend: str, forks: list[object]
) -> None:
    asked = executor_of(Settings(workers=workers, backend=backend))
    Case(answers(300, 4, 0)).analyze(asked)
    assert forks == []


def test_few_draws_need_no_fork(forks: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    Case(answers(300, 4, 0)).analyze(Executor(workers=2))
    assert forks == []
