"""Tails without SciPy, with SciPy as the oracle."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import special

from scoring_program.inference.comparing.distributions import (
    normal_tail,
    normal_tail_quantile,
    t_tail,
    t_tail_quantile,
)
from tests.arrays import T_QUANTILE_ERROR

#: From what one case of a few hundred shows to what nobody ever sees.
X = np.concatenate([[0.0, 1e-6, 1e-3], np.linspace(0.01, 36, 300)])
FREEDOM = (1, 2, 3.7, 9, 99, 2181, 999_999)


def test_normal_tails() -> None:
    both = np.concatenate([-X, X])
    assert normal_tail(both) == pytest.approx(special.ndtr(-both), rel=1e-13)
    p = normal_tail(X)
    assert normal_tail_quantile(p) == pytest.approx(-special.ndtri(p), rel=1e-13, abs=1e-15)
    assert normal_tail_quantile(np.array([[0.0, 0.5]])).tolist() == [[math.inf, 0.0]]


@pytest.mark.parametrize("freedom", FREEDOM)
def test_tails_of_t(freedom: float) -> None:
    assert t_tail(freedom, X) == pytest.approx(special.stdtr(freedom, -X), rel=2e-9, abs=1e-300)
    assert t_tail(freedom, np.array([0.0, np.inf])).tolist() == pytest.approx([0.5, 0.0], abs=1e-99)


def test_tails_of_cauchy_are_exact() -> None:
    exact = [math.atan2(1, x) / math.pi for x in X]
    assert t_tail(1, X) == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("freedom", FREEDOM)
def test_quantiles_of_t(freedom: float) -> None:
    p = np.geomspace(0.5, 1e-100, 300)
    expected = -special.stdtrit(freedom, p)
    assert t_tail_quantile(freedom, p) == pytest.approx(
        expected, rel=1e-9 + T_QUANTILE_ERROR, abs=1e-9
    )
    assert t_tail_quantile(freedom, np.array(0.0)) == np.inf


def test_quantiles_are_the_inverse() -> None:
    for freedom in FREEDOM:
        p = t_tail(freedom, X[X < 20])
        assert t_tail(freedom, t_tail_quantile(freedom, p)) == pytest.approx(p, rel=1e-11)
