"""``deadheat check``: a participant's own check of a predictions file, without the gold.

It gives the messages that the platform would, because it runs the same code. That code needs
nothing but Python's standard library, so that the starting kit can carry it as one file
(`bundle.kit`); the kit's ``expected.json`` then says what the competition asks of submissions.
"""

from __future__ import annotations

import argparse
import json
import pkgutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from .. import __version__
from ..alignment.cells import Label
from ..alignment.columns import class_columns, is_id_name
from ..alignment.expected import Expected, Target
from ..alignment.submission import Submission, examine, split_header
from ..core.errors import DeadheatError, OrganizerError, SubmissionError, internal
from ..core.notes import tell
from ..reading import files, layout
from ..reading.formats import FORMATS, read_table
from ..reading.layout import ONLY_TASK
from ..reading.limits import DEFAULT, Limits
from ..reading.table import Table
from . import upload
from .console import say

#: What the competition asks, as JSON beside this module; only a starting kit has it.
PACKED = "expected.json"
#: The words of notes, likewise.
WORDS = "words.json"
#: What JSON holds of it without further ado: texts, numbers, flags and lists of texts.
_AS_IT_IS = [
    item.name
    for item in fields(Expected)
    if item.name not in ("positions", "ids", "ignored", "targets")
]
_KINDS = ("labels", "numbers", "scores", "probabilities")
EXIT_STATUSES = """\
exit status:
  0  the file can be scored
  1  it cannot, for the reasons shown
  2  the command or the file of ids is wrong, or submission.zip cannot be written
  3  an internal error
"""


@dataclass(frozen=True)
class Rules:
    """What a competition asks of submissions, as far as participants may know it."""

    tasks: Mapping[str, Expected]
    form: str = "auto"
    pattern: str | None = None
    limits: Limits = DEFAULT


def main(arguments: Sequence[str] | None = None) -> int:
    """Check one predictions file and return the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        rules = _rules(options, parser)
        checked = check(options.predictions, rules)
        say(checked.news)
        if _packed(PACKED) is not None:  # this is a starting kit, so there is a platform
            say(upload.prepare(options.predictions, checked.files, rules.limits))
    except DeadheatError as error:
        say(str(error), sys.stderr)
        return error.exit_status
    except OSError as error:
        say(f"{error.filename}: {error.strerror}: check that it can be read", sys.stderr)
        return OrganizerError.exit_status
    except Exception as error:
        failure = internal(error, __version__)
        say(f"{failure} Please tell the organizers.", sys.stderr)
        return failure.exit_status
    return 0


@dataclass(frozen=True)
class Checked:
    """A submission that can be scored.

    ``news`` says so, how it was read where that is not as usual, and what was not checked;
    ``files`` are those that would be scored.
    """

    news: str
    files: tuple[files.DataFile, ...]


def check(predictions: Path, rules: Rules) -> Checked:
    """Check a predictions file, archive or folder.

    Raises
    ------
    SubmissionError
        All that is wrong, as the platform's run would say it.
    OrganizerError
        There is no such file.
    """
    if predictions.is_dir():
        found = list(files.walk(predictions, rules.limits))
    elif predictions.is_file():
        found = list(files.alone(predictions, rules.limits))
    else:
        raise OrganizerError(f"{predictions}: there is no such file; name the predictions file")
    (source,) = layout.arrange(found, "single", tuple(rules.tasks), rules.pattern).sources
    good, bad = [], []
    for task, expected in rules.tasks.items():
        try:
            file = source.file(task)
            table = read_table(file.read(), str(file.path), rules.form)
            assumed = _with_classes(table, expected)
            submission = examine(table, assumed)
            good.append(_good_news(str(file.path), submission, assumed))
            good.extend(f"{file.path}: {tell(note, _words(), str)}" for note in submission.notes)
            good.extend(_not_checked(expected, assumed))
        except SubmissionError as error:
            bad.append(str(error))
    if bad:
        raise SubmissionError("\n".join(bad))
    return Checked("\n".join(good), tuple(source.files.values()))


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
    """Where the labels are not known, take columns of numbers for a column a class.

    That is done where the platform, which knows the labels, would look for them: for labels if no
    column is named as a prediction, for scores and probabilities before any other column.
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


def as_document(rules: Rules) -> dict[str, Any]:
    """Return the rules as a starting kit's ``expected.json`` holds them.

    Labels that are not public are left out. Ids and rows are sorted: their order may follow the
    gold.
    """
    return {
        "tasks": {task: _as_document(expected) for task, expected in rules.tasks.items()},
        "format": rules.form,
        "name_pattern": rules.pattern,
        "limits": asdict(rules.limits),
    }


def _as_document(expected: Expected) -> dict[str, Any]:
    return {
        **{name: getattr(expected, name) for name in _AS_IT_IS},
        "ignored_positions": sorted({*range(expected.total)}.difference(expected.positions)),
        "ids": None if expected.ids is None else sorted(expected.ids),
        "ignored": sorted(expected.ignored),
        "targets": [
            {
                "column": target.column,
                "kind": target.kind,
                "labels": labels if expected.labels_are_public else (),
            }
            for target, labels in expected.targets.items()
        ],
    }


def as_rules(document: Mapping[str, Any]) -> Rules:
    """Return the rules of an `as_document`."""
    return Rules(
        {task: _as_expected(item) for task, item in document["tasks"].items()},
        document["format"],
        document["name_pattern"],
        Limits(**document["limits"]),
    )


def _as_expected(item: Mapping[str, Any]) -> Expected:
    ignored = {*item["ignored_positions"]}
    plain: dict[str, Any] = {
        name: tuple(item[name]) if isinstance(item[name], list) else item[name]
        for name in _AS_IT_IS
    }
    return Expected(
        **plain,
        positions=[row for row in range(item["total"]) if row not in ignored],
        ids=None if item["ids"] is None else tuple(item["ids"]),
        ignored=frozenset(item["ignored"]),
        targets={
            Target(target["column"], target["kind"]): tuple(target["labels"])
            for target in item["targets"]
        },
    )


def read_ids(path: Path, called: str = "id") -> list[str]:
    """Return the ids of the test examples, from a file in any format with an id column.

    It is ``called`` so, or in another way that says it.

    Raises
    ------
    OrganizerError
        There is no such file, or no id column in it.
    """
    try:
        table = read_table(path.read_bytes(), path.name)
    except (OSError, SubmissionError) as error:
        raise OrganizerError(f"{path}: the test ids cannot be read: {error}") from error
    if table.ragged:
        raise OrganizerError(f"{path}: rows of different widths; give every row the same columns")
    header = table.header or table.first
    named = [i for i, name in enumerate(header) if is_id_name(name) or name == called]
    if named and table.header is None:
        table = table.below_first()
    elif not named and len(header) > 1:
        raise OrganizerError(f"{path}: no column of ids; call one 'id'")
    column = named[0] if named else 0
    return list(table.columns[column])


def _rules(options: argparse.Namespace, parser: argparse.ArgumentParser) -> Rules:
    """Return the kit's rules, or those that the options state; options change a kit's."""
    document = _packed(PACKED)
    packed = None if document is None else as_rules(document)
    if packed is None and options.ids is None and options.rows is None:
        parser.error("one of the arguments --ids --rows is required")
    rules = packed or Rules({ONLY_TASK: Expected(range(0), 0, None, {})})
    if options.format != "auto":
        rules = replace(rules, form=options.format)
    changed = any((options.ids, options.rows, options.column, options.kind, options.labels))
    if not changed:
        return rules
    if len(rules.tasks) > 1:
        raise OrganizerError(
            f"this kit knows the ids and columns of its tasks ({', '.join(rules.tasks)}); leave "
            "out all options but --format"
        )
    return replace(rules, tasks={ONLY_TASK: _changed(rules.tasks[ONLY_TASK], options)})


def _changed(expected: Expected, options: argparse.Namespace) -> Expected:
    if options.column or options.kind or options.labels or not expected.targets:
        labels: Sequence[Label] = options.labels.split(",") if options.labels else ()
        target = Target(options.column or "label", options.kind or "labels")
        expected = replace(expected, targets={target: tuple(labels)}, labels_are_public=True)
    if options.rows is not None:
        return replace(expected, positions=range(options.rows), total=options.rows, ids=None)
    if options.ids is None:
        return expected
    ids = [
        value
        for value in read_ids(options.ids, expected.id_column)
        if value not in expected.ignored
    ]
    if len(ids) != expected.n:
        expected = replace(expected, positions=range(len(ids)), total=len(ids))
    return replace(expected, ids=tuple(ids))


def _words() -> Mapping[str, Any]:
    """Return the words of notes: those of the kit or, where this is none, of the language file."""
    packed: Mapping[str, Any] | None = _packed(WORDS)
    if packed is not None:
        return packed
    # Imported here because a starting kit has neither this module nor YAML.
    from ..report import language

    return language.load(language.OF_THE_LOG).strings


def _packed(name: str) -> Any:
    try:
        content = pkgutil.get_data(__package__, name)
    except OSError:
        return None
    return None if content is None else json.loads(content)


def _count(text: str) -> int:
    count = int(text)
    if count < 1:
        raise ValueError(text)
    return count


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="deadheat check",
        description="Check a predictions file as the platform would, without the gold.",
        epilog=EXIT_STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "predictions", type=Path, metavar="PREDICTIONS", help="the file, or the zip to be uploaded"
    )
    size = parser.add_mutually_exclusive_group()
    size.add_argument(
        "--ids",
        type=Path,
        metavar="FILE",
        help="file with the ids of the test set (a kit has them)",
    )
    size.add_argument("--rows", type=_count, metavar="N", help="size of a test set that has no ids")
    parser.add_argument("--column", help="column that holds the predictions (default: label)")
    parser.add_argument("--kind", choices=_KINDS, help="what is predicted (default: labels)")
    parser.add_argument("--labels", metavar="A,B,…", help="the labels that are allowed")
    parser.add_argument(
        "--format", choices=("auto", *FORMATS), default="auto", help="format (default: recognised)"
    )
    return parser
