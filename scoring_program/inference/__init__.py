"""What can be concluded from scores and bootstrap replicates: arrays in, frozen results out."""

from .analyse import analyse
from .inputs import MetricScores
from .result import Result

__all__ = ["MetricScores", "Result", "analyse"]
