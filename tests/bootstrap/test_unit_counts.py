"""The draws of a part, drawn again, are those that its scores come from."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from scoring_program.bootstrap.design import Design
from scoring_program.bootstrap.replicates import Replicates
from scoring_program.bootstrap.resample import iterate_counts
from scoring_program.bootstrap.resample_parts import ResampledPart
from tests.competitions import Folder


def part(design: Design, wanted: int) -> ResampledPart:
    anything: Any = SimpleNamespace()
    return ResampledPart(anything, (), design, (), 7, wanted)


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


def test_studentized_results_do_not_depend_on_workers(folder: Folder) -> None:
    found = []
    for workers in (1, 2):
        folder.write(f"resamples: 300\nstudentized: always\nworkers: {workers}\n")
        assert folder.run() == 0
        (metric, *_) = folder.results()["metrics"]
        assert metric["studentized"]["reason"] == "always"
        found.append(metric)
    assert found[0] == found[1]
