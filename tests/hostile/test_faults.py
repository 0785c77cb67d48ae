"""All or nothing: killed at any moment, disk full, OUTPUT unwritable, an older run present."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scoring_program.core.errors import OrganizerError
from scoring_program.report import write as writing
from scoring_program.report.write import write
from tests.competitions import REPOSITORY, Folder
from tests.hostile.nursery import NEW, OLD, contents, digest
from tests.sweeps import swept

needs_fork = pytest.mark.skipif(sys.platform != "linux", reason="forks, and exchanges folders")


def nursery(*arguments: object) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "tests.hostile.nursery", *map(str, arguments)],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        check=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    return json.loads(done.stdout)


@needs_fork
@pytest.mark.full
def test_killed_at_50_random_moments_the_outputs_are_the_old_or_the_new(folder: Folder) -> None:
    trials = nursery(folder.write().input, folder.output, 50)
    assert len(trials["found"]) == 50
    _, *complete = trials["complete"]
    assert len(set(complete)) == 3
    assert set(trials["found"]) <= set(trials["complete"])
    assert len(set(trials["found"])) > 1
    assert folder.run("--resamples", "100") == 0
    left = [name for name in os.listdir(folder.root) if name.startswith(".")]
    assert left == []


@needs_fork
@pytest.mark.parametrize("older", swept(["complete", "absent", "empty"]))
def test_killed_at_every_step_of_writing(tmp_path: Path, older: str) -> None:
    output = tmp_path / "output"
    if older == "complete":
        write(output, OLD)
    elif older == "empty":
        output.mkdir()
    before = contents(output)
    found = nursery("write", output)
    assert len(found) > 10
    assert all(outputs in (before, NEW) for outputs in found)
    assert before in found
    assert sorted(os.listdir(tmp_path)) == ["output"]


@needs_fork
def test_killed_among_other_files_scores_never_stand_beside_another_page(tmp_path: Path) -> None:
    output = tmp_path / "output"
    write(output, OLD)
    (output / "notes.txt").write_text("the organizer's")
    found = nursery("write", output)
    assert len(found) > 10
    for outputs in found:
        assert outputs.pop("notes.txt") == "the organizer's"
        if "scores.txt" in outputs:
            assert outputs in (OLD, NEW)
    assert contents(output) == {**NEW, "notes.txt": "the organizer's"}


# -- writing by itself -----------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["folder", "file by file"])
def test_an_older_run_is_replaced_whole(tmp_path: Path, place: str) -> None:
    output = tmp_path / "deep" / "output"
    write(output, {**OLD, "figures/old.svg": "<svg>"})
    if place == "file by file":
        (output / "notes.txt").write_text("kept")
    write(output, {**OLD, "scores.txt": "f1: 0.6\n"})
    found = contents(output)
    assert found.pop("notes.txt", "kept") == "kept"
    assert found == {**OLD, "scores.txt": "f1: 0.6\n"}
    assert os.listdir(tmp_path / "deep") == ["output"]


def test_the_folder_keeps_its_mode(tmp_path: Path) -> None:
    output = tmp_path / "output"
    write(output, OLD)
    output.chmod(0o750)
    write(output, OLD)
    assert output.stat().st_mode & 0o777 == 0o750


def test_a_link_to_a_folder_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "output").symlink_to("real")
    write(tmp_path / "output", OLD)
    assert (tmp_path / "output").is_symlink()
    assert contents(tmp_path / "real") == OLD


def test_the_working_directory_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    place = tmp_path.stat().st_ino
    write(Path(), OLD)
    assert tmp_path.stat().st_ino == place
    assert contents(tmp_path) == OLD


def test_scores_appear_last_where_files_are_renamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes.txt").write_text("")
    write(tmp_path, OLD)
    moved = []

    def rename(source: Path, target: Path) -> Path:
        moved.append((source.name, "old" if target.parent.name == "old" else "new"))
        os.rename(source, target)
        return target

    monkeypatch.setattr(Path, "rename", rename)
    write(tmp_path, OLD)
    assert moved[0] == ("scores.txt", "old")
    assert moved[-1] == ("scores.txt", "new")


@pytest.mark.parametrize("step", range(6))
def test_a_failing_rename_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    (tmp_path / "notes.txt").write_text("")
    write(tmp_path, OLD)
    before = contents(tmp_path)
    done = 0

    def rename(source: Path, target: Path) -> Path:
        nonlocal done
        done += 1
        if done == step + 1:
            raise OSError(5, "Input/output error")
        os.rename(source, target)
        return target

    monkeypatch.setattr(Path, "rename", rename)
    with pytest.raises(OrganizerError, match="Input/output error"):
        write(tmp_path, {name: text + "new" for name, text in OLD.items()})
    assert contents(tmp_path) == before
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]


def test_where_folders_cannot_be_exchanged_files_are_renamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr(writing, "_exchange", refuse)
    output = tmp_path / "output"
    write(output, OLD)
    write(output, {**OLD, "scores.txt": "f1: 0.6\n"})
    assert contents(output) == {**OLD, "scores.txt": "f1: 0.6\n"}
    assert os.listdir(tmp_path) == ["output"]


def test_output_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "output").write_text("mine")
    with pytest.raises(OrganizerError, match="cannot be written"):
        write(tmp_path / "output", OLD)
    with pytest.raises(OrganizerError, match="cannot be written"):
        write(tmp_path / "output" / "below", OLD)
    assert (tmp_path / "output").read_text() == "mine"


def test_a_folder_that_another_run_writes_is_left_alone(tmp_path: Path) -> None:
    with writing._staging(tmp_path, ".output-deadheat-") as other:
        write(tmp_path / "output", OLD)
        assert other.is_dir()
    (tmp_path / ".output-deadheat-left").mkdir()
    write(tmp_path / "output", OLD)
    assert os.listdir(tmp_path) == ["output"]


# -- file systems made for the purpose -------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 2 MiB in memory."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if not _mount("-t", "tmpfs", "-o", "size=2m", "tmpfs", str(disk)):
        pytest.skip("only root may mount a file system")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def _mount(*arguments: str) -> bool:
    try:
        return subprocess.run(["mount", *arguments], capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("older", swept([True, False]))
@pytest.mark.parametrize("is_mount", swept([False, True]))
def test_a_full_disk_changes_nothing(
    folder: Folder,
    small_disk: Path,
    capsys: pytest.CaptureFixture[str],
    older: bool,
    is_mount: bool,
) -> None:
    folder.write()
    folder.output = small_disk if is_mount else small_disk / "output"
    if older:
        assert folder.run("--resamples", "100") == 0
    before = digest(folder.output)
    filler = small_disk / ".filler"
    outcomes = set()
    for free in range(0, 600_000, 40_000):
        disk = os.statvfs(small_disk)
        filler.write_bytes(b"0" * max(0, disk.f_bavail * disk.f_frsize - free))
        outcomes.add(folder.run("--resamples", "100", "--seed", "5"))
        if 0 in outcomes:
            break
        assert "cannot be written (No space left on device)" in capsys.readouterr().err
        assert digest(folder.output) == before
        filler.unlink()
        left = [path.name for path in small_disk.iterdir() if path.name.startswith(".")]
        assert left == []
    assert outcomes == {0, 2}
    assert digest(folder.output) != before


def test_a_read_only_output(
    folder: Folder, small_disk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.write()
    folder.output = small_disk / "output"
    assert folder.run("--resamples", "100") == 0
    before = digest(folder.output)
    assert _mount("-o", "remount,ro", str(small_disk))
    assert folder.run("--resamples", "100", "--seed", "5") == 2
    assert "cannot be written (Read-only file system)" in capsys.readouterr().err
    assert digest(folder.output) == before
