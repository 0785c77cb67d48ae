"""Several scores of one system on one unit, one for each of its samples: their mean is the score.

Samples of a unit are no independent evidence, so the unit is resampled with all of them.
"""

from __future__ import annotations

import math
from dataclasses import replace

from ..core import cells
from ..reading.table import Table
from .score_roles import NamedColumns, Roles


def means(columns: NamedColumns, table: Table, roles: Roles) -> tuple[dict[str, list[str]], Table]:
    """Return a long table with one line for each unit, system and task: the mean of its samples.

    A score is missing if that of a sample is: messages then show the line of that sample. A sample
    that is given twice keeps its second line, which is reported like any score given twice.
    """
    named = [columns[name] for name in (*roles.units, roles.system, roles.task) if name is not None]
    samples = columns[roles.sample] if roles.sample is not None else ()
    groups: dict[tuple[str, ...], dict[str, int]] = {}  # unit, system, task → sample → row
    again: list[int] = []
    for row, sample in enumerate(samples):
        rows = groups.setdefault(tuple(column[row] for column in named), {})
        if rows.setdefault(sample, row) != row:
            again.append(row)
    kept = [next(iter(rows.values())) for rows in groups.values()]
    found = {
        name: [column[row] for row in (*kept, *again)]
        for name, column in columns.items()
        if name != roles.sample
    }
    numbers = [table.numbers[row] for row in (*kept, *again)]
    for name in roles.scores:
        values = cells.numbers(columns[name])
        for place, rows in enumerate(groups.values()):
            bad = next((row for row in rows.values() if not math.isfinite(values[row])), None)
            if bad is None:
                found[name][place] = repr(
                    math.fsum(values[row] for row in rows.values()) / len(rows)
                )
            else:
                found[name][place], numbers[place] = columns[name][bad], table.numbers[bad]
    return found, replace(table, columns=list(found.values()), numbers=numbers, lines=())
