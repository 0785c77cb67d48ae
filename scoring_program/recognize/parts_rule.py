"""Which columns of Parquet parts hold ids and labels: as stated, else by name; what footers deny.

Nobody holds all rows of the parts, and their first rows prove nothing of the others. So names are
stated or usual, and footers, which tell the least and the greatest value of each column, may
contradict them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ..core.cells import Label, label_reader
from ..reading.formats.kind import ROWS
from .by_names.gold_columns import id_column_by_name, unnamed_answers
from .by_names.usual_columns import usual_first
from .statements import ANSWER, ID, PREDICTION

#: What the column of answers is called in `columns` of the settings, too.
_LABEL = "label"
#: The least and the greatest value of a column, for each of its row groups that tell.
_Ranges = Sequence[tuple[Any, Any] | None]


def stated_id(columns: Sequence[str], roles: Mapping[str, Any]) -> str | None:
    """Return the column of ids that the settings state, as parts call it; None if they do not.

    ``columns`` are those of the parts, and ``roles`` is role → name, or number from 1.
    """
    return _stated(columns, roles, (ID,))


def stated_answers(columns: Sequence[str], roles: Mapping[str, Any]) -> str | None:
    """Return the column of correct labels that the settings state; None if they do not."""
    return _stated(columns, roles, (ANSWER, _LABEL))


def stated_prediction(columns: Sequence[str], roles: Mapping[str, Any], target: str) -> str | None:
    """Return the column of predicted labels that the settings state; None if they do not.

    They name the prediction, or the ``target`` of the gold that it predicts.
    """
    return _stated(columns, roles, (PREDICTION, target, _LABEL))


def _stated(columns: Sequence[str], roles: Mapping[str, Any], wanted: Sequence[str]) -> str | None:
    stated = next((roles[role] for role in wanted if role in roles), None)
    if isinstance(stated, int):
        return columns[stated - 1] if stated <= len(columns) else f"{stated}"
    if not isinstance(stated, str):
        return None
    folded = {name.casefold(): name for name in reversed(columns)}
    return folded.get(stated.casefold(), stated)


def id_of_gold(head: Mapping[str, Sequence[str]], stated: str | None) -> str | None:
    """Return the column of ids of the reference data, whose first cells are the ``head``."""
    return id_column_by_name(head, stated, ())


def answers_of_gold(columns: Collection[str], id_column: str) -> tuple[list[str], str | None]:
    """Return the columns that may hold labels, usual names first, and the one that nobody names.

    The latter is None if several may be meant.
    """
    targets = usual_first((name for name in columns if name != id_column), ROWS)
    return targets, unnamed_answers(targets, dict.fromkeys(targets, ()), ROWS)


def others_than_constant(
    column: str,
    beside: Mapping[str, Sequence[str]],
    ranges: Mapping[str, _Ranges],
    labels: Sequence[Label],
) -> list[str]:
    """Return the columns that may hold the prediction, if the ``column`` that is read is constant.

    ``beside`` holds the first cells of each column that is not read, and ``ranges`` what footers
    say of all rows. Such a column differs, and its first cells are labels.
    """
    if not _is_constant(ranges.get(column, ())):
        return []
    means = label_reader(labels)
    rivals = []
    for name, cells in beside.items():
        are_labels = bool(cells) and all(means(cell) is not None for cell in cells)
        if are_labels and not _is_constant(ranges.get(name, ())):
            rivals.append(name)
    return rivals


def _is_constant(ranges: _Ranges) -> bool:
    """Whether all rows hold one value, as every footer says."""
    values = set()
    for of_group in ranges:
        if of_group is None:
            return False
        values |= {*of_group}
    return len(values) == 1
