"""Makes the zip to upload, because Codabench accepts a bare file but cannot score it."""

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
    """Put the checked files into a zip next to ``predictions``; return what to upload.

    If the predictions are a zip already, they are uploaded as they are.

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
            f"that you can write to, or zip {path.name} yourself: the platform scores only a zip"
        ) from error
    return f"Upload {NAME}, which is now next to {path.name}: the platform scores only a zip."


def earlier(predictions: Path) -> str:
    """Return a warning if a zip of an earlier check lies next to ``predictions``, else nothing."""
    target = Path(os.path.abspath(predictions)).with_name(NAME)
    if not target.is_file() or target.name == predictions.name:
        return ""
    return f"\n{NAME} next to it comes from an earlier check; do not upload it."


def zipped(found: Sequence[DataFile], limits: Limits) -> bytes:
    """Return the files as a zip that can be read within ``limits``.

    Repetitive predictions compress so well that their archive would look like a zip bomb; they are
    stored without compression.
    """
    content = _archive(found, zipfile.ZIP_DEFLATED)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            Tally(limits).add(len(found), archive.infolist())
    except LimitExceeded:
        return _archive(found, zipfile.ZIP_STORED)
    return content


def _archive(found: Sequence[DataFile], compression: int) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for file in found:
            archive.writestr(str(file.path), file.read())
    return stream.getvalue()
