"""Checks of the values of metrics' parameters: the same that scikit-learn's functions make.

The statistics of the registry do not call these functions. Without the checks, a wrong value would
be used silently: the text "no" as a flag, an alpha of 2 as a quantile.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from ..core.errors import SettingsError, nearest


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _scalar(value: Any) -> bool:
    return isinstance(value, (str, int, float))


def _labels(value: Any) -> bool:
    return value is None or (
        isinstance(value, (list, tuple)) and len(value) > 0 and all(map(_scalar, value))
    )


def _zero_division(value: Any) -> bool:
    return value == "warn" or (_number(value) and (value in (0, 1) or math.isnan(value)))


#: Parameter → a test of its value, and what the value must be.
_CHECKS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "labels": (_labels, "a list of labels"),
    "types": (_labels, "a list of types"),
    "pos_label": (lambda value: value is None or _scalar(value), "one label"),
    "zero_division": (_zero_division, "warn, 0, 1 or .nan"),
    "adjusted": (lambda value: isinstance(value, bool), "true or false"),
    "beta": (lambda value: _number(value) and value >= 0, "a number of 0 or more"),
    "alpha": (lambda value: _number(value) and 0 <= value <= 1, "a number from 0 to 1"),
    "k": (
        lambda value: value is None or (isinstance(value, int) and value >= 1),
        "a whole number of 1 or more",
    ),
}
#: Parameter → the words it may be.
_WORDS: Mapping[str, tuple[str | None, ...]] = {
    "average": ("binary", "micro", "macro", "weighted", "samples"),
    "multi_class": ("raise", "ovr", "ovo"),
    "weights": (None, "linear", "quadratic"),
}


def check(metric: str, params: Mapping[str, Any], choices: Mapping[str, tuple[str, ...]]) -> None:
    """Raise SettingsError for a value that scikit-learn would refuse, or that is no choice."""
    allowed = {**_WORDS, **choices}
    for key, value in params.items():
        if key in allowed and value not in allowed[key]:
            words = ["null" if word is None else word for word in allowed[key]]
            raise SettingsError(
                f"metric {metric!r}: {key}={value!r} is not one of {', '.join(words)}"
                f"{nearest(str(value), words)}"
            )
        if key in _CHECKS and not _CHECKS[key][0](value):
            raise SettingsError(
                f"metric {metric!r}: {key}={value!r} cannot be used; expected {_CHECKS[key][1]}"
            )
