"""The ranks of the same scores by other ranking schemes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..tables import Cell, ResultTable, TableColumn, cell
from ..view import MetricView
from .section import Passage, Section


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield a table for each column of a table of scores; the first one explains all."""
    note = views[0].language.say("schemes.note")
    for view in views:
        table = schemes_table(view)
        if table is not None:
            say = view.language.say
            content = Passage((_summary(view),), table.caption, table, note=note)
            note = ""
            heading = say("schemes.heading", metric=view.label)
            yield Section(table.name, heading, content, tables=(table,))


def schemes_table(view: MetricView) -> ResultTable | None:
    """Return each entry's value and rank by every scheme, best first; None without schemes."""
    found, say = view.analysis.schemes, view.language.say
    if found is None:
        return None
    rows = []
    for place, entry in enumerate(found.entries.tolist()):
        row = [cell(view.analysis.names[entry])]
        for scheme, values in found.values.items():
            row.append(_cell(view, scheme, float(values[place])))
            rank = int(found.ranks[scheme][place])
            row.append(cell(view.numerals.count(rank), rank, strong=rank == 1))
        rows.append(tuple(row))
    columns = [TableColumn(("entry",), say("schemes.entry"))]
    for scheme in found.values:
        columns.append(TableColumn((scheme,), say(f"schemes.{scheme}"), numeric=True))
        columns.append(TableColumn((f"rank_by_{scheme}",), say("schemes.rank"), numeric=True))
    return ResultTable(
        name=f"schemes{view.suffix}",
        caption=say("schemes.caption", metric=view.label),
        columns=tuple(columns),
        rows=tuple(rows),
    )


def _cell(view: MetricView, scheme: str, value: float) -> Cell:
    if scheme == "wins":
        return cell(view.numerals.count(int(value)), int(value))
    text = view.numerals.fixed(value, 2) if scheme == "mean_rank" else view.score(value)
    return cell(text, value)


def _summary(view: MetricView) -> str:
    """Say who is first by how many of the schemes, leaving out tests that separate nobody."""
    found, say = view.analysis.schemes, view.language.say
    assert found is not None
    none_wins = bool((found.ranks["wins"] == 1).all())
    first = {
        scheme: found.entries[ranks == 1].tolist()
        for scheme, ranks in found.ranks.items()
        if scheme != "wins" or not none_wins
    }
    if len({frozenset(entries) for entries in first.values()}) == 1:
        key = "schemes.agree_without_wins" if none_wins else "schemes.agree"
        return say(key, entries=view.listed(first["mean"]))
    of_schemes = [
        say("schemes.first", scheme=say(f"schemes.{scheme}"), entries=view.listed(entries))
        for scheme, entries in first.items()
    ]
    differ = say("schemes.differ", schemes="; ".join(of_schemes))
    return f"{differ} {say('schemes.no_wins')}" if none_wins else differ
