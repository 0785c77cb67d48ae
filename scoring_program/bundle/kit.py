"""The participants' starting kit: the format checker as one file, and the ids of the test set."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path

from scoring_program import check
from scoring_program.align.submission import Expected
from scoring_program.bundle.archive import pack, tree

#: What the checker is made of: modules that import nothing outside the standard library.
_MODULES = (
    "__init__.py",
    "errors.py",
    "check.py",
    "align/__init__.py",
    "align/cells.py",
    "align/columns.py",
    "align/submission.py",
    "read",
)
_START = b"""\
import sys

if sys.version_info < (3, 10):
    sys.exit("This needs Python 3.10 or later.")

from scoring_program.check import main

sys.exit(main())
"""


def checker(expected: Expected | None = None) -> bytes:
    """Return the checker as a zip archive that ``python check.pyz`` runs."""
    package = Path(check.__file__).parent
    members = {"__main__.py": _START}
    for name in _MODULES:
        members |= tree(package / name, f"scoring_program/{name}")
    if expected is not None:
        document = json.dumps(check.as_document(expected), ensure_ascii=False, indent=1)
        members[f"scoring_program/{check.PACKED}"] = document.encode()
    return b"#!/usr/bin/env python3\n" + pack(members)


def files(expected: Expected) -> Mapping[str, bytes]:
    """Return what a starting kit holds for a task: name → content."""
    found = {"check.pyz": checker(expected)}
    if expected.ids is not None:
        stream = io.StringIO()
        csv.writer(stream, lineterminator="\n").writerows(
            # Sorted, because the order of the examples may follow the gold.
            [[expected.id_column], *([value] for value in sorted(expected.ids))]
        )
        found["test_ids.csv"] = stream.getvalue().encode()
    return found
