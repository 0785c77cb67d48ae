"""Tables of scores and of preferences → Reading, and the questions about them.

``python -m tests.recognize scores 100000`` draws many more tables.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from scoring_program.data.source import read_input
from scoring_program.metrics.registry import known_by_name
from scoring_program.reading.table import of_columns
from scoring_program.recognize.reading_record import BY_NAME, PROVEN, STATED, Reading
from scoring_program.recognize.tables_of_scores.scores_rule import (
    ScoresRecognition,
    question_text,
    recognize_scores,
)
from scoring_program.recognize.tables_of_scores.stated_scores import StatedScores

from . import generate_scores
from .generate_scores import make_scores, recognition_of_scores, verdict_of_scores

CASES = 400
CASE_IDS = ["c1", "c1", "c2", "c2", "c3", "c3"]
SYSTEMS = ["A", "B"] * 3
HALVES = ["0.5", "0.75", "0.25", "1.0", "0.5", "0.25"]
LONG = {"case": CASE_IDS, "model": SYSTEMS, "accuracy": HALVES}
WIDE = {"case": ["c1", "c2", "c3"], "A": ["0.5", "0.25", "0.5"], "B": ["0.75", "1.0", "0.25"]}
VOTES = {
    "left": ["A", "A", "B"], "right": ["B", "C", "C"], "winner": ["left", "C", "tie"],
    "judge": ["x", "y", "x"],
}  # fmt: skip
HIGHER = StatedScores(bounds_by_name=known_by_name, greater_is_better=True)
NOTHING = StatedScores(bounds_by_name=known_by_name)


def recognized(columns: dict[str, list[str]], stated: StatedScores = NOTHING) -> ScoresRecognition:
    return recognize_scores(of_columns("table.csv", columns), stated)


def reading(outcome: ScoresRecognition) -> Reading:
    assert outcome.reading is not None, outcome.questions
    return outcome.reading


#: The table, what is stated, and the line of the log.
READ: dict[str, tuple[dict[str, list[str]], StatedScores, str]] = {
    "long": (
        LONG, NOTHING,
        "Read: table.csv: units case, systems model, scores accuracy (higher is better).",
    ),
    "what is not read": (
        {**LONG, "comment": ["good", "bad", "ok"] * 2}, NOTHING,
        "Read: table.csv: units case, systems model, scores accuracy (higher is better); "
        "not read: comment.",
    ),
    "an error and a score": (
        {**LONG, "mae": HALVES[::-1]}, NOTHING,
        "Read: table.csv: units case, systems model, scores accuracy (higher is better), mae "
        "(lower is better).",
    ),
    "wide": (WIDE, HIGHER, "Read: table.csv: units case, systems A, B, higher is better."),
    "true and false": (
        {**WIDE, "A": ["True", "False", "TRUE"], "B": ["false", "true", "0"]}, HIGHER,
        "Read: table.csv: units case, systems A, B, higher is better.",
    ),
    "systems stated": (
        {**WIDE, "seconds": ["31.5", "20.0", "12.5"]},
        StatedScores(bounds_by_name=known_by_name, systems=("A", "B"), greater_is_better=False),
        "Read: table.csv: units case, systems A, B, lower is better; not read: seconds.",
    ),
    "anonymous systems": (
        WIDE, StatedScores(bounds_by_name=known_by_name, greater_is_better=True, anonymous=True),
        "Read: table.csv: units case, 2 systems, higher is better.",
    ),
    "preferences": (
        VOTES, NOTHING,
        "Read: table.csv: left left, right right, winner winner; not read: judge.",
    ),
    "sides stated": (
        {"first": VOTES["left"], "second": VOTES["right"], "vote": VOTES["winner"]},
        StatedScores(sides={"left": "first", "right": "second", "winner": "vote"}),
        "Read: table.csv: left first, right second, winner vote.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_what_a_table_means(name: str) -> None:
    columns, stated, line = READ[name]
    assert reading(recognized(columns, stated)).lines() == [line]


def test_every_decision_says_how_it_came_about() -> None:
    (side,) = reading(recognized(LONG)).submissions
    assert {role: decision.how for role, decision in side.roles.items()} == {
        "unit": BY_NAME,
        "system": BY_NAME,
    }
    (scored,) = side.predicted
    assert (scored.decision.how, scored.better) == (BY_NAME, True)
    nameless = {"zzz": WIDE["case"], "A": WIDE["A"], "B": WIDE["B"]}
    (side,) = reading(recognized(nameless, HIGHER)).submissions
    how = {role: decision.how for role, decision in side.roles.items()}
    assert how == {"unit": PROVEN, "system": PROVEN, "greater_is_better": STATED}


SUMMED: dict[str, Any] = {
    "a mean below": {"case": ["c1", "c2", "c3", "mean"], "A": ["1", "2", "6", "3"],
                     "B": ["2", "3", "7", "4"]},
    "a mean above": {"case": ["mean", "c1", "c2", "c3"], "A": ["3", "1", "2", "6"],
                     "B": ["4", "2", "3", "7"]},
    "a lone deviation": {"case": ["c1", "c2", "c3", "StdDev"], "A": ["1", "2", "3", "1.0"],
                         "B": ["2", "4", "6", "2.0"]},
    "a sum": {"case": ["c1", "c2", "c3", "total"], "A": ["1", "2", "6", "9"],
              "B": ["2", "3", "7", "12"]},
}  # fmt: skip


@pytest.mark.parametrize("unit", [None, ("case",)])
@pytest.mark.parametrize("name", SUMMED)
def test_a_line_that_sums_up_is_no_unit_whether_units_are_stated_or_not(
    name: str, unit: tuple[str, ...] | None
) -> None:
    stated = StatedScores(bounds_by_name=known_by_name, greater_is_better=True, unit=unit)
    (question,) = recognized(SUMMED[name], stated).questions
    assert "below the header, " in question.asks
    assert not (unit and question.options)


@pytest.mark.parametrize("words", ["What is the total?", "What is the average?", "Sum it all up"])
def test_the_words_of_a_question_are_no_summary(words: str) -> None:
    columns = {"question": ["How many?", words, "Why?"], "A": WIDE["A"], "B": WIDE["B"]}
    for stated in (HIGHER, StatedScores(greater_is_better=True, unit=("question",))):
        assert recognized(columns, stated).roles is not None


def test_true_and_false_beside_numbers_are_asked_about() -> None:
    columns = {**WIDE, "C": ["True", "False", "True"]}
    for layout in ("auto", "wide"):
        stated = StatedScores(greater_is_better=True, layout=layout)
        (question,) = recognized(columns, stated).questions
        assert "'C' holds True and False beside numbers" in question.asks
        (option,) = question.options
        outcome = recognized(columns, stated.stating(option.settings))
        assert outcome.roles is not None
        assert outcome.roles.scores == ("A", "B")


# Generated ----------------------------------------------------------------------------------------


def test_no_wrong_score_and_no_question_about_plain_tables() -> None:
    counts: Counter[tuple[str, str]] = Counter()
    wrong = []
    for seed in range(CASES):
        case = make_scores(seed)
        outcome, why = verdict_of_scores(case, recognition_of_scores(case))
        counts[case.group, outcome] += 1
        if outcome == "WRONG":
            wrong.append((seed, why))
    assert wrong == []
    for layout in ("long", "wide", "preferences"):
        assert counts[f"{layout}, plain", "asked"] == 0
        assert counts[f"{layout}, plain", "right"] > CASES / 25
        assert counts[f"{layout}, troubled", "right"] > 0


def test_a_metric_on_which_systems_are_alike_is_read() -> None:
    """It differs from unit to unit only, and its name says what it is."""
    case = make_scores(64614)
    assert verdict_of_scores(case, recognition_of_scores(case))[0] != "WRONG"


def test_every_trouble_of_scores_is_drawn() -> None:
    drawn = {trouble for seed in range(2 * CASES) for trouble in make_scores(seed).troubles}
    assert drawn == {*generate_scores.ALL_TROUBLES}


def test_every_option_was_tried() -> None:
    """With an option stated, the table is read, or something else is asked; never a wrong score."""
    options = 0
    for seed in range(CASES):
        case = make_scores(seed)
        outcome = recognition_of_scores(case)
        for question in outcome.questions:
            for option in question.options:
                options += 1
                answered = recognition_of_scores(case, case.stated.stating(option.settings))
                asked = [str(another.asks) for another in answered.questions]
                assert str(question.asks) not in asked, seed
                assert answered.reading is not None or asked, seed
    assert options > CASES / 10


def test_the_frozen_form_reads_the_same(tmp_path: Path) -> None:
    """From files, with what was read stated, nothing is left to a name."""
    forms = 0
    for seed in range(60):
        case = make_scores(seed)
        outcome = recognition_of_scores(case)
        if outcome.reading is None:
            continue
        forms += 1
        settings: dict[str, Any] = {"resamples": 100, "missing": "worst"}
        if case.layout == "preferences":
            settings.pop("missing")
        if case.layout == "wide":
            settings["greater_is_better"] = case.better[""]
        directions = case.stated.directions
        if directions:
            settings["metrics"] = [
                {"name": name, "function": "mean_score", "greater_is_better": better}
                for name, better in case.better.items()
            ]
        first = _read(tmp_path / f"{seed}", case.columns, settings)
        frozen = {**settings, **_plain(first.frozen())}
        again = _read(tmp_path / f"{seed} again", case.columns, frozen)
        (side,) = again.submissions
        decisions = [*side.roles.values(), *(item.decision for item in side.predicted)]
        hows = {decision.how for decision in decisions}
        assert hows <= {STATED, PROVEN}, (seed, frozen)
        assert again.lines() == first.lines(), (seed, frozen)
    assert forms > 20


def _plain(frozen: dict[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = yaml.safe_load(yaml.safe_dump(frozen))
    return plain


def _read(folder: Path, columns: dict[str, list[str]], settings: dict[str, Any]) -> Reading:
    (folder / "ref").mkdir(parents=True)
    (folder / "res").mkdir()
    (folder / "ref" / "scoring.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    lines = [",".join(columns), *(",".join(row) for row in zip(*columns.values(), strict=True))]
    (folder / "res" / "table.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    competition, _ = read_input(folder, lambda loaded: loaded)
    return competition.readings[""]


def test_sides_are_stated_together() -> None:
    (question,) = recognized(VOTES, StatedScores(sides={"left": "left"})).questions
    assert "name 'right', 'winner', too" in question.asks


def test_an_open_direction_is_written_as_higher() -> None:
    (question,) = recognized(WIDE).questions
    assert question_text(question).endswith("greater_is_better: true   # or false")
    assert "greater_is_better=True; write False where" in question_text(question, in_python=True)


def test_a_table_of_neither_scores_nor_preferences_leads_to_a_reader() -> None:
    """Such as orders of five systems, as at WMT: no column holds scores, so nothing is pasted."""
    orders = {
        "srclang": ["eng"] * 6,
        "judge": [*"ababab"],
        "system1": [*"ABCABC"],
        "system2": [*"BCABCA"],
        "system1rank": [*"121212"],
        "system2rank": [*"212112"],
    }
    (question,) = recognized(orders).questions
    assert question.options == ()
    assert "let a 'reader' of your own read them" in question_text(question)
