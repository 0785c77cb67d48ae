"""Where most teams have no score, nobody is named the winner of the few others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.competitions import Folder


def folder_of(root: Path, usable: int, unusable: int, settings: str = "") -> Folder:
    """Write a competition, in which the last of the teams miss a row."""
    teams = [f"Team {letter}" for letter in "ABCDEFGHIJ"[: usable + unusable]]
    folder = Folder(root, teams=teams)
    folder.write("metrics: [accuracy_score]\nresamples: 200\n" + settings)
    for team in teams[usable:]:
        columns = {"id": folder.ids[:-1], "label": folder.labels[:-1]}
        folder.team(team, columns)
    return folder


def lost(folder: Folder) -> list[dict[str, Any]]:
    """Run the competition and return what warns of teams without a score."""
    assert folder.run() == 0
    return [item for item in folder.results()["warnings"] if item["code"] == "lost_teams"]


def withdrawn_because(folder: Folder) -> Any:
    return folder.results()["metrics"][0]["verdict"]["withdrawn_because"]


@pytest.mark.parametrize(
    ("usable", "unusable", "warned"), [(2, 6, True), (2, 3, True), (3, 3, False), (3, 2, False)]
)
def test_a_winner_of_less_than_half_of_the_teams_is_not_named(
    tmp_path: Path, usable: int, unusable: int, warned: bool
) -> None:
    folder = folder_of(tmp_path, usable, unusable)
    cautions = lost(folder)
    assert [item["level"] for item in cautions] == ["red"] * warned
    assert (withdrawn_because(folder) == "lost_teams") == warned
    page = (folder.output / "detailed_results.html").read_text(encoding="utf-8")
    assert ("Nothing yet: the serious caution below comes first." in page) == warned
    assert (f"Only {usable} of {usable + unusable} teams have a score." in page) == warned
    if warned:
        assert "can be named the winner" not in page
        assert not folder.results()["metrics"][0]["verdict"]["verified"]


def test_names_that_are_hidden_are_counted_alike(tmp_path: Path) -> None:
    (caution,) = lost(folder_of(tmp_path, 2, 3, "anonymize: true\n"))
    assert caution["message"].startswith("Only 2 of 5 teams have a score.")


@pytest.mark.parametrize("runs", ["all", "best", "last", "mean"])
@pytest.mark.parametrize("hidden", ["true", "false"])
def test_a_team_with_a_usable_run_has_a_score(tmp_path: Path, runs: str, hidden: str) -> None:
    folder = folder_of(tmp_path, 2, 1, f"runs: {runs}\nanonymize: {hidden}\n")
    for run in range(6):
        columns = {"id": folder.ids[:-1], "label": folder.labels[:-1]}
        predictions = folder.team("Team A", columns)
        predictions.rename(predictions.with_name(f"run{run}.csv"))
    usable = folder.team("Team A", {"id": folder.ids, "label": folder.teams["Team A"]})
    usable.rename(usable.with_name("run6.csv"))
    assert lost(folder) == []


def test_baselines_are_no_teams(tmp_path: Path) -> None:
    """With them, four of seven would have a score."""
    folder = folder_of(tmp_path, 4, 3, "baselines: [Team A, Team B]\n")
    (caution,) = lost(folder)
    assert caution["message"].startswith("Only 2 of 5 teams have a score.")
