"""The program as pip installs it: console scripts and templates, away from the repository."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from tests.competitions import EXAMPLE

try:
    DISTRIBUTION = metadata.distribution("deadheat")
except metadata.PackageNotFoundError:
    pytest.skip("deadheat is not installed in this environment", allow_module_level=True)


def test_the_console_script_runs_anywhere(tmp_path: Path) -> None:
    script = Path(sys.executable).with_name("deadheat")
    done = subprocess.run(
        [str(script), "score", str(EXAMPLE), "out"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    page = (tmp_path / "out" / "detailed_results.html").read_text(encoding="utf-8")
    assert "MeOffendEs 2021" in page


def test_every_console_script_is_declared() -> None:
    names = {entry.name for entry in DISTRIBUTION.entry_points}
    assert names == {"deadheat"}
    for entry in DISTRIBUTION.entry_points:
        assert callable(entry.load())
