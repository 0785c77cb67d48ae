"""Lists of predictions under one name: the runs of a method, such as those of several seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..core.errors import SubmissionError
from ..core.phrases import verbatim


def runs_apart(
    y_true: Any, predictions: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the predictions of every run by its name, and the name of each run's method.

    A run of several is called by its method and its place, ``METHOD/1`` and so on. Predictions that
    are no list of runs keep their name. Raises SubmissionError if two would have the same name.
    """
    by_run = {}
    method_of = {}
    for method, values in predictions.items():
        runs = values if are_runs(values, y_true) else [values]
        for place, run in enumerate(runs, 1):
            name = method if len(runs) == 1 else f"{method}/{place}"
            if name in by_run or (name != method and name in predictions):
                clash = (
                    f"predictions: {name!r} is a run of {method!r} and a name of its own; rename"
                )
                raise SubmissionError(verbatim(f"{clash} one of them"))
            by_run[name] = run
            method_of[name] = method
    return by_run, method_of


def are_runs(values: Any, y_true: Any) -> bool:
    """Whether a list holds several predictions for all answers instead of one for each of them.

    So no list that has as many items as there are answers holds runs, and each run is an array, a
    list or a mapping. A run of another length is told by the check of predictions.
    """
    if not isinstance(values, (list, tuple)) or not values or len(values) == len(y_true):
        return False
    if isinstance(y_true, Mapping) and not all(isinstance(run, Mapping) for run in values):
        return False
    lengths = [_length(run) for run in values]
    return None not in lengths and len(y_true) in lengths


def _length(run: Any) -> int | None:
    """Return the number of predictions; None of what is no array, list or mapping."""
    shape = getattr(run, "shape", None)
    if shape is not None:
        return int(shape[0]) if len(shape) else None
    is_sized = isinstance(run, (Sequence, Mapping)) and not isinstance(run, (str, bytes))
    return len(run) if is_sized else None
