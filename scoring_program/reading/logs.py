"""Logs of evaluations, as their tools write them: one file or folder a system.

They become one long table of scores: unit, system, task, sample, seed, and a column a metric.
`log_tools` says how the files of a tool are recognized, and what one of them holds.
"""

from __future__ import annotations

import importlib
import io
import math
import re
import zipfile
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, combinations, groupby
from pathlib import Path, PurePosixPath
from statistics import fmean
from typing import Any, TypeAlias

from ..core import json_text
from ..core.cells import grouped, is_number
from ..core.errors import ReferenceDataError, SubmissionError, listed, quoted
from ..core.phrases import Phrase, gettext_noop, verbatim
from ..recognize.sums_of_lines import LineOfScores, unit_that_sums_up
from . import files
from .files import DataFile
from .formats import read_examples
from .formats.kind import AS_FOUND, ROWS, FileDescription
from .formats.records import inside
from .limits import UNREADABLE, LimitExceeded, Limits, Tally
from .log_tools import LETTERS, MODEL, TOOLS, Answer, Tool, of_the_same_questions, with_unlisted
from .names import shared_depth
from .table import LINE, Table, of_columns, text

#: The columns of the table in front of the metrics.
UNIT = "unit"
SYSTEM = "system"
TASK = "task"
SAMPLE = "sample"
SEED = "seed"
#: The only column of scores where tasks have no metric in common.
_SCORE = "score"
#: By how many percentage points a stated score may differ from its answers, as rounded ones do.
_ROUNDED = 0.5
#: What zip archives call members that zstandard has packed, and the bytes in front of a member.
_ZSTANDARD = 93
_LOCAL_HEADER = 30
#: The member of inspect_ai's archive that describes the run, and what a file holds that is no JSON.
_HEADER = "header.json"
_NO_JSON = json_text.JsonContent(None, None)
#: What reading a record raises that is not as its tool writes it.
_NOT_OF_TOOL = (AttributeError, KeyError, TypeError, ValueError)
#: What is in the name of a run, and in hardly any system's: "mmlu:subject=anatomy".
_RUN = re.compile("[:=]")
_PARTIAL = gettext_noop("Not compared, because some answers lack it: {metrics}.")
_OF_PAIRS = gettext_noop(
    "Not compared, because the log of an answer holds several numbers, such as a likelihood and a "
    "length, whose mean over answers is no such score: {metrics}."
)
_LEFT_OUT = gettext_noop(
    "Not compared, because the log holds none of their instances: {entries:n}."
)
_NO_TOTAL = gettext_noop(
    "The logs do not say how many instances there are. Those that no log names are left out, so "
    "scores may be too high."
)


#: What the logs of all systems hold, as a long table with a header and notes, the columns of its
#: scores, and the tool's name.
Logs: TypeAlias = tuple[Table, tuple[str, ...], str]


def read(
    folder: Path,
    limits: Limits,
    facts: Sequence[str] = (),
    described: FileDescription = AS_FOUND,
    *,
    has_runs: bool = False,
) -> Logs | None:
    """Read the logs below a folder; None if it holds no logs.

    ``facts`` are what else of each answer becomes a column, such as groups; a dot leads into an
    object: "metadata.topic". Where the description of files says which column is the unit, and none
    is the system, every data file is the log of one, and its other columns are scores. If it
    ``has_runs``, as settings say, files with answers of a system to the same units are its runs.

    Raises
    ------
    ReferenceDataError
        A log cannot be read, the logs are of several tools, a folder beside them holds none, or an
        answer lacks a fact.
    """
    every = list(files.walk(folder, limits)) if folder.is_dir() else []
    if UNIT in described.stated and SYSTEM not in described.columns:
        data = [file for file in every if file.is_data]
        answers = [(file.path, _described_answers(file, described, facts)) for file in data]
        _refuse_summaries(answers)
        return _table(_of_systems(answers), "", facts, []) if data else None
    try:
        documents = list(_documents(every))
    except SubmissionError as error:
        raise ReferenceDataError(f"res: {error}") from error
    contents = [(file, fitting, document.content) for file, fitting, document in documents]
    logs = _logs_among(contents)
    if not logs:
        return None
    _refuse_repeated_keys({file.path for file, _, _ in logs}, documents)
    _refuse_unread(every, [file for file, _, _ in logs], logs[0][1], contents)
    _refuse_several_tools({tool.called: file.path for file, tool, _ in logs})
    answers = [(file.path, _answers(tool, file.path, content)) for file, tool, content in logs]
    of_systems = list(_of_systems(answers))
    the_tool = logs[0][1]
    if the_tool.unlisted is None and has_runs:
        of_systems = _with_runs(answers, of_systems)
    elif the_tool.unlisted is None:
        runs = {file.path: _run_of(content) for file, _, content in logs}
        _refuse_two_runs(answers, of_systems, runs)
    of_systems = of_the_same_questions(of_systems, the_tool.called)
    notes = [*(_contradicted(of_systems, the_tool.stated) if the_tool.stated else ())]
    if without := _left_out(logs, the_tool):
        notes.append(Phrase(_LEFT_OUT, entries=without))
    if the_tool.unlisted is not None:
        of_systems, stated = with_unlisted(of_systems, the_tool.unlisted)
        if not stated:
            notes.append(Phrase(_NO_TOTAL))
    return _table(of_systems, the_tool.called, facts, notes)


def _refuse_several_tools(of_tools: Mapping[str, PurePosixPath]) -> None:
    """Raise ReferenceDataError if there are logs of several tools; each tool has a file here."""
    if len(of_tools) > 1:
        told = "; ".join(f"{path} of {called}" for called, path in of_tools.items())
        raise ReferenceDataError(
            f"res: there are logs of several tools: {told}; put those of one tool there"
        )


def _run_of(content: Any) -> str:
    """Return what a log of inspect_ai says of its run: when it was, and how it ended."""
    if not isinstance(content, dict) or not isinstance(content.get("eval"), dict):
        return ""
    facts = (content["eval"].get("created"), content.get("status"))
    told = ", ".join(fact for fact in facts if isinstance(fact, str))
    return f" ({told})" if told else ""


def _refuse_two_runs(
    answers: Sequence[tuple[PurePosixPath, Sequence[Answer]]],
    of_systems: Sequence[tuple[str, Answer]],
    told: Mapping[PurePosixPath, str],
) -> None:
    """Refuse two files with answers of one system to the same unit of a task: two runs."""
    paths = [path for path, of_file in answers for _ in of_file]
    first: dict[tuple[str, str, str, str], PurePosixPath] = {}
    for path, (system, answer) in zip(paths, of_systems, strict=True):
        earlier = first.setdefault((system, answer.task, answer.unit, answer.sample), path)
        if earlier != path:
            task = f" to the task {quoted(answer.task)}" if answer.task else ""
            raise ReferenceDataError(
                f"res: {earlier}{told[earlier]} and {path}{told[path]} both hold answers of "
                f"{quoted(system)}{task}; leave one of the runs out or, if they are runs of one "
                "method with other seeds, write 'runs: mean' into ref/scoring.yaml"
            )


def _with_runs(
    answers: Sequence[tuple[PurePosixPath, Sequence[Answer]]],
    of_systems: Sequence[tuple[str, Answer]],
) -> list[tuple[str, Answer]]:
    """Return the answers of every system with the number of their run.

    Where two files hold answers of a system to the same unit of a task, every file with its answers
    to the task is a run. They are numbered by the files' names, which begin with the date.
    """
    paths = [path for path, of_file in answers for _ in of_file]
    first: dict[tuple[str, str, str, str], PurePosixPath] = {}
    files_of: dict[tuple[str, str], set[PurePosixPath]] = {}
    repeated: set[tuple[str, str]] = set()
    for path, (system, answer) in zip(paths, of_systems, strict=True):
        files_of.setdefault((system, answer.task), set()).add(path)
        if first.setdefault((system, answer.task, answer.unit, answer.sample), path) != path:
            repeated.add((system, answer.task))
    number_of: dict[tuple[str, str, PurePosixPath], str] = {}
    for system, task in repeated:
        for number, path in enumerate(sorted(files_of[system, task]), start=1):
            number_of[system, task, path] = str(number)
    numbered = []
    for path, (system, answer) in zip(paths, of_systems, strict=True):
        run = number_of.get((system, answer.task, path), "")
        numbered.append((system, replace(answer, run=run)))
    return numbered


def _documents(
    every: Iterable[DataFile],
) -> Iterator[tuple[DataFile, list[Tool], json_text.JsonContent]]:
    """Yield the files that are called like logs, with the tools that call theirs so, and the JSON.

    Raises SubmissionError if a file cannot be read.
    """
    for file in every:
        fitting = [tool for tool in TOOLS if tool.name.fullmatch(file.path.name)]
        if fitting:
            yield file, fitting, _content(file)


def _logs_among(
    contents: Iterable[tuple[DataFile, Sequence[Tool], Any]],
) -> list[tuple[DataFile, Tool, Any]]:
    """Return the files that are logs by their names and contents, each with its tool."""
    logs: list[tuple[DataFile, Tool, Any]] = []
    for file, fitting, content in contents:
        if content is not None:
            logs += [(file, tool, content) for tool in fitting if tool.holds(content)]
    return logs


def _left_out(logs: Iterable[tuple[DataFile, Tool, Any]], tool: Tool) -> tuple[str, ...]:
    """Return the submissions that the tool's logs name and that are left out, each once."""
    if tool.left_out is None:
        return ()
    submissions: dict[str, None] = {}
    for _, _, content in logs:
        submissions |= dict.fromkeys(tool.left_out(content))
    return tuple(submissions)


def _answers(tool: Tool, path: PurePosixPath, content: Any) -> list[Answer]:
    """Return the answers in a file; raise ReferenceDataError if a record is not the tool's."""
    try:
        answers = _checked(tool.read(path, content))
    except _NOT_OF_TOOL as error:
        place = ""
        for place_of_part, alone in _parts(content):
            try:
                _checked(tool.read(path, alone))
            except _NOT_OF_TOOL:
                place = place_of_part
                break
        fault = str(error) if isinstance(error, ValueError) else f"not a record of {tool.called}"
        if isinstance(error, KeyError):
            fault += f", it has no {error}"
        raise ReferenceDataError(
            f"res: {path}: {place}{fault}; let the tool write this file again"
        ) from error
    if not answers:
        raise ReferenceDataError(
            f"res: {path}{_run_of(content)}: it holds no answers, so that the system would not be "
            "compared; let the tool write this file again, or remove it"
        )
    origin = partial(verbatim, str(path))
    return [replace(answer, place=origin) for answer in answers]


def _checked(answers: Iterable[Answer]) -> list[Answer]:
    checked = list(answers)
    for answer in checked:
        names: tuple[Any, ...] = (answer.task, answer.unit, answer.model)
        for name in names:
            if isinstance(name, (list, dict)):
                raise ValueError(f"{quoted(str(name))} is no name")
        if not isinstance(answer.model or "", str):
            raise ValueError(f"{quoted(str(answer.model))} is no name of a system")
    return checked


def _parts(content: Any) -> Iterator[tuple[str, Any]]:
    """Yield each record's place, and the content as if it held this record alone."""
    if isinstance(content, list):
        for number, record in enumerate(content, 1):
            yield f"record {number}: ", [record]
    elif not isinstance(content, dict):
        return
    elif key := next((key for key in ("samples", "eval") if key in content), None):
        for place, part in _parts(content[key]):
            yield place, {**content, key: part}
    else:
        for key, value in content.items():
            yield f"{quoted(key)}: ", {key: value}


def _described_answers(
    file: DataFile, described: FileDescription, facts: Sequence[str]
) -> list[Answer]:
    """Return what a file holds, of which the settings say what its columns are."""
    try:
        table = read_examples(file.read(), str(file.path), ROWS, described)
    except SubmissionError as error:
        raise ReferenceDataError(f"res: {error}") from error
    if nested := [name for name in described.stated if name not in table.named]:
        raise ReferenceDataError(
            f"res: {file.path}: {listed(nested)}: a record has an object or a list there; name one "
            "of its values in 'columns', a dot leads into it"
        )
    cells = zip(*(table.named[name] for name in described.stated), strict=True)
    rows = [dict(zip(described.stated, row, strict=True)) for row in cells]
    names = [name for name in described.stated if name not in (UNIT, TASK, SAMPLE, *facts)]
    if not names:
        raise ReferenceDataError(
            "settings: submissions: 'columns' names a unit and no score; name a column of scores"
        )
    for place, row in enumerate(rows):
        for name in names:
            if _score_of(row[name]) is None:
                raise ReferenceDataError(
                    f"res: {file.path}: {table.place(place)}: {name} is {quoted(row[name])}; a "
                    "score is a number, true or false"
                )
    answers = []
    for number, row in enumerate(rows):
        scores = {name: _score_of(row[name]) for name in names}
        task = str(row.get(TASK, ""))
        sample = str(row.get(SAMPLE, ""))
        origin = partial(_place_in_file, table, number)
        answers.append(Answer(task, str(row[UNIT]), scores, row, sample, place=origin))
    return answers


def _place_in_file(table: Table, row: int) -> Phrase:
    return Phrase("{file}: {place}", file=table.file, place=table.place(row))


def _refuse_summaries(answers: Sequence[tuple[PurePosixPath, Sequence[Answer]]]) -> None:
    """Refuse a unit whose scores are, in every file, the sums or the means of all others."""
    files_of_lines = []
    for _, of_file in answers:
        lines = [LineOfScores(answer.unit, answer.task, answer.scores) for answer in of_file]
        files_of_lines.append(lines)
    unit = unit_that_sums_up(files_of_lines)
    if unit is not None:
        raise ReferenceDataError(
            f"res: {answers[0][0]}: the line of {quoted(unit)} holds the sum or the mean of "
            "the other lines, in every file; it is no unit, remove it"
        )


def _score_of(cell: str) -> float | None:
    """Return the number that a cell of scores is, nan if it is empty; None if it is none."""
    if not cell:
        return math.nan
    number = {"true": 1.0, "false": 0.0}.get(cell.casefold(), LETTERS.get(cell))
    return float(cell) if number is None and is_number(cell) else number


def _refuse_repeated_keys(
    logs: Collection[PurePosixPath],
    documents: Iterable[tuple[DataFile, Sequence[Tool], json_text.JsonContent]],
) -> None:
    """Refuse logs in which an object has a key twice: nobody knows which of the values counts."""
    for file, _, document in documents:
        if file.path in logs and document.repeated is not None:
            raise ReferenceDataError(
                f"res: {file.path}: one object has the key {quoted(document.repeated)} twice; let "
                "the tool write this file again"
            )


def _refuse_unread(
    every: Sequence[DataFile],
    logs: Sequence[DataFile],
    tool: Tool,
    contents: Sequence[tuple[DataFile, Sequence[Tool], Any]],
) -> None:
    """Refuse logs that are cut short or empty, and folders of systems without logs."""
    depth = shared_depth([file.path.parts for file in logs])
    having = {file.path.parts[depth] for file in logs}
    folders: list[str] = []
    for file in every:
        parts = file.path.parts
        folder_depth = len(parts) if file.is_empty else len(parts) - 1
        is_beside = folder_depth > depth and parts[:depth] == logs[0].path.parts[:depth]
        if is_beside and parts[depth] not in having | tool.beside:
            folders.append(str(PurePosixPath(*parts[: depth + 1])))
    broken: list[str] = []
    for file, fitting, content in contents:
        if content is None or (content == [] and tool in fitting):
            broken.append(str(file.path))
    if unread := listed(dict.fromkeys([*broken, *folders])):
        raise ReferenceDataError(
            f"res: beside logs there are files that are empty or cut short, or folders without "
            f"logs: {unread}; let the tool write them again, or remove them"
        )


def _content(file: DataFile) -> json_text.JsonContent:
    """Return the JSON in a file, or in the members of inspect_ai's archive; None if it is none."""
    data = file.read()
    name = file.path.name
    try:
        if name.endswith(".eval"):
            return _of_archive(data)
        if name.endswith("l"):
            lines = [_read(line) for line in data.splitlines() if line.strip()]
            return json_text.JsonContent([line.content for line in lines], _repeated(lines))
        return _read(data)
    except LimitExceeded as error:
        raise SubmissionError(error.limit, str(file.path)) from error
    except _Zstandard as error:
        raise SubmissionError(
            verbatim(
                "it is packed with zstandard, which Python reads from 3.14 on; install the package "
                "zstandard (pip install zstandard), or let inspect_ai write JSON: inspect log "
                f"convert {name} --to json --output-dir logs"
            ),
            str(file.path),
        ) from error
    except (*UNREADABLE, RecursionError):  # a file that is cut short is another tool's, or none
        return _NO_JSON


def _read(data: bytes) -> json_text.JsonContent:
    return json_text.read(data, not_a_number=True)  # tools that are written in Python write NaN


def _repeated(documents: Iterable[json_text.JsonContent]) -> str | None:
    """Return the first key that an object of some documents has twice, if any does."""
    for document in documents:
        if document.repeated is not None:
            return document.repeated
    return None


def _of_archive(data: bytes) -> json_text.JsonContent:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        Tally(Limits()).add(len(archive.infolist()), archive.infolist())
        parts = {
            item.filename: _read(_unpacked(archive, item, data))
            for item in archive.infolist()
            if item.filename == _HEADER or item.filename.startswith("samples/")
        }
    repeated = _repeated(parts.values())
    header = parts.pop(_HEADER, _NO_JSON).content  # a run that did not end has none
    if not isinstance(header, dict):
        return _NO_JSON
    return json_text.JsonContent(
        {**header, "samples": [part.content for part in parts.values()]}, repeated
    )


def _unpacked(archive: zipfile.ZipFile, item: zipfile.ZipInfo, data: bytes) -> bytes:
    """Return a member of an archive; raise `_Zstandard` if nothing here unpacks it."""
    if item.compress_type != _ZSTANDARD or hasattr(zipfile, "ZIP_ZSTANDARD"):  # Python 3.14
        return archive.read(item)
    try:
        zstandard = importlib.import_module("zstandard")
    except ImportError:
        raise _Zstandard from None
    start = item.header_offset + _LOCAL_HEADER
    lengths = data[start - 4 : start]  # of the name and of more fields
    start += int.from_bytes(lengths[:2], "little") + int.from_bytes(lengths[2:], "little")
    packed = data[start : start + item.compress_size]
    try:
        unpacked: bytes = zstandard.ZstdDecompressor().decompress(packed, item.file_size)
    except zstandard.ZstdError as error:
        raise zipfile.BadZipFile(str(error)) from error
    if len(unpacked) != item.file_size or zlib.crc32(unpacked) != item.CRC:
        raise zipfile.BadZipFile(item.filename)
    return unpacked


class _Zstandard(Exception):
    """A member is packed with zstandard, which nothing here unpacks."""


def _of_systems(
    answers: Sequence[tuple[PurePosixPath, Sequence[Answer]]],
) -> Iterator[tuple[str, Answer]]:
    """Yield every answer with the name of its system.

    Folders are systems if there are several, with one model each, and are not runs of models on
    tasks. Else the logs name the models, or the files are called like them.
    """
    paths = [path for path, _ in answers]
    depth = shared_depth([path.parts for path in paths])
    tops = [path.parts[depth] if len(path.parts) > depth + 1 else "" for path in paths]
    models: dict[str, set[str]] = {}
    tasks: dict[str, set[str]] = {}
    for (_, answers_in_file), top in zip(answers, tops, strict=True):
        models.setdefault(top, set()).update(answer.model for answer in answers_in_file)
        tasks.setdefault(top, set()).update(answer.task for answer in answers_in_file)
    folders = (
        len(models) > 1
        and "" not in models
        and max(map(len, models.values())) == 1
        and not any(MODEL.search(top) for top in models)
        and not any(
            models[a] == models[b] != {""} and tasks[a].isdisjoint(tasks[b])
            for a, b in combinations(models, 2)
        )
    )
    for (path, answers_in_file), top in zip(answers, tops, strict=True):
        for answer in answers_in_file:
            # What lies in a system's folder without a folder of its run states no task.
            if folders and answer.task == top and not _RUN.search(top):
                answer = replace(answer, task="")
            yield top if folders else answer.model or top or path.stem, answer


def _contradicted(answers: Sequence[tuple[str, Answer]], stated: str) -> Iterator[Phrase]:
    """Yield a note on each system whose answers give another percentage than its log states."""
    for system, answers_of_system in grouped(answers).items():
        percentage = answers_of_system[0].source.get(stated)
        mean = 100 * fmean(
            score for answer in answers_of_system for score in answer.scores.values()
        )
        if isinstance(percentage, (int, float)) and abs(percentage - mean) > _ROUNDED:
            yield Phrase(
                "The log of {entry} states {stated:p}, but its instances give {score:p}.",
                entry=system,
                stated=round(percentage, 1),
                score=round(mean, 1),
            )


def _table(
    answers: Iterable[tuple[str, Answer]], tool: str, facts: Sequence[str], notes: list[Phrase]
) -> Logs:
    """Return the answers as a table, with ``notes`` and those on metrics around them."""
    rows = sorted(
        answers,
        key=lambda row: (text(row[1].task), row[0], row[1].run, text(row[1].unit), row[1].sample),
    )
    _refuse_nothing_in_common(rows)
    by_task: dict[str, list[str]] = {}
    for task, rows_of_task in groupby(rows, key=lambda row: row[1].task):
        by_task[task] = _in_all([answer.scores for _, answer in rows_of_task])
    shared = list(next(iter(by_task.values())))
    for names in by_task.values():
        shared = [name for name in shared if name in names]
    of_pairs = _of_several_numbers(rows)
    if lacking := [task for task, names in by_task.items() if not names]:
        raise _no_score(tool, lacking, of_pairs)
    # The metric that scores each task, where tasks have none in common.
    metric_of_task = {} if shared else {task: names[0] for task, names in by_task.items()}
    columns = _columns_of_answers(rows, tool, facts)
    metrics = tuple(shared or [_SCORE])
    for name in metrics:
        values = (answer.scores[metric_of_task.get(answer.task, name)] for _, answer in rows)
        columns[name] = ["" if math.isnan(value) else f"{value:.10g}" for value in values]
    # Of some answers alone, so that no task is scored by them.
    names_of_all = {name: None for _, answer in rows for name in _in_all([answer.scores])}
    in_some_task = {*chain.from_iterable(by_task.values())}
    partial = tuple(name for name in names_of_all if name not in in_some_task)
    if of_pairs:
        notes = [Phrase(_OF_PAIRS, metrics=of_pairs), *notes]
    if partial:
        notes = [Phrase(_PARTIAL, metrics=partial), *notes]
    if metric_of_task:
        first = tuple(f"{metric} ({task})" for task, metric in metric_of_task.items())
        notes.append(Phrase("Each task is scored by its first metric: {metrics}.", metrics=first))
    table = of_columns(f"res ({tool})" if tool else "res", columns, LINE)
    # The table is in no file: its lines are known by those of the logs.
    origins = {
        number: answer.place
        for number, (_, answer) in zip(table.numbers, rows, strict=True)
        if answer.place is not None
    }
    return replace(table, notes=tuple(notes), origins=origins), metrics, tool


def _columns_of_answers(
    rows: Sequence[tuple[str, Answer]], tool: str, facts: Sequence[str]
) -> dict[str, list[str]]:
    """Return the columns that say whose answer to what each row is, and the ``facts`` of each.

    Raises ReferenceDataError for a fact that an answer lacks.
    """
    columns = {
        UNIT: [text(answer.unit) for _, answer in rows],
        SYSTEM: [text(system) for system, _ in rows],
    }
    if len({answer.task for _, answer in rows}) > 1:
        columns[TASK] = [text(answer.task) for _, answer in rows]
    if any(answer.sample for _, answer in rows):
        columns[SAMPLE] = [answer.sample or "1" for _, answer in rows]
    if any(answer.run for _, answer in rows):
        columns[SEED] = [answer.run or "1" for _, answer in rows]
    for fact in facts:
        columns[fact] = [text(_fact(answer.source, fact)) for _, answer in rows]
        if "" in columns[fact]:
            raise ReferenceDataError(
                f"res: the logs of {tool} have no {fact!r} for some answers; name what each has, "
                f"such as {listed(sorted(rows[0][1].source))}"
            )
    return columns


def _refuse_nothing_in_common(rows: Sequence[tuple[str, Answer]]) -> None:
    """Refuse systems of which no two answered a unit of one task."""
    systems: dict[tuple[str, str], str] = {}
    for system, answer in rows:
        if systems.setdefault((answer.task, answer.unit), system) != system:
            return
    names = list(dict.fromkeys(systems.values()))
    if len(names) > 1:
        raise ReferenceDataError(
            f"res: {listed(map(quoted, names))} are read as systems, and no two have a unit of one "
            "task in common, so nothing can be compared. If these are tasks, or parts, of the same "
            "systems, put the logs of each system into a folder that is called like it "
            "(docs/how-to/logs.md says how folders are read)"
        )


def _no_score(tool: str, tasks: Sequence[str], of_pairs: Collection[str]) -> ReferenceDataError:
    """Return the error for tasks without a score that all answers have."""
    why = (
        f". Of {listed(map(repr, of_pairs))}, they hold several numbers for each answer, such as a "
        "likelihood and a length, whose mean over answers is no such score"
    )
    return ReferenceDataError(
        f"res: the logs of {tool} hold no score that all answers have in the task "
        f"{listed(map(repr, tasks))}{why if of_pairs else ''}; leave this task out"
    )


def _of_several_numbers(rows: Sequence[tuple[str, Answer]]) -> tuple[str, ...]:
    """Return the names of the scores of which the log of an answer holds a list, as perplexities.

    A tool makes one number of the lists of all answers.
    """
    names: dict[str, None] = {}
    for _, answer in rows:
        lists = [name for name, value in answer.scores.items() if isinstance(value, list)]
        names |= dict.fromkeys(lists)
    return tuple(names)


def _in_all(scores: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the names of the scores that every answer has as a number."""

    def is_in_all(name: str) -> bool:
        return all(isinstance(of_answer.get(name), (float, int)) for of_answer in scores)

    return list(filter(is_in_all, scores[0]))


def _fact(source: Mapping[str, Any], path: str) -> Any:
    fact = inside(source, path)
    return None if isinstance(fact, (list, dict)) else fact
