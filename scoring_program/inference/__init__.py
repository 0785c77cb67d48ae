"""Infers from scores and bootstrap replicates: arrays in, frozen results out."""

from .analyze import analyze
from .basis import MetricScores

__all__ = ["MetricScores", "analyze"]
