"""Rank frequencies: blobs for few entries, a heat map for many, and a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Floats
from . import drawing as draw
from .reader import FEW, Reader
from .table import Column, Table, cell

#: Shares of the resamples from which on a cell of the map is a shade stronger.
_FREQUENCY_LEVELS = (0.01, 0.05, 0.10, 0.25, 0.50)


@dataclass(frozen=True)
class RanksPart:
    """Rank frequencies: blobs for few entries, a heat map for many, the main ones as a table."""

    caption: str
    few: bool
    figure: draw.Blobs | draw.Matrix
    table: Table


def ranks_of(reader: Reader) -> RanksPart:
    """Return the figure and the table of rank frequencies."""
    order = [int(i) for i in reader.a.order]
    frequency = reader.a.rank_frequency[order]
    few = len(order) <= FEW
    caption = reader.language.say("ranks.caption" if few else "ranks.caption_map")
    if reader.a.baselines:
        caption += " " + reader.language.say("ranks.baselines")
    return RanksPart(
        caption=caption,
        few=few,
        figure=_rank_blobs(reader, frequency) if few else _rank_map(reader, frequency),
        table=_table(reader, order, frequency),
    )


def _table(reader: Reader, order: Sequence[int], frequency: Floats) -> Table:
    say, percent, count = reader.language.say, reader.numerals.percent, reader.numerals.count
    common = frequency.argmax(axis=1)
    return Table(
        name="ranks",
        caption=say("ranks.heading"),
        columns=(
            Column(("entry",), say("ranks.entry")),
            *(
                Column((key,), say(f"ranks.{key}"), numeric=True)
                for key in ("first", "common", "common_share")
            ),
        ),
        rows=tuple(
            (
                cell(reader.inputs.entries[entry]),
                cell(percent(float(frequency[place, 0]))),
                cell(count(int(common[place]) + 1)),
                cell(percent(float(frequency[place, common[place]]))),
            )
            for place, entry in enumerate(order)
        ),
    )


def _rank_blobs(reader: Reader, frequency: Floats) -> draw.Blobs:
    say = reader.language.say
    order = [int(i) for i in reader.a.order]

    def tooltip(row: int, rank: int, share: float) -> str:
        return say(
            "ranks.tooltip",
            name=reader.names[order[row]],
            rank=rank,
            share=reader.numerals.percent(share),
        )

    return draw.blobs(
        f"ranks-{reader.index + 1}",
        f"{say('ranks.heading')} · {reader.label}",
        say("ranks.description"),
        frequency,
        [reader.names_beside[i] for i in order],
        tooltip,
        say("ranks.axis"),
    )


def _rank_map(reader: Reader, frequency: Floats) -> draw.Matrix:
    say = reader.language.say
    places = [reader.numerals.count(place + 1) for place in range(len(frequency))]
    classes = np.sum([frequency >= level for level in _FREQUENCY_LEVELS], axis=0).astype(np.intp)
    return draw.matrix(
        f"ranks-{reader.index + 1}",
        f"{say('ranks.heading')} · {reader.label}",
        say("ranks.description"),
        classes,
        tuple(reader.language.strings["ranks"]["shades"]),
        places,
        places,
        column_label=say("ranks.axis"),
    )
