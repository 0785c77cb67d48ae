"""From analyses to what people read: the page, the figures and the tables. No statistics here."""

from scoring_program.render.inputs import MetricInput, PageInput
from scoring_program.render.markup import figures, page
from scoring_program.render.report import Report, build
from scoring_program.render.table import tables

__all__ = ["MetricInput", "PageInput", "Report", "build", "figures", "page", "tables"]
