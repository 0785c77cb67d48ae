"""One participant may make the run ask, and never changes what is read of others."""

from __future__ import annotations

import pytest

from scoring_program.recognize.rows_rule import Recognition, recognize_rows
from tests.sweeps import thinned

from . import generate
from .attacks import ATTACKS
from .columns import table


def read_of(outcome: Recognition, file: str) -> object:
    """Return the columns and rows that are read of a file."""
    binding = outcome.bindings[file]
    predictions = {name: dict(it.columns) for name, it in binding.predictions.items()}
    return binding.answers, predictions, binding.rows.tolist()


@pytest.mark.parametrize("attack", thinned(ATTACKS))
def test_a_hostile_upload_changes_no_cell_of_others(attack: str) -> None:
    compared = 0
    for seed in range(60):
        case = generate.make(seed)
        gold, uploads = case.tables()
        before = generate.recognition_of(case)
        if before.reading is None:
            continue
        hostile = ATTACKS[attack](case.gold, next(iter(case.files.values())))
        with_hostile = {**uploads, "hostile": table("hostile", hostile)}
        after = recognize_rows(gold, with_hostile, case.needs, case.stated)
        for file in before.bindings:
            if file in after.bindings:
                assert read_of(after, file) == read_of(before, file), (seed, file)
                compared += 1
    assert compared > 30


def test_a_good_upload_among_bad_ones_is_read_alike_in_any_order() -> None:
    for seed in range(40):
        case = generate.make(seed)
        gold, uploads = case.tables()
        backwards = dict(reversed(uploads.items()))
        before = generate.recognition_of(case)
        after = recognize_rows(gold, backwards, case.needs, case.stated)
        assert {*after.bindings} == {*before.bindings}
        for file in before.bindings:
            assert read_of(after, file) == read_of(before, file)
