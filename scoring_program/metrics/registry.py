"""The metrics with definitions, by the names of their functions.

A new metric of rows is one new file in `families`, with its `Definition` in ``DEFINITIONS``, and
the file's name in the list below; one of another kind of data is a file in `kinds`. The definition
says what is predicted, which direction is better, the ideal value and the range, and how a resample
is scored. If scikit-learn lacks the metric, the file also holds a plain function, which ``oracle``
names. The tests compare the statistics with it, and it scores the resamples on which the statistics
are inexact.

Other metrics need no entry. Any function of sklearn.metrics can be called (`functions`), an
organizer's function comes from a file, and an installed package may add its own functions
(`own.organizer`). Measures of ranked lists have names without number: `find` knows them, too.
"""

from __future__ import annotations

from .families import (
    correlation,
    gain,
    labels,
    per_class,
    preferences,
    probabilities,
    regression,
    roc,
    unit_scores,
)
from .kinds import matching, multilabel, repeated, retrieval, text_metrics
from .metric import Definition

_MODULES = (
    labels,
    per_class,
    probabilities,
    roc,
    regression,
    correlation,
    gain,
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
