"""How much better the entries look on the public leaderboard than on the private one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Floats
from ..inference.evidence import Evidence


@dataclass(frozen=True)
class Optimism:
    """Public minus private score of an entry, positive if the public one is better.

    ``expected`` is the optimism of the best of the team's submissions if all of them were equally
    good; None if their number is unknown or one.
    """

    entry: str
    public: float
    private: float
    difference: float
    low: float
    high: float
    submissions: int | None = None
    expected: float | None = None


def optimism(
    public: Mapping[str, tuple[float, float]], private: Evidence, submissions: Mapping[str, int]
) -> list[Optimism]:
    """Return the optimism of every entry that has a public score, the largest first.

    ``public`` maps entries to their score on the public examples and its standard error. The two
    parts share no examples, so their standard errors add in squares. ``submissions`` maps entries
    to the number of submissions that their team has sent.
    """
    from scipy.special import ndtri

    sign = 1.0 if private.metric.greater_is_better else -1.0
    z = float(ndtri((1 + private.question.confidence) / 2))
    of_entries = []
    for entry, name in enumerate(private.names):
        if name not in public:
            continue
        (seen, error), score = public[name], float(private.scores.score[entry])
        difference = sign * (seen - score)
        margin = z * math.hypot(error, private.standard_error(entry))
        sent = submissions.get(name)
        expected = error * expected_maximum(sent) if sent is not None and sent > 1 else None
        ends = difference - margin, difference + margin
        of_entries.append(Optimism(name, seen, score, difference, *ends, sent, expected))
    return sorted(of_entries, key=lambda item: (-item.difference, item.entry))


def expected_maximum(size: int) -> float:
    """Return the expected maximum of independent standard normal variables.

    It is ∫ Φ⁻¹(u)·d(u^size), by the midpoints of equal steps of u^size.
    """
    from scipy.special import ndtri

    steps = 100_000
    levels: Floats = (np.arange(steps) + 0.5) / steps
    return float(ndtri(levels ** (1 / size)).mean())
