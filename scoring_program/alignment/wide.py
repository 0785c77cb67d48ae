"""One table of all teams: predictions in one column per team next to the gold, or scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..core.errors import ReferenceDataError, SubmissionError
from ..core.notes import Note
from ..reading.layout import Upload
from ..reading.names import printable
from ..settings.model import Settings
from . import entry, parts, score_competition
from .columns import TARGET_NAMES
from .competition import Competition, Part, Unusable
from .gold import Gold, digest, read_columns, read_gold
from .score_roles import roles_of

#: What messages call an anonymous team's column.
_NAMELESS = "prediction"


def read(
    upload: Upload, settings_folder: Path | None, settings: Settings, unread: str = ""
) -> Competition:
    """Read a table of all teams: of scores, or of predictions next to a gold column.

    ``settings_folder`` holds the organizer's own metrics. ``unread`` says for messages what lies in
    INPUT/ref and cannot be read.
    """
    missing = ReferenceDataError(
        f"ref: there are no reference data{unread}; put a gold.csv with the columns id and label "
        "there"
    )
    if len(upload.sources) != 1:
        raise missing
    (file,) = upload.sources[0].files.values()
    content, path = file.read(), str(file.path)
    columns, table, _ = read_columns(content, path, settings)
    roles = roles_of(columns, settings, path)
    if roles is not None:
        return score_competition.competition(
            columns, table, roles, settings, settings_folder=settings_folder, sha256=digest(content)
        )
    gold = read_gold(content, path, settings, wide=True)
    column = next((spec.column for spec in settings.metrics if spec.column), None)
    if column is None and gold.targets and gold.targets[0].casefold() in TARGET_NAMES:
        column = gold.targets[0]
    teams = [name for name in gold.targets if name != column]
    if not teams or column is None:
        raise missing
    part, notes = parts.of_gold("", gold, settings_folder, settings, column=column)
    found = Note("notes.layout_wide", {"systems": len(teams), "column": repr(column)})
    return _of_columns(gold, teams, part, settings, (found, *gold.notes, *notes))


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
            unusable.append(Unusable(printable_names[name], error.reason))
    return Competition(
        form="teams",
        parts=(replace(part, entries=tuple(entries)),),
        unusable=tuple(unusable),
        runs=dict.fromkeys(printable_names.values(), 1),
        teams={name: name for name in printable_names.values()},
        notes=notes,
    )
