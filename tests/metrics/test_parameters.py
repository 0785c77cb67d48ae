"""Values of parameters that scikit-learn refuses are refused; the others are scored as it does."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as library

from scoring_program.core.errors import SettingsError
from scoring_program.metrics import Metric, resolve
from scoring_program.scoring.bind import bind
from scoring_program.settings.checks import MetricSpec

GOLD = np.array([0, 1, 1, 0, 1, 1, 0, 1])
PREDICTED = np.array([0, 1, 0, 0, 1, 1, 1, 1])


def metric(function: str, **params: Any) -> Metric:
    (found,) = resolve([MetricSpec("x", function, params)], None)
    return found


@pytest.mark.parametrize(
    ("function", "key", "values", "expected"),
    [
        ("balanced_accuracy_score", "adjusted", ("no", "off", 1, None), "true or false"),
        ("cohen_kappa_score", "weights", ("quadratc", "None", False), "null, linear, quadratic"),
        ("f1_score", "zero_division", (None, [0], {}, 2, "0"), "warn, 0, 1 or .nan"),
        ("f1_score", "labels", (3, [], [None], [[0, 1]], {"a": 1}), "a list of labels"),
        ("f1_score", "pos_label", ([1], {}), "one label"),
        ("f1_score", "average", ("makro", None, ["macro"]), "binary, micro, macro"),
        ("fbeta_score", "beta", ("two", None, [1], -1, True), "a number of 0 or more"),
        ("mean_pinball_loss", "alpha", ("x", None, [0.5], 2, -1), "a number from 0 to 1"),
        ("roc_auc_score", "multi_class", ("x", None), "raise, ovr, ovo"),
        ("roc_auc_score", "average", ("x", None), "binary, micro, macro"),
        ("ndcg_score", "k", (0, 1.5, "all"), "a whole number of 1 or more"),
    ],
)
def test_refused(function: str, key: str, values: tuple[Any, ...], expected: str) -> None:
    for value in values:
        with pytest.raises(SettingsError, match=f"metric 'x': {key}=.*{expected}"):
            metric(function, **{key: value})


@pytest.mark.parametrize(
    ("function", "params"),
    [
        ("balanced_accuracy_score", {"adjusted": True}),
        ("cohen_kappa_score", {"weights": None}),
        ("cohen_kappa_score", {"weights": "linear"}),
        ("f1_score", {"zero_division": math.nan}),
        ("f1_score", {"zero_division": 1.0}),
        ("f1_score", {"labels": [1], "average": "macro"}),
        ("fbeta_score", {"beta": 0}),
        ("mean_pinball_loss", {"alpha": 1}),
    ],
)
def test_accepted(function: str, params: dict[str, Any]) -> None:
    predicted = PREDICTED * 1.0 if function == "mean_pinball_loss" else PREDICTED
    scorer = bind(metric(function, **params), GOLD, [predicted])
    expected = getattr(library, function)(GOLD, predicted, **params)
    assert scorer.observed[0] == pytest.approx(expected, abs=1e-12)


def test_a_weight_of_recall_whose_square_is_infinite() -> None:
    found = [
        bind(metric("fbeta_score", average="macro", beta=beta), GOLD, [PREDICTED]).observed[0]
        for beta in (1e200, math.inf)
    ]
    assert found[0] == found[1]


def one_hot(labels: np.ndarray) -> np.ndarray:
    return np.eye(labels.max() + 1)[labels]


@pytest.mark.parametrize(
    ("function", "params", "low", "high", "ideal", "wrong"),
    [
        ("accuracy_score", {"normalize": False}, 0, math.inf, None, lambda gold: 1 - gold),
        ("zero_one_loss", {"normalize": False}, 0, math.inf, 0, lambda gold: 1 - gold),
        ("brier_score_loss", {"scale_by_half": True}, 0, 1, 0, lambda gold: one_hot(1 - gold)),
        ("brier_score_loss", {"scale_by_half": False}, 0, 2, 0, lambda gold: one_hot(1 - gold)),
    ],
)
def test_a_range_that_a_parameter_changes(
    function: str,
    params: dict[str, Any],
    low: float,
    high: float,
    ideal: float | None,
    wrong: Callable[[np.ndarray], np.ndarray],
) -> None:
    if function == "brier_score_loss" and "scale_by_half" not in (
        library.brier_score_loss.__code__.co_varnames
        + getattr(library.brier_score_loss, "__wrapped__", len).__code__.co_varnames
    ):
        pytest.skip("this scikit-learn has no such parameter")
    scorer = bind(metric(function, **params), GOLD, [wrong(GOLD)])
    bound = scorer.metric
    assert (bound.low, bound.high, bound.ideal) == (low, high, ideal)
    assert low <= scorer.observed[0] <= high
    if math.isfinite(high):
        assert scorer.observed[0] == pytest.approx(high)
