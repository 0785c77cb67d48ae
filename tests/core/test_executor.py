"""Who carries out what only needs NumPy: a forked process where that is safe, else this one."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

import pytest

from scoring_program.core import pool
from scoring_program.core.executor import Executor


def test_nothing_is_forked_on_macos(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> NoReturn:
        raise AssertionError("a process was forked after NumPy was loaded")

    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(pool.Worker, "forked", refused)
    assert not pool.can_fork()
    with Executor(workers=2).beside(os.getpid) as result:
        assert result() == os.getpid()


def test_windows_has_no_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork", raising=False)
    assert not pool.can_fork()
