"""The ranking by one metric: scores with their intervals, status, rank range and tier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from . import drawing as draw
from .drawing import Axis, Strip
from .reader import Reader, Status
from .table import Column, Table, cell

_OVERVIEW_ROWS = 20
#: A metric's name under an axis is cut to so many letters, so that its direction fits beside it.
_LETTERS_UNDER_AXIS = 24


@dataclass(frozen=True)
class EntryRow:
    """A row of the ranking; ``entry`` is its number in the competition."""

    entry: int
    rank: str
    name: str
    tags: tuple[str, ...]
    score: str
    interval: str
    interval_note: str
    strip: Strip
    status: Status | None
    rank_range: str
    tier: str
    focus: bool


@dataclass(frozen=True)
class Ranking:
    """The ranking by one metric."""

    heading: str
    caption: str
    footnote: str
    interval_heading: str
    status_heading: str
    compared: bool  # whether there is more than one entry
    axis: Axis
    rows: tuple[EntryRow, ...]


def ranking_of(reader: Reader) -> Ranking:
    """Return the ranking with its strips."""
    a, say = reader.a, reader.language.say
    compared = len(reader.inputs.entries) > 1
    scale, shared = _score_axis(reader)
    notes = {"wilson": say("ranking.wilson"), "none": say("ranking.no_interval")}
    rows = tuple(
        EntryRow(
            entry=i,
            rank=reader.rank(i),
            name=reader.inputs.entries[i],
            tags=reader.tags(i),
            score=reader.score(float(a.score[i])),
            interval=reader.interval(float(a.low[i]), float(a.high[i])),
            interval_note=notes.get(a.interval_used[i], ""),
            strip=_score_strip(reader, i, scale, shared),
            status=reader.status(i) if compared else None,
            rank_range=_rank_range(reader, i),
            tier=reader.numerals.count(int(a.tier[i])),
            focus=reader.focused(i),
        )
        for i in map(int, a.order)
    )
    key = "ranking.caption" if compared else "ranking.caption_single"
    caption = say(key, reference=reader.reference, confidence=reader.confidence)
    if not reader.chosen_leader:
        caption += " " + say("ranking.caption_reference", reference=reader.reference)
    return Ranking(
        heading=say("ranking.heading" if compared else "ranking.heading_single"),
        caption=caption,
        footnote=_footnote(reader) if compared else "",
        interval_heading=say("ranking.interval", confidence=reader.confidence),
        status_heading=say("ranking.status", reference=reader.reference_heading),
        compared=compared,
        axis=shared,
        rows=rows,
    )


def _footnote(reader: Reader) -> str:
    say = reader.language.say
    note = say("ranking.footnote", confidence=reader.confidence)
    return f"{note} {say('ranking.baselines')}" if reader.a.baselines else note


def _score_axis(reader: Reader) -> tuple[draw.Scale, Axis]:
    a = reader.a
    scale = draw.strip_scale([*a.low.tolist(), *a.high.tolist(), *a.score.tolist()])
    marked = float(a.score[a.reference]) if len(a.score) > 1 else None
    return scale, draw.axis(f"scores-{reader.index + 1}", scale, marked, reader.tick)


def _score_strip(reader: Reader, entry: int, scale: draw.Scale, shared: Axis) -> Strip:
    a = reader.a
    low, point, high = float(a.low[entry]), float(a.score[entry]), float(a.high[entry])
    title = reader.language.say(
        "ranking.row_title",
        name=reader.names[entry],
        metric=reader.label,
        score=reader.score(point),
        interval=reader.interval(low, high),
    )
    return draw.strip(scale, shared, low, point, high, shape=reader.shape(entry), title=title)


def _rank_range(reader: Reader, entry: int) -> str:
    """Return the simultaneous rank set of an entry, "2" or "1–5"."""
    low, high = int(reader.a.rank_low[entry]), int(reader.a.rank_high[entry])
    count = reader.numerals.count
    return count(low) if low == high else f"{count(low)}–{count(high)}"


def score_forest(reader: Reader, ranking: Ranking) -> draw.Forest:
    """Return the ranking as one figure."""
    return _forest(
        reader,
        f"intervals-{reader.index + 1}",
        ranking.rows,
        [f"{row.score} {row.interval}" for row in ranking.rows],
        draw.WIDE,
    )


def _forest(
    reader: Reader,
    id: str,
    rows: Sequence[EntryRow],
    numbers: Sequence[str],
    layout: draw.ForestLayout,
) -> draw.Forest:
    say, metric = reader.language.say, draw.shortened(reader.label, _LETTERS_UNDER_AXIS)
    return draw.forest(
        id,
        reader.label,
        say("overview.panel", metric=reader.label),
        [(row.name, number, row.strip) for row, number in zip(rows, numbers, strict=True)],
        say("direction_of.axis", metric=metric, direction=reader.direction),
        layout=layout,
        focus=next((place for place, row in enumerate(rows) if row.focus), None),
    )


def overview_of(readers: Sequence[Reader], rankings: Sequence[Ranking]) -> tuple[draw.Forest, ...]:
    """Return a small panel a metric, entries in the order of the ranking metric.

    Of many entries the first are shown, and the submission that the page is about.
    """
    shown = [
        row.entry
        for place, row in enumerate(rankings[0].rows)
        if place < _OVERVIEW_ROWS or row.focus
    ]
    panels = []
    for reader, ranking in zip(readers, rankings, strict=True):
        by_entry = {row.entry: row for row in ranking.rows}
        rows = [by_entry[entry] for entry in shown]
        scores = [row.score for row in rows]
        panels.append(_forest(reader, f"overview-{reader.index + 1}", rows, scores, draw.PANEL))
    return tuple(panels)


def overview_caption(reader: Reader) -> str:
    """Return what to look for in the overview."""
    say, count = reader.language.say, reader.numerals.count
    m = len(reader.inputs.entries)
    key = "overview.caption" if m > 1 else "overview.caption_single"
    caption = say(key, confidence=reader.confidence, metric=reader.label)
    if m > 1:
        shapes = "overview.shapes" if reader.chosen_leader else "overview.shapes_reference"
        caption += " " + say(shapes, reference=reader.reference)
    if m > _OVERVIEW_ROWS:
        caption += " " + say("overview.first", count=count(_OVERVIEW_ROWS), m=count(m))
    return caption


def ranking_table(reader: Reader, ranking: Ranking) -> Table:
    """Return the ranking as a table to take away."""
    a, say = reader.a, reader.language.say
    columns = [
        Column(("rank",), say("ranking.rank"), numeric=True),
        Column(("entry",), say("ranking.entry")),
        Column(("score",), reader.label, numeric=True),
        Column(("ci_low", "ci_high"), ranking.interval_heading),
    ]
    if ranking.compared:
        columns += [
            Column(("status",), say("tables.status")),
            Column(("rank_low", "rank_high"), say("ranking.rank_range"), numeric=True),
            Column(("tier",), say("ranking.tier"), numeric=True),
        ]
    rows = []
    for row in ranking.rows:
        i = row.entry
        strong = i in a.leaders
        cells = [
            cell(row.rank, None if i in a.baselines else int(a.rank[i])),
            cell(row.name, strong=strong),
            cell(row.score, float(a.score[i]), strong=strong),
            cell(row.interval, float(a.low[i]), float(a.high[i])),
        ]
        if row.status is not None:
            cells += [
                cell(row.status.word, row.status.shape),
                cell(row.rank_range, int(a.rank_low[i]), int(a.rank_high[i])),
                cell(row.tier, int(a.tier[i])),
            ]
        rows.append(tuple(cells))
    return Table(
        name=f"ranking{reader.suffix}",
        caption=say(
            "tables.ranking",
            metric=reader.label,
            confidence=reader.confidence,
            test_examples=reader.language.count("counted.test_examples", reader.n),
        ),
        columns=tuple(columns),
        rows=tuple(rows),
    )
