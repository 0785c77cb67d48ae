"""What the commands print where the terminal, or a file behind ``>``, cannot hold every sign."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scoring_program.commands.main import COMMANDS
from tests.competitions import EXAMPLE, REPOSITORY
from tests.sweeps import swept

#: Prints the help of every command, as a terminal of 72 columns gets it.
HELP = f"""
import contextlib
from scoring_program.commands.main import main
for name in {list(COMMANDS)}:
    with contextlib.suppress(SystemExit):
        main([name, "--help"])
"""


def printed(encoding: str, *arguments: str | Path) -> str:
    """Run Python with its output redirected, and return what it wrote."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONIOENCODING": encoding, "COLUMNS": "72"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr.decode(encoding)) == (0, "")
    return done.stdout.decode(encoding)


@pytest.mark.parametrize("encoding", swept(["cp1252", "cp437", "ascii"]))
def test_help_goes_into_a_file_of_any_encoding(encoding: str) -> None:
    told = printed(encoding, "-c", HELP)
    assert told.count("\nexit status:") == len(COMMANDS)
    assert "significance level 1 - confidence" in " ".join(told.split())
    assert "\\u" not in told


@pytest.mark.parametrize("encoding", swept(["ascii", "cp1252", "cp437"]))
def test_a_run_tells_its_end_in_any_encoding(encoding: str, tmp_path: Path) -> None:
    options = ["--resamples", "100", "--title", "Prüfung → 1"]
    told = printed(encoding, "-m", "scoring_program", EXAMPLE, tmp_path / "out", *options)
    assert "NLPCIC is first (F1 0.7154)" in told
    finish = next(line for line in told.splitlines() if line.startswith("NLPCIC  "))
    assert "---o|" in finish  # the photo finish
    assert "\\u" not in told


def test_a_name_that_an_encoding_lacks_is_escaped() -> None:
    say = "from scoring_program.commands.boundary import say; say('Łódź – 李 ≥ 1')"
    assert printed("cp1252", "-c", say).strip() == "\\u0141ód\\u017a – \\u674e >= 1"
    assert printed("ascii", "-c", say).strip() == "\\u0141\\xf3d\\u017a - \\u674e >= 1"
