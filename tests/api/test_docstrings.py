"""The examples in the public docstrings run."""

from __future__ import annotations

import doctest
import sys
from types import ModuleType

import pytest

import scoring_program
from scoring_program.api import public


def run(module: ModuleType) -> doctest.TestResults:
    found = doctest.testmod(module, raise_on_error=True, verbose=False)
    assert found.failed == 0
    return found


def test_examples_run(monkeypatch: pytest.MonkeyPatch) -> None:
    # Where the package is not installed, its name is that of the folder.
    monkeypatch.setitem(sys.modules, "deadheat", scoring_program)
    assert run(public).attempted >= 8


@pytest.mark.parametrize("name", ["compare", "compare_scores"])
def test_whoever_compares_is_shown_how(name: str) -> None:
    assert ">>> import deadheat as dh\n" in getattr(scoring_program, name).__doc__
