"""Which files of INPUT/ref a run did not read. None lies there in silence."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import PurePosixPath

from ..core.phrases import Phrase, gettext_noop
from ..metrics.organizer import file_of
from ..reading.reference import Reference
from ..settings.model import Settings

_UNREAD = gettext_noop("Not read in ref/: {files:n}.")
_UNREAD_BESIDE_CODE = gettext_noop("Not read in ref/, unless your own code reads it: {files:n}.")
_FIELD_UNREAD = Phrase(
    "ref/submissions was not read: a single submission is compared with it, and there are several."
)


def about_reference(
    reference: Reference, read: Collection[PurePosixPath], settings: Settings, *, several: bool
) -> tuple[Phrase, ...]:
    """Return notes on what lies in INPUT/ref and was not ``read``.

    ``several`` says whether several submissions are scored: then the field is not read. What the
    organizer's own code reads is not known. If entries are anonymous, files are counted.
    """
    notes = []
    code = _files_of_code(settings)
    beside = [path for path in reference.every if path not in read and str(path) not in code]
    files = len(beside) if settings.anonymize else tuple(map(str, beside))
    if beside:
        notes.append(Phrase(_UNREAD_BESIDE_CODE if code else _UNREAD, files=files))
    if reference.field and several:
        notes.append(_FIELD_UNREAD)
    return tuple(notes)


def tells_of_reference(note: Phrase) -> bool:
    """Whether a note says what in INPUT/ref was not read."""
    return note.sentence in (_UNREAD, _UNREAD_BESIDE_CODE, _FIELD_UNREAD.sentence)


def _files_of_code(settings: Settings) -> set[str]:
    """Return the names of the organizer's own files of code, which lie beside the settings."""
    functions = [settings.reader]
    for spec in settings.metrics:
        functions += [spec.function, spec.statistics]
    return {file for function in functions if function and (file := file_of(function))}
