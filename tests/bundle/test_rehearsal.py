"""Rehearsals: what the platform's worker unpacks is what the packed program is tried on."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scoring_program.bundle import rehearsal
from scoring_program.bundle.archive import pack, tree
from scoring_program.bundle.build import build, flat
from scoring_program.core.errors import OrganizerError
from tests.bundle.made import edited, members, put
from tests.platform import worker


def test_folders_stay_folders(tmp_path: Path) -> None:
    rehearsal.unpack(pack({"a/x": b"", "b/y": b"", "z": b""}), tmp_path / "res")
    assert sorted(tree(tmp_path / "res")) == ["a/x", "b/y", "z"]


def test_for_a_week_the_first_folder_was_moved_up(tmp_path: Path) -> None:
    moving = worker.unpack_moving_first_folder_up
    moving(pack({"a/x": b"", "b/y": b""}), tmp_path / "res")
    assert sorted(tree(tmp_path / "res")) == ["b/y", "x"]
    moving(pack({"a/metadata": b"", "a/x": b""}), tmp_path / "one" / "program")
    assert sorted(tree(tmp_path / "one" / "program")) == ["metadata", "x"]
    moving(pack({"metadata": b"", "a/x": b""}), tmp_path / "two" / "program")
    assert sorted(tree(tmp_path / "two" / "program")) == ["a/x", "metadata"]


@pytest.mark.full
def test_both_workers_score_alike(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One submission with the packed field, one in a folder, and all teams' at once."""
    found = members(build(folder / "competition.yaml", rehearsed=False))
    sample = (folder / "example/sample_solution/predictions.csv").read_bytes()
    runs = [
        (0, pack({"predictions.csv": sample})),
        (0, pack({"my submission/predictions.csv": sample})),
        (1, pack(flat(folder / "example/input/res"))),
    ]
    scores = []
    for unpack in (rehearsal.unpack, worker.unpack_moving_first_folder_up):
        monkeypatch.setattr(rehearsal, "unpack", unpack)
        for task, submission in runs:
            reference = found[f"reference_data_{task}.zip"]
            done = rehearsal.rehearse(found["scoring_program.zip"], reference, submission)
            scores.append(dict(done.scores))
    kept, moved = scores[:3], scores[3:]
    assert kept == moved
    assert kept[0] == kept[1]
    assert [done["n_teams"] for done in kept] == [11, 11, 10]


@pytest.mark.full
def test_plain_folders_of_teams_stay_teams(folder: Path) -> None:
    found = members(build(folder / "competition.yaml", rehearsed=False))
    teams = pack(tree(folder / "example/input/res"))
    program, reference = found["scoring_program.zip"], found["reference_data_1.zip"]
    assert rehearsal.rehearse(program, reference, teams).scores["n_teams"] == 10


@pytest.mark.as_platforms_do
def test_tried_on_what_is_not_packed(folder: Path) -> None:
    shutil.copytree(folder / "example/sample_solution", folder / "ours")
    edited(folder, put("solutions", value=None))
    path = edited(folder, put("tasks", 0, "deadheat", "rehearsal", value="ours/predictions.csv"))
    lines: list[str] = []
    found = members(build(path, log=lines.append))
    tried = [line.partition(": ")[0] for line in lines if "tried" in line]
    assert tried == [
        "Task 0 tried on ours/predictions.csv",
        "Task 1 tried on example/input/res",
    ]
    assert not any(name.startswith("solution") for name in found)


def test_task_without_a_rehearsal(folder: Path) -> None:
    """It is said that nothing was tried, and the leaderboard is taken as it is."""
    edited(folder, put("tasks", 1, "deadheat", "rehearsal", value=None))
    path = edited(folder, put("leaderboards", 0, "columns", 1, "key", value="no_such_key"))
    lines: list[str] = []
    build(path, log=lines.append)
    assert [line.partition(":")[0] for line in lines if "tried" in line] == [
        "Task 0 tried on example/sample_solution",
        "Task 1 and the leaderboard's columns were not tried",
    ]


def test_archive_is_an_upload_as_it_is(folder: Path) -> None:
    bulk = pack(tree(folder / "example/input/res"))
    (folder / "bulk.zip").write_bytes(bulk)
    path = edited(folder, put("tasks", 1, "deadheat", "rehearsal", value="bulk.zip"))
    lines: list[str] = []
    build(path, log=lines.append)
    assert any(line.startswith("Task 1 tried on bulk.zip: ") for line in lines)
    sample = pack({"predictions.csv": b"id,label"})
    (folder / "sample.zip").write_bytes(sample)
    path = edited(folder, put("solutions", 0, "path", value="sample.zip"))
    assert members(build(path, rehearsed=False))["solution_0.zip"] == sample
    (folder / "sample.zip").write_bytes(sample[:20])
    with pytest.raises(OrganizerError, match=r"sample\.zip: is not a zip archive; pack it again"):
        build(path, rehearsed=False)
