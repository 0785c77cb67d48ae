"""Reasons that people read: English texts that can be written in other languages, too.

Whoever finds a mistake says so in English, beside the check. That is what the log, results.json and
the checker of a starting kit show, and what errors hold. Only the page may have another language.
This module needs only the standard library, because the starting kit contains it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

#: A name, a number or an excerpt as it is; or a phrase, which can be written in other languages.
Piece = str | int | float


class Phrase(str):
    """An English text that remembers its template and the values in it.

    The template is the key of its text in the language files, under "reasons". Where it has the
    value ``count``, "row(s)" stands for "row" or "rows", and a language file has a form for each
    number. A value that is a phrase is written in the same language.
    """

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, Piece]

    def __new__(cls, template: str, /, **values: Piece) -> Phrase:
        """Fill in the template; it has places in braces, as in `str.format`."""
        phrase = super().__new__(cls, filled(template, values))
        phrase.template = template
        phrase.values = values
        return phrase

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Return what makes the phrase again, for pickle: worker processes send their errors."""
        return _remade, (self.template, dict(self.values))


def filled(template: str, values: Mapping[str, Piece]) -> str:
    """Return a template in English with its values."""
    if "count" in values:
        template = template.replace("(s)", "" if values["count"] == 1 else "s")
    return template.format_map(values)


def _remade(template: str, values: dict[str, Piece]) -> Phrase:
    return Phrase(template, **values)


def verbatim(text: str) -> Phrase:
    """Return a text that is the same in every language, or that others wrote."""
    return text if isinstance(text, Phrase) else Phrase("{text}", text=text)


def joined(parts: Iterable[str], between: str = "\n") -> Phrase:
    """Return texts one after the other, by default one a line."""
    found = {f"part{number}": part for number, part in enumerate(parts)}
    return Phrase(between.join(f"{{{name}}}" for name in found), **found)


def counted(number: int, noun: str) -> Phrase:
    """Return "1 row" or "2 rows" for the noun "row(s)"."""
    return Phrase("{count} {noun}", count=number, noun=of_count(number, noun))


def of_count(number: int, noun: str) -> Phrase:
    """Return "row" or "rows" for the noun "row(s)"."""
    if isinstance(noun, Phrase):
        return Phrase(noun.template, **{**noun.values, "count": number})
    return Phrase(noun, count=number)
