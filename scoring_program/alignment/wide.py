"""A wide table: one column per team, with predictions and a gold column, or with scores."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..core import cells
from ..core.errors import ReferenceDataError, SubmissionError
from ..core.notes import Note
from ..reading.layout import Upload
from ..reading.names import printable
from ..settings.model import Settings
from . import entry, parts
from .columns import TARGET_NAMES
from .competition import Competition, Part, Unusable
from .gold import Gold, read_gold

#: What messages call an anonymous team's column.
_NAMELESS = "prediction"
#: Columns that number or name the units of a table of scores.
_UNIT_NAME = re.compile(r"fold|unit|topic|query|qid|subject|patient|user", re.IGNORECASE)


def read(upload: Upload, settings_folder: Path | None, settings: Settings) -> Competition:
    """Read a table with one column per team: predictions if it has a gold column, else scores.

    ``settings_folder`` holds the organizer's own metrics.
    """
    missing = ReferenceDataError(
        "ref: there are no reference data; put a gold.csv with the columns id and label there"
    )
    if len(upload.sources) != 1:
        raise missing
    (file,) = upload.sources[0].files.values()
    gold = read_gold(file.read(), str(file.path), settings, wide=True)
    column = next((spec.column for spec in settings.metrics if spec.column), None)
    if column is None and gold.targets and gold.targets[0].casefold() in TARGET_NAMES:
        column = gold.targets[0]
    teams = [name for name in gold.targets if name != column]
    if column is None:
        teams = [name for name in teams if not _UNIT_NAME.fullmatch(name)]
    if not teams or (column is None and not _are_scores(gold, teams)):
        raise missing
    notes: tuple[Note, ...] = ()
    if column is None:
        part = parts.of_units(gold, settings_folder, settings)
        found = Note("notes.layout_units", {"systems": len(teams), "units": gold.n})
    else:
        part, notes = parts.of_gold("", gold, settings_folder, settings, column=column)
        found = Note("notes.layout_wide", {"systems": len(teams), "column": repr(column)})
    return _of_columns(gold, teams, part, settings, (found, *gold.notes, *notes))


def of_scores(gold: Gold, systems: Sequence[str], settings: Settings) -> Competition:
    """Return the competition of ``systems``, columns of scores per unit of ``gold``.

    Raises
    ------
    ReferenceDataError
        A column holds a value that is not a finite number.
    """
    competition = _of_columns(gold, systems, parts.of_units(gold, None, settings), settings, ())
    if competition.unusable:
        raise ReferenceDataError("\n".join(item.reason for item in competition.unusable))
    return competition


def _of_columns(
    gold: Gold, teams: Sequence[str], part: Part, settings: Settings, notes: tuple[Note, ...]
) -> Competition:
    """Return the competition of the columns ``teams`` of a table."""
    printable_names = {name: printable(name) for name in teams}
    entries, unusable = [], []
    for name in sorted(teams):
        column_name = _NAMELESS if settings.anonymize else name
        table = replace(gold, columns={column_name: gold.columns[name]})
        try:
            read_column = entry.from_wide(column_name, table, part.expected)
            entries.append(replace(read_column, name=printable_names[name]))
        except SubmissionError as error:
            unusable.append(Unusable(printable_names[name], str(error)))
    return Competition(
        form="teams",
        parts=(replace(part, entries=tuple(entries)),),
        unusable=tuple(unusable),
        runs=dict.fromkeys(printable_names.values(), 1),
        teams={name: name for name in printable_names.values()},
        notes=notes,
    )


def _are_scores(gold: Gold, columns: Sequence[str]) -> bool:
    """Whether a table may hold scores per unit: two or more columns, all of numbers."""
    return len(columns) > 1 and all(
        all(map(cells.acceptable, cells.numbers(gold.columns[name]))) for name in columns
    )
