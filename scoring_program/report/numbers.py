"""Numbers as text: every number of the page and the tables is formatted here, and only once."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

#: Printed where there is no number.
MISSING = "–"
_MINUS = "−"
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


def exact_decimals(values: Iterable[float]) -> int:
    """Return the fewest decimals that print every value exactly."""
    known = list(values)
    for decimals in range(10):
        if all(abs(round(value, decimals) - value) < 1e-10 * max(1, abs(value)) for value in known):
            return decimals
    return 10


@dataclass(frozen=True)
class Numerals:
    """Number formats of one language.

    ``decimal`` and ``thousands`` are signs in a number, and ``percent_sign`` is what follows one.
    """

    decimal: str = "."
    thousands: str = ","
    percent_sign: str = "%"

    def fixed(self, value: float, decimals: int, *, signed: bool = False) -> str:
        """Return ``value`` with ``decimals``, a true minus sign, and a plus sign if ``signed``."""
        if not math.isfinite(value):
            return MISSING
        digits = f"{abs(value):,.{decimals}f}"
        text = digits.translate({ord(","): self.thousands, ord("."): self.decimal})
        if not any(digit in "123456789" for digit in digits):
            return text
        return (_MINUS if value < 0 else "+" if signed else "") + text

    def count(self, value: int) -> str:
        """Return a whole number with separated thousands."""
        return self.fixed(value, 0)

    def interval(self, low: float, high: float, decimals: int) -> str:
        """Return "[low, high]", or a dash where there is no interval."""
        if not (math.isfinite(low) and math.isfinite(high)):
            return MISSING
        separator = ", " if self.decimal == "." else "; "
        return f"[{self.fixed(low, decimals)}{separator}{self.fixed(high, decimals)}]"

    def p(self, value: float) -> str:
        """Return a p-value: three decimals, four below .01, never less than .0001."""
        if not math.isfinite(value):
            return MISSING
        if value <= 0.0001:
            return f"≤\N{NO-BREAK SPACE}0{self.decimal}0001"
        return self.fixed(value, 3 if value >= 0.01 else 4)

    def percent(self, share: float) -> str:
        """Return a share as a whole percentage; only 0 and 1 themselves become 0% and 100%."""
        if not math.isfinite(share):
            return MISSING
        if 0 < share <= 0.005:  # half a percent would be rounded to none
            return f"<1{self.percent_sign}"
        if 0.995 <= share < 1:
            return f">99{self.percent_sign}"
        return f"{self.fixed(100 * share, 0)}{self.percent_sign}"

    def plain(self, value: float) -> str:
        """Return a constant, such as a bound, with as many decimals as it needs."""
        return self.fixed(value, exact_decimals([value])) if math.isfinite(value) else MISSING

    def exact_percent(self, share: float) -> str:
        """Return a setting such as a confidence of .95 as "95%"."""
        return f"{self.plain(round(100 * share, 6))}{self.percent_sign}"
