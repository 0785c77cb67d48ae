"""The measured prototype of the rule, where it exists beside the repository, and our verdicts.

It lies in the folder that holds the repository's contracts, and is not part of the project.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

from scoring_program.reading.table import table_of_rows
from scoring_program.recognize.facts import label_of, number_of
from scoring_program.recognize.rows_rule import recognize_rows
from scoring_program.recognize.statements import NUMBERS, Need, Stated
from tests.competitions import REPOSITORY

from .generate import LINE_OF_WORD

_MODULES = ("tables", "bind", "generate", "measure")
_SECOND = {"second label", "flag", "year", "group", "split", "topic"}


def _folder() -> Path | None:
    for parent in REPOSITORY.parents:
        folder = parent / "shared" / "reading"
        if (folder / "bind.py").exists():
            return folder
    return None


FOLDER = _folder()


def _module(name: str) -> Any:
    """Return a module of the prototype, which are called by their bare names."""
    assert FOLDER is not None
    sys.path.insert(0, str(FOLDER))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(FOLDER))


def case(seed: int) -> Any:
    """Return a competition of the prototype's generator."""
    return _module("generate").make(seed)


def verdict_of_prototype(case: Any) -> str:
    """Return the prototype's verdict in our words."""
    measure = _module("measure")
    plan = _module("bind").bind(case.gold, case.files, case.kind, measure.stated(case))
    outcome, _ = measure.judge(case, plan)
    return "unusable" if outcome == "refused" else str(outcome)


def group(case: Any) -> str:
    """Return the group in which a competition is counted."""
    if not case.well_formed:
        return "other"
    several = case.tags & {f"gold: {name}" for name in _SECOND}
    return "well-formed, several candidates" if several else "well-formed, plain"


def verdict(case: Any) -> tuple[str, str]:
    """Return right, asked, unusable or WRONG by our rule, and why."""
    gold = table_of_rows("gold.csv", case.gold)
    files = {}
    for name, rows in case.files.items():
        files[name] = table_of_rows(name, [[cell.strip() for cell in row] for row in rows])
    need = Need(case.metric, case.kind, positive=case.pos_label)
    outcome = recognize_rows(gold, files, [need], Stated(context=tuple(case.context)))
    if outcome.reading is None:
        return "asked", outcome.questions[0].asks.sentence
    below = 1 if outcome.reading.reference.roles["header"].value else 0
    answer_columns = [binding.answers[need.name][0] for binding in outcome.bindings.values()]
    for column in answer_columns if case.kind == NUMBERS else ():
        if any(number_of(cell) is None for cell in gold.columns[column.place][below:]):
            return "asked", LINE_OF_WORD
    for name, binding in outcome.bindings.items():
        truth = case.truth[name]
        if truth is None:
            return "WRONG", f"{name}: nobody can score it"
        (answers,) = binding.answers[need.name]
        if _meanings(gold.columns[answers.place][below:]) != _meanings(case.answers):
            return "WRONG", f"answers in {answers.name}"
        predicted = {}
        first = 1 if binding.header else 0
        for label, column in binding.predictions[need.name].columns.items():
            cells = files[name].columns[column.place][first:]
            rows = binding.rows.tolist()
            predicted[label] = _meanings([cells[row] if row >= 0 else None for row in rows])
        wanted = (
            {"": _meanings(truth)}
            if isinstance(truth, list)
            else {label_of(label): _meanings(cells) for label, cells in truth.items()}
        )
        if predicted != wanted:
            return "WRONG", f"{name}: {binding.predictions[need.name]}"
    lost = [name for name in outcome.unusable if case.truth[name] is not None]
    return ("unusable", outcome.unusable[lost[0]].sentence) if lost else ("right", "")


def _meanings(cells: Any) -> list[str | None]:
    return [None if cell is None else label_of(cell) for cell in cells]
