"""Packs the scoring program for a platform: this package, an entry point, and missing packages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path

from ..core.errors import OrganizerError
from ..core.templates import templates_folder
from .archive import tree
from .images import Image

#: Folder of the program that holds the carried packages.
CARRIED = "carried"
ENTRY = "score.py"
#: Both platforms read it, Codabench from metadata.yaml first, and run the command without a shell.
METADATA = f"command: python3 $program/{ENTRY} $input $output\n"

_ENTRY = f'''\
"""Entry point of the packed program: the image's own packages win over the carried ones."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent / "{CARRIED}"))

from scoring_program.commands.score import main

if __name__ == "__main__":
    sys.exit(main())
'''
#: Parts of the package that run only on the organizer's machine.
_ORGANIZER_ONLY = re.compile(
    r"(bundle/|(commands/)?compare\.py$|commands/(bundle|main)\.py$|templates/)"
)
#: Parts of wheels that no program imports.
_UNUSED = re.compile(r"(^|/)(tests?|sandbox/tests)/|\.data/|\.(pyx|pxd|c|h)$|RECORD$|INSTALLER$")


def files(image: Image, wheels: Path | None = None) -> dict[str, bytes]:
    """Return the program's files; ``wheels`` is a folder that holds the carried packages' wheels.

    Raises
    ------
    OrganizerError
        A wheel is damaged, or missing and cannot be downloaded.
    """
    package = Path(__file__).parents[1]
    found = {
        f"scoring_program/{name}": content
        for name, content in tree(package).items()
        if not _ORGANIZER_ONLY.match(name)
    }
    found |= tree(templates_folder(), "scoring_program/templates")
    found |= {"metadata": METADATA.encode(), "metadata.yaml": METADATA.encode()}
    found[ENTRY] = _ENTRY.encode()
    for wheel in fetched(image, wheels or cache()):
        found |= _unpacked(wheel)
    return found


def _unpacked(wheel: Path) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(wheel) as archive:
            return {
                f"{CARRIED}/{name}": archive.read(name)
                for name in archive.namelist()
                if not name.endswith("/") and not _UNUSED.search(name)
            }
    except (zipfile.BadZipFile, zlib.error) as error:
        raise OrganizerError(f"{wheel}: is damaged; delete it and build again") from error


def cache() -> Path:
    """Return the folder in which downloaded wheels are kept."""
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(root) / "deadheat" / "wheels"


def fetched(image: Image, folder: Path) -> list[Path]:
    """Return the wheels that an image lacks; download missing ones into ``folder``.

    Raises
    ------
    OrganizerError
        pip cannot get one of them.
    """
    wheels = [_wheel(folder, item, image) for item in image.carried]
    missing = [item for item, wheel in zip(image.carried, wheels, strict=True) if wheel is None]
    if missing:
        _download(missing, image, folder)
    found = []
    for item in image.carried:
        wheel = _wheel(folder, item, image)
        if wheel is None:
            raise OrganizerError(
                f"{folder}: there is no wheel of {item} for Python {image.python}; delete the "
                "folder to download it again"
            )
        found.append(wheel)
    return found


def _wheel(folder: Path, requirement: str, image: Image) -> Path | None:
    name, version = requirement.split("==")
    tag = "cp" + image.python.replace(".", "")
    pattern = re.compile(
        rf"{re.escape(name)}-{re.escape(version)}-(py3|py2\.py3|{tag})-.*\.whl", re.IGNORECASE
    )
    matches = (path for path in sorted(folder.glob("*.whl")) if pattern.fullmatch(path.name))
    return next(matches, None)


def _download(requirements: list[str], image: Image, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--only-binary", ":all:", "--implementation", "cp", "--dest", str(folder)]
    command += ["--python-version", image.python, "--platform", image.platform, *requirements]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no message from pip"])[-1]
        raise OrganizerError(
            f"the packages that the image lacks cannot be downloaded ({reason}); "
            f"connect to the network, or put wheels of {', '.join(requirements)} into a folder and "
            "name it with --wheels"
        )
