"""INPUT read as a whole: the gold's parts, every submission aligned with them, one competition."""

from scoring_program.gather.source import duration, gather

__all__ = ["duration", "gather"]
