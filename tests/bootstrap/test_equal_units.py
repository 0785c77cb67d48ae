"""Units that no metric tells apart: their draws together give what the draws of each give."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from scoring_program.bootstrap.counts import draw_counts
from scoring_program.bootstrap.design import Design
from scoring_program.bootstrap.equal_units import EqualUnits
from scoring_program.bootstrap.kept_counts import KeptCounts
from scoring_program.bootstrap.replicates import Replicates
from scoring_program.bootstrap.resample import iterate_counts, resample
from scoring_program.bootstrap.resample_parts import ResampledPart
from scoring_program.bootstrap.resources import Resources
from scoring_program.metrics import resolve
from scoring_program.scoring.bind import bind
from scoring_program.scoring.scorer import Scorer
from scoring_program.settings.metric_spec import MetricSpec
from scoring_program.settings.model import Settings

N, RESAMPLES = 3000, 700  # three chunks
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


def scored(
    found: list[Scorer], kept: KeptCounts | None, **resources: Any
) -> tuple[Replicates, ...]:
    return resample(found, Design(N), RESAMPLES, 7, resources=Resources(kept=kept, **resources))


def in_sets(drawn: np.ndarray, equal: EqualUnits) -> np.ndarray:
    """Return the draws [R, K] of sets, added up one set after another."""
    return np.array([drawn[:, equal.sets == k].sum(axis=1) for k in range(equal.size)]).T


def kept_of(found: list[Scorer]) -> tuple[EqualUnits, KeptCounts]:
    equal = EqualUnits.of(found, Design(N), ALWAYS)
    assert equal is not None
    kept = KeptCounts.of(Design(N), RESAMPLES, ALWAYS, 1, equal)
    assert kept is not None
    return equal, kept


def part(equal: EqualUnits, kept: KeptCounts | None) -> ResampledPart:
    anything: Any = SimpleNamespace()
    return ResampledPart(anything, (), Design(N), (), 7, RESAMPLES, kept=kept, equal=equal)


def merged_of(found: ResampledPart, replicates: Replicates) -> np.ndarray:
    counts = found.merged_counts(replicates)
    assert counts is not None
    return np.concatenate(list(counts.blocks()))


@pytest.mark.parametrize("strata", [None, np.arange(N) % 3])
def test_rows_of_a_set_are_equal_and_those_of_two_sets_are_not(strata: np.ndarray | None) -> None:
    data = labels()
    equal = EqualUnits.of(scorers(data, MACRO, "accuracy_score"), Design(N, strata=strata), ALWAYS)
    assert equal is not None
    codes = np.zeros(N, int) if strata is None else strata
    rows = list(zip(*data.tolist(), codes.tolist(), strict=True))
    assert len(set(zip(rows, equal.sets.tolist(), strict=True))) == len(set(rows)) == equal.size
    assert equal.sizes.tolist() == np.bincount(equal.sets).tolist()
    assert equal.sets[equal.first].tolist() == list(range(equal.size))


@pytest.mark.parametrize("seed", range(5))
def test_draws_are_added_up(seed: int) -> None:
    rng = np.random.default_rng(seed)
    chosen = np.unique(rng.zipf(1.5, 900) % 300, return_inverse=True)[1]
    _, first, sizes = np.unique(chosen, return_index=True, return_counts=True)
    counts = draw_counts(rng, 900, 30)
    equal = EqualUnits(chosen, first, sizes)
    np.testing.assert_array_equal(equal.add_up(counts), in_sets(counts, equal))


def test_a_set_may_be_drawn_more_often_than_a_byte_holds() -> None:
    equal = EqualUnits(np.zeros(70_000, int), np.array([0]), np.array([70_000]))
    counts = draw_counts(np.random.default_rng(0), 70_000, 2)
    assert equal.add_up(counts).tolist() == [[70_000], [70_000]]


def test_where_nothing_is_gained_or_sums_are_not_exact_rows_are_not_merged() -> None:
    few = scorers(labels(), MACRO)

    def merged(found: list[Scorer], units: np.ndarray | None = None) -> bool:
        return EqualUnits.of(found, Design(N, units), ALWAYS) is not None

    assert merged(few)
    assert not merged(few, np.arange(N) // 2)
    assert not merged(scorers(labels(count=40), MACRO))
    assert not merged(scorers(np.round(labels() / 3, 1), "mean_absolute_error"))
    assert not merged([*few, *scorers(labels(), "spearmanr")])
    (taken,) = scorers(labels(), MACRO)
    taken.rows = np.arange(N)
    assert not merged([*few, taken])
    assert not merged([])


def test_only_draws_that_are_sure_to_be_used_are_merged() -> None:
    found = scorers(labels(), MACRO)

    def merged(**settings: Any) -> bool:
        return EqualUnits.of(found, Design(N), Settings(**settings)) is not None

    assert merged(studentized="always")
    assert not merged()
    assert not merged(studentized="always", slices=("language",))


@pytest.mark.parametrize("backend", ["threads", "processes"])
@pytest.mark.parametrize("workers", [1, 2])
def test_scores_and_draws_are_the_same(workers: int, backend: str) -> None:
    found = scorers(labels(), MACRO, "accuracy_score", "cohen_kappa_score")
    equal, kept = kept_of(found)
    plain = scored(found, None, workers=workers, backend=backend)
    merged = scored(found, kept, workers=workers, backend=backend)
    for one, other in zip(plain, merged, strict=True):
        np.testing.assert_array_equal(one.values, other.values)
    drawn = np.concatenate(list(iterate_counts(Design(N), RESAMPLES, 7)))
    expected, defined = in_sets(drawn, equal), np.arange(500) % 5 < 3
    some = Replicates(merged[0].values[:300], 200, defined=defined)
    for of_part in (part(equal, kept), part(equal, None)):
        np.testing.assert_array_equal(merged_of(of_part, merged[0]), expected)
        np.testing.assert_array_equal(merged_of(of_part, some), expected[:500][defined])
        # Whoever needs every unit draws again.
        found_again = np.concatenate(list(of_part.unit_counts(merged[0])))
        np.testing.assert_array_equal(found_again, drawn)


def test_workers_elsewhere_keep_nothing() -> None:
    found = scorers(labels(), MACRO)
    equal, kept = kept_of(found)
    (elsewhere,) = scored(found, kept, workers=2, backend="loky")
    (here,) = scored(found, kept)
    np.testing.assert_array_equal(elsewhere.values, here.values)
    again = merged_of(part(equal, kept_of(found)[1]), elsewhere)
    np.testing.assert_array_equal(again, merged_of(part(equal, kept), here))
