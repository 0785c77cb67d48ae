"""The tasks side by side: the rank of every entry in each, with its rank range."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .. import drawing as draw
from ..numbers import MISSING
from ..tables import Cell, ResultTable, TableColumn, cell
from ..view import MetricView
from .legends import note_keys, standing_keys
from .section import Passage, Section

#: A figure has up to this many panels and rows; more tasks take further figures.
PANELS, _ROWS = 5, 30


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield the ranks by the ranking metric and by the first metric of every task."""
    first = views[0]
    chosen = _chosen(views)
    if len(chosen) == 1 or len(first.analysis.names) == 1:
        return
    say, count = first.language.say, first.numerals.count
    names = [first.analysis.names[i] for i in first.analysis.order.tolist()]
    shown, note = _shown(first, names), ""
    if len(shown) < len(names):
        note = say("overview.first", count=count(_ROWS), m=count(len(names)))
    figures = {
        f"tasks_{number}" if len(chosen) > PANELS else "tasks": _figure(
            chosen[start : start + PANELS], shown, number, note
        )
        for number, start in enumerate(range(0, len(chosen), PANELS), start=1)
    }
    passage = Passage(
        caption=say("task_ranks.caption", confidence=first.confidence),
        table=_table(chosen, names),
        figures=tuple(figures.values()),
        note=note,
    )
    yield Section(
        "task-ranks",
        say("task_ranks.heading"),
        passage,
        template="picture.html.j2",
        tables=(_table(chosen, names),),
        figures=figures,
    )


def _chosen(views: Sequence[MetricView]) -> list[MetricView]:
    """Return the ranking metric, and the first metric of every other task."""
    chosen, met = [views[0]], {views[0].analysis.task}
    for view in views:
        if view.analysis.task not in met and view.analysis.task is not None:
            met.add(view.analysis.task)
            chosen.append(view)
    return chosen


def _shown(first: MetricView, names: Sequence[str]) -> list[str]:
    """Return the entries that are drawn: the first, and the one that the page is about."""
    focus = None if first.focus is None else first.analysis.names[first.focus]
    return [name for place, name in enumerate(names) if place < _ROWS or name == focus]


def _figure(
    chosen: Sequence[MetricView], names: Sequence[str], number: int, note: str
) -> draw.SideBySide:
    say = chosen[0].language.say
    last = max(2, *(int(view.analysis.rank_high.max()) for view in chosen))
    ticks = [(float(rank), chosen[0].numerals.count(rank)) for rank in (1, last)]
    panels = [
        draw.PanelOf(view.label, [_span(view, name) for name in names], 1.0, float(last), ticks)
        for view in chosen
    ]
    shapes = [span.shape for panel in panels for span in panel.spans if span is not None]
    title = say("task_ranks.title", confidence=chosen[0].confidence)
    said = "; ".join(
        f"{view.label}: " + chosen[0].language.joined([_said(view, name) for name in names])
        for view in chosen
    )
    bar = draw.Key("bar", say("legend.rank_range"))
    keys = (*standing_keys(chosen[0], shapes), bar, *note_keys(note))
    heading = draw.Heading(f"tasks-{number}", title, said, keys)
    return draw.side_by_side(heading, names, panels, say("ranking.rank_range"))


def _entry(view: MetricView, name: str) -> int | None:
    names = view.analysis.names
    return names.index(name) if name in names else None


def _said(view: MetricView, name: str) -> str:
    entry = _entry(view, name)
    return f"{name} {MISSING if entry is None else view.rank_range(entry)}"


def _span(view: MetricView, name: str) -> draw.Span | None:
    entry, analysis = _entry(view, name), view.analysis
    if entry is None:
        return None
    low, rank, high = (
        float(array[entry]) for array in (analysis.rank_low, analysis.rank, analysis.rank_high)
    )
    return draw.Span(low, rank, high, view.shape(entry))


def _table(chosen: Sequence[MetricView], names: Sequence[str]) -> ResultTable:
    say = chosen[0].language.say
    columns = [TableColumn(("entry",), say("ranking.entry"))]
    for view in chosen:
        keys = (f"{view.metric.name}_{key}" for key in ("rank", "rank_low", "rank_high"))
        columns.append(TableColumn(tuple(keys), view.label, numeric=True))
    return ResultTable(
        name="tasks",
        caption=say("task_ranks.table", confidence=chosen[0].confidence),
        columns=tuple(columns),
        rows=tuple((cell(name), *(_ranks(view, name) for view in chosen)) for name in names),
    )


def _ranks(view: MetricView, name: str) -> Cell:
    entry, analysis = _entry(view, name), view.analysis
    if entry is None:
        return cell(MISSING, None, None, None)
    rank = None if entry in analysis.baselines else int(analysis.rank[entry])
    low, high = int(analysis.rank_low[entry]), int(analysis.rank_high[entry])
    text = f"{view.rank(entry)} ({view.rank_range(entry)})"
    return cell(text, rank, low, high, strong=entry in analysis.leaders)
