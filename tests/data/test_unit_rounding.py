"""Scores that only rounding tells apart are equal in every statistic: 0.1 + 0.2 is 0.3."""

from __future__ import annotations

import numpy as np
import pytest

import scoring_program as dh
from scoring_program.audit import schemes
from scoring_program.core.catalogs import load
from scoring_program.inference.comparing.draws import rank_frequencies
from scoring_program.inference.descriptive import wins
from scoring_program.scoring.overall import ranks

RNG = np.random.default_rng(5)
#: The same scores, added up in two orders.
PARTS = RNG.integers(0, 10, (3, 60)) / 10
ONE, OTHER = PARTS[0] + PARTS[1] + PARTS[2], PARTS[2] + PARTS[1] + PARTS[0]
SCORES = {"A": ONE / 3, "B": OTHER / 3, "worse": ONE / 3 - RNG.integers(1, 4, 60) / 10}


def test_the_two_orders_differ() -> None:
    assert (ONE != OTHER).any()
    np.testing.assert_allclose(ONE, OTHER, rtol=1e-15)


@pytest.mark.parametrize("better", [True, False])
@pytest.mark.parametrize("function", ["mean_score", "median_score", "mean_unit_rank"])
def test_equal_scores_are_an_exact_tie(function: str, better: bool) -> None:
    sign = 1 if better else -1
    scores = {name: sign * values for name, values in SCORES.items()}
    result = dh.compare_scores(scores, function, greater_is_better=better, resamples=200, workers=1)
    found = {row.entry: row for row in result[function].ranking}
    assert [found[name].rank for name in ("A", "B", "worse")] == [1, 1, 3]
    assert found["A"].score == found["B"].score
    assert result[function].possible_winners == ("A", "B")
    (difference,) = (row for row in result[function].differences if row.entry == "B")
    assert (difference.observed, difference.low, difference.high) == (0.0, 0.0, 0.0)
    assert difference.p_one_sided == 1.0
    record = result.to_dict()["metrics"][0]
    shares = {row["entry"]: row["rank_frequency"] for row in record["entries"]}
    assert shares["A"] == shares["B"]


def test_every_scheme_of_the_audit_has_both_on_top() -> None:
    result = dh.compare_scores(
        SCORES, "mean_score", greater_is_better=True, resamples=200, workers=1
    )
    found = result.audit().to_dict()["schemes"]
    assert len(found) > 3
    for scheme in found:
        assert scheme["top"] == ["A", "B"], scheme["name"]


@pytest.mark.parametrize("seed", [17, 20, 23, 25])
def test_equal_sizes_of_differences_share_their_rank(seed: int) -> None:
    whole = np.random.default_rng(seed).integers(0, 10, (20, 5)) + np.arange(5)
    expected = wins(whole.astype(float), 0.1).tolist()
    for added in (0.0, 0.7):
        scores = np.asarray(whole * 0.1 + added, np.float64)
        assert wins(scores, 0.1).tolist() == expected


def test_the_largest_number_is_no_infinity() -> None:
    """An infinite loss stands for none at all."""
    losses = np.array([[-np.inf, -1e308, 1e308, np.inf, np.inf]])
    assert ranks(losses, np.ones(5, np.bool_)).tolist() == [[1, 2, 3, 4.5, 4.5]]


def test_ranks_of_other_schemes() -> None:
    everyone = np.ones(3, np.bool_)
    assert schemes.ranked(np.array([0.1 + 0.2, 0.3, 0.2]), everyone).tolist() == [1, 1, 3]
    losses = np.array([[0.1 + 0.2, 0.3, 0.4], [0.3, 0.1 + 0.2, 0.2]])
    assert ranks(losses, everyone).tolist() == [[1.5, 1.5, 3], [2.5, 2.5, 1]]
    runs = np.array([0, 1, 1])
    assert ranks(losses[:1], everyone, runs).tolist() == [[1.5, 1.5, 2]]


def test_ranks_on_resamples() -> None:
    replicates = np.array([[0.1 + 0.2, 0.3, 0.1], [0.3, 0.1 + 0.2, 0.2]])
    found = rank_frequencies(replicates, np.ones(2, np.bool_))
    np.testing.assert_allclose(found, np.array([[2 / 3, 1 / 3], [1.0, 0.0]]))


def test_numbers_on_the_page() -> None:
    numerals = load("en").numerals
    assert numerals.fixed(0.05235000000000001, 4) == numerals.fixed(0.05235, 4)
