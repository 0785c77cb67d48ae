from __future__ import annotations

import math

import pytest

from scoring_program.core.catalogs import load
from scoring_program.core.phrases import MISSING, Numerals, exact_decimals
from scoring_program.report.numbers import (
    decimals_for,
    decimals_to_show,
    planned_size,
    rounded_costs,
    upward,
)

ENGLISH = Numerals()
COMMA = Numerals(decimal=",", thousands=".")


@pytest.mark.parametrize(
    ("error", "decimals"), [(0.0147, 4), (0.05, 3), (1.2, 2), (31.0, 0), (4000.0, 0), (1e-12, 8)]
)
def test_digits_fit_the_uncertainty(error: float, decimals: int) -> None:
    assert decimals_for([error]) == decimals


def test_digits_without_any_uncertainty() -> None:
    assert decimals_for([0.0, math.nan]) == 4


@pytest.mark.parametrize(
    ("scores", "error", "decimals"),
    [
        ((0.72, 0.71), 0.05, 3),
        ((0.7201, 0.7199), 0.05, 4),  # at three decimals, they would look equal
        ((0.72, 0.72), 0.05, 3),
        ((0.72001, 0.72002), 0.05, 4),
        ((0.72, 0.71), 0.0004, 4),
        ((0.72, 0.71), 0.00004, 5),  # the first digit of the standard error
        ((34.2, 33.9), 0.6, 2),
        ((1.203, 1.211, 1203.0), 0.031, 3),
        ((98765.4, 98765.6), 31.0, 0),
    ],
)
def test_digits_tell_scores_apart(scores: tuple[float, ...], error: float, decimals: int) -> None:
    assert decimals_to_show(scores, [error] * len(scores), [], 0.0) == decimals


@pytest.mark.parametrize(
    ("scores", "errors", "of_pairs", "of_leader", "decimals"),
    [
        ((34.0, 33.0), (40.0, 40.0), (), 0.0, 0),
        ((0.7, 0.3), (0.5, 0.5), (0.02,), 0.0, 4),  # a difference has a smaller standard error
        ((0.7, 0.3), (0.5, 0.5), (), 0.0299, 3),  # ten of the leader's own count as one
        ((0.7, 0.3), (0.5, 0.5), (), 0.0301, 2),
        # At most four digits, or the first one of the median standard error.
        ((0.7, 0.3), (1e-7, 1e-7, 1e-5, 1.0, 1.0), (1e-6,), 0.0, 5),
        ((0.7, 0.3), (0.0, math.inf, 1e-5), (1e-6,), 0.0, 5),
        ((0.1, 0.2, 12.0, 3456.0, 5000.0), (1.0,) * 5, (1e-6,), 0.0, 2),
        ((98765.4, 98765.6), (31.0, 31.0), (0.1,), 0.0, 0),
    ],
)
def test_digits_of_scores_and_their_differences(
    scores: tuple[float, ...],
    errors: tuple[float, ...],
    of_pairs: tuple[float, ...],
    of_leader: float,
    decimals: int,
) -> None:
    assert decimals_to_show(scores, errors, of_pairs, of_leader) == decimals


@pytest.mark.parametrize(
    ("needed", "planned"),
    [(7, 7), (99, 99), (101, 110), (120, 120), (1201, 1300), (99_001, 100_000)],
)
def test_a_planned_size_has_two_digits_and_is_never_too_small(needed: int, planned: int) -> None:
    assert planned_size(needed) == planned


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.71541, 4, "0.7154"),
        (-0.0128, 4, "−0.0128"),
        (-0.00001, 4, "0.0000"),
        (1234567.891, 1, "1,234,567.9"),
        (math.nan, 2, MISSING),
        (math.inf, 2, MISSING),
    ],
)
def test_fixed(value: float, decimals: int, text: str) -> None:
    assert ENGLISH.fixed(value, decimals) == text


@pytest.mark.parametrize(
    ("value", "decimals", "bound"),
    [
        (0.0876165, 4, 0.0877),
        (0.0876, 4, 0.0876),
        (0.1 + 0.2, 4, 0.3),  # the noise of computing does not count
        (1e-9, 4, 0.0001),
        (0.0, 4, 0.0),
        (12.01, 0, 13.0),
        (1e300, 8, 1e300),
        (1e305, 8, 1e305),
        (math.inf, 4, math.inf),
    ],
)
def test_an_upper_bound_is_rounded_up(value: float, decimals: int, bound: float) -> None:
    assert upward(value, decimals) == pytest.approx(bound, rel=1e-12)
    assert math.isnan(upward(math.nan, decimals))


def test_signs_are_shown_on_request() -> None:
    assert ENGLISH.fixed(0.5, 2, signed=True) == "+0.50"
    assert ENGLISH.fixed(-0.5, 2, signed=True) == "−0.50"
    assert ENGLISH.fixed(0.0, 2, signed=True) == "0.00"


def test_another_language_has_its_own_signs() -> None:
    assert COMMA.fixed(1234.5, 2) == "1.234,50"
    assert COMMA.interval(0.25, 0.5, 2) == "[0,25; 0,50]"
    assert COMMA.p(0.00001) == "≤\u00a00,0001"


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0.0301, "0.030"),
        (0.0046, "0.0046"),
        (0.00011, "0.0001"),
        (0.0001, "≤\u00a00.0001"),
        (0.01, "0.010"),
        (1 / 10001, "≤\u00a00.0001"),
        (1e-5, "≤\u00a00.0001"),
        (1.0, "1.000"),
    ],
)
def test_p_is_never_a_bare_zero(p: float, text: str) -> None:
    assert ENGLISH.p(p) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0%"),
        (0.001, "<1%"),
        (0.005, "<1%"),
        (0.364, "36%"),
        (0.995, ">99%"),
        (0.999, ">99%"),
        (1.0, "100%"),
    ],
)
def test_never_and_always_keep_to_themselves(share: float, text: str) -> None:
    assert ENGLISH.percent(share) == text


@pytest.mark.parametrize(
    "ends", [(math.nan, math.nan), (0.25, math.inf), (-math.inf, 0.25), (math.nan, 1.0)]
)
def test_an_interval_that_does_not_exist(ends: tuple[float, float]) -> None:
    """One infinite end is enough."""
    assert ENGLISH.interval(*ends, 3) == MISSING


def test_the_fewest_decimals_that_print_values_exactly() -> None:
    assert exact_decimals([0.5, 0.25, 3.0]) == 2
    assert exact_decimals([1234567.1]) == 1
    assert exact_decimals([1e6 + 1e-5, 1.0]) == 0  # twelve digits are told apart, no more
    assert exact_decimals([math.pi]) == 10
    assert exact_decimals([2e-11, 1.5e-11, 0.0]) == 12


@pytest.mark.parametrize(("confidence", "text"), [(0.95, "95%"), (0.999, "99.9%"), (0.9, "90%")])
def test_settings_are_exact(confidence: float, text: str) -> None:
    assert ENGLISH.exact_percent(confidence) == text


def test_decimals_of_constants() -> None:
    assert exact_decimals([0.5, 0.25]) == 2
    assert exact_decimals([1.0]) == 0


def test_small_scores_keep_their_significant_digits() -> None:
    scores, errors = [3.1e-10, 3.6e-10], [2e-11, 2e-11]
    assert decimals_to_show(scores, errors, [1e-11], 2e-11) == 11
    # What computing leaves of equal scores of a usual size is none.
    assert decimals_to_show([0.7, 0.7], [1e-17, 1e-17], [], 1e-17) == 8


def test_costs_have_four_digits_or_as_many_as_tell_them_apart() -> None:
    costs = [3.14159, 100_000.0, 100_001.0, 100_000.4, 0.5, 0.0, math.nan]
    assert list(rounded_costs(costs[:1]).values()) == [3.142]
    shown = rounded_costs(costs)
    assert [shown[cost] for cost in costs[:6]] == [3.142, 100_000, 100_001, 100_000.4, 0.5, 0]


def test_costs_in_order_are_shown_in_order() -> None:
    costs = [2.0 + step * 1e-5 for step in range(300)]
    shown = rounded_costs(reversed(costs))
    assert [shown[cost] for cost in costs] == sorted({*shown.values()})


def test_costs_that_agree_in_twelve_digits_are_shown_alike() -> None:
    assert {*rounded_costs([0.1 + 0.2, 0.3]).values()} == {0.3}


@pytest.mark.parametrize(
    ("code", "numbers"),
    [
        ("en", ("2,411", "12,345.6", "−1,234.5", "95%", "5–10%", "[0.10, 1.25]")),
        # As the academies of Spanish write: four digits stand together, and a space before %.
        (
            "es",
            ("2411", "12\u202f345,6", "−1234,5", "95\u202f%", "5–10\u202f%", "[0,10; 1,25]"),
        ),
        ("pt", ("2.411", "12.345,6", "−1.234,5", "95%", "5–10%", "[0,10; 1,25]")),
    ],
)
def test_numbers_are_written_as_the_language_writes_them(
    code: str, numbers: tuple[str, ...]
) -> None:
    numerals = load(code).numerals
    assert numbers == (
        numerals.count(2411),
        numerals.fixed(12345.6, 1),
        numerals.fixed(-1234.5, 1),
        numerals.exact_percent(0.95),
        numerals.percents(5, 10),
        numerals.interval(0.1, 1.25, 2),
    )
