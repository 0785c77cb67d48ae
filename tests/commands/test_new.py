"""The command ``deadheat new``."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring_program.commands import main as command
from scoring_program.commands import new


def test_it_says_what_it_wrote_and_what_to_do_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "a" / "mine"
    assert command.main(["new", str(folder)]) == 0
    written = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert written == new.files(new.USUAL).keys()
    assert [path.name for path in folder.parent.iterdir()] == ["mine"]
    said = capsys.readouterr().out
    listed = {line.split()[0] for line in said.splitlines() if line.startswith("  ")}
    assert {path.name for path in folder.iterdir()} <= listed
    assert f"  cd {folder}\n  deadheat score . output\n  deadheat bundle\n" in said


def test_an_empty_folder_is_filled_and_a_full_one_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert new.main(["."]) == 0
    assert "  cd " not in capsys.readouterr().out
    before = sorted(tmp_path.rglob("*"))
    assert before
    assert new.main([".", "--kind", "text"]) == 2
    assert ".: exists and is not empty; name a new folder" in capsys.readouterr().err
    assert new.main(["competition.yaml"]) == 2
    assert sorted(tmp_path.rglob("*")) == before


def test_help_lists_the_kinds_and_a_mistyped_one_suggests_the_nearest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        new.main(["--help"])
    text = capsys.readouterr().out
    assert all(f"  {name:<10} {data}\n" in text for name, data in new.kinds().items())
    with pytest.raises(SystemExit) as stopped:
        new.main([str(tmp_path / "mine"), "--kind", "texts"])
    assert stopped.value.code == 2
    assert "did you mean 'text'?" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
