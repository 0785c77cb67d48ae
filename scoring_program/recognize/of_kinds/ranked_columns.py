"""Ranked lists of three columns: whether the third holds grades, scores or ranks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

#: What a header calls the third column of a run.
SCORE = "score"
RANK = "rank"
#: What it may call the third column, of judgments too.
_TITLES = frozenset((SCORE, RANK, "grade", "label", "rel", "relevance"))


def is_title(cell: str) -> bool:
    """Whether the last cell of a first line names the numbers below."""
    return cell.casefold() in _TITLES


def numbers_of_run(title: str, of_queries: Iterable[Sequence[str]]) -> str | None:
    """Return what the numbers of a run are: `SCORE` or `RANK`; None if they may be either.

    The ``title`` is the last cell of the first line. Without a name, they are ranks if those of
    every query are 1 to k in this order, as in MS MARCO. They may be ranks if those of every query
    begin with 1, and are whole, positive and all different.
    """
    if title.casefold() in (SCORE, RANK):
        return title.casefold()
    numbers = [*of_queries]
    if all(map(_are_ranks, numbers)):
        return RANK
    return None if all(map(_may_be_ranks, numbers)) else SCORE


def _are_ranks(numbers: Sequence[str]) -> bool:
    return [*numbers] == [*map(str, range(1, len(numbers) + 1))]


def _may_be_ranks(numbers: Sequence[str]) -> bool:
    whole = all(number.isdecimal() and number != "0" for number in numbers)
    return numbers[0] == "1" and whole and len({*numbers}) == len(numbers)


def count_up(of_queries: Sequence[Sequence[str]]) -> bool:
    """Whether the cells of every query are 1, 2, 3 or 0, 1, 2, and there is more than one."""
    longest = max(map(len, of_queries))
    numbers = list(map(str, range(longest + 1)))
    if longest < 2:
        return False
    for counts in (numbers, numbers[1:]):
        if all(cells == counts[: len(cells)] for cells in of_queries):
            return True
    return False
