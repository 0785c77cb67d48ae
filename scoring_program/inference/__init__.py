"""Infers from scores and bootstrap replicates: arrays in, frozen results out."""

from .analyze import analyze
from .findings import Findings
from .inputs import MetricScores

__all__ = ["Findings", "MetricScores", "analyze"]
