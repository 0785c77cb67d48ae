"""Prizes in results.json and scores.txt: by team, and from the record alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.competitions import Folder
from tests.report import made
from tests.report.test_one_record import outputs

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
