"""Which runs compete."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring_program.core.errors import SubmissionError
from scoring_program.data.competition import Competition
from scoring_program.data.source import read_input
from scoring_program.scoring.score_entries import score_entries
from tests.competitions import Folder, told, write_csv

_BROKEN = {"id": ["x"], "label": ["a"]}


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path, n=20).write()


def add(folder: Folder, team: str, run: str, like: str | None) -> None:
    """Add a run with another team's predictions, or one that is unusable."""
    columns = {"id": folder.ids, "label": folder.teams[like]} if like else _BROKEN
    write_csv(folder.input / "res" / team / f"{run}.csv", columns)


def last(folder: Folder, settings: str = "") -> Competition:
    folder.settings(f"metrics: [accuracy_score]\nruns: last\n{settings}")
    competition, _ = score_entries(*read_input(folder.input, lambda settings: settings))
    return competition


def test_last_is_the_last_usable_run(folder: Folder) -> None:
    add(folder, "One", "run9", "Three")
    add(folder, "One", "run10", "Two")
    add(folder, "One", "run11", None)
    add(folder, "Two", "early", None)
    competition = last(folder)
    assert competition.names == ("One", "Three", "Two")
    one, _, two = competition.parts[0].entries
    assert one
    assert two
    assert one.sha256 == two.sha256
    assert [item.name for item in competition.unusable] == ["One/run11"]
    notes = told(competition.notes)
    assert (
        "Each team with several runs competes with the last one that can be scored: One/run10, "
        "Two/predictions." in notes
    )
    assert (
        "Later runs of these teams were passed over, because they cannot be scored: One/run11."
        in notes
    )


def test_a_team_without_a_usable_run_is_named_once(folder: Folder) -> None:
    for run in ("a", "b"):
        add(folder, "Four", run, None)
    competition = last(folder)
    assert competition.names == ("One", "Three", "Two")
    (unusable,) = competition.unusable
    assert unusable.name == "Four"
    assert "b.csv" in unusable.reason


def test_strict_minds_a_last_run_that_is_unusable_and_no_earlier_one(folder: Folder) -> None:
    add(folder, "One", "a", None)
    assert last(folder, "strict: true\n").names == ("One", "Three", "Two")
    add(folder, "One", "z", None)
    with pytest.raises(SubmissionError, match=r"'strict' is set:\n\[One/z\]"):
        last(folder, "strict: true\n")


def test_two_runs_of_one_team_are_no_two_teams(folder: Folder) -> None:
    add(folder, "One", "second", "Two")
    for team in ("Two", "Three"):
        add(folder, team, "predictions", None)
    with pytest.raises(SubmissionError, match="1 usable submission; at least two are needed"):
        last(folder)


def test_nameless_teams_stay_so(folder: Folder) -> None:
    add(folder, "One", "z", None)
    competition = last(folder, "anonymize: true\n")
    assert [item.name for item in competition.unusable] == ["Unusable 1"]
    assert not any("One" in text for text in told(competition.notes))
