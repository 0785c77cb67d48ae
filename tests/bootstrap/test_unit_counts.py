"""The draws of a part, kept or drawn again, are those that its scores come from."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from scoring_program.bootstrap.design import Counts, Design, kept_counts
from scoring_program.bootstrap.resample import (
    ResampledPart,
    iterate_counts,
    resample,
)
from scoring_program.bootstrap.task_queue import Resources
from scoring_program.metrics import resolve
from scoring_program.scoring.bind import bind
from scoring_program.scoring.scorer import Replicates
from scoring_program.settings.checks import MetricSpec
from scoring_program.settings.model import Settings
from tests.competitions import Folder


def part(design: Design, wanted: int, kept: Counts | None = None) -> ResampledPart:
    anything: Any = SimpleNamespace()
    return ResampledPart(anything, (), design, 7, wanted, kept_counts=kept)


ALWAYS = Settings(studentized="always")


@pytest.mark.parametrize("units", [None, np.array([2, 0, 0, 1, 2, 1, 1, 0])])
def test_units_are_drawn_again(units: np.ndarray | None) -> None:
    design = Design(8, units)
    (drawn,) = iterate_counts(design, 40, 7)
    (found,) = part(design, 40).unit_counts(Replicates(np.zeros((40, 1)), 0))
    of_rows = found if units is None else found[:, units]
    np.testing.assert_array_equal(of_rows, drawn)
    assert (found.sum(axis=1) == design.size).all()


def test_only_the_resamples_that_count() -> None:
    design = Design(50_000)  # several chunks
    chunks = np.concatenate(list(iterate_counts(design, 60, 7)))
    defined = np.arange(45) % 3 > 0
    replicates = Replicates(np.zeros((30, 1)), 15, defined=defined)
    found = np.concatenate(list(part(design, 60).unit_counts(replicates)))
    np.testing.assert_array_equal(found, chunks[:45][defined])


def scored(design: Design, resamples: int, **resources: Any) -> Replicates:
    """Score two entries on every resample."""
    rng = np.random.default_rng(0)
    gold, guesses = rng.integers(0, 2, design.n), rng.integers(0, 2, (2, design.n))
    (metric,) = resolve([MetricSpec("accuracy_score", "accuracy_score")], None)
    scorer = bind(metric, gold, list(guesses))
    (found,) = resample([scorer], design, resamples, 7, resources=Resources(**resources))
    return found


@pytest.mark.parametrize("backend", ["threads", "processes"])
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("units", [None, np.arange(3000) // 10])
def test_kept_draws_are_those_drawn_again(
    units: np.ndarray | None, workers: int, backend: str
) -> None:
    design = Design(3000, units)
    kept = kept_counts(design, 700, ALWAYS, 1)  # of three chunks
    assert kept is not None
    found = scored(design, 700, workers=workers, backend=backend, kept_counts=kept)
    again = np.concatenate(list(part(design, 700).unit_counts(found)))
    (of_kept,) = part(design, 700, kept).unit_counts(found)
    np.testing.assert_array_equal(of_kept, again)
    some = Replicates(found.values[:300], 200, defined=np.arange(500) % 5 < 3)
    again = np.concatenate(list(part(design, 700).unit_counts(some)))
    (of_kept,) = part(design, 700, kept).unit_counts(some)
    np.testing.assert_array_equal(of_kept, again)


def test_workers_elsewhere_keep_no_draws() -> None:
    design = Design(50)
    kept = kept_counts(design, 40, ALWAYS, 1)
    found = scored(design, 40, workers=2, backend="loky", kept_counts=kept)
    (drawn,) = iterate_counts(design, 40, 7)
    (again,) = part(design, 40, kept).unit_counts(found)
    np.testing.assert_array_equal(again, drawn)


def test_draws_are_kept_where_they_are_few_or_sure_to_be_used() -> None:
    few, many, too_many = Design(400), Design(2000), Design(100_000)

    def keeps(design: Design, parts: int = 1, **settings: Any) -> bool:
        return kept_counts(design, 10_000, Settings(**settings), parts) is not None

    assert [keeps(design) for design in (few, many, too_many)] == [True, False, False]
    for asked in ({"studentized": "always"}, {"slices": ("language",)}):
        assert [keeps(design, **asked) for design in (few, many, too_many)] == [True, True, False]
    assert not keeps(few, studentized="never", slices=("language",))
    assert not keeps(many, parts=20, studentized="always")
    assert not keeps(many, memory=0.1, studentized="always")


def test_studentized_results_do_not_depend_on_workers(folder: Folder) -> None:
    found = []
    for workers in (1, 2):
        folder.write(f"resamples: 300\nstudentized: always\nworkers: {workers}\n")
        assert folder.run() == 0
        (metric, *_) = folder.results()["metrics"]
        assert metric["studentized"]["reason"] == "always"
        found.append(metric)
    assert found[0] == found[1]


def test_distinct_rows_are_drawn_through_a_whole_run(folder: Folder) -> None:
    folder.ids = [f"x{i:04}" for i in range(480)]
    folder.labels = folder.labels * 8
    folder.teams = {team: predicted * 8 for team, predicted in folder.teams.items()}
    metrics = "[accuracy_score, matthews_corrcoef]"
    found = []
    for workers, studentized in ((1, "always"), (2, "always"), (1, "never")):
        asked = f"resamples: 2000\nstudentized: {studentized}\nworkers: {workers}\n"
        folder.write(f"{asked}metrics: {metrics}\n")
        assert folder.run() == 0
        found.append(folder.results()["metrics"])
    assert found[0] == found[1]
    for one, other in zip(found[0], found[2], strict=True):
        assert one["studentized"]["reason"] == "always"
        for row, of_rows in zip(one["entries"], other["entries"], strict=True):
            assert row["score"] == of_rows["score"]
            error = of_rows["standard_error"]
            assert row["standard_error"] == pytest.approx(error, rel=0.1)
            assert row["ci"] == pytest.approx(of_rows["ci"], abs=0.3 * error)


def test_crossed_groups_count_as_often_as_both_are_drawn() -> None:
    """By loops: every row's count is the product of those of its two groups (Owen 2007)."""
    prompts, judges = np.arange(24) % 4, np.arange(24) // 4
    design = Design(24, np.array([prompts, judges + 4]), np.repeat([0, 1], [4, 6]))
    (rows,), (units,) = iterate_counts(design, 50, 3), iterate_counts(design, 50, 3, of_units=True)
    assert (units[:, :4].sum(axis=1) == 4).all()
    assert (units[:, 4:].sum(axis=1) == 6).all()
    for drawn, counts in zip(rows, units, strict=True):
        for row in range(24):
            assert drawn[row] == int(counts[prompts[row]]) * int(counts[judges[row] + 4])
    assert design.groups == 4
    assert design.effective_groups == 4
