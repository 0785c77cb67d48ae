"""The command ``deadheat check``, with which participants check predictions without the gold.

It gives the same messages as the platform, because it runs the same code. That code needs only
Python's standard library, so the starting kit can carry it as one file (`bundle.kit`). The kit's
``expected.json`` then holds the competition's rules for submissions.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import pkgutil
import sys
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..core.cells import Label
from ..core.errors import DeadheatError, OrganizerError, SubmissionError, internal
from ..core.phrases import verbatim
from ..core.version import __version__
from ..data.joining.checker_rules import PACKED, SubmissionRules, as_rules
from ..data.joining.format_check import check, read_given
from ..reading.files import DataFile
from ..reading.formats import FORMATS, KINDS, is_known
from ..reading.formats.kind import ROWS
from ..reading.layout import ONLY_TASK
from ..reading.limits import LimitExceeded, Limits, Tally
from ..recognize.expected import Expected, Target
from .boundary import Parser, one_of, say, write_file

#: What an own reader makes of a file, only the organizers' code can check.
_RECORD = "record"
_OF_KINDS = [kind for kind in KINDS if kind != _RECORD]
_KINDS = ("labels", "numbers", "scores", "probabilities", *_OF_KINDS)
#: What participants upload: Codabench accepts a bare file but cannot score it, CodaLab refuses it.
_UPLOAD = "submission.zip"
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
            # The kit's reader lies beside the archive that this module is in.
            beside = Path(__file__).parents[3] if in_kit else Path(options.settings or "").parent
            checked = check(options.predictions, rules, beside)
        except SubmissionError as error:
            stale = _warning_of_an_earlier_zip(options.predictions) if in_kit else ""
            raise SubmissionError(verbatim(f"{error}{stale}")) from error
        say(checked.message)
        if in_kit:
            say(_zip_to_upload(options.predictions, checked.files, rules.limits))
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


def _zip_to_upload(predictions: Path, checked: Sequence[DataFile], limits: Limits) -> str:
    """Put the checked files into a zip next to ``predictions``; return what to upload.

    If the predictions are a zip already, they are uploaded as they are.

    Raises
    ------
    OrganizerError
        The zip cannot be written.
    """
    path = Path(os.path.abspath(predictions))  # "." has a name too
    if path.suffix.lower() == ".zip" and path.is_file():
        return f"Upload {path.name} as it is."
    target = path.with_name(_UPLOAD)
    try:
        write_file(target, _zipped(checked, limits))
    except OSError as error:
        raise OrganizerError(
            f"{target}: cannot be written ({error.strerror}); check the predictions in a folder "
            f"that you can write to, or zip {path.name} yourself: the platform scores only a zip"
        ) from error
    return f"Upload {_UPLOAD}, which is now next to {path.name}: the platform scores only a zip."


def _warning_of_an_earlier_zip(predictions: Path) -> str:
    """Return a warning if a zip of an earlier check lies next to ``predictions``, else nothing."""
    target = Path(os.path.abspath(predictions)).with_name(_UPLOAD)
    if not target.is_file() or target.name == predictions.name:
        return ""
    return f"\n{_UPLOAD} next to it comes from an earlier check; do not upload it."


def _zipped(files: Sequence[DataFile], limits: Limits) -> bytes:
    """Return the files as a zip that can be read within ``limits``.

    Repetitive predictions compress so well that their archive would look like a zip bomb; they are
    stored without compression.
    """
    for compression in (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", compression) as archive:
            for file in files:
                archive.writestr(str(file.path), file.read())
        try:
            Tally(limits).add(len(files), archive.infolist())
            break
        except LimitExceeded:
            continue
    return stream.getvalue()


def _rules(options: argparse.Namespace, parser: argparse.ArgumentParser) -> SubmissionRules:
    """Return the kit's rules with the changes that the options make, or the options' rules."""
    packed = (document := _packed(PACKED)) and as_rules(document)
    if packed is None and options.ids is None and options.rows is None:
        parser.error("one of the arguments --ids --rows is required")
    rules = packed or SubmissionRules({ONLY_TASK: Expected(range(0), 0, None, {})})
    if options.settings is not None:
        if packed is not None:
            raise OrganizerError("this kit already knows the settings; leave --settings out")
        rules = _as_set(rules, options.settings)
    if options.format != "auto":
        rules = replace(rules, described=replace(rules.described, format=options.format))
    if not any(getattr(options, name) for name in _OF_TASKS):
        return rules
    if len(rules.tasks) > 1:
        raise OrganizerError(
            f"this kit already knows the ids and columns of its tasks ({', '.join(rules.tasks)}); "
            "use no option except --format"
        )
    expected = rules.tasks[ONLY_TASK]
    files = _files(options.ids or ())
    by_task: dict[str, Path | None] = {ONLY_TASK: next(iter(files), None)}
    if len(files) > 1:
        by_task = {path.stem.removeprefix("test_ids_"): path for path in files}
    tasks = {task: _changed(expected, options, path) for task, path in by_task.items()}
    return replace(rules, tasks=tasks)


def _as_set(rules: SubmissionRules, path: Path) -> SubmissionRules:
    """Return the rules with what a file of settings says about submissions."""
    # Imported here because a starting kit has neither this module nor PyYAML.
    from ..settings import loading

    settings = loading.load(path)
    loading.check_together(settings)
    expected = rules.tasks[ONLY_TASK]
    expected = replace(expected, id_column=settings.id_column or expected.id_column)
    if settings.reader is not None:
        expected = replace(expected, kind=_RECORD, targets={Target(_RECORD, _RECORD): ()})
    return replace(
        rules,
        tasks={ONLY_TASK: expected},
        described=settings.described(),
        pattern=settings.name_pattern,
        limits=settings.limits_of(),
        other_tasks=settings.left_aside,
        may_lack_tasks=settings.missing_task == "worst",
        reader=settings.reader,
        whole=None if settings.reader else (),
    )


def _files(paths: Sequence[Path]) -> list[Path]:
    """Return files as they are, and those in folders by name."""
    files: list[Path] = []
    for path in paths:
        inside = sorted(file for file in path.glob("[!.]*") if file.is_file())
        if path.is_dir() and not inside:
            raise OrganizerError(f"{path}: the folder holds no file of test ids")
        files += inside or [path]
    return files


def _changed(expected: Expected, options: argparse.Namespace, ids_file: Path | None) -> Expected:
    if options.id_column:
        expected = replace(expected, id_column=options.id_column)
    inputs = None
    if ids_file is not None:
        stated = None if expected.kind in (ROWS, _RECORD) else expected.kind
        inputs = read_given(ids_file, expected.id_column, options.kind or stated)
    kind = options.kind or (inputs.kind if inputs and inputs.kind != ROWS else None)
    if options.column or kind or options.labels or not expected.targets:
        labels: Sequence[Label] = options.labels.split(",") if options.labels else ()
        target = Target(options.column or "label", kind or "labels")
        of_kind = target.kind if target.kind in KINDS else ROWS
        targets = {target: tuple(labels)}
        expected = replace(expected, targets=targets, labels_are_public=True, kind=of_kind)
    if options.rows is not None:
        return replace(expected, positions=range(options.rows), total=options.rows, ids=None)
    if inputs is None:
        return expected
    shapes = {column: shape for column in expected.columns for shape in inputs.shapes.values()}
    expected = replace(expected, shapes=shapes or expected.shapes, id_column=inputs.id_column)
    return replace(expected, positions=inputs.positions, total=inputs.total, ids=inputs.ids)


def _packed(name: str) -> Any:
    try:
        return json.loads(pkgutil.get_data(__package__, name) or b"null")
    except OSError:
        return None


def _count(text: str) -> int:
    if (count := int(text)) < 1:
        raise ValueError(text)
    return count


def _format(name: str) -> str:
    return name if is_known(name) else one_of(("auto", *FORMATS))(name)


def _parser() -> Parser:
    parser = Parser(
        "check",
        "Check a predictions file without the gold, with the same messages as the platform.",
        examples={
            "predictions.csv --ids test_ids.csv": "one label for each id of the file",
            "predictions.csv --ids test_ids.csv --labels yes,no": "other labels are refused",
            "scores.csv --rows 500 --kind numbers": "500 numbers, in the order of the test set",
            "submission.zip --ids ids --settings scoring.yaml": "several tasks; described files",
        },
        epilog=EXIT_STATUSES,
    )
    parser.path("predictions", "PREDICTIONS", "the file, or the zip to upload")
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
    parser.path(
        "--settings",
        "FILE",
        "the competition's scoring.yaml, of which what it says about the files of submissions "
        "counts (not needed in a starting kit)",
    )
    parser.value("--id-column", "COLUMN", "column that holds the ids (default: id)")
    parser.value("--column", "COLUMN", "column that holds the predictions (default: label)")
    parser.add_argument("--kind", choices=_KINDS, help="what is predicted (default: labels)")
    parser.value("--labels", "A,B,…", "the labels allowed")
    formats = f"format: auto, {', '.join(FORMATS)} (default: auto, which recognizes it)"
    parser.value("--format", "FORMAT", formats, type=_format, default="auto")
    return parser
