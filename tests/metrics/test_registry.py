"""Every metric of the registry equals its oracle on every one of many resamples."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from scoring_program.bootstrap.design import draw_counts
from scoring_program.metrics import REGISTRY as WHOLE_REGISTRY
from scoring_program.metrics.calls import Call
from scoring_program.scoring.bind import bind
from scoring_program.scoring.scorer import Scorer
from tests.metrics import cases
from tests.sweeps import swept

#: The metrics of rows. `tests.metrics.kinds` and `tests.metrics.test_preferences` compare the
#: others with their libraries.
REGISTRY = {
    name: row
    for name, row in WHOLE_REGISTRY.items()
    if row.statistics is None and row.kind != "label_sets" and row.evaluation != "pairs"
}
TOLERANCE = 1e-12
#: Resamples of data with so many rows; the small ones lack classes and divide by zero often.
IN_SHORT, IN_FULL = {40: 1, 7: 4, 1: 1}, {40: 10, 7: 15, 1: 1}


def oracle(scorer: Scorer, rows: Any) -> list[float]:
    """Score the entries with the library's function on the rows given; nan where it refuses.

    The last entry is a copy of the first.
    """
    call = Call(scorer.metric, scorer.data)
    gold = scorer.data.y_true[rows]
    if cases.tells_nothing(scorer.metric, gold):
        return [math.nan] * scorer.m
    scores = [call(gold, y_pred[rows], "a resample") for y_pred in scorer.data.y_preds[:-1]]
    return [*scores, scores[0]]


def bound(name: str, params: Any) -> list[Scorer]:
    """Bind a metric to all data of its kind that it is defined for."""
    metric = cases.metric(name, params)
    return [bind(metric, *data) for data in cases.datasets(REGISTRY[name], params)]


def test_every_metric_has_cases() -> None:
    assert set(cases.PARAMS) == set(REGISTRY)


@pytest.mark.parametrize(
    "resamples",
    [pytest.param(IN_SHORT, id="short"), pytest.param(IN_FULL, id="full", marks=pytest.mark.full)],
)
@pytest.mark.parametrize("name", REGISTRY)
def test_equals_its_oracle_on_every_resample(name: str, resamples: Mapping[int, int]) -> None:
    for params in cases.PARAMS[name][:: 3 if resamples is IN_SHORT else 1]:
        for scorer in bound(name, params):
            counts = draw_counts(np.random.default_rng(3), scorer.n, resamples[scorer.n])
            scored = scorer.replicate(counts)
            for b, drawn in enumerate(counts):
                rows = np.repeat(np.arange(scorer.n), drawn)
                expected = oracle(scorer, rows)
                np.testing.assert_allclose(
                    scored.values[b], expected, rtol=TOLERANCE, atol=TOLERANCE, err_msg=f"{params}"
                )
                assert (scored.undefined[b] | ~np.isnan(expected)).all()


@pytest.mark.parametrize("every", swept([2, 1]))
@pytest.mark.parametrize("name", REGISTRY)
def test_observed_equals_its_oracle(name: str, every: int) -> None:
    for params in cases.PARAMS[name][::every]:
        for scorer in bound(name, params):
            rows = np.arange(scorer.n)
            expected = oracle(scorer, rows)
            values = scorer.observation.values
            np.testing.assert_allclose(values, expected, rtol=TOLERANCE, atol=TOLERANCE)
            assert values[0] == values[-1] or np.isnan(expected[0])


@pytest.mark.parametrize("every", swept([2, 1]))
@pytest.mark.parametrize("name", REGISTRY)
def test_jackknife_and_randomization_follow_the_definition(name: str, every: int) -> None:
    for params in cases.PARAMS[name][::every]:
        for scorer in bound(name, params):
            if scorer.n != 7:
                continue
            units = np.arange(scorer.n) % max(2, scorer.n // 3)
            for given in (None, units):
                np.testing.assert_allclose(
                    scorer.jackknife(given), Scorer.jackknife(scorer, given), rtol=1e-10, atol=1e-10
                )
            swap = np.random.default_rng(1).random((3, scorer.n)) < 0.5
            for got, expected in zip(
                scorer.randomized(0, 1, swap), Scorer.randomized(scorer, 0, 1, swap), strict=True
            ):
                np.testing.assert_allclose(got, expected, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("name", REGISTRY)
def test_scores_keep_to_their_range(name: str) -> None:
    for params in cases.PARAMS[name]:
        for scorer in bound(name, params):
            values = scorer.replicate(np.ones((1, scorer.n), np.uint8)).values
            values = values[~np.isnan(values)]
            assert (values >= scorer.metric.low - TOLERANCE).all()
            assert (values <= scorer.metric.high + TOLERANCE).all()


@pytest.mark.parametrize(("classes", "worst"), [(2, 1.0), (3, 2.0)])
def test_the_range_of_the_brier_score_is_that_of_a_certain_mistake(
    classes: int, worst: float
) -> None:
    gold = np.arange(30) % classes
    wrong = np.eye(classes)[(gold + 1) % classes]
    scorer = bind(
        cases.metric("brier_score_loss", {}), gold, [wrong[:, 1] if classes == 2 else wrong],
        np.arange(classes),
    )  # fmt: skip
    assert scorer.observation.values == [worst]
    assert scorer.metric.high == worst
