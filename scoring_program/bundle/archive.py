"""Zip archives that depend only on their content: the same input gives the same bytes."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

from ..core.errors import OrganizerError

#: The earliest time that a zip archive can hold.
_EPOCH = (1980, 1, 1, 0, 0, 0)
_FILE = 0o100644 << 16
_LEFT_OUT = re.compile(r"(^|/)(\.[^/]*|__pycache__|__MACOSX|Thumbs\.db|[^/]*\.pyc)(/|$)")


def pack(members: Mapping[str, bytes]) -> bytes:
    """Return a zip archive of ``members`` (path → content), in the order of their paths."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in sorted(members):
            info = zipfile.ZipInfo(name, _EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = _FILE
            info.create_system = 3  # Unix, whatever this machine runs
            archive.writestr(info, members[name], compresslevel=9)
    return stream.getvalue()


def tree(path: Path, prefix: str = "") -> dict[str, bytes]:
    """Return a file, or the files below a folder, under ``prefix``; skip hidden files.

    Raises
    ------
    OrganizerError
        A file has a name that an archive cannot hold.
    """
    if path.is_file():
        return {prefix or path.name: path.read_bytes()}
    contents = {}
    for file in sorted(path.rglob("*")):
        inside = file.relative_to(path).as_posix()
        if inside != inside.encode(errors="replace").decode():
            raise OrganizerError(f"{path}: the name of {inside!r} is not UTF-8 text; rename it")
        if file.is_file() and not _LEFT_OUT.search(inside):
            contents[f"{prefix}/{inside}" if prefix else inside] = file.read_bytes()
    return contents
