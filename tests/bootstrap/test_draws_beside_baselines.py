"""A baseline tells more rows apart, and changes no draw of the others.

Where equal rows are drawn together, those of the competing entries are drawn first, and what a
baseline tells apart within them afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from math import factorial, prod
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2_contingency

from scoring_program.bootstrap.design import (
    Design,
    DistinctRows,
    RowsWithin,
    SetsWithin,
    generator_of_chunk,
)
from scoring_program.bootstrap.resample import iterate_counts, resample
from scoring_program.bootstrap.task_queue import Resources
from scoring_program.data import from_arrays
from scoring_program.data.from_arrays import score_table
from scoring_program.metrics import resolve
from scoring_program.pipeline import evaluate
from scoring_program.scoring.bind import bind
from scoring_program.scoring.scorer import Replicates, Scorer
from scoring_program.settings.checks import MetricSpec
from scoring_program.settings.model import Settings
from tests.simulations.bystanders import differing, of_others
from tests.sweeps import swept

N = 3000
MANY = 20_000
RESAMPLES = 600
ALWAYS = Settings(studentized="always")
COMPETING = (0, 1)


def numbers(levels: int = 3, n: int = N) -> np.ndarray:
    """The reference data, two entries and a baseline, [4, n]."""
    return np.random.default_rng(8).integers(0, levels, (4, n)).astype(float)


def scorer_of(data: np.ndarray, name: str = "mean_absolute_error") -> Scorer:
    (metric,) = resolve([MetricSpec(name, name)], None)
    return bind(metric, data[0], list(data[1:]))


def beside_a_baseline(data: np.ndarray, design: Design | None = None) -> DistinctRows:
    sets = DistinctRows.from_design(
        [scorer_of(data)], design or Design(data.shape[1]), ALWAYS, [COMPETING]
    )
    assert sets is not None
    return sets


def alone(data: np.ndarray, design: Design | None = None) -> DistinctRows:
    sets = DistinctRows.from_design([scorer_of(data[:3])], design or Design(data.shape[1]), ALWAYS)
    assert sets is not None
    return sets


def scored(
    scorer: Scorer, sets: DistinctRows, design: Design | None = None, **resources: Any
) -> Replicates:
    of_rows = design or Design(scorer.n)
    of_sets = sets.take([scorer])[scorer]
    asked = Resources(**resources)
    (replicates,) = resample([of_sets], sets.design(of_rows), RESAMPLES, 7, resources=asked)
    return replicates


def odd(data: np.ndarray, how: str) -> np.ndarray:
    """The same with a baseline of another kind."""
    changed = data.copy()
    if how == "real":
        changed[3] = np.random.default_rng(9).normal(size=data.shape[1])
    if how == "far":
        changed[3] = np.arange(data.shape[1])
    if how == "copy":
        changed[3] = data[1]
    return changed


LAW: dict[str, Callable[[np.ndarray, np.ndarray], Any]] = {
    "sets": SetsWithin,
    "rows": lambda within, sizes: RowsWithin(within),
}


@pytest.mark.parametrize("kind", LAW)
@pytest.mark.parametrize("drawn", [(3, 2), (0, 4), (6, 0)])
def test_counts_within_a_set_are_multinomial(kind: str, drawn: tuple[int, int]) -> None:
    """By all outcomes, given how often the two larger sets are drawn."""
    within = np.array([0, 0, 0, 1, 1])
    sizes = np.array([1, 1, 1, 1, 1]) if kind == "rows" else np.array([2, 1, 3, 5, 1])
    number = 40_000
    counts = LAW[kind](within, sizes).draw(generator_of_chunk(3, 0), np.tile(drawn, (number, 1)))
    outcomes, seen = np.unique(counts.astype(int), axis=0, return_counts=True)
    assert (outcomes[:, :3].sum(axis=1) == drawn[0]).all()
    assert (outcomes[:, 3:].sum(axis=1) == drawn[1]).all()
    expected = np.array([_probability(outcome, drawn, sizes) * number for outcome in outcomes])
    assert expected.sum() > 0.99 * number
    deviations = (seen - expected) / np.sqrt(expected)
    assert abs(deviations[expected > 5]).max() < 4.5


def _probability(outcome: np.ndarray, drawn: tuple[int, int], sizes: np.ndarray) -> float:
    """The probability of an outcome: a multinomial one in either of the larger sets."""
    total = 1.0
    for members, count in ((slice(0, 3), drawn[0]), (slice(3, 5), drawn[1])):
        shares = sizes[members] / sizes[members].sum()
        ways = factorial(count) / prod(factorial(k) for k in outcome[members].tolist())
        total *= ways * prod(shares ** outcome[members])
    return total


@pytest.mark.parametrize("strata", [None, np.arange(N) % 3])
@pytest.mark.parametrize("how", ["label", "real"])
def test_scores_have_the_law_of_the_naive_draw(how: str, strata: np.ndarray | None) -> None:
    data = odd(numbers(), how)
    design = Design(N, strata=strata)
    ours = scored(scorer_of(data), beside_a_baseline(data, design), design)
    rng = np.random.default_rng(11)
    members = [np.arange(N)]
    if strata is not None:
        members = [np.flatnonzero(strata == stratum) for stratum in range(3)]
    errors = abs(data[1:] - data[0])
    naive = []
    for _ in range(1500):
        rows = np.concatenate([rng.choice(stratum, stratum.size) for stratum in members])
        naive.append(errors[:, rows].mean(axis=1))
    by_loop = np.array(naive)
    for columns in ([2], [0, 2], [1, 2]):
        one = ours.values[:, columns[0]] - ours.values[:, columns[-1]] * (len(columns) > 1)
        other = by_loop[:, columns[0]] - by_loop[:, columns[-1]] * (len(columns) > 1)
        edges = np.quantile(other, np.linspace(0, 1, 9)[1:-1])
        table = [np.bincount(np.digitize(x, edges), minlength=8) for x in (one, other)]
        assert chi2_contingency(np.array(table)).pvalue > 1e-4


@pytest.mark.parametrize("strata", [None, np.arange(N) % 3])
@pytest.mark.parametrize("how", ["label", "real", "far", "copy"])
def test_a_baseline_changes_no_score_of_the_others(how: str, strata: np.ndarray | None) -> None:
    data = odd(numbers(), how)
    design = Design(N, strata=strata)
    without = scored(scorer_of(data[:3]), alone(data, design), design)
    beside = scored(scorer_of(data), beside_a_baseline(data, design), design)
    np.testing.assert_array_equal(beside.values[:, :2], without.values)


def test_where_rows_stand_for_equal_ones_the_others_are_drawn_alike() -> None:
    """As of Parquet parts, whose distinct rows are those of all entries."""
    data = numbers()
    found = []
    for entries in (data[:3], data):
        rows, sizes = np.unique(entries, axis=1, return_counts=True)
        design = Design(rows.shape[1], sizes=sizes)
        competing = [COMPETING] if len(rows) > 3 else None
        sets = DistinctRows.from_design([scorer_of(rows)], design, Settings(), competing)
        assert sets is not None
        assert sets.sizes.sum() == N
        found.append(scored(scorer_of(rows), sets, design).values[:, :2])
    without, beside = found
    np.testing.assert_array_equal(beside, without)


def test_the_draws_of_the_larger_sets_are_the_sums_of_those_within_them() -> None:
    data = numbers()
    sets = beside_a_baseline(data)
    assert sets.outer is not None
    assert sets.outer.size < sets.size
    within = np.concatenate(list(iterate_counts(sets.design(Design(N)), RESAMPLES, 7)))
    of_outer = alone(data).design(Design(N))
    first = np.concatenate(list(iterate_counts(of_outer, RESAMPLES, 7)))
    np.testing.assert_array_equal(sets.of_outer(within), first)


@pytest.mark.parametrize("how", ["label", "real", "far", "copy"])
def test_what_is_drawn_follows_from_the_competing_entries(how: str) -> None:
    data = odd(numbers(), how)
    expected = alone(data)
    sets = beside_a_baseline(data)
    outer = sets.outer or sets
    np.testing.assert_array_equal(outer.sets, expected.sets)
    assert (sets.outer is None) == (how == "copy")
    assert (sets.size == N) == (how in ("real", "far"))
    few = numbers(40)  # the sets of the competing entries are too many to pay off
    few[3] = 0
    assert DistinctRows.from_design([scorer_of(few)], Design(N), ALWAYS, [COMPETING]) is None


@pytest.mark.parametrize("how", ["label", "real"])
@pytest.mark.parametrize("backend", swept(["threads", "processes", "loky"], fast=2))
def test_scores_are_the_same_whoever_draws(how: str, backend: str) -> None:
    data = odd(numbers(), how)
    sets = beside_a_baseline(data)
    expected = scored(scorer_of(data), sets)
    again = scored(scorer_of(data), sets, workers=2, backend=backend)
    np.testing.assert_array_equal(again.values, expected.values)


def test_few_resamples_of_many_sets_are_scored_at_once() -> None:
    """A chunk of what is drawn first may hold more resamples than memory has room for."""
    data = odd(numbers(n=MANY), "real")
    sets = beside_a_baseline(data)
    design = sets.design(Design(MANY))
    sizes = [len(counts) for counts in iterate_counts(design, 200, 7)]
    assert max(sizes) * MANY <= 750_000
    assert sum(sizes) == 200


@pytest.mark.parametrize("studentized", ["auto", "always"])
@pytest.mark.parametrize("how", swept(["label", "real", "far", "copy"], fast=2))
def test_nothing_is_said_otherwise_of_the_others(how: str, studentized: str) -> None:
    """Where rows are drawn together, a baseline is added, and the reference is another one."""
    data = odd(numbers(n=MANY), how)
    asked: dict[str, Any] = {
        "metrics": (
            MetricSpec("mae", "mean_absolute_error"),
            MetricSpec("rmse", "root_mean_squared_error"),
        ),
        "resamples": 300,
        "studentized": studentized,
    }
    entries = {"north": data[1], "south": data[2]}
    without = said_of_others(data[0], entries, **asked)
    beside = {"a baseline": data[3], **entries}
    for reference in (None, "a baseline", "south"):
        named = {**asked, "baselines": ("a baseline",), "reference_entry": reference}
        assert list(differing("", without, said_of_others(data[0], beside, **named))) == []
    assert (
        list(
            differing(
                "", without, said_of_others(data[0], entries, reference_entry="south", **asked)
            )
        )
        == []
    )


def said_of_others(gold: np.ndarray, entries: dict[str, np.ndarray], **asked: Any) -> Any:
    settings = Settings(**asked)
    found = evaluate(from_arrays.competition(gold, entries, settings), settings).findings
    return of_others(found, settings.baselines)


def test_a_baseline_does_not_decide_which_resamples_count() -> None:
    """Pearson's r of two entries has no value where two examples are not drawn."""
    rng = np.random.default_rng(4)
    gold = rng.normal(size=40)
    entries = {name: np.zeros(40) for name in ("north", "south")}
    for number, predicted in enumerate(entries.values()):
        predicted[:2] = 1 + number, 3
    pearson = MetricSpec("pearson", "pearsonr")
    without = said_of_others(gold, entries, metrics=(pearson,), resamples=300)
    assert len(without["entries"]) == 2
    beside = {**entries, "a baseline": rng.normal(size=40)}
    asked: dict[str, Any] = {"baselines": ("a baseline",), "metrics": (pearson,), "resamples": 300}
    assert list(differing("", without, said_of_others(gold, beside, **asked))) == []


def test_units_with_costs_of_their_own_are_drawn_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Units with equal scores cost different sums, so that no sets of them are drawn."""
    rng = np.random.default_rng(5)
    table = pd.DataFrame(
        {
            "case": np.repeat([f"u{unit}" for unit in range(300)], 2),
            "system": np.tile(["north", "south"], 300),
            "points": rng.integers(0, 2, 600),
            "price": rng.random(600),
        }
    )
    asked: dict[str, Any] = {"unit": ("case",), "system": "system", "greater_is_better": True}
    asked |= {"studentized": "always", "resamples": 100}
    formed = []
    whole = DistinctRows.from_design.__func__  # type: ignore[attr-defined]

    def forming(*given: Any) -> Any:
        formed.append(whole(*given))
        return formed[-1]

    monkeypatch.setattr(DistinctRows, "from_design", classmethod(forming))
    for costs, sets in ((None, 4), ("price", None)):
        settings = Settings(**asked, costs=costs)
        columns = table if costs else table.drop(columns="price")
        evaluate(*score_table(columns, settings))
        found = formed.pop() if formed else None
        assert (found and found.size) == sets
