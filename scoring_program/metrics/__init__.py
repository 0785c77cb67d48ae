"""What a metric is: the registry, the statistics each metric needs, and the settings' names for them."""

from scoring_program.metrics.metric import Data, Definition, Metric
from scoring_program.metrics.registry import REGISTRY
from scoring_program.metrics.resolve import resolve

__all__ = ["REGISTRY", "Data", "Definition", "Metric", "resolve"]
