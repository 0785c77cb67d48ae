"""Metrics of order where their integers are largest: extreme counts, long test sets."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import roc_auc_score

from scoring_program.metrics import resolve
from scoring_program.scoring.bind import bind
from scoring_program.settings.checks import MetricSpec


def counts_of(n: int, rng: np.random.Generator) -> np.ndarray:
    """Resamples [R, n] that are even, that draw few rows very often, and that draw ends only."""
    even = np.bincount(rng.integers(0, n, n), minlength=n)
    few = np.bincount(rng.choice(rng.integers(0, n, n // 200), n), minlength=n)
    ends = np.zeros(n, int)
    ends[[0, 1, -1]] = 255, 120, 255
    ends[rng.choice(np.arange(2, n - 1), n - 630, replace=False)] = 1
    assert max(c.max() for c in (even, few, ends)) < 256
    return np.stack([even, few, ends]).astype(np.uint8)


@pytest.mark.parametrize("n", [2048, 2049, 3000])
def test_spearman(n: int) -> None:
    rng = np.random.default_rng(n)
    gold = np.sort(rng.normal(size=n))
    entries = [gold, -gold, gold + rng.normal(size=n), np.rint(gold * 4 + rng.normal(size=n))]
    counts = counts_of(n, rng)
    scorer = bind(resolve([MetricSpec("rho", "spearmanr")], None)[0], gold, entries)
    found = scorer.replicate(counts).values
    for b, drawn in enumerate(counts):
        rows = np.repeat(np.arange(n), drawn)
        expected = [stats.spearmanr(gold[rows], entry[rows]).statistic for entry in entries]
        np.testing.assert_allclose(found[b], expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("n", [5000, 95_000])
def test_roc_auc(n: int) -> None:
    rng = np.random.default_rng(n)
    gold = (np.arange(n) % 2 == 0).astype(int)
    entries = [gold.astype(float), 1.0 - gold, gold + rng.normal(size=n), rng.integers(0, 9, n)]
    drawn = np.bincount(rng.integers(0, n, n), minlength=n)
    scorer = bind(resolve([MetricSpec("auc", "roc_auc_score")], None)[0], gold, entries)
    (found,) = scorer.replicate(drawn[None].astype(np.uint8)).values
    rows = np.repeat(np.arange(n), drawn)
    expected = [roc_auc_score(gold[rows], entry[rows]) for entry in entries]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("unit", [1e-150, 1e-90, 1.0, 1e90])
def test_pearson_does_not_depend_on_the_unit(unit: float) -> None:
    rng = np.random.default_rng(3)
    gold = rng.normal(size=40)
    entries = [gold + rng.normal(size=40), rng.normal(size=40)]
    counts = np.ones((1, 40), np.uint8)
    metric = resolve([MetricSpec("r", "pearsonr")], None)[0]
    scorer = bind(metric, unit * gold, [unit * entry for entry in entries])
    expected = [stats.pearsonr(gold, entry).statistic for entry in entries]
    np.testing.assert_allclose(scorer.replicate(counts).values[0], expected, rtol=1e-12)
