"""How many decimals fit the scores of a competition, and how bounds and sizes are rounded."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ..inference.evidence import Evidence

_MOST_DECIMALS = 8
_DEFAULT_DECIMALS = 4


def decimals_for(standard_errors: Iterable[float]) -> int:
    """Return how many decimals fit scores with these standard errors.

    One unit of the last digit is at most a thirtieth of the median standard error, so that
    rounding is invisible next to the uncertainty, and no digit claims a precision that the test
    set does not have: .0147 gives 4 decimals, 1.2 gives 2, 40 gives 0.
    """
    known = sorted(error for error in standard_errors if math.isfinite(error) and error > 0)
    if not known:
        return _DEFAULT_DECIMALS
    unit = known[len(known) // 2] / 30
    return min(max(math.ceil(-math.log10(unit)), 0), _MOST_DECIMALS)


def decimals_of(evidence: Evidence) -> int:
    """Return how many decimals fit the scores by a metric."""
    return decimals_for(map(evidence.standard_error, range(len(evidence.names))))


def upward(value: float, decimals: int) -> float:
    """Return an upper bound, rounded up: rounded to the nearest, it might be none.

    What lies beyond twelve digits is the noise of computing, and does not count.
    """
    units = value * 10.0**decimals
    if not math.isfinite(units):
        return value
    nearest = round(units)
    exact = abs(units - nearest) <= 1e-12 * abs(units)
    return (nearest if exact else math.ceil(units)) / 10.0**decimals


def planned_size(needed: int) -> int:
    """Return a number of examples, up to two significant digits: it is an order of magnitude."""
    unit: int = 10 ** max(len(str(needed)) - 2, 0)
    return -(-needed // unit) * unit
