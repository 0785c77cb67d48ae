from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scoring_program.inference.evidence import Competitiveness
from scoring_program.metrics import Metric
from tests.arrays import made_metric

from .cases import ACCURACY, Case, answers

F1 = replace(ACCURACY, name="f1")
MAE = made_metric("mae", kind="numbers", greater_is_better=False, ideal=0.0, high=np.inf)

#: Scores of VaxxStance@IberLEF 2021 and what Nava-Muñoz, Graff and Escalante 2024 print of them.
VAXXSTANCE = {
    "Spanish": ([0.8092, 0.7906, 0.7410, 0.6738, 0.6404], 9.970, 0.068, 19.08),
    "Basque": ([0.5734, 0.5465, 0.5024, 0.4256, 0.3428], 19.680, 0.071, 42.66),
}


@pytest.mark.parametrize("track", VAXXSTANCE)
def test_vaxxstance(track: str) -> None:
    scores, cv, to_median, ppi = VAXXSTANCE[track]
    found = Competitiveness.from_scores(F1, np.array(scores), 1000, {}, {})
    assert found.cv_percent == pytest.approx(cv, abs=0.002)  # of scores printed with four digits
    assert found.winner_minus_median == pytest.approx(to_median, abs=5e-4)
    assert found.ppi_percent == pytest.approx(ppi, abs=5e-3)
    assert (found.n, found.m, found.possible_comparisons) == (1000, 5, 10)


def test_median_of_an_even_number_of_entries() -> None:
    scores = np.array([0.9, 0.5, 0.8, 0.6])
    for metric in (F1, MAE):
        found = Competitiveness.from_scores(metric, scores, 10, {}, {})
        assert found.winner_minus_median == pytest.approx(0.2)


def test_unbounded_error() -> None:
    scores = np.array([3.0, 1.5, 2.0])
    found = Competitiveness.from_scores(MAE, scores, 10, {}, {})
    assert (found.ppi_percent, found.winner_minus_median) == (1.5, 0.5)


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        (F1, 20.0),
        (made_metric("mcc", low=-1.0), 10.0),
        (made_metric("zero_one", greater_is_better=False, ideal=0.0), 70.0),
        (made_metric("r2", low=-np.inf), None),
        (made_metric("unknown", ideal=None), None),
    ],
)
def test_possible_improvement(metric: Any, expected: Any) -> None:
    found = Competitiveness.from_scores(metric, np.array([0.7, 0.8]), 10, {}, {})
    assert found.ppi_percent == (None if expected is None else pytest.approx(expected))


def test_one_entry_has_no_spread() -> None:
    found = Case(answers(30, 1, 1)).analyze().competitiveness
    assert found.winner_minus_median is None
    assert found.cv_percent is None
    assert found.possible_comparisons == 0
    assert set(found.ties_between_competitors.values()) == {0}


def test_no_cv_without_a_ratio_scale_or_a_mean() -> None:
    case = Case(answers(30, 3, 1), metric=replace(ACCURACY, ratio_scale=False))
    assert case.analyze().competitiveness.cv_percent is None
    found = Competitiveness.from_scores(ACCURACY, np.array([-0.5, 0.5]), 10, {}, {})
    assert found.cv_percent is None


def test_ties_are_counted_over_the_leaders_and_the_rows_families() -> None:
    evidence = Case(answers(60, 8, 3), resamples=999).analyze(reference_entry="team004")
    pairs, found = evidence.pairs, evidence.competitiveness
    with_leader = pairs.better == evidence.scores.leader
    assert found.ties_with_winner["none"] == sum(pairs.p_one_sided[with_leader] >= 0.05)
    for correction in ("bonferroni", "holm", "fdr_bh"):
        row = pairs.p_adjusted["row"][correction]
        assert found.ties_between_competitors[correction] == sum(row >= 0.05)
        assert found.ties_with_winner[correction] == sum(row[with_leader] >= 0.05)


@pytest.mark.parametrize("metric", [F1, MAE], ids=["f1", "mae"])
def test_measures_have_the_standard_deviation_over_resamples(metric: Metric) -> None:
    """By loops: each measure is computed on every resample as on the whole test set."""
    rng = np.random.default_rng(0)
    scores = np.array([0.8, 0.7, 0.65, 0.6])
    replicates = scores[:, None] + 0.05 * rng.normal(size=(4, 200))
    found = Competitiveness.from_scores(metric, scores, 100, {}, {}, replicates)
    drawn = [Competitiveness.from_scores(metric, one, 100, {}, {}) for one in replicates.T]
    for name in ("winner_minus_median", "cv_percent", "ppi_percent"):
        values = [getattr(one, name) for one in drawn]
        expected = None if None in values else np.std(values, ddof=1)
        assert found.standard_errors[name] == pytest.approx(expected)


def test_a_measure_that_does_not_exist_has_no_standard_error() -> None:
    replicates = np.random.default_rng(0).normal(size=(1, 50))
    found = Competitiveness.from_scores(F1, np.array([0.8]), 100, {}, {}, replicates)
    assert found.standard_errors["winner_minus_median"] is None
    assert found.standard_errors["cv_percent"] is None
    assert found.standard_errors["ppi_percent"] == pytest.approx(100 * replicates.std(ddof=1))
    assert Competitiveness.from_scores(F1, np.array([0.8]), 100, {}, {}).standard_errors == {}
