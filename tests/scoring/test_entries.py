"""Which runs compete."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring_program.core.errors import SettingsError, SubmissionError
from scoring_program.data.competition import Competition
from scoring_program.data.source import read_input
from scoring_program.scoring.score_entries import score_entries
from tests.competitions import Folder, told, write_csv

_BROKEN = {"id": ["x"], "label": ["a"]}


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    made = Folder(tmp_path, n=20).write()
    for team in made.teams:
        path = made.input / "res" / team / "predictions.csv"
        path.rename(path.with_name("run5.csv"))
    return made


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
    add(folder, "Two", "run1", None)
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
        "Two/run5." in notes
    )
    assert (
        "Later runs of these teams were passed over, because they cannot be scored: One/run11."
        in notes
    )


@pytest.mark.parametrize(
    ("runs", "shown"),
    [
        (("run1", "final"), None),
        (("02-01-2023", "01-12-2023"), None),
        (("march", "april"), None),
        (("run2_seed1", "run1_seed2"), None),
        (("2_2024-01-31", "1_2024-02-01"), None),
        (("run", "run2"), None),
        (("run9", "Run10"), None),
        (("v1.10", "v1.9"), "v1.10"),
        (("7", "12"), "12"),
        (("2024-03-01", "2023-12-31"), "2024-03-01"),
        (("sent 2024-03-01T09-30", "sent 2024-03-01T10-05"), "sent 2024-03-01T10-05"),
    ],
)
def test_which_run_is_the_last_is_asked_where_names_do_not_say_so(
    folder: Folder, runs: tuple[str, str], shown: str | None
) -> None:
    for run, like in zip(runs, ("Two", "Three"), strict=True):
        add(folder, "Four", run, like)
    if shown is not None:
        assert any(f"can be scored: Four/{shown}." in note for note in told(last(folder).notes))
        return
    with pytest.raises(SettingsError, match=r"line 2: runs: .*\(Four/.*, Four/.*\); number them"):
        last(folder)
    with pytest.raises(SettingsError, match=r"which one is the last; number them"):
        last(folder, "anonymize: true\n")


def test_a_team_without_a_usable_run_is_named_once(folder: Folder) -> None:
    for run in ("run1", "run2"):
        add(folder, "Four", run, None)
    competition = last(folder)
    assert competition.names == ("One", "Three", "Two")
    (unusable,) = competition.unusable
    assert unusable.name == "Four"
    assert "run2.csv" in unusable.reason


def test_strict_minds_a_last_run_that_is_unusable_and_no_earlier_one(folder: Folder) -> None:
    add(folder, "One", "run1", None)
    assert last(folder, "strict: true\n").names == ("One", "Three", "Two")
    add(folder, "One", "run9", None)
    with pytest.raises(SubmissionError, match=r"'strict' is set:\n\[One/run9\]"):
        last(folder, "strict: true\n")


def test_two_runs_of_one_team_are_no_two_teams(folder: Folder) -> None:
    add(folder, "One", "run6", "Two")
    for team in ("Two", "Three"):
        add(folder, team, "run5", None)
    with pytest.raises(SubmissionError, match="1 usable submission; at least two are needed"):
        last(folder)


def test_nameless_teams_stay_so(folder: Folder) -> None:
    add(folder, "One", "run9", None)
    competition = last(folder, "anonymize: true\n")
    assert [item.name for item in competition.unusable] == ["Unusable 1"]
    assert not any("One" in text for text in told(competition.notes))
