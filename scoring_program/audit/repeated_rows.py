"""Examples that occur more than once, within the test set or in another file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

#: If fewer of the examples differ, the columns describe them, and are not what is predicted from.
_MOSTLY = 0.5


def input_columns(
    columns: Mapping[str, Sequence[Any]], others: Collection[str]
) -> Mapping[str, Sequence[str]]:
    """Return the columns that hold what is predicted from, such as texts; none if there are none.

    They are those beside ``others`` (targets, groups, strata, slices) that together differ between
    most examples. A column such as a language or a source repeats without being a repetition.
    """
    found = {name: values for name, values in columns.items() if name not in others}
    contents = _contents(found)
    return found if len(set(contents)) > _MOSTLY * len(contents) else {}


def within(
    inputs: Mapping[str, Sequence[str]], answers: Sequence[Sequence[Any]]
) -> dict[tuple[int, ...], tuple[str, ...]]:
    """Return row numbers of examples with equal inputs → their different gold labels.

    ``answers`` are the target columns.
    """
    rows_of = defaultdict(list)
    for row, content in enumerate(_contents(inputs)):
        if any(cell.strip() for cell in content):
            rows_of[content].append(row)
    found = {}
    for rows in rows_of.values():
        if len(rows) > 1:
            given = {" | ".join(str(values[row]) for values in answers) for row in rows}
            found[tuple(rows)] = tuple(sorted(given))
    return found


def between(
    inputs: Mapping[str, Sequence[str]], other: Mapping[str, Sequence[str]]
) -> list[tuple[int, int]]:
    """Return pairs (row, row of the other file) with equal content in the columns of both files.

    Each row of the first file occurs once at most.
    """
    common = [name for name in inputs if name in other]
    first_of: dict[tuple[str, ...], int] = {}
    for row, content in enumerate(_contents({name: other[name] for name in common})):
        first_of.setdefault(content, row)
    return [
        (row, first_of[content])
        for row, content in enumerate(_contents({name: inputs[name] for name in common}))
        if content in first_of and any(cell.strip() for cell in content)
    ]


def _contents(columns: Mapping[str, Sequence[str]]) -> list[tuple[str, ...]]:
    return list(zip(*columns.values(), strict=True))
