"""From the files of an upload to entries that are aligned with the gold, or to error messages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace

from ..core.errors import SubmissionError
from ..core.notes import Note
from ..reading.layout import Source, Upload
from ..reading.limits import Limits
from ..settings.model import Settings
from .competition import Competition, Part, Unscored, Unusable
from .entry import Entry
from .entry_reader import Found, Run, read_runs


@dataclass
class SubmissionReader:
    """Reads submissions, and collects notes on how it read them."""

    settings: Settings
    limits: Limits
    format_counts: Counter[str | Note] = field(default_factory=Counter)
    note_counts: Counter[Note] = field(default_factory=Counter)
    noted_files: int = 0  # files whose notes ``note_counts`` holds
    last_noted: dict[Note, str] = field(default_factory=dict)  # note → entry; "" if anonymous
    missing: Counter[str] = field(
        default_factory=Counter
    )  # entry → missing predictions; "" if anonymous

    def read(self, runs: Sequence[Run], parts: Sequence[Part]) -> Generator[Found, None, None]:
        """Yield what is found in every run: its entry in every part, or why it has none there."""
        form, workers = self.settings.format, self.settings.workers
        for found in read_runs(runs, parts, form, self.limits, workers):
            self.format_counts.update(found.formats)
            yield found

    def take_notes(self, found: Found, name: str) -> None:
        """Collect the notes of a run, whose ``name`` is empty if it is anonymous."""
        read = found.present
        self.noted_files += len(read)
        notes = [note for item in read for note in item.notes]
        self.note_counts.update(notes)
        self.last_noted.update(dict.fromkeys(notes, name))
        if missing := sum(item.missing for item in read):
            self.missing[name] += missing

    def notes(self) -> tuple[Note, ...]:
        """Return notes on how files were read, for the log and the page."""
        if not self.format_counts:
            return ()
        met = tuple(
            Note("formats.count", {"files": files, "format": form})
            for form, files in self.format_counts.most_common()
        )
        of_all = (self._of_files(note, found) for note, found in self.note_counts.items())
        return (Note("notes.formats", {"formats": met}), *of_all, *self._missing())

    def _of_files(self, note: Note, found: int) -> Note:
        """Return a note with the entry whose file it is about, or with the number of files."""
        if self.noted_files == 1:
            return note
        if found == 1 and (entry := self.last_noted[note]):
            return Note("notes.of_entry", {"note": note, "entry": entry})
        return Note("notes.of_files", {"note": note, "found": found, "files": self.noted_files})

    def _missing(self) -> tuple[Note, ...]:
        """Return a note on missing predictions, which count as wrong, with their entries."""
        count = sum(self.missing.values())
        if not count:
            return ()
        total = Note("notes.missing", {"count": count})
        named = tuple(f"{name} ({self.missing[name]})" for name in sorted(self.missing) if name)
        if self.noted_files == 1 or not named:
            return (total,)
        return (Note("notes.missing_of", {"note": total, "entries": named}),)


def teams(upload: Upload, parts: Sequence[Part], reader: SubmissionReader) -> Competition:
    """Return the competition of the submissions of several teams."""
    settings = reader.settings
    runs = Counter(source.team for source in upload.sources)
    entries: list[tuple[Entry | None, ...]] = []
    unusable, unscored = [], []
    sources = sorted(upload.sources, key=lambda source: source.entry)
    found = reader.read([Run(source, settings.anonymize) for source in sources], parts)
    for source, read in zip(sources, found, strict=True):
        if not read.present:
            unusable.append(Unusable(source.entry, read.problem))
            continue
        unscored += [Unscored(len(entries), task, why) for task, why in read.problems.items()]
        entries.append(read.entries)
        reader.take_notes(read, "" if settings.anonymize else source.entry)
    return Competition(
        form="teams",
        parts=_with_entries(parts, entries),
        unusable=tuple(unusable),
        unscored=tuple(unscored),
        runs=runs,
        teams={source.entry: source.team for source in upload.sources},
        notes=(
            Note("notes.layout_teams", {"teams": len(runs)}),
            *_hour_notes(upload.sources, settings),
        ),
    )


def _hour_notes(sources: Sequence[Source], settings: Settings) -> tuple[Note, ...]:
    """Return a note if a team's last upload is unknown, because it sent several in one day."""
    sent = Counter((source.team, source.day) for source in sources if source.day)
    if settings.runs != "last" or max(sent.values(), default=0) < 2:
        return ()
    return (Note("notes.hours_unknown"),)


def single(
    source: Source, rivals: Sequence[Source], parts: Sequence[Part], reader: SubmissionReader
) -> Competition:
    """Return the competition of one submission and the field, if there is one."""
    found = reader.read([Run(source), *map(Run, rivals)], parts)
    submission = next(found)
    if submission.problems:  # leaderboards show every task of a single submission
        found.close()
        raise SubmissionError(submission.problem)
    reader.take_notes(submission, source.entry)  # not those of rivals, which are secret
    entries: list[tuple[Entry | None, ...]] = []
    withheld = []
    for rival, read in zip(rivals, found, strict=True):
        if read.present:
            entries.append(read.entries)
        else:
            withheld.append(Unusable(rival.entry, read.problem))
    name = source.entry
    while name in {rival.entry for rival in rivals}:
        name += "*"
    entries.append(tuple(replace(item, name=name) for item in submission.present))
    entries.sort(key=_name)
    if rivals:
        layout = Note("notes.layout_field", {"others": len(rivals)})
    else:
        layout = Note("notes.layout_single")
    return Competition(
        form="field" if rivals else "single",
        parts=_with_entries(parts, entries),
        focus=[_name(items) for items in entries].index(name),
        withheld=tuple(withheld),
        teams={name: name, **{rival.entry: rival.team for rival in rivals}},
        notes=(layout,),
    )


def _name(items: Sequence[Entry | None]) -> str:
    return next(item.name for item in items if item is not None)


def _with_entries(
    parts: Sequence[Part], entries: Sequence[tuple[Entry | None, ...]]
) -> tuple[Part, ...]:
    return tuple(
        replace(part, entries=tuple(items[k] for items in entries)) for k, part in enumerate(parts)
    )
