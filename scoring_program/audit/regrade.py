"""Scores entries against other gold labels than those of the reference data."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.arrays import Array, Floats
from ..metrics import Metric
from ..scoring.bind import bind, compose
from ..scoring.scorer import Scorer


def reads_labels(metric: Metric) -> bool:
    """Whether a metric's score follows from gold labels and predicted labels of one column.

    With weights it does not: examples with the same labels count differently.
    """
    leaves = metric.components or (metric,)
    return all(
        leaf.kind == "labels"
        and leaf.column == leaves[0].column
        and leaf.sample_weight is None
        and not leaf.components
        for leaf in leaves
    )


def bound_again(
    scorer: Scorer, gold: Array, predictions: Sequence[Array], names: Sequence[str]
) -> Scorer:
    """Bind the metric of a scorer to other gold labels [n] and predictions, [n] each.

    The metric must be one that `reads_labels`. The label set stays that of the competition.
    """
    if scorer.metric.components:
        return compose(
            scorer.metric,
            [
                bind(component, gold, predictions, scorer.data.labels, names)
                for component in scorer.metric.components
            ],
        )
    return bind(scorer.metric, gold, predictions, scorer.data.labels, names)


def oriented(metric: Metric, scores: Floats) -> Floats:
    """Return scores with the sign for which higher is better."""
    return scores if metric.greater_is_better else -scores
