"""One table of all teams or systems: predictions beside a gold column, scores, or preferences.

Logs of evaluations become a table of scores, too. In a table of preferences, each line names two
entries, and which of them was preferred. Its columns are known by their names. There is no gold:
the entries are those that the table names, and what is resampled is a line, or what the setting
``group`` names: prompts, judges. Without it, the lines of a prompt are resampled together.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ...core import errors
from ...core.arrays import Array
from ...core.errors import listed, quoted
from ...core.phrases import EXAMPLES_SHOWN, Phrase
from ...metrics import Metric, resolve, without_formulas
from ...metrics.families.preferences import DEFINITIONS, LEFT, RIGHT, STRENGTH, Battles
from ...reading import logs
from ...reading.files import DataFile
from ...reading.formats.fields import repeated_name
from ...reading.formats.kind import UNITS
from ...reading.layout import Upload
from ...reading.names import printable
from ...reading.reference import Reference
from ...reading.table import FileRows, NamedColumns, Table
from ...recognize.by_names.gold_columns import answers_among_teams
from ...recognize.of_kinds.roles_by_name import is_id
from ...recognize.tables_of_scores.preference_columns import LETTERS, Sides, half_wins
from ...recognize.tables_of_scores.score_columns import Roles, has_gold
from ...recognize.tables_of_scores.score_names import (
    ANNOTATOR,
    USER,
    asks,
    looks_like,
    plain_name,
    unlike_entries,
)
from ...recognize.tables_of_scores.scores_rule import (
    ScoresRecognition,
    group_of_prompts,
    prompt_of,
    recognize_roles,
    recognize_scores,
)
from ...recognize.usual_names import USAGE
from ...settings.checks import MetricSpec
from ...settings.model import Settings
from .. import entry
from ..competition import NOT_CONNECTED, Competition, Part, by_usage
from ..filled_readings import reading_of_part
from ..gold import (
    Gold,
    as_gold,
    digest,
    gold_of,
    other_columns,
    read_headed,
    refuse_settings_of_scores,
    refuse_usage,
    with_context,
)
from ..joining.submission import Entry
from ..parts import of_gold, of_scores, ranking_first
from ..targets import target_of
from . import people_table
from .given_table import ScoreTable, stated_roles
from .score_metrics import needs_of
from .score_table import scored_elsewhere, settings_of_runs

#: What the page calls the examples; see `Gold.kind`.
BATTLES = "battles"
#: Settings about correct answers, about the uploads of teams, and about several tasks.
_WITHOUT_EFFECT = (
    *("missing", "extra_ids", "labels", "id_column", "reference", "reader"),
    *("layout", "runs", "name_pattern", "phase", "bare_files", "other_tasks"),
    *("overall", "missing_task"),
)
_USUAL = Settings()
#: Of so many different lines, all occur an even number of times only if the table was pasted twice;
#: of fewer, only if the second half repeats the first.
_MANY = 20
_SOME = 8
#: What messages call an anonymous team's column.
_NAMELESS = "prediction"


def read(
    upload: Upload,
    settings_folder: Path | None,
    settings: Settings,
    reference: Reference,
    human: DataFile | None = None,
) -> tuple[Competition, Settings]:
    """Read a table of all teams: of scores, preferences, or predictions next to a gold column.

    Of preferences, the returned settings say what is resampled. ``settings_folder`` holds the
    organizer's own metrics. The ``reference`` is for messages. ``human`` is the file of people's
    scores, which go beside a table of scores.
    """
    missing = _no_answers(upload, reference, settings) if human is None else _no_judge(settings)
    if len(upload.sources) != 1:
        raise missing
    (file,) = upload.sources[0].files.values()
    content = file.read()
    path = str(file.path)
    sample = settings.sample
    if human is not None and sample is not None:
        settings = _settings_of_judge(content, path, settings, human)
    table, settings, roles = _table_and_roles(content, path, settings)
    columns = table.named
    sha256 = digest(content)
    score_table = ScoreTable(table, settings, sha256, settings_folder, roles=roles)
    calls = tuple(name for name in settings.described().roles if name not in roles)
    score_table = replace(score_table, calls=calls)
    statements = score_table.statements()
    scored = score_table.without_costs()
    recognition = recognize_scores(scored, statements, partial(needs_of, score_table))
    score_table.raise_if_open(recognition)
    if recognition.reading is not None:
        refuse_usage(path, columns.get(USAGE, ()))
    if recognition.sides is not None:
        return of_battles(score_table, recognition)
    if recognition.roles is not None:
        competition = scored_elsewhere(score_table, recognition)
        return competition, settings_of_runs(recognition, replace(settings, sample=sample))
    if has_gold(columns, statements):
        refuse_settings_of_scores(settings, path)
    wide = _of_wide_table(as_gold(table, settings, sha256, wide=True), settings_folder, settings)
    if wide is None:
        raise missing
    return wide, settings


def _of_wide_table(
    gold: Gold, settings_folder: Path | None, settings: Settings
) -> Competition | None:
    """Return the competition of a table of predictions next to a gold column; None if it has none.

    Raises
    ------
    ReferenceDataError
        A column may be no team's predictions.
    """
    column = next((spec.column for spec in settings.metrics if spec.column), None)
    if column is None:
        column = answers_among_teams(gold.targets)
    used = {column, *(name for _, name in settings.design_columns)}
    teams = [name for name in gold.targets if name not in used]
    if not teams or column is None:
        return None
    if settings.layout != "wide":
        _refuse_odd(gold.file, {name: gold.columns[name] for name in teams})
    part, notes = of_gold("", gold, settings_folder, settings, column=column)
    problem = Phrase(
        "Layout: a wide table of {systems:n} systems, gold in column {column}.",
        systems=len(teams),
        column=repr(column),
    )
    part = replace(part, reading=reading_of_part(part, settings, teams, column))
    competition = _of_columns(gold, teams, part, settings, (problem, *gold.notes, *notes))
    return by_usage(competition)


def _settings_of_judge(content: bytes, path: str, settings: Settings, human: DataFile) -> Settings:
    """Return the settings by which a judge's table is read beside people's."""
    table, *_ = _table_and_roles(content, path, replace(settings, sample=None))
    of_people = _table_of_people(human, settings).named
    return people_table.settings_for_judge(settings, table.named, of_people)


def _table_and_roles(
    content: bytes, path: str, settings: Settings
) -> tuple[Table, Settings, dict[str, Any]]:
    """Return the table below its header, the settings, and role → column as 'submissions' says.

    Other keys of 'columns' are what settings call a column, which then has this name. So are roles
    where the file has no header.
    """
    described = settings.described()
    roles = stated_roles(described.roles)
    if described.header is False or any(isinstance(name, int) for name in described.roles.values()):
        table = read_headed(content, path, settings, wide=True)
        return table, settings, {role: role for role in roles if role in table.named}
    if not roles:
        return read_headed(content, path, settings, wide=True), settings, {}
    calls = {name: called for name, called in described.roles.items() if name not in roles}
    names = {column: name for name, column in calls.items()}
    context = {name: roles[name] for _, name in settings.design_columns if name in roles}
    settings = with_context(settings, context)
    syntax = replace(settings, submissions=described.syntax)
    named = [*roles.values(), *calls.values()]
    table = read_headed(content, path, syntax, wide=True, named=_flat(named))
    for column in calls.values():
        if column not in table.named:
            raise errors.SettingsError(
                f"{settings.where('submissions')}: {path} has no column {column!r}"
                f"{other_columns(str(column), table.named)}"
            )
    for stated in (_flat(roles.values()), [*calls.values()]):
        if repeated := repeated_name(stated):
            raise errors.SettingsError(
                f"{settings.where('submissions')}: 'columns' states {repeated!r} of {path} twice; "
                "state each column once"
            )
    # A column gives way to the one that settings call like it.
    shadowed = {*names.values()} - {*names} - {*_flat(roles.values())}
    table = table.with_columns({n: c for n, c in table.named.items() if n not in shadowed})
    header = tuple(names.get(name, name) for name in table.named)
    renamed: dict[str, Any] = {}
    for role, column in roles.items():
        if isinstance(column, str):
            renamed[role] = names.get(column, column)
        else:
            renamed[role] = tuple(names.get(name, name) for name in column)
    return replace(table, header=header), settings, renamed


def _flat(columns: Iterable[Any]) -> list[str]:
    """Return the names of columns, each alone or among several."""
    names: list[str] = []
    for column in columns:
        names.extend((column,) if isinstance(column, str) else column)
    return names


def of_logs(folder: Path, settings_folder: Path | None, settings: Settings) -> Competition | None:
    """Return the competition of the systems whose evaluations were logged in a folder.

    Tools log scores of which higher ones are better, unless the name of one says otherwise. Files
    that only the settings describe are of no tool. None if the folder holds no logs.
    """
    facts = [name for _, name in settings.design_columns]
    logged = logs.read(
        folder,
        settings.limits_of(),
        facts,
        settings.described(),
        has_runs=settings.runs == "mean",
    )
    if logged is None:
        return None
    table, scores, tool = logged
    for key, name in settings.table_columns:
        source = f"the logs of {tool} say" if tool else "'submissions' says"
        raise errors.SettingsError(
            f"{settings.where(key)}: {source} what is a unit, a system and a sample; "
            f"leave {name!r} out"
        )
    columns = table.named
    optional = (logs.TASK, logs.SAMPLE, logs.SEED)
    task, sample, seed = (name if name in columns else None for name in optional)
    roles = Roles((logs.UNIT,), logs.SYSTEM, task, scores, sample, seed)
    cells_of_all = "\n".join(cell for values in columns.values() for cell in values)
    score_table = ScoreTable(table, settings, digest(cells_of_all.encode()), settings_folder)
    recognition = recognized_logs(score_table, roles, tool)
    return scored_elsewhere(score_table, recognition, tool)


def beside_people(judge: Competition, file: DataFile | None, settings: Settings) -> Competition:
    """Return the competition of a judge's scores with people's in a ``file``; as it is without.

    Raises
    ------
    SettingsError
        People's units are not stated to be a random sample, or these are no scores.
    ReferenceDataError
        People's table cannot be read, or does not fit the judge's.
    """
    if file is None:
        return judge
    people_table.check_statements(settings)
    path = str(file.path)
    _refuse_other_kinds(judge, settings)
    content = file.read()
    table = _table_of_people(file, settings)
    of_people = people_table.settings_for_people(settings, table.named, judge)
    roles = people_table.roles_for_people(settings, table.named)
    people = ScoreTable(table, of_people, digest(content), roles=roles)
    recognition = recognize_scores(table, people.statements(), partial(needs_of, people))
    people.raise_if_open(recognition)
    if recognition.roles is None:
        raise errors.ReferenceDataError(
            f"{path}: it holds no scores of systems; give people's scores the form of the judge's: "
            "a column of units, and one of each system or of systems and of scores"
        )
    return people_table.with_people(judge, scored_elsewhere(people, recognition), settings)


def _table_of_people(file: DataFile, settings: Settings) -> Table:
    return read_headed(file.read(), str(file.path), people_table.plain(settings), wide=True)


def _refuse_other_kinds(judge: Competition, settings: Settings) -> None:
    """Raise SettingsError if what people's scores should correct are no scores of units."""
    if any(part.gold.kind != UNITS for part in judge.parts):
        raise errors.SettingsError(
            f"{settings.where('human')}: people's scores are for a table of a judge's scores, and "
            "these are none; remove 'human'"
        )


def recognized_logs(score_table: ScoreTable, roles: Roles, tool: str) -> ScoresRecognition:
    """Return what logs mean: higher scores are better, unless something says otherwise."""
    statements = replace(score_table.statements(), of_tool=bool(tool))
    recognition = recognize_roles(
        score_table.table, roles, statements, partial(needs_of, score_table)
    )
    score_table.raise_if_open(recognition)
    return recognition


def _no_answers(upload: Upload, reference: Reference, settings: Settings) -> errors.OrganizerError:
    """Return why a table of all teams cannot be scored: it has no answers beside the teams."""
    if reference.gold:
        golds = listed(f"ref/{file.path}" for file in reference.gold.values())
        return errors.SettingsError(
            f"{settings.where('layout')}: {settings.layout!r} takes the correct answers from a "
            f"column of the table of all systems, and does not read {golds}; add the answers to "
            "the table as a column 'gold' or, to score against ref/, remove 'layout' and give each "
            "system a file of its own in res/"
        )
    join = (
        "; or, if these are tables of scores, a file a system, name their columns, as in "
        "'submissions: {columns: {unit: item, score: score}}'; or join tables of scores, or of "
        "preferences, into one file"
    )
    several = join if len(upload.sources) > 1 else ""
    return errors.ReferenceDataError(
        f"ref: there are no reference data{reference.unread}; put a gold.csv with the columns id "
        f"and label there{several}"
    )


def _no_judge(settings: Settings) -> errors.OrganizerError:
    """Return why people's scores cannot be used: there is no table of a judge's."""
    return errors.ReferenceDataError(
        f"{settings.where('human')}: people's scores go beside a judge's, and INPUT/res holds no "
        "table of these; give one file with a column of units and a column of scores for each of "
        "two systems or more, or with a line for each unit and system, such as "
        "'question,system,score'"
    )


def _refuse_odd(file: str, columns: NamedColumns) -> None:
    """Refuse columns beside a gold that look like no team's predictions.

    Raises ReferenceDataError that names them.
    """
    if odd := unlike_entries(columns):
        raise errors.ReferenceDataError(
            f"{file}: it is not certain which columns hold predictions of teams: {'; '.join(odd)}. "
            "Remove such columns, or name them with 'group' or 'slices'. If they hold predictions, "
            f"say so {asks({'layout': 'wide'})}"
        )


def _of_columns(
    gold: Gold, teams: Sequence[str], part: Part, settings: Settings, notes: tuple[Phrase, ...]
) -> Competition:
    """Return the competition of the columns ``teams`` of a table."""
    printable_names = {name: printable(name) for name in teams}
    entries = []
    unusable = []
    for name in sorted(teams):
        column_name = _NAMELESS if settings.anonymize else name
        table = replace(gold, columns={column_name: gold.columns[name]})
        try:
            read_column = entry.from_wide(column_name, table, part.expected)
            entries.append(replace(read_column, name=printable_names[name]))
        except errors.SubmissionError as error:
            unusable.append(errors.LeftOut(printable_names[name], error.reason))
    return Competition(
        form="teams",
        parts=(replace(part, entries=tuple(entries)),),
        unusable=tuple(unusable),
        runs=dict.fromkeys(printable_names.values(), 1),
        teams={name: name for name in printable_names.values()},
        notes=notes,
    )


# Preferences --------------------------------------------------------------------------------------


def _check_effect(score_table: ScoreTable, sides: Sides) -> None:
    """Raise SettingsError if a setting has no effect on preferences, or draws by who won."""
    settings = score_table.settings
    file = score_table.file
    if settings.greater_is_better is not None or score_table.stated:
        raise errors.SettingsError(
            f"{settings.where('greater_is_better')}: {file}: preferences have no direction; "
            "leave it out, or, if the columns hold scores, give them other names"
        )
    for key in _WITHOUT_EFFECT:
        if getattr(settings, key) != getattr(_USUAL, key):
            raise errors.SettingsError(
                f"{settings.where(key)}: {file} holds preferences, on which this setting has no "
                "effect; remove it"
            )
    for key, name in settings.design_columns:
        if name in sides.columns:
            raise errors.SettingsError(
                f"{settings.where(key)}: the column {name!r} says who was compared or who won; "
                "name a column of prompts, of judges or of topics, or remove the setting"
            )


def of_battles(
    score_table: ScoreTable, recognition: ScoresRecognition
) -> tuple[Competition, Settings]:
    """Return the competition of the systems that a table of preferences compares.

    The settings beside it name the prompts as groups, if several lines are about one prompt.

    Raises
    ------
    ReferenceDataError
        A line names no system or one twice, or a winner that is neither; or strengths are asked
        for that do not exist.
    SettingsError
        A metric is none of preferences.
    """
    table = score_table.table
    settings = score_table.settings
    assert recognition.sides is not None
    _check_effect(score_table, recognition.sides)
    sides = recognition.sides.columns
    if settings.group is None:
        settings = replace(settings, group=group_of_prompts(table))
    names, battles = _battles(table, sides)
    _refuse_repetition(table, (*sides, prompt_of(table)))
    design = {name: table.named[name] for _, name in settings.design_columns}
    # An order that does not depend on that of the lines in the file.
    codes = [np.unique(np.array(cells), return_inverse=True)[1] for cells in design.values()]
    order = np.lexsort([*codes, battles.halves, battles.right, battles.left])
    battles = battles.take(order)
    units = gold_of(table, design, score_table.sha256, BATTLES).take(order.tolist())
    metrics, notes = _metrics(battles, score_table)
    targets = [target_of(metric, units) for metric in without_formulas(metrics)]
    printable_names = [*map(printable, names)]
    entries = []
    for number, name in enumerate(printable_names):
        sides_of_entry = _sides_of(number, battles)
        predictions = dict.fromkeys(filter(None, targets), sides_of_entry)
        sha256 = digest(sides_of_entry.tobytes())
        entries.append(Entry(name, predictions, FileRows(), sha256))
    layout = Phrase(
        "Layout: {battles:n} preferences between {systems:n} systems, without a gold.",
        battles=order.size,
        systems=len(names),
    )
    told = [Phrase("Systems: {systems}.", systems=tuple(printable_names))]
    if settings.anonymize:
        told = []
    part = of_scores("", units, metrics, settings, tuple(entries))
    competition = Competition(
        form="teams",
        parts=(replace(part, reading=recognition.reading),),
        runs=dict.fromkeys(printable_names, 1),
        teams={name: name for name in printable_names},
        notes=(layout, *told, *notes),
    )
    return competition, settings


def _battles(table: Table, sides: tuple[str, str, str]) -> tuple[Sequence[str], Battles]:
    """Return the names of the systems and the battles; report every wrong line."""
    left, right, winner = map(table.named.__getitem__, sides)
    lines = list(zip(left, right, winner, strict=True))
    if not lines:
        raise errors.ReferenceDataError(f"{table.file}: there are no preferences; add some lines")
    names = sorted({*left, *right})
    letters = LETTERS & {name.casefold().strip() for name in names}
    wins_of = {line: half_wins(*line, letters) for line in {*lines}}
    defects = {line: _defect(line, half_wins) for line, half_wins in wins_of.items()}
    if any(defects.values()):
        why_wrong = ((row, defects[line]) for row, line in enumerate(lines))
        wrong = [f"{table.place(row)}: {why}" for row, why in why_wrong if why]
        raise _refused(
            f"{table.file}: {len(wrong)} of {len(lines)} lines are no preferences:",
            wrong,
            "Each line names two systems and, as the winner, one of them, 'left', 'right', 'tie' "
            "or 'both_bad'; correct these lines, or remove them.",
        )
    number = {name: k for k, name in enumerate(names)}
    first = np.array([number[name] for name in left])
    second = np.array([number[name] for name in right])
    return names, Battles(first, second, np.array([wins_of[line] for line in lines]), len(names))


def _refuse_repetition(table: Table, used: Collection[str | None]) -> None:
    """Raise ReferenceDataError if lines are there twice by mistake.

    The same judge may vote the same twice. So lines are a mistake only where a column of ids tells
    all others apart, or where every line occurs as often: the table was pasted twice. Columns that
    are ``used`` hold no such ids.
    """
    lines = list(zip(*table.named.values(), strict=True))
    numbers = Counter(lines)
    if len(numbers) == len(lines):
        return
    ids = [
        name
        for name, cells in table.named.items()
        if is_id(name)
        and name not in used
        and plain_name(name) != USER
        and looks_like(name, cells) != ANNOTATOR
        and len({*cells}) == len(numbers)
    ]
    half = len(lines) // 2
    times = math.gcd(*numbers.values())
    twice = len(numbers) >= _SOME and lines[:half] == lines[half:]
    pasted = times > 1 and (len(numbers) >= _MANY or twice)
    if not ids and not pasted:
        return
    first: dict[tuple[str, ...], int] = {}
    before = [first.setdefault(line, row) for row, line in enumerate(lines)]
    again = [(row, earlier) for row, earlier in enumerate(before) if earlier < row]
    repetitions = [f"{table.place(row)} repeats {table.place(earlier)}" for row, earlier in again]
    remedy = (
        f"The column {ids[0]!r} says that they are one preference: keep one line of each."
        if ids
        else f"Every line is there {times} times, as if the table had been pasted so often: remove "
        "the repetition. If these are preferences of their own, number the lines in a column 'id'."
    )
    defect = f"{table.file}: {len(again)} of {len(lines)} lines repeat another one:"
    raise _refused(defect, repetitions, remedy)


def _refused(defect: str, examples: Sequence[str], remedy: str) -> errors.ReferenceDataError:
    """Return the error for lines of which only the first ones are shown."""
    more = len(examples) - EXAMPLES_SHOWN
    lines = [*examples[:EXAMPLES_SHOWN], *([f"… and {more} more"] if more > 0 else ())]
    return errors.ReferenceDataError(
        "\n".join([defect, *(f"  - {line}" for line in lines), remedy])
    )


def _defect(line: tuple[str, str, str], half_wins: int | None) -> str:
    """Return what is wrong with a line; nothing if it is right."""
    left, right, winner = line
    if not left or not right:
        return "a system has no name"
    if left == right:
        return f"{quoted(left)} is on both sides"
    if half_wins is None:
        return f"the winner is {quoted(winner)}, neither {quoted(left)} nor {quoted(right)}"
    return ""


def _sides_of(number: int, battles: Battles) -> Array:
    """Return on which side a system met another, and how many half wins it had there, [n]."""
    sides: Array = np.zeros(len(battles.left), np.int8)
    on_left = battles.left == number
    on_right = battles.right == number
    sides[on_left] = LEFT + battles.halves[on_left]
    sides[on_right] = RIGHT + 2 - battles.halves[on_right]
    return sides


def _metrics(
    battles: Battles, score_table: ScoreTable
) -> tuple[tuple[Metric, ...], tuple[Phrase, ...]]:
    """Return the metrics, and a note if strengths do not exist."""
    settings = score_table.settings
    usual = [str(definition.function) for definition in DEFINITIONS]
    specs = settings.metrics or [MetricSpec(name, name) for name in usual]
    metrics = resolve(specs, score_table.settings_folder)
    for metric in without_formulas(metrics):
        if metric.evaluation != "pairs":
            raise errors.SettingsError(
                f"metric {metric.name!r}: {metric.function} scores no preferences, but "
                f"{score_table.file} holds them; use {listed(usual)}"
            )
    met, won = battles.counted(np.ones((1, len(battles.left)), np.uint8))
    if battles.connected(met, won).all():
        return ranking_first(metrics, settings), ()
    without_strengths = tuple(metric for metric in metrics if not _reads_strengths(metric))
    names = [metric.name for metric in without_strengths]
    if not names or settings.rank_by not in (None, *names):
        raise errors.ReferenceDataError(
            f"{score_table.file}: there are no Bradley-Terry strengths, because some systems never "
            "won, or never lost, against all others; compare more pairs, or rank by win_rate"
        )
    return ranking_first(without_strengths, settings), (Phrase(NOT_CONNECTED),)


def _reads_strengths(metric: Metric) -> bool:
    """Whether a metric is of strengths, or a formula over them."""
    return any(part.function == STRENGTH for part in without_formulas([metric]))
