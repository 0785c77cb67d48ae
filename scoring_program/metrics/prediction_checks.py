"""Checks that predictions are what a metric needs: numbers, probabilities or labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.arrays import Array
from ..core.errors import MetricError, SubmissionError
from ..core.phrases import Phrase
from .classes import classes_of
from .metric import OF_ROWS, Data, Metric

#: The sum of one row's probabilities may differ from 1 by this much: scikit-learn's tolerance for
#: doubles.
_TOLERANCE = float(np.sqrt(np.finfo(np.float64).eps))
#: What a metric of a kind needs, where that is numbers.
_NEEDED = {
    "numbers": Phrase("numbers"),
    "scores": Phrase("scores"),
    "probabilities": Phrase("probabilities"),
}


def check(metric: Metric, data: Data, names: Sequence[str]) -> None:
    """Raise an error if the data are not what the metric needs.

    It is a MetricError if the gold or the settings are wrong, and a SubmissionError if predictions
    are wrong. That names the metric, the entry and the first wrong row (numbered from 1).
    """
    if metric.kind not in OF_ROWS:
        return
    if data.n == 0 or not data.y_preds:
        raise MetricError(f"metric {metric.name!r}: there is nothing to score")
    if metric.kind == "numbers" and data.y_true.dtype.kind not in "iuf":
        raise MetricError(
            f"metric {metric.name!r} ({metric.label}) compares numbers, but the reference data "
            "hold labels; choose another metric"
        )
    for name, y_pred in zip(names, data.y_preds, strict=True):
        _check_entry(metric, data, name, y_pred)
    if metric.kind in ("scores", "probabilities") and len(classes_of(data)) > 2:
        _refuse_one_score(metric, data, names)


def _check_entry(metric: Metric, data: Data, name: str, y_pred: Array) -> None:
    """Raise SubmissionError if the predictions of one entry are wrong."""
    if len(y_pred) != data.n:
        raise SubmissionError(
            "metric {metric}: {entry} has {number} predictions for {n} rows",
            metric=repr(metric.name),
            entry=name,
            number=len(y_pred),
            n=data.n,
        )
    if metric.kind == "labels":
        if y_pred.ndim != 1 or y_pred.dtype.kind == "f":
            raise SubmissionError(
                "metric {metric} ({label}) needs one label per row; {entry} has numbers",
                metric=repr(metric.name),
                label=metric.label,
                entry=name,
            )
        return
    if y_pred.dtype.kind not in "iuf":
        raise SubmissionError(
            "metric {metric} ({label}) needs {kind}; {entry} has labels",
            metric=repr(metric.name),
            label=metric.label,
            kind=_NEEDED[metric.kind],
            entry=name,
        )
    unjudged = np.isnan(y_pred) & metric.definition.of_scores
    _refuse(~np.isfinite(y_pred) & ~unjudged, metric, name, Phrase("not a finite number"))
    if metric.kind == "probabilities":
        outside = (y_pred < 0) | (y_pred > 1)
        _refuse(outside, metric, name, Phrase("a probability outside [0, 1]"))
        if y_pred.ndim == 2:
            off = np.abs(y_pred.sum(axis=1) - 1.0) > _TOLERANCE
            _refuse(off, metric, name, Phrase("probabilities that do not sum to 1"))


def _refuse_one_score(metric: Metric, data: Data, names: Sequence[str]) -> None:
    """Raise SubmissionError if some entries have scores of each label and others only one."""
    single = [name for name, y in zip(names, data.y_preds, strict=True) if y.ndim == 1]
    if 0 < len(single) < len(names):
        raise SubmissionError(
            "metric {metric} ({label}): {entry} has one score per row; it needs one score for "
            "each of the {labels} labels",
            metric=repr(metric.name),
            label=metric.label,
            entry=single[0],
            labels=len(classes_of(data)),
        )


def _refuse(wrong: Array, metric: Metric, name: str, what: Phrase) -> None:
    rows = np.flatnonzero(wrong.any(axis=1) if wrong.ndim == 2 else wrong)
    if rows.size:
        problem = Phrase(
            "metric {metric}: {entry} has {what} in row {row}",
            metric=repr(metric.name),
            entry=name,
            what=what,
            row=int(rows[0]) + 1,
        )
        if rows.size > 1:
            problem = Phrase(
                "{problem} and in {more} more", problem=problem, more=int(rows.size) - 1
            )
        raise SubmissionError(problem)
