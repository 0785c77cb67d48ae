"""From analyses to what people read: the page, the figures and the tables. No statistics here."""

from __future__ import annotations

from collections.abc import Mapping

from scoring_program.render import tables as _tables
from scoring_program.render.inputs import MetricInput, PageInput, Unusable
from scoring_program.render.page import figures, page
from scoring_program.render.report import Report, build

__all__ = [
    "MetricInput",
    "PageInput",
    "Report",
    "Unusable",
    "build",
    "figures",
    "page",
    "tables",
]


def tables(report: Report) -> Mapping[str, str]:
    """Return file name → content of every table as CSV, LaTeX and Markdown."""
    return _tables.files(report.tables)
