"""Logs of evaluations, as their tools write them: one file or folder a system.

They become one long table of scores: unit, system, task, sample, and a column for each metric. A
tool is one line of the table `TOOLS`: how its files are recognized, and what one of them holds.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import Any

from ..core.cells import is_number
from ..core.errors import ReferenceDataError, SubmissionError, listed, quoted
from ..core.phrases import Phrase, gettext_noop
from . import files
from .files import DataFile
from .formats import read_examples
from .formats.kind import ROWS
from .formats.raw import AS_FOUND, FileDescription
from .formats.records import inside
from .limits import UNREADABLE, LimitExceeded, Limits, Tally
from .log_answers import Answer, with_unlisted
from .table import Table, text

#: The columns of the table in front of the metrics.
UNIT, SYSTEM, TASK, SAMPLE = "unit", "system", "task", "sample"
#: The only column of scores where tasks have no metric in common.
_SCORE = "score"
_SAMPLES = re.compile(r"samples_(?P<task>.+?)(_\d{4}-\d\d-\d\dT.*)?\.jsonl")
_MODEL = re.compile(r",?\bmodel(?:_deployment)?=(?P<model>[^,]*)")
#: Statistics of HELM that are no scores.
_NO_SCORES = re.compile(
    r"(num_|inference_|training_|batch_|prompt_|finish_reason|logprob|max_prob|perplexity"
    r"|bits_per_byte|log_.*|.*(tokens|truncated|references|runtime|latency|bytes|train_instances)).*"
)
#: What inspect_ai's letters count: correct, partially correct, incorrect, no answer.
LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_PASSED, _RESOLVED = "pass", "resolved"
#: What logs of inspect_ai have beside "eval", and those of EvalPlus have not.
_OF_LOG = frozenset(("samples", "status"))
#: Keys of SWE-bench's ``results.json`` beside "resolved", and what the parts of other files hold:
#: an instance's report, and the numbers of a repository or a year.
_RESULTS = frozenset(("no_generation", "no_logs", "generated", "with_logs", "applied"))
_OF_PARTS = frozenset(("patch_exists", "total"))
#: More instances than any benchmark has; a system gets a line for each, also if no log names it.
_MOST_INSTANCES = 100_000
#: What reading a record raises that is not as its tool writes it.
_NOT_OF_TOOL = (AttributeError, KeyError, TypeError, ValueError)
_NO_TOTAL = gettext_noop(
    "The logs do not say how many instances there are. Those that no log names are left out, so "
    "scores may be too high."
)


@dataclass(frozen=True)
class Tool:
    """A tool that evaluates systems.

    ``name`` is how its files are called; ``holds`` says by their content whether they are its logs.
    ``read`` takes the path and the content of a file. Where logs need not list every unit,
    ``unlisted`` are the scores of one that they leave out. The sources of their answers then name
    the "file", and may state the number of all units, also in an answer without a unit: "total", or
    "at_most" if that may be of a larger test set.
    """

    called: str
    name: re.Pattern[str]
    holds: Callable[[Any], bool]
    read: Callable[[PurePosixPath, Any], Iterator[Answer]]
    unlisted: Mapping[str, float] | None = None


@dataclass(frozen=True, eq=False)
class Logs:
    """What the logs of all systems hold, as a long table with a header, and the tool's name."""

    table: Table
    tool: str
    scores: tuple[str, ...]
    #: Task → the metric that is its score, where tasks have none in common.
    chosen: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Phrase, ...] = ()

    @property
    def columns(self) -> Mapping[str, Sequence[str]]:
        """The columns by their names."""
        return dict(zip(self.table.header or (), self.table.columns, strict=True))


def read(
    folder: Path,
    limits: Limits,
    facts: Sequence[str] = (),
    described: FileDescription = AS_FOUND,
) -> Logs | None:
    """Read the logs below a folder; None if it holds no logs.

    ``facts`` are what else of each answer becomes a column, such as groups; a dot leads into an
    object: "metadata.topic". Where the description of files says which column is the unit, and none
    is the system, every data file is the log of one, and its other columns are scores.

    Raises
    ------
    ReferenceDataError
        A log cannot be read, the logs are of several tools, a folder beside them holds none, or an
        answer lacks a fact.
    """
    if not folder.is_dir():
        return None
    every = list(files.walk(folder, limits))
    if UNIT in described.stated and SYSTEM not in described.stated:
        data = [file for file in every if file.is_data]
        answers = [(file.path, _described_answers(file, described, facts)) for file in data]
        return _table(_of_systems(answers), "", facts) if data else None
    found = [(file, fitting) for file in every if (fitting := _by_name(file))]
    if not found:
        return None
    try:
        contents = [(file, fitting, _content(file)) for file, fitting in found]
    except SubmissionError as error:
        raise ReferenceDataError(f"res: {error}") from error
    logs = [
        (file, tool, content)
        for file, fitting, content in contents
        for tool in fitting
        if content is not None and tool.holds(content)
    ]
    if not logs:
        return None
    _refuse_unread(every, [file for file, _, _ in logs], logs[0][1], contents)
    of_tools = {tool.called: file for file, tool, _ in logs}
    if len(of_tools) > 1:
        raise ReferenceDataError(
            "res: there are logs of several tools: "
            + "; ".join(f"{file.path} of {called}" for called, file in of_tools.items())
            + "; put those of one tool there"
        )
    answers = [(file.path, _answers(tool, file.path, content)) for file, tool, content in logs]
    of_systems, the_tool = list(_of_systems(answers)), logs[0][1]
    if the_tool.unlisted is None:
        return _table(of_systems, the_tool.called, facts)
    of_systems, stated = with_unlisted(of_systems, the_tool.unlisted)
    table = _table(of_systems, the_tool.called, facts)
    return table if stated else replace(table, notes=(Phrase(_NO_TOTAL),))


def _answers(tool: Tool, path: PurePosixPath, content: Any) -> list[Answer]:
    """Return the answers in a file; raise ReferenceDataError if a record is not the tool's."""
    try:
        found = _checked(tool.read(path, content))
    except _NOT_OF_TOOL as error:
        place = next((place for place, alone in _parts(content) if _fails(tool, path, alone)), "")
        fault = f"not a record of {tool.called}"
        if isinstance(error, KeyError):
            fault += f", it has no {error}"
        elif isinstance(error, ValueError):
            fault = str(error)
        raise ReferenceDataError(
            f"res: {path}: {place}{fault}; let the tool write this file again"
        ) from error
    if not found:
        raise ReferenceDataError(
            f"res: {path}: it holds no answers, so that the system would not be compared; let the "
            "tool write this file again, or remove it"
        )
    return found


def _checked(answers: Iterable[Answer]) -> list[Answer]:
    found = list(answers)
    for answer in found:
        names: tuple[Any, ...] = (answer.task, answer.unit, answer.model)
        for name in names:
            if isinstance(name, (list, dict)):
                raise ValueError(f"{quoted(str(name))} is no name")
    return found


def _fails(tool: Tool, path: PurePosixPath, content: Any) -> bool:
    try:
        _checked(tool.read(path, content))
    except _NOT_OF_TOOL:
        return True
    return False


def _parts(content: Any) -> Iterator[tuple[str, Any]]:
    """Yield each record's place, and the content as if it held this record alone."""
    if isinstance(content, list):
        for number, record in enumerate(content, 1):
            yield f"record {number}: ", [record]
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
    if nested := [name for name in described.stated if name not in (table.header or ())]:
        raise ReferenceDataError(
            f"res: {file.path}: {listed(nested)}: a record has an object or a list there; name one "
            "of its values in 'columns', a dot leads into it"
        )
    rows = [
        dict(zip(described.stated, cells, strict=True))
        for cells in zip(
            *(table.columns[(table.header or ()).index(name)] for name in described.stated),
            strict=True,
        )
    ]
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
    return [
        Answer(
            str(row.get(TASK, "")),
            str(row[UNIT]),
            {name: _score_of(row[name]) for name in names},
            row,
            str(row.get(SAMPLE, "")),
        )
        for row in rows
    ]


def _score_of(cell: str) -> float | None:
    """Return the number that a cell of scores is; None if it is none."""
    number = {"true": 1.0, "false": 0.0}.get(cell.casefold(), LETTERS.get(cell))
    if number is not None or not is_number(cell):
        return number
    return float(cell)


def _refuse_unread(
    every: Sequence[DataFile],
    logs: Sequence[DataFile],
    tool: Tool,
    contents: Sequence[tuple[DataFile, Sequence[Tool], Any]],
) -> None:
    """Refuse logs that are cut short or empty, and folders of systems without logs."""
    depth = _shared([file.path for file in logs])
    having = {file.path.parts[depth] for file in logs}
    folders = [
        str(PurePosixPath(*file.path.parts[: depth + 1]))
        for file in every
        if len(file.path.parts) > depth + (not file.is_empty)
        and file.path.parts[:depth] == logs[0].path.parts[:depth]
        and file.path.parts[depth] not in having
    ]
    broken = [
        str(file.path)
        for file, fitting, content in contents
        if content is None or (content == [] and tool in fitting)
    ]
    if unread := listed(dict.fromkeys([*broken, *folders])):
        raise ReferenceDataError(
            f"res: beside logs there are files that are empty or cut short, or folders without "
            f"logs: {unread}; let the tool write them again, or remove them"
        )


def _shared(paths: Sequence[PurePosixPath]) -> int:
    """Return how many folders all logs lie in."""
    depth = 0
    while all(len(path.parts) > depth + 1 for path in paths) and (
        len({path.parts[depth] for path in paths}) == 1
    ):
        depth += 1
    return depth


def _by_name(file: DataFile) -> list[Tool]:
    return [tool for tool in TOOLS if tool.name.fullmatch(file.path.name)]


def _content(file: DataFile) -> Any:
    """Return the JSON in a file, or in the members of inspect_ai's archive; None if it is none."""
    data, name = file.read(), file.path.name
    try:
        if name.endswith(".eval"):
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                Tally(Limits()).add(len(archive.infolist()), archive.infolist())
                parts = {item: json.loads(archive.read(item)) for item in archive.namelist()
                         if item == "header.json" or item.startswith("samples/")}  # fmt: skip
            header = parts.pop("header.json", {})
            return {**header, "samples": list(parts.values())}
        if name.endswith("l"):
            return [json.loads(line) for line in data.splitlines() if line.strip()]
        return json.loads(data)
    except LimitExceeded as error:
        raise SubmissionError(error.limit, str(file.path)) from error
    except (*UNREADABLE, RecursionError):  # a file that is cut short is another tool's, or none
        return None


def _of_systems(
    answers: Sequence[tuple[PurePosixPath, Sequence[Answer]]],
) -> Iterator[tuple[str, Answer]]:
    """Yield every answer with the name of its system.

    Folders are systems if there are several, with one model each. Else the logs name the models,
    or the files are called like them.
    """
    paths = [path for path, _ in answers]
    depth = _shared(paths)
    tops = [path.parts[depth] if len(path.parts) > depth + 1 else "" for path in paths]
    models = [{answer.model for answer in held} for _, held in answers]
    of_top: dict[str, set[str]] = {}
    for top, named in zip(tops, models, strict=True):
        of_top.setdefault(top, set()).update(named)
    folders = len(of_top) > 1 and "" not in of_top and max(map(len, of_top.values())) == 1
    for (path, held), top in zip(answers, tops, strict=True):
        for answer in held:
            yield top if folders else answer.model or top or path.stem, answer


def _place(row: tuple[str, Answer]) -> tuple[str, ...]:
    system, answer = row
    return text(answer.task), system, text(answer.unit), answer.sample


def _table(answers: Iterable[tuple[str, Answer]], tool: str, facts: Sequence[str]) -> Logs:
    rows = sorted(answers, key=_place)
    by_task = {
        task: _in_all([answer.scores for _, answer in of_task])
        for task, of_task in groupby(rows, key=lambda row: row[1].task)
    }
    shared = [
        name
        for name in next(iter(by_task.values()))
        if all(name in names for names in by_task.values())
    ]
    if lacking := [task for task, names in by_task.items() if not names]:
        raise ReferenceDataError(
            f"res: the logs of {tool} hold no score that all answers have in the task "
            f"{listed(map(repr, lacking))}; leave this task out"
        )
    chosen = {} if shared else {task: names[0] for task, names in by_task.items()}
    columns: dict[str, list[str]] = {
        UNIT: [text(answer.unit) for _, answer in rows],
        SYSTEM: [text(system) for system, _ in rows],
    }
    if len(by_task) > 1:
        columns[TASK] = [text(answer.task) for _, answer in rows]
    if any(answer.sample for _, answer in rows):
        columns[SAMPLE] = [answer.sample or "1" for _, answer in rows]
    for fact in facts:
        columns[fact] = [text(_fact(answer.source, fact)) for _, answer in rows]
        if "" in columns[fact]:
            raise ReferenceDataError(
                f"res: the logs of {tool} have no {fact!r} for some answers; name what each has, "
                f"such as {listed(sorted(rows[0][1].source))}"
            )
    for name in shared or [_SCORE]:
        values = (answer.scores[chosen.get(answer.task, name)] for _, answer in rows)
        columns[name] = [f"{value:.10g}" for value in values]
    numbers = range(1, len(rows) + 1)
    table = Table(
        f"res ({tool})" if tool else "res", list(columns.values()), numbers, tuple(columns)
    )
    return Logs(table, tool, tuple(shared or [_SCORE]), chosen)


def _in_all(scores: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the names of the scores that every answer has as a number."""
    return [
        name for name in scores[0] if all(isinstance(of.get(name), (int, float)) for of in scores)
    ]


def _fact(source: Mapping[str, Any], path: str) -> Any:
    found = inside(source, path)
    return None if isinstance(found, (list, dict)) else found


def _is_list_with(*keys: str) -> Callable[[Any], bool]:
    def holds(content: Any) -> bool:
        first = content[0] if isinstance(content, list) and content else None
        return isinstance(first, dict) and all(key in first for key in keys)

    return holds


def _is_object_with(*keys: str) -> Callable[[Any], bool]:
    return lambda content: isinstance(content, dict) and all(key in content for key in keys)


def lm_eval(path: PurePosixPath, content: Any) -> Iterator[Answer]:
    """Read ``samples_TASK_DATE.jsonl`` of lm-evaluation-harness; every filter has its metrics."""
    task = (_SAMPLES.fullmatch(path.name) or {"task": path.stem})["task"]
    several = len({record.get("filter") for record in content}) > 1
    of_doc: dict[str, dict[str, Any]] = {}
    sources: dict[str, Mapping[str, Any]] = {}
    records: dict[tuple[str, Any], int] = {}
    for number, record in enumerate(content, 1):
        unit = str(record["doc_id"])
        earlier = records.setdefault((unit, record.get("filter")), number)
        if earlier != number:
            raise ValueError(f"records {earlier} and {number} are both of the doc_id {unit}")
        names = record.get("metrics") or [
            name for name, value in record.items() if isinstance(value, float)
        ]
        suffix = f",{record.get('filter')}" if several else ""
        of_doc.setdefault(unit, {}).update({f"{n}{suffix}": record.get(n) for n in names})
        sources[unit] = record
    for unit, scores in of_doc.items():
        yield Answer(task, unit, scores, sources[unit])


def _inspect(path: PurePosixPath, content: Any) -> Iterator[Answer]:
    """Read a log of inspect_ai; the samples of a question are its epochs."""
    of = content["eval"]
    samples = content.get("samples") or []  # a run that failed has none
    epochs = len({sample.get("epoch") for sample in samples}) > 1
    for sample in samples:
        scores: dict[str, Any] = {}
        for scorer, score in (sample.get("scores") or {}).items():
            value = score.get("value")
            several = value if isinstance(value, dict) else {"": value}
            for name, one in several.items():
                number = LETTERS.get(one, one) if isinstance(one, str) else one
                scores[f"{scorer}.{name}" if name else scorer] = number
        number = str(sample.get("epoch", "")) if epochs else ""
        yield Answer(of["task"], str(sample["id"]), scores, sample, number, of.get("model", ""))


def _helm(path: PurePosixPath, content: Any) -> Iterator[Answer]:
    """Read ``per_instance_stats.json`` of HELM; the folder is called like the run."""
    run = path.parent.name
    model = _MODEL.search(run)
    task = _MODEL.sub("", run).strip(",:")
    trials = len({record.get("train_trial_index") for record in content}) > 1
    for record in content:
        scores = {
            stat["name"]["name"]: stat.get("mean")
            for stat in record["stats"]
            if not (stat["name"].get("perturbation") or _NO_SCORES.fullmatch(stat["name"]["name"]))
        }
        if not record.get("perturbation"):
            trial = str(record.get("train_trial_index", "")) if trials else ""
            name = model["model"] if model else ""
            yield Answer(task, record["instance_id"], scores, record, trial, name)


def _every_eval_ever(path: PurePosixPath, content: Any) -> Iterator[Answer]:
    """Read the samples of Every Eval Ever (schemas 0.2 and 0.3)."""
    for record in content:
        scores = {"score": record["evaluation"].get("score")}
        task, model = record.get("evaluation_name", ""), record.get("model_id", "")
        yield Answer(task, record["sample_id"], scores, record, model=model)


def _evalplus(path: PurePosixPath, content: Any) -> Iterator[Answer]:
    """Read ``…_eval_results.json`` of EvalPlus: by all of its tests, and by the benchmark's."""
    model = re.sub(r"[._-]?eval_results$", "", path.stem)
    for unit, answers in content["eval"].items():
        if not answers:
            raise ValueError("it has no answer")
        for number, answer in enumerate(answers, 1):
            scores = {
                name: float(answer[f"{name}_status"] == _PASSED)
                for name in ("plus", "base")
                if answer.get(f"{name}_status") is not None
            }
            sample = str(number) if len(answers) > 1 else ""
            yield Answer(unit.partition("/")[0], unit, scores, answer, sample, model)


def _livecodebench(path: PurePosixPath, content: Any) -> Iterator[Answer]:
    """Read ``…_eval_all.json`` of LiveCodeBench: whether each generation passes all tests."""
    for record in content:
        unit = record.get("question_id") or record["question_title"]
        for number, passed in enumerate(record["graded_list"], 1):
            sample = str(number) if len(record["graded_list"]) > 1 else ""
            yield Answer("", str(unit), {_PASSED: float(passed)}, record, sample)


def _is_swe_bench(content: Any) -> bool:
    """Whether it is a report of SWE-bench, of a run or an instance, or one of its results."""
    if not isinstance(content, dict) or not content:
        return False
    parts = [value for value in content.values() if isinstance(value, dict)]
    return (
        content.keys() >= {"resolved_ids", "submitted_ids"}
        or (isinstance(content.get("resolved"), list) and not _RESULTS.isdisjoint(content))
        or (
            len(parts) == len(content)
            and all(part.keys() >= {_RESOLVED} and _OF_PARTS & part.keys() for part in parts)
        )
    )


def _swe_bench(path: PurePosixPath, content: Any) -> Iterator[Answer]:
    """Read the harness's report, an instance's ``report.json``, or the leaderboard's results.

    The leaderboard's ``results.json`` lists some instances, and ``resolved_by_repo.json`` how many
    there are.
    """
    source: dict[str, Any] = {"file": str(path)}
    parts = {key: part for key, part in content.items() if isinstance(part, dict)}
    for unit, part in parts.items():
        if "total" not in part:
            if not isinstance(part[_RESOLVED], bool):
                raise ValueError(f"'resolved' is {quoted(str(part[_RESOLVED]))}, not true or false")
            yield Answer("", unit, {_RESOLVED: float(part[_RESOLVED])}, source)
    totals = [_total(part["total"]) for part in parts.values() if "total" in part]
    if "total_instances" in content:
        source = {**source, "total": _total(content["total_instances"])}
    elif totals:
        yield Answer("", "", {}, {**source, "at_most": _total(sum(totals))})
    lists = {key: ids for key, ids in content.items() if isinstance(ids, list)}
    resolved = {*lists.get("resolved_ids", ()), *lists.get(_RESOLVED, ())}
    if both := listed(unit for unit in lists.get("unresolved_ids", ()) if unit in resolved):
        raise ValueError(f"{both} stands in 'resolved_ids' and in 'unresolved_ids'")
    for unit in dict.fromkeys(["", *(unit for ids in lists.values() for unit in ids)]):
        if not isinstance(unit, str):
            raise ValueError(f"{quoted(str(unit))} is no name of an instance")
        yield Answer("", unit, {_RESOLVED: float(unit in resolved)}, source)


def _total(stated: Any) -> int:
    if type(stated) is not int or not 0 <= stated <= _MOST_INSTANCES:
        raise ValueError(
            f"the number of instances is {quoted(str(stated))}, not a whole number up to "
            f"{_MOST_INSTANCES}"
        )
    return stated


_JSON, _LINES = re.compile(r".+\.json"), re.compile(r".+\.jsonl")
_JSON_OR_EVAL = re.compile(r".+\.(json|eval)")
TOOLS = (
    Tool("lm-evaluation-harness", _SAMPLES, _is_list_with("doc_id", "target"), lm_eval),
    Tool(
        "inspect_ai",
        _JSON_OR_EVAL,
        lambda content: _is_object_with("eval")(content) and not content.keys().isdisjoint(_OF_LOG),
        _inspect,
    ),
    Tool(
        "HELM",
        re.compile(r"per_instance_stats\.json"),
        _is_list_with("instance_id", "stats"),
        _helm,
    ),
    Tool("Every Eval Ever", _LINES, _is_list_with("evaluation_id", "sample_id"), _every_eval_ever),
    Tool(
        "EvalPlus",
        _JSON,
        lambda content: _is_object_with("eval")(content) and content.keys().isdisjoint(_OF_LOG),
        _evalplus,
    ),
    Tool("LiveCodeBench", _JSON, _is_list_with("graded_list"), _livecodebench),
    Tool(
        "SWE-bench",
        _JSON,
        _is_swe_bench,
        _swe_bench,
        unlisted={_RESOLVED: 0.0},
    ),
)
