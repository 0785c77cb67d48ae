"""Tables as CSV: the values, for machines, harmless in spreadsheets."""

from __future__ import annotations

import csv
import io
import math

from .blocks import CellValue, ResultTable
from .text import one_line

#: First letters that make a spreadsheet take a text for a formula.
_FORMULA = tuple("=+-@\t\r＝＋－＠")  # the wide ones in Japanese and Chinese spreadsheets


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
