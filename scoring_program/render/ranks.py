"""Rank frequencies: blobs for few entries, a heat map for many, and a table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring_program.analysis import Floats
from scoring_program.render import drawing as draw
from scoring_program.render.reader import FEW, Reader

#: Shares of the resamples from which on a cell of the map is a shade stronger.
_FREQUENCY_LEVELS = (0.01, 0.05, 0.10, 0.25, 0.50)


@dataclass(frozen=True)
class RankLine:
    """The main rank frequencies of one entry."""

    name: str
    first: str
    common: str
    common_share: str


@dataclass(frozen=True)
class RanksPart:
    """Rank frequencies: blobs for few entries, a heat map for many, and a table."""

    caption: str
    few: bool
    figure: draw.Blobs | draw.Matrix
    rows: tuple[RankLine, ...]


def ranks_of(reader: Reader) -> RanksPart:
    """Return the figure and the table of rank frequencies."""
    order = [int(i) for i in reader.a.order]
    frequency = reader.a.rank_frequency[order]
    percent, count = reader.numerals.percent, reader.numerals.count
    common = frequency.argmax(axis=1)
    rows = tuple(
        RankLine(
            name=reader.inputs.entries[entry],
            first=percent(float(frequency[place, 0])),
            common=count(int(common[place]) + 1),
            common_share=percent(float(frequency[place, common[place]])),
        )
        for place, entry in enumerate(order)
    )
    few = len(order) <= FEW
    caption = reader.language.say("ranks.caption" if few else "ranks.caption_map")
    if reader.a.baselines:
        caption += " " + reader.language.say("ranks.baselines")
    return RanksPart(
        caption=caption,
        few=few,
        figure=_rank_blobs(reader, frequency) if few else _rank_map(reader, frequency),
        rows=rows,
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
