"""From the files of an upload to entries that are aligned with the gold, or to error messages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..core.errors import SubmissionError
from ..core.notes import Note
from ..reading import formats
from ..reading.files import DataFile
from ..reading.layout import Source, Upload
from ..settings.model import Settings
from . import entry
from .competition import Competition, Part, Unusable
from .entry import Entry
from .gold import digest


@dataclass
class SubmissionReader:
    """Reads submissions, and collects notes on how it read them."""

    settings: Settings
    format_counts: Counter[str | Note] = field(default_factory=Counter)
    note_counts: Counter[Note] = field(default_factory=Counter)
    noted_files: int = 0  # files whose notes ``note_counts`` holds
    missing: Counter[str] = field(
        default_factory=Counter
    )  # entry → missing predictions; "" if anonymous

    def entries(
        self,
        source: Source,
        parts: Sequence[Part],
        *,
        anonymous: bool = False,
        keep_notes: bool = True,
    ) -> tuple[Entry, ...]:
        """Return one run's entry in every part.

        ``keep_notes`` is False for submissions of the field, whose notes the participant must not
        read. Raises SubmissionError with the problems of all files together.
        """
        found, errors = [], []
        for part in parts:
            try:
                file = source.file(part.name)
                found.append(self._entry(file, source.entry, part, anonymous))
            except SubmissionError as error:
                errors.append(error)
        if errors:
            # The text before the defect holds the owner's file names.
            messages = (error.defect if anonymous else str(error) for error in errors)
            raise SubmissionError("\n".join(messages))
        if keep_notes:
            self.noted_files += len(found)
            self.note_counts.update(note for item in found for note in item.notes)
            if missing := sum(item.missing for item in found):
                self.missing["" if anonymous else source.entry] += missing
        return tuple(found)

    def _entry(self, file: DataFile, name: str, part: Part, anonymous: bool) -> Entry:
        # The path inside the upload may hold the team's name.
        name_in_messages = f"predictions{file.path.suffix}" if anonymous else str(file.path)
        content = file.read()
        table = formats.read_examples(
            content, name_in_messages, part.expected.kind, self.settings.format
        )
        aligned = entry.align(table, name, part.expected, part.labels, digest(content))
        self.format_counts[table.label] += 1
        return aligned

    def notes(self) -> tuple[Note, ...]:
        """Return notes on how files were read, for the log and the page."""
        if not self.format_counts:
            return ()
        met = tuple(
            Note("formats.count", {"files": files, "format": form})
            for form, files in self.format_counts.most_common()
        )
        of_all = (
            Note("notes.of_files", {"note": note, "found": found, "files": self.noted_files})
            if self.noted_files > 1
            else note
            for note, found in self.note_counts.items()
        )
        return (Note("notes.formats", {"formats": met}), *of_all, *self._missing())

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
    entries, unusable = [], []
    for source in sorted(upload.sources, key=lambda source: source.entry):
        try:
            entries.append(reader.entries(source, parts, anonymous=settings.anonymize))
        except SubmissionError as error:
            unusable.append(Unusable(source.entry, str(error)))
    return Competition(
        form="teams",
        parts=_with_entries(parts, entries),
        unusable=tuple(unusable),
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
    submission = reader.entries(source, parts)
    entries, withheld = [], []
    for rival in rivals:
        try:
            entries.append(reader.entries(rival, parts, keep_notes=False))
        except SubmissionError as error:
            withheld.append(Unusable(rival.entry, str(error)))
    name = source.entry
    while name in {rival.entry for rival in rivals}:
        name += "*"
    entries.append(tuple(replace(item, name=name) for item in submission))
    entries.sort(key=lambda items: items[0].name)
    if rivals:
        found = Note("notes.layout_field", {"others": len(rivals)})
    else:
        found = Note("notes.layout_single")
    return Competition(
        form="field" if rivals else "single",
        parts=_with_entries(parts, entries),
        focus=[items[0].name for items in entries].index(name),
        withheld=tuple(withheld),
        teams={name: name, **{rival.entry: rival.team for rival in rivals}},
        notes=(found,),
    )


def _with_entries(parts: Sequence[Part], entries: Sequence[tuple[Entry, ...]]) -> tuple[Part, ...]:
    return tuple(
        replace(part, entries=tuple(items[k] for items in entries)) for k, part in enumerate(parts)
    )
