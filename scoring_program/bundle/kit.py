"""The participants' starting kit: the format checker as one file, and the ids of the test set."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from ..core.errors import ReferenceDataError, SettingsError
from ..core.templates import templates_folder
from ..data import parts
from ..data.competition import Part
from ..data.joining.checker_rules import PACKED, SubmissionRules, as_document
from ..data.joining.placed_columns import parts_of_id
from ..data.source import limits_of, people_apart
from ..reading.formats import readers
from ..reading.reference import find_reference
from ..recognize.expected import Expected
from ..settings import loading
from ..settings.model import Settings
from .archive import blanked, pack, tree

#: Modules of the checker, and folders of them; they import nothing outside the standard library.
_MODULES = {
    "": "__init__.py reading",
    "commands/": "__init__.py boundary.py check.py",
    "core/": "__init__.py bounds.py cells.py digits.py entry_points.py errors.py legible.py "
    "meanings.py phrases.py version.py",
    "data/": "__init__.py joining",
    "recognize/": "__init__.py contradictions.py expected.py file_names.py of_kinds usual_names.py "
    "words_of_cells.py",
    "recognize/by_names/": "__init__.py line_beginnings.py submission_columns.py usual_columns.py",
}
#: Modules in these folders that need pyarrow, which platforms' images lack, or NumPy.
_NOT_IN_A_CHECKER = ("/arrow_files.py", "/cells_of_lines.py")


def checker(rules: SubmissionRules | None = None) -> bytes:
    """Return the checker as a zip archive that ``python check.pyz`` runs."""
    members = {"__main__.py": (templates_folder() / "check.txt").read_bytes(), **modules()}
    if rules is not None:
        document = json.dumps(as_document(rules), ensure_ascii=False, indent=1)
        members[f"scoring_program/commands/{PACKED}"] = document.encode()
    return b"#!/usr/bin/env python3\n" + pack(members)


@cache
def modules() -> Mapping[str, bytes]:
    """Return the modules of the checker: path → content."""
    package = Path(__file__).parents[1]
    places = (f"{folder}{name}" for folder, names in _MODULES.items() for name in names.split())
    return {
        path: blanked(content)
        for place in places
        for path, content in tree(package / place, f"scoring_program/{place}").items()
        if not path.endswith(_NOT_IN_A_CHECKER)
    }


def rules_of(reference: Path) -> SubmissionRules:
    """Return the rules that the reference data in a folder set for submissions.

    Raises
    ------
    OrganizerError
        The gold or the settings are wrong.
    """
    golds, settings = golds_of(reference)
    reference_data, _ = people_apart(find_reference(reference, loading.FILE_NAME), settings)
    if not golds and settings.layout not in ("wide", "long"):
        raise ReferenceDataError(
            "the reference data hold no correct answers, such as a gold.csv, to score uploads "
            f"with{reference_data.unread}; logs of evaluations, tables of scores and preferences "
            "need no platform: compare them on your own machine, with 'deadheat score'"
        )
    return SubmissionRules(
        {part.name: part.expected for part in golds},
        settings.described(),
        settings.name_pattern,
        limits_of([part.expected for part in golds], settings),
        reference_data.stem,
        reference_data.folder,
        settings.left_aside,
        settings.missing_task == "worst",
        settings.reader if settings.kit_reader else None,
        reference_data.names_in_whole if settings.reader else (),
    )


def tasks_of(reference: Path) -> dict[str, Expected]:
    """Return what the reference data in a folder ask of submissions, by task; see `golds_of`."""
    return {part.name: part.expected for part in golds_of(reference)[0]}


def golds_of(reference: Path) -> tuple[tuple[Part, ...], Settings]:
    """Return what the reference data in a folder hold, without entries, and their settings.

    Raises
    ------
    OrganizerError
        The gold or the settings are wrong.
    """
    reference_data = find_reference(reference, loading.FILE_NAME)
    settings = loading.load(reference_data.settings)
    if settings.format == "parquet":
        raise SettingsError(
            f"{settings.where('format')}: folders of Parquet parts need no platform, which lacks "
            "pyarrow: compare them on your own machine or a cluster, with 'deadheat score', or "
            "give CSV files"
        )
    folder = reference_data.settings.parent if reference_data.settings else None
    reference_data, _ = people_apart(reference_data, settings)
    if (stated_file := settings.described(gold=True).file) is not None:
        reference_data = reference_data.only(stated_file, settings.where("reference"))
    if settings.reader is not None:
        reference_data = reference_data.for_reader()
    opened = parts.opened(reference_data.gold, folder, settings)
    return parts.read(reference_data.gold, opened, folder, settings)[0], settings


def _alone(value: str) -> list[str]:
    return [value]


def files(reference: Path) -> dict[str, bytes]:
    """Return the starting kit for the reference data in a folder: name → content.

    The kit holds all ids of the gold, ignored ones included: submissions must hold every row.

    Raises
    ------
    OrganizerError
        As `rules_of` does.
    """
    rules = rules_of(reference)
    if not rules.tasks:  # a wide table, with one column per team and the gold: nothing to check
        return {}
    # What a reader of the organizers makes, only their code can check.
    by_reader = any(expected.kind == readers.KIND.name for expected in rules.tasks.values())
    kit = {} if by_reader and rules.reader is None else {"check.pyz": checker(rules)}
    if rules.reader is not None:
        name = rules.reader.partition(":")[0]
        kit[name] = (reference / name).read_bytes()
    for task, expected in rules.tasks.items():
        if expected.ids is not None:
            stream = io.StringIO()
            # Sorted, because the order of the examples may follow the gold.
            ids = sorted(expected.every.ids or ())
            rows = [[expected.id_column], *([value] for value in ids)]
            sent = expected.sent
            if sent is not None and sent.header and sent.ids:
                names = [*map(str, sent.ids)]
                parts_of_ids = map(parts_of_id if len(names) > 1 else _alone, ids)
                rows = [names, *parts_of_ids]
            csv.writer(stream, lineterminator="\n").writerows(rows)
            kit[f"test_ids_{task}.csv" if task else "test_ids.csv"] = stream.getvalue().encode()
    return kit
