"""Repeated samples: which column or key holds what a sample says, and what an outcome counts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ..usual_names import ANSWER_NAMES, FAILURES, OUTCOMES, SAMPLE_NUMBERS, SAMPLE_VALUES
from .roles_by_name import ID, DataField, roles

#: What a sample says, or how it did.
VALUES = DataField("label", SAMPLE_VALUES)
#: What numbers samples, what identifies examples, and what a sample says.
FIELDS = (DataField("sample", (), SAMPLE_NUMBERS), ID, VALUES)
#: The correct answers of a gold.
ANSWERS = DataField("label", ANSWER_NAMES)


def only_value(names: Collection[str], stated: Collection[str]) -> str | None:
    """Return the only column that may say what samples do, under an unusual name; None if several.

    It has no other role, and no column has the name of one that says it.
    """
    taken = roles(names, FIELDS, stated)
    unnamed = [name for name in names if name not in taken.values()]
    return unnamed[0] if VALUES.role not in taken and len(unnamed) == 1 else None


def list_of_samples(lists: Sequence[str], single: Iterable[str]) -> str | None:
    """Return the key whose lists are samples; None if none is.

    ``lists`` are the keys that hold lists, in the order of the records, and ``single`` all others.
    It is the only one with lists or, beside others, the one of a usual name. Where a key holds what
    one sample says, lists under other keys are none.
    """
    usual = VALUES.among(lists)
    if usual is not None:
        return usual
    if VALUES.among([*single]) is not None or not lists:
        return None
    return lists[0]


def is_certain(name: str, lists: Sequence[str]) -> bool:
    """Whether the list under a name holds the samples of a record: it is the only one, or usual."""
    return len(lists) == 1 or VALUES.fits(name)


def says_failure(name: str) -> bool:
    """Whether a name says that 1 is a failure."""
    return FAILURES.fullmatch(name) is not None


def outcome(sample: str) -> float | None:
    """Return what an outcome counts: a number, or 1 and 0 for words; None if it is neither."""
    if sample.casefold() in OUTCOMES:
        return OUTCOMES[sample.casefold()]
    try:
        number = float(sample)
    except ValueError:
        return None
    return number if abs(number) < 1e10 and "_" not in sample else None
