"""What a gold must hold so that a metric has a value; a definition names one of these checks.

Each takes data without entries, whose rows all count, and the metric's parameters, with labels as
the data have them. It returns what is wrong with the gold, or None.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np

from ..core.arrays import Bools, distinct
from .metric import Data, GoldDefect, classes_of

_CHOOSE = "Choose another metric."
_ADD_CLASSES = "Add examples of other classes, or choose another metric."
_ADD_EXAMPLES = "Add such examples, or choose another metric."
_ADD_ONE = "Add examples that have one, or choose another metric."
_NOTHING = "has nothing to find"


def _holding(what: str, remedy: str = _CHOOSE, so: str = "has no value") -> GoldDefect:
    """Return the defect of a gold that holds ``what``, such as only one class."""
    return GoldDefect((what, what), remedy, so)


# Classes ------------------------------------------------------------------------------------------


def two_classes(data: Data, params: Mapping[str, Any]) -> GoldDefect | None:
    """Ask for examples of two classes: one class tells nothing of how classes are told apart."""
    if distinct(data.y_true).size > 1:
        return None
    return _holding("only one class", _ADD_CLASSES)


def two_classes_of_probabilities(data: Data, params: Mapping[str, Any]) -> GoldDefect | None:
    """Ask for two classes where losses of probabilities are averaged, although one class has one.

    Whoever always predicts this class would have no loss.
    """
    if two_classes(data, params) is None:
        return None
    so = "cannot tell how well classes are predicted"
    return _holding("only one class", _ADD_CLASSES, so)


def two_classes_if_adjusted(data: Data, params: Mapping[str, Any]) -> GoldDefect | None:
    """Ask for two classes where a score is adjusted for chance."""
    return two_classes(data, params) if params.get("adjusted") else None


def classes_of_scores(data: Data, params: Mapping[str, Any]) -> GoldDefect | None:
    """Ask for the classes that scores are compared between.

    They are the class of ``pos_label`` and another one or, without it, two. The mean over several
    classes, each against all others, needs every class, unless a class that is not there has no
    weight.
    """
    if (one_class := two_classes(data, params)) is not None:
        return one_class
    present = distinct(data.y_true).tolist()
    classes = classes_of(data).tolist()
    needed: Sequence[Any] = ()
    if params.get("pos_label") is not None:
        needed = [label for label in classes if label == params["pos_label"]]
    elif len(classes) > 2 and params.get("multi_class") != "ovo":
        needed = classes if params.get("average", "macro") == "macro" else ()
    return _without_class(needed, present, "has no value")


def class_of_interest(data: Data, params: Mapping[str, Any]) -> GoldDefect | None:
    """Ask for an example of one of the classes that a ratio counts, if the parameters name them."""
    present = distinct(data.y_true).tolist()
    if params["average"] == "binary":
        return _without_class(_positive(data, params), present, _NOTHING)
    named = [str(label) for label in params["labels"] or ()]
    if not named or set(named) & set(map(str, present)):
        return None
    if len(named) == 1:
        return _without_class(named, present, _NOTHING)
    return _holding("no example of the metric's labels", _ADD_EXAMPLES, _NOTHING)


def class_of_no_interest(data: Data, params: Mapping[str, Any]) -> GoldDefect | None:
    """Ask for an example outside the class that a specificity is of."""
    if params["average"] != "binary":
        return two_classes(data, params)
    present = distinct(data.y_true).tolist()
    if _positive(data, params) == present:
        return _holding("only one class", _ADD_CLASSES)
    return None


def _positive(data: Data, params: Mapping[str, Any]) -> list[Any]:
    """Return the class of ``pos_label``; none if it cannot be one that the gold lacks.

    If the data have two other classes, or texts where it is a number, the metric says so.
    """
    positive = params["pos_label"]
    classes = classes_of(data).tolist()
    is_like_others = isinstance(positive, str) == isinstance(classes[0], str)
    if positive in classes or (len(classes) == 1 and is_like_others):
        return [positive]
    return []


def _without_class(needed: Collection[Any], present: Collection[Any], so: str) -> GoldDefect | None:
    for label in needed:
        if label not in present:
            return _holding(f"no example of the class {str(label)!r}", _ADD_EXAMPLES, so)
    return None


# Numbers ------------------------------------------------------------------------------------------


def _rows(wrong: Bools, rule: str, singular: str, plural: str, remedy: str) -> GoldDefect | None:
    rows = np.flatnonzero(wrong)
    if not rows.size:
        return None
    return GoldDefect((singular, plural), remedy, rows=rows, rule=rule)


def without_zero(data: Data, params: Mapping[str, Any]) -> GoldDefect | None:
    """Ask for numbers that can be divided by."""
    remedy = "Leave such examples out, or choose another metric, such as mean_absolute_error."
    rule = "divides by the correct numbers"
    return _rows(data.y_true == 0, rule, "is 0", "are 0", remedy)


def above_minus_one(data: Data, params: Mapping[str, Any]) -> GoldDefect | None:
    """Ask for numbers of which 1 + x has a logarithm."""
    wrong = data.y_true <= -1
    rule = "needs correct numbers above -1"
    return _rows(wrong, rule, "is -1 or less", "are -1 or less", _CHOOSE)


def not_negative(data: Data, params: Mapping[str, Any]) -> GoldDefect | None:
    """Ask for numbers of 0 or more."""
    rule = "needs correct numbers of 0 or more"
    return _rows(data.y_true < 0, rule, "is negative", "are negative", _CHOOSE)


def positive(data: Data, params: Mapping[str, Any]) -> GoldDefect | None:
    """Ask for numbers above 0."""
    rule = "needs correct numbers above 0"
    return _rows(data.y_true <= 0, rule, "is 0 or less", "are 0 or less", _CHOOSE)


def some_gain(data: Data, params: Mapping[str, Any]) -> GoldDefect | None:
    """Ask for numbers of 0 or more, one of them above 0."""
    if (negative := not_negative(data, params)) is not None:
        return negative
    return None if data.y_true.any() else _holding("no number above 0", _CHOOSE, _NOTHING)


def different_numbers(data: Data, params: Mapping[str, Any]) -> GoldDefect | None:
    """Ask for two different numbers, which can be explained or put in order."""
    if (data.y_true != data.y_true[0]).any():
        return None
    return _holding("the same number for every example")


def comparable_times(data: Data, params: Mapping[str, Any]) -> GoldDefect | None:
    """Ask for two times of which it is known that the one comes before the other.

    Without events, these are two different numbers. A time that is censored says only that no event
    came before it.
    """
    if data.events is None:
        return different_numbers(data, params)
    if not data.events.any():
        return _holding("no event", _ADD_EXAMPLES)
    first = data.y_true[data.events].min()
    later = data.y_true > first
    together = (data.y_true == first) & ~data.events
    if later.any() or together.any():
        return None
    return _holding("no time after the first event", _ADD_EXAMPLES)


# Other kinds of data ------------------------------------------------------------------------------


def something(
    what: str, is_there: Callable[[Any, Mapping[str, Any]], bool]
) -> Callable[[Data, Mapping[str, Any]], GoldDefect | None]:
    """Return the check for an example in which there is something to find, called ``what``."""

    def check(data: Data, params: Mapping[str, Any]) -> GoldDefect | None:
        if any(is_there(example, params) for example in data.y_true):
            return None
        return _holding(f"no {what}", _ADD_ONE, _NOTHING)

    return check
