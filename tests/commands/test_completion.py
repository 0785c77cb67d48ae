"""What the shell is told that can follow, as argcomplete asks for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scoring_program.commands.main import COMMANDS
from tests.competitions import REPOSITORY

PROGRAM = "import sys; from scoring_program.commands.main import main; sys.exit(main())"


def offered(line: str, folder: Path) -> set[str]:
    """Return what can follow a line that ends at the cursor."""
    pytest.importorskip("argcomplete", reason="argcomplete is not installed")
    answer = folder / "answer"
    asked = {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(answer),
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
        "COMP_TYPE": "9",
        "PYTHONPATH": str(REPOSITORY),
    }
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, env={**os.environ, **asked}, cwd=folder, check=False)
    assert done.returncode == 0
    return {word.strip() for word in answer.read_text().split("\n")} if answer.exists() else set()


def test_commands_are_completed(tmp_path: Path) -> None:
    assert set(COMMANDS) <= offered("deadheat ", tmp_path)
    assert offered("deadheat au", tmp_path) == {"audit"}


def test_options_are_completed(tmp_path: Path) -> None:
    assert offered("deadheat score in out --resamp", tmp_path) == {"--resamples"}
    assert "--ids" in offered("deadheat check predictions.csv --", tmp_path)
    assert offered("deadheat compare --language e", tmp_path) == {"en", "es"}


def test_files_are_completed(tmp_path: Path) -> None:
    (tmp_path / "predictions.csv").touch()
    assert "predictions.csv" in offered("deadheat check pre", tmp_path)


def test_the_command_of_a_wrong_line_is_not_guessed(tmp_path: Path) -> None:
    assert offered("deadheat nothing --", tmp_path) == set()
