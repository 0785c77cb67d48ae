"""Names of metrics, in settings and in Python: scikit-learn's scorers, and what people call them.

scikit-learn has two names for most of its metrics, that of the function ("f1_score") and that of
the scorer ("f1_macro"). Here both name the metric. Of scorers ``neg_…`` the positive error is
shown.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from ..core.errors import nearest

_AVERAGES = ("macro", "micro", "weighted", "samples")
_AVERAGED = ("f1", "precision", "recall", "jaccard")
_SCORES = (
    "accuracy", "average_precision", "balanced_accuracy", "explained_variance", "r2", "roc_auc",
    "top_k_accuracy",
)  # fmt: skip
_ERRORS = (
    "log_loss", "max_error", "mean_absolute_error", "mean_absolute_percentage_error",
    "mean_gamma_deviance", "mean_poisson_deviance", "mean_squared_error", "mean_squared_log_error",
    "median_absolute_error", "root_mean_squared_error", "root_mean_squared_log_error",
)  # fmt: skip
#: Scorer → the function of sklearn.metrics and its parameters.
SCORERS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    **{name: (f"{name}_score", {}) for name in (*_SCORES, *_AVERAGED)},
    **{
        f"{name}_{average}": (f"{name}_score", {"average": average})
        for name in _AVERAGED
        for average in _AVERAGES
    },
    **{
        f"roc_auc_{kind}{'_weighted' * bool(average)}": (
            "roc_auc_score",
            {"multi_class": kind, **average},
        )
        for kind in ("ovo", "ovr")
        for average in ({}, {"average": "weighted"})
    },
    **{f"neg_{name}": (name, {}) for name in _ERRORS},
    "neg_brier_score": ("brier_score_loss", {}),
}
#: What people call a metric, without signs and averages → how to write it.
_MEANT = {
    **dict.fromkeys(("acc", "exactaccuracy"), "accuracy_score"),
    **dict.fromkeys(("auc", "auroc", "rocauc", "areaundercurve"), "roc_auc_score"),
    **dict.fromkeys(("ap", "prauc", "auprc", "averageprecision"), "average_precision_score"),
    **dict.fromkeys(("qwk", "quadratickappa", "quadraticweightedkappa"),
                    "cohen_kappa_score: {weights: quadratic}"),
    **dict.fromkeys(("kappa", "cohenkappa", "cohenskappa"), "cohen_kappa_score"),
    **dict.fromkeys(("mcc", "matthews"), "matthews_corrcoef"),
    **dict.fromkeys(("fscore", "fmeasure", "f1score", "dice", "dsc"), "f1_score"),
    **dict.fromkeys(("iou", "jaccardindex"), "jaccard_score"),
    **dict.fromkeys(("logloss", "crossentropy", "nll", "ce"), "log_loss"),
    **dict.fromkeys(("brier", "brierscore"), "brier_score_loss"),
    **dict.fromkeys(("mae", "meanabsoluteerror", "l1"), "mean_absolute_error"),
    **dict.fromkeys(("mse", "meansquarederror", "l2"), "mean_squared_error"),
    **dict.fromkeys(("rmse",), "root_mean_squared_error"),
    **dict.fromkeys(("rmsle",), "root_mean_squared_log_error"),
    **dict.fromkeys(("mape",), "mean_absolute_percentage_error"),
    **dict.fromkeys(("rsquared", "r2score"), "r2_score"),
    **dict.fromkeys(("pearson", "pearsonsr", "pcc", "pearsoncorrelation"), "pearsonr"),
    **dict.fromkeys(("spearman", "spearmansrho", "srcc", "spearmancorrelation"), "spearmanr"),
    **dict.fromkeys(("map", "meanaverageprecision"), "AP"),
    **dict.fromkeys(("mrr", "meanreciprocalrank", "reciprocalrank"), "RR"),
    **dict.fromkeys(("wer",), "word_error_rate"),
    **dict.fromkeys(("cer",), "character_error_rate"),
    **dict.fromkeys(("rouge", "rougel"), "rougeL"),
    **dict.fromkeys(("em", "exactmatch"), "exact_match"),
    **dict.fromkeys(("cindex",), "concordance_index"),
}  # fmt: skip
#: Metrics that are models.
_LEARNED = (
    "comet", "xcomet", "metricx", "bertscore", "bleurt", "bartscore", "moverscore", "unieval",
    "geval", "clipscore", "frechetinceptiondistance", "fid", "llmjudge", "sbert", "yisi",
)  # fmt: skip


def suggestion(name: str, known: Collection[str]) -> str:
    """Return what to write in place of a name that no metric has, as the end of a sentence.

    By its meaning first, and only then by its letters. A learned metric has no other name: the text
    says how its scores enter.
    """
    words = [word for word in re.split(r"[\W_]+", name.casefold()) if word]
    plain = "".join(words)
    if any(word.startswith(_LEARNED) for word in (*words, plain)):
        return (
            "; it is a learned metric, whose model is no part of this program. Score every example "
            "with its own tool, and give the scores as a table (one column for each system; in "
            "Python to compare_scores), or as 'function: my_metric.py:score' with "
            "'greater_is_better: true'"
        )
    averages = [word for word in words if word in _AVERAGES]
    rest = "".join(word for word in words if word not in (*_AVERAGES, "score", "avg"))
    if averages and rest in _AVERAGED:
        return f"; write '{rest}_score: {{average: {averages[0]}}}'"
    if meant := _MEANT.get(plain) or _MEANT.get(rest):
        return f"; did you mean {meant!r}?"
    return nearest(name, {*known, *SCORERS})
