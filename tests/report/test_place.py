"""What the page of one submission says of its place, and of what would change it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from scoring_program import report as render
from scoring_program.report.findings import Findings
from tests.report import made

LOWER = "A lower place alone does not mean a worse system."
CHANGED = "A better score, other submissions or another test set would change the place"


@pytest.mark.parametrize("form", [made.field, made.scores_only])
def test_the_own_page_says_what_a_place_means(form: Callable[[], Findings]) -> None:
    said = made.built(form()).consequence
    assert LOWER in said
    (changed,) = (one for one in said if one.startswith(CHANGED))
    found = re.search(r"would probably lie in \[([\d.]+), ([\d.]+)\]\.$", changed)
    assert found is not None
    assert float(found[1]) < float(found[2])


@pytest.mark.parametrize("form", [made.single, made.teams])
def test_where_nobody_stands_lower_nothing_is_said(form: Callable[[], Findings]) -> None:
    assert LOWER not in made.built(form()).consequence


def test_who_is_first_of_a_field_stands_no_lower() -> None:
    (leader, *_) = made.field().evidence[0].scores.leaders
    assert LOWER not in render.build(made.result(form="field", focus=leader)).consequence
