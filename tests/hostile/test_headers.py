"""Columns of usual names, wherever they stand: see `headers`."""

from __future__ import annotations

import pytest

from tests.hostile.headers import COMPETITIONS, NAMES, Addition, additions, fault

#: Of so many columns, the fast tests try one; the number shares no factor with that of the names.
_ONE_OF = 331


def test_names_and_competitions_are_many() -> None:
    assert (len(NAMES), len(COMPETITIONS)) == (46, 14)


@pytest.mark.parametrize("added", [*additions()][::_ONE_OF], ids=str)
def test_a_column_is_nobodys_but_the_files_error(added: Addition) -> None:
    assert fault(added) == ""


@pytest.mark.slow
@pytest.mark.parametrize("competition", COMPETITIONS)
def test_every_name_at_every_place(competition: str) -> None:
    every = [added for added in additions() if added.competition == competition]
    assert [(added, wrong) for added in every if (wrong := fault(added))] == []


@pytest.mark.parametrize("files", ["gold", "both"])
def test_what_the_spans_are_of_may_have_a_column_beside_them(files: str) -> None:
    assert fault(Addition("spans", files, "label", 1)) == ""
