"""Rehearsals: what the platform's worker unpacks is what the packed program is tried on."""

from __future__ import annotations

from pathlib import Path

from scoring_program.bundle import rehearsal
from scoring_program.bundle.archive import pack, tree
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
