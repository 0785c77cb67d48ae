"""The ranking by one metric: scores with their intervals, status, rank range and tier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring_program.render import drawing as draw
from scoring_program.render.drawing import Axis, Strip
from scoring_program.render.reader import Reader, Status, in_sentence
from scoring_program.render.table import Column, Table, cell

_OVERVIEW_ROWS = 20


@dataclass(frozen=True)
class EntryRow:
    """A row of the ranking."""

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
            rank=reader.numerals.count(int(a.rank[i])),
            name=reader.inputs.entries[i],
            tags=reader.tags(i),
            score=reader.score(float(a.score[i])),
            interval=reader.interval(float(a.low[i]), float(a.high[i])),
            interval_note=notes.get(a.interval_used[i], ""),
            strip=_score_strip(reader, i, scale, shared),
            status=reader.status(i) if compared else None,
            rank_range=rank_range(reader, i),
            tier=reader.numerals.count(int(a.tier[i])),
            focus=reader.focused(i),
        )
        for i in map(int, a.order)
    )
    key = "ranking.caption" if compared else "ranking.caption_single"
    return Ranking(
        caption=say(key, reference=reader.reference, confidence=reader.confidence),
        footnote=say("ranking.footnote", confidence=reader.confidence) if compared else "",
        interval_heading=say("ranking.interval", confidence=reader.confidence),
        status_heading=say("ranking.status", reference=reader.reference_heading),
        compared=compared,
        axis=shared,
        rows=rows,
    )


def _score_axis(reader: Reader) -> tuple[draw.Scale, Axis]:
    a = reader.a
    scale = draw.strip_scale([*a.low.tolist(), *a.high.tolist(), *a.score.tolist()])
    marked = float(a.score[a.reference]) if len(a.score) > 1 else None
    return scale, draw.axis(scale, marked, reader.tick)


def _score_strip(reader: Reader, entry: int, scale: draw.Scale, shared: Axis) -> Strip:
    a = reader.a
    low, point, high = float(a.low[entry]), float(a.score[entry]), float(a.high[entry])
    title = reader.language.say(
        "ranking.row_title",
        name=in_sentence(reader.inputs.entries[entry]),
        metric=reader.label,
        score=reader.score(point),
        interval=reader.interval(low, high),
    )
    return draw.strip(scale, shared, low, point, high, shape=reader.shape(entry), title=title)


def rank_range(reader: Reader, entry: int) -> str:
    """Return the simultaneous rank set of an entry, "2" or "1–5"."""
    low, high = int(reader.a.rank_low[entry]), int(reader.a.rank_high[entry])
    count = reader.numerals.count
    return count(low) if low == high else f"{count(low)}–{count(high)}"


def score_forest(reader: Reader, id: str, order: Sequence[int], **sizes: float) -> draw.Forest:
    """Draw the scores of the entries in ``order`` with their intervals."""
    a = reader.a
    scale, shared = _score_axis(reader)
    compact = "width" in sizes
    rows = [
        (
            reader.inputs.entries[i],
            reader.score(float(a.score[i]))
            if compact
            else f"{reader.score(float(a.score[i]))} "
            f"{reader.interval(float(a.low[i]), float(a.high[i]))}",
            _score_strip(reader, i, scale, shared),
        )
        for i in order
    ]
    description = reader.language.say("overview.panel", metric=reader.label)
    return draw.forest(id, reader.label, description, rows, reader.label, **sizes)


def overview_of(readers: Sequence[Reader]) -> tuple[draw.Forest, ...]:
    """Return a small panel a metric, entries in the order of the ranking metric."""
    order = [int(i) for i in readers[0].a.order][:_OVERVIEW_ROWS]
    return tuple(
        score_forest(
            reader,
            f"overview-{reader.index + 1}",
            order,
            width=340,
            label_width=110,
            value_width=58,
        )
        for reader in readers
    )


def overview_caption(reader: Reader) -> str:
    """Return what to look for in the overview."""
    say, count = reader.language.say, reader.numerals.count
    m = len(reader.inputs.entries)
    caption = say("overview.caption", confidence=reader.confidence, metric=reader.label)
    if m > _OVERVIEW_ROWS:
        caption += " " + say("overview.first", count=count(_OVERVIEW_ROWS), m=count(m))
    return caption


def ranking_table(reader: Reader) -> Table:
    """Return the ranking as a table to take away."""
    a, say = reader.a, reader.language.say
    compared = len(reader.inputs.entries) > 1
    columns = [
        Column(("rank",), say("ranking.rank"), numeric=True),
        Column(("entry",), say("ranking.entry")),
        Column(("score",), reader.label, numeric=True),
        Column(("ci_low", "ci_high"), say("ranking.interval", confidence=reader.confidence)),
    ]
    if compared:
        columns += [
            Column(("status",), say("tables.status")),
            Column(("rank_low", "rank_high"), say("ranking.rank_range"), numeric=True),
            Column(("tier",), say("ranking.tier"), numeric=True),
        ]
    rows = []
    for i in map(int, a.order):
        strong = i in a.leaders
        low, high, rank, tier = float(a.low[i]), float(a.high[i]), int(a.rank[i]), int(a.tier[i])
        cells = [
            cell(reader.numerals.count(rank), rank),
            cell(reader.inputs.entries[i], strong=strong),
            cell(reader.score(float(a.score[i])), float(a.score[i]), strong=strong),
            cell(reader.interval(low, high), low, high),
        ]
        if compared:
            cells += [
                cell(reader.status(i).word, reader.shape(i)),
                cell(rank_range(reader, i), int(a.rank_low[i]), int(a.rank_high[i])),
                cell(reader.numerals.count(tier), tier),
            ]
        rows.append(tuple(cells))
    n = reader.numerals.count(reader.inputs.n)
    return Table(
        name=f"ranking{reader.suffix}",
        caption=say("tables.ranking", metric=reader.label, confidence=reader.confidence, n=n),
        columns=tuple(columns),
        rows=tuple(rows),
    )
