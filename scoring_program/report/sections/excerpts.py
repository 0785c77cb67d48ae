"""What the page shows of long tables for statisticians; the files hold them whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from ..tables import ResultTable
from ..view import MetricView

#: The page shows these first rows, and that of the submission that it is about.
_ROWS = 50

_Line = TypeVar("_Line")


def excerpt(view: MetricView, lines: Sequence[_Line], names: Sequence[str]) -> tuple[_Line, ...]:
    """Return the lines that the page shows; ``names`` are those of their entries."""
    own = view.analysis.names[view.focus] if view.focus is not None else None
    named = enumerate(zip(lines, names, strict=True))
    return tuple(line for place, (line, name) in named if place < _ROWS or name == own)


def table_excerpt(view: MetricView, table: ResultTable) -> ResultTable:
    """Return a table of entries with the rows that the page shows."""
    names = [row[table.head].text for row in table.rows]
    return replace(table, rows=excerpt(view, table.rows, names))


def notes_of(views: Sequence[MetricView]) -> Iterator[str]:
    """Say that the page shows a part, if it does."""
    most = max(len(view.analysis.names) for view in views)
    if most - 1 > _ROWS:
        yield views[0].language.say("page.excerpts", count=views[0].numerals.count(_ROWS))
