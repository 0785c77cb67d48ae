"""Metrics of many classes: the rows of each are listed, and give what whole columns give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn import metrics as library

from scoring_program.bootstrap.design import draw_counts
from scoring_program.metrics import resolve
from scoring_program.metrics.families import labels
from scoring_program.metrics.sums import scattered
from scoring_program.scoring.bind import bind
from scoring_program.scoring.scorers import SumsScorer
from scoring_program.settings.checks import MetricSpec

#: Functions and their parameters.
ASKED: dict[str, tuple[str, dict[str, Any]]] = {
    "macro": ("f1_score", {"average": "macro"}),
    "weighted": ("f1_score", {"average": "weighted"}),
    "micro": ("jaccard_score", {"average": "micro"}),
    "some": ("precision_score", {"average": "macro", "labels": [3, 1, 4], "zero_division": 1}),
    "recall": ("recall_score", {"average": "weighted"}),
    "balanced": ("balanced_accuracy_score", {}),
    "matthews": ("matthews_corrcoef", {}),
    "kappa": ("cohen_kappa_score", {}),
}


def scorer(name: str, n: int, classes: int, *, text: bool = False) -> SumsScorer:
    """Bind a metric to random labels of two entries; not every prediction is in the gold."""
    rng = np.random.default_rng(2)
    gold = rng.integers(0, classes, n)
    entries = [np.where(rng.random(n) < p, gold, rng.integers(0, classes, n)) for p in (0.7, 0.5)]
    function, params = ASKED[name]
    (metric,) = resolve([MetricSpec(name, function, params)], None)
    if text:
        gold, *entries = (np.array([f"c{k}" for k in y.tolist()]) for y in (gold, *entries))
    bound = bind(metric, gold, entries)
    assert isinstance(bound, SumsScorer)
    return bound


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("name", [name for name in ASKED if name != "some"])
def test_scores_on_resamples_are_those_of_scikit_learn(name: str, text: bool) -> None:
    found = scorer(name, 700, 400, text=text)
    assert scattered(found.sums.columns[0][0]) is not None
    counts = draw_counts(np.random.default_rng(8), 700, 6)
    function, params = ASKED[name]
    for drawn, scores in zip(counts, found.replicate(counts).values, strict=True):
        gold = np.repeat(found.data.y_true, drawn)
        for y_pred, score in zip(found.data.y_preds, scores, strict=True):
            expected = getattr(library, function)(gold, np.repeat(y_pred, drawn), **params)
            assert score == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", ASKED)
def test_lists_of_rows_give_what_columns_give(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = scorer(name, 300, 7)
    assert scattered(whole.sums.columns[0][0]) is None
    monkeypatch.setattr(labels, "_MANY", 2)
    found = scorer(name, 300, 7)
    assert scattered(found.sums.columns[0][0]) is not None
    counts = draw_counts(np.random.default_rng(8), 300, 50)
    np.testing.assert_array_equal(found.observed, whole.observed)
    together = whole.replicate(counts).values
    monkeypatch.setattr(labels, "_AT_ONCE", 1)  # one entry at a time
    np.testing.assert_array_equal(found.replicate(counts).values, together)
    taken, of_whole = (one.take(np.arange(50, 300, 3)) for one in (found, whole))
    part = np.ascontiguousarray(counts[:, :84])
    np.testing.assert_array_equal(taken.replicate(part).values, of_whole.replicate(part).values)
    np.testing.assert_allclose(found.jackknife(), whole.jackknife(), rtol=1e-12)
    units = np.arange(300) // 3
    for given in (None, units):
        ours, theirs = (one.influence(given, 1000) for one in (found, whole))
        assert ours is not None
        assert theirs is not None
        np.testing.assert_allclose(ours, theirs, atol=1e-7)
    swap = np.random.default_rng(1).random((5, 300)) < 0.5
    np.testing.assert_array_equal(found.randomized(0, 1, swap), whole.randomized(0, 1, swap))
