"""Cost against score in every output: from the record alone, by team."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoring_program import DeadheatError, compare, read_results
from scoring_program import report as render
from scoring_program.commands.score import main
from scoring_program.document.blocks import Picture, every
from scoring_program.document.html import Document
from scoring_program.document.html import page as written
from tests.competitions import Folder
from tests.report import made
from tests.report.drawn import marks, said
from tests.report.test_one_record import outputs
from tests.report.test_prizes import folder_of
from tests.report.visible import nothing_contradicts

TEAMS = {"A": 0.95, "B": 0.8, "C": 0.72, "D": 0.5}
COSTS = "costs: {A: 40, B: 2, C: 5, D: 1}\n"


def front(folder: Folder) -> Any:
    return folder.results()["metrics"][0]["front"]


def test_a_team_is_off_the_front_where_another_is_better_and_costs_no_more(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, TEAMS, COSTS)
    assert folder.run() == 0
    found = front(folder)
    assert found["costs"] == {"A": 40, "B": 2, "C": 5, "D": 1}
    assert found["on"] == ["A", "B", "D"]
    assert found["excluded"] == [{"team": "C", "by": "B"}]
    assert (found["confidence"], found["reason"], found["measured"]) == (0.95, None, False)


def test_without_the_setting_there_is_none(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, TEAMS)
    assert folder.run() == 0
    assert "front" not in folder.results()["metrics"][0]


@pytest.mark.parametrize("rule", ["holm", "interval"])
def test_under_another_tie_rule_nothing_is_said(tmp_path: Path, rule: str) -> None:
    folder = folder_of(tmp_path, TEAMS, f"{COSTS}tie_rule: {rule}\n")
    assert folder.run() == 0
    found = front(folder)
    assert (found["on"], found["excluded"], found["confidence"]) == (None, None, None)
    assert found["reason"] == "rule"


@pytest.mark.parametrize("runs", ["all", "best"])
def test_costs_are_those_of_teams_where_runs_compete(tmp_path: Path, runs: str) -> None:
    runs_of_teams = {"Ann/1": 0.95, "Ann/2": 0.94, "Bob/1": 0.7, "Bob/2": 0.6, "Eve": 0.3}
    said = f"costs: {{Ann: 3, Bob: 4, Eve: 1}}\nruns: {runs}\n"
    folder = folder_of(tmp_path, runs_of_teams, said)
    assert folder.run() == 0
    found = front(folder)
    assert found["costs"] == {"Ann": 3, "Bob": 4, "Eve": 1}
    assert found["on"] == ["Ann", "Eve"]
    assert found["excluded"] == [{"team": "Bob", "by": "Ann"}]


def test_secret_names_stay_secret(tmp_path: Path) -> None:
    named = {"Annapurna": 0.95, "Bhagirathi": 0.7, "Chomolungma": 0.4}
    said = "costs: {Annapurna: 3, Bhagirathi: 4, Chomolungma: 1}\nanonymize: true\n"
    folder = folder_of(tmp_path, named, said)
    assert folder.run() == 0
    found = front(folder)
    assert found["costs"] == {"Team 1": 3, "Team 2": 4, "Team 3": 1}
    assert found["excluded"] == [{"team": "Team 2", "by": "Team 1"}]
    for path in folder.output.rglob("*.*"):
        content = path.read_text(encoding="utf-8")
        assert not any(name in content for name in named), path


@pytest.mark.parametrize(
    ("costs", "told"),
    [
        ("{A: 1, B: 2, C: 3}", "there is no cost of D; give every team that competes one: add"),
        ("{A: 1, B: 2, C: 3, D: 4, F: 5}", "there is no team 'F'"),
        ("{A: 1, B: 2, C: 3, D: -4}", "expected a number of 0 or more for team 4 of 4"),
        ("{A: 1, B: 2, C: 3, D: .nan}", "expected a number of 0 or more for team 4 of 4"),
        ("{A: 1, B: 2, C: 3, D: dear}", "expected a number of 0 or more for team 4 of 4"),
        ("{}", "expected the cost of each team"),
        ("price", "'price' would be a column of a long table of scores, and there is none"),
    ],
)
def test_wrong_costs_are_refused_and_say_what_to_write(
    tmp_path: Path, costs: str, told: str, capsys: Any
) -> None:
    folder = folder_of(tmp_path, TEAMS, f"costs: {costs}\n")
    assert folder.run() == 2
    said = capsys.readouterr().err
    assert "scoring.yaml, line 3: costs:" in said
    assert told in said


@pytest.mark.parametrize(
    "costs",
    [
        "{A: 1, B: 2, C: 3, D: -4}",
        "{A: 1, B: 2, C: 3, D: dear}",
        "{A: 1, B: 2, C: 3, D: [dear]}",
        "{A: 1, B: 2, C: 3, D: 1.0e+200}",
        "{A: 1, B: 2, C: 3, D: 4, 'D ': 4}",
        "{A: 1, B: 2, C: 3}",
        "{A: 1, B: 2, C: 3, D: 4, E: 5}",
    ],
)
def test_no_message_about_costs_names_a_team_that_is_secret(
    tmp_path: Path, costs: str, capsys: Any
) -> None:
    names = {"A": "Alba Lab", "B": "Borealis", "C": "Cumbre", "D": "Delta", "E": "Estrella"}
    for letter, name in names.items():
        costs = costs.replace(f"{letter}:", f"{name}:").replace(f"'{letter} '", f"'{name} '")
    teams = {names[letter]: answers for letter, answers in TEAMS.items()}
    folder = folder_of(tmp_path, teams, f"costs: {costs}\nanonymize: true\n")
    assert folder.run() == 2
    said = capsys.readouterr()
    assert "scoring.yaml, line 3: costs:" in said.err
    assert not any(name in said.err + said.out for name in names.values()), said.err


@pytest.mark.parametrize("wrong", ["[1, 2]", "[1,2]", "[A: 1", "{A: 1"])
def test_a_list_on_the_command_line_is_no_column(tmp_path: Path, wrong: str, capsys: Any) -> None:
    folder = folder_of(tmp_path, TEAMS)
    assert main([str(folder.input), str(folder.output), "--costs", wrong]) == 2
    expected = "option --costs: costs: expected the cost of each team, as in {A: 0.12, B: 0.5}"
    assert expected in capsys.readouterr().err


def test_a_mapping_on_the_command_line_is_no_column(tmp_path: Path, capsys: Any) -> None:
    folder = folder_of(tmp_path, TEAMS)
    wrong = ["--costs", "{A: 1, B: 2, C: 3, D: -4}"]
    assert main([str(folder.input), str(folder.output), *wrong]) == 2
    assert "expected a number of 0 or more for team 4 of 4" in capsys.readouterr().err
    right = ["--costs", "{A: 1, B: 2, C: 3, D: 4}"]
    assert main([str(folder.input), str(folder.output), *right]) == 0
    assert front(folder)["on"] == ["A"]


def test_a_baseline_may_have_a_cost_and_an_unusable_team_too(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, TEAMS, "costs: {A: 4, C: 5, D: 1, Broken: 9}\nbaselines: [B]\n")
    (folder.input / "res" / "Broken.csv").write_text("id,label\nx,y\n", encoding="utf-8")
    assert folder.run() == 0
    assert front(folder)["on"] == ["A", "D"]
    assert front(folder)["costs"] == {"A": 4, "C": 5, "D": 1}


def test_the_terminal_and_json_say_it(tmp_path: Path, capfd: Any) -> None:
    folder = folder_of(tmp_path, TEAMS, COSTS)
    assert main([str(folder.input), str(folder.output)]) == 0
    said = capfd.readouterr().out
    assert "A, B and D may each be the best for their cost. C is not: B, which costs" in said
    assert main([str(folder.input), str(folder.output), "--json"]) == 0
    record = json.loads(capfd.readouterr().out)
    assert record["front"] == front(folder)
    result = read_results(folder.output / "results.json")
    assert result.front is not None
    assert result.front.on == ("A", "B", "D")
    assert result.front.excluded == {"C": "B"}
    assert result.front.costs["A"] == 40.0


CLEAR = (0.9, 0.72, 0.715, 0.6, 0.5)


def page_of(costs: tuple[float, ...], scores: tuple[float, ...] = CLEAR, **about: Any) -> Document:
    names = made.graded(len(scores))[1]
    settings = {"costs": dict(zip(names, costs, strict=True)), **about.pop("settings", {})}
    findings = made.result(scores, names, error=0.0105, settings=settings, **about)
    nothing_contradicts(findings)
    return render.build(findings)


def said_in(page: Document) -> str:
    return made.words(page, "costs").translate(dict.fromkeys(map(ord, "\u2068\u2069")))


def test_every_budget_has_a_sentence() -> None:
    said = said_in(page_of((100, 10, 12, 20, 1)))
    assert "team 005 has the best score (0.5000)." in said
    assert "team 002 has the best score (0.7200), but team 003 may be as good or better." in said
    assert said.endswith("team 001 has the best score (0.9000).")
    assert "team 004 is not: team 002, which costs no more, rules it out." in said


def test_for_the_largest_budget_possible_winners_are_named_whatever_they_cost() -> None:
    said = said_in(page_of((100, 10, 1), CLEAR[1:4]))
    assert said.endswith(
        "team 001 has the best score (0.7200), but team 002 may be as good or better."
    )


@pytest.mark.parametrize(
    ("about", "said"),
    [
        ({"settings": {"tie_rule": "holm"}}, "The tie rule “Holm” does not say who may be"),
        ({"groups": 8}, "It is not known who may be the best for its cost: a serious caution"),
    ],
)
def test_where_nothing_is_known_the_page_says_why(about: dict[str, Any], said: str) -> None:
    page = page_of((1, 2, 3, 4, 5), **about)
    assert said_in(page).startswith(said)
    assert not made.tables(page, "costs")
    assert not made.pictures(page, "costs")


def test_the_picture_has_every_entry_the_front_and_what_excludes_an_entry() -> None:
    (figure,) = made.pictures(page_of((100, 10, 12, 20, 1)), "costs")
    kinds = [mark.attributes.get("class") for mark in figure.marks]
    assert kinds.count("front") == 1
    assert kinds.count("link") == 1
    assert {"leader", "tied", "behind"} <= {*kinds}
    assert "team 004 is not" in figure.description.translate(
        dict.fromkeys(map(ord, "\u2068\u2069"))
    )


def test_a_baseline_has_a_mark_of_its_own() -> None:
    page = page_of((100, 10, 12, 20, 1), settings={"baselines": ("team 004",)})
    (figure,) = made.pictures(page, "costs")
    assert [mark.attributes.get("class") for mark in figure.marks].count("reference") == 1
    assert "baseline" in [key.text for key in figure.legend]
    (table,) = made.tables(page, "costs")
    rows = {row[0].text: [cell.text for cell in row[3:]] for row in table.rows}
    assert rows["team 004"] == ["baseline", "–"]


def test_costs_far_apart_stand_on_a_logarithmic_axis() -> None:
    def labels(costs: tuple[float, ...]) -> list[str]:
        (figure,) = made.pictures(page_of(costs), "costs")
        ticks = [mark for mark in figure.marks if mark.attributes.get("class") == "tick"]
        return [str(mark.inside[0]) for mark in ticks]

    assert labels((100, 10, 12, 20, 1))[:3] == ["1", "2", "5"]
    assert labels((10, 8, 12, 9, 5))[:3] == ["6", "8", "10"]
    across_many_powers = labels((1e-9, 1e9, 1, 2, 3))
    assert across_many_powers[:4] == ["0.000000001", "0.000001", "0.001", "1"]


def test_costs_that_differ_in_the_fifth_digit_are_told_apart() -> None:
    page = page_of((100_002, 100_000, 100_001, 100_003, 1))
    (table,) = made.tables(page, "costs")
    costs = {row[0].text: row[1].text for row in table.rows}
    assert [costs[f"team 00{k}"] for k in (2, 3, 1, 4)] == [
        "100,000", "100,001", "100,002", "100,003",
    ]  # fmt: skip
    html = written(page)
    assert "A budget of 100,000 or more" in html
    assert "A budget of 100,002 or more" in html


def test_a_phone_shows_the_picture_without_scrolling() -> None:
    page = page_of((100, 10, 12, 20, 1))
    (picture,) = every(made.content(page, "costs").blocks, Picture)
    assert picture.figure.width == 640
    assert picture.narrow.width <= 390 - 2 * 20  # the page's margins
    assert picture.narrow.description == picture.figure.description
    assert picture.narrow.id != picture.figure.id
    shapes = [
        [mark.attributes["class"] for mark in figure.marks if mark.tag == "g"]
        for figure in (picture.figure, picture.narrow)
    ]
    assert shapes[0] == shapes[1]
    html = written(page)
    assert html.count('class="where-wide"') == html.count('class="where-narrow"') == 1


def test_the_page_has_a_column_of_who_rules_out_only_where_someone_does() -> None:
    for costs, shown in (((100, 10, 12, 20, 1), True), ((5, 4, 3, 2, 1), False)):
        (table,) = made.tables(page_of(costs), "costs")
        headings = [table.columns[place].heading for place in table.page_columns]
        assert ("Ruled out by" in headings) == shown
        assert table.columns[-1].heading == "Ruled out by"


def test_on_a_phone_every_entry_of_a_small_field_has_its_name() -> None:
    """Where a label has no room beside its point, a thin line leads to it."""
    count = 14
    scores = tuple(0.7 + 0.01 * place for place in range(count, 0, -1))
    page = page_of(tuple(3.0**place for place in range(count, 0, -1)), scores)
    (picture,) = every(made.content(page, "costs").blocks, Picture)
    names = {said(label) for label in marks(picture.narrow, "called")}
    assert names == {*made.graded(count)[1]}
    for lead in marks(picture.narrow, "lead"):
        start, end = re.findall(r"[ML](\S+) (\S+?)(?=L|$)", str(lead.attributes["d"]))
        assert start != end


def test_costs_follow_from_the_record() -> None:
    names = made.TEAMS[:4]
    costs = dict(zip(names, (9.0, 1.0, 2.0, 3.0), strict=True))
    findings = made.result((0.71, 0.7, 0.6, 0.59), names, settings={"costs": costs})
    record = findings.evidence[0].verdict.front
    assert record is not None
    assert record.on is not None
    everybody = np.ones(4, np.bool_)
    changed = replace(record, on=everybody, excluded_by=np.full(4, -1))
    assert not record.on.all()
    other = made.with_parts(findings.evidence[0], verdict={"front": changed})
    before, after = outputs(findings), outputs(replace(findings, evidence=(other,)))
    for name in ("results.json", "detailed_results.html", "tables/costs.csv", "terminal"):
        assert before[name] != after[name]


# Verified on all ----------------------------------------------------------------------------------


def test_a_team_that_wins_by_every_metric_is_named_where_a_metric_is_added(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, TEAMS)
    (folder.input / "ref" / "scoring.yaml").write_text(
        "metrics: [accuracy, f1_macro]\nresamples: 999\n", encoding="utf-8"
    )
    assert folder.run() == 0
    result = read_results(folder.output / "results.json")
    assert result.verified_on_all == "A"
    page = (folder.output / "detailed_results.html").read_text(encoding="utf-8")
    assert "is verified as the best by accuracy and by macro F1." in page


def test_one_metric_is_not_several(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, TEAMS)
    assert folder.run() == 0
    result = read_results(folder.output / "results.json")
    assert result.verified == "A"
    assert result.verified_on_all is None


def test_a_metric_that_verifies_nobody_leaves_nobody() -> None:
    findings = made.result((0.9, 0.6), made.TEAMS[:2], metrics=2)
    first, second = findings.evidence
    assert first.verdict.verified
    unsure = made.with_parts(second, verdict={"verified": False})
    pages = [render.build(replace(findings, evidence=(first, other))) for other in (first, unsure)]
    told = ["is verified as the best" in made.words(page, "overview") for page in pages]
    assert told == [True, False]


def test_a_result_without_costs_has_no_front() -> None:
    y_true = [0, 1] * 40
    predictions = {"good": y_true, "poor": [0] * 80}
    result = compare(y_true, predictions, metrics="accuracy", resamples=200)
    assert result.front is None
    priced = compare(
        y_true, predictions, metrics="accuracy", resamples=200, costs={"good": 2, "poor": 1}
    )
    assert priced.front is not None
    with pytest.raises(DeadheatError, match="there is no cost of poor"):
        compare(y_true, predictions, metrics="accuracy", resamples=200, costs={"good": 2})
