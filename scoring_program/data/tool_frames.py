"""Samples as evaluation tools give them in Python: inspect_ai's samples_df, lm-eval's samples.

Their frames hold inputs, answers, times and much else beside the scores, so that names of columns
alone do not say which are which.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from ..core.cells import grouped
from ..core.errors import ReferenceDataError
from ..reading import log_tools
from ..reading.log_tools import INSPECT, LM_EVAL
from ..settings.model import Settings
from .inputs import columns_of, is_frame, names_of, texts_of

#: The columns by which the frames of a tool are known.
_KNOWN_BY = {INSPECT: {"sample_id", "eval_id", "id", "epoch"}, LM_EVAL: {"doc_id", "resps"}}
_Row = Mapping[str, Any]
_UNIT = "id"
_SYSTEM = "model"
_TASK = "task"
_SAMPLE = "epoch"


def scores_of_tool(
    samples: Any, settings: Settings, groups: Any
) -> tuple[str, dict[str, list[Any]], Settings] | None:
    """Return the tool of samples, a long table of their scores, and settings that name its columns.

    ``samples`` is a frame with a column of systems, called as the settings say or "model", or a
    mapping of system to frame. The table has the columns "id" and "model", "task" and "epoch" if
    there are several, and one for each score, where a missing one is "". Where the settings name
    other units or samples, they are to be followed. None of any other data.

    Raises ReferenceDataError if the samples do not say what they are of, or can have no groups.
    """
    frames = dict(samples) if isinstance(samples, Mapping) else {"": samples}
    if not frames or not all(map(is_frame, frames.values())):
        return None
    names = set.intersection(*({*names_of(frame)} for frame in frames.values()))
    tool = next((tool for tool, usual in _KNOWN_BY.items() if usual <= names), None)
    usual_roles = (None, (_UNIT,), ("doc_id",))
    if tool is None or settings.unit not in usual_roles or settings.sample not in (None, _SAMPLE):
        return None
    system = settings.system or _SYSTEM
    rows = [
        {**row, _SYSTEM: name or texts_of([row.get(system)])[0] or _sole_model(row)}
        for name, frame in frames.items()
        for row in _rows(frame)
    ]
    if not all(row[_SYSTEM] for row in rows):
        remedy = f"add a column {_SYSTEM!r},"
        if tool == INSPECT:
            remedy = "add their models, samples_df(logs, columns=SampleSummary + EvalModel),"
        raise ReferenceDataError(
            f"scores: the samples of {tool} do not say of which system they are; {remedy} or give "
            "a mapping of system to frame"
        )
    answers = list(_inspect(rows) if tool == INSPECT else _lm_eval(rows))
    scores: dict[str, None] = {}
    for _, scores_of_answer in answers:
        scores |= dict.fromkeys(scores_of_answer)
    if not scores:
        raise ReferenceDataError(f"scores: the samples of {tool} hold no scores; score them")
    columns = {}
    for key in answers[0][0]:
        values = [keys[key] for keys, _ in answers]
        if key in (_UNIT, _SYSTEM) or len({*values}) > 1:
            columns[key] = values
    if groups is not None and tool == LM_EVAL:  # its filters are lines of a unit
        raise ReferenceDataError(
            f"groups: lines of {tool} have no groups; give scores as a mapping of system to numbers"
        )
    sample = _SAMPLE if _SAMPLE in columns else None
    settings = replace(settings, unit=(_UNIT,), system=_SYSTEM, sample=sample)
    for name in scores:
        columns[name] = texts_of(scores_of_answer.get(name) for _, scores_of_answer in answers)
    return tool, columns, settings


def _rows(frame: Any) -> Iterator[_Row]:
    columns = columns_of(frame)
    lists = []
    for _, column in columns:
        to_list = getattr(column, "to_pylist", None) or column.to_list
        lists.append(to_list())
    names = [str(name) for name, _ in columns]
    for values in zip(*lists, strict=True):
        plain = (cell.tolist() if isinstance(cell, np.ndarray) else cell for cell in values)
        yield dict(zip(names, plain, strict=True))


def _sole_model(row: _Row) -> str:
    """Return the model that answered a sample of inspect_ai, if no other was asked anything."""
    try:
        models = list(json.loads(row["model_usage"]))
    except (KeyError, TypeError, ValueError):
        return ""
    return str(models[0]) if len(models) == 1 else ""


def _inspect(rows: Sequence[_Row]) -> Iterator[tuple[_Row, _Row]]:
    """Yield what each sample is of, and its scores. Tasks have the same ids."""
    if "task_name" not in rows[0]:
        runs = {(row[_SYSTEM], row["eval_id"]) for row in rows}
        if len(runs) > len({model for model, _ in runs}):
            raise ReferenceDataError(
                "scores: the samples of inspect_ai are of several logs of a model; add the names "
                "of the tasks, samples_df(logs, columns=SampleSummary + EvalTask + EvalModel), or "
                "leave out a log that repeats another"
            )
    for row in rows:
        cells = {_UNIT: row["id"], _SYSTEM: row[_SYSTEM], _TASK: row.get("task_name", "")}
        scores = {name: value for name, value in row.items() if name.startswith("score_")}
        yield {**cells, _SAMPLE: row["epoch"]}, scores


def _lm_eval(rows: Sequence[_Row]) -> Iterator[tuple[_Row, _Row]]:
    """Yield what each example is of, and its scores, those of every filter."""
    of_runs = grouped(((str(row[_SYSTEM]), str(row.get(_TASK, ""))), row) for row in rows)
    answers = [
        (model, replace(answer, task=task))
        for (model, task), run in of_runs.items()
        for answer in log_tools.lm_eval(PurePosixPath(task), run)
    ]
    for model, answer in log_tools.of_the_same_questions(answers, LM_EVAL):
        yield {_UNIT: answer.unit, _SYSTEM: model, _TASK: answer.task}, answer.scores
