"""How many decimals fit the scores of a competition, and how bounds and sizes are rounded."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence, Set

from ..inference.evidence import Evidence

_MOST_DECIMALS = 8
_DEFAULT_DECIMALS = 4
#: Significant digits of costs, at least and at most.
_DIGITS_OF_COST = 4
_MOST_DIGITS_OF_COST = 12


def decimals_for(standard_errors: Iterable[float], most: int = _MOST_DECIMALS) -> int:
    """Return how many decimals, at ``most``, fit scores with these standard errors.

    One unit of the last digit is at most a thirtieth of the median standard error, so that
    rounding is invisible next to the uncertainty, and no digit claims a precision that the test
    set does not have: .0147 gives 4 decimals, 1.2 gives 2, 40 gives 0.
    """
    usable = sorted(error for error in standard_errors if math.isfinite(error) and error > 0)
    if not usable:
        return _DEFAULT_DECIMALS
    return min(max(math.ceil(-math.log10(usable[len(usable) // 2] / 30)), 0), most)


def rounded_costs(costs: Iterable[float]) -> dict[float, float]:
    """Return each cost as it is shown, in whatever unit it was given.

    It has four significant digits, or as many as tell it from the others; costs that agree in
    twelve count as equal. Costs in order are shown in order.
    """
    rounded: dict[float, float] = {}
    alike: list[list[float]] = [[cost for cost in set(costs) if math.isfinite(cost)]]
    for digits in range(_DIGITS_OF_COST, _MOST_DIGITS_OF_COST + 1):
        by_text: dict[str, list[float]] = {}
        for group in alike:
            for cost in group:
                by_text.setdefault(f"{cost:.{digits}g}", []).append(cost)
        for text, group in by_text.items():
            rounded |= dict.fromkeys(group, float(text))
        alike = [group for group in by_text.values() if len(group) > 1]
    return rounded


def _most_decimals(scores: Iterable[float]) -> int:
    """Return the most decimals of scores: eight, or those that give the median five digits."""
    sizes = sorted(abs(score) for score in scores if math.isfinite(score) and score)
    size = sizes[len(sizes) // 2] if sizes else 1.0
    return max(_MOST_DECIMALS, _DEFAULT_DECIMALS - math.floor(math.log10(size)))


def decimals_to_show(
    scores: Sequence[float], errors: Sequence[float], of_pairs: Iterable[float], of_leader: float
) -> int:
    """Return how many decimals fit scores and their differences.

    They tell different scores apart with at most four decimals, or four significant digits where
    scores exceed 1, and show at least the first digit of the median standard error. Ten of the
    leader's own standard errors count as one, because absurd entries may outnumber the others.
    """
    limit = _most_decimals(scores)
    fit = max(
        decimals_for(errors, limit),
        decimals_for(pairs, limit) if (pairs := list(of_pairs)) else 0,
        decimals_for([10 * of_leader], limit) if of_leader > 0 else 0,
    )
    usable = sorted(error for error in errors if math.isfinite(error) and error > 0)
    sizes = sorted(abs(score) for score in scores if math.isfinite(score))
    if not usable or not sizes:
        return fit
    size = sizes[len(sizes) // 2]
    error = usable[len(usable) // 2]
    first = min(max(-math.floor(math.log10(error)), 0), limit)
    most = _DEFAULT_DECIMALS - (1 + math.floor(math.log10(size)) if size >= 1 else 0)
    exact = {round(score, 12) for score in scores}  # but for the noise of sums
    distinct = next((d for d in range(fit, most) if _tell_apart(exact, d)), most)
    return min(max(fit, distinct), max(most, first))


def _tell_apart(scores: Set[float], decimals: int) -> bool:
    """Return whether different scores stay different with so many decimals."""
    return len({round(score, decimals) for score in scores}) == len(scores)


def decimals_of(evidence: Evidence) -> int:
    """Return how many decimals fit the scores by a metric."""
    errors = map(evidence.standard_error, range(len(evidence.names)))
    return decimals_for(errors, _most_decimals(evidence.scores.score.tolist()))


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
