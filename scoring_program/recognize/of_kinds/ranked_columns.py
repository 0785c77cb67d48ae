"""Ranked lists: what the third of three columns holds, and which columns hold lists of items."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ..usual_names import ITEM_LISTS
from .roles_by_name import ID, DataField, roles

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


# A list of items in a cell ------------------------------------------------------------------------

#: What identifies a query, and the list of its items.
_OF_ITEMS = (ID, DataField("items", ITEM_LISTS))
_TWO = 2


def names_items(first: Sequence[str]) -> bool | None:
    """Whether a first row names the columns of queries and lists of items; None if nobody knows.

    It does if one of the names is usual.
    """
    usual = any(field.among(first) is not None for field in _OF_ITEMS)
    return True if usual else None


def columns_of_items(names: Collection[str], stated: Collection[str]) -> tuple[str, str] | None:
    """Return the columns of queries and of lists of items; None if others may be meant.

    They are stated or called so, or the other one of two.
    """
    named = roles(names, _OF_ITEMS, stated)
    unnamed = [name for name in names if name not in named.values()]
    if len(named) < _TWO and len(names) == _TWO and unnamed:
        if "items" in named:
            named["id"] = unnamed[0]
        elif "id" in named:
            named["items"] = unnamed[0]
        else:
            named = dict(zip(("id", "items"), names, strict=True))
    return (named["id"], named["items"]) if {"id", "items"} <= named.keys() else None


def may_hold_items(columns: Sequence[Sequence[str]]) -> bool:
    """Whether the second of two columns may hold lists of items, one list for each query.

    Its cells hold several words, and the first column has no other cell twice.
    """
    if len(columns) != _TWO:
        return False
    queries, lists = columns
    several = sum(len(cell.split()) > 1 for cell in lists)
    return len({*queries}) == len(queries) and 2 * several > len(lists)
