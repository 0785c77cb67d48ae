"""What a cell may hold: texts typed as labels or as finite numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Label = str | int
Labels = NDArray[np.str_] | NDArray[np.int64]
Numbers = NDArray[np.float64]

#: Numbers stay below this, because both platforms store ten digits before the decimal point.
LARGEST = 1e10

_INTEGER = re.compile(r"[+-]?\d{1,18}", re.ASCII)


def is_number(cell: str) -> bool:
    """Whether a cell is a number as Python and CSV files write it (no digit separators)."""
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell


def are_integers(cells: Sequence[str]) -> bool:
    """Whether every cell is written as a whole number."""
    return all(map(_INTEGER.fullmatch, cells))


def is_quantity(cells: Sequence[str]) -> bool:
    """Whether a gold column is a quantity and not a class.

    It is where every cell is a number and some have a fraction or more than 20 differ.
    """
    if not all(map(is_number, cells)):
        return False
    return not are_integers(cells) or len(set(cells)) > 20


def numbers(cells: Sequence[str]) -> Numbers:
    """Return the cells as float64 [n], nan where a cell is not a number."""
    return np.array([float(cell) if is_number(cell) else np.nan for cell in cells])


def acceptable(values: Numbers) -> NDArray[np.bool_]:
    """Whether each value is finite and small enough for the platforms' score tables, [n]."""
    return np.abs(values) < LARGEST


def label_reader(known: Sequence[Label]) -> Callable[[str], Label | None]:
    """Return a function from a cell to the label it means, or None where it means none.

    Among integer labels "1.0" means 1, as spreadsheets and data frames write it.
    """
    exact = {str(label): label for label in known}
    if any(isinstance(label, str) for label in known):
        return exact.get

    def read(cell: str) -> Label | None:
        if cell not in exact and is_number(cell):
            value = float(cell)
            if value.is_integer():
                return exact.get(str(int(value)))
        return exact.get(cell)

    return read
