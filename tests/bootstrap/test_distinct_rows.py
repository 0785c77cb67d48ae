"""Rows that no metric tells apart: drawn together, they score as if each had been drawn."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from math import factorial, prod
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator
from scipy.stats import chi2, chi2_contingency

from scoring_program.api.public import compare
from scoring_program.bootstrap import design as design_module
from scoring_program.bootstrap.design import (
    Counts,
    Design,
    DistinctRows,
    SmallSets,
    are_nearly_rows,
    draw_set_counts,
    generator_of_chunk,
    kept_counts,
)
from scoring_program.bootstrap.resample import ResampledPart, resample
from scoring_program.bootstrap.task_queue import Resources
from scoring_program.core.arrays import Array
from scoring_program.core.grouping import Grouping
from scoring_program.inference.comparing.comparisons import UnitInfluence
from scoring_program.metrics import resolve
from scoring_program.scoring import scorer
from scoring_program.scoring.bind import bind
from scoring_program.scoring.combined import FormulaScorer
from scoring_program.scoring.scorer import Replicates, Scorer
from scoring_program.settings.checks import MetricSpec
from scoring_program.settings.model import Settings
from tests.sweeps import swept

N, RESAMPLES = 3000, 700
MACRO = "f1_score"
ALWAYS = Settings(studentized="always")


def labels(n: int = N, count: int = 4) -> np.ndarray:
    """The labels of the reference data and of three entries, [4, n]."""
    rng = np.random.default_rng(5)
    return rng.integers(0, count, (4, n))


def scorers(data: np.ndarray, *names: str) -> list[Scorer]:
    specs = [
        MetricSpec(name, name, {"average": "macro"} if name == MACRO else {}) for name in names
    ]
    metrics = resolve(specs, None)
    return [bind(metric, data[0], list(data[1:])) for metric in metrics]


def rows_of(found: list[Scorer], design: Design | None = None) -> DistinctRows:
    distinct = DistinctRows.from_design(found, design or Design(N), ALWAYS)
    assert distinct is not None
    return distinct


def scored(
    found: list[Scorer], distinct: DistinctRows, of_rows: Design | None = None, **resources: Any
) -> tuple[Replicates, ...]:
    taken, design = distinct.take(found), distinct.design(of_rows or Design(N))
    asked = Resources(**resources)
    return resample([taken[one] for one in found], design, RESAMPLES, 7, resources=asked)


def part(
    distinct: DistinctRows, kept: Counts | None = None, design: Design | None = None
) -> ResampledPart:
    anything: Any = SimpleNamespace()
    own = design or Design(N)
    return ResampledPart(anything, (), own, 7, RESAMPLES, kept_counts=kept, distinct=distinct)


def merged_of(found: ResampledPart, replicates: Replicates) -> np.ndarray:
    return np.concatenate(list(found.set_counts(replicates)))


DRAWS: dict[str, Callable[[Generator, np.ndarray, int], np.ndarray]] = {
    "sets": draw_set_counts,
    "rows of sets": lambda rng, sizes, resamples: SmallSets(sizes).draw(rng, resamples),
}


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
@pytest.mark.parametrize("most", [1, 2, 32])
@pytest.mark.parametrize("sizes", [(2, 1), (1, 2, 1), (5, 4), (7, 1, 2), (1, 3, 1, 3)])
def test_counts_of_sets_are_multinomial(
    sizes: tuple[int, ...],
    draw: Callable[..., np.ndarray],
    most: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("scoring_program.bootstrap.design._MOST_IN_SET", most)
    n, drawn = sum(sizes), 50_000
    counts = draw(generator_of_chunk(1, 0), np.array(sizes), drawn).astype(int)
    outcomes, seen = np.unique(counts, axis=0, return_counts=True)
    expected = [
        drawn * factorial(n) * prod((s / n) ** int(k) / factorial(int(k))
                                    for s, k in zip(sizes, outcome, strict=True))
        for outcome in outcomes
    ]  # fmt: skip
    common = np.array(expected) >= 5
    rare = drawn - np.array(expected)[common].sum(), drawn - seen[common].sum()
    statistic = ((seen - expected) ** 2 / expected)[common].sum()
    statistic += (rare[1] - rare[0]) ** 2 / max(rare[0], 1.0)
    assert (counts.sum(axis=1) == n).all()
    assert statistic < chi2.ppf(0.999, common.sum())


def test_draws_are_the_same_where_the_sets_of_rows_are_not_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes = np.random.default_rng(3).integers(1, 9, 300)
    listed = draw_set_counts(generator_of_chunk(1, 0), sizes, 50)
    monkeypatch.setattr("scoring_program.bootstrap.design._LISTED", 0)
    assert np.array_equal(draw_set_counts(generator_of_chunk(1, 0), sizes, 50), listed)


def test_rows_of_sets_are_drawn_where_sets_are_nearly_as_many() -> None:
    def draws_rows(sets: int, size: int) -> bool:
        return are_nearly_rows(np.full(sets, size))

    assert draws_rows(20_000, 1)
    assert draws_rows(20_000, 31)
    assert not draws_rows(20_000, 32)
    assert not draws_rows(19_999, 1)


def test_every_set_is_drawn_as_often_as_its_rows() -> None:
    rng = np.random.default_rng(4)
    sizes = np.where(rng.random(21_000) < 0.01, rng.integers(30, 900, 21_000), 1)
    sizes[5] = 1
    design = Design(sizes.size, sizes=sizes)
    assert are_nearly_rows(sizes)
    drawn = design.draw(generator_of_chunk(3, 0), 400)
    assert (drawn.sum(axis=1, dtype=int) == sizes.sum()).all()
    deviations = (drawn.mean(axis=0) - sizes) / np.sqrt(sizes / 400)
    assert abs(deviations).max() < 6
    assert 0.97 < deviations.std() < 1.03
    variances = drawn[:, sizes > 1].var(axis=0) / sizes[sizes > 1]
    assert 0.97 < variances.mean() < 1.03


@pytest.mark.parametrize("strata", [None, np.arange(N) % 3])
def test_scores_have_the_law_of_the_naive_draw(strata: np.ndarray | None) -> None:
    found, design = scorers(labels(), "accuracy_score"), Design(N, strata=strata)
    (ours,) = scored(found, rows_of(found, design), design)
    rng = np.random.default_rng(11)
    members = [np.arange(N)] if strata is None else [np.flatnonzero(strata == k) for k in range(3)]
    right = labels()[1:] == labels()[0]
    naive = np.array([
        right[:, np.concatenate([rng.choice(own, own.size) for own in members])].mean(axis=1)
        for _ in range(2000)
    ])  # fmt: skip
    for entry in range(3):
        difference = naive[:, entry] - naive[:, entry - 1]
        for one, other in (
            (ours.values[:, entry], naive[:, entry]),
            (ours.values[:, entry] - ours.values[:, entry - 1], difference),
        ):
            edges = np.quantile(other, np.linspace(0, 1, 9)[1:-1])
            table = [np.bincount(np.digitize(x, edges), minlength=8) for x in (one, other)]
            assert chi2_contingency(np.array(table)).pvalue > 1e-4


@pytest.mark.parametrize("strata", [None, np.arange(N) % 3])
def test_rows_of_a_set_are_equal_and_those_of_two_sets_are_not(strata: np.ndarray | None) -> None:
    data = labels()
    distinct = rows_of(scorers(data, MACRO, "accuracy_score"), Design(N, strata=strata))
    codes = np.zeros(N, int) if strata is None else strata
    rows = list(zip(*data.tolist(), codes.tolist(), strict=True))
    assert len(set(zip(rows, distinct.sets.tolist(), strict=True))) == len(set(rows))
    assert len(set(rows)) == distinct.size
    assert distinct.sizes.tolist() == np.bincount(distinct.sets).tolist()
    assert distinct.sets[distinct.first].tolist() == list(range(distinct.size))
    firsts = [distinct.sets.tolist().index(k) for k in range(distinct.size)]
    assert distinct.first.tolist() == firsts


@pytest.mark.parametrize("table", [1, 16, 2**22])
@pytest.mark.parametrize("largest", [64, 2**62])
def test_sets_are_numbered_in_the_order_of_their_values(
    table: int, largest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(design_module, "_TABLE", table)
    monkeypatch.setattr(design_module, "_LARGEST_CODE", largest)
    rng = np.random.default_rng(6)
    columns: list[Array] = [rng.integers(-3, 4, 500).astype(np.int8) for _ in range(5)]
    columns.append(rng.random(500) < 0.5)
    expected = np.unique(np.transpose(columns), axis=0, return_inverse=True)[1].reshape(-1)
    sets = design_module._numbered(columns, 500)
    assert sets is not None
    assert sets.tolist() == expected.tolist()
    assert sets.itemsize <= 2
    assert design_module._numbered(columns, int(expected.max())) is None


def test_whole_numbers_that_lie_far_apart_are_told_apart() -> None:
    data = np.array([0, 10**8, -(10**8), 7])[labels()].astype(float)
    distinct = rows_of(scorers(data, "mean_absolute_error"))
    assert distinct.size == len(np.unique(np.abs(data[1:] - data[0]), axis=1).T)


@pytest.mark.parametrize("strata", [None, np.arange(N) % 3])
def test_scores_are_those_of_the_draws_of_rows(strata: np.ndarray | None) -> None:
    found, design = scorers(labels(), MACRO, "accuracy_score", "cohen_kappa_score"), Design(N)
    design = Design(N, strata=strata)
    formula = MetricSpec("mix", formula="(f1_score + accuracy_score) / 2", greater_is_better=True)
    specs = [
        MetricSpec(MACRO, MACRO, {"average": "macro"}),
        MetricSpec("accuracy_score", "accuracy_score"),
    ]
    found.append(FormulaScorer(resolve([*specs, formula], None)[2], found[:2]))
    distinct = rows_of(found, design)
    for one, replicates in zip(found, scored(found, distinct, design), strict=True):
        of_rows = np.concatenate([*part(distinct, design=design).unit_counts(replicates)])
        assert (of_rows.sum(axis=1) == N).all()
        if strata is not None:
            assert (of_rows[:, strata == 1].sum(axis=1) == N / 3).all()
        if one.parts == (one,):
            np.testing.assert_array_equal(replicates.values, one.replicate(of_rows).values)
        else:
            parts = [own.replicate(of_rows) for own in one.parts]
            np.testing.assert_array_equal(replicates.values, one.combine(parts).values)


def test_rows_of_a_set_are_drawn_alike() -> None:
    found = scorers(labels(), "accuracy_score")
    distinct = rows_of(found)
    (replicates,) = scored(found, distinct)
    drawn = np.concatenate([*part(distinct).unit_counts(replicates)])
    seen = np.bincount(drawn.ravel(), minlength=4)[:4] / drawn.size
    np.testing.assert_allclose(seen, [0.3678, 0.3680, 0.1840, 0.0613], atol=0.002)
    assert abs(drawn.mean(axis=0) - 1).max() < 5 / np.sqrt(RESAMPLES)


def test_where_nothing_is_gained_or_sums_are_not_exact_rows_are_drawn() -> None:
    few = scorers(labels(), MACRO)

    def merged(found: list[Scorer], units: np.ndarray | None = None) -> bool:
        return DistinctRows.from_design(found, Design(N, units), ALWAYS) is not None

    assert merged(few)
    assert not merged(few, np.arange(N) // 2)
    assert not merged(scorers(labels(count=40), MACRO))
    assert not merged(scorers(np.round(labels() / 3, 1), "mean_absolute_error"))
    assert not merged([*few, *scorers(labels(), "spearmanr")])
    (taken,) = scorers(labels(), MACRO)
    taken.rows = np.arange(N)
    assert not merged([*few, taken])
    assert not merged([])


def test_the_choice_depends_on_the_numbers_of_rows() -> None:
    def merged(n: int, count: int = 2, **settings: Any) -> bool:
        found = scorers(labels(n, count), "accuracy_score", MACRO)
        return DistinctRows.from_design(found, Design(n), Settings(**settings)) is not None

    assert merged(20_000)
    assert not merged(19_999)  # drawn in a moment
    assert not merged(20_000, count=6)  # 1,296 distinct rows
    assert merged(N, studentized="always")
    assert not merged(20_000, slices=("language",))


@pytest.mark.parametrize("backend", swept(["threads", "processes", "loky"], fast=2))
@pytest.mark.parametrize("workers", [1, 2])
def test_scores_and_draws_are_the_same_whoever_draws(workers: int, backend: str) -> None:
    found = scorers(labels(), MACRO, "accuracy_score")
    distinct = rows_of(found)
    kept = kept_counts(distinct.design(Design(N)), RESAMPLES, ALWAYS, 1)
    assert kept is not None
    expected = scored(found, distinct)
    for one, other in zip(
        scored(found, distinct, workers=workers, backend=backend, kept_counts=kept),
        expected,
        strict=True,
    ):
        np.testing.assert_array_equal(one.values, other.values)
    defined = np.arange(500) % 5 < 3
    some = Replicates(expected[0].values[:300], 200, defined=defined)
    everything = merged_of(part(distinct), expected[0])
    for of_part in (part(distinct, kept), part(distinct)):
        np.testing.assert_array_equal(merged_of(of_part, expected[0]), everything)
        np.testing.assert_array_equal(merged_of(of_part, some), everything[:500][defined])
        units = np.concatenate(list(of_part.unit_counts(expected[0])))
        again = np.concatenate(list(of_part.unit_counts(some)))
        np.testing.assert_array_equal(again, units[:500][defined])
        in_sets = [units[:, distinct.sets == k].sum(axis=1) for k in range(distinct.size)]
        np.testing.assert_array_equal(np.transpose(in_sets), everything)


@pytest.mark.parametrize("name", ["accuracy_score", MACRO])
def test_influence_values_of_sets_say_what_those_of_all_rows_say(name: str) -> None:
    (found,) = scorers(labels(), name)
    distinct = rows_of([found])
    of_rows = found.influence(None, N)
    of_sets = found.influence_of_sets(distinct.first, distinct.sizes)
    assert of_rows is not None
    assert of_sets is not None
    np.testing.assert_allclose(of_sets[distinct.sets], of_rows, rtol=0, atol=1e-17)
    rows = UnitInfluence(of_rows)
    sets = UnitInfluence(of_sets, of_rows=Grouping(len(of_sets), sizes=distinct.sizes))
    assert sets.units == rows.units
    np.testing.assert_allclose(sets.tails, rows.tails, rtol=0, atol=1e-9)
    np.testing.assert_allclose(sets.tails_of_scores, rows.tails_of_scores, rtol=1e-9)


def test_inference_makes_no_influence_values_of_rows_where_sets_are_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = labels(20_000, 2)
    lengths: list[int] = []
    whole = scorer.of_sums

    def counting(*given: Any) -> Any:
        values = whole(*given)
        lengths.append(len(values))
        return values

    monkeypatch.setattr("scoring_program.scoring.scorers.of_sums", counting)
    entries = {f"team {number}": row for number, row in enumerate(data[1:])}
    compare(data[0], entries, metrics=["accuracy", "f1_score"], resamples=100)
    assert lengths
    assert max(lengths) <= 2**4  # the sets of four labels of two classes


def test_sets_of_many_rows_are_found_in_little_memory() -> None:
    rows = 1_000_000
    measured = scorers(labels(rows, 2), "accuracy_score")
    tracemalloc.start()
    distinct = DistinctRows.from_design(measured, Design(rows), Settings())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert distinct is not None
    assert peak < 4 * rows
