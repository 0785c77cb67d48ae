"""The check of a submission's format without the gold, by the code that scores it.

This module needs only the standard library, so that the starting kit can carry it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..core.errors import OrganizerError, SubmissionError
from ..core.notes import tell
from ..reading import files, layout
from ..reading.formats import read_table
from ..reading.table import Table
from .columns import class_columns
from .expected import Expected
from .rules import SubmissionRules
from .submission import Submission, examine, split_header


@dataclass(frozen=True)
class Checked:
    """A submission that can be scored.

    ``news`` says so, and also how the files were read if that is unusual, and what was not checked;
    ``files`` are those that would be scored, here or by the other tasks of the phase.
    """

    news: str
    files: tuple[files.DataFile, ...]


def check(predictions: Path, rules: SubmissionRules, words: Mapping[str, Any]) -> Checked:
    """Check a predictions file, archive or folder; ``words`` are those of a language file.

    Raises
    ------
    SubmissionError
        Everything that is wrong, in the words of the platform's run.
    OrganizerError
        There is no such file.
    """
    if predictions.is_dir():
        found = list(files.walk(predictions, rules.limits))
    elif predictions.is_file():
        found = list(files.alone(predictions, rules.limits))
    else:
        raise OrganizerError(f"{predictions}: there is no such file; name the predictions file")
    conventions = layout.Conventions(tuple(rules.tasks), gold=rules.gold, pattern=rules.pattern)
    upload = layout.arrange(found, "single", conventions)
    (source,) = upload.sources
    good, bad = [], []
    for task, expected in rules.tasks.items():
        try:
            file = source.file(task)
            table = read_table(file.read(), str(file.path), rules.form)
            assumed = _with_classes(table, expected)
            submission = examine(table, assumed)
            good.append(_good_news(str(file.path), submission, assumed))
            good.extend(f"{file.path}: {tell(note, words, str)}" for note in submission.notes)
            good.extend(_not_checked(expected, assumed))
        except SubmissionError as error:
            bad.append(str(error))
    if bad:
        raise SubmissionError("\n".join(bad))
    good.extend(tell(note, words, str) for note in upload.notes)
    return Checked("\n".join(good), (*source.files.values(), *upload.others))


def _good_news(file: str, submission: Submission, expected: Expected) -> str:
    columns = [column for columns in submission.predictions.values() for column in columns]
    held = sum(None not in row for row in zip(*columns, strict=True)) if columns else expected.n
    if held == expected.n:
        return f"{file}: ready to be scored; it holds a prediction for each of {held} examples."
    return (
        f"{file}: ready to be scored; it holds a prediction for {held} of {expected.n} examples, "
        "the others count as wrong."
    )


def _not_checked(expected: Expected, assumed: Expected) -> list[str]:
    """Return what only the platform can say, because the kit does not hold it.

    ``assumed`` is what was expected in its place, with a file's columns as classes.
    """
    said = []
    for target, labels in expected.targets.items():
        if classes := () if labels else assumed.targets[target]:
            listed = ", ".join(repr(str(name)) for name in classes)
            said.append(f"Not checked: whether the columns {listed} are the classes of the task.")
        elif target.kind == "labels" and not labels:
            said.append(
                f"Not checked: whether the labels of {target.column!r} are among those of the task."
            )
    if expected.keep_columns:
        said.append("Not checked: what the organizers' own metric asks of the columns.")
    return list(dict.fromkeys(said))


def _with_classes(table: Table, expected: Expected) -> Expected:
    """Where the labels are unknown, assume that columns of numbers are one column per class.

    The platform knows the labels, and would look for such columns: for labels if no column is named
    as a prediction, for scores and probabilities before any other column.
    """
    if len(expected.columns) != 1 or table.ragged:
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
