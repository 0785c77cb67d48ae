"""From the bytes of submissions to entries: here if they are small, else in worker processes.

What a submission takes to read is its author's choice. A small one can take little. A larger one is
read in a process of its own, within limits that follow the test set, so that it changes no other
entry and ends no run. The usual file is an exception: what `quick` reads takes as much as the test
set, and less time than to send it to another process.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ..core.errors import SubmissionError
from ..core.notes import Note
from ..core.phrases import Phrase, joined
from ..reading import formats
from ..reading.files import DataFile
from ..reading.layout import Source
from ..reading.limits import LimitExceeded, Limits, check_size
from ..reading.worker_pool import CannotStart, WorkerPool
from . import entry
from .competition import Part
from .entry import Entry
from .expected import Expected
from .gold import Labels, digest
from .quick import QuickReader

#: Submissions with fewer bytes together are read in this process: it takes less time than to start
#: another one, and whatever they hold takes little memory.
_SMALL = 4 << 20


@dataclass(frozen=True, eq=False)
class Found:
    """What is found in one run: its entry in every part, None where it has none, and why.

    ``formats`` are what the formats of the files that were read are called. ``problems`` map parts
    to the reasons in words for the author.
    """

    entries: tuple[Entry | None, ...]
    formats: tuple[str | Note, ...]
    problems: Mapping[str, Phrase]

    @property
    def present(self) -> tuple[Entry, ...]:
        """The entries that there are."""
        return tuple(entry for entry in self.entries if entry is not None)

    @property
    def problem(self) -> Phrase:
        """The problems of all files together."""
        return joined(self.problems.values())


@dataclass(frozen=True, eq=False)
class EntryReader:
    """Reads one file as an entry of a part. Workers get a copy of it."""

    parts: tuple[tuple[Expected, Mapping[str, Labels]], ...]
    form: str  # the setting: a format's name or "auto"

    def __call__(self, part: int, content: bytes, file: str, name: str) -> tuple[Entry, str | Note]:
        """Return the entry called ``name`` and what the format is called; raise SubmissionError."""
        expected, labels = self.parts[part]
        table = formats.read_examples(content, file, expected.kind, self.form)
        return entry.align(table, name, expected, labels, digest(content)), table.label

    def reads_csv(self, file: str) -> bool:
        """Return whether the name of a file says that it is CSV, or the settings do."""
        by_name = file.lower().endswith(formats.FORMATS["csv"].extensions)
        return self.form == "csv" or (self.form == "auto" and by_name)


@dataclass(frozen=True)
class Run:
    """One run to be read. Messages do not name the files of one that is ``anonymous``."""

    source: Source
    anonymous: bool = False


def read_runs(
    runs: Sequence[Run], parts: Sequence[Part], form: str, limits: Limits, workers: int
) -> Iterator[Found]:
    """Yield what is found in every run, in their order, whatever the number of workers."""
    reader = EntryReader(tuple((part.expected, part.labels) for part in parts), form)
    read = partial(_read, parts=[part.name for part in parts])
    if sum(file.size for run in runs for file in run.source.files.values()) <= _SMALL:
        yield from (read(run, call=_InThisProcess(reader, limits)) for run in runs)
        return
    pool = WorkerPool(reader, min(workers, len(runs)), limits)
    call = _InWorkers(reader, limits, pool, [QuickReader.of(part.expected) for part in parts])
    yield from pool.each(partial(read, run, call=call) for run in runs)


def _read(run: Run, parts: Sequence[str], call: _InThisProcess) -> Found:
    """Return what is found in one run; ``parts`` are their names."""
    entries: list[Entry | None] = []
    forms: list[str | Note] = []
    problems: dict[str, Phrase] = {}
    for number, part in enumerate(parts):
        try:
            file = run.source.file(part)
            # The path inside the upload may hold the team's name.
            shown = f"predictions{file.path.suffix}" if run.anonymous else str(file.path)
            found, form = call(number, file, shown, run.source.entry)
        except SubmissionError as error:
            entries.append(None)
            # The text before the defect holds the owner's file names.
            problems[part] = error.defect if run.anonymous else error.reason
        else:
            entries.append(found)
            forms.append(form)
    return Found(tuple(entries), tuple(forms), problems)


@dataclass(frozen=True)
class _InThisProcess:
    """Reads a file of a part as an entry."""

    reader: EntryReader
    limits: Limits

    def __call__(
        self, part: int, file: DataFile, shown: str, name: str
    ) -> tuple[Entry, str | Note]:
        return self.reader(part, self._content(file, shown), shown, name)

    def _content(self, file: DataFile, shown: str) -> bytes:
        try:
            check_size(file.size, self.limits)
        except LimitExceeded as error:
            defect = Phrase("{limit}; send only the predictions", limit=error.limit)
            raise SubmissionError(defect, shown) from error
        return file.read()


@dataclass(frozen=True)
class _InWorkers(_InThisProcess):
    """Lets a worker read a file, unless it is a usual one or the system starts no process."""

    pool: WorkerPool
    quick: Sequence[QuickReader | None]  # of every part
    #: Archives are unpacked one at a time, because the last one stays open for its next member.
    unpacking: Any = field(default_factory=threading.Lock)

    def __call__(
        self, part: int, file: DataFile, shown: str, name: str
    ) -> tuple[Entry, str | Note]:
        with self.unpacking:
            content = self._content(file, shown)
        quick = self.quick[part] if self.reader.reads_csv(shown) else None
        if quick is not None and (found := quick.read(content, shown)) is not None:
            predictions, notes = found
            usual = Entry(name, {quick.target: predictions}, {}, digest(content), notes)
            return usual, formats.named("csv").label
        try:
            read: tuple[Entry, str | Note] = self.pool.call(part, content, shown, name)
        except CannotStart:
            return self.reader(part, content, shown, name)
        except LimitExceeded as error:
            raise SubmissionError(
                Phrase(
                    "{limit}, which follows the size of the test set; send one prediction per "
                    "example",
                    limit=error.limit,
                ),
                shown,
            ) from error
        return read
