"""The data files below a folder, archives looked through as if they were folders.

Nothing is ever unpacked to disk: a member of an archive is read into memory when it is needed.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from scoring_program.errors import SubmissionError

#: Extensions of files that may hold gold labels or predictions.
DATA_EXTENSIONS = frozenset({".csv", ".tsv", ".txt"})

#: What operating systems, platforms and programmers leave beside the data.
_IGNORED = re.compile(
    r"""(^|/)(
        \.[^/]* | __MACOSX | __pycache__ | Thumbs\.db | desktop\.ini
        | metadata | metadata\.yaml | failed\.txt | README[^/]* | [^/]*\.pyc?
    )(/|$)""",
    re.VERBOSE | re.IGNORECASE,
)

#: An archive may unfold to this many members and bytes, and by this factor.
MOST_MEMBERS = 10_000
MOST_BYTES = 4 * 2**30
MOST_RATIO = 200


@dataclass(frozen=True)
class DataFile:
    """One file of an upload: its path inside the upload, with "/", and how to get its bytes."""

    path: PurePosixPath
    read: Callable[[], bytes]

    @property
    def is_data(self) -> bool:
        """Whether the extension is one that may hold predictions."""
        return self.path.suffix.lower() in DATA_EXTENSIONS


def walk(folder: Path) -> Iterator[DataFile]:
    """Yield every file below ``folder`` in sorted order, ignored names left out, archives opened.

    A broken archive or an empty folder is yielded as one file whose ``read`` raises
    `SubmissionError`, so that it counts as its team's submission.
    """
    for path in sorted(folder.iterdir()):
        name = PurePosixPath(path.name)
        if _IGNORED.search(path.name) or path.is_symlink():
            continue
        if path.is_dir():
            below = list(walk(path))
            if not below:
                yield _unusable(name, f"{name}: the folder is empty; add the predictions file")
            for file in below:
                yield DataFile(name / file.path, file.read)
        elif path.suffix.lower() == ".zip":
            yield from _members(path, name)
        elif path.is_file():
            yield DataFile(name, path.read_bytes)


def _members(path: Path, name: PurePosixPath) -> Iterator[DataFile]:
    """Yield the files inside an archive below its name without ".zip"."""
    inside = name.with_suffix("")
    try:
        with zipfile.ZipFile(path) as archive:
            members = [item for item in archive.infolist() if not item.is_dir()]
    except (zipfile.BadZipFile, OSError, NotImplementedError, ValueError) as error:
        yield _unusable(name, f"{name}: not a readable zip archive ({error}); pack it again")
        return
    members = [item for item in members if not _IGNORED.search(item.filename)]
    size = sum(item.file_size for item in members)
    packed = sum(item.compress_size for item in members)
    if len(members) > MOST_MEMBERS or size > MOST_BYTES or size > MOST_RATIO * max(packed, 2**16):
        yield _unusable(
            name,
            f"{name}: unfolds to {len(members)} files and {size} bytes, more than the limit; "
            "send only the predictions file",
        )
        return
    if not members:
        yield _unusable(name, f"{name}: the archive is empty; add the predictions file")
    for item in sorted(members, key=lambda item: item.filename):
        member = inside / PurePosixPath(item.filename.replace("\\", "/"))
        yield DataFile(member, _Member(path, item.filename, str(name)))


@dataclass(frozen=True)
class _Member:
    """Reads one member of an archive when called."""

    archive: Path
    member: str
    shown: str

    def __call__(self) -> bytes:
        try:
            with zipfile.ZipFile(self.archive) as archive:
                return archive.read(self.member)
        except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, EOFError) as error:
            raise SubmissionError(
                f"{self.shown}: {self.member} cannot be unpacked ({error}); "
                "pack it again without a password"
            ) from error


def _unusable(path: PurePosixPath, message: str) -> DataFile:
    def read() -> bytes:
        raise SubmissionError(message)

    # The suffix makes it count as a data file, so that its owner is told instead of forgotten.
    return DataFile(path.with_suffix(".csv"), read)
