"""From the folder INPUT to a competition: settings, gold and submissions."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path

from ..core import cells
from ..core.errors import SubmissionError
from ..core.notes import Note, by_reason
from ..reading import layout
from ..reading.layout import Upload
from ..reading.limits import Limits
from ..reading.reference import Reference, find_reference
from ..settings import loading
from ..settings.model import Settings
from . import parts, submissions, wide
from .competition import Competition
from .expected import Expected
from .overall_metrics import overall_metrics
from .tasks import by_usage

#: What Codabench's worker writes, and nothing else.
_STATUS = re.compile(
    rb"elapsedTime: (\d{1,15}(?:\.\d{1,20})?(?:e[+-]\d{1,3})?)\n"
    rb"exitCode: \S{1,20}\ningestionElapsedTime: \S{1,30}\ningestionExitCode: \S{1,20}\n"
)
#: Bytes that no such file exceeds.
_LONGEST_STATUS = 1000
#: Settings inside a bundled program, for reference data without settings.
_PACKED = Path(__file__).parents[1] / loading.FILE_NAME


def read_input(
    folder: Path, adjust: Callable[[Settings], Settings]
) -> tuple[Competition, Settings]:
    """Read INPUT: the settings (changed by ``adjust``), the gold and every submission.

    Raises
    ------
    OrganizerError
        Gold, settings or the field are missing or malformed.
    SubmissionError
        The upload cannot be read, or the single submission is unusable.
    """
    reference = find_reference(folder / "ref", loading.FILE_NAME)
    path = reference.settings or (_PACKED if _PACKED.is_file() else None)
    settings = adjust(loading.load(path))
    loading.check_together(settings)
    settings_folder = path.parent if path else None
    if not reference.gold or settings.layout in ("wide", "long"):
        # Without gold, the message must say so, however many files the upload holds.
        upload_settings = settings if reference.gold else replace(settings, layout="auto")
        upload = _upload(folder / "res", reference, upload_settings, settings.limits())
        return wide.read(upload, settings_folder, settings, reference.unread), settings
    # The organizer's files come first, because a participant cannot fix them.
    golds, notes = parts.read(reference.gold, settings_folder, settings)
    limits = limits_of([part.expected for part in golds], settings)
    upload = _upload(folder / "res", reference, settings, limits)
    reader = submissions.SubmissionReader(settings, limits)
    if upload.layout == "teams":
        competition = submissions.teams(upload, golds, reader)
    else:
        rivals = reference.rivals(_conventions(reference, settings))
        competition = submissions.single(upload.sources[0], rivals, golds, reader)
    notes = (*competition.notes, *_upload_notes(upload, settings), *notes, *reader.notes())
    overall = overall_metrics(golds, settings) if len(golds) > 1 else ()
    competition = replace(competition, notes=notes, overall=overall, left_aside=upload.left_aside)
    return by_usage(competition), settings


def _conventions(reference: Reference, settings: Settings) -> layout.Conventions:
    return layout.Conventions(
        tasks=reference.tasks,
        gold=reference.stem,
        other_tasks=settings.other_tasks,
        pattern=settings.name_pattern,
        phase=settings.phase,
        bare_files=settings.bare_files == "accept",
        own=tuple(filter(None, (*settings.baselines, settings.reference_entry))),
    )


def limits_of(tasks: Collection[Expected], settings: Settings) -> Limits:
    """Return the limits of uploads: those that are set, and what the tasks' test sets need."""
    examples = sum(expected.total for expected in tasks)
    classes = max(len(labels) for expected in tasks for labels in (*expected.targets.values(), ()))
    return settings.limits(examples, classes)


def _upload(folder: Path, reference: Reference, settings: Settings, limits: Limits) -> Upload:
    conventions = _conventions(reference, settings)
    try:
        return layout.find_submissions(folder, settings.layout, conventions, limits)
    except SubmissionError as error:
        if settings.anonymize and settings.layout != "single":  # else only its author reads it
            raise SubmissionError(error.defect) from error
        raise


def _upload_notes(upload: Upload, settings: Settings) -> tuple[Note, ...]:
    """Return notes on what was not read. If entries are anonymous, they only count files."""
    notes = upload.notes
    for reason, names in by_reason(upload.left_aside).items():
        notes = (*notes, Note("notes.uploads_aside", {"reason": reason, "files": names}))
    if upload.aside:
        notes = (*notes, Note("notes.left_aside", {"files": upload.aside}))
    if not settings.anonymize:
        return notes
    return tuple(
        replace(note, values={**note.values, "files": len(files)})
        if isinstance(files := note.values.get("files"), tuple)
        else note
        for note in notes
    )


def duration(folder: Path) -> float | None:
    """Return the ``elapsedTime`` that Codabench measured for the submission, if it did.

    Its worker stops where there is a file ``metadata`` before it writes its own. CodaLab's worker
    adds to a participant's file, or keeps it: there, which INPUT/metadata shows, no file counts.
    """
    path = folder / "res" / "metadata"
    # The file is the platform's, so a defect is no reason to fail a submission.
    if (folder / "metadata").exists() or not path.is_file():
        return None
    if path.stat().st_size > _LONGEST_STATUS:
        return None
    found = _STATUS.fullmatch(path.read_bytes())
    elapsed = float(found[1]) if found else -1.0
    return elapsed if 0 <= elapsed < cells.LARGEST else None
