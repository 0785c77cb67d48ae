"""The ranking by one metric: scores with their intervals, status and rank range."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .. import drawing as draw
from ..drawing import AnyScale, Axis, Key, Strip
from ..tables import ResultTable, TableColumn, cell
from ..view import NAMES_IN_FULL, Fact, MetricView, Status
from .differences import difference_strip
from .entry_axes import difference_axis, score_axis
from .legends import score_keys, standing_keys
from .verdict import verdict

_OVERVIEW_ROWS = 20
#: A metric's name under an axis is cut to this many letters: its direction follows it.
_LETTERS_UNDER_AXIS = 24


@dataclass(frozen=True)
class EntryRow:
    """A row of the ranking; ``entry`` is its number in the analysis."""

    entry: int
    rank: str
    name: str
    shown: str  # the name, cut if it is very long
    tags: tuple[str, ...]
    score: str
    interval: str
    interval_note: str
    strip: Strip
    status: Status | None
    rank_range: str
    range_strip: Strip
    difference: str  # of the reference over the entry; empty for the reference
    difference_strip: Strip | None
    distance: str
    possible_winner: bool
    baseline: bool
    id: str  # its address on the page
    card: tuple[Fact, ...]
    opened: bool  # whether the card is open from the start
    focus: bool

    @property
    def classes(self) -> str:
        """What the style sheet knows of the row."""
        facts = {"winner": self.possible_winner, "baseline": self.baseline, "focus": self.focus}
        return " ".join(word for word, holds in facts.items() if holds)


@dataclass(frozen=True)
class RankingSection:
    """The ranking by one metric."""

    heading: str
    caption: str
    footnote: tuple[str, ...]
    interval_heading: str
    legend: tuple[Key, ...]  # how entries stand
    compared: bool  # whether there is more than one entry
    differs: bool  # whether differences from the reference are known
    intervals: bool  # whether the metric has intervals
    axis: Axis
    difference_heading: str
    difference_axis: Axis
    range_axis: Axis
    rows: tuple[EntryRow, ...]

    @property
    def columns(self) -> int:
        """The number of columns: a card spans all of them."""
        return 3 + self.intervals + 3 * self.compared + 2 * self.differs

    @property
    def linked(self) -> bool:
        """Whether names are links, to the cards below them."""
        return any(row.card and not row.opened for row in self.rows)


def ranking_of(
    view: MetricView, cards: Mapping[int, tuple[Fact, ...]] | None = None
) -> RankingSection:
    """Return the ranking with its strips; ``cards`` are what it says of single entries."""
    cards = cards or {}
    analysis, say = view.analysis, view.language.say
    compared = len(view.analysis.names) > 1
    scale, shared = score_axis(view)
    differences = difference_axis(view, f"leads-{view.index + 1}")
    ranges = _range_axis(view)
    winners = view.possible_winners
    notes = {"wilson": say("ranking.wilson"), "none": say("ranking.no_interval")}
    rows = tuple(
        EntryRow(
            entry=i,
            rank=view.rank(i),
            name=view.analysis.names[i],
            shown=view.names[i],
            tags=view.tags(i),
            score=view.score(float(analysis.score[i])),
            interval=view.interval(float(analysis.low[i]), float(analysis.high[i])),
            interval_note=notes.get(analysis.interval_used[i], ""),
            strip=_score_strip(view, i, scale, shared),
            status=view.status(i) if compared else None,
            rank_range=view.rank_range(i),
            range_strip=_range_strip(view, i, *ranges),
            difference="" if i == analysis.reference else view.difference(_difference(view, i)),
            difference_strip=None
            if i == analysis.reference
            else difference_strip(view, i, *differences),
            possible_winner=compared and i in winners,
            baseline=i in analysis.baselines,
            id=view.cards[analysis.names[i]],
            card=cards.get(i, ()),
            opened=view.focused(i) or not compared,
            distance=view.upper_bound(float(analysis.distance[i])),
            focus=view.focused(i),
        )
        for i in map(int, analysis.order)
    )
    return RankingSection(
        heading=say("ranking.heading" if compared else "ranking.heading_single"),
        caption=_caption(view),
        footnote=_footnote(view) if compared else (),
        interval_heading=say("ranking.interval", confidence=view.confidence),
        legend=standing_keys(view, [row.strip.shape for row in rows]),
        compared=compared,
        intervals=not analysis.only_ranks,
        differs=compared and bool(np.isfinite(analysis.differences.observed).any()),
        axis=shared,
        difference_heading=say("ranking.difference", reference=view.reference_heading),
        difference_axis=differences[1],
        range_axis=ranges[1],
        rows=rows,
    )


def _caption(view: MetricView) -> str:
    """Return what the marks and bars of the ranking are."""
    say = view.language.say
    alone = len(view.analysis.names) == 1 and not view.analysis.only_ranks
    key = "ranking.caption_single" if alone else view.if_only_ranks("ranking.caption")
    key += "_beaten" if view.leader_is_beaten and not alone else ""
    caption = say(key, reference=view.reference, confidence=view.confidence)
    if not view.chosen_leader:
        caption += " " + say("ranking.caption_reference", reference=view.reference)
    return caption


def _difference(view: MetricView, entry: int) -> float:
    return float(view.analysis.differences.observed[entry])


def _range_axis(view: MetricView) -> tuple[draw.Scale, Axis]:
    """Return the axis of ranks, from 1 to the number of entries."""
    last = max(2, int(np.max(view.analysis.rank_high)))
    scale = draw.strip_scale([1.0, float(last)])
    return scale, draw.rank_axis(f"ranks-{view.index + 1}", scale, last)


def _range_strip(view: MetricView, entry: int, scale: draw.Scale, shared: Axis) -> Strip:
    analysis = view.analysis
    low, rank, high = (
        float(array[entry]) for array in (analysis.rank_low, analysis.rank, analysis.rank_high)
    )
    title = view.language.say(
        "ranking.range_title", name=view.names[entry], range=view.rank_range(entry)
    )
    return draw.strip(scale, shared, low, rank, high, shape="plain", title=title)


def _footnote(view: MetricView) -> tuple[str, ...]:
    say = view.language.say
    notes = [say(view.if_only_ranks("ranking.footnote"), confidence=view.confidence)]
    competing = [i for i in view.analysis.order if i not in view.analysis.baselines]
    pairs = np.ix_(competing, competing)
    if (view.analysis.above != view.analysis.below)[pairs].any():
        notes.append(say("ranking.ends"))
    if view.status_is_rank_range:
        beaten = bool(view.beaten_leaders)
        notes.append(say("ranking.agree_beaten") if beaten else view.of_rivals("ranking.agree"))
    else:
        rule = say(f"rules.{view.analysis.tie_rule}")
        notes.append(say(view.if_only_ranks("ranking.differ"), rule=rule, reference=view.reference))
    notes += [*_third_entries(view), say("ranking.card_note")]
    if np.isfinite(view.analysis.distance).any():
        notes.append(view.of_rivals("ranking.distance_note", confidence=view.confidence))
    if any(caution.level == "red" for caution in view.cautions):
        notes.append(say("ranking.weakened"))
    if view.result.settings.margin is not None and view.analysis.practically_best is not None:
        margin = view.numerals.plain(view.result.settings.margin)
        notes.append(say("ranking.margin", margin=margin))
    if view.analysis.baselines:
        notes.append(say("ranking.baselines"))
    return tuple(notes)


def _third_entries(view: MetricView) -> list[str]:
    """Say which entry excludes those that the leader alone does not."""
    if not view.status_is_rank_range:
        return []
    names, by = view.names, view.analysis.separated_from
    rule = view.language.say(f"rules.{view.analysis.tie_rule}")
    others = [*view.beaten_leaders, *view.others()]
    third = [i for i in dict.fromkeys(others) if by[i] not in (-1, view.analysis.leader)]
    shown = [
        view.language.say("ranking.third", entry=names[i], name=names[by[i]], rule=rule)
        for i in third[:NAMES_IN_FULL]
    ]
    if len(third) > NAMES_IN_FULL:
        count = len(third) - NAMES_IN_FULL
        shown.append(view.language.count("ranking.third_more", count))
    return shown


def _score_strip(view: MetricView, entry: int, scale: AnyScale, shared: Axis) -> Strip:
    analysis = view.analysis
    low, point, high = (
        float(analysis.low[entry]),
        float(analysis.score[entry]),
        float(analysis.high[entry]),
    )
    title = view.language.say(
        "ranking.row_title",
        name=view.names[entry],
        metric=view.label,
        score=view.score(point),
        interval=view.interval(low, high) if view.has_intervals else "",
    ).rstrip()
    return draw.strip(scale, shared, low, point, high, shape=view.shape(entry), title=title)


def score_forest(view: MetricView, ranking: RankingSection) -> draw.Forest:
    """Return the ranking as one figure, with the possible winners held together."""
    figure = _forest(
        view,
        f"intervals-{view.index + 1}",
        _scores_of(view),
        ranking.rows,
        [
            f"{row.score} {row.interval}" if view.has_intervals else row.score
            for row in ranking.rows
        ],
        draw.WIDE,
    )
    winners = {place for place, row in enumerate(ranking.rows) if row.possible_winner}
    return draw.bracketed(figure, winners, view.language.say("legend.winners"))


def _scores_of(view: MetricView) -> str:
    """Return what a picture of scores shows, with intervals if there are any."""
    key = "overview.panel" if view.has_intervals else "overview.panel_only_scores"
    return view.language.say(key, metric=view.label)


def _forest(
    view: MetricView,
    id: str,
    title: str,
    rows: Sequence[EntryRow],
    numbers: Sequence[str],
    layout: draw.ForestLayout,
) -> draw.Forest:
    say, metric = view.language.say, draw.shortened(view.label, _LETTERS_UNDER_AXIS)
    said = f"{verdict(view)} {_scores_of(view)}"
    keys = score_keys(view, [row.strip.shape for row in rows])
    return draw.forest(
        draw.Heading(id, title, said, keys),
        [(row.name, number, row.strip) for row, number in zip(rows, numbers, strict=True)],
        say("direction_of.axis", metric=metric, direction=view.direction),
        layout=layout,
        focus=next((place for place, row in enumerate(rows) if row.focus), None),
    )


def overview_of(
    views: Sequence[MetricView], rankings: Sequence[RankingSection]
) -> tuple[draw.Forest, ...]:
    """Return a small panel for each metric where there are several.

    Entries are in the order of the ranking metric. Of many entries the first are shown, and the
    submission that the page is about.
    """
    if len(views) == 1:
        return ()
    shown = [
        row.name
        for place, row in enumerate(rankings[0].rows)
        if place < _OVERVIEW_ROWS or row.focus
    ]
    panels = []
    for view, ranking in zip(views, rankings, strict=True):
        by_name = {row.name: row for row in ranking.rows}
        rows = [by_name[name] for name in shown if name in by_name]
        rows = rows or list(ranking.rows[:_OVERVIEW_ROWS])
        scores = [row.score for row in rows]
        id = f"overview-{view.index + 1}"
        panels.append(_forest(view, id, view.label, rows, scores, draw.PANEL))
    return tuple(panels)


def overview_caption(view: MetricView) -> str:
    """Return what to look for in the overview."""
    say, count = view.language.say, view.numerals.count
    m = len(view.analysis.names)
    key = view.if_only_ranks("overview.caption") if m > 1 else "overview.caption_single"
    caption = say(key, confidence=view.confidence, metric=view.label)
    if m > 1:
        shapes = "overview.shapes" if view.chosen_leader else "overview.shapes_reference"
        caption += " " + say(shapes, reference=view.reference)
    if m > _OVERVIEW_ROWS:
        caption += " " + say("overview.first", count=count(_OVERVIEW_ROWS), m=count(m))
    return caption


def ranking_table(view: MetricView, ranking: RankingSection) -> ResultTable:
    """Return the ranking as a table to take away."""
    analysis, say = view.analysis, view.language.say
    columns = [
        TableColumn(("rank",), say("ranking.rank"), numeric=True),
        TableColumn(("entry",), say("ranking.entry")),
        TableColumn(("score",), view.label, numeric=True),
        TableColumn(("ci_low", "ci_high"), ranking.interval_heading),
    ]
    if ranking.compared:
        columns += [
            TableColumn(("status",), say("tables.status")),
            TableColumn(("rank_low", "rank_high"), say("ranking.rank_range"), numeric=True),
            TableColumn(("distance_from_best",), say("ranking.distance"), numeric=True),
        ]
    rows = []
    for row in ranking.rows:
        i = row.entry
        strong = i in analysis.leaders
        cells = [
            cell(row.rank, None if i in analysis.baselines else int(analysis.rank[i])),
            cell(row.name, strong=strong),
            cell(row.score, float(analysis.score[i]), strong=strong),
            cell(row.interval, float(analysis.low[i]), float(analysis.high[i])),
        ]
        if row.status is not None:
            cells += [
                cell(row.status.word, row.status.shape),
                cell(row.rank_range, int(analysis.rank_low[i]), int(analysis.rank_high[i])),
                cell(row.distance, float(analysis.distance[i])),
            ]
        rows.append(tuple(cells))
    return ResultTable(
        name=f"ranking{view.suffix}",
        caption=say(
            view.if_only_ranks("tables.ranking"),
            metric=view.label,
            confidence=view.confidence,
            test_examples=view.test_examples,
        ),
        columns=tuple(columns),
        rows=tuple(rows),
    )
