"""What published Kaggle metrics import from the module of this name, which exists on Kaggle only.

The functions do what Kaggle's notebook "kaggle-metric-utilities" says of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

#: How far from 1 the probabilities of a row may sum to, as `numpy.isclose` has it.
_TOLERANCE = 1e-6


class ParticipantVisibleError(Exception):
    """Kaggle's error for participants. `calls` recognizes it by this name."""


class HostVisibleError(Exception):
    """Kaggle's error that only the host sees."""


def treat_as_participant_error(error_message: str, solution: Any) -> bool:
    """Return whether an error's text cannot hold a correct answer: numbers are in one of them.

    Booleans count as numbers, whose words the text must not hold.
    """
    columns = (
        [solution[name] for name in solution.columns]
        if hasattr(solution, "columns")
        else [solution]
    )
    if not all(_is_numeric(column) for column in columns):
        return False
    if any(character.isnumeric() for character in error_message):
        return False
    has_bools = any(np.asarray(column).dtype.kind == "b" for column in columns)
    return not (has_bools and re.search("true|false", error_message, re.IGNORECASE))


def safe_call_score(
    metric_function: Callable[..., Any], solution: Any, submission: Any, **metric_func_kwargs: Any
) -> Any:
    """Call a metric; show participants its errors that can hold no correct answer.

    What the metric says is for participants, or for the host, stays so. Metrics define both classes
    themselves, so their names tell.
    """
    try:
        return metric_function(solution, submission, **metric_func_kwargs)
    except Exception as error:
        declared = type(error).__name__ in (
            ParticipantVisibleError.__name__,
            HostVisibleError.__name__,
        )
        if not declared and treat_as_participant_error(str(error), solution):
            raise ParticipantVisibleError(str(error)) from error
        raise


def verify_valid_probabilities(df: Any, df_name: str) -> None:
    """Raise ParticipantVisibleError unless every row of a data frame holds probabilities."""
    if not all(_is_numeric(df[name]) for name in df.columns):
        raise ParticipantVisibleError(f"All values in {df_name} must be numeric.")
    values = np.asarray(df, np.float64)
    if not (values >= 0).all() or not (values <= 1).all():
        raise ParticipantVisibleError(f"All values in {df_name} must be between zero and one.")
    if not np.isclose(values.sum(axis=1), 1, rtol=_TOLERANCE, atol=_TOLERANCE).all():
        raise ParticipantVisibleError(f"Probabilities in {df_name} do not add to one.")


def _is_numeric(column: Any) -> bool:
    return np.asarray(column).dtype.kind in "biuf"
