"""The usual names of columns that hold the gold or predictions, with those of a kind of data."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ...reading.formats import KINDS
from ..usual_names import SCORE_NAMES, TARGET_NAMES

#: What columns of predictions are called.
PREDICTION_NAMES = frozenset((*TARGET_NAMES, *SCORE_NAMES))


def names_of_targets(kind: str) -> tuple[str, ...]:
    """Return the usual names of columns that hold the gold or a prediction, best first."""
    return (*TARGET_NAMES, *(KINDS[kind].names if kind in KINDS else ()))


def usual_first(names: Iterable[str], kind: str, stated: Collection[str] = ()) -> list[str]:
    """Return names of columns, first usual ones of targets: stated ones, and best first."""
    usual = names_of_targets(kind)
    usual = (*(name for name in usual if name in stated), *usual)
    return sorted(names, key=lambda name: (*usual, name.casefold()).index(name.casefold()))


def differ(cells: Sequence[str]) -> bool:
    """Whether no two cells are equal."""
    return len(set(cells)) == len(cells)
