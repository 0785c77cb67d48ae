"""From the folder INPUT to a competition: settings, gold and submissions.

What a submission takes to read is its author's choice. A small one can take little. A larger one is
read in a process of its own, within limits that follow the test set, so that it changes no other
entry and ends no run. The usual file is an exception: what a `QuickReader` reads takes as much as
the test set, and less time than to send it to another process.
"""

from __future__ import annotations

import contextlib
import json
import re
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from ..core import errors
from ..core.arrays import Coded
from ..core.bounds import ENDLESS, NoAnswer, OutOfTime, TimeLimit
from ..core.cells import LARGEST, different_count, grouped
from ..core.errors import listed
from ..core.phrases import Phrase, joined
from ..core.pool import CannotStart, Pool, workforce
from ..metrics.organizer import FileFunction, silenced
from ..reading import files, formats, layout
from ..reading.files import DataFile
from ..reading.formats import readers, texts
from ..reading.formats.kind import GZIP_EXTENSION, ROWS, FileDescription
from ..reading.layout import LACKS_TASK, ONLY_TASK, Source, Upload
from ..reading.limits import LimitExceeded, Limits, check_size, no_answer
from ..reading.names import are_in_time, split_task
from ..reading.reference import Reference, find_reference
from ..reading.table import LINE, FileRows, Table
from ..recognize.expected import Expected
from ..recognize.file_names import is_copy_of_gold
from ..recognize.open_questions import OpenReading, Option
from ..recognize.reading_record import Reading, merged_sides
from ..recognize.rows_rule import Recognition, recognize_rows
from ..settings import loading
from ..settings.checks import description
from ..settings.model import Settings
from . import entry, parts
from .binder import Binder, divided, is_stated_in_full, reading_as_stated, stated_of
from .competition import (
    BY_ENTRY,
    MISSING,
    Competition,
    Entries,
    Part,
    Unscored,
    by_usage,
    overall_metrics,
)
from .entry import Labels
from .gold import digest, refuse_settings_of_scores
from .joining.submission import Entry
from .parts import OpenGold
from .unread_files import about_reference

#: What Codabench's worker writes, and nothing else.
_STATUS = re.compile(
    rb"elapsedTime: (\d{1,15}(?:\.\d{1,20})?(?:e[+-]\d{1,3})?)\n"
    rb"exitCode: \S{1,20}\ningestionElapsedTime: \S{1,30}\ningestionExitCode: \S{1,20}\n"
)
#: Bytes that no such file exceeds.
_LONGEST_STATUS = 1000
#: Settings inside a bundled program, for reference data without settings.
_PACKED = Path(__file__).parents[1] / loading.FILE_NAME


#: What several files of texts in ref/ may be, too.
_NAMES_OF_REFERENCES = (
    " If they are references of the same texts, call them reference.1.txt, reference.2.txt and so "
    "on."
)
#: Names of files whose format says what each text is.
_STRUCTURED = (".csv", ".tsv", ".tab", ".json", ".jsonl", ".ndjson")
_SAME_DAY = Phrase(
    "The names in a bulk download hold the day of an upload, not the hour. Uploads of the same day "
    "are in the order of their numbers."
)


def read_input(
    folder: Path, adjust: Callable[[Settings], Settings], started: float | None = None
) -> tuple[Competition, Settings]:
    """Read INPUT: the settings (changed by ``adjust``), the gold and every submission.

    The time budget counts from ``started``, a time.monotonic(); None if it does not count yet.

    Raises
    ------
    OrganizerError
        Gold, settings or the field are missing or malformed, or the time is over.
    SubmissionError
        The upload cannot be read, or the single submission is unusable.
    """
    reference = find_reference(folder / "ref", loading.FILE_NAME)
    path = reference.settings or (_PACKED if _PACKED.is_file() else None)
    settings = adjust(loading.load(path))
    loading.check_together(settings)
    settings_folder = path.parent if path else None
    time_limit = time_limit_of(settings, started)
    _check_human(settings)
    if settings.format == "parquet":
        competition = _of_parquet(folder, settings_folder, settings, time_limit)
        return _accounted(competition, reference, _parts_of_gold(folder), settings), settings
    if settings.reader is not None:
        reference = reference.for_reader()
    reference, human = people_apart(reference, settings)
    if (stated_file := settings.described(gold=True).file) is not None:
        reference = reference.only(stated_file, settings.where("reference"))
    if not reference.gold or settings.layout in ("wide", "long"):
        competition, settings = _without_gold(folder, reference, settings_folder, settings, human)
        read = reference.paths_of([] if human is None else [human])
        return _accounted(competition, reference, read, settings), settings
    if human is not None:
        _refuse_answers(reference, settings)
    with _naming_unusual(reference):
        competition = _with_gold(folder, reference, settings_folder, settings, time_limit)
    read = reference.paths_of(reference.gold.values())
    return _accounted(competition, reference, read, settings), settings


def _accounted(
    competition: Competition,
    reference: Reference,
    read: Collection[PurePosixPath],
    settings: Settings,
) -> Competition:
    """Return the competition with notes on the files of INPUT/ref that were not ``read``."""
    several = competition.form == "teams"
    notes = about_reference(reference, read, settings, several=several)
    return replace(competition, notes=(*competition.notes, *notes))


def _without_gold(
    folder: Path,
    reference: Reference,
    settings_folder: Path | None,
    settings: Settings,
    human: DataFile | None,
) -> tuple[Competition, Settings]:
    """Return the competition of a table of all teams or of logs, with people's scores if any."""
    # Late: a run on a platform has a gold, and compiles what it loads.
    from .score_tables import table_of_all

    may_be_logs = not reference.gold and settings.layout == "auto"
    logs = folder / "res", settings_folder, settings
    if may_be_logs and (logged := table_of_all.of_logs(*logs)) is not None:
        return table_of_all.beside_people(logged, human, settings), settings
    # Without gold, the message must say so, however many files the upload holds.
    upload_settings = settings if reference.gold else replace(settings, layout="auto")
    upload = _upload(folder / "res", reference, upload_settings, settings.limits_of())
    if may_be_logs:
        _refuse_unknown_logs(folder / "res", settings.limits_of())
    judge, settings = table_of_all.read(upload, settings_folder, settings, reference, human)
    return table_of_all.beside_people(judge, human, settings), settings


def people_apart(reference: Reference, settings: Settings) -> tuple[Reference, DataFile | None]:
    """Return the reference data without people's scores beside a judge's, and their file, if any.

    Raises
    ------
    SettingsError
        There is no such file.
    """
    if settings.human is None:
        return reference, None
    return reference.without(settings.human, settings.where("human"))


def _check_human(settings: Settings) -> None:
    """Raise SettingsError if people's scores are stated in part, or beside what has no place."""
    if settings.human is None and settings.human_sample is not None:
        raise errors.SettingsError(
            f"{settings.where('human_sample')}: nothing says where people's scores are; name their "
            "table in ref/ with 'human', or remove this"
        )
    if settings.human is not None and (settings.format == "parquet" or settings.reader):
        raise errors.SettingsError(
            f"{settings.where('human')}: people's scores are for a table of scores or logs, and "
            "not beside Parquet parts or a 'reader'"
        )


def _refuse_answers(reference: Reference, settings: Settings) -> None:
    """Raise SettingsError, because people's scores correct a judge's, and no predictions."""
    golds = errors.listed(str(file.path) for file in reference.gold.values())
    raise errors.SettingsError(
        f"{settings.where('human')}: people's scores are for a table of a judge's scores, and ref/ "
        f"holds correct answers ({golds}); remove one of the two"
    )


def _with_gold(
    folder: Path,
    reference: Reference,
    settings_folder: Path | None,
    settings: Settings,
    time_limit: TimeLimit,
) -> Competition:
    """Return the competition of submissions that are scored against a gold."""
    refuse_settings_of_scores(settings, "ref")
    opened = parts.opened(reference.gold, settings_folder, settings)
    read_parts = partial(parts.read, reference.gold, opened, settings_folder, settings)
    limits = limits_of_golds(opened, settings)
    try:
        upload = _upload(folder / "res", reference, settings, limits)
    except errors.SubmissionError:
        read_parts()  # what the organizer has to mend comes first
        raise
    time_limit.check("found")
    look = FirstLook(upload, settings, limits)
    look.leave_companions_aside(opened[0])
    attempt = Attempt(reference.gold, settings_folder, settings, look.upload.sources, time_limit)
    where = settings_folder, settings, time_limit
    ask_which = partial(_ask_which_is_gold, folder, reference, upload, *where)
    try:
        with tried(attempt):
            golds, notes = read_parts(look.recognize)
    except errors.OrganizerError:
        ask_which(some=True)  # what cannot be the gold of a task may be no gold at all
        raise
    upload = look.upload_beside(golds[0].expected)
    limits = limits_of([part.expected for part in golds], settings)
    reader = SubmissionReader(golds, settings, limits, time_limit, look.tables)
    if upload.layout == "teams":
        are_texts = all(part.expected.kind == texts.KIND.name for part in golds)
        ask_which(_NAMES_OF_REFERENCES if are_texts else "")
        competition = _teams(upload, reader)
    else:
        rivals = reference.rivals(_conventions(reference, settings))
        competition = _single(upload.sources[0], rivals, reader)
    with tried(attempt):
        refuse_doubtful_beginnings(competition.parts, settings)
    notes = (*competition.notes, *_upload_notes(upload, settings), *notes, *reader.notes())
    overall = overall_metrics(golds, settings) if len(golds) > 1 else ()
    # What binds the columns of submissions holds the file of the gold, whose ids take memory.
    read_whole = [replace(part, binder=None) for part in competition.parts]
    competition = replace(
        competition,
        parts=tuple(read_whole),
        notes=notes,
        overall=overall,
        left_aside=upload.left_aside,
    )
    return by_usage(competition)


def _states_no_task(upload: Upload, reference: Reference) -> bool:
    """Whether no file of any upload is called like a task, after its reference data."""
    for source in upload.sources:
        for file in source.files.values():
            if split_task(file.exact_stems, reference.tasks):
                return False
    return True


def _ask_which_is_gold(
    folder: Path,
    reference: Reference,
    upload: Upload,
    settings_folder: Path | None,
    settings: Settings,
    time_limit: TimeLimit,
    further: str = "",
    *,
    some: bool = False,
) -> None:
    """Ask which file has the answers, where each is a task and no upload is called like one.

    The question ends with what may be meant ``further``. If it is about ``some`` alone, nothing is
    asked where every file may have them.

    Raises ReferenceDataError with the files by which alone more than half of the uploads are
    read, if there are any: all were tried.
    """
    is_known = upload.layout != "teams" or len(reference.gold) == 1
    if is_known or not _states_no_task(upload, reference):
        return
    uploads = len(upload.sources)
    where = settings.where("reference")
    lines = []
    fewest = uploads
    for file in reference.gold.values():
        path = str(file.path)
        try:
            only = reference.only(path, where)
            usable = len(_with_gold(folder, only, settings_folder, settings, time_limit).names)
        except errors.DeadheatError:
            continue
        if 2 * usable > uploads:
            name = path if re.fullmatch(r"[\w./-]+", path) else json.dumps(path)
            lines.append(f"  reference: {{file: {name}}}")
            fewest = min(fewest, usable)
    if not lines or (some and len(lines) == len(reference.gold)):
        return
    to_paste = "this line" if len(lines) == 1 else "one of these lines"
    told = f"{fewest} of {uploads}"
    if fewest < uploads:
        told = f"at least {told}"
    raise errors.ReferenceDataError(
        "\n".join(
            [
                f"ref: there are {len(reference.gold)} files of reference data, which would be "
                f"tasks ({errors.listed(reference.tasks)}), but no submission is called like one. "
                "Is one of them alone the reference data?",
                *lines,
                f"If so, put {to_paste} into ref/scoring.yaml. Tried: {told} submissions are "
                f"read. If the files are tasks, call the submissions' files like them.{further}",
            ]
        )
    )


@contextlib.contextmanager
def _naming_unusual(reference: Reference) -> Iterator[None]:
    """Where several files of reference data cannot be read, name the files that were not tried.

    Some formats are two files: a text, and what marks its passages beside it.
    """
    try:
        yield
    except OpenReading:
        raise
    except errors.ReferenceDataError as error:
        if not reference.unusual or len(reference.gold) == 1:
            raise
        count = len(reference.unusual)
        files_of = "1 file" if count == 1 else f"{count} files"
        raise errors.ReferenceDataError(
            f"{error}\nNot read in ref/, because the extension says no format: {files_of} "
            f"({listed(map(str, reference.unusual))}). If the answers are there, a 'reader' of "
            "your own reads them (docs/how-to/readers.md)"
        ) from error


def _of_parquet(
    folder: Path, settings_folder: Path | None, settings: Settings, time_limit: TimeLimit
) -> Competition:
    """Return the competition of folders of Parquet parts; raise SettingsError out of time."""
    from . import parquet_source  # late: no platform reads Parquet

    where = settings.workers, settings.backend, settings.scheduler
    with workforce(*where, time_limit) as run_each:
        try:
            return parquet_source.read_parts(folder, settings_folder, settings, run_each)
        except OutOfTime:
            time_limit.check("read", _MORE_TIME)
            raise


def _parts_of_gold(folder: Path) -> set[PurePosixPath]:
    """Return the paths of the gold's Parquet parts in INPUT/ref."""
    from .parquet_source import gold_paths  # late, as above

    reference = folder / "ref"
    parts_of_gold = gold_paths(reference)
    return {PurePosixPath(path.relative_to(reference).as_posix()) for path in parts_of_gold}


@dataclass(frozen=True)
class Attempt:
    """Reads everything once more with other settings: how many files then can be scored."""

    gold: Mapping[str, DataFile]
    settings_folder: Path | None
    settings: Settings
    sources: Sequence[Source]
    time_limit: TimeLimit

    def files_read(self, option: Option) -> int:
        """Return the number of files that are read with an option; 0 if the gold is not."""
        stated = description(option.settings["reference"], gold=True)
        settings = replace(self.settings, reference=stated)
        try:
            opened = parts.opened(self.gold, self.settings_folder, settings)
            golds, _ = parts.read(self.gold, opened, self.settings_folder, settings)
        except errors.OrganizerError:
            return 0
        limits = limits_of([part.expected for part in golds], settings)
        reader = SubmissionReader(golds, settings, limits, self.time_limit)
        return sum(any(entries) for entries, _ in reader.read(self.sources))


@contextlib.contextmanager
def tried(attempt: Attempt) -> Iterator[None]:
    """Keep those options of a question that work: with them more than half of the files are read.

    Raises ReferenceDataError with the question, and says what was tried.
    """
    try:
        yield
    except OpenReading as asking:
        number = len(attempt.sources)
        options = []
        counts = []
        for option in asking.question.options:
            count = attempt.files_read(option)
            if 2 * count > number:
                options.append(option)
                counts.append(count)
        if not counts:
            raise
        working = replace(asking.question, options=tuple(options))
        fewest = min(counts)
        told = f"Tried with these lines: at least {fewest} of {number} files are read."
        if fewest == number:
            told = f"Tried with these lines: {number} of {number} files are read."
        raise errors.ReferenceDataError(f"{OpenReading(working)} {told}") from asking


def refuse_doubtful_beginnings(parts: Sequence[Part], settings: Settings) -> None:
    """Raise OpenReading where lines of plain texts without ids may begin with ids."""
    described = settings.described(gold=True)
    for part in parts:
        gold = part.gold
        stated = described.is_of_table or described.format != "auto"
        if part.expected.kind != texts.KIND.name or stated or gold.ids is not None:
            continue
        (column,) = gold.targets[:1]
        lines = [*gold.columns[column]]
        suffix = formats.suffix(gold.file).lower()
        is_plain = gold.places.row_noun == LINE and suffix not in _STRUCTURED
        if not is_plain or not all(isinstance(line, str) for line in lines):
            continue
        sent = [
            [*map(str, submission.predictions[target])]
            for submission in part.entries
            if submission is not None
            for target in part.expected.targets
            if target.column == column
        ]
        from ..recognize.texts_rule import ask_about_beginnings  # late: for texts alone

        question = ask_about_beginnings(gold.file, lines, sent)
        if question is not None:
            raise OpenReading(question)


def _refuse_unknown_logs(folder: Path, limits: Limits) -> None:
    """Refuse files of JSON without correct answers: they may be logs, of a tool that is unknown.

    All files count, however deep they lie: a tool may write a folder for every question.
    """
    sent = [file for file in files.walk(folder, limits) if file.is_data]
    if len(sent) < 2 or not all(_is_json(file) for file in sent):
        return
    raise errors.ReferenceDataError(
        f"res: {sent[0].path} and {len(sent) - 1} more files of JSON, and no correct answers in "
        "ref/. If these are logs of evaluations, no tool is known that writes them so; say what "
        "their records hold, as in 'submissions: {columns: {unit: id, correct: score}}' with the "
        "names of their own keys, or write one table with a line for each system and unit "
        "(docs/how-to/logs.md). If they are predictions, ref/ lacks the correct answers, or a "
        "'reader' of your own"
    )


def _is_json(file: DataFile) -> bool:
    return formats.suffix(file.path.name).lower() in (".json", ".jsonl", ".ndjson")


def time_limit_of(settings: Settings, started: float | None) -> TimeLimit:
    """Return the limit that the time budget sets to reading and scoring, if its time counts."""
    if settings.time_budget is None or started is None:
        return ENDLESS
    return TimeLimit(settings.time_budget, started, settings.where("time_budget"))


def _conventions(reference: Reference, settings: Settings) -> layout.Conventions:
    return layout.Conventions(
        tasks=reference.tasks,
        gold=reference.stem,
        folder=reference.folder,
        other_tasks=settings.left_aside,
        pattern=settings.name_pattern,
        phase=settings.phase,
        bare_files=settings.bare_files == "accept",
        one_each=settings.layout != "teams",
        organizers_entries=tuple(filter(None, (*settings.baselines, settings.reference_entry))),
        whole=reference.names_in_whole if settings.reader else (),
    )


def limits_of(tasks: Collection[Expected], settings: Settings) -> Limits:
    """Return the limits of uploads: those that are set, and what the tasks' test sets need."""
    classes = (len(labels) for expected in tasks for labels in expected.targets.values())
    return settings.limits_of(sum(expected.total for expected in tasks), max(classes, default=0))


def limits_of_golds(golds: Collection[OpenGold], settings: Settings) -> Limits:
    """Return the limits of uploads before the columns of golds have roles."""
    classes = 0
    for gold in golds:
        for cells_of in () if gold.table is None else gold.table.columns:
            labels = different_count(cells_of)
            if 2 * labels <= len(cells_of):
                classes = max(classes, labels)
    return settings.limits_of(sum(gold.examples for gold in golds), classes)


def _upload(folder: Path, reference: Reference, settings: Settings, limits: Limits) -> Upload:
    conventions = _conventions(reference, settings)
    try:
        return layout.find_submissions(folder, settings.layout, conventions, limits)
    except errors.SubmissionError as error:
        if settings.anonymize and settings.layout != "single":  # else only its author reads it
            raise errors.SubmissionError(error.defect) from error
        raise


def _upload_notes(upload: Upload, settings: Settings) -> tuple[Phrase, ...]:
    """Return notes on what was not read. If entries are anonymous, they only count files."""
    notes = [*upload.notes]
    for reason, names in errors.by_reason(upload.left_aside).items():
        notes += [Phrase("Uploads left aside ({reason}): {files:n}.", reason=reason, files=names)]
    if upload.aside:
        notes += [Phrase("Not read as predictions: {files:n}.", files=upload.aside)]
    for place, note in enumerate(notes if settings.anonymize else ()):
        if isinstance(files := note.values.get("files"), tuple):
            notes[place] = note.with_values(files=len(files))
    return tuple(notes)


def duration(folder: Path) -> float | None:
    """Return the ``elapsedTime`` that Codabench measured for the submission, if it did.

    Its worker stops where there is a file ``metadata`` before it writes its own. CodaLab's worker
    adds to a participant's file, or keeps it: there, which INPUT/metadata shows, no file counts.
    """
    path = folder / "res" / "metadata"
    # The file is the platform's, so a defect is no reason to fail a submission.
    is_ours = path.is_file() and not (folder / "metadata").exists()
    if not is_ours or path.stat().st_size > _LONGEST_STATUS:
        return None
    match = _STATUS.fullmatch(path.read_bytes())
    elapsed = float(match[1]) if match else -1.0
    return elapsed if 0 <= elapsed < LARGEST else None


# Submissions --------------------------------------------------------------------------------------


#: What messages call submissions whose names are secret.
_ANOTHER = "another submission"
_A_SUBMISSION = "a submission"
#: Submissions with fewer bytes together are read in this process: it takes less time than to start
#: another one, and whatever they hold takes little memory. Where their kind is read with more
#: `speed`, so many times as much; then each file must have fewer.
_SMALL = 4 << 20
#: The same where the run has a time budget: a process can be ended when the time is over.
_SMALL_IN_TIME = 1 << 18
_MORE_TIME = "allow more time, or lower 'largest_file'"
#: What is found in one run: its entry in every part, None where it has none; and of such parts, the
#: reasons in words for the author.
_Found = tuple[Entries, Mapping[str, Phrase]]
#: Returns the entry in a part, by its number, from the content of a file and what messages call it,
#: under a name.
_Read = Callable[[int, bytes, str, str], Entry]


def _shown(file: DataFile, *, anonymous: bool) -> str:
    """Return what messages call a file: its path inside the upload may hold the team's name."""
    return f"predictions{formats.suffix(file.path.name)}" if anonymous else str(file.path)


@dataclass
class FirstLook:
    """Reads the tables of all submissions, before it is decided what their columns mean.

    ``tables`` maps a task and an entry to the table of its file. Files that cannot be read are left
    to the second look, which says why.
    """

    upload: Upload
    settings: Settings
    limits: Limits
    tables: dict[tuple[str, str], Table] = field(default_factory=dict)

    def recognize(self, gold: OpenGold) -> Recognition:
        """Return what the columns of a gold, and of all submissions for it, mean.

        A single submission has no say in it, and neither have files that other processes read.
        Where the settings state what submissions hold, nothing is left to be recognized.
        """
        small = are_read_here(self.upload.sources, self.settings)
        is_stated = is_stated_in_full(gold.settings.described())
        if gold.table is None or is_stated or not small:
            return parts.recognized_alone(gold, participants_read=self.upload.layout != "teams")
        readable = {}
        for source in self.upload.sources:
            with contextlib.suppress(Exception):  # the second look says why
                table = self._table(source, gold.task)
                readable[source.entry] = divided(table, gold.table, gold.targets)
        self.tables |= {(gold.task, entry): table for entry, table in readable.items()}
        if self.upload.layout != "teams" or not readable:
            return parts.recognized_with(gold, readable)
        recognition = recognize_rows(gold.table, readable, gold.needs, stated_of(gold.settings))
        helps = any(question.options for question in recognition.questions)
        if recognition.reading is None and recognition.unusable and not helps:
            # No statement would help: each file has a reason of its own.
            alone = parts.recognized_alone(gold)
            return replace(alone, unusable=recognition.unusable)
        return recognition

    def leave_companions_aside(self, gold: OpenGold) -> None:
        """Leave files aside that hold nothing of a gold of rows, the only one."""
        if gold.table is not None:
            self._leave_aside(gold.table, ROWS)

    def upload_beside(self, expected: Expected) -> Upload:
        """Return the upload; without files that hold nothing of another kind of test set."""
        every = expected.every
        if every.kind != ROWS:
            self._leave_aside(every, every.kind)
        return self.upload

    def _leave_aside(self, tested: Table | Expected, kind: str) -> None:
        is_own = self.settings.reader is not None or self.upload.layout != "teams"
        teams = {source.team for source in self.upload.sources}
        if len(teams) == len(self.upload.sources):
            return  # no file lies beside another
        tasks = {task for source in self.upload.sources for task in source.files}
        if is_own or tasks != {ONLY_TASK} or not are_read_here(self.upload.sources, self.settings):
            return
        from .companions import TestSet, without_companions  # late: few uploads hold several files

        if isinstance(tested, Table):
            test_set = TestSet.of_table(tested)
        else:
            test_set = TestSet(tested.known_ids, tested.total)
        read = partial(self._table, task=ONLY_TASK, kind=kind)
        self.upload = without_companions(self.upload, test_set, read)

    def _table(self, source: Source, task: str, kind: str = ROWS) -> Table:
        return _raw_table(source, task, self.settings, self.limits, kind)


def _raw_table(
    source: Source, task: str, settings: Settings, limits: Limits, kind: str = ROWS
) -> Table:
    """Return the table of a submission, whose columns have no roles."""
    file = source.file(task)
    described = settings.described()
    check_size(file.size, limits)
    return formats.read_examples(
        file.read(),
        _shown(file, anonymous=settings.anonymize),
        kind,
        described.syntax if kind == ROWS else described,
        limits=limits,
    )


def readings_of_reference(
    folder: Path, uploads: Sequence[Path]
) -> tuple[dict[str, Reading], Settings]:
    """Return what the files in ``folder``, as INPUT/ref, mean by task, and their settings.

    What submissions hold is learned from the ``uploads``, each as INPUT/res, and from the field;
    without any, it is what participants are to be asked for. There are no readings of what is no
    table of rows.

    Raises
    ------
    OrganizerError
        Gold or settings are wrong; or what the gold means is an open question.
    """
    reference = find_reference(folder, loading.FILE_NAME)
    settings = loading.load(reference.settings)
    loading.check_together(settings)
    reference, _ = people_apart(reference, settings)
    if (stated_file := settings.described(gold=True).file) is not None:
        reference = reference.only(stated_file, settings.where("reference"))
    is_table_of_scores = settings.layout in ("wide", "long") or not reference.gold
    if is_table_of_scores or settings.reader is not None or settings.format == "parquet":
        return {}, settings
    settings_folder = reference.settings.parent if reference.settings else None
    opened = parts.opened(reference.gold, settings_folder, settings)
    limits = limits_of_golds(opened, settings)
    sources = [*reference.rivals(_conventions(reference, settings))]
    for upload in uploads:
        with contextlib.suppress(errors.SubmissionError):
            sources.extend(_upload(upload, reference, settings, limits).sources)

    def recognized(gold: OpenGold) -> Recognition:
        assert gold.table is not None
        tables = {}
        for number, source in enumerate(sources):
            with contextlib.suppress(errors.SubmissionError, LimitExceeded):
                table = _raw_table(source, gold.task, settings, limits)
                tables[f"{source.entry}/{number}"] = divided(table, gold.table, gold.targets)
        return parts.recognized_with(gold, tables)

    golds, _ = parts.read(reference.gold, opened, settings_folder, settings, recognized)
    readings = {}
    for part in golds:
        if part.reading is not None and part.expected.kind != ROWS:
            part = _with_what_was_sent(part, sources, settings, limits)
        if part.reading is not None:
            readings[part.name] = part.reading
    return readings, settings


def _with_what_was_sent(
    part: Part, sources: Sequence[Source], settings: Settings, limits: Limits
) -> Part:
    """Return a part of another kind than rows with what was read of the submissions for it."""
    entries: list[Entries] = []
    for source in sources:
        with contextlib.suppress(errors.SubmissionError, LimitExceeded):
            table = _raw_table(source, part.name, settings, limits, part.expected.kind)
            read = entry.align(table, source.entry, part.expected, part.labels, "", None)
            entries.append((read,))
    return _with_what_was_read([part], settings, entries)[0]


def told_of_reference(folder: Path) -> tuple[Phrase, ...]:
    """Return notes on the files in ``folder``, as INPUT/ref, beside reference data of rows."""
    reference = find_reference(folder, loading.FILE_NAME)
    settings = loading.load(reference.settings)
    if (stated_file := settings.described(gold=True).file) is not None:
        reference = reference.only(stated_file, settings.where("reference"))
    read = reference.paths_of(reference.gold.values())
    return about_reference(reference, read, settings, several=False)


def are_read_here(
    sources: Sequence[Source], settings: Settings, time_limit: TimeLimit = ENDLESS, speed: int = 1
) -> bool:
    """Whether this process reads the files: they are small, and swell to little.

    Of some kinds, so many times as much is read with the ``speed`` of most.
    """
    small = _SMALL if time_limit.is_endless else _SMALL_IN_TIME
    sent = [file for source in sources for file in source.files.values()]
    swell = any(  # a file may take far more than its size to read
        file.size > small
        or file.path.name.lower().endswith(GZIP_EXTENSION)
        or formats.needs_pyarrow(file.path.name, settings.described())
        for file in sent
    )
    return not swell and sum(file.size for file in sent) <= speed * small


@dataclass
class SubmissionReader:
    """Reads submissions for the parts of a competition, and collects notes on how it read them."""

    parts: Sequence[Part]
    settings: Settings
    limits: Limits
    time_limit: TimeLimit = ENDLESS
    tables: Mapping[tuple[str, str], Table] = field(default_factory=dict)
    format_counts: Counter[str | Phrase] = field(default_factory=Counter)
    #: Entries with the names that notes may call them, "" if that is anonymous.
    noted: list[tuple[str, Entry]] = field(default_factory=list)
    #: Archives are unpacked one at a time, because the last one stays open for its next member.
    unpacking: Any = field(default_factory=threading.Lock)

    def read(
        self, sources: Sequence[Source], only: Source | None = None
    ) -> Generator[_Found, None, None]:
        """Yield what is found in every run, in the order of the ``sources``.

        ``only`` is the single submission that is compared with the others, if there is one: then
        they have secret names, and an unexpected error in reading it ends the program, because
        nothing is left to be scored. Any other makes one run unusable.

        Where files are large, other processes read what is no usual file. Raises SettingsError when
        the time is over.
        """
        described = self.settings.described()
        reader = self.parts[0].reader
        kinds = [formats.KINDS.get(part.expected.kind) for part in self.parts]
        speed = min(kind.speed if kind else 1 for kind in kinds)
        is_here = reader is None and are_read_here(sources, self.settings, self.time_limit, speed)
        with tempfile.TemporaryDirectory() if reader else contextlib.nullcontext() as folder:
            expected = [(part.expected, part.labels, part.binder) for part in self.parts]
            of_reader = None if reader is None else (reader, folder)
            here: _Read = partial(_read_entry, expected, described, of_reader, self.limits)
            reading: Iterator[_Found]
            if is_here:
                again = partial(self._read_once, here)
                reading = map(partial(self._found, again, only), sources)
            else:
                workers = min(self.settings.workers, len(sources))
                pool = Pool(partial(_in_worker, here), workers, self.limits, self.time_limit)
                apart = self._apart(here, pool)
                reading = pool.each(partial(self._found, apart, only, source) for source in sources)
            try:
                for attempted in reading:
                    self.time_limit.check("read", _MORE_TIME)
                    self.format_counts.update(
                        submission.form for submission in attempted[0] if submission is not None
                    )
                    entries, problems = attempted
                    # Not before the file's content is gone: large files are many bytes.
                    yield tuple(run and entry.unpacked(run) for run in entries), problems
            except OutOfTime:
                self.time_limit.check("read", _MORE_TIME)
                raise

    def _read_once(self, read: _Read, part: int, content: bytes, file: str, name: str) -> Entry:
        """Return the entry of a file whose table may have been read already."""
        table = self.tables.get((self.parts[part].name, name))
        if table is None or table.file != file:
            return read(part, content, file, name)
        part_read = self.parts[part]
        sha256 = digest(content)
        return entry.align(
            table, name, part_read.expected, part_read.labels, sha256, part_read.binder
        )

    def _found(self, read: _Read, only: Source | None, source: Source) -> _Found:
        """Return what is found in one run."""
        anonymous = only is None and self.settings.anonymize
        called = _A_SUBMISSION if anonymous else source.entry
        if only is not None:
            called = "this submission" if source is only else _ANOTHER
        entries: list[Entry | None] = []
        problems: dict[str, Phrase] = {}
        with self.time_limit.timed(called):
            for number, part in enumerate(self.parts):
                if self.time_limit.left <= 0:
                    raise OutOfTime
                shown_name = ""
                try:
                    file = source.file(part.name)
                    shown_name = _shown(file, anonymous=anonymous)
                    check_size(file.size, self.limits)
                    with self.unpacking:
                        content = file.read()
                    submission = read(number, content, shown_name, source.entry)
                    entry.refuse_unrelated(submission, part.gold, shown_name)
                    by_names = part.binder is None and part.expected.sent is None
                    if by_names and source.team not in self.settings.baselines:
                        entry.refuse_copied(submission, part.gold, part.labels, shown_name)
                    entries.append(submission)
                    continue
                except errors.SubmissionError as error:
                    why = error
                except LimitExceeded as error:
                    defect = Phrase("{limit}; send only the predictions", limit=error.limit)
                    why = errors.SubmissionError(defect, shown_name)
                except Exception as error:
                    if source is only:
                        raise
                    why = errors.SubmissionError(
                        errors.internal_of_upload(error).reason, shown_name
                    )
                entries.append(None)
                # The text before the defect holds the owner's file names.
                problems[part.name] = why.defect if anonymous else why.reason
        return tuple(entries), problems

    def _apart(self, here: _Read, pool: Pool) -> _Read:
        """Return what lets other processes read what is no usual file.

        Where the system starts no process, this one reads everything.
        """
        from .quick_reader import QuickReader  # late: most uploads are small

        described = self.settings.described()
        is_syntax_stated = replace(described, columns=(), header=None).says_something
        quick = []
        for part in self.parts:
            plain_files = part.binder.plain_files(part.expected) if part.binder else None
            quick.append(QuickReader.from_expected(part.expected, plain_files))

        def read(part: int, content: bytes, file: str, name: str) -> Entry:
            by_name = file.lower().endswith(formats.FORMATS["csv"].extensions)
            is_csv = described.format == "csv" or (described.format == "auto" and by_name)
            reader = quick[part] if is_csv and not is_syntax_stated else None
            usual = None if reader is None else reader.read(content)
            if reader is not None and usual is not None:
                label = formats.named("csv").label
                plain = Entry(name, {}, FileRows(), digest(content), form=label)
                if isinstance(usual.predictions, Coded):
                    plain = replace(plain, packed={reader.target: usual.predictions})
                else:
                    plain = replace(plain, predictions={reader.target: usual.predictions})
                binder = self.parts[part].binder
                if binder is None:
                    return plain
                side = binder.side_of_plain_file(
                    name, usual.header, usual.columns, self.parts[part].expected
                )
                return replace(plain, side=side)
            try:
                careful: Entry = pool.call(part, content, file, name)
            except CannotStart:
                return here(part, content, file, name)
            except NoAnswer as error:
                raise no_answer(error.cause, self.limits, file) from error
            return careful

        return read

    def notes(self) -> tuple[Phrase, ...]:
        """Return notes on how files were read, for the log and the page.

        One that is about a single file names its entry, others say the number of files. Missing
        predictions count as wrong.
        """
        if not self.format_counts:
            return ()
        formats_met = [
            Phrase("{files:n} {format}", files=number, format=form)
            for form, number in self.format_counts.most_common()
        ]
        notes = [Phrase("Format: {formats}.", formats=tuple(formats_met))]
        sent = len(self.noted)
        entries = grouped(
            (note, name) for name, submission in self.noted for note in submission.notes
        )
        for note, names in entries.items():
            if sent > 1 and len(names) == 1 and names[0]:
                note = Phrase("{entry}: {note}", note=note, entry=names[0])
            elif sent > 1:
                note = Phrase(
                    "{note} ({found:n} of {files:n} files)", note=note, found=len(names), files=sent
                )
            notes.append(note)
        missing: Counter[str] = Counter()
        for name, submission in self.noted:
            missing[name] += submission.missing
        if missing.total():
            total = Phrase(*MISSING, count=missing.total())
            counts = sorted(missing.items())
            named = tuple(f"{name} ({count})" for name, count in counts if name and count)
            by_entry = Phrase(BY_ENTRY, note=total, entries=named)
            notes.append(by_entry if sent > 1 and named else total)
        return tuple(notes)


def _teams(upload: Upload, reader: SubmissionReader) -> Competition:
    """Return the competition of the submissions of several teams."""
    settings = reader.settings
    parts = reader.parts
    _refuse_unordered(upload.sources, settings, named=not settings.anonymize)
    runs = Counter(source.team for source in upload.sources)
    entries: list[Entries] = []
    unusable = []
    unscored = []
    sources = sorted(upload.sources, key=lambda source: source.entry)
    for source, (submission, problems) in zip(sources, reader.read(sources), strict=True):
        if not any(submission):
            unusable.append(errors.LeftOut(source.entry, joined(problems.values())))
            continue
        if source.team not in settings.baselines:
            _refuse_gold(source, submission, parts)
        unscored += [Unscored(len(entries), task, why) for task, why in problems.items()]
        entries.append(submission)
        name = "" if settings.anonymize else source.entry
        reader.noted += [
            (name, entry_of_part) for entry_of_part in submission if entry_of_part is not None
        ]
    parts = _with_entries(_with_what_was_read(parts, settings, entries), entries)
    _refuse_unscored(parts, settings)
    notes = [Phrase("Layout: teams, {teams:n} found.", teams=len(runs))]
    sent = Counter((source.team, source.day) for source in upload.sources if source.day)
    if settings.runs == "last" and max(sent.values(), default=0) > 1:
        notes.append(_SAME_DAY)
    return Competition(
        form="teams",
        parts=parts,
        unusable=tuple(unusable),
        unscored=tuple(unscored),
        runs=runs,
        teams={source.entry: source.team for source in upload.sources},
        notes=tuple(notes),
    )


def _refuse_gold(source: Source, entries: Sequence[Entry | None], parts: Sequence[Part]) -> None:
    """Refuse a copy of the reference data, called like them, among the teams: it would win."""
    for entries_of_part, part in zip(entries, parts, strict=True):
        file = source.files.get(part.name)
        if file is None or entries_of_part is None or entries_of_part.sha256 != part.gold.sha256:
            continue
        like_gold = PurePosixPath(part.gold.file).stem == source.team
        if like_gold or is_copy_of_gold(file.stems[-1]):
            raise errors.ReferenceDataError(
                f"res: {str(file.path)!r} is a copy of the reference data, {part.gold.file}; "
                "remove it or, if it is a baseline, name it in the setting 'baselines'"
            )


def _refuse_unscored(parts: Sequence[Part], settings: Settings) -> None:
    """Ask for columns where most submissions predict another column of the gold, too.

    Settings that state the answers have decided between these columns.
    """
    is_stated = stated_of(settings).answer is not None
    if is_stated or any(spec.column is not None for spec in settings.metrics):
        return
    for part in parts:
        unscored = [entry.unscored for entry in part.entries if entry is not None]
        differences = grouped(
            (name, differs) for of_entry in unscored for name, differs in of_entry.items()
        )
        differing = [
            name
            for name, flags in differences.items()
            if 2 * len(flags) > len(unscored) and any(flags)
        ]
        if differing and part.expected.columns:
            scored = listed(map(repr, part.expected.columns))
            columns = "column" if len(differing) == 1 else "columns"
            raise errors.SettingsError(
                f"{settings.where('metrics')}: {part.gold.file} and the submissions have the "
                f"{columns} {listed(map(repr, differing))}, too, but only {scored} is scored; say "
                "which one each metric scores, with 'column:', or state the answers, as in "
                f"'reference: {{columns: {{answer: {part.expected.columns[0]}}}}}'"
            )


def _refuse_unordered(sources: Sequence[Source], settings: Settings, *, named: bool) -> None:
    """Ask where only the last run of a team counts, and nothing says which one that is."""
    if settings.runs != "last":
        return
    for runs in grouped((source.team, source) for source in sources).values():
        names = [source.run or "" for source in runs]
        if len(runs) > 1 and not (all(source.day for source in runs) or are_in_time(names)):
            which = f" ({listed(source.entry for source in runs)})" if named else ""
            raise errors.SettingsError(
                f"{settings.where('runs')}: the names of a team's runs do not say which one is the "
                f"last{which}; number them, as run1 and run2, begin them with dates, as "
                "2025-01-31, or leave only the last one"
            )


def _single(source: Source, rivals: Sequence[Source], reader: SubmissionReader) -> Competition:
    """Return the competition of one submission and the field, if there is one.

    With ``missing_task: worst``, the submission may lack files for tasks, but not for all. It gets
    the metrics' worst values there, and so do rivals: who wins is the same whoever is in focus.
    """
    _refuse_unordered(rivals, reader.settings, named=False)  # their names are secret
    reading = reader.read([source, *rivals], source)
    submission, problems = next(reading)
    worst_if_missing = reader.settings.missing_task == "worst"
    may_lack = worst_if_missing and any(submission)
    lacking = {*problems} - source.files.keys() if may_lack else set[str]()
    if problems.keys() - lacking:  # leaderboards show every task
        reading.close()
        raise errors.SubmissionError(joined(problems.values()))
    # The notes of rivals are secret.
    reader.noted += [
        (source.entry, entry_of_part) for entry_of_part in submission if entry_of_part is not None
    ]
    entries: dict[str, Entries] = {}
    withheld = []
    for rival, (rival_entries, why) in zip(rivals, reading, strict=True):
        if any(rival_entries):
            entries[rival.entry] = rival_entries
        else:
            withheld.append(errors.LeftOut(rival.entry, joined(why.values())))
    name = source.entry
    while name in {rival.entry for rival in rivals}:
        name += "*"
    entries[name] = tuple(item and replace(item, name=name) for item in submission)
    layout = Phrase("Layout: one submission.")
    if rivals:
        layout = Phrase("Layout: one submission and a field of {others:n}.", others=len(rivals))
    focus = sorted(entries).index(name)
    tasks = [part.name for part in reader.parts if part.name in lacking]
    return Competition(
        form="field" if rivals else "single",
        parts=_with_entries(
            _with_what_was_read(reader.parts, reader.settings, [entries[name]]),
            [entries[called] for called in sorted(entries)],
        ),
        focus=focus,
        withheld=tuple(withheld),
        unscored=tuple(
            Unscored(focus, task, Phrase(LACKS_TASK, task=repr(task))) for task in tasks
        ),
        teams={name: name, **{rival.entry: rival.team for rival in rivals}},
        notes=(layout,),
        worst_if_missing=worst_if_missing,
    )


def _with_what_was_read(
    parts: Sequence[Part], settings: Settings, entries: Sequence[Entries]
) -> tuple[Part, ...]:
    """Return the parts with what was read, and what not, of the entries that can be used.

    The columns of rivals are secret, so these are not among the ``entries``.
    """
    accounted = []
    for number, part in enumerate(parts):
        sent_here = [entry_parts[number] for entry_parts in entries]
        present = [entry for entry in sent_here if entry is not None]
        sides = [entry.side for entry in present if entry.side is not None]
        sent = part.expected.sent
        if part.expected.kind != ROWS:
            from .filled_readings import side_of_entry  # late: of other kinds than rows

            read_sides = [side_of_entry(entry, part.expected, settings) for entry in present]
            sides = [side for side in read_sides if side is not None]
            sent = None
        if part.reading is not None and sent is not None:
            described = settings.described()
            reading = reading_as_stated(part.reading, sent, present, described)
            part = replace(part, reading=reading)
        elif part.reading is not None and sides:
            part = replace(part, reading=replace(part.reading, submissions=merged_sides(sides)))
        accounted.append(part)
    return tuple(accounted)


def _with_entries(parts: Sequence[Part], entries: Sequence[Entries]) -> tuple[Part, ...]:
    with_entries = []
    for number, part in enumerate(parts):
        entries_of_part = tuple(in_parts[number] for in_parts in entries)
        with_entries.append(replace(part, entries=entries_of_part))
    return tuple(with_entries)


def _read_entry(
    parts: Sequence[tuple[Expected, Mapping[str, Labels], Binder | None]],
    described: FileDescription,
    reader: tuple[FileFunction, str | None] | None,
    limits: Limits,
    part: int,
    content: bytes,
    file: str,
    name: str,
) -> Entry:
    """Return the entry of one file in a part, called ``name``; raise SubmissionError.

    ``reader`` is the organizer's, which gets files in the folder beside it.
    """
    expected, labels, binder = parts[part]
    if reader is None:
        is_bound = expected.kind == ROWS and (binder is not None or expected.sent is not None)
        how = described.syntax if is_bound else described
        table = formats.read_examples(content, file, expected.kind, how, limits=limits)
    else:
        with silenced(output=True):
            code = reader[0].path
            of_folders = reader[0].of_folders
            table = readers.read(reader[0], code, of_folders, content, file, folder=reader[1])
    return entry.align(table, name, expected, labels, digest(content), binder)


def _in_worker(read: _Read, part: int, content: bytes, file: str, name: str) -> Entry:
    """Let a reader read. A traceback does not reach the parent, so the error says the place."""
    try:
        return read(part, content, file, name)
    except errors.DeadheatError:
        raise
    except Exception as error:
        raise errors.internal_of_upload(error) from error
