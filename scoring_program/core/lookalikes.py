"""Names that look alike in most fonts, by Unicode's table of confusable characters (UTS #39).

Names that are the same but for what nobody reads are worse: `same_when_read` finds them.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from .cells import grouped

#: File beside this one that holds `prototypes`, which whoever packs the program adds: the package
#: that they come from is ten times as large.
PROTOTYPES = "prototypes.json"
#: How `visible` spells out a character.
_CODE = re.compile(r"<U\+([0-9A-F]{4,6})>")
#: What is added to a name to tell whose it is.
_ADDED = re.compile(r"(?: \((?:codalab user|codalab team|codabench user)\))?\**$")


def same_when_read(names: Iterable[str]) -> list[tuple[str, ...]]:
    """Return the groups of names that differ only in case, spaces, accents' encoding and the like.

    One of them may be another team's, whose author would like to be taken for the first.
    """
    groups = grouped((_read(name), name) for name in dict.fromkeys(names))
    return [tuple(alike) for alike in groups.values() if len(alike) > 1]


def _read(name: str) -> str:
    """Return what a hasty reader sees of a name."""
    written = _CODE.sub(lambda code: chr(int(code[1], 16)), name)
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", written).casefold())
    bare = _ADDED.sub("", folded)
    return (
        "".join(
            letter
            for letter in bare
            if not letter.isspace() and unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Co")
        )
        or folded
    )


def lookalikes(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the groups of names that look alike, in the order of the names.

    Names of ASCII letters alone are not compared with each other: people tell O from 0.
    """
    if all(map(str.isascii, names)):
        return []
    packed = Path(__file__).with_name(PROTOTYPES)
    known = json.loads(packed.read_text(encoding="utf-8")) if packed.is_file() else prototypes()
    return [
        tuple(alike)
        for alike in grouped((_skeleton(name, known), name) for name in names).values()
        if len(alike) > 1 and not all(map(str.isascii, alike))
    ]


def _skeleton(name: str, known: Mapping[str, str]) -> str:
    """Return what all names that look like a name have in common."""
    decomposed = unicodedata.normalize("NFKD", name)
    return unicodedata.normalize("NFKD", "".join(known.get(item, item) for item in decomposed))


def prototypes() -> dict[str, str]:
    """Return letter → the first of all letters that look like it, of letters that NFKD keeps.

    The table of the package confusable-homoglyphs gives the prototype of a letter and, of a
    prototype, all letters that look like it.
    """
    from confusable_homoglyphs.confusables import confusables_data as table

    found = {}
    for letter in filter(_is_decomposed, table):
        alike = [item["c"] for item in table[letter]]
        if len(alike) == 1:
            alike += [item["c"] for item in table.get(alike[0], ())]
        found[letter] = min((letter, *alike))
    return {letter: first for letter, first in found.items() if first != letter}


def _is_decomposed(letter: str) -> bool:
    return len(letter) == 1 and unicodedata.is_normalized("NFKD", letter)
