"""The wheels that a bundle carries: found or downloaded, and refused unless the lock names them."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from ..core.errors import OrganizerError, listed
from .images import Image
from .lock import Locked

#: A carried package with its wheel's content.
Wheel = tuple[Locked, bytes]


def cache() -> Path:
    """Return the folder in which downloaded wheels are kept."""
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(root) / "deadheat" / "wheels"


def fetched(image: Image, folder: Path, extras: Collection[str] = ()) -> tuple[Wheel, ...]:
    """Return the wheels that an image lacks; download missing ones into ``folder``.

    Raises
    ------
    OrganizerError
        pip cannot get one of them, or a wheel is not the one that the lock names.
    """
    carried = image.carried(extras)
    missing = [item for item in carried if not any(_wheels(folder, item, image))]
    if missing:
        _download(missing, image, folder)
    return tuple((item, _content(folder, item, image)) for item in carried)


def _wheels(folder: Path, item: Locked, image: Image) -> Iterator[Path]:
    """Yield the wheels of a package in ``folder`` that the image's Python could install."""
    tag = "cp" + image.python.replace(".", "")
    name, version = re.escape(item.name).replace(r"\-", "[-_.]"), re.escape(item.version)
    pattern = re.compile(rf"{name}-{version}-(py3|py2\.py3|{tag})-.*\.whl", re.IGNORECASE)
    return (path for path in sorted(folder.glob("*.whl")) if pattern.fullmatch(path.name))


def _content(folder: Path, item: Locked, image: Image) -> bytes:
    """Return the content whose hash was checked, so that nobody can change it afterwards."""
    refused = []
    for path in _wheels(folder, item, image):
        content = path.read_bytes()
        found = hashlib.sha256(content).hexdigest()
        if found == item.sha256:
            return content
        refused.append(f"{path} has the SHA-256 {found}")
    if not refused:
        raise OrganizerError(
            f"{folder}: there is no wheel of {item.requirement} for Python {image.python}; delete "
            "the folder to download it again"
        )
    raise OrganizerError(
        f"{'; '.join(refused)}, but the wheel of {item.requirement} that was tested with this "
        f"program has {item.sha256}: the file is damaged, or somebody changed it; delete it, and "
        "the right one is downloaded"
    )


def _download(missing: Sequence[Locked], image: Image, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="deadheat-") as temporary:
        lines = Path(temporary) / "requirements.txt"
        lines.write_text("".join(f"{item.line}\n" for item in missing), encoding="utf-8")
        done = subprocess.run(
            [*pip_download(image, folder), "--require-hashes", "--requirement", str(lines)],
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no message from pip"])[-1]
        raise OrganizerError(
            f"the packages that the image lacks cannot be downloaded ({reason}); connect to the "
            f"network, or put wheels of {listed(item.requirement for item in missing)} into a "
            "folder and name it with --wheels"
        )


def pip_download(image: Image, folder: Path) -> list[str]:
    """Return the command, but for the packages, that downloads wheels for an image."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--only-binary", ":all:", "--implementation", "cp", "--dest", str(folder)]
    return [*command, "--python-version", image.python, "--platform", image.platform]
