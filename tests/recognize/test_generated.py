"""Random competitions with known truth: nothing wrong is ever scored, and little is asked.

``python -m tests.recognize 100000`` draws many more.
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from scoring_program import score
from scoring_program.core.errors import OrganizerError
from tests.sweeps import swept

from . import causes, generate, prototype

CASES = 400
pytestmark_prototype = pytest.mark.skipif(
    prototype.FOLDER is None, reason="the measured prototype is not beside the repository"
)


@pytest.mark.parametrize("cases", swept([CASES // 4, CASES]))
def test_no_wrong_score_and_few_questions(cases: int) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    wrong = []
    in_spite_of_a_name = []
    for seed in range(cases):
        case = generate.make(seed)
        outcome, why = generate.verdict(case, generate.recognition_of(case))
        counts[case.group, outcome] += 1
        if outcome == "WRONG":
            wrong.append((seed, why))
        is_asked = outcome == "asked" and case.group == generate.SEVERAL
        if is_asked and causes.cause_of_question(case) == causes.USUAL_NAME:
            in_spite_of_a_name.append(seed)
    assert wrong == []
    assert in_spite_of_a_name == []
    assert counts["plain", "right"] > cases / 5
    assert counts["plain", "asked"] + counts["plain", "unusable"] == 0
    assert counts["troubled", "right"] > counts["troubled", "asked"]


def test_a_perfect_system_alone_may_repeat_what_was_given() -> None:
    case = generate.make(2625)
    assert generate.verdict(case, generate.recognition_of(case))[0] == "asked"
    assert causes.cause_of_question(case) == causes.GIVEN


def test_a_constant_votes_for_nothing_where_others_vary() -> None:
    """A constant of 0 fits every column of 0 and 1, beside probabilities of three classes."""
    case = generate.make(77529)
    assert all("gold" in columns for columns in case.files.values())
    assert generate.verdict(case, generate.recognition_of(case))[0] == "asked"


def test_words_among_the_only_numbers_are_refused_by_line(tmp_path: Path) -> None:
    """The rule proves the only column; the engine, which converts what is bound, names the line."""
    case = generate.make(700330)
    assert generate.verdict(case, generate.recognition_of(case))[0] == "asked"
    for side, files in (("ref", {"gold.csv": case.gold}), ("res", case.files)):
        (tmp_path / side).mkdir()
        for name, columns in files.items():
            with open(tmp_path / side / name, "w", encoding="utf-8", newline="") as file:
                csv.writer(file).writerows([list(columns), *zip(*columns.values(), strict=True)])
    (tmp_path / "ref" / "scoring.yaml").write_text("metrics: [mean_absolute_error]\n")
    with pytest.raises(OrganizerError, match=r"gold\.csv: line 2: .*not_scored"):
        score(tmp_path, tmp_path / "output")


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
