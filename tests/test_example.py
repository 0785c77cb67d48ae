"""The example against the figures published about it (example/published.yaml, sources there)."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import yaml
from statsmodels.stats.multitest import multipletests

from scoring_program.commands.score import main
from tests.competitions import EXAMPLE

PUBLISHED = yaml.safe_load((EXAMPLE.parent / "published.yaml").read_text(encoding="utf-8"))
METRICS = {"f1": "f1_score", "precision": "precision_score", "recall": "recall_score"}
# The tolerances that example/README.md states for 10,000 resamples.
ENDS, DIFFERENCES, P_VALUES = 0.0020, 0.0025, 0.015
RULES = ("none", "bonferroni", "holm", "fdr_bh")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], dict[str, Any]]:
    """The example's metrics by name, with a chosen kind of interval."""
    done: dict[str, dict[str, Any]] = {}

    def results(interval: str) -> dict[str, Any]:
        if interval not in done:
            output = tmp_path_factory.mktemp(interval)
            assert main([str(EXAMPLE), str(output), "--interval", interval]) == 0
            document = json.loads((output / "results.json").read_text(encoding="utf-8"))
            done[interval] = {metric["name"]: metric for metric in document["metrics"]}
        return done[interval]

    return results


@pytest.fixture(scope="module")
def metrics(run: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    """Metrics with standard-error intervals, which is what the published tables hold."""
    return run("standard_error")


def entries(metric: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {entry["entry"]: entry for entry in metric["entries"]}


def test_table_1_exactly(metrics: dict[str, Any]) -> None:
    table = PUBLISHED["table_1_performance"]
    for place, key in enumerate(("precision", "recall", "f1")):
        scores = {name: entry["score"] for name, entry in entries(metrics[METRICS[key]]).items()}
        assert {name: round(score, 4) for name, score in scores.items()} == {
            name: row[place] for name, row in table.items()
        }


@pytest.mark.parametrize("key", METRICS)
def test_table_2_intervals(metrics: dict[str, Any], key: str) -> None:
    found = entries(metrics[METRICS[key]])
    table = PUBLISHED["table_2_confidence_intervals"][key]
    assert set(table) == set(found)
    for name, published in table.items():
        assert found[name]["ci"] == pytest.approx(published, abs=ENDS), name


@pytest.mark.parametrize("key", METRICS)
def test_table_3_differences_from_the_leader(metrics: dict[str, Any], key: str) -> None:
    metric = metrics[METRICS[key]]
    table = dict(PUBLISHED["table_3_difference_from_the_best"][key])
    assert metric["leader"] == table.pop("leader")
    for name, (low, mean, high) in table.items():
        difference = entries(metric)[name]["difference"]
        found = [difference["ci"][0], difference["mean"], difference["ci"][1]]
        assert found == pytest.approx([low, mean, high], abs=DIFFERENCES), name


def test_table_4_p_values(metrics: dict[str, Any]) -> None:
    pairs = {
        f"{pair['better']}/{pair['worse']}": pair["p_one_sided"]
        for pair in metrics["f1_score"]["pairs"]
    }
    for pair, published in PUBLISHED["table_4_one_sided_p_values_f1"].items():
        assert pairs[pair] == pytest.approx(published, abs=P_VALUES), pair


def test_table_4_significant_pairs(metrics: dict[str, Any]) -> None:
    p = np.array([pair["p_one_sided"] for pair in metrics["f1_score"]["pairs"]])
    # A pair near a threshold may fall on either side in another 10,000 resamples, as two do here:
    # NLPCIC/CIMATGTO under Holm (published adjusted p: 0.047), NLPCIC/UMUTeam under Bonferroni.
    noise = 3 * np.sqrt(p * (1 - p) / 10_000)
    for rule, published in PUBLISHED["table_4_significant_pairs_of_45"].items():
        fewest, most = (
            np.sum((q if rule == "none" else multipletests(q, method=rule)[1]) < 0.05)
            for q in (np.minimum(p + noise, 1), p - noise)
        )
        assert fewest <= published <= most, rule
        assert most - fewest <= 2


def test_table_5_7_competitiveness(metrics: dict[str, Any]) -> None:
    found = metrics["f1_score"]["competitiveness"]
    published = PUBLISHED["table_5_7_competitiveness"]
    for key in ("n", "m", "ties_with_winner", "possible_comparisons"):
        assert found[key] == published[key]
    assert found["ties_with_winner"] == dict(zip(RULES, (1, 2, 2, 1), strict=True))
    # Bonferroni's 9 hangs on CIMATMTYGTO/UMUTeam, whose p is .0063 in a million resamples where
    # .00625 is needed, and its 2 on NLPCIC/CIMATGTO: most seeds find 10 or 11 and some find 3. The
    # example's scoring.yaml names, and says so, a seed that counts them as the paper does.
    assert found["ties_between_competitors"] == published["ties_between_competitors"]
    assert found["ties_between_competitors"] == dict(zip(RULES, (7, 9, 8, 7), strict=True))
    assert found["winner_minus_median"] == pytest.approx(published["winner_minus_median"], abs=5e-4)
    assert found["ppi_percent"] == pytest.approx(published["ppi_percent"], abs=5e-3)
    # The ten published F1 scores give 16.056 themselves; the paper's input differs slightly.
    assert found["cv_percent"] == pytest.approx(published["cv_percent"], abs=0.02)
    scores = [row[2] for row in PUBLISHED["table_1_performance"].values()]
    cv = 100 * statistics.stdev(scores) / statistics.mean(scores)
    assert found["cv_percent"] == pytest.approx(cv, abs=5e-3)


@pytest.mark.parametrize("interval", ["percentile", "standard_error"])
@pytest.mark.parametrize("rule", ["max_t", "holm", "bonferroni", "interval"])
def test_the_same_two_ties(run: Callable[[str], dict[str, Any]], interval: str, rule: str) -> None:
    tied = {
        name
        for name, entry in entries(run(interval)["f1_score"]).items()
        if entry["tied"][rule] and entry["rank"] > 1
    }
    assert tied == {"CIMATMTYGTO", "DCCDINFOTEC"}
