"""The metrics with definitions, by the names of their functions.

A new metric of rows is one new file in `families`, with its `Definition` in ``DEFINITIONS``, and
the file's name in the list below; one of another kind of data is a file in `kinds`. The definition
says what is predicted, which direction is better, the ideal value and the range, and how a resample
is scored. If scikit-learn lacks the metric, the file also holds a plain function, which ``oracle``
names. The tests compare the statistics with it, and it scores the resamples on which the statistics
are inexact.

Other metrics need no entry. Any function of sklearn.metrics can be called (`definition_of`), an
organizer's function comes from a file, and an installed package may add its own functions
(`organizer`). Measures of ranked lists have names without number: `find` knows them, too.
scikit-learn is imported only for a metric that has no entry or that is called, because the import
takes longer than most competitions.
"""

from __future__ import annotations

import importlib
import inspect
import math
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ..core.errors import SettingsError
from ..settings.checks import suggestion
from . import gold_needs, organizer
from .families import (
    correlation,
    labels,
    preferences,
    probabilities,
    regression,
    roc,
    unit_scores,
)
from .kinds import matching, multilabel, repeated, retrieval, text_metrics
from .metric import Definition, Kind

_MODULES = (
    labels,
    probabilities,
    roc,
    regression,
    correlation,
    unit_scores,
    preferences,
    repeated,
    multilabel,
    text_metrics,
    matching,
)

REGISTRY: dict[str, Definition] = {
    str(definition.function): definition for module in _MODULES for definition in module.DEFINITIONS
}
#: The definitions of functions for a kind of data other than rows, which they score, too.
_VARIANTS = {
    (definition.kind, str(definition.function)): definition for definition in multilabel.VARIANTS
}


def find(function: str, kind: str | None = None) -> Definition | None:
    """Return the definition of a function by its name, or of a measure of ranked lists.

    ``kind`` is the kind of data, for a function that scores several.
    """
    variant = _VARIANTS.get((kind, function)) if kind is not None else None
    return variant or REGISTRY.get(function) or retrieval.find(function)


def scores(function: str | None, kind: str) -> bool:
    """Return whether a function of rows scores data of another kind, too."""
    return (kind, function) in _VARIANTS


#: The kind of prediction for each of scikit-learn's modules, unless an argument's name states it.
_KIND_OF_MODULE: dict[str, Kind] = {
    "_classification": "labels",
    "_regression": "numbers",
    "_ranking": "scores",
    "_supervised": "labels",
}
_KIND_OF_ARGUMENT: dict[str, Kind] = {
    "y_prob": "probabilities",
    "y_proba": "probabilities",
    "y_score": "scores",
    "pred_decision": "scores",
}
#: Whether a higher value of a metric is better, and its lower and upper bounds.
Known = tuple[bool, float, float]
#: What the usual abbreviations of metrics mean.
_USUAL: Mapping[str, Known] = {
    **dict.fromkeys(("acc", "acc_norm", "auc", "auroc", "map", "mrr", "rouge"), (True, 0.0, 1.0)),
    **dict.fromkeys(("kappa", "qwk"), (True, -1.0, 1.0)),
    **dict.fromkeys(
        ("wer", "cer", "err", "ppl", "perplexity", "crps", "mae", "mse", "rmse", "brier"),
        (False, 0.0, math.inf),
    ),
    **dict.fromkeys(("nll", "logloss", "loss", "error", "deviance"), (False, -math.inf, math.inf)),
}
#: Words of a metric's name that say on which data or how it was averaged.
_NO_METRIC = frozenset(
    ("train", "test", "val", "valid", "dev", "eval", "mean", "avg", "macro", "micro", "weighted")
)


def function_of(name: str, oracle: str = "") -> Callable[..., Any]:
    """Import a metric's function: that of ``oracle`` ("module:function") or of sklearn.metrics."""
    module, _, attribute = (oracle or f"sklearn.metrics:{name}").partition(":")
    function: Callable[..., Any] = getattr(importlib.import_module(module), attribute)
    return function


def parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of a function's parameters."""
    stated: tuple[str, ...] | None = getattr(function, "parameters", None)
    return tuple(inspect.signature(function).parameters) if stated is None else stated


def definition_of(name: str, greater_is_better: bool | None, metric: str) -> Definition:
    """Return the definition of a function of sklearn.metrics that is not in the registry.

    The direction comes from scikit-learn's scorers, then from its rule for names ("functions ending
    with _score return a value to maximize, … _error, _loss, _deviance … to minimize"), then from
    the settings. Raises SettingsError for a function that does not exist, scores no predictions,
    or has an unknown direction.
    """
    from sklearn import metrics as library

    function = getattr(library, name, None)
    names = {*library.__all__, *REGISTRY, *organizer.installed_names()}
    if name not in library.__all__ or not inspect.isfunction(function):
        remedy = "; for a function of your own, write 'function: my_metric.py:score'"
        meant = suggestion(name, names) or remedy
        raise SettingsError(f"metric {metric!r}: sklearn.metrics has no function {name!r}{meant}")
    arguments = list(inspect.signature(function).parameters)
    module = function.__module__.rpartition(".")[2]
    if module not in _KIND_OF_MODULE or len(arguments) < 2 or arguments[0] == "x":
        meant = suggestion(name, ()) or "; choose another metric"
        raise SettingsError(
            f"metric {metric!r}: sklearn.metrics.{name} does not compare predictions with "
            f"reference data{meant}"
        )
    better = _by_ending(name)
    for scorer in map(library.get_scorer, library.get_scorer_names()):
        if scorer._score_func.__name__ == name:
            better = bool(scorer._sign > 0)
            break
    if better is None:
        better = greater_is_better
    if better is None:
        raise SettingsError(
            f"metric {metric!r}: say whether a higher value of {name} is better, with "
            "greater_is_better: true or false"
        )
    kind = _KIND_OF_ARGUMENT.get(arguments[1], _KIND_OF_MODULE[module])
    scores_classes = kind in ("scores", "probabilities")
    # Of numbers, those to be maximized are D², the shares of a deviance that are explained.
    explains = kind == "numbers" and better
    return Definition(
        function=name,
        label=name.removesuffix("_score").replace("_", " "),
        kind=kind,
        context=partial(probabilities.class_arguments, arguments) if scores_classes else None,
        positive="single" if scores_classes else None,
        defaults={"pos_label": None} if scores_classes else {},
        gold_defect=gold_needs.different_numbers if explains else None,
        greater_is_better=better,
        ideal=None if better else 0.0,
        low=-math.inf if better else 0.0,
    )


def direction_by_name(name: str) -> bool | None:
    """Return whether a higher value of what has this name is better; None if the name is silent."""
    facts = known_by_name(name)
    return None if facts is None else facts[0]


def known_by_name(name: str) -> Known | None:
    """Return the direction and the bounds of what has this name; None if the name is silent.

    It is a metric of the registry ("MAE", "f1_score") or a usual abbreviation ("acc"), perhaps with
    the part of the data or the average in front or behind ("val_acc", "f1_macro"), or it ends like
    scikit-learn's functions. scikit-learn turns an error around by ``neg_``; inspect_ai's frames
    call the scores of a scorer ``score_`` and its name.
    """
    words = [word for word in re.split(r"[\W_]+", name.casefold()) if word]
    if words[:1] == ["score"]:
        words = words[1:] or words
    if "neg" in words:
        words.remove("neg")
        facts = known_by_name("_".join(words))
        return None if facts is None else (not facts[0], -facts[2], -facts[1])
    if not words:
        return None
    plain = [word for word in words if word not in _NO_METRIC] or words
    for key in ("_".join(words), "_".join(plain)):
        if key in _USUAL:
            return _USUAL[key]
        for definition in REGISTRY.values():
            if key in (definition.function, definition.label.casefold().replace(" ", "_")):
                return definition.greater_is_better, definition.low, definition.high
    if plain[-1] == "score" and len(plain) > 1:  # "toxicity_score" may be either
        facts = known_by_name("_".join(plain[:-1]))
        return facts if facts is not None and facts[0] else None
    better = _by_ending(f"_{'_'.join(words)}")
    return None if better is None else (better, -math.inf, math.inf)


def _by_ending(name: str) -> bool | None:
    if name.endswith("_score"):
        return True
    return False if name.endswith(("_error", "_loss", "_deviance")) else None
