"""Every limit of reading: how much memory and time an upload may take.

What cannot be predictions for the test set is refused before it takes memory: sizes follow the
number of examples. docs/reference/input.md tells participants the same.
"""

from __future__ import annotations

import lzma
import math
import struct
import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO
from zipfile import ZipInfo

from ..core.bounds import Allowance, Cause
from ..core.errors import SubmissionError
from ..core.phrases import Phrase, Value

#: The most levels of folders, and the most characters in a name inside an archive.
DEEPEST_FOLDER = 100
LONGEST_NAME = 255
#: The most cells of a table. While a table is read, each cell takes about a hundred bytes.
MOST_CELLS = 25_000_000
#: The most runs in one upload. Each takes the time of an upload, and a row on the page.
MOST_RUNS = 200
#: How a file begins in an archive's listing.
_LISTED = b"PK\x01\x02"
#: Smaller archives are treated as if they had this size in bytes: little data compresses well.
_SMALL = 2**16

#: The errors that zipfile raises for archives that are broken, encrypted or of an unknown kind.
UNREADABLE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, OSError, RuntimeError,
    NotImplementedError, EOFError, ValueError, LookupError, OverflowError, MemoryError,
)  # fmt: skip


#: Bytes of a file of predictions, generously: for each example a long text and, in JSON, a number
#: for each class; and a part for what few examples may need, such as many samples of each.
_PER_EXAMPLE = 1 << 16
_PER_CLASS = 1 << 6
_AT_LEAST = 4 << 20
#: Bytes of a row of Parquet parts that is read and joined, and of a code of it that is kept; and
#: rows that are surely read in a second.
_PER_ROW = 128
_PER_CODE = 16
_ROWS_A_SECOND = 100_000
#: How many files of that size an upload may hold, as runs or tasks.
_FILES_OF_THAT_SIZE = 10


@dataclass(frozen=True)
class Limits:
    """The limits that are settings, with their defaults. Sizes are in megabytes.

    They bound one upload: a file, or an archive with the archives inside it. Of a platform's bulk
    download, they bound each archive in it.
    """

    largest_file: int = 256
    largest_upload: int = 4096
    most_files: int = 10_000
    most_ratio: int = 200
    most_nested: int = 3

    @classmethod
    def of_test_set(cls, examples: int | None, classes: int = 0, file: int | None = None) -> Limits:
        """Return the limits of uploads for so many examples and, at most, so many classes.

        The number of examples may be unknown. ``file`` is the largest size of a file, if the
        settings give it.
        """
        if file is None:
            of_example = _PER_EXAMPLE + _PER_CLASS * classes
            needed = math.inf if examples is None else examples * of_example
            file = math.ceil(min(cls.largest_file, (_AT_LEAST + needed) / 10**6))
        return cls(file, min(cls.largest_upload, _FILES_OF_THAT_SIZE * file))

    def most_unpacked(self, size: int) -> int:
        """Return the bytes that a file of predictions of ``size`` bytes may unpack to."""
        return min(self.largest_file * 10**6, self.most_ratio * max(size, _SMALL))

    @property
    def memory(self) -> int:
        """The bytes of memory that reading one file of predictions may take."""
        return (128 + 16 * self.largest_file) * 10**6

    @property
    def seconds(self) -> int:
        """The processor time that reading one file of predictions may take."""
        return 5 + self.largest_file


DEFAULT = Limits()


@dataclass(frozen=True)
class PartAllowance:
    """What reading the Parquet parts of one submission or several may take: bytes and seconds."""

    memory: int
    seconds: int

    @classmethod
    def of_test_set(
        cls, limits: Limits, examples: int, submissions: int = 1, beside: int = 0
    ) -> PartAllowance:
        """Return what follows from the examples, all of which a submission may hold in any order.

        ``beside`` so many examples of one part, the ``submissions`` are read one after another. One
        of them may take the time that a file may take; the others take what their rows need.
        """
        memory = limits.memory + _PER_ROW * examples + _PER_CODE * submissions * beside
        seconds = limits.seconds + submissions * (1 + examples // _ROWS_A_SECOND)
        return cls(memory, seconds)


#: How many times as much as the largest example of the gold a prediction may hold: usually, and
#: where a metric takes far more time than the square of it.
_TIMES_THE_GOLD = 16
_TIMES_IF_COSTLY = 4
#: The share of the least bound that remains there.
_LEAST_IF_COSTLY = 1 / 32


def most_of(largest: int, least: int, *, costly: bool = False) -> int:
    """Return how much one prediction may hold if the gold's largest example holds so much.

    A metric may take the square of that in time, and a ``costly`` one more. The bound is a power of
    two from ``least`` on, so that it says little about the gold.
    """
    times = _TIMES_IF_COSTLY if costly else _TIMES_THE_GOLD
    least = int(least * _LEAST_IF_COSTLY) if costly else least
    return max(least, 1 << max(0, times * largest - 1).bit_length())


class LimitExceeded(ValueError):
    """An upload exceeds a limit. ``limit`` names it, for the participant."""

    def __init__(self, sentence: str, **values: Value) -> None:
        self.limit = Phrase(sentence, context="", **values)
        super().__init__(self.limit)


@dataclass
class Tally:
    """Counts what one upload unpacks to: an archive, including the archives inside it."""

    limits: Limits
    files: int = 0
    size: int = 0

    def add(
        self, listed: int, members: Sequence[ZipInfo], depth: int = 1, *, several: bool = False
    ) -> None:
        """Count an archive at nesting level ``depth``; raise `LimitExceeded`.

        It lists so many files, of which only ``members`` may be read. If it holds ``several``
        uploads, their sizes are not this one's.
        """
        limits = self.limits
        if depth > limits.most_nested:
            raise LimitExceeded(
                "archives nested deeper than the limit of {most}", most=limits.most_nested
            )
        self.files += listed
        if self.files > limits.most_files:
            raise LimitExceeded("more than {most} files", most=limits.most_files)
        if several:
            return
        size = sum(member.file_size for member in members)
        packed = sum(member.compress_size for member in members)
        self.size += size
        if self.size > limits.largest_upload * 10**6:
            raise LimitExceeded(
                "unpacks to more than the limit of {most} MB", most=limits.largest_upload
            )
        if size > limits.most_ratio * max(packed, _SMALL):
            raise LimitExceeded(
                "unpacks to more than the limit of {most} times its size", most=limits.most_ratio
            )


def check_size(size: int, limits: Limits = DEFAULT) -> None:
    """Raise `LimitExceeded` if a file of ``size`` bytes is too large."""
    _refuse_above(limits.largest_file, size)


def check_sizes(size: int, limits: Limits = DEFAULT) -> None:
    """Raise `LimitExceeded` if the files of an upload are too large together, ``size`` bytes."""
    _refuse_above(limits.largest_upload, size)


def _refuse_above(most: int, size: int) -> None:
    """Raise `LimitExceeded` if ``size`` bytes are more than ``most`` MB."""
    if size > most * 10**6:
        raise LimitExceeded(
            "{size} MB, larger than the limit of {most} MB",
            size=f"{size / 10**6:.0f}",
            most=most,
        )


def no_answer(cause: Cause, allowance: Allowance, file: str) -> SubmissionError:
    """Return the error of a file for which the process that read it gave no answer."""
    memory = allowance.memory // 10**6
    seconds = allowance.seconds
    limit = {
        Cause.MEMORY: Phrase("takes more memory to read than the limit of {most} MB", most=memory),
        Cause.TIME: Phrase("takes longer to read than the limit of {most} seconds", most=seconds),
        Cause.DEATH: Phrase("ends the process that reads it"),
    }[cause]
    return SubmissionError(
        "{limit}, which follows the size of the test set; send one prediction per example",
        file,
        limit=limit,
    )


class BoundedListing:
    """An archive's bytes, of which zipfile reads no listing with more files than the limit.

    zipfile reads the whole listing at once and turns it into objects before anybody can count them.
    """

    def __init__(self, source: Callable[[], BinaryIO], limits: Limits) -> None:
        # Opened here, so that where both are discarded together this object is, and closes, first.
        self._stream = source()
        self._most: int | None = limits.most_files

    def read(self, size: int = -1) -> bytes:
        """Read; raise `LimitExceeded` if the bytes list too many files."""
        content = self._stream.read(size)
        if self._most is not None and content.count(_LISTED) > self._most:
            raise LimitExceeded("more than {most} files", most=self._most)
        return content

    def listed(self) -> None:
        """Stop counting: what is read from now on are the files."""
        self._most = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_stream"], name)

    def __del__(self) -> None:
        if "_stream" in self.__dict__:
            self._stream.close()  # zipfile closes only what it has opened itself
