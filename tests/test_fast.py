"""The fast suite: types and tests beside each other, each able to fail it, and what it tries."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from tests import fast
from tests.sweeps import in_turn


@pytest.mark.parametrize(
    ("types", "tests", "status"), [(0, 0, 0), (1, 0, 1), (0, 1, 1), (2, 1, 1), (0, 5, 5)]
)
def test_it_fails_where_types_or_tests_do(
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    types: int,
    tests: int,
    status: int,
) -> None:
    started = subprocess.Popen
    called: list[list[str]] = []

    def stands_for_mypy(command: list[str], **how: Any) -> subprocess.Popen[bytes]:
        called.append(command[2:])
        says = f"print('a wrong type'); raise SystemExit({types})"
        return started([sys.executable, "-c", says], **how)

    def stands_for_pytest(command: list[str], **how: Any) -> subprocess.CompletedProcess[bytes]:
        called.append(command[2:])
        return subprocess.CompletedProcess(command, tests)

    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(subprocess, "Popen", stands_for_mypy)
    monkeypatch.setattr(subprocess, "run", stands_for_pytest)
    assert fast.main(["tests/core"]) == status
    assert "a wrong type" in capfd.readouterr().out
    assert called == [
        ["mypy"],
        ["pytest", "--collect-only", "--quiet", "tests/core"],
        ["pytest", "-n", "2", "--dist", "worksteal", "tests/core"],
    ]


def test_variants_take_turns() -> None:
    cases = in_turn("abcd", [1, 2, 3])
    assert len(cases) == 12
    fast_ones = [case.values for case in cases if not case.marks]
    assert fast_ones == [("a", 1), ("b", 2), ("c", 3), ("d", 1)]
