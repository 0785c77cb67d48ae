"""Numbers as text: every number of the page, the tables and the log is written here.

This module needs only the standard library, because the starting kit contains it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

#: Printed where there is no number.
MISSING = "–"
_MINUS = "−"


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

    def level(self, value: float) -> str:
        """Return a level that p-values are compared with, such as ".05" or "0,05"."""
        text = self.fixed(value, max(2, exact_decimals([value])))
        return text.removeprefix("0") if self.decimal == "." else text

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
