"""Finds which of several competitions was the closest, by each measure.

The measures are those of Nava-Muñoz, Graff and Escalante (2024, Table 6).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ..reading.formats.kind import ROWS

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
    kind: str = ROWS  # what an example is
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
    """Return for each measure the positions of the closest competitions."""
    found = {}
    for key in competitions[0].measures:
        values = comparable(competitions, key)
        known = [value for value in values if value is not None]
        if len(known) < 2 or math.isclose(min(known), max(known), rel_tol=1e-9, abs_tol=1e-12):
            continue
        best = max(known) if more_is_closer(key) else min(known)
        found[key] = tuple(
            index
            for index, value in enumerate(values)
            if value is not None and math.isclose(value, best, rel_tol=1e-9, abs_tol=1e-12)
        )
    return found


def more_is_closer(key: str) -> bool:
    """Return whether a larger value of a measure means a closer competition."""
    return key.partition(".")[0] in _LARGER_IS_CLOSER


def comparable(competitions: Sequence[ComparedCompetition], key: str) -> list[float | None]:
    """Return a measure of each competition as it is compared; None where it cannot be.

    Numbers of ties are compared as shares of the comparisons, because more teams have more ties.
    The distance from winner to median is compared only if all competitions have the same metric.
    PPI is compared only among bounded metrics, because for others it is an error in the metric's
    own units. Sizes are not compared.
    """
    name = key.partition(".")[0]
    metrics = {(item.metric, item.definition) for item in competitions}
    if name in _LARGER_IS_CLOSER:
        return [_share(item.measures, key) for item in competitions]
    if name not in _SMALLER_IS_CLOSER or (name == "winner_minus_median" and len(metrics) > 1):
        return [None] * len(competitions)
    return [
        item.measures.get(key) if item.bounded or name != "ppi_percent" else None
        for item in competitions
    ]


def tie_opportunities(measures: Mapping[str, float | None], key: str) -> float:
    """Return how many comparisons a number of ties is out of."""
    if key.startswith("ties_with_winner"):
        return (measures.get("m") or 0) - 1
    return measures.get("possible_comparisons") or 0


def _share(measures: Mapping[str, float | None], key: str) -> float | None:
    value, possible = measures.get(key), tie_opportunities(measures, key)
    return value / possible if value is not None and possible > 0 else None
