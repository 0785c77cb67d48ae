"""Which columns of Parquet parts hold ids and labels: stated, by name, or denied by footers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from scoring_program.recognize import parts_rule

COLUMNS = ["key", "label", "Guess"]


@pytest.mark.parametrize(
    ("roles", "id_column", "answers", "prediction"),
    [
        ({}, None, None, None),
        ({"id": "key", "answer": "guess"}, "key", "Guess", None),
        ({"id": 1, "label": 2}, "key", "label", "label"),
        ({"prediction": "guess"}, None, None, "Guess"),
        ({"klass": 3}, None, None, "Guess"),  # the gold's column that it predicts
        ({"id": "nr", "answer": 9}, "nr", "9", None),  # absent
        ({"id": ("key", "label")}, None, None, None),  # parts join by one column
    ],
)
def test_what_the_settings_state(
    roles: Mapping[str, Any], id_column: str | None, answers: str | None, prediction: str | None
) -> None:
    assert parts_rule.stated_id(COLUMNS, roles) == id_column
    assert parts_rule.stated_answers(COLUMNS, roles) == answers
    assert parts_rule.stated_prediction(COLUMNS, roles, "klass") == prediction


@pytest.mark.parametrize(
    ("columns", "id_column", "targets", "answers"),
    [
        (["id", "label"], "id", ["label"], "label"),
        (["note", "id", "label"], "id", ["label", "note"], "label"),
        (["id", "left", "right"], "id", ["left", "right"], None),
    ],
)
def test_usual_names_of_gold(
    columns: Sequence[str], id_column: str, targets: Sequence[str], answers: str | None
) -> None:
    head = {name: ["1", "2"] for name in columns}
    assert parts_rule.id_of_gold(head, None) == id_column
    assert parts_rule.answers_of_gold(columns, id_column) == (targets, answers)


SAME = [("yes", "yes"), ("yes", "yes")]
DIFFER = [("no", "yes"), ("no", "no")]


@pytest.mark.parametrize(
    ("label", "guess", "cells", "rivals"),
    [
        (SAME, DIFFER, ["no", "yes"], ["guess"]),
        (DIFFER, DIFFER, ["no", "yes"], []),
        (SAME, SAME, ["no", "no"], []),
        (SAME, DIFFER, ["3", "5"], []),  # no labels
        ([("yes", "yes"), None], DIFFER, ["no", "yes"], []),  # a footer does not tell
        ([], DIFFER, ["no", "yes"], []),
        ([("no", "no"), ("yes", "yes")], DIFFER, ["no", "yes"], []),  # constant in each group alone
    ],
)
def test_a_constant_column_beside_another(
    label: Any, guess: Any, cells: Sequence[str], rivals: Sequence[str]
) -> None:
    ranges = {"label": label, "guess": guess}
    beside = {"guess": cells}
    assert parts_rule.others_than_constant("label", beside, ranges, ["no", "yes"]) == rivals
