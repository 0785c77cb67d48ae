"""Writes the lock files again: ``python -m tests.bundle.relock``.

To carry another package or version, write ``name==version`` into the lock file first; a name alone
takes the newest version, and what else pip installs with it. Packages after a line ``# [EXTRA]``
are for the metrics of that extra. The wheels come from the index that pip is set up for; compare
new hashes with those that the package index shows.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from scoring_program.bundle.program import IMAGES, OWN_IMAGES, Image, Locked, pip_download

_HEAD = """\
# What bundles carry for {image}.
# Written by: python -m tests.bundle.relock
"""


def locked(wanted: Iterable[str], image: Image) -> list[Locked]:
    """Return packages with the hashes of the wheels that pip downloads for an image."""
    pinned = all("==" in requirement for requirement in wanted)
    with tempfile.TemporaryDirectory() as folder:
        command = [*pip_download(image.python, Path(folder)), *(["--no-deps"] if pinned else [])]
        subprocess.run([*command, *wanted], check=True)
        return [
            Locked(*_named(path), hashlib.sha256(path.read_bytes()).hexdigest())
            for path in sorted(Path(folder).iterdir(), key=lambda path: path.name.casefold())
        ]


def _named(wheel: Path) -> tuple[str, str]:
    name, version, *_ = wheel.name.split("-")
    return re.sub(r"[-_.]+", "-", name).casefold(), version


def relock(title: str, image: Image) -> None:
    """Write the lock file of an image."""
    sections: dict[str, list[str]] = {"": []}
    extra = ""
    for line in image.lock.read_text(encoding="utf-8").splitlines():
        if found := re.fullmatch(r"# \[([a-z]+)\]", line):
            extra = found[1]
            sections[extra] = []
        elif line and not line.startswith("#"):
            sections[extra].append(line.split()[0])
    text = _HEAD.format(image=title)
    written: set[Locked] = set()
    for extra, wanted in sections.items():
        items = [item for item in locked(wanted, image) if item not in written] if wanted else []
        written.update(items)
        text += f"# [{extra}]\n" if extra else ""
        text += "".join(f"{item.line}\n" for item in items)
    image.lock.write_text(text, encoding="utf-8")


def main() -> None:
    """Write every lock file."""
    for name, image in IMAGES.items():
        relock(f"the image {name}", image)
    for python, image in OWN_IMAGES.items():
        relock(f"images that hold nothing but Python {python}", image)


if __name__ == "__main__":
    main()
