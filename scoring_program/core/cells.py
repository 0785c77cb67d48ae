"""Cells: their texts as labels and as finite numbers, and columns that know their different values.

Kits check uploads with this, without NumPy.
"""

from __future__ import annotations

import hashlib
import math
import re
from abc import abstractmethod
from array import array
from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, TypeVar

Label = str | int
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

#: Numbers must be below this, because both platforms store ten digits before the decimal point.
LARGEST = 1e10
#: Codabench stores leaderboard keys in a column of this width.
LONGEST_KEY = 36
#: The sum of a row's probabilities may differ from 1 by this much, because files have few digits.
PROBABILITY_TOLERANCE = 1e-3

#: Numbers below this, of any sign, need no more than four bytes.
_FOUR_BYTES = 2**31
#: The fewest cells that show that no text is repeated.
_SEVERAL = 10
#: What to do with a column of texts that no metric of labels can score.
AS_TEXTS = "if these are texts, name a metric of texts, such as string_match or bleu"
_BOOLEANS = {"false": "0", "true": "1"}
#: How to write a label in the settings; no message may show a label of the gold.
AS_WRITTEN = "in quotes and in the same letters as the gold ('01', 'True')"
#: The fewest cells that show how a column writes numbers, and what they are if dots separate
#: thousands: 1.200 beside 950.
_FEW = 3
_THOUSANDS = re.compile(r"-?[1-9]\d{0,2}\.\d{3}")
_HUNDREDS = re.compile(r"-?[1-9]\d\d")
#: A whole number as arrays of decimals write it.
_WHOLE = re.compile(r"[+-]?\d{1,15}\.0+", re.ASCII)
_INTEGER = re.compile(r"[+-]?\d{1,18}", re.ASCII)


def is_number(cell: str) -> bool:
    """Whether a cell is a number as Python and CSV files write it (no digit separators).

    A cell that is no text, such as a list of labels, is no number.
    """
    try:
        float(cell)
    except (TypeError, ValueError):
        return False
    return "_" not in cell


def are_numbers(cells: Sequence[str]) -> bool:
    """Whether every cell is a number."""
    try:
        deque(map(float, cells), maxlen=0)  # a tenth of the time that `is_number` takes
    except (TypeError, ValueError):
        return False
    return "_" not in "".join(map(str, cells))


def are_integers(cells: Sequence[str]) -> bool:
    """Whether every cell is written as a whole number."""
    return all(map(_INTEGER.fullmatch, cells))


def is_quantity(cells: Sequence[str]) -> bool:
    """Whether a gold column holds quantities and not classes.

    It does if every cell is a number, and some have a fraction or more than 20 are different.
    """
    present = _present(cells)
    if not are_numbers(present):
        return False
    return not are_integers(present) or len(different(cells)) > 20


def are_texts(cells: Sequence[str]) -> bool:
    """Whether cells are sentences, not classes: nearly all differ and hold spaces."""
    if not hold(cells, " "):
        return False
    most = 0.9 * len(cells)
    spaced = sum(" " in cell.strip() for cell in cells)
    return len(cells) >= _SEVERAL and len(different(cells)) >= most and spaced >= most


def have_decimal_commas(cells: Sequence[str]) -> bool:
    """Whether the cells are numbers, and some are written with a decimal comma."""
    if not hold(cells, ","):
        return False
    present = _present(cells)
    if are_numbers(present):
        return False
    return all(
        is_number(cell) or (cell.count(",") == 1 and is_number(cell.replace(",", ".")))
        for cell in present
    )


def may_have_thousands(cells: Sequence[str]) -> bool:
    """Whether dots may separate thousands: all are before three digits, beside whole hundreds."""
    dotted = 0
    whole: list[str] = []
    for text in filter(None, map(str, cells)):
        if "." not in text:
            whole.append(text)
        elif _THOUSANDS.fullmatch(text):
            dotted += 1
        else:
            return False  # which the first cells of most columns tell
    if dotted < _FEW or len(whole) < _FEW or not are_integers(whole):
        return False
    return sum(map(bool, map(_HUNDREDS.fullmatch, whole))) >= _FEW


def numbers(cells: Sequence[str]) -> list[float]:
    """Return the cells as numbers [n], nan where a cell is not a number."""
    try:
        values = list(map(float, cells))
    except ValueError:
        return [float(cell) if is_number(cell) else math.nan for cell in cells]
    if "_" in "".join(cells):
        return [math.nan if "_" in c else value for value, c in zip(values, cells, strict=True)]
    return values


def acceptable(value: float, bound: float = LARGEST) -> bool:
    """Whether a value is finite and, unless told otherwise, fits the platforms' score tables."""
    return abs(value) < bound


def are_acceptable(values: Sequence[float], bound: float = LARGEST) -> bool:
    """Whether every value is `acceptable`; there is at least one."""
    # A nan makes the sum nan, but may be invisible to min and max.
    return not math.isnan(sum(values)) and min(values) > -bound and max(values) < bound


#: Open answers that are none of the labels are texts that begin so, or numbers up to this one.
_INVENTED_TEXT = "\0"
INVENTED_NUMBER = -(2**61)


def invented(answer: str, like: Label) -> Label:
    """Return what stands for an open answer that is none of the labels, which are ``like`` this.

    It is no class, and equal to what stands for the same answer only.
    """
    code = hashlib.blake2s(answer.encode(), digest_size=7).digest()
    number = int.from_bytes(code, "big")
    return f"{_INVENTED_TEXT}{number}" if isinstance(like, str) else INVENTED_NUMBER - number


def is_invented(label: Label) -> bool:
    """Whether a label stands for an open answer that is none."""
    if isinstance(label, str):
        return label.startswith(_INVENTED_TEXT)
    return label <= INVENTED_NUMBER


def label_reader(labels: Sequence[Label]) -> Callable[[str], Label | None]:
    """Return a function from a cell to the label that it means, or None if it means none.

    If the labels are integers, "1.0", "True" and "TRUE" mean 1, because spreadsheets, arrays and
    data frames write it so. If they all are written as 1.0, 1 means that, too. If the labels are
    True and False, 1 means True. A label that is written true or false is meant in any letters,
    because JSON, Python and spreadsheets write it in theirs.
    """
    exact = {str(label): label for label in labels}
    if {label.casefold() for label in exact} == _BOOLEANS.keys():
        by_digit = {_BOOLEANS[label.casefold()]: exact[label] for label in exact}
        return lambda cell: exact.get(cell) or by_digit.get(_BOOLEANS.get(cell.casefold(), cell))
    whole = {float(label): label for label in exact if _WHOLE.fullmatch(label)}
    if exact and len(whole) == len(exact):
        return lambda cell: exact.get(cell) or (whole.get(float(cell)) if is_number(cell) else None)
    if any(isinstance(label, str) for label in labels):
        folded = [label.casefold() for label in exact]
        flags = {text.casefold(): text for text in exact if text.casefold() in _BOOLEANS}
        if any(folded.count(flag) > 1 for flag in flags):
            return exact.get
        return lambda cell: exact.get(cell) or exact.get(flags.get(cell.casefold(), ""))

    def read(cell: str) -> Label | None:
        if cell not in exact:
            if is_number(cell) and float(cell).is_integer():
                return exact.get(str(int(float(cell))))
            return exact.get(_BOOLEANS.get(cell.casefold(), ""))
        return exact[cell]

    return read


def setting_reader(labels: Sequence[Label]) -> Callable[[object], Label | None]:
    """Return a function from a value in the settings to the label that it means, or None.

    A value means the label that is written the same, although YAML reads 1 as a number and "1" as a
    text. A YAML boolean means the label that is written true or false, in any case; if there are
    several, it means none. If the labels are integers, a value is read like a cell.
    """
    of_cell = label_reader(labels)
    if all(isinstance(label, int) for label in labels):
        return lambda value: of_cell(str(value))
    exact = {str(label): label for label in labels}
    folded = [text.casefold() for text in exact]
    flags = dict(zip(folded, exact.values(), strict=True))
    flags = {flag: flags[flag] for flag in _BOOLEANS if folded.count(flag) == 1}
    return lambda value: (
        flags.get(str(value).casefold()) if isinstance(value, bool) else exact.get(str(value))
    )


# Columns ------------------------------------------------------------------------------------------


class Packed(Sequence[Any]):
    """A sequence [n] of which rows are taken without a line of Python for each."""

    @abstractmethod
    def take(self, rows: Any) -> Packed:
        """Return the values of some rows."""

    @property
    @abstractmethod
    def are_strings(self) -> bool:
        """Whether every value is a text."""

    @property
    @abstractmethod
    def different_count(self) -> int:
        """How many values are different."""

    @abstractmethod
    def hold(self, sign: str) -> bool:
        """Whether a value, as a text, holds a sign of ASCII."""


class Repeated(Packed):
    """A column in which few values repeat.

    What depends on a value alone is computed once for each different one (`different`, `map`).
    """

    @property
    @abstractmethod
    def present(self) -> list[Any]:
        """The different values, each once."""

    @abstractmethod
    def map(self, function: Callable[[Any], Any]) -> Repeated:
        """Return the function's value of every row."""

    @property
    def are_strings(self) -> bool:
        """Whether every value is a text."""
        return are_strings(self.present)

    @property
    def different_count(self) -> int:
        """How many values are different."""
        return len(self.present)

    def hold(self, sign: str) -> bool:
        """Whether a value, as a text, holds a sign of ASCII."""
        return hold(self.present, sign)


def are_strings(values: Sequence[Any]) -> bool:
    """Whether every value is a text."""
    if isinstance(values, Packed):
        return values.are_strings
    return all(issubclass(kind, str) for kind in {*map(type, values)})


def hold(values: Sequence[Any], sign: str) -> bool:
    """Whether one of the values, as a text, holds a sign of ASCII."""
    if isinstance(values, Packed):
        return values.hold(sign)
    return sign in "".join(map(str, values))


def different_count(values: Sequence[Any]) -> int:
    """Return how many values of a column are different."""
    return values.different_count if isinstance(values, Packed) else len({*values})


def different(values: Sequence[Any]) -> Collection[Any]:
    """Return the different values of a column as a set."""
    return {*values.present} if isinstance(values, Repeated) else {*values}


def _present(values: Sequence[Any]) -> Sequence[Any]:
    """Return the values of a column, where few repeat each once."""
    return values.present if isinstance(values, Repeated) else values


def taken(values: Sequence[Any], rows: Any) -> Sequence[Any]:
    """Return the values of some rows, [k]; ``rows`` of NumPy, or in an `array`, cost the least.

    Numbers of a range are kept in a sixteenth of a list's memory, if none needs more than four
    bytes, or in an eighth, and NumPy reads them as they are.
    """
    if isinstance(values, Packed):
        return values.take(rows)
    if isinstance(rows, Sequence):
        return list(map(values.__getitem__, rows))
    if isinstance(values, range):
        is_short = not values or max(-values[0], -values[-1], values[0], values[-1]) < _FOUR_BYTES
        items = array("i" if is_short else "q")
        if (values.start, values.step) != (0, 1):
            rows = values.start + values.step * rows
        items.frombytes(
            rows.astype(f"int{8 * items.itemsize}", order="C", copy=False).view("uint8")
        )
        return items
    return list(map(values.__getitem__, rows.tolist()))


def grouped(pairs: Iterable[tuple[_Key, _Value]]) -> dict[_Key, list[_Value]]:
    """Return key → its values, in their order."""
    groups: dict[_Key, list[_Value]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups
