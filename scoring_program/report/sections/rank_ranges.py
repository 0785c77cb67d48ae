"""The rank ranges as one picture: strips of few entries, a chart of thin lines of many."""

from __future__ import annotations

from dataclasses import replace

from .. import drawing as draw
from ..drawing import Key
from ..view import FEW, MetricView
from .legends import range_keys, rank_keys
from .ranking import RankingSection
from .verdict import verdict


def rank_chart_of(view: MetricView) -> draw.RankChart | None:
    """Return the chart of many entries; few have their ranges in the ranking."""
    analysis = view.analysis
    if len(analysis.names) <= FEW:
        return None
    entries = [
        draw.RankedEntry(
            mark=view.marks[i],
            name=analysis.names[i],
            low=int(analysis.rank_low[i]),
            rank=int(analysis.rank[i]),
            high=int(analysis.rank_high[i]),
            shape=view.shape(i),
            focus=view.focused(i),
        )
        for i in map(int, analysis.order)
    ]
    keys = range_keys(view, [entry.shape for entry in entries])
    axis = view.language.say("ranking.rank_range")
    return draw.rank_chart(_heading(view, keys), entries, axis)


def rank_chart_note(view: MetricView) -> str:
    """Return what the lines of the chart are."""
    key = "ranking.chart" if view.chosen_leader else "ranking.chart_reference"
    key += "_beaten" if view.leader_is_beaten else ""
    return view.language.say(key, reference=view.reference)


def rank_range_forest(view: MetricView, ranking: RankingSection) -> draw.Forest:
    """Return the rank ranges of few entries as one figure."""
    rows = [
        (row.name, row.rank_range, replace(row.range_strip, shape=view.shape(row.entry)))
        for row in ranking.rows
    ]
    keys = rank_keys(view, [strip.shape for _, _, strip in rows])
    return draw.forest(_heading(view, keys), rows, view.language.say("ranking.rank_range"))


def _heading(view: MetricView, keys: tuple[Key, ...]) -> draw.Heading:
    key = view.if_only_ranks("ranking.ranges_of")
    title = view.language.say(key, metric=view.label, confidence=view.confidence)
    return draw.Heading(f"rank-ranges-{view.index + 1}", title, f"{verdict(view)} {title}", keys)
