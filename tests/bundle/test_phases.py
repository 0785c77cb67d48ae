"""Phases: when they take place, and several tasks that share one upload."""

from __future__ import annotations

import shutil
import subprocess
import sys
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
import yaml

from scoring_program.bundle.archive import pack, tree
from scoring_program.bundle.build import build
from scoring_program.bundle.rehearsal import rehearse
from scoring_program.commands.bundle import main
from scoring_program.core.errors import OrganizerError, SettingsError
from tests.bundle.made import edited, members, put


@pytest.fixture
def two_tasks(folder: Path) -> Path:
    """A phase with two tasks, whose gold files are called stance and topic."""
    for name in ("stance", "topic"):
        shutil.copytree(folder / "example/input/ref", folder / name)
        (folder / name / "gold.csv").rename(folder / name / f"{name}.csv")

    def change(document: dict[str, Any]) -> None:
        for task, name in zip(document["tasks"], ("stance", "topic"), strict=True):
            task["reference_data"] = name
            task["deadheat"] = {}
        document["phases"] = [{**document["phases"][0], "tasks": [0, 1]}]

    return edited(folder, change)


def test_one_upload_for_two_tasks(two_tasks: Path) -> None:
    lines: list[str] = []
    found = members(build(two_tasks, rehearsed=False, log=lines.append))
    assert yaml.safe_load(found["competition.yaml"])["phases"][0]["tasks"] == [0, 1]
    assert (
        "Phase 'Evaluation': 2 tasks score the same upload; tell participants to send one file "
        "per task, named 'stance', 'topic'."
    ) in lines
    assert set(members(found["starting_kit_0.zip"])) == {
        "README.md",
        *(f"task_{k}/{name}" for k in (0, 1) for name in ("check.pyz", "test_ids.csv")),
    }


def test_each_tasks_checker_takes_the_upload_for_both(two_tasks: Path) -> None:
    folder = two_tasks.parent
    kit = members(members(build(two_tasks, rehearsed=False))["starting_kit_0.zip"])
    (folder / "both").mkdir()
    for name in ("stance", "topic"):
        shutil.copy(folder / "example/sample_solution/predictions.csv", folder / f"both/{name}.csv")
    for task, name, other in ((0, "stance", "topic"), (1, "topic", "stance")):
        (folder / "check.pyz").write_bytes(kit[f"task_{task}/check.pyz"])
        command = [sys.executable, str(folder / "check.pyz"), str(folder / "both")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith(f"{name}.csv: the file can be scored; it holds a prediction")
        assert f"Not read: {other}.csv." in done.stdout
        made = folder / "submission.zip"
        assert set(members(made.read_bytes())) == {"stance.csv", "topic.csv"}
        made.unlink()
    (folder / "both/topic.csv").rename(folder / "both/else.csv")  # the last checker is topic's
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "expected exactly one predictions file" in done.stderr
    assert not (folder / "submission.zip").exists()


def test_each_task_scores_its_file(two_tasks: Path) -> None:
    folder = two_tasks.parent
    (folder / "both").mkdir()
    shutil.copy(folder / "topic/topic.csv", folder / "both/topic.csv")
    shutil.copy(folder / "example/sample_solution/predictions.csv", folder / "both/stance.csv")

    def change(document: dict[str, Any]) -> None:
        del document["leaderboards"][0]["columns"][5:], document["solutions"]
        for task in document["tasks"]:
            task["deadheat"] = {"rehearsal": "both"}

    path = edited(folder, change)
    found = members(build(path, rehearsed=False))
    upload = pack(tree(folder / "both"))
    scores = [
        rehearse(found["scoring_program.zip"], found[f"reference_data_{task}.zip"], upload).scores
        for task in (0, 1)
    ]
    assert scores[0]["f1_score"] < scores[1]["f1_score"] == 1
    lines: list[str] = []
    build(path, log=lines.append)
    assert [line.partition(": ")[0] for line in lines if "tried" in line] == [
        "Task 0 tried on both",
        "Task 1 tried on both",
    ]
    (folder / "both/topic.csv").rename(folder / "both/else.csv")
    with pytest.raises(OrganizerError, match="exactly one predictions file"):
        build(path)


def test_a_file_for_the_other_task_is_not_scored_by_this_one(two_tasks: Path) -> None:
    """Though it holds the same ids."""
    folder = two_tasks.parent
    found = members(build(two_tasks, rehearsed=False))
    alone = (folder / "example/sample_solution/predictions.csv").read_bytes()
    for k, name, other in ((0, "stance", "topic"), (1, "topic", "stance")):
        reference = found[f"reference_data_{k}.zip"]
        for file in (f"{other}.csv", f"wrapped/{other.upper()}.csv"):
            refused = f"{Path(file).name}: there are no predictions for this task, only for others"
            with pytest.raises(OrganizerError, match=f"{refused}; add a file called {name}.csv"):
                rehearse(found["scoring_program.zip"], reference, pack({file: alone}))
        any_name = pack({"predictions.csv": alone})
        assert rehearse(found["scoring_program.zip"], reference, any_name).scores
    kit = members(found["starting_kit_0.zip"])
    (folder / "check.pyz").write_bytes(kit["task_0/check.pyz"])
    (folder / "topic.csv").write_bytes(alone)
    command = [sys.executable, str(folder / "check.pyz"), str(folder / "topic.csv")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "topic.csv: there are no predictions for this task" in done.stderr


def _same_name(folder: Path) -> None:
    (folder / "topic/topic.csv").rename(folder / "topic/Stance.csv")


def _two_golds(folder: Path) -> None:
    shutil.copy(folder / "topic/topic.csv", folder / "topic/other.csv")


def _no_gold(folder: Path) -> None:
    (folder / "topic/topic.csv").unlink()


def _all_teams(folder: Path) -> None:
    edited(folder, put("tasks", 1, "deadheat", value={"settings": {"layout": "teams"}}))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            _same_name,
            "named like their gold, but both task 0 and task 1 call it 'Stance'; rename one",
        ),
        (_two_golds, "but task 1 cannot choose a file from it, because the task has 2 gold files"),
        (_no_gold, "but task 1 cannot choose a file from it, because the task has 0 gold files"),
        (_all_teams, "but task 1 reads it as the submissions of all teams"),
    ],
)
def test_two_tasks_that_cannot_share_an_upload(two_tasks: Path, change: Any, message: str) -> None:
    change(two_tasks.parent)
    with pytest.raises(SettingsError, match=rf"phases\[0\]: tasks: .*{message}"):
        build(two_tasks, rehearsed=False)
    edited(two_tasks.parent, put("phases", 0, "tasks", value=[1]))
    if change is not _no_gold:
        build(two_tasks, rehearsed=False)


def dates(content: bytes) -> list[tuple[str, str | None]]:
    document = yaml.safe_load(members(content)["competition.yaml"])
    return [(phase["start"], phase.get("end")) for phase in document["phases"]]


def test_dates_count_from_the_start(folder: Path) -> None:
    path = edited(folder, put("phases", 0, "end", value="+1 day"))
    lines: list[str] = []
    content = build(path, start=date(2024, 2, 28), rehearsed=False, log=lines.append)
    assert dates(content) == [
        ("2024-02-28 00:00:00", "2024-02-29 00:00:00"),
        ("2024-05-29 00:00:00", None),
    ]
    assert lines[:2] == [
        "Phase 'Evaluation': 2024-02-28 00:00 to 2024-02-29 00:00 (UTC); it has already ended.",
        "Phase 'For the organizers': 2024-05-29 00:00, without an end (UTC).",
    ]


def test_dates_count_from_today(folder: Path) -> None:
    before = datetime.now(timezone.utc).date()
    content = build(folder / "competition.yaml", rehearsed=False)
    assert dates(content)[0] in {
        (f"{first} 00:00:00", f"{first + timedelta(90)} 00:00:00")
        for first in (before, datetime.now(timezone.utc).date())
    }


def test_start_on_the_command_line(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    edited(folder, put("solutions", value=None))
    edited(folder, put("tasks", 1, "deadheat", value={}))
    assert main(["--start", "2030-05-01"]) == 0
    assert "Phase 'Evaluation': 2030-05-01 00:00 to 2030-07-30 00:00 (UTC)." in (
        capsys.readouterr().out
    )
    with pytest.raises(SystemExit) as caught:
        main(["--start", "soon"])
    assert caught.value.code == 2
    assert "--start: expected a date such as 2026-01-31; found 'soon'" in capsys.readouterr().err
