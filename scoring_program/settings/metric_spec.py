"""The key ``metrics``: the metrics' names, their definitions and their keys in scores.txt.

scikit-learn has two names for most of its metrics, that of the function ("f1_score") and that of
the scorer ("f1_macro"). Here both name the metric, and so do the usual short names ("mae"). Of
scorers ``neg_…`` the positive error is shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import yaml

from ..core.errors import SettingsError, nearest
from .checks import Check, checked, checked_by, checks_of, each, flag, parameters, text

#: Averages over classes that change what a metric is called: "macro F1".
AVERAGES = ("macro", "micro", "weighted", "samples")
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
#: Of these, the names of metrics; another is only understood.
_SHORT = ("mae", "mse", "rmse", "rmsle", "mcc", "kappa", "wer", "cer", "map", "mrr", "rouge")
#: Scorer, or short name → the metric, a function of sklearn.metrics or one of ours, and parameters.
SCORERS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    **{name: (f"{name}_score", {}) for name in (*_SCORES, *_AVERAGED)},
    **{
        f"{name}_{average}": (f"{name}_score", {"average": average})
        for name in _AVERAGED
        for average in AVERAGES
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
    **{name: (_MEANT[name], {}) for name in _SHORT},
    "qwk": ("cohen_kappa_score", {"weights": "quadratic"}),
}
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
    averages = [word for word in words if word in AVERAGES]
    rest = "".join(word for word in words if word not in (*AVERAGES, "score", "avg"))
    if averages and rest in _AVERAGED:
        return f"; write '{rest}_score: {{average: {averages[0]}}}'"
    if meant := _MEANT.get(plain) or _MEANT.get(rest):
        return f"; did you mean {meant!r}?"
    return nearest(name, sorted({*known, *SCORERS}))  # of several, the same in every run


_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.@-]*")
#: Codabench stores leaderboard keys in a column of this width.
LONGEST_KEY = 36
#: Keys in scores.txt that belong to no metric.
RESERVED_KEYS = frozenset(
    {
        "n_examples", "n_teams", "n_tied_with_leader", "duration",
        "rank", "tied_with_leader", "distance_from_best", "difference_from_leader", "p_value",
    }
)  # fmt: skip
#: The parameter of scikit-learn's functions that the reference data give as a column.
SAMPLE_WEIGHT = "sample_weight"


@dataclass(frozen=True)
class MetricSpec:
    """A metric in the settings: a function with parameters, or a formula over other metrics."""

    name: str = field(metadata={"check": text})
    function: str | None = checked_by(text)
    params: Mapping[str, Any] = field(default_factory=dict, metadata={"check": parameters})
    formula: str | None = checked_by(text)
    greater_is_better: bool | None = checked_by(flag)
    column: str | None = checked_by(text)
    #: The tasks that it scores; empty for all that it applies to.
    task: tuple[str, ...] = checked_by(each(text), ())
    #: What one example counts; then ``function`` scores the sums.
    statistics: str | None = checked_by(text)
    #: False: ``function`` scores what is counted of each example itself.
    sums: bool | None = checked_by(flag)
    #: False: only an ingredient of formulas, which needs no direction.
    show: bool | None = checked_by(flag)
    #: The kind of prediction or of data that a function needs.
    kind: str | None = checked_by(text)
    where: str = field(default="settings", compare=False)  # file and line, for messages
    call: Callable[..., Any] | None = field(default=None, repr=False)  # a function from Python

    @property
    def weight_column(self) -> str | None:
        """The column of the reference data with the examples' weights."""
        column = self.params.get(SAMPLE_WEIGHT)
        return column if isinstance(column, str) else None


#: Keys of the long form of a metric.
LONG_FORM: Mapping[str, Check] = {**checks_of(MetricSpec), SAMPLE_WEIGHT: text}


def keys_of(metric: str) -> tuple[str, str, str]:
    """Return the keys in scores.txt that belong to a metric: its score and its interval."""
    return metric, f"{metric}_ci_low", f"{metric}_ci_high"


def as_dict(spec: MetricSpec) -> dict[str, Any]:
    """Return a metric's settings as results.json records them."""
    return {
        key: value
        for key, value in vars(spec).items()
        if key not in ("where", "call") and value not in (None, {}, ())
    }


def read_metrics(value: Any, lines: Mapping[str, str]) -> tuple[MetricSpec, ...]:
    """Read the value of ``metrics``; ``lines`` says where each metric was set.

    Raises
    ------
    SettingsError
        A metric that is malformed, or whose keys of scores.txt are taken.
    ValueError
        No metric at all.
    """
    items = value if isinstance(value, list) else [value]
    if not items:
        raise ValueError("at least one metric")
    specs: list[MetricSpec] = []
    taken = set(RESERVED_KEYS)
    for index, item in enumerate(items):
        where = lines.get(f"metrics[{index}]", lines.get("metrics", "settings"))
        spec = _read_metric(item, where)
        if spec.name in {other.name for other in specs}:
            raise SettingsError(
                f"{where}: two metrics are called {spec.name!r}; give one of them another name, as "
                f"in {{name: {spec.name}_2, function: {spec.function or '…'}, params: {{…}}}}"
            )
        keys = set(keys_of(spec.name))
        if clash := min(keys & taken, default=None):
            raise SettingsError(
                f"{where}: the metric {spec.name!r} would need the key {clash!r} of scores.txt, "
                "which is taken; give it another 'name'"
            )
        taken |= keys
        specs.append(spec)
    if all(spec.show is False for spec in specs):
        raise ValueError("at least one metric with 'show: true'")
    return tuple(specs)


def _read_metric(item: Any, where: str) -> MetricSpec:
    """Read one item of ``metrics``: a name, a name with parameters, or the long form.

    A call from Python may have made a `MetricSpec` of it already.
    """
    if isinstance(item, MetricSpec):
        spec = item
    elif isinstance(item, str):
        spec = MetricSpec(name=item, function=item, where=where)
    elif isinstance(item, dict) and {"name", "function"} & item.keys():
        spec = _read_long_form({"name": _name_of(item.get("function")), **item}, where)
    elif (
        isinstance(item, dict) and len(named := [key for key in item if key not in LONG_FORM]) == 1
    ):
        ((name, params),) = [(key, item[key]) for key in named]
        if params is not None and not isinstance(params, dict):
            raise SettingsError(f"{where}: write the parameters of {name!r} as {{key: value}}")
        beside = {key: value for key, value in item.items() if key != name}
        long_form = {"name": str(name), "function": str(name), "params": params or {}, **beside}
        spec = _read_long_form(long_form, where)
    else:
        raise SettingsError(
            f"{where}: write a metric as 'f1_score', as 'f1_score: {{average: macro}}', "
            "or with 'name:' and 'function:'"
        )
    spec = _named_as_scikit_learn_does(spec)
    _check_name(spec.name, where)
    return spec


def _name_of(function: Any) -> str:
    """Return the name of a metric that has none: that of its function."""
    return str(function).removeprefix("sklearn.metrics.").rpartition(":")[2]


def _named_as_scikit_learn_does(spec: MetricSpec) -> MetricSpec:
    """Return a metric with the function that the name of a scorer stands for."""
    if spec.function is None or spec.function not in SCORERS or spec.call is not None:
        return spec
    function, params = SCORERS[spec.function]
    name = spec.name.removeprefix("neg_") if spec.name == spec.function else spec.name
    return replace(spec, name=name, function=function, params={**params, **spec.params})


def _check_name(name: str, where: str) -> None:
    if not _KEY.fullmatch(name) or len(name) > LONGEST_KEY or yaml.safe_load(name) != name:
        raise SettingsError(
            f"{where}: the metric name {name!r} becomes a key in scores.txt; use at most "
            f"{LONGEST_KEY} ASCII letters, digits, '_', '-', '.' or '@', start with a letter or "
            "'_', do not use a special word of YAML, and name the function with 'function:'"
        )


def _read_long_form(item: Mapping[str, Any], where: str) -> MetricSpec:
    remedy = "; a parameter of the function goes under 'params:'"
    values = checked(item, LONG_FORM, lambda _: where, remedy)
    if ("function" in values) == ("formula" in values):
        raise SettingsError(
            f"{where}: metric {values['name']!r} needs either 'function:' or 'formula:'"
        )
    own = ":" in values.get("function", "")
    if ("statistics" in values and not own) or ("kind" in values and "formula" in values):
        key = "statistics" if "statistics" in values else "kind"
        raise SettingsError(
            f"{where}: metric {values['name']!r}: '{key}:' goes with a function of your own, "
            "such as 'function: my_metric.py:score'"
        )
    if "sums" in values and "statistics" not in values:
        raise SettingsError(
            f"{where}: metric {values['name']!r}: 'sums:' goes with 'statistics:', which counts "
            "one example"
        )
    if SAMPLE_WEIGHT in values:  # the parameter may also stand outside of 'params:'
        values["params"] = {**values.get("params", {}), SAMPLE_WEIGHT: values.pop(SAMPLE_WEIGHT)}
    if "formula" in values and SAMPLE_WEIGHT in values.get("params", {}):
        raise SettingsError(
            f"{where}: metric {values['name']!r}: '{SAMPLE_WEIGHT}:' goes with a function; give it "
            "to the metrics that the formula names"
        )
    return MetricSpec(**values, where=where)
