"""The tables and texts of a document as files: each in every format."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import replace

from .blocks import CellValue, ResultTable, ResultText
from .latex import text_to_latex, to_latex
from .markdown import text_to_markdown, to_markdown
from .shortening import one_line

#: First letters that make a spreadsheet take a text for a formula.
_FORMULA = tuple("=+-@\t\r＝＋－＠")  # the wide ones in Japanese and Chinese spreadsheets


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


def to_csv(table: ResultTable) -> str:
    """Return the values as CSV: numbers in full with a decimal point, formulas made harmless."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    header = tuple(key for column in table.columns for key in column.keys)
    rows = (tuple(value for item in row for value in item.values) for row in table.rows)
    for record in table.records or (header, *rows):
        writer.writerow([_csv_value(value) for value in record])
    return buffer.getvalue()


def _csv_value(value: CellValue) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        line = one_line(value)
        # The apostrophe is how spreadsheets themselves mark a text that looks like a formula.
        return f"'{line}" if value.startswith(_FORMULA) or line.startswith(_FORMULA) else line
    if isinstance(value, float):
        return f"{value:.10g}" if math.isfinite(value) else ""
    return str(value)
