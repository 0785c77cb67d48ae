"""A platform's bulk download: which of its uploads compete, and why the others do not.

Codabench's download holds failed uploads, the uploads of every phase, reruns of one upload under
several numbers, organizers' uploads of whole downloads, and a list of the uploads that could not be
fetched. CodaLab's download holds three more files for every submission.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from ..core.cells import grouped
from ..core.errors import LeftOut, SettingsError, listed
from ..core.phrases import Phrase
from . import files, names
from .files import DataFile
from .names import Owner

#: What browsers and systems make of Codabench's bulk_submissions.zip and CodaLab's
#: {title}-{phase}-results.zip.
_DOWNLOAD = re.compile(r"(?s)(?:bulk_submissions|(?P<codalab>.+-\d+-results))(?: ?\(\d+\)| \d+)?")
_PHASE = re.compile(r"_PhaseId\d+_")
_REFUSED = Phrase(
    "the file is not a .zip, so the platform refused it; to let it compete, write "
    "'bare_files: accept' in the settings"
)


#: Uploads of Codabench's download: path → what its name says, and its files.
_Uploads = dict[PurePosixPath, tuple[Owner, list[DataFile]]]


def sift(
    upload_files: Sequence[DataFile], phase: int | None, bare_files: object, upload_name: str
) -> tuple[list[DataFile], tuple[LeftOut, ...]]:
    """Return the files of a bulk download that compete, and the uploads that do not.

    An upload that is not a platform's download is returned unchanged. ``phase`` selects one of
    several phases. ``bare_files`` lets uploads compete that are not archives. Messages call the
    download ``upload_name``.

    Raises
    ------
    SettingsError
        There are uploads of several phases and ``phase`` is None, or none of that phase; or several
        of CodaLab's downloads.
    """
    upload_files = _without_codalabs_files(upload_files)
    downloads = filter(None, map(_download, upload_files))
    phases = {name[0] for name in downloads if name["codalab"]}
    if len(phases) > 1:  # each download is one phase's, and its name does not say so
        raise SettingsError(
            f"{upload_name} holds CodaLab's downloads of several phases: "
            f"{listed(sorted(phases))}; leave only the one of the phase that competes"
        )
    everything = _uploads(upload_files)
    lost = _not_fetched(upload_files, everything, phase)
    if len(everything) < 2:
        return list(map(_taken_out, upload_files)), lost
    uploads = {**everything}
    left: list[LeftOut] = []

    def leave(paths: Sequence[PurePosixPath], reason: Phrase) -> None:
        for path in paths:
            del uploads[path]
            left.append(LeftOut(path.name, reason))

    of_organizers = [path for path, (_, members) in uploads.items() if _is_download(path, members)]
    if len(of_organizers) < len(uploads):  # else there are no others
        why = Phrase("they hold a bulk download themselves, as organizers' own uploads do")
        leave(of_organizers, why)
    of_phases = _of_other_phases(uploads, phase, upload_name)
    leave(of_phases, Phrase("of another phase than {phase}", phase=str(phase)))
    leave(_reruns(uploads), Phrase("the same upload, run again"))
    competing = {file: file for _, members in uploads.values() for file in members}
    for path, (_, members) in uploads.items():
        if not bare_files and _is_bare(path, members):
            competing[members[0]] = files.broken_file(path, _REFUSED)
    in_uploads = {file for _, members in everything.values() for file in members}
    not_competing = in_uploads - competing.keys()
    remaining = (file for file in upload_files if file not in not_competing)
    sifted = [_taken_out(competing.get(file, file)) for file in remaining]
    return sifted, (*left, *lost)


def _is_download(path: PurePosixPath, members: Sequence[DataFile]) -> bool:
    """Whether it is an organizer's upload that holds the submissions of several teams."""
    inside = {part for file in members for part in file.exact_stems[len(path.parts) :]}
    return len({label.team for label in map(names.parse_platform_name, inside) if label}) > 1


def _is_bare(path: PurePosixPath, members: Sequence[DataFile]) -> bool:
    """Whether it is a single file of predictions. The platform accepts only archives."""
    first, *more = members
    return not (more or first.broken or first.is_empty) and first.path == path


def refuse_other_names(
    upload_files: Sequence[DataFile], phase: int | None, upload_name: str
) -> None:
    """Raise SettingsError for several teams' uploads of which a ``phase`` cannot be told.

    No name is one of Codabench's download, but a phase is chosen, or names hold one.
    """
    if _uploads(upload_files):
        return
    named = (
        file.exact_stems[depth]
        for file, depth in zip(upload_files, _depths(upload_files), strict=True)
    )
    if len({name for name in named if _PHASE.search(name)}) > 1:
        raise SettingsError(
            f"{upload_name} holds names with 'PhaseId', but not as Codabench's bulk download has "
            "them, so teams and phases cannot be told; put the download there as it is, or give "
            "every file the name of its team"
        )
    if phase is not None:
        raise SettingsError(
            f"{upload_name} is no bulk download of Codabench, whose names hold phases, so the "
            "setting 'phase' selects nothing; remove it"
        )


def _taken_out(file: DataFile) -> DataFile:
    """Remove the download's name from a path, so that two downloads become one."""
    return replace(file, path=PurePosixPath(*file.path.parts[1:])) if _download(file) else file


def _download(file: DataFile) -> re.Match[str] | None:
    """Return the name of the download that a file lies in, if it lies in one."""
    first, *below = file.path.parts
    named = _DOWNLOAD.fullmatch(first) if below else None
    if named is None or not named["codalab"]:
        return named
    # Many things are called like CodaLab's downloads, a participant's upload among them.
    theirs = names.parse_platform_name(file.stems[1]) and not names.parse_platform_name(first)
    return named if theirs else None


def _without_codalabs_files(upload_files: Sequence[DataFile]) -> list[DataFile]:
    """Leave out the files that CodaLab's download adds to the submissions."""
    siblings: dict[tuple[str, ...], set[str]] = {}
    for file in upload_files:
        for depth, part in enumerate(file.path.parts):
            siblings.setdefault(file.path.parts[:depth], set()).add(part)

    def accompanies(file: DataFile) -> bool:
        """Whether the file, or a folder that it lies in, accompanies a submission."""
        for depth, part in enumerate(file.path.parts):
            if names.accompanies_submission(part, siblings[file.path.parts[:depth]]):
                return True
        return False

    return [file for file in upload_files if not accompanies(file)]


def _uploads(upload_files: Sequence[DataFile]) -> _Uploads:
    """Return the uploads of Codabench's download, ordered by number."""
    uploads: _Uploads = {}
    for file, depth in zip(upload_files, _depths(upload_files), strict=True):
        if label := names.parse_codabench_name(file.exact_stems[depth]):
            path = PurePosixPath(*file.path.parts[: depth + 1])
            uploads.setdefault(path, (label, []))[1].append(file)
    return dict(sorted(uploads.items(), key=lambda upload: int(upload[1][0].run or 0)))


def _depths(upload_files: Sequence[DataFile]) -> list[int]:
    """Return for every file which part of its path may be the platform's name of an upload.

    It lies in a folder that holds everything, or in a download. What lies deeper got its name from
    a participant.
    """
    every = [file.path.parts for file in upload_files]
    data = [file.path.parts for file in upload_files if file.is_data] or every
    # The first and the last file lie in folders that are not themselves uploads.
    ends = zip(min(data), max(data), strict=False) if data else ()
    wrapping = 0
    for first, last in ends:
        if first != last or names.parse_platform_name(first):
            break
        wrapping += 1
    depths: list[int] = []
    for parts in every:
        depth = min(wrapping, len(parts) - 1)
        if depth < len(parts) - 1 and _DOWNLOAD.fullmatch(parts[depth]):
            depth += 1
        depths.append(depth)
    return depths


def _of_other_phases(uploads: _Uploads, phase: int | None, upload_name: str) -> list[PurePosixPath]:
    """Return the uploads that are not of the phase; raise SettingsError if it is unclear."""
    sent = Counter(int(label.phase or 0) for label, _ in uploads.values())
    phases = ", ".join(f"PhaseId {number} ({sent[number]})" for number in sorted(sent))
    if phase is None and len(sent) > 1:
        raise SettingsError(
            f"{upload_name} holds submissions of several phases: {phases}; "
            f"choose one with the setting 'phase', such as 'phase: {max(sent)}'"
        )
    if phase is not None and phase not in sent:
        raise SettingsError(
            f"{upload_name} holds no submission of phase {phase}, which the setting 'phase' names; "
            f"it holds {phases}"
        )
    return [path for path, (label, _) in uploads.items() if phase not in (None, label.phase)]


def _reruns(uploads: _Uploads) -> list[PurePosixPath]:
    """Return all runs of an upload but that with the lowest number: reruns get higher numbers.

    Names hold minutes and seconds, but no hour. So two runs are of one upload only if their content
    is the same, too.
    """
    again: list[PurePosixPath] = []
    runs = grouped(((owner.team, owner.upload), path) for path, (owner, _) in uploads.items())
    for several in runs.values():
        if len(several) == 1:  # its files need not be read for that
            continue
        contents: set[object] = set()
        for path in several:
            (_, members) = uploads[path]
            moved = [replace(file, path=file.path.relative_to(path)) for file in members]
            content = frozenset(map(files.fingerprint, moved))
            if content in contents:
                again.append(path)
            contents.add(content)
    return sorted(again, key=[*uploads].index)


def _not_fetched(
    upload_files: Sequence[DataFile], uploads: _Uploads, phase: int | None
) -> tuple[LeftOut, ...]:
    """Return the uploads that the download lacks according to its failed.txt."""
    folders = {path.parent for path in uploads}
    why = Phrase("the bulk download lacks them, according to its failed.txt")
    lost = []
    for file in upload_files:
        if not file.lists_failures or file.path.parent not in folders:
            continue
        for line in file.read().decode("utf-8", "replace").splitlines():
            (name, *_) = names.printable(line).rsplit(" (", 1)  # "name (why)"
            owner = names.parse_codabench_name(name)
            if owner and phase in (None, owner.phase):
                lost.append(LeftOut(name, why))
    return tuple(lost)
