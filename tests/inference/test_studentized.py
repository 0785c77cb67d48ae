"""Studentized draws against their transcription, and the rule that chooses them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy import stats

from scoring_program.bootstrap.design import DistinctRows
from scoring_program.core.errors import SettingsError
from scoring_program.core.executor import HERE, Executor
from scoring_program.inference import MetricScores, analyze
from scoring_program.inference.basis import Basis
from scoring_program.inference.comparing import studentized as studentized_module
from scoring_program.inference.comparing.draws import ResampledErrors
from scoring_program.inference.comparing.studentized import (
    _EXACT,
    _FEW,
    FLOOR,
    _drawn_ratios,
    _weighted,
    held_ratios,
    resampled_errors,
)
from scoring_program.inference.evidence import Question
from tests.arrays import made_metric, made_replicates

MEAN = made_metric("mean", kind="numbers", ideal=None, low=-np.inf, high=np.inf, ratio_scale=False)


def scores(values: np.ndarray, resamples: int = 60, **changes: Any) -> MetricScores:
    """Means of values [N, m] on resamples of the units."""
    units, m = values.shape
    rng = np.random.default_rng(3)
    drawn = rng.multinomial(units, np.full(units, 1 / units), size=resamples).astype(np.uint8)

    def counts() -> Iterator[np.ndarray]:
        yield drawn[:13]
        yield drawn[13:]

    mean = values.mean(axis=0)
    found = MetricScores(
        MEAN,
        [f"{i}" for i in range(m)],
        mean,
        made_replicates(drawn @ values / units),
        n=units,
        jackknife=lambda: (values.sum(axis=0) - values) / (units - 1),
        influence=lambda: (values - mean) / units,
        counts=counts,
    )
    return replace(found, **changes)


def chosen(
    made: MetricScores, executor: Executor = HERE, **asked: Any
) -> tuple[Basis, np.ndarray, ResampledErrors | None]:
    basis = Basis.from_scores(made, Question(**asked), executor)
    replicates = basis.bootstrap.replicates
    errors = np.std(replicates[:, None] - replicates[None], axis=2, ddof=1)
    return basis, errors, resampled_errors(basis, errors)


def kept(found: ResampledErrors) -> object:
    """Return the function that knows what is kept: the ratios, or the draws."""
    assert isinstance(found.ratios, partial)
    return found.ratios.func


VALUES = np.random.default_rng(8).lognormal(sigma=1.5, size=(40, 4))


@pytest.mark.parametrize("strata", [None, np.arange(40) % 3])
def test_each_resample_has_its_own_standard_error(strata: np.ndarray | None) -> None:
    made = scores(VALUES, strata=strata)
    basis, errors, found = chosen(made, studentized="always")
    assert found is not None
    assert basis.scores.counts is not None
    drawn = np.concatenate(list(basis.scores.counts()))
    ratios = found.ratios(slice(None), slice(0, 60))
    codes = np.zeros(40, int) if strata is None else strata
    for i in range(4):
        for j in range(i):
            influence = (VALUES[:, i] - VALUES[:, j] - (VALUES[:, i] - VALUES[:, j]).mean()) / 40
            for b in range(60):
                variance = 0.0
                for code in set(codes.tolist()):
                    w, d = drawn[b, codes == code].astype(float), influence[codes == code]
                    variance += w @ np.square(d - w @ d / d.size)
                    variance += (d.size - w.sum()) * (w @ d / d.size) ** 2
                own = max(math.sqrt(variance) / errors[i, j], FLOOR)
                assert ratios[found.row[i, j], b] == pytest.approx(1 / own, rel=1e-4)


def test_what_is_kept_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many units and few pairs: the results are kept instead of the draws."""
    values = np.random.default_rng(1).normal(size=(300, 3))
    _, _, of_results = chosen(scores(values), studentized="always")
    assert of_results is not None
    assert kept(of_results) is held_ratios
    monkeypatch.setattr(studentized_module, "_AT_ONCE", 700)
    _, _, of_draws = chosen(scores(values, strata=np.zeros(300, int)), studentized="always")
    assert of_draws is not None
    some = slice(5, 40)
    expected = of_results.ratios(slice(None), some)
    np.testing.assert_allclose(of_draws.ratios(slice(None), some), expected, rtol=1e-5)
    chosen_ones = (np.array([2, 0]), np.array([9, 7, 30]))
    for found in (of_draws, of_results):
        ratios = found.ratios(*chosen_ones)
        np.testing.assert_allclose(ratios, expected[np.ix_([2, 0], [4, 2, 25])], rtol=1e-5)
    _, _, small = chosen(scores(VALUES), studentized="always")
    assert small is not None
    assert kept(small) is _drawn_ratios


@pytest.mark.parametrize("n", [20, 400])  # the draws are kept, or the results
@pytest.mark.parametrize("strata", [1, 3])
def test_units_with_equal_values_may_be_counted_together(n: int, strata: int) -> None:
    rng = np.random.default_rng(6)
    values, of_stratum = rng.integers(0, 3, (n, 3)).astype(float), np.arange(n) % strata
    rows = np.column_stack([values, of_stratum])
    _, first, sets, sizes = np.unique(
        rows, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    equal = DistinctRows(sets.ravel(), first, sizes)
    made = scores(values, strata=None if strata == 1 else of_stratum)
    assert made.counts is not None
    in_sets = [
        np.stack([block[:, equal.sets == k].sum(axis=1) for k in range(equal.size)], axis=1)
        for block in made.counts()
    ]
    merged: dict[str, Any] = {"distinct": equal, "set_counts": lambda: iter(in_sets)}

    def ratios(made: MetricScores) -> np.ndarray:
        found = chosen(made, studentized="always")[2]
        assert found is not None
        assert (kept(found) is _drawn_ratios) == (n == 20)
        return found.ratios(slice(None), slice(0, 60))

    expected = ratios(made)
    together = replace(made, counts=lambda: iter(()), **merged)
    np.testing.assert_allclose(ratios(together), expected, rtol=1e-5)
    # A metric that tells units of a set apart counts each.
    values[equal.sets == equal.sizes.argmax()] += rng.normal(size=(equal.sizes.max(), 3))
    apart = scores(values, strata=made.strata)
    both = replace(apart, **merged)
    np.testing.assert_array_equal(ratios(both), ratios(apart))


def test_the_observed_difference_has_the_larger_standard_error() -> None:
    _, errors, found = chosen(scores(VALUES), studentized="always")
    assert found is not None
    for i in range(4):
        for j in range(4):
            jackknife = np.std(VALUES[:, i] - VALUES[:, j]) / math.sqrt(40)
            assert found.errors[i, j] == pytest.approx(max(jackknife, errors[i, j]), rel=1e-9)


def test_the_rule() -> None:
    normal = np.random.default_rng(2).normal(size=(250, 4))
    spiked = normal.copy()
    spiked[0, 2] = 50

    def why(made: MetricScores, asked: str = "auto", **named: Any) -> tuple[str | None, int]:
        found = chosen(made, studentized=asked, **named)[2]
        return (None, 0) if found is None else (found.reason, int((found.row >= 0).sum()) // 2)

    assert why(scores(normal)) == (None, 0)
    assert why(scores(normal[:199])) == ("few_units", 6)
    assert why(scores(normal[:200])) == (None, 0)
    assert why(scores(normal, groups=250, effective_groups=99.9)) == ("few_groups", 6)
    assert why(scores(normal, groups=250, effective_groups=100.0)) == (None, 0)
    # Heavy tails alone: only for p-values of comparisons with an entry fixed in advance.
    assert why(scores(spiked)) == (None, 0)
    assert why(scores(spiked), baselines=("2",)) == ("heavy_tails", 3)
    assert why(scores(spiked), reference_entry="0") == ("heavy_tails", 1)
    assert why(scores(spiked), "never") == why(scores(normal[:50]), "never") == (None, 0)
    assert why(scores(normal), "always") == ("always", 6)
    # Without influence values, or without the draws, there is nothing to studentize with.
    assert why(scores(spiked, influence=lambda: None), "always") == (None, 0)
    assert why(scores(spiked, counts=None), "always") == (None, 0)


def test_an_entry_without_influence_values_keeps_its_plain_draws() -> None:
    influence = (VALUES - VALUES.mean(axis=0)) / 40
    influence[:, 1] = np.nan
    found = chosen(scores(VALUES, influence=lambda: influence), studentized="always")[2]
    assert found is not None
    assert (found.row[1] == -1).all()
    assert (found.row[0, 2], found.row[2, 3]) == (0, 2)


def test_too_little_memory() -> None:
    with pytest.raises(SettingsError, match="'memory' allows only"):
        chosen(scores(VALUES), Executor(memory=1000), studentized="always")


def test_one_enormous_error_does_not_make_every_entry_a_possible_winner() -> None:
    """Without the floor, the draws of its pairs have no bound where the error is not drawn."""

    rng = np.random.default_rng(4)
    errors = np.abs(rng.normal(size=(300, 6))) * np.linspace(1, 3, 6)
    hostile = errors[:, 0].copy()
    hostile[0] = 1e6

    def tied(values: np.ndarray) -> np.ndarray:
        return analyze(scores(-values, resamples=999)).standing.tied["max_t"]

    with_it = tied(np.column_stack([errors, hostile]))
    assert with_it[:6].tolist() == tied(errors).tolist() == [True, *[False] * 5]


def test_a_plan_takes_the_critical_value_of_studentized_draws() -> None:
    """By a loop over the resamples: the larger of both draws, and the larger standard error."""
    values = np.random.default_rng(11).normal(size=(40, 2))
    made = scores(values, resamples=999)
    ahead = values.mean(axis=0).argmax()
    units = values[:, ahead] - values[:, 1 - ahead]
    assert made.counts is not None
    drawn = np.concatenate(list(made.counts()))
    advantages = drawn @ units / 40
    error, draws = advantages.std(ddof=1), []
    for weights, advantage in zip(drawn, advantages, strict=True):
        influence = (units - units.mean()) / 40
        mean = weights @ influence / 40
        own = max(math.sqrt(weights @ (influence - mean) ** 2), error / 3)
        draws.append((advantage - units.mean()) / min(error, own))
    place = math.ceil(0.95 * 1000) - 1
    quantile = max(np.sort(draws)[place], np.sort(np.negative(draws))[place])
    critical = quantile * max(error, units.std(ddof=1) / math.sqrt(40)) / error
    planned = analyze(made).plan
    plain = analyze(made, Question(studentized="never")).plan
    (plan,) = planned
    assert plan.examples_needed is not None
    effects = math.sqrt(plan.examples_needed / 40) * advantages / error
    power = stats.norm.cdf(effects - critical) + stats.norm.cdf(-effects - critical)
    assert power.mean() == pytest.approx(0.8, abs=3e-3)
    assert plain[0].examples_needed != plan.examples_needed


@pytest.mark.parametrize("units", [60, _FEW + 100])
def test_weighted_squares_are_the_same_in_every_order(units: int) -> None:
    """Also where a few of a pair's squares are so large that single precision is not enough."""
    rng = np.random.default_rng(2)
    values = rng.normal(size=(units, 4))
    values[0] *= [1, 1, 1, 40]
    basis, errors, _ = chosen(scores(values), studentized="always")
    first, second = np.triu_indices(4, 1)
    pairs = studentized_module._Pairs(basis, None, first, second, errors[first, second])
    squares = pairs._squares_of(slice(None))
    assert squares.dtype == (np.float32 if units <= _FEW else np.float64)
    weights = rng.multinomial(units, np.full(units, 1 / units), size=50).T.astype(squares.dtype)
    weights[0] += 9
    weights[1:, 0] = 0  # as in no resample, but with no larger sum
    found = _weighted(squares, weights)
    assert found.max() > _EXACT
    exact = squares.astype(np.float64) @ weights.astype(np.float64)
    np.testing.assert_array_equal(found, exact.astype(np.float32))
    order = rng.permutation(units)
    np.testing.assert_array_equal(_weighted(squares[:, order], weights[order]), found)
