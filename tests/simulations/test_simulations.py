"""The simulation checks of the inference, in full (slow) and in short.

``pytest -m slow tests/simulations`` runs the full ones, and prints a table of what they observed.
The short ones simulate fewer competitions; their bands are wider by four standard errors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from tests.sweeps import swept, thinned

from . import costs, observed, people
from .checks import CHECKS, Band, Check
from .simulate import model_confidence_set, resample_means


def number(check: Check) -> str:
    return check.number


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS, ids=number)
def test_in_full(check: Check, record_property: Callable[[str, object], None]) -> None:
    found = check.observe(check.full)
    for measure, (low, high) in check.bands.items():
        band = f"{low:.4g} to {high:.4g}"
        row = (check.number, check.what, measure, band, f"{found[measure]:.4g}")
        record_property("simulation", row)
    assert_within(found, check.bands)


@pytest.mark.parametrize(
    "check",
    [
        *thinned([check for check in CHECKS if check.is_fast], every=6),
        *swept([check for check in CHECKS if not check.is_fast], fast=0),
    ],
    ids=number,
)
def test_in_short(check: Check) -> None:
    assert_within(check.observe(check.short), check.bands_in_short)


@pytest.mark.parametrize(
    "cell",
    [
        people.Cell(3, 40, 200),
        people.Cell(3, 40, 200, missing=0.2),
        people.Cell(3, 20, 200, documents=True),
    ],
)
def test_the_command_finds_of_people_what_the_functions_find(cell: people.Cell) -> None:
    assert people.kept_by_command(2, 8, cell, 199) == people.kept(2, 8, cell, 199)


@pytest.mark.parametrize("draw", [costs.groups, costs.measured_edges])
def test_the_command_finds_of_costs_what_the_functions_find(draw: costs.Draw) -> None:
    rng = np.random.default_rng(8)
    for seed in range(2):
        priced = draw(rng)
        found = zip(costs.by_command(priced, seed), costs.in_memory(priced, seed), strict=True)
        for by_command, in_memory in found:
            assert by_command == pytest.approx(in_memory, rel=1e-9)


def test_what_is_documented_was_observed_and_lies_in_its_bands() -> None:
    found, bands = observed.read(), {}
    for check in CHECKS:
        for measure, band in check.bands.items():
            _, sets = found.get((check.number, measure), (0.0, 0))
            # Fewer competitions than in full: wider by four standard errors, as the short versions.
            fewer = 0 < sets < check.full.get("sets", 0) * len(check.seeds)
            bands[check.number, measure] = check.wider(band, sets) if fewer else band
    assert found.keys() <= bands.keys()
    assert {check.number for check in CHECKS} == {number for number, _ in found}
    values = {key: value for key, (value, _) in found.items()}
    assert_within(values, {key: bands[key] for key in found})


def assert_within(found: Mapping[Any, float], bands: Mapping[Any, Band]) -> None:
    outside = {
        measure: (found[measure], band)
        for measure, band in bands.items()
        if not band[0] <= found[measure] <= band[1]
    }
    assert not outside


def test_the_model_confidence_set_is_that_of_arch() -> None:
    arch = pytest.importorskip("arch.bootstrap", reason="needs arch")
    rng = np.random.default_rng(8)
    for _ in range(5):
        losses = rng.normal(size=(300, 1)) + rng.normal(size=(300, 6)) + np.linspace(0, 0.5, 6)
        theirs = arch.MCS(losses, size=0.05, reps=2000, block_size=1, method="max", seed=1)
        theirs.compute()
        values = resample_means(rng, -losses, 2000)
        assert model_confidence_set(-losses.mean(axis=0), values) == sorted(theirs.included)
