"""``import deadheat`` is quick: what is heavy comes when it is used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import scoring_program
from tests.competitions import REPOSITORY

HEAVY = ("jinja2", "numpy", "pandas", "scipy", "sklearn", "statsmodels", "yaml")


def imported(code: str) -> list[str]:
    """Return which of the heavy packages a program has imported at its end."""
    program = f"{code}\nimport sys\nprint(*[name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


def test_the_import_needs_nothing_heavy() -> None:
    assert imported("import scoring_program") == []
    assert imported("import scoring_program as dh\ndir(dh), dh.DeadheatError, dh.__version__") == []


def test_what_is_heavy_comes_when_it_is_used() -> None:
    assert "numpy" in imported("import scoring_program as dh\ndh.compare")


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'compete'"):
        _ = scoring_program.compete
    with pytest.raises(AttributeError, match="'load_results'; did you mean 'read_results'"):
        _ = scoring_program.load_results
    with pytest.raises(AttributeError, match="'evaluate'; did you mean 'compare'"):
        _ = scoring_program.evaluate
    assert set(scoring_program.__all__) == set(dir(scoring_program))
    assert all(hasattr(scoring_program, name) for name in scoring_program.__all__)


def test_a_run_needs_no_library_of_which_it_uses_a_function_or_two(tmp_path: Path) -> None:
    """Each of them takes as long to import as the whole run, or longer."""
    code = (
        "from scoring_program.commands.score import main\n"
        f"assert main(['example/input', {str(tmp_path / 'out')!r}, '--resamples', '200']) == 0"
    )
    assert imported(code)[-3:] == ["jinja2", "numpy", "yaml"]


def test_accuracy_needs_scipy_only_where_two_entries_hardly_differ() -> None:
    code = (
        "import numpy as np, scoring_program as dh\n"
        "right = np.random.default_rng(0).random((3, 300)) < [[0.9], [0.8], [0.7]]\n"
        "gold = np.arange(300) % 2\n"
        "entries = {n: np.where(own, gold, 1 - gold) for n, own in zip('abc', right)}\n"
        "dh.compare(gold, entries, 'accuracy_score', resamples=200)"
    )
    assert "scipy" not in imported(code)
