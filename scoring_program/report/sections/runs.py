"""How many runs each team sent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...inference.findings import Findings
from ..language import Language
from ..tables import ResultTable, TableColumn, cell
from ..view import MetricView
from .section import Passage, Section


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield how many runs each team sent where some team sent several."""
    result, language = views[0].result, views[0].language
    table = runs_table(result, language)
    if table is not None:
        content = Passage(caption=table.caption, table=table)
        yield Section("runs", language.say("runs.heading"), content)


def runs_table(result: Findings, language: Language) -> ResultTable | None:
    """Return how many runs each team sent, None unless some team sent several."""
    if not any(count > 1 for count in result.runs.values()):
        return None
    return ResultTable(
        name="runs",
        caption=language.say(f"runs.{result.settings.runs}"),
        columns=(
            TableColumn(("team",), language.say("runs.team")),
            TableColumn(("runs",), language.say("runs.sent"), numeric=True),
        ),
        rows=tuple(
            (cell(team), cell(language.numerals.count(count), count))
            for team, count in sorted(result.runs.items())
        ),
    )
