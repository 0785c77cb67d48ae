"""Tallied differences against the same differences one by one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring_program.draw import draw_counts
from scoring_program.infer.comparisons import compare
from scoring_program.infer.field import Field
from scoring_program.infer.inputs import Bootstrap

from .cases import answers

N, M, B = 120, 9, 800
EXACT = ("observed", "tolerance", "p_one_sided", "p_two_sided")
CLOSE = ("mean", "standard_error", "low", "high", "skewness")


def accuracies() -> tuple[np.ndarray, np.ndarray]:
    correct = answers(N, M, 1)
    correct[:, 4], correct[:, 7] = correct[:, 2], True
    counts = draw_counts(np.random.default_rng(0), N, B).astype(float)
    return correct.sum(axis=0) / N, np.ascontiguousarray((counts @ correct).T) / N


def mean_absolute_errors() -> tuple[np.ndarray, np.ndarray]:
    theta, replicates = accuracies()
    return 3 - 3 * theta, 3 - 3 * replicates


@pytest.mark.parametrize("interval", ["percentile", "standard_error"])
@pytest.mark.parametrize("greater_is_better", [True, False])
@pytest.mark.parametrize("scores", [accuracies, mean_absolute_errors])
def test_same_as_one_by_one(scores, greater_is_better, interval):
    theta, replicates = scores()
    one_by_one = Bootstrap.oriented(theta, replicates, greater_is_better=greater_is_better)
    tallied = replace(one_by_one, examples=N)
    assert tallied.counts is not None
    assert one_by_one.counts is None
    pairs = Field.of(tallied.theta, [f"{k}" for k in range(M)], ()).pairs()
    found, expected = (
        compare(bootstrap, *pairs, interval=interval, tail=0.025)
        for bootstrap in (tallied, one_by_one)
    )
    for name in EXACT:
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    for name in CLOSE:
        np.testing.assert_allclose(
            getattr(found, name), getattr(expected, name), rtol=1e-12, atol=1e-13
        )
    twins = (pairs[0] == 2) & (pairs[1] == 4)
    assert found.standard_error[twins] == 0
    assert found.p_one_sided[twins] == 1


def test_real_numbers_are_no_counts():
    theta, replicates = accuracies()
    replicates[3, -1] += 1e-9
    assert Bootstrap(theta, replicates, N).counts is None
    assert Bootstrap(theta, np.sqrt(replicates), N).counts is None


def test_too_many_values_are_not_tallied():
    replicates = np.array([[0.0, 1.0, 2.0], [5.0, 4.0, 3.0]])
    assert Bootstrap(np.zeros(2), replicates, 1).counts is None
