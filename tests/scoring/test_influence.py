"""Influence values against what they approximate: scores with a unit drawn more or less often."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scoring_program.scoring.bind import bind
from scoring_program.scoring.combined import FormulaScorer
from scoring_program.scoring.scorer import Scorer
from tests.metrics import cases
from tests.metrics.test_registry import REGISTRY, bound
from tests.sweeps import swept

#: Every row is drawn so often; one of them once more, or once less.
OFTEN = 120
#: More than any jackknife here takes.
ALL = 10**6
NOT_SMOOTH = {"median_absolute_error", "max_error"}


def scorers(name: str, params: Mapping[str, Any]) -> list[Scorer]:
    """Return the scorers of 40 rows, with the entries that have a score."""
    found = []
    for scorer in bound(name, params):
        defined = np.flatnonzero(np.isfinite(scorer.observation.values)).tolist()
        if scorer.n == 40 and defined:
            found.append(scorer.keep(defined, [scorer.names[entry] for entry in defined]))
    return found


def derivative(scorer: Scorer, units: np.ndarray | None = None) -> np.ndarray:
    """The change [N, m] of the scores with the weight of each unit, from scores of many copies."""
    units = np.arange(scorer.n) if units is None else units
    drawn = (units == np.arange(units.max() + 1)[:, None]).astype(np.int64)
    more, less = (scorer.replicate((OFTEN + sign * drawn).astype(np.uint8)) for sign in (1, -1))
    found = (more.values - less.values) * OFTEN / 2
    return found - found.mean(axis=0)


@pytest.mark.parametrize("every", swept([2, 1]))
@pytest.mark.parametrize("name", sorted(set(REGISTRY) - NOT_SMOOTH))
def test_influence_is_the_derivative(name: str, every: int) -> None:
    compared = 0
    for params in cases.PARAMS[name][::every]:
        for scorer in scorers(name, params):
            if REGISTRY[name].evaluation != "sums" and (
                REGISTRY[name].places is None or scorer.data.y_preds[0].ndim > 1
            ):
                continue
            expected = derivative(scorer)
            influence = scorer.influence(None, 0)
            if influence is None:  # the sums of some entry are inexact
                continue
            known = np.isfinite(expected) & np.isfinite(influence)
            scale = np.abs(expected[known]).max(initial=1e-3)
            np.testing.assert_allclose(
                influence[known], expected[known], atol=1e-3 * scale, rtol=2e-3, err_msg=f"{params}"
            )
            compared += 1
    assert compared or REGISTRY[name].evaluation != "sums"


@pytest.mark.parametrize("name", ["kendalltau", "average_precision_score"])
def test_influence_of_other_metrics_is_the_jackknife(name: str) -> None:
    scorer = scorers(name, {})[0]
    influence = scorer.influence(None, scorer.n)
    assert influence is not None
    left_out = scorer.observed - scorer.jackknife()
    np.testing.assert_allclose(influence, (left_out - left_out.mean(axis=0)) * 39 / 40, atol=1e-15)
    assert scorer.influence(None, scorer.n - 1) is None


@pytest.mark.parametrize("name", sorted(NOT_SMOOTH))
def test_a_quantile_has_no_influence_values(name: str) -> None:
    scorer = scorers(name, {})[0]
    assert not scorer.smooth
    assert scorer.influence(None, ALL) is None


@pytest.mark.parametrize("name", ["f1_score", "root_mean_squared_error", "roc_auc_score"])
def test_the_influence_of_a_group_is_that_of_its_rows(name: str) -> None:
    scorer = scorers(name, cases.PARAMS[name][0])[0]
    units = np.arange(scorer.n) % 7
    influence = scorer.influence(units, ALL)
    assert influence is not None
    expected = derivative(scorer, units)
    np.testing.assert_allclose(influence, expected, atol=0.01 * np.abs(expected).max())


def test_a_formula_has_the_influence_of_its_metrics() -> None:
    gold, predictions = cases.numbers_data(np.random.default_rng(4), 60, ties=False)
    parts = [cases.metric("mean_absolute_error", {}), cases.metric("r2_score", {})]
    scorers = [bind(metric, gold, predictions) for metric in parts]
    formula = replace(parts[0], label="formula", evaluation="formula")
    metric = replace(
        formula,
        formula="r2_score ** 2 / (1 + mean_absolute_error)",
        components=tuple(parts),
    )
    scorer = FormulaScorer(metric, scorers)
    influence = scorer.influence(None, ALL)
    assert influence is not None
    expected = derivative(scorer)
    np.testing.assert_allclose(influence, expected, atol=1e-3 * np.abs(expected).max())
    median = bind(cases.metric("median_absolute_error", {}), gold, predictions)
    assert FormulaScorer(metric, [scorers[0], median]).influence(None, ALL) is None
