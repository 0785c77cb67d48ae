"""The tables and texts of a document as files: each in every format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .blocks import ResultTable, ResultText
from .latex import text_to_latex, to_latex
from .markdown import text_to_markdown, to_markdown
from .spreadsheet import to_csv


def tables(made: Sequence[ResultTable], texts: Sequence[ResultText] = ()) -> dict[str, str]:
    """Return file name → content: tables in three formats, texts in two."""
    contents = {}
    for text in texts:
        contents[f"{text.name}.tex"] = text_to_latex(text)
        contents[f"{text.name}.md"] = text_to_markdown(text)
        if text.bibliography:
            contents[f"{text.name}.bib"] = f"{text.bibliography}\n"
    for table in map(_without_pictures, made):
        contents[f"{table.name}.csv"] = to_csv(table)
        contents[f"{table.name}.tex"] = to_latex(table)
        contents[f"{table.name}.md"] = to_markdown(table)
    return contents


def _without_pictures(table: ResultTable) -> ResultTable:
    """Return a table without the columns that stand on the page only."""
    kept = [place for place, column in enumerate(table.columns) if column.keys]
    return replace(
        table,
        columns=tuple(table.columns[place] for place in kept),
        rows=tuple(tuple(row[place] for place in kept) for row in table.rows),
    )
