"""The algorithms beside this process: the same results, and a fork only where it pays off."""

from __future__ import annotations

import os
from dataclasses import asdict

import numpy as np
import pytest

from scoring_program.bootstrap.workers import forked
from scoring_program.inference import standing

from .cases import CASES, Case, answers


@pytest.fixture
def forks(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The processes that were forked, from the first draw on."""
    if not hasattr(os, "fork"):
        pytest.skip("this system cannot fork")
    started: list[object] = []
    fork = forked.fork

    def counted(target: object, *args: object) -> object:
        started.append(target)
        return fork(target, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(forked, "fork", counted)
    monkeypatch.setattr(standing, "_FORKED", 0)
    return started


@pytest.mark.parametrize("name", CASES)
def test_results_do_not_depend_on_the_process(name: str, forks: list[object]) -> None:
    alone, beside = (CASES[name]().analyze(workers=workers) for workers in (1, 2))
    assert len(forks) == (alone.studentized is None)
    np.testing.assert_equal(asdict(beside), asdict(alone))


@pytest.mark.parametrize(
    "settings",
    [{"workers": 1}, {"workers": 2, "backend": "threads"}, {"workers": 2, "backend": "loky"}],
)
def test_nothing_is_forked_unless_processes_are_asked_for(
    settings: dict[str, object], forks: list[object]
) -> None:
    Case(answers(300, 4, 0)).analyze(**settings)
    assert forks == []


def test_few_draws_need_no_fork(forks: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    Case(answers(300, 4, 0)).analyze(workers=2)
    assert forks == []
