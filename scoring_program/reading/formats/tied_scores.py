"""Documents of a TREC run with equal scores, which the file's ranks order otherwise than we do.

trec_eval orders documents by their scores alone, and those with equal scores by their names. A run
whose scores were rounded, or cut to single precision, is so scored in an order that nobody meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, count
from operator import eq

from ...core.phrases import Phrase, gettext_noop

BY_NAME = gettext_noop(
    "In {count:n} of {queries:n} queries, documents with equal scores ({documents:n}) are not in "
    "the order of their ranks: the one whose name is last comes first, as in trec_eval. Give every "
    "document of a query a score of its own."
)
#: The rank of a line that says none.
NO_RANK = -1.0


def in_order(
    documents: Sequence[str],
    numbers: Sequence[float],
    *,
    rising: bool,
    ranks: Sequence[float] | None = None,
) -> tuple[tuple[str, ...], int]:
    """Return the documents of a query by their numbers; of equal ones, the last name comes first.

    ``numbers`` are those of the ``documents``: scores, of which the highest comes first, or ranks,
    if they are ``rising``. The second result is the number of documents that are tied, and whose
    ``ranks``, which the lines of the file say, names contradict; 0 without ranks.
    """
    values = [*numbers]
    ordered = [*documents]
    ordered_ranks = ranks
    in_order_of_values = sorted(values, reverse=not rising)
    if values != in_order_of_values:
        places = sorted(range(len(values)), key=values.__getitem__, reverse=not rising)
        ordered = [documents[place] for place in places]
        ordered_ranks = None if ranks is None else [ranks[place] for place in places]
    equal = compress(count(), map(eq, in_order_of_values, in_order_of_values[1:]))
    contradicting = order_by_name(ordered, equal, ordered_ranks)
    return tuple(ordered), sum(tied.stop - tied.start for tied in contradicting)


def order_by_name(
    documents: list[str], equal: Iterable[int], ranks: Sequence[float] | None
) -> list[slice]:
    """Put documents that tie in the order of their names, the last one first.

    The ``equal`` ones have the number of the document that follows them. Returns where the tied
    documents stand whose ``ranks`` names contradict.
    """
    contradicting = []
    for tied in _stretches(equal):
        names = documents[tied]
        documents[tied] = sorted(names, reverse=True)
        if ranks is None:
            continue
        rank_of = dict(zip(names, ranks[tied], strict=True))
        by_name = [rank_of[document] for document in documents[tied]]
        if NO_RANK not in by_name and by_name != sorted(by_name):
            contradicting.append(tied)
    return contradicting


def ordered_by_name(moved_in: Sequence[int]) -> Phrase | None:
    """Return how often names decide against the ranks of a run; None if they never do.

    ``moved_in`` are the numbers of documents whose ranks names contradict, of every query.
    """
    affected = sum(moved > 0 for moved in moved_in)
    if not affected:
        return None
    return Phrase(BY_NAME, count=affected, queries=len(moved_in), documents=sum(moved_in))


def _stretches(equal: Iterable[int]) -> Iterator[slice]:
    """Yield where two or more neighbors are equal: each but the last is ``equal`` to the next."""
    start = 0
    end = 0
    for place in equal:
        if place >= end:
            if end:
                yield slice(start, end)
            start = place
        end = place + 2
    if end:
        yield slice(start, end)
