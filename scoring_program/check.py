"""``photofinish-check``: a participant's own check of a predictions file, without the gold.

It gives the messages that the platform would, because it runs the same code. That code needs
nothing but Python's standard library, so that the starting kit can carry it as one file
(`bundle.kit`); the kit's ``expected.json`` then says which columns and labels the task has.
"""

from __future__ import annotations

import argparse
import json
import pkgutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scoring_program.align.cells import Label
from scoring_program.align.columns import is_id_name
from scoring_program.align.submission import Expected, Target, examine
from scoring_program.errors import OrganizerError, PhotofinishError, SubmissionError
from scoring_program.read import files, layout
from scoring_program.read.formats import FORMATS, read_table

#: What the task expects, as JSON beside this module; only a starting kit has it.
PACKED = "expected.json"
_KINDS = ("labels", "numbers", "scores", "probabilities")
EXIT_STATUSES = """\
exit status:
  0  the file can be scored
  1  it cannot, for the reasons shown
  2  the command or the file of ids is wrong
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Check one predictions file and return the exit status."""
    options = _parser().parse_args(arguments)
    try:
        print(check(options.predictions, _expected(options), options.format))
    except PhotofinishError as error:
        message, stream = str(error), sys.stderr
        encoding = stream.encoding or "utf-8"
        print(message.encode(encoding, "backslashreplace").decode(encoding), file=stream)
        return error.exit_status
    return 0


def check(predictions: Path, expected: Expected, form: str = "auto") -> str:
    """Return the good news about a predictions file, archive or folder.

    Raises
    ------
    SubmissionError
        All that is wrong, as the platform's run would say it.
    OrganizerError
        There is no such file.
    """
    if predictions.is_dir():
        found = list(files.walk(predictions))
    elif predictions.is_file():
        found = list(files.alone(predictions))
    else:
        raise OrganizerError(f"{predictions}: there is no such file; name the predictions file")
    upload = layout.arrange(found, "single", shown=predictions.name)
    (file,) = upload.sources[0].files.values()
    examine(read_table(file.read(), str(file.path), form), expected)
    return (
        f"{file.path}: ready to be scored; it holds a prediction for each of {expected.n} examples."
    )


def as_expected(document: Mapping[str, Any], ids: Sequence[str] | None, rows: int) -> Expected:
    """Return what a starting kit's ``expected.json`` and the test ids say about submissions."""
    return Expected(
        positions=range(rows),
        total=rows,
        ids=None if ids is None else tuple(ids),
        targets={
            Target(item["column"], item["kind"]): tuple(item["labels"])
            for item in document["targets"]
        },
        id_column=document["id_column"],
        known_columns=tuple(document["known_columns"]),
        missing=document["missing"],
        labels_are_public=True,  # only public labels are packed
    )


def as_document(expected: Expected) -> dict[str, Any]:
    """Return `as_expected`'s document; labels that are not public are left out of it."""
    return {
        "id_column": expected.id_column,
        "known_columns": expected.known_columns,
        "missing": expected.missing,
        "targets": [
            {
                "column": target.column,
                "kind": target.kind,
                "labels": labels if expected.labels_are_public else (),
            }
            for target, labels in expected.targets.items()
        ],
    }


def read_ids(path: Path) -> list[str]:
    """Return the ids of the test examples, from a file in any format with an id column.

    Raises
    ------
    OrganizerError
        There is no such file, or no id column in it.
    """
    try:
        table = read_table(path.read_bytes(), path.name)
    except (OSError, SubmissionError) as error:
        raise OrganizerError(f"{path}: the test ids cannot be read: {error}") from error
    header = table.header or table.rows[0]
    named = [i for i, name in enumerate(header) if is_id_name(name)]
    if named and table.header is None:
        table = table.below_first()
    elif not named and len(header) > 1:
        raise OrganizerError(f"{path}: no column of ids; call one 'id'")
    column = named[0] if named else 0
    return [row[column] for row in table.rows]


def _expected(options: argparse.Namespace) -> Expected:
    document = _packed() or {
        "id_column": "id",
        "known_columns": [],
        "missing": "error",
        "targets": [],
    }
    if options.column or options.kind or options.labels or not document["targets"]:
        labels: Sequence[Label] = options.labels.split(",") if options.labels else ()
        kind = options.kind or "labels"
        document["targets"] = [
            {"column": options.column or "label", "kind": kind, "labels": labels}
        ]
    if options.ids is None:
        return as_expected(document, None, options.rows)
    ids = read_ids(options.ids)
    return as_expected(document, ids, len(ids))


def _packed() -> dict[str, Any]:
    try:
        content = pkgutil.get_data("scoring_program", PACKED)
    except OSError:
        return {}
    return {} if content is None else dict(json.loads(content))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="photofinish-check",
        description="Check a predictions file as the platform would, without the gold.",
        epilog=EXIT_STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "predictions", type=Path, metavar="PREDICTIONS", help="the file, or the zip to be uploaded"
    )
    size = parser.add_mutually_exclusive_group(required=True)
    size.add_argument("--ids", type=Path, metavar="FILE", help="file with the ids of the test set")
    size.add_argument("--rows", type=int, metavar="N", help="size of a test set that has no ids")
    parser.add_argument("--column", help="column that holds the predictions (default: label)")
    parser.add_argument("--kind", choices=_KINDS, help="what is predicted (default: labels)")
    parser.add_argument("--labels", metavar="A,B,…", help="the labels that are allowed")
    parser.add_argument(
        "--format", choices=("auto", *FORMATS), default="auto", help="format (default: recognised)"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
