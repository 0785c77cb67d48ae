"""Spans of documents: which columns or keys hold the document, where a span is, and what it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product

from ..usual_names import DOCUMENT_NAMES, SPAN_ENDS, SPAN_LISTS, SPAN_STARTS, SPAN_TYPES
from .roles_by_name import ID, DataField, roles

#: The document of a span.
DOCUMENT = replace(ID, names=DOCUMENT_NAMES)
#: The start, the end and the type of a span.
OF_SPAN = (
    DataField("start", SPAN_STARTS),
    DataField("end", SPAN_ENDS),
    DataField("type", SPAN_TYPES),
)
#: All spans of a document, in place of starts, ends and types.
LISTS = DataField("spans", SPAN_LISTS)
#: How a list begins in a cell, and one of characters or of spans.
_LIST = "["
#: A place in a text, as files of spans have it.
_PLACE = re.compile(r"\d{1,9}(\.0+)?")
#: The most ways to read spans that a question shows.
_MOST_WAYS = 8
_NUMBERS = re.compile(r"\[\s*(\[\s*)?\d")


def have_offsets(names: Collection[str]) -> bool:
    """Whether names are those of the starts and the ends of spans, and maybe others."""
    return len(roles(names, OF_SPAN[:2])) == 2


def name_spans(names: Collection[str], below: str) -> bool:
    """Whether a first line, in small letters, names the columns of spans, whose text is ``below``.

    They are documents, starts and ends; in place of these, "spans" may hold lists of numbers.
    """
    lists = LISTS.role in names and _NUMBERS.search(below)
    has_documents = not {*names}.isdisjoint((*DOCUMENT.names, "doc_id"))
    return has_documents and bool(have_offsets(names) or lists)


def name_of_lists(names: Sequence[str]) -> str | None:
    """Return the column that a first row names for the lists of documents' spans; None if none."""
    lists = LISTS.among(names)
    if lists and DOCUMENT.among(names) and not OF_SPAN[0].among(names):
        return lists
    return None


def is_nameless_list(first: Sequence[str]) -> bool:
    """Whether a first row is an id and a list of spans, so that nothing names the columns."""
    return len(first) == 2 and first[1].startswith(_LIST)


def are_lists(cells: Iterable[str], *, gold: bool) -> bool:
    """Whether cells hold lists of spans. Predictions may find no span at all."""
    cells = [*cells]
    if not gold and not any(cells):
        return True
    return any(cell.startswith(_LIST) for cell in cells)


def ways_to_read(
    columns: Mapping[str, Sequence[str]], read: Mapping[str, str], stated: Collection[str]
) -> list[dict[str, str]]:
    """Return how else starts, ends and types could be read: role → column, the usual names first.

    ``read`` maps roles to the columns of their best names, and roles that are ``stated`` are
    certain. Of columns with the same cells the first counts. Empty if no other column fits.
    """
    choices: dict[str, list[str]] = {}
    for field in OF_SPAN:
        if field.role not in read or field.role in stated:
            continue
        usual = read[field.role]
        rivals = [
            name
            for name, cells in columns.items()
            if field.fits(name) and name not in read.values()
            if [*cells] != [*columns[usual]] and _may_hold(field.role, cells)
        ]
        if rivals:
            choices[field.role] = [usual, *rivals]
    ways = []
    for names in islice(product(*choices.values()), _MOST_WAYS if choices else 0):
        way = dict(zip(choices, names, strict=True))
        start = columns.get({**read, **way}.get("start", ""), ())
        end = columns.get({**read, **way}.get("end", ""), ())
        if _are_in_order(start, end):
            ways.append(way)
    return ways if len(ways) > 1 else []


def _may_hold(role: str, cells: Sequence[str]) -> bool:
    """Whether cells may be places or, of the role "type", labels that repeat."""
    filled = [cell for cell in cells if cell]
    if role != "type":
        return bool(filled) and all(map(_PLACE.fullmatch, filled))
    return 2 <= len({*filled}) <= len(filled) / 2


def _are_in_order(starts: Sequence[str], ends: Sequence[str]) -> bool:
    """Whether no span ends before it starts."""
    for start, end in zip(starts, ends, strict=False):
        are_places = _PLACE.fullmatch(start) and _PLACE.fullmatch(end)
        if are_places and float(end) < float(start):
            return False
    return True
