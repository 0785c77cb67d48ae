"""Checks of single values, and of mappings whose keys have a check each.

Each check returns the value as the settings hold it, or raises ValueError with the expected form
("a whole number of at least 1"). A key of the settings, or of a metric in them, is a field of a
dataclass that holds its check.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import field, fields
from datetime import date, datetime
from typing import Any

from ..core.errors import SettingsError, nearest
from ..reading import formats, names
from ..reading.formats.raw import WHITESPACE, FileDescription

Check = Callable[[Any], Any]

#: The labels of open answers.
ANY = "any"
#: Larger numbers are useless, and calculations with them may overflow.
_TOO_LARGE = 10**100


def checked_by(check: Check, default: Any = None, **facts: Any) -> Any:
    """Return the field of a key with its check, and with further ``facts`` about it."""
    return field(default=default, metadata={"check": check, **facts})


def checks_of(keys: Any) -> dict[str, Check]:
    """Return key → check of a dataclass of keys; its other fields have none."""
    return {one.name: one.metadata["check"] for one in fields(keys) if "check" in one.metadata}


def checked(
    values: Mapping[Any, Any],
    known: Mapping[str, Check],
    where: Callable[[str], str],
    remedy: str = "",
) -> dict[str, Any]:
    """Return the checked values of the keys that are ``known``; ``where`` says where one was set.

    Raises
    ------
    SettingsError
        An unknown key, with the ``remedy`` if no other is meant, or a value that fails its check.
    """
    found = {}
    for key, value in values.items():
        place = where(str(key))
        if key not in known:
            meant = nearest(str(key), known) or remedy
            raise SettingsError(f"{place}: unknown key {str(key)!r}{meant}")
        try:
            found[key] = known[key](value)
        except SettingsError:
            raise
        except ValueError as error:
            # What may have been meant stands last.
            expected, mark, meant = str(error).partition("; did you mean ")
            said = f"expected {expected}; found {value!r}{mark}{meant}"
            raise SettingsError(f"{place}: {key}: {said}") from None
    return found


def text(value: Any) -> str:
    """Check text."""
    if not isinstance(value, str):
        raise ValueError("text")
    return value


def groups(value: Any) -> str | tuple[str, ...]:
    """Check the name of a column, or those of two different ones."""
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)) and len(value) == 2 and value[0] != value[1]:
        return tuple(map(text, value))
    raise ValueError("a column, or a list of two different ones")


def day(value: Any) -> str:
    """Check a date: text, or what YAML takes for a date."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return value.isoformat()
    return text(value)


def address(value: Any) -> str:
    """Check the address of a page in the web, which may be empty."""
    if not isinstance(value, str) or not re.fullmatch(r"(https?://[^\s<>\"]+)?", value):
        raise ValueError("an address that starts with https:// or http://")
    return value


def entry_name(value: Any) -> str:
    """Check the name of an entry, which may look like a whole number."""
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        return str(value)
    raise ValueError("a name")


def flag(value: Any) -> bool:
    """Check a truth value."""
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def whole(at_least: int) -> Check:
    """Return the check of a whole number."""

    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < at_least:
            raise ValueError(f"a whole number of at least {at_least}")
        if value >= _TOO_LARGE:
            raise ValueError("a whole number of at most 100 digits")
        return value

    return check


def between(low: float, high: float, unit: str = "") -> Check:
    """Return the check of a number between two bounds, both excluded."""

    def check(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low < value < high:
            bounds = f"above {low:g}" if high == float("inf") else f"between {low:g} and {high:g}"
            raise ValueError(f"a number {bounds}{unit}")
        if value >= _TOO_LARGE:
            raise ValueError(f"a smaller number{unit}")
        return float(value)

    return check


def one_of(choices: Collection[str]) -> Check:
    """Return the check of a value that must be one of ``choices``."""

    def check(value: Any) -> str:
        if not isinstance(value, str) or value not in choices:
            raise ValueError(f"one of {', '.join(choices)}{nearest(str(value), choices)}")
        return value

    return check


def file_format(choices: Collection[str]) -> Check:
    """Return the check of a format: one of ours, or one that an installed package provides."""
    ours = one_of(choices)

    def check(value: Any) -> str:
        return value if isinstance(value, str) and formats.is_known(value) else ours(value)

    return check


def optional(inner: Check) -> Check:
    """Return a check that also accepts null."""

    def check(value: Any) -> Any:
        return None if value is None else inner(value)

    return check


def each(inner: Check) -> Callable[[Any], tuple[Any, ...]]:
    """Return the check of a list, or of one item that stands for a list."""

    def check(value: Any) -> tuple[Any, ...]:
        return tuple(inner(item) for item in (value if isinstance(value, list) else [value]))

    return check


def any_of(choices: Collection[str]) -> Check:
    """Return the check of a list of ``choices``, which may be a text with commas: "pdf, png"."""
    check = each(one_of(choices))

    def split(value: Any) -> tuple[Any, ...]:
        if isinstance(value, str):
            value = [part.strip() for part in value.split(",")]
        parts: tuple[Any, ...] = check(value)
        return parts

    return split


def pair_of_entries(value: Any) -> tuple[str, str]:
    """Check the names of two different entries."""
    if isinstance(value, list) and len(value) == 2:
        first, second = map(entry_name, value)
        if first != second:
            return first, second
    raise ValueError("pairs of two different names, such as [[seed 1, seed 2]]")


def name_pattern(value: Any) -> str:
    """Check a pattern such as ``{team}_run{run}``."""
    pattern = text(value)
    names.compile_pattern(pattern)
    return pattern


def labels(value: Any) -> tuple[str | int, ...] | str | None:
    """Check a list of labels, "any" or null; numbers stay numbers if all labels are numbers."""
    if value is None:
        return None
    if value == ANY:
        return ANY
    if isinstance(value, list) and len(value) >= 2 and len(set(map(str, value))) == len(value):
        if all(isinstance(item, int) and not isinstance(item, bool) for item in value):
            return tuple(value)
        if not any(isinstance(item, (list, dict)) or item is None for item in value):
            # true and false stay booleans until the gold shows how it writes them.
            return tuple(item if isinstance(item, bool) else str(item) for item in value)
    raise ValueError("a list of at least two different labels, or any")


def parameters(value: Any) -> Mapping[str, Any]:
    """Check the parameters of a function."""
    if not isinstance(value, dict):
        raise ValueError("parameters as {key: value}")
    return value


def description(value: Any) -> FileDescription:
    """Check how files are described."""
    known = f"a mapping with keys among {', '.join(_DESCRIBED)}"
    if not isinstance(value, dict):
        raise ValueError(known)
    if unknown := [key for key in value if key not in _DESCRIBED]:
        raise ValueError(f"{known}{nearest(str(unknown[0]), _DESCRIBED)}")
    checked = {}
    for key, given in value.items():
        try:
            checked[key] = _DESCRIBED[key](given)
        except ValueError as error:
            raise ValueError(f"{error} for {key!r}") from None
    stated = FileDescription(**checked)
    names = [name for name in stated.stated.values() if isinstance(name, str)]
    if stated.header is False and not stated.columns:
        raise ValueError("'columns', too, where 'header' is false")
    if stated.header is False and isinstance(stated.columns, Mapping) and names:
        raise ValueError("numbers, from 1, in 'columns', where 'header' is false")
    return stated


def _columns(value: Any) -> tuple[str, ...] | Mapping[str, str | int]:
    """Check the columns of a file: names in their order, or roles with names or numbers."""
    if isinstance(value, list) and value and len(set(map(str, value))) == len(value):
        return tuple(map(entry_name, value))
    if isinstance(value, dict) and value and len(set(value.values())) == len(value):
        numbers = {role: of for role, of in value.items() if isinstance(of, int)}
        return {
            str(role): whole(1)(of) if role in numbers else text(of) for role, of in value.items()
        }
    raise ValueError("a list of different names, or what each column holds: its name or number")


def _separator(value: Any) -> str:
    if not isinstance(value, str) or not value.strip("\r\n"):
        raise ValueError(f"the text between two cells, such as '\\t', or {WHITESPACE}")
    return value.replace("\\t", "\t")  # YAML keeps both letters between single quotes


def _comment(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError("the text with which comments begin, such as '#'")
    return value


#: What may be said of files, and the check of each.
_DESCRIBED: Mapping[str, Check] = {
    "columns": _columns,
    "separator": _separator,
    "header": flag,
    "skip_lines": whole(0),
    "comment": _comment,
}
