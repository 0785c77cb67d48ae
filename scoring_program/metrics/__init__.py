"""Metrics: their definitions, and the statistics from which they are evaluated.

`resolve` turns the settings into metrics. A metric is evaluated from `sums` of statistics over
rows, from rows in the order of the predictions (`ordered`), by `calls` of a function, or by a
`formula` over other metrics. The `registry` lists the modules that define metrics: each file in
`families` holds a family of metrics of rows, and each in `kinds` one of another kind of data. `own`
loads what an organizer or a package wrote.
"""

from .metric import Data, Definition, Metric, without_formulas
from .registry import REGISTRY
from .resolve import resolve

__all__ = ["REGISTRY", "Data", "Definition", "Metric", "resolve", "without_formulas"]
