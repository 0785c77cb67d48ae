"""One table of all metrics, which marks the possible winners by each and leads to its ranking."""

from __future__ import annotations

from collections.abc import Sequence

from ..tables import Cell, ResultTable, TableColumn, cell
from ..view import MetricView

_WINNER = "†"


def all_metrics_table(views: Sequence[MetricView]) -> ResultTable | None:
    """Return the scores by every metric; None unless there are several entries and metrics."""
    first = views[0]
    if len(views) == 1 or len(first.analysis.names) == 1:
        return None
    say = first.language.say
    columns = [TableColumn(("entry",), say("ranking.entry"))]
    for view in views:
        name = view.metric.name
        keys = (name, f"{name}_possible_winner")
        columns.append(TableColumn(keys, view.label, True, view.ranking_address))
    places = [{name: i for i, name in enumerate(view.analysis.names)} for view in views]
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
        caption=say("tables.all_metrics", test_examples=first.test_examples),
        columns=tuple(columns),
        rows=rows,
        note=say("overview.dagger", dagger=_WINNER),
    )


def _ranked(view: MetricView) -> list[str]:
    return [view.analysis.names[i] for i in view.analysis.order.tolist()]


def _score(view: MetricView, entry: int | None) -> Cell:
    if entry is None:
        return cell("", None, None)
    wins = entry in view.possible_winners
    score, leads = float(view.analysis.score[entry]), entry in view.analysis.leaders
    mark = _WINNER if wins else ""
    return cell(view.score(score), score, int(wins), strong=leads, mark=mark)
