"""The skewness and the kurtosis of all pairs' differences against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from scoring_program.inference.comparing.comparisons import UnitInfluence, tail_limits

RNG = np.random.default_rng(31)
N = 300


def influence(values: np.ndarray) -> UnitInfluence:
    return UnitInfluence((values - values.mean(axis=0)) / len(values))


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_tails_are_those_of_the_differences(scale: float) -> None:
    values = RNG.normal(size=(N, 6))
    values[:, 1] = RNG.lognormal(size=N)
    values[:, 2] = values[:, 0] + 1e-5 * RNG.normal(size=N)  # nearly a copy
    values[0, 3] = 1e5
    skewness, kurtosis = influence(scale * values).tails
    for i in range(6):
        for j in range(6):
            if i == j:
                assert skewness[i, j] == kurtosis[i, j] == 0
                continue
            d = values[:, i] - values[:, j]
            assert skewness[i, j] == pytest.approx(stats.skew(d) / np.sqrt(N), abs=1e-7)
            assert kurtosis[i, j] == pytest.approx(stats.kurtosis(d) / N, abs=1e-7)


def test_one_enormous_error_makes_its_entrys_pairs_heavy_and_no_others() -> None:
    values = RNG.normal(size=(N, 5))
    values[0, 4] = 1e6
    heavy = influence(values).heavy
    assert heavy[4, :4].all()
    assert heavy[:4, 4].all()
    assert not heavy[:4, :4].any()


def test_copies_and_entries_without_influence_values_have_no_heavy_tails() -> None:
    values = RNG.normal(size=(N, 3))
    values[0, 0] = 100
    values[:, 1] = values[:, 0]
    found = influence(values)
    assert not found.heavy[0, 1]
    assert found.heavy[0, 2]
    found.values[:, 2] = np.nan
    assert not UnitInfluence(found.values).heavy.any()


def test_fewer_than_ten_rows_on_which_two_entries_differ_are_heavy_tails() -> None:
    right = np.ones((1000, 3))
    right[:9, 1] = 0
    right[100:150, 2], right[500:550, 0] = 0, 0
    right[100:150, 1], right[500:550, 1] = 0, 0
    heavy = influence(right).heavy
    assert not heavy[0, 2]
    right[:, 0] = right[:, 1]
    right[:9, 0] = 1
    assert influence(right).heavy[0, 1]


@pytest.mark.parametrize(
    ("units", "skewness", "kurtosis"),
    [(20, 0.3062, 0.1369), (30, 0.2041, 0.1), (50, 0.1225, 0.1), (62, 0.1, 0.1), (10**6, 0.1, 0.1)],
)
def test_tails_are_heavy_beyond_what_sampling_gives(
    units: int, skewness: float, kurtosis: float
) -> None:
    """2.5 standard deviations of what normal values show: √6/N and √24/N^1.5."""
    assert tail_limits(units) == pytest.approx((skewness, kurtosis), abs=5e-5)


def test_twenty_normal_differences_have_no_heavy_tails() -> None:
    values = np.random.default_rng(5).normal(size=(20, 40))
    pairs = np.triu_indices(40, 1)
    found = influence(values)
    beyond_a_tenth = np.abs(found.tails[0][pairs]) > 0.1
    assert beyond_a_tenth.mean() > 0.2
    assert found.heavy[pairs].mean() < 0.02
