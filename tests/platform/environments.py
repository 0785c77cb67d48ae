"""Clean Python environments with exact packages, kept from one test run to the next."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

#: What codalab/codalab-legacy:py312 holds of what this program could import.
IMAGE = (
    "numpy==1.26.4", "scipy==1.11.4", "scikit-learn==1.5.1", "pandas==2.2.3", "PyYAML==6.0.2",
    "numba==0.61.2", "matplotlib==3.8.4",
)  # fmt: skip
#: What this program needs, in versions of the day.
OWN = (
    "numpy",
    "scipy",
    "scikit-learn",
    "PyYAML",
    "statsmodels",
    "Jinja2",
    "tqdm",
    "confusable-homoglyphs",
)


def environment(version: str, requirements: Sequence[str]) -> Path:
    """Return the Python of an environment that holds these packages; skip where there is none."""
    base = interpreter(version)
    if base is None:
        pytest.skip(f"there is no Python {version} here")
    key = hashlib.sha256(repr((version, requirements)).encode()).hexdigest()[:12]
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "deadheat" / "envs"
    folder = root / f"py{version.replace('.', '')}-{key}"
    root.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run side by side
        if not (folder / "complete").exists():
            _make(folder, base, requirements)
    return folder / "bin" / "python3"


def _make(folder: Path, base: str, requirements: Sequence[str]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([base, "-m", "venv", folder], check=True)
    if not requirements:  # which pip takes for an error
        (folder / "complete").touch()
        return
    command: list[str | Path] = [folder / "bin" / "python3", "-m", "pip", "install", "--quiet"]
    done = subprocess.run(
        [*command, "--only-binary", ":all:", *requirements],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        shutil.rmtree(folder)
        pytest.skip(f"packages cannot be installed with {base}: {done.stderr[-300:]}")
    (folder / "complete").touch()


def interpreter(version: str) -> str | None:
    """Return an interpreter of a version, from the path or from pyenv."""
    found = [shutil.which(f"python{version}")]
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    found += [str(path) for path in sorted(pyenv.glob(f"{version}.*/bin/python3"))]
    for candidate in found:
        if candidate is not None and _runs(candidate, version):
            return candidate
    return None


def _runs(python: str, version: str) -> bool:
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    return done.stdout.strip() == version
