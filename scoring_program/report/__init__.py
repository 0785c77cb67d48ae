"""From a result to what people and machines read. No statistics here."""

from ..document.html import Document, page
from ..document.take_away import tables
from .assemble import build, figures, summaries

__all__ = ["Document", "build", "figures", "page", "summaries", "tables"]
