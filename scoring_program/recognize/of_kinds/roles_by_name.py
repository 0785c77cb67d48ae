"""What the columns of a table, or the keys of a record, are for, by their names and first cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...core.cells import is_number
from ..usual_names import IDS, PREDICTED_NAMES, SCORE_NAMES, TARGET_NAMES, WRAPPERS


@dataclass(frozen=True)
class DataField:
    """A column of a table, or a key of a record: what it is for, and what it may be called.

    ``names`` are its usual names in small letters, best first. A ``pattern`` fits further names.
    """

    role: str
    names: Sequence[str] = ()
    pattern: re.Pattern[str] | None = None

    def fits(self, name: str) -> bool:
        """Whether it may be called so."""
        fits = self.pattern is not None and self.pattern.fullmatch(name) is not None
        return fits or name.casefold() in self.names

    def among(self, names: Collection[str]) -> str | None:
        """Return which of the ``names`` is its own: the best usual one, else the first that fits.

        Letters may be large or small.
        """
        by_name = {name.casefold(): name for name in reversed([*names])}
        usual = (by_name[name] for name in self.names if name in by_name)
        return next(usual, next(filter(self.fits, names), None))


#: What identifies examples.
ID = DataField("id", (), IDS)
is_id = ID.fits
#: Keys of JSON that hold the predictions among facts about them.
_WRAPPER = DataField("predictions", WRAPPERS)
#: Keys of records that are rows of cells.
_OF_ROWS = DataField("label", (*TARGET_NAMES, *SCORE_NAMES))
_DIGITS = re.compile(r"\d+")


def roles(
    names: Collection[str], fields: Iterable[DataField], stated: Collection[str] = ()
) -> dict[str, str]:
    """Return the role of each field that one of the ``names`` fits → this name.

    A name has one role: that of the first field which it is best for. A role that is ``stated`` is
    the name, too.
    """
    named: dict[str, str] = {}
    for field in fields:
        unnamed = [name for name in names if name not in named.values()]
        if (name := field.role if field.role in stated else field.among(unnamed)) is not None:
            named[field.role] = name
    return named


def is_wrapper(key: str) -> bool:
    """Whether a key of JSON may hold the predictions, beside keys that hold facts about them."""
    return _WRAPPER.fits(key)


def is_of_rows(key: str) -> bool:
    """Whether a key of a record may hold a label or a score, so that no list belongs there."""
    return _OF_ROWS.fits(key)


def predicted_elsewhere(
    names: Sequence[str], names_of_roles: Mapping[str, str], numbered: Collection[str]
) -> tuple[str, str] | None:
    """Return the first role whose column may be in another place, and the column that may be it.

    ``names`` are those of a header, and the columns of some roles are stated by their numbers
    (``numbered``). Such a column has an unusual name, beside another one that is called like
    predictions: teams may put their columns in other places. None if there is no such role.
    """
    predicted = [name for name in names if name.casefold() in PREDICTED_NAMES]
    usual = {*TARGET_NAMES, *SCORE_NAMES, *map(str.casefold, names_of_roles)}
    for role, name in names_of_roles.items() if predicted else ():
        if role in numbered and not is_id(role) and name.casefold() not in usual:
            return role, predicted[0]
    return None


def names_columns(columns: Sequence[Sequence[str]], places: Mapping[str, int]) -> bool:
    """Whether the first row holds a name of ``places``; of classes 0, 1, …, all in their places."""
    first = {i: cells[0] for i, cells in enumerate(columns, 1) if cells[0] not in cells[1:]}
    numbered = [(place, name) for name, place in places.items() if is_number(name)]
    names = {name.casefold() for name in places if not is_number(name)}
    in_place = bool(numbered) and all(first.get(place) == name for place, name in numbered)
    return in_place or any(cell.casefold() in names for cell in first.values())


def may_hold_names(columns: Sequence[Sequence[str]], places: Mapping[str, Any]) -> bool:
    """Whether the first row of a gold, of no stated name, may hold names: it differs from others.

    Its label occurs nowhere else, while those of others do, and its id does not differ from the
    next one in its digits alone (x007, x008).
    """
    present = ((name, place) for name, place in places.items() if place <= len(columns))
    cells_of = {name: columns[place - 1] for name, place in present}
    ids = {_DIGITS.sub("0", cell) for cell in cells_of.pop("id", ())[:2]}
    if len(ids) == 1 or not cells_of:
        return False
    for cells in cells_of.values():
        counts = Counter(cells)
        differs = not is_number(cells[0]) and counts[cells[0]] == 1
        if not differs or 2 * len(counts) >= counts.total():
            return False
    return True


def is_above_numbers(cells: Sequence[str]) -> bool:
    """Whether the first cell of a column is no number, and all below are."""
    return len(cells) > 1 and not is_number(cells[0]) and all(map(is_number, cells[1:]))
