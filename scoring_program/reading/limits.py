"""Every limit of reading: how much memory and time an upload may take."""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

#: The most levels of folders, and the most characters in a name inside an archive.
DEEPEST_FOLDER = 100
LONGEST_NAME = 255
#: The most cells of a table. While a table is read, each cell takes about a hundred bytes.
MOST_CELLS = 25_000_000
#: Smaller archives are treated as if they had this size in bytes: little data compresses well.
_SMALL = 2**16

#: The errors that zipfile raises for archives that are broken, encrypted or of an unknown kind.
UNREADABLE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, OSError, RuntimeError,
    NotImplementedError, EOFError, ValueError, LookupError, OverflowError, MemoryError,
)  # fmt: skip


@dataclass(frozen=True)
class Limits:
    """The limits that are settings, with their defaults. Sizes are in megabytes.

    They bound what one archive unpacks to, including the archives inside it.
    """

    largest_file: int = 256
    largest_upload: int = 4096
    most_files: int = 50_000
    most_ratio: int = 200
    most_nested: int = 3


DEFAULT = Limits()


class LimitExceeded(ValueError):
    """An upload exceeds a limit. The text names the limit, for the participant."""


@dataclass
class Tally:
    """Counts what one archive unpacks to, including the archives inside it."""

    limits: Limits
    files: int = 0
    size: int = 0

    def add(self, members: Sequence[zipfile.ZipInfo], depth: int = 1) -> None:
        """Count the files of an archive at nesting level ``depth``; raise `LimitExceeded`."""
        sizes = [member.file_size for member in members]
        packed = sum(member.compress_size for member in members)
        self.files += len(sizes)
        self.size += sum(sizes)
        limits = self.limits
        if depth > limits.most_nested:
            raise LimitExceeded(f"archives nested deeper than the limit of {limits.most_nested}")
        if self.files > limits.most_files:
            raise LimitExceeded(f"more than {limits.most_files} files")
        if self.size > limits.largest_upload * 10**6:
            raise LimitExceeded(f"unpacks to more than the limit of {limits.largest_upload} MB")
        if sum(sizes) > limits.most_ratio * max(packed, _SMALL):
            raise LimitExceeded(
                f"unpacks to more than the limit of {limits.most_ratio} times its size"
            )
        check_size(max(sizes, default=0), limits)


def check_size(size: int, limits: Limits = DEFAULT) -> None:
    """Raise `LimitExceeded` if a file of ``size`` bytes is too large."""
    if size > limits.largest_file * 10**6:
        raise LimitExceeded(
            f"{size / 10**6:.0f} MB, larger than the limit of {limits.largest_file} MB"
        )
