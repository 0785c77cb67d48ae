"""Writes a run's outputs: all of them, or none.

Everything is written to a hidden folder inside OUTPUT first (so that renaming never crosses a file
system) and renamed at the end, the score files last: what reads scores finds a page beside them.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from scoring_program.errors import OrganizerError

#: The files that platforms read; they appear after everything else.
_LAST = ("scores.json", "scores.txt")


def write(output: Path, files: Mapping[str, str]) -> None:
    """Put ``files`` (path below ``output`` → text) in place of an earlier run's.

    Folders named in ``files`` are replaced whole, so that nothing of an earlier run stays in them.

    Raises
    ------
    OrganizerError
        ``output`` cannot be written; nothing new is left behind.
    """
    created = not output.exists()
    try:
        output.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=".photofinish-", dir=output))
        try:
            _stage(staging, files)
            _exchange(staging, output, files)
        finally:
            shutil.rmtree(staging, ignore_errors=True)
    except OSError as error:
        if created:
            shutil.rmtree(output, ignore_errors=True)
        raise OrganizerError(
            f"{output}: the results cannot be written ({error.strerror}); "
            "check the folder's permissions and the free space"
        ) from error


def _stage(staging: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = staging / "new" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())


def _exchange(staging: Path, output: Path, files: Mapping[str, str]) -> None:
    """Rename what is staged into ``output``; an old folder moves out of the way first."""
    (staging / "old").mkdir()
    tops = dict.fromkeys(name.split("/", 1)[0] for name in files)
    for top in sorted(tops, key=lambda top: _LAST.index(top) if top in _LAST else -1):
        if (output / top).is_dir():
            (output / top).rename(staging / "old" / top)
        (staging / "new" / top).replace(output / top)
