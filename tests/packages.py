"""Installed packages: `deadheat`, and one that provides something by entry points."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.competitions import REPOSITORY


def install(folder: Path, name: str, code: str, entry_points: str) -> Path:
    """Write version 1.2 of a distribution with one module of its name, beside `deadheat`."""
    folder.mkdir(exist_ok=True)
    (folder / "deadheat").symlink_to(REPOSITORY / "scoring_program")
    (folder / f"{name}.py").write_text(code)
    information = folder / f"{name}-1.2.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
    (information / "entry_points.txt").write_text(entry_points)
    return folder


def python(installed: Path, *arguments: str) -> str:
    """Return what Python prints where the packages are installed."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout
