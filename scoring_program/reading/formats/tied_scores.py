"""Documents of a TREC run with equal scores, which the file's ranks order otherwise than we do.

trec_eval orders documents by their scores alone, and those with equal scores by their names. A run
whose scores were rounded, or cut to single precision, is so scored in an order that nobody meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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


def in_order(numbers: Mapping[str, float], *, rising: bool) -> tuple[str, ...]:
    """Return the documents of a query by their numbers; of equal ones, the last name comes first.

    ``numbers`` holds document → score, of which the highest comes first, or document → rank, if
    they are ``rising``.
    """
    values = [*numbers.values()]
    documents = [*numbers]
    in_order_of_values = sorted(values, reverse=not rising)
    if values != in_order_of_values:
        documents.sort(key=numbers.__getitem__, reverse=not rising)
    for tied in _tied(in_order_of_values):
        documents[tied] = sorted(documents[tied], reverse=True)
    return tuple(documents)


def ordered_by_name(
    queries: Sequence[tuple[Sequence[str], Mapping[str, float], Sequence[float]]],
) -> Phrase | None:
    """Return how often names decide against the ranks of a run; None if they never do.

    A query is its documents `in_order`; document → score in single precision, as the lines of the
    file follow each other; and the ranks of these lines.
    """
    moved_in = [_moved(*query) for query in queries]
    affected = sum(moved > 0 for moved in moved_in)
    if not affected:
        return None
    return Phrase(BY_NAME, count=affected, queries=len(queries), documents=sum(moved_in))


def _moved(documents: Sequence[str], scores: Mapping[str, float], ranks: Sequence[float]) -> int:
    """Return the number of a query's documents that are tied, and whose ranks names contradict."""
    moved = 0
    rank_of: dict[str, float] = {}
    for tied in _tied(sorted(scores.values(), reverse=True)):
        rank_of = rank_of or dict(zip(scores, ranks, strict=True))
        by_name = [rank_of[document] for document in documents[tied]]
        if NO_RANK not in by_name and by_name != sorted(by_name):
            moved += len(by_name)
    return moved


def _tied(values: Sequence[float]) -> Iterator[slice]:
    """Yield where two or more neighbors are equal."""
    start = 0
    end = 0
    for place in compress(count(), map(eq, values, values[1:])):
        if place >= end:
            if end:
                yield slice(start, end)
            start = place
        end = place + 2
    if end:
        yield slice(start, end)
