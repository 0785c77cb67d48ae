"""Metrics of several labels equal scikit-learn's, and ICM its formula and PyEvALL."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as library

from scoring_program.core.errors import MetricError, SettingsError
from scoring_program.data.entry import objects
from scoring_program.metrics import resolve
from scoring_program.scoring.bind import bind
from scoring_program.settings.checks import MetricSpec
from tests.metrics.kinds.labelings import FOUND, GOLD, LABELS, gold, system
from tests.metrics.kinds.resamples import compare, scorer_of
from tests.sweeps import thinned

CORRECT = gold()
SYSTEMS = [system(CORRECT, errors, seed) for seed, errors in enumerate((0.25, 0.4))]
SYSTEMS.append(SYSTEMS[0])
#: Resamples on which further parameters are tried.
FEW = 20


def matrix(sets: list[Any]) -> Any:
    return np.array([[label in of for label in LABELS] for of in sets], int)


@pytest.mark.parametrize("average", ["micro", "macro", "weighted", "samples"])
@pytest.mark.parametrize(
    ("function", "params"),
    thinned([("f1_score", {}), ("precision_score", {}), ("recall_score", {}), ("jaccard_score", {}),
     ("fbeta_score", {"beta": 0.5})], 2),
)  # fmt: skip
def test_equals_scikit_learn_on_the_resampled_examples(
    function: str, params: Mapping[str, Any], average: str
) -> None:
    scored = getattr(library, function)
    both = {**params, "average": average}

    def oracle(golds: list[Any], found: list[Any]) -> float:
        return float(scored(matrix(golds), matrix(found), zero_division=0.0, **both))

    compare(function, {**both, "kind": "label_sets"}, CORRECT, SYSTEMS, oracle)


@pytest.mark.parametrize("zero", [1, float("nan")])
@pytest.mark.parametrize("function", ["f1_score", "recall_score", "jaccard_score"])
def test_examples_without_labels_count_as_zero_division_says(function: str, zero: float) -> None:
    if function == "jaccard_score" and math.isnan(zero):
        pytest.skip("scikit-learn's Jaccard takes 0 and 1 only")
    params = {"average": "samples", "zero_division": zero}
    scored = getattr(library, function)
    compare(
        function, params, CORRECT, SYSTEMS,
        lambda golds, found: float(scored(matrix(golds), matrix(found), **params)), FEW,
    )  # fmt: skip


@pytest.mark.parametrize("function", ["accuracy_score", "zero_one_loss", "hamming_loss"])
def test_whole_examples_and_single_decisions_equal_scikit_learn(function: str) -> None:
    scored = getattr(library, function)
    many = gold(1500)
    systems = [system(many, 0.2, 1), system(many, 0.2, 1)]
    compare(
        function, {"kind": "label_sets"}, many, systems,
        lambda golds, found: float(scored(matrix(golds), matrix(found))),
    )  # fmt: skip


def _content(labels: set[str], golds: list[Any]) -> float:
    """The information content of independent labels, with their shares of the gold."""
    shares = [max(sum(label in of for of in golds), 1) / len(golds) for label in labels]
    return sum(-math.log2(share) for share in shares)


def _icm(golds: list[Any], found: list[Any]) -> float:
    """ICM as Amigó and Delgado (2022) define it, with their weights 2, 2 and 3."""
    total = 0.0
    for right, own in zip(map(set, golds), map(set, found), strict=True):
        total += 2 * _content(own, golds) + 2 * _content(right, golds)
        total -= 3 * _content(own | right, golds)
    return total / len(golds)


def _icm_norm(golds: list[Any], found: list[Any]) -> float:
    perfect = _icm(golds, golds)
    return max((_icm(golds, found) + perfect) / (2 * perfect), 0.0)


@pytest.mark.parametrize(("function", "oracle"), [("icm", _icm), ("icm_norm", _icm_norm)])
def test_icm_equals_its_formula_on_the_resampled_examples(function: str, oracle: Any) -> None:
    compare(function, {}, CORRECT, SYSTEMS, oracle)


@pytest.mark.parametrize(("function", "value"), [("icm", -0.2), ("icm_norm", 0.46023991160710276)])
def test_icm_equals_pyevall(function: str, value: float) -> None:
    """Values of PyEvALL 0.2.11, with a hierarchy whose classes are all leaves.

    PyEvALL leaves out examples whose correct list is empty; here these count like others.
    """
    np.testing.assert_allclose(scorer_of(function, {}, GOLD, [FOUND]).observed, value, atol=1e-12)


@pytest.mark.parametrize("function", ["icm", "icm_norm"])
def test_icm_has_no_parameters(function: str) -> None:
    with pytest.raises(SettingsError, match=f"metric 'x': {function} has no parameter 'average'$"):
        resolve([MetricSpec("x", function, {"average": "macro"})], None)


def test_bounds_of_icm_norm() -> None:
    opposite = [tuple(label for label in LABELS if label not in of) for of in CORRECT]
    scorer = scorer_of("icm_norm", {}, CORRECT, [CORRECT, opposite])
    np.testing.assert_allclose(scorer.observed, [1, 0])


def test_every_label_of_the_competition_counts() -> None:
    """A label that neither gold nor predictions hold lowers the macro F1 of a test set."""
    (metric,) = resolve(
        [MetricSpec("x", "f1_score", {"average": "macro"}, kind="label_sets")], None
    )
    known = np.array([*LABELS, "trust"])
    scored = bind(metric, objects(GOLD), [objects(GOLD)], known).observed
    np.testing.assert_allclose(scored, 5 / 6)


def test_an_average_must_be_named() -> None:
    with pytest.raises(MetricError) as error:
        scorer_of("f1_score", {"kind": "label_sets"}, GOLD, [FOUND])
    assert "need average: micro, macro, weighted, samples" in str(error.value)
