"""No addition to the real forms of the how-tos moves a score in silence."""

from __future__ import annotations

import pytest

from .additions import ADDITIONS, tried


def test_no_addition_moves_a_score() -> None:
    """``python -m tests.hostile.additions 10000`` tries many more."""
    counts, wrong = tried(24)
    assert wrong == []
    assert sum(times for (_, outcome), times in counts.items() if outcome == "the same") > 3


@pytest.mark.slow
def test_no_addition_of_many_moves_a_score() -> None:
    counts, wrong = tried(400, first_seed=1000)
    assert wrong == []
    assert {addition for addition, outcome in counts if outcome == "the same"} == {*ADDITIONS}
