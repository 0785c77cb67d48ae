"""What can be concluded from scores and bootstrap replicates: arrays in, frozen results out."""

from .analyse import analyse
from .findings import Findings
from .inputs import MetricScores

__all__ = ["Findings", "MetricScores", "analyse"]
