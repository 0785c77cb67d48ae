"""The tasks side by side: the rank of every entry in each, with its rank range.

Beside a mean rank stand the ranks that it averages: those among the entries with an overall place.
A rank range of the task stands with them only where the task's own ranks are the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from ...core.phrases import MISSING
from ...document.blocks import Cell, Fold, Picture, ResultTable, TableColumn, cell, passage
from ...document.figures.side_by_side import Panel, Span, side_by_side
from ...document.marks import Drawing, Heading, Key
from ..view import MetricView
from .legends import note_keys, standing_keys

#: A figure has up to this many panels and rows; more tasks take further figures.
PANELS, _ROWS = 5, 30


def sections(views: Sequence[MetricView]) -> Iterator[Fold]:
    """Yield the ranks by the ranking metric and by the first metric of every task."""
    first = views[0]
    chosen = _chosen(views)
    if len(chosen) == 1 or len(first.evidence.names) == 1:
        return
    say, count = first.language.say, first.numerals.count
    names = [first.evidence.names[i] for i in first.scores.order.tolist()]
    shown, note, table = _shown(first, chosen, names), "", _table(chosen, names)
    if len(shown) < len(names):
        note = say(
            "The first {count} of {m} entries are shown, and all leaders and possible winners.",
            count=count(_ROWS),
            m=count(len(names)),
        )
    pictures = [
        Picture(
            f"tasks_{number}" if len(chosen) > PANELS else "tasks",
            _figure(first, chosen[start : start + PANELS], shown, number, note),
        )
        for number, start in enumerate(range(0, len(chosen), PANELS), start=1)
    ]
    if not all(_same_ranks(first, view) for view in chosen):
        averaged = say(
            "A mean rank averages the ranks among the entries with an overall place, and each team "
            "counts once. These ranks stand here where they differ from those of a task's own "
            "ranking, which has the rank ranges."
        )
        note = f"{note} {averaged}".strip()
    caption = say(
        "Each panel shows the ranks by one task, next to those that rank the competition. The "
        "marks say who leads and who else may be the best in that panel. Look for entries that "
        "change places; with many teams, some such change is expected by chance."
    )
    blocks = (
        *passage(caption=caption, pictures=pictures, note=note),
        Fold(say("The same as a table"), (table,)),
    )
    yield Fold(say("Tasks side by side"), blocks, "task-ranks", "further picture")


def _chosen(views: Sequence[MetricView]) -> list[MetricView]:
    """Return the ranking metric, and the first metric of every other task."""
    chosen, met = [views[0]], {views[0].evidence.task}
    for view in views:
        if view.evidence.task not in met and view.evidence.task is not None:
            met.add(view.evidence.task)
            chosen.append(view)
    return chosen


def _shown(first: MetricView, chosen: Sequence[MetricView], names: Sequence[str]) -> list[str]:
    """Return the entries that are drawn: the first, and whom no picture leaves out.

    These are the possible winners, the leaders of every task, and the one that the page is about.
    """
    kept = {first.evidence.names[i] for i in first.foremost}
    kept |= {view.evidence.names[i] for view in chosen for i in view.scores.leaders}
    if first.focus is not None:
        kept.add(first.evidence.names[first.focus])
    return [name for place, name in enumerate(names) if place < _ROWS or name in kept]


def _figure(
    first: MetricView,
    chosen: Sequence[MetricView],
    names: Sequence[str],
    number: int,
    note: str,
) -> Drawing:
    say = chosen[0].language.say
    last = max(2, *(int(view.standing.rank_high.max()) for view in chosen))
    ticks = [(float(rank), chosen[0].numerals.count(rank)) for rank in (1, last)]
    panels = [
        Panel(view.label, [_span(first, view, name) for name in names], (1.0, float(last)), ticks)
        for view in chosen
    ]
    shapes = [span[1] for panel in panels for span in panel.spans if span is not None]
    title = say(
        "Ranks in each task, with rank ranges"
        if any(view.serious for view in chosen)
        else "Ranks in each task, with rank ranges (each end with {confidence} confidence)",
        confidence=chosen[0].confidence,
    )
    said = "; ".join(
        f"{view.label}: " + chosen[0].language.joined([_said(first, view, name) for name in names])
        for view in chosen
    )
    bar = Key("bar", say("rank range"))
    keys = (*standing_keys(chosen[0], shapes), bar, *note_keys(note))
    heading = Heading(f"tasks-{number}", title, said, keys)
    return side_by_side(heading, names, panels, say("Rank range"))


def _entry(view: MetricView, name: str) -> int | None:
    names = view.evidence.names
    return names.index(name) if name in names else None


def _same_ranks(first: MetricView, view: MetricView) -> bool:
    """Whether the ranks of a task are those that the mean rank averages, if this ranks."""
    averaged = first.evidence.ranks_in_tasks.get(view.evidence.metric.name)
    if averaged is None:
        return True
    if view.evidence.names != first.evidence.names:
        return False
    baselines = list(first.scores.baselines)
    differ = averaged != view.scores.rank
    return not np.delete(differ, baselines).any()


def _said(first: MetricView, view: MetricView, name: str) -> str:
    entry, rank = _entry(view, name), _averaged(first, view, name)
    if rank is not None:
        return f"{name} {view.numerals.count(rank)}"
    return f"{name} {MISSING if entry is None else view.rank_range(entry)}"


def _averaged(first: MetricView, view: MetricView, name: str) -> int | None:
    """Return the rank that the mean rank averages, where the task's own ranking has other ranks.

    None if the task's own rank counts, and for baselines, which have none.
    """
    if _same_ranks(first, view) or name in first.result.settings.baselines:
        return None
    return int(
        first.evidence.ranks_in_tasks[view.evidence.metric.name][first.evidence.names.index(name)]
    )


def _span(first: MetricView, view: MetricView, name: str) -> Span | None:
    entry, evidence = _entry(view, name), view.evidence
    rank = _averaged(first, view, name)
    if rank is not None:
        shape = "behind" if entry is None else view.shape(entry)
        return (math.nan, rank, math.nan), shape
    if entry is None:
        return None
    low, high = view.range_of(entry)
    if math.isnan(low):
        return None
    return (low, float(evidence.scores.rank[entry]), high), view.shape(entry)


def _table(chosen: Sequence[MetricView], names: Sequence[str]) -> ResultTable:
    say = chosen[0].language.say
    columns = [TableColumn(("entry",), say("Entry"))]
    for view in chosen:
        keys = (f"{view.metric.name}_{key}" for key in ("rank", "rank_low", "rank_high"))
        columns.append(TableColumn(tuple(keys), view.label, numeric=True))
    return ResultTable(
        name="tasks",
        caption=say(
            "Rank in each task, and in parentheses the ranks that the tests leave to the entry."
            if any(view.serious for view in chosen)
            else "Rank in each task, and in parentheses those that the entry could hold on a much "
            "larger test set like this one, each end with {confidence} confidence.",
            confidence=chosen[0].confidence,
        ),
        columns=tuple(columns),
        rows=tuple(
            (cell(name), *(_ranks(chosen[0], view, name) for view in chosen)) for name in names
        ),
    )


def _ranks(first: MetricView, view: MetricView, name: str) -> Cell:
    entry, evidence = _entry(view, name), view.evidence
    averaged = _averaged(first, view, name)
    if averaged is not None:
        return cell(view.numerals.count(averaged), averaged, None, None, strong=averaged == 1)
    if entry is None:
        return cell(MISSING, None, None, None)
    rank = None if entry in evidence.scores.baselines else int(evidence.scores.rank[entry])
    low, high = (None if math.isnan(end) else int(end) for end in view.range_of(entry))
    text = f"{view.rank(entry)} ({view.rank_range(entry)})"
    return cell(text, rank, low, high, strong=entry in evidence.scores.leaders)
