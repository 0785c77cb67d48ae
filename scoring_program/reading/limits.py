"""What an upload may ask of the machine that reads it; every limit of reading is here."""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

#: Folders inside folders, and characters of a name inside an archive.
DEEPEST_FOLDER = 100
LONGEST_NAME = 255
#: Cells of one table; each takes about a hundred bytes while it is read.
MOST_CELLS = 25_000_000
#: Packed bytes from which an archive's ratio counts: small ones may unfold to this times the ratio.
_SMALL = 2**16

#: What zipfile raises for archives that are broken, encrypted or of an unknown kind.
UNREADABLE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, OSError, RuntimeError,
    NotImplementedError, EOFError, ValueError, LookupError, OverflowError, MemoryError,
)  # fmt: skip


@dataclass(frozen=True)
class Limits:
    """The limits that are settings, with their defaults; sizes are in megabytes.

    One archive, the archives inside it included, may unfold to so many files and megabytes.
    """

    largest_file: int = 256
    largest_upload: int = 4096
    most_files: int = 50_000
    most_ratio: int = 200
    most_nested: int = 3


DEFAULT = Limits()


class Exceeded(ValueError):
    """More than a limit allows; the text says which, for its sender."""


@dataclass
class Tally:
    """Counts what one archive unfolds to, the archives inside it included."""

    limits: Limits
    files: int = 0
    size: int = 0

    def add(self, members: Sequence[zipfile.ZipInfo], depth: int = 1) -> None:
        """Count the files of one archive, which lies ``depth`` deep; raise `Exceeded`."""
        sizes = [member.file_size for member in members]
        packed = sum(member.compress_size for member in members)
        self.files += len(sizes)
        self.size += sum(sizes)
        limits = self.limits
        if depth > limits.most_nested:
            raise Exceeded(f"archives inside archives, more than {limits.most_nested} deep")
        if self.files > limits.most_files:
            raise Exceeded(f"more than {limits.most_files} files")
        if self.size > limits.largest_upload * 10**6:
            raise Exceeded(f"unfolds to more than the limit of {limits.largest_upload} MB")
        if sum(sizes) > limits.most_ratio * max(packed, _SMALL):
            raise Exceeded(f"unfolds to more than the limit of {limits.most_ratio} times its size")
        check_size(max(sizes, default=0), limits)


def check_size(size: int, limits: Limits = DEFAULT) -> None:
    """Raise `Exceeded` if a file of so many bytes is too large to be read."""
    if size > limits.largest_file * 10**6:
        raise Exceeded(f"{size / 10**6:.0f} MB, larger than the limit of {limits.largest_file} MB")
