"""From an upload's files to entries that are aligned with the gold, or the reasons against them."""

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
class Reader:
    """Reads submissions and remembers the formats it met."""

    settings: Settings
    met: Counter[str] = field(default_factory=Counter)
    said: Counter[Note] = field(default_factory=Counter)
    told: int = 0  # files whose notes are in ``said``
    missing: Counter[str] = field(default_factory=Counter)  # entry → predictions; "" is nameless

    def entries(
        self, source: Source, parts: Sequence[Part], *, anonymous: bool = False, told: bool = True
    ) -> tuple[Entry, ...]:
        """Return one run's entry in every part; what is wrong with any of its files is told.

        Notes on how the files were read are ``told`` to whoever reads the page, unless they are
        another's.
        """
        found, errors = [], []
        for part in parts:
            try:
                file = source.file(part.name)
                found.append(self._entry(file, source.entry, part, anonymous))
            except SubmissionError as error:
                errors.append(error)
        if errors:
            # What comes before the defect is called by its owner's names.
            said = (error.defect if anonymous else str(error) for error in errors)
            raise SubmissionError("\n".join(said))
        if told:
            self.told += len(found)
            self.said.update(note for item in found for note in item.notes)
            if missing := sum(item.missing for item in found):
                self.missing["" if anonymous else source.entry] += missing
        return tuple(found)

    def _entry(self, file: DataFile, name: str, part: Part, anonymous: bool) -> Entry:
        # The path inside the upload may carry the team's name.
        shown = f"predictions{file.path.suffix}" if anonymous else str(file.path)
        content = file.read()
        form = self.settings.format
        form = formats.detect(content, shown) if form == "auto" else form
        table = formats.named(form).read(content, shown)
        aligned = entry.align(table, name, part.expected, part.labels, digest(content))
        self.met[form] += 1
        return aligned

    def notes(self) -> tuple[Note, ...]:
        """Return what was detected, for the log and the page."""
        if not self.met:
            return ()
        met = tuple(
            Note("formats.count", {"files": files, "format": formats.named(form).label})
            for form, files in self.met.most_common()
        )
        of_all = (
            Note("notes.of_files", {"note": note, "found": found, "files": self.told})
            if self.told > 1
            else note
            for note, found in self.said.items()
        )
        return (Note("notes.formats", {"formats": met}), *of_all, *self._missing())

    def _missing(self) -> tuple[Note, ...]:
        """Tell how many predictions count as wrong because there are none, and whose they are."""
        count = sum(self.missing.values())
        if not count:
            return ()
        total = Note("notes.missing", {"count": count})
        named = tuple(f"{name} ({self.missing[name]})" for name in sorted(self.missing) if name)
        if self.told == 1 or not named:
            return (total,)
        return (Note("notes.missing_of", {"note": total, "entries": named}),)


def teams(upload: Upload, parts: Sequence[Part], reader: Reader) -> Competition:
    """Return the competition of every team's submissions."""
    chosen = reader.settings
    runs = Counter(source.team for source in upload.sources)
    entries, unusable = [], []
    for source in sorted(upload.sources, key=lambda source: source.entry):
        try:
            entries.append(reader.entries(source, parts, anonymous=chosen.anonymize))
        except SubmissionError as error:
            unusable.append(Unusable(source.entry, str(error)))
    return Competition(
        form="teams",
        parts=_with_entries(parts, entries),
        unusable=tuple(unusable),
        runs=runs,
        teams={source.entry: source.team for source in upload.sources},
        notes=(Note("notes.layout_teams", {"teams": len(runs)}), *_hours(upload.sources, chosen)),
    )


def _hours(sources: Sequence[Source], chosen: Settings) -> tuple[Note, ...]:
    """Tell that of a team's uploads of one day the later one is not known for sure."""
    sent = Counter((source.team, source.day) for source in sources if source.day)
    if chosen.runs != "last" or max(sent.values(), default=0) < 2:
        return ()
    return (Note("notes.hours_unknown"),)


def single(
    source: Source, rivals: Sequence[Source], parts: Sequence[Part], reader: Reader
) -> Competition:
    """Return the competition of one submission and its rivals, if there are any."""
    submission = reader.entries(source, parts)
    entries, withheld = [], []
    for rival in rivals:
        try:
            entries.append(reader.entries(rival, parts, told=False))
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
