"""Notes and phrases in the words of a language file.

This module needs only the standard library, so every step can make notes, and the starting kit's
checker can print them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from gettext import c2py
from typing import Any, Union

from .errors import EXAMPLES_SHOWN
from .phrases import Phrase, filled

#: A name or an excerpt as it is, a number, what is written in the language, or a list of these.
Value = Union[str, int, float, "Note", tuple["Value", ...]]


@dataclass(frozen=True)
class Note:
    """A sentence that can be written in every language.

    ``key`` is its dotted key in the language files ("notes.usage"); ``values`` fill in the text. If
    the text has several forms, such as a singular and a plural, the value ``count`` selects one.
    """

    key: str
    values: Mapping[str, Value] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash(self.key)


@dataclass(frozen=True)
class LeftAside:
    """An upload that is not compared although it may be usable, and the reason."""

    name: str
    reason: Note


def by_reason(left: Iterable[LeftAside]) -> dict[Note, tuple[str, ...]]:
    """Return reason → the names of the uploads that were left aside for it."""
    found: dict[Note, tuple[str, ...]] = {}
    for item in left:
        found[item.reason] = (*found.get(item.reason, ()), item.name)
    return found


def tell(note: Note, strings: Mapping[str, Any], number: Callable[[float], str]) -> str:
    """Return a note in the words of a language file; a long list is cut."""

    def told(value: Value) -> str:
        if isinstance(value, str):
            return translated(value, strings)
        if isinstance(value, Note):
            return tell(value, strings, number)
        if not isinstance(value, tuple):
            return number(value)
        first = str(strings["comma"]).join(map(told, value[:EXAMPLES_SHOWN]))
        more = len(value) - EXAMPLES_SHOWN
        if more <= 0:
            return first
        return tell(Note("list_cut", {"first": first, "count": more}), strings, number)

    text = look_up(strings, note.key)
    if isinstance(text, Mapping):
        text = text[form(strings, note.values["count"])]
    return str(text).format_map({place: told(value) for place, value in note.values.items()})


def translated(text: str, strings: Mapping[str, Any]) -> str:
    """Return a phrase in the words of a language file; what the file lacks stays English.

    Other texts are returned as they are.
    """
    if not isinstance(text, Phrase):
        return text
    values = {
        place: translated(value, strings) if isinstance(value, str) else value
        for place, value in text.values.items()
    }
    found = strings.get("reasons", {}).get(text.template)
    if found is None:
        return filled(text.template, values)
    if isinstance(found, Mapping):
        found = found[form(strings, values["count"])]
    return str(found).format_map(values)


def renamed(values: Mapping[str, Value], names: Mapping[str, str]) -> dict[str, Value]:
    """Return the values of a note with the names of entries replaced."""

    def other(value: Value) -> Value:
        if isinstance(value, str):
            return names.get(value, value)
        if isinstance(value, Note):
            return Note(value.key, renamed(value.values, names))
        return tuple(map(other, value)) if isinstance(value, tuple) else value

    return {place: other(value) for place, value in values.items()}


def look_up(strings: Mapping[str, Any], key: str) -> Any:
    """Return what is at the dotted ``key`` of a language file."""
    found: Any = strings
    for part in key.split("."):
        found = found[part]
    return found


def form(strings: Mapping[str, Any], count: object) -> str:
    """Return the form of a text that a count needs in the language of ``strings``.

    It is the first form whose condition the count meets, or else "other".
    """
    number = int(count) if isinstance(count, (int, float)) else 0
    plurals = strings["plurals"].items()
    return next((name for name, condition in plurals if _meets(condition)(number)), "other")


@lru_cache
def _meets(condition: str) -> Callable[[int], int]:
    """Return a function of a number n from a condition in C, as in files of gettext."""
    return c2py(condition)
