"""The tables and texts of a document as files: each in every format.

Everything that Markdown, or HTML inside it, would interpret is escaped, because entry names come
from participants. LaTeX has a module of its own.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from .blocks import Cell, CellValue, ResultTable, ResultText
from .latex import text_to_latex, to_latex
from .shortening import one_line

#: First letters that make a spreadsheet take a text for a formula.
_FORMULA = tuple("=+-@\t\r＝＋－＠")  # the wide ones in Japanese and Chinese spreadsheets
_ESCAPED = {ord(character): f"\\{character}" for character in "\\`*_{}[]#|~$!"}
_ESCAPED |= {ord("<"): "&lt;", ord(">"): "&gt;", ord("&"): "&amp;"}
#: Where a comment of HTML, which shows nothing, keeps sites from making a link or a mention of what
#: Markdown has no escape for: addresses, @somebody, #123, GH-123, and GitLab's !123, $123, ~label.
_LIVE = re.compile(
    r"(?<=[@~])(?=\w)|(?<=[#!$%&])(?=\d)|(?<=\bGH-)(?=\d)|(?=://)|(?<=\bwww)(?=\.)", re.IGNORECASE
)
_BREAK = "\0"  # no line holds it
_ESCAPED |= {ord(_BREAK): "<!-- -->"}


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
    if isinstance(value, float):
        return f"{value:.10g}" if math.isfinite(value) else ""
    if isinstance(value, str):
        return _csv_text(value)
    return "" if value is None else str(value)


@lru_cache(2**12)
def _csv_text(text: str) -> str:
    """Return a text in one line; of many pairs, the names of the entries occur many times."""
    line = one_line(text)
    # The apostrophe is how spreadsheets themselves mark a text that looks like a formula.
    return f"'{line}" if text.startswith(_FORMULA) or line.startswith(_FORMULA) else line


def markdown_text(text: str) -> str:
    """Return ``text`` with everything escaped that Markdown, or HTML inside it, would interpret.

    Nothing in it becomes a link or a mention, because names come from participants.
    """
    line = _LIVE.sub(_BREAK, one_line(text)).translate(_ESCAPED)
    return f"\\{line}" if line.startswith(("+", "-", "=")) else line


def to_markdown(table: ResultTable) -> str:
    """Return a pipe table under its caption."""
    heading = " | ".join(markdown_text(column.heading) for column in table.columns)
    rule = " | ".join("---:" if column.numeric else ":---" for column in table.columns)
    rows = [" | ".join(_markdown_cell(item) for item in row) for row in table.rows]
    lines = [markdown_text(table.caption), "", *(f"| {line} |" for line in (heading, rule, *rows))]
    if table.note:
        lines += ["", markdown_text(table.note)]
    return "\n".join(lines) + "\n"


def _markdown_cell(item: Cell) -> str:
    text = markdown_text(item.whole)
    return f"**{text}**" if item.strong and text else text


def text_to_markdown(text: ResultText) -> str:
    """Return the paragraphs."""
    return "\n\n".join(markdown_text(paragraph) for paragraph in text.paragraphs) + "\n"
