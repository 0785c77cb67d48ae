"""A platform's download of many uploads: what of it competes, and what to say of the rest.

Codabench's holds failed uploads, those of every phase, runs of one upload under several numbers,
the organizers' own uploads of such a download, and a list of what could not be fetched. CodaLab's
holds three more files for every submission.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from ..core.errors import SettingsError, listed
from ..core.notes import Note
from . import files, names
from .files import DataFile
from .names import Owner

#: What browsers and systems make of Codabench's bulk_submissions.zip and CodaLab's
#: {title}-{phase}-results.zip.
_DOWNLOAD = re.compile(
    r"(?:bulk_submissions|(?P<codalab>.+-\d+-results))(?: ?\(\d+\)| \d+)?", re.DOTALL
)
_REFUSED = (
    "not a .zip, so the platform refused it; 'bare_files: accept' in the settings lets it compete"
)


@dataclass(frozen=True)
class _Uploaded:
    """One upload of Codabench's download: where it lies, what its name says, what it holds."""

    path: PurePosixPath
    label: Owner
    held: tuple[DataFile, ...]

    @property
    def number(self) -> int:
        return int(self.label.run or 0)

    @property
    def phase(self) -> int:
        return int(self.label.phase or 0)

    @property
    def is_download(self) -> bool:
        """Whether it holds such a download itself: the organizers' own upload of every team's."""
        depth = len(self.path.parts)
        inside = {part for file in self.held for part in file.stems[depth:]}
        return len({label.team for part in inside if (label := names.uploaded(part))}) > 1

    @property
    def is_bare(self) -> bool:
        """Whether it is a file of predictions, where the platform takes nothing but archives."""
        (first, *others) = self.held
        return not (others or first.broken or first.hollow) and first.path == self.path


def sift(
    found: Sequence[DataFile],
    phase: int | None = None,
    *,
    bare_files: bool = False,
    shown: str = "the upload",
) -> tuple[list[DataFile], tuple[Note, ...]]:
    """Return the files of a download that compete, and notes on those that do not.

    What is no platform's download stays as it is. ``phase`` chooses one of several;
    ``bare_files`` lets those compete that are no archives. Messages call the whole ``shown``.

    Raises
    ------
    SettingsError
        There are uploads of several phases and ``phase`` is None, or none of that phase; or several
        of CodaLab's downloads.
    """
    found = _without_codalabs_own(found)
    _check_one_phase_of_codalab(found, shown)
    everything = _uploads(found)
    lost = _not_fetched(found, everything, phase)
    if len(everything) < 2:
        return list(map(_taken_out, found)), lost
    uploads, notes = _without_organizers(everything)
    uploads, of_phase = _of_phase(uploads, phase, shown)
    uploads, of_runs = _without_reruns(uploads)
    competing = {
        file: files.broken(file.path, _REFUSED) if upload.is_bare and not bare_files else file
        for upload in uploads
        for file in upload.held
    }
    others = {file for upload in everything for file in upload.held} - competing.keys()
    kept = [_taken_out(competing.get(file, file)) for file in found if file not in others]
    return kept, (*notes, *of_phase, *of_runs, *lost)


def _taken_out(file: DataFile) -> DataFile:
    """Return a file as if it did not lie in a download: two downloads may lie side by side."""
    if not _download(file):
        return file
    return replace(file, path=PurePosixPath(*file.path.parts[1:]))


def _download(file: DataFile) -> re.Match[str] | None:
    """Return the name of the download that a file lies in, if it lies in one."""
    first, *below = file.path.parts
    named = _DOWNLOAD.fullmatch(first) if below else None
    if named and named["codalab"]:
        # Many things are called like CodaLab's downloads, a participant's upload among them.
        theirs = names.uploaded(file.stems[1]) and not names.uploaded(first)
        return named if theirs else None
    return named


def _check_one_phase_of_codalab(found: Sequence[DataFile], shown: str) -> None:
    """Refuse several of CodaLab's downloads: each is one phase's, and its names do not say so."""
    downloads = {named[0] for file in found if (named := _download(file)) and named["codalab"]}
    if len(downloads) > 1:
        raise SettingsError(
            f"{shown} holds CodaLab's downloads of several phases: {listed(sorted(downloads))}; "
            "leave the one of the phase that competes"
        )


def _without_codalabs_own(found: Sequence[DataFile]) -> list[DataFile]:
    """Leave out what CodaLab's download holds beside the submissions."""
    siblings: dict[tuple[str, ...], set[str]] = {}
    for file in found:
        for depth, part in enumerate(file.path.parts):
            siblings.setdefault(file.path.parts[:depth], set()).add(part)
    return [
        file
        for file in found
        if not any(
            names.beside_submission(part, siblings[file.path.parts[:depth]])
            for depth, part in enumerate(file.path.parts)
        )
    ]


def _uploads(found: Sequence[DataFile]) -> list[_Uploaded]:
    """Return the uploads of Codabench's download, by number."""
    held: dict[PurePosixPath, tuple[Owner, list[DataFile]]] = {}
    for file in found:
        for depth, part in enumerate(file.stems, 1):
            if label := names.codabench(part):
                path = PurePosixPath(*file.path.parts[:depth])
                held.setdefault(path, (label, []))[1].append(file)
                break
    uploads = [_Uploaded(path, label, tuple(of)) for path, (label, of) in held.items()]
    return sorted(uploads, key=lambda upload: upload.number)


def _without_organizers(uploads: list[_Uploaded]) -> tuple[list[_Uploaded], tuple[Note, ...]]:
    """Leave out uploads that hold every team's, unless there is nothing else."""
    theirs = [upload for upload in uploads if upload.is_download]
    if not theirs or len(theirs) == len(uploads):
        return uploads, ()
    note = Note("notes.organizers_uploads", {"files": tuple(each.path.name for each in theirs)})
    return [upload for upload in uploads if not upload.is_download], (note,)


def _of_phase(
    uploads: list[_Uploaded], phase: int | None, shown: str
) -> tuple[list[_Uploaded], tuple[Note, ...]]:
    """Keep one phase's uploads; others are told."""
    sent = Counter(upload.phase for upload in uploads)
    told = {number: f"PhaseId {number} ({sent[number]})" for number in sorted(sent)}
    if phase is None and len(sent) > 1:
        raise SettingsError(
            f"{shown} holds submissions of several phases: {', '.join(told.values())}; say with "
            f"the setting 'phase' which of them competes, such as 'phase: {max(sent)}'"
        )
    if phase is None or set(sent) == {phase}:
        return uploads, ()
    if phase not in sent:
        raise SettingsError(
            f"{shown} holds no submission of phase {phase}, which the setting 'phase' names, but "
            f"of {', '.join(told.values())}"
        )
    kept = [upload for upload in uploads if upload.phase == phase]
    others = tuple(text for number, text in told.items() if number != phase)
    return kept, (Note("notes.phase", {"phase": str(phase), "others": others}),)


def _without_reruns(uploads: list[_Uploaded]) -> tuple[list[_Uploaded], tuple[Note, ...]]:
    """Keep of one upload's runs that with the lowest number: a later run gets a higher one.

    Names hold minutes and seconds, but no hour, so the content has to be the same too.
    """
    runs: dict[tuple[str, str | None], list[_Uploaded]] = {}
    for upload in uploads:
        runs.setdefault((upload.label.team, upload.label.upload), []).append(upload)
    kept: list[_Uploaded] = []
    for several in runs.values():
        contents: set[object] = set()
        for upload in several:
            content = _content(upload) if len(several) > 1 else None
            if content not in contents:
                kept.append(upload)
            contents.add(content)
    if len(kept) == len(uploads):
        return uploads, ()
    return kept, (Note("notes.reruns", {"count": len(uploads) - len(kept)}),)


def _content(upload: _Uploaded) -> frozenset[object]:
    relative = (replace(file, path=file.path.relative_to(upload.path)) for file in upload.held)
    return frozenset(map(files.fingerprint, relative))


def _not_fetched(
    found: Sequence[DataFile], uploads: Sequence[_Uploaded], phase: int | None
) -> tuple[Note, ...]:
    """Tell which uploads the download lacks, as the list that lies beside the others says."""
    beside = {upload.path.parent for upload in uploads}
    lost: list[str] = []
    for file in found:
        if file.lists_failures and file.path.parent in beside:
            for line in file.read().decode("utf-8", "replace").splitlines():
                name, *_ = names.printable(line).rsplit(" (", 1)  # "name (why)"
                label = names.codabench(name)
                if label and phase in (None, label.phase):
                    lost.append(name)
    return (Note("notes.not_fetched", {"files": tuple(lost)}),) if lost else ()
