"""From a metric, gold and predictions to the scorer of the metric's kind of evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..core.arrays import Array
from ..metrics import prediction_checks
from ..metrics.calls import as_read
from ..metrics.classes import as_meant, classes_of, one_column
from ..metrics.metric import Data, Evaluation, Metric
from .formula_scorer import FormulaScorer
from .function_scorer import FunctionScorer
from .ordered_scorer import OrderedScorer
from .scorer import Scorer
from .sums_scorer import SumsScorer

_SCORERS: Mapping[Evaluation, type[SumsScorer | OrderedScorer | FunctionScorer]] = {
    "sums": SumsScorer,
    "ordered": OrderedScorer,
    "called": FunctionScorer,
}


def bind(
    metric: Metric,
    y_true: Any,
    y_preds: Sequence[Any],
    label_set: Array | None = None,
    names: Sequence[str] | None = None,
) -> Scorer:
    """Bind a metric (not a formula, see `compose`) to one gold column and the entries' predictions.

    ``y_true`` is [n], each of ``y_preds`` [n] or [n, classes in the order of label_set]; for a
    metric of kind "table" mappings from column names to arrays [n]. Raises MetricError where the
    metric does not fit the data and SubmissionError where a prediction is not what the metric
    needs.
    """
    data = Data(y_true, tuple(y_preds), label_set)
    shown = names if names is not None else [f"entry {k + 1}" for k in range(len(data.y_preds))]
    definition = metric.definition
    if metric.call is None and metric.kind in ("labels", "scores", "probabilities"):
        # An organizer's own function may call anything "labels".
        metric = replace(metric, params=as_meant(metric.params, data))
    if definition.bounds is not None:
        low, high = definition.bounds(data, metric.params)
        metric = metric.redefined(low=low, high=high)
    prediction_checks.check(metric, data, shown)
    if getattr(metric.call, "kaggle", False):
        data = as_read(data)
    if definition.positive is not None and len(classes_of(data)) == 2:
        data = one_column(data, definition.positive(data, metric.params))
    return _SCORERS[definition.evaluation](metric, data, shown)


def compose(metric: Metric, scorers: Sequence[Scorer]) -> Scorer:
    """Bind a formula to the scorers of ``metric.components``, in their order."""
    return FormulaScorer(metric, scorers)
