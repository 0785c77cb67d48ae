"""The alphabetical index of a large field, by which every team finds itself on the page."""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Iterator, Sequence

from ...document.blocks import Fold, Link, Links
from ...document.shortening import isolated, shortened
from ..view import MANY_ROWS, MetricView
from .account import LEFT_ASIDE, UNSCORED, addresses

#: What a phone shows of an index at once; a longer one is divided.
_NAMES_OF_A_PART = 50
#: Names at the two ends of a part are cut to this many letters.
_HEADING = 17


def index_of(views: Sequence[MetricView]) -> Iterator[Fold]:
    """Yield the index, in parts of about the same size; nothing unless there are many names."""
    names = sorted(_names(views), key=lambda item: (folded(item.heading), item.heading))
    if len(names) <= MANY_ROWS:
        return
    parts = -(-len(names) // _NAMES_OF_A_PART)
    cuts = [len(names) * part // parts for part in range(parts + 1)]
    lists = [Links(tuple(names[start:end]), "index") for start, end in itertools.pairwise(cuts)]
    heading = views[0].language.say("Find an entry")
    folds = tuple(Fold(_span(part), (part,)) for part in lists)
    yield Fold(heading, folds if parts > 1 else tuple(lists), "find", "find")


def _span(part: Links) -> str:
    """Return the first and the last name of a part."""
    ends = (part.items[0], part.items[-1])
    return " – ".join(isolated(shortened(item.heading, _HEADING)) for item in ends)


def _names(views: Sequence[MetricView]) -> Iterator[Link]:
    """Yield all there are: with a row of its own, or with the reason why it has none."""
    view = views[0]
    result, say = view.result, view.language.say
    ranked = {name: place for place, name in enumerate(view.evidence.names)}
    for name, address in view.cards.items():
        if name in ranked:
            yield Link(address, name, view.tags(ranked[name]))
        else:
            yield Link(UNSCORED, name, (say("not ranked"),))
    for item, address in zip(result.unusable, addresses(result.unusable), strict=True):
        yield Link(address, item.name, (say("not scored"),))
    known = {*result.names, *(item.name for item in result.unusable)}
    for name in dict.fromkeys(item.name for item in result.left_aside):
        if name not in known:
            yield Link(LEFT_ASIDE, name, (say("left aside"),))


def folded(name: str) -> str:
    """Return what the alphabet sorts by, the same in every locale: no case and no accents."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
