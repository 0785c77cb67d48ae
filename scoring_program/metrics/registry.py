"""The metrics this program knows, one row each: everything else follows from these rows.

A row says what is predicted, which direction is better, the ideal value and the range, and in which
way a resample is scored; rows without statistics call the library's function. Any other function of
sklearn.metrics works too (`resolve`), with what scikit-learn itself says about it.
"""

from __future__ import annotations

import math
from types import MappingProxyType

from scoring_program.metrics import labels, regression
from scoring_program.metrics.metric import Definition

_INF = math.inf
_CLASSES = MappingProxyType(
    {"labels": None, "pos_label": 1, "average": "binary", "zero_division": "warn"}
)

_ROWS = (
    # Labels, as sums of right answers or of one class at a time.
    Definition(
        "accuracy_score", "accuracy", "labels", True, 1.0, 0.0, 1.0, True, "sums", labels.accuracy
    ),
    Definition(
        "balanced_accuracy_score", "balanced accuracy", "labels", True, 1.0, 0.0, 1.0, True,
        "sums", labels.balanced_accuracy, {"adjusted": False},
    ),
    Definition(
        "precision_score", "precision", "labels", True, 1.0, 0.0, 1.0, True,
        "sums", labels.Averaged(labels.precision), _CLASSES,
    ),
    Definition(
        "recall_score", "recall", "labels", True, 1.0, 0.0, 1.0, True,
        "sums", labels.Averaged(labels.recall), _CLASSES,
    ),
    Definition(
        "f1_score", "F1", "labels", True, 1.0, 0.0, 1.0, True,
        "sums", labels.Averaged(labels.f_beta), _CLASSES,
    ),
    Definition(
        "fbeta_score", "F-beta", "labels", True, 1.0, 0.0, 1.0, True,
        "sums", labels.Averaged(labels.f_beta), {**_CLASSES, "beta": 1.0},
    ),
    Definition(
        "jaccard_score", "Jaccard", "labels", True, 1.0, 0.0, 1.0, True,
        "sums", labels.Averaged(labels.jaccard), _CLASSES,
    ),
    # Numbers, as sums of errors.
    Definition(
        "mean_absolute_error", "MAE", "numbers", False, 0.0, 0.0, _INF, True,
        "sums", regression.MeanError(regression.absolute),
    ),
    Definition(
        "mean_squared_error", "MSE", "numbers", False, 0.0, 0.0, _INF, True,
        "sums", regression.MeanError(regression.squared),
    ),
    Definition(
        "root_mean_squared_error", "RMSE", "numbers", False, 0.0, 0.0, _INF, True,
        "sums", regression.MeanError(regression.squared, root=True),
    ),
)  # fmt: skip

REGISTRY = {row.name: row for row in _ROWS}
