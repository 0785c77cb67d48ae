"""A baseline, and a reference entry, change nothing of what is said of all others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import scoring_program as dh
from scoring_program.settings.checks import MetricSpec
from tests.simulations.bystanders import differences, differing, said_of_others
from tests.simulations.families import Field, answered
from tests.sweeps import swept

MAE = MetricSpec("mae", "mean_absolute_error")


@pytest.mark.parametrize("seed", swept(range(4)))
def test_added_to_random_competitions_they_change_no_byte_of_the_others(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for number in range(3):
        for how, changed in differences(rng, number, 199):
            assert not changed, how


def test_numbers_that_are_no_counts_change_no_count() -> None:
    """Errors of whole numbers are counts, drawn in single precision; a baseline's are none."""
    rng = np.random.default_rng(4)
    gold = rng.integers(1, 6, size=120).astype(float)
    errors = rng.integers(-1, 2, size=(4, 120))
    field = Field(gold, list(gold + errors), MAE)
    baseline = replace(field, predictions=[*field.predictions, np.full(120, gold.mean())])
    alone = said_of_others(field, 0, 499)
    beside = said_of_others(baseline, 0, 499, baselines=("04",))
    assert not list(differing("", alone, beside))


def test_a_pair_is_drawn_by_its_own_scale_beside_a_heavy_tailed_reference() -> None:
    """On 250 examples only the pairs of the reference entry, which has odd cells, have two."""
    rng = np.random.default_rng(5)
    gold = rng.normal(size=250)
    predictions = list(gold + rng.normal(size=(5, 250)))
    predictions[4][:2] += 1e4
    field = Field(gold, predictions, MAE)
    plain = said_of_others(field, 0, 499)
    assert not list(differing("", plain, said_of_others(field, 0, 499, reference_entry="04")))


def test_a_baseline_neither_withdraws_a_confidence_nor_gives_it_back() -> None:
    """All that compete are worse than chance, which is serious; a baseline is not."""
    rng = np.random.default_rng(6)
    gold = np.arange(200) % 2
    worse = {name: rng.normal(size=200) - 1.5 * gold for name in "AB"}
    better = rng.normal(size=200) + 1.5 * gold
    for entries in (worse, {**worse, "C": better}):
        found = dh.compare(
            gold, entries, metrics="roc_auc_score", baselines=tuple({*entries} - {"A", "B"})
        )
        assert found.record["withdrawn_because"] == "reversed"
    usual = {name: rng.normal(size=200) + 1.5 * gold for name in "AB"}
    found = dh.compare(gold, {**usual, "C": -better}, metrics="roc_auc_score", baselines="C")
    assert found.record["confidence"] == 0.95
    assert [one.level for one in found.warnings if one.code == "reversed"] == ["amber"]


def test_a_constant_baseline_beside_accuracies_is_a_bystander() -> None:
    rng = np.random.default_rng(7)
    field = answered(rng.random((90, 5)) < np.linspace(0.9, 0.6, 5))
    constant = np.zeros(90, int)
    beside = replace(field, predictions=[*field.predictions, constant])
    alone = said_of_others(field, 1, 499)
    assert not list(differing("", alone, said_of_others(beside, 1, 499, baselines=("05",))))


@pytest.mark.parametrize("confidence", [0.95, 0.999])
def test_a_baseline_changes_no_interval_within_slices(confidence: float) -> None:
    """Those of the others hold at once for all slices; few resamples have no quantile at .999."""
    rng = np.random.default_rng(8)
    gold = np.arange(240) % 2
    slices = {"part": np.arange(240) % 3}
    entries = {f"e{number}": np.where(rng.random(240) < 0.8, gold, 1 - gold) for number in range(4)}
    entries["e3"] = np.where(slices["part"] == 0, gold, entries["e3"])
    base = np.where(rng.random(240) < 0.6, gold, 1 - gold)
    cells = []
    for predictions, baselines in ((entries, ()), ({**entries, "base": base}, "base")):
        found = dh.compare(
            gold,
            predictions,
            slices=slices,
            baselines=baselines,
            confidence=confidence,
            resamples=299,
        )
        cells.append({(row.value, row.entry): row for row in next(iter(found.values())).slices})
    alone, beside = cells
    assert len(beside) == 15
    assert {place: beside[place] for place in alone} == alone
