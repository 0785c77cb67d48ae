"""Looks for the gold, the field and the rehearsals in what a platform shows to participants.

Codabench shows everything except the reference data and the programs: pages, starting kits and
public data to participants, and solutions to whoever has the link.
"""

from __future__ import annotations

import io
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from ..core.errors import SubmissionError
from ..reading import files
from ..reading.files import DataFile
from ..reading.reference import find_reference
from ..settings import loading
from . import kit
from .description import Description
from .rehearsal import unpack
from .shape import DEADHEAT_KEY

#: Members that are meant for the container of a scoring run only.
_HIDDEN = ("reference_data", "scoring_program")
_GOLD = "gold"
#: What audit.html and audit.json say of themselves.
_AUDITS = (b'<meta name="contains-gold" content="true">', b'"contains_gold": true')
#: A file with fewer lines must match as a whole, because single rows also occur in examples.
_FEW = 10
#: How programs that save a table again change it: delimiters become commas, and what may stand
#: around a value is left out.
_COMMAS = bytes.maketrans(b";\t|", b",,,")
_UNTOLD = b"\"' "


def problems(
    competition: Description, document: Mapping[str, Any], members: Mapping[str, bytes]
) -> Iterator[str]:
    """Say which members of a bundle show secrets to participants.

    ``document`` is the competition.yaml that names the members. A secret file is recognized by its
    lines, in any order and among other lines; quotes and delimiters make no difference. With equal
    lines in it, it must match exactly.
    """
    hidden = {task[key] for task in document["tasks"] for key in _HIDDEN}
    for member, content in members.items():
        for name, found in _unfolded(member, content):
            if any(mark in found for mark in _AUDITS):
                yield f"{name}: it is the organizer's audit, which no bundle holds; leave it out"
    shown = [
        (name, _Shown(_lines(content)))
        for member in sorted(members.keys() - hidden)
        for name, content in _unfolded(member, members[member])
    ]
    yield from _of_all_teams(competition)
    told = set()
    reference = {task["index"]: members[task["reference_data"]] for task in document["tasks"]}
    for secret in _secrets(competition):
        holding = [name for name, file in shown if name not in told and file.holds(secret.content)]
        if holding and secret.kind == _GOLD and _only_ids(secret.content, reference[secret.task]):
            continue
        for name in holding:
            told.add(name)
            yield f"{name}: participants can read it, and it holds {secret}; leave it out"


def _of_all_teams(competition: Description) -> Iterator[str]:
    for i, solution in enumerate(competition.document["solutions"]):
        for task in competition.tasks(solution):
            if competition.layout(task) != "single":
                yield (
                    f"solutions[{i}]: participants can read it, and task {task['index']} scores "
                    "the submissions of all teams; name the folder under "
                    f"'{DEADHEAT_KEY}: rehearsal' of the task, which is not packed"
                )


@dataclass(frozen=True)
class _Secret:
    """A file that participants must not see."""

    path: str
    kind: str
    task: int
    content: bytes

    def __str__(self) -> str:
        return f"{self.path} ({self.kind} of task {self.task})"


def _only_ids(gold: bytes, reference: bytes) -> bool:
    """Return whether a gold holds the ids of the examples and nothing else, as of resolved lists.

    Participants know the ids. ``reference`` is the packed reference data.
    """
    with tempfile.TemporaryDirectory(prefix="deadheat-") as folder:
        unpack(reference, Path(folder) / "ref")
        tasks = kit.rules_of(Path(folder) / "ref").tasks.values()
    names = {name for task in tasks for name in (task.id_column, *(task.ids or ()), *task.ignored)}
    known = {line for name in names for line in _lines(name.encode())}
    return known.issuperset(filter(None, (line.strip(b"[,]") for line in _lines(gold))))


def _secrets(competition: Description) -> Iterator[_Secret]:
    for task in competition.document["tasks"]:
        reference = find_reference(competition.path(task["reference_data"]), loading.FILE_NAME)
        own = competition.own(task)
        kinds = {
            _GOLD: list(reference.gold.values()),
            "field": [*(reference.field or ()), *_below(competition, own.get("field"))],
            "rehearsal": _below(competition, own.get("rehearsal")),
        }
        for kind, found in kinds.items():
            for file in found:
                if file.is_data and (content := _content(file)):
                    yield _Secret(str(file.path), kind, task["index"], content)


def _below(competition: Description, name: str | None) -> list[DataFile]:
    if not name:
        return []
    path = competition.path(name)
    return list(files.walk(path) if path.is_dir() else files.walk_file(path))


def _content(file: DataFile) -> bytes:
    """Return a file's bytes; none if it cannot be read, which a rehearsal reports."""
    try:
        return file.read()
    except SubmissionError:
        return b""


def _unfolded(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield a file and, if it is an archive, its members, nested archives included."""
    yield name, content
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for inside in archive.namelist():
                yield from _unfolded(str(PurePosixPath(name, inside)), archive.read(inside))
    except (zipfile.BadZipFile, zlib.error, RuntimeError):
        return  # not an archive, or an encrypted one: compared as it is


def _lines(content: bytes) -> Iterator[bytes]:
    """Yield the lines that say something, as if all tables were written in one way."""
    plain = (line.strip().translate(_COMMAS, _UNTOLD) for line in io.BytesIO(content))
    return (line for line in plain if line)


class _Shown:
    """A file that participants can read, as its lines."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = list(lines)
        self._distinct = frozenset(self._lines)

    def holds(self, secret: bytes) -> bool:
        """Return whether this file holds a secret file."""
        if not all(line in self._distinct for line in _lines(secret)):  # stops at the first
            return False
        lines = list(_lines(secret))
        if len(set(lines)) < len(lines):  # labels by position, where the order matters
            return lines == self._lines
        return len(lines) >= _FEW or len(lines) == len(self._distinct) > 0
