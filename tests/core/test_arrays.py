"""What NumPy has, too, but not without an import that takes longer than it does."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from scoring_program.core.arrays import distinct, median
from scoring_program.core.rounding import average_ranks
from tests.competitions import REPOSITORY


@given(
    arrays(np.float64, st.tuples(st.integers(1, 7), st.integers(1, 3)), elements=st.floats(-9, 9))
)
def test_medians_are_numpys(values: np.ndarray) -> None:
    assert median(values).tolist() == np.median(values, axis=0).tolist()
    assert median(values[:, 0]) == np.median(values[:, 0])
    values[0, 0] = np.nan
    assert np.isnan(median(values)[0])


@given(
    arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(1, 9)), elements=st.integers(0, 4))
)
def test_average_ranks_are_scipys(values: np.ndarray) -> None:
    expected = stats.rankdata(values, method="average", axis=-1)
    np.testing.assert_array_equal(average_ranks(values), expected)
    np.testing.assert_array_equal(average_ranks(values[0]), expected[0])


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.int64])
@pytest.mark.parametrize("spread", [1, 100, 2**17])
def test_distinct_whole_numbers(kind: type, spread: int) -> None:
    ends = np.iinfo(kind)
    rng = np.random.default_rng(2)
    for center in (ends.min, 0, ends.max):
        least = max(ends.min, center - spread)
        most = min(ends.max, center + spread)
        values = rng.integers(least, most, (3, 1000), kind, endpoint=True)
        found = distinct(values)
        assert found.dtype == values.dtype
        assert found.tolist() == sorted({*values.ravel().tolist()})


@pytest.mark.parametrize("values", [[3, 1, 3], ["b", "a", "b"], []])
def test_distinct_values(values: list[object]) -> None:
    assert distinct(np.array(values)).tolist() == sorted({*values})  # type: ignore[type-var]


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.0.0", reason="NumPy imports numpy.ma")
def test_a_usual_run_does_without_masked_arrays(tmp_path: object) -> None:
    code = (
        "import sys\nfrom scoring_program.commands.score import main\n"
        f"main(['example/input', '{tmp_path}/out', '--resamples', '200'])\n"
        "print('numpy.ma' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "False"
