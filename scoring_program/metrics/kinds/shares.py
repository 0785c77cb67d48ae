"""What many families share: counting examples one by one, and scores that are a ratio of sums."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.arrays import Floats


@dataclass(frozen=True)
class Each:
    """Counts examples one by one: ``function(gold, prediction, params)`` returns k numbers."""

    function: Callable[[Any, Any, Mapping[str, Any]], Sequence[float]]

    def __call__(
        self, golds: Sequence[Any], predictions: Sequence[Any], params: Mapping[str, Any]
    ) -> Sequence[Sequence[float]]:
        """Return the counts of all examples, [n][k]."""
        return [
            self.function(gold, prediction, params)
            for gold, prediction in zip(golds, predictions, strict=True)
        ]


def ratio(sums: Floats, params: Mapping[str, Any]) -> Floats:
    """Return the first sum divided by the second; nan where that is zero."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(sums[1] != 0, sums[0] / sums[1], np.nan))


def references(gold: str | Sequence[str]) -> Sequence[str]:
    """Return the references of a segment: one, or several."""
    return (gold,) if isinstance(gold, str) else gold
