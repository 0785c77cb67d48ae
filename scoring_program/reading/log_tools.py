"""The tools whose logs of evaluations are read: how their files are known, and what they hold.

A tool is one line of the table `TOOLS`, whose function yields an `Answer` for each scored instance.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from ..core.errors import ReferenceDataError, listed, quoted
from ..core.phrases import Phrase
from .names import printable

#: Keys of a source that state how many instances there are.
_TOTALS = ("total", "at_most")


@dataclass(frozen=True)
class Answer:
    """The scores of one answer, the sample's and the run's number if there are several of them.

    ``place`` makes what messages call the place where it stands.
    """

    task: str
    unit: str
    scores: Mapping[str, Any]
    source: Mapping[str, Any]
    sample: str = ""
    model: str = ""
    run: str = ""
    place: Callable[[], Phrase] | None = None


def with_unlisted(
    answers: Sequence[tuple[str, Answer]], scores: Mapping[str, float]
) -> tuple[list[tuple[str, Answer]], bool]:
    """Return the answers, with one of every system to every unit that there is.

    And return whether the logs state how many there are; if not, those that any log names count.
    """
    of_system: dict[str, dict[str, Answer]] = {}
    for system, answer in answers:
        answer_of = of_system.setdefault(system, {})
        earlier = answer_of.setdefault(answer.unit, answer) if answer.unit else answer
        # An instance's own report may repeat what that of a run says.
        same_form = earlier.source.keys() == answer.source.keys()
        if earlier is not answer and (same_form or earlier.scores != answer.scores):
            raise ReferenceDataError(
                f"res: {earlier.source['file']} and {answer.source['file']}: score given twice: "
                f"{quoted(system)} on {quoted(answer.unit)}; leave one of the files out"
            )
    _refuse_other_instances(answers, of_system)
    units = dict.fromkeys(answer.unit for _, answer in answers if answer.unit)
    sources = (answer.source for _, answer in answers)
    stated = {source[key] for source in sources for key in _TOTALS if key in source}
    # Some published files state the total of a larger test set than theirs.
    total = min((total for total in stated if total >= len(units)), default=len(units))
    units |= dict.fromkeys(f"unnamed {number}" for number in range(1, total - len(units) + 1))
    lacking = {unit: Answer("", unit, scores, {}) for unit in units}
    every: list[tuple[str, Answer]] = []
    for system, answer_of in of_system.items():
        every += [(system, answer_of.get(unit) or lacking[unit]) for unit in units]
    return every, any(stated)


def _refuse_other_instances(
    answers: Sequence[tuple[str, Answer]], of_system: Mapping[str, Mapping[str, Answer]]
) -> None:
    """Refuse systems that were not run on the same instances."""
    files = {answer.source["total"]: answer.source["file"] for _, answer in answers
             if "total" in answer.source}  # fmt: skip
    remedy = "score every system on the same instances"
    if len(files) > 1:
        told = "; ".join(f"{file} of {total}" for total, file in sorted(files.items())[:2])
        raise ReferenceDataError(f"res: the logs are of different totals: {told}; {remedy}")
    named = {system: {*answer_of} for system, answer_of in of_system.items() if answer_of}
    for system, units in named.items():
        rivals = [rival for rival in named if rival != system]
        if rivals and all(units.isdisjoint(named[rival]) for rival in rivals):
            raise ReferenceDataError(
                f"res: {quoted(system)} and {quoted(rivals[0])} have no instance in common; "
                f"{remedy}"
            )
    count = len(set().union(*named.values()))
    for total, file in files.items():
        if count > total:
            raise ReferenceDataError(
                f"res: {file}: there are {total} instances, but the logs name {count}; {remedy}"
            )


# Tools --------------------------------------------------------------------------------------------


_SAMPLES = re.compile(r"samples_(?P<task>.+?)(_\d{4}-\d\d-\d\dT.*)?\.jsonl")
MODEL = re.compile(r",?\bmodel(?:_deployment)?=(?P<model>[^,]*)")
#: Statistics of HELM that are no scores.
_NO_SCORES = re.compile(
    r"(num_|inference_|training_|batch_|prompt_|finish_reason|logprob|max_prob|perplexity"
    r"|bits_per_byte|log_.*|.*(tokens|truncated|references|runtime|latency|bytes|train_instances)).*"
)
#: What inspect_ai's letters count: correct, partially correct, incorrect, no answer.
LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_PASSED = "pass"
_RESOLVED = "resolved"
#: What logs of inspect_ai have beside "eval", and those of EvalPlus have not.
_OF_LOG = frozenset(("samples", "status"))
#: Keys beside "resolved" in SWE-bench's ``results.json``, and in that of Multi-SWE-bench, which is
#: a report; and what the parts of other files hold: an instance's report, and the numbers of a
#: repository or a year.
_BESIDE_RESOLVED = frozenset(
    ("no_generation", "no_logs", "generated", "with_logs", "applied", "submitted_ids")
)
_OF_PARTS = frozenset(("patch_exists", "total"))
#: More instances than any benchmark has; a system gets a line for each, also if no log names it.
_MOST_INSTANCES = 100_000


@dataclass(frozen=True)
class Tool:
    """A tool that evaluates systems.

    ``name`` is how its files are called; ``holds`` says by their content whether they are its logs.
    ``read`` takes the path and the content of a file. ``beside`` are the folders that it writes
    beside those of its runs. Where logs need not list every unit, ``unlisted`` are the scores of
    one that they leave out. The sources of their answers then name the "file", and may state the
    number of all units, also in an answer without a unit: "total", or "at_most" if that may be of a
    larger test set. ``stated`` is the key of a source that says which percentage a system has.
    ``left_out`` yields the systems of which a file holds no answers.
    """

    called: str
    name: re.Pattern[str]
    holds: Callable[[Any], bool]
    read: Callable[[PurePosixPath, Any], Iterator[Answer]]
    beside: frozenset[str] = frozenset()
    unlisted: Mapping[str, float] | None = None
    stated: str = ""
    left_out: Callable[[Any], Iterable[str]] | None = None


def _is_list_with(*keys: str) -> Callable[[Any], bool]:
    def holds(content: Any) -> bool:
        first = content[0] if isinstance(content, list) and content else None
        return isinstance(first, dict) and all(key in first for key in keys)

    return holds


def _is_object_with(*keys: str) -> Callable[[Any], bool]:
    return lambda content: isinstance(content, dict) and all(key in content for key in keys)


#: Tools whose records hold the question and its answer.
LM_EVAL = "lm-evaluation-harness"
INSPECT = "inspect_ai"
#: What stands between a metric and its filter, and what in a record tells questions apart.
FILTER = ","
_QUESTION = ("doc_hash", "target_hash", "target", "input")


def of_the_same_questions(
    answers: Sequence[tuple[str, Answer]], tool: str
) -> list[tuple[str, Answer]]:
    """Return the answers; if all are through one filter, their scores have names without it.

    Raises ReferenceDataError if systems answered different questions of the same name.
    """
    if tool not in (LM_EVAL, INSPECT):
        return list(answers)
    first: dict[tuple[str, str, str], tuple[str, Any]] = {}
    for system, answer in answers:
        for key in _QUESTION:
            value = answer.source.get(key)
            if not isinstance(value, (str, int)):
                continue
            first_system, first_value = first.setdefault(
                (answer.task, answer.unit, key), (system, value)
            )
            if first_value != value:
                raise ReferenceDataError(
                    f"res: {quoted(answer.unit)} of {answer.task} is another question for {system} "
                    f"than for {first_system}, as the {key} in the logs of {tool} says; let all "
                    "systems answer the same version of the task"
                )
    filters = {name.rpartition(FILTER)[2] for _, answer in answers for name in answer.scores}
    if tool == INSPECT or len(filters) != 1:
        return list(answers)
    without_filter = []
    for system, answer in answers:
        scores = {name.rpartition(FILTER)[0]: score for name, score in answer.scores.items()}
        without_filter.append((system, replace(answer, scores=scores)))
    return without_filter


def lm_eval(path: PurePosixPath, content: Any) -> Iterator[Answer]:
    """Read ``samples_TASK_DATE.jsonl`` of lm-evaluation-harness; every filter has its metrics."""
    task = (_SAMPLES.fullmatch(path.name) or {"task": path.stem})["task"]
    of_doc: dict[str, dict[str, Any]] = {}
    sources: dict[str, Mapping[str, Any]] = {}
    records: dict[tuple[str, Any], int] = {}
    for number, record in enumerate(content, 1):
        unit = str(record["doc_id"])
        earlier = records.setdefault((unit, record.get("filter")), number)
        if earlier != number:
            raise ValueError(f"records {earlier} and {number} are both of the doc_id {unit}")
        floats = [name for name, value in record.items() if isinstance(value, float)]
        names = record.get("metrics") or floats
        suffix = f"{FILTER}{record.get('filter') or 'none'}"  # as the tool calls no filter
        of_doc.setdefault(unit, {}).update({f"{n}{suffix}": record.get(n) for n in names})
        sources[unit] = record
    for unit, scores in of_doc.items():
        yield Answer(task, unit, scores, sources[unit])


def _inspect(path: PurePosixPath, content: Any) -> Iterator[Answer]:
    """Read a log of inspect_ai; the samples of a question are its epochs."""
    evaluation = content["eval"]
    samples = content.get("samples") or []  # a run that failed has none
    epochs = len({sample.get("epoch") for sample in samples}) > 1
    for sample in samples:
        scores: dict[str, Any] = {}
        for scorer, score in (sample.get("scores") or {}).items():
            value = score.get("value")
            several = value if isinstance(value, dict) else {"": value}
            for name, part in several.items():
                number = LETTERS.get(part, part) if isinstance(part, str) else part
                scores[f"{scorer}.{name}" if name else scorer] = number
        number = str(sample.get("epoch", "")) if epochs else ""
        model = evaluation.get("model", "")
        yield Answer(evaluation["task"], str(sample["id"]), scores, sample, number, model)


def _helm(path: PurePosixPath, content: Any) -> Iterator[Answer]:
    """Read ``per_instance_stats.json`` of HELM; the folder is called like the run."""
    run = path.parent.name
    model = MODEL.search(run)
    task = MODEL.sub("", run).strip(",:")
    trials = len({record.get("train_trial_index") for record in content}) > 1
    for record in content:
        named = ((stat["name"], stat.get("mean")) for stat in record["stats"])
        plain = ((stat["name"], mean) for stat, mean in named if not stat.get("perturbation"))
        scores = {name: mean for name, mean in plain if not _NO_SCORES.fullmatch(name)}
        if not record.get("perturbation"):
            trial = str(record.get("train_trial_index", "")) if trials else ""
            name = model["model"] if model else ""
            yield Answer(task, record["instance_id"], scores, record, trial, name)


def _every_eval_ever(path: PurePosixPath, content: Any) -> Iterator[Answer]:
    """Read the samples of Every Eval Ever (schemas 0.2 and 0.3)."""
    for record in content:
        scores = {"score": record["evaluation"].get("score")}
        task = record.get("evaluation_name", "")
        model = record.get("model_id", "")
        yield Answer(task, record["sample_id"], scores, record, model=model)


def _evalplus(path: PurePosixPath, content: Any) -> Iterator[Answer]:
    """Read ``…_eval_results.json`` of EvalPlus: by all tests, and by the benchmark's own.

    As in EvalPlus, an answer that fails the benchmark's own tests does not pass all.
    """
    model = re.sub(r"[._-]?eval_results$", "", path.stem)
    for unit, answers in content["eval"].items():
        if not answers:
            raise ValueError("it has no answer")
        for number, answer in enumerate(answers, 1):
            base, plus = (answer.get(f"{name}_status") for name in ("base", "plus"))
            scores = {} if plus is None else {"plus": float(base == plus == _PASSED)}
            if base is not None:
                scores["base"] = float(base == _PASSED)
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
        or (isinstance(content.get(_RESOLVED), list) and not _BESIDE_RESOLVED.isdisjoint(content))
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
            yield Answer("", unit, {_RESOLVED: float(_resolved(part))}, source)
    totals = [_total(part["total"]) for part in parts.values() if "total" in part]
    if "total_instances" in content:
        source = {**source, "total": _total(content["total_instances"])}
    elif totals:
        yield Answer("", "", {}, {**source, "at_most": _total(sum(totals))})
    lists = {key: ids for key, ids in content.items() if isinstance(ids, list)}
    resolved = {*lists.get("resolved_ids", ()), *lists.get(_RESOLVED, ())}
    if contradicted := listed(unit for unit in lists.get("unresolved_ids", ()) if unit in resolved):
        raise ValueError(f"{contradicted} stands in 'resolved_ids' and in 'unresolved_ids'")
    stated = content.get("resolved_instances", len(resolved))
    if stated != len(resolved):
        raise ValueError(f"'resolved_instances' is {stated}, but {len(resolved)} are listed")
    for unit in dict.fromkeys(["", *(unit for ids in lists.values() for unit in ids)]):
        if not isinstance(unit, str):
            raise ValueError(f"{quoted(str(unit))} is no name of an instance")
        yield Answer("", unit, {_RESOLVED: float(unit in resolved)}, source)


def _leaderboards(path: PurePosixPath, content: Any) -> Iterator[Answer]:
    """Read ``leaderboards.json`` of SWE-bench's website, which holds each instance of some systems.

    A submission stands on several boards, so its first counts. Systems are called by its folder.
    """
    seen: dict[str, Mapping[str, Any]] = {}
    for board in content["leaderboards"]:
        for result in board["results"]:
            folder = result["folder"]
            details = result.get("per_instance_details") or {}
            if not isinstance(folder, str) or not folder:
                raise ValueError(f"{quoted(str(folder))} is no name of a folder")
            if details and seen.setdefault(folder, details) is not details:
                if seen[folder] != details:
                    raise ValueError(f"{quoted(folder)} has two results that differ")
                continue
            for unit, instance in details.items():
                resolved = {_RESOLVED: float(_resolved(instance))}
                yield Answer(board["name"], unit, resolved, result, model=folder)


def _without_instances(content: Any) -> Iterator[str]:
    """Yield the submissions without instances on the boards that are the first of others."""
    seen: set[str] = set()
    for board in content["leaderboards"]:
        results = {row["folder"]: row.get("per_instance_details") for row in board["results"]}
        having = {folder for folder, details in results.items() if details}
        if having - seen:
            yield from (printable(folder) for folder in results if folder not in having)
        seen |= having


def _resolved(instance: Mapping[str, Any]) -> bool:
    resolved = instance[_RESOLVED]
    if not isinstance(resolved, bool):
        raise ValueError(f"'resolved' is {quoted(str(resolved))}, not true or false")
    return resolved


def _total(stated: Any) -> int:
    if type(stated) is not int or not 0 <= stated <= _MOST_INSTANCES:
        raise ValueError(
            f"the number of instances is {quoted(str(stated))}, not a whole number up to "
            f"{_MOST_INSTANCES}"
        )
    return stated


_JSON = re.compile(r".+\.json")
_LINES = re.compile(r".+\.jsonl")
_JSON_OR_EVAL = re.compile(r".+\.(json|eval)")
TOOLS = (
    Tool(LM_EVAL, _SAMPLES, _is_list_with("doc_id", "target"), lm_eval),
    Tool(
        INSPECT,
        _JSON_OR_EVAL,
        lambda content: _is_object_with("eval")(content) and not content.keys().isdisjoint(_OF_LOG),
        _inspect,
    ),
    Tool(
        "HELM",
        re.compile(r"per_instance_stats\.json"),
        _is_list_with("instance_id", "stats"),
        _helm,
        beside=frozenset(("groups", "eval_cache")),
    ),
    Tool("Every Eval Ever", _LINES, _is_list_with("evaluation_id", "sample_id"), _every_eval_ever),
    Tool(
        "EvalPlus",
        _JSON,
        lambda content: _is_object_with("eval")(content) and content.keys().isdisjoint(_OF_LOG),
        _evalplus,
    ),
    Tool("LiveCodeBench", _JSON, _is_list_with("graded_list"), _livecodebench),
    Tool("SWE-bench", _JSON, _is_swe_bench, _swe_bench, unlisted={_RESOLVED: 0.0}),
    Tool(
        "SWE-bench's website",
        _JSON,
        _is_object_with("leaderboards"),
        _leaderboards,
        stated=_RESOLVED,
        left_out=_without_instances,
    ),
)
