"""Writes the lock files again: ``python -m tests.bundle.relock``.

To carry another package or version, write ``name==version`` into the lock file first. A lock file
without lines is that of a new extra. The wheels come from the index that pip is set up for; compare
new hashes with those that the package index shows.
"""

from __future__ import annotations

import hashlib
import subprocess
import tempfile
from pathlib import Path

from scoring_program.bundle.images import IMAGES, Image
from scoring_program.bundle.lock import Locked
from scoring_program.bundle.wheels import pip_download

_HEAD = """\
# What a bundle for the image {image} carries.
# Written by: python -m tests.bundle.relock
"""


def locked(requirement: str, image: Image) -> Locked:
    """Return a package with the hash of the wheel that pip downloads for an image."""
    name, _, version = requirement.partition("==")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*pip_download(image, Path(folder)), requirement], check=True)
        (wheel,) = Path(folder).iterdir()
        return Locked(name, version, hashlib.sha256(wheel.read_bytes()).hexdigest())


def main() -> None:
    """Write every lock file of every image."""
    for name, image in IMAGES.items():
        for path in sorted(image.locks.glob("*.txt")):
            given = path.read_text(encoding="utf-8").splitlines()
            wanted = [line.split()[0] for line in given if line and not line.startswith("#")]
            lines = [locked(requirement, image).line for requirement in wanted]
            path.write_text(_HEAD.format(image=name) + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
