"""The metrics side by side: a table of all scores, a panel and a ranking of each further one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.phrases import gettext_noop
from ...document.blocks import (
    Block,
    Cell,
    Group,
    Paragraph,
    Picture,
    ResultTable,
    Section,
    TableColumn,
    cell,
)
from ...document.text import file_part
from ..view import MetricView
from . import task_ranks, trade_off_picture
from .ranking import ranking_of, score_panel

_WINNER = "†"
#: Entries of a panel.
_ROWS = 20


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield what all metrics say where there are several."""
    if len(views) == 1:
        return
    first = views[0]
    table = all_metrics_table(views)
    said = Paragraph(_caption(first), "caption")
    panels = Group(tuple(_panels(views)), "panels")
    beside: list[Block] = [Group((said, panels))]
    if table is not None:
        beside.insert(0, Group((table, Paragraph(table.note, "note"))))
    rankings = (ranking_of(views, view, {}) for view in views[1:])
    pictures = (*task_ranks.sections(views), *trade_off_picture.sections(views))
    blocks = (Group(tuple(beside), "overview"), *rankings, *pictures)
    yield Section("overview", first.language.say("All metrics at a glance"), blocks)


def _panels(views: Sequence[MetricView]) -> Iterator[Picture]:
    """Yield a small panel for each metric; that of the ranking metric is in the files only.

    Entries are in the order of the ranking metric. Of many entries the first are shown, the
    possible winners, the leaders of the panel, and the submission that the page is about.
    """
    first = views[0]
    order = first.scores.order.tolist()
    shown = [
        first.evidence.names[i]
        for place, i in enumerate(order)
        if place < _ROWS or first.focused(i) or i in first.foremost
    ]
    for view in views:
        places = {name: i for i, name in enumerate(view.evidence.names)}
        entries = [places[name] for name in shown if name in places]
        entries = entries or view.scores.order.tolist()[:_ROWS]
        entries += [i for i in view.scores.leaders if i not in entries]
        name = f"overview_{file_part(view.metric.name)}"
        yield Picture(name, score_panel(view, entries), "panel", shown=view.index > 0)


def _caption(view: MetricView) -> str:
    """Return what to look for in the panels."""
    say, count = view.language.say, view.numerals.count
    m = len(view.evidence.names)
    key = (
        view.if_only_ranks(
            "Each panel shows one metric with {confidence} intervals. Entries are in the order of "
            "{metric}. Look for entries that change places from panel to panel: they may trade "
            "one quality for another.",
            "Each panel shows one metric with {confidence} intervals (a mean rank has none). "
            "Entries are in the order of {metric}. Look for entries that change places from panel "
            "to panel: they may trade one quality for another.",
        )
        if m > 1
        else gettext_noop(
            "Each panel shows one metric with its {confidence} interval. Look at the length of the "
            "bar: the score on a much larger test set of the same kind may lie anywhere in it."
        )
    )
    caption = say(key, confidence=view.confidence, metric=view.label)
    if m > 1:
        shapes = gettext_noop(
            "In each panel, a diamond marks the leader, a ring marks an entry that may be as good "
            "or better, and a dot marks an entry behind it. The dashed line is the leader's score."
            if view.chosen_leader
            else (
                "The square and the dashed line are {reference}. A ring is tied with it, a "
                "triangle is ahead of it, and a dot is behind it. A diamond marks the leader."
            )
        )
        caption += " " + say(shapes, reference=view.reference)
    if m > _ROWS:
        caption += " " + say(
            "The first {count} of {m} entries are shown, and all leaders and possible winners.",
            count=count(_ROWS),
            m=count(m),
        )
    return caption


def all_metrics_table(views: Sequence[MetricView]) -> ResultTable | None:
    """Return one table of all metrics, which marks the possible winners by each.

    Headings lead to the rankings. None unless there are several entries.
    """
    first = views[0]
    if len(first.evidence.names) == 1:
        return None
    say = first.language.say
    columns = [TableColumn(("entry",), say("Entry"))]
    for view in views:
        name = view.metric.name
        keys = (name, f"{name}_possible_winner")
        columns.append(TableColumn(keys, view.label, True, view.ranking_address))
    places = [{name: i for i, name in enumerate(view.evidence.names)} for view in views]
    names = list(dict.fromkeys(name for view in views for name in _ranked(view)))
    rows = tuple(
        (
            cell(name),
            *(_score(view, place.get(name)) for view, place in zip(views, places, strict=True)),
        )
        for name in names
    )
    return ResultTable(
        name="all_metrics",
        caption=say("Scores by all metrics on {test_examples}.", test_examples=first.test_examples),
        columns=tuple(columns),
        rows=rows,
        note=say(
            "{dagger} marks the possible winners by each metric; the leader is bold.",
            dagger=_WINNER,
        ),
    )


def _ranked(view: MetricView) -> list[str]:
    return [view.evidence.names[i] for i in view.scores.order.tolist()]


def _score(view: MetricView, entry: int | None) -> Cell:
    if entry is None:
        return cell("", None, None)
    wins = entry in view.possible_winners
    score, leads = float(view.scores.score[entry]), entry in view.scores.leaders
    mark = _WINNER if wins else ""
    return cell(view.score(score), score, int(wins), strong=leads, mark=mark)
