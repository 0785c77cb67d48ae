"""What single cells say: that a value is missing, an event, and the part of the test set."""

from __future__ import annotations

from collections.abc import Mapping

from .usual_names import EVENTS, POSITIVE, SAYS_MISSING, SENTINELS, SPLIT_WORDS


def is_missing(cell: str) -> bool:
    """Whether a cell says that a value is missing, as data frames and people write it."""
    return cell.casefold() in SAYS_MISSING


def is_sentinel(number: float) -> bool:
    """Whether a number is such as −999, with which tools write that there is none."""
    return number in SENTINELS


def event_of(cell: str) -> bool | None:
    """Return whether a cell says that a time ends with an event; None if it says neither."""
    return EVENTS.get(cell.casefold())


def words_of_split(stated: Mapping[str, str]) -> dict[str, str]:
    """Return the words of the column that splits the test set, in small letters → their parts.

    The organizer has ``stated`` what further words mean.
    """
    return {**SPLIT_WORDS, **{word.casefold(): part for word, part in stated.items()}}


def is_positive(label: str) -> bool:
    """Whether a label is the positive one of two by the way it is written."""
    return label.casefold() in POSITIVE
