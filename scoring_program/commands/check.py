"""The command ``deadheat check``, with which participants check predictions without the gold.

It gives the same messages as the platform, because it runs the same code. That code needs only
Python's standard library, so the starting kit can carry it as one file (`bundle.kit`). The kit's
``expected.json`` then holds the competition's rules for submissions.
"""

from __future__ import annotations

import argparse
import json
import pkgutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..alignment import given_examples
from ..alignment.expected import Expected, Target
from ..alignment.format_check import check
from ..alignment.given_examples import GivenExamples
from ..alignment.rules import PACKED, WORDS, SubmissionRules, as_rules
from ..core.cells import Label
from ..core.errors import (
    DeadheatError,
    OrganizerError,
    SubmissionError,
    internal,
    nearest,
)
from ..core.phrases import verbatim
from ..core.version import __version__
from ..reading.formats import FORMATS, KINDS, is_known
from ..reading.formats.kind import ROWS
from ..reading.layout import ONLY_TASK
from . import upload
from .console import say
from .parser import Parser

_KINDS = ("labels", "numbers", "scores", "probabilities", *KINDS)
#: The options that say what a task expects.
_OF_TASKS = ("ids", "rows", "id_column", "column", "kind", "labels")
EXIT_STATUSES = """\
exit status:
  0  the file can be scored
  1  the file cannot be scored, for the reasons shown
  2  the command or the file of ids is wrong, or submission.zip cannot be written
  3  an internal error
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Check one predictions file and return the exit status."""
    parser = _parser()
    options = parser.read(arguments)
    try:
        rules = _rules(options, parser)
        in_kit = _packed(PACKED) is not None  # then there is a platform to upload to
        try:
            checked = check(options.predictions, rules, _words())
        except SubmissionError as error:
            stale = upload.earlier(options.predictions) if in_kit else ""
            raise SubmissionError(verbatim(f"{error}{stale}")) from error
        say(checked.message)
        if in_kit:
            say(upload.prepare(options.predictions, checked.files, rules.limits))
    except DeadheatError as error:
        say(str(error), sys.stderr)
        return error.exit_status
    except OSError as error:
        say(f"{error.filename}: {error.strerror}; check that the file can be read", sys.stderr)
        return OrganizerError.exit_status
    except Exception as error:
        failure = internal(error, __version__)
        say(f"{failure} Please tell the organizers.", sys.stderr)
        return failure.exit_status
    return 0


def _rules(options: argparse.Namespace, parser: argparse.ArgumentParser) -> SubmissionRules:
    """Return the kit's rules with the changes that the options make, or the options' rules."""
    document = _packed(PACKED)
    packed = None if document is None else as_rules(document)
    if packed is None and options.ids is None and options.rows is None:
        parser.error("one of the arguments --ids --rows is required")
    rules = packed or SubmissionRules({ONLY_TASK: Expected(range(0), 0, None, {})})
    if options.format != "auto":
        rules = replace(rules, form=options.format)
    if not any(getattr(options, name) for name in _OF_TASKS):
        return rules
    if len(rules.tasks) > 1:
        raise OrganizerError(
            f"this kit already knows the ids and columns of its tasks ({', '.join(rules.tasks)}); "
            "use no option except --format"
        )
    expected = rules.tasks[ONLY_TASK]
    files = _files(options.ids or ())
    if len(files) < 2:
        return replace(
            rules, tasks={ONLY_TASK: _changed(expected, options, next(iter(files), None))}
        )
    tasks = {path.stem.removeprefix("test_ids_"): path for path in files}
    return replace(
        rules, tasks={task: _changed(expected, options, path) for task, path in tasks.items()}
    )


def _files(given: Sequence[Path]) -> list[Path]:
    """Return files as they are, and those in folders by name."""
    files: list[Path] = []
    for path in given:
        inside = sorted(file for file in path.glob("[!.]*") if file.is_file())
        if path.is_dir() and not inside:
            raise OrganizerError(f"{path}: the folder holds no file of test ids")
        files += inside or [path]
    return files


def _changed(expected: Expected, options: argparse.Namespace, ids_file: Path | None) -> Expected:
    if options.id_column:
        expected = replace(expected, id_column=options.id_column)
    given = None
    if ids_file is not None:
        known = None if expected.kind == ROWS else expected.kind
        given = given_examples.read(ids_file, expected.id_column, options.kind or known)
    kind = options.kind or (given.kind if given and given.kind != ROWS else None)
    if options.column or kind or options.labels or not expected.targets:
        labels: Sequence[Label] = options.labels.split(",") if options.labels else ()
        target = Target(options.column or "label", kind or "labels")
        expected = replace(
            expected,
            targets={target: tuple(labels)},
            labels_are_public=True,
            kind=target.kind if target.kind in KINDS else ROWS,
        )
    if options.rows is not None:
        return replace(expected, positions=range(options.rows), total=options.rows, ids=None)
    return expected if given is None else _with_examples(expected, given)


def _with_examples(expected: Expected, given: GivenExamples) -> Expected:
    """Return what is expected for examples that a file gives."""
    if given.n != expected.n:
        expected = replace(expected, positions=range(given.n), total=given.n)
    if given.shapes is not None:
        expected = replace(expected, shapes=dict.fromkeys(expected.columns, given.shapes))
    if given.id_column is not None:
        expected = replace(expected, id_column=given.id_column)
    return replace(expected, ids=given.ids)


def _words() -> Mapping[str, Any]:
    """Return the words of notes, from the kit or, outside a kit, from the language file."""
    packed: Mapping[str, Any] | None = _packed(WORDS)
    if packed is not None:
        return packed
    # Imported here because a starting kit has neither this module nor PyYAML.
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


def _format(name: str) -> str:
    if name != "auto" and not is_known(name):
        known = ("auto", *FORMATS)
        raise argparse.ArgumentTypeError(
            f"{name!r} is none of {', '.join(known)}{nearest(name, known)}"
        )
    return name


def _parser() -> Parser:
    parser = Parser(
        "check",
        "Check a predictions file without the gold, with the same messages as the platform.",
        epilog=EXIT_STATUSES,
    )
    parser.add_argument(
        "predictions", type=Path, metavar="PREDICTIONS", help="the file, or the zip to upload"
    )
    size = parser.add_mutually_exclusive_group()
    size.add_argument(
        "--ids",
        type=Path,
        action="append",
        metavar="FILE",
        help="file with the ids or the tokens of the test set (not needed in a starting kit); once "
        "for each of several tasks, which are named like the files, or their folder",
    )
    size.add_argument(
        "--rows", type=_count, metavar="N", help="number of rows of a test set without ids"
    )
    parser.add_argument(
        "--id-column", metavar="COLUMN", help="column that holds the ids (default: id)"
    )
    parser.add_argument(
        "--column", metavar="COLUMN", help="column that holds the predictions (default: label)"
    )
    parser.add_argument("--kind", choices=_KINDS, help="what is predicted (default: labels)")
    parser.add_argument("--labels", metavar="A,B,…", help="the labels allowed")
    parser.add_argument(
        "--format",
        type=_format,
        default="auto",
        metavar="FORMAT",
        help=f"format: auto, {', '.join(FORMATS)} (default: auto, which recognizes it)",
    )
    return parser
