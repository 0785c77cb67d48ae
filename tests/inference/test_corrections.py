from __future__ import annotations

import gc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from scoring_program.inference.comparing import comparisons

from . import oracle

P = np.array([0.01, 0.04, 0.03, 0.005, 0.04, 1.0])
#: Few values, so that many are equal, beside values of every size.
p_values = st.sampled_from([0.0001, 0.01, 0.02, 0.05, 0.5, 1.0]) | st.floats(0, 1)


@pytest.mark.parametrize("correction", comparisons.ADJUSTMENTS)
def test_one_family(correction: str) -> None:
    adjusted = comparisons.adjust(P, np.zeros(6, dtype=int))[correction]
    np.testing.assert_allclose(adjusted, oracle.ADJUST[correction](list(P)), rtol=1e-14)


@pytest.mark.parametrize("correction", comparisons.ADJUSTMENTS)
def test_families_are_apart(correction: str) -> None:
    family = np.array([0, 1, 0, 4, -1, 1])
    adjusted = comparisons.adjust(P, family)[correction]
    for number in (0, 1, 4):
        expected = oracle.ADJUST[correction](list(P[family == number]))
        np.testing.assert_allclose(adjusted[family == number], expected, rtol=1e-14)
    assert np.isnan(adjusted[4])


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(-1, 5), p_values | st.just(np.nan)), max_size=40))
def test_every_family_is_adjusted_as_statsmodels_adjusts_each(
    members: list[tuple[int, float]],
) -> None:
    """To the last digit."""
    family = np.array([number for number, _ in members], dtype=np.intp)
    values = np.array([p for _, p in members])
    for correction, adjusted in comparisons.adjust(values, family).items():
        expected = np.full(values.shape, np.nan)
        for number in set(family[family >= 0].tolist()):
            within = family == number
            with pytest.MonkeyPatch.context() as patch:  # it collects garbage, which takes long
                patch.setattr(gc, "collect", lambda: 0)
                expected[within] = multipletests(values[within], method=correction)[1]
        np.testing.assert_array_equal(adjusted, expected)


def test_no_comparisons() -> None:
    for adjusted in comparisons.adjust(np.empty(0), np.empty(0, dtype=int)).values():
        assert adjusted.size == 0


def test_it_collects_no_garbage() -> None:
    """As each Holm adjustment by statsmodels does: three seconds for the rows of 134 entries."""
    rng = np.random.default_rng(0)
    collections = []
    gc.callbacks.append(lambda phase, info: collections.append(info["generation"]))
    try:
        comparisons.adjust(rng.random(8911), np.repeat(np.arange(133), 67))
    finally:
        gc.callbacks.pop()
    assert 2 not in collections
