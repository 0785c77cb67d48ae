"""The alphabetical index of a large field, by which every team finds itself on the page."""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..drawing import shortened
from ..view import MANY_ROWS, MetricView
from . import left_aside_list, unscored_list, unusable_list

#: What a phone shows of an index at once; a longer one is divided.
_NAMES_OF_A_PART = 50
#: Names at the two ends of a part are cut to this many letters.
_HEADING = 17


@dataclass(frozen=True)
class IndexedName:
    """A name, where it stands on the page, and what is noted after it."""

    name: str
    address: str
    tags: tuple[str, ...]


@dataclass(frozen=True)
class IndexPart:
    """Neighbors in the alphabet, from the name ``first`` to the name ``last``."""

    first: str
    last: str
    names: tuple[IndexedName, ...]


def index_of(views: Sequence[MetricView]) -> tuple[IndexPart, ...]:
    """Return the index in parts of about the same size; none unless there are many names."""
    names = sorted(_names(views), key=lambda item: (_folded(item.name), item.name))
    if len(names) <= MANY_ROWS:
        return ()
    parts = -(-len(names) // _NAMES_OF_A_PART)
    cuts = [len(names) * part // parts for part in range(parts + 1)]
    return tuple(
        IndexPart(
            shortened(names[start].name, _HEADING),
            shortened(names[end - 1].name, _HEADING),
            tuple(names[start:end]),
        )
        for start, end in itertools.pairwise(cuts)
    )


def _names(views: Sequence[MetricView]) -> Iterator[IndexedName]:
    """Yield all there are: with a row of its own, or with the reason why it has none."""
    view = views[0]
    result, say = view.result, view.language.say
    ranked = {name: place for place, name in enumerate(view.analysis.names)}
    for name, address in view.cards.items():
        if name in ranked:
            yield IndexedName(name, address, view.tags(ranked[name]))
        else:
            yield IndexedName(name, unscored_list.ADDRESS, (say("find.unscored"),))
    for item, address in zip(
        result.unusable, unusable_list.addresses(result.unusable), strict=True
    ):
        yield IndexedName(item.name, address, (say("find.unusable"),))
    known = {*result.names, *(item.name for item in result.unusable)}
    for name in dict.fromkeys(item.name for item in result.left_aside):
        if name not in known:
            yield IndexedName(name, left_aside_list.ADDRESS, (say("find.left_aside"),))


def _folded(name: str) -> str:
    """Return what the alphabet sorts by, the same in every locale: no case and no accents."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
