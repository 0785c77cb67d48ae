"""Lock files: the one wheel of each package that bundles for an image carry, by its hash.

A lock file is a requirements file that ``pip --require-hashes`` reads. `python -m
tests.bundle.relock` writes it. The versions that bundles carry are pinned there and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

#: A line of a lock file. A comment starts with "#".
_LINE = re.compile(r"([a-z0-9-]+)==(\S+) --hash=sha256:([0-9a-f]{64})")


@dataclass(frozen=True)
class Locked:
    """A package in one version, and the SHA-256 of its wheel for the image."""

    name: str
    version: str
    sha256: str

    @property
    def requirement(self) -> str:
        """The package as pip is asked for it."""
        return f"{self.name}=={self.version}"

    @property
    def line(self) -> str:
        """The line of the lock file."""
        return f"{self.requirement} --hash=sha256:{self.sha256}"


def read(path: Path) -> tuple[Locked, ...]:
    """Read a lock file.

    Raises
    ------
    ValueError
        A line is not of the form ``name==version --hash=sha256:…``.
    """
    return tuple(_read(path))


def _read(path: Path) -> Iterator[Locked]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("#") or not line:
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            raise ValueError(f"{path}, line {number}: expected name==version --hash=sha256:…")
        yield Locked(*found.groups())
