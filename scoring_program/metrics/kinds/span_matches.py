"""Spans of documents: exact matches, and matches by overlap."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from ...core.entities import Entity
from ...core.errors import SettingsError
from .matching import Matches, definitions, same


def _decode(spans: Sequence[Sequence[Any]]) -> tuple[Entity, ...]:
    return tuple(map(Entity._make, spans))


def _matched(gold: Collection[Entity], found: Collection[Entity], params: Mapping[str, Any]) -> int:
    """Count the spans of the gold that are matched, each by another predicted span.

    By overlap, a span may match any of its type that it overlaps. Of all pairings of single spans,
    one with the most pairs counts, so that neither one long span nor many short ones score twice.
    """
    if params["match"] == "exact" or not gold or not found:
        return same(gold, found, params)
    last = int(params["end"] == "inclusive")
    wanted, given = list(gold), list(found)
    if not last and any(span.start == span.end for span in wanted):
        raise SettingsError(
            "a span of the reference data ends where it starts, so it overlaps nothing; if the "
            "last position belongs to a span, give the metric the parameter end: inclusive"
        )
    types = {span.type: number for number, span in enumerate([*wanted, *given])}
    (start, end, kind), (other_start, other_end, other_kind) = (
        np.array([(span.start, span.end, types[span.type]) for span in spans]).T
        for spans in (wanted, given)
    )
    overlaps = (
        (kind[:, None] == other_kind)
        & (start[:, None] < other_end + last)
        & (other_start < end[:, None] + last)
    )
    if overlaps.sum(axis=0).max() <= 1 and overlaps.sum(axis=1).max() <= 1:
        return int(overlaps.sum())
    # Imported here because few documents need it.
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import maximum_bipartite_matching

    return int((maximum_bipartite_matching(csr_matrix(overlaps)) >= 0).sum())


DEFINITIONS = definitions(
    "span",
    Matches(_decode, _matched),
    {"match": "exact", "end": "exclusive"},
    {"match": ("exact", "overlap"), "end": ("exclusive", "inclusive")},
)
