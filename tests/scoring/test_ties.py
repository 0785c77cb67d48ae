"""Scores that only rounding tells apart are ties, whatever adds them up."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import scoring_program as deadheat
from scoring_program.core.rounding import without_rounding
from tests.competitions import write_csv

EPS = np.finfo(np.float64).eps


def test_a_chain_of_rounded_scores_is_one_score() -> None:
    scores = np.array([0.3, 0.1 + 0.2, 0.3 + 2 * EPS, 0.4, np.nan, -0.3])
    equal = without_rounding(scores, 0.0)
    np.testing.assert_array_equal(equal, [0.3, 0.3, 0.3, 0.4, np.nan, -0.3])


@pytest.mark.parametrize(("scale", "tied"), [(0.0, False), (1.0, True)])
def test_scores_near_zero_are_told_apart_by_their_scale(scale: float, tied: bool) -> None:
    equal = without_rounding(np.array([1e-17, 3e-17, 1e-3]), scale)
    assert bool(equal[0] == equal[1]) is tied
    assert equal[2] == 1e-3


def test_different_scores_stay_as_they_are() -> None:
    scores = np.random.default_rng(0).normal(size=100)
    np.testing.assert_array_equal(without_rounding(scores, 1.0), scores)
    small = np.array([1e-9, 1.0001e-9])
    np.testing.assert_array_equal(without_rounding(small, 0.0), small)
    assert without_rounding(np.empty(0), 1.0).size == 0


def test_equal_errors_of_decimals_share_the_first_place() -> None:
    gold = np.round(np.random.default_rng(0).normal(size=40), 1)
    steps = {"A": [0.1, 0.2] * 20, "B": [0.3, 0.0] * 20}
    predictions = {name: np.round(gold + step, 1) for name, step in steps.items()}
    for values in predictions.values():
        errors = [
            abs(Fraction(str(a)) - Fraction(str(b))) for a, b in zip(values, gold, strict=True)
        ]
        assert sum(errors) / 40 == Fraction(15, 100)
    result = deadheat.compare(gold, predictions, metrics="neg_mean_absolute_error", resamples=100)
    assert [row.rank for row in result.ranking] == [1, 1]
    assert result.verified is None


@pytest.mark.parametrize("spread", [0.5, 0.001])
def test_gains_and_losses_that_cancel_share_the_first_place(tmp_path: Path, spread: float) -> None:
    """Each of two teams wins one of two tasks, by whatever margin: both have the mean 0."""
    rng = np.random.default_rng(5)
    for number in range(2):
        scores = np.round(0.9 - spread * rng.random((2, 2)), 7)
        frame = [
            {"task": f"t{task}", "system": name, "unit": unit, "score": float(score)}
            for task, name_scores in enumerate(np.sort(scores, axis=1))
            for name, score in zip("AB"[:: 1 - 2 * task], name_scores, strict=True)
            for unit in range(10)
        ]
        folder = tmp_path / str(number)
        (folder / "ref").mkdir(parents=True)
        settings = "overall: mean_standardized\ngreater_is_better: true\nresamples: 100\n"
        (folder / "ref" / "scoring.yaml").write_text(settings, encoding="utf-8")
        write_csv(
            folder / "res" / "long.csv", {key: [row[key] for row in frame] for key in frame[0]}
        )
        result = deadheat.score(folder, None)
        assert [row.rank for row in result.ranking] == [1, 1]
