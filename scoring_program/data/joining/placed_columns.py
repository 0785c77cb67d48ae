"""Tables whose columns are used by their places: names without a clash, ids of several columns."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...core.errors import quoted
from ...reading.formats import fields
from ...reading.table import Table

#: What stands between the parts of an id of several columns.
_BETWEEN_PARTS = " / "


def with_header(table: Table, *, is_first_row: bool) -> Table:
    """Return a table with names of its columns: its own, its first row, or none at all."""
    if table.header is not None:
        return table
    if is_first_row:
        return replace(table.titled(), untitled=False)
    return replace(table, header=("",) * len(table.columns), untitled=True)


def place_of_column(table: Table, name: str | int) -> int:
    """Return where a column of a Reading stands, from 0: a name in any letters, or a number."""
    header = table.header or ()
    if isinstance(name, int):
        return name - 1
    if name in header:
        return header.index(name)
    return [*map(str.casefold, header)].index(name.casefold())


def unique_names(table: Table, used: set[int]) -> list[str]:
    """Return a name for every column: its own, or another where it has none or a used one has it.

    Raises SubmissionError if two columns that are used have one name.
    """
    header = [*(table.header or ())]
    taken = [header[place] for place in sorted(used) if header[place].strip()]
    if repeated := fields.repeated_name(taken):
        raise table.refusal(
            "{file}: two columns are called {name}; rename one", name=quoted(repeated)
        )
    names_in_use = {*taken}
    names = []
    for place, name in enumerate(header):
        if place in used and name.strip():
            names.append(name)
            continue
        unique = name if name.strip() and name not in names_in_use else f"column {place + 1}"
        while unique in names_in_use:
            unique += "*"
        names_in_use.add(unique)
        names.append(unique)
    return names


def with_joint_ids(
    table: Table, names: Sequence[str], called: str | None = None
) -> tuple[Table, str]:
    """Return a table with one more column: the ids that several columns are together."""
    parts = [table.named[name] for name in names]
    ids = [joint_id(cells) for cells in zip(*parts, strict=True)]
    joint = called or ",".join(names)
    return table.with_columns({**table.named, joint: ids}), joint


def joint_id(cells: Sequence[Any]) -> str:
    """Return the id that several cells are together; different cells give different ids."""
    texts = [str(cell) for cell in cells]
    if any(_BETWEEN_PARTS in text or text.startswith("[") for text in texts):
        return json.dumps(texts, ensure_ascii=False)
    return _BETWEEN_PARTS.join(texts)


def parts_of_id(joint: str) -> list[str]:
    """Return the cells that are an id together; see `joint_id`."""
    if joint.startswith("["):
        return [*map(str, json.loads(joint))]
    return joint.split(_BETWEEN_PARTS)
