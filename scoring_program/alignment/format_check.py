"""The check of a submission's format without the gold, with the code of the scoring program.

This module needs only the standard library, because the starting kit contains it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..core.errors import OrganizerError, SubmissionError
from ..core.notes import tell
from ..core.phrases import joined
from ..reading import files, layout
from ..reading.formats import read_examples
from ..reading.formats.kind import ROWS
from ..reading.table import Table
from .columns import class_columns
from .expected import Expected
from .rules import SubmissionRules
from .submission import Submission, examine, split_header


@dataclass(frozen=True)
class Checked:
    """A submission that can be scored.

    ``message`` says so. It also says how the files were read, if that is unusual, and what was not
    checked. ``files`` are those that would be scored, here or by the other tasks of the phase.
    """

    message: str
    files: tuple[files.DataFile, ...]


def check(predictions: Path, rules: SubmissionRules, words: Mapping[str, Any]) -> Checked:
    """Check a predictions file, archive or folder. ``words`` is the content of a language file.

    Raises
    ------
    SubmissionError
        Every problem, in the words of the run on the platform.
    OrganizerError
        There is no such file.
    """
    if predictions.is_dir():
        found = list(files.walk(predictions, rules.limits))
    elif predictions.is_file():
        found = list(files.walk_file(predictions, rules.limits))
    else:
        raise OrganizerError(f"{predictions}: this file does not exist; name the predictions file")
    conventions = layout.Conventions(
        tuple(rules.tasks), rules.gold, rules.other_tasks, pattern=rules.pattern
    )
    upload = layout.arrange(found, "single", conventions)
    (source,) = upload.sources
    good, bad = [], []
    for task, expected in rules.tasks.items():
        try:
            file = source.file(task)
            table = read_examples(file.read(), str(file.path), expected.kind, rules.form)
            assumed = _with_classes(table, expected)
            submission = examine(table, assumed)
            good.append(_good_news(str(file.path), submission, assumed))
            good.extend(f"{file.path}: {tell(note, words, str)}" for note in submission.notes)
            good.extend(_not_checked(expected, assumed))
        except SubmissionError as error:
            bad.append(error.reason)
    if bad:
        raise SubmissionError(joined(bad))
    good.extend(tell(note, words, str) for note in upload.notes)
    return Checked("\n".join(good), (*source.files.values(), *upload.others))


def _good_news(file: str, submission: Submission, expected: Expected) -> str:
    held = expected.n - submission.missing
    examples = str(expected.example[1]) if expected.example else "examples"
    ready = f"{file}: the file can be scored; it holds a prediction for"
    if held == expected.n:
        return f"{ready} each of {held} {examples}."
    return f"{ready} {held} of {expected.n} {examples}. The others count as wrong."


def _not_checked(expected: Expected, assumed: Expected) -> list[str]:
    """Return what only the platform can check, because the kit lacks the labels.

    ``assumed`` was expected instead, with the file's columns as classes.
    """
    unchecked = []
    for target, labels in expected.targets.items():
        if classes := () if labels else assumed.targets[target]:
            listed = ", ".join(repr(str(name)) for name in classes)
            unchecked.append(
                f"Not checked: whether the columns {listed} are the classes of the task."
            )
        elif target.kind == "labels" and not labels:
            unchecked.append(
                f"Not checked: whether the labels of {target.column!r} are labels of the task."
            )
    if expected.keep_columns:
        unchecked.append("Not checked: whether the organizers' own metric accepts the columns.")
    return list(dict.fromkeys(unchecked))


def _with_classes(table: Table, expected: Expected) -> Expected:
    """If the labels are unknown, assume that columns of numbers are one column per class.

    The platform knows the labels and looks for these columns. If labels are needed, it does so only
    if no column has the name of a prediction.
    """
    if len(expected.columns) != 1 or table.ragged or expected.kind != ROWS:
        return expected
    header, below = split_header(table, expected)
    columns = dict(zip(header, below.columns, strict=True))
    classes, named = class_columns(columns, expected.columns)
    if len(classes) < 2:
        return expected
    return replace(
        expected,
        targets={
            target: tuple(classes)
            if not labels and target.kind != "numbers" and not (named and target.kind == "labels")
            else labels
            for target, labels in expected.targets.items()
        },
    )
