"""Slices: simultaneous intervals, and another leader only where the data show one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

import scoring_program as dh
from scoring_program.bootstrap.design import Design
from scoring_program.bootstrap.resample import iterate_counts
from scoring_program.core.errors import OrganizerError
from scoring_program.inference.slice_evidence import CellScores, simultaneous_intervals

RESAMPLES, SEED = 999, 4


def field(
    sizes: tuple[int, ...], accuracies: Any, seed: int = 0
) -> tuple[np.ndarray, dict[str, np.ndarray], np.ndarray]:
    """Gold, predictions and slices: accuracies [slices][entries] are met exactly."""
    rng = np.random.default_rng(seed)
    values = np.repeat([f"s{k}" for k in range(len(sizes))], sizes)
    gold = rng.integers(0, 2, values.size)
    predictions = {}
    for i in range(len(accuracies[0])):
        right = np.zeros(values.size, dtype=bool)
        for k, size in enumerate(sizes):
            rows = rng.permutation(np.flatnonzero(values == f"s{k}"))
            right[rows[: round(accuracies[k][i] * size)]] = True
        predictions[f"e{i}"] = np.where(right, gold, 1 - gold)
    return gold, predictions, values


def compare(gold: Any, predictions: Any, values: Any, **arguments: Any) -> dh.MetricResult:
    given = {"metrics": "accuracy", "resamples": RESAMPLES, "seed": SEED, **arguments}
    return next(iter(dh.compare(gold, predictions, slices={"part": values}, **given).values()))


SIZES = (300, 300, 20)
ACCURACIES = ((0.9, 0.7, 0.6), (0.7, 0.85, 0.6), (0.5, 1.0, 0.6))


def test_intervals_are_those_of_the_formula() -> None:
    gold, predictions, values = field(SIZES, ACCURACIES)
    found = compare(gold, predictions, values).slices
    order = np.argsort(gold, kind="stable")  # rows are sorted by gold
    counts = np.concatenate(list(iterate_counts(Design(gold.size), RESAMPLES, SEED)))
    right = np.stack([predictions[name] == gold for name in predictions], axis=1)[order]
    cells, largest = {}, np.zeros(RESAMPLES)
    for k, size in enumerate(SIZES[:2]):
        rows = np.flatnonzero(values[order] == f"s{k}")
        weights = counts[:, rows].astype(float)
        drawn = np.arcsin(np.sqrt(weights @ right[rows] / weights.sum(axis=1, keepdims=True)))
        center, error = np.arcsin(np.sqrt(right[rows].mean(axis=0))), drawn.std(axis=0, ddof=1)
        largest = np.maximum(largest, (np.abs(drawn - center) / error).max(axis=1))
        cells[k] = (center, error, size)
    c = np.sort(largest)[math.ceil(0.95 * (RESAMPLES + 1)) - 1]
    for row in found[: 2 * len(predictions)]:
        center, error, size = cells[int(row.value[1:])]
        width = stats.t.isf(stats.norm.sf(c), size - 1) * math.sqrt(size / (size - 1))
        i = int(row.entry[1:])
        ends = np.sin(center[i] + np.array([-width, width]) * error[i]) ** 2
        np.testing.assert_allclose([row.low, row.high], ends, rtol=1e-9)


def test_another_leader_is_named_where_the_data_show_it() -> None:
    gold, predictions, values = field(SIZES, ACCURACIES)
    found = compare(gold, predictions, values)
    assert found.leader == "e0"
    others = {row.value: row.other_leader for row in found.slices}
    assert others == {"s0": "", "s1": "e1", "s2": ""}


def test_a_small_slice_has_scores_only() -> None:
    gold, predictions, values = field(SIZES, ACCURACIES)
    small = [row for row in compare(gold, predictions, values).slices if row.value == "s2"]
    assert [row.score for row in small] == [0.5, 1.0, 0.6]
    assert all(math.isnan(row.low) and math.isnan(row.high) for row in small)


def test_small_slices_change_no_other() -> None:
    """They take no part in the maximum or in the number of slices."""
    gold, predictions, values = field(SIZES, ACCURACIES)
    without = np.where(values == "s2", "", values)
    with_small = [row for row in compare(gold, predictions, values).slices if row.value != "s2"]
    assert list(compare(gold, predictions, without).slices) == with_small


def test_the_level_is_shared_by_the_slices() -> None:
    """A lead that one slice alone would show is no lead among twenty."""
    sizes = (400,) * 20
    accuracies = [(0.72, 0.70)] * 19 + [(0.70, 0.775)]
    gold, predictions, values = field(sizes, accuracies, seed=1)
    last = np.where(values == "s19", "s19", "others")
    few, many = (compare(gold, predictions, v).slices for v in (last, values))
    assert {row.other_leader for row in few if row.value == "s19"} == {"e1"}
    assert {row.other_leader for row in many if row.value == "s19"} == {""}


def test_an_undefined_metric_shows_its_scores_only() -> None:
    """Without positives in some resamples, nobody has an AUC there."""
    rng = np.random.default_rng(0)
    gold = np.concatenate([rng.integers(0, 2, 100), np.r_[1, np.zeros(99, int)]])
    values = np.repeat(["many", "one"], 100)
    predictions = {name: gold + rng.normal(size=200) for name in ("a", "b")}
    found = compare(gold, predictions, values, metrics="roc_auc").slices
    intervals = {row.value: math.isfinite(row.low) for row in found}
    assert intervals == {"many": True, "one": False}
    assert all(math.isfinite(row.score) for row in found)


def test_an_entry_without_a_value_takes_nothing_from_the_others() -> None:
    """Precision of an entry that never predicts the class in one slice."""
    gold, predictions, values = field((100, 100), ((0.8, 0.75, 0.7),) * 2)
    predictions["e2"] = np.where(values == "s1", 0, predictions["e2"])
    found = compare(gold, predictions, values, metrics="precision").slices
    lacking = {(row.value, row.entry) for row in found if math.isnan(row.low)}
    assert lacking == {("s1", "e2")}


def test_baselines_lead_no_slice() -> None:
    gold, predictions, values = field(SIZES, ACCURACIES)
    found = compare(gold, predictions, values, baselines="e1").slices
    assert {row.other_leader for row in found} == {""}


def test_groups_are_the_units_of_a_slice() -> None:
    """Twenty groups are fewer than thirty units, whatever the number of examples."""
    gold, predictions, values = field((200, 200), ((0.8, 0.6),) * 2)
    groups = np.r_[np.arange(200) // 10, 100 + np.arange(200) // 5]
    found = compare(gold, predictions, values, groups=groups).slices
    assert {row.value for row in found if math.isfinite(row.low)} == {"s1"}


def test_a_single_entry_has_intervals_and_no_rival() -> None:
    gold, predictions, values = field((100, 100), ((0.8,), (0.7,)))
    found = compare(gold, predictions, values).slices
    assert [row.other_leader for row in found] == ["", ""]
    assert all(row.low < row.score < row.high for row in found)


def test_functions_that_fail_in_a_slice_are_undefined_there() -> None:
    gold, predictions, values = field((60, 60), ((0.8, 0.6), (0.8, 0.6)))
    gold = np.where((values == "s1") & (np.arange(120) != 119), 0, gold)

    def share_of_positives_found(y_true: np.ndarray, y_pred: np.ndarray) -> float:
        if not (y_true == 1).any():
            raise ValueError("no positives")
        return float((y_pred[y_true == 1] == 1).mean())

    found = compare(gold, predictions, values, metrics=share_of_positives_found, resamples=100)
    assert {row.value for row in found.slices if math.isfinite(row.low)} <= {"s0"}
    assert all(math.isfinite(row.score) for row in found.slices if row.value == "s0")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["x"] * 100, "holds 1 value"),
        ([f"v{k}" for k in range(100)] + ["w"], "holds 101 value"),
    ],
)
def test_columns_that_hold_no_slices(values: list[str], message: str) -> None:
    gold = np.arange(len(values)) % 2
    with pytest.raises(OrganizerError, match=message):
        compare(gold, {"a": gold, "b": 1 - gold}, values)


def test_the_bounds_of_a_metric_bound_its_intervals() -> None:
    rng = np.random.default_rng(2)
    drawn = rng.uniform(0.9, 1.0, size=(400, 3))
    cells = [CellScores(drawn.mean(axis=0), drawn, 30)]
    for bounds in ((0.0, 1.0), (0.0, math.inf), (-math.inf, 1.001), (-math.inf, math.inf)):
        ((low, high),) = simultaneous_intervals(cells, bounds, 0.95)
        assert (bounds[0] <= low).all()
        assert (low < cells[0].score).all()
        assert (cells[0].score < high).all()
        assert (high <= bounds[1]).all()


def test_scores_that_never_vary_have_no_interval() -> None:
    drawn = np.column_stack([np.full(99, 0.7), np.random.default_rng(0).uniform(size=99)])
    ((low, high),) = simultaneous_intervals(
        [CellScores(drawn.mean(axis=0), drawn, 50)], (0, 1), 0.9
    )
    assert np.isnan([low[0], high[0]]).all()
    assert np.isfinite([low[1], high[1]]).all()


@pytest.mark.parametrize("metric", ["accuracy", "f1_macro"])
def test_a_perfect_score_has_a_wilson_interval_if_it_is_a_share(metric: str) -> None:
    """Its level is that of the other intervals, which hold for all cells at once."""
    accuracies = ((1.0, 0.7, 0.6), (0.7, 0.85, 0.6))
    found = compare(*field((60, 300), accuracies), metrics=metric)
    rows = {(row.value, row.entry): row for row in found.slices}
    perfect = rows["s0", "e0"]
    assert perfect.score == 1.0
    others = [row for key, row in rows.items() if key != ("s0", "e0")]
    assert all(row.low < row.score < row.high for row in others)
    if metric == "f1_macro":
        assert np.isnan([perfect.low, perfect.high]).all()
        return
    single = proportion_confint(60, 60, 0.05, method="wilson")[0]
    assert 0.8 < perfect.low < single
    assert perfect.high == 1.0
    # Fewer groups than examples count as the trials.
    arrays = field((60, 300), accuracies)
    grouped = compare(*arrays, groups=np.arange(360) // 2).slices
    assert next(row for row in grouped if row.score == 1.0).low < perfect.low


def test_a_field_of_perfect_scores_has_intervals() -> None:
    found = compare(*field((60, 60), ((1.0, 1.0), (1.0, 1.0)))).slices
    least = proportion_confint(60, 60, 0.05 / 4, method="wilson")[0]  # Bonferroni
    assert [row.low for row in found] == pytest.approx([least] * 4)


def test_scores_of_one_share_and_one_other_that_never_vary() -> None:
    drawn = np.full((99, 2), 0.7)
    cells = [CellScores(drawn[0], drawn, 50, np.array([50, 0]))]
    ((low, high),) = simultaneous_intervals(cells, (0, 1), 0.9)
    assert (low[0], high[0]) == pytest.approx(proportion_confint(35, 50, 0.05, method="wilson"))
    assert np.isnan([low[1], high[1]]).all()
