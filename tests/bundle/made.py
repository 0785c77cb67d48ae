"""Bundles of the example, changed: what the tests of the bundle command share."""

from __future__ import annotations

import functools
import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from scoring_program.bundle.interpreter import THIS_PYTHON
from scoring_program.bundle.program import Image
from tests.competitions import REPOSITORY

#: An image that holds all packages: its lock file is empty. Its Python is this one, so that what is
#: packed holds bytecode that the tests' runs of it load.
NOTHING_CARRIED = Image(THIS_PYTHON, Path(__file__).with_name("nothing.txt"))
#: So many examples are kept: the tests need no more, and bundles of them are quick to build.
ROWS = 300
#: A seed as the bundle command draws it.
SEED = 0x8C4F_19D2_77AB_03E5_55D0_41B9_2A6E_F310
#: What reads and writes competition.yaml in the tests, in C where PyYAML has it.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
Change = Callable[[dict[str, Any]], object]


@functools.cache
def _example() -> dict[Path, bytes]:
    """Return the files of the example, with its first `ROWS` examples."""
    files = {}
    for path in filter(Path.is_file, (REPOSITORY / "example").rglob("*")):
        content = path.read_bytes()
        if path.suffix == ".csv":
            content = b"".join(content.splitlines(keepends=True)[: 1 + ROWS])
        files[path.relative_to(REPOSITORY)] = content
    return files


def copied(folder: Path) -> Path:
    """Copy the first `ROWS` examples of the example into a folder, with all that is beside them."""
    for name, content in _example().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


@functools.cache
def _described() -> str:
    """Return competition.yaml with organizers.yaml as a second phase, and with a seed."""
    one, other = (
        yaml.safe_load((REPOSITORY / name).read_text(encoding="utf-8"))
        for name in ("competition.yaml", "organizers.yaml")
    )
    one["tasks"][0]["deadheat"]["settings"]["seed"] = SEED
    one["tasks"].append({**other["tasks"][0], "index": 1})
    later = {"index": 1, "start": "+91 days", "tasks": [1]}
    one["phases"].append({**other["phases"][0], **later})
    return yaml.safe_dump(one, sort_keys=False, allow_unicode=True)


def example(folder: Path) -> Path:
    """Copy what competition.yaml names into a folder, with organizers.yaml as a second phase.

    The seed is set, so that nothing in its bundle is drawn at random.
    """
    copied(folder)
    (folder / "competition.yaml").write_text(_described(), encoding="utf-8")
    return folder


def edited(folder: Path, change: Change) -> Path:
    """Change the competition.yaml in a folder, and return its path."""
    path = folder / "competition.yaml"
    document = yaml.load(path.read_text(encoding="utf-8"), LOADER)  # noqa: S506 (a safe one)
    change(document)
    path.write_text(yaml.dump(document, Dumper=DUMPER, sort_keys=False), encoding="utf-8")
    return path


def members(content: bytes) -> dict[str, bytes]:
    """Return what lies in an archive: name → content."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def put(*keys: str | int, value: object) -> Change:
    """Return what sets one value of a document, or takes it out where it is None."""

    def change(document: dict[str, Any]) -> None:
        place: Any = document
        for key in keys[:-1]:
            place = place[key]
        if value is None:
            del place[keys[-1]]
        else:
            place[keys[-1]] = value

    return change
