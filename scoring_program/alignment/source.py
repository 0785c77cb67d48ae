"""INPUT as a whole: settings, gold and submissions become a competition."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ..core import cells
from ..core.errors import SubmissionError
from ..core.notes import Note
from ..reading import layout
from ..reading.layout import Upload
from ..reading.limits import DEFAULT
from ..reading.reference import Reference, find_reference
from ..settings import loading
from ..settings.model import Settings
from . import parts, submissions, wide
from .competition import Competition

_ELAPSED = re.compile(rb"^elapsedTime: *(\d+(?:\.\d*)?(?:e[+-]?\d+)?) *$", re.MULTILINE)
#: Settings that a packed program brings along, for reference data that hold none.
_PACKED = Path(__file__).parents[1] / loading.FILE_NAME


def gather(folder: Path, adjust: Callable[[Settings], Settings]) -> tuple[Competition, Settings]:
    """Read INPUT: the settings (completed by ``adjust``), the gold and every submission.

    Raises
    ------
    OrganizerError
        Gold, settings or the packed field are missing or malformed.
    SubmissionError
        The single submission is unusable, or fewer than two of the teams' are usable.
    """
    reference = find_reference(folder / "ref", loading.FILE_NAME)
    path = reference.settings or (_PACKED if _PACKED.is_file() else None)
    chosen = adjust(loading.load(path))
    loading.check_together(chosen)
    beside = path.parent if path else None
    if not reference.gold or chosen.layout == "wide":
        # Where no gold is found, that is what is wrong, however many files the upload holds.
        looked = chosen if reference.gold else replace(chosen, layout="auto")
        upload = _upload(folder / "res", reference, looked)
        return wide.read(upload, beside, chosen), chosen
    # The organizer's own files come first: a participant cannot mend them.
    golds, notes = parts.read(reference.gold, beside, chosen)
    upload = _upload(folder / "res", reference, chosen)
    reader = submissions.Reader(chosen)
    if upload.layout == "teams":
        competition = submissions.teams(upload, golds, reader)
    else:
        rivals = reference.rivals(_conventions(reference, chosen))
        competition = submissions.single(upload.sources[0], rivals, golds, reader)
    notes = (*competition.notes, *_of_upload(upload, chosen), *notes, *reader.notes())
    return parts.by_usage(replace(competition, notes=notes)), chosen


def _conventions(reference: Reference, chosen: Settings) -> layout.Conventions:
    return layout.Conventions(
        tasks=reference.tasks,
        gold=reference.stem,
        pattern=chosen.name_pattern,
        phase=chosen.phase,
        bare_files=chosen.bare_files == "accept",
    )


def _upload(folder: Path, reference: Reference, chosen: Settings) -> Upload:
    conventions = _conventions(reference, chosen)
    try:
        return layout.find_submissions(folder, chosen.layout, conventions, chosen.limits)
    except SubmissionError as error:
        if chosen.anonymize and chosen.layout != "single":  # else its author is who reads it
            raise SubmissionError(error.defect) from error
        raise


def _of_upload(upload: Upload, chosen: Settings) -> tuple[Note, ...]:
    """Tell what was not read; where entries are nameless, only how many files that were."""
    notes = upload.notes
    if upload.aside:
        notes = (*notes, Note("notes.left_aside", {"files": upload.aside}))
    if not chosen.anonymize:
        return notes
    return tuple(
        replace(note, values={**note.values, "files": len(files)})
        if isinstance(files := note.values.get("files"), tuple)
        else note
        for note in notes
    )


def duration(folder: Path) -> float | None:
    """Return the ``elapsedTime`` that the platform measured for the submission."""
    path = folder / "res" / "metadata"
    # The platform's own bookkeeping: no reason to fail a submission. Its one number is searched
    # for, because where the platform did not write the file, a participant may have.
    if not path.is_file() or path.stat().st_size > DEFAULT.largest_file * 10**6:
        return None
    found = _ELAPSED.search(path.read_bytes())
    elapsed = float(found[1]) if found else -1.0
    return elapsed if 0 <= elapsed < cells.LARGEST else None
