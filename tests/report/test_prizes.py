"""Prizes in every output: by team, and from the record alone."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoring_program import read_results
from scoring_program import report as render
from scoring_program.commands import audit
from scoring_program.commands.score import main
from scoring_program.document.html import Document
from scoring_program.report.numbers import planned_size
from scoring_program.report.results_json import results_json
from tests.competitions import Folder
from tests.report import made
from tests.report.test_one_record import outputs
from tests.report.visible import nothing_contradicts

ACCURACY = "metrics: [accuracy_score]\n"


def prizes(folder: Folder) -> Any:
    return folder.results()["metrics"][0]["prizes"]


def of_prizes(folder: Folder) -> dict[str, float]:
    return {key: value for key, value in folder.scores().items() if key.startswith("prize.")}


def folder_of(tmp_path: Path, shares: dict[str, float], settings: str = "") -> Folder:
    """Write teams, or runs of teams, that are right on these shares of 400 examples."""
    folder = Folder(tmp_path, n=400, teams=())
    rng = np.random.default_rng(3)
    for name, share in shares.items():
        right = rng.random(400) < share
        wrong = {"a": "b", "b": "c", "c": "a"}
        labels = zip(folder.labels, right, strict=True)
        folder.teams[name] = [label if hit else wrong[label] for label, hit in labels]
    return folder.write(f"{ACCURACY}resamples: 999\n{settings}")


TEAMS = {"A": 0.95, "B": 0.8, "C": 0.79, "D": 0.5, "E": 0.45}


def test_the_teams_are_sure_of_a_prize_may_take_one_or_are_out(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, TEAMS, "prizes: 2\n")
    assert folder.run() == 0
    found = prizes(folder)
    assert found["places"] == 2
    assert found["sure"] == ["A"]
    assert sorted(found["open"]) == ["B", "C"]
    assert found["out"] == ["D", "E"]
    assert (found["confidence"], found["reason"]) == (0.95, None)
    assert of_prizes(folder) == {"prize.A": 1, "prize.D": 0, "prize.E": 0}


def test_without_the_setting_there_are_none(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, TEAMS)
    assert folder.run() == 0
    assert prizes(folder) is None
    assert of_prizes(folder) == {}


@pytest.mark.parametrize("rule", ["holm", "interval"])
def test_under_another_tie_rule_nothing_is_settled(tmp_path: Path, rule: str) -> None:
    folder = folder_of(tmp_path, TEAMS, f"prizes: 2\ntie_rule: {rule}\n")
    assert folder.run() == 0
    nothing = dict.fromkeys(("sure", "open", "out", "confidence"))
    assert prizes(folder) == {"places": 2, **nothing, "reason": "rule"}
    assert of_prizes(folder) == {}


@pytest.mark.parametrize("anonymize", [False, True])
def test_prizes_are_about_teams_where_runs_compete(tmp_path: Path, anonymize: bool) -> None:
    """The names of the teams stay secret where those of the entries do."""
    runs = {"Ann/first": 0.95, "Ann/second": 0.94, "Bob/first": 0.7, "Bob/second": 0.6, "Eve": 0.3}
    folder = folder_of(tmp_path, runs, f"prizes: 2\nanonymize: {str(anonymize).lower()}\n")
    assert folder.run() == 0
    found = prizes(folder)
    assert found["sure"] == (["Team 1", "Team 3"] if anonymize else ["Ann", "Bob"])
    assert found["out"] == (["Team 5"] if anonymize else ["Eve"])
    keys = {"prize.Team_1", "prize.Team_3", "prize.Team_5"} if anonymize else set()
    assert of_prizes(folder).keys() == (keys or {"prize.Ann", "prize.Bob", "prize.Eve"})


def prizes_of(count: int, scores: tuple[float, ...], **about: Any) -> Document:
    settings = {"prizes": count, **about.pop("settings", {})}
    names = made.graded(len(scores))[1]
    findings = made.result(scores, names, error=0.0105, settings=settings, **about)
    nothing_contradicts(findings)
    return render.build(findings)


def answer_of(page: Document) -> str:
    (answer,) = (answer for answer in page.answers if answer.label == "Prizes")
    return answer.value.translate(dict.fromkeys(map(ord, "\u2068\u2069")))


CLEAR = (0.9, 0.72, 0.715, 0.6, 0.5, 0.4)


@pytest.mark.parametrize(
    ("count", "scores", "said"),
    [
        (1, CLEAR, "team 001 takes the first place. The other 5 do not take it."),
        (
            1,
            CLEAR[1:],
            "team 001 and team 002 may each take the first place. The other 3 do not take it.",
        ),
        (
            2,
            CLEAR,
            "team 001 is among the first 2. team 002 and team 003 may take the other place. "
            "The other 3 are not among the first 2.",
        ),
        (3, CLEAR, "team 001, team 002 and team 003 take the first three places."),
        (
            2,
            CLEAR[1:],
            "team 001 and team 002 take the first two places. Which of them is first is not "
            "settled.",
        ),
        (
            1,
            (0.7, 0.7, 0.7),
            "Any of the 3 teams may take the first place.",
        ),
        (
            2,
            (0.7, 0.7, 0.7),
            "Any of the 3 teams may be among the first 2.",
        ),
        (3, CLEAR[:2], "Both teams are among the first 3."),
        (4, CLEAR[:3], "All 3 teams are among the first 4."),
        (3, CLEAR[:3], "All 3 teams are among the first 3."),
        (
            2,
            (*CLEAR[1:3], 0.71, 0.2),
            "team 001, team 002 and team 003 may take the first two places. "
            "team 004 is not among the first 2.",
        ),
    ],
)
def test_who_takes_a_prize_is_answered_in_names(
    count: int, scores: tuple[float, ...], said: str
) -> None:
    assert answer_of(prizes_of(count, scores)) == said


def test_of_many_teams_a_sentence_has_three_names_and_the_number_of_the_others() -> None:
    page = prizes_of(2, (*np.linspace(0.71, 0.705, 8).tolist(), 0.4, 0.3))
    assert answer_of(page).startswith(
        "team 001, team 002, team 003 and 5 more teams may take the first two places."
    )
    assert "team 008" in made.words(page, "prizes")


@pytest.mark.parametrize(
    ("about", "said"),
    [
        ({"settings": {"tie_rule": "holm"}}, "The tie rule “Holm” does not say who takes"),
        ({"groups": 8}, "Nothing is settled of the first 2 places: a serious caution"),
    ],
)
def test_where_nothing_is_settled_the_page_says_why(about: dict[str, Any], said: str) -> None:
    page = prizes_of(2, CLEAR, **about)
    assert answer_of(page).startswith(said)
    assert not made.tables(page, "prizes")


@pytest.mark.parametrize(
    ("count", "scores", "best", "sharing"),
    [
        (1, CLEAR[1:], "team 001 takes the prize, although another team may be better.",
         "team 001 and team 002 share the prize."),
        (2, CLEAR, "team 001 and team 002 take the prizes, although other teams may be better.",
         "team 001 takes a prize alone, and team 002 and team 003 share the rest."),
        (2, (0.9, 0.7, 0.7, 0.3),
         "team 002 and team 003 have the same score at the border, so it takes a rule for ties.",
         "team 001 takes a prize alone, and team 002 and team 003 share the rest."),
        (3, CLEAR, "This gives team 001, team 002 and team 003.",
         "This gives the same teams, because all places are settled."),
    ],
)  # fmt: skip
def test_usual_rules_are_worked_out(
    count: int, scores: tuple[float, ...], best: str, sharing: str
) -> None:
    page = prizes_of(count, scores)
    said = made.words(page, "prizes").translate(dict.fromkeys(map(ord, "\u2068\u2069")))
    assert best in said
    assert sharing in said


def test_a_larger_test_set_would_settle_the_last_prize() -> None:
    findings = made.result(CLEAR, made.graded(6)[1], error=0.0105, settings={"prizes": 2})
    border = findings.evidence[0].border
    assert border is not None
    assert (border.inside, border.outside) == (1, 2)
    said = made.words(render.build(findings), "prizes")
    size = "Even a test set 100 times as large might not separate"
    if border.examples_needed is not None:
        size = f"About {planned_size(border.examples_needed):,} test examples in all would probably"
    assert size in said


def test_the_border_is_planned_as_the_pair_of_the_leader_is() -> None:
    """For one prize, it is the leader and the next one, whose pair has a plan in any case."""
    findings = made.result(CLEAR[1:], made.graded(5)[1], error=0.0105, settings={"prizes": 1})
    evidence = findings.evidence[0]
    assert evidence.border is not None
    assert evidence.border.inside == evidence.scores.leader
    (planned,) = (pair for pair in evidence.plan if pair.entry == evidence.border.outside)
    assert evidence.border.examples_needed == planned.examples_needed
    record = json.loads(results_json(findings, ""))["metrics"][0]["planning"]["border"]
    assert record["examples_needed"] == planned.examples_needed


def test_prizes_are_answered_from_python_and_printed_as_json(tmp_path: Path, capfd: Any) -> None:
    folder = folder_of(tmp_path, TEAMS, "prizes: 2\n")
    assert main([str(folder.input), str(folder.output), "--json"]) == 0
    record = json.loads(capfd.readouterr().out)
    assert record["prizes"] == prizes(folder)
    result = read_results(folder.output / "results.json")
    assert result.prizes is not None
    assert (result.prizes.places, result.prizes.sure) == (2, ("A",))
    assert result.prizes.out == ("D", "E")


def test_prizes_follow_from_the_record() -> None:
    findings = made.result((0.71, 0.7, 0.6, 0.59), made.TEAMS[:4], settings={"prizes": 2})
    record = findings.evidence[0].verdict.prizes
    assert record is not None
    nobody = np.zeros(4, np.bool_)
    changed = replace(record, sure=nobody, open=np.ones(4, np.bool_), out=nobody)
    other = made.with_parts(findings.evidence[0], verdict={"prizes": changed})
    before, after = outputs(findings), outputs(replace(findings, evidence=(other,)))
    for name in ("results.json", "scores.txt", "scores.json"):
        assert before[name] != after[name]


def test_the_audit_has_the_same_record_and_sentence(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, TEAMS, "prizes: 2\n")
    assert folder.run() == 0
    target = tmp_path / "audit"
    assert audit.main([str(folder.input), "-o", str(target)]) == 0
    content = json.loads((target / "audit.json").read_text(encoding="utf-8"))
    assert content["prizes"] == prizes(folder)
    page = (target / "audit.html").read_text(encoding="utf-8")
    assert "among the first 2." in page


def test_more_prizes_than_any_integer_of_numpy_are_a_prize_for_every_team(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, TEAMS, f"prizes: {10**30}\n")
    assert folder.run() == 0
    assert prizes(folder)["sure"] == list(TEAMS)
