"""Random competitions with known truth: nothing wrong is ever scored, and little is asked.

``python -m tests.recognize 100000`` draws many more.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.sweeps import swept

from . import generate, prototype

CASES = 400
pytestmark_prototype = pytest.mark.skipif(
    prototype.FOLDER is None, reason="the measured prototype is not beside the repository"
)


@pytest.mark.parametrize("cases", swept([CASES // 4, CASES]))
def test_no_wrong_score_and_few_questions(cases: int) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    wrong = []
    for seed in range(cases):
        case = generate.make(seed)
        outcome, why = generate.verdict(case, generate.recognition_of(case))
        counts[case.group, outcome] += 1
        if outcome == "WRONG":
            wrong.append((seed, why))
    assert wrong == []
    assert counts["plain", "right"] > cases / 5
    assert counts["plain", "asked"] + counts["plain", "unusable"] == 0
    assert counts["troubled", "right"] > counts["troubled", "asked"]


def test_every_trouble_is_drawn() -> None:
    drawn = {trouble for seed in range(CASES) for trouble in generate.make(seed).troubles}
    assert drawn == {*generate._TROUBLES}


@pytestmark_prototype
@pytest.mark.parametrize("cases", swept([100, 300]))
def test_as_the_prototype_but_where_one_file_would_vote(cases: int) -> None:
    """The prototype lets a single submission decide what the gold is; here it decides nothing."""
    wrong = []
    otherwise = 0
    for seed in range(cases):
        case = prototype.case(seed)
        outcome, why = prototype.verdict(case)
        if outcome == "WRONG":
            wrong.append((seed, why))
        if len(case.files) > 1:
            otherwise += outcome != prototype.verdict_of_prototype(case)
    assert wrong == []
    assert otherwise <= 6
