"""From a metric, gold and predictions to a scorer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..core.arrays import Array, Floats
from ..metrics import prediction_checks
from ..metrics.calls import with_inferred_types
from ..metrics.classes import classes_of, take_positive_column, with_labels_of_data
from ..metrics.metric import Data, Evaluation, Metric
from ..metrics.statistics import Counting, count_sums
from .formula_scorer import FormulaScorer
from .function_scorer import FunctionScorer
from .ordered_scorer import OrderedScorer
from .scorer import Scorer
from .sums_scorer import SumsScorer

#: Counts in this process, and tells nobody.
HERE = Counting()
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
    counting: Counting = HERE,
    weights: Floats | None = None,
) -> Scorer:
    """Bind a metric to one gold column and the entries' predictions. For formulas, see `compose`.

    ``y_true`` is [n]; each of ``y_preds`` is [n] or [n, classes in the order of label_set]. For a
    metric of kind "table" they are mappings from column names to arrays [n]. ``counting`` says how
    statistics of single examples are counted. A row of ``weights`` [n] w counts as w rows.

    Raises MetricError if the metric does not fit the data, and SubmissionError if a prediction is
    not what it needs.
    """
    data = Data(y_true, tuple(y_preds), label_set, weights)
    entry_names = (
        names if names is not None else [f"entry {k + 1}" for k in range(len(data.y_preds))]
    )
    definition = metric.definition
    if metric.call is None and metric.kind in ("labels", "scores", "probabilities"):
        # In an organizer's own function, a parameter "labels" may mean anything.
        metric = replace(metric, params=with_labels_of_data(metric.params, data))
    if definition.bounds is not None:
        low, high = definition.bounds(data, metric.params)
        metric = metric.redefined(low=low, high=high)
    prediction_checks.check(metric, data, entry_names)
    if getattr(metric.call, "kaggle", False):
        data = with_inferred_types(data)
    if definition.positive is not None and len(classes_of(data)) == 2:
        data = take_positive_column(data, definition.positive(data, metric.params))
    if definition.statistics is not None:
        sums = count_sums(metric, data, entry_names, counting)
        sums = sums if weights is None else sums.weighted(weights)
        return SumsScorer(metric, data, entry_names, sums)
    return _SCORERS[definition.evaluation](metric, data, entry_names)


def compose(metric: Metric, scorers: Sequence[Scorer]) -> Scorer:
    """Bind a formula to the scorers of ``metric.components``, in their order."""
    return FormulaScorer(metric, scorers)
