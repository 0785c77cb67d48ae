"""Spans of documents: which columns or keys hold the document, where a span is, and what it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

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
