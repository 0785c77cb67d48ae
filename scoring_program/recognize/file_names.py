"""What the names of files say: of reference data, of those beside them, and of predictions.

Like the functions in `of_kinds`, these need nothing of the package but the usual names.
"""

from __future__ import annotations

from typing import NamedTuple

from .usual_names import (
    COPIES_OF_GOLD,
    GIVEN_FILES,
    GOLD_ENDINGS,
    GOLD_FILES,
    INPUT_FILES,
    NUMBERED_REFERENCES,
    PREDICTION_ENDINGS,
)


class NumberedReference(NamedTuple):
    """The task of one of several files of references, and the word for a reference."""

    task: str
    word: str


def is_gold_file(stem: str) -> bool:
    """Whether a file is called like the reference data of a single task."""
    return stem.casefold() in GOLD_FILES


def is_given_file(stem: str) -> bool:
    """Whether a file beside such reference data is called like what participants got."""
    return stem.casefold() in GIVEN_FILES


def is_input_file(stem: str) -> bool:
    """Whether a file is called like what was translated or summarized: "source.en"."""
    return stem.casefold().split(".")[0] in INPUT_FILES


def is_copy_of_gold(stem: str) -> bool:
    """Whether a file among submissions is called like the reference data."""
    return stem.casefold() in COPIES_OF_GOLD


def task_of_gold(stem: str) -> str:
    """Return the task that a gold file of several is called after: "stance-gold" → "stance"."""
    return GOLD_ENDINGS.sub("", stem) or stem


def numbered_reference(stem: str) -> NumberedReference | None:
    """Return what the name of one of several files of references says; None of another name."""
    match = NUMBERED_REFERENCES.fullmatch(stem)
    return None if match is None else NumberedReference(match["task"], match["word"].lower())


def without_word_of_predictions(name: str) -> str:
    """Return the name of a file without the word for predictions at its end."""
    return PREDICTION_ENDINGS.sub("", name)
