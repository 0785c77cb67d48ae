"""Names that look alike in most fonts, by Unicode's table of confusable characters (UTS #39)."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence


def lookalikes(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the groups of names that look alike, in the order of the names.

    Names of ASCII letters alone are not compared with each other: people tell O from 0. The table
    comes from the package confusable-homoglyphs, which is imported only for other names.
    """
    if all(map(str.isascii, names)):
        return []
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(_skeleton(name), []).append(name)
    return [
        tuple(alike)
        for alike in groups.values()
        if len(alike) > 1 and not all(map(str.isascii, alike))
    ]


def _skeleton(name: str) -> str:
    """Return what all names that look like a name have in common."""
    from confusable_homoglyphs.confusables import confusables_data as table

    found = "".join(_prototype(letter, table) for letter in unicodedata.normalize("NFKD", name))
    return unicodedata.normalize("NFKD", found)


def _prototype(letter: str, table: dict[str, list[dict[str, str]]]) -> str:
    """Return the first of all letters that look like a letter.

    The table gives the prototype of a letter and, of a prototype, all letters that look like it.
    """
    alike = [item["c"] for item in table.get(letter, ())]
    if len(alike) == 1:
        alike += [item["c"] for item in table.get(alike[0], ())]
    return min((letter, *alike))
