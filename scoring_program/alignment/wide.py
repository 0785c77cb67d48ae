"""One wide table: a column a team, with a column for the gold or with scores for every unit."""

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

#: What an anonymous team's column is called where something is wrong with it.
_NAMELESS = "prediction"
#: Columns that number or name the units of such a table and are no system's scores.
_UNIT_NAME = re.compile(r"fold|unit|topic|query|qid|subject|patient|user", re.IGNORECASE)


def read(upload: Upload, beside: Path | None, chosen: Settings) -> Competition:
    """Read one table with a column a team: with a gold column, or scores per unit without one.

    ``beside`` is the folder of the organizer's own metrics.
    """
    missing = ReferenceDataError(
        "ref: no gold file; put the reference labels there as one .csv with columns id and label"
    )
    if len(upload.sources) != 1:
        raise missing
    (file,) = upload.sources[0].files.values()
    gold = read_gold(file.read(), str(file.path), chosen, wide=True)
    column = next((spec.column for spec in chosen.metrics if spec.column), None)
    if column is None and gold.targets and gold.targets[0].casefold() in TARGET_NAMES:
        column = gold.targets[0]
    teams = [name for name in gold.targets if name != column]
    if column is None:
        teams = [name for name in teams if not _UNIT_NAME.fullmatch(name)]
    if not teams or (column is None and not _are_scores(gold, teams)):
        raise missing
    notes: tuple[Note, ...] = ()
    if column is None:
        part = parts.of_units(gold, beside, chosen)
        found = Note("notes.layout_units", {"systems": len(teams), "units": gold.n})
    else:
        part, notes = parts.of_gold("", gold, beside, chosen, column=column)
        found = Note("notes.layout_wide", {"systems": len(teams), "column": repr(column)})
    return _of_columns(gold, teams, part, chosen, (found, *gold.notes, *notes))


def of_scores(gold: Gold, systems: Sequence[str], chosen: Settings) -> Competition:
    """Return the competition of ``systems``, columns of scores per unit of ``gold``.

    Raises
    ------
    ReferenceDataError
        A column holds something else than finite numbers.
    """
    competition = _of_columns(gold, systems, parts.of_units(gold, None, chosen), chosen, ())
    if competition.unusable:
        raise ReferenceDataError("\n".join(item.reason for item in competition.unusable))
    return competition


def _of_columns(
    gold: Gold, teams: Sequence[str], part: Part, chosen: Settings, notes: tuple[Note, ...]
) -> Competition:
    """Return the competition of the columns ``teams`` of a table."""
    shown = {name: printable(name) for name in teams}
    entries, unusable = [], []
    for name in sorted(teams):
        called = _NAMELESS if chosen.anonymize else name
        table = replace(gold, columns={called: gold.columns[name]})
        try:
            read_column = entry.from_wide(called, table, part.expected)
            entries.append(replace(read_column, name=shown[name]))
        except SubmissionError as error:
            unusable.append(Unusable(shown[name], str(error)))
    return Competition(
        form="teams",
        parts=(replace(part, entries=tuple(entries)),),
        unusable=tuple(unusable),
        runs=dict.fromkeys(shown.values(), 1),
        teams={name: name for name in shown.values()},
        notes=notes,
    )


def _are_scores(gold: Gold, columns: Sequence[str]) -> bool:
    """Whether a table can be scores per unit: at least two columns, all of numbers."""
    return len(columns) > 1 and all(
        all(map(cells.acceptable, cells.numbers(gold.columns[name]))) for name in columns
    )
