"""Rank frequencies: blobs for few entries, a heat map for many, and a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...core.arrays import Floats
from .. import drawing as draw
from ..tables import ResultTable, TableColumn, cell
from ..view import FEW, MetricView
from .excerpts import table_excerpt
from .legends import share_keys

#: Shares of the resamples at which a cell of the map gets the next stronger shade.
_FREQUENCY_LEVELS = (0.01, 0.05, 0.10, 0.25, 0.50)
#: A sum of shares that is not shown as 100%.
_MORE_THAN_ALL = 1.005


@dataclass(frozen=True)
class RanksSection:
    """Rank frequencies: blobs for few entries, a heat map for many, the main ones as a table."""

    caption: str
    few: bool
    figure: draw.Blobs | draw.Matrix
    table: ResultTable


def rank_frequencies_of(view: MetricView) -> RanksSection:
    """Return the figure and the table of rank frequencies."""
    order = [int(i) for i in view.analysis.order]
    frequency = view.analysis.rank_frequency[order]
    few = len(order) <= FEW
    caption = view.language.say("ranks.caption" if few else "ranks.caption_map")
    competing = [place for place, entry in enumerate(order) if entry not in view.analysis.baselines]
    first = float(frequency[competing, 0].sum())
    if first >= _MORE_THAN_ALL:
        caption += " " + view.language.say("ranks.first_sum", sum=view.numerals.percent(first))
    if view.analysis.baselines:
        caption += " " + view.language.say("ranks.baselines")
    return RanksSection(
        caption=caption,
        few=few,
        figure=_rank_blobs(view, frequency) if few else _rank_map(view, frequency),
        table=table_excerpt(view, _table(view, order, frequency)),
    )


def _table(view: MetricView, order: Sequence[int], frequency: Floats) -> ResultTable:
    say, percent, count = view.language.say, view.numerals.percent, view.numerals.count
    common = frequency.argmax(axis=1)
    return ResultTable(
        name="ranks",
        caption=say("ranks.heading"),
        columns=(
            TableColumn(("entry",), say("ranks.entry")),
            *(
                TableColumn((key,), say(f"ranks.{key}"), numeric=True)
                for key in ("first", "common", "common_share")
            ),
        ),
        rows=tuple(
            (
                cell(view.analysis.names[entry]),
                cell(percent(float(frequency[place, 0]))),
                cell(count(int(common[place]) + 1)),
                cell(percent(float(frequency[place, common[place]]))),
            )
            for place, entry in enumerate(order)
        ),
    )


def _rank_blobs(view: MetricView, frequency: Floats) -> draw.Blobs:
    say = view.language.say
    order = [int(i) for i in view.analysis.order]

    def tooltip(row: int, rank: int, share: float) -> str:
        return say(
            "ranks.tooltip",
            name=view.names[order[row]],
            rank=rank,
            share=view.numerals.percent(share),
        )

    return draw.blobs(
        replace(_heading(view), legend=share_keys(view)),
        frequency,
        [view.short_names[i] for i in order],
        tooltip,
        say("ranks.axis"),
    )


def _rank_map(view: MetricView, frequency: Floats) -> draw.Matrix:
    say = view.language.say
    places = [view.numerals.count(place + 1) for place in range(len(frequency))]
    classes = np.sum([frequency >= level for level in _FREQUENCY_LEVELS], axis=0).astype(np.intp)
    shades = tuple(view.language.strings["ranks"]["shades"])
    labels = draw.GridLabels(places, places, say("ranks.axis"), shades)
    return draw.matrix(_heading(view), classes, labels)


def _heading(view: MetricView) -> draw.Heading:
    say = view.language.say
    title = f"{say('ranks.heading')} · {view.label}"
    return draw.Heading(f"ranks-{view.index + 1}", title, say("ranks.description"))
