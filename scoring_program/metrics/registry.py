"""The metrics this program knows, one row each: everything else follows from these rows.

A row says what is predicted, which direction is better, the ideal value and the range, and in which
way a resample is scored. Any other function of sklearn.metrics works too, by calling it, with what
scikit-learn itself says about it (`functions`); an organizer's function comes from a file
(`organizer`).
"""

from __future__ import annotations

import math
from typing import Any

from . import (
    agreement,
    classes,
    correlation,
    gain,
    labels,
    probabilities,
    quantiles,
    regression,
    roc,
)
from .metric import Definition

_INF = math.inf
_SUMS: dict[str, Any] = {"evaluation": "sums"}
_ORDERED: dict[str, Any] = {"evaluation": "ordered"}
_OWN = f"{__package__}.definitions:"

#: Parameters of the metrics of one class at a time, and their defaults.
_CLASSES: dict[str, Any] = {
    "labels": None, "pos_label": 1, "average": "binary", "zero_division": "warn"
}  # fmt: skip

# fmt: off
_ROWS = (
    # function, label, kind, greater is better, ideal, low, high, ratio scale: way and statistics

    # Labels
    Definition("accuracy_score", "accuracy", "labels", True, 1, 0, 1, True,
               **_SUMS, build=labels.accuracy),
    Definition("zero_one_loss", "zero-one loss", "labels", False, 0, 0, 1, True,
               **_SUMS, build=labels.errors),
    Definition("hamming_loss", "Hamming loss", "labels", False, 0, 0, 1, True,
               **_SUMS, build=labels.errors),
    Definition("balanced_accuracy_score", "balanced accuracy", "labels", True, 1, 0, 1, True,
               **_SUMS, build=labels.balanced_accuracy, params={"adjusted": False},
               bounds=labels.balanced_bounds),
    Definition("precision_score", "precision", "labels", True, 1, 0, 1, True,
               **_SUMS, build=labels.Averaged(labels.precision), params=_CLASSES),
    Definition("recall_score", "recall", "labels", True, 1, 0, 1, True,
               **_SUMS, build=labels.Averaged(labels.recall), params=_CLASSES),
    Definition("specificity_score", "specificity", "labels", True, 1, 0, 1, True,
               **_SUMS, build=labels.Averaged(labels.specificity), params=_CLASSES,
               oracle=_OWN + "specificity_score"),
    Definition("f1_score", "F1", "labels", True, 1, 0, 1, True,
               **_SUMS, build=labels.Averaged(labels.f_beta), params=_CLASSES),
    Definition("fbeta_score", "F-beta", "labels", True, 1, 0, 1, True,
               **_SUMS, build=labels.Averaged(labels.f_beta), params={**_CLASSES, "beta": 1.0}),
    Definition("jaccard_score", "Jaccard", "labels", True, 1, 0, 1, True,
               **_SUMS, build=labels.Averaged(labels.jaccard), params=_CLASSES),
    Definition("matthews_corrcoef", "MCC", "labels", True, 1, -1, 1, False,
               **_SUMS, build=agreement.matthews),
    Definition("cohen_kappa_score", "Cohen's kappa", "labels", True, 1, -1, 1, False,
               **_SUMS, build=agreement.kappa, params={"weights": None}),

    # Probabilities and scores of classes
    Definition("log_loss", "log loss", "probabilities", False, 0, 0, _INF, True,
               **_SUMS, build=probabilities.log_loss, context=probabilities.every_class),
    Definition("brier_score_loss", "Brier score", "probabilities", False, 0, 0, 2, True,
               **_SUMS, build=probabilities.brier, params={"pos_label": None},
               context=probabilities.positive_class, bounds=probabilities.brier_bounds),
    Definition("d2_log_loss_score", "D² log loss", "probabilities", True, 1, -_INF, 1, False,
               **_SUMS, build=probabilities.d2_log_loss, context=probabilities.every_class),
    Definition("hinge_loss", "hinge loss", "scores", False, 0, 0, _INF, True,
               **_SUMS, build=probabilities.hinge, context=probabilities.every_class,
               positive=classes.positive_label),
    Definition("roc_auc_score", "ROC AUC", "scores", True, 1, 0, 1, False,
               **_ORDERED, build=roc.roc_auc, params={"multi_class": "raise", "average": "macro"},
               context=probabilities.every_class, positive=classes.positive_label),
    Definition("average_precision_score", "average precision", "scores", True, 1, 0, 1, True,
               **_ORDERED, build=roc.average_precision, params={"pos_label": None},
               context=probabilities.precision_class, positive=classes.precision_label),

    # Numbers: errors
    Definition("mean_absolute_error", "MAE", "numbers", False, 0, 0, _INF, True,
               **_SUMS, build=regression.MeanError(regression.absolute)),
    Definition("mean_squared_error", "MSE", "numbers", False, 0, 0, _INF, True,
               **_SUMS, build=regression.MeanError(regression.squared)),
    Definition("root_mean_squared_error", "RMSE", "numbers", False, 0, 0, _INF, True,
               **_SUMS, build=regression.MeanError(regression.squared, root=True)),
    Definition("mean_absolute_percentage_error", "MAPE", "numbers", False, 0, 0, _INF, True,
               **_SUMS, build=regression.MeanError(regression.percentage)),
    Definition("mean_squared_log_error", "MSLE", "numbers", False, 0, 0, _INF, True,
               **_SUMS, build=regression.MeanError(regression.squared_log), above=-1),
    Definition("root_mean_squared_log_error", "RMSLE", "numbers", False, 0, 0, _INF, True,
               **_SUMS, build=regression.MeanError(regression.squared_log, root=True),
               above=-1),
    Definition("mean_pinball_loss", "pinball loss", "numbers", False, 0, 0, _INF, True,
               **_SUMS, build=regression.MeanError(regression.pinball), params={"alpha": 0.5}),
    Definition("mean_poisson_deviance", "Poisson deviance", "numbers", False, 0, 0, _INF, True,
               **_SUMS, build=regression.MeanError(regression.poisson), above=0),
    Definition("mean_gamma_deviance", "Gamma deviance", "numbers", False, 0, 0, _INF, True,
               **_SUMS, build=regression.MeanError(regression.gamma), above=0),
    Definition("median_absolute_error", "median absolute error", "numbers", False, 0, 0, _INF, True,
               **_ORDERED, build=quantiles.median_absolute_error),
    Definition("max_error", "largest error", "numbers", False, 0, 0, _INF, True,
               **_ORDERED, build=quantiles.max_error),

    # Numbers: variance explained, correlation
    Definition("r2_score", "R²", "numbers", True, 1, -_INF, 1, False,
               **_SUMS, build=regression.Explained(free=False)),
    Definition("explained_variance_score", "explained variance", "numbers", True, 1, -_INF, 1,
               **_SUMS, build=regression.Explained(free=True)),
    Definition("pearsonr", "Pearson's r", "numbers", True, 1, -1, 1, False,
               **_SUMS, build=correlation.pearson, oracle=_OWN + "pearsonr"),
    Definition("spearmanr", "Spearman's ρ", "numbers", True, 1, -1, 1, False,
               **_ORDERED, build=correlation.spearman, oracle=_OWN + "spearmanr"),
    Definition("kendalltau", "Kendall's τ", "numbers", True, 1, -1, 1, False,
               **_ORDERED, build=correlation.kendall, oracle=_OWN + "kendalltau"),
    Definition("concordance_index", "concordance", "numbers", True, 1, 0, 1, False,
               **_ORDERED, build=correlation.concordance, oracle=_OWN + "concordance_index"),

    Definition("ndcg_score", "NDCG", "numbers", True, 1, 0, 1, True,
               **_ORDERED, build=gain.ndcg, params={"k": None}, oracle=_OWN + "ndcg_score"),

    # Scores that others have measured, one for each unit; the settings say which direction is
    # better.
    Definition("mean_score", "mean score", "numbers", True, None, -_INF, _INF, True,
               **_SUMS, build=regression.MeanError(regression.score), oracle=_OWN + "mean_score"),
)
# fmt: on

#: The metrics by their functions' names.
REGISTRY = {str(definition.function): definition for definition in _ROWS}
