"""The metrics that this program knows, by the names of their functions.

A new metric is one new file beside this one, with its `Definition` in ``DEFINITIONS``, and the
file's name in the list below. The definition says what is predicted, which direction is better, the
ideal value and the range, and how a resample is scored. Where scikit-learn does not have the
metric, the file also holds a plain function of it, which ``oracle`` names: the tests compare the
statistics with it, and a resample on which rounding decides is scored by it.

Other metrics need no entry: any function of sklearn.metrics works by calling it (`functions`), an
organizer's function comes from a file (`organizer`), and an installed package may add functions of
its own (`plugins`).
"""

from __future__ import annotations

from . import (
    agreement,
    correlation,
    gain,
    labels,
    per_class,
    probabilities,
    quantiles,
    regression,
    roc,
)
from .metric import Definition

_MODULES = (
    labels,
    per_class,
    agreement,
    probabilities,
    roc,
    regression,
    quantiles,
    correlation,
    gain,
)

REGISTRY: dict[str, Definition] = {
    str(definition.function): definition for module in _MODULES for definition in module.DEFINITIONS
}
