"""What a metric is: the registry, and the statistics that each metric needs."""

from .metric import Data, Definition, Metric
from .registry import REGISTRY
from .resolve import resolve

__all__ = ["REGISTRY", "Data", "Definition", "Metric", "resolve"]
