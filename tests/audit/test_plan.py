"""Plans: the promise of power, and repeated examples."""

from __future__ import annotations

import numpy as np
import pytest

from scoring_program.audit import plan
from scoring_program.audit.schemes import expected_maximum
from scoring_program.bootstrap.design import Design
from scoring_program.bootstrap.resample import iterate_counts


def _pilot(rng: np.random.Generator, n: int, gap: float) -> np.ndarray:
    """Draw differences in correctness of two entries that are ``gap`` apart, [n]."""
    return rng.choice([1.0, 0.0, -1.0], n, p=[0.1 + gap / 2, 0.8, 0.1 - gap / 2])


def test_influences_of_a_mean_are_its_deviations() -> None:
    values = np.random.default_rng(0).normal(size=30)
    jackknife = np.array([np.delete(values, row).mean() for row in range(30)])
    found = plan.influences(values.mean(), jackknife)
    assert np.allclose(found, values - values.mean())


def test_errors_of_resamples_are_standard_errors_of_their_means() -> None:
    values = np.random.default_rng(0).normal(size=40)
    counts = np.concatenate(list(iterate_counts(Design(40), 50, 0))).astype(float)
    expected = [np.repeat(values, row.astype(int)).std() / np.sqrt(40) for row in counts]
    assert np.allclose(plan.pilot_errors(values, counts), expected)


@pytest.mark.parametrize("competitions", [60, pytest.param(600, marks=pytest.mark.slow)])
def test_the_promised_power_is_delivered(competitions: int) -> None:
    rng = np.random.default_rng(7)
    rejected, planned = 0, 0
    for seed in range(competitions):
        pilot = _pilot(rng, 400, 0.0)
        counts = np.concatenate(list(iterate_counts(Design(400), 200, seed))).astype(float)
        errors = plan.pilot_errors(pilot - pilot.mean(), counts)
        _, needed = plan.examples_needed(errors, 400, 0.05)[2]
        assert needed is not None
        sample = _pilot(rng, needed, 0.05)
        z = sample.mean() / (sample.std(ddof=1) / np.sqrt(sample.size))
        rejected += z > 1.6449
        planned += 1
    share = rejected / planned
    error = np.sqrt(0.8 * 0.2 / planned)
    assert 0.8 - 3 * error <= share <= 0.8 + 3 * error


def test_larger_differences_and_fewer_entries_need_fewer_examples() -> None:
    errors = np.full(100, 0.02)
    for entries in (2, 20):
        sizes = [n for _, n in plan.examples_needed(errors, 500, 0.05 / (entries - 1))]
        assert sizes == sorted(sizes, key=lambda size: -(size or 0))
    _, few = plan.examples_needed(errors, 500, 0.05)[0]
    _, many = plan.examples_needed(errors, 500, 0.05 / 19)[0]
    assert few is not None
    assert many is not None
    assert few < many
    separable = plan.smallest_separable(errors, 0.05)
    assert separable == pytest.approx((1.6449 + 0.8416) * 0.02, rel=1e-3)


def test_repeated_examples() -> None:
    columns = {"text": ["x", "y", "x", "", ""], "label": ["a", "b", "b", "a", "a"]}
    inputs = plan.input_columns(columns, ["label"])
    assert list(inputs) == ["text"]
    assert plan.repeated_within(inputs, [columns["label"]]) == {(0, 2): ("a", "b")}
    train = {"text": ["z", "y"], "label": ["b", "a"]}
    assert plan.repeated_between(inputs, train) == [(1, 1)]
    assert plan.repeated_between(inputs, {"other": ["x"]}) == []


def test_a_column_that_describes_examples_is_no_repetition() -> None:
    columns = {"source": ["news", "forum"] * 4, "label": list("abababab")}
    assert not plan.input_columns(columns, ["label"])
    assert not plan.repeated_within({}, [columns["label"]])
    assert not plan.repeated_between({}, columns)
    assert plan.input_columns({"label": list("ab")}, ["label"]) == {}


def test_the_expected_maximum_of_normal_variables() -> None:
    assert expected_maximum(1) == pytest.approx(0, abs=1e-6)
    assert expected_maximum(2) == pytest.approx(1 / np.sqrt(np.pi), rel=1e-3)
    assert expected_maximum(10) == pytest.approx(1.5388, rel=1e-3)
