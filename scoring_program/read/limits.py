"""What an upload may ask of the machine that reads it; every limit of reading is here."""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
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


@dataclass
class Tally:
    """Counts what one archive unfolds to, the archives inside it included."""

    limits: Limits
    files: int = 0
    size: int = 0

    def excess(self, sizes: list[int], packed: int, depth: int = 1) -> str:
        """Add the files of one archive; return which limit is exceeded now, or nothing."""
        self.files += len(sizes)
        self.size += sum(sizes)
        limits = self.limits
        if depth > limits.most_nested:
            return f"archives inside archives, more than {limits.most_nested} deep"
        if self.files > limits.most_files:
            return f"more than {limits.most_files} files"
        if self.size > limits.largest_upload * 10**6:
            return f"unfolds to more than the limit of {limits.largest_upload} MB"
        if sum(sizes) > limits.most_ratio * max(packed, _SMALL):
            return f"unfolds to more than the limit of {limits.most_ratio} times its size"
        return too_large(max(sizes, default=0), limits)


def too_large(size: int, limits: Limits = DEFAULT) -> str:
    """Return what is wrong with a file of so many bytes, or nothing."""
    if size > limits.largest_file * 10**6:
        return f"{size / 10**6:.0f} MB, larger than the limit of {limits.largest_file} MB"
    return ""
