"""Sums of real numbers under whole weights: exact, whatever the order of their terms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scoring_program.core.exact import ExactSums, multiples

RNG = np.random.default_rng(4)


def drawn(n: int, resamples: int = 7, most: int = 2) -> np.ndarray:
    return RNG.integers(0, most, (n, resamples)).astype(np.float64)


ROWS = {
    "errors": np.abs(RNG.normal(size=(3, 500))),
    "signed, of all sizes": RNG.normal(size=(3, 500)) * 10.0 ** RNG.integers(-9, 9, (3, 500)),
    "without a usual size": np.where(RNG.random((3, 500)) < 0.6, 0.0, RNG.random((3, 500))),
    "few": RNG.random((2, 3)),
    "one enormous": np.append(RNG.random((2, 400)), [[1e12], [0.1]], axis=1),
    "tiny": RNG.random((2, 40)) * 1e-320,
    "zero": np.zeros((2, 40)),
}


@pytest.mark.parametrize("name", ROWS)
def test_sums_are_the_same_in_every_order(name: str) -> None:
    rows = ROWS[name]
    weights = drawn(rows.shape[1])
    expected = ExactSums(rows)(weights)
    # Added up one after the other, as no library of matrices does it.
    for place, part in enumerate(expected):
        for resample, total in enumerate(part.tolist()):
            terms = (rows[place] * weights[:, resample]).tolist()
            reach = math.fsum(map(abs, terms))
            assert total == pytest.approx(math.fsum(terms), rel=1e-12, abs=2e-13 * reach)
    for _ in range(5):
        order = RNG.permutation(rows.shape[1])
        # Rows that begin elsewhere, so that the library groups the terms in other ways.
        shuffled = ExactSums(rows)
        shuffled._pieces = shuffled._pieces[:, order]
        np.testing.assert_array_equal(shuffled(weights[order]), expected)


def test_one_enormous_number_takes_no_digits_from_sums_without_it() -> None:
    rows = ROWS["one enormous"]
    weights = drawn(rows.shape[1])
    weights[-1] = 0
    expected = [math.fsum((rows[0] * column).tolist()) for column in weights.T]
    np.testing.assert_allclose(ExactSums(rows)(weights)[0], expected, rtol=1e-12)


def test_weights_may_add_up_to_more_than_their_number() -> None:
    rows = RNG.random((2, 50))
    weights = drawn(50, most=2**30)
    expected = [[math.fsum((row * column).tolist()) for column in weights.T] for row in rows]
    np.testing.assert_allclose(ExactSums(rows)(weights), expected, rtol=1e-12)


def test_multiples_leave_room_for_the_sums() -> None:
    rounded, steps = multiples(np.array([[1.0, 0.3, -0.7]]), 20)
    assert (rounded / steps == np.rint(rounded / steps)).all()
    assert np.abs(rounded).max() / steps.item() * 2**20 <= 2**53
