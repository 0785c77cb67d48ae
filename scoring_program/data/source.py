"""From the folder INPUT to a competition: settings, gold and submissions."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core import cells
from ..core.bounds import ENDLESS, TimeLimit
from ..core.errors import LeftOut, ReferenceDataError, SettingsError, SubmissionError, by_reason
from ..core.phrases import Phrase
from ..core.pool import workforce
from ..reading import layout
from ..reading.formats.fields import TARGET_NAMES, USAGE
from ..reading.layout import Upload
from ..reading.limits import Limits
from ..reading.names import printable
from ..reading.reference import Reference, find_reference
from ..settings import loading
from ..settings.model import Settings
from . import entry, parts, submissions
from .competition import Competition, Part, by_usage, overall_metrics
from .gold import Gold, digest, read_gold, read_headed, refuse_usage
from .joining.expected import Expected

if TYPE_CHECKING:
    from ..reading.logs import Logs
    from .score_tables.score_roles import NamedColumns

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
    time_limit = ENDLESS if started is None else time_limit_of(settings, started)
    if settings.format == "parquet":
        from . import parquet_source

        where = settings.workers, settings.backend, settings.scheduler
        with workforce(*where, time_limit) as each:
            return parquet_source.read_parts(folder, settings_folder, settings, each), settings
    if settings.reader is not None:
        reference = reference.for_reader()
    if not reference.gold and settings.layout == "auto":
        from ..reading import logs

        facts = [name for _, name in settings.design_columns]
        described = settings.described()
        if (found := logs.read(folder / "res", settings.limits(), facts, described)) is not None:
            return _of_logs(found, settings_folder, settings), settings
    if not reference.gold or settings.layout in ("wide", "long"):
        # Without gold, the message must say so, however many files the upload holds.
        upload_settings = settings if reference.gold else replace(settings, layout="auto")
        upload = _upload(folder / "res", reference, upload_settings, settings.limits())
        return _read_table_of_all(upload, settings_folder, settings, reference.unread)
    _refuse_settings(settings, "ref")
    # The organizer's files come first, because a participant cannot fix them.
    golds, notes = parts.read(reference.gold, settings_folder, settings)
    limits = limits_of([part.expected for part in golds], settings)
    upload = _upload(folder / "res", reference, settings, limits)
    time_limit.check("found")
    reader = submissions.SubmissionReader(golds, settings, limits, time_limit)
    if upload.layout == "teams":
        competition = submissions.teams(upload, reader)
        if reference.field:
            notes = (*notes, _FIELD_UNREAD)
    else:
        rivals = reference.rivals(_conventions(reference, settings))
        competition = submissions.single(upload.sources[0], rivals, reader)
    notes = (*competition.notes, *_upload_notes(upload, settings), *notes, *reader.notes())
    overall = overall_metrics(golds, settings) if len(golds) > 1 else ()
    competition = replace(competition, notes=notes, overall=overall, left_aside=upload.left_aside)
    return by_usage(competition), settings


def time_limit_of(settings: Settings, started: float) -> TimeLimit:
    """Return the limit that the time budget sets to reading and scoring."""
    if settings.time_budget is None:
        return ENDLESS
    return TimeLimit(settings.time_budget, started, settings.where("time_budget"))


def _conventions(reference: Reference, settings: Settings) -> layout.Conventions:
    return layout.Conventions(
        tasks=reference.tasks,
        gold=reference.stem,
        other_tasks=settings.other_tasks,
        pattern=settings.name_pattern,
        phase=settings.phase,
        bare_files=settings.bare_files == "accept",
        one_each=settings.layout != "teams",
        own=tuple(filter(None, (*settings.baselines, settings.reference_entry))),
        whole=reference.names_in_whole if settings.reader else (),
    )


def limits_of(tasks: Collection[Expected], settings: Settings) -> Limits:
    """Return the limits of uploads: those that are set, and what the tasks' test sets need."""
    examples = sum(expected.total for expected in tasks)
    of_targets = (labels for expected in tasks for labels in expected.targets.values())
    classes = max(map(len, of_targets), default=0)
    return settings.limits(examples, classes)


def _upload(folder: Path, reference: Reference, settings: Settings, limits: Limits) -> Upload:
    conventions = _conventions(reference, settings)
    try:
        return layout.find_submissions(folder, settings.layout, conventions, limits)
    except SubmissionError as error:
        if settings.anonymize and settings.layout != "single":  # else only its author reads it
            raise SubmissionError(error.defect) from error
        raise


def _upload_notes(upload: Upload, settings: Settings) -> tuple[Phrase, ...]:
    """Return notes on what was not read. If entries are anonymous, they only count files."""
    notes = upload.notes
    for reason, names in by_reason(upload.left_aside).items():
        notes = (
            *notes,
            Phrase("Uploads left aside ({reason}): {files:n}.", reason=reason, files=names),
        )
    if upload.aside:
        notes = (*notes, Phrase("Not read as predictions: {files:n}.", files=upload.aside))
    if not settings.anonymize:
        return notes
    return tuple(
        note.with_values(files=len(files))
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
    match = _STATUS.fullmatch(path.read_bytes())
    elapsed = float(match[1]) if match else -1.0
    return elapsed if 0 <= elapsed < cells.LARGEST else None


_FIELD_UNREAD = Phrase(
    "ref/submissions was not read: a single submission is compared with it, and there are several."
)
#: What messages call an anonymous team's column.
_NAMELESS = "prediction"


def _read_table_of_all(
    upload: Upload, settings_folder: Path | None, settings: Settings, unread: str = ""
) -> tuple[Competition, Settings]:
    """Read a table of all teams: of scores, preferences, or predictions next to a gold column.

    Of preferences, the returned settings say what is resampled. ``settings_folder`` holds the
    organizer's own metrics. ``unread`` says for messages what lies in INPUT/ref and cannot be read.
    """
    # Late, here and below: a run on a platform has a gold, and compiles what it loads.
    from .score_tables.battles import battle_roles, of_battles, resampled_by
    from .score_tables.score_names import Door
    from .score_tables.score_roles import has_gold, roles_of
    from .score_tables.score_table import scored_elsewhere

    several = "; or join tables of scores, or of preferences, into one file" * (
        len(upload.sources) > 1
    )
    missing = ReferenceDataError(
        f"ref: there are no reference data{unread}; put a gold.csv with the columns id and label "
        f"there{several}"
    )
    if len(upload.sources) != 1:
        raise missing
    (file,) = upload.sources[0].files.values()
    content, path = file.read(), str(file.path)
    table = read_headed(content, path, settings, settings.described())
    columns = table.named
    given: dict[str, Any] = {"settings_folder": settings_folder, "sha256": digest(content)}
    if (sides := battle_roles(table, settings)) is not None:
        refuse_usage(path, columns.get(USAGE, ()))
        settings = resampled_by(table, sides, settings)
        return of_battles(table, sides, settings, **given), settings
    roles = roles_of(columns, settings, Door(path))
    if roles is not None:
        refuse_usage(path, columns.get(USAGE, ()))
        return scored_elsewhere(table, roles, settings, **given), settings
    if has_gold(columns, settings):
        _refuse_settings(settings, path)
    gold = read_gold(content, path, settings, wide=True)
    column = next((spec.column for spec in settings.metrics if spec.column), None)
    if column is None and gold.targets and gold.targets[0].casefold() in TARGET_NAMES:
        column = gold.targets[0]
    used = {column, *(name for _, name in settings.design_columns)}
    teams = [name for name in gold.targets if name not in used]
    if not teams or column is None:
        raise missing
    if settings.layout != "wide":
        _refuse_odd(path, {name: gold.columns[name] for name in teams})
    part, notes = parts.of_gold("", gold, settings_folder, settings, column=column)
    problem = Phrase(
        "Layout: a wide table of {systems:n} systems, gold in column {column}.",
        systems=len(teams),
        column=repr(column),
    )
    competition = _of_columns(gold, teams, part, settings, (problem, *gold.notes, *notes))
    return by_usage(competition), settings


def _refuse_settings(settings: Settings, file: str) -> None:
    """Refuse settings of tables of scores where predictions are scored; raise SettingsError."""
    better = "greater_is_better"
    for key in ("unit", "system", "sample", better):
        if getattr(settings, key) is not None:
            instead = f"give each metric its own '{key}'" if key == better else "remove it"
            raise SettingsError(
                f"{settings.where(key)}: the setting is for tables of scores, but {file} holds "
                f"correct answers; {instead}"
            )


def _of_logs(found: Logs, settings_folder: Path | None, settings: Settings) -> Competition:
    """Return the competition of the systems whose evaluations were logged.

    Tools log scores of which higher ones are better, unless the name of one says otherwise. Files
    that only the settings describe are of no tool.
    """
    from ..reading import logs
    from .score_tables.score_metrics import usually_higher
    from .score_tables.score_roles import Roles
    from .score_tables.score_table import logs_note, scored_elsewhere

    for key, name in settings.table_columns:
        said = f"the logs of {found.tool} say" if found.tool else "'submissions' says"
        raise SettingsError(
            f"{settings.where(key)}: {said} what is a unit, a system and a sample; leave {name!r} "
            "out"
        )
    columns = found.table.named
    task, sample = (name if name in columns else None for name in (logs.TASK, logs.SAMPLE))
    roles = Roles((logs.UNIT,), logs.SYSTEM, task, found.scores, sample)
    is_usual = settings.greater_is_better is None and found.tool
    cells_of_all = "\n".join(cell for values in columns.values() for cell in values)
    competition = scored_elsewhere(
        found.table,
        roles,
        settings,
        settings_folder=settings_folder,
        sha256=digest(cells_of_all.encode()),
        higher=usually_higher(found.scores) if is_usual else (),
    )
    notes = [*found.notes]
    if found.tool:
        notes.insert(0, logs_note(found.tool, competition))
    if found.chosen:
        named = tuple(f"{metric} ({task})" for task, metric in found.chosen.items())
        notes.append(Phrase("Each task is scored by its first metric: {metrics}.", metrics=named))
    return replace(competition, notes=(*notes, *competition.notes))


def _refuse_odd(file: str, columns: NamedColumns) -> None:
    """Refuse columns beside a gold that look like no team's predictions.

    Raises ReferenceDataError that names them.
    """
    from .score_tables.score_names import Door, unlike_entries

    if odd := unlike_entries(columns):
        raise ReferenceDataError(
            f"{file}: it is not certain which columns hold predictions of teams: {'; '.join(odd)}. "
            "Remove such columns, or name them with 'group' or 'slices'. If they hold predictions, "
            f"say so {Door(file).asks({'layout': 'wide'})}"
        )


def _of_columns(
    gold: Gold, teams: Sequence[str], part: Part, settings: Settings, notes: tuple[Phrase, ...]
) -> Competition:
    """Return the competition of the columns ``teams`` of a table."""
    printable_names = {name: printable(name) for name in teams}
    entries, unusable = [], []
    for name in sorted(teams):
        column_name = _NAMELESS if settings.anonymize else name
        table = replace(gold, columns={column_name: gold.columns[name]})
        try:
            read_column = entry.from_wide(column_name, table, part.expected)
            entries.append(replace(read_column, name=printable_names[name]))
        except SubmissionError as error:
            unusable.append(LeftOut(printable_names[name], error.reason))
    return Competition(
        form="teams",
        parts=(replace(part, entries=tuple(entries)),),
        unusable=tuple(unusable),
        runs=dict.fromkeys(printable_names.values(), 1),
        teams={name: name for name in printable_names.values()},
        notes=notes,
    )
