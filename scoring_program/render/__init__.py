"""From analyses to what people read: the page, the figures and the tables. No statistics here."""

from __future__ import annotations

from collections.abc import Mapping

from scoring_program.render.inputs import MetricInput, PageInput, Unusable
from scoring_program.render.markup import figures, page
from scoring_program.render.report import Report, build
from scoring_program.render.table import files

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
    return files(report.tables)
