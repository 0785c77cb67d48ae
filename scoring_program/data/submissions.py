"""From the files of an upload to entries that are aligned with the gold, or to error messages.

What a submission takes to read is its author's choice. A small one can take little. A larger one is
read in a process of its own, within limits that follow the test set, so that it changes no other
entry and ends no run. The usual file is an exception: what `quick` reads takes as much as the test
set, and less time than to send it to another process.
"""

from __future__ import annotations

import contextlib
import tempfile
import threading
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from ..core.cells import grouped
from ..core.errors import (
    DeadheatError,
    LeftOut,
    ReferenceDataError,
    SettingsError,
    SubmissionError,
    internal_of_upload,
    listed,
)
from ..core.phrases import Phrase, joined
from ..core.processes.bounds import ENDLESS, OutOfTime, TimeLimit
from ..core.processes.pool import CannotStart, Pool
from ..core.processes.worker import Cause, NoAnswer
from ..metrics.organizer import FileFunction, silenced
from ..reading import formats
from ..reading.files import DataFile
from ..reading.formats import record
from ..reading.formats.raw import GZIP_EXTENSION, FileDescription
from ..reading.layout import LACKS_TASK, Source, Upload
from ..reading.limits import LimitExceeded, Limits, check_size
from ..reading.names import are_in_time
from ..settings.model import Settings
from . import entry
from .competition import BY_ENTRY, MISSING, Competition, Part, Unscored
from .entry import Entry, Labels
from .gold import digest
from .joining.expected import Expected

if TYPE_CHECKING:
    from .quick import QuickReader

#: What messages call submissions whose names are secret.
_ANOTHER, _A_SUBMISSION = "another submission", "a submission"


@dataclass
class SubmissionReader:
    """Reads submissions, and collects notes on how it read them."""

    settings: Settings
    limits: Limits
    time_limit: TimeLimit = ENDLESS
    format_counts: Counter[str | Phrase] = field(default_factory=Counter)
    #: Of each file: its entry, "" if that is anonymous, notes and the missing predictions.
    noted: list[tuple[str, tuple[Phrase, ...], int]] = field(default_factory=list)

    def read(self, runs: Sequence[Run], parts: Sequence[Part]) -> Generator[Found, None, None]:
        """Yield what is found in every run: its entry in every part, or why it has none there.

        They come in the order of the runs, whatever the number of workers. Raises SettingsError
        when the time is over.
        """
        described, own = self.settings.described(), parts[0].reader
        expected = tuple((part.expected, part.labels) for part in parts)
        with tempfile.TemporaryDirectory() if own else contextlib.nullcontext() as folder:
            reader = EntryReader(expected, described, own, folder, self.limits)
            for found in _read_all(runs, parts, reader, self.settings.workers, self.time_limit):
                self.format_counts.update(found.formats)
                yield found

    def take_notes(self, found: Found, name: str) -> None:
        """Collect the notes of a run, whose ``name`` is empty if it is anonymous."""
        self.noted += [(name, item.notes, item.missing) for item in found.present]

    def notes(self) -> tuple[Phrase, ...]:
        """Return notes on how files were read, for the log and the page."""
        if not self.format_counts:
            return ()
        met = tuple(
            Phrase("{files:n} {format}", files=files, format=form)
            for form, files in self.format_counts.most_common()
        )
        entries = grouped((note, name) for name, notes, _ in self.noted for note in notes)
        of_all = (self._of_files(note, names) for note, names in entries.items())
        return (Phrase("Format: {formats}.", formats=met), *of_all, *self._missing())

    def _of_files(self, note: Phrase, names: Sequence[str]) -> Phrase:
        """Return a note with the entry whose file it is about, or with the number of files."""
        files = len(self.noted)
        if files == 1:
            return note
        if len(names) == 1 and names[0]:
            return Phrase("{entry}: {note}", note=note, entry=names[0])
        return Phrase(
            "{note} ({found:n} of {files:n} files)", note=note, found=len(names), files=files
        )

    def _missing(self) -> tuple[Phrase, ...]:
        """Return a note on missing predictions, which count as wrong, with their entries."""
        missing: Counter[str] = Counter()
        for name, _, count in self.noted:
            missing[name] += count
        if not missing.total():
            return ()
        total = Phrase(*MISSING, count=missing.total())
        counts = sorted(missing.items())
        named = tuple(f"{name} ({count})" for name, count in counts if name and count)
        if len(self.noted) == 1 or not named:
            return (total,)
        return (Phrase(BY_ENTRY, note=total, entries=named),)


def teams(upload: Upload, parts: Sequence[Part], reader: SubmissionReader) -> Competition:
    """Return the competition of the submissions of several teams."""
    settings = reader.settings
    _refuse_unordered(upload.sources, settings, named=not settings.anonymize)
    runs = Counter(source.team for source in upload.sources)
    entries: list[tuple[Entry | None, ...]] = []
    unusable, unscored = [], []
    sources = sorted(upload.sources, key=lambda source: source.entry)
    reading = reader.read(
        [
            Run(source, settings.anonymize, called=_A_SUBMISSION * settings.anonymize)
            for source in sources
        ],
        parts,
    )
    for source, read in zip(sources, reading, strict=True):
        if not read.present:
            unusable.append(LeftOut(source.entry, read.problem))
            continue
        if source.team not in settings.baselines:
            _refuse_gold(source.team, read.entries, parts)
        unscored += [Unscored(len(entries), task, why) for task, why in read.problems.items()]
        entries.append(read.entries)
        reader.take_notes(read, "" if settings.anonymize else source.entry)
    parts = _with_entries(parts, entries)
    _refuse_unscored(parts, settings)
    return Competition(
        form="teams",
        parts=parts,
        unusable=tuple(unusable),
        unscored=tuple(unscored),
        runs=runs,
        teams={source.entry: source.team for source in upload.sources},
        notes=(
            Phrase("Layout: teams, {teams:n} found.", teams=len(runs)),
            *_hour_notes(upload.sources, settings),
        ),
    )


def _refuse_gold(team: str, entries: Sequence[Entry | None], parts: Sequence[Part]) -> None:
    """Refuse a copy of the reference data, called like them, among the teams: it would win."""
    for found, part in zip(entries, parts, strict=True):
        called = PurePosixPath(part.gold.file).stem == team
        if called and found is not None and found.sha256 == part.gold.sha256:
            raise ReferenceDataError(
                f"res: {team!r} is a copy of the reference data, {part.gold.file}; remove it or, "
                "if it is a baseline, name it in the setting 'baselines'"
            )


def _refuse_unscored(parts: Sequence[Part], settings: Settings) -> None:
    """Ask for columns where most submissions predict another column of the gold, too."""
    if any(spec.column is not None for spec in settings.metrics):
        return
    for part in parts:
        found = [entry.unscored for entry in part.entries if entry is not None]
        held = Counter(name for unscored in found for name in unscored)
        others = [
            name
            for name, count in held.items()
            if 2 * count > len(found) and any(unscored.get(name) for unscored in found)
        ]
        if others and part.expected.columns:
            scored = listed(map(repr, part.expected.columns))
            raise SettingsError(
                f"{settings.where('metrics')}: {part.gold.file} and the submissions have the "
                f"column {listed(map(repr, others))}, too, but only {scored} is scored; say which "
                f"one each metric scores, with 'column:', or remove the other from the gold"
            )


def _refuse_unordered(sources: Sequence[Source], settings: Settings, *, named: bool) -> None:
    """Ask where only the last run of a team counts, and nothing says which one that is."""
    if settings.runs != "last":
        return
    for runs in grouped((source.team, source) for source in sources).values():
        names = [source.run or "" for source in runs]
        if len(runs) > 1 and not (all(source.day for source in runs) or are_in_time(names)):
            which = f" ({listed(source.entry for source in runs)})" if named else ""
            raise SettingsError(
                f"{settings.where('runs')}: the names of a team's runs do not say which one is the "
                f"last{which}; number them, as run1 and run2, begin them with dates, as "
                "2025-01-31, or leave only the last one"
            )


def _hour_notes(sources: Sequence[Source], settings: Settings) -> tuple[Phrase, ...]:
    """Return a note if a team's last upload is unknown, because it sent several in one day."""
    sent = Counter((source.team, source.day) for source in sources if source.day)
    if settings.runs != "last" or max(sent.values(), default=0) < 2:
        return ()
    return (
        Phrase(
            "The names in a bulk download hold the day of an upload, not the hour. Uploads of the "
            "same day are in the order of their numbers."
        ),
    )


def single(
    source: Source, rivals: Sequence[Source], parts: Sequence[Part], reader: SubmissionReader
) -> Competition:
    """Return the competition of one submission and the field, if there is one.

    With ``missing_task: worst``, the submission may lack files for tasks, but not for all. It gets
    the metrics' worst values there, and so do rivals: who wins is the same whoever is in focus.
    """
    _refuse_unordered(rivals, reader.settings, named=False)  # their names are secret
    own = Run(source, alone=True, called="this submission")
    reading = reader.read([own, *(Run(rival, called=_ANOTHER) for rival in rivals)], parts)
    submission = next(reading)
    worst_if_missing = reader.settings.missing_task == "worst"
    may_lack = worst_if_missing and submission.present
    lacking = {*submission.problems} - source.files.keys() if may_lack else set[str]()
    if submission.problems.keys() - lacking:  # leaderboards show every task
        reading.close()
        raise SubmissionError(submission.problem)
    reader.take_notes(submission, source.entry)  # not those of rivals, which are secret
    entries: list[tuple[Entry | None, ...]] = []
    withheld = []
    for rival, read in zip(rivals, reading, strict=True):
        if read.present:
            entries.append(read.entries)
        else:
            withheld.append(LeftOut(rival.entry, read.problem))
    name = source.entry
    while name in {rival.entry for rival in rivals}:
        name += "*"
    entries.append(tuple(item and replace(item, name=name) for item in submission.entries))
    entries.sort(key=_name)
    if rivals:
        layout = Phrase("Layout: one submission and a field of {others:n}.", others=len(rivals))
    else:
        layout = Phrase("Layout: one submission.")
    focus = [_name(items) for items in entries].index(name)
    return Competition(
        form="field" if rivals else "single",
        parts=_with_entries(parts, entries),
        focus=focus,
        withheld=tuple(withheld),
        unscored=tuple(
            Unscored(focus, part.name, Phrase(LACKS_TASK, task=repr(part.name)))
            for part in parts
            if part.name in lacking
        ),
        teams={name: name, **{rival.entry: rival.team for rival in rivals}},
        notes=(layout,),
        worst_if_missing=worst_if_missing,
    )


def _name(items: Sequence[Entry | None]) -> str:
    return next(item.name for item in items if item is not None)


def _with_entries(
    parts: Sequence[Part], entries: Sequence[tuple[Entry | None, ...]]
) -> tuple[Part, ...]:
    return tuple(
        replace(part, entries=tuple(items[k] for items in entries)) for k, part in enumerate(parts)
    )


#: Submissions with fewer bytes together are read in this process: it takes less time than to start
#: another one, and whatever they hold takes little memory. Where their kind is read with more
#: `speed`, so many times as much; then each file must have fewer.
_SMALL = 4 << 20
#: The same where the run has a time budget: a process can be ended when the time is over.
_SMALL_IN_TIME = 1 << 18
_MORE_TIME = "allow more time, or lower 'largest_file'"


@dataclass(frozen=True, eq=False)
class Found:
    """What is found in one run: its entry in every part, None where it has none, and why.

    ``formats`` are what the formats of the files that were read are called. ``problems`` map parts
    to the reasons in words for the author.
    """

    entries: tuple[Entry | None, ...]
    formats: tuple[str | Phrase, ...]
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
    described: FileDescription  # what the settings say about the files
    reader: FileFunction | None  # the organizer's own, which gets files in the folder
    folder: str | None
    limits: Limits

    def __call__(
        self, part: int, content: bytes, file: str, name: str
    ) -> tuple[Entry, str | Phrase]:
        """Return the entry called ``name`` and what the format is called; raise SubmissionError."""
        expected, labels = self.parts[part]
        if self.reader is None:
            table = formats.read_examples(
                content, file, expected.kind, self.described, limits=self.limits
            )
        else:
            with silenced(output=True):
                table = record.read(self.reader, content, file, folder=self.folder)
        return entry.align(table, name, expected, labels, digest(content)), table.label

    def may_swell(self, file: str) -> bool:
        """Return whether a file of this name may take far more than its size to read."""
        return file.lower().endswith(GZIP_EXTENSION) or formats.needs_pyarrow(file, self.described)

    def reads_csv(self, file: str) -> bool:
        """Return whether the name of a file says that it is usual CSV, or the settings do."""
        by_name = file.lower().endswith(formats.FORMATS["csv"].extensions)
        form = self.described.format
        is_csv = form == "csv" or (form == "auto" and by_name)
        return is_csv and not self.described.says_something


@dataclass(frozen=True)
class Run:
    """One run to be read. Messages do not name the files of one that is ``anonymous``.

    An unexpected error in reading a run makes that run unusable. It ends the program only for one
    that is ``alone``: then nothing is left to be scored.
    """

    source: Source
    anonymous: bool = False
    alone: bool = False
    called: str = ""  # what the message that the time is over calls it


def _read_all(
    runs: Sequence[Run],
    parts: Sequence[Part],
    reader: EntryReader,
    workers: int,
    time_limit: TimeLimit,
) -> Iterator[Found]:
    kinds = [formats.KINDS.get(part.expected.kind) for part in parts]
    speed = min(kind.speed if kind else 1 for kind in kinds)
    small = _SMALL if time_limit.is_endless else _SMALL_IN_TIME
    sent = [file for run in runs for file in run.source.files.values()]
    swell = any(file.size > small or reader.may_swell(file.path.name) for file in sent)
    reading: Iterator[Found]
    if sum(file.size for file in sent) <= speed * small and reader.reader is None and not swell:
        reading = map(_RunReader(parts, reader, time_limit), runs)
    else:
        from .quick import QuickReader  # late: small files are read in this process

        of_one = partial(_in_worker, reader)
        pool = Pool(of_one, min(workers, len(runs)), reader.limits, time_limit)
        quick = [QuickReader.from_expected(part.expected) for part in parts]
        read = _RunReader(parts, reader, time_limit, pool, quick)
        reading = pool.each(partial(read, run) for run in runs)
    try:
        for item in reading:
            time_limit.check("read", _MORE_TIME)
            yield item
    except OutOfTime:
        time_limit.check("read", _MORE_TIME)
        raise


@dataclass(frozen=True)
class _RunReader:
    """Reads runs here or, if there is a pool, lets its workers read what is no usual file.

    Where the system starts no process, this one reads everything.
    """

    parts: Sequence[Part]
    reader: EntryReader
    time_limit: TimeLimit
    pool: Pool | None = None
    quick: Sequence[QuickReader | None] = ()  # of every part
    #: Archives are unpacked one at a time, because the last one stays open for its next member.
    unpacking: Any = field(default_factory=threading.Lock)

    def __call__(self, run: Run) -> Found:
        """Return what is found in one run."""
        entries: list[Entry | None] = []
        forms: list[str | Phrase] = []
        problems: dict[str, Phrase] = {}
        with self.time_limit.timed(run.called or run.source.entry):
            for number, part in enumerate(self.parts):
                if self.time_limit.left <= 0:
                    raise OutOfTime
                try:
                    found, form = self._checked(run, number)
                except SubmissionError as error:
                    entries.append(None)
                    # The text before the defect holds the owner's file names.
                    problems[part.name] = error.defect if run.anonymous else error.reason
                else:
                    entries.append(found)
                    forms.append(form)
        return Found(tuple(entries), tuple(forms), problems)

    def _checked(self, run: Run, number: int) -> tuple[Entry, str | Phrase]:
        """Return the entry in a part, and its format; raise SubmissionError."""
        part = self.parts[number]
        file = run.source.file(part.name)
        # The path inside the upload may hold the team's name.
        shown = f"predictions{formats.suffix(file.path.name)}" if run.anonymous else str(file.path)
        try:
            found, form = self._entry(number, file, shown, run.source.entry)
            entry.refuse_unrelated(found, part.gold, shown)
            return found, form
        except SubmissionError:
            raise
        except Exception as error:
            if run.alone:
                raise
            raise SubmissionError(internal_of_upload(error).reason, shown) from error

    def _entry(
        self, part: int, file: DataFile, shown: str, name: str
    ) -> tuple[Entry, str | Phrase]:
        try:
            check_size(file.size, self.reader.limits)
        except LimitExceeded as error:
            defect = Phrase("{limit}; send only the predictions", limit=error.limit)
            raise SubmissionError(defect, shown) from error
        with self.unpacking:
            content = file.read()
        if self.pool is None:
            return self.reader(part, content, shown, name)
        quick = self.quick[part] if self.reader.reads_csv(shown) else None
        if quick is not None and (found := quick.read(content, shown)) is not None:
            predictions, notes = found
            usual = Entry(name, {quick.target: predictions}, {}, digest(content), notes)
            return usual, formats.named("csv").label
        try:
            read: tuple[Entry, str | Phrase] = self.pool.call(part, content, shown, name)
        except CannotStart:
            return self.reader(part, content, shown, name)
        except NoAnswer as error:
            raise SubmissionError(
                "{limit}, which follows the size of the test set; send one prediction per example",
                shown,
                limit=_limit(error.cause, self.reader.limits),
            ) from error
        return read


def _in_worker(
    reader: EntryReader, part: int, content: bytes, file: str, name: str
) -> tuple[Entry, str | Phrase]:
    """Let a reader read. A traceback does not reach the parent, so the error says the place."""
    try:
        return reader(part, content, file, name)
    except DeadheatError:
        raise
    except Exception as error:
        raise internal_of_upload(error) from error


def _limit(cause: Cause, limits: Limits) -> Phrase:
    """Return the limit that a file exceeded in the process that read it."""
    if cause is Cause.MEMORY:
        most = limits.memory // 10**6
        return Phrase("takes more memory to read than the limit of {most} MB", most=most)
    if cause is Cause.TIME:
        most = limits.seconds
        return Phrase("takes longer to read than the limit of {most} seconds", most=most)
    return Phrase("ends the process that reads it")
