"""Metrics whose examples have weights: the parameter ``sample_weight`` of scikit-learn.

A row of weight w counts as w rows. A resample that draws it c times counts it c·w times. So sums of
statistics become weighted sums; a function that is called takes c·w as ``sample_weight``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..core.errors import SettingsError
from .functions import function_of, parameters
from .metric import Metric


def weighted(metric: Metric, column: Any) -> Metric:
    """Return a metric with the column of the reference data that holds its examples' weights.

    Raises
    ------
    SettingsError
        ``column`` is not a name, or the metric has no meaning for weights.
    """
    if not isinstance(column, str):
        raise SettingsError(
            f"metric {metric.name!r}: sample_weight: expected the name of a column of the "
            f"reference data; found {column!r}"
        )
    if not _takes_weights(metric):
        raise SettingsError(
            f"metric {metric.name!r}: {metric.function} cannot weight examples; remove "
            "sample_weight, or write a function of your own with a parameter sample_weight"
        )
    # Totals over sorted rows are integers, so a metric of order is called.
    called = metric.definition.evaluation == "ordered"
    definition = replace(
        metric.definition,
        evaluation="called" if called else metric.definition.evaluation,
        places=None,
        sample_variance=None,  # that of a row that counts once
    )
    description = f"{metric.description}, weighted by {column}"
    return replace(metric, definition=definition, description=description, sample_weight=column)


def _takes_weights(metric: Metric) -> bool:
    """Whether a metric is defined for weights: by sums of counts, or by a function with weights."""
    definition = metric.definition
    if definition.statistics is not None:
        return definition.evaluation != "items"
    if metric.call is not None:
        kaggle = getattr(metric.call, "kaggle", False)
        return not kaggle and "sample_weight" in parameters(metric.call)
    try:
        function = function_of(str(metric.function), definition.oracle)
    except AttributeError:  # it is ours, and its sums alone define it
        return False
    return "sample_weight" in parameters(function)
