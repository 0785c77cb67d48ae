"""Packs the scoring program for a platform: this package, an entry point, and missing packages."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Collection
from pathlib import Path

from ..core.templates import templates_folder
from . import materials, wheels
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
    r"(audit/|bundle/|api/audit_result\.py$|(commands/)?compare\.py$|"
    r"commands/(audit|bundle|main|new)\.py$|templates/)"
)
#: Of the templates: the audit's page, which holds gold labels, and the competitions to start from.
_NOT_CARRIED = re.compile(r"/templates/(audit\.html\.j2$|new/)")
#: Parts of wheels that no program imports. What is left can be checked by the wheels' RECORD.
_UNUSED = re.compile(r"(^|/)(tests?|sandbox/tests)/|\.data/|\.(pyx|pxd|c|h)$")


def files(
    image: Image, folder: Path | None = None, extras: Collection[str] = ()
) -> dict[str, bytes]:
    """Return the program's files; ``folder`` holds the carried packages' wheels.

    ``extras`` names the extras of this package that the settings need.

    Raises
    ------
    OrganizerError
        A wheel is not the one that was tested, or it is missing and cannot be downloaded.
    """
    package = Path(__file__).parents[1]
    found = {
        f"scoring_program/{name}": content
        for name, content in tree(package).items()
        if not _ORGANIZER_ONLY.match(name)
    }
    templates = tree(templates_folder(), "scoring_program/templates")
    found |= {name: text for name, text in templates.items() if not _NOT_CARRIED.search(name)}
    found |= {"metadata": METADATA.encode(), "metadata.yaml": METADATA.encode()}
    found[ENTRY] = _ENTRY.encode()
    carried = wheels.fetched(image, folder or wheels.cache(), extras)
    found[materials.FILE_NAME] = materials.bill(carried)
    for _, content in carried:
        found |= _unpacked(content)
    return found


def _unpacked(wheel: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        return {
            f"{CARRIED}/{name}": archive.read(name)
            for name in archive.namelist()
            if not name.endswith("/") and not _UNUSED.search(name)
        }
