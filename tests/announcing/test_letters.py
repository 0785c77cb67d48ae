"""Letters to the teams: true of each, and silent about what the competition hides."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from scoring_program.announcing.materials import files
from scoring_program.announcing.record import AnnouncedResults
from scoring_program.core.catalogs import languages, load
from scoring_program.core.errors import LeftOut
from scoring_program.core.phrases import Phrase, counted
from scoring_program.report.results_json import results_json
from tests.announcing.results import VERDICTS, document
from tests.announcing.test_materials import letters
from tests.report import made


def entries(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = document(name)["metrics"][0]["entries"]
    return rows


@pytest.mark.parametrize("name", VERDICTS)
def test_every_team_gets_one_letter_and_no_baseline_does(name: str) -> None:
    content = document(name)
    baselines = {row["entry"] for row in entries(name) if row["baseline"]}
    teams = {row["team"] for row in entries(name)} - baselines
    unusable = {item["entry"] for item in content["unusable"]}
    assert len(letters(name)) == len(teams | unusable)
    greetings = [text.splitlines()[2] for text in letters(name).values()]
    assert not [team for team in baselines if f"Dear {team}," in greetings]


@pytest.mark.parametrize("name", ["won", "close", "many", "shared", "errors", "mean_rank"])
def test_a_letter_is_never_wrong_about_who_may_be_the_best(name: str) -> None:
    content = document(name)
    winners = set(content["metrics"][0]["verdict"]["possible_winners"])
    leaders = set(content["metrics"][0]["verdict"]["leaders"])
    texts = letters(name)
    for row in entries(name):
        text = texts[content["keys"][row["team"]]]
        leading = ("may be the best", "you won", "you have the best score", "You share")
        says_best = any(words in text for words in leading)
        assert says_best == (row["entry"] in winners), row["entry"]
        assert ("not among the possible winners" in text) == (row["entry"] not in winners)
        assert ("you won" in text) == (winners == {row["entry"]})
        assert ("You share the best score" in text) == (
            row["entry"] in leaders and len(leaders) > 1
        )


def test_a_team_behind_reads_what_separates_it_and_where_it_could_be() -> None:
    text = letters("close")["UMUTeam"]
    assert "Your submission is in place 5 of 10. Your score: F1 0.6706" in text
    assert "NLPCIC did better by more than chance explains. Your submission is between 0.0" in text
    low, high = next(row["rank_range"] for row in entries("close") if row["entry"] == "UMUTeam")
    assert f"any of the places {low}–{high}." in text


def test_distances_are_rounded_outward() -> None:
    for row in entries("close"):
        text = letters("close")[row["entry"]]
        stated = re.search(r"between (\S+) and (\S+) behind the best", text)
        if stated is None:
            assert row["separated_from"] is None
            continue
        near, far = row["bar"]
        assert float(stated[1]) <= near
        assert float(stated[2]) >= far


def test_a_possible_winner_reads_what_would_settle_it() -> None:
    text = letters("close")["CIMATMTYGTO"]
    assert "too small to tell it from NLPCIC" in text
    assert "A lower place here does not mean a worse system." in text
    assert re.search(
        r"About [\d,]+ test examples would probably settle whether your submission or NLPCIC", text
    )


def test_a_letter_says_how_the_team_stands_to_the_prizes() -> None:
    assert "Congratulations: you are surely among the first 2." in letters("won")["A"]
    assert "\nYou are surely among the first 2." in letters("won")["L"]
    assert "You are not among the first 2." in letters("won")["C"]
    assert "You may be among the first 3." in letters("close")["UMUTeam"]
    assert "among the first" not in letters("by_rule")["UMUTeam"]


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("scores", [(0.95, 0.9, 0.5), (0.95, 0.7, 0.69), (0.95, 0.7, 0.7)])
def test_behind_a_baseline_nobody_reads_of_the_best_score_of_all(
    scores: tuple[float, ...], hidden: bool
) -> None:
    settings: dict[str, Any] = {"baselines": ("Base",)}
    if hidden:
        settings["participants"] = "score"
    findings = made.result(scores, ("Base", "L", "A"), settings=settings)
    made_files = files(AnnouncedResults(json.loads(results_json(findings, "")), "en"))
    texts = [text for path, text in made_files.items() if path.startswith("letters/")]
    assert len(texts) == 2
    for text in texts:
        claims = re.findall(r"you won[^.]*\.|best score[^.]*\.|may be the best [^.]*\.", text)
        assert not [claim for claim in claims if "competing" not in claim and "better" not in claim]
    assert any("among the competing entries" in text for text in texts)
    assert "Base (baseline)" in made_files["post.txt"]
    assert ">baseline</tspan>" in made_files["slide.svg"]


def test_teams_that_share_the_best_score_read_the_same() -> None:
    texts = letters("shared")
    first = texts["L"].replace("Dear L", "Dear X").replace("A and B", "X and B")
    second = texts["A"].replace("Dear A", "Dear X").replace("L and B", "X and B")
    intervals = r"\[0\.\d+, 0\.\d+\]"
    assert re.sub(intervals, "", first) == re.sub(intervals, "", second)


def test_a_letter_is_about_methods_where_the_page_is() -> None:
    content = document("close")
    content["metrics"][0]["seed_share"] = 0.6
    for path, text in files(AnnouncedResults(content, "en")).items():
        if path.startswith("letters/"):
            assert "This is about the methods, with other seeds" in text
            assert "about these submissions" not in text


def test_letters_and_rules_say_that_the_private_rows_decide() -> None:
    content = json.loads(results_json(made.usage(), ""))
    private = "The private rows decide the ranking, not the public ones."
    for name, expected in (("private", True), ("a task", False)):
        key = f"sha256 of the reference data ({name})"
        content["signature"] = {"seed": "0", key: "0" * 64}
        written = files(AnnouncedResults(content, "en"))
        for path, text in written.items():
            if path.startswith("letters/") or path == "rules.md":
                assert (private in text) == expected


def test_a_letter_says_whether_the_team_may_be_the_best_for_its_cost() -> None:
    text = letters("priced")
    assert "For its cost of 2.5, your submission may be the best." in text["A"]
    assert "your submission is ruled out as the best by A, which costs no more." in text["C"]
    secret = letters("secret_and_priced")["C"]
    assert "your submission is ruled out as the best by another, which costs no more." in secret
    assert "cost" not in letters("close")["NLPCIC"]


def test_nothing_is_said_of_who_is_best_beside_a_serious_caution() -> None:
    for text in letters("withdrawn").values():
        assert "Nobody can say yet who is best" in text
        assert "There are only 8 groups" in text
        assert "may be the best" not in text
        assert "Congratulations" not in text
        assert "places" not in text


def test_a_submission_that_could_not_be_scored_gets_a_kind_letter_with_the_reason() -> None:
    text = letters("unusable")["Absent"]
    assert "We are sorry that Absent could not be scored." in text
    assert "predictions.csv: empty file" in text
    assert "Your submission is in place" not in text
    other_file = letters("unusable")["L"]
    assert "you won" in other_file
    assert "Another file of yours could not be scored." in other_file


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", ["secret", "secret_and_withdrawn"])
def test_with_scores_only_a_letter_holds_no_rival_and_no_number_but_its_own(
    name: str, language: str
) -> None:
    content = document(name)
    content["settings"]["page_url"] = "https://example.org/results.html"
    made = files(AnnouncedResults(content, language))
    numerals = load(language).numerals
    names = {row["entry"] for row in entries(name)}
    for row in entries(name):
        text = made[f"letters/{content['keys'][row['team']]}.txt"]
        assert "example.org" not in text  # a link to what the competition hides
        body = text.partition("\n\n")[2].replace(row["entry"], "")
        assert not [rival for rival in names if rival in body]
        body = body.replace(load(language).metric("F1"), "")
        allowed = {numerals.fixed(number, 4) for number in (row["score"], *row["ci"])}
        allowed |= {numerals.count(number) for number in (row["rank"], len(names), content["n"])}
        # The confidence, and the numbers of prizes and of possible winners beside the leader.
        allowed |= {"95", "3", "2"}
        written = re.findall(r"\d[\d.,\u2009\u202f]*", body)
        numbers = {number.strip(".,; \u202f") for number in written}
        assert numbers <= allowed


def test_with_scores_only_scores_are_rounded_as_on_the_participants_page() -> None:
    content = document("secret")
    content["settings"]["precision"] = "standard_error"
    text = files(AnnouncedResults(content, "en"))["letters/NLPCIC.txt"]
    assert "Your score: F1 0.72 " in text


def test_anonymous_teams_are_called_by_the_names_that_are_shown() -> None:
    found = letters("anonymous")
    assert "Dear Team 1," in found["Team_1"]
    assert not [text for text in found.values() if "NLPCIC" in text]


def test_a_link_leads_to_the_page() -> None:
    content = document("close")
    content["settings"]["page_url"] = "https://example.org/results.html"
    made = files(AnnouncedResults(content, "en"))
    assert "All results: https://example.org/results.html" in made["letters/NLPCIC.txt"]
    assert "https://example.org/results.html" in made["post.txt"].partition("\n\n")[0]
    assert 'href="https://example.org/results.html"' in made["widget.html"]


def test_an_entry_beyond_the_compared_ones_reads_its_place() -> None:
    content = document("close")
    content["not_compared"] = [{"entry": "Late", "rank": 612, "scores": {}, "sha256": None}]
    content["keys"]["Late"] = "Late"
    text = files(AnnouncedResults(content, "en"))["letters/Late.txt"]
    assert "in place 612. Only the best 10 were compared with each other." in text


def test_an_entry_without_a_score_by_the_ranking_metric_reads_why() -> None:
    content = document("close")
    reason = "stance: there is no file for this task"
    content["unscored"] = [{"entry": "Half", "where": "stance", "reason": reason}]
    text = files(AnnouncedResults(content, "en"))["letters/Half.txt"]
    assert "Half has no score by F1, so it has no place in the ranking." in text
    assert reason in text


@pytest.mark.parametrize("code", languages())
def test_why_an_entry_has_no_score_is_said_in_the_language(code: str) -> None:
    """Of older results, which do not hold the phrase, it stays English."""
    problem = counted(2, Phrase("duplicate id", "duplicate ids"))
    reason = Phrase("{file}: {problem}", file="second.csv", problem=problem)
    findings = replace(
        made.result((0.9, 0.5, 0.45), tuple("LAB")),
        unusable=(LeftOut("Absent", reason),),
        unscored={("Half", "stance"): reason},
    )
    content = json.loads(results_json(findings, ""))
    letters_of = files(AnnouncedResults(content, code))
    expected = load(code).say(reason)
    assert (expected == "second.csv: 2 duplicate ids") == (code == "en")
    for name in ("Absent", "Half"):
        assert f"\n{expected}\n" in letters_of[f"letters/{name}.txt"]
    for item in (*content["unusable"], *content["unscored"]):
        del item["phrase"]
    of_older = files(AnnouncedResults(content, code))
    for name in ("Absent", "Half"):
        assert "\nsecond.csv: 2 duplicate ids\n" in of_older[f"letters/{name}.txt"]
