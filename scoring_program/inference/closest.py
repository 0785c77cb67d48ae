"""Finds which of several competitions was the closest, by each measure.

The measures are those of Nava-Muñoz, Graff and Escalante (2024, Table 6).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

#: Measures for which a larger value, or a smaller one, means a closer competition.
_LARGER_IS_CLOSER = ("ties_with_winner", "ties_between_competitors")
_SMALLER_IS_CLOSER = ("winner_minus_median", "cv_percent", "ppi_percent")


@dataclass(frozen=True)
class ComparedCompetition:
    """One competition by one metric; an unknown measure is None."""

    title: str
    metric: str
    measures: Mapping[str, float | None]
    bounded: bool = True  # whether PPI is a percentage of the metric's range
    definition: str = ""  # of the metric: two metrics may share a name
    folders: tuple[str, ...] = ()  # around the results, the innermost last


def distinct(competitions: Sequence[ComparedCompetition]) -> tuple[ComparedCompetition, ...]:
    """Return the competitions with different titles: "A", "A (2)".

    One without a title gets the innermost of its folders that tell it from the others: "2024" of
    ``2024/output`` beside ``2025/output``.
    """
    untitled = {item.folders for item in competitions if not item.title}
    competitions = [
        item if item.title else replace(item, title=_folder(item.folders, untitled))
        for item in competitions
    ]
    seen: dict[str, int] = {}
    named = []
    for competition in competitions:
        count = seen[competition.title] = seen.get(competition.title, 0) + 1
        title = competition.title if count == 1 else f"{competition.title} ({count})"
        named.append(replace(competition, title=title))
    return tuple(named)


def _folder(own: Sequence[str], every: Collection[Sequence[str]]) -> str:
    """Return the innermost folder that differs among those with results; the last if none does."""
    for place in range(1, len(own) + 1):
        at_place = [folders[-place] if place <= len(folders) else "" for folders in every]
        if len(set(at_place)) == len(at_place):
            return own[-place]
    return own[-1] if own else ""


def closest(competitions: Sequence[ComparedCompetition]) -> Mapping[str, tuple[int, ...]]:
    """Return for each measure the positions of the closest competitions.

    Numbers of ties are compared as shares of the comparisons, because more teams have more ties.
    The distance from winner to median is compared only if all competitions have the same metric.
    PPI is compared only among bounded metrics, because for others it is an error in the metric's
    own units.
    """
    found = {}
    for key in competitions[0].measures:
        name = key.partition(".")[0]
        if name not in (*_LARGER_IS_CLOSER, *_SMALLER_IS_CLOSER):
            continue
        metrics = {(item.metric, item.definition) for item in competitions}
        if name == "winner_minus_median" and len(metrics) > 1:
            continue
        values = [_comparable(competition, key) for competition in competitions]
        known = [value for value in values if value is not None]
        if len(known) < 2 or math.isclose(min(known), max(known), rel_tol=1e-9, abs_tol=1e-12):
            continue
        best = max(known) if name in _LARGER_IS_CLOSER else min(known)
        found[key] = tuple(
            index
            for index, value in enumerate(values)
            if value is not None and math.isclose(value, best, rel_tol=1e-9, abs_tol=1e-12)
        )
    return found


def _comparable(competition: ComparedCompetition, key: str) -> float | None:
    measures = competition.measures
    value = measures.get(key)
    name = key.partition(".")[0]
    if name == "ppi_percent" and not competition.bounded:
        return None
    if value is None or name not in _LARGER_IS_CLOSER:
        return value
    m, pairs = measures.get("m") or 0, measures.get("possible_comparisons") or 0
    possible = m - 1 if name == "ties_with_winner" else pairs
    return value / possible if possible > 0 else None
