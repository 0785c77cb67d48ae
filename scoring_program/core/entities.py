"""Entities in the tags of a sentence, by the rules of conlleval.

The rules read every usual scheme, because they look at each tag and the one before it: IO, BIO (a
new entity begins with B everywhere, or only beside another one), BIOES and its other spellings
BILOU and BMEWO. seqeval reads tags in the same way unless it is told to be strict.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

#: The tag of a token outside of all entities, and what stands for it in `Tag`.
OUTSIDE = "O"
_PREFIXED = re.compile(r"([BIESLUMW])[-_](.+)|([BIESLUMW])", re.DOTALL)
#: How a prefix is written in BIOES.
_IN_BIOES = {"L": "E", "U": "S", "M": "I", "W": "S"}


class Tag(NamedTuple):
    """What a tag says: its prefix in BIOES or `OUTSIDE`, and the entity's type.

    A tag without a prefix, such as ``PER``, is read as ``I-PER``. A prefix without a type has the
    type ``_``, as in seqeval.
    """

    prefix: str
    type: str


class Entity(NamedTuple):
    """An entity: its first token, the token after its last one, and its type."""

    start: int
    end: int
    type: str


@lru_cache(maxsize=4096)
def part_of(tag: str) -> Tag:
    """Return what a tag says."""
    if tag == OUTSIDE:
        return Tag(OUTSIDE, "")
    match = _PREFIXED.fullmatch(tag)
    if not match:
        return Tag("I", tag)
    prefix = match[1] or match[3]
    return Tag(_IN_BIOES.get(prefix, prefix), match[2] or "_")


def begins(before: Tag, tag: Tag) -> bool:
    """Whether an entity begins with a tag that follows another; `OUTSIDE` precedes the first."""
    if tag.prefix == OUTSIDE:
        return False
    return tag.prefix in "BS" or before.prefix in "OES" or before.type != tag.type


def entities(tags: Sequence[str]) -> Iterator[Entity]:
    """Yield the entities of a sentence, in their order."""
    start, before = 0, part_of(OUTSIDE)
    for place, tag in enumerate((*tags, OUTSIDE)):
        part = part_of(tag)
        ended = part.prefix == OUTSIDE or begins(before, part)
        if ended and before.prefix != OUTSIDE:
            yield Entity(start, place, before.type)
        if ended:
            start = place
        before = part
