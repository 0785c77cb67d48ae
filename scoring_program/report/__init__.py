"""From analyses to what people read: the page, the figures and the tables. No statistics here."""

from .inputs import MetricInput, PageInput
from .markup import figures, page
from .report import Report, build
from .table import tables

__all__ = ["MetricInput", "PageInput", "Report", "build", "figures", "page", "tables"]
