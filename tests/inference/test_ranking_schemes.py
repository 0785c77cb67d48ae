"""Ranking schemes of score tables against SciPy, statsmodels and challengeR."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

import scoring_program as dh
from scoring_program.core.arrays import Floats
from scoring_program.inference.descriptive import MOST_ENTRIES, ranking_schemes, wins
from tests.competitions import Folder, write_csv


def naive_wins(scores: Floats, alpha: float) -> list[int]:
    """Test all ordered pairs one by one, and adjust with statsmodels."""
    pairs = list(itertools.permutations(range(scores.shape[1]), 2))
    found = []
    for i, j in pairs:
        differences = scores[:, i] - scores[:, j]
        if not differences.any():  # SciPy 1.11 refuses them
            found.append(1.0)
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            test = stats.wilcoxon(differences, alternative="greater", method="approx")
        found.append(float(test.pvalue))
    rejected = multipletests(found, alpha, "holm")[0]
    winners = [i for (i, _), won in zip(pairs, rejected, strict=True) if won]
    return [winners.count(i) for i in range(scores.shape[1])]


@pytest.mark.parametrize("seed", range(6))
def test_wins_are_those_of_scipy_and_holm(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.normal(np.linspace(0, 0.8, 6), 1.0, (12 + 20 * seed, 6))
    if seed % 2:
        scores = np.round(scores)  # ties and zero differences
    scores[:, 1] = scores[:, 0]
    assert wins(scores, 0.05).tolist() == naive_wins(scores, 0.05)


#: tests/testthat/test-testThenRank.R of challengeR 1.0.5: the values of two algorithms on cases,
#: whether small ones are better, and the numbers of significant wins.
CHALLENGER: dict[str, tuple[list[list[float]], bool, list[int]]] = {
    "small values are better": ([[0.2] * 4, [1.0] * 4], True, [1, 0]),
    "large values are better": ([[0.2] * 4, [1.0] * 4], False, [0, 1]),
    "two cases": ([[0.6] * 2, [0.8] * 2], True, [0, 0]),
    "one case": ([[0.6], [0.8]], True, [0, 0]),
    # challengeR counts a win: p = .029, and its default is not to adjust. Holm makes it .059.
    "a missing value as 0": ([[0.0, 0.2, 0.2, 0.2], [1.0] * 4], True, [0, 0]),
    "a missing value as 100": ([[100.0, 0.2, 0.2, 0.2], [1.0] * 4], True, [0, 0]),
}


@pytest.mark.parametrize("name", CHALLENGER)
def test_challenger_agrees(name: str) -> None:
    values, small, expected = CHALLENGER[name]
    scores = np.array(values).T
    found = ranking_schemes(scores, np.arange(2), greater_is_better=not small, confidence=0.95)
    assert found.values["wins"].tolist() == expected
    assert found.ranks["wins"].tolist() == [1 if won == max(expected) else 2 for won in expected]


def test_values_and_ranks_of_every_scheme() -> None:
    table = np.array([[3.0, 1.0, 1.0], [5.0, 2.0, 9.0], [4.0, 4.0, 8.0], [1.0, 0.0, 7.0]])
    found = ranking_schemes(table, np.arange(3), greater_is_better=False, confidence=0.95)
    assert found.values["mean"].tolist() == [3.25, 1.75, 6.25]
    assert found.values["median"].tolist() == [3.5, 1.5, 7.5]
    ranks = [(3 + 2 + 1.5 + 2) / 4, (1.5 + 1 + 1.5 + 1) / 4, (1.5 + 3 + 3 + 3) / 4]
    assert found.values["mean_rank"].tolist() == ranks
    assert found.ranks["mean"].tolist() == [2, 1, 3]
    assert found.ranks["median"].tolist() == [2, 1, 3]


def test_groups_are_tested_by_their_means() -> None:
    rng = np.random.default_rng(2)
    of_group = rng.normal(0, 1, (8, 3)) + np.array([0.0, 0.1, 2.0])
    scores = np.repeat(of_group, 25, axis=0) + rng.normal(0, 0.01, (200, 3))
    units = np.repeat(np.arange(8), 25)
    found, alone = (
        ranking_schemes(scores, np.arange(3), greater_is_better=True, confidence=0.95, units=given)
        for given in (units, None)
    )
    means = pd.DataFrame(scores).groupby(units).mean().to_numpy()
    assert found.values["wins"].tolist() == naive_wins(means, 0.05)
    assert found.values["mean"].tolist() == alone.values["mean"].tolist()
    assert found.values["wins"].sum() < alone.values["wins"].sum()


def folds(systems: int = 4) -> dict[str, Any]:
    rng = np.random.default_rng(4)
    return {f"s{k}": rng.normal(0.1 * k, 0.3, 40).round(3) for k in range(systems)}


def test_the_page_and_the_results_show_the_schemes(folder: Folder) -> None:
    write_csv(folder.input / "res" / "scores.csv", folds())
    folder.settings("resamples: 100\nbaselines: [s0]\ngreater_is_better: true\n")
    assert folder.run() == 0
    (metric,) = folder.results()["metrics"]
    assert [item["entry"] for item in metric["schemes"]] == ["s3", "s2", "s1"]
    assert metric["schemes"][0]["values"]["mean"] == metric["entries"][0]["score"]
    page = (folder.output / "detailed_results.html").read_text(encoding="utf-8")
    assert "Ranking schemes: mean score" in page
    assert "By every scheme, s3 is first." in page
    rows = pd.read_csv(folder.output / "tables" / "schemes.csv")
    assert rows["rank_by_median"].tolist() == [
        item["ranks"]["median"] for item in metric["schemes"]
    ]


def test_schemes_that_disagree_are_named(folder: Folder) -> None:
    scores = {"steady": [0.5] * 9, "peaks": [0.49] * 6 + [2.0] * 3}
    write_csv(folder.input / "res" / "scores.csv", scores)
    folder.settings("resamples: 100\ngreater_is_better: true\n")
    assert folder.run() == 0
    found = {item["entry"]: item["ranks"] for item in folder.results()["metrics"][0]["schemes"]}
    assert found["steady"] == {"mean": 2, "median": 1, "mean_rank": 1, "wins": 1}
    page = (folder.output / "detailed_results.html").read_text(encoding="utf-8")
    assert "The schemes put different entries first: mean: peaks; median: steady;" in page
    assert "No win is significant." in page


def test_predictions_and_large_fields_have_no_schemes(folder: Folder) -> None:
    folder.write("resamples: 100\n")
    assert folder.run() == 0
    assert all(metric["schemes"] is None for metric in folder.results()["metrics"])
    large = dh.compare_scores(folds(MOST_ENTRIES + 1), greater_is_better=True, resamples=100)
    few = dh.compare_scores(folds(), greater_is_better=True, resamples=100)
    assert large._findings is not None
    assert few._findings is not None
    assert large._findings.evidence[0].schemes is None
    assert few._findings.evidence[0].schemes is not None
