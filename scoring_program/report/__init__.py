"""From a result to what people and machines read. No statistics here."""

from .assemble import Report, build
from .markup import page
from .standalone import figures
from .tables import tables

__all__ = ["Report", "build", "figures", "page", "tables"]
