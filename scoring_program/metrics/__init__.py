"""What a metric is: the registry, and the statistics that each metric needs."""

from scoring_program.metrics.metric import Data, Definition, Metric
from scoring_program.metrics.registry import REGISTRY
from scoring_program.metrics.resolve import resolve

__all__ = ["REGISTRY", "Data", "Definition", "Metric", "resolve"]
