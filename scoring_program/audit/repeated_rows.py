"""Examples that occur more than once, within the test set or in another file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Repetition:
    """Examples (row numbers) with the same content; ``labels`` are their different gold labels."""

    rows: tuple[int, ...]
    labels: tuple[str, ...]


def within(columns: Mapping[str, Sequence[str]], targets: Sequence[str]) -> list[Repetition]:
    """Return the examples whose columns other than the ``targets`` are all equal.

    Without other columns, nothing can be said.
    """
    inputs = [values for name, values in columns.items() if name not in targets]
    rows_of = defaultdict(list)
    for row, content in enumerate(zip(*inputs, strict=True)):
        if any(cell.strip() for cell in content):
            rows_of[content].append(row)
    answers = [columns[name] for name in targets]
    found = []
    for rows in rows_of.values():
        if len(rows) > 1:
            given = {" | ".join(values[row] for values in answers) for row in rows}
            found.append(Repetition(tuple(rows), tuple(sorted(given))))
    return found


def between(
    columns: Mapping[str, Sequence[str]],
    other: Mapping[str, Sequence[str]],
    targets: Sequence[str],
) -> list[tuple[int, int]]:
    """Return pairs (row, row of the other file) with equal content in the columns of both files.

    The ``targets`` do not count. Each row of the first file occurs once at most.
    """
    common = [name for name in columns if name in other and name not in targets]
    if not common:
        return []
    first_of: dict[tuple[str, ...], int] = {}
    for row, content in enumerate(zip(*(other[name] for name in common), strict=True)):
        first_of.setdefault(content, row)
    return [
        (row, first_of[content])
        for row, content in enumerate(zip(*(columns[name] for name in common), strict=True))
        if content in first_of and any(cell.strip() for cell in content)
    ]
