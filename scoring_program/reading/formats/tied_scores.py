"""Documents of a TREC run with equal scores, which the file's ranks order otherwise than we do.

trec_eval orders documents by their scores alone, and those with equal scores by their names. A run
whose scores were rounded, or cut to single precision, is so scored in an order that nobody meant.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...core.cells import grouped
from ...core.phrases import Phrase, gettext_noop

BY_NAME = gettext_noop(
    "In {count:n} of {queries:n} queries, documents with equal scores ({documents:n}) are not in "
    "the order of their ranks: the one whose name is last comes first, as in trec_eval. Give every "
    "document of a query a score of its own."
)
#: Where a line of a run has its query, its document and its rank, and how many cells it has.
_QUERY = 0
_DOCUMENT = 2
_RANK = 3
_WIDTH = 6


def ordered_by_name(text: str, of_query: Mapping[str, Mapping[str, float]]) -> Phrase | None:
    """Return how often names decide against the ranks of a run; None if they never do.

    ``of_query`` holds query → document → score in single precision, as the lines of ``text`` say.
    """
    tied = {query for query, scores in of_query.items() if len({*scores.values()}) < len(scores)}
    if not tied:
        return None  # as nearly always, and soon
    ranks: dict[str, dict[str, int]] = {query: {} for query in tied}
    for line in text.split("\n"):
        cells = line.split()
        if len(cells) == _WIDTH and cells[_QUERY] in tied and cells[_RANK].isdecimal():
            ranks[cells[_QUERY]][cells[_DOCUMENT]] = int(cells[_RANK])
    queries = 0
    documents = 0
    for query in tied:
        moved = _moved(of_query[query], ranks[query])
        queries += moved > 0
        documents += moved
    if not queries:
        return None
    return Phrase(BY_NAME, count=queries, queries=len(of_query), documents=documents)


def _moved(scores: Mapping[str, float], ranks: Mapping[str, int]) -> int:
    """Return the number of a query's documents that are tied, and whose ranks names contradict."""
    moved = 0
    for names in grouped((score, name) for name, score in scores.items()).values():
        if not all(name in ranks for name in names):
            continue  # the file does not say ranks
        by_name = sorted(names, reverse=True)
        by_rank = sorted(by_name, key=ranks.__getitem__)
        if by_rank != by_name:
            moved += len(names)
    return moved
