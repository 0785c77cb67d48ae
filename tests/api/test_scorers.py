"""Every scorer name of the scikit-learn that is installed: its value, or a clear refusal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sklearn
from sklearn.metrics import get_scorer, get_scorer_names

import scoring_program as dh
from tests.api import data
from tests.sweeps import thinned

#: For labels that are several per row, which `compare` does not take.
SAMPLES = ("f1_samples", "jaccard_samples", "precision_samples", "recall_samples")
#: Scorers of probabilities that several classes have too.
OF_CLASSES = {
    "neg_log_loss", "roc_auc_ovr", "roc_auc_ovo", "roc_auc_ovr_weighted", "roc_auc_ovo_weighted",
    "neg_brier_score", "d2_log_loss_score", "d2_brier_score", "top_k_accuracy", "average_precision",
}  # fmt: skip
BRIER = get_scorer("neg_brier_score")


def suitable(scorer: Any, classes: int) -> tuple[np.ndarray[Any, Any], data.Arrays]:
    """Return what a scorer is for: numbers, labels or probabilities."""
    if scorer._score_func.__module__.endswith("_regression"):
        return data.numbers()
    if scorer._response_method == "predict":
        return data.labels(classes)
    return data.probabilities(classes)


def value(scorer: Any, y_true: Any, y_pred: Any) -> float:
    """Return scikit-learn's value, of two classes with the second one's probability alone."""
    if y_pred.ndim == 2 and y_pred.shape[1] == 2:
        y_pred = y_pred[:, 1]
    if scorer._score_func is BRIER._score_func and y_pred.ndim == 2 and sklearn.__version__ < "1.7":
        # Of two classes only, in these versions; newer ones add up the squares of all classes.
        return float(((y_pred - (y_true[:, None] == np.unique(y_true))) ** 2).sum(axis=1).mean())
    return float(scorer._score_func(y_true, y_pred, **scorer._kwargs))


def check(name: str, classes: int) -> None:
    scorer = get_scorer(name)
    y_true, predictions = suitable(scorer, classes)
    result = dh.compare(y_true, predictions, metrics=name, resamples=100, workers=1)
    found = result[name]
    assert found.name == name.removeprefix("neg_")
    assert found.greater_is_better == (scorer._sign > 0)
    for row in found.ranking:
        expected = value(scorer, y_true, predictions[row.entry])
        assert row.score == pytest.approx(expected, rel=1e-9, abs=1e-9)
    best = max if found.greater_is_better else min
    assert found.ranking[0].score == best(row.score for row in found.ranking)


@pytest.mark.filterwarnings("ignore:'k' .2. greater:sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize("name", thinned(sorted(set(get_scorer_names()) - set(SAMPLES))))
def test_a_scorer_gives_the_value_of_scikit_learn(name: str) -> None:
    check(name, 2)


@pytest.mark.parametrize("name", thinned(sorted(OF_CLASSES & set(get_scorer_names()))))
def test_a_scorer_of_several_classes_gives_the_value_of_scikit_learn(name: str) -> None:
    check(name, 3)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_scorer_of_several_labels_per_row_is_refused(name: str) -> None:
    y_true, predictions = data.labels(2)
    with pytest.raises(dh.OrganizerError, match="need a list of labels for each example"):
        dh.compare(y_true, predictions, metrics=name, resamples=100)


@pytest.mark.parametrize("name", ["f1", "precision", "recall", "jaccard", "roc_auc"])
def test_a_scorer_of_two_classes_says_what_three_need(name: str) -> None:
    y_true, predictions = suitable(get_scorer(name), 3)
    with pytest.raises(dh.OrganizerError, match=r"two labels, and the task has 3|multi_class"):
        dh.compare(y_true, predictions, metrics=name, resamples=100)
