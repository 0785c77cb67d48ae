"""The data files below a folder, archives looked through as if they were folders.

Nothing is ever unpacked to disk: a member of an archive is read into memory when it is needed.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from scoring_program.errors import SubmissionError
from scoring_program.read import limits
from scoring_program.read.formats import EXTENSIONS

#: What operating systems, platforms and programmers leave beside the data.
_IGNORED = re.compile(
    r"""(^|/)(
        \.[^/]* | __MACOSX | __pycache__ | Thumbs\.db | desktop\.ini
        | metadata | metadata\.yaml | failed\.txt | README[^/]* | [^/]*\.pyc?
    )(/|$)""",
    re.VERBOSE | re.IGNORECASE,
)
_UNREADABLE = (
    zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, EOFError, ValueError,
)  # fmt: skip


@dataclass(frozen=True)
class DataFile:
    """One file of an upload: its path inside the upload, with "/", and how to get its bytes.

    A broken archive or an empty folder is ``broken``: its ``read`` raises `SubmissionError`, so
    that its owner is told instead of forgotten.
    """

    path: PurePosixPath
    read: Callable[[], bytes]
    broken: bool = False

    @property
    def is_data(self) -> bool:
        """Whether the file may hold predictions, or stands for predictions that cannot be read."""
        return self.broken or self.path.suffix.lower() in EXTENSIONS

    @property
    def stems(self) -> tuple[str, ...]:
        """The path's parts, the last one without the extension of a data file."""
        if self.path.suffix.lower() not in EXTENSIONS:
            return self.path.parts
        return (*self.path.parts[:-1], self.path.stem)


def broken(path: PurePosixPath, message: str) -> DataFile:
    """Return a file that cannot be read, for the reason that ``message`` gives."""

    def read() -> bytes:
        raise SubmissionError(message)

    return DataFile(path, read, broken=True)


def walk(folder: Path) -> Iterator[DataFile]:
    """Yield every file below ``folder``, sorted, ignored names left out, archives opened."""
    for path in sorted(folder.iterdir()):
        name = PurePosixPath(path.name)
        if _IGNORED.search(path.name) or path.is_symlink():
            continue
        if path.is_dir():
            below = list(walk(path))
            if not below:
                yield broken(name, f"{name}: the folder is empty; add the predictions file")
            for file in below:
                yield DataFile(name / file.path, file.read, file.broken)
        elif path.is_file():
            yield from alone(path)


def alone(path: Path) -> Iterator[DataFile]:
    """Yield what one file holds: itself or, if it is an archive, what lies in it."""
    file = DataFile(PurePosixPath(path.name), path.read_bytes)
    return _opened(file, lambda: path.open("rb"))


def _opened(file: DataFile, stream: Callable[[], IO[bytes]], depth: int = 1) -> Iterator[DataFile]:
    """Yield a file or, if it is an archive, the files inside it below its name without ".zip"."""
    name = file.path
    if name.suffix.lower() != ".zip":
        yield file
        return
    inside = name.with_suffix("")
    try:
        with stream() as opened, zipfile.ZipFile(opened) as archive:
            members = [item for item in archive.infolist() if not item.is_dir()]
    except _UNREADABLE as error:
        yield broken(inside, f"{name}: not a readable zip archive ({error}); pack it again")
        return
    members = [item for item in members if not _IGNORED.search(item.filename)]
    if excess := _excess(members, depth):
        yield broken(inside, f"{name}: {excess}; send only the predictions file")
        return
    if not members:
        yield broken(inside, f"{name}: the archive is empty; add the predictions file")
    for item in sorted(members, key=lambda item: item.filename):
        member = _Member(stream, item.filename, str(name))
        path = inside / PurePosixPath(item.filename.replace("\\", "/"))
        yield from _opened(DataFile(path, member), member.stream, depth + 1)


def _excess(members: list[zipfile.ZipInfo], depth: int) -> str:
    """Return which limit an archive exceeds, or nothing."""
    size = sum(item.file_size for item in members)
    packed = sum(item.compress_size for item in members)
    if depth > limits.MOST_DEPTH:
        return f"archives inside archives, more than {limits.MOST_DEPTH} deep"
    if (
        len(members) > limits.MOST_MEMBERS
        or size > limits.MOST_BYTES
        or size > limits.MOST_RATIO * max(packed, 2**16)
    ):
        return f"unfolds to {len(members)} files and {size} bytes, more than the limit"
    return ""


@dataclass(frozen=True)
class _Member:
    """Reads one member of an archive when called."""

    archive: Callable[[], IO[bytes]]
    member: str
    shown: str

    def __call__(self) -> bytes:
        try:
            with self.archive() as opened, zipfile.ZipFile(opened) as archive:
                return archive.read(self.member)
        except _UNREADABLE as error:
            raise SubmissionError(
                f"{self.shown}: {self.member} cannot be unpacked ({error}); "
                "pack it again without a password"
            ) from error

    def stream(self) -> IO[bytes]:
        """Return the member's content as a file, for an archive inside an archive."""
        return io.BytesIO(self())
