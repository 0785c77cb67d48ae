from __future__ import annotations

import gc
import subprocess
import sys

import numpy as np
import pytest

from scoring_program.inference import corrections

from . import oracle

P = np.array([0.01, 0.04, 0.03, 0.005, 0.04, 1.0])


@pytest.mark.parametrize("correction", corrections.ADJUSTMENTS)
def test_one_family(correction: str) -> None:
    adjusted = corrections.adjust(P, np.zeros(6, dtype=int))[correction]
    np.testing.assert_allclose(adjusted, oracle.ADJUST[correction](list(P)), rtol=1e-14)


@pytest.mark.parametrize("correction", corrections.ADJUSTMENTS)
def test_families_are_apart(correction: str) -> None:
    family = np.array([0, 1, 0, 4, -1, 1])
    adjusted = corrections.adjust(P, family)[correction]
    for number in (0, 1, 4):
        expected = oracle.ADJUST[correction](list(P[family == number]))
        np.testing.assert_allclose(adjusted[family == number], expected, rtol=1e-14)
    assert np.isnan(adjusted[4])


def test_no_comparisons() -> None:
    for adjusted in corrections.adjust(np.empty(0), np.empty(0, dtype=int)).values():
        assert adjusted.size == 0


def test_the_garbage_collector_is_left_as_it_was() -> None:
    frozen = gc.get_freeze_count()
    corrections.adjust(P, np.zeros(6, dtype=int))
    assert gc.get_freeze_count() == frozen == 0


def test_scipy_stats_are_executed_only_when_used() -> None:
    # In a process of its own: here they may have been imported for another test.
    code = (
        "import sys\n"
        "from scoring_program.inference import corrections\n"
        "print(corrections.import_multipletests()([0.01, 0.04], method='holm')[1].tolist())\n"
        "print('scipy.stats._stats_py' in sys.modules)\n"
        "from scipy import stats\n"
        "from scipy.stats import rankdata\n"
        "import scipy.stats\n"
        "print(stats.rankdata is rankdata is scipy.stats.rankdata)\n"
        "print(stats is sys.modules['scipy.stats'], rankdata([7, 5]).tolist())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[0.02, 0.04]", "False", "True", "True [2.0, 1.0]"]
    assert done.stderr == ""


def test_scipy_stats_that_something_uses_meanwhile_are_imported() -> None:
    code = (
        "import sys\n"
        "from scoring_program.inference import corrections\n"
        "with corrections._scipy_stats_postponed():\n"
        "    from scipy import stats as held\n"
        "    import scipy.stats as other\n"
        "    print('scipy.stats._stats_py' in sys.modules)\n"
        "    print(held.rankdata([7, 5]).tolist())\n"
        "import scipy.stats.distributions\n"
        "print(sys.modules['scipy.stats'] is scipy.stats is not held)\n"
        "print(held.norm is other.norm is scipy.stats.norm)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["False", "[2.0, 1.0]", "True", "True"]
    assert done.stderr == ""


def test_scipy_stats_that_were_imported_stay() -> None:
    from scipy import stats

    corrections.import_multipletests()
    assert sys.modules["scipy.stats"] is stats
