"""The participants' starting kit: the format checker as one file, and the ids of the test set."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from ..alignment import parts
from ..alignment.rules import PACKED, WORDS, SubmissionRules, as_document
from ..alignment.source import limits_of
from ..reading.reference import find_reference
from ..report import language
from ..settings import loading
from .archive import pack, tree

#: Modules of the checker; they import nothing outside the standard library.
_MODULES = (
    "__init__.py",
    "commands/__init__.py",
    "commands/boundary.py",
    "commands/check.py",
    "commands/console.py",
    "commands/memory.py",
    "commands/parser.py",
    "commands/upload.py",
    "core/__init__.py",
    "core/atomic.py",
    "core/entities.py",
    "core/entry_points.py",
    "core/errors.py",
    "core/notes.py",
    "core/phrases.py",
    "core/version.py",
    "core/visible.py",
    "alignment/__init__.py",
    "core/cells.py",
    "alignment/columns.py",
    "alignment/diagnosis.py",
    "alignment/expected.py",
    "alignment/format_check.py",
    "alignment/given_examples.py",
    "alignment/predictions.py",
    "alignment/rules.py",
    "alignment/submission.py",
    "reading",
)
_START = b"""\
import sys

if sys.version_info < (3, 10):
    sys.exit("This needs Python 3.10 or later.")

from scoring_program.commands.check import main

sys.exit(main())
"""


def checker(rules: SubmissionRules | None = None) -> bytes:
    """Return the checker as a zip archive that ``python check.pyz`` runs."""
    package = Path(__file__).parents[1]
    members = {"__main__.py": _START}
    for name in _MODULES:
        members |= tree(package / name, f"scoring_program/{name}")
    if rules is not None:
        document = json.dumps(as_document(rules), ensure_ascii=False, indent=1)
        members[f"scoring_program/commands/{PACKED}"] = document.encode()
    words = language.load(language.OF_THE_LOG).strings
    needed = {key: words[key] for key in ("notes", "list_cut", "plurals", "comma")}
    members[f"scoring_program/commands/{WORDS}"] = json.dumps(needed, ensure_ascii=False).encode()
    return b"#!/usr/bin/env python3\n" + pack(members)


def rules_of(reference: Path) -> SubmissionRules:
    """Return the rules that the reference data in a folder set for submissions.

    Raises
    ------
    OrganizerError
        The gold or the settings are wrong.
    """
    found = find_reference(reference, loading.FILE_NAME)
    settings = loading.load(found.settings)
    read, _ = parts.read(found.gold, found.settings.parent if found.settings else None, settings)
    return SubmissionRules(
        {part.name: part.expected for part in read},
        settings.format,
        settings.name_pattern,
        limits_of([part.expected for part in read], settings),
        found.stem,
        settings.other_tasks,
    )


def files(reference: Path) -> dict[str, bytes]:
    """Return the starting kit for the reference data in a folder: name → content.

    The kit holds all ids of the gold. Ignored ids are included, because which ids are ignored is
    secret.

    Raises
    ------
    OrganizerError
        As `rules_of` does.
    """
    rules = rules_of(reference)
    if not rules.tasks:  # a wide table, with one column per team and the gold: nothing to check
        return {}
    found = {"check.pyz": checker(rules)}
    for task, expected in rules.tasks.items():
        if expected.ids is not None:
            stream = io.StringIO()
            # Sorted, because the order of the examples may follow the gold.
            ids = sorted({*expected.ids, *expected.ignored})
            rows = [[expected.id_column], *([value] for value in ids)]
            csv.writer(stream, lineterminator="\n").writerows(rows)
            found[f"test_ids_{task}.csv" if task else "test_ids.csv"] = stream.getvalue().encode()
    return found
