"""Arithmetic over metrics: the functions that a formula may call, and what it refuses."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scoring_program.core.errors import SettingsError
from scoring_program.metrics import formula

ANY = (-math.inf, math.inf)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("min(a, b)", 0.25),
        ("max(a, b, 0.7) - min(a, b)", 0.45),
        ("exp(a) * sqrt(b)", math.exp(0.25) * math.sqrt(0.5)),
        ("log(exp(a))", 0.25),
        ("sqrt(max(a, b) ** 2 + min(0, -a))", 0.0),
        ("-log(b) / (1 + sqrt(4 * a))", -math.log(0.5) / 2),
    ],
)
def test_functions_of_formulas(text: str, expected: float) -> None:
    values = {"a": np.array([0.25, 0.25]), "b": np.array([0.5, 0.5])}
    assert formula.names(text, "x") in (("a", "b"), ("a",), ("b",), ("b", "a"))
    np.testing.assert_allclose(formula.evaluate(text, values), [expected] * 2, atol=1e-15)


@pytest.mark.parametrize("text", ["log(a)", "sqrt(a - 1)", "exp(a + 1000)", "1 / a", "min(b, a)"])
def test_a_formula_without_a_value_is_undefined(text: str) -> None:
    values = {"a": np.array([0.0, np.nan])[: 1 + ("min" in text)], "b": np.array([1.0, 1.0])}
    found = formula.evaluate(text, values)
    assert np.isnan(found[-1])


@pytest.mark.parametrize(
    "text",
    ["min(a)", "exp(a, b)", "sqrt()", "abs(a)", "min(*a)", "max(a, b, key=a)", "(min)(a, b)(a)"],
)
def test_a_formula_may_call_nothing_else(text: str) -> None:
    with pytest.raises(SettingsError, match="min and max of several, not"):
        formula.names(text, "x")


def test_a_metric_may_have_the_name_of_a_function() -> None:
    assert formula.names("min(min, max) + exp", "x") == ("min", "max", "exp")
    values = {"min": np.array([2.0]), "max": np.array([1.0]), "exp": np.array([0.5])}
    assert formula.evaluate("min(min, max) + exp", values).tolist() == [1.5]


#: Accuracy and F1, Matthews correlation, an error, and a number of any size.
BOUNDS = {"a": (0.0, 1.0), "f": (0.0, 1.0), "m": (-1.0, 1.0), "e": (0.0, math.inf), "x": ANY}


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("(a + f) / 2", {"a": 1, "f": 1}),
        ("a + m - 0.5 * x", {"a": 1, "m": 1, "x": -1}),
        ("a * f", {"a": 1, "f": 1}),
        ("m ** 2", {"m": 0}),
        ("m ** 3", {"m": 1}),
        ("m * a", {"m": 1, "a": 0}),
        ("(1 + m) * a", {"m": 1, "a": 1}),
        ("a ** m", {"a": 0, "m": -1}),
        ("2 ** m", {"m": 1}),
        ("(a - 0.9) * (f - 0.9)", {"a": 0, "f": 0}),
        ("(1 / (1 + e) + a) / 2", {"e": -1, "a": 1}),
        ("a / (a + f)", {"a": 0, "f": -1}),
        ("1 / m", {"m": 0}),
        ("exp(-e) * sqrt(a)", {"e": -1, "a": 1}),
        ("max(m, 0) * a", {"m": 1, "a": 1}),
        ("min(a, 1 - f)", {"a": 1, "f": -1}),
        ("log(x) + -(-a)", {"x": 1, "a": 1}),
    ],
)
def test_a_formula_rises_with_a_metric_where_this_is_sure(text: str, signs: dict[str, int]) -> None:
    found, bounds = formula.directions(text, BOUNDS)
    assert found == signs
    rng = np.random.default_rng(0)
    drawn = {
        name: rng.uniform(max(low, -3), min(high, 3), size=2000)
        for name, (low, high) in sorted(BOUNDS.items())
    }
    value = formula.evaluate(text, drawn)
    known = np.isfinite(value)
    assert (value[known] >= bounds[0]).all()
    assert (value[known] <= bounds[1]).all()
    for name, sign in signs.items():
        larger = {**drawn, name: np.minimum(drawn[name] + 0.1, BOUNDS[name][1])}
        steps = formula.evaluate(text, larger) - value
        assert not sign or (sign * steps[np.isfinite(steps)] > -1e-12).all()
