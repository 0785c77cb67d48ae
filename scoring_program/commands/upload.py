"""The zip that a participant uploads: Codabench takes a bare file too, and then cannot run it."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Sequence
from pathlib import Path

from ..core import atomic
from ..core.errors import OrganizerError
from ..reading.files import DataFile
from ..reading.limits import LimitExceeded, Limits, Tally

NAME = "submission.zip"


def prepare(predictions: Path, found: Sequence[DataFile], limits: Limits) -> str:
    """Put the files that were checked into a zip beside ``predictions``; return what to upload.

    Predictions that are a zip already are uploaded as they are.

    Raises
    ------
    OrganizerError
        The zip cannot be written.
    """
    path = Path(os.path.abspath(predictions))  # "." has a name too
    if path.suffix.lower() == ".zip" and path.is_file():
        return f"Upload {path.name} as it is."
    target = path.with_name(NAME)
    try:
        atomic.write(target, zipped(found, limits))
    except OSError as error:
        raise OrganizerError(
            f"{target}: cannot be written ({error.strerror}); check the predictions in a folder "
            f"where you may write, or zip {path.name} yourself: the platform takes a zip only"
        ) from error
    return f"Upload {NAME}, which lies beside {path.name} now: the platform takes a zip only."


def zipped(found: Sequence[DataFile], limits: Limits) -> bytes:
    """Return the files as a zip that may be read within ``limits``.

    Predictions that repeat themselves shrink so far that an archive of them looks like a bomb: they
    are stored as they are.
    """
    content = _archive(found, zipfile.ZIP_DEFLATED)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            Tally(limits).add(archive.infolist())
    except LimitExceeded:
        return _archive(found, zipfile.ZIP_STORED)
    return content


def _archive(found: Sequence[DataFile], compression: int) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for file in found:
            archive.writestr(str(file.path), file.read())
    return stream.getvalue()
