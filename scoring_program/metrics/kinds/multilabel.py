"""Metrics of examples with several labels, or none: scikit-learn's, and ICM.

A resample needs only the sums of a label's true positives, predictions and occurrences. They are
those of the metrics of one class (`labels`), except that all labels of the competition count,
as in the indicator matrices that scikit-learn takes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...core.arrays import Array, Bools, Floats
from ...core.errors import MetricError, nearest
from ..families.labels import (
    Ratio,
    averaged,
    f_beta,
    jaccard,
    precision,
    recall,
    split,
    with_beta,
    zero_division,
)
from ..gold_needs import something
from ..metric import ERROR, SHARE, Data, Definition, Evaluated, GoldDefect, defined
from ..sums import Sums, mean, means_of

_AVERAGES = ("micro", "macro", "weighted", "samples")
_PARAMS: Mapping[str, Any] = {"labels": None, "average": None, "zero_division": "warn"}
KIND = "label_sets"


def indicators(data: Data, labels: Sequence[Any] | None = None) -> tuple[Bools, list[Bools]]:
    """Return the indicator matrices of the gold and of every entry, [C, n] each.

    The C labels are the given ones, else those of the competition or, if these are unknown, of the
    gold and the predictions.
    """
    if labels is not None:
        names = [str(label) for label in labels]
    elif data.labels is not None:
        names = [str(label) for label in data.labels]
    else:
        sets = (labels for column in (data.y_true, *data.y_preds) for labels in column)
        names = sorted({str(label) for labels in sets for label in labels})
    place = {label: row for row, label in enumerate(names)}

    def matrix(column: Any) -> Bools:
        members = np.zeros((len(place), len(column)), np.bool_)
        for example, labels_of_example in enumerate(column):
            for label in labels_of_example:
                row = place.get(str(label))
                if row is not None:
                    members[row, example] = True
        return members

    return matrix(data.y_true), [matrix(column) for column in data.y_preds]


def _label_sums(
    data: Data, labels: Sequence[Any] | None, finish: Callable[[Floats], Evaluated]
) -> Sums:
    """Return 3·C + 1 statistics of every entry, as `labels.class_sums` does for one label."""
    true, entries = indicators(data, labels)
    drawn = (np.ones(data.n, np.bool_),)
    columns = tuple((*(predicted & true), *predicted, *true, *drawn) for predicted in entries)
    return Sums(columns, finish)


def _averaged(data: Data, params: Mapping[str, Any], ratio: Ratio) -> Sums:
    """Bind a ratio per label or per example, averaged as ``params["average"]`` says.

    Raises MetricError if there is no such average.
    """
    average = params["average"]
    if average not in _AVERAGES:
        raise MetricError(
            f"examples with several labels need average: {', '.join(_AVERAGES)}; found "
            f"{average!r}{nearest(str(average), _AVERAGES)}"
        )
    zero = zero_division(params["zero_division"])
    ratio = with_beta(ratio, params)
    if average == "samples":
        return _of_examples(data, params["labels"], ratio, zero)
    finish = partial(averaged, ratio=ratio, average=average, fixed_classes=True, zero_division=zero)
    return _label_sums(data, params["labels"], finish)


def _of_examples(
    data: Data, labels: Sequence[Any] | None, ratio: Ratio, zero_division: float
) -> Sums:
    """Return a ratio of every example, and 1; 0 and 0 where it is to be left out."""
    true, entries = indicators(data, labels)
    columns = []
    occurring = true.sum(axis=0, dtype=np.float64)
    drawn = np.full(data.n, len(true), float)
    for labels_of_entry in entries:
        tp = (labels_of_entry & true).sum(axis=0, dtype=np.float64)
        predicted = labels_of_entry.sum(axis=0, dtype=np.float64)
        numerator, denominator = ratio(tp, predicted, occurring, drawn)
        values = np.full(data.n, zero_division)
        np.divide(numerator, denominator, out=values, where=denominator != 0)
        is_defined = ~np.isnan(values)
        columns.append((np.where(is_defined, values, 0.0), is_defined))
    return Sums(tuple(columns), mean)


def _mean_of_examples(
    data: Data, params: Mapping[str, Any], of_example: Callable[[Bools, Bools], Array]
) -> Sums:
    """Bind the mean over examples of what two [C, n] matrices give each."""
    true, entries = indicators(data)
    return means_of(data.n, (of_example(true, predicted) for predicted in entries))


def _same(true: Bools, predicted: Bools) -> Array:
    return np.asarray((true == predicted).all(axis=0))


def _other(true: Bools, predicted: Bools) -> Array:
    return ~_same(true, predicted)


def _hamming(true: Bools, predicted: Bools) -> Array:
    return np.asarray((true != predicted).sum(axis=0) / max(len(true), 1))


def _icm(data: Data, params: Mapping[str, Any], finish: Callable[[Floats], Evaluated]) -> Sums:
    return _label_sums(data, None, finish)


def _contents(sums: Floats) -> tuple[Floats, Floats]:
    """Return ICM and ICM of the gold with itself, [m, R] each.

    ICM(A, B) = 2·I(A) + 2·I(B) − 3·I(A ∪ B) with the information content I(A) = Σ −log2 p(label)
    of labels without a hierarchy (Amigó and Delgado 2022, "Evaluating extreme hierarchical
    multi-label classification"). A label of both sets contributes its content once, a label of
    one of them takes it away once. p is the share of the drawn examples that have the label; one
    that none has counts as if one had it, as in PyEvALL.
    """
    tp, predicted, true = split(sums)
    drawn = sums[:, -1]
    content = -np.log2(np.maximum(true, 1.0) / drawn[:, None])
    information = (content * (3 * tp - predicted - true)).sum(axis=1) / drawn
    return information, (content * true).sum(axis=1) / drawn


def _finish_icm(sums: Floats) -> Evaluated:
    return defined(_contents(sums)[0])


def _finish_icm_norm(sums: Floats) -> Evaluated:
    """ICM between its negative for the gold and that for the gold: 0 and 1; not below 0."""
    information, perfect = _contents(sums)
    with np.errstate(invalid="ignore", divide="ignore"):
        normalized = np.maximum((information + perfect) / (2 * perfect), 0.0)
    return defined(np.where(perfect > 0, normalized, np.nan))


def _has_labels(example: Sequence[Any], params: Mapping[str, Any]) -> bool:
    """Whether an example has one of the labels that count; any, if none are named."""
    labels = params.get("labels")
    if labels is None:
        return bool(example)
    named = {str(label) for label in labels}
    return any(str(label) in named for label in example)


_some_label = something("example with a label", _has_labels)


def _informative(data: Data, params: Mapping[str, Any]) -> GoldDefect | None:
    """Ask for a label that some examples have and others lack: all others have no content."""
    if (nothing := _some_label(data, params)) is not None:
        return nothing
    first = set(data.y_true[0])
    if any(set(example) != first for example in data.y_true):
        return None
    same = "the same labels for every example"
    return GoldDefect((same, same), "Choose another metric.")


_SHARE = partial(SHARE, kind=KIND, evaluation="sums")
_LOSS = partial(ERROR, kind=KIND, high=1, evaluation="sums")
_RATIO = partial(_SHARE, defaults=_PARAMS, gold_defect=_some_label)

#: The metrics that only examples with several labels have.
DEFINITIONS = (
    Definition(
        "icm",
        "ICM",
        KIND,
        greater_is_better=True,
        evaluation="sums",
        build=partial(_icm, finish=_finish_icm),
        gold_defect=_some_label,
    ),
    _SHARE(
        "icm_norm",
        "normalized ICM",
        build=partial(_icm, finish=_finish_icm_norm),
        gold_defect=_informative,
    ),
)
#: scikit-learn's functions, as they score several labels.
VARIANTS = (
    _RATIO("precision_score", "precision", build=partial(_averaged, ratio=precision)),
    _RATIO("recall_score", "recall", build=partial(_averaged, ratio=recall)),
    _RATIO("f1_score", "F1", build=partial(_averaged, ratio=f_beta)),
    _RATIO(
        "fbeta_score", "F-beta", build=partial(_averaged, ratio=f_beta),
        defaults={**_PARAMS, "beta": 1.0},
    ),
    _RATIO("jaccard_score", "Jaccard", build=partial(_averaged, ratio=jaccard)),
    _SHARE("accuracy_score", "subset accuracy", build=partial(_mean_of_examples, of_example=_same)),
    _LOSS("zero_one_loss", "zero-one loss", build=partial(_mean_of_examples, of_example=_other)),
    _LOSS("hamming_loss", "Hamming loss", build=partial(_mean_of_examples, of_example=_hamming)),
)  # fmt: skip
