"""What a column holds, in a few words, for questions."""

from __future__ import annotations

import numpy as np

from ..core.errors import listed
from ..core.phrases import Phrase
from .facts import ColumnFacts

#: The most values that are listed.
_MOST = 6


def described(column: ColumnFacts, *, participants_read: bool) -> Phrase:
    """Return what a column holds; where participants read it, its kind and no value."""
    if participants_read:
        return Phrase("numbers") if column.numeric else Phrase("texts")
    values = sorted(text for text in column.different if text)
    if len(values) <= _MOST:
        return Phrase(
            "{count} value: {values}",
            "{count} values: {values}",
            count=len(values),
            values=listed(values),
        )
    if column.numeric:
        present = column.numbers[~np.isnan(column.numbers)]
        return Phrase(
            "numbers from {low} to {high}", low=f"{present.min():g}", high=f"{present.max():g}"
        )
    return Phrase("{count} different texts", count=len(values))
